"""What a study costs beside its evaluation: drawing, storing, statistics, with a stand-in that costs nothing."""

import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

TITLE = "A study around its evaluation (two random numbers, a stand-in in place of the runs)"
MODEL = Path(__file__).parents[1] / "examples" / "tolerances.toml"
FEW = ("tip.x@end", "tip.y@end", "max(tip.deflection)")
# samples, outputs: the same memory for ten times the samples; and many columns
STUDIES = ((100_000, FEW), (1_000_000, FEW), (100_000, None))
PARTS = ((1000, 8), (10_000, 8), (30_000, 8))
ROUNDS = 5


def measure() -> dict:
    """Microseconds per sample by what they are for, parts, bytes and memory; and the cost of one part."""
    rows = [_in_a_process(samples, outputs) for samples, outputs in STUDIES]
    return {"title": TITLE, "unit": "µs of CPU time per sample", "rows": rows, "parts": [_part(*p) for p in PARTS]}


def _in_a_process(samples: int, outputs: tuple[str, ...] | None) -> dict:
    """A study in a process of its own, whose greatest memory is its own."""
    words = [sys.executable, "-m", "benchmarks.bench_store", str(samples), ",".join(outputs or ())]
    done = subprocess.run(words, cwd=Path(__file__).parents[1], capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def _study(samples: int, outputs: list[str] | None) -> dict:
    import resource

    import flexarm as fa
    from benchmarks.stand_in import Free
    from flexarm.studies import montecarlo, study
    from flexarm.studies.store import store

    spent: dict[str, float] = {}

    def timed(owner, name: str, label: str) -> None:
        plain = getattr(owner, name)

        def call(*words, **options):
            begun = time.process_time()
            try:
                return plain(*words, **options)
            finally:
                spent[label] = spent.get(label, 0.0) + time.process_time() - begun

        setattr(owner, name, call)

    timed(study, "_draw", "draw")
    timed(store.StudyDirectory, "write", "store")
    timed(study, "fill", "fill")
    timed(montecarlo, "gather", "moments")
    timed(montecarlo, "quantiles", "quantiles")
    assert study.open_evaluators  # what the stand-in takes the place of
    study.open_evaluators = lambda task, evaluator, *_: [Free(task, len(evaluator.plan.names))]
    model = fa.read_study(MODEL)
    fa.montecarlo(model, samples=10, outputs=outputs, workers=1)
    before = _peak(resource)
    spent.clear()
    with tempfile.TemporaryDirectory(prefix="flexarm-store-") as place:
        wall, cpu = time.perf_counter(), time.process_time()
        found = fa.montecarlo(model, samples=samples, outputs=outputs, folder=Path(place) / "study")
        wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
        sizes = [path.stat().st_size for path in (Path(place) / "study").glob("part-*")]
    # what is left of filling is the stand-in itself and the handing over
    spent["rest"] = cpu - spent["fill"] - spent["moments"] - spent["quantiles"]
    spent["rest"] += spent.pop("fill") - spent["draw"] - spent["store"]
    return {
        "samples": samples,
        "columns": len(found.stored.study_json["columns"]),
        **{name: 1e6 * seconds / samples for name, seconds in spent.items()},
        "in_all": 1e6 * cpu / samples,
        "wall": 1e6 * wall / samples,
        "parts": len(sizes),
        "bytes_per_sample": sum(sizes) / samples,
        "peak_mb": _peak(resource),
        "peak_mb_before": before,
    }


def _peak(resource) -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def _part(rows: int, columns: int) -> dict:
    """Writing one part to the disk and reading it, least of some rounds."""
    from flexarm.studies.store.parts import list_parts, read_part
    from flexarm.studies.store.rows import Rows
    from flexarm.studies.store.store import StudyDirectory

    values = np.random.default_rng(1).normal(size=(columns, rows))
    table = Rows(0, {f"c{k}": values[k] for k in range(columns)}, ["ok"] * rows, [""] * rows)
    facts = {"samples": rows, "model": "", "versions": {}, "cpu": ""}
    wrote, spent, read = [], [], []
    with (
        tempfile.TemporaryDirectory(prefix="flexarm-store-") as place,
        StudyDirectory(place, "", facts, resume=True) as store,
    ):
        for _ in range(ROUNDS):
            begun, cpu = time.perf_counter(), time.process_time()
            store.write(table)
            wrote.append(time.perf_counter() - begun)
            spent.append(time.process_time() - cpu)
            begun = time.perf_counter()
            part = list_parts(Path(place))[0]
            read_part(part)
            read.append(time.perf_counter() - begun)
        size = part.path.stat().st_size
    cost = {"write_ms": 1e3 * min(wrote), "write_cpu_ms": 1e3 * min(spent), "read_ms": 1e3 * min(read)}
    return {"rows": rows, "columns": columns, **cost, "bytes": size}


def table(result: dict) -> list[list[str]]:
    """Rows of the readable table, heading first."""
    names = ("draw", "store", "moments", "quantiles", "rest", "in_all")
    rows = [["what", *(name.replace("_", " ") for name in names), "wall", "parts", "bytes per sample", "peak memory"]]
    for row in result["rows"]:
        what = f"{row['samples']:.0e} samples, {row['columns']} outputs".replace("e+0", "e")
        told = [f"{row[name]:.2f} µs" for name in (*names, "wall")]
        told += [str(row["parts"]), f"{row['bytes_per_sample']:.0f}", f"{row['peak_mb']:.0f} MB"]
        rows.append([what, *told])
    for part in result["parts"]:
        what = f"one part of {part['rows']} × {part['columns']}"
        wrote = f"written in {part['write_ms']:.1f} ms ({part['write_cpu_ms']:.1f} ms of CPU)"
        cost = f"{wrote}, read in {part['read_ms']:.1f} ms"
        rows.append([what, cost, *[""] * 7, f"{part['bytes'] / part['rows']:.0f}", ""])
    return rows


if __name__ == "__main__":
    print(json.dumps(_study(int(sys.argv[1]), sys.argv[2].split(",") if sys.argv[2] else None)))
