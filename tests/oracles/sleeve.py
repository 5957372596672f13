"""A beam that slides out of a sleeve, from the places of its particles: forces by their accelerations, and by Lagrange.

A particle is named by its distance s from the tip. Outside the sleeve it is at x = d − s, ξ = x/d, and is displaced by
the fields of the element it is in, interpolated between nodes at fixed ξ; inside it is on the axis. Its place has parts
of order nought, one and two in the nodal values η,

    r0 = (d − s, 0, 0),   r1 = (u, v, w),   r2 = (−½ ∫₀ˣ (v'² − γ_y² + w'² − γ_z²) dx, 0, 0)

and the kinetic energy keeps |r0|² + 2 r0·r1 + |r1|² + 2 r0·r2 (dotted), with ½ Ω·jΩ of the sections beside. Time
derivatives along the particle's path are carried by second-order jets through the very formulas of the places, so no
material derivative is ever written down. Two ways lead to forces:

- `forces_by_particles`: Σ dm (∂r/∂z)·r̈ order by order, exact for fields without kinks;
- `forces_by_lagrange`: d/dt ∂T/∂ż − ∂T/∂z of T summed at fixed ξ, by the complex step, for any fields.

All in the axes of the mouth's frame, which turns with ω and whose origin moves with v; forces are ordered (moment,
force, force on d, forces on η). A payload may ride on the tip, exactly.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from .flexible import STEP
from .transforms import cross_matrix, exponential, vector

E_X = np.array([1.0, 0.0, 0.0])
POINTS = 6  # Gauss points per element: more than any polynomial here needs


@dataclass(frozen=True, eq=False)
class Jet:
    """A value with its first two time derivatives; arrays, real or complex."""

    x: np.ndarray
    v: np.ndarray
    a: np.ndarray

    def __add__(self, other: Jet | float) -> Jet:
        other = jet(other)
        return Jet(self.x + other.x, self.v + other.v, self.a + other.a)

    def __mul__(self, other: Jet | float) -> Jet:
        other = jet(other)
        return Jet(
            self.x * other.x,
            self.v * other.x + self.x * other.v,
            self.a * other.x + 2.0 * self.v * other.v + self.x * other.a,
        )

    __radd__, __rmul__ = __add__, __mul__

    def __sub__(self, other: Jet | float) -> Jet:
        return self + (-1.0) * jet(other)

    def __rsub__(self, other: Jet | float) -> Jet:
        return jet(other) + (-1.0) * self

    def inverse(self) -> Jet:
        """1/x."""
        y = 1.0 / self.x
        return Jet(y, -self.v * y * y, 2.0 * self.v * self.v * y**3 - self.a * y * y)

    def __getitem__(self, index: int) -> Jet:
        return Jet(self.x[..., index], self.v[..., index], self.a[..., index])


def jet(value: Jet | float | np.ndarray) -> Jet:
    """The value as a jet; a number does not move."""
    return value if isinstance(value, Jet) else Jet(np.asarray(value), np.zeros(()), np.zeros(()))


@dataclass(frozen=True, eq=False)
class Payload:
    """A rigid body on the tip: mass, centre and inertia about it, in the tip's axes."""

    mass: float
    centre: np.ndarray = field(default_factory=lambda: np.zeros(3))
    inertia: np.ndarray = field(default_factory=lambda: np.zeros((3, 3)))


