"""What a terminal sees and what a pipe sees."""

import fcntl
import io
import json
import os
import pty
import re
import struct
import subprocess
import sys
import termios
from types import SimpleNamespace

import numpy as np
import pytest

from flexarm.cli import terminal
from flexarm.cli.curves import Curve, Histories, of_brake
from flexarm.cli.terminal import Columns, blocks, show_result
from flexarm.verbs import VERBS as TABLE
from tests.cli.conftest import PENDULUM
from tests.cli.test_process import COMMAND, ENVIRONMENT

SUMMARY = """\
the arm
  posture: as it is
  kind          planar, with words that go on and on until no line of a narrow terminal could hold them
                and then some
  mass          1.890 kg

  joint       peak flexible       rigid   ratio   rms flexible       rigid   where
  upper arm       29.15 N m   16.81 N m    1.73      11.14 N m    7.90 N m   at the very beginning of it all
  forearm         23.44 N m    2.39 N m    1.89      9.823 N m   6.345 N m   later

Best: none.
  beware: this is only a test

In the model file:

    [motion.stop]
    braking_time = "0.3 s"
"""

RAMP = Histories(
    "versus time",
    np.arange(9.0),
    "0 s to 8 s",
    (Curve("ramp", np.arange(9.0), "m", mark=8.0, said="there"), Curve("all the same", np.full(9, 1087.0), "Hz")),
)


def _shown(capsys, monkeypatch, width: int, **environment: str) -> str:
    monkeypatch.setattr(terminal, "seen", lambda: True)
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    for name in ("NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)
    for name, value in {"COLUMNS": str(width), "TERM": "xterm-256color", **environment}.items():
        monkeypatch.setenv(name, value)
    show_result(SUMMARY, lambda: RAMP)
    return capsys.readouterr().out


def test_tables_are_found_in_plain_text():
    first, second, *_ = blocks(SUMMARY)
    assert first[:2] == ["the arm", "  posture: as it is"]
    facts, table = first[2], second[0]
    assert isinstance(facts, Columns) and isinstance(table, Columns)
    assert (facts.head, [row[0] for row in facts.rows]) == (0, ["kind", "", "mass"])
    assert table.rows[0] == ("joint", "peak flexible", "rigid", "ratio", "rms flexible", "rigid", "where")
    assert table.right == (False, True, True, True, True, True, False)


@pytest.mark.parametrize("width", [40, 60, 80, 120])
def test_no_line_is_wider_than_the_terminal_and_no_word_is_lost(capsys, monkeypatch, width):
    shown = _shown(capsys, monkeypatch, width, TERM="dumb")
    assert max(map(len, shown.splitlines())) <= width
    for word in re.findall(r"[\w.]+", SUMMARY):
        assert word in shown
    # curves are left out where there is no room for them
    curves = ("▁", "█", "there ▲", "8.000 m")
    assert [word in shown for word in curves] == [width > 40] * 4
    for number in ("29.15 N m", "16.81 N m", "11.14 N m", "6.345 N m"):
        assert number in shown


def test_colours_are_left_out_where_they_are_not_wanted(capsys, monkeypatch):
    assert "\x1b[36m" in _shown(capsys, monkeypatch, 80)
    assert not re.search(r"\x1b\[[\d;]*3\dm", _shown(capsys, monkeypatch, 80, NO_COLOR="1"))
    assert "\x1b" not in _shown(capsys, monkeypatch, 80, TERM="dumb")


def test_a_pipe_gets_the_plain_text_and_nothing_else(capsys):
    show_result(SUMMARY, lambda: pytest.fail("nobody sees a curve in a pipe"))
    assert capsys.readouterr().out == SUMMARY + "\n"


def test_every_verb_can_be_quiet(call):
    for verb in (each.name for each in TABLE):
        assert "-q" in call(verb, "--help").out


@pytest.mark.parametrize("words", [("check",), ("modes",), ("torques",), ("simulate", "--no-report")])
def test_piped_output_has_no_escape_codes_and_quiet_leaves_stderr_empty(call, model, words):
    verb, *more = words
    loud, quiet = call(verb, model, *more), call(verb, model, *more, "-q")
    assert (loud.code, quiet.code) == (0, 0)
    assert "\x1b" not in loud.out + loud.err and "█" not in loud.out
    assert quiet.err == ""
    assert loud.err.startswith("wrote pendulum.nc (") if verb == "simulate" else not loud.err
    # the answer of simulate is a file
    assert bool(quiet.out) == (verb != "simulate")
    reported = call(verb, model, *more, "--json", "--quiet")
    assert json.loads(reported.out) and reported.err == ""


def test_quiet_drops_remarks_and_keeps_errors(call, model, tmp_path):
    text = PENDULUM.replace('"0.8 m"', '{ normal = ["0.8 m", "1 mm"] }')
    (tmp_path / "random.toml").write_text(text, encoding="utf-8")
    assert "taken at the mean" in call("modes", "random.toml").err
    assert call("modes", "random.toml", "-q").err == ""
    missing = call("modes", "nowhere.toml", "-q")
    assert missing.code == 2 and "nowhere.toml" in missing.err


def test_a_terminal_sees_a_table_and_curves(tmp_path):
    width = 60
    (tmp_path / "arm.toml").write_text(PENDULUM, encoding="utf-8")
    display, terminal = pty.openpty()
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 40, width, 0, 0))
    environment = {name: value for name, value in ENVIRONMENT.items() if name not in ("COLUMNS", "NO_COLOR")}
    process = subprocess.Popen(
        [*COMMAND, "simulate", "arm.toml", "--no-report"],
        cwd=tmp_path,
        env={**environment, "TERM": "xterm", "PYTHONIOENCODING": "utf-8"},
        stdin=terminal,
        stdout=terminal,
        stderr=subprocess.DEVNULL,
    )
    os.close(terminal)
    seen = b""
    while True:
        try:
            piece = os.read(display, 65536)
        except OSError:  # the other end is closed
            break
        if not piece:
            break
        seen += piece
    os.close(display)
    assert process.wait(timeout=60) == 0
    text = re.sub(r"\x1b\[[\d;?]*[A-Za-z]", "", seen.decode()).replace("\r", "")
    assert max(map(len, text.splitlines())) <= width
    assert "────" in text
    assert re.search(r"tip deflection +[▁▂▃▄▅▆▇█]{4,} +[\d.]+ mm +[\d.]+ mm", text)


