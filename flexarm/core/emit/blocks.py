"""Blocks of statements put into a sweep where it names them.

A sweep is written once, with lines such as `carried, status = steps.element(tree, work, i, status, carried)`. For a
kind of tree such a line is replaced by the block of that name, a question (`if steps.is_element(tree, i):`) by its
answer, and branches whose answer is known are left out. What is carried along a chain – `carried`, `A`, `at` – is a
group of local names there. Functions would do as well, but each costs the compiler a tenth of a second.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from itertools import count

_CALL = re.compile(r"^(?:(?P<targets>[^=]+) = )?steps\.(?P<name>\w+)\((?P<args>[^()]*)\)$")
_NAME = re.compile(r"(?<![.\w])[A-Za-z_]\w*")
_ASKED = re.compile(r"steps\.(\w+)\(([^()]*)\)")


@dataclass
class Block:
    """Statements, the names they are given, and what they return: a name of a group and its texts, or one text."""

    parameters: list[str]
    lines: list[str]
    returned: list[tuple[str, list[str]]]
    local: set[str]  # names of its own
    answer: str = ""  # of a question: an expression

    @property
    def texts(self) -> list[str]:
        """All that is written in it."""
        return [*self.lines, *(text for _, texts in self.returned for text in texts)]


@dataclass
class Blocks:
    """The blocks of a kind of tree by name, and the names in a group."""

    groups: dict[str, list[str]]
    blocks: dict[str, Block] = field(default_factory=dict)

    def expanded(self, source: str) -> str:
        """The source of a sweep with the blocks in it."""
        nodes, _ = _parsed(source.splitlines(), 0, 0)
        numbers = count()
        return "\n".join(self._text(nodes, numbers)) + "\n"

    def _text(self, nodes: list[_Node], numbers: count[int]) -> list[str]:
        out: list[str] = []
        chain = ""  # what the branches before in this chain come to: all left out, or one taken for good
        for node in nodes:
            line, indent = node.line, node.indent
            found = _CALL.match(line)
            if found and not self.blocks[found["name"]].answer:
                block = self._block(found["name"], found["targets"] or "", found["args"], next(numbers))
                out += [f"{indent}{text}" for text in block]
                continue
            line = self._answered(line)
            word, _, condition = line.partition(" ")
            if word == "else:":
                word, condition = "else", "True:"
            if word not in ("if", "elif", "else"):
                if line:
                    out.append(indent + line)
                out += self._text(node.inside, numbers)
                continue
            chain = "" if word == "if" else chain
            condition = _folded(condition.removesuffix(":"))
            if condition == "False" or chain == "taken":
                chain = chain or "none"
                continue
            if condition == "True" and chain in ("", "none"):
                # the only branch that is left
                out += [text[4:] for text in self._text(node.inside, numbers)]
                chain = "taken"
                continue
            word = "if" if chain in ("", "none") else "else" if condition == "True" else "elif"
            chain = "taken" if condition == "True" else "some"
            inside = self._text(node.inside, numbers)
            if all(text.lstrip().startswith("#") for text in inside):
                # no step of this kind of tree
                if word == "else":
                    continue
                inside.append(f"{indent}    pass")
            out.append(f"{indent}{word}:" if word == "else" else f"{indent}{word} {condition}:")
            out += inside
        return out

    def _answered(self, line: str) -> str:
        """A line with its questions answered."""

        def answer(found: re.Match[str]) -> str:
            block = self.blocks[found[1]]
            text = block.answer
            for name, given in zip(block.parameters, _split(found[2]), strict=True):
                text = re.sub(rf"\b{name}\b", given, text)
            return text

        return _ASKED.sub(answer, line)

    def _block(self, name: str, targets: str, args: str, number: int) -> list[str]:
        block = self.blocks[name]
        renamed = {own: f"{own}_{number}" for own in block.local}
        lines: list[str] = []
        for parameter, given in zip(block.parameters, _split(args), strict=True):
            if parameter in self.groups or parameter == given:
                continue
            if given.isidentifier():
                renamed[parameter] = given
            elif any(re.search(rf"\b{parameter}\b", text) for text in block.texts):
                renamed[parameter] = f"{parameter}_{number}"
                lines.append(f"{renamed[parameter]} = {given}")

        def own(text: str) -> str:
            code, mark, note = text.partition("  # ")
            return _NAME.sub(lambda found: renamed.get(found[0], found[0]), code) + mark + note

        lines += [own(text) for text in block.lines]
        made: list[tuple[str, str]] = []
        for target, (group, texts) in zip(_split(targets), block.returned, strict=False):
            made += zip(self.groups.get(group, [target]), map(own, texts), strict=True)
        return lines + _assigned(made, number)


def _assigned(made: list[tuple[str, str]], number: int) -> list[str]:
    """Lines that give names their new values; none changes before all that need the old one are computed."""
    lines, late = [], []
    for k, (name, text) in enumerate(made):
        code, mark, note = text.partition("  # ")
        if name == code:
            continue
        if any(name in _NAME.findall(later.partition("  # ")[0]) for _, later in made[k + 1 :]):
            lines.append(f"{name}_{number} = {code}{mark}{note}")
            late.append(f"{name} = {name}_{number}")
        else:
            lines.append(f"{name} = {code}{mark}{note}")
    return lines + late


@dataclass
class _Node:
    """A line, and the lines inside it."""

    indent: str
    line: str
    inside: list[_Node]


def _parsed(lines: list[str], at: int, depth: int) -> tuple[list[_Node], int]:
    """The lines from `at` on that stand at this depth, and where those end."""
    found: list[_Node] = []
    while at < len(lines):
        text = lines[at].strip()
        here = len(lines[at]) - len(lines[at].lstrip()) if text else depth
        if here < depth:
            break
        if here > depth:
            found[-1].inside, at = _parsed(lines, at, here)
            continue
        found.append(_Node(" " * here, text, []))
        at += 1
    return found, at


def _split(text: str) -> list[str]:
    """Parts between commas that are not in brackets."""
    parts, depth = [""], 0
    for letter in text:
        depth += (letter in "([") - (letter in ")]")
        if letter == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += letter
    return [part.strip() for part in parts if part.strip()]


def _folded(condition: str) -> str:
    """A condition without the parts that are known."""
    parts = [part for part in condition.split(" and ") if part not in ("True", "not False")]
    parts = ["False" if part == "not True" else part for part in parts]
    return "False" if "False" in parts else " and ".join(parts) or "True"
