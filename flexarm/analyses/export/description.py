"""The modelDescription.xml of a unit of co-simulation, for both versions of the interface."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple
from xml.sax.saxutils import quoteattr

from flexarm.analyses.export.program import Program, coordinates_to_start
from flexarm.analyses.versions import versions

VERSIONS = ("2.0", "3.0")
# SI units as products of base units, by the attributes of the standard.
_BASE: dict[str, dict[str, int]] = {
    "m": {"m": 1},
    "s": {"s": 1},
    "rad": {"rad": 1},
    "N": {"kg": 1, "m": 1, "s": -2},
    "Pa": {"kg": 1, "m": -1, "s": -2},
    "J": {"kg": 1, "m": 2, "s": -2},
    "1": {},
}
_ORDER = ("kg", "m", "s", "A", "K", "mol", "cd", "rad")
_POWERS = {"²": 2, "³": 3, "⁴": 4}


class Variable(NamedTuple):
    """One variable of a unit."""

    name: str
    causality: str  # "independent", "parameter", "input", "output"
    unit: str
    start: float | None
    about: str

    @property
    def attributes(self) -> dict[str, str]:
        """What both versions of the interface say of it, behind its number."""
        rest = {"independent": ("continuous", None), "parameter": ("fixed", "exact")}
        variability, initial = rest.get(self.causality, ("continuous", "calculated"))
        found = {"causality": self.causality, "variability": variability}
        if initial is not None and self.causality != "input":
            found["initial"] = initial
        return found | {"description": self.about}


def variables_of(program: Program) -> list[Variable]:
    """All variables in the order of their numbers."""
    found = [
        Variable("time", "independent", "s", None, "time"),
        Variable("tolerance", "parameter", "m", program.tolerance, "displacement error that step control keeps"),
        Variable("step", "parameter", "s", program.step, "fixed step; 0: step control"),
    ]
    given = zip(program.inputs, program.input_units, program.input_start.tolist(), strict=True)
    found += [Variable(name, "input", unit, start, "held over a step") for name, unit, start in given]
    for name, unit in zip(program.outputs, program.output_units, strict=True):
        found.append(Variable(name, "output", unit, None, "a signal at the time reached"))
    compiled, state = program.compiled, program.held.memory.states
    for joint, c in coordinates_to_start(program).items():
        unit = compiled.coordinate_units[c]
        place, rate = float(state.q[c]), float(state.v[c])
        found.append(Variable(f"{joint}.position_start", "parameter", unit, place, "where the joint starts"))
        found.append(Variable(f"{joint}.rate_start", "parameter", f"{unit}/s", rate, "how fast the joint starts"))
    return found


def token_of(program: Program, identifier: str, mark: str) -> str:
    """A text that tells this unit from others, the same whenever it is made of the same arm."""
    return f"flexarm-{identifier}-{mark}"


def description(program: Program, identifier: str, token: str, version: str) -> str:
    """The XML of a version of the interface."""
    lines = ['<?xml version="1.0" encoding="UTF-8"?>']
    head = {
        "fmiVersion": version,
        "modelName": program.compiled.arm.name,
        "guid" if version == "2.0" else "instantiationToken": token,
        "description": "a robot arm with flexible links",
        "generationTool": f"flexarm {versions()['flexarm']}",
        "variableNamingConvention": "flat",
    }
    lines.append(f"<fmiModelDescription{_written(head)}>")
    state = "FMUstate" if version == "2.0" else "FMUState"
    able = {
        "modelIdentifier": identifier,
        "canHandleVariableCommunicationStepSize": "true",
        f"canGetAndSet{state}": "true",
        f"canSerialize{state}": "true",
    }
    lines.append(f"  <CoSimulation{_written(able)}/>")
    found = variables_of(program)
    lines += ["  <UnitDefinitions>", *_units(found), "  </UnitDefinitions>"]
    experiment = {"startTime": "0", "stepSize": repr(program.period)}
    if program.end:
        experiment = {"startTime": "0", "stopTime": repr(program.end), "stepSize": repr(program.period)}
    lines.append(f"  <DefaultExperiment{_written(experiment)}/>")
    lines.append("  <ModelVariables>")
    for number, variable in enumerate(found):
        lines.append(_variable(number, variable, version))
    lines += ["  </ModelVariables>", "  <ModelStructure>"]
    outputs = [number for number, variable in enumerate(found) if variable.causality == "output"]
    if version == "2.0":
        # numbers of the list begin with 1
        rows = [f'      <Unknown index="{number + 1}"/>' for number in outputs]
        lines += ["    <Outputs>", *rows, "    </Outputs>", "    <InitialUnknowns>", *rows, "    </InitialUnknowns>"]
    else:
        lines += [f'    <Output valueReference="{number}"/>' for number in outputs]
        lines += [f'    <InitialUnknown valueReference="{number}"/>' for number in outputs]
    return "\n".join([*lines, "  </ModelStructure>", "</fmiModelDescription>", ""])


def _written(attributes: dict[str, str]) -> str:
    return "".join(f" {name}={quoteattr(value)}" for name, value in attributes.items())


def _variable(number: int, variable: Variable, version: str) -> str:
    own = {"name": variable.name, "valueReference": str(number), **variable.attributes}
    values = {} if variable.start is None else {"start": repr(float(variable.start))}
    if variable.unit:
        values = {"unit": variable.unit, **values}
    if version == "2.0":
        return f"    <ScalarVariable{_written(own)}><Real{_written(values)}/></ScalarVariable>"
    return f"    <Float64{_written(own | values)}/>"


def _units(variables: Sequence[Variable]) -> Iterator[str]:
    for unit in dict.fromkeys(variable.unit for variable in variables if variable.unit):
        powers = base_units(unit)
        own = {name: str(powers[name]) for name in _ORDER if powers.get(name)}
        yield f"    <Unit{_written({'name': unit})}><BaseUnit{_written(own)}/></Unit>"


def base_units(unit: str) -> dict[str, int]:
    """The powers of base units in an SI unit such as "N m" or "rad/s²"."""
    found: dict[str, int] = {}
    for k, part in enumerate(unit.split("/")):
        for word in part.split():
            match = re.fullmatch(r"([A-Za-z1]+)([²³⁴]?)", word)
            assert match is not None
            power = _POWERS.get(match[2], 1) * (-1 if k else 1)
            for base, count in _BASE[match[1]].items():
                found[base] = found.get(base, 0) + power * count
    return found
