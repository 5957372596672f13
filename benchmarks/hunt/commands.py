"""Commands at random: a verb and some of its options, as the command line itself lists them."""

from __future__ import annotations

import random
from functools import cache
from typing import Any, NamedTuple

MODEL = "model.toml"
# Verbs about a model file; the others serve, print what never changes, or take minutes.
NOT_HUNTED = ("report", "view", "reproduce", "schema", "warmup")
STUDIES = ("montecarlo", "reliability", "sensitivity")
# What keeps a command short, unless other values are drawn.
SHORT: dict[str, tuple[str, ...]] = {
    "brake": ("--points", "5"),
    "campbell": ("--to", "20 rad/s", "--steps", "3"),
    "compare": ("--elements", "2,4"),
    "sweep": ("--vary", "link[0].length=0.5 m:1 m:3", "--outputs", "tip.x@end"),
    "workspace": ("--points", "3"),
    **dict.fromkeys(STUDIES, ("--samples", "16", "--workers", "1")),
}
# Options that leave this machine or take long whatever the model is.
LEFT_OUT = ("--cluster", "--help", "--optimum", "--samples", "--workers")
QUANTITIES = ("0", "-1", "1", "nan", "1 m", "1 mm", "1e30", "5 %", "1 s", "sideways", "")
TORQUES = ("60 N m", "1 N m", "0 N m", "{joint}=20 N m", "{joint}=5 N", "nobody=1 N m")
TIMES = ("0.1 s", "1 s", "0.01 s", "0.3 s", "1e-9 s", "-1 s", "0 s", "nan s", "1 m")
VALUES: dict[str, tuple[str, ...]] = {
    "--analysis": ("linear", "quasi-static", "nonlinear"),
    "--block": ("1", "10", "100"),
    "--chunk": ("1", "5", "100"),
    "--count": ("1", "2", "3", "50"),
    "--cov": ("0.5", "0.05", "0", "-1"),
    "--csv": ("table.csv", MODEL, "no/such/folder.csv"),
    "--difference": ("0.1", "1e-9", "10", "0"),
    "--elements": ("1", "2,4", "3", "0,2", "2,2", "two"),
    "--end": (*TIMES, "0.1 s", "0.1 s", "0.5 s"),
    "--estimator": ("martinez", "saltelli", "jansen", "mauntz-kucherenko", "guess"),
    "--evaluations": ("1", "10", "60"),
    "--family": ("knots", "switches", "both"),
    "--formulations": (
        *("hermite", "hermite:link", "hencky:euler,file", "file", "modes,timoshenko", "isoparametric"),
        *("rigid-fe,hencky", "modes:craig-bampton", "sideways"),
    ),
    "--free": ("{joint}", "nobody"),
    "--from": ("0", "0.1 s", "5 rad/s", "-3 rad/s", "0.4 s", "100 rad/s"),
    "--hold": ("end", "begin", "path", "sideways"),
    "--indices": ("indices.csv", MODEL),
    "--interval": ("1 ms", "0.1 s", "0 s", "1e-12 s"),
    "--joint": ("{joint}", "{joint}=-90 deg..90 deg", "{joint}=0..0.1", "{joint}=1..1", "nobody"),
    "--joints": ("locked", "free", "servo", "driven", "loose"),
    "--latest-stop": TIMES,
    "--laws": ("none", "cycloidal", "s-curve,trapezoidal-acceleration", "sideways"),
    "--levels": ("0.05,0.95", "0.5", "0,1", "2", ""),
    "--limit": ("0.2 mm", "1 m", "0 m", "-1 mm", "1e-12 m"),
    "--max-deceleration": ("4 rad/s^2", "{joint}=200 deg/s^2", "0 rad/s^2", "1 m/s^2"),
    "--max-duration": TIMES,
    "--max-rate": ("90 deg/s", "{joint}=1 rad/s", "0", "1 m/s"),
    "--max-steps": ("10", "100", "5000", "0", "1e4"),
    "--max-torque": TORQUES,
    "--method": ("plain", "lhs", "sobol", "form", "sorm", "importance", "subset", "guess"),
    "--modes": ("1", "2", "1,2", "0", "50"),
    "--orders": ("1", "4"),
    "--out": ("out.nc", "out.toml", MODEL, "no/such/folder.nc"),
    "--output": ("1 ms", "10 ms", "1 s", "0.3 s", "0 s"),
    "--outputs": (
        *("tip.x", "max(tip.deflection)", "residual(tip.y)", "tip.y@end", "settling(tip)", "{joint}.torque"),
        *("tip.x,tip.y", "nobody.x", "max(", ""),
    ),
    "--point": ("tip", "{point}", "nobody"),
    "--points": ("3", "4", "5", "2"),
    "--posture": ("{joint}=30 deg", "{joint}=0.1 m", "{joint}=0", "{joint}=1e9", "{joint}=nan", "nobody=1"),
    "--reference": ("hencky", "hermite", "modes", "file", "sideways"),
    "--report": ("page.html", "page.txt", MODEL),
    "--residual": ("across", "x", "y", "z", "1,0,1", "energy", "coordinate:{joint}", "0,0,0"),
    "--resolution": ("0.1 ms", "10 ms", "0 s", "1 s"),
    "--robust": ("payload=10 %", "stiffness=0.9..1.05", "length=1 %", "frequency=10 %", "payload=-1..2", "mass=1 %"),
    "--robust-by": ("worst", "mean", "best"),
    "--row": ("0", "3", "1000"),
    "--seed": ("0", "1", "7"),
    "--settling-tolerance": ("0.5 mm", "1 m", "0 m", "1e-15 m"),
    "--shapers": ("zv", "zvd,ei", "zvdd", "zv-simultaneous", "zvd-simultaneous", "sideways"),
    "--spectral-radius": ("0", "0.5", "1", "2", "-1"),
    "--spin": ("75 rpm", "{joint}=8 rad/s", "1e4 rad/s", "{joint}=1 m/s", "-5 rad/s"),
    "--start": ("rest", "static", "steady", "sideways"),
    "--step": ("0.25 s", "1 ms", "0.1 ms", "0 s", "10 s"),
    "--stepper": ("esdirk4", "newmark", "alpha"),
    "--steps": ("1", "2", "5"),
    "--study": ("study", MODEL),
    "--table": ("table.csv", MODEL),
    "--take": ("zv", "zvd", "unshaped", "nobody"),
    "--target": ("0.01", "1", "0", "-1"),
    "--times": ("0.05 s", "3", "0 s,0.1 s", "-1 s", "5"),
    "--to": ("20 rad/s", "0.5 s", "0.3 s", "1e4 rad/s", "0", "1 m"),
    "--tolerance": ("1 m", "1 mm", "1 um", "0.1 mm", "1e-3 um", "-1", "0"),
    "--vibration": ("0.05", "0.5", "0", "1"),
    "--wanted": ("0.9", "0.997", "1", "0", "2"),
    "--window": ("0.1 s", "envelope", "0 s", "1 s"),
    "--within": ("1 mm", "1 um", "0 m", "1 m"),
}


