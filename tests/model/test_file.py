"""Model files: exact round trips, complete writes, and files that are none."""

from __future__ import annotations

import json
import os
import struct
import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from flexarm.errors import FlexarmError, ModelError
from flexarm.model import Arm, arm_from_dict, arm_to_dict, format_arm, parse_arm, read_arm, write_arm
from flexarm.model.parts.part import Part

SIZE = st.floats(1e-9, 1e9)
ANY = st.floats(-1e9, 1e9)
NAME = st.text(alphabet=st.characters(categories=("L", "N", "P", "S")), min_size=1, max_size=12).filter("base".__ne__)
TRIPLE = st.lists(ANY, min_size=3, max_size=3)


def bits(value: Any) -> Any:
    """The value with every float replaced by its bits, to compare without the mercy of ==."""
    if isinstance(value, float):
        return struct.pack("<d", value)
    if isinstance(value, Part):
        return {name: bits(getattr(value, name)) for name in type(value).model_fields}
    if isinstance(value, tuple | list):
        return [bits(entry) for entry in value]
    if hasattr(value, "items"):
        return {key: bits(entry) for key, entry in value.items()}
    return value


@st.composite
def bodies(draw: st.DrawFn) -> dict[str, Any]:
    if draw(st.booleans()):
        inertia = draw(st.sampled_from(["three", "round"]))
        size = draw(SIZE)
        moments: Any = [size, size, size] if inertia == "three" else {"along": size, "across": size}
        return {"rigid": {"mass": draw(SIZE), "inertia": moments, "centre": draw(TRIPLE)}}
    if draw(st.booleans()):
        numbers: dict[str, Any] = {"bending_stiffness": draw(SIZE), "mass_per_length": draw(SIZE)}
        if draw(st.booleans()):
            numbers |= {"rotary_inertia": [draw(SIZE), draw(SIZE)], "end": {"mass_per_length": draw(SIZE)}}
        return {"beam": numbers, "damping": {"retardation": draw(SIZE)}}
    section = {"shape": "rectangle", "width": draw(SIZE), "height": draw(SIZE)}
    return {
        "beam": {"section": section, "material": draw(st.sampled_from(["steel", "brass"]))},
        "model": draw(st.just({"elements": 3}) | finite_elements()),
    }


def finite_elements() -> st.SearchStrategy[dict[str, Any]]:
    given = {"formulation": st.sampled_from(["hermite", "isoparametric"]), "frames": st.just("link")}
    free = {"grading": st.floats(0.01, 100), "stiffening": st.booleans(), "modes": st.integers(0, 9)}
    return st.fixed_dictionaries(given, optional=free | {"freedoms": st.just("axial"), "theory": st.just("euler")})


def servos() -> st.SearchStrategy[dict[str, Any]]:
    gains = st.fixed_dictionaries({"kp": SIZE, "kv": SIZE})
    design = st.fixed_dictionaries({"frequency": SIZE, "inertia": SIZE})
    more = {"feedforward": st.sampled_from(["none", "velocity", "gravity", "rigid"]), "torque_limit": SIZE}
    loops = {"position_gain": SIZE, "velocity_gain": SIZE}
    cascade = st.fixed_dictionaries(loops, optional=more | {"integral_time": SIZE})
    tuned = st.fixed_dictionaries({"tuning": st.just("auto")}, optional=more)
    return st.fixed_dictionaries({}, optional={"servo": st.just("auto") | gains | design | cascade | tuned})


def motors() -> st.SearchStrategy[dict[str, Any]]:
    # A ratio of 1 is the default of a revolute joint and must be written for a prismatic one.
    return st.fixed_dictionaries({"inertia": SIZE, "gear_ratio": SIZE | st.just(1.0)}, optional={"friction": SIZE})


def gears() -> st.SearchStrategy[dict[str, Any]]:
    return st.fixed_dictionaries({"stiffness": SIZE}, optional={"damping": SIZE})


@st.composite
def models(draw: st.DrawFn) -> dict[str, Any]:
    """Sound models with numbers that do not end after a few digits and names that need quotes."""
    names = draw(st.lists(NAME, min_size=1, max_size=3, unique=True))
    laws = draw(st.lists(NAME, min_size=1, max_size=2, unique=True))
    links = []
    for name in names:
        joint: dict[str, Any] = {"type": draw(st.sampled_from(["revolute", "prismatic"])), "at": draw(ANY)}
        if draw(st.booleans()):
            joint |= {"motion": draw(st.sampled_from(laws)), "rate": draw(ANY), "delay": draw(SIZE)}
            joint |= draw(servos())
        joint |= draw(st.fixed_dictionaries({}, optional={"motor": motors(), "gear": gears()}))
        joint |= {"axis": draw(TRIPLE.filter(any)), "offset": draw(TRIPLE), "rotation": draw(TRIPLE)}
        links.append({"name": name, "joint": joint, "length": draw(SIZE), **draw(bodies())})
    times = sorted(draw(st.sets(st.floats(0, 100), min_size=2, max_size=5)))
    return {
        "name": draw(NAME),
        "gravity": draw(TRIPLE),
        "link": links,
        "motion": {law: {"kind": "spin-up", "duration": draw(st.floats(0.1, 10)), "begin": draw(ANY)} for law in laws},
        "torque": {draw(NAME): {"kind": "table", "times": times, "values": times}},
        "simulation": {"end": draw(SIZE)},
    }


