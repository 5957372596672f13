"""A linear model with few of its modes: the slow ones kept as they are, of the fast ones what they do to statics."""

from dataclasses import dataclass
from typing import Any

import numpy as np

# Poles within this part of one another are one place of the plane.
_SAME = 1e-6
# A modal form whose vectors are nearer to one another than this has lost too many digits.
_WORST = 1e8


@dataclass(frozen=True, eq=False)
class Truncated:
    """The matrices of the smaller model, the names of its states and its poles (1/s)."""

    A: np.ndarray
    B: np.ndarray
    C: np.ndarray
    D: np.ndarray
    names: tuple[str, ...]
    poles: np.ndarray


def truncated(a: np.ndarray, b: np.ndarray, c: np.ndarray, d: np.ndarray, poles: Any, modes: int) -> Truncated | None:
    """The model with its zero and unstable poles and so many modes beside them; None if that is all there is.

    With T⁻¹ A T = [A_s, 0; 0, A_f] the fast part is taken at rest: D − C_f A_f⁻¹ B_f.
    """
    poles = np.asarray(poles, complex)
    order = np.argsort(np.abs(poles), kind="stable")
    kept, counted = [], 0
    for k in order:
        if poles[k].imag < 0.0:
            continue
        always = poles[k] == 0.0 or poles[k].real > 0.0
        if always or counted < modes:
            counted += not always
            kept.append(poles[k])
            if poles[k].imag > 0.0:
                kept.append(np.conj(poles[k]))
    if len(kept) == len(poles):
        return None
    from scipy.linalg import matrix_balance, schur, solve_sylvester

    # the units of the states are balanced first: rounding is then measured by the fastest pole and not by its square
    balanced, (scale, _) = matrix_balance(a, permute=False, separate=True)
    b, c = b / scale[:, None], c * scale[None, :]
    limit = _between(poles, kept)
    form, turned, count = schur(balanced, output="real", sort=lambda re, im=0.0: _slow(re, im, limit))
    if count != len(kept):
        # of poles of one size some stand on either side: all of them are kept
        kept = list(poles[[bool(_slow(p.real, p.imag, limit)) for p in poles]])
        count = int(count)
    slow, fast, across = form[:count, :count], form[count:, count:], form[:count, count:]
    mixed = solve_sylvester(slow, -fast, -across)
    # x = Q [1, X; 0, 1] (slow, fast):  its inverse is [1, −X; 0, 1] Qᵀ
    b = turned.T @ b
    c = c @ turned
    b_slow, b_fast = b[:count] - mixed @ b[count:], b[count:]
    c_slow, c_fast = c[:, :count], c[:, :count] @ mixed + c[:, count:]
    d = d - c_fast @ np.linalg.solve(fast, b_fast)
    slow, b_slow, c_slow, names = _modal(slow, b_slow, c_slow)
    return Truncated(slow, b_slow, c_slow, d, names, np.array(kept, complex))


def _slow(real: Any, imaginary: Any, limit: float) -> Any:
    value = real + 1j * imaginary if np.isrealobj(real) else real
    return (np.abs(value) <= limit) | (np.real(value) > 0.0)


def _between(poles: np.ndarray, kept: list[complex]) -> float:
    """A size between that of the fastest pole that is kept for it and that of the slowest one that is not."""
    stable = [abs(pole) for pole in kept if pole.real <= 0.0]
    largest = max(stable, default=0.0)
    beyond = np.abs(poles)[np.abs(poles) > largest * (1.0 + _SAME)]
    beyond = beyond[beyond > 0.0]
    return float(np.sqrt(max(largest, 1e-9 * beyond.min()) * beyond.min())) if len(beyond) else largest * 2.0


def _modal(a: np.ndarray, b: np.ndarray, c: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, tuple[str, ...]]:
    """The model in modal coordinates: blocks [σ, ω; −ω, σ] and real poles; poles at zero stay together as they are."""
    from scipy.linalg import schur, solve_sylvester

    size = float(np.max(np.abs(np.linalg.eigvals(a)))) or 1.0
    small = _SAME * size
    form, turned, count = schur(a, output="real", sort=lambda re, im=0.0: np.hypot(re, im) <= small)
    rest, still, across = form[count:, count:], form[:count, :count], form[:count, count:]
    mixed = solve_sylvester(still, -rest, -across) if 0 < count < len(a) else np.zeros_like(across)
    b, c = turned.T @ b, c @ turned
    b_rest, c_rest = b[count:], c[:, :count] @ mixed + c[:, count:]
    b_still, c_still = b[:count] - mixed @ b[count:], c[:, :count]
    values, vectors = np.linalg.eig(rest) if len(rest) else (np.zeros(0), np.zeros((0, 0)))
    order = [k for k in np.argsort(np.abs(values), kind="stable") if values[k].imag >= 0.0]
    columns, names = [], [f"rigid_{k + 1}" for k in range(count)]
    for number, k in enumerate(order, start=1):
        vector = vectors[:, k]
        swings = values[k].imag > 0.0
        columns += [vector.real, vector.imag] if swings else [vector.real]
        names += [f"mode_{number}_cos", f"mode_{number}_sin"] if swings else [f"mode_{number}"]
    basis = np.array(columns).T if columns else np.zeros((0, 0))
    if len(rest) and (basis.shape[0] != basis.shape[1] or np.linalg.cond(basis) > _WORST):
        basis, names = np.eye(len(rest)), [f"state_{k + 1}" for k in range(len(a))]
    inner = np.linalg.solve(basis, rest @ basis) if len(rest) else rest
    if len(names) == len(a) and not names[-1].startswith("state"):
        inner = _cleared(inner, values[order])
    whole = np.zeros_like(a)
    whole[:count, :count], whole[count:, count:] = still, inner
    b = np.vstack([b_still, np.linalg.solve(basis, b_rest) if len(rest) else b_rest])
    return whole, b, np.hstack([c_still, c_rest @ basis]), tuple(names)


def _cleared(inner: np.ndarray, values: np.ndarray) -> np.ndarray:
    """The blocks of the poles and nothing beside them."""
    made, at = np.zeros_like(inner), 0
    for value in values:
        if value.imag > 0.0:
            made[at : at + 2, at : at + 2] = [[value.real, value.imag], [-value.imag, value.real]]
            at += 2
        else:
            made[at, at] = value.real
            at += 1
    return made
