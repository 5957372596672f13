"""Model files: read, written and described; a bad file raises ModelError and nothing else."""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

from pydantic import ValidationError

from flexarm.errors import ModelError, Problem
from flexarm.files import printable, write_whole
from flexarm.model.arm import Arm
from flexarm.model.curved import to_write_out, written_out
from flexarm.model.reading.distributions import (
    CORRELATION,
    DESIGN,
    DISTRIBUTION_SCHEMA,
    EXPERIMENT,
    OF_STUDIES,
    RANDOM,
    REQUIREMENT,
    refuse_distributions,
)
from flexarm.model.reading.hints import Hints
from flexarm.model.reading.messages import problems_in, shown
from flexarm.model.reading.text import part_to_dict, toml_text

# The place of the outermost keys of a model file.
TOP = "top level"
# The key that makes a file the elasticity table of a robot.
ROBOT = "robot"


@runtime_checkable
class Remarked(Protocol):
    """The raw model of a robot: it has remarks on the arm that is made of it, and knows its links by name."""

    def remarks_on(self, arm: Arm) -> tuple[str, ...]: ...

    def named(self, problem: Problem) -> Problem: ...


def read_arm(path: str | os.PathLike[str], elastic: str | os.PathLike[str] | Mapping[str, Any] | None = None) -> Arm:
    """The arm in a model file or in the description of a robot, checked and in SI units.

    Parameters
    ----------
    path
        A TOML file, a URDF or an MJCF; `ModelError` names every mistake in it with its place.
    elastic
        Of a robot's description: its elasticity table, a TOML file or the same as nested dictionaries.

    Returns
    -------
    Arm
        The arm, frozen; `arm.changed(…)` and `arm.with_(…)` give altered copies.

    Examples
    --------
    >>> import flexarm as fa
    >>> [link.name for link in fa.read_arm("rod_handler.toml").links]
    ['upper arm', 'forearm', 'rod']
    """
    text, source = text_of(path)
    if elastic is None:
        return parse_arm(text, source, folder=Path(path).parent)
    from flexarm.model.robot.files import elastic_table

    table, name, folder = elastic_table(text, source, Path(path).parent, elastic)
    return arm_from_dict(table, source=name, folder=folder)


def text_of(path: str | os.PathLike[str]) -> tuple[str, str]:
    """The text of a model file and the name by which messages call it."""
    source = _printable(os.fspath(path))
    try:
        data = Path(path).read_bytes()
    except FileNotFoundError:
        raise _refused(source, "the file", "was not found") from None
    except IsADirectoryError:
        raise _refused(source, "the file", "is a folder, must be a model file") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise _refused(source, "the file", f"cannot be read ({reason.lower()})") from None
    try:
        return data.decode("utf-8-sig"), source
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise _refused(source, f"line {line}", "is not UTF-8 text, must be a TOML file in UTF-8") from None


def parse_arm(text: str, name: str = "<text>", *, folder: str | os.PathLike[str] | None = None) -> Arm:
    """The arm in the text of a model file, checked and in SI units.

    Parameters
    ----------
    text
        TOML.
    name
        Stands for the file in messages.
    folder
        Where CSV files are looked for.

    Returns
    -------
    Arm
        The arm.

    Examples
    --------
    >>> import flexarm as fa
    >>> bar = "{name = 'bar', length = '1 m', joint = {type = 'revolute'}, rigid = {mass = '1 kg', inertia = 0.1}}"
    >>> fa.parse_arm(f"planar = true\\nlink = [{bar}]").reach
    1.0
    """
    return arm_from_dict(table_of(text, name, folder), source=name, folder=folder)


def table_of(text: str, name: str = "<text>", folder: str | os.PathLike[str] | None = None) -> dict[str, Any]:
    """The text of a model file as a nested dictionary, nothing of it checked yet; a robot with its links written out.

    The description a table names is looked for in the folder.
    """
    if not isinstance(text, str):
        raise _refused(name, "the text", f"is {shown(text)}, must be the text of a model file")
    if text.lstrip()[:1] == "<":
        from flexarm.model.robot.files import described

        return described(text, name, folder)
    table = toml_table(text, name)
    if ROBOT not in table:
        return written_out(table) if to_write_out(table) else table
    from flexarm.model.robot.files import robot_of_table

    return robot_of_table(table, name, folder)


def toml_table(text: str, name: str) -> dict[str, Any]:
    """The text of a TOML file as a nested dictionary."""
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise _refused(name, *_where(str(error), text)) from None
    except RecursionError:
        raise _refused(name, "the text", "is nested too deeply, must be a model file") from None
    except ValueError as error:
        raise _refused(name, "the text", f"is not TOML that can be read ({_one_line(str(error))})") from None


