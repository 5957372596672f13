"""A study killed a hundred times: `python -m benchmarks.kill_study [--kills 100]` prints what became of it as JSON."""

import argparse
import json
import random
import tempfile
import time
from pathlib import Path

import flexarm as fa
from flexarm.studies.store.store import StoredStudy
from tests.studies.killed import kill_often, start
from tests.studies.swings import swing


def main() -> None:
    """Kill, resume, compare with a study that was left alone."""
    options = argparse.ArgumentParser(description=__doc__.split(":")[0])
    options.add_argument("--kills", type=int, default=100)
    options.add_argument("--seed", type=int, default=1)
    chosen = options.parse_args()
    samples = 600 * chosen.kills
    chance = random.Random(chosen.seed)
    begun = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="flexarm-kill-") as place:
        model, folder = Path(place) / "model.toml", Path(place) / "study"
        model.write_text(swing(name="killed").text, encoding="utf-8")
        killed = kill_often(
            lambda _: start(model, folder, samples, chance.randint(10, 80), chance.choice((1, 1, 2))),
            folder,
            chosen.kills,
            seed=chosen.seed,
        )
        kept = sum(len(rows) for rows in StoredStudy(folder).blocks())
        again = fa.montecarlo(fa.read_study(model), samples=samples, times=3, folder=folder, resume=True)
        whole = fa.montecarlo(fa.read_study(model), samples=samples, times=3)
        told = {
            "kills": killed,
            "samples": samples,
            "samples_before_the_last_life": kept,
            "parts": sum(1 for _ in folder.glob("part-*.parquet")),
            "same_table": again.table().same_bits(whole.table()),
            "same_statistics": {**again.to_dict(), "folder": ""} == {**whole.to_dict(), "folder": ""},
            "seconds": round(time.monotonic() - begun, 1),
        }
    print(json.dumps(told, indent=2))


if __name__ == "__main__":
    main()
