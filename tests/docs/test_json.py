"""The page on JSON is true: every key a command prints is described there, and every key described there is printed."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from flexarm.papers.row import judged
from tests.cli.conftest import EXAMPLES, call  # noqa: F401

PAGE = (Path(__file__).parents[2] / "docs" / "json.md").read_text(encoding="utf-8")
# By the heading of the page: words of the command; the second list of a verb is that of its other method.
RECORD = str(EXAMPLES / "quanser_large_steps.csv")
COMMANDS = {
    "check": [["check", "pendulum"]],
    "simulate": [["simulate", "turned_link", "--no-report"]],
    "modes": [["modes", "pendulum"]],
    "campbell": [["campbell", "blade", "--to", "10 rad/s", "--steps", "2"]],
    "statics": [["statics", "strip"]],
    "workspace": [["workspace", "two_link", "--points", "3"]],
    "path": [["path", "welder", "--interval", "1 s"]],
    "torques": [["torques", "turned_link"]],
    "linearise": [["linearise", "pendulum"]],
    "brake": [["brake", "braked_link", "--points", "12"]],
    "compare": [["compare", "turned_link", "--elements", "2", "--formulations", "hermite"]],
    "shape": [["shape", "braked_link", "--shapers", "zv"]],
    "sweep": [["sweep", "strip", "--vary", "link[0].length=1 m:2 m:2", "--outputs", "tip.z@end", "--end", "10 ms"]],
    "gradient": [
        ["gradient", "strip", "--of", "tip.z@end", "--by", "link[0].length", "--end", "10 ms"],
        ["gradient", "strip", "--of", "tip.z", "--by", "link[0].length", "--end", "10 ms"],
    ],
    "montecarlo": [["montecarlo", "strip_tolerances", "--samples", "8", "--workers", "1"]],
    "reliability": [
        ["reliability", "tolerances", "--samples", "8", "--workers", "1"],
        ["reliability", "tolerances", "--method", "form", "--workers", "1"],
    ],
    "sensitivity": [["sensitivity", "strip_tolerances", "--samples", "48", "--workers", "1"]],
    "control": [["control", "damped_link", "--payload", "0", "--stiffness", "0", "--end", "1 s"]],
    "design": [["design", "light_strip", "--starts", "1"]],
    "identify": [["identify", "quanser_two_link", RECORD, "--vary", "sensor[strain 1].gain"]],
    "audit": [["audit", "three_axes"]],
    "reproduce": [["reproduce", "fine"]],
    "doctor": [["doctor"]],
}


def _keys(tables: str) -> set[str]:
    """The keys in the first column of the tables of a text."""
    cells = [line.split(" | ")[0] for line in tables.splitlines() if line.startswith("| `")]
    return {key for cell in cells for key in re.findall(r"`(\w+)`", cell)}


def _section(heading: str) -> str:
    return PAGE.partition(f"\n## {heading}\n")[2].partition("\n## ")[0]


COMMON = _keys(PAGE.partition("These keys mean the same")[2].partition("\n## ")[0])


@pytest.fixture(autouse=True)
def papers(monkeypatch):
    """One small paper instead of the real ones."""
    monkeypatch.setattr("flexarm.papers.PAPERS", {"fine": lambda: iter([judged("fine.f_hz", 2.0, "Hz", paper=2.1)])})
    monkeypatch.setattr("flexarm.papers.ROW_COUNTS", {"fine": 1})


@pytest.mark.parametrize("verb", COMMANDS)
def test_every_key_that_is_printed_is_described_and_the_other_way_round(call, verb):  # noqa: F811
    described, printed = _keys(_section(verb)), set()
    for word, *rest in COMMANDS[verb]:
        model = [str(EXAMPLES / f"{rest[0]}.toml")] if rest and verb != "reproduce" else rest[:1]
        done = call(word, *model, *rest[1:], "--json")
        assert done.code == 0, done.err
        found = json.loads(done.out)
        printed |= set(found[0] if isinstance(found, list) else found)
    assert printed - described - COMMON == set(), "docs/json.md must describe these keys"
    assert described - printed == set(), "docs/json.md describes keys that are not printed"


def test_every_command_with_json_has_a_section():
    from docs.making.option_tables import all_verbs

    for name, command in all_verbs().items():
        if any("--json" in parameter.opts for parameter in command.params) and name not in ("report", "view"):
            assert name in COMMANDS, name
