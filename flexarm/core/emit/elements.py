"""Steps of beam elements: what is done for eight of them at a time, and what follows the chain."""

from __future__ import annotations

from typing import Any

import numpy as np

from flexarm.core.emit.bodies import body_constants, sines
from flexarm.core.emit.layout import EIGHT, Constants, is_kept
from flexarm.core.emit.patterns import Pattern, columns
from flexarm.core.emit.steps import Steps
from flexarm.core.emit.tracing import given, statements
from flexarm.core.formulas import beam, eliminate, rigid
from flexarm.core.formulas.algebra import Array, nothing, symmetric, upper, vector
from flexarm.core.tree.types import P_ANGLE, P_RX, P_RY, P_UX, P_UY

Stores = list[tuple[dict[str, Any], dict[str, str]]]
SEEN = ("q", "v", "q_spring", "v_damper", "tau")


class ElementSteps(Steps):
    """The steps of a tree whose flexible bodies are beam elements."""

    def __init__(self, pattern: Pattern) -> None:
        super().__init__(pattern)
        self.e = Constants(pattern)
        self.n = pattern.count
        self.made: dict[str, Array] = {}  # what is kept of a body for the sweep inward

    def coordinates(self, name: str) -> Array:
        """Coordinates of an element, or what else there is of each, from memory."""
        return self.layout.read(name, [True] * self.n)

    def loop(self, name: str, claim: str, stores: Stores) -> None:
        """Add a function that fills numbers of eight bodies."""
        places = {place: x for some, _ in stores for place, x in some.items()}
        notes = {place: note for _, said in stores for place, note in said.items()}
        lines, _ = statements(places, notes, [])
        inside = ["for k in range(count):", *(f"    {line}" for line in lines)]
        self.function(name, "row, e, gh, bh2, count", claim, inside)

    def keep_all(self, **values: Any) -> Stores:
        """Stores of what is kept of a body; which entries those are is remembered for reading."""
        self.made |= {name: np.asarray(value, dtype=object) for name, value in values.items()}
        return [self.layout.stores(name, value, is_kept(value)) for name, value in values.items()]

    def kept(self, name: str) -> Array:
        """What is kept of a body under that name; constants as they are."""
        value = self.made[name]
        return np.where(is_kept(value), self.layout.read(name, is_kept(value)), value)

    def factors(self) -> list[Any]:
        """f0, f1, f2, f1', f2' of an element's far node; in the plane none is met."""
        return [1.0] * 5 if self.planar else list(self.layout.read("f", [True] * 5))

    def fill(self) -> None:
        """The coordinates of an element, to where they can be run over."""
        lay = self.layout
        lines = [*lay.opening("i"), "if i > 0 and tree.topology[i, T_COUNT] > 0:", "    c = tree.topology[i, T_COORD]"]
        for order in self.pattern.orders:
            indent = "    "
            if self.pattern.mixed:
                lines.append(f"    if tree.topology[i, T_COUNT] == {len(order)}:")
                indent = "        "
            for name in SEEN:
                for k in range(self.n):
                    text = f"{name}[c + {order.index(k)}]" if k in order else "0.0"
                    lines.append(f"{indent}{lay.place(name, k)} = {text}")
        if not self.planar:
            theta = self.e.Psi @ self.coordinates("q")
            squares, (text,) = statements({}, {}, [theta @ theta])
            if self.pattern.mixed:
                squares = ["e = tree.element[i >> 3]", *squares]
            lines += [f"    {line}" for line in squares] + [f"    small = small and is_small({text})"]
        lines.append("else:")
        lines += [f"    {lay.place(name, k)} = 0.0" for name in ("q", "v") for k in range(self.n)]
        local = {"row", "k", "e", *(line.split(" = ")[0].strip() for line in lines if line.strip().startswith("t"))}
        self.block("fill", "tree, work, i, q, v, tau, q_spring, v_damper, small", lines, local)

    def turns(self) -> None:
        """Turns of the far nodes, in the bodies' axes (NOTATION 28–30)."""
        lay, e = self.layout, self.e
        # in the plane angles add up: nothing is to be turned before the chain is followed
        self.question("far_nodes_turn", "", str(not self.planar))
        self.question("far_nodes_add", "", str(self.planar))
        if self.planar:
            return
        q, v = self.coordinates("q"), self.coordinates("v")
        theta, rate, f = e.Psi @ q, e.Psi @ v, self.factors()
        squares, (text,) = statements({}, {}, [theta @ theta])
        places = ", ".join(lay.place("f", k) for k in range(5))
        for name in ("near_factors", "factors"):
            inside = [*squares, f"{places} = {name}({text})"]
            lines = ["for k in range(count):", *(f"    {line}" for line in inside)]
            self.function(f"fill_{name}", "row, e, gh, bh2, count", "Fill the factors of eight rotations.", lines)
        X, wr = beam.turn(f, theta), beam.turn_rate(f, theta, rate)
        self.loop("fill_turns", "Fill the turns of eight far nodes.", self.keep_all(X=X, wr=wr))
        opening = ["row, e, count = work[m], tree.element[m], tree.element.shape[1] // CONSTANTS"]
        call = "row, e, gh, bh2, count)"
        lines = [*opening, "if small:", f"    fill_near_factors({call}", "else:", f"    fill_factors({call}"]
        self.block("turns", "tree, work, m, small", [*lines, f"fill_turns({call}"], {"row", "e", "count"})

    def far_frame(self) -> None:
        """The frame at the far node, along the chain."""
        if self.planar:
            # the slope is the last coordinate
            turn = self.n - 1
            q, v = (self.layout.read(name, [k == turn for k in range(self.n)])[turn] for name in ("q", "v"))
            at = [given("angle") + q, given("w") + v]
        else:
            R, w = self.frame()
            at = [*(R @ self.kept("X")).ravel(), *(w + R @ self.kept("wr"))]
        self.step("far_frame", "work, i, at", "The frame at the far node.", [], {"at": at})

    def off_chain(self) -> None:
        """What does not follow the chain: far nodes, own inertia, forces (NOTATION 28–34)."""
        e, square = self.e, self.pattern.square
        R, w = self.kept_frame()
        q, v, f = self.coordinates("q"), self.coordinates("v"), self.factors()
        r = beam.far_node(e, R, q)
        bias = beam.far_bias(e, f, R, w, q, v, r)
        stores = self.keep_all(r=r, far=bias)
        if not square:
            stores += self.keep_all(Y=beam.far_rates(e, f, R, q))
        self.loop("fill_far_nodes", "Fill the frames at eight far nodes.", stores)
        J, S, b, C = beam.own(e, R, w, q, v)
        J = np.where(self._moments(), J, 0.0)
        stores = self.keep_all(J=upper(J), S=S, b=b)
        if not square:
            stores += self.keep_all(C=C)
        self.loop("fill_own", "Fill inertia, coupling and bias of eight bodies.", stores)
        M = beam.step_inertia(e, given("gh"), given("bh2"))
        u = beam.step_force(
            e,
            self.coordinates("tau"),
            beam.own_force(e, R, w, q, v),
            self.coordinates("q_spring"),
            self.coordinates("v_damper"),
        )
        if square:
            # ζ = Yη̈ in place of η̈
            inverse = beam.rates_of_far_node(e, f, R, q)
            to = inverse[:, list(self.pattern.moves)]
            M, u, C = symmetric(to.T @ M @ to), to.T @ u, C @ to
            stores = self.keep_all(back=to, M=upper(M), u=u, C=C)
        else:
            stores = self.keep_all(M=upper(M), u=u)
        self.loop("fill_forces", "Fill forces and inertia of the coordinates of eight bodies.", stores)
        lay = self.layout
        lines = ["row, e, count = work[m], tree.element[m], tree.element.shape[1] // CONSTANTS"]
        if self.planar:
            lines += sines(lay.place("angle"), lay.place("sin"), lay.place("cos"), "k", "count")
        lines += [f"{name}(row, e, gh, bh2, count)" for name in ("fill_far_nodes", "fill_own", "fill_forces")]
        self.block("off_chain", "tree, work, m, q, v, gh, bh2, near", lines, {"row", "e", "k", "count"})

    def _moments(self) -> Any:
        """Entries of J that may be felt."""
        mask = np.full((3, 3), not self.planar)
        mask[2, 2] = True
        return mask

    def own_inertia(self) -> Array:
        """I of a body by itself, from memory."""
        found = rigid.inertia(symmetric(self.kept("J")), self.kept("S"), self.e.m)
        mask = np.outer(self.motion, self.motion)
        return np.where(mask, found, 0.0)

    def inward(self) -> None:
        """An element taken out of what it carries, and what it keeps for its accelerations (NOTATION 34–36)."""
        lay = self.layout
        opening = [*lay.opening("i"), "e = tree.element[i >> 3]"]
        (I, p), self.status = self.carried(), given("status")
        Y = np.eye(6)[:, list(self.pattern.moves)] if self.pattern.square else self.kept("Y")
        body = self.own_inertia(), self.kept("b"), self.kept("C"), symmetric(self.kept("M")), self.kept("u")
        stood = eliminate.stood_on(I, p, self.kept("r"), self.kept("far"), Y, body)
        few = self.n <= 3
        how = eliminate.by_cofactors if few else eliminate.by_pivots
        I, p, kept = how(stood, self.positive)
        names = ("x", "e_") if few else ("z", "z_u", "inverse", "L")
        stores = self.keep_all(**dict(zip(names, kept, strict=True)))
        back = {"carried": self.handed(I, p), "status": [self.status]}
        self.step("element", "tree, work, i, status, carried", "An element is left behind.", stores, back, opening)
        I, p = self.carried()
        found = symmetric(I + upper(self.own_inertia())), p + self.kept("b")
        self.step(
            "body",
            "tree, work, i, carried",
            "Inertia and bias with the body's own.",
            [],
            {"carried": self.handed(*found)},
            opening,
        )
        A = self.acceleration()
        after = eliminate.accelerations_by_cofactors if few else eliminate.accelerations_by_pivots
        solved = after(A, tuple(self.kept(name) for name in names))
        moved = Y @ solved
        coordinates = self.kept("back") @ solved if self.pattern.square else solved
        far = eliminate.far_acceleration(A, self.kept("r"), self.kept("far"), moved)
        back = {"A": self.moved(far), "eta": list(coordinates)}
        self.step("element_out", "work, i, A", "Accelerations of an element and of its far node.", [], back)
        lines = []
        for order in self.pattern.orders:
            indent = ""
            if self.pattern.mixed:
                lines.append(f"if tree.topology[i, T_COUNT] == {len(order)}:")
                indent = "    "
            lines += [f"{indent}a[c + {place}] = eta{k}" for place, k in enumerate(order)]
        self.block("stored", "tree, i, c, a, eta", lines, set())


