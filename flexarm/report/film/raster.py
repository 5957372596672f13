"""Triangles into pixels: which is seen where, all of them at once."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from flexarm.model.link_frames import Floats
from flexarm.report.arm.lofts import Ints

# Pixels looked at in one go: 50 MB.
_MOST = 1_500_000


class Seen(NamedTuple):
    """The pixels (n) that show something, the triangle seen there and the shares (n, 3) of its corners."""

    pixels: Ints
    faces: Ints
    shares: Floats


def rasterised(corners: Floats, faces: Ints, width: int, height: int) -> Seen:
    """What is seen of triangles (f, 3) with corners (v, 3): pixels right and down, and a nearness that is linear in the
    picture. Those that turn their backs are not seen.
    """
    a, b, c = (corners[faces[:, k]] for k in range(3))
    # twice the area; y runs downward, so that a face seen from outside is clockwise in numbers
    area = (b[:, 0] - a[:, 0]) * (c[:, 1] - a[:, 1]) - (c[:, 0] - a[:, 0]) * (b[:, 1] - a[:, 1])
    low = np.ceil(np.minimum(np.minimum(a, b), c)[:, :2] - 0.5).astype(np.int64)
    high = np.floor(np.maximum(np.maximum(a, b), c)[:, :2] - 0.5).astype(np.int64)
    low, high = np.maximum(low, 0), np.minimum(high, np.array([width - 1, height - 1]))
    wide = np.maximum(high - low + 1, 0)
    counts = wide[:, 0] * wide[:, 1]
    chosen = np.flatnonzero((area < -1e-12) & (counts > 0))
    near = np.full(width * height, -np.inf)
    face = np.full(width * height, -1, np.int64)
    shares = np.zeros((width * height, 3))
    begin = 0
    total = np.cumsum(counts[chosen])
    while begin < len(chosen):
        before = total[begin - 1] if begin else 0
        end = max(int(np.searchsorted(total, before + _MOST, side="right")), begin + 1)
        _add(chosen[begin:end], (a, b, c), area, low, wide, counts, width, near, face, shares)
        begin = end
    pixels = np.flatnonzero(face >= 0)
    return Seen(pixels, face[pixels], shares[pixels])


def _add(
    chosen: Ints,
    abc: tuple[Floats, Floats, Floats],
    area: Floats,
    low: Ints,
    wide: Ints,
    counts: Ints,
    width: int,
    near: Floats,
    face: Ints,
    shares: Floats,
) -> None:
    """Put triangles into the picture where they are nearer than what is there."""
    own = np.repeat(chosen, counts[chosen])
    starts = np.cumsum(counts[chosen]) - counts[chosen]
    place = np.arange(len(own)) - np.repeat(starts, counts[chosen])
    x = low[own, 0] + place % wide[own, 0]
    y = low[own, 1] + place // wide[own, 0]
    a, b, c = (each[own] for each in abc)
    px, py = x + 0.5, y + 0.5
    one = ((b[:, 0] - px) * (c[:, 1] - py) - (c[:, 0] - px) * (b[:, 1] - py)) / area[own]
    two = ((c[:, 0] - px) * (a[:, 1] - py) - (a[:, 0] - px) * (c[:, 1] - py)) / area[own]
    three = 1.0 - one - two
    inside = np.flatnonzero((one >= 0.0) & (two >= 0.0) & (three >= 0.0))
    depth = (one * a[:, 2] + two * b[:, 2] + three * c[:, 2])[inside]
    pixel = (y * width + x)[inside]
    better = depth > near[pixel]
    inside, depth, pixel = inside[better], depth[better], pixel[better]
    # of several on one pixel the last one written stays
    order = np.argsort(depth, kind="stable")
    inside, pixel = inside[order], pixel[order]
    near[pixel] = depth[order]
    face[pixel] = own[inside]
    shares[pixel] = np.stack([one[inside], two[inside], three[inside]], axis=1)