class Option(NamedTuple):
    """An option of a verb: its words on the command line, whether a value follows, whether it may come again."""

    words: tuple[str, ...]
    flag: bool
    multiple: bool


@cache
def options() -> dict[str, tuple[Option, ...]]:
    """The options of every verb that is hunted, from the command line itself."""
    import typer.main

    from flexarm.cli.app import application

    commands: Any = typer.main.get_command(application())
    return {
        verb: tuple(
            Option((*each.opts[:1], *each.secondary_opts[:1]), bool(each.is_flag), bool(each.multiple))
            for each in command.params
            if each.param_type_name == "option" and each.opts[0] not in (*LEFT_OUT, "--json")
        )
        for verb, command in commands.commands.items()
        if verb not in NOT_HUNTED
    }


def command(model: dict[str, Any], number: int, seed: int) -> list[str]:
    """The words of a command on the model file, a function of the number, the seed and the names in the model."""
    chance = random.Random(f"{seed}:{number}:command")
    verbs = sorted(options())
    if _is_random(model) and chance.random() < 0.5:
        verb = chance.choice(STUDIES)
    else:
        others = [verb for verb in verbs if verb not in STUDIES]
        verb = "simulate" if chance.random() < 0.4 else chance.choice(others)
    names = _names(model)
    drawn: list[str] = []
    # pages and tables take longer than most answers, so most commands do without
    for option in options()[verb]:
        if chance.random() > (0.05 if option.words[0] in ("--report", "--csv", "--check") else 0.15):
            continue
        for _ in range(2 if option.multiple and chance.random() < 0.3 else 1):
            drawn.append(chance.choice(option.words))
            if not option.flag:
                value = chance.choice(VALUES.get(option.words[0], QUANTITIES))
                drawn.append(value.format(**{key: chance.choice(known) for key, known in names.items()}))
    if verb == "simulate" and "--no-report" not in drawn and chance.random() < 0.9:
        drawn = [*(word for word in drawn if word != "--report"), "--no-report"]
    short = SHORT.get(verb, ())
    kept = [word for k in range(0, len(short), 2) if short[k] not in drawn for word in short[k : k + 2]]
    return [verb, MODEL, *kept, *drawn, *(("--json",) if chance.random() < 0.8 else ())]


def _is_random(model: Any) -> bool:
    """Whether there may be a distribution in the model."""
    from flexarm.model.reading.distributions import FAMILIES

    if isinstance(model, dict):
        return bool(set(model) & set(FAMILIES)) or any(_is_random(entry) for entry in model.values())
    return isinstance(model, list) and any(_is_random(entry) for entry in model)


def _names(model: dict[str, Any]) -> dict[str, list[str]]:
    """The names options may refer to."""

    def named(key: str) -> list[str]:
        tables = model.get(key)
        return [
            table["name"]
            for table in (tables if isinstance(tables, list) else ())
            if isinstance(table, dict) and isinstance(table.get("name"), str)
        ]

    return {"joint": named("link") or ["nobody"], "point": named("point") or ["tip"]}
