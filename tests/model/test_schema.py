"""The schema accepts what the reader accepts, and the reference page names every key."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

from flexarm.model import Arm, arm_from_dict, arm_schema, arm_to_dict, format_arm, library_names, parse_arm
from flexarm.model.reading.units import UNITS
from flexarm.studies.parameters.study_model import parse_study

ROOT = Path(__file__).parents[2]
SCHEMA = arm_schema()
EXAMPLE = re.compile(r"```toml\n(.*?)```", re.DOTALL)


def accepts(schema: dict[str, Any], value: Any) -> bool:
    """True if the value meets the schema; the few words of JSON Schema that ours uses."""
    if "$ref" in schema:
        return accepts(SCHEMA["$defs"][schema["$ref"].rpartition("/")[2]], value)
    if "anyOf" in schema:
        return any(accepts(option, value) for option in schema["anyOf"])
    if "oneOf" in schema:
        return sum(accepts(option, value) for option in schema["oneOf"]) == 1
    if "enum" in schema:
        return value in schema["enum"]
    if "const" in schema:
        return bool(value == schema["const"])
    kinds = {"number": (int, float), "integer": int, "string": str, "boolean": bool, "object": dict, "array": list}
    kind = schema.get("type")
    wanted = kind if isinstance(kind, list) else [kind]
    if kind is not None and not any(name == "null" or isinstance(value, kinds[name]) for name in wanted):
        return False
    if isinstance(value, dict):
        known, more = schema.get("properties", {}), schema.get("additionalProperties", True)
        if any(key not in value for key in schema.get("required", [])):
            return False
        if more is False and any(key not in known for key in value):
            return False
        rest = more if isinstance(more, dict) else {}
        return all(accepts(known.get(key, rest), entry) for key, entry in value.items())
    if isinstance(value, list):
        if not schema.get("minItems", 0) <= len(value) <= schema.get("maxItems", len(value)):
            return False
        return all(accepts(schema.get("items", {}), entry) for entry in value)
    if isinstance(value, int | float):
        above, least, most = (schema.get(key) for key in ("exclusiveMinimum", "minimum", "maximum"))
        inside = (above is None or value > above) and (least is None or value >= least)
        return inside and (most is None or value <= most)
    return True


def keys(schema: Any) -> set[str]:
    """Every key the schema knows, at any depth."""
    if isinstance(schema, list):
        return {key for entry in schema for key in keys(entry)}
    if not isinstance(schema, dict):
        return set()
    return set(schema.get("properties", {})) | {key for entry in schema.values() for key in keys(entry)}


def used(value: Any) -> set[str]:
    """Every key in a nested table."""
    if isinstance(value, dict):
        return set(value) | {key for entry in value.values() for key in used(entry)}
    return {key for entry in value for key in used(entry)} if isinstance(value, list) else set()


def test_the_schema_is_json() -> None:
    assert json.loads(json.dumps(SCHEMA)) == SCHEMA
    assert SCHEMA["$schema"].startswith("https://json-schema.org/")


def test_the_schema_accepts_every_key_and_the_examples(
    every_key: dict[str, Any], every_key_arm: Arm, example: Path
) -> None:
    assert accepts(SCHEMA, every_key)
    assert accepts(SCHEMA, arm_to_dict(every_key_arm))
    assert accepts(SCHEMA, tomllib.loads(example.read_text(encoding="utf-8")))


@pytest.mark.parametrize(
    "change",
    [{"planar": "yes"}, {"xyz": 1}, {"link": 5}, {"motion": {"a": {"kind": "wobble"}}}, {"simulation": {"end": -1}}],
)
def test_the_schema_refuses_what_the_reader_refuses(every_key: dict[str, Any], change: dict[str, Any]) -> None:
    assert not accepts(SCHEMA, {**every_key, **change})


def test_the_model_of_the_tests_holds_every_key(every_key: dict[str, Any]) -> None:
    # Columns read from a file, distributions, requirements, designs, experiments and robots have tests of their own.
    apart = {"file", "units", "random", "correlation", "requirement", "design", "experiment", "robot", "base"}
    assert keys(SCHEMA) - used(every_key) == apart


def test_the_reference_page_names_every_key_kind_unit_and_material() -> None:
    page = (ROOT / "docs" / "model.md").read_text(encoding="utf-8")
    words = set(re.findall(r"`([^`]+)`", EXAMPLE.sub("", page)))
    kinds = {
        str(part["properties"][key]["const"])
        for part in SCHEMA["$defs"].values()
        for key in ("kind", "shape")
        if "const" in part.get("properties", {}).get(key, {})
    }
    assert keys(SCHEMA) - words == set()
    assert kinds - words == set()
    assert set(UNITS) - words == set()
    assert set(library_names()) - words == set()


def test_every_default_on_the_reference_page_is_the_one_in_use() -> None:
    page = (ROOT / "docs" / "model.md").read_text(encoding="utf-8")
    for key, default in {
        "tolerance": "1e-6 m",
        "spectral_radius": "0.8",
        "max_steps": "1 000 000",
        "elements": "10",
        "formulation": '"hermite"',
        "frames": '"element"',
        "stiffening": "`true`",
        "integration": '"reduced"',
        "grading": "1",
        "modes": "0",
        "reduction": '"craig-bampton"',
        "shapes": '"payload"',
        "order": '"second"',
        "kinematics": '"finite"',
        "gear_ratio": "1",
        "analysis": '"nonlinear"',
    }.items():
        row = next(line for line in page.splitlines() if line.startswith(f"| `{key}`"))
        assert default in row


BODY = {"mass": 1, "inertia": [1, 1, 1]}
BEAM = {"material": "steel", "section": {"shape": "circle", "diameter": "20 mm"}}


def linked(name: str, joint: str = "revolute", **body: Any) -> dict[str, Any]:
    """A link of the table that an example leans on."""
    return {"name": name, "joint": {"type": joint}, "length": "2 m", **body}


@pytest.mark.parametrize("text", EXAMPLE.findall((ROOT / "docs" / "model.md").read_text(encoding="utf-8")))
def test_every_example_on_the_reference_page_is_sound(text: str) -> None:
    model = tomllib.loads(text)
    # Each shows one table; what it leans on is added here.
    model.setdefault("link", [linked("a", "fixed", rigid=BODY), linked("boom", beam=BEAM), linked("rod", rigid=BODY)])
    model.setdefault("motion", {"swing": {"kind": "hold"}})
    if "sensor" in model:
        model.setdefault("gauge", [{"name": "root", "link": "boom"}])
    assert accepts(SCHEMA, model)
    if "random" in model:
        assert parse_study(text).nominal.name == "arm"
        return
    arm = arm_from_dict(model)
    assert parse_arm(format_arm(arm)) == arm


@pytest.mark.parametrize(
    ("key", "value", "sound"),
    [
        ("servo", "auto", True),
        ("servo", {"kp": "1 N m/rad", "kv": 2}, True),
        ("servo", "off", False),
        ("servo", {"ki": 1}, False),
        ("motor", {"inertia": 1}, True),
        ("motor", {"gear_ratio": 2}, False),
        ("gear", {"stiffness": 0}, False),
        ("sleeve", "yes", False),
    ],
)
def test_the_schema_knows_the_drives_of_a_joint(key: str, value: Any, sound: bool) -> None:
    joint = {"type": "revolute", "motion": "go", key: value}
    model = {"link": [{"name": "a", "joint": joint, "rigid": {"mass": 1, "inertia": [1, 1, 1]}}]}
    assert accepts(SCHEMA, {**model, "motion": {"go": {"kind": "hold"}}}) is sound
