"""What analyses hand back: runs, modes, equilibria, linear models, drive torques, stops, commands, comparisons.

All in SI units. Nothing here needs the engine: a saved run opens, prints and converts to xarray without it.
"""

from flexarm.results.braking import (
    BrakePoint,
    BrakeStudy,
    Cause,
    IndividualBraking,
    LinearBraking,
    ResidualMode,
    RobustBraking,
)
from flexarm.results.campbell import Campbell
from flexarm.results.comparison import Assumption, Comparison, ModelRun, ModelTrend, ReferenceRun
from flexarm.results.drive_torques import DriveTorques
from flexarm.results.equilibrium import Equilibrium
from flexarm.results.extremes import Extremes, find_extremes
from flexarm.results.linear_model import LinearModel
from flexarm.results.modeset import ModeSet
from flexarm.results.overview import Overview
from flexarm.results.shape_study import CommandRow, RingingMode, ShapeStudy
from flexarm.results.table import NamedArray
from flexarm.results.trajectory import Trajectory, open_run
from flexarm.results.workspace import Workspace

__all__ = [
    "Assumption",
    "BrakePoint",
    "BrakeStudy",
    "Campbell",
    "Cause",
    "CommandRow",
    "Comparison",
    "DriveTorques",
    "Equilibrium",
    "Extremes",
    "IndividualBraking",
    "LinearBraking",
    "LinearModel",
    "ModeSet",
    "ModelRun",
    "ModelTrend",
    "NamedArray",
    "Overview",
    "ReferenceRun",
    "ResidualMode",
    "RingingMode",
    "RobustBraking",
    "ShapeStudy",
    "Trajectory",
    "Workspace",
    "find_extremes",
    "open_run",
]
