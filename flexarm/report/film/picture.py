"""One picture of the solid arm: lit surfaces on a ground with a grid and a soft shadow, as the page draws them."""

from __future__ import annotations

import numpy as np

from flexarm.model.link_frames import Floats
from flexarm.report.arm.lofts import Ints, Mesh, merged, tessellated
from flexarm.report.arm.parts import up_of
from flexarm.report.arm.solid import MATERIALS, Solid
from flexarm.report.film.camera import Camera
from flexarm.report.film.raster import rasterised

# The page's colours of links and of values, from little to much, and of its ground.
LINKS = ((0, 104, 168), (209, 87, 10), (0, 138, 100), (176, 87, 140), (185, 131, 0), (47, 147, 207), (75, 85, 99))
VALUES = np.array([[68, 1, 84], [65, 68, 135], [42, 120, 142], [34, 168, 132], [122, 209, 81], [253, 231, 37]]) / 255.0
_SKY, _EARTH = np.array([230, 234, 238]) / 255.0, np.array([255, 255, 255]) / 255.0
_LINE, _SHADE, _PATH = np.array([201, 208, 215]) / 255.0, np.array([0.16, 0.2, 0.26]), np.array([122, 63, 176]) / 255.0
_FINE = 2  # pixels drawn for each of the picture, either way
_SHADOW = 192  # pixels of the shadow


