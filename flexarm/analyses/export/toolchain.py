"""The C compiler of the machine, or the one that comes with the extra `export`."""

from __future__ import annotations

import importlib.util
import os
import shlex
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from flexarm.errors import AnalysisError

# The text is made for any processor, and no sum of a product is made one instruction: only kernels do that.
_FLAGS = ("-std=c99", "-O2", "-fPIC", "-ffp-contract=off", "-fvisibility=hidden", "-Wall")
_NONE = (
    "there is no C compiler, must be there to link a library: install gcc or clang, name one by the variable CC, or "
    'pip install "flexarm[export]", which brings one'
)


@dataclass(frozen=True)
class Toolchain:
    """How C is compiled and libraries are made."""

    compiler: tuple[str, ...]
    archiver: tuple[str, ...]

    def compile(self, text: Path, target: Path, *flags: str) -> None:
        """Compile a file of C to object code."""
        self.run(*self.compiler, *_FLAGS, *flags, "-c", str(text), "-o", str(target))

    def link_shared(self, parts: list[Path], target: Path) -> None:
        """Make a shared library, which needs libc and libm alone."""
        extra = ("-Wl,-s",) if sys.platform != "darwin" else ()
        self.run(*self.compiler, "-shared", "-fPIC", *map(str, parts), "-o", str(target), "-lm", *extra)

    def archive(self, parts: list[Path], target: Path) -> None:
        """Make a static library."""
        self.run(*self.archiver, "rcs", str(target), *map(str, parts))

    def run(self, *words: str) -> None:
        """Run one of them; what it has to say goes into the message where it fails."""
        done = subprocess.run(words, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            reason = (done.stderr or done.stdout).strip().splitlines()
            raise AnalysisError(f"{words[0]} failed: {' '.join(reason[:3])}")


def toolchain() -> Toolchain:
    """The compiler that CC names, else the first of cc, gcc and clang that is there, else ziglang's."""
    if sys.platform not in ("linux", "darwin"):
        raise AnalysisError(
            f"libraries are not made on {sys.platform}, must be made on Linux or macOS, for the same system"
        )
    named = os.environ.get("CC", "")
    if named and shutil.which(shlex.split(named)[0]) is None:
        raise AnalysisError(f"CC is {named!r}, which is no program, must name a C compiler")
    found = shlex.split(named) or [each for each in ("cc", "gcc", "clang") if shutil.which(each)][:1]
    archiver = next((each for each in ("ar", "llvm-ar") if shutil.which(each)), None)
    if found and archiver:
        return Toolchain(tuple(found), (archiver,))
    if importlib.util.find_spec("ziglang") is not None:
        zig = (sys.executable, "-m", "ziglang")
        return Toolchain((*zig, "cc"), (*zig, "ar"))
    raise AnalysisError(_NONE)
