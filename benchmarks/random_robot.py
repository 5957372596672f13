"""Random robots as URDF: trees with joints of every kind about any axis, inertias in frames turned at random."""

from __future__ import annotations

import numpy as np

KINDS = ("revolute", "continuous", "prismatic", "fixed")


def random_urdf(seed: int, links: int = 12, *, massless: float = 0.1) -> str:
    """The text of a robot with so many links; every joint that moves carries a mass."""
    rng = np.random.default_rng(seed)
    parents = [int(rng.integers(max(0, i - 3), i)) for i in range(1, links)]
    leaves = set(range(links)) - set(parents)
    lines = [f'<?xml version="1.0"?>\n<robot name="random {seed}">']
    for i in range(links):
        bare = i not in leaves and rng.random() < massless
        lines.append(f'  <link name="link_{i}">' + ("" if bare else _inertial(rng)) + "</link>")
    for i, parent in enumerate(parents, start=1):
        kind = str(rng.choice(KINDS, p=(0.45, 0.2, 0.2, 0.15)))
        if i in leaves and kind == "fixed" and rng.random() < 0.5:
            kind = "revolute"
        limit = '<limit lower="-2" upper="2" effort="50" velocity="3"/>' if kind in ("revolute", "prismatic") else ""
        axis = rng.normal(size=3) * rng.uniform(0.3, 3.0)
        damping = f'<dynamics damping="{rng.uniform(0.0, 2.0):.17g}"/>' if rng.random() < 0.5 else ""
        lines.append(
            f'  <joint name="joint_{i}" type="{kind}"><parent link="link_{parent}"/><child link="link_{i}"/>'
            f"{_origin(rng)}<axis xyz={_three(axis)}/>{limit}{damping}</joint>"
        )
    return "\n".join([*lines, "</robot>"])


def _inertial(rng: np.random.Generator) -> str:
    # a cloud of points has an inertia that some body has
    cloud = rng.normal(size=(6, 3)) * rng.uniform(0.01, 0.3, 3)
    mass = rng.uniform(0.1, 8.0)
    spread = cloud.T @ cloud * mass / len(cloud)
    inertia = np.trace(spread) * np.eye(3) - spread
    names = (("ixx", 0, 0), ("ixy", 0, 1), ("ixz", 0, 2), ("iyy", 1, 1), ("iyz", 1, 2), ("izz", 2, 2))
    moments = " ".join(f'{name}="{inertia[a, b]:.17g}"' for name, a, b in names)
    return f'<inertial>{_origin(rng, 0.2)}<mass value="{mass:.17g}"/><inertia {moments}/></inertial>'


def _origin(rng: np.random.Generator, size: float = 0.5) -> str:
    return f"<origin xyz={_three(rng.uniform(-size, size, 3))} rpy={_three(rng.uniform(-np.pi, np.pi, 3))}/>"


def _three(vector: np.ndarray) -> str:
    return '"' + " ".join(f"{part:.17g}" for part in vector) + '"'
