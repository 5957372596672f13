"""An arm on the scene of one browser: its meshes, its ghost and the trace of its tip."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from flexarm.model.link_frames import Floats, Frame
from flexarm.report.arm.solid import MATERIALS, Solid

Colour = tuple[int, int, int]

# Of flexible links and the trace, one for each arm that is shown; they stay apart for colour-blind eyes.
BEAM_COLOURS: tuple[Colour, ...] = ((0, 114, 178), (213, 94, 0), (0, 140, 100), (160, 90, 150))
# The plain material takes a machine without a graphics card twenty times as long to prepare, half a minute if it is
# busy.
MATERIAL = "toon5"
_GHOST: Colour = (120, 130, 145)
_GHOST_OPACITY = 0.35
# Of the rigid arm its links are shown. Their surfaces are inside the arm's own, so that none lies in another.
_GHOSTLY = ("beam", "body")
_SHRUNK = 0.0006  # of the reach
# Segments of a trace at most: more are not seen.
_SEGMENTS = 400


class Stage:
    """The objects of one arm in the scene; only changes are sent."""

    def __init__(self, scene: Any, name: str, drawing: Solid, colour: Colour, title: str = "") -> None:
        self._drawing = drawing
        self._root = scene.add_frame(f"/{name}", show_axes=False)
        faces = drawing.faces
        line, frames = drawing.unbent({})
        corners = drawing.vertices(line, frames)
        self._meshes = {
            group: scene.add_mesh_simple(
                f"/{name}/{group}",
                corners[group].astype(np.float32),
                faces[group].astype(np.uint32),
                color=colour if group == "beam" else MATERIALS[group],
                material=MATERIAL,
            )
            for group in faces
        }
        solid = [group for group in faces if group in _GHOSTLY] or list(faces)
        starts = np.cumsum([0, *(len(corners[group]) for group in solid[:-1])])
        self._ghost_groups = solid
        self._ghost = scene.add_mesh_simple(
            f"/{name}/ghost",
            np.concatenate([corners[group] for group in solid]).astype(np.float32),
            np.concatenate([faces[group] + at for group, at in zip(solid, starts, strict=True)]).astype(np.uint32),
            color=_GHOST,
            opacity=_GHOST_OPACITY,
            material=MATERIAL,
            cast_shadow=False,
            receive_shadow=False,
            visible=False,
        )
        if title:
            scene.add_label(f"/{name}/title", title, position=(0.0, 0.0, 0.0), anchor="top-center")
        none = np.zeros((1, 2, 3), np.float32)
        self._path, self._trace = (
            scene.add_line_segments(
                f"/{name}/{what}", none, shade, thickness=pixels, thickness_units="screen", visible=False
            )
            for what, shade, pixels in (("path", _pale(colour), 1.5), ("trace", colour, 2.5))
        )

    def show(
        self,
        line: Floats,
        frames: Mapping[str, Frame],
        twist: Floats | None = None,
        masses: Mapping[tuple[str, int], float] | None = None,
    ) -> None:
        """Put the arm along this line (points, 3), its sections twisted by (points) rad."""
        for group, corners in self._drawing.vertices(line, frames, twist, masses).items():
            self._meshes[group].vertices = corners.astype(np.float32)

    def show_ghost(self, line: Floats, frames: Mapping[str, Frame], visible: bool) -> None:
        """Put the rigid arm there, or hide it."""
        if visible:
            corners = self._drawing.vertices(line, frames, shrunk=_SHRUNK * self._drawing.reach)
            ghost = np.concatenate([corners[group] for group in self._ghost_groups])
            self._ghost.vertices = ghost.astype(np.float32)
        self._ghost.visible = visible

    def show_trace(self, path: Floats, come: int, visible: bool) -> None:
        """Draw the way (points, 3) of the tip, strong as far as it has come and faint from there, or hide it."""
        if visible:
            self._trace.points = _segments(path[: come + 1])
            self._path.points = _segments(path[max(come, 0) :])
        self._path.visible = self._trace.visible = visible

    def move(self, offset: Floats) -> None:
        """Set the whole arm aside by so much (m)."""
        self._root.position = tuple(float(part) for part in offset)


def _segments(path: Floats) -> np.ndarray:
    if len(path) > _SEGMENTS + 1:
        path = path[np.unique(np.round(np.linspace(0, len(path) - 1, _SEGMENTS + 1)).astype(int))]
    if len(path) < 2:
        path = np.repeat(path[:1], 2, axis=0)
    return np.stack([path[:-1], path[1:]], axis=1).astype(np.float32)


def _pale(colour: Colour) -> Colour:
    red, green, blue = (round(part + 0.6 * (255 - part)) for part in colour)
    return red, green, blue
