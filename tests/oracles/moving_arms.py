"""The thesis's spatial arms in motion, quasi-statically: unit loads on the rigid arm that moves.

Where the arm's particles are on the command is written down in closed form and differentiated twice by central
differences. Every piece of a link then loads the arm with p = ρA (g − a) and c = −ρ d(I ω)/dt per length; the tip moves
along a unit vector e by

    ∫ M·F m + N·G n ds,    m = (x_tip − x) × e, n = e,

over all sections, with the moment M and the force N of what lies outboard, F = diag(1/GJ, 1/EI, 1/EI) and
G = diag(0, 1/κGA, 1/κGA) in the section's axes: no element, no shape function.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from .table_arms import COLUMN, GRAVITY, R_P, THREE_R, Tube

SIXTY = np.pi / 3
_POINTS = 24  # Gauss points of every link
_STEP = 1e-3  # s, of the differences


def switched(t: float) -> float:
    """60° with 0.5 s of acceleration, 1 s at constant rate and 0.5 s of deceleration (rad)."""
    rate = SIXTY / 1.5
    if t < 0.5:
        return rate * t * t
    if t < 1.5:
        return rate * (t - 0.25)
    return SIXTY - rate * (2.0 - t) ** 2 if t < 2.0 else SIXTY


def cycloid(t: float, travel: float, duration: float = 2.5) -> float:
    """Rest to rest along a cycloid."""
    part = min(t / duration, 1.0)
    return travel * (part - np.sin(2 * np.pi * part) / (2 * np.pi))


def _turn(axis: str, angle: float) -> np.ndarray:
    c, s = np.cos(angle), np.sin(angle)
    if axis == "z":
        return np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
    return np.array([[1.0, 0.0, 0.0], [0.0, c, -s], [0.0, s, c]])


@dataclass(frozen=True)
class Piece:
    """A straight piece of an arm: where its origin is and how it is turned (x along it), and its length, over time."""

    place: Callable[[float], tuple[np.ndarray, np.ndarray]]
    length: Callable[[float], float]
    tube: Tube
    slides: bool = False  # its particles move along it, at fixed distances from its end


_UPRIGHT = np.array([[0.0, 0.0, -1.0], [0.0, 1.0, 0.0], [1.0, 0.0, 0.0]])  # x of the piece along z


def three_revolute() -> list[Piece]:
    """Hip, shoulder and elbow turned by 60° each from stretched out."""

    def column(t: float) -> tuple[np.ndarray, np.ndarray]:
        return np.zeros(3), _turn("z", switched(t)) @ _UPRIGHT

    def upper(t: float) -> tuple[np.ndarray, np.ndarray]:
        q = switched(t)
        return np.array([0.0, 0.0, COLUMN]), _turn("z", q) @ _turn("x", np.pi / 2) @ _turn("z", q)

    def fore(t: float) -> tuple[np.ndarray, np.ndarray]:
        origin, R = upper(t)
        return origin + R[:, 0], R @ _turn("z", switched(t))

    lengths = (COLUMN, 1.0, 1.0)
    return [
        Piece(place, lambda t, L=L: L, THREE_R)  # type: ignore[misc]
        for place, L in zip((column, upper, fore), lengths, strict=True)
    ]


def revolute_prismatic() -> list[Piece]:
    """A column turned by 60°, a link that slides out of it from 0.6 to 1 m; what is inside its sleeve goes with it."""

    def column(t: float) -> tuple[np.ndarray, np.ndarray]:
        return np.zeros(3), _turn("z", cycloid(t, SIXTY)) @ _UPRIGHT

    def slide(t: float) -> tuple[np.ndarray, np.ndarray]:
        return np.array([0.0, 0.0, COLUMN]), _turn("z", cycloid(t, SIXTY))

    return [
        Piece(column, lambda t: COLUMN, R_P),
        Piece(slide, lambda t: 0.6 + cycloid(t, 0.4), R_P, slides=True),
    ]


def _twice(f: Callable[[float], np.ndarray], t: float) -> np.ndarray:
    return (f(t + _STEP) - 2.0 * f(t) + f(t - _STEP)) / _STEP**2


def _spin(R: Callable[[float], np.ndarray], t: float) -> np.ndarray:
    """Angular velocity (base axes) of a turning frame."""
    W = (R(t + _STEP) - R(t - _STEP)) / (2 * _STEP) @ R(t).T
    return np.array([W[2, 1], W[0, 2], W[1, 0]])


def _momentum(piece: Piece, t: float) -> np.ndarray:
    """Angular momentum per length of a section about its centre (base axes)."""
    R = piece.place(t)[1]
    inertia = np.diag([piece.tube.rhoIp, piece.tube.rhoI, piece.tube.rhoI])
    return R @ inertia @ R.T @ _spin(lambda s: piece.place(s)[1], t)


def _loads(piece: Piece, t: float, gravity: float, inside: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Sections (k, 3), and force and moment on each (k, 3), of a piece and of what is inside its sleeve."""
    x, w = np.polynomial.legendre.leggauss(_POINTS)
    length = piece.length(t)
    spans = [(0.0, length)] + ([(length - inside, 0.0)] if inside > length else [])
    places, forces, moments = [], [], []
    turning = (_momentum(piece, t + _STEP) - _momentum(piece, t - _STEP)) / (2 * _STEP)
    for a, b in spans:
        for s, weight in zip(0.5 * (a + b) + 0.5 * (b - a) * x, 0.5 * (b - a) * w, strict=True):
            behind = length - s  # of the end, which a particle that slides keeps

            def particle(time: float, s: float = s, behind: float = behind) -> np.ndarray:
                origin, R = piece.place(time)
                return origin + R[:, 0] * (piece.length(time) - behind if piece.slides else s)

            force = piece.tube.rhoA * (np.array([0.0, 0.0, -gravity]) - _twice(particle, t))
            places.append(particle(t))
            forces.append(weight * force)
            moments.append(-weight * turning)
    return np.array(places), np.array(forces), np.array(moments)


