"""A run that stops early says so: a Python warning, the summary, the cell of a notebook."""

from __future__ import annotations

import warnings

import pytest

import flexarm as fa

ROD = {"name": "rod", "joint": {"type": "revolute", "free": True, "at": 0.5}, "length": 0.6}
ARM = fa.Arm(name="swing", planar=True, gravity=(0, -9.81, 0), links=[{**ROD, "rigid": {"mass": 2.0, "inertia": 0.06}}])


def test_a_run_that_stops_early_warns_whoever_asked_for_it():
    with pytest.warns(fa.StoppedEarly, match=r"^swing: stopped at t = .* s: the allowed number of steps") as caught:
        run = fa.simulate(ARM, end=1.0, max_steps=20)
    assert caught[0].filename == __file__
    assert not run.complete and 0.0 < run.time[-1] < 1.0
    assert "INCOMPLETE" in run.summary()
    assert f'color:#c62828;font-weight:600">{run.failure}<' in run._repr_html_()


def test_the_warning_can_be_an_error_and_complete_runs_are_silent():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        fa.simulate(ARM, end=0.1)
        with pytest.raises(fa.StoppedEarly):
            fa.simulate(ARM, end=1.0, max_steps=20)
