"""Signs a terminal does not hold: written by hand, and tables stay in line."""

import io
import os
import pty
import subprocess

import pytest

from flexarm.cli.spelling import speak_plainly, spelt
from flexarm.results.engineering import aligned
from tests.cli.test_process import COMMAND, ENVIRONMENT, ROD


@pytest.mark.parametrize(
    ("text", "ascii"),
    [
        ("1.5 µJ", "1.5 uJ"),
        ("9.81 m/s²", "9.81 m/s^2"),
        ("3 kg⁻¹ m⁻²", "3 kg^-1 m^-2"),
        ("−2 × 3 ≥ 4°", "-2 x 3 >= 4 deg"),
        ("-0.04 ± 4.95 i … Müller", "-0.04 +- 4.95 i ... Muller"),
        ("plain", "plain"),
        ("日", "?"),
    ],
)
def test_a_sign_ascii_does_not_hold_is_written_by_hand(text, ascii):
    assert spelt(text, "ascii") == ascii
    assert spelt(text, "utf-8") == text


def test_an_encoding_keeps_the_signs_it_holds():
    assert spelt("µm² ≥ 4°", "latin-1") == "µm² >= 4°"


def test_columns_stay_in_line_where_words_grow():
    rows = [["joint", "at", "mass"], ["elbow", "146.2°", "2 kg"], ["wrist", "90 deg more", "3 kg"]]
    lines = spelt(aligned(rows), "ascii").splitlines()
    assert "146.2 deg" in lines[1]
    assert len({line.index(word) for line, word in zip(lines, ("mass", "2 kg", "3 kg"), strict=True)}) == 1


def test_whatever_is_printed_to_such_a_stream_is_spelt():
    kept = io.BytesIO()
    stream = io.TextIOWrapper(kept, encoding="ascii")
    speak_plainly(stream)
    print("5 µm at 3·10⁻² s", file=stream, flush=True)
    assert kept.getvalue() == b"5 um at 3*10^-2 s\n"


@pytest.mark.parametrize("seen", [False, True])
def test_a_pipe_and_a_terminal_without_utf8_show_no_question_marks(tmp_path, seen):
    environment = ENVIRONMENT | {"PYTHONIOENCODING": "ascii", "COLUMNS": "100", "NO_COLOR": "1", "TERM": "xterm"}
    master, slave = pty.openpty()
    done = subprocess.run(
        [*COMMAND, "check", ROD],
        cwd=tmp_path,
        env=environment,
        stdout=slave if seen else subprocess.PIPE,
        stderr=subprocess.PIPE,
        check=True,
    )
    os.close(slave)
    said = os.read(master, 100_000) if seen else done.stdout
    os.close(master)
    assert b"90 deg" in said
    assert b"?" not in said
