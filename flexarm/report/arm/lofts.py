"""Lofts: surfaces through rings, each ring an outline held by one point of the arm's line; what every part is made of.

A loft is a few numbers. The page's script and `tessellated` make the same triangles of it, so that the page, the viewer
and films show one shape.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, final

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

SIDES = 24  # of whatever is round
_CORNER = 3  # points of a rounded corner
UPRIGHT = 0.5 * math.pi


class Outline(NamedTuple):
    """The edge of a section: points (n, 2) along the y and z axes (m), and its outward normals there."""

    points: Floats
    normals: Floats

    @property
    def half(self) -> tuple[float, float]:
        """Half its height along y and half its width along z (m)."""
        height, width = np.abs(self.points).max(axis=0)
        return float(height), float(width)


class Ring(NamedTuple):
    """An outline on its way: `bone` holds it, `x` (m) from there, scaled along y and z; `tilt` (rad) leans the normals
    towards x.
    """

    bone: int
    x: float
    scale_y: float
    scale_z: float
    tilt: float = 0.0


@final
@dataclass(frozen=True, eq=False)
class Loft:
    """A surface through rings, in a frame (3, 3) at an origin (3,) of each ring's bone.

    `group` names its material, `link` the number of the link it belongs to. `payload` is the number of the payload it
    shows among those of its link, -1 for all else.
    """

    group: str
    link: int
    outline: Outline
    rings: Sequence[Ring]
    frame: Floats = field(default_factory=lambda: np.eye(3))
    origin: Floats = field(default_factory=lambda: np.zeros(3))
    payload: int = -1


class Mesh(NamedTuple):
    """Corners bound to bones: which one (v,), places and normals (v, 3) in its axes; triangles (f, 3), outward."""

    bones: Ints
    places: Floats
    normals: Floats
    faces: Ints

    def placed(self, positions: Floats, axes: Floats) -> Floats:
        """The corners (v, 3) with the bones at these positions (bones, 3) and axes (bones, 3, 3)."""
        turned = np.einsum("vij,vj->vi", axes[self.bones], self.places)
        return np.asarray(positions[self.bones] + turned)

    def turned(self, axes: Floats) -> Floats:
        """The normals (v, 3) there."""
        return np.asarray(np.einsum("vij,vj->vi", axes[self.bones], self.normals))


def round_outline(diameter: float) -> Outline:
    """The edge of a circle."""
    angles = np.arange(SIDES) * (2.0 * np.pi / SIDES)
    normals = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    return Outline(0.5 * diameter * normals, normals)


def square_outline(height: float, width: float, corner: float = 0.12) -> Outline:
    """The edge of a rectangle, height along y and width along z, its corners rounded by a part of the smaller side."""
    radius = corner * min(height, width)
    angles = np.linspace(0.0, UPRIGHT, _CORNER)
    arc = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    points, normals = [], []
    for quarter, (y, z) in enumerate(((1, 1), (-1, 1), (-1, -1), (1, -1))):
        c, s = round(math.cos(quarter * UPRIGHT)), round(math.sin(quarter * UPRIGHT))
        round_part = arc @ np.array([[c, s], [-s, c]])
        centre = np.array([y * (0.5 * height - radius), z * (0.5 * width - radius)])
        points.append(centre + radius * round_part)
        normals.append(round_part)
    return Outline(np.concatenate(points), np.concatenate(normals))


def tessellated(loft: Loft) -> Mesh:
    """The loft as triangles."""
    y, z = loft.outline.points.T
    ny, nz = loft.outline.normals.T
    count = len(y)
    places, normals, bones, faces = [], [], [], []
    for k, ring in enumerate(loft.rings):
        local = np.stack([np.full(count, ring.x), ring.scale_y * y, ring.scale_z * z], axis=1)
        # the normal of a scaled outline is scaled the other way
        flat = np.stack([ny * (ring.scale_z or 1.0), nz * (ring.scale_y or 1.0)], axis=1)
        flat /= np.maximum(np.linalg.norm(flat, axis=1, keepdims=True), 1e-30)
        lean, rest = math.sin(ring.tilt), math.cos(ring.tilt)
        normal = np.concatenate([np.full((count, 1), lean), rest * flat], axis=1)
        places.append(loft.origin + local @ loft.frame.T)
        normals.append(normal @ loft.frame.T)
        bones.append(np.full(count, ring.bone))
        before = loft.rings[k - 1]
        if k and ring[:4] != before[:4]:
            near, far = _strip(count, (k - 1) * count, k * count)
            # where an outline has shrunk to a point one of the two has no area
            faces += [near] if before.scale_y or before.scale_z else []
            faces += [far] if ring.scale_y or ring.scale_z else []
    return Mesh(np.concatenate(bones), np.concatenate(places), np.concatenate(normals), np.concatenate(faces))


def merged(meshes: Sequence[Mesh]) -> Mesh:
    """Several meshes as one."""
    starts = np.cumsum([0, *(len(mesh.bones) for mesh in meshes[:-1])])
    return Mesh(
        np.concatenate([mesh.bones for mesh in meshes]),
        np.concatenate([mesh.places for mesh in meshes]),
        np.concatenate([mesh.normals for mesh in meshes]),
        np.concatenate([mesh.faces + start for mesh, start in zip(meshes, starts, strict=True)]),
    )


def loft_specification(lofts: Sequence[Loft]) -> dict[str, Any]:
    """The lofts for the page's script: outlines once each, rings as rows, in five digits."""
    outlines: dict[bytes, int] = {}
    listed: list[Any] = []
    found = []
    for loft in lofts:
        key = loft.outline.points.tobytes()
        if key not in outlines:
            outlines[key] = len(listed)
            listed.append(_short(np.concatenate([loft.outline.points, loft.outline.normals], axis=1)))
        entry = {
            "group": loft.group,
            "link": loft.link,
            "outline": outlines[key],
            "rings": [[ring.bone, *_short(np.array(ring[1:]))] for ring in loft.rings],
        }
        if not np.array_equal(loft.frame, np.eye(3)):
            entry["frame"] = _short(loft.frame)
        if np.any(loft.origin):
            entry["origin"] = _short(loft.origin)
        found.append(entry)
    return {"outlines": listed, "lofts": found}


def _strip(count: int, near: int, far: int) -> tuple[Ints, Ints]:
    """Both triangles of every side between two rings."""
    a = np.arange(count)
    b = (a + 1) % count
    return np.stack([a + near, b + near, b + far], axis=1), np.stack([a + near, b + far, a + far], axis=1)


def _short(values: Floats) -> Any:
    """The numbers with five digits, so that a page stays small."""
    return [float(f"{value:.5g}") for value in np.asarray(values, float).ravel()]
