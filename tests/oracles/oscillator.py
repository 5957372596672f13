"""Closed forms of the damped oscillator on a moving base: ẍ + 2ζω ẋ + ω² x = −a(t), x relative to the base."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Oscillator:
    """Angular frequency ω (rad/s) without damping, and damping ratio ζ ≥ 0 of any size."""

    omega: float
    zeta: float = 0.0

    def free(self, t: np.ndarray | float, x0: float, v0: float) -> tuple[np.ndarray, np.ndarray]:
        """Displacement and velocity without base motion, from x0 (m) and v0 (m/s)."""
        t = np.asarray(t, dtype=float)
        decay = self.zeta * self.omega
        split = self.omega**2 * (1.0 - self.zeta**2)  # square of the damped frequency, negative when overdamped
        root = np.sqrt(abs(split))
        if split > 0:
            even, odd = np.exp(-decay * t) * np.cos(root * t), np.exp(-decay * t) * np.sin(root * t) / root
        elif split < 0:
            slow, fast = np.exp(-(self.omega**2) / (decay + root) * t), np.exp(-(decay + root) * t)
            even, odd = 0.5 * (slow + fast), 0.5 * (slow - fast) / root
        else:
            even, odd = np.exp(-decay * t), t * np.exp(-decay * t)
        # x = e^{−ζωt}[x0 C + (v0 + ζω x0) S], v = e^{−ζωt}[v0 C − (ζω v0 + ω² x0) S]
        return x0 * even + (v0 + decay * x0) * odd, v0 * even - (decay * v0 + self.omega**2 * x0) * odd

    def _with(
        self,
        t: np.ndarray | float,
        particular: tuple[np.ndarray, np.ndarray],
        at_zero: tuple[float, float],
        x0: float,
        v0: float,
    ) -> tuple[np.ndarray, np.ndarray]:
        x, v = self.free(t, x0 - at_zero[0], v0 - at_zero[1])
        return x + particular[0], v + particular[1]

    def constant(
        self, t: np.ndarray | float, a: float, *, x0: float = 0.0, v0: float = 0.0
    ) -> tuple[np.ndarray, np.ndarray]:
        """Displacement and velocity under constant base acceleration a (m/s²)."""
        still = -a / self.omega**2
        return self._with(t, (np.asarray(still), np.asarray(0.0)), (still, 0.0), x0, v0)

    def ramp(
        self, t: np.ndarray | float, jerk: float, *, x0: float = 0.0, v0: float = 0.0
    ) -> tuple[np.ndarray, np.ndarray]:
        """Displacement and velocity under base acceleration jerk · t (jerk in m/s³)."""
        rate = -jerk / self.omega**2
        lag = -2.0 * self.zeta / self.omega * rate
        return self._with(t, (lag + rate * np.asarray(t, dtype=float), np.asarray(rate)), (lag, rate), x0, v0)

    def sine(
        self,
        t: np.ndarray | float,
        amplitude: float,
        forcing: float,
        *,
        phase: float = 0.0,
        x0: float = 0.0,
        v0: float = 0.0,
    ) -> tuple[np.ndarray, np.ndarray]:
        """Displacement and velocity under base acceleration amplitude · sin(forcing t + phase)."""
        impedance = self.omega**2 - forcing**2 + 2j * self.zeta * self.omega * forcing
        if impedance == 0:
            raise ValueError("undamped resonance has no steady part: use `resonant`")
        gain = -amplitude / impedance

        def steady(t: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
            z = gain * np.exp(1j * (forcing * t + phase))
            return z.imag, (1j * forcing * z).imag

        x, v = steady(np.asarray(0.0))
        return self._with(t, steady(np.asarray(t, dtype=float)), (float(x), float(v)), x0, v0)

    def resonant(
        self, t: np.ndarray | float, amplitude: float, *, x0: float = 0.0, v0: float = 0.0
    ) -> tuple[np.ndarray, np.ndarray]:
        """Displacement and velocity under base acceleration amplitude · sin(ω t) without damping: growth t cos ωt."""
        if self.zeta:
            raise ValueError("resonant is for ζ = 0")
        t, w = np.asarray(t, dtype=float), self.omega
        # x = A/(2ω²)·(ωt cos ωt − sin ωt)
        growth = amplitude / (2 * w**2) * (w * t * np.cos(w * t) - np.sin(w * t))
        speed = -amplitude / 2 * t * np.sin(w * t)
        x, v = self.free(t, x0, v0)
        return x + growth, v + speed

    def after_pulse(self, since: np.ndarray | float, a: float, duration: float) -> tuple[np.ndarray, np.ndarray]:
        """Displacement and velocity a time `since` (s) after a rectangular pulse of base acceleration, from rest."""
        x, v = self.constant(duration, a)
        return self.free(since, float(x), float(v))

    def pulse_residual(self, a: float, duration: float) -> float:
        """Amplitude (m) left by a rectangular pulse, undamped: (2a/ω²)|sin(ωT/2)|, none after whole periods."""
        if self.zeta:
            raise ValueError("pulse_residual is for ζ = 0")
        return float(2.0 * abs(a) / self.omega**2 * abs(np.sin(0.5 * self.omega * duration)))
