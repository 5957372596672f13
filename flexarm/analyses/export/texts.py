"""Numbers and names in XML: shortest texts that are read back to the bit."""

from __future__ import annotations

from collections.abc import Iterable
from xml.sax.saxutils import quoteattr

import numpy as np

from flexarm.core.tree.types import Floats


def tag(kind: str, content: str | None = None, indent: int = 0, /, **attributes: object) -> str:
    """An element; attributes that are None are left out, vectors are lists of numbers."""
    given = {key: text(value) for key, value in attributes.items() if value is not None}
    words = "".join(f" {key}={quoteattr(value)}" for key, value in given.items())
    pad = "  " * indent
    return f"{pad}<{kind}{words}/>" if content is None else f"{pad}<{kind}{words}>\n{content}\n{pad}</{kind}>"


def text(value: object) -> str:
    """A number, a vector or a word."""
    if isinstance(value, str):
        return value
    if isinstance(value, Iterable):
        return " ".join(text(part) for part in value)
    return repr(float(value) + 0.0)  # type: ignore[arg-type]


def quaternion_of(R: Floats) -> Floats:
    """Unit quaternion (w, x, y, z) of a rotation, by its largest component."""
    t = [
        1.0 + R[0, 0] + R[1, 1] + R[2, 2],
        1.0 + R[0, 0] - R[1, 1] - R[2, 2],
        1.0 - R[0, 0] + R[1, 1] - R[2, 2],
        1.0 - R[0, 0] - R[1, 1] + R[2, 2],
    ]
    x, y, z = R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]
    xy, xz, yz = R[0, 1] + R[1, 0], R[0, 2] + R[2, 0], R[1, 2] + R[2, 1]
    rows = [[t[0], x, y, z], [x, t[1], xy, xz], [y, xy, t[2], yz], [z, xz, yz, t[3]]]
    row = np.array(rows[int(np.argmax(t))])
    return np.asarray(row / np.linalg.norm(row))
