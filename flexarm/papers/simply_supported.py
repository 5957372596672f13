"""Table I of Naganathan: frequencies of a simply supported Timoshenko beam by linear elements."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from flexarm.analyses.equilibrium import Forces, commanded
from flexarm.analyses.points import point_rates
from flexarm.assembly import compile_arm
from flexarm.model import Arm, arm_from_dict
from flexarm.papers.row import Row, judged

ASPECTS = ("0.02", "0.04", "0.06", "0.08", "0.10")
SHEAR, RATIO = 0.8864, 2.6  # shear coefficient of the solid circle, E/G
# Printed in the table by rows of elements (the row of one element is of two over the whole beam) and columns of aspect.
PRINTED = {
    "full": {
        2: (51.517, 27.055, 19.245, 15.446, 13.164),
        5: (19.830, 12.936, 10.957, 9.919, 9.173),
        10: (12.913, 10.479, 9.692, 9.131, 8.623),
        20: (10.650, 9.810, 9.367, 8.932, 8.486),
    },
    "reduced": {
        2: (13.686, 13.218, 12.553, 11.793, 11.017),
        5: (10.291, 10.052, 9.694, 9.262, 8.795),
        10: (9.915, 9.695, 9.364, 8.963, 8.527),
        20: (9.844, 9.608, 9.284, 8.891, 8.462),
    },
}
EXACT = (9.839, 9.580, 9.258, 8.866, 8.441)
WITHIN = 1.3e-3  # rounding to three decimals, and digits the thesis cut


def table_rows() -> Iterator[Row]:
    """All entries of the table."""
    for integration in ("full", "reduced"):
        for n in (2, 5, 10, 20):
            for k, aspect in enumerate(ASPECTS):
                printed = PRINTED[integration][n][k]
                value = frequency_parameter(float(aspect), n, integration)
                yield judged(
                    f"naganathan.table1.{integration}.n{n}.r{aspect}",
                    value,
                    "",
                    paper=printed,
                    within=WITHIN,
                    note=_note(value, printed, k, n),
                )
    for k, aspect in enumerate(ASPECTS):
        value = exact_parameter(float(aspect))
        yield judged(
            f"naganathan.table1.exact.r{aspect}",
            value,
            "",
            paper=EXACT[k],
            within=WITHIN,
            note=_note(value, EXACT[k], k),
        )


def _note(value: float, printed: float, column: int, elements: float = np.inf) -> str:
    if abs(value - printed) <= WITHIN:
        plain = "simply supported, first mode"
        return f"{plain}; printed as one element, which is two over the whole beam" if elements == 2 else plain
    # errors of the reduced integration fall with the square of the element
    five, ten = (PRINTED["reduced"][n][column] for n in (5, 10))
    limit = (4.0 * ten - five) / 3.0
    expected = limit + (ten - limit) * (10.0 / elements) ** 2
    return (
        f"a misprint: the entries printed for 5 and 10 elements lead to {expected:.3f} here, as errors fall with the "
        "square of the element"
    )


def _beam(aspect: float, n: int, integration: str) -> Arm:
    """A beam of unit length on a free hinge; its far end is held afterwards."""
    radius = 2.0 * aspect
    section = {"shape": "circle", "diameter": 2.0 * radius, "shear": SHEAR}
    return arm_from_dict(
        {
            "name": "simply supported beam",
            "gravity": [0, 0, 0],
            "planar": True,
            "material": {"unit": {"youngs_modulus": 1e9, "density": 1e3, "poisson": RATIO / 2.0 - 1.0}},
            "link": [
                {
                    "name": "beam",
                    "joint": {"type": "revolute", "free": True},
                    "length": 1.0,
                    "beam": {"section": section, "material": "unit"},
                    # without stiffening the elements are the classical ones, to the last digit
                    "model": {
                        "formulation": "timoshenko",
                        "elements": n,
                        "integration": integration,
                        "stiffening": False,
                    },
                }
            ],
        },
        source="simply supported beam",
    )


def frequency_parameter(aspect: float, n: int, integration: str) -> float:
    """λ = L² ω √(ρA/EI) of the first mode of a solid round beam, r/2L = aspect, by n elements."""
    arm = _beam(aspect, n, integration)
    compiled = compile_arm(arm)
    state = commanded(compiled)
    forces = Forces(compiled)
    mass, stiffness = forces.mass(state.q), forces.tangent(state)[0]
    # the far end is held: only motions that leave it where it is
    across = point_rates(compiled, state.q)[0, 1]
    held = np.linalg.svd(across[None, :])[2][1:].T
    inner = np.linalg.solve(held.T @ stiffness @ held, held.T @ mass @ held)
    omega = 1.0 / np.sqrt(float(np.max(np.linalg.eigvals(inner).real)))
    beam = arm.links[0].beam
    assert beam is not None
    properties = beam.properties()
    assert properties.EIz is not None
    return float(omega * np.sqrt(properties.mass_per_length / properties.EIz))


def exact_parameter(aspect: float) -> float:
    """λ of the first mode of the simply supported Timoshenko beam, the lower root of its frequency equation.

    With s² = I/A L² = (r/2L)² and the wave number π: s⁴ g Λ² − (1 + s² π² (1 + g)) Λ + π⁴ = 0, Λ = λ², g = E/κG.
    """
    s2, g, k2 = aspect**2, RATIO / SHEAR, np.pi**2
    a, b = s2 * s2 * g, 1.0 + s2 * k2 * (1.0 + g)
    return float(np.sqrt(2.0 * k2 * k2 / (b + np.sqrt(b * b - 4.0 * a * k2 * k2))))
