"""How a pole is printed: a frequency with its damping ratio, a time constant, or that it is free to move."""

from typing import Literal

import numpy as np

from flexarm.results.engineering import digits, percent, quantity

# λ = 0; a pole pair that dies away or stays; a stable real pole; an unstable pair; an unstable real pole.
Kind = Literal["free", "oscillation", "decay", "flutter", "divergence"]
# A pole slower than this part of the fastest is λ = 0 but for rounding; a real part smaller than this part of its pole
# is none.
_ROUNDING = 1e-9


def pole_kind(pole: complex) -> Kind:
    """What a pole (1/s) is: "free", "oscillation", "decay", "flutter" or "divergence"."""
    if pole == 0.0:
        return "free"
    grows = pole.real > _ROUNDING * abs(pole)
    if pole.imag != 0.0:
        return "flutter" if grows else "oscillation"
    return "divergence" if grows else "decay"


def pole_cells(pole: complex, kind: str, significant: int = 5) -> list[str]:
    """Frequency, period and damping ratio of a pole (1/s) for a table; of a real pole what it has instead."""
    if kind == "free":
        return ["0 Hz (free to move)", "none", "0 %"]
    if kind in ("decay", "divergence"):
        time = quantity(1.0 / abs(pole.real), "s")
        return ["real pole", f"time constant {time}", "decays" if kind == "decay" else "grows"]
    frequency = abs(pole) / (2.0 * np.pi)
    return [f"{digits(frequency, significant)} Hz", quantity(1.0 / frequency, "s"), format_damping_ratio(pole)]


def format_damping_ratio(pole: complex) -> str:
    """The damping ratio of a pole (1/s) in per cent; zero where it is rounding."""
    ratio = -pole.real / abs(pole) if pole != 0.0 else 0.0
    return percent(ratio if abs(ratio) > _ROUNDING else 0.0)


def without_rounding(poles: np.ndarray) -> np.ndarray:
    """The poles (1/s) without what rounding added: zeros as zeros, real parts of undamped ones none."""
    poles = np.array(poles, dtype=complex)
    if not len(poles):
        return poles
    largest = float(np.max(np.abs(poles)))
    poles[np.abs(poles) <= _ROUNDING * largest] = 0.0
    undamped = np.abs(poles.real) <= _ROUNDING * np.abs(poles)
    return np.where(undamped, 1j * poles.imag, poles)
