"""The surroundings of the arms, the same for every browser: the ground, gravity, and the initial camera."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from flexarm.model import Arm
from flexarm.model.link_frames import Floats
from flexarm.report.arm.bones import shortest_turns
from flexarm.report.arm.lofts import tessellated
from flexarm.report.arm.parts import up_of
from flexarm.report.arm.shapes import arrow_loft
from flexarm.viewer.stage import MATERIAL

_ARROW = (190, 60, 40)
_FIELD = math.radians(40.0)  # of view, upright
_ASPECT = 1.3  # of what the panel leaves of the window
_MARGIN = 1.2


class Outlook(NamedTuple):
    """The upward direction, and the initial camera (m)."""

    up: Floats
    position: Floats
    target: Floats


def outlook(arm: Arm, points: Floats) -> Outlook:
    """A first view of an arm that is to be found at these points (n, 3): a planar one from the front of its plane."""
    up = up_of(arm)
    if arm.planar:
        # a little from the side, so that depth can be seen
        towards = np.array([0.0, 0.0, 1.0]) + (0.25 * up if abs(up[2]) < 0.5 else np.array([0.0, -0.5, 0.0]))
    else:
        side = np.array([0.6, -1.0, 0.0]) if abs(up[2]) > 0.5 else np.array([0.6, 0.0, 1.0])
        towards = side + 0.45 * up
    towards = towards / np.linalg.norm(towards)
    above = up if abs(up @ towards) < 0.8 else np.array([0.0, 1.0, 0.0])
    right = np.cross(above, towards)
    right = right / np.linalg.norm(right)
    axes = np.stack([right, np.cross(towards, right), towards])
    seen = points @ axes.T
    low, high = seen.min(axis=0), seen.max(axis=0)
    width, height, depth = high - low
    distance = max(width / _ASPECT, height, 1e-6) * 0.5 * _MARGIN / math.tan(0.5 * _FIELD) + 0.5 * depth
    target = 0.5 * (low + high) @ axes
    return Outlook(up, target + towards * distance, target)


def furnish(scene: Any, camera: Any, arms: Sequence[tuple[Arm, Floats]], reach: float, floor: float) -> None:
    """Put ground, gravity and camera there for arms found at points (n, 3), each set aside already.

    `floor`: how far (m) below the base the ground is drawn, so that it does not cut the joints.
    """
    first = arms[0][0]
    arrow = _arrow(first, arms[0][1], reach)
    everything = np.concatenate([*(points for _, points in arms), arrow])
    view = outlook(first, everything)
    scene.set_up_direction(_triple(view.up))
    turn = shortest_turns(np.array([0.0, 0.0, 1.0]), view.up[None])[0]
    cell = 10.0 ** math.floor(math.log10(reach)) / 5.0
    across = 4.0 * reach + float(np.ptp(everything, axis=0).max())
    on_ground = view.target - view.up * float(view.target @ view.up)
    scene.add_grid(
        "/ground",
        width=across,
        height=across,
        plane="xy",
        cell_size=cell,
        section_size=5.0 * cell,
        cell_color=(232, 234, 238),
        section_color=(206, 210, 217),
        wxyz=_quaternion(turn),
        position=_triple(on_ground - floor * view.up),
        shadow_opacity=0.12,
    )
    if len(arrow):
        mesh = tessellated(arrow_loft(arrow, 0.004 * reach, 0.011 * reach, 0.035 * reach))
        scene.add_mesh_simple(
            "/gravity", mesh.places.astype(np.float32), mesh.faces.astype(np.uint32), color=_ARROW, material=MATERIAL
        )
        strength = f"g = {math.hypot(*first.gravity):.3g} m/s²"
        scene.add_label("/gravity/strength", strength, position=_triple(arrow[0]), anchor="bottom-center")
    # shadows would take most of the time of a picture where no graphics card helps
    scene.configure_default_lights(enabled=False)
    scene.add_light_hemisphere("/sky", sky_color=(255, 255, 255), ground_color=(150, 150, 160), intensity=1.6)
    scene.add_light_directional("/sun", intensity=1.6, position=_triple(view.position + 1.5 * reach * view.up))
    camera.up, camera.fov = _triple(view.up), _FIELD
    camera.look_at, camera.position = _triple(view.target), _triple(view.position)
    camera.near, camera.far = reach / 200.0, 200.0 * reach


def _arrow(arm: Arm, points: Floats, reach: float) -> Floats:
    """Both ends (2, 3) of the arrow that shows gravity, next to the arm's base; none (0, 3) without gravity."""
    if not any(arm.gravity):
        return np.zeros((0, 3))
    up = up_of(arm)
    side = np.array([1.0, 0.0, 0.0]) - up[0] * up
    side = side / np.linalg.norm(side) if np.linalg.norm(side) > 0.1 else np.array([0.0, 1.0, 0.0])
    aside = min(float((points @ side).min()), 0.0) - 0.08 * reach
    start = aside * side + 0.25 * reach * up
    return np.stack([start, start - 0.15 * reach * up])


def _triple(vector: Floats) -> tuple[float, float, float]:
    return float(vector[0]), float(vector[1]), float(vector[2])


def _quaternion(turn: Floats) -> tuple[float, float, float, float]:
    """The unit quaternion (w, x, y, z) of a rotation by less than half a turn."""
    w = 0.5 * math.sqrt(max(1.0 + float(np.trace(turn)), 1e-12))
    return (
        w,
        (turn[2, 1] - turn[1, 2]) / (4 * w),
        (turn[0, 2] - turn[2, 0]) / (4 * w),
        (turn[1, 0] - turn[0, 1]) / (4 * w),
    )
