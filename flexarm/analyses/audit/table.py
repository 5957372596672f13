"""The elasticity table of what an audit estimated."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from flexarm.model.reading.text import toml_text
from flexarm.results.audit import Audit


def table_text(found: Audit, robot: str, target: str) -> str:
    """The text of the table, which names the robot as seen from where the table is to stand."""
    name = Path(os.path.relpath(robot, Path(target).parent)).as_posix()
    table: dict[str, Any] = {"robot": name} | {key: value for key, value in found.tables.items() if value}
    head = f"# Estimated by flexarm audit: {found.assumed}.\n"
    return head + toml_text(_plain(table))


def _plain(value: Any) -> Any:
    return {key: _plain(entry) for key, entry in value.items()} if isinstance(value, Mapping) else value
