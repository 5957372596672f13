"""Naganathan: linear Timoshenko elements with reduced integration, nonlinear coupling (all `naganathan.*` rows)."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from flexarm.analyses.equilibrium import commanded
from flexarm.analyses.modes.modes import modes
from flexarm.analyses.points import positions
from flexarm.analyses.run.simulate import simulate
from flexarm.analyses.statics import statics
from flexarm.assembly import compile_arm
from flexarm.model import Arm
from flexarm.papers.files import paper_arm, with_model
from flexarm.papers.naganathan_cases import SERVOS, WEIGHTLESS, case, case_run, first_frequency, spun_link
from flexarm.papers.naganathan_claims import naganathan_claims
from flexarm.papers.naganathan_frame import frame_rows
from flexarm.papers.naganathan_moving import moving_rows
from flexarm.papers.row import Row, judged, with_claims
from flexarm.papers.simply_supported import table_rows
from flexarm.papers.tip import at, peak

_SAG = (
    "arm straight out; the thesis gives no shear coefficient (that of the tube which A and I imply is taken) and shows "
    "only the tip's error in motion"
)
_LOCKED = "joints locked, arm straight; the thesis prints no frequency of an arm"
_SLIDER = "the link outside its slider, clamped there, no payload; the thesis shows only the tip's error in motion"


def naganathan() -> Iterator[Row]:
    """All rows of the thesis, then its claims."""
    return with_claims(_rows(), naganathan_claims)


def _rows() -> Iterator[Row]:
    yield from table_rows()
    yield from frame_rows()
    yield from _rotating_link()
    yield from _two_link()
    yield from _servo()
    yield from _tube()
    yield from _spatial()
    yield from _slider()
    yield from moving_rows()


def _rotating_link() -> Iterator[Row]:
    spun = spun_link()
    bending, whole = _turned_beam(spun, 1.0)
    note = (
        "the thesis ascribes the triangular load to a constant rate; it comes from the angular acceleration, here "
        f"1 rad/s². Its formula, bending alone, has {bending:.5e} m, the Timoshenko beam {whole:.5e} m"
    )
    for n in (1, 2, 4, 8, 16):
        model = with_model(spun, formulation="timoshenko", elements=n)
        run = simulate(model, analysis="quasi-static", end=0.1, output=0.1)
        value = float(np.linalg.norm(run.values("point_deflection")[0, 0]))
        yield judged(f"naganathan.rotating_link.tip_m.n{n}", value, "m", note=note)


def _turned_beam(arm: Arm, acceleration: float) -> tuple[float, float]:
    """Quasi-static tip deflection (m) of a beam turned with an angular acceleration: bending, and all of it."""
    link = arm.links[0]
    assert link.beam is not None
    beam, length = link.beam.properties(), link.length
    assert beam.EIz is not None and beam.GAy is not None
    bending = 11.0 * beam.mass_per_length * acceleration * length**5 / (120.0 * beam.EIz)
    shear = beam.mass_per_length * acceleration * length**3 / (3.0 * beam.GAy)
    rotary = beam.jz * acceleration * length**3 / (3.0 * beam.EIz)
    return bending, bending + shear + rotary


def _two_link() -> Iterator[Row]:
    times = ("0.25", "0.5", "0.75", "1.0", "1.5", "2.0")
    coupling, still = _coupling_note(), _quasi_static_note()
    for analysis, word, note in (
        ("nonlinear", "nonlinear", coupling),
        ("linear", "linear", coupling),
        ("quasi-static", "quasistatic", still),
    ):
        run = case_run("2r", analysis)
        for axis in ("x", "y"):
            for t in times:
                value = 1e3 * at(run, "point_deflection", float(t), point="tip", axis=axis)
                yield judged(f"naganathan.2r.{word}.{axis}_mm.t{t}", value, "mm", note=note)
    run = case_run("2r", "nonlinear")
    for axis in ("x", "y"):
        yield judged(f"naganathan.2r.nonlinear.peak_{axis}_mm", 1e3 * peak(run, axis), "mm", note=coupling)
    flexible, rigid = (np.max(np.abs(run.signal(name, joint="upper arm"))) for name in ("joint_torque", "rigid_torque"))
    torque = (
        "the thesis says that flexibility alters the torque significantly and shows a figure only; ours peaks at "
        f"{flexible:.3g} N m, the rigid arm's at {rigid:.3g}"
    )
    for word, name in (("flexible", "joint_torque"), ("rigid", "rigid_torque")):
        for t in ("0.25", "0.5", "1.0", "2.0"):
            value = at(run, name, float(t), joint="upper arm")
            yield judged(f"naganathan.2r.base_torque_nm.{word}.t{t}", value, "N m", note=torque)
    found = modes(case("2r"), joints="locked", count=2).frequencies_hz
    for k in (0, 1):
        yield judged(f"naganathan.2r.f{k + 1}_hz", float(found[k]), "Hz", note=_LOCKED)


def _coupling_note() -> str:
    """What the linear and the nonlinear run of the flexible arm say about the thesis's claim."""
    nonlinear, linear = case_run("2r", "nonlinear"), case_run("2r", "linear")
    apart = {axis: 100.0 * abs(peak(linear, axis) / peak(nonlinear, axis) - 1.0) for axis in "xy"}
    largest = max(peak(nonlinear, axis) for axis in "xy")
    reach = sum(link.length for link in case("2r").links)
    return (
        "the thesis says of its figures that linear and nonlinear peaks differ by 15 to 25 %; ours differ by "
        f"{apart['x']:.1g} % (x) and {apart['y']:.1g} % (y). A coupling that enters as deflection over reach, here "
        f"{100.0 * largest / reach:.1g} %, cannot do that: the claim does not hold for this arm"
    )


