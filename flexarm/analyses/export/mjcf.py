"""An arm as MJCF for MuJoCo: bodies within bodies, springs as joint stiffness, points as sites, joints as motors."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np

from flexarm.analyses.export.pieces import Piece, Pieces
from flexarm.analyses.export.texts import quaternion_of, tag
from flexarm.core.tree.types import Floats
from flexarm.links.base import RigidPiece

# kg, kg m²: what a body that moves and weighs nothing is given, because MuJoCo asks for some; without effect at 1e-9.
_SPECK = 1e-12


@dataclass
class _Stack:
    """One MuJoCo body: a piece with the joints of massless ones below it, first the one nearest to the parent."""

    rows: list[int]
    parent: int
    rotation: Floats
    offset: Floats
    joints: list[tuple[Piece, Floats, Floats]] = field(default_factory=list)  # with anchor and axis in its own frame


def mjcf_text(whole: Pieces) -> str:
    """The text of an MJCF file."""
    pieces = whole.pieces
    stacks = _stacked(pieces)
    children: dict[int, list[_Stack]] = {}
    for stack in stacks:
        children.setdefault(stack.parent, []).append(stack)
    spots: dict[int, list[str]] = {}
    for spot in whole.spots:
        site = {"name": spot.name, "pos": spot.offset, "quat": quaternion_of(spot.rotation)}
        spots.setdefault(spot.piece, []).append(tag("site", **site))

    def bodies(parent: int, depth: int) -> list[str]:
        lines = []
        for stack in children.get(parent, []):
            last = stack.rows[-1]
            inside = [*_joints(stack, depth + 1), _inertial(pieces[last], bool(stack.joints), depth + 1)]
            inside += ["  " * (depth + 1) + site for site in spots.get(last, [])]
            inside += bodies(last, depth + 1)
            where = {"pos": stack.offset, "quat": quaternion_of(stack.rotation)}
            lines.append(tag("body", "\n".join(filter(None, inside)), depth, name=_named(pieces[last].name), **where))
        return lines

    world = ["    " + site for site in spots.get(-1, [])] + bodies(-1, 2)
    moving = [piece for stack in stacks for piece, *_ in stack.joints]
    motors = [tag("motor", None, 2, name=piece.joint, joint=piece.joint) for piece in moving if not piece.elastic]
    # MuJoCo numbers joints as bodies are nested
    order = [piece for stack in _nested(children, -1) for piece, *_ in stack.joints]
    parts = [
        tag("compiler", None, 1, angle="radian", autolimits="true"),
        tag("option", None, 1, gravity=whole.arm.gravity, timestep=1e-4, integrator="implicit"),
        tag("worldbody", "\n".join(world), 1),
    ]
    if motors:
        parts.append(tag("actuator", "\n".join(motors), 1))
    if any(piece.start for piece in order):
        key = tag("key", None, 2, name="start", qpos=[piece.start for piece in order])
        parts.append(tag("keyframe", key, 1))
    return tag("mujoco", "\n".join(parts), model=whole.arm.name) + "\n"


def _named(body: str) -> str:
    """The name of a body; MuJoCo has a world of its own."""
    return "world_" if body == "world" else body


def _nested(children: dict[int, list[_Stack]], parent: int) -> list[_Stack]:
    found = []
    for stack in children.get(parent, []):
        found += [stack, *_nested(children, stack.rows[-1])]
    return found


def _stacked(pieces: tuple[Piece, ...]) -> list[_Stack]:
    """Pieces put together: one that weighs nothing and carries a single other is a joint of that one's body."""
    carries: dict[int, list[int]] = {}
    for row, piece in enumerate(pieces):
        carries.setdefault(piece.parent, []).append(row)
    found: list[_Stack] = []
    open_stacks: dict[int, _Stack] = {}
    for row, piece in enumerate(pieces):
        stack = open_stacks.pop(piece.parent, None)
        if stack is None:
            stack = _Stack([], piece.parent, np.eye(3), np.zeros(3))
        stack.rows.append(row)
        # the frames so far, seen from the new one: joints keep their places where all coordinates are zero
        back = piece.rotation.T
        stack.joints = [(each, back @ (anchor - piece.offset), back @ axis) for each, anchor, axis in stack.joints]
        stack.offset = stack.offset + stack.rotation @ piece.offset
        stack.rotation = stack.rotation @ piece.rotation
        if piece.kind != "fixed":
            stack.joints.append((piece, np.zeros(3), piece.axis))
        below = carries.get(row, [])
        weightless = piece.body.mass == 0.0 and not np.any(piece.body.inertia)
        if weightless and piece.kind != "fixed" and len(below) == 1 and pieces[below[0]].kind != "fixed":
            open_stacks[row] = stack
        else:
            found.append(stack)
    return found


def _joints(stack: _Stack, depth: int) -> list[str]:
    kinds = {"revolute": "hinge", "prismatic": "slide"}
    return [
        tag(
            "joint",
            None,
            depth,
            name=piece.joint,
            type=kinds[piece.kind],
            pos=anchor if np.any(anchor) else None,
            axis=axis,
            stiffness=piece.stiffness or None,
            springref=piece.rest if piece.stiffness and piece.rest else None,
            damping=piece.damping or None,
            armature=piece.rotor or None,
        )
        for piece, anchor, axis in stack.joints
    ]


def _inertial(piece: Piece, moves: bool, depth: int) -> str:
    body = piece.body
    if body.mass == 0.0 and not np.any(body.inertia) and not moves:
        return ""
    lean = np.linalg.eigvalsh(body.inertia)[0] < _SPECK
    if body.mass < _SPECK or lean:
        extra = RigidPiece(max(_SPECK - body.mass, 0.0), body.centre, _SPECK * np.eye(3))
        body = replace(body.joined(extra), centre=body.centre)
    I = _disc(body.inertia)
    full = [I[0, 0], I[1, 1], I[2, 2], I[0, 1], I[0, 2], I[1, 2]]
    return tag("inertial", None, depth, pos=body.centre, mass=body.mass, fullinertia=full)


def _disc(inertia: Floats) -> Floats:
    """The inertia with moments MuJoCo takes: where the largest exceeds the sum of the others, as of a hub that is given
    an inertia about its axis alone, the others become those of a thin disc.
    """
    values, axes = np.linalg.eigh(inertia)
    lacking = values[2] - values[0] - values[1]
    if lacking < 0.0:
        return inertia
    # a little more than it takes: MuJoCo adds up by itself
    values[:2] += 0.5 * lacking + 1e-15 * values[2]
    return np.asarray((axes * values) @ axes.T)
