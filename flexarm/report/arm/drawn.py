"""The solid arm for a page: its lofts, and what turns them from frame to frame."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from flexarm.errors import FlexarmError
from flexarm.model import Arm
from flexarm.model.link_frames import Floats, link_frames
from flexarm.report.arm.lofts import loft_specification
from flexarm.report.arm.parts import up_of
from flexarm.report.arm.solid import MATERIALS, Ranges, Solid
from flexarm.report.arrays import ArrayStore


@final
@dataclass(frozen=True, eq=False)
class Turning:
    """What turns and colours the sections, frame by frame; one frame stands for all.

    `straight` (frames, links, 4): quaternions of the unbent beams' axes. `twist` (frames, points): rotation about the
    line, rad. `stress` (frames, points): the largest bending stress of the section, Pa, NaN where it is not known.
    """

    straight: Floats
    twist: Floats | None = None
    stress: Floats | None = None

    def every(self, step: int) -> Turning:
        """The same with one of so many frames."""
        kept = [each if each is None or len(each) == 1 else each[::step] for each in (self.twist, self.stress)]
        return Turning(self.straight if len(self.straight) == 1 else self.straight[::step], *kept)


@final
@dataclass(frozen=True, eq=False)
class DrawnSolid:
    """A solid arm and how it turns."""

    solid: Solid
    turning: Turning


def straight_turns(arm: Arm, joints: Mapping[str, Any]) -> Floats:
    """Quaternions (frames, links, 4) of the unbent beams' axes at joint coordinates (frames,) by link, rad or m."""
    frames = link_frames(arm, {name: np.atleast_1d(values) for name, values in joints.items()})
    axes = [np.atleast_3d(frames[link.name].axes).reshape(-1, 3, 3) @ link.axis_rotation for link in arm.links]
    count = max(len(each) for each in axes)
    found = np.stack([quaternions(np.broadcast_to(each, (count, 3, 3))) for each in axes], axis=1)
    # q and -q are one rotation: neighbours take the same of the two, so that a mean of both is one between them
    flips = np.sign(np.sum(found[1:] * found[:-1], axis=-1))
    found[1:] *= np.cumprod(np.where(flips == 0.0, 1.0, flips), axis=0)[..., None]
    return found


def quaternions(turns: Floats) -> Floats:
    """The unit quaternions (k, 4), w first, of rotations (k, 3, 3)."""
    # four times each product of two components; the row of the largest component is the one without cancellation
    t = np.asarray(turns, float)
    trace = t[:, 0, 0] + t[:, 1, 1] + t[:, 2, 2]
    products = np.empty((len(t), 4, 4))
    products[:, 0, 0] = 1.0 + trace
    for i in range(3):
        j, k = (i + 1) % 3, (i + 2) % 3
        products[:, i + 1, i + 1] = 1.0 + 2.0 * t[:, i, i] - trace
        products[:, 0, i + 1] = products[:, i + 1, 0] = t[:, k, j] - t[:, j, k]
        products[:, j + 1, k + 1] = products[:, k + 1, j + 1] = t[:, j, k] + t[:, k, j]
    largest = np.argmax(np.einsum("kii->ki", products), axis=1)
    rows = products[np.arange(len(t)), largest]
    return np.asarray(rows / np.linalg.norm(rows, axis=1, keepdims=True))


def drawn_solid(
    arm: Arm | None,
    links: Sequence[str],
    distances: Any,
    joints: Mapping[str, Any],
    *,
    twist: Any = None,
    stress: Any = None,
) -> DrawnSolid | None:
    """The solid along a line of points with these links and distances (m); None where the model is not known.

    `joints` are the coordinates (rad or m), one or one for every frame; `twist` and `stress` as `Turning` has them.
    """
    if arm is None or set(links) != {link.name for link in arm.links}:
        return None
    ranges: Ranges = {name: (float(np.min(values)), float(np.max(values))) for name, values in joints.items()}
    solid = Solid(arm, links, distances, ranges=ranges)
    return DrawnSolid(solid, Turning(straight_turns(arm, joints), _frames(twist), _frames(stress)))


def arm_from_text(text: str | None) -> Arm | None:
    """The arm of a model file's text; None where there is none or it cannot be read."""
    from flexarm.model import parse_arm

    try:
        return parse_arm(text, name="model of the result") if text else None
    except FlexarmError:
        return None


def solid_specification(drawn: DrawnSolid, store: ArrayStore) -> dict[str, Any]:
    """The solid for the page's script; its arrays go into the store."""
    solid = drawn.solid
    skeleton = solid.skeleton
    shown = [
        loft for loft in solid.lofts if loft.payload < 0 or solid.arm.links[loft.link].payloads[loft.payload].mass > 0.0
    ]
    return {
        **loft_specification(shown),
        "materials": {group: list(MATERIALS[group]) for group in solid.groups},
        "order": list(skeleton.order),
        "parents": list(solid.arm.parents),
        "spans": [[span.begin, span.end] for span in skeleton.spans],
        "carrier": list(skeleton.carrier),
        "source": [int(point) for point in skeleton.source],
        "up": [float(part) for part in up_of(solid.arm)],
        "foot": solid.foot,
        "thin": max((min(loft.outline.half) for loft in shown if loft.group in ("beam", "body")), default=0.0),
        "thick": solid.thick,
    } | turning_specification(drawn.turning, store)


def turning_specification(turning: Turning, store: ArrayStore) -> dict[str, Any]:
    """What turns and colours the sections, for the page's script."""
    found: dict[str, Any] = {"straight": store.put_scaled(turning.straight), "twist": None, "stress": None}
    if turning.twist is not None and np.any(turning.twist):
        found["twist"] = store.put_scaled(turning.twist)
    if turning.stress is not None and np.any(np.isfinite(turning.stress)):
        known = np.isfinite(turning.stress).all(axis=0)
        found["stress"] = store.put_scaled(turning.stress) | {"known": np.flatnonzero(known).tolist()}
    return found


def _frames(values: Any) -> Floats | None:
    if values is None:
        return None
    array = np.asarray(values, float)
    return array[None] if array.ndim == 1 else array
