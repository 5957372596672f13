"""Every block of the README runs as printed, in order, in one fresh folder, and prints what the README shows."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import numpy as np
import pytest

from flexarm.cli.verbs.new import starter

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w*)\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)
OF_THE_REPOSITORY = ("make ", "python -m venv ")  # blocks for a copy of the repository begin so


@pytest.fixture(scope="module")
def printed(tmp_path_factory) -> list[tuple[str, str, str]]:
    """Language, text and output so far of every block, run in order in one folder that was empty."""
    if os.name == "nt" or shutil.which("bash") is None:
        pytest.skip("the shell of the README is a POSIX one")
    folder = tmp_path_factory.mktemp("stranger")
    programs = tmp_path_factory.mktemp("bin")
    shim = programs / "flexarm"
    shim.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m flexarm "$@"\n')
    shim.chmod(0o755)
    settings = os.environ | {
        "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": str(ROOT),
        "PYTHONIOENCODING": "utf-8",
    }
    found, output = [], ""
    for language, text in BLOCKS:
        if language == "sh" and not text.startswith(OF_THE_REPOSITORY):
            output += _run(["bash", "-euc", text], folder, settings)
        elif language == "python":
            output += _run([sys.executable, "-c", text], folder, settings)
        found.append((language, text, output))
    return found


def _run(words: list[str], folder: Path, settings: dict[str, str]) -> str:
    done = subprocess.run(words, cwd=folder, env=settings, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{words[-1]}\n{done.stdout}{done.stderr}"
    return done.stdout


def test_every_block_runs_and_prints_what_the_readme_shows(printed):
    shown = [(text, output) for language, text, output in printed if language == "text"]
    assert shown
    for text, output in shown:
        for line in text.splitlines():
            # the last one is of a mistake, which no block makes
            assert " ".join(line.split()) in " ".join(output.split()) or line.startswith("arm.toml: "), line


def test_the_mistake_it_shows_is_reported_so(tmp_path):
    import flexarm as fa

    (tmp_path / "arm.toml").write_text(starter("planar").replace('"0.9 m"', '"-0.9 m"'), encoding="utf-8")
    with pytest.raises(fa.ModelError) as error:
        fa.read_arm(tmp_path / "arm.toml")
    assert str(error.value).endswith(next(line for _, text in BLOCKS for line in [text.strip()] if "-0.9" in line))


def test_the_model_it_shows_is_a_piece_of_the_starter_file():
    text = next(text for language, text in BLOCKS if language == "toml")
    for piece in text.strip().split("\n\n"):
        assert piece in starter("planar")


def test_what_is_run_in_the_repository_exists():
    rules = (ROOT / "Makefile").read_text(encoding="utf-8")
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]
    lines = [line for _, text in BLOCKS if text.startswith(OF_THE_REPOSITORY) for line in text.splitlines()]
    others = README.partition("`make help` lists the others:")[2].partition("\n")[0]
    targets = [*(line.split()[1] for line in lines if line.startswith("make ")), *re.findall(r"`(\w+)`", others)]
    assert {"demo", "test", "docs"} <= set(targets)
    for target in targets:
        assert re.search(rf"^{target}:", rules, re.MULTILINE), target
    for named in re.findall(r'pip install "\.\[([\w,]+)\]"', "\n".join(lines)):
        assert set(named.split(",")) <= set(extras)


def test_every_verb_in_the_table_of_questions_is_one():
    from flexarm.verbs import VERBS

    rows = README.partition("| question | command |")[2].partition("\n\n")[0]
    named = set(re.findall(r"`(\w+)`", rows))
    assert named <= {verb.name for verb in VERBS}
    assert {"new", "check", "reproduce", "schema", "warmup", "doctor"} == {verb.name for verb in VERBS} - named


def test_the_stored_picture_is_what_flexarm_computes_now():
    from docs.making.moving_arm import PLACE, drawn, motions

    def numbers(text: str) -> np.ndarray:
        return np.array([float(each) for each in re.findall(r"-?\d+(?:\.\d+)?", text.partition("</style>")[2])])

    stored, now = numbers(PLACE.read_text(encoding="utf-8")), numbers(drawn(motions()))
    assert len(stored) == len(now)
    # pixels to one decimal; half a pixel is 4 mm of the arm and less than a millimetre of its bending
    assert np.abs(stored - now).max() <= 0.5
    assert PLACE.stat().st_size < 60_000
