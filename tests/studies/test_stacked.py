"""Samples compiled at once have the arrays of their own arms; the oracle is the way of one arm after the other."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from flexarm.analyses.servo import with_servo_gains
from flexarm.assembly import CompiledArm, compile_arm
from flexarm.assembly.stacked import StackedArms
from flexarm.core.tree.elements import stepping_tree
from flexarm.core.tree.types import T_COUNT, T_DATA
from flexarm.studies.execution.stacked import compile_batch
from flexarm.studies.parameters.study_model import ImpossibleSample, StudyModel, parse_study

# Two links, a rigid one and a beam: random geometry, section, material, masses, hub, start, rates, law and gravity.
_ARM = """
name = "arm"
planar = {planar}
gravity = [0, {{ normal = ["-9.81 m/s^2", "0.01 m/s^2"] }}, 0]
[[link]]
name = "upper"
joint = {{ type = "revolute", axis = "z", at = {{ normal = ["90 deg", "1 deg"] }}, motion = "stop",
          rate = {{ normal = ["45 deg/s", "1 deg/s"] }}{joint} }}
length = "200 mm"
rigid = {{ mass = {{ normal = ["0.63 kg", "10 g"] }}, inertia = {inertia} }}
tip_offset = [{{ normal = ["1 mm", "0.1 mm"] }}, 0, 0]
tip_rotation = [0, 0, {{ normal = ["1 deg", "0.1 deg"] }}]
[[link]]
name = "rod"
joint = {{ type = "revolute", axis = "{axis}", at = "-90 deg", motion = "stop", rate = "90 deg/s",
          offset = [0, {{ normal = ["1 mm", "0.1 mm"] }}, 0] }}
length = {{ normal = ["1 m", "5 mm"] }}
beam = {{ section = {{ shape = {shape} }}, material = "own"{end} }}
model = {{ {model} }}
damping = {{ {damping} }}
hub = {{ radius = {{ normal = ["10 mm", "1 mm"] }}, mass = "0.1 kg", inertia = 1e-4 }}
payload = {{ mass = {{ normal = ["0.3 kg", "10 g"] }}, inertia = {inertia},
            offset = [{{ normal = ["10 mm", "1 mm"] }}, 0, 0] }}
