"""The mass of a link from what a gauge at its root read in a turn: the number that was put in comes out."""

from pathlib import Path

import flexarm as fa

arm = fa.read_arm(Path(__file__).parent / "turned_link.toml").changed(
    gauges=[{"name": "root", "link": "link", "distance": "1 mm"}],
    sensors=[
        {"name": "hub", "kind": "encoder", "joint": "link"},
        {"name": "strain", "kind": "signal", "of": "root.strain", "gain": 1000},
    ],
)
run = fa.simulate(arm, output="2 ms")
columns = {"hub": run["hub.true"], "gauge": run["strain.measured"]}
record = fa.Measured("a simulated record", run.time, columns, {"hub": "rad", "gauge": ""})

found = fa.identify(
    arm.with_("link[0].beam.mass_per_length", "1.3 kg/m"),
    record,
    vary=["link[0].beam.mass_per_length"],
    experiments=[{"columns": {"hub": "hub", "gauge": "strain"}, "inputs": ["hub"]}],
)
print(found.summary())
print(f"found {found['link[0].beam.mass_per_length'].value:.4f} kg/m, what was put in {0.945:.4f} kg/m")
