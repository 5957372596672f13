"""What is on the drawing and what is commanded: frozen parts in SI units, checked once."""

from flexarm.model.arm import Arm, Load, Point
from flexarm.model.laws.motion import MotionLaw
from flexarm.model.laws.pieces import Pieces
from flexarm.model.laws.torque import TorqueLaw
from flexarm.model.parts.beam import Beam, BeamEnd, BeamProperties
from flexarm.model.parts.closure import Loop, Spring, Support
from flexarm.model.parts.drive import Gear, Motor
from flexarm.model.parts.formulation import Formulation
from flexarm.model.parts.gauge import Gauge
from flexarm.model.parts.inertia import Axisymmetric, Hub, Payload, Rigid
from flexarm.model.parts.joint import Joint
from flexarm.model.parts.link import Damping, Link
from flexarm.model.parts.material import Material, library_material, library_names
from flexarm.model.parts.section import Section
from flexarm.model.parts.sensor import Filter, Sensor
from flexarm.model.parts.servo import Servo
from flexarm.model.parts.shapes import ModeShape
from flexarm.model.parts.simulation import Simulation
from flexarm.model.reading.distributions import HasDistributions
from flexarm.model.reading.file import (
    arm_from_dict,
    arm_schema,
    arm_to_dict,
    format_arm,
    parse_arm,
    read_arm,
    write_arm,
)
from flexarm.model.reading.text import part_to_dict

__all__ = [
    "Arm",
    "Axisymmetric",
    "Beam",
    "BeamEnd",
    "BeamProperties",
    "Damping",
    "Filter",
    "Formulation",
    "Gauge",
    "Gear",
    "HasDistributions",
    "Hub",
    "Joint",
    "Link",
    "Load",
    "Loop",
    "Material",
    "ModeShape",
    "MotionLaw",
    "Motor",
    "Payload",
    "Pieces",
    "Point",
    "Rigid",
    "Section",
    "Sensor",
    "Servo",
    "Simulation",
    "Spring",
    "Support",
    "TorqueLaw",
    "arm_from_dict",
    "arm_schema",
    "arm_to_dict",
    "format_arm",
    "library_material",
    "library_names",
    "parse_arm",
    "part_to_dict",
    "read_arm",
    "write_arm",
]