@dataclass(frozen=True, eq=False, kw_only=True)
class Boom:
    """A uniform beam in a sleeve. Coordinates of a node: those of "u v w twist slope_y slope_z" that are named."""

    length: float
    mass: float  # per length
    shares: tuple[float, ...]  # lengths of the elements as parts of the length outside
    names: tuple[str, ...] = ("v", "slope_z")
    cubic: bool = True  # Hermite's cubics, else deflection and rotation linear and apart
    beta: tuple[float, float] = (0.0, 0.0)  # 12EI/κGA of cubic elements that shear, in v and in w
    rotary: tuple[float, float, float] = (0.0, 0.0, 0.0)  # per length
    EI: tuple[float, float] = (1.0, 1.0)  # in v and in w
    GA: tuple[float, float] | None = None
    GJ: float = 1.0
    EA: float = 1.0
    stiffening: bool = True
    payload: Payload | None = None

    @property
    def count(self) -> int:
        """Number of coordinates, d among them."""
        return 1 + len(self.shares) * len(self.names)

    @property
    def begins(self) -> np.ndarray:
        """ξ at which each element begins."""
        return np.concatenate([[0.0], np.cumsum(self.shares)[:-1]])

    def node(self, k: int, name: str, z: Jet) -> Jet:
        """The value of a name at node k; zero at the mouth and for what is not free."""
        if k == 0 or name not in self.names:
            return jet(0.0)
        return z[1 + (k - 1) * len(self.names) + self.names.index(name)]

    def plane(self, k: int, zeta: Jet, z: Jet, plane: int) -> tuple[Jet, Jet, Jet, Jet, Jet]:
        """Deflection, slope of the axis, rotation of the section, curvature and shear at ζ of element k, in v or w."""
        name, turn, sign = (("v", "slope_z", 1.0), ("w", "slope_y", -1.0))[plane]
        h = self.shares[k] * z[0]
        v1, v2 = self.node(k, name, z), self.node(k + 1, name, z)
        t1, t2 = sign * self.node(k, turn, z), sign * self.node(k + 1, turn, z)
        per = h.inverse()
        if not self.cubic:
            deflection, rotation = v1 + zeta * (v2 - v1), t1 + zeta * (t2 - t1)
            slope = per * (v2 - v1)
            return deflection, slope, rotation, per * (t2 - t1), slope - rotation
        beta = self.beta[plane]
        q = beta * (h * h + beta).inverse() if beta else jet(0.0)
        psi = q * (per * (v1 - v2) + 0.5 * (t1 + t2))
        # the cubic through deflections and slopes at both ends
        m1, m2, rise = h * (t1 - psi), h * (t2 - psi), v2 - v1
        c2, c3 = 3.0 * rise - 2.0 * m1 - m2, m1 + m2 - 2.0 * rise
        deflection = v1 + zeta * (m1 + zeta * (c2 + zeta * c3))
        slope = per * (m1 + zeta * (2.0 * c2 + 3.0 * zeta * c3))
        curvature = per * per * (2.0 * c2 + 6.0 * zeta * c3)
        return deflection, slope, slope + psi, curvature, (-1.0) * psi

    def drawn_in(self, k: int, zeta: Jet, z: Jet) -> Jet:
        """∫₀ˣ (v'² − γ_y² + w'² − γ_z²) dx up to ζ of element k; of linear elements the shear in their middle."""
        total = jet(0.0)
        if not self.stiffening:
            return total
        places, weights = _gauss(POINTS)
        for i in range(k + 1):
            end = zeta if i == k else jet(1.0)
            for place, weight in zip(places, weights, strict=True):
                squares = jet(0.0)
                for plane in (0, 1):
                    slope, shear = self.plane(i, place * end, z, plane)[1], self.plane(i, jet(0.5), z, plane)[4]
                    squares = squares + slope * slope - shear * shear
                total = total + (weight * self.shares[i]) * (z[0] * (end * squares))
        return total

    def fields(self, k: int, s: Jet, z: Jet) -> tuple[list[list[Jet]], list[Jet]]:
        """r0, r1, r2 and the section's rotation, each with its three components, of the particles s of element k."""
        x = z[0] - s
        zeta = (x * z[0].inverse() - float(self.begins[k])) * (1.0 / self.shares[k])
        in_v, in_w = (self.plane(k, zeta, z, plane) for plane in (0, 1))

        def linear(name: str) -> Jet:
            one, two = self.node(k, name, z), self.node(k + 1, name, z)
            return one + zeta * (two - one)

        nothing = jet(0.0)
        places = [
            [x, nothing, nothing],
            [linear("u"), in_v[0], in_w[0]],
            [-0.5 * self.drawn_in(k, zeta, z), nothing, nothing],
        ]
        return places, [linear("twist"), (-1.0) * in_w[2], in_v[2]]

    def energy(self, z: np.ndarray) -> np.ndarray:
        """Elastic energy; z may be complex and have leading axes."""
        still = Jet(z, np.zeros_like(z), np.zeros_like(z))
        total = np.zeros(z.shape[:-1], z.dtype)
        for k, share in enumerate(self.shares):
            h = share * z[..., 0]
            for place, weight in zip(*_gauss(POINTS), strict=True):
                parts = []
                for plane in (0, 1):
                    _, _, _, curvature, shear = self.plane(k, jet(place), still, plane)
                    parts.append(self.EI[plane] * curvature.x**2)
                    if self.GA is not None and self.cubic:
                        parts.append(self.GA[plane] * shear.x**2)
                for name, stiffness in (("twist", self.GJ), ("u", self.EA)):
                    change = self.node(k + 1, name, still).x - self.node(k, name, still).x
                    parts.append(stiffness * (change / h) ** 2)
                total = total + 0.5 * weight * h * sum(parts)
            if not self.cubic and self.GA is not None:
                # one point for shear: linear fields would lock
                for plane in (0, 1):
                    shear = self.plane(k, jet(0.5), still, plane)[4]
                    total = total + 0.5 * h * self.GA[plane] * shear.x**2
        return total


