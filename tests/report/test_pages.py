"""Pages of every verb, without a browser: what stands in them is what the results say."""

import json
import re
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

import flexarm as fa
from flexarm.errors import FlexarmError
from flexarm.report import PAGES, page_of
from flexarm.report.figures.bars import Bar, BarList, bar_list_html
from flexarm.report.figures.clouds import outline
from flexarm.report.page import Band, Figure, Line, Listing, MovingArm, Table
from flexarm.report.rendering import MOST_BYTES, page_text
from flexarm.results import ShapeStudy
from tests.report.results import NAMES, RARE, REGIONS, result_of, study
from tests.report.test_page import data_of


def figure(name, title):
    """The figure of that title on the page of a result."""
    return next(part for part in page_of(result_of(name)).parts if isinstance(part, Figure) and part.title == title)


def mark(name, title, word):
    """The mark of that name in a figure."""
    return next(each for each in figure(name, title).marks if getattr(each, "name", "") == word)


@pytest.mark.parametrize("name", NAMES)
def test_every_page_is_small_and_names_its_arm(name, tmp_path):
    result = result_of(name)
    path = fa.report(result, tmp_path / f"{name}.html")
    assert path.stat().st_size <= MOST_BYTES
    text = path.read_text("utf-8")
    data = result if isinstance(result, dict) else result.to_dict()
    assert f"<h1>{data.get('arm', data.get('arm_name'))}</h1>" in text
    assert not re.search(r">[^<]*\b(?:nan|inf|None)\b[^<]*<", re.sub(r"<script.*", "", text, flags=re.S))


@pytest.mark.parametrize("name", [name for name in NAMES if name != "rare"])
def test_results_write_their_own_page(name, tmp_path):
    result = result_of(name)
    assert type(result).__name__ in PAGES
    assert result.report(tmp_path / "own.html").read_bytes() == fa.report(result, tmp_path / "page.html").read_bytes()


@pytest.mark.parametrize("name", NAMES)
def test_what_a_verb_prints_as_json_makes_a_page_too(name, tmp_path):
    result = result_of(name)
    printed = json.loads(json.dumps(result if isinstance(result, dict) else result.to_dict()))
    page = page_of(printed)
    assert page.kind == page_of(result).kind
    assert page_text(page).count("<section") >= 2


def test_a_sliding_joint_is_held_at_a_length():
    found = replace(result_of("modes"), posture={"slide": 0.25}, posture_units={"slide": "m"})
    table = next(part for part in page_of(found).parts if isinstance(part, Table) and part.columns[0] == "joint")
    assert table.rows == [("slide", "250.0 mm")]


def test_data_of_no_known_kind_are_refused(tmp_path):
    with pytest.raises(FlexarmError, match="no result with a page, must be those of check, modes, campbell"):
        fa.report({"wanted": 1}, tmp_path / "page.html")
    assert not list(tmp_path.iterdir())


def test_the_line_of_a_mode_ends_like_its_tip_and_rests_in_the_posture():
    found = result_of("modes")
    line = found.drawn()["line"]
    # central differences over 1e-6 m: half the digits of double precision
    assert np.abs(line["shape"][:, -1] - found.point_shapes[:, 0]).max() < 1e-8
    # the arm is at rest and does not sag: 0.2 m, 0.2 m and 1 m in the posture of the file
    run = fa.simulate(found.arm, end=1e-3)
    at = run.values("line_corner_position")[0]
    corners = np.flatnonzero(run.values("line_corner"))
    assert np.abs(line["position"][corners] - at).max() < 1e-6


def test_modes_are_drawn_with_a_hundredth_of_the_reach():
    arm = next(part for part in page_of(result_of("modes")).parts if isinstance(part, MovingArm))
    place = np.asarray(arm.corners)[0]
    reach = np.ptp(np.vstack([place, np.zeros(3)]), axis=0).max()
    assert len(arm.choices) == 4
    for choice in arm.choices:
        assert np.linalg.norm(choice.shape, axis=1).max() == pytest.approx(0.01 * reach)


def test_the_campbell_diagram_has_every_mode_every_multiple_and_every_critical_speed():
    found = result_of("campbell")
    marks = figure("campbell", "Campbell diagram").marks
    assert len(marks) == len(found) + found.orders + 1
    assert np.array_equal(marks[0].y, found.frequencies_hz[:, 0])
    assert np.array_equal(marks[len(found)].y, found.spins / (2.0 * np.pi))
    assert [*marks[-1].x] == [crossing.spin for crossing in found.crossings]


def test_the_frequency_at_rest_is_the_computed_one_whatever_the_fit_says():
    data = result_of("campbell").to_dict()
    computed = data["modes"][0]["frequencies_hz"][0]
    data["modes"][0]["southwell"]["rest_hz"] = 1.5 * computed
    page = page_of(data)
    assert (page.numbers[0].name, page.numbers[0].value) == ("Lowest frequency at rest", f"{computed:.4g} Hz")
    table = next(part for part in page.parts if isinstance(part, Table) and "ω₀ of the fit" in part.columns)
    row = dict(zip(table.columns, table.rows[0], strict=True))
    assert float(row["at rest"].split()[0]) == pytest.approx(computed, rel=1e-4)
    assert float(row["ω₀ of the fit"].split()[0]) == pytest.approx(1.5 * computed, rel=1e-4)
    later = {**data, "spins_rad_s": [speed + 1.0 for speed in data["spins_rad_s"]]}
    assert page_of(later).numbers[0].name == "Lowest frequency at 9.549 rpm"


