"""The command as a process: start-up, pipes, a real terminal, a real Ctrl-C."""

import json
import os
import pty
import resource
import select
import signal
import subprocess
import sys
import time

import pytest

from tests.cli.conftest import EXAMPLES

ROOT = EXAMPLES.parent
ROD = str(EXAMPLES / "rod_handler.toml")
COMMAND = [sys.executable, "-m", "flexarm.cli"]
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT)}


def _run(*words: str, folder) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*COMMAND, *words], cwd=folder, env=ENVIRONMENT, capture_output=True, text=True, check=False)


def _libraries_loaded_by(*words: str, folder) -> set[str]:
    code = (
        "import sys; from flexarm.cli import main; sys.argv = ['flexarm', *sys.argv[1:]]\n"
        "try: main()\n"
        "finally: print(*{name.partition('.')[0] for name in sys.modules}, file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, *words], cwd=folder, env=ENVIRONMENT, capture_output=True, text=True, check=True
    )
    return set(done.stderr.split())


def test_help_comes_within_0_4_s_of_processor_time_and_loads_no_library(tmp_path):
    def seconds() -> float:
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        return used.ru_utime + used.ru_stime

    costs = []
    for _ in range(2):  # the first may still have to write byte code
        before = seconds()
        done = _run("--help", folder=tmp_path)
        costs.append(seconds() - before)
    assert done.returncode == 0
    assert "simulate" in done.stdout
    assert min(costs) < 0.4
    loaded = _libraries_loaded_by("--help", folder=tmp_path)
    assert not loaded & {"numpy", "numba", "scipy", "pydantic", "rich", "h5py", "xarray", "pint"}


def test_a_plain_simulation_stays_off_the_slow_libraries(tmp_path):
    loaded = _libraries_loaded_by("simulate", ROD, "--quiet", folder=tmp_path)
    assert not loaded & {"scipy", "xarray", "pandas", "pint", "rich", "matplotlib"}


def test_a_search_for_the_braking_time_stays_off_scipy(tmp_path):
    words = ("--from", "0.45", "--to", "0.5", "--points", "3", "--no-reasons", "--json")
    assert "scipy" not in _libraries_loaded_by("brake", ROD, *words, folder=tmp_path)


def test_json_goes_to_a_pipe_clean_even_where_the_terminal_is_ascii(tmp_path):
    done = subprocess.run(
        [*COMMAND, "simulate", ROD, "--json"],
        cwd=tmp_path,
        env={**ENVIRONMENT, "PYTHONIOENCODING": "ascii"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stderr == ""
    assert json.loads(done.stdout)["files"] == ["rod_handler.nc", "rod_handler.html"]


def test_a_reader_that_goes_away_leaves_no_traceback(tmp_path):
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run(
        [*COMMAND, "schema"], cwd=tmp_path, env=ENVIRONMENT, stdout=writer, stderr=subprocess.PIPE, check=False
    )
    os.close(writer)
    assert (done.returncode, done.stderr) == (141, b"")


@pytest.mark.skipif(not hasattr(pty, "openpty"), reason="needs a pseudo-terminal")
def test_a_long_run_on_a_terminal_shows_a_bar_and_ctrl_c_keeps_what_was_reached(tmp_path):
    screen, terminal = pty.openpty()
    words = ["simulate", ROD, "--step", "1 us", "--max-steps", "1e9", "--end", "1000", "--output", "1"]
    process = subprocess.Popen(
        [*COMMAND, *words], cwd=tmp_path, env=ENVIRONMENT, stdout=subprocess.DEVNULL, stderr=terminal
    )
    os.close(terminal)
    shown, pressed, begun = b"", False, time.monotonic()
    while time.monotonic() - begun < 120.0:
        if select.select([screen], [], [], 0.1)[0]:
            try:
                shown += os.read(screen, 65536)
            except OSError:  # the other end is closed
                break
        if b"left" in shown and not pressed:
            pressed = True
            process.send_signal(signal.SIGINT)
    os.close(screen)
    assert process.wait(timeout=30) == 130
    assert b"simulating" in shown
    assert b"Traceback" not in shown
    assert b"what was reached is kept in rod_handler.nc" in shown
    assert (tmp_path / "rod_handler.nc").exists()
