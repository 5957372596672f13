"""Naganathan: what the thesis concludes, judged by its own cases (rows `claim.naganathan.*`)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache

import numpy as np

from flexarm.analyses.run.simulate import simulate
from flexarm.papers.files import with_model
from flexarm.papers.naganathan_cases import case, case_run, first_frequency, spun_link
from flexarm.papers.naganathan_moving import turned_link
from flexarm.papers.row import Row, claimed, percent
from flexarm.papers.simply_supported import ASPECTS
from flexarm.papers.tip import across, peak
from flexarm.results import Trajectory

# Significant is what changes a peak by a tenth, gross by a quarter; what compares very well is within a twentieth.
_SIGNIFICANT, _GROSS, _WELL = 0.10, 0.25, 0.05


def naganathan_claims(values: Mapping[str, float]) -> Iterator[Row]:
    """All claims of the thesis."""
    yield from _elements(values)
    yield from _turned_link()
    yield from _cycle_time()
    yield from _flexible_arm()
    yield from _servos()
    yield from _tubes()
    yield from _spatial_arm()
    yield from _slider()


def _elements(values: Mapping[str, float]) -> Iterator[Row]:
    """Chapter III: the element."""
    worst = {
        how: max(
            abs(values[f"naganathan.table1.{how}.n20.r{r}"] / values[f"naganathan.table1.exact.r{r}"] - 1.0)
            for r in ASPECTS
        )
        for how in ("reduced", "full")
    }
    yield claimed(
        "naganathan.reduced_integration_compares_well",
        worst["reduced"],
        "",
        worst["reduced"] < _WELL,
        "reduced integration compares well at low and at high aspect ratios, and a linear interpolation is adequate: "
        f"20 elements err by {percent(worst['reduced'], 1)} at most in Table I",
    )
    locked = values["naganathan.table1.full.n5.r0.02"] / values["naganathan.table1.exact.r0.02"] - 1.0
    yield claimed(
        "naganathan.full_integration_locks",
        locked,
        "",
        locked > _GROSS,
        f"exact integration locks at low aspect ratios: five elements are {percent(locked, 0)} too high at 0.02, and "
        f"twenty still {percent(worst['full'], 1)}",
    )
    exact = values["naganathan.table2.exact"]
    away = max(abs(values[f"naganathan.table2.ab{a}.bd{b}"] / exact - 1.0) for a, b in ((2, 2), (4, 4), (4, 6)))
    yield claimed(
        "naganathan.frame_agrees",
        away,
        "",
        away < _WELL,
        f"the frame's deflections are in good agreement with the exact one: within {percent(away, 1)} with two "
        "elements a member, in the reading of the frame that Table II allows",
    )


def _turned_link() -> Iterator[Row]:
    """Chapter III: a link that turns."""
    joint = case("2r").links[0].name
    vibrating, still = (np.abs(across(run, joint)) for run in turned_link())
    mean, quasi = float(np.mean(vibrating)), float(np.mean(still))
    yield claimed(
        "naganathan.turned_link_swings_about_the_quasi_static",
        mean / quasi,
        "",
        abs(mean / quasi - 1.0) < _WELL,
        "Fig. 13: the response oscillates about the quasi-static deflection: its mean over half a second is "
        f"{1e3 * mean:.4g} mm, the quasi-static one {1e3 * quasi:.4g}",
    )
    even = with_model(spun_link(0.0, 1.0), formulation="timoshenko", elements=8)
    run = simulate(even, analysis="quasi-static", end=0.1, output=0.1)
    none = float(np.abs(across(run, joint))[0])
    yield claimed(
        "naganathan.constant_rate_loads_across",
        none / quasi,
        "",
        none > 0.01 * quasi,
        "the triangular load across the link is ascribed to a constant angular velocity: at 1 rad/s it bends by "
        f"{1e3 * none:.2g} mm, its load being along the link; with 1 rad/s² of acceleration by {1e3 * quasi:.3g} mm",
    )


def _cycle_time() -> Iterator[Row]:
    """Chapter III, the experiment: its links have no printed data, so a link of the flexible arm stands for them."""
    arm = spun_link()
    period = 1.0 / first_frequency(arm)
    left = [_residual(cycle * period) for cycle in _CYCLES]
    ratio = max(left) / min(left)
    yield claimed(
        "naganathan.response_is_sensitive_to_the_cycle_time",
        ratio,
        "",
        ratio > 1.0 / _GROSS,
        "the response is extremely sensitive to the cycle time of the trapezoidal acceleration: moved by 60° within "
        f"{_CYCLES[0]:g} and {_CYCLES[1]:g} periods of {1e3 * period:.3g} ms, a link of the flexible arm goes on "
        f"swinging by {1e3 * left[0]:.2g} and {1e3 * left[1]:.2g} mm. The strains of Figs. 17 and 18 cannot be judged: "
        "no link of the experiment is described",
    )


_CYCLES = (10.0, 9.5)


def _residual(duration: float) -> float:
    """Half the range (m) of a link's tip after a trapezoidal acceleration of so long a cycle (s)."""
    arm = spun_link()
    law = {"kind": "trapezoidal-acceleration", "travel": np.radians(60.0), "duration": duration}
    run = simulate(arm.changed(motions={"turn": law}), end=duration + 0.1, output=1e-3)
    tip = across(run, arm.links[0].name)[run.time >= duration]
    return float(0.5 * np.ptp(tip))


