"""Dynamics of light robot arms with flexible links.

    import flexarm as fa
    arm = fa.read_arm("rod_handler.toml")
    run = fa.simulate(arm)
    print(run.summary())

Every public name is loaded when first used, so that `import flexarm` costs next to nothing.
"""

from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

from flexarm.verbs import VERBS, result_homes

__version__ = "0.1.0"

if TYPE_CHECKING:  # names with themselves as alias are re-exported
    from flexarm.analyses.audit.audit import audit as audit
    from flexarm.analyses.brake.brake import brake as brake
    from flexarm.analyses.campbell import campbell as campbell
    from flexarm.analyses.check import check as check
    from flexarm.analyses.compare.compare import compare as compare
    from flexarm.analyses.control.control import control as control
    from flexarm.analyses.dynamics import Dynamics as Dynamics
    from flexarm.analyses.export.export import export as export
    from flexarm.analyses.linearise import linearise as linearise
    from flexarm.analyses.modes.modes import modes as modes
    from flexarm.analyses.path.path import path as path
    from flexarm.analyses.plant.controller import Controller as Controller
    from flexarm.analyses.plant.pid import PID as PID
    from flexarm.analyses.plant.plant import Plant as Plant
    from flexarm.analyses.plant.sampled_law import SlowLaw as SlowLaw
    from flexarm.analyses.plant.sampled_law import controller as controller
    from flexarm.analyses.plant.sampled_poles import sampled_poles as sampled_poles
    from flexarm.analyses.plant.state_space import StateFeedback as StateFeedback
    from flexarm.analyses.plant.state_space import StateSpace as StateSpace
    from flexarm.analyses.run.prepare import prepare as prepare
    from flexarm.analyses.run.simulate import simulate as simulate
    from flexarm.analyses.shaping.shape import shape as shape
    from flexarm.analyses.statics import statics as statics
    from flexarm.analyses.torques import torques as torques
    from flexarm.analyses.workspace import workspace as workspace
    from flexarm.errors import FlexarmError as FlexarmError
    from flexarm.errors import ModelError as ModelError
    from flexarm.errors import StoppedEarly as StoppedEarly
    from flexarm.model import Arm as Arm
    from flexarm.model import Beam as Beam
    from flexarm.model import Damping as Damping
    from flexarm.model import Filter as Filter
    from flexarm.model import Formulation as Formulation
    from flexarm.model import Gauge as Gauge
    from flexarm.model import Gear as Gear
    from flexarm.model import Hub as Hub
    from flexarm.model import Joint as Joint
    from flexarm.model import Link as Link
    from flexarm.model import Load as Load
    from flexarm.model import Loop as Loop
    from flexarm.model import Material as Material
    from flexarm.model import ModeShape as ModeShape
    from flexarm.model import Motor as Motor
    from flexarm.model import Payload as Payload
    from flexarm.model import Point as Point
    from flexarm.model import Rigid as Rigid
    from flexarm.model import Section as Section
    from flexarm.model import Sensor as Sensor
    from flexarm.model import Servo as Servo
    from flexarm.model import Simulation as Simulation
    from flexarm.model import Spring as Spring
    from flexarm.model import Support as Support
    from flexarm.model import arm_schema as arm_schema
    from flexarm.model import format_arm as format_arm
    from flexarm.model import parse_arm as parse_arm
    from flexarm.model import read_arm as read_arm
    from flexarm.model import write_arm as write_arm
    from flexarm.papers import reproduce as reproduce
    from flexarm.report import report as report
    from flexarm.results import open_run as open_run
    from flexarm.results.audit import Audit as Audit
    from flexarm.results.braking import BrakeStudy as BrakeStudy
    from flexarm.results.campbell import Campbell as Campbell
    from flexarm.results.comparison import Comparison as Comparison
    from flexarm.results.control_study import ControlStudy as ControlStudy
    from flexarm.results.design import Design as Design
    from flexarm.results.drive_torques import DriveTorques as DriveTorques
    from flexarm.results.equilibrium import Equilibrium as Equilibrium
    from flexarm.results.gradient import Gradient as Gradient
    from flexarm.results.gradient import Jacobian as Jacobian
    from flexarm.results.identification import Identification as Identification
    from flexarm.results.linear_model import LinearModel as LinearModel
    from flexarm.results.measured import Measured as Measured
    from flexarm.results.modeset import ModeSet as ModeSet
    from flexarm.results.montecarlo import MonteCarlo as MonteCarlo
    from flexarm.results.overview import Overview as Overview
    from flexarm.results.rare_events import RareReliability as RareReliability
    from flexarm.results.record_files import read_record as read_record
    from flexarm.results.reliability import Reliability as Reliability
    from flexarm.results.sensitivity import Sensitivity as Sensitivity
    from flexarm.results.shape_study import ShapeStudy as ShapeStudy
    from flexarm.results.sweep import Sweep as Sweep
    from flexarm.results.tip_path import TipPath as TipPath
    from flexarm.results.trajectory import Trajectory as Trajectory
    from flexarm.results.workspace import Workspace as Workspace
    from flexarm.studies.derivatives.gradient import gradient as gradient
    from flexarm.studies.derivatives.gradient import jacobian as jacobian
    from flexarm.studies.design.design import design as design
    from flexarm.studies.identify.identify import identify as identify
    from flexarm.studies.montecarlo import montecarlo as montecarlo
    from flexarm.studies.parameters.study_model import StudyModel as StudyModel
    from flexarm.studies.parameters.study_model import parse_study as parse_study
    from flexarm.studies.parameters.study_model import read_study as read_study
    from flexarm.studies.parameters.study_model import study_of as study_of
    from flexarm.studies.reliability.reliability import reliability as reliability
    from flexarm.studies.reliability.requirements import Requirement as Requirement
    from flexarm.studies.sensitivity.sensitivity import sensitivity as sensitivity
    from flexarm.studies.sweep.sweep import sweep as sweep
    from flexarm.viewer.view import view as view

