"""`flexarm warmup`: tiny arms through everything that is compiled."""

from flexarm.cli.verbs import warmup
from flexarm.cli.verbs.warmup import _KINDS, _WORK
from flexarm.core._jit import on_first_compile


def test_every_kind_of_arm_goes_through_every_piece_of_work_and_leaves_nothing_to_compile(call, monkeypatch):
    answer = call("warmup")
    assert (answer.code, answer.err) == (0, "")
    lines = answer.out.splitlines()
    assert len(lines) == len(_KINDS) * len(_WORK) + 1
    assert "they are kept in" in lines[-1]
    compiled = []
    on_first_compile(lambda: compiled.append("a kernel"))
    # other processes, those of other tests among them, may add kernels of theirs to the folder meanwhile
    monkeypatch.setattr(warmup, "kernel_files", lambda _: len(compiled))
    assert call("warmup").out.splitlines()[-1].startswith("all kernels were there already")
    assert compiled == []
