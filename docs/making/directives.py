"""The blocks a page may hold: commands and Python that are run, tables, pictures and pages that are made.

    ```{run}                       each line is a command; shown with its output, by :terminal: as a terminal has it
    ```{python}                    run in the page's own interpreter; shown with what it prints
    ```{displayed}                 the same; shown with its last line as a notebook shows it
    ```{file} arm.toml             a file of the folder, of an example or made by a command before, coloured as its kind
    ```{options} brake             the options of a verb, from the command line itself
    ```{made} verification         a table computed by docs/making/tables.py
    ```{picture} braking           a figure computed by docs/making/pictures.py; the body is its caption
    ```{shown-page} run.html       a page that a command before left in the folder

On GitHub they are code blocks with their bodies. A block that fails stops the build.
"""

from __future__ import annotations

import html
import re
from pathlib import Path
from typing import Any

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.application import Sphinx
from sphinx.errors import ExtensionError
from sphinx.util.docutils import SphinxDirective

from docs.making import keeping
from docs.making.session import Block, BlockFailed, Session

_BESIDE = "pages"  # the folder of the site in which pages made by commands stand


def _listing(text: str, language: str, *classes: str) -> nodes.literal_block:
    return nodes.literal_block(text, text, language=language, classes=list(classes))


class _Running(SphinxDirective):
    """A block that is run in the session of its page."""

    has_content = True

    def outcome(self, block: Block) -> dict[str, Any]:
        # temp_data lives as long as the reading of one document.
        session = self.env.temp_data.setdefault("flexarm_session", Session(self.env.docname))
        try:
            return session.result(block)
        except BlockFailed as failure:
            raise ExtensionError(f"{self.env.docname}, line {self.lineno}: {failure}") from None


class Run(_Running):
    """Commands, each shown with what it printed."""

    option_spec = {  # noqa: RUF012
        "code": directives.nonnegative_int,
        "head": directives.positive_int,
        "tail": directives.nonnegative_int,
        "silent": directives.flag,
        "terminal": directives.flag,
    }

    def run(self) -> list[nodes.Node]:
        """The commands and their outputs as one listing."""
        from docs.making.session import commands

        text = "\n".join(self.content)
        kind = "terminal" if "terminal" in self.options else "shell"
        outputs = self.outcome(Block(kind, text, self.options.get("code", 0)))["outputs"]
        parts = []
        for line, output in zip(commands(text), outputs, strict=True):
            shown = "" if "silent" in self.options else self._cut(output.rstrip())
            parts.append(f"$ {line}" + (f"\n{shown}" if shown else ""))
        return [_listing("\n".join(parts), "console", "ran")]

    def _cut(self, output: str) -> str:
        lines = output.splitlines()
        head, tail = self.options.get("head", len(lines)), self.options.get("tail", 0)
        if head + tail >= len(lines):
            return output
        return "\n".join([*lines[:head], "…", *(lines[-tail:] if tail else [])])


class Python(_Running):
    """A block of Python, shown with what it printed."""

    def run(self) -> list[nodes.Node]:
        """The block, and its output below."""
        text = "\n".join(self.content)
        output = self.outcome(Block("python", text))["outputs"][0].rstrip()
        shown = [_listing(text, "python")]
        return [*shown, _listing(output, "text", "printed")] if output else list(shown)


class Displayed(_Running):
    """A block of Python, shown with its last line as a notebook shows it."""

    def run(self) -> list[nodes.Node]:
        """The block, and the HTML of its last line."""
        text = "\n".join(self.content)
        shown = self.outcome(Block("display", text))["outputs"][0]
        return [_listing(text, "python"), nodes.raw("", f'<div class="cell">{shown}</div>', format="html")]


class File(_Running):
    """A file of the folder, coloured as what it is."""

    required_arguments = 1
    option_spec = {"lines": directives.unchanged}  # noqa: RUF012

    def run(self) -> list[nodes.Node]:
        """The file, or those of its lines that are asked for: "11-", "-20" or "11-20"."""
        name = self.arguments[0]
        lines = self.outcome(Block("shell", "true", files=(name,)))["files"][name].rstrip().split("\n")
        first, _, last = self.options.get("lines", "1-").partition("-")
        chosen = lines[int(first or 1) - 1 : int(last) if last else len(lines)]
        return [_listing("\n".join(chosen), Path(name).suffix[1:])]


