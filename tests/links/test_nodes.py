"""Elements have a node where something stands on the beam."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from scipy.optimize import brentq

import flexarm as fa
from flexarm.assembly.spans import span_of
from flexarm.links.mesh import element_lengths
from flexarm.studies.execution.stacked import compile_batch

EI, RHOA, L, MASS, AT = 100.0, 0.5, 1.0, 1.0, 0.3


def exact(count: int) -> np.ndarray:
    """Angular frequencies (rad/s) of an Euler-Bernoulli cantilever with a point mass between its ends.

    Transfer matrices of (v, v', EIv'', EIv'''), Krylov's functions on either side of the mass, whose inertia makes the
    third derivative jump by mω²v/EI; at the tip moment and shear force vanish.
    """

    def lacking(root: float) -> float:
        omega = root**2 * np.sqrt(EI / RHOA) / L**2

        def along(length: float) -> np.ndarray:
            b = (RHOA * omega**2 / EI) ** 0.25
            c, s, C, S = np.cos(b * length), np.sin(b * length), np.cosh(b * length), np.sinh(b * length)
            S0, S1, S2, S3 = (C + c) / 2, (S + s) / (2 * b), (C - c) / (2 * b**2), (S - s) / (2 * b**3)
            rows = [[S0, S1, S2, S3], [b**4 * S3, S0, S1, S2], [b**4 * S2, b**4 * S3, S0, S1]]
            return np.array([*rows, [b**4 * S1, b**4 * S2, b**4 * S3, S0]])

        jump = np.eye(4)
        jump[3, 0] = MASS * omega**2 / EI
        return float(np.linalg.det((along(L - AT) @ jump @ along(AT))[2:, 2:])) / np.cosh(root) ** 2

    roots = np.linspace(0.3, 15.0, 600)
    values = [lacking(root) for root in roots]
    pairs = zip(pairwise(roots), pairwise(values), strict=True)
    found = [brentq(lacking, *ends, xtol=1e-13) for ends, (a, b) in pairs if a * b < 0]
    return np.array(found[:count]) ** 2 * np.sqrt(EI / RHOA) / L**2


def carrying(**model: Any) -> fa.Arm:
    beam = {"bending_stiffness": EI, "mass_per_length": RHOA}
    link = {"name": "arm", "joint": {"type": "fixed"}, "length": L, "beam": beam, "payload": {"mass": MASS, "at": AT}}
    return fa.Arm(planar=True, gravity=(0, 0, 0), links=[link | {"model": model}])


@pytest.mark.parametrize(
    ("model", "within"),
    [
        ({}, 1e-3),
        # (kh)⁴/1440 of the third, and of the chain about half of it
        ({"formulation": "hermite", "elements": 4}, 3e-3),
        ({"formulation": "hermite", "elements": 8}, 5e-4),
        ({"formulation": "hencky", "elements": 9}, 1e-4),
    ],
    ids=["default", "four", "eight", "hencky"],
)
def test_a_payload_between_the_ends_costs_no_accuracy(model: dict[str, Any], within: float) -> None:
    found = 2 * np.pi * fa.modes(carrying(**model), count=3).frequencies_hz
    np.testing.assert_allclose(found, exact(3), rtol=within)


def ends(arm: fa.Arm, link: int = 0) -> list[float]:
    lengths, begins = element_lengths(span_of(arm, arm.links[link]))
    np.testing.assert_allclose(np.diff([*begins, arm.links[link].length]), lengths, rtol=1e-12)
    return [float(x) for x in begins[1:]]


def test_payloads_loads_and_joints_get_nodes_and_the_number_of_elements_stays() -> None:
    assert ends(carrying(elements=4)) == pytest.approx([0.3, 0.3 + 0.7 / 3, 0.3 + 1.4 / 3])
    # where a node stands already the elements stay equal, to the last bit
    even = carrying(elements=10)
    assert len(set(map(id, element_lengths(span_of(even, even.links[0]))[0]))) == 1
    hand = {"name": "hand", "joint": {"type": "fixed"}, "parent_at": 0.55, "rigid": {"mass": 1.0, "inertia": 0.1}}
    arm = carrying(elements=7)
    arm = arm.changed(links=(arm.links[0], hand), loads=({"link": "arm", "at": 0.8, "force": [0, 1, 0]},))
    assert {0.3, 0.55, 0.8} < {round(x, 12) for x in ends(arm)}
    assert len(ends(arm)) == 6
    # graded: the nearest nodes move there
    assert ends(carrying(elements=5, grading=0.5))[0] == 0.3
    # fewer elements than pieces: as they were
    assert ends(carrying(elements=1)) == []


def test_a_place_that_is_random_stays_a_node_in_every_sample() -> None:
    text = """
planar = true
[[link]]
name = "arm"
joint = { type = "revolute" }
length = { normal = ["1 m", "1 mm"] }
beam = { bending_stiffness = 100, mass_per_length = 0.5 }
payload = { mass = 1, at = { normal = ["0.3 m", "1 mm"] } }
[simulation]
end = "0.1 s"
"""
    study = fa.parse_study(text)
    rows = np.array([[1.001, 0.301], [0.999, 0.2995]])
    stacked = compile_batch(study, rows)
    assert stacked
    assert stacked.valid.all()
    for k, row in enumerate(rows):
        arm = study.arm(row)
        assert row[1] in [pytest.approx(x) for x in ends(arm)]
        alone = fa.modes(arm, count=1).frequencies_hz[0]
        assert alone == pytest.approx(fa.modes(study.nominal, count=1).frequencies_hz[0], rel=1e-2)
        assert len(ends(arm)) == len(ends(study.nominal)), k
