"""The formulas of NOTATION run with floats, and what is generated from them is the same computation."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest

from flexarm.core.emit.blocks import Block, Blocks
from flexarm.core.emit.modules import source_of
from flexarm.core.emit.patterns import PATTERNS, columns
from flexarm.core.emit.tracing import Num, forget, given, statements
from flexarm.core.formulas import joint, rigid
from flexarm.core.formulas.algebra import about_z, joined, tilde
from flexarm.core.formulas.eliminate import (
    Stood,
    accelerations_by_cofactors,
    accelerations_by_pivots,
    by_cofactors,
    by_pivots,
)
from flexarm.core.sweeps.dynamics import aba, new_work

from .trees import Engine, random_bodies, random_state, spatial_engine


def forward(engine: Engine, q: np.ndarray, v: np.ndarray, tau: np.ndarray) -> np.ndarray:
    """Accelerations of a chain of free revolute joints in space by the formulas, as NOTATION 4 has them."""
    tree, n = engine.tree, len(engine.tree.topology)
    R, w = [np.eye(3)] * n, [np.zeros(3)] * n
    d, c, I, p = ([None] * n for _ in range(4))
    for i in range(1, n):
        up, b = tree.topology[i, 0], tree.body[i]
        turned = R[up] @ b[:9].reshape(3, 3)
        z, at = turned[:, 2], tree.topology[i, 2]
        d[i] = joint.offset(R[up], b[9:12])
        c[i] = joined(joint.bias_of_turning(w[up], z, v[at]), joint.bias_of_offset(w[up], d[i]))
        R[i] = joint.turned(turned, np.sin(q[at]), np.cos(q[at]))
        w[i] = joint.angular_velocity(w[up], z, v[at])
        J, s = rigid.turned(R[i], b[16 + np.array([[0, 1, 2], [1, 3, 4], [2, 4, 5]])], b[13:16])
        I[i], p[i] = rigid.inertia(J, s, b[12]), rigid.bias(w[i], J, s)
    kept = {}
    for i in range(n - 1, 0, -1):
        at = tree.topology[i, 2]
        k, damper, rest, rotor = tree.spring[at, :4]
        p[i] = joint.biased(I[i], p[i], c[i])
        U, own, zp = joint.column(I[i], p[i], joint.axis(R[i][:, 2], False))
        push = tau[at] - k * (q[at] - rest) - damper * v[at]
        I[i], p[i], per, ratio = joint.eliminated(I[i], p[i], U, own + rotor, push - zp, lambda pivot: pivot)
        kept[i] = joint.shift(d[i]).T @ per, ratio
        up = tree.topology[i, 0]
        if up > 0:
            more, bias = joint.carried_in(I[i], p[i], d[i])
            I[up], p[up] = I[up] + more, p[up] + bias
    A = {0: joined(np.zeros(3), -tree.gravity)}
    found = np.zeros(len(q))
    for i in range(1, n):
        up, at = tree.topology[i, 0], tree.topology[i, 2]
        found[at] = joint.free_acceleration(A[up], *kept[i])
        A[i] = joint.moved(joint.carried_out(A[up], d[i], c[i]), joint.axis(R[i][:, 2], False), found[at])
    return found


@pytest.mark.parametrize("seed", range(3))
def test_formulas_with_floats_give_the_accelerations_of_the_kernel(seed) -> None:
    turning = [body for body in random_bodies(seed) if body.kind == "revolute"]
    chain = [replace(body, parent=i - 1) for i, body in enumerate(turning)]
    engine = spatial_engine(chain)
    q, v, a, tau = random_state(seed, chain)
    drive = np.zeros(engine.nq)
    assert aba(engine.tree, engine.loads, engine.laws, 0.0, q, v, a, tau, drive, new_work(engine.tree)) == 0
    expected = forward(engine, q, v, tau)
    # rounding of a dozen bodies
    np.testing.assert_allclose(a, expected, rtol=0, atol=1e-11 * np.abs(expected).max())


@pytest.mark.parametrize("count", [2, 3])
def test_elimination_by_cofactors_is_that_by_pivots(count) -> None:
    rng = np.random.default_rng(count)
    root = rng.standard_normal((6 + count, 6 + count))
    whole = root @ root.T + np.eye(6 + count)
    stood = Stood(whole[:6, :6], rng.standard_normal(6), whole[6:, 6:], whole[:6, 6:], rng.standard_normal(count))
    A = rng.standard_normal(6)
    I, p, kept = by_pivots(stood, lambda pivot: pivot)
    J, s, others = by_cofactors(stood, lambda pivot: pivot)
    np.testing.assert_allclose(I.astype(float), J.astype(float), atol=1e-12 * np.abs(whole).max())
    np.testing.assert_allclose(p.astype(float), s.astype(float), atol=1e-11)
    first, second = accelerations_by_pivots(A, kept), accelerations_by_cofactors(A, others)
    np.testing.assert_allclose(first.astype(float), second.astype(float), atol=1e-11)
    np.testing.assert_allclose(first.astype(float), np.linalg.solve(stood.D, stood.u - stood.V.T @ A), atol=1e-11)


def test_traced_statements_compute_what_the_formula_computes() -> None:
    forget()
    rng = np.random.default_rng(1)
    numbers = {f"x{k}": float(x) for k, x in enumerate(rng.standard_normal(6))}
    traced = np.array([given(name) for name in numbers], dtype=object)
    floats = np.array(list(numbers.values()))

    def formula(x):  # type: ignore[no-untyped-def]
        R = about_z(x[3], x[4])
        return tilde(R @ x[:3]) @ (R.T @ x[3:]) - x[:3] / x[5]

    lines, texts = statements({}, {}, list(formula(traced)))
    names = dict(numbers)
    exec("\n".join(lines), {}, names)
    found = [eval(text.partition("#")[0], {}, names) for text in texts]
    np.testing.assert_allclose(found, formula(floats).astype(float), rtol=1e-14)


def test_zeros_and_ones_leave_no_trace() -> None:
    x = given("x")
    assert x * 0.0 == 0.0 and x * 1.0 is x and x + 0.0 is x and (-x) * -1.0 is x and x - x == 0.0
    assert isinstance(x * 2.0, Num) and (x * 2.0) is (2.0 * x)


@pytest.mark.parametrize("name", PATTERNS)
def test_every_kernel_is_python_whose_sums_and_products_name_their_equations(name) -> None:
    source = source_of(PATTERNS[name])
    compile(source, name, "exec")
    assert "steps." not in source
    lines = [line for line in source.splitlines() if re.match(r" +t\d+(_\d+)? = ", line)]
    made = [line for line in lines if re.search(r" [-+*/] ", re.sub(r"\[[^]]*\]", "", line.partition("  # ")[0]))]
    named = [line for line in made if "  # (" in line]
    # squares, the factors of loads and products between two formulas belong to none
    assert len(named) > 0.8 * len(made)
    assert source_of(PATTERNS[name]) == source  # the same in every process


def test_constants_have_places_of_their_own() -> None:
    for pattern in PATTERNS.values():
        places = columns(pattern).values()
        assert sorted(places) == list(range(len(places)))


def test_a_block_never_changes_a_name_that_is_still_needed() -> None:
    swap = Block(["pair"], [], [("pair", ["b", "a"])], set())
    blocks = Blocks({"pair": ["a", "b"]}, {"swap": swap})
    names = {"a": 1, "b": 2}
    exec(blocks.expanded("pair = steps.swap(pair)"), {}, names)
    assert (names["a"], names["b"]) == (2, 1)


def test_branches_whose_answer_is_known_are_left_out() -> None:
    blocks = Blocks({}, {"yes": Block([], [], [], set(), "True"), "no": Block([], [], [], set(), "False")})
    text = "if steps.no():\n    x = 1\nelif steps.yes() and y:\n    x = 2\nelse:\n    x = 3\n"
    assert blocks.expanded(text) == "if y:\n    x = 2\nelse:\n    x = 3\n"