@cache
def _coarse() -> Trajectory:
    arm = case("2r")
    step = 0.01 / first_frequency(arm)
    return simulate(arm, step=step, output=step)


def _flexible_arm() -> Iterator[Row]:
    """Chapter IV: the flexible arm."""
    nonlinear, linear, still = (case_run("2r", word) for word in ("nonlinear", "linear", "quasi-static"))
    apart = max(abs(peak(linear, axis) / peak(nonlinear, axis) - 1.0) for axis in "xy")
    yield claimed(
        "naganathan.nonlinear_peaks_are_higher",
        apart,
        "",
        apart > _SIGNIFICANT,
        f"nonlinear peaks are 15 to 25 % above the linear ones: they differ by {percent(apart, 2)}",
    )
    differ = float(np.max(np.abs(_errors(linear, "xy") - _errors(nonlinear, "xy"))))
    most = max(peak(nonlinear, axis) for axis in "xy")
    yield claimed(
        "naganathan.linear_model_is_inadequate",
        differ / most,
        "",
        differ > _SIGNIFICANT * most,
        "linear and nonlinear histories differ, so that the nonlinear coupling must be recognised in controllers of "
        f"flexible arms: they differ by {1e3 * differ:.2g} mm at most, of {1e3 * most:.2g}",
    )
    below = max(1.0 - peak(still, axis) / peak(nonlinear, axis) for axis in "xy")
    yield claimed(
        "naganathan.quasi_static_grossly_underpredicts",
        below,
        "",
        below > _GROSS,
        f"the quasi-static errors of the flexible arm are grossly too small: their peaks lie {percent(below, 0)} "
        "below at most",
    )
    offset, swing = _about(nonlinear, still, "xy")
    yield claimed(
        "naganathan.response_swings_about_the_quasi_static",
        offset,
        "",
        offset < _WELL,
        "the response oscillates about the quasi-static solution, which speaks for the procedure's stability: its mean "
        f"difference from it is {percent(offset, 1)} of its swing, which reaches {1e3 * swing:.2g} mm",
    )
    flexible, rigid = (nonlinear.signal(name, joint="upper arm") for name in ("joint_torque", "rigid_torque"))
    changed = float(np.max(np.abs(flexible - rigid)) / np.max(np.abs(rigid)))
    plain = linear.signal("joint_torque", joint="upper arm")
    yield claimed(
        "naganathan.torques_are_altered",
        changed,
        "",
        changed > _SIGNIFICANT,
        "flexibility alters the torque at the base significantly: by "
        f"{percent(changed, 0)} of the rigid arm's peak at most, {np.max(np.abs(flexible)):.3g} instead of "
        f"{np.max(np.abs(rigid)):.3g} N m at the peak itself. The linear analysis has the same torque within "
        f"{np.max(np.abs(plain - flexible)):.1g} N m",
    )
    rough = max(abs(peak(_coarse(), axis) / peak(nonlinear, axis) - 1.0) for axis in "xy")
    yield claimed(
        "naganathan.one_per_cent_of_the_period_is_accurate",
        rough,
        "",
        rough < _WELL,
        "Newmark steps of a hundredth of the fundamental period meet the accuracy required: peaks move by "
        f"{percent(rough, 2)} with steps of {1e3 * 0.01 / first_frequency(case('2r')):.2g} ms",
    )


def _errors(run: Trajectory, axes: str) -> np.ndarray:
    """The tip's error along axes (times, axes), m."""
    return np.stack([run.signal("point_deflection", point="tip", axis=axis) for axis in axes], axis=-1)


def _about(run: Trajectory, still: Trajectory, axes: str) -> tuple[float, float]:
    """Mean of a response's difference from the quasi-static one as part of its swing, and the largest swing (m)."""
    quasi = np.stack([np.interp(run.time, still.time, column) for column in _errors(still, axes).T], axis=-1)
    apart = _errors(run, axes) - quasi
    return float(np.max(np.abs(np.mean(apart, axis=0)) / np.ptp(apart, axis=0))), float(np.max(np.abs(apart)))


