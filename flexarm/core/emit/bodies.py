"""Steps of rigid bodies: what they are by themselves, and in the plane what is done for all of them at a time."""

from __future__ import annotations

import re

import numpy as np

from flexarm.core.emit.layout import is_kept
from flexarm.core.emit.patterns import Pattern
from flexarm.core.emit.steps import Steps
from flexarm.core.emit.tracing import given, statements
from flexarm.core.formulas import joint, rigid
from flexarm.core.formulas.algebra import Array, about_z, nothing, symmetric, vector
from flexarm.core.tree.columns import B_JXX, B_MASS, B_MCX, B_OX, B_R00
from flexarm.core.tree.types import P_ANGLE, P_J, P_MASS, P_MCX, P_MCY, P_RX, P_RY, P_UX, P_UY


def body_constants(name: str = "b") -> tuple[Array, Array]:
    """R_T and r_T of a body in space."""
    turned = np.array([given(f"{name}[{B_R00 + k}]") for k in range(9)], dtype=object).reshape(3, 3)
    return turned, vector(*(given(f"{name}[{B_OX + k}]") for k in range(3)))


def rigid_steps(pattern: Pattern) -> Steps:
    """The steps of a tree of rigid bodies."""
    steps = Steps(pattern)
    if pattern.planar:
        _in_plane(steps)
    else:
        _in_space(steps)
    steps.joints()
    steps.gathering()
    steps.accelerations()
    steps.question("rows", "n", "1")
    steps.question("first", "m", "0")
    steps.question("last", "m, n", "n")
    # in the plane a row per quantity
    steps.question("room", "tree, work", "work.reshape(work.shape[1], work.shape[0])" if pattern.planar else "work")
    steps.question("is_element", "tree, i", "False")
    steps.question("is_jointed", "tree, i", "True")
    steps.question("far_nodes_turn", "", "False")
    steps.question("far_nodes_add", "", "False")
    steps.question("bears_loads", "", "True")
    steps.loads()
    return steps


def _in_space(steps: Steps) -> None:
    """Bodies in space: everything follows the chain."""
    turned, rest = body_constants()
    steps.along(0.0, turned, rest, nothing(3))
    m = given(f"b[{B_MASS}]")
    J = nothing(3, 3)
    for k, (r, c) in enumerate(((0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2))):
        J[r, c] = given(f"b[{B_JXX + k}]")
    R, w = steps.kept_frame()
    J_base, s = rigid.turned(R, symmetric(J), vector(*(given(f"b[{B_MCX + k}]") for k in range(3))))
    I, p = steps.carried()
    found = symmetric(I + rigid.inertia(J_base, s, m)), p + rigid.bias(w, J_base, s)
    opening = [*steps.layout.opening("i"), "b = tree.body[i]"]
    steps.step(
        "body",
        "tree, work, i, carried",
        "Inertia and bias with the body's own.",
        [],
        {"carried": steps.handed(*found)},
        opening,
    )
    # massless bodies of a multi-degree joint have nothing of their own
    heavy = " and ".join(f"is_zero(tree.body[i, {k}])" for k in (B_MASS, B_JXX, B_JXX + 3, B_JXX + 5))
    steps.question("is_heavy", "tree, i", f"not ({heavy})")
    steps.question("follows_chain", "", "True")


