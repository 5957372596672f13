"""Rare failures on a Dask cluster: the same answer as here, whoever is lost on the way; other code is refused."""

import os
import signal

import pytest
from distributed import LocalCluster

import flexarm as fa
from flexarm.errors import AnalysisError
from flexarm.studies.execution import cluster
from flexarm.studies.execution.cluster import WorkerInfo, worker_info
from tests.studies.swings import swing
from tests.studies.test_rare_arms import NEAR

OPTIONS = {
    "importance": {"method": "importance", "cov": 0.2, "block": 40},
    "subset": {"method": "subset", "cov": 0.5, "block": 10},
    "form": {"method": "form"},
}
METHOD = pytest.mark.parametrize("method", list(OPTIONS))


@pytest.fixture(scope="module")
def real():
    """A scheduler and two worker processes, each with a nanny that starts another if it dies."""
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None, silence_logs=50) as found:
        yield found


@METHOD
def test_a_search_whose_worker_is_killed_ends_in_the_answer_and_the_table_of_one_here(real, method, tmp_path):
    here = fa.reliability(swing(), [NEAR], **OPTIONS[method], folder=tmp_path / "here", workers=1)
    killed = []

    def kill(*_):
        if not killed:
            killed.append(next(iter(real.workers.values())).process.process.pid)
            os.kill(killed[0], signal.SIGKILL)

    keys = {**OPTIONS[method], "cluster": real.scheduler_address, "progress": kill}
    found = fa.reliability(swing(), [NEAR], **keys, folder=tmp_path / "there")
    assert killed and found.complete
    assert found.stored.table().same_bits(here.stored.table())
    assert {**found.to_dict(), "folder": None} == {**here.to_dict(), "folder": None}


@METHOD
def test_a_worker_of_another_version_is_refused_in_a_sentence(real, method, monkeypatch):
    other = WorkerInfo({**worker_info().versions, "flexarm": "0.0.9 (code 1234)"}, worker_info().cpu)
    monkeypatch.setattr(cluster, "worker_info", lambda: other)
    with pytest.raises(AnalysisError) as refused:
        fa.reliability(swing(), [NEAR], **OPTIONS[method], cluster=real.scheduler_address)
    assert str(refused.value).startswith("the worker tcp://") and "\n" not in str(refused.value)
    assert "of the cluster has flexarm 0.0.9 (code 1234), must have " in str(refused.value)


def test_a_worker_of_another_version_that_joins_later_ends_the_search_in_a_sentence(real, monkeypatch, tmp_path):
    # workers that were right when they were asked, and answer with another version afterwards
    wanted = {**worker_info().versions, "numpy": "1.0"}
    alike = cluster.ClusterPool._alike

    def joined_later(self):
        found = alike(self)
        self._wanted = wanted
        return found

    monkeypatch.setattr(cluster.ClusterPool, "_alike", joined_later)
    with pytest.raises(AnalysisError, match=r"a worker of the cluster has numpy .*, must have 1\.0 as this process"):
        fa.reliability(swing(), [NEAR], **OPTIONS["importance"], cluster=real.scheduler_address, folder=tmp_path)
    # what is kept goes on here to the answer of a whole run
    monkeypatch.undo()
    ended = fa.reliability(swing(), [NEAR], **OPTIONS["importance"], folder=tmp_path, resume=True, workers=1)
    whole = fa.reliability(swing(), [NEAR], **OPTIONS["importance"], workers=1)
    assert ended.joint.probability == whole.joint.probability and ended.complete
