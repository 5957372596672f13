"""Pages of studies: times of their signals, regions their end points must be in."""

import numpy as np
import pytest

import flexarm as fa
from flexarm.report import page_of
from flexarm.report.page import Figure
from flexarm.report.rendering import page_text
from tests.report.results import REGIONS, result_of, study
from tests.report.test_pages import figure


def test_bands_report_how_far_their_times_are_apart_and_what_that_hides():
    found = result_of("montecarlo")
    page = page_of(found)
    assert figure("montecarlo", "tip.y").words == "At 41 times, 50.0 ms apart; straight between them."
    # the rod alone, clamped: 12.6 Hz by ω = 1.8751² √(EI/m)/L², with two elements a little more
    period = 1.0 / found.drawn()["lowest_frequency_hz"]
    assert period == pytest.approx(2 * np.pi / (1.8751**2 * np.sqrt(1586.5 / 3.15)), rel=0.1)
    remark = next(text for text in page.warnings if "vibrations between these times are not resolved" in text)
    assert "every 50.0 ms" in remark and "--times" in remark
    finer = found.drawn()
    finer["bands"] = [{**band, "times": [0.5 * time for time in band["times"]]} for band in finer["bands"]]
    assert not any("not seen" in text for text in page_of(finer).warnings)


def test_indices_over_time_report_how_far_their_times_are_apart_too():
    page = page_of(result_of("sensitivity"))
    assert "At 5 times, 500 ms apart" in next(
        each.words for each in page.sections if each.title == "Sobol' indices versus time"
    )
    assert any("every 500 ms" in text and "--times" in text for text in page.warnings)


def test_the_cloud_of_end_points_has_the_circle_the_model_asks_for():
    cloud = next(part for part in page_of(result_of("montecarlo")).parts if isinstance(part, Figure) and part.equal)
    edge = next(mark for mark in cloud.marks if getattr(mark, "name", "") == '"stops there" allows')
    assert np.allclose(np.hypot(edge.x, edge.y), 0.002)  # about the nominal, as the file has it
    data = result_of("montecarlo").drawn()
    given = data["regions"][0]["requirement"]
    nominal = [next(each["nominal"] for each in data["outputs"] if each["name"] == f"tip.{axis}@2") for axis in "xy"]
    moved = {**given, "centre": [nominal[0] + 0.01, nominal[1]]}
    data["regions"] = [
        {"requirement": moved, "axes": [0, 1], "time": 2.0},
        {"requirement": {**given, "name": "earlier"}, "axes": [0, 1], "time": 1.0},
    ]
    cloud = next(part for part in page_of(data).parts if isinstance(part, Figure) and part.equal)
    (edge,) = (mark for mark in cloud.marks if getattr(mark, "name", "").endswith("allows"))
    assert np.allclose(np.hypot(edge.x - 0.01, edge.y), 0.002)


def test_reliability_has_bands_of_the_signals_that_were_asked_for(tmp_path):
    from flexarm.studies.store.page_data import open_study

    folder = tmp_path / "study"
    found = fa.reliability(study(), REGIONS[:1], samples=20, workers=1, outputs=["tip.y"], folder=folder)
    for data in (found.drawn(), open_study(folder)):
        page = page_of(data)
        (bands,) = (part for part in page.parts if isinstance(part, Figure) and part.title == "tip.y")
        values = np.array([found.stored.table([f"tip.y@{time:.9g}"]).columns[f"tip.y@{time:.9g}"] for time in (0, 2)])
        everything = next(mark for mark in bands.marks if mark.name == "all samples")
        assert np.array_equal(everything.low[[0, -1]], values.min(axis=1))
        assert np.array_equal(everything.high[[0, -1]], values.max(axis=1))
        assert any("montecarlo with --times" in text for text in page.warnings)
    # without such outputs there is nothing over time in the table
    assert result_of("reliability").drawn()["signal_bands"] == []
    assert "times of signals" not in page_text(page_of(result_of("reliability")))