def _in_plane(steps: Steps) -> None:
    """Bodies in the plane: angles and rates along the chain, the rest over all bodies."""
    lay = steps.layout
    constant = {k: given(f"plane[{k}, i]") for k in range(P_J + 1)}
    steps.along(constant[P_ANGLE], nothing(3, 3), nothing(3), nothing(3))
    lay.in_loop = True
    filled = sines(lay.place("angle"), lay.place("sin"), lay.place("cos"), "i", "n")
    inside = {k: given(f"p{k}[i]") for k in constant}
    # bodies that stand on the one before, on revolute joints
    R = about_z(lay.read("sin", True, "i - 1"), lay.read("cos", True, "i - 1"))
    w = vector(0.0, 0.0, lay.read("w", True, "i - 1"))
    d, c = joint.offset(R, vector(inside[P_RX], inside[P_RY], 0.0)), nothing(6)
    c[3:] = joint.bias_of_offset(w, d)
    serial = [lay.stores("d", d, steps.places), lay.stores("c", c, steps._bias_places())]
    R, w = steps.kept_frame()
    _, s = rigid.turned(R, nothing(3, 3), vector(inside[P_MCX], inside[P_MCY], 0.0))
    b = rigid.bias(w, nothing(3, 3), s)
    own = [lay.stores("S", s, steps.places), lay.stores("b", b, is_kept(b))]
    loops = []
    for first, stores in ((1, serial), (0, own)):
        lines, _ = statements(stores[0][0] | stores[1][0], stores[0][1] | stores[1][1], [])
        loops.append([f"for i in range({first}, n):", *(f"    {line}" for line in lines)])
    lay.in_loop = False
    # any other tree, body by body
    R = about_z(lay.read("sin", True, "up"), lay.read("cos", True, "up"))
    w = vector(0.0, 0.0, lay.read("w", True, "up"))
    for kind in ("offset", "sliding_offset"):
        z, c = R @ vector(constant[P_UX], constant[P_UY], 0.0), nothing(6)
        d = joint.offset(R, vector(constant[P_RX], constant[P_RY], 0.0))
        if kind == "sliding_offset":
            d, c[3:] = joint.slid(d, z, given("q[c]")), joint.bias_of_sliding(w, z, given("v[c]"))
        c[3:] = c[3:] + joint.bias_of_offset(w, d)
        stores = [lay.stores("d", d, steps.places), lay.stores("c", c, steps._bias_places())]
        if kind == "sliding_offset":
            stores.append(lay.stores("z", z, steps.places))
        steps.step(kind, "plane, work, i, up, c, q, v", "Where a body stands and how it is biased.", stores)
    slices = sorted(set(re.findall(r"\b([wp])(\d+)\[i", "\n".join([*filled, *loops[0], *loops[1]]))))
    steps.function(
        "off_chain",
        "tree, work, m, q, v, gh, bh2, near",
        "Fill what does not follow the chain: sines, offsets, first moments, bias.",
        [
            "plane, topology, n = tree.plane, tree.topology, tree.topology.shape[0]",
            *(f"{which}{k} = {'work' if which == 'w' else 'plane'}[{k}]" for which, k in slices),
            *filled,
            "if topology[0, T_JOINT] == REVOLUTE:",
            *(f"    {line}" for line in loops[0]),
            "else:",
            "    for i in range(1, n):",
            "        up, c = topology[i, T_PARENT], topology[i, T_COORD]",
            "        if topology[i, T_JOINT] == PRISMATIC:",
            "            steps.sliding_offset(plane, work, i, up, c, q, v)",
            "        else:",
            "            steps.offset(plane, work, i, up, c, q, v)",
            *loops[1],
        ],
    )
    I, p = steps.carried()
    s, b = lay.read("S", steps.places), lay.read("b", is_kept(b))
    J = nothing(3, 3)
    J[2, 2] = constant[P_J]
    mine = rigid.inertia(J, s, constant[P_MASS])
    mine[5, 5] = 0.0
    found = symmetric(I + np.where(steps.inertia, mine, 0.0)), p + b
    steps.step(
        "body",
        "tree, work, i, carried",
        "Inertia and bias with the body's own.",
        [],
        {"carried": steps.handed(*found)},
        ["plane = tree.plane"],
    )
    steps.question("is_heavy", "tree, i", "True")
    steps.question("follows_chain", "", "False")


def sines(angle: str, sin: str, cos: str, index: str, count: str) -> list[str]:
    """Lines that fill sine and cosine of many angles."""
    return [
        "if near:",
        f"    for {index} in range({count}):",
        f"        {sin}, {cos} = near_sincos({angle})",
        "else:",
        f"    for {index} in range({count}):",
        f"        {sin}, {cos} = sincos({angle})",
    ]
