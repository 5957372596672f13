"""Loops tuned for the arm they move: as fast as its first modes allow, judged by the poles of the closed loop.

Every joint gets a velocity loop of ω_v = s·2πf0, f0 the first frequency of what it carries with the joint held at the
motor (gear included), around it a position loop of ω_v/κ, and an integrator of the time Ti = μκ/ω_v. Of a table of s, κ
and μ that choice is taken whose slowest pole decays fastest, along the whole command, while every pole pair the loops
can reach is damped by LEAST_DAMPING and the loops stay stable with half and with twice the gains.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from flexarm.analyses.equilibrium import Forces, State, commanded
from flexarm.assembly import CompiledArm, without_servos
from flexarm.core.sweeps.dynamics import spring_matrices
from flexarm.core.tree.types import G_KI, G_KP, G_KV, G_LOOP, Floats
from flexarm.errors import AnalysisError
from flexarm.model import Arm

LEAST_DAMPING = 0.3
GAIN_MARGIN = 2.0
_SPEEDS = np.geomspace(0.1, 3.0, 18)
_RATIOS = ((4.0, 1.0), (4.0, 2.0), (6.0, 1.0), (6.0, 2.0))
# Pole pairs up to so many times the fastest joint's f0 have to be damped; faster ones only to be stable.
_REACHED = 2.0
# Modes of the links kept besides the motion of the joints.
_MODES = 12


class Tuned(NamedTuple):
    """The loops of one joint and what they were chosen for; SI."""

    inertia: float  # the largest along the command (kg m², kg)
    frequency: float  # the lowest along the command, joint held (Hz)
    bandwidth: float  # of the velocity loop (Hz)
    position_gain: float  # 1/s
    velocity_gain: float  # N m s/rad, N s/m
    integral_time: float  # s


@dataclass(frozen=True)
class Tuning:
    """The loops of all joints that are tuned, and how the closed loop does with them along the command."""

    joints: dict[str, Tuned]
    decay: float  # of the slowest pole (1/s)
    damping: float  # least ratio of the pole pairs the loops can reach
    postures: int  # in which it was judged

    def reason(self) -> str:
        """Why these, in a sentence."""
        margin = "" if self.damping >= LEAST_DAMPING else f" (less than {100 * LEAST_DAMPING:.0f} %: no choice has it)"
        return (
            f"velocity loops at {self._share():.2g} of the first frequency each joint carries: of the speeds tried the "
            f"slowest pole of the closed loop decays fastest with it, {self.decay:.3g} 1/s in {self.postures} postures "
            f"along the command; poles within reach are damped by {100 * self.damping:.0f} %{margin}, stable with half "
            "and twice the gains"
        )

    def _share(self) -> float:
        one = next(iter(self.joints.values()))
        return one.bandwidth / one.frequency


class _Posture:
    """The arm in a posture of its command, few coordinates: its joints, and the lowest modes of what they carry."""

    def __init__(self, compiled: CompiledArm, state: State) -> None:
        forces = Forces(compiled)
        zero = np.zeros_like(state.q)
        self.mass, self.springs = forces.mass(state.q), spring_matrices(compiled.tree, state.q)[0]
        stiffness, damping = forces.tangent(State(state.q, zero, zero, zero))
        moving = compiled.free
        joints = np.intersect1d(moving, compiled.joint_coordinates)
        gears = np.array([c for c in compiled.commands.servo_more[:, 0] if c >= 0], np.int64)
        elastic = np.setdiff1d(moving, joints)
        held = np.ix_(elastic, elastic)
        squares, shapes = _lowest(stiffness[held], self.mass[held], _MODES + len(gears))
        basis = np.zeros((len(zero), len(joints) + len(squares)))
        basis[joints, np.arange(len(joints))] = 1.0
        if len(elastic):
            basis[np.ix_(elastic, np.arange(len(joints)))] = -np.linalg.solve(
                stiffness[held], stiffness[np.ix_(elastic, joints)]
            )
            basis[np.ix_(elastic, len(joints) + np.arange(len(squares)))] = shapes
        self.basis = basis
        self.m, self.d, self.k = (basis.T @ x @ basis for x in (self.mass, damping, stiffness))
        self.inverse = np.linalg.inv(self.m)

    def first_frequency(self, coordinates: list[int]) -> float:
        """The lowest frequency (Hz) of the given coordinates on their springs, all others held."""
        block = np.ix_(coordinates, coordinates)
        largest = float(np.max(np.linalg.eigvals(np.linalg.solve(self.springs[block], self.mass[block])).real))
        return float(1.0 / (2.0 * np.pi * np.sqrt(largest)))

    def poles(self, compiled: CompiledArm, gain: Floats) -> np.ndarray:
        """Poles (1/s) of the closed loop with these rows of gains (servos, G_WIDTH)."""
        commands = compiled.commands
        n, count = len(self.m), len(gain)
        seen = self.basis[commands.servo_coordinate]  # what the drives turn
        sight = seen.copy()  # what their position loops see
        for j, c in enumerate(commands.servo_more[:, 0]):
            if c >= 0:
                sight[j] += self.basis[c]
        k = self.k + seen.T @ (gain[:, [G_KP]] * sight)
        d = self.d + seen.T @ (gain[:, [G_KV]] * seen)
        a = np.zeros((2 * n + count, 2 * n + count))
        a[:n, n : 2 * n] = np.eye(n)
        a[n : 2 * n, :n] = -self.inverse @ k
        a[n : 2 * n, n : 2 * n] = -self.inverse @ d
        a[n : 2 * n, 2 * n :] = self.inverse @ seen.T * gain[:, G_KI]
        a[2 * n :, :n] = -gain[:, [G_LOOP]] * sight
        a[2 * n :, n : 2 * n] = -seen
        integrates = gain[:, G_KI] != 0.0
        kept = np.append(np.ones(2 * n, bool), integrates)
        return np.asarray(np.linalg.eigvals(a[np.ix_(kept, kept)]))


def _lowest(stiffness: Floats, mass: Floats, count: int) -> tuple[Floats, Floats]:
    """The lowest ω² and their shapes, xᵀ M x = 1."""
    if not len(mass):
        return np.zeros(0), np.zeros((0, 0))
    lower = np.linalg.cholesky(mass)
    inner = np.linalg.solve(lower, np.linalg.solve(lower, 0.5 * (stiffness + stiffness.T)).T)
    squares, vectors = np.linalg.eigh(0.5 * (inner + inner.T))
    return squares[:count], np.linalg.solve(lower.T, vectors[:, :count])


def tuned(compiled: CompiledArm) -> Tuning:
    """The loops for every servo of an arm that is left to the system; its other servos work as given."""
    arm, bare = compiled.arm, without_servos(compiled)
    try:
        postures = [_Posture(bare, state) for state in _along(compiled)]
    except np.linalg.LinAlgError:
        raise AnalysisError(
            "the servos cannot be tuned: compared with the arm's largest mass the others vanish in rounding; masses "
            "must be nearer to one another, or the servos must be given kp and kv"
        ) from None
    names = [link.name for link in arm.links if link.joint.automatic_servo]
    inertias, frequencies = np.zeros(len(names)), np.full(len(names), np.inf)
    for k, name in enumerate(names):
        c = compiled.coordinate_names.index(name)
        carried = _carried(compiled, name)
        inertias[k] = max(float(each.mass[c, c]) for each in postures)
        frequencies[k] = min(each.first_frequency(carried) for each in postures)
    servo = compiled.commands.servo_coordinate.tolist()
    rows = [servo.index(compiled.coordinate_names.index(name)) for name in names]
    reached = _REACHED * 2.0 * np.pi * float(np.max(frequencies))

    def gains(speed: float, ratio: float, slow: float, factor: float = 1.0) -> Floats:
        table = compiled.commands.servo_gain.copy()
        rate = 2.0 * np.pi * speed * frequencies
        kv, loop = inertias * rate, rate / ratio
        table[rows, G_KV], table[rows, G_LOOP] = factor * kv, loop
        table[rows, G_KP], table[rows, G_KI] = factor * kv * loop, factor * kv * loop / slow
        return table

    def judged(table: Floats) -> tuple[float, float]:
        """Decay of the slowest pole, least damping ratio within reach."""
        decay, damping = np.inf, 1.0
        for posture in postures:
            poles = posture.poles(compiled, table)
            decay = min(decay, float(-np.max(poles.real)))
            pairs = poles[(poles.imag > 0.0) & (np.abs(poles) <= reached)]
            damping = min(damping, float(np.min(-pairs.real / np.abs(pairs), initial=1.0)))
        return decay, damping

    found = []
    for ratio, slow in _RATIOS:
        for speed in _SPEEDS:
            decay, damping = judged(gains(float(speed), ratio, slow))
            found.append((min(damping, LEAST_DAMPING), decay, damping, float(speed), ratio, slow))
    for _, decay, damping, speed, ratio, slow in sorted(found, reverse=True):
        if decay <= 0.0:
            continue
        if all(judged(gains(speed, ratio, slow, f))[0] > 0.0 for f in (1.0 / GAIN_MARGIN, GAIN_MARGIN)):
            table = gains(speed, ratio, slow)
            joints = {
                name: Tuned(
                    float(inertias[k]),
                    float(frequencies[k]),
                    speed * float(frequencies[k]),
                    float(table[row, G_LOOP]),
                    float(table[row, G_KV]),
                    float(table[row, G_KV] / table[row, G_KI]),
                )
                for k, (name, row) in enumerate(zip(names, rows, strict=True))
            }
            return Tuning(joints, decay, damping, len(postures))
    raise AnalysisError(
        f'the servo of link "{names[0]}" is left to the system, must be given by its gains: no tuning keeps the arm '
        "stable along its command with half and with twice its gains"
    )


def _along(compiled: CompiledArm) -> list[State]:
    """The arm undeformed at the start, in the middle and at the end of its command."""
    breaks = [compiled.pieces[law].break_times for law in compiled.commands.servo_law]
    end = max((float(times[-1]) for times in breaks if len(times)), default=compiled.arm.simulation.end or 0.0)
    states: list[State] = []
    for t in (0.0, 0.5 * end, end):
        state = commanded(compiled, t)
        for c, law in zip(compiled.commands.servo_coordinate, compiled.commands.servo_law, strict=True):
            state.q[c] = compiled.pieces[law].evaluate(t)[0]
        if not any(np.array_equal(state.q, other.q) for other in states):
            states.append(state)
    return states


def _carried(compiled: CompiledArm, name: str) -> list[int]:
    """The elastic coordinates a joint carries, its gear among them."""
    arm = compiled.arm
    index = next(k for k, link in enumerate(arm.links) if link.name == name)
    carried = {arm.links[k].name for k in range(len(arm.links)) if index in _upward(arm, k)}
    coordinates = zip(compiled.elastic_coordinates, compiled.elastic_links, strict=True)
    moving = [int(c) for c, owner in coordinates if owner in carried]
    if not moving:
        raise AnalysisError(
            f'link "{name}": joint.servo is "auto", must be given by its gains where the joint carries nothing flexible'
        )
    return moving


def _upward(arm: Arm, index: int) -> list[int]:
    """The link itself and all that carry it."""
    chain = []
    while index >= 0:
        chain.append(index)
        index = arm.parents[index]
    return chain