# Public name → the module that holds it: every verb that is a function, its results, and what verbs take and raise.
_HOME = {verb.name: verb.module for verb in VERBS if verb.home} | result_homes()
for _module, _names in {
    "flexarm.errors": ("FlexarmError", "ModelError", "StoppedEarly"),
    "flexarm.model": (
        *(
            "Arm",
            "Beam",
            "Damping",
            "Filter",
            "Formulation",
            "Gauge",
            "Gear",
            "Hub",
            "Joint",
            "Link",
            "Load",
            "Loop",
            "Material",
            "ModeShape",
        ),
        *("Motor", "Payload", "Point", "Rigid", "Section", "Sensor", "Servo", "Simulation"),
        *("Spring", "Support"),
        *("arm_schema", "format_arm", "parse_arm", "read_arm", "write_arm"),
    ),
    "flexarm.analyses.dynamics": ("Dynamics",),
    "flexarm.analyses.plant.controller": ("Controller",),
    "flexarm.analyses.plant.pid": ("PID",),
    "flexarm.analyses.plant.plant": ("Plant",),
    "flexarm.analyses.plant.sampled_law": ("SlowLaw", "controller"),
    "flexarm.analyses.plant.state_space": ("StateFeedback", "StateSpace"),
    "flexarm.analyses.plant.sampled_poles": ("sampled_poles",),
    "flexarm.analyses.run.prepare": ("prepare",),
    "flexarm.results": ("open_run",),
    "flexarm.results.measured": ("Measured",),
    "flexarm.results.record_files": ("read_record",),
    "flexarm.studies.derivatives.gradient": ("jacobian",),
    "flexarm.studies.parameters.study_model": ("StudyModel", "parse_study", "read_study", "study_of"),
    "flexarm.studies.reliability.requirements": ("Requirement",),
}.items():
    _HOME |= dict.fromkeys(_names, _module)

__all__ = sorted(_HOME)  # type checkers go by the block above


def __getattr__(name: str) -> Any:
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
