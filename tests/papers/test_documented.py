"""docs/reproductions.md lists every conclusion of every paper with its verdict, and every group of rows."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.papers import test_hermite, test_hewang, test_lipinski, test_naganathan, test_salinic

TEXT = (Path(__file__).parents[2] / "docs" / "reproductions.md").read_text(encoding="utf-8")
CLAIMS = {
    "lipinski": test_lipinski.CLAIMS,
    "naganathan": test_naganathan.CLAIMS,
    "hewang": test_hewang.CLAIMS,
    "salinic": test_salinic.CLAIMS,
    "hermite": test_hermite.CLAIMS,
}


@pytest.mark.parametrize("paper", CLAIMS)
def test_every_conclusion_is_listed_with_its_verdict(paper: str) -> None:
    for name, holds in CLAIMS[paper].items():
        assert f"| `claim.{paper}.{name}` | {'holds' if holds else 'does not hold'} |" in TEXT
    assert TEXT.count(f"`claim.{paper}.") == len(CLAIMS[paper])


@pytest.mark.parametrize(
    "words",
    ["lipinski.spatial9.range_j6_mrad.dt2.0", "naganathan.table2.ab2.bd2", "max_tip_whole_mm", "3r.quasistatic.z_mm"],
)
def test_new_rows_are_listed(words: str) -> None:
    assert words in TEXT
