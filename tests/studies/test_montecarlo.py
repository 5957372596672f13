"""Monte Carlo studies: the same bits however they are run, rows that are plain runs, statistics that are known."""

import numpy as np
import pytest
from scipy import stats

import flexarm as fa
from flexarm.errors import AnalysisError
from flexarm.results.engineering import quantity
from flexarm.results.montecarlo import half_width
from flexarm.studies.execution.evaluate import Evaluated, Evaluator, Stopped, Task
from flexarm.studies.execution.workers import Worker, WorkerDied
from flexarm.studies.store.store import StoredStudy, StudyError
from flexarm.studies.study import Sampling
from tests.studies.swings import BENDING, RATE, RATE_DEVIATION, TRAVEL, bending, swing

SAMPLES = 150
OUTPUTS = ("tip.x", "arm.position", "arm.torque@0.45 s", "max(tip.speed)", "energy.kinetic@0.2 s")


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """A study run in one go, by one worker."""
    folder = tmp_path_factory.mktemp("whole")
    return fa.montecarlo(swing(), samples=SAMPLES, outputs=OUTPUTS, times=5, folder=folder, workers=1)


@pytest.mark.parametrize(("chunk", "workers"), [(7, 1), (64, 1), (7, 2)])
def test_the_table_is_the_same_to_the_last_bit_whatever_chunks_and_workers(tmp_path, whole, chunk, workers):
    again = fa.montecarlo(
        swing(), samples=SAMPLES, outputs=OUTPUTS, times=5, folder=tmp_path, chunk=chunk, workers=workers
    )
    assert again.table().same_bits(whole.table())
    reported, wanted = again.to_dict(), whole.to_dict()
    assert {**reported, "folder": ""} == {**wanted, "folder": ""}


def test_a_study_grown_in_three_steps_is_the_one_run_in_one_go(tmp_path, whole):
    for samples in (10, 77, SAMPLES):
        grown = fa.montecarlo(
            swing(), samples=samples, outputs=OUTPUTS, times=5, folder=tmp_path, resume=True, workers=1
        )
    assert grown.table().same_bits(whole.table())


@pytest.mark.parametrize("sample", [0, 41])
def test_a_sample_run_alone_by_simulate_has_the_numbers_of_its_row(sample):
    model = bending()
    outputs = ("tip.x", "tip.deflection@0.15 s", "arm.torque@0.1 s", "max(tip.deflection)", "residual(tip.y)")
    rows = fa.montecarlo(model, samples=42, outputs=outputs, times=11, workers=1).table().some(sample, sample + 1)
    values = model.draw(1, sample, sample + 1)[0]
    assert [rows.columns[p.name][0] for p in model.parameters] == values.tolist()
    run = fa.simulate(fa.parse_arm(fa.format_arm(model.arm(values))))
    row = {name: float(value[0]) for name, value in rows.columns.items()}
    # lanes compute what a single run does in the same order, but for the last digits
    near = {"rel": 1e-9, "abs": 1e-12}
    for time in np.linspace(0.0, 0.2, 11):
        k = int(np.argmin(np.abs(run.time - time)))
        wanted = run.signal("point_position", point="tip", axis="x")[k]
        assert row[f"tip.x@{time:.9g}"] == pytest.approx(wanted, **near)
    deflection = np.sqrt(sum(run.signal("point_deflection", point="tip", axis=axis) ** 2 for axis in "xyz"))
    assert row["tip.deflection@0.15"] == pytest.approx(deflection[750], **near)
    assert row["arm.torque@0.1"] == pytest.approx(run.signal("joint_torque", joint="arm")[500], **near)
    assert row["residual(tip.y)"] == pytest.approx(run.residual("tip", "y"), **near)
    assert row["max(tip.deflection)"] >= deflection.max() * (1.0 - 1e-9)


def test_statistics_are_those_of_numpy_on_the_full_table(whole):
    rows = whole.table()
    for name, figure in whole.figures.items():
        column = rows.columns[name]
        # sums in another order differ by a few last bits, in a variance by those of the mean squared
        assert figure.mean == pytest.approx(column.mean(), rel=1e-13)
        assert figure.deviation == pytest.approx(column.std(ddof=1), rel=1e-9)
        assert figure.quantiles[0.95] == pytest.approx(np.quantile(column, 0.95), rel=1e-13)
    band = whole.bands["tip.x"]
    table = np.column_stack([rows.columns[f"tip.x@{time:.9g}"] for time in band.times])
    np.testing.assert_allclose(band.mean, table.mean(axis=0), rtol=1e-13)
    np.testing.assert_allclose(band.quantiles[0.05], np.quantile(table, 0.05, axis=0), rtol=1e-13)
    steps = whole.convergence["tip.x@0.5"]
    assert [step.samples for step in steps] == [2, 4, 8, 16, 32, 64, 128, SAMPLES]
    assert steps[3].mean == pytest.approx(rows.columns["tip.x@0.5"][:16].mean(), rel=1e-13)


