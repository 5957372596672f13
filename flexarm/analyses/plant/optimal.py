"""Controllers designed for the arm: linear-quadratic regulators, and those with an observer (NOTATION L6, L7)."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np

from flexarm.analyses.linearise import linearise
from flexarm.analyses.plant.linear_law import LinearLaw
from flexarm.analyses.plant.linear_plant import SAME, Seen, flow, seen_of
from flexarm.analyses.plant.torque_driven import driven_by_torque
from flexarm.core.tree.types import Floats
from flexarm.errors import AnalysisError
from flexarm.model import Arm
from flexarm.model.parts.controller import ControllerPart
from flexarm.model.reading.messages import quoted

# Standard deviation of a measurement whose noise is not given, in its unit.
USUAL_NOISE = 1e-3
# 2⁴⁰ samples ahead: what has not settled then never does.
_ROUNDS = 40


class Design:
    """An arm linearised at a posture, sampled with its torques on their way: what a regulator is designed for."""

    def __init__(
        self, arm: Arm, links: Sequence[str], part: ControllerPart, delay: float, posture: Mapping[str, float]
    ) -> None:
        self.part, self.links = part, tuple(links)
        model = linearise(driven_by_torque(arm, links), joints="driven", posture=dict(posture) or None)
        self.model = model
        columns = np.array([Seen.column(model, link) for link in links])
        self.x_names = [f"{name}.{what}" for what in ("position", "rate") for name in model.coordinate_names]
        if len(model.A) != len(self.x_names):
            raise AnalysisError(
                f"controller {quoted(part.name)}: an {part.kind} needs an arm without other drives that have states"
            )
        # joints that are moved by their drives have no part in it
        self.kept = _kept(model)
        A, B = model.A[np.ix_(self.kept, self.kept)], model.B[np.ix_(self.kept, columns)]
        self.columns = columns
        # torques from elsewhere, and what the motion of the rigid arm leaves to the elastic coordinates (L7)
        apart = B.copy()
        for k, link in enumerate(links):
            c = model.coordinate_names.index(link)
            assert model.mass is not None
            row = len(self.kept) // 2 + self.kept.tolist().index(c)
            apart[row, k] -= 1.0 / model.mass[c, c]
        self._sampled(A, B, delay, np.hstack([B, apart]))

    def _sampled(self, A: Floats, B: Floats, delay: float, disturbing: Floats) -> None:
        """z = (x, the torques found at the last n + 1 samples): z⁺ = phi z + gamma u (L4)."""
        T, (n, m) = self.part.sample, B.shape
        whole = math.floor(delay + SAME)
        late = delay - whole if delay - whole > SAME else 0.0
        first, before = flow(A, B, late * T)
        last, after = flow(A, B, (1.0 - late) * T)
        self.size, self.count, self.m = n, whole + 1, m
        size = n + m * self.count
        self.phi, self.gamma = np.zeros((size, size)), np.zeros((size, m))
        self.phi[:n, :n] = last @ first
        oldest = slice(n + m * whole, size)
        self.phi[:n, oldest] = last @ before
        if whole == 0:
            self.gamma[:n] = after
        else:
            self.phi[:n, n + m * (whole - 1) : n + m * whole] += after
        self.gamma[n : n + m] = np.eye(m)
        for k in range(1, self.count):
            self.phi[n + m * k : n + m * (k + 1), n + m * (k - 1) : n + m * k] = np.eye(m)
        self.acting = oldest
        self.disturbed = flow(A, disturbing, T)[1]

    def rows(self, signals: Sequence[str]) -> Floats:
        """Signals (signals, z): of the state and the torques that act just before a sample."""
        C, D = seen_of(self.model, signals, self.columns.tolist(), late=True)
        found = np.zeros((len(signals), len(self.phi)))
        found[:, : self.size] = C[:, self.kept]
        found[:, self.acting] = D
        return found

    def regulator(self) -> Floats:
        """K (torques, z): u = −K z makes Σ weights s² + effort u² least."""
        assert self.part.weights is not None
        signals, weights = list(self.part.weights), np.array(list(self.part.weights.values()))
        if np.any(weights < 0.0):
            raise AnalysisError(f"controller {quoted(self.part.name)}: weights has a negative number, must be ≥ 0")
        rows = self.rows(signals)
        Q, R = rows.T @ (weights[:, None] * rows), self.part.effort * np.eye(self.m)
        P = self._riccati(self.phi, self.gamma, Q, R, "regulator")
        return np.asarray(np.linalg.solve(R + self.gamma.T @ P @ self.gamma, self.gamma.T @ P @ self.phi))

    def observer(self, inputs: Sequence[str]) -> tuple[Floats, Floats]:
        """The rows of what is measured, and M (z, inputs): ẑ = z̄ + M (y − rows z̄)."""
        part, n = self.part, self.size
        noise = np.array([part.noise.get(name, USUAL_NOISE) for name in inputs])
        if np.any(noise <= 0.0):
            raise AnalysisError(f"controller {quoted(part.name)}: noise has a number that is not > 0")
        seen = self.rows(inputs)
        C = seen[:, :n]
        phi, pushed = self.phi[:n, :n], part.disturbance * self.disturbed
        # the part of the deviation that torques do not reach is let in too, by its rounding alone
        Q = pushed @ pushed.T + 1e-12 * np.linalg.norm(pushed) ** 2 * np.eye(n)
        P = self._riccati(phi.T, C.T, Q, np.diag(noise**2), "observer")
        gain = np.zeros((len(self.phi), len(inputs)))
        gain[:n] = np.linalg.solve(C @ P @ C.T + np.diag(noise**2), C @ P).T
        return seen, gain

    def _riccati(self, a: Floats, b: Floats, Q: Floats, R: Floats, what: str) -> Floats:
        found = riccati(a, b, Q, R)
        if found is None:
            raise AnalysisError(
                f"controller {quoted(self.part.name)}: there is no {what} for these weights, effort and noise, "
                "the weighted or measured signals must show every motion that does not die away"
            )
        return np.asarray(found)


def regulator_law(design: Design) -> LinearLaw:
    """u = −K (e, torques before): the whole state is known (L6)."""
    n, m, K = design.size, design.m, design.regulator()
    shift = design.phi[n:, n:]
    own = design.gamma[n:]
    return LinearLaw(
        A=shift - own @ K[:, n:],
        B=-own @ K[:, :n],
        C=-K[:, n:],
        D=-K[:, :n],
        E=np.asarray(own),
        F=np.zeros((m * design.count, n)),
    )


def observer_law(design: Design, inputs: Sequence[str]) -> LinearLaw:
    """u = −K ẑ with ẑ from an observer, which knows what limits leave of the torques (L7)."""
    K = design.regulator()
    seen, gain = design.observer(inputs)
    keep = np.eye(len(K[0])) - gain @ seen
    closed = design.phi - design.gamma @ K
    return LinearLaw(A=closed @ keep, B=closed @ gain, C=-K @ keep, D=-K @ gain, E=design.gamma.copy())


def state_names(design: Design) -> tuple[str, ...]:
    """The signals that are the state of the design."""
    return tuple(design.x_names[k] for k in design.kept)


def _kept(model: object) -> np.ndarray:
    names = model.coordinate_names  # type: ignore[attr-defined]
    held = {name for name, state in model.joint_states.items() if state == "locked"}  # type: ignore[attr-defined]
    one = [k for k, name in enumerate(names) if name not in held]
    return np.array([*one, *(len(names) + k for k in one)], int)


def riccati(a: Floats, b: Floats, Q: Floats, R: Floats) -> Floats | None:
    """P of (L6) by doubling: each round looks twice as far ahead as the one before; None where it does not settle."""
    identity = np.eye(len(a))
    ahead, G, H = a, b @ np.linalg.solve(R, b.T), Q
    for _ in range(_ROUNDS):
        try:
            inner = np.linalg.solve(identity + G @ H, np.hstack([ahead, G]))
        except np.linalg.LinAlgError:
            return None
        moved, pushed = inner[:, : len(a)], inner[:, len(a) :]
        new = H + ahead.T @ H @ moved
        G = G + ahead @ pushed @ ahead.T
        ahead = ahead @ moved
        G, new = 0.5 * (G + G.T), 0.5 * (new + new.T)
        if not np.isfinite(new).all():
            return None
        if np.linalg.norm(new - H) <= 1e-13 * np.linalg.norm(new):
            return np.asarray(new)
        H = new
    return None
