"""Beams that shear: every formulation has one limit, Reissner's beam, of large deflections and of columns (Haringx)."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.linalg import eigh

import flexarm as fa
from flexarm.analyses.equilibrium import Forces, commanded
from flexarm.assembly import compile_arm
from tests.oracles import reissner

from .cantilever import CHAINS, FORMULATION, NAMES, WAYS, cantilever

# --- Large deflections -----------------------------------------------------------------------------------------------

# Nachbagauer, Gruber & Gerstmayr, J. Comput. Nonlinear Dyn. 8 (2013) 021004: a thick cantilever under 5e8 h³ N
HEIGHT, WIDTH, LENGTH, YOUNG, POISSON = 0.5, 0.1, 2.0, 2.07e11, 0.3
FORCE = 5e8 * HEIGHT**3
AREA, SECOND = HEIGHT * WIDTH, WIDTH * HEIGHT**3 / 12
COWPER = 10 * (1 + POISSON) / (12 + 11 * POISSON)
EI, EA, GA = YOUNG * SECOND, YOUNG * AREA, COWPER * YOUNG / (2 * (1 + POISSON)) * AREA
PUBLISHED = (0.150971, 0.710568)
THICK = {
    "bending_stiffness": EI,
    "axial_stiffness": EA,
    "shear_stiffness": GA,
    "mass_per_length": 7850 * AREA,
    "rotary_inertia": 7850 * SECOND,
}
IN_SPACE = {"torsional_stiffness": 1e8, "polar_inertia": 15700 * SECOND}


def tip(formulation: str, elements: int, *freedoms: str, planar: bool = True) -> np.ndarray:
    """Place (x, y) of the tip under the force across."""
    beam = THICK if planar else THICK | IN_SPACE
    load = {"link": "beam", "force": (0.0, FORCE, 0.0)}
    keys: dict[str, Any] = {"formulation": formulation, "freedoms": freedoms, "length": LENGTH, "loads": [load]}
    return np.array([LENGTH, 0.0]) + fa.statics(cantilever(beam, elements, planar=planar, **keys)).tip_sag["tip"][:2]


def test_the_oracle_has_the_published_deflection():
    found = reissner.cantilever((0.0, FORCE), EI=EI, GA=GA, EA=EA, L=LENGTH)
    np.testing.assert_allclose((LENGTH - found.x, found.y), PUBLISHED, atol=1e-6)


@pytest.mark.parametrize(
    ("formulation", "elements"),
    [*((name, (6, 12, 24)) for name in NAMES), *((name, (7, 13, 25)) for name in CHAINS)],
)
def test_a_thick_cantilever_tends_to_reissners_with_order_two(formulation, elements):
    exact = np.array(reissner.cantilever((0.0, FORCE), EI=EI, GA=GA, L=LENGTH)[:2])
    errors = [float(np.max(np.abs(tip(formulation, n, "bending", "shear") - exact))) for n in elements]
    # cubic and quadratic elements come from their third order, which bending has, to the second of shear with bending
    order = -np.polyfit(np.log(elements), np.log(errors), 1)[0]
    assert order == pytest.approx(2.5 if formulation in ("hermite", "isoparametric") else 2.0, abs=0.25)
    # the slope of the axis taken for the turn of the section would leave 1.4e-3
    assert errors[-1] < 4e-4


# What 32 elements leave (m). A stretch taken along the section inboard adds to elements ε φ / 2n of the length.
LEFT = {"rigid-fe": 2e-4, "hencky": 2e-5, "timoshenko": 2e-4, "hermite": 8e-5, "isoparametric": 8e-5}


@FORMULATION
def test_the_published_deflection_comes_out_of_every_formulation(formulation):
    x, y = tip(formulation, 32, "bending", "shear", "axial")
    np.testing.assert_allclose((LENGTH - x, y), PUBLISHED, atol=LEFT[formulation])


@FORMULATION
def test_in_space_it_bends_as_in_the_plane(formulation):
    flat, full = (tip(formulation, 8, "bending", "shear", planar=planar) for planar in (True, False))
    np.testing.assert_allclose(full, flat, rtol=0, atol=1e-9)


# --- Columns ---------------------------------------------------------------------------------------------------------

EULER = np.pi**2 / 4  # of a cantilever column, EI = 1 N m², L = 1 m
COLUMNS = {**WAYS, "modes": {"formulation": "modes", "modes": 12}}


def critical(way: dict[str, Any], elements: int, shear: float | tuple[float, float], planar: bool) -> np.ndarray:
    """The lowest loads (N), two in space, under which a column that stands on a clamp loses its stiffness."""
    stiffness: Any = 1.0 if planar else (1.0, 1.0)
    beam = {"bending_stiffness": stiffness, "shear_stiffness": shear, "mass_per_length": 1.0, "rotary_inertia": 1e-3}
    load = {"link": "beam", "force": (-EULER, 0.0, 0.0)}
    arm = cantilever(beam, elements, freedoms=("bending", "shear"), model=way, planar=planar, loads=[load])
    compiled = compile_arm(arm)
    state = commanded(compiled)
    loaded = Forces(compiled).tangent(state)[0]
    free = Forces(compile_arm(arm.model_copy(update={"loads": ()}))).tangent(state)[0]
    # K − P G has no stiffness left where 1/P is an eigenvalue of G
    geometric = (free - loaded) / EULER
    values = eigh(0.5 * (geometric + geometric.T), 0.5 * (free + free.T), eigvals_only=True)
    return 1.0 / values[::-1][: 1 if planar else 2]


# Relative error of sixteen elements, their order two but for quadratic elements; of modes, which have no shear at the
# tip where the column has, what the inverse of their number leaves.
ERROR = {"rigid-fe": 1e-3, "hencky": 4e-4, "timoshenko": 2e-3, "hermite": 3e-4, "isoparametric": 1e-6, "modes": 8e-3}


@pytest.mark.parametrize("way", list(COLUMNS.values()), ids=list(COLUMNS))
def test_a_column_that_shears_buckles_under_the_load_of_haringx(way):
    shear = 3.0 * EULER
    exact = reissner.column(EULER, shear)
    assert exact / EULER == pytest.approx(0.7913, abs=1e-4)  # Engesser's is 0.75
    assert critical(way, 16, shear, True)[0] == pytest.approx(exact, rel=ERROR[way["formulation"]])


@pytest.mark.parametrize("way", list(COLUMNS.values()), ids=list(COLUMNS))
def test_each_plane_of_a_column_in_space_buckles_by_its_own_shear(way):
    shear = (2.0 * EULER, 4.0 * EULER)
    exact = sorted(reissner.column(EULER, each) for each in shear)
    # Engesser's loads are a tenth lower
    rtol = 3e-2 if way["formulation"] == "modes" else 1e-2
    np.testing.assert_allclose(critical(way, 8, shear, False), exact, rtol=rtol)
