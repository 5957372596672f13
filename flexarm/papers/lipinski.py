"""Lipiński: all rows, and what the paper concludes from its tests (rows `claim.lipinski.*`)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import chain

import numpy as np

from flexarm.analyses.modes.modes import modes
from flexarm.analyses.run.simulate import simulate
from flexarm.assembly import compile_arm
from flexarm.model import Arm
from flexarm.papers.files import paper_arm
from flexarm.papers.lipinski_planar import braked, damped, extremes, planar_rows, planar_run, tip_range
from flexarm.papers.lipinski_spatial import JOINTS, spatial_rows, spatial_run
from flexarm.papers.row import Row, claimed, percent, with_claims
from flexarm.results import Trajectory

_SPRING = "rod.bending_z1"
# A reduction or an influence is called significant from a quarter on, and weak below it.
_QUARTER = 0.25


def lipinski() -> Iterator[Row]:
    """All rows of the paper: planar, spatial, claims."""
    return with_claims(chain(planar_rows(), spatial_rows()), _claims)


def _claims(values: Mapping[str, float]) -> Iterator[Row]:
    yield from _printed_times(values)
    yield from _best_times(values)
    yield from _three_periods()
    yield from _spatial_claims(values)
    yield from _method_claims()
    yield from _range_of_use()


def _printed_times(values: Mapping[str, float]) -> Iterator[Row]:
    """Of the two braking times that are shown for each damper the longer is said to be the good one."""
    for c, long, short, figures in (("c5", "0.507", "0.466", "8"), ("c1", "0.509", "0.469", "9")):
        a, b = (values[f"lipinski.planar.range_sde1_mrad.{c}.dt{dt}"] for dt in (long, short))
        yield claimed(
            f"lipinski.longer_of_the_two_is_better.{c}",
            a / b,
            "",
            a < b,
            f"Fig. {figures}a and {figures}b: braking within {long} s is said to leave much less vibration than within "
            f"{short} s; the first spring's angle keeps a range of {a:.3g} mrad against {b:.3g}, so it is the reverse: "
            "the printed times do not fit the printed data",
        )
    a, b = (values[f"lipinski.planar.range_tip_y_mm.c1.dt{dt}"] for dt in ("0.509", "0.469"))
    yield claimed(
        "lipinski.tip_25_times_better",
        b / a,
        "",
        20.0 <= b / a <= 30.0,
        f"Fig. 10: 25 times less at the tip with 0.509 s than with 0.469 s; ours has {a:.3g} against {b:.3g} mm",
    )


def _best_times(values: Mapping[str, float]) -> Iterator[Row]:
    best, worst = extremes(1.0)
    damped_best, damped_worst = extremes(5.0)
    gain = worst.residual / best.residual
    yield claimed(
        "lipinski.adjusted_braking_reduces_vibration",
        gain,
        "",
        gain > 1.0 / _QUARTER,
        "the range of vibration can be reduced significantly when the braking time is adjusted to the beam: "
        f"{1e3 * best.residual:.3g} mm at {best.time:.4f} s, which is six periods, against {1e3 * worst.residual:.3g} "
        "mm at the greatest between 0.44 and 0.52 s",
    )
    less = damped_worst.residual / damped_best.residual
    yield claimed(
        "lipinski.lower_damping_is_better",
        gain / less,
        "",
        gain > less,
        "with less damping the best braking time gains more: the least range is "
        f"{1e3 * best.residual:.3g} mm with 1 N m s/rad and {1e3 * damped_best.residual:.3g} with 5, {gain:.0f} and "
        f"{less:.1f} times less than the greatest; what damping takes away during braking cannot cancel afterwards",
    )
    later = 1e3 * (best.time - damped_best.time)
    yield claimed(
        "lipinski.lower_damping_brakes_longer",
        later,
        "ms",
        later > 0.0,
        "the good time is 2 ms longer with the lower damping, as the frequency depends slightly on it: slightly it "
        f"does, but the best times differ by {later:.2g} ms, and a damped rod swings slower, not faster",
    )


def _three_periods() -> Iterator[Row]:
    """Constant rate (A), braking (B), standstill (C), in the angle of the first spring."""
    run, stop = planar_run(1.0, 0.509)
    begin = stop - 0.509
    steady, braking = (
        1e3 * run.range(coordinate=_SPRING, after=after, until=until) for after, until in ((0.0, begin), (begin, stop))
    )
    yield claimed(
        "lipinski.equilibrium_start_avoids_vibration",
        steady / braking,
        "",
        steady < _QUARTER * braking,
        "started in equilibrium the rod does not vibrate significantly at constant rates: the first spring's range is "
        f"{steady:.2g} mrad, and {braking:.2g} mrad during braking",
    )
    angle = 1e3 * run.signal("elastic_position", coordinate=_SPRING)
    before, during = (
        float(np.mean(angle[(run.time >= a) & (run.time <= b)])) for a, b in ((0.0, begin), (begin, stop))
    )
    yield claimed(
        "lipinski.braking_shifts_the_equilibrium",
        during - before,
        "mrad",
        abs(during - before) > _QUARTER * braking,
        f"in braking the rod vibrates about a new, bent equilibrium: the first spring's mean moves from {before:.2g} "
        f"to {during:.2g} mrad, and it swings by {braking:.2g}",
    )


def _spatial_claims(values: Mapping[str, float]) -> Iterator[Row]:
    for word, segments in (("ten", 10), ("nine", 9)):
        name = "spatial" if segments == 10 else "spatial9"
        found = {
            joint: [values[f"lipinski.{name}.range_{joint}_mrad.dt{dt}"] for dt in ("2.0", "1.9")] for joint in JOINTS
        }
        tangent, normal = ((b - a) / a for a, b in found.values())
        yield claimed(
            f"lipinski.spatial_tangent_reduced.{word}",
            tangent,
            "",
            tangent < -_QUARTER,
            f"{word} segments: in the tangent direction (joint 6) braking within 1.9 s instead of 2.0 s reduces the "
            f"range of vibration; {found['j6'][0]:.3g} mrad become {found['j6'][1]:.3g}",
        )
        yield claimed(
            f"lipinski.spatial_normal_weakly_influenced.{word}",
            normal,
            "",
            abs(normal) < _QUARTER,
            f"{word} segments: in the normal direction (joint 7) the braking time has weak influence; "
            f"{found['j7'][0]:.3g} mrad become {found['j7'][1]:.3g}, which is {percent(abs(normal), 0)} more, but "
            f"small beside the {found['j6'][1]:.3g} mrad of joint 6",
        )
        run, stop = spatial_run(segments, 2.0)
        jumps = {joint: _jump(run, coordinate, stop) for joint, coordinate in JOINTS.items()}
        yield claimed(
            f"lipinski.spatial_normal_follows_the_rates.{word}",
            jumps["j7"] / jumps["j6"],
            "",
            jumps["j7"] < _QUARTER * jumps["j6"],
            f"{word} segments: the three periods are not easy to see in joint 7, which follows the rates and not the "
            "braking: about the stop its quarter-second mean moves by "
            f"{jumps['j7']:.2g} mrad, that of joint 6 by {jumps['j6']:.2g}",
        )


def _jump(run: Trajectory, coordinate: str, stop: float) -> float:
    """How far (mrad) the mean over a quarter of a second, about one period, moves as the arm comes to rest."""
    time, angle = run.time, 1e3 * run.signal("elastic_position", coordinate=coordinate)
    before, after = (float(np.mean(angle[(time >= stop + a) & (time <= stop + a + 0.25)])) for a in (-0.25, 0.0))
    return abs(after - before)


def _method_claims() -> Iterator[Row]:
    arm = paper_arm("lipinski_planar.toml")
    classical = _classical(arm)
    sizes = [len(compile_arm(each).coordinate_names) - 3 for each in (arm, classical)]
    yield claimed(
        "lipinski.modified_method_is_smaller",
        sizes[0] / sizes[1],
        "",
        sizes[0] < sizes[1],
        f"the modified method has smaller matrices: {sizes[0]} coordinates in the planar rod, the classical one, with "
        f"shear and stretch at every spring, {sizes[1]}",
    )
    first, whole = (float(modes(each, joints="locked", count=1).frequencies_hz[0]) for each in (arm, classical))
    yield claimed(
        "lipinski.locked_deformations_are_negligible",
        first / whole - 1.0,
        "",
        abs(first / whole - 1.0) < 0.01,
        "relative translations are insignificant compared with bending: with the shear and the stretch of a steel rod "
        f"of 20 mm its first frequency is {whole:.5g} Hz instead of {first:.5g}",
    )
    linear, stop = braked(damped(arm, 1.0), 0.469)
    run = simulate(linear, analysis="linear", end=stop + 0.5, output=2e-4)
    ours, plain = tip_range(1.0, 0.469), 1e3 * run.range("tip", "y", after=stop, until=stop + 0.5)
    yield claimed(
        "lipinski.nonlinear_effects_matter",
        plain / ours - 1.0,
        "",
        abs(plain / ours - 1.0) > 0.01,
        "nonlinear effects must be taken into account to estimate the beam's motion: linearised about the rigid "
        f"motion the rod keeps a range of {plain:.5g} mm at the tip after 0.469 s, and {ours:.5g} mm in full",
    )


def _classical(arm: Arm) -> Arm:
    """The planar arm with all relative motions of the rod's elements, of a steel rod with its bending stiffness."""
    rod, radius = arm.links[-1], 0.01
    assert rod.beam is not None
    known = rod.beam.properties()
    assert known.EIz is not None
    axial = known.EIz * 4.0 / radius**2
    beam = {
        "bending_stiffness": known.EIz,
        "mass_per_length": known.mass_per_length,
        "axial_stiffness": axial,
        "shear_stiffness": 0.886 * axial / 2.6,
    }
    model = rod.formulation.changed(freedoms="classical")
    return arm.changed(links=(*arm.links[:-1], rod.changed(beam=beam, model=model)))


