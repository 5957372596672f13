"""`simulate --signals`: the end and the extremes of chosen signals."""

from __future__ import annotations

import json
import math

from tests.cli.conftest import EXAMPLES, call  # noqa: F401

PENDULUM = str(EXAMPLES / "pendulum.toml")


def test_extremes_of_a_signal_are_those_of_the_run(call):  # noqa: F811
    import flexarm as fa

    done = call("simulate", PENDULUM, "--no-report", "--end", "1 s", "--signals", "tip.y, tip.x_rate", "--json")
    assert done.code == 0, done.err
    found = json.loads(done.out)["signals"]
    run = fa.simulate(PENDULUM, end="1 s")
    assert list(found) == ["tip.y", "tip.x_rate"]
    assert found["tip.x_rate"]["unit"] == "m/s"
    assert found["tip.y"]["end"] == run["tip.y"][-1]
    # between samples the extremes reach a little further, never less far
    reach = max(run["tip.y"])
    assert reach <= found["tip.y"]["greatest"] <= reach + 1e-3 * (reach - min(run["tip.y"]))
    assert math.isclose(found["tip.y"]["greatest_at_s"], run.time[run["tip.y"].argmax()], abs_tol=run.time[1])


def test_the_text_has_a_line_for_each(call):  # noqa: F811
    done = call("simulate", PENDULUM, "--no-report", "--end", "1 s", "--signals", "tip.y")
    assert "Signals\n  tip.y   from " in done.out


def test_a_signal_that_is_not_known_is_refused_before_the_run(call, tmp_path):  # noqa: F811
    kept = tmp_path / "run.nc"
    done = call("simulate", PENDULUM, "--no-report", "--out", str(kept), "--signals", "tip.why")
    assert done.code == 2
    assert 'the output "tip.why" is not known' in done.err
    assert not kept.exists()
