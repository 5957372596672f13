"""The command line called in this process, in an empty folder."""

import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from flexarm.cli import main

EXAMPLES = Path(__file__).parents[2] / "examples"

PENDULUM = """\
name = "two-link pendulum"
planar = true
gravity = [0, -9.81, 0]

[[link]]
name = "upper arm"
joint = { type = "revolute", at = "30 deg", motion = "stop" }
length = "0.5 m"
rigid = { mass = "1 kg", inertia = 0.02 }
payload = { mass = "0.5 kg" }

[[link]]
name = "slide"
joint = { type = "prismatic", axis = "x", at = "10 mm" }
length = "0.8 m"
beam = { bending_stiffness = "100 N m^2", mass_per_length = "0.5 kg/m" }
model = { formulation = "rigid-fe", elements = 4 }
damping = { retardation = "1 ms" }

[motion.stop]
kind = "brake"
rate = "90 deg/s"
travel_time = "50 ms"
braking_time = "20 ms"

[simulation]
end = "0.2 s"
start = "steady"
"""


@dataclass(frozen=True)
class Answer:
    """What a command left: its exit code, stdout and stderr."""

    code: int
    out: str
    err: str


@pytest.fixture
def call(monkeypatch, capsys, tmp_path) -> Callable[..., Answer]:
    """A function that runs `flexarm` with the given words in an empty folder."""
    monkeypatch.chdir(tmp_path)

    def run(*words: object) -> Answer:
        monkeypatch.setattr(sys, "argv", ["flexarm", *map(str, words)])
        with pytest.raises(SystemExit) as left:
            main()
        seen = capsys.readouterr()
        code = left.value.code
        return Answer(code if isinstance(code, int) else 0, seen.out, seen.err)

    return run


@pytest.fixture
def model(tmp_path) -> str:
    """A small model file in the folder commands run in."""
    (tmp_path / "pendulum.toml").write_text(PENDULUM, encoding="utf-8")
    return "pendulum.toml"