def _gauss(points: int) -> tuple[np.ndarray, np.ndarray]:
    """Gauss points and weights on [0, 1]."""
    x, w = np.polynomial.legendre.leggauss(points)
    return 0.5 * (x + 1.0), 0.5 * w


def _stacked(parts: Sequence[Jet], shape: tuple[int, ...]) -> Jet:
    """Three components as one jet of vectors (..., 3)."""

    def column(values: list[np.ndarray]) -> np.ndarray:
        return np.stack([np.broadcast_to(value, shape) for value in values], axis=-1)

    return Jet(*(column([getattr(part, name) for part in parts]) for name in "xva"))


def stations(boom: Boom, z: Jet) -> list[tuple[np.ndarray, list[Jet], Jet]]:
    """Per element the masses of its stations per mass per length (g,), r0, r1, r2 and rotation (..., g, 3).

    `z` has leading axes of its own; the particles are those that are at the Gauss points now.
    """
    found = []
    places, weights = _gauss(POINTS)
    spread = Jet(*(part[..., None, :] for part in (z.x, z.v, z.a)))
    shape = (*np.broadcast_shapes(z.x.shape, z.v.shape, z.a.shape)[:-1], POINTS)
    for k, share in enumerate(boom.shares):
        d = z.x[..., :1]
        s = jet(d * (1.0 - boom.begins[k] - share * places))
        orders, rotation = boom.fields(k, s, spread)
        found.append((share * d * weights, [_stacked(order, shape) for order in orders], _stacked(rotation, shape)))
    return found


# --- By particles ----------------------------------------------------------------------------------------------------


def forces_by_particles(boom: Boom, w: np.ndarray, alpha: np.ndarray, a: np.ndarray, motion: Jet) -> np.ndarray:
    """Inertia forces (6 + n,) of all particles, outside and inside; `a` is the acceleration of the mouth."""
    n = boom.count
    total = np.zeros(6 + n)

    def add(dm: np.ndarray, orders: list[Jet], shapes: list[np.ndarray]) -> None:
        acc = []
        for order, r in enumerate(orders):
            turning = np.cross(alpha, r.x) + np.cross(w, np.cross(w, r.x) + 2.0 * r.v)
            acc.append(r.a + turning + (a if order == 0 else 0.0))
        for order, others in ((0, (0, 1, 2)), (1, (0, 1)), (2, (0,))):
            force = dm[:, None] * sum(acc[other] for other in others)
            total[:3] += np.sum(np.cross(orders[order].x, force), axis=0)
            total[3:6] += force.sum(axis=0) if order == 0 else 0.0
            total[6:] += np.einsum("jga,ga->j", shapes[order], force)

    unit = stations(boom, Jet(np.broadcast_to(motion.x, (n, n)), np.eye(n), np.zeros((n, n))))
    for (dx, orders, rotation), (_, moved, turned) in zip(stations(boom, motion), unit, strict=True):
        add(boom.mass * dx, orders, [part.v for part in moved])
        j = dx[:, None] * np.array(boom.rotary)
        moment = j * (alpha + rotation.a)
        total[:3] += np.sum(moment + np.cross(w, j * (w + rotation.v)), axis=0)
        total[6:] += np.einsum("jga,ga->j", turned.v, moment)
    d, rate, acc = (part[0] for part in (motion.x, motion.v, motion.a))
    places, weights = _gauss(2)
    inside = boom.length - d
    x = Jet(-inside * places[:, None] * E_X, rate * np.tile(E_X, (2, 1)), acc * np.tile(E_X, (2, 1)))
    still = Jet(np.zeros((2, 3)), np.zeros((2, 3)), np.zeros((2, 3)))
    pushed = np.zeros((n, 2, 3))
    pushed[0, :, 0] = 1.0
    add(boom.mass * inside * weights, [x, still, still], [pushed, 0.0 * pushed, 0.0 * pushed])
    j = inside * np.array(boom.rotary)
    total[:3] += j * alpha + np.cross(w, j * w)
    return total


# --- By Lagrange -----------------------------------------------------------------------------------------------------


