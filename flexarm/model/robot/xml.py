"""XML read as plain elements that know their lines; nothing in a file can make it larger or fetch another."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from xml.parsers import expat

from flexarm.errors import ModelError, Problem

# Deeper nests than these are no description of a robot.
DEEPEST = 200


@dataclass
class Element:
    """A tag with its attributes, the elements in it, and the line on which it begins."""

    tag: str
    attributes: dict[str, str]
    line: int
    children: list[Element] = field(default_factory=list)

    def get(self, name: str, default: str | None = None) -> str | None:
        """An attribute."""
        return self.attributes.get(name, default)

    def first(self, tag: str) -> Element | None:
        """The first element of this tag directly in it; None if there is none."""
        return next(self.all(tag), None)

    def all(self, tag: str) -> Iterator[Element]:
        """The elements of this tag directly in it."""
        return (child for child in self.children if child.tag == tag)


def parse_xml(text: str, source: str) -> Element:
    """The outermost element of a text; what is not sound XML, or declares entities, is refused with its line."""
    outermost: list[Element] = []
    open_elements: list[Element] = []
    parser = expat.ParserCreate()
    parser.buffer_text = True

    def refuse(message: str) -> ModelError:
        return ModelError([Problem(f"line {parser.CurrentLineNumber}", message)], source=source)

    def begin(tag: str, attributes: dict[str, str]) -> None:
        element = Element(tag, attributes, parser.CurrentLineNumber)
        if open_elements:
            open_elements[-1].children.append(element)
        else:
            outermost.append(element)
        open_elements.append(element)
        if len(open_elements) > DEEPEST:
            raise refuse(f"is nested more than {DEEPEST} deep, must be the description of a robot")

    def end(tag: str) -> None:
        open_elements.pop()

    def entity(*declared: object) -> None:
        # one entity made of others fills any memory, and an external one reads any file
        raise refuse(f'declares the entity "{declared[0]}", must have no entities')

    parser.StartElementHandler = begin
    parser.EndElementHandler = end
    parser.EntityDeclHandler = entity
    try:
        parser.Parse(text, True)
    except expat.ExpatError as error:
        reason = expat.ErrorString(error.code)
        where = f"line {error.lineno}, column {error.offset + 1}"
        raise ModelError([Problem(where, f"is not sound XML: {reason}")], source=source) from None
    except UnicodeEncodeError:
        raise ModelError([Problem("the file", "holds characters no text has, must be XML")], source=source) from None
    return outermost[0]
