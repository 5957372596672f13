"""Pages without a browser: what stands in them, how large they are, what is refused."""

import json
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import flexarm as fa
from flexarm.errors import FlexarmError
from flexarm.report.arm.moving import drawn_scale
from flexarm.report.arrays import ArrayStore, extremes_kept
from flexarm.report.figures.spectrum import Spectrum, spectrum
from flexarm.report.html_text import text_html
from flexarm.report.page import Axis, Bars, Figure, Line, Number, Page, Points, Section, Table
from flexarm.report.rendering import MOST_BYTES, is_page, page_text
from tests.report.conftest import rod, spun


def data_of(path: Path) -> dict:
    """What the page's script reads."""
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', path.read_text("utf-8"), re.S)
    assert found
    return json.loads(found[1])


def test_a_page_names_no_address_and_forbids_the_network(planar, written):
    text = written(planar, "planar").read_text("utf-8")
    addresses = set(re.findall(r"""(?:https?:)?//[\w.-]+\.[a-z]{2,}[^\s"'`]*""", re.sub(r'"data":"[^"]*"', "", text)))
    assert addresses <= {"http://www.w3.org/2000/svg"}  # the name of a language, never opened
    assert "default-src 'none'" in text
    assert not re.search(r"<(?:link|img|iframe|script src)\b", text)


def test_the_page_reports_what_the_summary_reports(planar, written):
    text = written(planar, "planar").read_text("utf-8").replace("\u00a0", " ")
    for line in planar.summary().splitlines()[1:]:
        if line.startswith("  ") and line.strip():
            for part in re.split(r"\s{3,}", line.strip()):
                assert part.replace("'", "&#x27;") in text, part


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("1.5045 s later", "1.5045\u00a0s later"),
        ("125 mm & 3 N m", "125\u00a0mm &amp; 3\u00a0N\u00a0m"),
        ("12 % of 40 samples in 2 modes", "12\u00a0% of 40 samples in 2 modes"),
        ("1 m/s², 10 rad/s", "1\u00a0m/s², 10\u00a0rad/s"),
    ],
)
def test_no_line_ends_between_a_number_and_its_unit(text, kept):
    assert text_html(text) == kept
    assert kept in page_text(Page("t", "k", [Section("s", [Table(("a",), [[text]])], text)], lead=text))


def test_the_unit_of_a_key_number_stays_beside_it():
    text = page_text(Page("t", "k", [], numbers=[Number("stop", "1.5045 s")]))
    assert "<dd class='value'>1.5045<small>\u00a0s</small></dd>" in text


@pytest.mark.parametrize("elements", [1, 200])
def test_pages_of_one_and_of_two_hundred_elements_stay_small(written, elements):
    path = written(rod(elements), f"elements-{elements}")
    assert path.stat().st_size <= MOST_BYTES


def test_a_run_of_a_hundred_thousand_samples_makes_a_page_that_says_it_is_thinned(written):
    run = spun(50, 100_000)
    path = written(run, "long")
    assert path.stat().st_size <= MOST_BYTES
    figures = [each for each in data_of(path)["drawn"] if each["part"] == "figure"]
    assert all(figure["thinned"] for figure in figures if figure["clock"])


@pytest.mark.parametrize("most", [40, 1000, 8000])
def test_thinning_keeps_the_extremes_of_every_line_and_both_ends(most):
    random = np.random.default_rng(7)
    lines = [random.normal(size=100_000).cumsum(), random.normal(size=100_000)]
    lines[1][31_415] = 50.0
    kept = extremes_kept(lines, most)
    assert len(kept) <= most + 4
    assert (kept[0], kept[-1]) == (0, 99_999)
    assert (np.diff(kept) > 0).all()
    for line in lines:
        assert (line[kept].min(), line[kept].max()) == (line.min(), line.max())


def test_thinning_keeps_gaps():
    line = np.sin(np.arange(10_000) / 50.0)
    line[4000:4100] = np.nan
    assert np.isnan(line[extremes_kept([line], 500)]).any()


def test_an_array_is_kept_once_and_to_the_last_bit():
    store = ArrayStore()
    values = np.random.default_rng(3).normal(size=17)
    assert store.put(values) == store.put(values.copy())
    assert len(store.packed) == 1
    import base64

    assert np.array_equal(np.frombuffer(base64.b64decode(store.packed[0]["data"]), "<f8"), values)


def test_a_sine_shows_its_amplitude_at_its_frequency():
    time = np.linspace(0.0, 4.0, 2001)
    found = spectrum(time, 3.0 + 0.5 * time + 0.02 * np.sin(2 * np.pi * 7.3 * time))
    assert found is not None
    frequency, amplitude = found.peak
    # four zeros per sample make bins of 1/16 Hz, a parabola finds the peak to a twentieth of one; a Hann window loses
    # no more than 2 % of the amplitude between them
    assert frequency == pytest.approx(7.3, abs=0.05 / 16 * 4)
    assert amplitude == pytest.approx(0.02, rel=0.02)