[motion.stop]
kind = "brake"
travel_time = "1.25 s"
braking_time = {{ normal = ["0.5 s", "5 ms"] }}
[material.own]
youngs_modulus = {{ normal = ["210 GPa", "5 GPa"] }}
density = {{ normal = ["7850 kg/m^3", "10 kg/m^3"] }}
poisson = {{ normal = [0.3, 0.003] }}
{more}
[simulation]
end = "2 s"
{simulation}
"""
_RECTANGLE = '"rectangle", width = { normal = ["20 mm", "0.1 mm"] }, height = "12 mm"'
_TUBE = '"tube", diameter = { normal = ["20 mm", "0.1 mm"] }, thickness = { normal = ["2 mm", "0.01 mm"] }'
_BOX = '"box", width = { normal = ["20 mm", "0.1 mm"] }, height = "15 mm", thickness = "2 mm"'
_PUSHED = """
[[load]]
link = "rod"
at = { normal = ["0.53 m", "1 mm"] }
force = [{ normal = ["1 N", "0.1 N"] }, 0, 0]
law = "push"
[torque.push]
kind = "sine"
amplitude = { normal = [1.0, 0.1] }
frequency = { normal = ["2 Hz", "0.1 Hz"] }
[[point]]
name = "middle"
link = "rod"
at = { normal = ["0.43 m", "1 mm"] }
"""
_DRIVEN = """, servo = { kp = { normal = ["1e4 N m/rad", "10 N m/rad"] }, kv = "100 N m s/rad" },
          motor = { inertia = "1e-5 kg m^2", gear_ratio = { normal = [100, 1] } },
          gear = { stiffness = { normal = ["1e5 N m/rad", "1e3 N m/rad"] } }"""
_HUB = """
name = "hub"
planar = true
gravity = [0, 0, 0]
[[link]]
name = "rod"
joint = {{ type = "revolute", axis = "z", torque = "push" }}
length = {{ normal = ["1 m", "5 mm"] }}
beam = {{ bending_stiffness = {{ normal = ["1500 N m^2", "10 N m^2"] }}, mass_per_length = "3 kg/m" }}
model = {{ {model} }}
damping = {{ ratio = {{ normal = [0.02, 1e-3] }} }}
hub = {{ radius = {{ normal = ["10 mm", "1 mm"] }}, inertia = 0.1 }}
payload = {{ mass = {{ normal = ["0.3 kg", "10 g"] }}, inertia = 1e-3 }}
[torque.push]
kind = "bang-bang"
amplitude = {{ normal = ["1 N m", "0.1 N m"] }}
duration = {{ normal = ["1 s", "10 ms"] }}
[simulation]
end = "2 s"
"""
# Sums in another order alone; then eigenvectors, which rounding moves by their distance from one another, and inverses;
# then eigenvectors of a mesh, whose highest frequencies are thousands of times the lowest.
_SUMS, _MODES, _REDUCED = 1e-14, 1e-12, 1e-10


def _text(model: str, **given: Any) -> str:
    planar = given.pop("planar", True)
    fields = {
        "planar": str(planar).lower(),
        "axis": "z" if planar else "y",
        "inertia": "6e-4" if planar else "[6e-4, 6e-4, 5e-4]",
        "shape": _RECTANGLE,
        "damping": 'retardation = { uniform = ["50 us", "70 us"] }',
        **dict.fromkeys(("joint", "end", "more", "simulation"), ""),
        **given,
    }
    # an inline table of TOML stands on one line
    return re.sub(r",\n +", ", ", _ARM.format(model=model, **fields))


def _element(word: str, elements: int = 3) -> str:
    return f'formulation = "{word}", elements = {elements}'


_LINK = ', frames = "link"'
_CASES: dict[str, tuple[str, float]] = {
    "rigid-fe": (_text(_element("rigid-fe", 5)), 0.0),
    # powers of arrays and of single numbers may differ by a unit in the last place, what is made of two of them by two
    "rigid-fe in space": (_text(_element("rigid-fe", 4), planar=False), 2.0**-51),
    "rigid-fe, classical, a tapered tube": (
        _text(
            _element("rigid-fe") + ', freedoms = "classical"',
            shape=_TUBE,
            end=", end = { section = { diameter = 0.015 } }",
        ),
        0.0,
    ),
    "rigid-fe, classical, a box in space": (
        _text(_element("rigid-fe") + ', freedoms = "classical"', shape=_BOX, planar=False),
        0.0,
    ),
    "rigid-fe, damping ratio": (_text(_element("rigid-fe"), damping="ratio = { normal = [0.02, 1e-3] }"), _SUMS),
    "rigid-fe, loads and points": (_text(_element("rigid-fe"), more=_PUSHED), 0.0),
    "rigid-fe, servo, motor and gear": (_text(_element("rigid-fe"), joint=_DRIVEN), 0.0),
    "hencky": (_text(_element("hencky")), _SUMS),
    "hencky in space": (_text(_element("hencky"), planar=False), _SUMS),
    "timoshenko": (_text(_element("timoshenko")), _SUMS),
    "hermite": (_text(_element("hermite")), _SUMS),
    "hermite in space, loads and points": (_text(_element("hermite"), planar=False, more=_PUSHED), _SUMS),
    "hermite, tapered, graded, damping ratio": (
        _text(
            _element("hermite") + ", grading = { normal = [2.0, 0.01] }",
            end=", end = { section = { width = 0.01 } }",
            damping="ratio = 0.02, mode = 2",
        ),
        _SUMS,
    ),
    "isoparametric": (_text(_element("isoparametric", 2)), _SUMS),
    "isoparametric in space": (_text(_element("isoparametric", 2), planar=False), _SUMS),
    "hermite, one frame": (_text(_element("hermite") + _LINK), _SUMS),
    "hermite, one frame, reduced": (_text(_element("hermite") + _LINK + ", modes = 4"), _REDUCED),
    "timoshenko in space, clamped modes": (
        _text(_element("timoshenko") + _LINK + ', modes = 4, reduction = "clamped"', planar=False),
        _REDUCED,
    ),
    "modes": (_text('formulation = "modes", modes = 2'), _MODES),
    "modes in space": (_text('formulation = "modes", modes = 2', planar=False), _MODES),
    "modes with what they carry": (_text('formulation = "modes", modes = 2, shapes = "payload"'), _MODES),
    "modes as printed": (_HUB.format(model='formulation = "modes", modes = 2, order = "printed"'), _MODES),
    "modes, pinned": (_HUB.format(model='formulation = "modes", modes = 2, shapes = "pinned"'), _MODES),
    "modes, listed": (
        _HUB.format(model='formulation = "modes", shapes = [{ polynomial = [0, 0, 3, { normal = [-1.0, 0.01] }] }]'),
        _SUMS,
    ),
    "hencky as printed": (_HUB.format(model='formulation = "hencky", elements = 2, kinematics = "printed"'), _MODES),
}


def _arrays(compiled: CompiledArm | StackedArms, tree: Any) -> Iterator[tuple[str, Any]]:
    for part in (tree, compiled.loads, compiled.laws, compiled.commands):
        for name, array in zip(part._fields, part, strict=True):
            yield f"{type(part).__name__}.{name}", array
    for name in ("start", "start_rate", "point_place", "point_in_plane", "reach"):
        yield name, np.asarray(getattr(compiled, name))


def _scales(name: str, tree: Any, array: np.ndarray) -> np.ndarray:
    """What the rounding of each entry is a part of: of a flexible body the largest entry of its vector or matrix."""
    scales = np.abs(array)
    if name.endswith(".attachment"):
        # places, slopes and what is drawn in: numbers of one size
        return np.full_like(scales, scales.max(initial=0.0))
    if not name.endswith(".elastic"):
        return scales
    planar = hasattr(tree, "plane")
    for row in tree.topology[1:]:
        n, at = int(row[T_COUNT]), int(row[T_DATA])
        if n:
            vectors, matrices, together = (4, 6, 0) if planar else (9, 3, 10)
            for size in [n] * vectors + [n * n] * matrices:
                scales[at : at + size] = scales[at : at + size].max()
                at += size
            if together:
                own = scales[at : at + together * n * n].reshape(n * n, together)
                own[:] = own.max(axis=0)
                at += together * n * n
                if array[at] != 0.0:
                    # products of the coordinates: a vector, then five matrices side by side
                    scales[at + 1 : at + 1 + n] = scales[at + 1 : at + 1 + n].max()
                    own = scales[at + 1 + n : at + 1 + n + 5 * n * n].reshape(n * n, 5)
                    own[:] = own.max(axis=0)
    return scales


def _assert_equal(study: StudyModel, rows: np.ndarray, stacked: StackedArms, tolerance: float) -> None:
    for k, row in enumerate(rows):
        compiled = compile_arm(with_servo_gains(study.arm(row)))
        tree = stepping_tree(compiled.tree, compiled.loads)
        assert type(stacked.tree) is type(tree) and type(stacked.plain_tree) is type(compiled.tree)
        for (name, one), (_, many) in zip(_arrays(compiled, tree), _arrays(stacked, stacked.tree), strict=True):
            if one.dtype.kind != "f":
                np.testing.assert_array_equal(many, one, err_msg=name)
                continue
            assert many[k].shape == one.shape, name
            endless = np.isinf(one)  # limits that drives do not have
            np.testing.assert_array_equal(many[k][endless], one[endless], err_msg=name)
            apart = np.abs(np.where(endless, 0.0, many[k]) - np.where(endless, 0.0, one))
            worst = np.max(apart - tolerance * _scales(name, tree, np.where(endless, 0.0, one)), initial=-1.0)
            assert worst <= 0.0, f"{name} is off by {worst}"


def _stacked(text: str, count: int) -> tuple[StudyModel, np.ndarray, StackedArms]:
    study = parse_study(text, "study")
    rows = study.draw(3, 0, count)
    stacked = compile_batch(study, rows)
    assert stacked, stacked
    return study, rows, stacked


@pytest.mark.parametrize("case", _CASES)
def test_a_samples_arrays_are_those_of_its_own_arm(case: str) -> None:
    text, tolerance = _CASES[case]
    study, rows, stacked = _stacked(text, 3)
    assert stacked.valid.all()
    _assert_equal(study, rows, stacked, tolerance)
    assert stacked.nominal.coordinate_names == compile_arm(with_servo_gains(study.nominal)).coordinate_names


@pytest.mark.parametrize("case", ["rigid-fe", "hermite", "hermite, one frame, reduced", "modes"])
def test_a_sample_has_the_same_bits_whichever_samples_stand_beside_it(
    case: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    # three blocks, so that they are put together too
    monkeypatch.setattr("flexarm.studies.execution.stacked._MOST", 64)
    monkeypatch.setattr("flexarm.studies.execution.stacked._WITH_SHAPES", 64)
    study, rows, many = _stacked(_CASES[case][0], 150)
    one = compile_batch(study, rows[70:71])
    assert one
    for (name, alone), (_, among) in zip(_arrays(one, one.tree), _arrays(many, many.tree), strict=True):
        expected = among[70:71] if among.dtype.kind == "f" else among
        np.testing.assert_array_equal(alone, expected, err_msg=name)


def test_a_servo_left_to_the_system_is_tuned_for_the_nominal_arm() -> None:
    from flexarm.studies.execution.evaluate import Evaluator, Task, evaluate_sample

    text = _text(_element("rigid-fe"), joint=', servo = "auto"')
    found = Evaluator(Task(text, None, None))
    # its motion is random: a torque fed forward along it is another law for every sample
    assert "arm by arm" in (found.reason or "")
    study, means = found.study, np.array([parameter.mean for parameter in found.study.parameters])
    own = compile_arm(with_servo_gains(study.arm(means)))
    row, status, reason = evaluate_sample(study, found.plan, means)
    assert status == "ok" and row is not None, reason
    # no drive knows by how much its own arm is off: the gains of a heavier sample are those of the nominal arm
    from flexarm.studies.execution.known_arm import known_arm

    known = known_arm(study)
    assert known is not None
    np.testing.assert_allclose(known.commands.servo_gain, own.commands.servo_gain, rtol=1e-9)


def test_a_sample_that_is_refused_is_marked_and_the_others_stay_right() -> None:
    study, rows, _ = _stacked(_CASES["rigid-fe"][0], 5)
    width = study.names.index("link[1].beam.section.width")
    rows[1, width], rows[3, 0] = -0.02, np.nan
    with pytest.raises(ImpossibleSample, match="width"):
        study.arm(rows[1])
    stacked = compile_batch(study, rows)
    assert stacked and stacked.valid.tolist() == [True, False, True, False, True]
    _assert_equal(study, rows[::2], _only(stacked, slice(0, None, 2)), 0.0)


def _only(stacked: StackedArms, chosen: slice) -> StackedArms:
    from dataclasses import fields, replace

    def cut(value: Any) -> Any:
        if isinstance(value, tuple):
            return type(value)(*(cut(array) for array in value))
        return value[chosen] if value.dtype.kind == "f" else value

    names = [field.name for field in fields(stacked) if field.name not in ("nominal", "given_start", "valid")]
    return replace(stacked, valid=stacked.valid[chosen], **{name: cut(getattr(stacked, name)) for name in names})


def test_samples_whose_points_stand_on_other_bodies_are_marked() -> None:
    # a third of the way along is where the second of three springs begins to bear the middle piece
    text = _text(_element("rigid-fe"), more=_PUSHED.replace('["0.43 m", "1 mm"]', '["0.5 m", "20 mm"]'))
    study, rows, stacked = _stacked(text, 20)
    bodies = [compile_arm(study.arm(row)).point_body[1] for row in rows]
    reference = stacked.nominal.point_body[1]
    assert stacked.valid.tolist() == [body == reference for body in bodies]
    assert 0 < stacked.valid.sum() < 20


def test_two_commands_with_one_mean_keep_their_own_switches_in_either_order() -> None:
    law = '[motion.other]\nkind = "brake"\ntravel_time = "1.25 s"\nbraking_time = { normal = ["0.5 s", "5 ms"] }\n'
    text = _text(_element("rigid-fe"), more=law).replace('"-90 deg", motion = "stop"', '"-90 deg", motion = "other"')
    study, rows, stacked = _stacked(text, 8)
    first, second = (study.names.index(f"motion.{name}.braking_time") for name in ("stop", "other"))
    assert len({bool(row[first] < row[second]) for row in rows}) == 2
    assert stacked.valid.all()
    _assert_equal(study, rows, stacked, 0.0)


def test_a_random_start_comes_by_the_names_of_its_coordinates() -> None:
    start = 'start = { "rod.bending_z1" = { normal = ["1 mrad", "0.1 mrad"] } }'
    study, rows, stacked = _stacked(_text(_element("rigid-fe"), simulation=start), 4)
    (name,) = stacked.given_start
    assert name == "rod.bending_z1"
    expected = [study.arm(row).simulation.start[name] for row in rows]  # type: ignore[index]
    assert stacked.given_start[name].tolist() == expected


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (_text(_element("rigid-fe"), simulation='tolerance = { uniform = ["1 um", "2 um"] }'), "simulation.tolerance"),
        (
            """
            planar = true
            [[link]]
            name = "rod"
            joint = { type = "prismatic", axis = "x", sleeve = true, at = "0.5 m" }
            length = { normal = ["1 m", "5 mm"] }
            beam = { bending_stiffness = "1500 N m^2", mass_per_length = "3 kg/m" }
            model = { formulation = "hermite", elements = 2 }
            [simulation]
            end = "1 s"
            """,
            "a batch of numbers",
        ),
    ],
)
def test_what_cannot_be_done_at_once_is_said_and_left_to_the_way_one_by_one(text: str, reason: str) -> None:
    study = parse_study(text, "study")
    found = compile_batch(study, study.draw(1, 0, 3))
    assert not found
    assert reason in found.reason  # type: ignore[union-attr]


def test_no_samples_are_no_arms() -> None:
    study = parse_study(_CASES["rigid-fe"][0], "study")
    stacked = compile_batch(study, np.zeros((0, len(study.parameters))))
    assert stacked and len(stacked) == 0
