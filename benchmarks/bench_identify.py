"""Identification: CPU time of a fit to a measured record of 40 s, and how often intervals hold the truth.

`python -m benchmarks.bench_identify RECORD.csv` fits `examples/quanser_two_link.toml` to a record of the rig (default:
the excerpt beside it); `--coverage 200` fits that many synthetic records with white noise, and as many with coloured.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import numpy as np

import flexarm as fa

EXAMPLES = Path(__file__).parents[1] / "examples"
TRUTH = {"link[link].beam.mass_per_length": 0.945, "sensor[strain].gain": 1000.0}
# Moving sums of white noise over so many samples are the coloured noise; its size in parts of the signal's deviation.
REMEMBERS, NOISE = 8, 0.05


def timed(record: Path) -> None:
    """Print CPU time of two fits, the second warm, and what is explained."""
    for word in ("first", "warm"):
        before = time.process_time()
        found = fa.identify(EXAMPLES / "quanser_two_link.toml", record)
        spent = time.process_time() - before
        print(f"{word}: {spent:.2f} s CPU, {len(found.found)} numbers, explained {100 * found.explained()[0]:.2f} %")


def covered(count: int, *, coloured: bool) -> dict[str, float]:
    """The share of synthetic records whose interval holds the truth, by number."""
    arm = fa.read_arm(EXAMPLES / "turned_link.toml").changed(
        gauges=[{"name": "root", "link": "link", "distance": "1 mm"}],
        sensors=[
            {"name": "hub", "kind": "encoder", "joint": "link"},
            {"name": "strain", "kind": "signal", "of": "root.strain", "gain": 1000},
        ],
    )
    arm = arm.changed(links=[arm.links[0].changed(model={"formulation": "hermite", "elements": 2})])
    experiment = {"columns": {"hub": "hub", "gauge": "strain"}, "inputs": ["hub"], "bandwidth": "40 Hz"}
    run = fa.simulate(arm, output="2.5 ms", start="rest")
    held = {name: 0 for name in TRUTH}
    # the record is that of the motion as it is smoothed: of errors the noise alone is left
    units = {"hub": "rad", "gauge": ""}
    base = fa.Measured("truth", run.time, {"hub": run["hub.true"], "gauge": 1e3 * run["strain.true"]}, units)
    smooth = fa.identify(arm, base, vary=list(TRUTH), experiments=[experiment])
    truth = {name: smooth[name].value for name in TRUTH}
    explained = smooth.records[0]
    strain = np.interp(run.time, explained.time, explained.predicted["strain"])
    for seed in range(count):
        white = np.random.default_rng(seed).standard_normal(len(strain) + REMEMBERS)
        size = REMEMBERS if coloured else 1
        noise = np.convolve(white, np.ones(size) / np.sqrt(size), "valid")[: len(strain)]
        noisy = strain + NOISE * strain.std() * noise
        record = fa.Measured("noisy", run.time, {"hub": run["hub.true"], "gauge": noisy}, dict(base.units))
        found = fa.identify(arm, record, vary=list(TRUTH), experiments=[experiment])
        for name in TRUTH:
            low, high = found[name].interval
            held[name] += low <= truth[name] <= high
    return {name: held[name] / count for name in TRUTH}


def main() -> None:
    """Run what is asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("record", nargs="?", default=EXAMPLES / "quanser_steps.csv", type=Path)
    parser.add_argument("--coverage", type=int, default=0)
    asked = parser.parse_args()
    timed(asked.record)
    if asked.coverage:
        for coloured in (False, True):
            shares = covered(asked.coverage, coloured=coloured)
            words = ", ".join(f"{name} {100 * share:.1f} %" for name, share in shares.items())
            print(f"{'coloured' if coloured else 'white'} noise, {asked.coverage} records: intervals hold {words}")


if __name__ == "__main__":
    main()
