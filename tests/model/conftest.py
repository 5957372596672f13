"""Model files the tests of the model start from."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from flexarm.model import Arm, read_arm

HERE = Path(__file__).parent
EXAMPLES = HERE.parent.parent / "examples"


@pytest.fixture(scope="session")
def every_key_path() -> Path:
    return HERE / "every_key.toml"


@pytest.fixture(scope="session")
def every_key(every_key_path: Path) -> dict[str, Any]:
    return tomllib.loads(every_key_path.read_text(encoding="utf-8"))


@pytest.fixture(scope="session")
def every_key_arm(every_key_path: Path) -> Arm:
    return read_arm(every_key_path)


@pytest.fixture(scope="session")
def rod_handler_text() -> str:
    return (EXAMPLES / "rod_handler.toml").read_text(encoding="utf-8")


@pytest.fixture(scope="session", params=["rod_handler.toml", "spatial_rod.toml"])
def example(request: pytest.FixtureRequest) -> Path:
    return EXAMPLES / str(request.param)
