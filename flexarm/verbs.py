"""The one table of verbs: which module answers, what the result is called, and which page and cell show it.

A verb is a line of `VERBS` and a file `flexarm/cli/verbs/NAME.py` with a function `command`; everything else is found
from the line: the function `flexarm.NAME`, the page of the result, its notebook cell, and the data a page is made of.
Nothing is imported here, so that every package may read the table.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple


class Kind(NamedTuple):
    """One kind of result.

    `result` is its class, "" where a verb prints data alone, and `home` the module of `flexarm.results` that holds it;
    `page` the module of `flexarm.report.pages`; `cell` the
    function of `flexarm.report.notebook`; `key` is what only data of this kind have, and `entry` what every entry has
    where the verb prints a list of them.
    """

    result: str = ""
    home: str = ""
    page: str = ""
    cell: str = ""
    key: str = ""
    entry: str = ""


class Verb(NamedTuple):
    """A verb: the module of `flexarm` with the function of its name ("": the command line alone), and its results."""

    name: str
    home: str = ""
    kinds: tuple[Kind, ...] = ()

    @property
    def module(self) -> str:
        """The module that holds the function."""
        return f"flexarm.{self.home}"

    @property
    def command(self) -> str:
        """The module of its command."""
        return f"flexarm.cli.verbs.{self.name}"


# In the order in which `flexarm --help` lists them.
VERBS = (
    Verb("new"),
    Verb("check", "analyses.check", (Kind("Overview", "overview", "check", "overview", "checked", "sound"),)),
    Verb("simulate", "analyses.run.simulate", (Kind("Trajectory", "trajectory", "run", "run"),)),
    Verb("modes", "analyses.modes.modes", (Kind("ModeSet", "modeset", "modes", "modes", "point_shapes"),)),
    Verb("campbell", "analyses.campbell", (Kind("Campbell", "campbell", "campbell", "campbell", "spins_rad_s"),)),
    Verb("statics", "analyses.statics", (Kind("Equilibrium", "equilibrium", "statics", "equilibrium", "tip_sag"),)),
    Verb(
        "workspace", "analyses.workspace", (Kind("Workspace", "workspace", "workspace", "workspace", "sag_distance"),)
    ),
    Verb("path", "analyses.path.path", (Kind("TipPath", "tip_path", "path", "path", "along_m"),)),
    Verb("torques", "analyses.torques", (Kind("DriveTorques", "drive_torques", "torques", "torques", "rms"),)),
    Verb(
        "linearise",
        "analyses.linearise",
        (Kind("LinearModel", "linear_model", "linearise", "linear", "operating_point"),),
    ),
    Verb("brake", "analyses.brake.brake", (Kind("BrakeStudy", "braking", "brake", "brake", "minima"),)),
    Verb("compare", "analyses.compare.compare", (Kind("Comparison", "comparison", "compare", "comparison", "trends"),)),
    Verb("sweep", "studies.sweep.sweep", (Kind("Sweep", "sweep", "sweep", "sweep", "swept"),)),
    Verb(
        "gradient",
        "studies.derivatives.gradient",
        (
            Kind("Gradient", "gradient", "gradient", "gradient", "derivative_error"),
            Kind("Jacobian", "gradient", "jacobian", "", "signal_derivatives"),
        ),
    ),
    Verb("montecarlo", "studies.montecarlo", (Kind("MonteCarlo", "montecarlo", "montecarlo", "montecarlo", "bands"),)),
    Verb(
        "reliability",
        "studies.reliability.reliability",
        (
            Kind("Reliability", "reliability", "reliability", "reliability", "common_factor"),
            Kind("RareReliability", "rare_events", "rare_events", "rare", "blame"),
        ),
    ),
    Verb(
        "sensitivity",
        "studies.sensitivity.sensitivity",
        (Kind("Sensitivity", "sensitivity", "sensitivity", "sensitivity", "over_time"),),
    ),
    Verb(
        "identify",
        "studies.identify.identify",
        (Kind("Identification", "identification", "identify", "", "confounded"),),
    ),
    Verb("shape", "analyses.shaping.shape", (Kind("ShapeStudy", "shape_study", "shape", "shape", "shifts"),)),
    Verb(
        "control",
        "analyses.control.control",
        (Kind("ControlStudy", "control_study", "control", "", "controlled", ""),),
    ),
    Verb("design", "studies.design.design", (Kind("Design", "design", "design", "design", "designed"),)),
    Verb("audit", "analyses.audit.audit", (Kind("Audit", "audit", "audit", "", "audited_tip"),)),
    Verb("export", "analyses.export.export"),
    Verb("report", "report"),
    Verb("view", "viewer.view"),
    Verb("reproduce", "papers", (Kind("", "", "reproduce", "", "reproduced", "verdict"),)),
    Verb("schema"),
    Verb("warmup"),
    Verb("doctor"),
)


def result_homes() -> dict[str, str]:
    """The class of every kind of result → the module that holds it."""
    return {kind.result: f"flexarm.results.{kind.home}" for kind in kinds() if kind.result}


def kinds() -> Iterator[Kind]:
    """Every kind of result."""
    for verb in VERBS:
        yield from verb.kinds
