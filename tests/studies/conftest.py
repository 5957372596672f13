"""A model file with distributions of every kind that the tests share."""

import pytest

TEXT = """
name = "random arm"
gravity = [0, 0, 0]
planar = true

[random.width]                       # both links are cut from one bar
normal = "20 mm"
tolerance = "±0.3 mm"

[[link]]
name = "upper arm"
joint = { type = "revolute", at = "90 deg", motion = "stop", rate = { normal = ["45 deg/s", "1 deg/s"] } }
length = { normal = ["0.53 m", "1 mm"] }
payload = { mass = { lognormal = "1 kg", cov = "10 %" } }
[link.beam]
section = { shape = "rectangle", width = { random = "width" }, height = { normal = "5 mm", variance = "0.01 mm^2" } }
material = "alloy"

[[link]]
name = "rod"
joint = { type = "revolute", at = "-90 deg", motion = "stop", rate = "90 deg/s" }
length = "1 m"
beam = { section = { shape = "rectangle", width = { random = "width" }, height = "5 mm" }, material = "alloy" }

[material.alloy]
youngs_modulus = { normal = "70 GPa", sd = "1 GPa", least = "60 GPa" }
density = { uniform = ["2600 kg/m3", "2800 kg/m3"] }

[motion.stop]
kind = "brake"
travel_time = "1.25 s"
braking_time = { triangular = ["0.4 s", "0.5 s", "0.6 s"] }

[simulation]
end = "2 s"

[correlation]
pairs = [["link[0].length", "width", 0.3], ["material.alloy.youngs_modulus", "material.alloy.density", 0.5]]
"""

ONE = """
[[link]]
name = "link"
joint = {{ type = "revolute", {joint} }}
length = {length}
beam = {{ bending_stiffness = "10 N m^2", mass_per_length = "1 kg/m" }}
{more}
"""


@pytest.fixture
def text():
    """The text of the file."""
    return TEXT


@pytest.fixture
def one():
    """A maker of one-link texts: one(length='{ normal = ["1 m", "1 mm"] }')."""

    def make(length='"1 m"', joint='at = "10 deg"', more=""):
        return ONE.format(length=length, joint=joint, more=more)

    return make
