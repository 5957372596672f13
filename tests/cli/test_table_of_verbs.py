"""Adding a verb is one file and one line of the table; the settings of a run are those of the model file."""

import inspect
import re
import subprocess
import sys
from pathlib import Path

import flexarm as fa
from flexarm.cli.options import SETTINGS
from flexarm.model.parts.simulation import Simulation, SimulationSettings
from flexarm.results.reported import Result
from flexarm.verbs import VERBS

ROOT = Path(__file__).parents[2]
ALSO = {"gradient": ("jacobian",)}  # functions of Python that answer a verb's question in another way
# The file and the line: the command, the analysis, the result and its page in one module that stands for several.
NEW_VERB = """
import dataclasses, sys, types
import flexarm.verbs as table

@dataclasses.dataclass
class Weight:
    mass: float
    def summary(self): return f"the arm weighs {self.mass:g} kg\\nand that is all"
    def to_dict(self): return {"weight_kg": self.mass}

def weigh(arm): return Weight(sum(link.length for link in arm.links))

def page_of(result, source=""):
    from flexarm.report.page import Page
    from flexarm.report.result_data import data_of
    return Page(title=f"weight {data_of(result)['weight_kg']:g}", kind="flexarm · weigh", sections=[])

def command(model: str) -> None:
    '''How heavy is the arm?'''
    import flexarm as fa
    from flexarm.cli.ending import finish
    finish(fa.weigh(fa.read_arm(model)), model, (), json=True)

for name in ("analyses.weigh", "cli.verbs.weigh", "report.pages.weigh"):
    sys.modules[f"flexarm.{name}"] = sys.modules[__name__]
table.VERBS += (table.Verb("weigh", "analyses.weigh", (table.Kind("Weight", page="weigh", key="weight_kg"),)),)
import importlib, flexarm
fa = importlib.reload(flexarm)
"""


def test_a_verb_is_one_file_and_one_line(tmp_path):
    arm = ROOT / "examples" / "turned_link.toml"
    code = f"""{NEW_VERB}
from flexarm.report.notebook import html_of
found = fa.weigh(fa.read_arm({str(arm)!r}))
fa.report(found, "page.html"); fa.report(found.to_dict(), "data.html")
assert "the arm weighs" in html_of(found).partition("<details>")[0]
from flexarm.cli import main
sys.argv = ["flexarm", "weigh", {str(arm)!r}]
main()
"""
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert '"weight_kg"' in done.stdout
    for page in ("page.html", "data.html"):
        assert "flexarm · weigh" in (tmp_path / page).read_text("utf-8")


def test_settings_have_one_list_of_names():
    names = set(Simulation.model_fields)
    assert set(SETTINGS) == names
    assert set(SimulationSettings.__annotations__) == names


def test_every_result_of_a_verb_is_public_documented_and_listed():
    reference = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")
    for verb in VERBS:
        for kind in verb.kinds:
            if not kind.result:
                continue
            found = getattr(fa, kind.result)
            assert issubclass(found, Result) and found.__name__ == kind.result
            assert kind.result in dir(fa) and kind.result in fa.__all__
            assert f"autoclass:: flexarm.{kind.result}()" in reference
            # units: of the numbers themselves, or SI for all of them
            assert re.search(r"\bSI\b|\((?:Hz|m|s|N|rad|N m)[ ,)/]|in m\b|N m or N", found.__doc__), kind.result


def test_the_return_type_of_a_verb_is_the_result_of_its_line():
    for verb in VERBS:
        wanted = {kind.result for kind in verb.kinds if kind.result}
        if verb.home and wanted:
            functions = [verb.name, *ALSO.get(verb.name, ())]
            stated = "|".join(str(inspect.signature(getattr(fa, name)).return_annotation) for name in functions)
            assert set(stated.replace(" ", "").split("|")) == wanted, verb.name
