"""Kernels in the wheel: compiled when it is built, so that nobody waits for the compiler after installing it.

They are made for levels of x86-64 processors, once for each, and are taken where the installed sources, numba and
Python are those of the build. FLEXARM_BUILD_KERNELS=0 leaves them out; a machine that cannot make them builds a wheel
without.
"""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

LEVELS = ("x86-64-v3", "x86-64-v4")
# The verbs that have kernels of their own, on arms of every kind: the warm-up's and the examples'.
WORK = """
import sys, warnings
from pathlib import Path
sys.argv = ["flexarm", "warmup"]
from flexarm.cli import main
try:
    main()
except SystemExit as ended:
    if ended.code:
        raise
warnings.simplefilter("ignore")
import flexarm as fa
for path in sorted(Path("examples").glob("*.toml")):
    verbs = (fa.check, fa.simulate, fa.modes, fa.statics)
    if "tolerances" in path.name:
        verbs = (lambda path: fa.montecarlo(fa.read_study(path), samples=16, workers=1),)
    for verb in verbs:
        try:
            verb(str(path))
        except fa.FlexarmError:
            pass  # not every verb has an answer for every arm
fa.brake(fa.read_arm("examples/rod_handler.toml"), between=(0.44, 0.52), points=5)
"""


def wanted() -> bool:
    """True if this build is to hold kernels."""
    return (
        os.environ.get("FLEXARM_BUILD_KERNELS", "1") != "0"
        and platform.machine() in ("x86_64", "AMD64")
        and not any("editable" in word for word in sys.argv)
    )


class KernelHook(BuildHookInterface):
    """Compiles the kernels of all levels this machine can run, and puts them into the wheel."""

    PLUGIN_NAME = "custom"

    def dependencies(self) -> list[str]:
        """What it takes to compile: all that flexarm itself needs."""
        return list(self.metadata.core.dependencies) if wanted() and self.target_name == "wheel" else []

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Add the kernels to what goes into the wheel."""
        if version != "standard" or self.target_name != "wheel" or not wanted():
            return
        place = Path(tempfile.mkdtemp(prefix="flexarm-kernels-"))
        compiling = {level: self._compiler(place / level, level) for level in LEVELS}
        for level, process in compiling.items():
            said = process.communicate()[0]
            if process.returncode == 0:
                self._taken(place / level, level, place / "kernels")
            else:
                self.app.display_warning(f"no kernels for {level}: {said.strip().splitlines()[-1:]}")
        if (place / "kernels").is_dir():
            build_data["force_include"][str(place / "kernels")] = "flexarm/_kernels"
            build_data["pure_python"] = False
            build_data["infer_tag"] = True
        self._place = place

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Remove what was only for the build."""
        if hasattr(self, "_place"):
            shutil.rmtree(self._place, ignore_errors=True)

    def _compiler(self, folder: Path, level: str) -> subprocess.Popen[str]:
        """The process that compiles the kernels of a level."""
        made_for = {"FLEXARM_CACHE_DIR": str(folder), "FLEXARM_KERNEL_LEVEL": level}
        made_for |= {"NUMBA_CPU_NAME": level, "NUMBA_CPU_FEATURES": "", "PYTHONPATH": self.root}
        return subprocess.Popen(
            [sys.executable, "-c", WORK],
            cwd=self.root,
            env={**os.environ, **made_for},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )

    def _taken(self, folder: Path, level: str, kernels: Path) -> None:
        """Lay out a level's kernels as they lie in the package."""
        for made in (folder / "flexarm").glob("kernels-*"):
            home = kernels / made.name.removeprefix("kernels-")
            (home / level).mkdir(parents=True)
            for path in made.iterdir():
                if path.suffix in (".nbi", ".nbc"):
                    shutil.copy(path, home / level / path.name)
            shutil.copytree(made / "sources", home / "sources", dirs_exist_ok=True, ignore=_CACHED)


_CACHED = shutil.ignore_patterns("__pycache__")