def test_the_curve_of_a_stop_holds_its_refined_extremes():
    found = result_of("brake")
    line = mark("brake", "Residual vibration", "simulated")
    assert np.all(np.diff(line.x) >= 0.0)
    for point in (*found.minima, *found.maxima):
        assert line.y[np.flatnonzero(line.x == point.time)[0]] == point.residual
    robust = mark("brake", "Residual vibration of uncertain arms", "worst")
    assert np.array_equal(robust.y, found.robust.worst)


def test_before_and_after_leave_what_the_study_says():
    found = result_of("brake")
    model, best = found.drawn()["motions"].values()
    for run, point in ((model, found.given), (best, found.best)):
        after = run.time >= run.info["last_switch"]
        assert run.info["last_switch"] == pytest.approx(point.stop)
        bent = run.values("point_deflection")[after, 0]
        # across the link at its end, sampled: a hundredth is lost between samples of 60 to a period
        across = np.linalg.svd(bent - bent.mean(axis=0))[2][0]
        assert np.ptp(bent @ across) == pytest.approx(point.residual, rel=0.03, abs=2e-5)


def test_joints_stop_where_the_stops_say_in_the_best_run():
    *_, best = result_of("brake").drawn()["motions"].values()
    stop = best.info["last_switch"]
    rates = np.abs(best.values("joint_velocity"))
    assert rates[best.time > stop + 1e-9].max() < 1e-12
    # the deflection counts from the rigid arm on the very command that was run
    before = best.time < 0.5
    assert np.abs(best.values("point_deflection")[before]).max() < 1e-3


def test_commands_are_shown_with_what_they_leave():
    found = result_of("shape")
    assert isinstance(found, ShapeStudy)
    points = mark("shape", "Residual vibration versus duration", "shapers")
    assert (points.x, points.y) == ([found.row("zv").duration], [found.row("zv").residual])
    lines = figure("shape", "Residual vibration versus frequency error").marks
    middle = list(lines[0].x).index(0.0)
    assert lines[0].y[middle] == 1.0
    assert lines[1].y[middle] == pytest.approx(found.row("zv").ratio)
    assert [*found.drawn()["motions"]] == ["unshaped", "zv"]


@pytest.mark.parametrize(
    ("units", "head"),
    [
        ({"a": "rad", "b": "rad"}, "peak torque of a / b (N m)"),
        ({"a": "m"}, "peak force of a (N)"),
        ({"a": "rad", "b": "m"}, "peak torque of a / b (N m / N)"),
    ],
)
def test_peak_torques_are_headed_by_the_unit_that_applies(units, head):
    data = result_of("shape").to_dict()
    bounds = {"torque": {joint: 20.0 for joint in units}, "rate": {}, "duration": None}
    rows = [{**row, "peak_torque": dict.fromkeys(units, 1.0)} for row in data["rows"]]
    page = page_of({**data, "joints": units, "rows": rows, "bounds": bounds})
    assert any(head in part.columns for part in page.parts if isinstance(part, Table))
    reported = dict(page.sections[-1].parts[-1].rows)
    assert reported["greatest torque of a"] == ("20.00 N m" if units["a"] == "rad" else "20.00 N")


def test_comparisons_show_how_far_the_tips_are_apart():
    found = result_of("compare")
    finest = found.of("rigid-fe")[-1]
    line = mark("compare", "How far the tip is from the reference's", "rigid-fe 8")
    assert np.nanmax(line.y) == finest.tip_error
    cost = mark("compare", "Error versus cost", "rigid-fe")
    assert cost.y == [row.tip_error for row in found.of("rigid-fe")]
    assert "histories" not in found.to_dict()


def test_bands_lie_between_the_quantiles():
    found = result_of("montecarlo")
    band = mark("montecarlo", "tip.y", "5 % to 95 %")
    assert np.array_equal(band.low, found.bands["tip.y"].quantiles[0.05])
    about = mark("montecarlo", "tip.x, from the nominal", "mean")
    assert np.allclose(about.y, found.bands["tip.x"].mean - found.bands["tip.x"].nominal, rtol=0, atol=1e-15)


def test_histograms_count_every_sample_that_ran():
    found = result_of("montecarlo")
    drawn = found.drawn()
    for name, values in drawn["cloud"].items():
        column = found.table(name).columns[name]
        assert np.array_equal(values, column)
        if name in drawn["histograms"]:
            reported = drawn["histograms"][name]
            assert reported["counts"].sum() == found.samples
            assert (reported["edges"][0], reported["edges"][-1]) == (column.min(), column.max())


