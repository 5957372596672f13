"""Random samples per second: one after another, on threads, and by worker processes."""

import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np

TITLE = "Samples of a random arm (rod handler, 10 elements, 2 s)"
MODEL = Path(__file__).parents[1] / "examples" / "tolerances.toml"
SAMPLES, LANES = 200, 2
OUTPUTS = {"path, bands and peaks": None, "end point only": ("tip.x@end", "tip.y@end")}


def measure() -> dict:
    """Samples per second of wall time and per second of CPU time, and whether all ways have the same bits."""
    return {
        "title": TITLE,
        "unit": "samples/s",
        "rows": [row for name, outputs in OUTPUTS.items() for row in _rows(name, outputs)],
    }


def _rows(name: str, outputs: tuple[str, ...] | None) -> list[dict]:
    """The three ways with these outputs."""
    import flexarm as fa
    from flexarm.studies.execution.evaluate import Evaluator, Task
    from flexarm.studies.execution.workers import Worker

    model = fa.read_study(MODEL)
    values = model.draw(1, 0, SAMPLES)
    parts = np.array_split(values, 2 * LANES)
    task = Task(model.text, outputs, None)
    here = Evaluator(task, model)
    wanted = here(values[:50]).outputs.tobytes()
    workers = [Worker(task, len(here.plan.names)) for _ in range(LANES)]
    _together(workers, [values[:2]] * LANES)
    rows = []
    for way, evaluators in (("one after another", [here]), ("2 threads", [here] * LANES), ("2 processes", workers)):
        wall, cpu = time.perf_counter(), time.process_time()
        found = _together(evaluators, parts)
        wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
        row = {"outputs": name, "way": way, "per_s": SAMPLES / wall}
        # the processor's time of other processes is theirs to tell
        row["per_cpu_s"] = SAMPLES / cpu if evaluators is not workers else None
        row["same_bits"] = found.outputs[:50].tobytes() == wanted
        rows.append(row)
    for worker in workers:
        worker.close()
    return rows


def _together(evaluators: list, parts: list):
    """The parts, run by all evaluators at once."""
    from flexarm.studies.execution.evaluate import Evaluated

    with ThreadPoolExecutor(len(evaluators)) as pool:
        jobs = [
            pool.submit(lambda k=k: [evaluators[k](part) for part in parts[k :: len(evaluators)]])
            for k in range(len(evaluators))
        ]
        found = [job.result() for job in jobs]
    return Evaluated.joined([found[k % len(evaluators)][k // len(evaluators)] for k in range(len(parts))])


def table(result: dict) -> list[list[str]]:
    """Rows of the readable table, heading first."""
    rows = [["outputs", "way", "samples/s", "per CPU second", "same bits"]]
    for row in result["rows"]:
        cpu = f"{row['per_cpu_s']:.0f}" if row["per_cpu_s"] else "–"
        rows.append([row["outputs"], row["way"], f"{row['per_s']:.0f}", cpu, "yes" if row["same_bits"] else "no"])
    return rows
