"""Where samples in lanes begin: at rest in equilibrium, each lane for itself, or given up where there is none."""

from __future__ import annotations

import numpy as np
import pytest

import flexarm as fa
from flexarm.analyses.equilibrium import Forces
from flexarm.analyses.run.integrate import settings_of
from flexarm.analyses.run.lanes import by_eights, run_eight
from flexarm.assembly import compile_arm
from flexarm.assembly.stacked import StackedArms
from flexarm.core.numbers.lanes import LANES, lane_zeros
from flexarm.studies.execution.stacked import compile_batch

WEIGHT = 9.81 * 0.5  # N/m
MODELS = {
    "rigid-fe": '{ formulation = "rigid-fe", elements = 6 }',
    "hermite": '{ formulation = "hermite", elements = 3, theory = "euler" }',
    "modes": '{ formulation = "modes", modes = 3, theory = "euler" }',
}


def hanging(stiffness: str, *, at: str = "0 deg", model: str = "rigid-fe", planar: bool = True) -> fa.StudyModel:
    """A beam held at an angle in gravity, of random stiffness."""
    beam = f"bending_stiffness = {stiffness}, mass_per_length = 0.5"
    return fa.parse_study(
        f"""
name = "hanging beam"
planar = {str(planar).lower()}
gravity = [0, -9.81, 0]

[[link]]
name = "arm"
joint = {{ type = "revolute", axis = "z", motion = "hold" }}
length = "1 m"
beam = {{ {beam if planar else beam + ", torsional_stiffness = 50"} }}
model = {MODELS[model]}

[motion.hold]
kind = "polynomial"
coefficients = ["{at}"]

[simulation]
end = "10 ms"
start = "static"
""",
        name="hanging",
    )


def starts(study: fa.StudyModel, values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Coordinates (samples, nq) at t = 0, and which samples run."""
    arms = compile_batch(study, values)
    assert isinstance(arms, StackedArms)
    simulation = study.nominal.simulation
    found, fine = [], []
    for eight in by_eights(arms, np.arange(len(values))):
        runs = run_eight(eight, settings_of(simulation), simulation.start, np.array([0.0, simulation.end]))
        found.append(runs.q[0].T.copy())
        fine.append(runs.valid)
    return np.concatenate(found)[: len(values)], np.concatenate(fine)[: len(values)]


@pytest.mark.parametrize(
    ("model", "planar"), [("rigid-fe", True), ("hermite", True), ("modes", True), ("rigid-fe", False)]
)
def test_lanes_begin_where_no_force_is_left(model, planar):
    # sags of a fifth of the length at the softest: one tangent does not do
    study = hanging('{ uniform = ["2.5 N m^2", "100 N m^2"] }', model=model, planar=planar)
    values = study.draw(1, 0, LANES)
    q, fine = starts(study, values)
    assert fine.all()
    for row, begun in zip(values, q, strict=True):
        compiled = compile_arm(study.arm(row))
        forces, free, still = Forces(compiled, 0.0), compiled.free, np.zeros(len(begun))
        left = np.abs(forces.inverse(begun, still, still)[free]).max()
        weights = np.abs(forces.inverse(np.where(compiled.driven, begun, 0.0), still, still)[free]).max()
        assert left < 1e-9 * weights


def test_a_small_sag_is_that_of_the_beam_in_closed_form():
    study = hanging('{ uniform = ["400 N m^2", "800 N m^2"] }', model="hermite")
    values = study.draw(2, 0, LANES)
    arms = compile_batch(study, values)
    (eight,) = by_eights(arms, np.arange(LANES))
    simulation = study.nominal.simulation
    runs = run_eight(eight, settings_of(simulation), simulation.start, np.array([0.0]))
    tip = runs.see(full=False).position[0, -1, 1]
    np.testing.assert_allclose(tip, -WEIGHT / 8.0 / values[:, 0], rtol=1e-4)


def test_where_a_lane_begins_does_not_depend_on_the_others():
    study = hanging('{ uniform = ["2.5 N m^2", "100 N m^2"] }')
    values = study.draw(1, 0, 2 * LANES)
    whole, _ = starts(study, values)
    order = np.random.default_rng(1).permutation(len(values))
    mixed, _ = starts(study, values[order])
    assert mixed.tobytes() == whole[order].tobytes()
    assert starts(study, values[3:4])[0].tobytes() == whole[3:4].tobytes()


def test_masts_that_buckle_under_their_weight_are_given_up_and_the_others_stand():
    # q L³ = 7.837 EI: Greenhill's mast
    study = hanging('{ uniform = ["0.4 N m^2", "0.9 N m^2"] }', at="90 deg", model="hermite")
    values = np.linspace(0.4, 0.9, 2 * LANES)[:, None]
    q, fine = starts(study, values)
    np.testing.assert_array_equal(fine, 7.837 * values[:, 0] > WEIGHT)
    assert 0 < fine.sum() < len(fine)
    assert np.abs(q[fine, 1:]).max() < 1e-9


@pytest.mark.parametrize("shape", [(LANES,), (3, LANES), (5, 7, LANES), (0, LANES)])
def test_arrays_of_lanes_begin_where_a_line_of_the_cache_does(shape):
    for _ in range(4):
        array = lane_zeros(shape)
        assert array.shape == shape
        assert array.flags.c_contiguous and not array.any()
        assert array.size == 0 or array.ctypes.data % (8 * LANES) == 0
