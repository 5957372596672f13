"""The modified Hencky chain with small deflections, from its flexibility; and its motion on a hub in closed form.

A chain is statically determinate: joint s gives way by w_s = Q_s/kL and turns by ψ_s = M_s/kR whatever the others do.
With u = B x (deflections of the masses, slopes below them) of the joints' x = (w, ψ) and their stiffnesses D,

    F = B D⁻¹ Bᵀ,      1/ω² = eigenvalues of F M

and bars without rotary inertia need no condensation: their rows of M are nought and are left out. Rotation of the hub
adds θ̇²G to D where the kinetic energy has a part −½θ̇² xᵀGx, so that the same formula serves.

T = ½Jθ̇² + Σ½m(Rθ̇ + u̇)² gives modes that rotation leaves alone ("plain"). The paper's velocities (13)–(16) also hold
m(Σw)²θ̇² of the slides ("slides", and letter by letter in `printed_chain`); all terms of second order are in
"second order": −2mRdθ̇² from the drawing-in d = Σ½lφ² of the bars, and mu²θ̇².
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.integrate import solve_ivp
from scipy.linalg import eigh

from .hub_cases import PULSE, PULSE_TIME, SPIN_TIME, HubBeam, spin_up
from .integration import History, integrate

KINEMATICS = ("plain", "slides", "second order")


@dataclass(frozen=True)
class Chain:
    """n segments of a beam; rotary inertia ρI and shear stiffness κGA make it Rayleigh's or Timoshenko's."""

    beam: HubBeam
    n: int
    rhoI: float = 0.0
    kGA: float = np.inf
    tip_inertia: float = 0.0

    @property
    def half(self) -> float:
        """Length of a bar (m)."""
        return self.beam.L / (2 * self.n)

    @cached_property
    def shares(self) -> np.ndarray:
        """Length (m) of the beam whose mass each lump has, from the hub outwards (2n + 1,)."""
        share = np.full(2 * self.n + 1, self.beam.L / (3 * self.n))
        share[1::2] *= 2
        share[[0, -1]] /= 2
        return share

    @cached_property
    def masses(self) -> np.ndarray:
        """Lumps that move against the hub (2n,), kg."""
        masses = self.beam.rhoA * self.shares[1:]
        masses[-1] += self.beam.tip_mass
        return masses

    @cached_property
    def inertias(self) -> np.ndarray:
        """Rotary inertias of these lumps (2n,), kg m²."""
        inertias = self.rhoI * self.shares[1:]
        inertias[-1] += self.tip_inertia
        return inertias

    @cached_property
    def reach(self) -> np.ndarray:
        """Distances of these lumps from the hub's axis (2n,), m."""
        return self.beam.radius + self.half * np.arange(1, 2 * self.n + 1)

    @cached_property
    def hub_inertia(self) -> float:
        """Moment of inertia of all about the axis, the beam straight (kg m²); the lump on the hub included."""
        own = self.beam.rhoA * self.shares[0] * self.beam.radius**2 + self.rhoI * float(np.sum(self.shares))
        return self.beam.hub_inertia + self.tip_inertia + own + float(self.masses @ self.reach**2)

    @cached_property
    def rows(self) -> tuple[np.ndarray, np.ndarray]:
        """Deflections and slopes of the lumps (2n, 4n) by the joints' slides and turns."""
        count = 2 * self.n
        outboard = np.tril(np.ones((count, count)))
        j = np.arange(count)
        lever = outboard * self.half * (j[:, None] - j + 0.5)
        return np.hstack([outboard, lever]), np.hstack([np.zeros_like(outboard), outboard])

    @cached_property
    def springs(self) -> np.ndarray:
        """Stiffnesses of slides and turns (4n,)."""
        EI, l = self.beam.EI, self.half
        phi = 12 * EI / (self.kGA * l**2)
        return np.repeat([12 * EI / (l**3 * (1 + phi)), EI / l], 2 * self.n)

    def centrifugal(self, kinematics: str) -> np.ndarray:
        """G (4n, 4n) of the joints, kg or kg m²: what the square of the rate adds to their springs."""
        count = 2 * self.n
        G = np.zeros((2 * count, 2 * count))
        if kinematics == "slides":
            slides = np.tril(np.ones((count, count)))
            G[:count, :count] = -slides.T @ (self.masses[:, None] * slides)
        elif kinematics == "second order":
            # d_j = Σ_{s<j} (l/2)φ_s² + (l/4)φ_j²
            drawn = self.half / 2 * np.tril(np.ones((count, count)), -1) + self.half / 4 * np.eye(count)
            slope = self.rows[1]
            G = 2 * slope.T @ ((drawn.T @ (self.masses * self.reach))[:, None] * slope)
        elif kinematics != "plain":
            raise ValueError(f"{kinematics} is none of {KINEMATICS}")
        return G

    def flexibility(self, rate: float = 0.0, kinematics: str = "plain") -> np.ndarray:
        """Deflections of the lumps under unit forces on them (2n, 2n), m/N, on a hub that turns at `rate`."""
        u = self.rows[0]
        return u @ np.linalg.solve(np.diag(self.springs) + rate**2 * self.centrifugal(kinematics), u.T)

    def frequencies(self, rate: float = 0.0, kinematics: str = "plain") -> np.ndarray:
        """Angular frequencies (rad/s) on a hub that turns at a prescribed rate, lowest first."""
        masses = np.concatenate([self.masses, self.inertias])
        rows, masses = np.vstack(self.rows)[masses > 0], masses[masses > 0]
        compliant = np.linalg.solve(np.diag(self.springs) + rate**2 * self.centrifugal(kinematics), rows.T)
        root = np.sqrt(masses)
        found = np.linalg.eigvalsh(root[:, None] * (rows @ compliant) * root)[::-1]
        if kinematics == "second order":
            if self.inertias.any():
                raise ValueError("mu²θ̇² is the lumps' own eigenvalue shift only without rotary inertia")
            return np.sqrt(1 / found - rate**2)
        return 1 / np.sqrt(found)

    @cached_property
    def driven_modes(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Frequencies, response per unit of −θ̈, and tip deflection of the modes on a driven hub, no rotary inertia."""
        return self._modes(np.diag(self.masses))

    @cached_property
    def free_modes(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The same on a hub that turns freely, per unit of −τ/J."""
        mR = self.masses * self.reach
        return self._modes(np.diag(self.masses) - np.outer(mR, mR) / self.hub_inertia)

    def _modes(self, M: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        # M a = (1/ω²) K a from the flexibility: F M F a' = (1/ω²) F a', a = F a'
        inverse, X = eigh(self.flexibility() @ M @ self.flexibility(), self.flexibility())
        order = np.argsort(inverse)[::-1]
        w = 1 / np.sqrt(inverse[order])
        shapes = self.flexibility() @ X[:, order] * w  # of unit modal mass
        return w, shapes.T @ (self.masses * self.reach), shapes[-1]


def spun_tip(chain: Chain, rate: float, times: np.ndarray) -> np.ndarray:
    """Tip deflection (m) at the times, in closed form: plain kinematics, hub spun up to `rate` from rest."""
    w, gain, tip = chain.driven_modes
    nu = 2 * np.pi / SPIN_TIME
    t = np.asarray(times, dtype=float)[:, None]
    s = np.minimum(t, SPIN_TIME)
    # η̈ + ω²η = −g a (1 − cos νt) from rest, then free
    eta = (1 - np.cos(w * s)) / w**2 - (np.cos(nu * s) - np.cos(w * s)) / (w**2 - nu**2)
    speed = np.sin(w * s) / w + (nu * np.sin(nu * s) - w * np.sin(w * s)) / (w**2 - nu**2)
    free = t - s
    eta = eta * np.cos(w * free) + speed * np.sin(w * free) / w
    return -rate / SPIN_TIME * (eta * gain) @ tip


def spun_history(chain: Chain, rate: float, end: float, kinematics: str = "plain") -> History:
    """History of the lumps' deflections from rest by DOP853, hub spun up to `rate`, in any kinematics."""
    M, load = np.diag(chain.masses), chain.masses * chain.reach

    def acceleration(t: float, u: np.ndarray, v: np.ndarray, phase: int) -> np.ndarray:
        _, omega, alpha = spin_up(t, rate)
        restoring = np.linalg.solve(chain.flexibility(omega, kinematics), u)
        if kinematics == "second order":
            restoring = restoring - omega**2 * (M @ u)
        return -(restoring + alpha * load) / chain.masses

    still = np.zeros(2 * chain.n)
    bounds = (0.0, min(end, SPIN_TIME), end) if end > SPIN_TIME else (0.0, end)
    step = 0.2 / chain.frequencies()[0]
    return integrate(acceleration, bounds, still, still, method="DOP853", rtol=1e-12, atol=1e-15, max_step=step)


def torqued(chain: Chain, times: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Hub angle (rad) and tip deflection (m) at the times, in closed form: plain kinematics, the sine torque."""
    w, gain, tip = chain.free_modes
    nu, J = 2 * np.pi / PULSE_TIME, chain.hub_inertia
    t = np.asarray(times, dtype=float)[:, None]
    s = np.minimum(t, PULSE_TIME)
    # η̈ + ω²η = −g (τ0/J) sin νt from rest, then free
    eta = (np.sin(nu * s) - nu / w * np.sin(w * s)) / (w**2 - nu**2)
    speed = nu * (np.cos(nu * s) - np.cos(w * s)) / (w**2 - nu**2)
    free = t - s
    eta = -PULSE / J * gain * (eta * np.cos(w * free) + speed * np.sin(w * free) / w)
    # Jθ + ΣmRu = ∬τ; the whole pulse leaves no momentum
    twice = PULSE / nu * (s - np.sin(nu * s) / nu)
    return (twice[:, 0] - eta @ gain) / J, eta @ tip


def torqued_with_slides(chain: Chain, times: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The same with the slides felt, T = ½Jθ̇² + ½Σm[(Rθ̇ + u̇)² + W²θ̇²]: from momenta, by DOP853.

    p = ∂T/∂θ̇ is the torque's integral, P = m(Rθ̇ + u̇) has Ṗ = −F(θ̇)⁻¹u, and θ̇ (J_hub + ΣmW²) = p − R·P where the
    slides W themselves follow the rate.
    """
    nu, m, R = 2 * np.pi / PULSE_TIME, chain.masses, chain.reach
    hub = chain.hub_inertia - float(m @ R**2)
    G, u, count = chain.centrifugal("slides"), chain.rows[0], 2 * chain.n

    def followed(deflection: np.ndarray, rate: float) -> tuple[np.ndarray, float]:
        """Forces on the masses, and ΣmW²."""
        soft = np.linalg.solve(np.diag(chain.springs) + rate**2 * G, u.T)
        force = np.linalg.solve(u @ soft, deflection)
        joints = soft @ force
        return force, -float(joints @ G @ joints)

    def rates(t: float, state: np.ndarray) -> np.ndarray:
        deflection, momentum = state[1 : count + 1], state[count + 1 :]
        whole = PULSE / nu * (1.0 - np.cos(nu * min(t, PULSE_TIME)))
        rate = (whole - R @ momentum) / hub
        for _ in range(6):
            force, slid = followed(deflection, rate)
            rate = (whole - R @ momentum) / (hub + slid)
        return np.concatenate([[rate], momentum / m - R * rate, -force])

    t = np.asarray(times, dtype=float)
    found, begin, state = [], 0.0, np.zeros(2 * count + 1)
    for end in (PULSE_TIME, max(float(t.max()), PULSE_TIME + 1e-9)):
        here = t[(t > begin) & (t <= end)] if begin else t[t <= end]
        run = solve_ivp(rates, (begin, end), state, "DOP853", dense_output=True, rtol=1e-10, atol=1e-13)
        found.append(run.sol(here) if len(here) else np.zeros((len(state), 0)))
        begin, state = end, run.y[:, -1]
    whole = np.concatenate(found, axis=1)
    return whole[0], whole[count]