def test_samples_inside_a_region_are_those_that_meet_it():
    found = result_of("reliability")
    drawn = found.drawn()
    for verdict, wanted in zip(found.verdicts, REGIONS, strict=True):
        if not verdict.places:
            assert wanted.kind == "settled"
            continue
        away = [drawn["cloud"][name] - at for name, at in zip(verdict.places, verdict.centre, strict=True)]
        edge = np.column_stack(outline(wanted.to_dict(), (0, 1)))
        assert np.count_nonzero(_inside(edge, *away)) == verdict.met


def _inside(edge, x, y):
    """Whether points lie in a convex polygon that goes round counterclockwise."""
    inside = np.ones(len(x), bool)
    for (ax, ay), (bx, by) in pairwise(edge):
        inside &= (bx - ax) * (y - ay) - (by - ay) * (x - ax) >= 0.0
    return inside


def test_places_of_regions_are_kept_beside_the_outputs_and_are_none_of_them():
    found = result_of("reliability")
    names = found.stored.study_json["columns"]
    assert names[:2] == ["tip.x@2", "tip.y@2"]
    assert names[2:] == [f"requirement {each.name}" for each in REGIONS]


def test_bars_are_as_long_as_what_they_stand_for():
    found = result_of("sensitivity")
    text = page_text(page_of(found))
    for part in found.rankings["max(tip.deflection)"].parts:
        wanted = 100.0 * min(max(part.total, 0.0), 1.0)
        assert f'<i class="bar-light" style="width:{wanted:.4g}%"></i>' in text
    drawn = "".join(bar_list_html(BarList("t", [Bar("a", 1.0, "1"), Bar("b", 4.0, "4", low=3.0, high=5.0)])))
    assert re.findall(r"width:([\d.]+)%", drawn) == ["20", "80", "40"]
    assert "left:60%" in drawn


def test_indices_estimated_beyond_nothing_and_all_are_on_the_scale_and_in_their_intervals():
    data = result_of("sensitivity").to_dict()
    part = data["over_time"][0]["parameters"][0]
    part["first"], part["first_interval"] = (
        [-0.3, 0.2, 0.5, 0.9, 1.4],
        [[-0.5, 0.1], [0.1, 0.3], [0, 1], [0.8, 1], [1, 2]],
    )
    shown = next(p for p in page_of(data).parts if isinstance(p, Figure) and p.title.startswith("First-order"))
    assert shown.y.least < -0.3 and shown.y.most > 1.4
    band, line = (next(each for each in shown.marks if isinstance(each, kind)) for kind in (Band, Line))
    assert (band.low <= line.y).all() and (line.y <= band.high).all()
    # where the estimate lies within 0 and 1 the interval does
    assert band.high[1:4].max() <= 1.0 and band.low[1:4].min() >= 0.0


def test_rare_failures_have_their_own_page_with_the_region_their_samples_must_hit():
    from flexarm.results.rare_events import RareEstimate, RareReliability

    counted = result_of("reliability")
    first = counted.verdicts[0]
    estimate = RareEstimate(first.requirement, first.nominal, 1e-3, 5e-4, 2e-3, 0.2)
    regions = ((first.places, first.centre),)
    found = RareReliability(
        arm_name="arm",
        method="subset",
        seed=1,
        parameters=study().random_parameters,
        joint=estimate,
        each=(estimate,),
        evaluations=120,
        most=120,
        failed={},
        reasons={},
        complete=True,
        interrupted=False,
        stored=counted.stored,
        regions=regions,
    )
    page = page_of(found)
    cloud = next(part for part in page.parts if isinstance(part, Figure) and part.equal)
    assert [len(mark.x) for mark in cloud.marks[:2]] == [first.met, counted.samples - first.met]
    reported = dict(page.sections[-1].parts[-1].rows)
    assert reported["flexarm"].startswith(fa.__version__) and isinstance(page.sections[-1].parts[0], Listing)
    laws = next(part for part in page.parts if isinstance(part, Table) and "law" in part.columns)
    assert all(row[-1].startswith("normal") for row in laws.rows)
    assert set(RARE) <= set(found.drawn())
    assert set(RARE["requirements"][0]) <= set(found.to_dict()["requirements"][0])


def test_failed_samples_stand_on_the_page_with_their_reasons():
    text = page_text(page_of(result_of("rare"))).replace("\u00a0", " ")
    assert "Samples that failed" in text
    assert text.count("link[1].length is -1 m, must be &gt; 0") == 2


def test_a_study_in_a_folder_makes_the_page_of_its_result(tmp_path):
    from flexarm.studies.store.page_data import open_study

    found = fa.montecarlo(study(), samples=6, outputs=["tip.x", "tip.y@end"], folder=tmp_path / "study", workers=1)
    direct, kept = (
        fa.report(found, tmp_path / "direct.html"),
        fa.report(open_study(tmp_path / "study"), tmp_path / "kept.html"),
    )
    assert data_of(direct) == data_of(kept)
    (tmp_path / "study" / "montecarlo.json").unlink()
    with pytest.raises(FlexarmError, match="was not finished, must be resumed"):
        open_study(tmp_path / "study")
