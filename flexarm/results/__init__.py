"""What analyses hand back: runs, modes, equilibria, linear models, drive torques, stops, commands, comparisons.

All in SI units. Nothing here needs the engine: a saved run opens, prints and converts to xarray without it.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # names with themselves as alias are re-exported
    from flexarm.results.braking import BrakePoint as BrakePoint
    from flexarm.results.braking import BrakeStudy as BrakeStudy
    from flexarm.results.braking import Cause as Cause
    from flexarm.results.braking import IndividualBraking as IndividualBraking
    from flexarm.results.braking import LinearBraking as LinearBraking
    from flexarm.results.braking import ResidualMode as ResidualMode
    from flexarm.results.braking import RobustBraking as RobustBraking
    from flexarm.results.campbell import Campbell as Campbell
    from flexarm.results.comparison import Assumption as Assumption
    from flexarm.results.comparison import Comparison as Comparison
    from flexarm.results.comparison import ModelRun as ModelRun
    from flexarm.results.comparison import ModelTrend as ModelTrend
    from flexarm.results.comparison import ReferenceRun as ReferenceRun
    from flexarm.results.drive_torques import DriveTorques as DriveTorques
    from flexarm.results.equilibrium import Equilibrium as Equilibrium
    from flexarm.results.extremes import Extremes as Extremes
    from flexarm.results.extremes import find_extremes as find_extremes
    from flexarm.results.linear_model import LinearModel as LinearModel
    from flexarm.results.modeset import ModeSet as ModeSet
    from flexarm.results.opened import open_run as open_run
    from flexarm.results.overview import Overview as Overview
    from flexarm.results.shape_study import CommandRow as CommandRow
    from flexarm.results.shape_study import RingingMode as RingingMode
    from flexarm.results.shape_study import ShapeStudy as ShapeStudy
    from flexarm.results.table import NamedArray as NamedArray
    from flexarm.results.trajectory import Trajectory as Trajectory
    from flexarm.results.workspace import Workspace as Workspace

# Public name → the module that holds it, which is loaded when the name is first used: a run needs none of the others.
_HOME = {
    "BrakePoint": "braking",
    "BrakeStudy": "braking",
    "Cause": "braking",
    "IndividualBraking": "braking",
    "LinearBraking": "braking",
    "ResidualMode": "braking",
    "RobustBraking": "braking",
    "Campbell": "campbell",
    "Assumption": "comparison",
    "Comparison": "comparison",
    "ModelRun": "comparison",
    "ModelTrend": "comparison",
    "ReferenceRun": "comparison",
    "DriveTorques": "drive_torques",
    "Equilibrium": "equilibrium",
    "Extremes": "extremes",
    "find_extremes": "extremes",
    "LinearModel": "linear_model",
    "ModeSet": "modeset",
    "Overview": "overview",
    "CommandRow": "shape_study",
    "RingingMode": "shape_study",
    "ShapeStudy": "shape_study",
    "NamedArray": "table",
    "Trajectory": "trajectory",
    "open_run": "opened",
    "Workspace": "workspace",
}

__all__ = sorted(_HOME)  # type checkers go by the block above


def __getattr__(name: str) -> Any:
    """The public object `name`, loaded from its module and remembered."""
    if name not in _HOME:
        raise AttributeError(f"flexarm.results has no {name!r}", name=name, obj=import_module(__name__))
    found = getattr(import_module(f"flexarm.results.{_HOME[name]}"), name)
    globals()[name] = found
    return found
