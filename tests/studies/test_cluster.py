"""Studies on a Dask cluster: the same table as by workers of this machine, whoever is lost on the way."""

import multiprocessing
import os
import signal
import subprocess
import sys
import time

import numpy as np
import pytest
from distributed import Client, KilledWorker, LocalCluster

import flexarm as fa
from flexarm.errors import AnalysisError
from flexarm.studies import study
from flexarm.studies.execution import cluster
from flexarm.studies.execution.cluster import Answer, ClusterPool, WorkerInfo, run_chunk, worker_info
from flexarm.studies.execution.evaluate import Evaluated, Evaluator, Task
from flexarm.studies.execution.kernel_warmup import warmed
from flexarm.studies.store.store import StoredStudy
from tests.studies.swings import swing

SAMPLES = 300
OPTIONS = {"samples": SAMPLES, "times": 3, "chunk": 10}


@pytest.fixture(scope="module")
def real():
    """A scheduler and two worker processes, each with a nanny that starts another if it dies."""
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None, silence_logs=50) as found:
        yield found


@pytest.fixture(scope="module")
def alone():
    """The study run in this process."""
    return fa.montecarlo(swing(), samples=SAMPLES, times=3, workers=1)


def test_a_study_whose_worker_is_killed_ends_in_the_table_of_one_run_here(real, alone, tmp_path):
    victim = next(iter(real.workers.values()))
    killed = []

    def kill(done, wanted, failed):
        if done >= 50 and not killed:
            killed.append(victim.process.process.pid)
            os.kill(killed[0], signal.SIGKILL)

    found = fa.montecarlo(swing(), **OPTIONS, cluster=real.scheduler_address, folder=tmp_path, progress=kill)
    assert killed
    assert found.table().same_bits(alone.table())
    assert {**found.to_dict(), "folder": None} == alone.to_dict()
    # parts are named by their samples: one that is run twice is one part
    assert len(list(tmp_path.glob("part-*"))) == SAMPLES // OPTIONS["chunk"]


def test_ctrl_c_leaves_a_study_that_goes_on_to_the_same_table(real, alone, tmp_path):
    (tmp_path / "swing.toml").write_text(swing().text, encoding="utf-8")
    words = ["montecarlo", "swing.toml", "--samples", "100000", "--times", "3", "--chunk", "10", "--study", "kept"]
    process = subprocess.Popen(
        [sys.executable, "-m", "flexarm", *words, "--cluster", real.scheduler_address],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    while not list(tmp_path.glob("kept/part-*")) and process.poll() is None:
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out) == (130, b""), err.decode()
    assert b"of 100000 samples are kept in kept, the same with --resume goes on" in err
    assert err.count(b"\n") == 1
    folder = tmp_path / "kept"
    begun = len(list(folder.glob("part-*")))
    assert begun >= 1
    with Client(real, set_as_default=False) as client:
        model = fa.read_study(tmp_path / "swing.toml")
        fa.montecarlo(model, **OPTIONS, cluster=client, folder=folder, resume=True)
        assert client.status == "running"
    assert StoredStudy(folder).table().some(0, SAMPLES).same_bits(alone.table())


def _other_info() -> WorkerInfo:
    return WorkerInfo({**worker_info().versions, "flexarm": "0.0.9 (code 1234)"}, worker_info().cpu)


def test_workers_with_another_code_are_refused_at_the_beginning(real, monkeypatch):
    monkeypatch.setattr(cluster, "worker_info", _other_info)
    with pytest.raises(AnalysisError) as refused:
        fa.montecarlo(swing(), **OPTIONS, cluster=real.scheduler_address)
    assert "of the cluster has flexarm 0.0.9 (code 1234), must have " in str(refused.value)
    assert str(refused.value).startswith("the worker tcp://")


# --- Without a cluster -----------------------------------------------------------------------------------------------

TASK = Task(swing().text, ("tip.x@end",), None)


class _Future:
    """A future that is done as soon as it is made."""

    def __init__(self, key, result):
        self.key, self._result = key, result
        self.status = "error" if isinstance(result, Exception) else "finished"

    def result(self):
        """The result, or why there is none."""
        if isinstance(self._result, Exception):
            raise self._result
        return self._result

    def add_done_callback(self, call):
        """Call at once."""
        call(self)


class _Cluster:
    """A cluster in this process: what runs a chunk is given, and who may run it."""

    status = "running"
    asynchronous = False

    def __init__(self, run, workers=None):
        self.run_chunk, self.workers = run, workers or {"tcp://one:1": worker_info()}
        self.scheduler = type("Scheduler", (), {"address": "tcp://host:8786"})
        self.scheduler_comm = type("Comm", (), {"closed": lambda self: False})()
        self.asked = []

    def submit(self, _function, task, columns, wanted, values, *, key, **_):
        """The chunk, run now."""
        self.asked.append(len(values))
        try:
            return _Future(key, self.run_chunk(values))
        except KilledWorker as killed:
            return _Future(key, killed)

    def gather(self, futures):
        """All results."""
        return [future.result() for future in futures]

    def run(self, *_, **__):
        """What the numbers of the workers depend on."""
        return self.workers

    def nthreads(self):
        """A thread for each worker."""
        return dict.fromkeys(self.workers, 1)

    def wait_for_workers(self, *_, **__):
        """They are there."""

    def cancel(self, *_, **__):
        """Nothing is under way."""


def _pool(monkeypatch, fake):
    monkeypatch.setattr(cluster, "_client_of", lambda _: (fake, False))
    return ClusterPool("tcp://host:8786", TASK, 1)


