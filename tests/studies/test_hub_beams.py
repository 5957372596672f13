"""Samples of a beam on a hub, side by side, against the equations by hand, the engine, and themselves alone."""

from __future__ import annotations

import numpy as np
import pytest

import flexarm as fa
from flexarm.core.numbers.lanes import LANES
from flexarm.core.time.hub import NODES, ROWS, WEIGHTS
from flexarm.errors import AnalysisError
from flexarm.papers.files import paper_arm, with_model
from flexarm.studies.execution.evaluate import Evaluator, Task, evaluate_sample
from flexarm.studies.execution.hub_beams import HubBeams, why_not
from tests.oracles.hub_cases import MEAN_ARM
from tests.oracles.stiffened_modes import ModalArm

TIMES = np.array([0.5, 1.0, 2.0])
PLACES = {
    "material.strip-steel.density": (7800.0, 10.0),
    "link[0].length": (0.53, 1e-3),
    "link[0].beam.section.width": (0.032, 1e-4),
    "link[0].beam.section.height": (8.5e-4, 1e-5),
}


def strip(modes: int = 2, **changes: object) -> fa.Arm:
    """He and Wang's strip."""
    return with_model(paper_arm("hewang_hub.toml"), modes=modes, **changes)


def samples(count: int) -> dict[str, np.ndarray]:
    """So many samples of four numbers."""
    rng = np.random.default_rng(7)
    return {place: mean + spread * rng.standard_normal(count) for place, (mean, spread) in PLACES.items()}


def test_the_method_is_consistent_and_of_order_eight_on_quadratures() -> None:
    for row, node in zip(ROWS, NODES, strict=True):
        assert sum(row.values()) == pytest.approx(node, abs=1e-14)
    for power in range(8):
        assert sum(w * NODES[s] ** power for s, w in WEIGHTS.items()) == pytest.approx(1 / (power + 1), abs=1e-14)


@pytest.mark.parametrize("modes", [1, 2, 3, 4])
@pytest.mark.parametrize("order", ["second", "printed"])
def test_the_nominal_sample_is_that_of_the_equations_by_hand(modes: int, order: str) -> None:
    lanes = HubBeams(strip(modes, order=order))
    lanes.settled(TIMES)
    found = lanes.run({}, TIMES)
    arm = ModalArm(MEAN_ARM, modes)
    x, v = arm.history(2.0, second_order=order == "second", rtol=1e-11, atol=1e-13)(TIMES)[:2]
    # the tolerance, 1e-6 m, at the tip: 2e-6 rad of the hub
    np.testing.assert_allclose(found.angle[0], x[:, 0], atol=2e-6)
    np.testing.assert_allclose(found.tip[0], [arm.place(each) for each in x], atol=1e-6)
    np.testing.assert_allclose(found.rate[0], v[:, 0], atol=1e-4)


def test_the_error_falls_with_the_eighth_power_of_the_step() -> None:
    lanes = HubBeams(strip())
    exact = lanes._run(lanes.numbers({}), TIMES, 0.3).tip
    steps = 2.0 ** np.array([0.5, 0.0, -0.5])
    errors = [np.max(np.abs(lanes._run(lanes.numbers({}), TIMES, step).tip - exact)) for step in steps]
    assert np.polyfit(np.log(steps), np.log(errors), 1)[0] == pytest.approx(8.0, abs=1.0)


def test_every_sample_is_the_arm_with_its_own_numbers() -> None:
    changes = samples(3)
    lanes = HubBeams(strip())
    lanes.settled(TIMES)
    found = lanes.run(changes, TIMES)
    arm = strip()
    link = arm.links[0]
    for k in range(3):
        density, length, width, height = (changes[place][k] for place in PLACES)
        steel = arm.materials["strip-steel"].changed(density=density)
        section = link.beam.section.changed(width=width, height=height)
        own = arm.changed(
            materials={"strip-steel": steel},
            links=(link.changed(length=length, beam=link.beam.changed(section=section)),),
        )
        run = fa.simulate(own, tolerance=1e-9, output=0.5)
        tip = np.stack([run.signal("point_position", point="tip", axis=a)[[1, 2, 4]] for a in "xy"], axis=1)
        np.testing.assert_allclose(found.tip[k], tip, atol=1.2e-6)


def test_a_row_is_the_same_bits_whatever_stands_beside_it() -> None:
    changes = samples(2 * LANES + 3)
    lanes = HubBeams(strip())
    whole = lanes.run(changes, TIMES)
    for k in (0, 5, LANES, 2 * LANES + 2):
        alone = lanes.run({place: values[k : k + 1] for place, values in changes.items()}, TIMES)
        for name in ("angle", "rate", "deflection", "tip"):
            np.testing.assert_array_equal(getattr(alone, name)[0], getattr(whole, name)[k])


def test_a_radius_and_damping_are_those_of_the_engine() -> None:
    arm = strip()
    hub = {"inertia": 0.02, "radius": 0.1}
    arm = arm.changed(links=(arm.links[0].changed(hub=hub, damping={"ratio": 0.02, "mode": 1}),))
    lanes = HubBeams(arm)
    lanes.settled(TIMES)
    run = fa.simulate(arm, tolerance=1e-9, output=0.5)
    tip = np.stack([run.signal("point_position", point="tip", axis=a)[[1, 2, 4]] for a in "xy"], axis=1)
    np.testing.assert_allclose(lanes.run({}, TIMES).tip[0], tip, atol=1.2e-6)