def _servos() -> Iterator[Row]:
    servo, bare = case_run("servo", "nonlinear"), case_run("2r", "linear")
    more = min(peak(servo, axis, "point_error") / peak(bare, axis) for axis in "xy")
    yield claimed(
        "naganathan.servos_add_error",
        more,
        "",
        more > 1.0 + _GROSS,
        "with servo-compliance the tip errs significantly more than linear analysis with stiff joints predicts: at "
        f"least {more:.2g} times as much",
    )


def _tubes() -> Iterator[Row]:
    """Chapter IV: the stiff arm."""
    nonlinear, linear, still = (case_run("tube", word) for word in ("nonlinear", "linear", "quasi-static"))
    reach = sum(link.length for link in case("tube").links)
    most = max(peak(nonlinear, axis) for axis in "xy")
    yield claimed(
        "naganathan.tubes_hardly_bend",
        most / reach,
        "",
        most < 0.01 * reach,
        f"the stiff arm's errors are very small: {1e3 * most:.2g} mm at most, its weight's sag with it, and a reach of "
        f"{reach:g} m",
    )
    apart = max(abs(peak(linear, axis) / peak(nonlinear, axis) - 1.0) for axis in "xy")
    yield claimed(
        "naganathan.tubes_need_no_coupling",
        apart,
        "",
        apart < _WELL,
        "of stiff arms nonlinear peaks are not significantly higher than linear ones: they differ by "
        f"{percent(apart, 2)}",
    )
    above = max(abs(peak(nonlinear, axis) / peak(still, axis) - 1.0) for axis in "xy")
    yield claimed(
        "naganathan.tubes_are_quasi_static",
        above,
        "",
        above < _WELL,
        "Fig. 29: the quasi-static errors of the stiff arm compare very well with the others, with 5 % damping, and "
        f"are adequate for its peaks: the arm's peaks are {percent(above, 0)} higher, as its acceleration is switched "
        "on at once",
    )


def _spatial_arm() -> Iterator[Row]:
    run, still = case_run("3r", "nonlinear"), case_run("3r", "quasi-static")
    offset, swing = _about(run, still, "xyz")
    most = float(np.max(np.abs(_errors(still, "xyz"))))
    yield claimed(
        "naganathan.3r_swings_about_the_quasi_static",
        offset,
        "",
        offset < _WELL and swing < most,
        "Figs. 41 and 42: the response of the spatial arm is bounded and oscillates about the quasi-static solution: "
        f"its mean difference from it is {percent(offset, 1)} of its swing, which reaches {1e3 * swing:.2g} mm where "
        f"the quasi-static error itself reaches {1e3 * most:.2g}",
    )


def _slider() -> Iterator[Row]:
    """Chapter V: an arm with a prismatic joint."""
    whole = _horizontal(case_run("rp", "nonlinear"))
    revolute = _horizontal(case_run("2r", "nonlinear"))
    yield claimed(
        "naganathan.prismatic_errs_less",
        whole / revolute,
        "",
        whole < _GROSS * revolute,
        "the flexible arm with a prismatic joint errs much less than the all-revolute ones: "
        f"{1e3 * whole:.2g} mm, the flexible arm of two revolute joints {1e3 * revolute:.2g} mm. It is also half as "
        "long, and errors grow with the fifth power of the length: with its link held at 1 m, all revolute, it errs by "
        f"{1e3 * _horizontal(_only('column')):.2g} mm",
    )
    along, slid = (float(np.max(np.abs(column))) for column in _errors(_only("slide"), "xy").T)
    yield claimed(
        "naganathan.prismatic_forces_are_axial",
        slid / whole,
        "",
        slid < 0.01 * whole,
        "the forces of a prismatic joint act along the link and hardly bend it: with the column held the tip errs by "
        f"{1e3 * slid:.1g} mm across the link, and by {1e3 * along:.1g} mm along it, where the column gives way",
    )


@cache
def _only(moving: str) -> Trajectory:
    """The arm with a prismatic joint of which one link moves; the other joint is held, the slide at 1 m."""
    arm = case("rp")
    links = []
    for link in arm.links:
        if link.name == moving:
            links.append(link)
        else:
            held = {"motion": None} | ({"at": link.length} if link.joint.sleeve else {})
            links.append(link.changed(joint=link.joint.changed(**held)))
    return simulate(arm.changed(links=tuple(links)), output=1e-2)


def _horizontal(run: Trajectory) -> float:
    """The largest error of the tip in the base's x-y plane (m)."""
    return float(np.max(np.linalg.norm(_errors(run, "xy"), axis=-1)))