def arm_from_dict(
    data: Mapping[str, Any], *, source: str = "model", folder: str | os.PathLike[str] | None = None
) -> Arm:
    """The arm described by a nested dictionary with the keys of a model file."""
    if not isinstance(data, Mapping):
        raise _refused(source, TOP, f"the model is {shown(data)}, must be a table")
    try:
        refuse_distributions(data, source)
        drawn = {key: value for key, value in data.items() if key not in (REQUIREMENT, DESIGN, EXPERIMENT)}
        arm: Arm = Arm.__pydantic_validator__.validate_python(drawn, context={"folder": folder})
        if isinstance(data, Remarked):
            arm.__dict__["remarks"] = (*arm.remarks, *data.remarks_on(arm))
        return arm
    except ValidationError as error:
        problems = problems_in(error, Hints(Arm, OF_STUDIES), root=TOP)
        named = map(data.named, problems) if isinstance(data, Remarked) else problems
        raise ModelError(named, source=source) from None
    except RecursionError:
        raise _refused(source, TOP, "the model is nested too deeply, must be a table of values") from None


def arm_to_dict(arm: Arm) -> dict[str, Any]:
    """The arm as a nested dictionary with the keys of a model file; quantities are texts in SI units."""
    return part_to_dict(arm)


def format_arm(arm: Arm) -> str:
    """The arm as the text of a model file; parsing it gives the same arm to the last bit.

    Examples
    --------
    >>> import flexarm as fa
    >>> arm = fa.read_arm("rod_handler.toml")
    >>> fa.parse_arm(fa.format_arm(arm)) == arm
    True
    """
    return toml_text(arm_to_dict(arm))


def write_arm(arm: Arm, path: str | os.PathLike[str]) -> None:
    """Write the arm as a model file: completely, or not at all.

    Parameters
    ----------
    arm
        The arm.
    path
        The file, replaced if it is there.

    Examples
    --------
    >>> import tempfile, flexarm as fa
    >>> path = tempfile.mkdtemp() + "/arm.toml"
    >>> fa.write_arm(fa.read_arm("rod_handler.toml"), path)
    >>> fa.read_arm(path).name
    'planar arm stopping a steel rod'
    """
    write_whole(Path(path), format_arm(arm))


def arm_schema() -> dict[str, Any]:
    """The JSON Schema of a model file, for editors that complete and check as one types.

    Examples
    --------
    >>> import flexarm as fa
    >>> "link" in fa.arm_schema()["properties"]
    True
    """
    schema = Arm.model_json_schema(by_alias=True)
    for part in schema["$defs"].values():
        # The key that distinguishes one kind from another has a default in Python but is required in a file.
        tags = [key for key in ("kind", "shape") if "const" in part.get("properties", {}).get(key, {})]
        part["required"] = [*tags, *part.get("required", [])]
    for key in (RANDOM, CORRELATION):
        schema["properties"][key] = {"type": "object", "description": "read by a study alone"}
    schema["properties"][DESIGN] = {"type": "object", "description": "what is to be least, and which numbers are free"}
    tables = {"type": "array", "items": {"type": "object"}}
    schema["properties"][REQUIREMENT] = {**tables, "description": "what the arm must do; read by reliability alone"}
    schema["properties"][EXPERIMENT] = {**tables, "description": "how records were taken; read by identify alone"}
    # a robot's elasticity table names its links and joints instead of listing them
    named = {"type": "object", "additionalProperties": {"type": "object"}}
    schema["properties"] |= {
        ROBOT: {"type": "string", "description": "a URDF or MJCF file: this is the elasticity table of that robot"},
        "base": {"enum": ["fixed", "free"], "description": "of a robot; default: fixed"},
        "joint": {**named, "description": "of a robot, by name"},
        "link": {"anyOf": [schema["properties"]["link"], {**named, "description": "of a robot, by name"}]},
    }
    schema["required"] = [key for key in schema.get("required", []) if key != "link"]
    schema = _with_one_distribution(schema)
    schema["$defs"]["Distribution"] = DISTRIBUTION_SCHEMA
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema, "title": "flexarm model file"}


def _with_one_distribution(schema: Any) -> Any:
    # Every quantity may be one: defined once, it does not treble the schema.
    if schema == DISTRIBUTION_SCHEMA:
        return {"$ref": "#/$defs/Distribution"}
    if isinstance(schema, dict):
        return {key: _with_one_distribution(value) for key, value in schema.items()}
    return [_with_one_distribution(value) for value in schema] if isinstance(schema, list) else schema


def _refused(source: str, place: str, message: str) -> ModelError:
    return ModelError([Problem(place, message)], source=_printable(source))


def _where(message: str, text: str) -> tuple[str, str]:
    reason, _, place = message.partition(" (at ")
    reason = _one_line(reason)
    match = re.match(r"line (\d+), column (\d+)", place)
    where = f"line {match[1]}, column {match[2]}" if match else f"line {text.count(chr(10)) + 1}"
    return where, f"is not valid TOML: {reason[:1].lower()}{reason[1:]}"


def _one_line(text: str) -> str:
    return _printable(" ".join(text.split()))


def _printable(text: str) -> str:
    return printable(str(text)) or "model"
