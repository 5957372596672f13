"""What is shown while one waits, and that nothing of it is shown to a pipe."""

import time

import pytest

from flexarm.cli import progress
from flexarm.cli.output import QUIET
from flexarm.cli.progress import CountBar, RunBar, kernels_announced


@pytest.fixture
def terminal(monkeypatch):
    """Somebody sits before stderr."""
    monkeypatch.setattr(progress, "watched", lambda: True)


@pytest.fixture
def cache(monkeypatch, tmp_path):
    """An empty folder for compiled kernels."""
    monkeypatch.setattr("flexarm.core._jit.CACHE", tmp_path)
    return tmp_path


def _printed(capsys) -> str:
    return capsys.readouterr().err


def test_a_cold_cache_is_reported_at_once(terminal, cache, capsys):
    with kernels_announced():
        assert _printed(capsys).startswith("compiling the kernels, once per machine")


def test_a_warm_cache_is_not_reported(terminal, cache, capsys):
    (cache / "old.nbc").touch()
    with kernels_announced():
        pass
    assert _printed(capsys) == ""


def test_a_kernel_that_appears_meanwhile_is_reported(terminal, cache, capsys):
    (cache / "old.nbc").touch()
    with kernels_announced():
        (cache / "new.nbc").touch()
        reported, begun = "", time.monotonic()
        while not reported and time.monotonic() - begun < 10.0:
            time.sleep(0.05)
            reported = _printed(capsys)
    assert reported == "compiling kernels for this kind of arm, once per machine …\n"


def test_no_place_for_kernels_is_reported(terminal, monkeypatch, capsys):
    monkeypatch.setattr("flexarm.core._jit.CACHE", None)
    with kernels_announced():
        pass
    assert "set FLEXARM_CACHE_DIR" in _printed(capsys)


def test_nothing_is_reported_to_a_pipe_or_on_demand_of_silence(cache, capsys, monkeypatch):
    with kernels_announced():
        pass
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    before = QUIET.set(True)
    with kernels_announced():
        pass
    QUIET.reset(before)
    assert _printed(capsys) == ""


def test_a_run_over_within_a_second_shows_no_bar(terminal, capsys):
    with RunBar() as bar:
        for reached in (0.1, 0.5, 1.0):
            bar(reached, 1.0)
    assert _printed(capsys) == ""


def test_a_longer_run_shows_a_bar_with_rate_and_time_left(terminal, capsys, monkeypatch):
    monkeypatch.setattr(progress, "PATIENCE", 0.0)
    monkeypatch.setenv("COLUMNS", "120")
    monkeypatch.setenv("TERM", "xterm")
    with RunBar() as bar:
        bar(0.25, 2.0)
        time.sleep(0.05)
        bar(0.5, 2.0)
        time.sleep(0.05)
        bar(0.75, 2.0)
    reported = _printed(capsys)
    assert "simulating" in reported
    assert "0.75 of 2 s" in reported
    assert "× real time" in reported
    assert " left" in reported


def test_rows_are_counted(terminal, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "120")
    monkeypatch.setenv("TERM", "xterm")
    with CountBar("reproducing") as bar:
        bar("one")
        bar("two")
    reported = _printed(capsys)
    assert "reproducing: two" in reported
    assert "2 done" in reported


@pytest.mark.parametrize("make", [RunBar, lambda: CountBar("reproducing")])
def test_a_pipe_sees_no_bar(make, capsys, monkeypatch):
    monkeypatch.setattr(progress, "PATIENCE", 0.0)
    with make() as bar:
        bar(0.5, 1.0) if isinstance(bar, RunBar) else bar("one")
    assert _printed(capsys) == ""
