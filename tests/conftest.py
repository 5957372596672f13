"""Settings every test shares."""

import os
import signal
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

# Matrices here are small: a second thread of the linear algebra mostly waits, which made tests cost five times their
# processor time. It must be said before NumPy is loaded, and is handed on to what tests start.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# Shared machines are slow at times and a check must give the same answer twice.
settings.register_profile("flexarm", deadline=None, derandomize=True, max_examples=50)
# By night there is time, and every night other examples: `make nightly`, or FLEXARM_TESTS=nightly pytest tests/model
settings.register_profile("nightly", deadline=None, max_examples=20_000)
settings.load_profile("nightly" if os.environ.get("FLEXARM_TESTS") == "nightly" else "flexarm")

# Files that take longest begin, so that no worker is left alone with one of them at the end (`--no-loadscope-reorder`).
LONGEST_FIRST = (
    *("papers/test_salinic", "analyses/test_spin_modes", "papers/test_hermite", "papers/test_naganathan"),
    *("oracles/test_paper_arms", "studies/test_cluster", "studies/test_killed", "core/test_sleeve_sweeps"),
    *("papers/test_lipinski", "analyses/test_brake", "analyses/test_brake_robust", "analyses/test_compare"),
    *("studies/test_rare_cluster", "oracles/test_hub_oracles", "cli/test_process", "core/test_sleeve_runs"),
    *("papers/test_hewang", "analyses/test_linear_analysis", "core/test_oracle_arms", "cli/test_warmup"),
    *("analyses/test_kernels_from_the_cache", "analyses/test_brake_arms", "analyses/test_formulations"),
    *("oracles/test_flexible_oracle", "analyses/test_space", "cli/test_studies", "cli/test_check"),
    *("analyses/test_library", "analyses/test_fmu"),
)

# A suite started in the background ignores Ctrl-C, and what it starts inherits that: tests that press it need it back.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN and threading.current_thread() is threading.main_thread():
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="module")
def no_error_estimates() -> Iterator[None]:
    """Runs without the estimate of their error, which repeats each with finer steps; for claims on the motion alone."""
    import flexarm.analyses.run.prepare  # noqa: F401
    from flexarm.analyses.run.error_estimate import Estimate

    module = sys.modules["flexarm.analyses.run.prepare"]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "tip_error", lambda *_: Estimate(None, "not known: not asked for"))
        yield


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the files that take longest first; the order is otherwise kept."""
    here = Path(__file__).parent
    turn = {here / f"{name}.py": k for k, name in enumerate(LONGEST_FIRST)}
    items.sort(key=lambda item: turn.get(item.path, len(turn)))