def products(boom: Boom, w: np.ndarray, v: np.ndarray, z: np.ndarray, rate: np.ndarray) -> list[tuple[np.ndarray, ...]]:
    """Pairs of rows, linear in (ω, v, ż), whose products add up to twice the kinetic energy; leading axes broadcast."""
    shape = np.broadcast_shapes(z.shape, rate.shape)
    whole = Jet(np.broadcast_to(z, shape), np.broadcast_to(rate, shape), np.zeros(shape))
    pairs = []
    w_, v_ = w[..., None, :], v[..., None, :]
    for dx, (r0, r1, r2), rotation in stations(boom, whole):
        a0 = v_ + np.cross(w_, r0.x) + r0.v
        a1, a2 = (np.cross(w_, r.x) + r.v for r in (r1, r2))
        dm = boom.mass * dx[..., None]
        turning = w_ + rotation.v
        pairs += [(a0, dm * (a0 + 2.0 * a1 + 2.0 * a2)), (a1, dm * a1)]
        pairs.append((turning, dx[..., None] * np.array(boom.rotary) * turning))
    # inside: the ends of a bar and its middle, as Simpson weighs them
    d = whole.x[..., :1]
    inside = boom.length - d
    x = inside[..., None] * np.array([0.0, -0.5, -1.0])[:, None] * E_X
    here = v_ + np.cross(w_, x) + whole.v[..., :1, None] * E_X
    pairs.append((here, (boom.mass * inside * np.array([1.0, 4.0, 1.0]) / 6.0)[..., None] * here))
    pairs.append((w_ + 0.0 * here[..., :1, :], inside[..., None] * np.array(boom.rotary) * w_))
    if boom.payload is not None:
        pairs += _payload(boom, boom.payload, w, v, whole)
    return [(one.reshape(*one.shape[:-2], -1), two.reshape(*two.shape[:-2], -1)) for one, two in pairs]


def tip(boom: Boom, z: Jet) -> tuple[Jet, np.ndarray, np.ndarray]:
    """Place of the tip as a jet, its rotation matrix and the rate of that, mouth axes."""
    last = len(boom.shares) - 1
    orders, rotation = boom.fields(last, jet(0.0), z)
    shape = z.x.shape[:-1]
    r = _stacked([orders[0][k] + orders[1][k] + orders[2][k] for k in range(3)], shape)
    theta = _stacked(rotation, shape)
    return r, *exponential(cross_matrix(theta.x), cross_matrix(theta.v))


def _payload(boom: Boom, payload: Payload, w: np.ndarray, v: np.ndarray, z: Jet) -> list[tuple[np.ndarray, ...]]:
    r, R, rate = tip(boom, z)
    centre = r.x + R @ payload.centre
    speed = v + np.cross(w, centre) + r.v + rate @ payload.centre
    spin = np.einsum("...ji,...j->...i", R, w + vector(rate @ np.swapaxes(R, -1, -2)))
    return [
        (speed[..., None, :], payload.mass * speed[..., None, :]),
        (spin[..., None, :], (spin @ payload.inertia)[..., None, :]),
    ]


def mass_matrix(boom: Boom, z: np.ndarray) -> np.ndarray:
    """Mass matrix (6 + n, 6 + n) on (ω, v, ż); z may be complex."""
    n = boom.count
    units = np.eye(6 + n)
    pairs = products(boom, units[:, :3], units[:, 3:6], np.broadcast_to(z, (6 + n, n)), units[:, 6:])
    whole = sum(one @ two.T for one, two in pairs)
    return 0.5 * (whole + whole.T)


def kinetic(boom: Boom, w: np.ndarray, v: np.ndarray, z: np.ndarray, rate: np.ndarray) -> np.ndarray:
    """Kinetic energy; leading axes broadcast."""
    return 0.5 * sum(np.sum(one * two, axis=-1) for one, two in products(boom, w, v, z, rate))


def forces_by_lagrange(boom: Boom, w: np.ndarray, alpha: np.ndarray, a: np.ndarray, motion: Jet) -> np.ndarray:
    """Inertia forces (6 + n,); `a` is the acceleration of the mouth, whose velocity plays no part."""
    n, z, rate = boom.count, motion.x, motion.v
    v = np.zeros(3)
    y, acc = np.concatenate([w, v, rate]), np.concatenate([alpha, a, motion.a])
    M = mass_matrix(boom, z)
    moving = mass_matrix(boom, z + 1j * STEP * rate).imag / STEP
    momentum = M @ y
    force = M @ acc + moving @ y
    force[:3] += np.cross(w, momentum[:3])
    force[3:6] += np.cross(w, momentum[3:6])
    varied = z + 1j * STEP * np.eye(n)
    force[6:] -= kinetic(boom, w[None], v[None], varied, rate[None]).imag / STEP
    return force


def elastic_forces(boom: Boom, z: np.ndarray) -> np.ndarray:
    """Derivatives (n,) of the elastic energy."""
    return boom.energy(z + 1j * STEP * np.eye(boom.count)).imag / STEP
