"""The strip on a hub with random numbers, by the printed equation and two modes (the random `hewang.*` rows)."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from flexarm.papers.files import paper_text
from flexarm.papers.row import Row, judged
from flexarm.studies.execution.hub_beams import HubBeamRuns, HubBeams
from flexarm.studies.parameters.study_model import parse_study
from flexarm.studies.store.statistics import wilson

CENTRE = np.array([-0.025, 0.5260])  # of the circle the paper wants the tip in (m)
RADIUS, _PRINTED, _WANTED = 0.015, 0.997, 0.997
# Observed quantities by the words of their rows, with their units: Figs. 5, 6 and 9, 10, then 7, 8 and 11, 12.
OBSERVED = {"theta": "rad", "tip_u": "m", "thetadot": "rad/s", "tip_udot": "m/s"}
_TIMES = ("0.5", "1.0", "1.5", "2.0")
_SAMPLES, _SEED, _CHUNK = 1_000_000, 2026, 50_000


def random_rows() -> Iterator[Row]:
    """Means and variances over time, and the reliability, from a million samples."""
    study = parse_study(paper_text("hewang_random.toml"), "hewang_random.toml")
    lanes = HubBeams(study.nominal)
    times = np.array([float(t) for t in _TIMES])
    error = lanes.settled(times)
    # sums about the nominal sample: sums of squares of the numbers themselves would lose the variance
    middle = lanes.run({}, times)
    middles = observed(middle)
    sums, distances = np.zeros((2 * len(middles), len(times))), []
    for begin in range(0, _SAMPLES, _CHUNK):
        values = study.draw(_SEED, begin, begin + _CHUNK)
        found = lanes.run(dict(zip(study.names, values.T, strict=True)), times)
        for k, (values_of, nominal) in enumerate(zip(observed(found), middles, strict=True)):
            apart = values_of - nominal
            sums[2 * k] += apart.sum(axis=0)
            sums[2 * k + 1] += (apart**2).sum(axis=0)
        distances.append(np.linalg.norm(found.tip[:, -1] - CENTRE, axis=1))
    sums /= _SAMPLES
    note = (
        f"{_SAMPLES} samples, printed equation, two modes; a sample errs by about {error:.1g} m at the tip; the paper "
        "shows a figure"
    )
    for k, (word, unit) in enumerate(OBSERVED.items()):
        mean = middles[k][0] + sums[2 * k]
        variance = (sums[2 * k + 1] - sums[2 * k] ** 2) * _SAMPLES / (_SAMPLES - 1)
        for i, t in enumerate(_TIMES):
            yield judged(f"hewang.mc.mean_{word}.t{t}", mean[i], unit, note=note)
        for i, t in enumerate(_TIMES):
            yield judged(f"hewang.mc.var_{word}.t{t}", variance[i], _squared(unit), note=note)
    spread = float(np.sqrt(sums[1, -1] - sums[0, -1] ** 2))
    yield from _reliability_rows(np.concatenate(distances), spread)


def observed(found: HubBeamRuns) -> tuple[np.ndarray, ...]:
    """What the paper's figures show of samples (m, times): angle, tip deformation, and the rates of both."""
    radial = np.stack([np.cos(found.angle), np.sin(found.angle)], axis=-1)
    across = np.stack([-radial[..., 1], radial[..., 0]], axis=-1)
    # the tip's velocity across the hub's radius less what the turning hub gives it
    carried = found.rate * np.sum(found.tip * radial, axis=-1)
    return found.angle, found.deflection, found.rate, np.sum(found.velocity * across, axis=-1) - carried


def _squared(unit: str) -> str:
    length, _, time = unit.partition("/")
    return f"{length}^2/{time}^2" if time else f"{length}^2"


def _reliability_rows(distance: np.ndarray, spread: float) -> Iterator[Row]:
    met = int(np.count_nonzero(distance <= RADIUS))
    value = met / len(distance)
    low, high = wilson(met, len(distance))
    radius = float(np.quantile(distance, _WANTED))
    why = (
        f"the hub has turned by 4.2 turns and its angle varies by ±{1e3 * spread:.0f} mrad, {530 * spread:.0f} mm at "
        f"the tip: 99.7 % does not follow from the printed numbers; it would with a radius of {1e3 * radius:.0f} mm"
    )
    yield judged("hewang.reliability", value, "", paper=_PRINTED, within=1e-3, note=why)
    interval = f"95 % interval (Wilson) of {len(distance)} samples"
    yield judged("hewang.reliability_lo", low, "", note=interval)
    yield judged("hewang.reliability_hi", high, "", note=interval)
    note = "about the paper's centre; the quantile of the samples' distances"
    yield judged("hewang.radius_for_0.997_m", radius, "m", note=note)
