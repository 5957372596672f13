"""The papers' cases, run by the product: what they print, what we compute, and who is right."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from flexarm.errors import FlexarmError
from flexarm.papers.hermite import hermite
from flexarm.papers.hewang import hewang
from flexarm.papers.lipinski import lipinski
from flexarm.papers.naganathan import naganathan
from flexarm.papers.row import VERDICTS, Row
from flexarm.papers.salinic import salinic

PAPERS: dict[str, Callable[[], Iterator[Row]]] = {
    "lipinski": lipinski,
    "naganathan": naganathan,
    "hewang": hewang,
    "salinic": salinic,
    "hermite": hermite,
}

# How many rows each has, for those who wait; the tests of each paper hold it.
ROW_COUNTS: dict[str, int] = {"lipinski": 56, "naganathan": 200, "hewang": 71, "salinic": 53, "hermite": 54}

Progress = Callable[[str], None]


def reproduce(names: Sequence[str] | None = None, *, progress: Progress | None = None) -> tuple[Row, ...]:
    """The rows of the named papers: every value computed now and compared with the printed one, every claim judged.

    Parameters
    ----------
    names
        Papers; default: all.
    progress
        Called with the id of each row.

    Returns
    -------
    tuple of Row
        Values, the printed ones, verdicts and notes; rows `claim.…` hold what a paper says in words.
    """
    chosen = list(names) if names else list(PAPERS)
    for name in chosen:
        if name not in PAPERS:
            raise FlexarmError(f'there is no paper "{name}", must be one of {", ".join(PAPERS)}')
    rows = []
    for name in dict.fromkeys(chosen):
        for row in PAPERS[name]():
            rows.append(row)
            if progress is not None:
                progress(row.id)
    return tuple(rows)


__all__ = ["PAPERS", "ROW_COUNTS", "VERDICTS", "Row", "reproduce"]
