"""An arm as the engine sees it: trees, laws and commands, and a name for every coordinate and point."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from flexarm.assembly.bodies import FlexibleSpan, StationPlace
from flexarm.assembly.closures import ArmClosures
from flexarm.core.tree.types import S_DRIVEN, Commands, Floats, Ints, Laws, Loads, SpatialFlexTree, SpatialTree, Tree
from flexarm.links.base import Direction
from flexarm.model import Arm, Pieces


class ObservedPoint(NamedTuple):
    """A point to be observed, as the model's `Point` has it."""

    name: str
    link: str
    at: float | None  # m along the link; None: its tip
    offset: tuple[float, float, float]


@dataclass(frozen=True, eq=False)
class CompiledArm:
    """An arm ready for the engine. Coordinates are numbered base to tip, joints and elastic ones in one list."""

    arm: Arm
    tree: Tree  # what the steppers run: planar for planar arms
    spatial: SpatialTree | SpatialFlexTree  # the same bodies in space
    loads: Loads
    spatial_loads: Loads  # the same for the spatial tree, whose frames differ at slides
    laws: Laws
    pieces: tuple[Pieces, ...]  # of the laws
    commands: Commands
    coordinate_names: tuple[str, ...]
    coordinate_units: tuple[str, ...]
    joint_names: tuple[str, ...]  # links with a movable joint
    joint_coordinates: Ints
    elastic_coordinates: Ints
    elastic_directions: tuple[Direction, ...]
    elastic_links: tuple[str, ...]
    joint_bodies: Mapping[str, int]  # link → row of the body behind its joint
    point_names: tuple[str, ...]
    point_body: Ints
    point_frame: Ints  # where the frame of each point begins in the tree (−1: the body's own)
    point_place: Floats  # (points, 12): offset and rotation in the kernel's frame of the body
    point_in_plane: Floats  # (points, 3): offset and angle in the drawing's frame of the body, for planar arms
    station_links: tuple[str, ...]  # links with stations, at which strains and forces are read
    read: Callable[[], tuple[StationPlace, ...]]
    spans: tuple[FlexibleSpan, ...]  # the flexible bodies
    start: Floats  # (nq,) coordinates at the start
    start_rate: Floats
    reach: float
    closures: ArmClosures | None = None  # supports, loops and springs between points
    known: Tree | None = None  # the arm as its drives know it, without gains; None: as it is

    @cached_property
    def stations(self) -> tuple[StationPlace, ...]:
        """The stations of all links, made when they are first asked for."""
        return self.read()

    @cached_property
    def groups(self) -> tuple[tuple[str, ...], Ints]:
        """What coordinates belong to, a joint or a direction of a link: the names, and the number of each one's."""
        named = {int(c): f"{name} joint" for c, name in zip(self.joint_coordinates, self.joint_names, strict=True)}
        kinds: dict[tuple[str, str], str] = {}
        pairs = zip(self.elastic_links, self.elastic_directions, strict=True)
        for c, pair in zip(self.elastic_coordinates.tolist(), pairs, strict=True):
            if pair not in kinds:
                kinds[pair] = f"{pair[0]} {pair[1].replace('_', ' ')}"
            named[c] = kinds[pair]
        number = {name: k for k, name in enumerate(sorted(set(named.values())))}
        return tuple(number), np.array([number[named[c]] for c in range(len(self.coordinate_names))], np.int64)

    @property
    def driven(self) -> np.ndarray:
        """True for coordinates whose motion is prescribed."""
        return np.asarray(self.tree.spring[:, S_DRIVEN] == 1.0)

    @property
    def free(self) -> np.ndarray:
        """Indices of the coordinates the dynamics decides."""
        return np.flatnonzero(~self.driven)

    @property
    def sleeves(self) -> dict[int, float]:
        """Length (m) of every beam in a sleeve, by the coordinate that is the part of it outside."""
        return {self.coordinate_names.index(link.name): link.length for link in self.arm.links if link.joint.sleeve}
