"""The camera of a film: the page's, with the view that the page opens with."""

from __future__ import annotations

import math

import numpy as np

from flexarm.model.link_frames import Floats

_OBLIQUE, _TOP, _FRONT = (-55.0, 24.0), (-90.0, 90.0), (-90.0, 0.0)
_FAR = 3.0  # the eye is so many sizes of the scene away
_INSET = 0.06  # of the picture, on every side


def scene_axes(up: Floats, planar: bool) -> Floats:
    """The axes (3, 3), one in every column, of a scene whose z axis points upward."""
    x, y, z = up
    if abs(z) > 0.99:
        return np.eye(3)
    if planar:
        return np.array([[y, 0.0, x], [-x, 0.0, y], [0.0, -1.0, z]])
    f = 1.0 / (1.0 + z)
    return np.array([[1.0 - f * x * x, -f * x * y, x], [-f * x * y, 1.0 - f * y * y, y], [-x, -y, z]])


class Camera:
    """Where points (n, 3) that are to be seen, each so thick (m), come to lie in a picture of so many pixels."""

    def __init__(self, points: Floats, thick: float, up: Floats, planar: bool, size: tuple[int, int]) -> None:
        self.width, self.height = size
        self.axes = scene_axes(up, planar)
        view = _OBLIQUE if not planar else _TOP if abs(up[2]) > 0.99 else _FRONT
        azimuth, elevation = (math.radians(angle) for angle in view)
        ca, sa, ce, se = math.cos(azimuth), math.sin(azimuth), math.cos(elevation), math.sin(elevation)
        self.right = self.axes @ np.array([-sa, ca, 0.0])
        self.up = self.axes @ np.array([-se * ca, -se * sa, ce])
        self.toward = self.axes @ np.array([ce * ca, ce * sa, se])
        low, high = points.min(axis=0), points.max(axis=0)
        self.middle = 0.5 * (low + high)
        self.half = np.maximum(0.5 * (high - low) + thick, 0.02 * float((high - low).max() or 1.0))
        self.size = 2.0 * float(np.linalg.norm(self.half))
        self.distance = _FAR * self.size
        seen = self._flat(points)
        low, high = seen[:, :2].min(axis=0) - thick, seen[:, :2].max(axis=0) + thick
        room = np.array([self.width, self.height]) * (1.0 - 2.0 * _INSET)
        self.scale = float((room / np.maximum(high - low, 1e-9)).min())
        self.centre = 0.5 * (low + high)

    @property
    def eye(self) -> Floats:
        """Where it stands (3,)."""
        return np.asarray(self.middle + self.distance * self.toward)

    def projected(self, points: Floats) -> Floats:
        """Pixels to the right and down, and 1/depth, which grows towards the eye (n, 3)."""
        seen = self._flat(points)
        return np.column_stack(
            [
                0.5 * self.width + self.scale * (seen[:, 0] - self.centre[0]),
                0.5 * self.height - self.scale * (seen[:, 1] - self.centre[1]),
                seen[:, 2],
            ]
        )

    def on_plane(self, up: Floats, level: float) -> Floats:
        """Where every pixel (height, width, 3) meets the plane of a height along `up`; NaN where it meets none."""
        x = (np.arange(self.width) + 0.5 - 0.5 * self.width) / self.scale + self.centre[0]
        y = (0.5 * self.height - np.arange(self.height) - 0.5) / self.scale + self.centre[1]
        through = self.middle + x[None, :, None] * self.right + y[:, None, None] * self.up
        ray = through - self.eye
        fall = ray @ up
        with np.errstate(divide="ignore", invalid="ignore"):
            part = (level - self.eye @ up) / fall
            found = self.eye + part[..., None] * ray
        return np.where((np.isfinite(part) & (part > 0.0))[..., None], found, np.nan)

    def _flat(self, points: Floats) -> Floats:
        """Right and up (m) in the plane through the middle, and how much larger than there a thing is seen."""
        away = points - self.middle
        growth = self.distance / np.maximum(self.distance - away @ self.toward, 0.05 * self.distance)
        return np.column_stack([growth * (away @ self.right), growth * (away @ self.up), growth])
