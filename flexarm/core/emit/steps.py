"""The steps of the sweeps for one kind of tree, traced from the formulas: joints, bodies, what is handed on."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from flexarm.core.emit.blocks import Block, Blocks
from flexarm.core.emit.layout import Layout
from flexarm.core.emit.patterns import Pattern
from flexarm.core.emit.tracing import called, given, statements
from flexarm.core.formulas import joint, rigid
from flexarm.core.formulas.algebra import Array, about_z, nothing, symmetric, vector

TURN, SLIDE = "turn", "slide"
LINEAR = np.array([False] * 3 + [True] * 3)
# Numbers that are handed from one step to the next in local names.
GROUPS = ("carried", "A", "at", "off", "slip", "column", "eta")


class Steps:
    """The functions of a module of kernels, written one after the other."""

    def __init__(self, pattern: Pattern) -> None:
        self.pattern, self.layout = pattern, Layout(pattern)
        self.planar = pattern.planar
        self.functions: list[str] = []
        moves = pattern.moves
        self.motion = np.array([k in moves for k in range(6)])
        self.places = self.motion[3:]  # of a displacement
        self.inertia = np.array([[r in moves and c in moves and r <= c for c in range(6)] for r in range(6)])
        self.blocks = Blocks({group: self.names(group) for group in GROUPS})
        self.status: Any = given("status")
        self.constants = 0  # of an element

    # -- writing ------------------------------------------------------------------------------------------------

    def function(self, name: str, parameters: str, claim: str, lines: list[str]) -> None:
        """Add a function of these lines, for loops over bodies."""
        lines = self.blocks.expanded("\n".join(lines)).splitlines()
        body = "\n    ".join([f'"""{claim}"""', *lines])
        self.functions.append(f"@inner\ndef {name}({parameters}):\n    {body}\n")
        call = f"{name}({parameters})"
        self.blocks.blocks[name] = Block(parameters.split(", "), [call], [], set())

    def block(self, name: str, parameters: str, lines: list[str], local: set[str]) -> None:
        """Add a block of these lines, with names of its own."""
        self.blocks.blocks[name] = Block([x for x in parameters.split(", ") if x], lines, [], local)

    def question(self, name: str, parameters: str, answer: str) -> None:
        """Add a question of the sweeps and its answer, an expression."""
        self.blocks.blocks[name] = Block([x for x in parameters.split(", ") if x], [], [], set(), answer)

    def step(
        self,
        name: str,
        parameters: str,
        claim: str,
        stores: list[tuple[dict[str, Any], dict[str, str]]],
        returned: dict[str, list[Any]] | None = None,
        opening: list[str] | None = None,
    ) -> None:
        """Add a block that stores numbers and returns groups of them, or single ones."""
        places: dict[str, Any] = {}
        notes: dict[str, str] = {}
        for some, said in stores:
            places |= some
            notes |= said
        groups = returned or {}
        lines, texts = statements(places, notes, [x for group in groups.values() for x in group])
        found = []
        for group, numbers in groups.items():
            found.append((group, texts[: len(numbers)]))
            texts = texts[len(numbers) :]
        lines = [f"# {claim}", *(self.layout.opening("i") if opening is None else opening), *lines]
        written = [re.match(r"[\w, ]+(?= = )", line) for line in lines]
        local = {part.strip() for line in written if line for part in line[0].split(",")}
        self.blocks.blocks[name] = Block([x for x in parameters.split(", ") if x], lines, found, local - {"_"})

    def names(self, group: str) -> list[str]:
        """Local names of the numbers of a tuple that is carried along a chain."""
        if group == "carried":
            return [f"i{r}{c}" for r, c in np.argwhere(self.inertia)] + [f"p{k}" for k in self.pattern.moves]
        if group == "A":
            return [f"a{k}" for k in self.pattern.moves]
        if group == "eta":
            return [f"eta{k}" for k in range(self.pattern.count)]
        if group == "column":
            return [f"u{k}" for k in self.pattern.moves] + ["own", "zp"]
        if group == "slip":
            return [f"s{k}" for k in range(3) if self.places[k]]
        if group == "off":
            return [f"d{k}" for k in range(3) if self.places[k]] + (["z0", "z1"] if self.planar else [])
        return ["angle", "w"] if self.planar else [f"r{k}" for k in range(9)] + [f"w{k}" for k in range(3)]

    def positive(self, pivot: Any) -> Any:
        """The pivot, checked in the kernel (NOTATION 4: D ≤ 0 is a Status)."""
        checked, self.status = called("positive", 2, pivot, self.status)
        return checked

    # -- numbers --------------------------------------------------------------------------------------------------

    def carried(self) -> tuple[Array, Array]:
        """Inertia and bias that a body hands to the one before it."""
        I, p = nothing(6, 6), nothing(6)
        for r, c in np.argwhere(self.inertia):
            I[r, c] = given(f"i{r}{c}")
        for k in self.pattern.moves:
            p[k] = given(f"p{k}")
        return symmetric(I), p

    def handed(self, I: Array, p: Array) -> list[Any]:
        """Inertia and bias as they are carried."""
        return [I[r, c] for r, c in np.argwhere(self.inertia)] + [p[k] for k in self.pattern.moves]

    def acceleration(self) -> Array:
        """A of the frame a body stands on."""
        A = nothing(6)
        for k in self.pattern.moves:
            A[k] = given(f"a{k}")
        return A

    def moved(self, A: Array) -> list[Any]:
        """The entries of A that may differ from zero."""
        return [A[k] for k in self.pattern.moves]

    def frame(self) -> tuple[Array, Array]:
        """R and ω of the frame a body stands on, from what is carried outward."""
        if self.planar:
            sin, cos = called("sincos", 2, given("angle"))
            return about_z(sin, cos), vector(0.0, 0.0, given("w"))
        R = np.array([given(f"r{k}") for k in range(9)], dtype=object).reshape(3, 3)
        return R, vector(*(given(f"w{k}") for k in range(3)))

    def kept_frame(self) -> tuple[Array, Array]:
        """R and ω of a body, from memory."""
        if self.planar:
            R = about_z(self.layout.read("sin", True), self.layout.read("cos", True))
            return R, vector(0.0, 0.0, self.layout.read("w", True))
        return self.layout.read("R", np.full((3, 3), True)), self.layout.read("w", [True] * 3)

    def axis(self, kind: str) -> Array:
        """S of the joint of a body, from memory."""
        if kind == TURN and self.planar:
            return joint.axis(joint.plane_axis(), False)
        z = self.layout.read("z", self.places) if self.planar else self.layout.read("R", np.full((3, 3), True))[:, 2]
        return joint.axis(z, kind == SLIDE)

    @property
    def offset(self) -> Array:
        """d of a body, from memory."""
        return self.layout.read("d", self.places)

    @property
    def bias(self) -> Array:
        """c of a body, from memory."""
        return self.layout.read("c", self._bias_places())

    def _bias_places(self) -> Any:
        return np.array([False] * 3 + list(self.places)) if self.planar else self.motion

    # -- outward --------------------------------------------------------------------------------------------------

    def along(self, angle: Any, R_T: Array, r_T: Array, direction: Array) -> None:
        """Frames along the chain: how a joint moves what stands on it, and the row of a body (NOTATION 1–5)."""
        lay = self.layout
        begin = [*lay.opening("i"), *self.constants_opening]
        with_offset = not self.planar or lay.eights
        R, w = self.frame()
        z = R @ direction if self.planar else R[:, 2]
        if self.planar:
            at = [given("angle") + angle, given("w")]
        else:
            at = [*joint.turned(R @ R_T, 0.0, 1.0).ravel(), *w]
        d = joint.offset(R, r_T)
        off = [d[k] for k in range(3) if self.places[k]] + ([z[0], z[1]] if self.planar else [])
        back = {"at": at, "off": off} if with_offset else {"at": at}
        self.step("placed", "tree, work, i, at", "The frame a joint turns in, and where it stands.", [], back, begin)
        d = vector(*(given(f"d{k}") if self.places[k] else 0.0 for k in range(3)))
        z = vector(given("z0"), given("z1"), 0.0) if self.planar else R[:, 2]
        q, v = given("q[c]"), given("v[c]")
        more = joint.slid(d, z, q)
        slip = joint.bias_of_sliding(w, z, v)
        back = {
            "off": [more[k] for k in range(3) if self.places[k]] + ([z[0], z[1]] if self.planar else []),
            "slip": [slip[k] for k in range(3) if self.places[k]],
        }
        stores = [lay.stores("z", z, self.places)] if self.planar else []
        self.step("slid", "work, i, c, q, v, at, off", "Where a slide stands.", stores, back)
        none = [0.0] * len(self.blocks.groups["slip"])
        self.step("unslid", "", "No slide.", [], {"slip": none}, [])
        slip = vector(*(given(f"s{k}") if self.places[k] else 0.0 for k in range(3)))
        c = nothing(6)
        c[3:] = joint.bias_of_offset(w, d) + slip
        stores = [lay.stores("d", d, self.places), lay.stores("c", c, self.motion & LINEAR)]
        self.step("swung", "work, i, at, off, slip", "Offset and bias of a joint.", stores)
        if self.planar:
            at, c = [given("angle") + q, given("w") + v], nothing(6)
        else:
            sin, cos = called("sincos", 2, q)
            at = [*joint.turned(R, sin, cos).ravel(), *joint.angular_velocity(w, z, v)]
            c[:3] = joint.bias_of_turning(w, z, v)
        angular = self._bias_places() & ~LINEAR
        self.step(
            "turned",
            "work, i, c, q, v, at",
            "The frame of a body on a revolute joint.",
            [lay.stores("c", c, angular)],
            {"at": at},
        )
        self.step("unturned", "work, i", "No revolute joint.", [lay.stores("c", nothing(6), angular)])
        names = self.names("at")
        where = self._frame_places()
        note = dict(zip(where, names, strict=True))
        self.step("keep", "work, i, at", "Store the frame of a body.", [({x: given(y) for x, y in note.items()}, note)])
        self.step("recall", "work, i", "The frame of a body.", [], {"at": [given(place) for place in where]})
        self.question("is_near", "", "is_near(angle)" if self.planar else "True")
        self.question("offsets_follow", "", str(with_offset))

    def _frame_places(self) -> list[str]:
        lay = self.layout
        if self.planar:
            return [lay.place("angle"), lay.place("w")]
        return [lay.place("R", *k) for k in np.ndindex(3, 3)] + [lay.place("w", k) for k in range(3)]

    @property
    def constants_opening(self) -> list[str]:
        """A line that finds the constants of a body's joint."""
        if self.layout.eights or not self.planar:
            return ["plane = tree.plane[i]" if self.planar else "b = tree.body[i]"]
        return ["plane = tree.plane"]

    # -- inward ---------------------------------------------------------------------------------------------------

    def joints(self) -> None:
        """Joints on the way in (NOTATION 10–13)."""
        lay = self.layout
        self.question("is_fused", "", str(self.planar))
        (I, p), self.status = self.carried(), given("status")
        extra, push = given("extra"), given("push")
        if self.planar:
            p = joint.biased(I, p, self.bias)
            I, p, per, ratio = joint.eliminated_in_plane(I, p, self.offset, extra, push, self.positive)
            self.step(
                "fused_turn",
                "work, i, extra, push, status, carried",
                "A free revolute joint is left behind, seen from the parent.",
                [lay.stores("U", per, self.motion), lay.stores("ratio", ratio, True)],
                {"carried": self.handed(I, p), "status": [self.status]},
            )
        for kind in (TURN, SLIDE):
            I, p = self.carried()
            U, own, zp = joint.column(I, p, self.axis(kind))
            self.step(
                f"column_of_{kind}",
                "work, i, carried",
                f"The column of a {'revolute' if kind == TURN else 'prismatic'} joint.",
                [],
                {"column": [*self.moved(U), own, zp]},
            )
        U = nothing(6)
        for k in self.pattern.moves:
            U[k] = given(f"u{k}")
        (I, p), self.status = self.carried(), given("status")
        I, p, per, ratio = joint.eliminated(I, p, U, given("own") + extra, push - given("zp"), self.positive)
        per = joint.shift(self.offset).T @ per
        self.step(
            "freed",
            "work, i, extra, push, status, column, carried",
            "A free joint is left behind.",
            [lay.stores("U", per, self.motion), lay.stores("ratio", ratio, True)],
            {"carried": self.handed(I, p), "status": [self.status]},
        )
        I, p = self.carried()
        self.step(
            "driven",
            "work, i, acc, column, carried",
            "A driven joint moves as it is told.",
            [
                lay.stores("U", U, self.motion),
                lay.stores("ratio", given("zp"), True),
                lay.stores("own", given("own"), True),
            ],
            {"carried": self.handed(I, joint.held(p, U, given("acc")))},
        )
        I, p = self.carried()
        self.step(
            "biased",
            "work, i, carried",
            "Inertia and bias with the joint's bias.",
            [],
            {"carried": self.handed(I, joint.biased(I, p, self.bias))},
        )
        I, p = self.carried()
        self.step(
            "shifted",
            "work, i, carried",
            "Inertia and bias as the parent sees them.",
            [],
            {"carried": self.handed(*joint.carried_in(I, p, self.offset))},
        )
        places = [lay.place("d", k) for k in range(3) if self.places[k]]
        places = [place.replace("row[", "work[i, ") for place in places]
        zero = " and ".join(f"is_zero({place})" for place in places)
        # bodies of a multi-degree joint share their origin: nothing to shift
        self.question("stands_off", "work, i", "True" if self.planar or lay.eights else f"not ({zero})")

    def gathering(self) -> None:
        """What bodies hand to one that branches, or loads to a body, through memory."""
        lay = self.layout
        names = self.names("carried")
        places = [lay.place("G", k) for k in range(len(names))]
        note = dict(zip(places, [f"gathered {name}" for name in names], strict=True))
        self.step("clear", "work, i", "Nothing gathered.", [(dict.fromkeys(places, 0.0), note)])
        sums = [given(name) + given(place) for name, place in zip(names, places, strict=True)]
        self.step("gathered", "work, i, carried", "What is carried and what is gathered.", [], {"carried": sums})
        more = {place: given(place) + given(name) for name, place in zip(names, places, strict=True)}
        self.step("gather", "work, i, carried", "Add what is carried to what is gathered.", [(more, note)])
        self.step("nothing", "", "Nothing is carried.", [], {"carried": [0.0] * len(names)}, [])

    def loads(self) -> None:
        """Loads on a body, among what is gathered for it."""
        lay = self.layout
        names = self.names("carried")
        places = [lay.place("G", k) for k in range(len(names))]
        note = dict(zip(places, [f"gathered {name}" for name in names], strict=True))
        for follows in (False, True):
            R, _ = self.kept_frame()
            turning = [not self.planar, not self.planar, True]
            w = [given(f"wrench[{k}]") for k in range(9)]
            point = vector(*(x if keep else 0.0 for x, keep in zip(w[:3], self.places, strict=True)))
            factor = given("factor")
            force = vector(*(x * factor if keep else 0.0 for x, keep in zip(w[3:6], self.places, strict=True)))
            moment = vector(*(x * factor if keep else 0.0 for x, keep in zip(w[6:], turning, strict=True)))
            wrench = rigid.load(R, point, force, moment, follows)
            bias = places[-len(self.pattern.moves) :]
            pushed = {place: given(place) - x for place, x in zip(bias, self.moved(wrench), strict=True)}
            word = "following" if follows else "steady"
            self.step(f"{word}_load", "work, i, wrench, factor", f"Add a {word} load to a body.", [(pushed, note)])

    # -- outward again --------------------------------------------------------------------------------------------

    def accelerations(self) -> None:
        """Joints on the way out (NOTATION 14, 15)."""
        lay = self.layout
        d, c = self.offset, self.bias
        U, ratio = lay.read("U", self.motion), lay.read("ratio", True)
        A = self.acceleration()
        back = {"acc": [joint.free_acceleration(A, U, ratio)]}
        self.step("free_acceleration", "work, i, A", "Acceleration of a free joint.", [], back)
        own = lay.read("own", True) + given("rotor")
        back = {"force": [joint.drive_force(A, U, d, ratio, own, given("acc"))]}
        self.step("drive_force", "work, i, acc, rotor, A", "Force of a driven joint.", [], back)
        back = {"A": self.moved(joint.carried_out(A, d, c))}
        self.step("carried_out", "work, i, A", "Acceleration of a body but for its joint's.", [], back)
        for kind in (TURN, SLIDE):
            back = {"A": self.moved(joint.moved(A, self.axis(kind), given("acc")))}
            self.step(f"{kind}_moved", "work, i, acc, A", "Acceleration of a body.", [], back)
        A = self.acceleration()
        places = [lay.place("A", k) for k in self.pattern.moves]
        note = dict(zip(places, self.names("A"), strict=True))
        self.step(
            "keep_acceleration",
            "work, i, A",
            "Store the acceleration of a frame.",
            [(dict(zip(places, self.moved(A), strict=True)), note)],
        )
        self.step(
            "recall_acceleration", "work, i", "The acceleration of a frame.", [], {"A": [given(x) for x in places]}
        )
        fall = [0.0 if k < 3 else -given(f"tree.gravity[{k - 3}]") for k in self.pattern.moves]
        self.step("falling", "tree", "Acceleration of the base: gravity's, the other way.", [], {"A": fall}, [])
        base = [0.0, 0.0] if self.planar else [*np.eye(3).ravel(), 0.0, 0.0, 0.0]
        self.step("base", "", "The frame of the base.", [], {"at": base}, [])
