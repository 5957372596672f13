"""Pages report what made them: the model, the settings, the versions."""

import platform
from importlib.metadata import version

import numpy as np
import pytest

import flexarm as fa
from flexarm.model import arm_to_dict
from flexarm.report import page_of
from flexarm.report.page import Listing, Table
from tests.report.results import EXAMPLES, NAMES, ROTOR, result_of, study


@pytest.mark.parametrize("name", [name for name in NAMES if name != "rare"])
def test_every_page_has_the_model_the_settings_and_the_versions_that_made_it(name):
    parts = page_of(result_of(name)).sections[-1].parts
    model = next(part for part in parts if isinstance(part, Listing))
    if name in ("montecarlo", "reliability", "sensitivity"):
        assert fa.parse_study(model.text).data == study().data
    else:
        arm = fa.parse_arm(ROTOR) if name == "campbell" else fa.read_arm(EXAMPLES / "rod_handler.toml")
        assert arm_to_dict(fa.parse_arm(model.text)) == arm_to_dict(arm)
    tables = [part for part in parts if isinstance(part, Table)]
    reported = next(dict(table.rows) for table in tables if any(row[0] == "flexarm" for row in table.rows))
    assert reported["flexarm"].startswith(fa.__version__)
    assert (reported["python"], reported["numpy"]) == (platform.python_version(), np.__version__)
    assert reported["numba"] == version("numba")
    for setting, wanted in SETTINGS[name].items():
        assert reported[setting] == wanted


SETTINGS = {
    "modes": {"modes": "4", "joints": "the joints locked"},
    "campbell": {
        "spins": "blade",
        "speeds": "9 from 0 to 40.00 rad/s, 5.000 rad/s apart",
        "multiples of the speed": "1 to 4",
    },
    "compare": {"elements": "rigid-fe 2, 4, 8", "tolerance of the tip's path": "100 µm"},
    "brake": {
        "braking times": "13 from 0.44 to 0.56 s",
        "allowed residual": "1.00 mm",
        "uncertain parameters": "stiffness × 0.95 to 1.05, judged by the worst",
        "separate times of the joints": "no",
        "times refined to": "100 µs",
    },
    "shape": {"shapers": "zv", "smooth laws": "none", "optimum searched": "no", "what ei leaves": "0.05"},
    "montecarlo": {"samples": "16", "times of signals": "41 from 0 to 2 s, 50.0 ms apart"},
    "reliability": {"samples": "120"},
    "sensitivity": {"times of signals": "5 from 0 to 2 s, 500 ms apart"},
}