def test_other_arms_are_refused_with_the_reason() -> None:
    arm = strip()
    assert why_not(arm) is None
    loaded = arm.changed(links=(arm.links[0].changed(payload={"mass": 1}),))
    with pytest.raises(AnalysisError, match=r"cannot be run side by side: the arm must be planar, .* without payload"):
        HubBeams(loaded)
    with pytest.raises(AnalysisError, match=r"link\[0\].name: such numbers cannot vary"):
        HubBeams(arm).run({"link[0].name": np.zeros(2)}, TIMES)


@pytest.mark.parametrize(
    ("of", "fields"),
    [
        ("joint", {"at": 1.5}),
        ("joint", {"zero": 0.4}),
        ("joint", {"start_rate": 0.2}),
        ("joint", {"offset": (0.1, 0.0, 0.0)}),
        ("joint", {"rotation": (0.0, 0.0, 0.3)}),
        ("joint", {"axis": (0.0, 0.0, -1.0)}),
        ("link", {"direction": (0.0, 1.0, 0.0)}),
        ("link", {"tip_offset": (0.05, 0.0, 0.0)}),
        ("link", {"tip_rotation": (0.0, 0.0, 0.5)}),
        ("simulation", {"stepper": "newmark", "step": 1e-3}),
    ],
)
def test_what_the_equations_do_not_know_is_refused(of: str, fields: dict[str, object]) -> None:
    arm = strip()
    link = arm.links[0]
    if of == "simulation":
        other = arm.changed(simulation=arm.simulation.changed(**fields))
    else:
        changed = link.changed(**fields) if of == "link" else link.changed(joint=link.joint.changed(**fields))
        other = arm.changed(links=(changed,))
    assert why_not(arm) is None
    assert why_not(other) is not None


def hub_study(joint: str) -> str:
    return f"""
name = "hub"
gravity = [0, 0, 0]
planar = true

[[link]]
name = "arm"
joint = {{ type = "revolute", {joint}torque = "push" }}
hub = {{ radius = "5 cm", inertia = "0.3 kg m^2" }}
length = {{ normal = ["1.8 m", "2 mm"] }}
beam = {{ bending_stiffness = "90 N m^2", mass_per_length = "0.6915 kg/m" }}
model = {{ formulation = "modes", modes = 2, theory = "euler" }}

[torque.push]
kind = "sine"
amplitude = "1 N m"
period = "2 s"

[simulation]
end = "1 s"
"""


@pytest.mark.parametrize("joint", ['at = "90 deg", ', 'scale = 0.7, delay = "0.2 s", ', ""])
def test_a_study_of_a_hub_has_the_numbers_of_single_runs(joint: str) -> None:
    text = hub_study(joint)
    study = fa.parse_study(text, name="hub")
    evaluate = Evaluator(Task(text, ("tip.x@end", "tip.y@end"), 3), study)
    values = study.draw(1, 0, 2)
    alone = [evaluate_sample(study, evaluate.plan, row)[0] for row in values]
    # both err by up to the tolerance, 1e-6 m
    np.testing.assert_allclose(evaluate(values).outputs, alone, atol=4e-6)


def test_extremes_and_rates_of_a_hub_are_those_of_single_runs() -> None:
    text = hub_study("")
    study = fa.parse_study(text, name="hub")
    defaults = Evaluator(Task(text, None, 5), study)
    wanted = ("max(tip.deflection)", "min(tip.x)", "peak(tip.y)", "max(tip.speed)", "tip.vy@end", "residual(tip.y)")
    law = 'kind = "bang-bang"\namplitude = "1 N m"\nduration = "0.4 s"'
    text = text.replace('kind = "sine"\namplitude = "1 N m"\nperiod = "2 s"', law)
    pulsed = fa.parse_study(text, name="hub")
    for own, evaluate in ((study, defaults), (pulsed, Evaluator(Task(text, wanted, 3), pulsed))):
        assert evaluate._hub is not None
        values = own.draw(1, 0, 3)
        alone = [evaluate_sample(own, evaluate.plan, row)[0] for row in values]
        # both err by up to the tolerance, 1e-6 m; rates by as much times the fastest frequency, some 60 rad/s
        np.testing.assert_allclose(evaluate(values).outputs, alone, atol=3e-4)
        places = [k for k, unit in enumerate(evaluate.plan.units.values()) if unit == "m"]
        np.testing.assert_allclose(evaluate(values).outputs[:, places], np.array(alone)[:, places], atol=4e-6)


def test_walls_that_may_be_too_thick_are_left_to_the_model() -> None:
    tube = {"shape": "tube", "diameter": 0.02, "thickness": 0.002}
    arm = strip()
    arm = arm.changed(links=(arm.links[0].changed(beam=arm.links[0].beam.changed(section=tube)),))
    lanes = HubBeams(arm)
    with pytest.raises(AnalysisError, match="suit each other"):
        lanes.numbers({"link[0].beam.section.thickness": np.array([0.002])})
    assert len(lanes.numbers({"link[0].length": np.array([0.5, 0.6])})["L"]) == 2
