"""The command line: one verb per file, nothing heavy loaded before the verb is known."""

import os
import sys


def main() -> None:
    """Run the command line on the arguments of the process; leaves with the verb's exit code."""
    # Matrices here are small: threads of the linear algebra would wait for one another, on a busy machine for seconds.
    # It must be said before NumPy is loaded, and whoever says otherwise is heard.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    from flexarm.cli.verbs import app

    for stream in (sys.stdout, sys.stderr):
        # A terminal that cannot show "µm" should show "?m", not an error.
        stream.reconfigure(errors="replace")  # type: ignore[union-attr]
    arguments = sys.argv[1:]
    if "--debug" in arguments:
        # Added where the hand is, at the end of the line, it means the same.
        arguments = ["--debug", *(word for word in arguments if word != "--debug")]
    app(args=arguments, prog_name="flexarm")