def _quasi_static_note() -> str:
    """What the quasi-static run of the flexible arm says about the thesis's claim."""
    still, nonlinear = case_run("2r", "quasi-static"), case_run("2r", "nonlinear")
    below = {axis: 100.0 * (1.0 - peak(still, axis) / peak(nonlinear, axis)) for axis in "xy"}
    return (
        "the thesis says of its figure that the quasi-static solution grossly underpredicts the error; our peaks lie "
        f"{below['x']:.2g} % (x) and {below['y']:.2g} % (y) below the nonlinear ones"
    )


def _servo() -> Iterator[Row]:
    arm = case("servo")
    for k, (link, (inertia, frequency)) in enumerate(zip(arm.links, SERVOS, strict=True), start=1):
        kp, kv = link.joint.servo_gains() or (np.nan, np.nan)
        of = f"J = {inertia} kg m² and f0 = {frequency} Hz of the straight arm, which the thesis does not print"
        yield judged(f"naganathan.servo.kp{k}", kp, "N m/rad", note=f"π² f0² J with {of}")
        yield judged(f"naganathan.servo.kv{k}", kv, "N m s/rad", note=f"2 √(J kp) with {of}")
    run = case_run("servo", "nonlinear")
    times = {axis: peak(run, axis, "point_error") / peak(case_run("2r", "nonlinear"), axis) for axis in "xy"}
    note = (
        "a figure only; the printed sign of the servo's torque drives the joint away from its command and is reversed. "
        f"The largest error is {times['x']:.2g} (x) and {times['y']:.2g} (y) times that without servos: much more, as "
        "the thesis says"
    )
    for axis in ("x", "y"):
        for t in ("0.5", "1.0"):
            value = 1e3 * at(run, "point_error", float(t), point="tip", axis=axis)
            yield judged(f"naganathan.servo.{axis}_mm.t{t}", value, "mm", note=note)
    for axis in ("x", "y"):
        yield judged(f"naganathan.servo.peak_{axis}_mm", 1e3 * peak(run, axis, "point_error"), "mm", note=note)


def _tube() -> Iterator[Row]:
    nonlinear, linear = case_run("tube", "nonlinear"), case_run("tube", "linear")
    apart = float(np.max(np.abs(linear.values("point_deflection") - nonlinear.values("point_deflection"))))
    note = (
        "the thesis finds linear and nonlinear errors of this stiff arm alike, in figures only; ours differ by "
        f"{1e6 * apart:.2g} µm at most"
    )
    for analysis in ("nonlinear", "linear"):
        run = case_run("tube", analysis)
        for axis in ("x", "y"):
            for t in ("0.25", "0.75", "1.5", "2.25"):
                value = 1e3 * at(run, "point_deflection", float(t), point="tip", axis=axis)
                yield judged(f"naganathan.tube.{analysis}.{axis}_mm.t{t}", value, "mm", note=note)
    yield judged("naganathan.tube.f1_hz", first_frequency(case("tube")), "Hz", note=_LOCKED)
    still = 1e3 * at(nonlinear, "point_deflection", 0.0, point="tip", axis="y")
    yield judged("naganathan.tube.static_y_mm", still, "mm", note="equilibrium at rest, before the start")


def _spatial() -> Iterator[Row]:
    arm = paper_arm("naganathan_3r.toml")
    compiled = compile_arm(arm)
    state = commanded(compiled)
    for word, angles in (("a", (30.0, 40.0, -60.0)), ("b", (-75.0, 20.0, 110.0))):
        q = state.q.copy()
        q[compiled.joint_coordinates] = np.radians(angles)
        place = positions(compiled, q[None, :])[0, compiled.point_names.index("tip")]
        for axis, value in zip("xyz", place, strict=True):
            yield judged(
                f"naganathan.3r.tip_{axis}_m.{word}",
                float(value),
                "m",
                note="rigid arm; the thesis prints only the parameters of its Table III",
            )
    column = arm.links[0]
    assert column.beam is not None
    mass = column.beam.properties().mass_per_length * column.length
    stiff = column.changed(beam=None, model=None, rigid={"mass": mass, "inertia": 0.0})
    for word, links in (("rigid_column", (stiff, *arm.links[1:])), ("flexible_column", arm.links)):
        sag = -1e3 * float(statics(arm.changed(links=links)).tip_sag["tip"][2])
        yield judged(f"naganathan.3r.sag_mm.{word}", sag, "mm", note=_SAG)
    for word, links in (("rigid_column", (stiff, *arm.links[1:])), ("flexible_column", arm.links)):
        first, second = (
            float(f)
            for f in modes(arm.changed(links=links, gravity=WEIGHTLESS), joints="locked", count=2).frequencies_hz
        )
        if word == "rigid_column":
            note = "joints locked, arm straight out; both planes alike"
        else:
            note = f"joints locked, arm straight out; sideways, the column twisting; upright {second:.5g} Hz"
        yield judged(f"naganathan.3r.f1_hz.{word}", first, "Hz", note=note)


def _slider() -> Iterator[Row]:
    arm = paper_arm("naganathan_rp.toml")
    for d in ("0.6", "0.8", "1.0"):
        out = arm.changed(links=(arm.links[0].changed(length=float(d)),))
        sag = -1e3 * float(statics(out).tip_sag["tip"][1])
        yield judged(f"naganathan.rp.sag_mm.d{d}", sag, "mm", note=_SLIDER)
    for d in ("0.6", "0.8", "1.0"):
        out = arm.changed(links=(arm.links[0].changed(length=float(d)),))
        yield judged(f"naganathan.rp.f1_hz.d{d}", first_frequency(out), "Hz", note=_SLIDER)
