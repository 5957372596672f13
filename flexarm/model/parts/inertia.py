"""Rigid bodies: mass, inertia and where the mass sits, for rigid links, hubs and payloads."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Annotated, Any

import numpy as np
import numpy.typing as npt
from pydantic import Field

from flexarm.batched import Batch, array, diagonal, real
from flexarm.model.parts.frames import Triple
from flexarm.model.parts.part import Part
from flexarm.model.reading.messages import refusal, shown
from flexarm.model.reading.quantity import Quantity, Reader, Vector, entries
from flexarm.model.reading.readers import Switch

Array = npt.NDArray[np.float64]

# How far the printed digits of a data sheet may break an inequality that holds exactly for a real body.
PRINTED_DIGITS = 1e-6


class Axisymmetric(Part):
    """Inertia of a body that is round about the link's direction (kg m²)."""

    along: Annotated[float, Quantity("kg m²", least=0)] = Field(description="about the link's direction")
    across: Annotated[float, Quantity("kg m²", least=0)] = Field(description="about any axis square to it")


InertiaForm = float | Triple | tuple[Triple, Triple, Triple] | Axisymmetric


class InertiaReader(Reader):
    """One number, three, a 3 × 3 matrix, or {along, across}."""

    _one = Quantity("kg m²", least=0)
    _any = Quantity("kg m²")

    def read(self, value: Any, siblings: Mapping[str, Any]) -> Any:
        """The inertia in the form it was given, in kg m²."""
        if isinstance(value, Axisymmetric):
            return value
        if isinstance(value, Mapping):
            # A ValidationError from here keeps its place below this key.
            return Axisymmetric.__pydantic_validator__.validate_python(value)
        rows = entries(value)
        if rows is None:
            return self._one.read_one(value, "kg m²")
        if len(rows) != 3:
            raise refusal(f"is {shown(value)}, must be one number, three, three rows of three, or {{ along, across }}")
        if all(entries(row) is None for row in rows):
            return tuple(self._one.read_one(part, "kg m²", f"[{i}]") for i, part in enumerate(rows))
        return self._matrix(rows, checked=not siblings.get("any_inertia"))

    def _matrix(self, rows: list[Any], *, checked: bool) -> Any:
        lines = [entries(row) for row in rows]
        if any(line is None or len(line) != 3 for line in lines):
            raise refusal("is not a 3 by 3 matrix, must be three rows of three numbers")
        matrix = tuple(
            tuple(self._any.read_one(part, "kg m²", f"[{i}][{j}]") for j, part in enumerate(line or ()))
            for i, line in enumerate(lines)
        )
        whole = array(matrix)
        size = real(np.max(np.abs(whole)))
        if np.max(np.abs(whole - whole.T)) > PRINTED_DIGITS * size:
            raise refusal("is not a symmetric matrix, must equal its transpose")
        if checked and size and np.linalg.eigvalsh(whole / size)[0] < -PRINTED_DIGITS:
            raise refusal("has a negative principal moment, must have none")
        return matrix

    def write(self, value: Any, owner: Any) -> Any:
        """The inertia with units."""
        if isinstance(value, Axisymmetric):
            return {"along": f"{value.along!r} kg m²", "across": f"{value.across!r} kg m²"}
        if isinstance(value, tuple):
            return [self.write(part, owner) for part in value]
        return f"{value!r} kg m²"

    def schema(self) -> dict[str, Any]:
        """Any of the four forms."""
        one = self._any.schema()
        three = {"type": "array", "items": one, "minItems": 3, "maxItems": 3}
        round_body = {
            "type": "object",
            "properties": {"along": self._one.schema(), "across": self._one.schema()},
            "required": ["along", "across"],
            "additionalProperties": False,
        }
        matrix = {"type": "array", "items": three, "minItems": 3, "maxItems": 3}
        return {"anyOf": [self._one.schema(), three, matrix, round_body]}


Inertia = Annotated[InertiaForm, InertiaReader()]


def inertia_matrix(inertia: InertiaForm, direction: Triple) -> Array:
    """The inertia as a matrix (3, 3) in the link's axes (kg m²); one number is the moment about z."""
    if isinstance(inertia, Axisymmetric):
        axis = array(direction)
        return inertia.across * np.eye(3) + (inertia.along - inertia.across) * np.outer(axis, axis)
    if isinstance(inertia, tuple):
        given = array(inertia)
        return np.diag(given) if given.ndim == 1 else 0.5 * (given + given.T)
    return diagonal([0.0, 0.0, inertia])


def spatial_reasons(inertia: InertiaForm) -> Iterable[str]:
    """Why an inertia cannot belong to a body in space; nothing if it can."""
    if isinstance(inertia, float | Batch):
        if inertia != 0:
            yield (
                "inertia is one number, which only a planar arm can use, must be three numbers, three rows of three, "
                "or { along, across }"
            )
        return
    small, middle, large = np.linalg.eigvalsh(inertia_matrix(inertia, (1.0, 0.0, 0.0)))
    if large > (small + middle) * (1 + PRINTED_DIGITS):
        yield (
            f"inertia has the principal moments {small:.6g}, {middle:.6g} and {large:.6g} kg m², "
            "the largest must be ≤ the sum of the others"
        )


class Rigid(Part):
    """The body of a rigid link."""

    always_written = ("mass",)

    # first: the reader of the inertia asks for it
    any_inertia: Annotated[bool, Switch()] = Field(False, description="take also an inertia that no body has")
    mass: Annotated[float, Quantity("kg", least=0)]
    inertia: Inertia = Field(description="about the mass centre, in the link's axes")
    centre: Annotated[Triple | None, Vector("m", optional=True)] = Field(
        None, description="mass centre in the link's frame; default: half way along the link"
    )


class Hub(Part):
    """What turns with the joint before the link begins."""

    radius: Annotated[float, Quantity("m", least=0)] = Field(0.0, description="from the joint to where the link begins")
    mass: Annotated[float, Quantity("kg", least=0)] = Field(0.0, description="centred on the joint")
    inertia: Annotated[float, Quantity("kg m²", least=0)] = Field(0.0, description="about the joint's axis")


class Payload(Part):
    """A rigid body carried by a link."""

    mass: Annotated[float, Quantity("kg", least=0)]
    inertia: Inertia = Field(0.0, description="about its mass centre, in the axes of the place that carries it")
    at: Annotated[float | None, Quantity("m", least=0, optional=True)] = Field(
        None, description="distance along the link; default: the tip"
    )
    offset: Annotated[Triple, Vector("m")] = Field((0.0, 0.0, 0.0), description="of its mass centre from that place")
