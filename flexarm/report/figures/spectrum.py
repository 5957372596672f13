"""Which frequencies a signal holds: its amplitude spectrum."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

LEAST_SAMPLES = 32


class Spectrum(NamedTuple):
    """Amplitudes, in the signal's unit, over frequencies, Hz."""

    frequency: np.ndarray
    amplitude: np.ndarray

    @property
    def peak(self) -> tuple[float, float]:
        """Frequency (Hz) and amplitude of the highest peak, by a parabola through its three highest points."""
        k = int(np.argmax(self.amplitude))
        if not 0 < k < len(self.amplitude) - 1:
            return float(self.frequency[k]), float(self.amplitude[k])
        a, b, c = self.amplitude[k - 1 : k + 2]
        shift = 0.5 * (a - c) / (a - 2.0 * b + c) if a - 2.0 * b + c != 0.0 else 0.0
        step = self.frequency[1] - self.frequency[0]
        return float(self.frequency[k] + shift * step), float(b - 0.25 * (a - c) * shift)


def spectrum(time: np.ndarray, values: np.ndarray) -> Spectrum | None:
    """The amplitude spectrum of a signal without its mean and slope, or None where it is too short.

    A Hann window, scaled so that a sine of amplitude A that fits the window shows A; zeros behind the signal make the
    curve four times as dense. Signals that are not sampled evenly are taken at even times, straight between samples.
    """
    known = np.isfinite(values)
    time, values = time[known], values[known]
    if len(time) < LEAST_SAMPLES or not time[-1] > time[0]:
        return None
    count = min(len(time), 2**17)
    even = np.linspace(time[0], time[-1], count)
    signal = np.interp(even, time, values)
    slope = np.polynomial.polynomial.polyfit(even - even[0], signal, 1)
    signal = signal - np.polynomial.polynomial.polyval(even - even[0], slope)
    window = np.hanning(count)
    padded = 4 * count
    amplitude = 2.0 * np.abs(np.fft.rfft(signal * window, padded)) / window.sum()
    frequency = np.fft.rfftfreq(padded, (even[-1] - even[0]) / (count - 1))
    return Spectrum(frequency[1:], amplitude[1:])