class ShownPage(_Running):
    """A page that a command has written: a link to it, and the page itself in a frame."""

    required_arguments = 1
    option_spec = {"height": directives.unchanged}  # noqa: RUF012

    def run(self) -> list[nodes.Node]:
        """A frame with the page, and a link that opens it alone."""
        name = self.arguments[0]
        text = self.outcome(Block("shell", "true", files=(name,)))["files"][name]
        place = f"{_BESIDE}/{self.env.docname.replace('/', '-')}-{name}"
        target = Path(self.env.app.outdir) / place
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
        here = "../" * self.env.docname.count("/") + place
        height = self.options.get("height", "34rem")
        words = html.escape(" ".join(self.content) or "the page of the run")
        frame = (
            f'<figure class="shown-page"><iframe src="{here}" title="{words}" loading="lazy" '
            f'style="height:{height}"></iframe>'
            f'<figcaption><a href="{here}">Open {words} by itself</a></figcaption></figure>'
        )
        return [nodes.raw("", frame, format="html")]


class Options(SphinxDirective):
    """The options of a verb."""

    has_content = True
    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """A table of the verb's options."""
        from docs.making.option_tables import option_table

        return self.parse_text_to_nodes(option_table(self.arguments[0]))


class Made(SphinxDirective):
    """A table, or any other Markdown, that the build computes."""

    has_content = True
    required_arguments = 1
    optional_arguments = 1
    final_argument_whitespace = True

    def run(self) -> list[nodes.Node]:
        """What the named function of `tables` gives, read as Markdown."""
        from docs.making.tables import TABLES

        name, *words = " ".join(self.arguments).split()
        if name not in TABLES:
            raise ExtensionError(f"{self.env.docname}: there is no table {name!r}, only {', '.join(TABLES)}")
        return self.parse_text_to_nodes(TABLES[name](*words))


class Picture(SphinxDirective):
    """A figure that the build draws."""

    has_content = True
    required_arguments = 1
    optional_arguments = 1
    final_argument_whitespace = True

    def run(self) -> list[nodes.Node]:
        """The figure as SVG within the page, with the body as its caption."""
        from docs.making.pictures import PICTURES

        name, *words = " ".join(self.arguments).split()
        if name not in PICTURES:
            raise ExtensionError(f"{self.env.docname}: there is no picture {name!r}, only {', '.join(PICTURES)}")
        caption = "\n".join(self.content)
        plain = html.escape(re.sub(r"[`*$]", "", " ".join(self.content)), quote=True)
        drawn = PICTURES[name](*words).replace("<svg ", f'<svg role="img" aria-label="{plain}" ', 1)
        box = nodes.container(classes=["picture"])
        box += nodes.raw("", drawn, format="html")
        box += self.parse_text_to_nodes(caption)
        return [box]


def _begin(app: Sphinx) -> None:
    keeping.forget_others()


def setup(app: Sphinx) -> dict[str, Any]:
    """Make the blocks known to Sphinx; every page is read again when flexarm or what makes the guide has changed."""
    making = "".join(path.read_text(encoding="utf-8") for path in sorted((keeping.ROOT / "docs/making").glob("*.py")))
    app.add_config_value("flexarm_state", keeping.state() + str(hash_of(making)), "env")
    app.add_directive("run", Run)
    app.add_directive("python", Python)
    app.add_directive("displayed", Displayed)
    app.add_directive("file", File)
    app.add_directive("options", Options)
    app.add_directive("made", Made)
    app.add_directive("picture", Picture)
    app.add_directive("shown-page", ShownPage)
    app.connect("builder-inited", _begin)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def hash_of(text: str) -> str:
    """A short hash of a text, the same in every process."""
    import hashlib

    return hashlib.blake2b(text.encode(), digest_size=8).hexdigest()