def element_steps(pattern: Pattern) -> Steps:
    """The steps of a tree of beam elements and rigid bodies."""
    steps = ElementSteps(pattern)
    steps.fill()
    if pattern.planar:
        angle = given(f"plane[{P_ANGLE}]")
        rest = vector(given(f"plane[{P_RX}]"), given(f"plane[{P_RY}]"), 0.0)
        direction = vector(given(f"plane[{P_UX}]"), given(f"plane[{P_UY}]"), 0.0)
        steps.along(angle, nothing(3, 3), rest, direction)
    else:
        steps.along(0.0, *body_constants(), nothing(3))
    steps.turns()
    steps.far_frame()
    steps.off_chain()
    steps.inward()
    steps.joints()
    steps.gathering()
    steps.accelerations()
    steps.question("rows", "n", f"(n + {EIGHT - 1}) >> 3")
    steps.question("first", "m", f"{EIGHT} * m")
    steps.question("last", "m, n", f"min({EIGHT} * m + {EIGHT}, n)")
    steps.question(
        "room",
        "tree, work",
        "work.reshape(work.size)[: tree.element.shape[0] * WIDTH].reshape(tree.element.shape[0], WIDTH)",
    )
    steps.question("is_element", "tree, i", "i > 0 and tree.topology[i, T_COUNT] > 0")
    steps.question("is_jointed", "tree, i", "tree.jointed[i] == 1")
    steps.question("bears_loads", "", "False")
    steps.question("is_heavy", "tree, i", "True")
    steps.question("follows_chain", "", "False")
    steps.constants = len(columns(pattern))
    return steps
