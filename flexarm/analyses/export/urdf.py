"""An arm as URDF. Springs stand in <spring> tags, which flexarm reads back and others ignore."""

from __future__ import annotations

import numpy as np

from flexarm.analyses.export.pieces import Piece, Pieces
from flexarm.analyses.export.texts import tag
from flexarm.model.parts.frames import angles_of

ROOT = "ground"
# What URDF asks for where a joint has no limits.
_FAR, _STRONG = 1e9, 1e9


def urdf_text(whole: Pieces) -> str:
    """The text of a URDF."""
    taken = {piece.name for piece in whole.pieces}
    root = ROOT
    while root in taken:
        root += "_"
    lines = [tag("link", None, 1, name=root)]
    names = [piece.name for piece in whole.pieces]
    for piece in whole.pieces:
        lines += [_link(piece), _joint(piece, root if piece.parent < 0 else names[piece.parent])]
    for spot in whole.spots:
        if spot.name in taken:
            continue  # a link of this name is there
        lines.append(tag("link", None, 1, name=spot.name))
        inside = [
            tag("parent", None, 2, link=root if spot.piece < 0 else names[spot.piece]),
            tag("child", None, 2, link=spot.name),
            tag("origin", None, 2, xyz=spot.offset, rpy=angles_of(spot.rotation)),
        ]
        lines.append(tag("joint", "\n".join(inside), 1, name=f"{spot.name} mount", type="fixed"))
    return '<?xml version="1.0"?>\n' + tag("robot", "\n".join(lines), name=whole.arm.name) + "\n"


def _link(piece: Piece) -> str:
    body = piece.body
    if body.mass == 0.0 and not np.any(body.inertia):
        return tag("link", None, 1, name=piece.name)
    I = body.inertia
    inside = [
        tag("origin", None, 3, xyz=body.centre),
        tag("mass", None, 3, value=body.mass),
        tag("inertia", None, 3, ixx=I[0, 0], ixy=I[0, 1], ixz=I[0, 2], iyy=I[1, 1], iyz=I[1, 2], izz=I[2, 2]),
    ]
    return tag("link", tag("inertial", "\n".join(inside), 2), 1, name=piece.name)


def _joint(piece: Piece, parent: str) -> str:
    inside = [
        tag("parent", None, 2, link=parent),
        tag("child", None, 2, link=piece.name),
        tag("origin", None, 2, xyz=piece.offset, rpy=angles_of(piece.rotation)),
    ]
    if piece.kind != "fixed":
        inside += [
            tag("axis", None, 2, xyz=piece.axis),
            tag("limit", None, 2, lower=-_FAR, upper=_FAR, effort=_STRONG, velocity=_FAR),
        ]
        if piece.damping:
            inside.append(tag("dynamics", None, 2, damping=piece.damping))
        if piece.stiffness or piece.rotor:
            rest = piece.rest or None
            inside.append(
                tag("spring", None, 2, stiffness=piece.stiffness, rest=rest, rotor_inertia=piece.rotor or None)
            )
    return tag("joint", "\n".join(inside), 1, name=piece.joint, type=piece.kind)
