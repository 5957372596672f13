"""The reproduction of Lipiński's cases against the dense, independent derivations."""

from __future__ import annotations

import json

import pytest

import flexarm as fa
from flexarm.errors import FlexarmError
from flexarm.papers import ROW_COUNTS, reproduce
from tests.oracles import planar_chain, spatial_rod

pytestmark = pytest.mark.usefixtures("no_error_estimates")

CASES = ("c1.dt0.509", "c1.dt0.469", "c5.dt0.507", "c5.dt0.466")
IDS = [
    *(f"lipinski.planar.f{k}_hz" for k in (1, 2, 3)),
    *(f"lipinski.planar.range_{what}.{case}" for what in ("tip_y_mm", "sde1_mrad") for case in CASES),
    *(f"lipinski.planar.{name}" for name in ("best_braking_s.c1", "best_braking_s.c5", "worst_braking_s.c1")),
    *(f"lipinski.planar.best_range_tip_y_mm.{c}" for c in ("c1", "c5")),
    *(f"lipinski.planar.tip_{axis}_m.t{t}" for axis in "xy" for t in ("0.5", "1.2", "1.75", "2.0")),
    *(f"lipinski.planar.f1_hz.n{n}" for n in (5, 20, 40)),
    *(f"lipinski.spatial.f{k}_hz" for k in (1, 2)),
    *(f"lipinski.spatial.range_{j}_mrad.dt{dt}" for j in ("j6", "j7") for dt in ("2.0", "1.9")),
]


@pytest.fixture(scope="module")
def rows() -> dict[str, fa.papers.Row]:  # type: ignore[name-defined]
    return {row.id: row for row in reproduce(["lipinski"])}


def test_every_row_is_there_once_and_in_json(rows) -> None:  # type: ignore[no-untyped-def]
    assert sorted(rows) == sorted(IDS)
    assert len(rows) == ROW_COUNTS["lipinski"]
    for row in rows.values():
        assert set(json.loads(json.dumps(row.to_dict()))) == {"id", "value", "unit", "paper", "verdict", "note"}
        assert row.verdict in ("agrees", "differs", "not printed")
        assert (row.paper is None) == (row.verdict == "not printed")


def test_frequencies_are_those_of_the_dense_chain(rows) -> None:  # type: ignore[no-untyped-def]
    for k, exact in enumerate(planar_chain.frequencies(10)[:3]):
        assert rows[f"lipinski.planar.f{k + 1}_hz"].value == pytest.approx(exact, rel=1e-9)
    for n in (5, 20, 40):
        assert rows[f"lipinski.planar.f1_hz.n{n}"].value == pytest.approx(planar_chain.frequencies(n)[0], rel=1e-9)
    assert rows["lipinski.spatial.f1_hz"].value == pytest.approx(spatial_rod.frequencies()[0], rel=1e-9)


def test_residual_ranges_are_those_of_radau_on_the_dense_chain(rows) -> None:  # type: ignore[no-untyped-def]
    tip, spring = planar_chain.residual_ranges(10, 5.0, 0.507, to=planar_chain.LOOSE)
    assert rows["lipinski.planar.range_tip_y_mm.c5.dt0.507"].value == pytest.approx(1e3 * tip, rel=1e-5)
    assert rows["lipinski.planar.range_sde1_mrad.c5.dt0.507"].value == pytest.approx(1e3 * spring, rel=1e-5)


def test_best_braking_time_is_a_minimum_of_the_dense_chain(rows) -> None:  # type: ignore[no-untyped-def]
    best = rows["lipinski.planar.best_braking_s.c5"].value
    least = rows["lipinski.planar.best_range_tip_y_mm.c5"].value
    for near in (best - 2e-3, best, best + 2e-3):
        tip, _ = planar_chain.residual_ranges(10, 5.0, near, to=planar_chain.LOOSE)
        assert 1e3 * tip >= least * (1.0 - 1e-5)
        if near == best:
            assert 1e3 * tip == pytest.approx(least, rel=1e-5)


def test_spatial_ranges_are_those_of_the_dense_derivation(rows) -> None:  # type: ignore[no-untyped-def]
    first, second = spatial_rod.residual_ranges(10, 10.0, 1.9, rtol=1e-6, atol=1e-8)
    assert rows["lipinski.spatial.range_j6_mrad.dt1.9"].value == pytest.approx(1e3 * first, rel=1e-5)
    assert rows["lipinski.spatial.range_j7_mrad.dt1.9"].value == pytest.approx(1e3 * second, rel=1e-5)


def test_unknown_paper_is_refused() -> None:
    with pytest.raises(FlexarmError, match="no paper"):
        reproduce(["tesla"])
