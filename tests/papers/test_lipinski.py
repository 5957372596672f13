"""The reproduction of Lipiński's cases against the dense, independent derivations."""

from __future__ import annotations

import json

import numpy as np
import pytest

import flexarm as fa
from flexarm.errors import FlexarmError
from flexarm.papers import ROW_COUNTS, VERDICTS, reproduce
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
    *(
        f"lipinski.{reading}.range_{j}_mrad.dt{dt}"
        for reading in ("spatial", "spatial9")
        for j in ("j6", "j7")
        for dt in ("2.0", "1.9")
    ),
]
# What the paper concludes, and whether it holds.
CLAIMS = {
    "longer_of_the_two_is_better.c5": False,
    "longer_of_the_two_is_better.c1": False,
    "tip_25_times_better": False,
    "adjusted_braking_reduces_vibration": True,
    "lower_damping_is_better": True,
    "lower_damping_brakes_longer": False,
    "equilibrium_start_avoids_vibration": True,
    "braking_shifts_the_equilibrium": True,
    "spatial_tangent_reduced.ten": False,
    "spatial_normal_weakly_influenced.ten": False,
    "spatial_normal_follows_the_rates.ten": True,
    "spatial_tangent_reduced.nine": True,
    "spatial_normal_weakly_influenced.nine": False,
    "spatial_normal_follows_the_rates.nine": True,
    "modified_method_is_smaller": True,
    "locked_deformations_are_negligible": True,
    "nonlinear_effects_matter": False,
    "soft_rods_brake_too_long": True,
    "stiff_rods_need_precision": True,
}


@pytest.fixture(scope="module")
def rows() -> dict[str, fa.papers.Row]:  # type: ignore[name-defined]
    return {row.id: row for row in reproduce(["lipinski"])}


def test_every_row_is_there_once_and_in_json(rows) -> None:  # type: ignore[no-untyped-def]
    assert sorted(rows) == sorted([*IDS, *(f"claim.lipinski.{name}" for name in CLAIMS)])
    assert len(rows) == ROW_COUNTS["lipinski"]
    for row in rows.values():
        assert set(json.loads(json.dumps(row.to_dict()))) == {"id", "value", "unit", "paper", "verdict", "note"}
        assert row.verdict in VERDICTS
        assert (row.paper is not None) == (row.verdict in ("agrees", "differs"))


def test_conclusions_are_judged(rows) -> None:  # type: ignore[no-untyped-def]
    for name, holds in CLAIMS.items():
        row = rows[f"claim.lipinski.{name}"]
        assert row.verdict == ("holds" if holds else "does not hold"), row
        assert row.note


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


def test_nine_segments_have_what_the_paper_says_of_both_braking_times(rows, monkeypatch) -> None:  # type: ignore[no-untyped-def]
    monkeypatch.setattr(spatial_rod, "ROD_LENGTH", 1.8)
    for dt in ("2.0", "1.9"):
        # the derivation's damper is that of ten springs over the rod: 10 N m s/rad in each of nine
        ranges = spatial_rod.residual_ranges(9, 100.0 / 9.0, float(dt), rtol=1e-6, atol=1e-8)
        for joint, value in zip(("j6", "j7"), ranges, strict=True):
            assert rows[f"lipinski.spatial9.range_{joint}_mrad.dt{dt}"].value == pytest.approx(1e3 * value, rel=3e-5)
    ours = [rows[f"lipinski.spatial9.range_j6_mrad.dt{dt}"].value for dt in ("2.0", "1.9")]
    assert ours == pytest.approx([2.11, 1.56], abs=0.01)


def test_the_paper_calls_no_braking_time_the_worst(rows) -> None:  # type: ignore[no-untyped-def]
    row = rows["lipinski.planar.worst_braking_s.c1"]
    assert (row.paper, row.verdict) == (None, "not printed")


def test_the_least_range_agrees_by_the_choice_of_posture_alone(rows) -> None:  # type: ignore[no-untyped-def]
    row = rows["lipinski.planar.best_range_tip_y_mm.c1"]
    low, high = (float(word) for word in row.note.split("the least range is ")[1].removesuffix(" mm").split(" to "))
    assert low < 0.25 * row.paper and high > 1.5 * row.paper
    # what the note says of the other postures, by the dense chain: mirrored rates, and the second arm folded back
    start, rates = planar_chain.START, planar_chain.RATES
    # each with the best braking time (s) there
    cases = (
        (low, start, (1, -1, -1), 0.47658),
        (high, (start[0], np.pi, start[2]), (1, 1, 1), 0.47664),
    )
    for found, angles, signs, time in cases:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(planar_chain, "START", angles)
            patch.setattr(planar_chain, "RATES", tuple(s * r for s, r in zip(signs, rates, strict=True)))
            _forget(planar_chain)
            tip, _ = planar_chain.residual_ranges(10, 1.0, time, to=planar_chain.LOOSE)
        _forget(planar_chain)
        assert 1e3 * tip == pytest.approx(found, rel=0.05)  # the note has two digits


def _forget(chain) -> None:  # type: ignore[no-untyped-def]
    """Let the dense chain start anew, from another posture."""
    chain._steady.cache_clear()
    chain._cruise.cache_clear()


def test_unknown_paper_is_refused() -> None:
    with pytest.raises(FlexarmError, match="no paper"):
        reproduce(["tesla"])
