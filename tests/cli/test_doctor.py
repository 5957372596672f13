"""`flexarm doctor`: what it reports is so, and what is wrong makes it fail."""

import json
import platform
from pathlib import Path

import numpy as np
import pytest

import flexarm
from flexarm.cli import installation as module
from flexarm.core._jit import CACHE


def test_it_reports_versions_folders_and_processors(call, tmp_path, monkeypatch):
    folder = tmp_path / "flexarm" / "kernels-now"
    for path in (folder / "one.nbc", folder / "deep" / "two.nbc", folder.with_name("kernels-before") / "old.nbc"):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"kernel")
    monkeypatch.setattr("flexarm.core._jit.CACHE", folder)
    done = call("doctor", "--json")
    found = json.loads(done.out)
    assert (done.code, done.err, found["problems"]) == (0, "", [])
    assert found["flexarm"]["version"] == flexarm.__version__
    assert found["python"]["version"] == platform.python_version()
    assert found["processor"]["cores"] >= 1
    kernels = {"folder": str(folder), "count": 2, "bytes": 12, "other_versions": 1, "other_bytes": 6}
    assert found["kernels"] == kernels
    assert found["writable"][str(tmp_path)] is True


def test_the_text_holds_what_the_data_hold(call):
    text = call("doctor").out
    assert text.startswith(f"flexarm {flexarm.__version__}\n")
    assert str(CACHE) in text
    assert text.endswith("nothing stands in the way\n")


def test_packages_are_compared_with_what_is_required(monkeypatch):
    wanted = ["numpy>=1.26", "no-such-package>=2", "numpy>=99", 'viser>=1; extra == "viewer"', 'x; extra == "bench"']
    monkeypatch.setattr(module, "requires", lambda name: wanted)
    found = module.installation()
    assert [(each["installed"], each["enough"]) for each in found["packages"]] == [
        (np.__version__, True),
        (None, False),
        (np.__version__, False),
    ]
    assert [each["name"] for each in found["extras"]] == list(module.EXTRAS)
    assert found["problems"] == [
        "no-such-package is not installed, must be no-such-package>=2",
        f"numpy is {np.__version__}, must be >=99",
    ]


def test_something_missing_ends_with_2_and_a_sentence(call, monkeypatch):
    monkeypatch.setattr(module, "_writable", lambda: {"/somewhere": False})
    done = call("doctor")
    assert (done.code, done.err) == (2, "nothing can be written into /somewhere\n")
    assert done.out.endswith("1 problem, see below\n")


def test_a_machine_without_a_folder_for_kernels_is_told_what_to_set(monkeypatch):
    monkeypatch.setattr("flexarm.core._jit.CACHE", None)
    assert any("FLEXARM_CACHE_DIR" in problem for problem in module.installation()["problems"])


def test_flexarm_run_from_its_sources_is_reported_as_such(call, monkeypatch):
    def missing(name):
        raise module.PackageNotFoundError(name)

    monkeypatch.setattr(module, "requires", missing)
    done = call("doctor")
    assert done.code == 0
    assert "run from its sources and not installed" in done.out


def test_extras_are_those_of_the_project():
    import tomllib

    text = (Path(__file__).parents[2] / "pyproject.toml").read_text("utf-8")
    extras = tomllib.loads(text)["project"]["optional-dependencies"]
    assert set(module.EXTRAS) == set(extras) - {"test", "bench", "docs", "dist"}


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_can_be_shown_for_a_shell(call, shell, monkeypatch):
    monkeypatch.setenv("_FLEXARM_COMPLETE", f"source_{shell}")
    done = call()
    assert done.code == 0
    assert "flexarm" in done.out and "_FLEXARM_COMPLETE" in done.out
