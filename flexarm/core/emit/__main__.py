"""`python -m flexarm.core.emit PATTERN` prints the generated steps of a kind of tree; without one, the patterns."""

from __future__ import annotations

import sys

from flexarm.core.emit.modules import source_of
from flexarm.core.emit.patterns import PATTERNS


def main() -> None:
    """Print a module of steps, or the names there are."""
    wanted = sys.argv[1:]
    if len(wanted) != 1 or wanted[0] not in PATTERNS:
        raise SystemExit("python -m flexarm.core.emit PATTERN, one of: " + ", ".join(PATTERNS))
    print(source_of(PATTERNS[wanted[0]]))


main()
