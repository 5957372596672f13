"""The one table of link formulations: where each is, and what the rest of the system must know of it.

A formulation is a line of `FORMULATIONS` and a file of `flexarm/links` with a function from a `BeamSpan` to a
`LinkBlock`; docs/adding-a-formulation.md makes one. Nothing is imported here, so that every package may read the table.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any, Literal

# Keys of a link's model that not every formulation knows, in the order in which messages name them.
KEYS = (
    *("frames", "stiffening", "theory", "integration", "grading", "modes", "reduction"),
    *("shapes", "order", "kinematics", "nodes"),
)
FREEDOMS = ("bending", "torsion", "shear", "axial")


@dataclass(frozen=True)
class Traits:
    """What a formulation is like.

    `block` is its function, or "module:function" within `flexarm.links`; `keys` are those of a link's model it knows
    beside its name, its freedoms and its mesh.
    """

    block: str | Callable[..., Any]
    keys: tuple[str, ...] = ()
    mesh: Literal["elements", "modes", ""] = "elements"  # what there is more or less of; "": it is as it is
    count: int = 10  # of them where the file does not say; 0: chosen for the arm
    freedoms: tuple[str, ...] = FREEDOMS  # the ways in which it can deform
    theories: tuple[str, ...] = ()  # of bending; none: shear is a freedom like any other
    planar_only: bool = False
    lumped: bool = False  # rigid pieces and springs
    springs: int = 1  # per element, in one plane, of a lumped one
    link_frame: Literal["never", "option", "always"] = "never"  # coordinates count from one frame for the whole link
    order: float | None = None  # of frequencies in the length of an element, where bending decides
    deflection_order: float | None = None  # of large deflections, in frames of elements
    options: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)  # of `compare`, behind the colon

    @property
    def always_shears(self) -> bool:
        """True where sections turn by themselves: such elements shear whatever is said."""
        return self.theories == ("timoshenko",)

    def load(self) -> Callable[..., Any]:
        """The function from a beam to its bodies."""
        if not isinstance(self.block, str):
            return self.block
        module, _, function = self.block.partition(":")
        found: Callable[..., Any] = getattr(import_module(f"flexarm.links.{module}"), function)
        return found


_ELEMENTS = ("frames", "stiffening", "theory", "grading", "modes", "reduction", "nodes")
_THEORIES = ("timoshenko", "rayleigh", "euler")
_SHEARING = ("timoshenko",)

# Orders: hinges and linear fields 2, cubic deflections and quadratic fields 4, and so do bars that slide. An element
# that turns by θ shortens by θ²/6 of its length and moves sideways by θ/2 − θ³/24 of it: cubic and quadratic
# deflections miss the θ³, linear ones shorten by θ²/8 instead.
FORMULATIONS: dict[str, Traits] = {
    "rigid-fe": Traits("rigid_fe:rigid_fe", lumped=True, order=2.0, deflection_order=2.0),
    "hencky": Traits(
        "hencky:hencky",
        keys=("theory", "grading", "kinematics", "nodes"),
        theories=_THEORIES,
        lumped=True,
        springs=2,
        order=4.0,
        deflection_order=2.0,
        options={"printed": {"kinematics": "printed"}},
    ),
    "timoshenko": Traits(
        "timoshenko:timoshenko",
        keys=(*_ELEMENTS, "integration"),
        theories=_SHEARING,
        link_frame="option",
        order=2.0,
        deflection_order=2.0,
    ),
    "hermite": Traits(
        "hermite:hermite",
        keys=_ELEMENTS,
        count=0,
        theories=_THEORIES,
        link_frame="option",
        order=4.0,
        deflection_order=3.0,
    ),
    "isoparametric": Traits(
        "isoparametric:isoparametric",
        keys=_ELEMENTS,
        theories=_SHEARING,
        link_frame="option",
        order=4.0,
        deflection_order=3.0,
    ),
    "modes": Traits(
        "modes:modes",
        keys=("frames", "stiffening", "theory", "modes", "shapes", "order"),
        mesh="modes",
        count=4,
        theories=_THEORIES,
        link_frame="always",
        options={
            "printed": {"order": "printed"},
            "payload": {"shapes": "payload"},
            "pinned": {"shapes": "pinned"},
            "pinned-pinned": {"shapes": "pinned-pinned"},
        },
    ),
}
# A word that is not in the table may know whatever there is: it is refused when the arm is put together.
_UNKNOWN = Traits("", keys=tuple(key for key in KEYS if key != "integration"), theories=_THEORIES, link_frame="option")


def traits_of(word: str) -> Traits:
    """The traits of the formulation of this name."""
    return FORMULATIONS.get(word, _UNKNOWN)