def test_a_sample_that_takes_down_worker_after_worker_is_a_failed_row_and_the_others_are_not(monkeypatch):
    values, here = swing().draw(1, 0, 11), Evaluator(TASK)

    def run(rows):
        if any(np.array_equal(row, values[6]) for row in rows):
            raise KilledWorker("chunk", None, 3)
        return Answer(here(rows), 0.1, worker_info())

    fake = _Cluster(run)
    pool = _pool(monkeypatch, fake)
    pool.begin(20, values)
    found = []
    while not found:
        found += pool.done(0.1)
    assert found[0].begin == 20
    assert found[0].evaluated.status == ["ok"] * 6 + ["died"] + ["ok"] * 4
    assert np.delete(found[0].evaluated.outputs, 6).tobytes() == np.delete(here(values).outputs, 6).tobytes()
    assert fake.asked.count(1) >= 2
    assert list(pool.done(0.01)) == []


def test_a_worker_that_joins_later_with_another_code_stops_the_study_in_a_sentence(monkeypatch):
    answer = run_chunk(TASK, 1, {**worker_info().versions, "numpy": "1.0"}, swing().draw(1, 0, 2))
    assert answer.evaluated is None
    other = Answer(None, 0.0, WorkerInfo({**worker_info().versions, "numpy": "1.0"}, worker_info().cpu))
    pool = _pool(monkeypatch, _Cluster(lambda rows: other))
    pool.begin(0, swing().draw(1, 0, 2))
    with pytest.raises(AnalysisError, match=r"a worker of the cluster has numpy 1\.0, must have "):
        list(pool.done(0.1))


def test_several_classes_of_processors_are_reported_and_kept(monkeypatch):
    here, other = worker_info(), WorkerInfo(worker_info().versions, "another processor")
    pool = _pool(monkeypatch, _Cluster(None, {"tcp://one:1": here, "tcp://two:1": other}))
    assert pool.cpu == " | ".join(sorted([here.cpu, other.cpu]))
    assert "run on 2 classes of processors" in pool.remarks[0]


def test_the_part_of_a_chunk_reports_what_it_was_run_on(monkeypatch, tmp_path):
    import pyarrow.parquet as parquet

    rows = Evaluated(np.ones((4, 1)), ["ok"] * 4, [""] * 4)
    other = WorkerInfo(worker_info().versions, "another processor")
    fake = _Cluster(lambda values: Answer(rows, 0.1, other), {"tcp://one:1": other})
    monkeypatch.setattr(cluster, "_client_of", lambda _: (fake, False))
    found = fa.montecarlo(swing(), samples=4, outputs=("tip.x@end",), cluster="x", chunk=4, folder=tmp_path)
    assert found.remarks == ()
    assert found.stored.study_json["cpu"] == "another processor"
    part = next(tmp_path.glob("part-*"))
    assert parquet.read_schema(part).metadata[b"cpu"] == b"another processor"


def test_a_worker_that_lacks_flexarm_and_a_scheduler_that_is_lost_are_reported(monkeypatch):
    with pytest.raises(AnalysisError, match="the worker tcp://one:1 cannot load this flexarm, must have it installed"):
        _pool(monkeypatch, _Cluster(None, {"tcp://one:1": ModuleNotFoundError("No module named 'flexarm'")}))

    def lost(rows):
        fake.status = "connecting"
        raise KilledWorker("never seen", None, 3)

    fake = _Cluster(lost)
    pool = _pool(monkeypatch, fake)
    monkeypatch.setattr(_Future, "result", lambda self: (_ for _ in ()).throw(OSError("gone")))
    pool.begin(0, swing().draw(1, 0, 2))
    with pytest.raises(AnalysisError, match="the scheduler at tcp://host:8786 was lost, must be there until"):
        list(pool.done(0.1))


@pytest.mark.parametrize("address", ["tcp://127.0.0.1:1", "nonsense", "tcp:/x", 3])
def test_a_cluster_that_is_not_there_is_reported_in_a_sentence(monkeypatch, address):
    monkeypatch.setattr(cluster, "_CONNECT", 0.3)
    with pytest.raises(AnalysisError) as refused:
        fa.montecarlo(swing(), samples=5, cluster=address)
    assert str(refused.value).endswith("such as tcp://host:8786")


def test_a_cluster_has_its_own_workers():
    with pytest.raises(AnalysisError, match="workers is 2 together with cluster, must be left out"):
        fa.montecarlo(swing(), samples=5, cluster="tcp://host:8786", workers=2)


def test_without_dask_a_cluster_is_refused_with_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    monkeypatch.delitem(sys.modules, "flexarm.studies.execution.cluster")
    with pytest.raises(AnalysisError, match=r"a cluster needs Dask, which is not installed: pip install"):
        study.open_cluster("tcp://host:8786", TASK, 1)


class _Slow:
    """An evaluator whose kernels compile slowly, and which writes down that it compiled."""

    def __init__(self, book):
        self.book = book

    def __call__(self, values):
        """A fine sample."""
        with open(self.book, "a", encoding="utf-8") as file:
            file.write("compiled\n")
        time.sleep(0.2)
        return Evaluated(np.ones((len(values), 1)), ["ok"] * len(values), [""] * len(values))


def test_of_four_cold_processes_one_compiles_and_the_others_wait(tmp_path):
    book, values = tmp_path / "book", swing().draw(1, 0, 3)
    context = multiprocessing.get_context("fork")
    cold = [context.Process(target=warmed, args=(_Slow(book), TASK, values, tmp_path)) for _ in range(4)]
    for process in cold:
        process.start()
    for process in cold:
        process.join()
    assert book.read_text() == "compiled\n"
    assert not warmed(_Slow(book), TASK, values, tmp_path)
    # another task may need other kernels
    assert warmed(_Slow(book), Task(TASK.text, ("tip.y@end",), None), values, tmp_path)
