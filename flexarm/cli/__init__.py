"""The command line: one verb per file, nothing heavy loaded before the verb is known."""

import gc
import os
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext


@contextmanager
def _scipy_left_alone() -> Iterator[None]:
    """Keep SciPy from being loaded meanwhile.

    The compiler, where it finds SciPy, loads its linear algebra for kernels that multiply matrices by BLAS: 0.2 s of
    every start, and no kernel of ours does. In a process of somebody else's their kernels might, so it is for ours.
    """
    if "scipy" in sys.modules:
        yield
        return
    sys.modules["scipy"] = None  # type: ignore[assignment]
    try:
        yield
    finally:
        del sys.modules["scipy"]


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

    with nullcontext() if "--optimum" in arguments else _scipy_left_alone(), warnings.catch_warnings():
        # the command line reports it itself, with its exit code
        warnings.simplefilter("ignore", StoppedEarly)
        application(*asked_for(arguments))(args=arguments, prog_name="flexarm")