def quasi_static_error(pieces: list[Piece], t: float, gravity: float = GRAVITY, inside: float = 0.0) -> np.ndarray:
    """The tip's displacement (3,), m, base axes; `inside` is the whole length of a link that slides out of a sleeve."""
    loads = [_loads(piece, t, gravity, inside if piece.slides else 0.0) for piece in pieces]
    origin, R = pieces[-1].place(t)
    tip = origin + R[:, 0] * pieces[-1].length(t)
    x, w = np.polynomial.legendre.leggauss(_POINTS)
    moved = np.zeros(3)
    for k, piece in enumerate(pieces):
        origin, R = piece.place(t)
        length, tube = piece.length(t), piece.tube
        bent = R @ np.diag([1 / tube.GJ, 1 / tube.EI, 1 / tube.EI]) @ R.T
        sheared = R @ np.diag([0.0, 1 / tube.kGA, 1 / tube.kGA]) @ R.T
        for s, weight in zip(0.5 * length * (1 + x), 0.5 * length * w, strict=True):
            here = origin + R[:, 0] * s
            force, moment = np.zeros(3), np.zeros(3)
            if k + 1 < len(pieces):
                for places, forces, moments in loads[k + 1 :]:
                    force += forces.sum(axis=0)
                    moment += (np.cross(places - here, forces) + moments).sum(axis=0)
            # of its own piece only what is beyond s, with Gauss points of its own
            rest = _beyond(piece, t, s, gravity)
            force += rest[1].sum(axis=0)
            moment += (np.cross(rest[0] - here, rest[1]) + rest[2]).sum(axis=0)
            lever = tip - here
            for axis in range(3):
                e = np.eye(3)[axis]
                moved[axis] += weight * (moment @ bent @ np.cross(lever, e) + force @ sheared @ e)
    return moved


def _beyond(piece: Piece, t: float, s: float, gravity: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Loads on the part of a piece beyond s: the piece that begins there."""

    def place(time: float) -> tuple[np.ndarray, np.ndarray]:
        origin, R = piece.place(time)
        start = s + (piece.length(time) - piece.length(t) if piece.slides else 0.0)
        return origin + R[:, 0] * start, R

    length = piece.length(t) - s
    return _loads(Piece(place, lambda _: length, piece.tube), t, gravity, 0.0)
