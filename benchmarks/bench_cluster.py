"""A Dask cluster on this machine: what a chunk costs the scheduler, samples per core, and compiling by cold workers."""

import os
import shutil
import tempfile
import time
from pathlib import Path

import numpy as np

TITLE = "A Dask cluster of worker processes on one machine"
MODEL = Path(__file__).parents[1] / "examples" / "tolerances.toml"
OUTPUTS = ("tip.x@end", "tip.y@end", "max(tip.deflection)")
WORKERS, SIZES, CHUNKS = (1, 2, 4), (1, 1000, 10_000), 300
SAMPLES = 400
COLD = 3


def measure() -> dict:
    """Milliseconds per chunk, samples per second of CPU time, and CPU seconds of cold starts."""
    rows = [row for workers in WORKERS for row in _chunks(workers)]
    return {"title": TITLE, "unit": "ms per chunk", "rows": rows, "throughput": _throughput(), "cold": _cold_starts()}


def _cluster(workers: int):
    from distributed import LocalCluster

    return LocalCluster(n_workers=workers, threads_per_worker=1, dashboard_address=None, silence_logs=50)


def _chunks(workers: int) -> list[dict]:
    """Chunks of a stand-in that costs nothing; client and scheduler share this process."""
    from distributed import Client

    import flexarm as fa
    from benchmarks.stand_in import stand_in_everywhere
    from flexarm.studies.execution.cluster import ClusterPool
    from flexarm.studies.execution.evaluate import Task

    model, rows = fa.read_study(MODEL), []
    with _cluster(workers) as cluster, Client(cluster, set_as_default=False) as client:
        client.run(stand_in_everywhere)
        for size in SIZES:
            pool = ClusterPool(client, Task(model.text, OUTPUTS, None), len(OUTPUTS))
            values = model.draw(1, 0, size)
            _pass(pool, values, 2 * pool.capacity)
            wall, cpu = time.perf_counter(), time.process_time()
            _pass(pool, values, CHUNKS)
            wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
            pool.close()
            rows.append({"workers": workers, "samples": size, "wall": 1e3 * wall / CHUNKS, "cpu": 1e3 * cpu / CHUNKS})
    return rows


def _pass(pool, values, chunks: int) -> None:
    """Run the chunks on the pool, as many at once as it takes."""
    begun = done = 0
    while done < chunks:
        while begun < chunks and begun - done < pool.capacity:
            pool.begin(begun * len(values), values)
            begun += 1
        done += sum(1 for _ in pool.done(1.0))


def _throughput() -> list[dict]:
    """Samples of the example per second of CPU time: in this process, and by the processes of a cluster."""
    from distributed import Client

    import flexarm as fa
    from flexarm.studies.execution.evaluate import Evaluator, Task

    model = fa.read_study(MODEL)
    here, values = Evaluator(Task(model.text, OUTPUTS, None), model), model.draw(1, 0, SAMPLES // 4)
    here(values[:2])
    cpu = time.process_time()
    here(values)
    rows = [{"way": "one after another", "per_cpu_s": len(values) / (time.process_time() - cpu), "per_s": None}]
    with _cluster(2) as cluster, Client(cluster, set_as_default=False) as client:
        fa.montecarlo(model, samples=20, outputs=OUTPUTS, cluster=client, chunk=5)
        wall, before = time.perf_counter(), sum(client.run(_cpu_of_all).values())
        fa.montecarlo(model, samples=SAMPLES, outputs=OUTPUTS, cluster=client)
        wall, cpu = time.perf_counter() - wall, sum(client.run(_cpu_of_all).values()) - before
    rows.append({"way": "cluster of 2 workers", "per_cpu_s": SAMPLES / cpu, "per_s": SAMPLES / wall})
    return rows


def _cpu_of_all() -> float:
    """CPU seconds of this worker and of its processes."""
    import psutil

    here = psutil.Process()
    return sum(sum(each.cpu_times()[:2]) for each in (here, *here.children(recursive=True)))


def _cold_starts() -> list[dict]:
    """CPU seconds until every one of some workers has run a sample, kernels kept in an empty folder."""
    return [_cold(1, True), _cold(COLD, True), _cold(COLD, False)]


def _cold(count: int, one_compiles: bool) -> dict:
    from concurrent.futures import ThreadPoolExecutor

    import flexarm as fa
    from flexarm.studies.execution import workers
    from flexarm.studies.execution.evaluate import Task

    model = fa.read_study(MODEL)
    values = model.draw(1, 0, count)
    folder = tempfile.mkdtemp(prefix="flexarm-cold-")
    kept, start = os.environ.get("FLEXARM_CACHE_DIR"), workers._START
    os.environ["FLEXARM_CACHE_DIR"] = folder
    if not one_compiles:
        each_alone = "from flexarm.studies import workers; workers.warmed = lambda *_: False; workers.serve()"
        workers._START = start.replace("from flexarm.studies.execution.workers import serve; serve()", each_alone)
    processes = [workers.Worker(Task(model.text, OUTPUTS, None), len(OUTPUTS)) for _ in range(count)]
    try:
        wall = time.perf_counter()
        with ThreadPoolExecutor(count) as pool:
            found = list(pool.map(lambda k: processes[k](values[k : k + 1]), range(count)))
        wall = time.perf_counter() - wall
        cpu = sum(_cpu_of(process) for process in processes)
    finally:
        for process in processes:
            process.close()
        workers._START = start
        os.environ.pop("FLEXARM_CACHE_DIR")
        if kept is not None:
            os.environ["FLEXARM_CACHE_DIR"] = kept
        shutil.rmtree(folder)
    fine = bool(np.all([each.status == ["ok"] for each in found]))
    return {"workers": count, "one_compiles": one_compiles, "cpu_s": cpu, "wall_s": wall, "fine": fine}


def _cpu_of(process) -> float:
    import psutil

    return sum(psutil.Process(process._process.pid).cpu_times()[:2])


def table(result: dict) -> list[list[str]]:
    """Rows of the readable table, heading first."""
    rows = [["what", "wall", "CPU"]]
    for row in result["rows"]:
        what = f"a chunk of {row['samples']} samples, {row['workers']} workers"
        rows.append([what, f"{row['wall']:.1f} ms", f"{row['cpu']:.1f} ms, client and scheduler"])
    for row in result["throughput"]:
        wall = f"{row['per_s']:.0f} samples/s" if row["per_s"] else "–"
        rows.append([f"samples, {row['way']}", wall, f"{row['per_cpu_s']:.0f} per CPU second"])
    for row in result["cold"]:
        how = "one compiles, the others wait" if row["one_compiles"] else "each compiles"
        rows.append([f"{row['workers']} cold workers, {how}", f"{row['wall_s']:.0f} s", f"{row['cpu_s']:.0f} s"])
    return rows


if __name__ == "__main__":
    import json

    print(json.dumps(measure(), indent=1))
