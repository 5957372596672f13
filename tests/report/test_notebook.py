"""What a notebook shows of arms and results: well-formed, with the numbers the results have, and complete in itself."""

from __future__ import annotations

import inspect
import re
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pytest

import flexarm as fa
from flexarm.report.arm.posed import posed
from flexarm.report.figures.small_pictures import Curve, plot
from flexarm.report.notebook import MOST_BYTES, SHOWN
from flexarm.results.engineering import quantity

EXAMPLES = Path(__file__).parents[2] / "examples"
ALONE = {"br", "rect", "circle", "path", "polyline", "meta"}


class _Balanced(HTMLParser):
    """Counts what is opened and closed."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []

    def handle_starttag(self, tag, attrs):
        if tag not in ALONE:
            self.open.append(tag)

    def handle_endtag(self, tag):
        if tag not in ALONE:
            assert self.open.pop() == tag


@pytest.fixture(scope="module")
def arm():
    return fa.read_arm(EXAMPLES / "rod_handler.toml")


@pytest.fixture(scope="module")
def run(arm):
    return fa.simulate(arm)


@pytest.fixture(scope="module")
def shown(arm, run):
    """One of everything that can be shown."""
    study = fa.read_study(EXAMPLES / "tolerances.toml")
    turntable = fa.Arm(
        planar=True,
        gravity=(0, 0, 0),
        links=[
            {
                "name": "blade",
                "joint": {"type": "revolute"},
                "length": 1.0,
                "beam": {"bending_stiffness": 30.0, "mass_per_length": 0.5},
                "model": {"formulation": "rigid-fe", "elements": 3},
            }
        ],
    )
    return {
        "Arm": arm,
        "Trajectory": run,
        "ModeSet": fa.modes(arm, count=3),
        "Campbell": fa.campbell(turntable, spins=(0.0, 40.0, 5), count=2),
        "Equilibrium": fa.statics(arm),
        "Overview": fa.check(arm),
        "Workspace": fa.workspace(arm, {arm.links[0].name: ("0 deg", "90 deg", 3)}),
        "LinearModel": fa.linearise(arm),
        "DriveTorques": fa.torques(run),
        "TipPath": fa.path(EXAMPLES / "welder.toml"),
        "Gradient": fa.gradient(arm, of=["tip.y @ end"], by=["link[2].beam.bending_stiffness"]),
        "Design": fa.design(EXAMPLES / "light_strip.toml"),
        "Comparison": fa.compare(arm, ["rigid-fe"], elements=(2, 4)),
        "BrakeStudy": fa.brake(arm, (0.46, 0.5), points=5),
        "ShapeStudy": fa.shape(arm, shapers=["zv"], laws=[], sensitivity=False),
        "Sweep": fa.sweep(arm, vary={"link[0].length": [0.19, 0.2]}, outputs=["tip.y@end"], end="10 ms"),
        "MonteCarlo": fa.montecarlo(study, samples=8, workers=1),
        "Reliability": fa.reliability(study, samples=8, workers=1),
        "RareReliability": fa.reliability(study, method="form", workers=1),
        "StudyModel": study,
        "Sensitivity": fa.sensitivity(study, samples=0, outputs=["max(tip.deflection)"], workers=1),
    }


def test_everything_that_answers_a_question_shows_itself(shown):
    assert set(shown) == set(SHOWN)
    for name, thing in shown.items():
        assert type(thing).__name__ == name
        text = thing._repr_html_()
        reader = _Balanced()
        reader.feed(text)
        assert reader.open == [], name
        assert "<svg" in text or name in ("Equilibrium", "Gradient", "Design")  # tables of numbers
        # nothing is fetched: the only addresses are the names of vocabularies
        assert not re.search(r"(src|href)=.{0,6}https?:", text)
        assert "nan" not in re.sub(r"<iframe.*?</iframe>", "", text, flags=re.DOTALL).lower().replace("nano", "")


def test_the_numbers_shown_are_those_of_the_result(shown):
    brake, modes = shown["BrakeStudy"], shown["ModeSet"]
    assert quantity(brake.best.time, "s") in brake._repr_html_()
    assert quantity(brake.best.residual, "m") in brake._repr_html_()
    assert all(quantity(float(f), "Hz") in modes._repr_html_() for f in modes.frequencies_hz)
    reliability = shown["Reliability"]
    assert f"{reliability.reliability:.2%}" in reliability._repr_html_()
    first = reliability.needed[0].limit
    assert f"<td>{quantity(first, 'm')}</td>" in reliability._repr_html_()
    rare, study = shown["RareReliability"], shown["StudyModel"]
    assert f"{rare.failure:.3g}" in rare._repr_html_()
    assert f"<td>{quantity(1586.5, 'N m²', 6)}</td>" in study._repr_html_()
    for name in ("Comparison", "LinearModel"):
        for end in ("middle", "end"):
            ticks = re.findall(rf'<text [^>]*text-anchor="{end}">[-\d.e]+</text>', shown[name]._repr_html_())
            assert len(ticks) > 1, (name, end)


@pytest.mark.parametrize("log", [False, True])
@pytest.mark.parametrize(("low", "high"), [(-0.402, 0.402), (3.1, 4.4), (0.021, 0.035), (1e-6, 3e-2), (2.0, 9.99e5)])
def test_every_axis_has_two_ticks_or_more(low, high, log):
    if log and low <= 0.0:
        return
    text = plot("t", [Curve("c", [low, high], [low, high])], ("x", "m"), ("y", "m"), log=(log, log))
    for end in ('text-anchor="middle"', 'text-anchor="end"'):
        ticks = re.findall(rf"<text [^>]*{end}>([-\d.e]+)</text>", text)
        assert 2 <= len(ticks) <= 8
        assert len(set(ticks)) == len(ticks)


def test_a_run_moves_in_a_frame_that_reaches_nothing_around_it_and_stays_small(run):
    text = run._repr_html_()
    frame = re.search(r"<iframe[^>]*>", text)[0]
    assert 'sandbox="allow-scripts allow-downloads"' in frame
    # quotes take six characters each within the attribute: the page itself is what is bounded
    assert len(frame) < 1.5 * MOST_BYTES


@pytest.mark.parametrize("example", ["rod_handler.toml", "spatial_rod.toml", "two_link.toml"])
def test_the_sketch_ends_where_the_unloaded_arm_has_its_tip(example):
    arm = fa.read_arm(EXAMPLES / example).changed(gravity=(0.0, 0.0, 0.0))
    run = fa.simulate(arm, end=1e-6, start="rest", tolerance=1e-3, output=1e-6)
    tip = run.values("point_position")[0, run.labels("point").index("tip")]
    # kinematics alone, on both sides: rounding over a few metres
    assert np.allclose(posed(arm)[-1].corners[-1], tip, atol=1e-12)


def test_a_branch_a_hub_and_a_sleeve_are_sketched_where_they_stand():
    arm = fa.Arm(
        gravity=(0, 0, 0),
        links=[
            {
                "name": "post",
                "joint": {"type": "revolute", "at": "90 deg"},
                "length": 2.0,
                "rigid": {"mass": 1, "inertia": [1, 1, 1]},
            },
            {
                "name": "side",
                "parent": "post",
                "parent_at": 0.5,
                "joint": {"type": "prismatic", "axis": "y", "at": 0.25, "zero": 0.05},
                "hub": {"radius": 0.1},
                "length": 1.0,
                "tip_offset": [0, 0, 0.2],
                "rigid": {"mass": 1, "inertia": [1, 1, 1]},
                "payload": {"mass": 1.0},
            },
            {
                "name": "boom",
                "parent": "post",
                "joint": {"type": "prismatic", "axis": "x", "sleeve": True, "at": 0.4, "locked": True},
                "length": 1.0,
                "beam": {"bending_stiffness": 30.0, "mass_per_length": 0.5},
                "model": {"formulation": "hermite", "elements": 2},
            },
        ],
    )
    post, side, boom = posed(arm)
    assert np.allclose(post.corners[-1], [0, 2, 0])
    # the post's x is the base's y, its y the base's −x: 0.5 along it, 0.3 along its y, 1.1 along its x, 0.2 up
    assert np.allclose(side.corners[-1], [-0.3, 1.6, 0.2])
    assert np.allclose(side.payloads, [[-0.3, 1.6, 0.0]])
    assert np.allclose(boom.corners[-1], [0, 2.4, 0])


def test_showing_is_asked_for_by_name_so_that_importing_an_arm_loads_no_drawing():
    source = inspect.getsource(fa.Arm._repr_html_)
    assert "import_module" in source