@given(models())
@settings(max_examples=max(60, settings().max_examples), suppress_health_check=[HealthCheck.too_slow], deadline=None)
def test_text_and_back_is_the_same_arm_to_the_bit(model: dict[str, Any]) -> None:
    arm = arm_from_dict(model)
    again = parse_arm(format_arm(arm))
    assert again == arm
    assert bits(again) == bits(arm)
    assert format_arm(again) == format_arm(arm)


def test_every_key_comes_back_to_the_bit(every_key_arm: Arm, tmp_path: Path) -> None:
    write_arm(every_key_arm, tmp_path / "arm.toml")
    again = read_arm(tmp_path / "arm.toml")
    assert bits(again) == bits(every_key_arm) and again == every_key_arm


def test_examples_come_back_to_the_bit(example: Path) -> None:
    arm = read_arm(example)
    assert bits(parse_arm(format_arm(arm))) == bits(arm)


def test_a_dictionary_is_plain_json_and_leads_back(every_key_arm: Arm) -> None:
    data = json.loads(json.dumps(arm_to_dict(every_key_arm)))
    assert arm_from_dict(data) == every_key_arm
    assert tomllib.loads(format_arm(every_key_arm)) == data


def test_quantities_are_written_with_si_units(every_key_arm: Arm) -> None:
    data = arm_to_dict(every_key_arm)
    assert data["link"][0]["length"] == "0.7 m"
    assert data["link"][0]["joint"]["rate"] == "0.7853981633974483 rad/s"
    assert data["link"][1]["joint"]["start_rate"] == "0.2 m/s"


def test_a_write_that_fails_leaves_the_old_file_and_no_litter(rod_handler_text: str, tmp_path: Path) -> None:
    arm = parse_arm(rod_handler_text)
    target = tmp_path / "arm.toml"
    target.mkdir()
    with pytest.raises(FlexarmError, match=r"arm\.toml: cannot be written"):
        write_arm(arm, target)
    with pytest.raises(FlexarmError, match="cannot be written"):
        write_arm(arm, tmp_path / "nowhere" / "arm.toml")
    assert os.listdir(tmp_path) == ["arm.toml"]


def test_a_write_replaces_the_old_file(rod_handler_text: str, tmp_path: Path) -> None:
    target = tmp_path / "arm.toml"
    target.write_text("old")
    write_arm(parse_arm(rod_handler_text), target)
    assert read_arm(target) == parse_arm(rod_handler_text)
    assert os.listdir(tmp_path) == ["arm.toml"]


def test_a_byte_order_mark_and_windows_line_ends_are_read(rod_handler_text: str, tmp_path: Path) -> None:
    target = tmp_path / "arm.toml"
    target.write_bytes(b"\xef\xbb\xbf" + rod_handler_text.replace("\n", "\r\n").encode())
    assert read_arm(target) == parse_arm(rod_handler_text)


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"", "top level: link is missing, must be given"),
        (b"\x7fELF\x02\xff\xfe", "line 1: is not UTF-8 text, must be a TOML file in UTF-8"),
        (b"a = 1\nb = 2\xff\n", "line 2: is not UTF-8 text"),
        (b"name = \n", "line 1, column 8: is not valid TOML: invalid value"),
        (b"name = 'a'\nname = 'b'", "line 2: is not valid TOML: cannot overwrite a value"),
        (b"gravity = [0, 0,\n", "line 2: is not valid TOML: invalid value"),
        (b"x = " + b"[" * 5000, "is nested too deeply"),
        (b"x = " + b"9" * 5000, "is not TOML that can be read"),
        (b"\x00", "line 1, column 1: is not valid TOML"),
    ],
)
def test_a_file_that_is_no_model_is_refused_with_its_line(tmp_path: Path, content: bytes, sentence: str) -> None:
    path = tmp_path / "bad.toml"
    path.write_bytes(content)
    with pytest.raises(ModelError) as error:
        read_arm(path)
    assert str(error.value).startswith(f"{path}: ")
    assert sentence in str(error.value)


def test_missing_files_folders_and_impossible_names_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"nowhere\.toml: the file: was not found"):
        read_arm(tmp_path / "nowhere.toml")
    with pytest.raises(ModelError, match="the file: is a folder, must be a model file"):
        read_arm(tmp_path)
    with pytest.raises(ModelError, match="the file: cannot be read"):
        read_arm("a\0b")


@pytest.mark.parametrize("value", [None, 5, "text", [1], b"bytes"])
def test_what_is_no_table_is_refused(value: Any) -> None:
    with pytest.raises(ModelError, match=r"model: top level: the model is .*, must be a table"):
        arm_from_dict(value)
