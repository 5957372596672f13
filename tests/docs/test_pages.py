"""The pages of the guide, unbuilt: every verb and formulation has one, links lead somewhere, commands parse.

That the commands do what the pages show, the build itself holds: `make docs` runs them and fails where one fails.
"""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from docs.making.option_tables import all_verbs, option_table
from docs.making.pictures import PICTURES
from docs.making.tables import TABLES
from flexarm.links import FORMULATIONS

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PAGES = sorted(DOCS.rglob("*.md"))
NAMES = [str(path.relative_to(DOCS)) for path in PAGES]
EVERY_PAGE = pytest.mark.parametrize("page", PAGES, ids=NAMES)
FENCE = re.compile(r"^(`{3,})(.*?)\n(.*?)^\1$", re.MULTILINE | re.DOTALL)
SECTIONS = ("## How to read it", "## Options", "## From Python", "## When not to trust it")


def _fences(text: str) -> list[tuple[str, str]]:
    """Word and body of every fenced block."""
    return [(word.strip(), body) for _, word, body in FENCE.findall(text)]


def _prose(text: str) -> str:
    return re.sub(r"`[^`\n]*`", "", FENCE.sub("", text))


def _anchors(path: Path) -> set[str]:
    """The anchors of a page as GitHub makes them: words of its headings, and those written out."""
    text = FENCE.sub("", path.read_text(encoding="utf-8"))
    found = set(re.findall(r'<a id="([^"]+)"', text))
    for heading in re.findall(r"^#+ (.+)$", text, re.MULTILINE):
        words = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).lower().replace("`", "")
        found.add(re.sub(r"[^\w\- ]", "", words).strip().replace(" ", "-"))
    return found


@pytest.mark.parametrize("verb", all_verbs())
def test_every_verb_has_a_page_with_its_question_its_options_and_its_limits(verb):
    text = (DOCS / "commands" / f"{verb}.md").read_text(encoding="utf-8")
    assert text.startswith(f"# {verb}\n\n**")
    assert all(section in text for section in SECTIONS)
    assert f"```{{options}} {verb}\n" in text
    # an example with its real output; warming up alone takes minutes where nothing is compiled
    assert "```{run}" in text or verb == "warmup"
    assert f"(commands/{verb}.md)" in (DOCS / "commands.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("verb", all_verbs())
def test_every_option_of_a_verb_stands_in_its_table_with_what_it_means(verb):
    table = option_table(verb)
    for parameter in all_verbs()[verb].params:
        assert any(f"`{word}" in table for word in [*parameter.opts, (parameter.metavar or "").strip()])
    rows = table.splitlines()[2:]
    assert len(rows) == len(all_verbs()[verb].params)
    assert all(row.split(" | ")[1].strip() for row in rows)


@pytest.mark.parametrize("word", FORMULATIONS)
def test_every_formulation_has_a_page_with_its_equations_and_what_it_errs_by(word):
    text = (DOCS / "formulations" / f"{word}.md").read_text(encoding="utf-8")
    assert text.startswith(f"# {word}: ")
    assert "## Assumptions" in text and "```math" in text and "## When to use it" in text
    assert f"```{{picture}} sketch {word}\n" in text
    assert f"```{{picture}} convergence {word}" in text and f"```{{made}} formulation {word}" in text
    assert f"(formulations/{word}.md)" in (DOCS / "formulations.md").read_text(encoding="utf-8")


@EVERY_PAGE
def test_links_of_a_page_lead_to_files_and_headings_that_are_there(page):
    text = page.read_text(encoding="utf-8")
    for target in re.findall(r"\]\(([^)\s]+)\)", _prose(text) + "".join(body for _, body in _fences(text))):
        if target.startswith(("http:", "https:")) or "://" in target:
            continue
        name, _, anchor = target.partition("#")
        path = page if not name else (page.parent / name).resolve()
        if not path.suffix:
            continue  # a call with brackets in a block of code
        assert path.exists(), target
        if anchor:
            assert anchor in _anchors(path), target


def test_links_of_the_readme_lead_to_pages_that_are_there():
    for target in re.findall(r"\]\(([^)\s]+)\)", _prose((ROOT / "README.md").read_text(encoding="utf-8"))):
        name, _, anchor = target.partition("#")
        if "://" not in target:
            assert (ROOT / name).exists(), target
            assert not anchor or anchor in _anchors(ROOT / name), target


@EVERY_PAGE
def test_every_command_in_a_page_is_one_the_command_line_understands(page):
    verbs = all_verbs()
    for word, body in _fences(page.read_text(encoding="utf-8")):
        if word not in ("", "{run}"):
            continue
        for line in re.split(r"(?<!\\)\n", body):
            for part in re.split(r"&&|;|\|", line.removeprefix("$ ").partition("#")[0]):
                words = _words(part)
                if words[:1] != ["flexarm"] or len(words) < 2 or words[1] == "VERB" or words[1].startswith("--"):
                    continue
                assert words[1] in verbs, line
                arguments = words[2 : words.index(">")] if ">" in words else words[2:]
                verbs[words[1]].make_context(words[1], arguments, resilient_parsing=False)


def _words(line: str) -> list[str]:
    try:
        words = shlex.split(line)
    except ValueError:  # half of a quoted text that holds one of the signs between commands
        return []
    while words and re.fullmatch(r"\w+=\S*", words[0]):
        words.pop(0)
    return words


@EVERY_PAGE
def test_every_table_and_picture_a_page_asks_for_is_one_the_build_makes(page):
    for word, _ in _fences(page.read_text(encoding="utf-8")):
        kind, _, name = word.partition(" ")
        if kind == "{made}":
            assert name.split()[0] in TABLES
        if kind == "{picture}":
            assert name.split()[0] in PICTURES


def test_every_package_is_described():
    text = (DOCS / "architecture.md").read_text(encoding="utf-8")
    packages = [path.name for path in (ROOT / "flexarm").iterdir() if (path / "__init__.py").exists()]
    assert all(f"| `{package}` |" in text for package in packages)


def test_every_page_stands_in_the_contents():
    listed = {"index"}
    for page in PAGES:
        for word, body in _fences(page.read_text(encoding="utf-8")):
            if word == "{toctree}":
                listed |= {line for line in body.split("\n") if line and not line.startswith(":")}
    assert {name.removesuffix(".md") for name in NAMES} == listed