def _range_of_use() -> Iterator[Row]:
    """The shortest braking time that leaves no vibration is one period; a drive may err by a hundredth of 0.5 s."""
    arm = paper_arm("lipinski_planar.toml")
    given, soft, stiff = (1.0 / _first_frequency(arm, factor) for factor in (1.0, 0.01, 100.0))
    yield claimed(
        "lipinski.soft_rods_brake_too_long",
        soft,
        "s",
        soft > 0.5,
        f"of rods that vibrate slowly the effective braking times become too long: the least of them is one period, "
        f"{soft:.2g} s for a rod a hundred times softer, {given:.2g} s for the paper's",
    )
    yield claimed(
        "lipinski.stiff_rods_need_precision",
        0.005 / stiff,
        "",
        0.005 / stiff > _QUARTER,
        "of stiff rods precision is crucial: a braking time of 0.5 s wrong by 1 % is wrong by "
        f"{0.005 / given:.2g} periods of the paper's rod and by {0.005 / stiff:.2g} of one a hundred times stiffer, "
        "where half a period turns the best time into the worst",
    )


def _first_frequency(arm: Arm, factor: float) -> float:
    """First frequency (Hz) of the rod made so many times as stiff."""
    rod = arm.links[-1]
    assert rod.beam is not None
    known = rod.beam.properties()
    assert known.EIz is not None
    beam = {"bending_stiffness": factor * known.EIz, "mass_per_length": known.mass_per_length}
    changed = arm.changed(links=(*arm.links[:-1], rod.changed(beam=beam)))
    return float(modes(changed, joints="locked", count=1).frequencies_hz[0])