def test_mean_and_deviation_of_a_linear_output_are_those_of_its_parameter_times_a_factor(whole):
    rate = whole.table().columns["link[0].joint.rate"]
    figure = whole.figures["arm.position@0.5"]
    # the prescribed angle is rate × travel time to rounding
    assert figure.mean == pytest.approx(TRAVEL * rate.mean(), rel=1e-12)
    assert figure.deviation == pytest.approx(TRAVEL * rate.std(ddof=1), rel=1e-9)
    assert figure.nominal == pytest.approx(TRAVEL * RATE, rel=1e-12)
    # four standard errors of the mean of 150 normal numbers
    assert abs(figure.mean - TRAVEL * RATE) < 4.0 * TRAVEL * RATE_DEVIATION / np.sqrt(SAMPLES)


def test_parameters_run_alone_share_the_variance_of_what_is_a_sum_of_them():
    model = swing(length='{ normal = ["0.5 m", "1 mm"] }')
    found = fa.montecarlo(model, samples=60, outputs=("arm.position@end",), per_parameter=True, workers=1)
    shares = {effect.parameter: effect.shares["arm.position@0.5"] for effect in found.effects}
    # the end angle depends on the rate alone, whose samples are those of the whole study
    assert shares["link[0].length"] < 1e-20
    assert shares["link[0].joint.rate"] == pytest.approx(1.0, rel=1e-9)
    assert "part of the variance each parameter has alone" in found.summary()


def test_failed_samples_are_rows_with_their_reason_and_counted():
    found = fa.montecarlo(
        swing(length='{ normal = ["0.5 m", "0.4 m"] }'), samples=80, outputs=("tip.x@end",), workers=1
    )
    rows = found.table()
    negative = rows.columns["link[0].length"] < 0.0
    assert negative.any()
    assert [word == "impossible" for word in rows.status] == negative.tolist()
    assert np.isnan(rows.columns["tip.x@0.5"]).tolist() == negative.tolist()
    assert found.failed == {"impossible": int(negative.sum())}
    assert found.figures["tip.x@0.5"].count == 80 - int(negative.sum())
    assert all("length" in text for text, bad in zip(rows.reason, negative, strict=True) if bad)
    assert "failed" in found.summary()


def test_a_sample_that_takes_its_process_down_is_a_failed_row_and_the_others_are_not(monkeypatch):
    model = swing()
    task = Task(model.text, ("tip.x@end",), None)
    values, here, asked = model.draw(1, 0, 9), Evaluator(task), []

    def dying(rows):
        asked.append(len(rows))
        if any(np.array_equal(row, values[4]) for row in rows):
            raise WorkerDied
        return here(rows)

    worker = Worker(task, 1)
    monkeypatch.setattr(worker, "_asked", dying)
    found = worker(values)
    assert found.status == ["ok"] * 4 + ["died"] + ["ok"] * 4
    assert asked.count(1) >= 2
    wanted = here(values).outputs
    assert np.delete(found.outputs, 4).tobytes() == np.delete(wanted, 4).tobytes()


def test_a_worker_whose_process_is_killed_starts_another_and_one_that_is_closed_none():
    model = swing()
    worker = Worker(Task(model.text, ("tip.x@end",), None), 1)
    try:
        before = worker(model.draw(1, 0, 2))
        worker._process.kill()  # as the system does where memory ends
        assert worker(model.draw(1, 0, 2)).outputs.tobytes() == before.outputs.tobytes()
    finally:
        worker.close()
    with pytest.raises(Stopped):
        worker(model.draw(1, 0, 2))


class _Interrupted:
    """An evaluator during which Ctrl-C is pressed with the third chunk."""

    def __init__(self, evaluate):
        self.evaluate, self.left = evaluate, 3

    def __call__(self, values) -> Evaluated:
        """The samples, or Ctrl-C."""
        self.left -= 1
        if self.left == 0:
            raise KeyboardInterrupt
        return self.evaluate(values)

    def close(self):
        """Nothing to end."""


def test_an_interrupted_study_keeps_what_is_done_and_goes_on_to_the_same_table(tmp_path, whole, monkeypatch):
    from flexarm.studies import study

    options = {"samples": SAMPLES, "outputs": OUTPUTS, "times": 5, "folder": tmp_path, "chunk": 20}
    with monkeypatch.context() as changed:
        changed.setattr(study, "open_evaluators", lambda task, evaluator, *_: [_Interrupted(evaluator)])
        with pytest.raises(KeyboardInterrupt):
            fa.montecarlo(swing(), **options)
    kept = sum(len(rows) for rows in StoredStudy(tmp_path).blocks())
    assert 0 < kept < SAMPLES
    reported = []
    again = fa.montecarlo(swing(), **options, resume=True, workers=1, progress=lambda *seen: reported.append(seen))
    assert reported[0] == (kept, SAMPLES, 0)
    assert reported[-1] == (SAMPLES, SAMPLES, 0)
    assert again.table().same_bits(whole.table())