def test_a_terminal_without_such_letters_gets_curves_in_ascii(capsys, monkeypatch):
    stream = io.TextIOWrapper(io.BytesIO(), encoding="ascii", errors="replace")
    monkeypatch.setattr(sys, "stdout", stream)
    monkeypatch.setattr(terminal, "seen", lambda: True)
    monkeypatch.setenv("COLUMNS", "80")
    show_result("title", lambda: RAMP)
    stream.flush()
    shown = stream.buffer.getvalue().decode("ascii")
    assert "?" not in shown
    assert "#" in shown and "there ^" in shown


def test_the_best_braking_time_stands_below_the_least_of_the_curve():
    best = SimpleNamespace(time=0.333, residual=1e-4)
    study = SimpleNamespace(
        times=np.linspace(0.2, 0.5, 7),
        residuals=np.full(7, 5e-3),
        unit="m",
        minima=(best,),
        maxima=(),
        best=best,
        robust=None,
    )
    drawn = of_brake(study)
    curve = drawn.curves[0]
    assert drawn.places[np.argmin(curve.values)] == curve.mark == best.time
    assert curve.ends == ("0.100 mm", "5.000 mm")


def test_ends_that_are_close_are_distinguished():
    assert Curve("mode", np.array([1087.0, 1087.4]), "Hz").ends == ("1.0870 kHz", "1.0874 kHz")
    assert Curve("joint", np.array([-90.0, np.nan, 22.5]), "°").ends == ("-90°", "22.5°")
