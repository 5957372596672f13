"""Every verb has an example that runs, and the number it prints stands beside a closed form it agrees with."""

from __future__ import annotations

import re
import runpy
from pathlib import Path

import pytest

from flexarm.verbs import VERBS as TABLE

EXAMPLES = Path(__file__).parents[1] / "examples"
NUMBER = r"(-?\d+\.?\d*)"

# Script → where ours and the formula's number stand, and by what part they may differ, with the reason:
CLAIMS = {
    # the chain's own error with 20 elements, 1/(2n)² and some
    "simulate": (rf"quasi-static: {NUMBER} mm.*formula +: {NUMBER} mm", 2e-3),
    # shear and rotary inertia, which the formula leaves out, at a slenderness of a hundred
    "modes": (rf"{NUMBER} Hz, by the formula without shear +{NUMBER} Hz", 1e-3),
    # the table is printed to three decimals
    "campbell": (rf"rad/s: {NUMBER} Hz, from the table {NUMBER} Hz", 3e-4),
    # shear
    "statics": (rf"sag {NUMBER} mm, by the formula {NUMBER} mm", 3e-4),
    # what gravity adds to the stiffness of the sagging beam
    "workspace": (rf"level: {NUMBER} N/m.*L³ {NUMBER} N/m", 1e-3),
    # both are equilibria, found apart; the path is met to rounding at its knots
    "path": (rf"half way: x.*y {NUMBER} mm; on the path .* mm, {NUMBER} mm", 1e-6),
    "linearise": (rf"pole {NUMBER}.*by the formula {NUMBER}", 1e-5),
    "torques": (rf"rigid {NUMBER} N m, by the formula {NUMBER} N m", 1e-5),
    # a fitted order is never quite the whole number it tends to
    "compare": (rf"order of rigid-fe: {NUMBER}, by theory {NUMBER}", 0.15),
    # found to 0.1 ms; damping and a slow turn move it by less
    "brake": (rf"least at {NUMBER} s; \d periods are {NUMBER} s", 1e-3),
    "shape": (rf"after {NUMBER} ms, by the formula 0.5 after {NUMBER} ms", 1e-3),
    # the deviation of 150 samples errs by 1/√300, 6 %, and may by twice that
    "montecarlo": (rf"deviation {NUMBER} µm, by the rule {NUMBER} µm", 0.12),
    # the joint's own gains by two formulas: the frequency is that of the model
    "control": (rf"kp {NUMBER} N m/rad, by the formula {NUMBER} N m/rad", 2e-3),
    # the twist of the gear is 3e-3 rad: its cosine
    "audit": (rf"costs {NUMBER} mm, by the formula {NUMBER} mm", 1e-4),
    # the chain's own error with 20 elements
    "export": (rf"springs: {NUMBER} Hz, the arm itself {NUMBER} Hz", 2e-3),
    # shear, which grows with the square of the height
    "sweep": (rf"to 1/{NUMBER}, by the formula 1/{NUMBER}", 3e-3),
    # shear and what four elements leave
    "gradient": (rf"dy/dL {NUMBER}, by the formula {NUMBER}", 2e-3),
    # the search ends within 1e-4 of the limit
    "design": (rf"height {NUMBER} mm, by the formula {NUMBER} mm", 2e-4),
    # the motion smoothed to 20 Hz
    "identify": (rf"found {NUMBER} kg/m, what was put in {NUMBER} kg/m", 1e-2),
    # numbers of the file multiplied
    "check": (rf"mass {NUMBER} kg, by the formula {NUMBER} kg", 1e-6),
    # four cubic elements err by 3e-5 of the frequency; shear takes less
    "reproduce": (rf"slenderness 1000: {NUMBER}, by the formula {NUMBER}", 5e-5),
    # 150 samples of 92 % err by 2.2 %
    "reliability": (rf"met in {NUMBER}%.*by the normal law {NUMBER}%", 0.05),
}
ALONE = {
    "report": r"turned_link.html: \d+ kB, addresses of other machines in it: 0",
    "view": "answers 200",
    "schema": "keys of the examples that the schema does not know: 0",
}


def _said(script: str, capsys) -> str:
    runpy.run_path(str(EXAMPLES / f"{script}.py"), run_name="__main__")
    return capsys.readouterr().out


@pytest.mark.parametrize("script", CLAIMS)
def test_an_example_agrees_with_its_closed_form(script, capsys):
    pattern, part = CLAIMS[script]
    found = re.search(pattern, _said(script, capsys), re.DOTALL)
    assert found is not None
    ours, formula = map(float, found.groups())
    assert ours == pytest.approx(formula, rel=part)


@pytest.mark.parametrize("script", ALONE)
def test_an_example_without_a_closed_form_says_what_it_did(script, capsys):
    assert re.search(ALONE[script], _said(script, capsys))


def test_every_example_is_run_by_a_test():
    # which_tolerance.py is run where sensitivity is tested
    scripts = {path.stem for path in EXAMPLES.glob("*.py")} - {"which_tolerance"}
    assert scripts == {*CLAIMS, *ALONE}


def test_every_verb_that_answers_a_question_about_an_arm_has_an_example():
    named = {path.stem for path in EXAMPLES.glob("*.py")} | {"sensitivity"}  # which_tolerance.py
    assert {verb.name for verb in TABLE} - named == {"new", "warmup", "doctor"}
