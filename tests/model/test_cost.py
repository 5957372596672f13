"""What reading a model costs: no heavy library is imported for it."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

from flexarm.model import parse_arm

ROOT = Path(__file__).parents[2]
SCRIPT = """
import sys
import flexarm.model
arm = flexarm.model.read_arm("examples/rod_handler.toml")
flexarm.model.format_arm(arm)
heavy = ("scipy", "pint", "xarray", "numba", "h5py", "typer", "rich", "difflib")
print([name for name in heavy if name in sys.modules])
"""


def test_reading_a_model_loads_no_heavy_library() -> None:
    run = subprocess.run([sys.executable, "-c", SCRIPT], cwd=ROOT, capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"


def test_a_small_model_is_read_in_less_than_fifty_milliseconds(rod_handler_text: str) -> None:
    best = float("inf")
    for _ in range(5):
        began = time.perf_counter()
        parse_arm(rod_handler_text)
        best = min(best, time.perf_counter() - began)
    # About 1.5 ms on an idle machine.
    assert best < 0.05
