"""Plant every error in a copy of the project, run its tests there, and report which errors no test noticed.

`python -m tests.mutants [WORD …]` plants those whose folder, text or tests hold one of the words, or all. It ends
with 1 if an error survives. The copy is kept in build/mutants, so that kernels are compiled once.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

from tests.mutants.planted import MUTANTS, ROOT, Mutant

COPY = ROOT / "build" / "mutants"
COPIED = ("flexarm", "tests", "examples", "docs", "benchmarks", "pyproject.toml", "README.md", "NOTATION.md")


def copied() -> None:
    """Bring the copy up to date, file by file: what did not change keeps its time, and its kernels."""
    for name in COPIED:
        paths = [ROOT / name] if (ROOT / name).is_file() else sorted((ROOT / name).rglob("*"))
        wanted = {path.relative_to(ROOT) for path in paths if path.is_file() and "__pycache__" not in path.parts}
        for path in wanted:
            there = COPY / path
            if not there.exists() or there.read_bytes() != (ROOT / path).read_bytes():
                there.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(ROOT / path, there)
        for path in sorted((COPY / name).rglob("*.py")):
            if path.relative_to(COPY) not in wanted:
                path.unlink()


def killed(mutant: Mutant) -> bool:
    """True if the tests named for the error fail with it. They must pass without it: `make test` holds that."""
    path = mutant.file(COPY)
    text = path.read_text(encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", *mutant.tests.split()]
    environment = {**os.environ, "PYTHONPATH": str(COPY), "PYTHONDONTWRITEBYTECODE": "1"}
    try:
        path.write_text(text.replace(mutant.before, mutant.after), encoding="utf-8")
        done = subprocess.run(command, cwd=COPY, env=environment, capture_output=True, text=True, check=False)
    finally:
        path.write_text(text, encoding="utf-8")
    if done.returncode not in (0, 1):
        raise RuntimeError(f"{mutant.tests}: the tests could not be run\n{done.stdout}\n{done.stderr}")
    return done.returncode == 1


def main(words: list[str]) -> int:
    """How the errors fare, one line each; 1 if one survives."""
    chosen = [each for each in MUTANTS if not words or any(word in " ".join(each) for word in words)]
    copied()
    survivors = 0
    for mutant in chosen:
        begin = time.monotonic()
        died = killed(mutant)
        survivors += not died
        where = Path(mutant.file()).relative_to(ROOT)
        word = "killed  " if died else "SURVIVES"
        print(f"{word} {time.monotonic() - begin:5.0f} s  {where}: {mutant.before}  →  {mutant.after}", flush=True)
    print(f"{len(chosen)} planted, {len(chosen) - survivors} killed, {survivors} survive")
    return int(survivors > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
