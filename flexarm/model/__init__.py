"""What is on the drawing and what is commanded: frozen parts in SI units, checked once."""

from flexarm.model.arm import Arm, Load, Point
from flexarm.model.beam import Beam, BeamEnd, BeamProperties
from flexarm.model.chance import HasDistributions
from flexarm.model.drive import Gear, Motor
from flexarm.model.file import arm_from_dict, arm_schema, arm_to_dict, format_arm, parse_arm, read_arm, write_arm
from flexarm.model.formulation import Formulation
from flexarm.model.inertia import Axisymmetric, Hub, Payload, Rigid
from flexarm.model.joint import Joint
from flexarm.model.link import Damping, Link
from flexarm.model.material import Material, library_material, library_names
from flexarm.model.motion import MotionLaw
from flexarm.model.pieces import Pieces
from flexarm.model.section import Section
from flexarm.model.servo import Servo
from flexarm.model.shape import Shape
from flexarm.model.simulation import Simulation
from flexarm.model.text import part_to_dict
from flexarm.model.torque import TorqueLaw

__all__ = [
    "Arm",
    "Axisymmetric",
    "Beam",
    "BeamEnd",
    "BeamProperties",
    "Damping",
    "Formulation",
    "Gear",
    "HasDistributions",
    "Hub",
    "Joint",
    "Link",
    "Load",
    "Material",
    "MotionLaw",
    "Motor",
    "Payload",
    "Pieces",
    "Point",
    "Rigid",
    "Section",
    "Servo",
    "Shape",
    "Simulation",
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
