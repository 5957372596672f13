"""Dynamics of light robot arms with flexible links.

    import flexarm as fa
    arm = fa.read_arm("rod_handler.toml")
    run = fa.simulate(arm)
    print(run.summary())

Every public name is loaded when first used, so that `import flexarm` costs next to nothing.
"""

from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING

__version__ = "0.1.0"

if TYPE_CHECKING:
    from flexarm.analyses.brake import brake
    from flexarm.analyses.campbell import campbell
    from flexarm.analyses.check import check
    from flexarm.analyses.compare import compare
    from flexarm.analyses.linearise import linearise
    from flexarm.analyses.modes import modes
    from flexarm.analyses.shape import shape
    from flexarm.analyses.simulate import simulate
    from flexarm.analyses.statics import statics
    from flexarm.analyses.torques import torques
    from flexarm.analyses.workspace import workspace
    from flexarm.errors import FlexarmError, ModelError, StoppedEarly
    from flexarm.model import (
        Arm,
        Beam,
        Damping,
        Formulation,
        Gear,
        Hub,
        Joint,
        Link,
        Load,
        Material,
        Motor,
        Payload,
        Point,
        Rigid,
        Section,
        Servo,
        Shape,
        Simulation,
        arm_schema,
        format_arm,
        parse_arm,
        read_arm,
        write_arm,
    )
    from flexarm.papers import reproduce
    from flexarm.report import report
    from flexarm.results import Trajectory, open_run
    from flexarm.studies.montecarlo import montecarlo
    from flexarm.studies.parameters import StudyModel, parse_study, read_study, study_of
    from flexarm.studies.reliability import reliability
    from flexarm.studies.requirements import Requirement
    from flexarm.studies.sensitivity import sensitivity
    from flexarm.viewer.view import view

# Public name → the module that holds it. The house tests keep this table, the block above and __all__ alike.
_HOME = {
    "Arm": "flexarm.model",
    "Beam": "flexarm.model",
    "Damping": "flexarm.model",
    "FlexarmError": "flexarm.errors",
    "Formulation": "flexarm.model",
    "Gear": "flexarm.model",
    "Hub": "flexarm.model",
    "Joint": "flexarm.model",
    "Link": "flexarm.model",
    "Load": "flexarm.model",
    "Material": "flexarm.model",
    "ModelError": "flexarm.errors",
    "Motor": "flexarm.model",
    "Payload": "flexarm.model",
    "Point": "flexarm.model",
    "Requirement": "flexarm.studies.requirements",
    "Rigid": "flexarm.model",
    "Section": "flexarm.model",
    "Servo": "flexarm.model",
    "Shape": "flexarm.model",
    "Simulation": "flexarm.model",
    "StoppedEarly": "flexarm.errors",
    "StudyModel": "flexarm.studies.parameters",
    "Trajectory": "flexarm.results",
    "arm_schema": "flexarm.model",
    "brake": "flexarm.analyses.brake",
    "campbell": "flexarm.analyses.campbell",
    "check": "flexarm.analyses.check",
    "compare": "flexarm.analyses.compare",
    "format_arm": "flexarm.model",
    "linearise": "flexarm.analyses.linearise",
    "modes": "flexarm.analyses.modes",
    "montecarlo": "flexarm.studies.montecarlo",
    "open_run": "flexarm.results",
    "parse_arm": "flexarm.model",
    "parse_study": "flexarm.studies.parameters",
    "read_arm": "flexarm.model",
    "read_study": "flexarm.studies.parameters",
    "reliability": "flexarm.studies.reliability",
    "report": "flexarm.report",
    "reproduce": "flexarm.papers",
    "sensitivity": "flexarm.studies.sensitivity",
    "shape": "flexarm.analyses.shape",
    "simulate": "flexarm.analyses.simulate",
    "statics": "flexarm.analyses.statics",
    "study_of": "flexarm.studies.parameters",
    "torques": "flexarm.analyses.torques",
    "view": "flexarm.viewer.view",
    "workspace": "flexarm.analyses.workspace",
    "write_arm": "flexarm.model",
}

__all__ = [
    "Arm",
    "Beam",
    "Damping",
    "FlexarmError",
    "Formulation",
    "Gear",
    "Hub",
    "Joint",
    "Link",
    "Load",
    "Material",
    "ModelError",
    "Motor",
    "Payload",
    "Point",
    "Requirement",
    "Rigid",
    "Section",
    "Servo",
    "Shape",
    "Simulation",
    "StoppedEarly",
    "StudyModel",
    "Trajectory",
    "arm_schema",
    "brake",
    "campbell",
    "check",
    "compare",
    "format_arm",
    "linearise",
    "modes",
    "montecarlo",
    "open_run",
    "parse_arm",
    "parse_study",
    "read_arm",
    "read_study",
    "reliability",
    "report",
    "reproduce",
    "sensitivity",
    "shape",
    "simulate",
    "statics",
    "study_of",
    "torques",
    "view",
    "workspace",
    "write_arm",
]


def __getattr__(name: str) -> object:
    """The public object `name`, loaded from its module and remembered."""
    if name not in _HOME:
        raise AttributeError(f"flexarm has no {name!r}", name=name, obj=import_module(__name__))
    found = getattr(import_module(_HOME[name]), name)
    # A verb may live in a submodule of its own name; importing that submodule puts the module in the verb's place.
    if isinstance(found, ModuleType):
        found = getattr(found, name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    """The public names and what Python itself keeps in a module."""
    return sorted({*globals(), *__all__})
