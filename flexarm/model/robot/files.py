"""Descriptions of robots found and read: URDF by ourselves, MJCF by MuJoCo."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from flexarm.errors import ModelError, Problem
from flexarm.model.reading.messages import shown
from flexarm.model.robot.description import Robot
from flexarm.model.robot.table import ROBOT, RobotTable, table_of_robot
from flexarm.model.robot.urdf import read_urdf
from flexarm.model.robot.xml import parse_xml

Folder = str | os.PathLike[str] | None


def read_robot(path: str | os.PathLike[str]) -> Robot:
    """The robot in a description, as it stands there."""
    from flexarm.model.reading.file import text_of

    text, source = text_of(path)
    return robot_in(text, source, Path(path).parent)


def robot_in(text: str, source: str, folder: Folder) -> Robot:
    """The robot in the text of a description; MJCF looks for its files in the folder."""
    root = parse_xml(text, source)
    if root.tag == "mujoco":
        from flexarm.model.robot.mjcf import read_mjcf

        return read_mjcf(text, source, folder)
    return read_urdf(root, source)


def described(text: str, source: str, folder: Folder) -> RobotTable:
    """The raw model of a robot without a table: rigid links, fixed base."""
    return table_of_robot(robot_in(text, source, folder), {}, source)


def robot_of_table(table: Mapping[str, Any], source: str, folder: Folder) -> RobotTable:
    """The raw model of the robot that an elasticity table names."""
    name = table[ROBOT]
    if not isinstance(name, str) or not name:
        message = f"robot is {shown(name)}, must be the name of a URDF or MJCF file"
        raise ModelError([Problem("top level", message)], source=source)
    path = Path(folder or ".") / name
    try:
        robot = read_robot(path)
    except ModelError as error:
        if not path.is_file():
            message = f"robot is {shown(name)}, which was not found next to this file"
            raise ModelError([Problem("top level", message)], source=source) from None
        raise error
    return table_of_robot(robot, table, source)


def elastic_table(
    text: str, source: str, folder: Path, elastic: str | os.PathLike[str] | Mapping[str, Any]
) -> tuple[RobotTable, str, Path]:
    """The raw model of a description with a table of its own, the name for messages and the folder of further files."""
    from flexarm.model.reading.file import text_of, toml_table

    if text.lstrip()[:1] != "<":
        message = "is not the description of a robot, must be URDF or MJCF where an elasticity table is given"
        raise ModelError([Problem("the file", message)], source=source)
    robot = robot_in(text, source, folder)
    if isinstance(elastic, Mapping):
        return table_of_robot(robot, elastic, source), source, folder
    words, name = text_of(elastic)
    return table_of_robot(robot, toml_table(words, name), name), name, Path(elastic).parent
