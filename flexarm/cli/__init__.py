"""The command line: one verb per file, nothing heavy loaded before the verb is known."""

import gc
import os
import sys
import warnings
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from types import FrameType, ModuleType


class _HiddenFromTheCompiler(MetaPathFinder):
    """SciPy is there for everybody but the compiler.

    The compiler, where it finds SciPy, loads its linear algebra for kernels that multiply matrices by BLAS: 0.2 s of
    every start, and no kernel of ours does. In a process of somebody else's their kernels might, so it is for ours.
    """

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Nothing, so that the next finder is asked; the compiler gets a refusal."""
        if name.partition(".")[0] == "scipy" and _importer(sys._getframe(1)).partition(".")[0] == "numba":
            raise ModuleNotFoundError(f"{name} is not for kernels of flexarm", name=name)
        return None


def _importer(frame: FrameType | None) -> str:
    """The name of the module whose import statement is being carried out."""
    while frame is not None and frame.f_code.co_filename.startswith("<frozen importlib"):
        frame = frame.f_back
    return "" if frame is None else str(frame.f_globals.get("__name__", ""))


def main() -> None:
    """Run the command line on the arguments of the process; leaves with the verb's exit code."""
    # Matrices here are small: threads of the linear algebra would wait for one another, on a busy machine for seconds.
    # It must be set before NumPy is loaded; a value the user has set is kept.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    # Starting makes half a million objects that stay: looking through them for circles again and again takes a tenth of
    # the start and finds none.
    gc.set_threshold(100_000, 20, 20)
    from flexarm.cli.app import application, asked_for
    from flexarm.cli.spelling import speak_plainly

    for stream in (sys.stdout, sys.stderr):
        # A terminal that cannot show "µm" should show "um", not an error.
        speak_plainly(stream)
    arguments = sys.argv[1:]
    if "--debug" in arguments:
        # Added where the hand is, at the end of the line, it means the same.
        arguments = ["--debug", *(word for word in arguments if word != "--debug")]
    from flexarm.errors import StoppedEarly

    if not any(isinstance(finder, _HiddenFromTheCompiler) for finder in sys.meta_path):
        sys.meta_path.insert(0, _HiddenFromTheCompiler())
    with warnings.catch_warnings():
        # the command line reports it itself, with its exit code
        warnings.simplefilter("ignore", StoppedEarly)
        application(*asked_for(arguments))(args=arguments, prog_name="flexarm")