def test_a_study_without_a_folder_lasts_as_long_as_its_result():
    found = fa.montecarlo(swing(), samples=5, outputs=("tip.x@end",), workers=1)
    folder = found.stored.folder
    assert found.scatter("tip.x@0.5").shape == (5, 1)
    assert len(found.to_csv().splitlines()) == 6
    del found
    assert not folder.exists()


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"samples": 0}, "samples is 0, must be a whole number from 1"),
        ({"method": "mc"}, 'method is "mc", must be'),
        ({"outputs": ["tap.x"]}, 'the output "tap.x" names no point, must be of "tip"'),
        ({"outputs": ["tip.x@9 s"]}, "is at 9 s, must be within 0 and the end, 0.5 s"),
        ({"outputs": ["tip.x@soon"]}, "the time is"),
        ({"outputs": []}, "outputs: there is none"),
        ({"times": [0.1, 0.7]}, "times holds 0.7 s"),
        ({"resume": True}, "resume is given without the folder"),
        ({"workers": 0}, "workers is 0"),
    ],
)
def test_what_cannot_be_asked_is_refused_before_anything_runs(options, sentence):
    with pytest.raises(AnalysisError) as refused:
        fa.montecarlo(swing(), **options)
    assert sentence in str(refused.value)


def test_other_outputs_in_the_same_folder_are_refused(tmp_path):
    fa.montecarlo(swing(), samples=2, outputs=("tip.x@end",), folder=tmp_path, workers=1)
    with pytest.raises(StudyError, match="was begun with columns"):
        fa.montecarlo(swing(), samples=2, outputs=("tip.y@end",), folder=tmp_path, workers=1, resume=True)


def test_the_size_of_a_chunk_is_at_least_one():
    with pytest.raises(AnalysisError, match="chunk is 0"):
        Sampling(chunk=0)


def test_nothing_is_left_of_a_quasi_static_stop():
    study = fa.parse_study(BENDING.replace('start = "steady"', 'start = "steady"\nanalysis = "quasi-static"'), name="q")
    found = fa.montecarlo(study, samples=4, outputs=["residual(tip.y)", "max(tip.deflection)"], times=3)
    columns = found.table().columns
    assert np.max(np.abs(columns["residual(tip.y)"])) < 1e-12
    # as much as its own inertia bends a beam that slows down: 11 ρA α L⁵ / 120 EI, and a tenth for four elements
    alpha = np.deg2rad(90.0) / 0.02
    length, stiffness = columns["link[0].length"], columns["link[0].beam.bending_stiffness"]
    wanted = 11 * 0.5 * alpha * length**5 / (120 * stiffness)
    np.testing.assert_allclose(columns["max(tip.deflection)"], wanted, rtol=0.1)


@pytest.mark.parametrize("count", [2, 3, 8, 1000])
def test_the_interval_of_a_mean_is_that_of_students_distribution(count):
    # the quantile by SciPy, to the digits of an inverse that is iterated
    assert half_width(0.1, count) == pytest.approx(0.1 * stats.t.ppf(0.975, count - 1), rel=1e-9)
    assert np.isnan(half_width(0.1, 1))


def test_the_table_reports_the_interval_of_few_samples():
    found = fa.montecarlo(swing(), samples=3, outputs=("tip.x@end",), workers=1)
    drawn = found.table("tip.x@0.5").columns["tip.x@0.5"]
    half = stats.t.ppf(0.975, 2) * drawn.std(ddof=1) / np.sqrt(3)
    assert found.to_dict()["outputs"][0]["half_width"] == pytest.approx(half, rel=1e-9)
    assert quantity(half, "m", 2) in found.summary()


def test_whole_numbers_of_numpy_are_whole_numbers():
    options = {"outputs": ("tip.x",), "workers": np.int64(1)}
    one = fa.montecarlo(swing(), samples=np.int64(4), seed=np.uint8(3), times=np.int32(3), **options)
    other = fa.montecarlo(swing(), samples=4, seed=3, times=np.linspace(0.0, 0.5, 3), **options)
    assert one.table().same_bits(other.table())
    found = fa.sensitivity(swing(), samples=np.int64(64), points=np.int64(1), outputs=("tip.x@end",), workers=1)
    assert found.points == 1


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"times": []}, r"times is \[\], must hold at least one time"),
        ({"times": ["1 kg"]}, 'times holds a time that is "1 kg", must be a time such as "0.5 s"'),
        ({"times": "1 s"}, 'times is "1 s", must be a list of times'),
        ({"times": 0.5}, "times is 0.5, must be a list of times"),
        ({"samples": 2.5}, "samples is 2.5, must be a whole number from 1 to 1000000000"),
        ({"samples": "4"}, 'samples is "4", must be a whole number'),
        ({"levels": ["a"]}, 'levels holds "a", must hold numbers from 0 to 1'),
    ],
)
def test_what_python_may_not_ask_is_reported_in_a_sentence(options, sentence):
    with pytest.raises(AnalysisError, match=sentence):
        fa.montecarlo(swing(), **{"samples": 4, "workers": 1, **options})


@pytest.mark.parametrize("options", [{"wanted": "high"}, {"method": "subset", "cov": "low"}])
def test_a_part_that_is_text_is_refused_in_a_sentence(options):
    with pytest.raises(AnalysisError, match="must be between 0 and 1"):
        fa.reliability(swing(), [fa.Requirement("A", "circle", 0.1)], **options)
