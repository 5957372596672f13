"""Rubbish in, sentences out: whatever a file holds, the only exception is ModelError, and it reads well."""

from __future__ import annotations

import copy
import datetime
import math
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from flexarm.errors import LINES_SHOWN, FlexarmError, ModelError
from flexarm.model import Formulation, arm_from_dict, arm_schema, format_arm, parse_arm
from flexarm.model.laws.motion import MotionLaw
from flexarm.model.laws.torque import TorqueLaw

FUZZ = settings(
    max_examples=max(100, settings().max_examples),
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)
HERE = Path(__file__).parent
TEXTS = [
    path.read_text(encoding="utf-8")
    for path in (HERE / "every_key.toml", HERE.parents[1] / "examples/rod_handler.toml")
]


def keys_known(schema: Any) -> set[str]:
    """Every key of a schema, at any depth."""
    inner = list(schema.values()) if isinstance(schema, dict) else schema if isinstance(schema, list) else []
    here = set(schema.get("properties", {})) if isinstance(schema, dict) else set()
    return here | {key for entry in inner for key in keys_known(entry)}


KEYS = st.sampled_from(
    [*sorted(keys_known(arm_schema())), "links", "Link", "", "a b", "é", "kind=brake", "[key]", "x\ny"]
) | st.text(max_size=5)
WORDS = st.sampled_from(
    [
        "x",
        "-z",
        "base",
        "rod",
        "stop",
        "steel",
        "revolute",
        "fixed",
        "brake",
        "table",
        "circle",
        "tube",
        "classical",
        "auto",
        "link",
        "hermite",
        "timoshenko",
        "euler",
        "clamped",
        "prismatic",
        "linear",
        "628 rad/m",
        "3 N m/rad",
        "1 m",
        "-1 m",
        "1 kg",
        "90 deg",
        "1e999 m",
        "1e-999 m",
        "nan m",
        "1 furlong",
        "5 rad/s",
        "2 Hz",
        "1 m^",
        "50 %",
        "0",
    ]
)
NUMBERS = st.one_of(
    st.floats(), st.integers(-3, 10), st.sampled_from([0, -0.0, 1e300, 5e-324, 10**400, -(10**400), math.nan, math.inf])
)
ATOMS = st.one_of(NUMBERS, WORDS, st.text(max_size=8), st.booleans(), st.dates(), st.datetimes(), st.times())
TOML = st.recursive(
    ATOMS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=4), max_leaves=12
)
ODD = st.sampled_from(
    [
        None,
        b"bytes",
        object(),
        1j,
        Decimal("1.5"),
        Fraction(1, 3),
        np.array([1.0, 2.0, 3.0]),
        np.array(1.0),
        np.bool_(True),
        np.float32(2),
        np.eye(3),
        set(),
        range(3),
        datetime.date(2020, 1, 1),
        float,
        {1: 2},
        {None: {}},
        (1, 2, 3),
    ]
).map(copy.deepcopy)


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Every path into a nested model."""
    found = [path] if path else []
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, entry in inner:
        found += places(entry, (*path, key))
    return found


def holder(model: Any, path: tuple[Any, ...]) -> Any:
    for key in path[:-1]:
        model = model[key]
    return model


@st.composite
def mutated(draw: st.DrawFn, rubbish: st.SearchStrategy[Any]) -> dict[str, Any]:
    """A sound model with a few things removed, renamed, replaced or added."""
    import tomllib

    model = tomllib.loads(draw(st.sampled_from(TEXTS)))
    for _ in range(draw(st.integers(1, 4))):
        all_places = places(model)
        if not all_places:
            break
        path = draw(st.sampled_from(all_places))
        inside, key = holder(model, path), path[-1]
        action = draw(st.sampled_from(["replace", "replace", "remove", "rename", "add", "borrow"]))
        if action == "replace":
            inside[key] = draw(rubbish)
        elif action == "remove":
            del inside[key]
        elif action == "borrow":
            other = draw(st.sampled_from(all_places))
            inside[key] = copy.deepcopy(holder(model, other)[other[-1]])
        elif isinstance(inside, dict):
            value = inside.pop(key) if action == "rename" else draw(rubbish)
            inside[draw(KEYS)] = value
        else:
            inside.insert(0, draw(rubbish))
    return model


def assert_reads_well(error: ModelError, source: str) -> None:
    """Every line is one sentence that names the file and the place and shows nothing of the machinery."""
    lines = str(error).split("\n")
    # One line more reports how many mistakes are not shown.
    assert error.problems and len(lines) == min(len(error.problems), LINES_SHOWN + 1)
    for line, problem in zip(lines[:LINES_SHOWN], error.problems, strict=False):
        assert line.startswith(f"{source}: {problem.place}: ") and problem.place and problem.message
        assert line.isprintable(), line
        for word in ("pydantic", "function-", "kind=", "Traceback", "_called", "<class", "validator"):
            assert word not in line.replace('"kind=brake"', ""), line
        assert any(
            reported in problem.message
            for reported in (
                "must ",
                "not a key known",
                "not valid TOML",
                "cannot be",
                "allowed",
                "is not ",
                "has values",
            )
        ), line


def check(model: Any, source: str = "fuzz.toml") -> None:
    try:
        arm = arm_from_dict(model, source=source)
    except ModelError as error:
        assert_reads_well(error, source)
        return
    # What is accepted is sound: it can be written, read again and commanded.
    assert parse_arm(format_arm(arm)) == arm
    for link in arm.links:
        assert arm.motion_of(link) is None or np.isfinite(arm.motion_of(link).poly).all()  # type: ignore[union-attr]
        assert math.isfinite(link.joint.felt_inertia) and math.isfinite(link.joint.felt_friction)
        assert np.isfinite(link.joint.servo_gains() or (0.0, 0.0)).all()
        if link.beam is not None:
            link.beam.properties(0.5)


@given(mutated(TOML))
@FUZZ
def test_a_mutated_model_is_sound_or_refused(model: dict[str, Any]) -> None:
    check(model)


@given(mutated(ODD))
@FUZZ
def test_a_model_holding_foreign_objects_is_sound_or_refused(model: dict[str, Any]) -> None:
    check(model)


@given(st.dictionaries(KEYS, TOML, max_size=6))
@FUZZ
def test_an_arbitrary_table_is_refused(model: dict[str, Any]) -> None:
    check(model)


@given(st.dictionaries(st.sampled_from(["link", "load", "point", "motion", "torque", "material", "simulation"]), TOML))
@FUZZ
def test_arbitrary_values_under_the_outermost_keys_are_refused(model: dict[str, Any]) -> None:
    check(model)


# Tables that hold what belongs there more often than not, so that the checks between keys are reached.
LIKELY = {
    "sleeve": st.booleans(),
    "type": st.sampled_from(["revolute", "prismatic", "fixed"]),
    "axis": st.sampled_from(["x", "z"]),
    "at": st.sampled_from([0, 0.5, 1, 2, -1]),
    "zero": st.just(0.1),
    "motion": st.just("go"),
    "free": st.booleans(),
    "rotor_inertia": st.just(1),
    "formulation": st.sampled_from(["rigid-fe", "hencky", "timoshenko", "hermite", "modes", "my own"]),
    "elements": st.integers(0, 3),
    "freedoms": st.sampled_from(["bending", "classical", ["bending", "axial"], ["bending", "shear"], []]),
    "frames": st.sampled_from(["element", "link"]),
    "stiffening": st.booleans(),
    "theory": st.sampled_from(["timoshenko", "rayleigh", "euler"]),
    "integration": st.sampled_from(["reduced", "full"]),
    "grading": st.sampled_from([0.001, 0.01, 1, 100, 101]),
    "modes": st.integers(-1, 3),
    "reduction": st.sampled_from(["clamped", "craig-bampton"]),
}
SIZED = st.sampled_from([0, 1, 1e-50, 1e50, -1, "1 N m/rad", "1 N/m", "2 N m s/rad", "2 N s/m", "3 kg m^2", "3 kg"])


def tables(*keys: str) -> st.SearchStrategy[dict[str, Any]]:
    """Some of the keys, with a value each that may fit."""
    return st.fixed_dictionaries({}, optional={key: LIKELY.get(key, SIZED | ATOMS) for key in keys})


def some(*tables_of: str, words: tuple[str, ...] = ()) -> st.SearchStrategy[Any]:
    """A likely table, a word, or rubbish."""
    return tables(*tables_of) | (st.sampled_from(words) if words else st.nothing()) | ATOMS


@st.composite
def driven_links(draw: st.DrawFn) -> dict[str, Any]:
    """An arm of one link whose joint and model are made of likely keys."""
    joint = draw(tables("sleeve", "axis", "at", "zero", "motion", "free", "rotor_inertia"))
    joint["type"] = draw(LIKELY["type"])
    for key, table in {
        "servo": some("kp", "kv", "frequency", "inertia", "position_gain", "velocity_gain", words=("auto", "off")),
        "motor": some("inertia", "gear_ratio", "friction"),
        "gear": some("stiffness", "damping"),
    }.items():
        if draw(st.booleans()):
            joint[key] = draw(table)
    link: dict[str, Any] = {"name": "a", "length": 1, "joint": joint}
    link["beam"] = {"bending_stiffness": 1, "mass_per_length": 1}
    keys = [key for key in LIKELY if key in Formulation.model_fields]
    link |= draw(st.fixed_dictionaries({}, optional={"model": tables(*keys), "hub": st.just({"mass": 1})}))
    link |= draw(st.fixed_dictionaries({}, optional={"payload": st.just({"mass": 1, "at": 0.5})}))
    return {"link": [link], "motion": {"go": {"kind": "hold"}}}


@given(driven_links())
@settings(FUZZ, max_examples=3 * FUZZ.max_examples)
def test_drives_sleeves_and_formulations_are_sound_or_refused(model: dict[str, Any]) -> None:
    check(model)


@st.composite
def damaged(draw: st.DrawFn) -> str:
    """The text of a model file with characters lost, doubled or changed."""
    text = draw(st.sampled_from(TEXTS))
    for _ in range(draw(st.integers(1, 5))):
        at = draw(st.integers(0, len(text)))
        width = draw(st.integers(0, 12))
        text = text[:at] + draw(st.text(max_size=3) | st.sampled_from(list('[]{}="\n#.,-'))) + text[at + width :]
    return text


@given(damaged())
@FUZZ
def test_a_damaged_file_is_sound_or_refused(text: str) -> None:
    try:
        parse_arm(text, "damaged.toml")
    except ModelError as error:
        assert_reads_well(error, "damaged.toml")


@given(st.text(max_size=60))
@FUZZ
def test_arbitrary_text_is_refused(text: str) -> None:
    with pytest.raises(ModelError) as error:
        parse_arm(text, "noise.toml")
    assert_reads_well(error.value, "noise.toml")


SIZES = st.floats(1e-50, 1e50) | st.sampled_from([1e-50, 1e50, 1.0, 5e-324, 0.0])


@given(st.sampled_from([MotionLaw, TorqueLaw]), st.data())
@FUZZ
def test_laws_with_numbers_far_apart_are_refused_or_computed(family: Any, data: st.DataObject) -> None:
    member = data.draw(st.sampled_from(family.__subclasses__()))
    fields: dict[str, Any] = {}
    for name in member.model_fields:
        if name in ("times", "values", "coefficients"):
            fields[name] = data.draw(st.lists(SIZES, min_size=2, max_size=4))
        elif name not in ("kind", "unit", "units", "file", "ends", "interpolation", "back"):
            fields[name] = data.draw(SIZES)
    if member.model_fields["kind"].default == "sine":
        del fields["period"]
    try:
        law = member(**fields)
    except ModelError:
        return
    assert np.isfinite(law.pieces().poly).all()


@given(st.sampled_from(["circle", "tube", "rectangle", "box"]), st.lists(SIZES, min_size=3, max_size=3))
@FUZZ
def test_sections_of_any_size_are_refused_or_computed(shape: str, sizes: list[float]) -> None:
    from flexarm.model import Beam

    keys = {"circle": ["diameter"], "tube": ["diameter", "thickness"], "rectangle": ["width", "height"]}
    section = {"shape": shape} | dict(zip(keys.get(shape, ["width", "height", "thickness"]), sizes, strict=False))
    try:
        beam = Beam(section=section, material="steel")
    except FlexarmError:
        return
    p = beam.properties()
    assert all(
        value is not None and math.isfinite(value) and value >= 0 for value in (p.EA, p.EIy, p.EIz, p.GJ, p.GAy, p.jx)
    )
