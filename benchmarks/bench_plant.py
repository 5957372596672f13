"""The cost of a period: Plant.step from Python and a loop with a sampled controller, two flexible links at 1 kHz."""

from pathlib import Path

import numpy as np

from benchmarks.timing import cpu_seconds, least_seconds

TITLE = "A period of 1 ms of two flexible links on motors under PD control (µs of CPU time)"
ARM = Path(__file__).parent / "arms" / "two_motors.toml"
PERIODS = 2000
K = np.array([[200.0, 0.0, 40.0, 0.0], [0.0, 60.0, 0.0, 10.0]])


def measure() -> dict:
    """Microseconds per period by the way it is stepped, with steps and sweeps of a period."""
    import flexarm as fa

    arm = fa.read_arm(ARM)
    motion = arm.motion_of("upper arm")
    course = np.array([motion.evaluate(1e-3 * k)[:2] for k in range(PERIODS)])
    aims = course[:, [0, 0, 1, 1]]
    ways = {"tolerance 1 µm": {}, "tolerance 10 µm": {"tolerance": 1e-5}, "fixed step of a period": {"step": "1 ms"}}
    plants = {name: fa.Plant(arm, "1 ms", **options) for name, options in ways.items()}
    swept: dict[str, float] = {}

    def stepped(name: str) -> float:
        plant = plants[name]
        y = plant.reset()

        def run() -> None:
            nonlocal y
            for aim in aims:
                y = plant.step(K @ (aim - y))

        seconds = cpu_seconds(run)
        swept[name] = int(plant._stepper.memory.counts.sweeps[0]) / PERIODS
        return seconds

    def law() -> float:
        """The law by itself, which is Python's and in every row."""
        y = np.zeros(4)

        def run() -> None:
            for aim in aims:
                K @ (aim - y)

        return cpu_seconds(run)

    loop = fa.StateFeedback(K, sample="1 ms", delay="1 sample")

    def closed() -> float:
        return fa.simulate(arm, controllers=[loop], end=1e-3 * PERIODS, tolerance=1e-5).info["cpu_seconds"]

    ways_to_run = {name: (lambda name=name: stepped(name)) for name in plants}
    found = least_seconds(ways_to_run | {"the law alone": law, "simulate, tolerance 10 µm": closed}, rounds=5)
    rows = [
        {"name": name, "microseconds": 1e6 * seconds / PERIODS, "sweeps": swept.get(name)}
        for name, seconds in found.items()
    ]
    return {"title": TITLE, "unit": "µs of CPU time per period", "rows": rows}


if __name__ == "__main__":
    for row in measure()["rows"]:
        print(
            f"{row['name']:28s} {row['microseconds']:8.2f} µs", f"{row['sweeps']:.1f} sweeps" if row["sweeps"] else ""
        )