class Studio:
    """Pictures (height, width, 3) of one arm, from one place and in one light."""

    def __init__(self, solid: Solid, points: Floats, planar: bool, size: tuple[int, int]) -> None:
        lofts = [
            loft
            for loft in solid.lofts
            if loft.payload < 0 or solid.arm.links[loft.link].payloads[loft.payload].mass > 0.0
        ]
        parts = [tessellated(loft) for loft in lofts]
        self.mesh: Mesh = merged(parts)
        colours = [LINKS[loft.link % len(LINKS)] if loft.group == "beam" else MATERIALS[loft.group] for loft in lofts]
        counts = [len(part.bones) for part in parts]
        self.paint = np.repeat(np.array(colours) / 255.0, counts, axis=0)
        self.is_beam = np.repeat([loft.group == "beam" for loft in lofts], counts)
        self.upward = up_of(solid.arm)
        thick = solid.thick
        self.camera = Camera(points, thick, self.upward, planar, (_FINE * size[0], _FINE * size[1]))
        away = 0.75 * self.camera.toward - 0.5 * self.camera.right + 1.15 * self.upward + 0.25 * self.camera.up
        self.sun = away / np.linalg.norm(away)
        lowest = float((points @ self.upward).min())
        self.level = solid.foot if lowest > -1e-6 * self.camera.size else min(solid.foot, lowest - thick)
        self._lay_ground()

    def _lay_ground(self) -> None:
        """The empty picture, and where every pixel of it looks up the shadow."""
        camera = self.camera
        place = camera.on_plane(self.upward, self.level)
        along, aside = camera.axes[:, 0], camera.axes[:, 1]
        inside = 1.25 * max(float(np.abs(way) @ camera.half) for way in (along, aside))
        power = 10.0 ** np.floor(np.log10(inside / 3.0))
        self.step = next(m * power for m in (1, 2, 5, 10) if inside / (m * power) <= 8)
        from_middle = place - camera.middle
        away = np.hypot(from_middle @ along, from_middle @ aside) / (2.6 * camera.size)
        seen = np.nan_to_num(1.0 - np.clip((away - 0.35) / 0.65, 0.0, 1.0))
        drawn = np.zeros(place.shape[:2])
        for way in (along, aside):
            value = place @ way
            for gap, wide, strength in ((self.step, 0.6, 0.45), (5.0 * self.step, 0.8, 0.9)):
                cell = value / gap
                width = np.maximum(np.abs(np.gradient(cell, axis=1)) + np.abs(np.gradient(cell, axis=0)), 1e-9)
                off = np.abs((cell - 0.5) % 1.0 - 0.5)
                line = 1.0 - np.clip((off - width * (wide - 0.5) * _FINE) / width, 0.0, 1.0)
                line *= 1.0 - np.clip((width * _FINE - 0.15) / 0.35, 0.0, 1.0)
                drawn = np.maximum(drawn, strength * np.nan_to_num(line))
        high = np.linspace(0.0, 1.0, place.shape[0])[:, None, None]
        back = _SKY + (_EARTH - _SKY) * np.clip(high / 0.55, 0.0, 1.0)
        cover = (drawn * seen)[..., None]
        self.empty = np.broadcast_to(back, place.shape) * (1.0 - cover) + _LINE * cover
        # the shadow falls away from the light by as much as the arm is tall
        tall = 2.0 * float(np.abs(self.upward) @ camera.half) + max(0.0, -self.level)
        under = camera.middle + self.upward * (self.level - camera.middle @ self.upward)
        rows = []
        for way in (along, aside):
            slope = float(self.sun @ way) / float(self.sun @ self.upward)
            reach = float(np.abs(way) @ camera.half) + 0.5 * tall * abs(slope) + 0.08 * camera.size
            rows.append(np.append(way / reach, -(under @ way - 0.5 * tall * slope) / reach))
        self.cast = np.array(rows)
        spot = (place @ self.cast[:, :3].T + self.cast[:, 3]) * 0.5 + 0.5
        within = np.isfinite(spot).all(axis=2) & (spot > 0.0).all(axis=2) & (spot < 1.0).all(axis=2)
        self.shaded = np.flatnonzero(within)
        last = _SHADOW - 1
        spots = np.clip(spot[within] * _SHADOW - 0.5, 0.0, last - 1e-9)
        cells = spots.astype(np.int32)
        self.spots, self.cells = spots - cells, cells[:, 1] * _SHADOW + cells[:, 0]

    def picture(self, line: Floats, axes: Floats, values: Floats, path: Floats) -> np.ndarray:
        """The arm along a line (points, 3) with its bones' axes (points + 1, 3, 3), its beams coloured by values
        (points) from 0 to 1, NaN for the colour of the link; the path (n, 3) of its tip; eight bits a colour.
        """
        positions = np.concatenate([line, np.zeros((1, 3))])
        corners = self.mesh.placed(positions, axes)
        image = self.empty.reshape(-1, 3).copy()
        self._shade(image, corners)
        camera = self.camera
        projected = camera.projected(corners)
        seen = rasterised(projected, self.mesh.faces, camera.width, camera.height)
        near = np.full(len(image), -np.inf)
        triangle = self.mesh.faces[seen.faces]
        near[seen.pixels] = np.sum(projected[triangle, 2] * seen.shares, axis=1)
        self._draw_path(image, near, path)
        normals = np.einsum("nk,nkr->nr", seen.shares, self.mesh.turned(axes)[triangle])
        places = np.einsum("nk,nkr->nr", seen.shares, corners[triangle])
        value = np.append(values, np.nan)[self.mesh.bones]
        mapped = self.is_beam & np.isfinite(value)
        paint = np.where(mapped[:, None], _mapped(np.nan_to_num(value)), self.paint)
        image[seen.pixels] = self._lit(np.einsum("nk,nkr->nr", seen.shares, paint[triangle]), normals, places)
        fine = image.reshape(camera.height, camera.width, 3)
        parts = [fine[i::_FINE, j::_FINE] for i in range(_FINE) for j in range(_FINE)]
        return np.asarray(np.round(255.0 / len(parts) * sum(parts[1:], parts[0])), np.uint8)

    def _lit(self, paint: Floats, normals: Floats, places: Floats) -> Floats:
        """Colours in the light, as the page's shader has them."""
        normal = normals / np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-12)
        look = self.camera.eye - places
        look /= np.linalg.norm(look, axis=1, keepdims=True)
        between = self.sun + look
        between /= np.linalg.norm(between, axis=1, keepdims=True)
        day = normal @ self.sun
        key = np.maximum(0.82 * day + 0.18, 0.0)[:, None]
        sky = (0.5 + 0.5 * (normal @ self.upward))[:, None]
        head = np.maximum(np.sum(normal * look, axis=1), 0.0)[:, None]
        ambient = np.array([0.14, 0.13, 0.13]) * (1.0 - sky) + np.array([0.27, 0.30, 0.34]) * sky
        light = paint**2 * (np.array([1.0, 0.98, 0.94]) * 0.78 * key + ambient + 0.10 * head)
        shine = np.maximum(np.sum(normal * between, axis=1), 0.0) ** 42 * np.where(day > 0.0, 0.20, 0.0)
        rim = (1.0 - head) ** 4 * 0.10 * sky
        return np.asarray(np.sqrt(np.clip(light + shine[:, None] + rim, 0.0, 1.0)))

    def _shade(self, image: Floats, corners: Floats) -> None:
        """Darken the ground where the arm stands in the light."""
        height = corners @ self.upward - self.level
        fallen = corners - self.sun * (height / (self.sun @ self.upward))[:, None]
        flat = (fallen @ self.cast[:, :3].T + self.cast[:, 3]) * 0.5 + 0.5
        spots = np.column_stack([flat * _SHADOW, height])
        # both sides of a surface cast a shadow
        faces = np.concatenate([self.mesh.faces, self.mesh.faces[:, ::-1]])
        seen = rasterised(spots, faces, _SHADOW, _SHADOW)
        shadow = np.zeros(_SHADOW * _SHADOW)
        high = np.sum(height[faces[seen.faces]] * seen.shares, axis=1)
        shadow[seen.pixels] = 0.25 + 0.75 * np.exp(-np.maximum(high, 0.0) * 2.2 / self.camera.size)
        soft = _blurred(shadow.reshape(_SHADOW, _SHADOW)).ravel()
        # most of the ground lies in the light: only what has shadow at a corner of its cell is looked up
        any_of_four = soft > 0.0
        for way in (1, _SHADOW):
            any_of_four[:-way] |= any_of_four[way:]
        dim = np.flatnonzero(any_of_four[self.cells])
        dark = 0.36 * _looked_up(soft, self.cells[dim], self.spots[dim])[:, None]
        pixels = self.shaded[dim]
        image[pixels] = image[pixels] * (1.0 - dark) + _SHADE * dark

    def _draw_path(self, image: Floats, near: Floats, path: Floats) -> None:
        """The line of the tip, where nothing hides it."""
        if len(path) < 2:
            return
        spots = self.camera.projected(path)
        steps = np.maximum(np.ceil(np.abs(np.diff(spots[:, :2], axis=0)).max(axis=1)).astype(int), 1)
        own = np.repeat(np.arange(len(steps)), steps)
        part = (np.arange(len(own)) - np.repeat(np.cumsum(steps) - steps, steps)) / steps[own]
        dots = spots[own] * (1.0 - part[:, None]) + spots[own + 1] * part[:, None]
        camera = self.camera
        for dx, dy in ((0, 0), (1, 0), (0, 1), (1, 1)):
            x, y = np.floor(dots[:, 0]).astype(int) + dx, np.floor(dots[:, 1]).astype(int) + dy
            kept = (x >= 0) & (y >= 0) & (x < camera.width) & (y < camera.height)
            pixel = y[kept] * camera.width + x[kept]
            free = dots[kept, 2] > near[pixel]
            image[pixel[free]] = 0.2 * image[pixel[free]] + 0.8 * _PATH


def _mapped(values: Floats) -> Floats:
    """Colours (n, 3) of values from 0 to 1."""
    place = np.clip(values, 0.0, 1.0) * (len(VALUES) - 1)
    return np.stack([np.interp(place, np.arange(len(VALUES)), VALUES[:, r]) for r in range(3)], axis=1)


def _blurred(image: Floats) -> Floats:
    weights = np.array([0.016, 0.054, 0.122, 0.194, 0.227, 0.194, 0.122, 0.054, 0.016])
    for axis in (0, 1):
        image = np.apply_along_axis(np.convolve, axis, image, weights, mode="same")
    return image


def _looked_up(image: Floats, cells: Ints, spots: Floats) -> Floats:
    """Values of a square image within its cells, whose first corners are `cells`."""
    u, v = spots[:, 0], spots[:, 1]
    top = (1.0 - u) * image[cells] + u * image[cells + 1]
    return np.asarray((1.0 - v) * top + v * ((1.0 - u) * image[cells + _SHADOW] + u * image[cells + _SHADOW + 1]))
