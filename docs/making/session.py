"""The commands and Python blocks of one page, run in order in one folder beside copies of the examples.

A block's output is kept under all blocks up to it, so nothing is run while nothing changes; where one must run, those
before it run first, because it may need their files and names.
"""

from __future__ import annotations

import ast
import contextlib
import io
import os
import pty
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import traceback
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from docs.making.keeping import ROOT, kept

WORK = ROOT / "build" / "docs-work"
SECONDS_ALLOWED = 3600.0  # of one command: a slow machine must not fail the build, a hanging one must end
COLUMNS = 94


class BlockFailed(Exception):
    """A command or a block of Python in a page that did not do what it says."""


class Block(NamedTuple):
    """What stands in a page: "shell", "terminal" (the same before somebody's eyes), "python" or "display" (Python whose
    last line is shown as a notebook would), its text, the exit code it must have and the files it leaves.
    """

    kind: str
    text: str
    code: int = 0
    files: tuple[str, ...] = ()


class Session:
    """The blocks of one page."""

    def __init__(self, page: str) -> None:
        # side by side: the page of a folder must not clear away those in it, which may be at work
        self.folder = WORK / page.replace("/", "-of-")
        self._blocks: list[Block] = []
        self._done = 0
        self._names: dict[str, Any] = {"__name__": "__main__"}

    def result(self, block: Block) -> dict[str, Any]:
        """What the block gives: `outputs`, one text per command, and `files`, the text of each file asked for."""
        self._blocks.append(block)
        found: dict[str, Any] = kept(repr(self._blocks), self._catch_up)
        return found

    def _catch_up(self) -> dict[str, Any]:
        if self._done == 0:
            self._begin()
        found: dict[str, Any] = {}
        while self._done < len(self._blocks):
            found = self._run(self._blocks[self._done])
            self._done += 1
        return found

    def _begin(self) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)
        shutil.copytree(ROOT / "examples", self.folder, ignore=shutil.ignore_patterns("__pycache__"))
        # `flexarm` on the path is this very flexarm, installed or not.
        shims = self.folder / ".bin"
        shims.mkdir()
        for name, words in (("flexarm", "-m flexarm "), ("python", "")):
            shim = shims / name
            shim.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} {words}"$@"\n')
            shim.chmod(0o755)

    def _run(self, block: Block) -> dict[str, Any]:
        outputs = self._shell(block) if block.kind in ("shell", "terminal") else [self._python(block)]
        files = {}
        for name in block.files:
            path = self.folder / name
            if not path.exists():
                raise BlockFailed(f"{block.text}\nleft no file {name}")
            files[name] = path.read_text(encoding="utf-8")
        return {"outputs": outputs, "files": files}

    def _shell(self, block: Block) -> list[str]:
        return [self._command(line, block.code, block.kind == "terminal") for line in commands(block.text)]

    def _command(self, line: str, code: int, seen: bool) -> str:
        settings = os.environ | {
            "PATH": f"{self.folder / '.bin'}{os.pathsep}{os.environ.get('PATH', '')}",
            "PYTHONPATH": str(ROOT),
            "OPENBLAS_NUM_THREADS": "1",
            "COLUMNS": str(COLUMNS),
            "NO_COLOR": "1",
            "PYTHONIOENCODING": "utf-8",
        }
        words = ["bash", "-o", "pipefail", "-c", line]
        if seen:
            done = _before_a_terminal(words, self.folder, settings | {"TERM": "dumb"})
        else:
            done = subprocess.run(
                words,
                cwd=self.folder,
                env=settings,
                capture_output=True,
                text=True,
                timeout=SECONDS_ALLOWED,
                check=False,
            )
        if done.returncode != code:
            raise BlockFailed(f"$ {line}\nended with {done.returncode}, not {code}\n{done.stdout}{done.stderr}")
        # whoever types the command sees which files it wrote; how long compilation took is another machine's
        told = "".join(f"{each}\n" for each in done.stderr.splitlines() if each.startswith("wrote "))
        return done.stdout + told if done.stdout or not code else done.stderr

    def _python(self, block: Block) -> str:
        said = io.StringIO()
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
        try:
            with contextlib.chdir(self.folder), contextlib.redirect_stdout(said):
                lines = ast.parse(block.text)
                last = lines.body.pop() if block.kind == "display" else None
                exec(compile(lines, "<page>", "exec"), self._names)
                if last is not None:
                    assert isinstance(last, ast.Expr), "the last line is not an expression"
                    value = eval(compile(ast.Expression(last.value), "<page>", "eval"), self._names)
                    return str(value._repr_html_())
        except Exception:
            raise BlockFailed(f"{block.text}\n{traceback.format_exc()}") from None
        return said.getvalue()


def _before_a_terminal(
    words: Sequence[str], folder: Path, settings: dict[str, str]
) -> subprocess.CompletedProcess[str]:
    """What a command does whose stdout is a terminal."""
    ours, theirs = pty.openpty()
    with tempfile.TemporaryFile() as errors:
        process = subprocess.Popen(words, cwd=folder, env=settings, stdout=theirs, stderr=errors)
        os.close(theirs)
        told = b""
        # a terminal whose last program has gone cannot be read
        with contextlib.suppress(OSError):
            while part := os.read(ours, 65536):
                told += part
        os.close(ours)
        code = process.wait(SECONDS_ALLOWED)
        errors.seek(0)
        said = errors.read().decode()
    return subprocess.CompletedProcess(words, code, told.decode().replace("\r\n", "\n"), said)


def commands(text: str) -> Sequence[str]:
    """The commands of a block, one per line; one that ends in a backslash goes on in the next."""
    lines = re.split(r"(?<!\\)\n", text)
    return [line.removeprefix("$ ").strip() for line in lines if line.strip()]
