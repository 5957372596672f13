"""An audit ranks what gives way by what it costs at the tip, by numbers that closed forms confirm."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import flexarm as fa
from tests.cli.conftest import call as call  # a fixture

ROBOT = Path(__file__).parents[2] / "examples" / "three_axes.urdf"


@pytest.fixture(scope="module")
def found() -> fa.Audit:
    return fa.audit(ROBOT, payload="3 kg")


def test_a_gear_costs_its_twist_times_the_reach(found):
    """sag = (τ/K) r to first order in the twist, here 3e-3 rad; r is the tip's distance from the joint."""
    rigid = fa.Dynamics(fa.read_arm(ROBOT, elastic={"link": {"flange": {"payload": {"mass": 3.0}}}}))
    q = np.array([found.posture[name] for name in rigid.names])
    tau = rigid.inverse(q, 0 * q, 0 * q)
    lever = np.linalg.norm(rigid.jacobian("flange", q)[:3], axis=0)
    stiffness = {"turn": 200 * 150, "shoulder": 200 * 200, "elbow": 200 * 90}
    for cost in found.costs:
        if cost.kind == "gear":
            k = rigid.names.index(cost.name)
            assert cost.sag == pytest.approx(abs(tau[k]) / stiffness[cost.name] * lever[k], rel=1e-3, abs=1e-9)


def test_the_forearm_costs_what_a_cantilever_of_its_section_does(found):
    """End load F, own weight and the rest of the link: F L³/3EI, w L⁴/8EI and P a²(3L − a)/6EI; shear adds 1 %."""
    cost = next(cost for cost in found.costs if cost.name == "forearm")
    table = fa.read_arm(ROBOT, elastic={"link": {"forearm": found.tables["link"]["forearm"]}})
    link = table.link("forearm")
    beam, L, g = link.beam.properties(), link.length, 9.81
    payload = link.payloads[0]
    a = payload.at + payload.offset[0]
    rest = (
        payload.mass
        * g
        * (payload.at**2 * (3 * L - payload.at) / 6 + (a - payload.at) * payload.at * (L - payload.at / 2))
    )
    sag = (5.0 * g * L**3 / 3 + beam.mass_per_length * g * L**4 / 8 + rest) / beam.EIz
    assert cost.sag == pytest.approx(sag, rel=0.02)
    assert np.pi * link.beam.section.thickness * (0.05 - link.beam.section.thickness) * L * 2700 == pytest.approx(
        1.75, rel=1e-3
    )


def test_the_ranking_falls_and_nearly_adds_up(found):
    sags = [cost.sag for cost in found.costs]
    assert sags == sorted(sags, reverse=True)
    assert found.costs[0].name == "shoulder"
    # small flexibilities in series: their sags along gravity add up
    assert found.sag == pytest.approx(sum(sags), rel=0.02)
    assert found.frequency < min(cost.frequency for cost in found.costs)


def test_the_table_that_is_written_describes_the_same_robot(call, tmp_path):
    (tmp_path / "robot.urdf").write_text(ROBOT.read_text("utf-8"), "utf-8")
    done = call("audit", "robot.urdf", "--out", "robot.elastic.toml", "--json", "--report", "audit.html")
    assert done.code == 0 and done.err == "wrote robot.elastic.toml and audit.html\n"
    told = json.loads(done.out)
    posture = {name: value for name, value in told["posture"].items()}
    sag = fa.statics(tmp_path / "robot.elastic.toml", posture=posture).tip_sag["tip"]
    assert np.linalg.norm(sag) == pytest.approx(told["sag_m"], rel=1e-3)  # finer elements
    again = fa.audit(tmp_path / "robot.elastic.toml", posture=posture)
    assert {cost.source for cost in again.costs} == {"given"}
    assert again.sag == pytest.approx(told["sag_m"], rel=1e-6)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"material": "cheese"}, 'material is "cheese", must be "steel"'),
        ({"structure": 0.0}, "structure is 0, must be from 0 to 1"),
        ({"payload": "3 m"}, "payload is"),
        ({"tip": "hand"}, 'there is no link "hand"'),
    ],
)
def test_what_cannot_be_right_is_refused(options, sentence):
    with pytest.raises(fa.FlexarmError) as refused:
        fa.audit(ROBOT, **options)
    assert sentence in str(refused.value)


def test_a_model_file_of_no_robot_is_refused():
    with pytest.raises(fa.FlexarmError, match="is no robot, must be a URDF"):
        fa.audit(ROBOT.with_name("pendulum.toml"))
