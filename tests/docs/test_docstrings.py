"""Public functions say what they take and give back, and their examples run as printed, from the folder of examples."""

from __future__ import annotations

import doctest
import inspect
from pathlib import Path

import pytest

import flexarm as fa
from flexarm.model.parts.simulation import SimulationSettings

ROOT = Path(__file__).parents[2]
FUNCTIONS = [name for name in fa.__all__ if inspect.isfunction(getattr(fa, name))]
# Minutes of work, or a server: their pages in the guide run them.
WITHOUT_EXAMPLE = {"parse_study", "reproduce", "view"}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_every_parameter_of_a_public_function_is_described(name):
    function = inspect.unwrap(getattr(fa, name))
    text = inspect.getdoc(function) or ""
    names = [parameter.name for parameter in inspect.signature(function).parameters.values()]
    if names and ("Parameters" in text or len(names) > 1):
        section = text.split("Parameters\n----------\n")[1].split("\nReturns\n")[0].split("\nExamples\n")[0]
        described = {
            word.strip(" *") for line in section.splitlines() if not line.startswith(" ") for word in line.split(",")
        }
        if "settings" in described:  # those of simulate, whose docstring has them one by one
            described |= set(SimulationSettings.__annotations__)
        assert set(names) <= described


@pytest.mark.parametrize("name", FUNCTIONS)
def test_the_example_of_a_public_function_runs_as_printed(name, monkeypatch):
    monkeypatch.chdir(ROOT / "examples")
    function = inspect.unwrap(getattr(fa, name))
    found = doctest.DocTestFinder(recurse=False).find(function, name, globs={})
    examples = [test for test in found if test.examples]
    assert bool(examples) != (name in WITHOUT_EXAMPLE)
    for test in examples:
        said: list[str] = []
        doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test, out=said.append)
        assert not said, "".join(said)
