"""Model files of the papers, and the changes their cases make to them."""

from __future__ import annotations

from importlib import resources
from typing import Any

from flexarm.model import Arm, parse_arm


def paper_text(name: str) -> str:
    """The text of a model file in this folder."""
    return resources.files("flexarm.papers").joinpath(name).read_text(encoding="utf-8")


def paper_arm(name: str) -> Arm:
    """The arm of such a file."""
    return parse_arm(paper_text(name), name=name)


def with_model(arm: Arm, **changes: Any) -> Arm:
    """The arm with every beam modelled otherwise."""
    links = tuple(
        link.changed(model=link.formulation.changed(**changes)) if link.beam is not None else link for link in arm.links
    )
    return arm.changed(links=links)