@pytest.mark.parametrize("place", [3.6, 4.0, 4.3])
def test_a_peak_between_lines_is_the_vertex_of_its_parabola(place):
    # a spectrum that is a parabola has its vertex found to rounding, frequency and amplitude
    frequency = np.arange(9.0)
    frequency_found, amplitude = Spectrum(frequency, 7.0 - 0.2 * (frequency - place) ** 2).peak
    assert (frequency_found, amplitude) == pytest.approx((place, 7.0), rel=1e-14)


def test_a_peak_at_the_end_of_a_spectrum_is_its_line():
    assert Spectrum(np.array([1.0, 2.0, 3.0]), np.array([1.0, 2.0, 4.0])).peak == (3.0, 4.0)


def test_a_signal_too_short_for_a_spectrum_has_none():
    assert spectrum(np.arange(5.0), np.arange(5.0)) is None


@pytest.mark.parametrize(("deflection", "scale"), [(0.0, 1), (1.0, 1), (1e-3, 20), (1e-9, 1000)])
def test_small_deflections_are_drawn_larger_by_a_round_factor(deflection, scale):
    assert drawn_scale(deflection, 0.5) == scale


def test_titles_and_names_cannot_break_the_page():
    nasty = '</script><b>"&'
    page = Page(nasty, "kind", [Section(nasty, [Figure(nasty, Axis("x"), Axis("y"), [Line(nasty, [0, 1], [1, 2])])])])
    text = page_text(page)
    assert "</script><b>" not in text
    assert text.count("</script>") == 2


def test_every_kind_of_part_can_stand_on_a_page():
    marks = [Points("p", [1, 2], [3, 4], labels=["a", "b"]), Bars("b", [1.0, 2.0], labels=["u", "v"])]
    page = Page("t", "k", [Section("s", [Table(("a", "b"), [["x", "1 m"]]), Figure("f", Axis("x"), Axis("y"), marks)])])
    assert "<th scope='col' class='right'>b</th>" in page_text(page)


def test_a_result_without_a_page_is_refused(tmp_path):
    with pytest.raises(FlexarmError, match="there is no page for a float"):
        fa.report(1.5, tmp_path / "x.html")
    with pytest.raises(FlexarmError, match="there is no run"):
        fa.report([], tmp_path / "x.html")


def test_a_run_reports_itself(planar, tmp_path):
    path = planar.report(tmp_path / "run.html")
    assert is_page(path)


def test_a_saved_run_is_reported_without_the_compiler(planar, tmp_path):
    planar.save(tmp_path / "run.nc")
    code = (
        "import sys; sys.modules['numba'] = None; import flexarm as fa;"
        "fa.report(fa.open_run('run.nc'), 'run.html'); assert 'flexarm.core' not in sys.modules"
    )
    root = str(Path(fa.__file__).parents[1])
    subprocess.run([sys.executable, "-c", code], cwd=tmp_path, check=True, env={"PYTHONPATH": root})
    assert is_page(tmp_path / "run.html")


def test_a_run_kept_before_runs_had_centre_lines_still_gets_a_page(planar, tmp_path):
    older = fa.Trajectory(
        {name: array for name, array in planar.variables.items() if not name.startswith("line_")},
        {name: array for name, array in planar.coordinates.items() if not name.startswith(("line_", "frame_"))},
        planar.arm_text,
        planar.info,
    )
    drawn = data_of(older.report(tmp_path / "old.html"))["drawn"]
    assert [each["part"] for each in drawn if each["part"] == "arm"] == []
    assert len(drawn) > 5


def test_a_run_that_stopped_early_says_so_first(tmp_path):
    with pytest.warns(fa.StoppedEarly):
        run = rod(1, max_steps=5)
    text = run.report(tmp_path / "stopped.html").read_text("utf-8")
    assert 'role="alert">stopped at t = ' in text


def test_the_centre_line_ends_where_the_tip_is(planar, spatial):
    for run in (planar, spatial):
        corners, deflections = run.values("line_corner_position"), run.values("line_deflection")
        frames = np.searchsorted(run.time, run.values("frame_time"))
        tip = run.values("point_position")[frames, 0]
        # single precision of positions of a few metres
        assert np.abs(corners[:, -1] + deflections[:, -1] - tip).max() < 1e-6
        assert np.abs(deflections[:, -1] - run.values("point_deflection")[frames, 0]).max() < 1e-8
