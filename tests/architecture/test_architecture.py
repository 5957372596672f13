"""The architecture holds: names say what things are, files stay short, formulations do not know one another.

Ruff, mypy and the import contracts run once, by `make lint`, which `make test` begins with.
"""

import ast
import subprocess
import sys
from pathlib import Path

import grimp
import pytest

import flexarm
from flexarm import formulations
from tests.conftest import LONGEST_FIRST

ROOT = Path(__file__).parents[2]
FILES = sorted(
    path
    for folder in ("flexarm", "tests", "benchmarks", "examples", "docs")
    for path in (ROOT / folder).rglob("*.py")
    if "__pycache__" not in path.parts
)
LINES_ALLOWED = 400
WORDS_THAT_SAY_NOTHING = {
    *("util", "utils", "utility", "utilities", "helper", "helpers", "common", "misc", "manager", "managers"),
    *("tools", "stuff", "shared", "base_utils", "lib"),
}
FORMULATIONS = [str(traits.block).partition(":")[0] for traits in formulations.FORMULATIONS.values()]


def _run(*command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, *command], cwd=ROOT, capture_output=True, text=True, check=False)


def _printed(code: str) -> str:
    """What a fresh interpreter prints."""
    done = _run("-c", code)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_formulations_do_not_know_one_another():
    graph = grimp.build_graph("flexarm", cache_dir=None)
    present = [name for name in (f"flexarm.links.{word}" for word in FORMULATIONS) if name in graph.modules]
    known = [(one, two) for one in present for two in present if one != two and graph.chain_exists(one, two)]
    assert known == []


def _fault(path: Path) -> str | None:
    """What is wrong with a source file as a whole, or None."""
    text = path.read_text(encoding="utf-8")
    if (lines := len(text.splitlines())) > LINES_ALLOWED:
        return f"{lines} lines, {LINES_ALLOWED} are allowed"
    if text.strip() and not ast.get_docstring(ast.parse(text)):
        return "the module has no docstring"
    return None


def test_every_file_holds_one_idea_with_a_docstring():
    faults = {str(path.relative_to(ROOT)): fault for path in FILES if (fault := _fault(path))}
    assert faults == {}


def test_every_name_of_a_file_says_what_is_in_it():
    assert [str(path.relative_to(ROOT)) for path in FILES if path.stem.strip("_") in WORDS_THAT_SAY_NOTHING] == []


def test_what_make_quick_runs_is_there():
    for line in (ROOT / "tests" / "quick.txt").read_text(encoding="utf-8").splitlines():
        file, _, rest = line.partition("::")
        tree = ast.parse((ROOT / file).read_text(encoding="utf-8"))
        names = {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
        assert not rest or rest.partition("[")[0] in names, line


def test_files_that_are_to_begin_are_there():
    assert [name for name in LONGEST_FIRST if not (ROOT / "tests" / f"{name}.py").exists()] == []


def test_the_package_says_that_it_is_typed():
    assert (ROOT / "flexarm" / "py.typed").exists()


def test_importing_flexarm_loads_no_library():
    loaded = _printed("import sys, flexarm; print(*{name.partition('.')[0] for name in sys.modules})").split()
    assert not set(loaded) & {
        "numpy",
        "numba",
        "scipy",
        "xarray",
        "pandas",
        "pydantic",
        "pint",
        "h5py",
        "openturns",
        "pyarrow",
        "typer",
        "rich",
        "dask",
        "distributed",
    }


def test_type_checkers_are_reported_every_public_name_from_where_it_is():
    tree = ast.parse((ROOT / "flexarm" / "__init__.py").read_text(encoding="utf-8"))
    block = next(node for node in tree.body if isinstance(node, ast.If))
    declared = {
        alias.name: statement.module
        for statement in block.body
        if isinstance(statement, ast.ImportFrom)
        for alias in statement.names
    }
    assert declared == flexarm._HOME
    assert set(flexarm.__all__) <= set(dir(flexarm))


def test_every_public_name_is_what_it_says_even_after_modules_of_the_same_name_are_loaded():
    homes = sorted(set(flexarm._HOME.values()))
    kinds = _printed(
        f"import importlib, flexarm; [importlib.import_module(home) for home in {homes!r}];"
        "print(*(f'{name}={callable(getattr(flexarm, name))}' for name in flexarm.__all__))"
    ).split()
    assert kinds == [f"{name}=True" for name in flexarm.__all__]


def test_a_name_flexarm_does_not_have_is_refused_like_any_attribute():
    assert not hasattr(flexarm, "nonsense")
    with pytest.raises(AttributeError, match="flexarm has no 'simulat'"):
        flexarm.simulat  # noqa: B018
