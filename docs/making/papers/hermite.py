"""Figures of the paper on the Hermitian element: links spun up and moved from rest to rest."""

from __future__ import annotations

from typing import Any

from docs.making.drawing import COLOURS, DASHES, FAINT, drawing
from docs.making.keeping import kept
from docs.making.measured import paper_rows

_MODELS = {
    "modes": "2: assumed modes",
    "isoparametric": "3: isoparametric elements",
    "n2": "4: two Hermitian elements",
    "plain": "5: four Hermitian elements",
}


def locking() -> str:
    """λ1 of a cantilever over its slenderness: four elements do not lock."""
    rows = [row for row in paper_rows("hermite") if row["id"].startswith("hermite.lambda1.")]
    spans = [int(row["id"].split(".s")[1].split(".")[0]) for row in rows]
    with drawing("hermite locking", height=2.6) as made:
        made.axes.semilogx(spans, [row["value"] for row in rows], "o-", label="4 elements")
        made.axes.axhline(3.5160153, color=COLOURS[2], ls="--", lw=1, label="slender beam, 3.5160")
        made.axes.set(xlabel="span over thickness", ylabel="ω₁ L² √(ρA/EI)")
        made.axes.legend(loc="lower right")
    return made.svg


def stiffened() -> str:
    """A link spun up: the printed model, which never stiffens, and the link as it is."""
    data = _spun()
    with drawing("hermite spin", height=2.8) as made:
        for k, (word, label) in enumerate((("plain", "as printed"), ("stiffened", "stiffened"))):
            made.axes.plot(data["time"], data[word], ls=DASHES[1 - k], color=COLOURS[1 - k], label=label)
        made.axes.axhline(0.0, color=FAINT, lw=0.8, zorder=1)
        made.axes.set(xlabel="time, s", ylabel="tip across the link, mm")
        made.axes.legend()
    return made.svg


def models(*words: str) -> str:
    """Figs. 2 to 5: the tip of the link that is spun up, by models."""
    data = _spun()
    with drawing(f"hermite models {' '.join(words)}", columns=len(words), height=2.6, sharey=True) as made:
        for word, place in zip(words, made.axes, strict=True):
            place.plot(data["time"], data[word], lw=1.2)
            place.set(xlabel="time, s", title=_MODELS[word])
        made.axes[0].set_ylabel("tip across the link, mm")
    return made.svg


def _spun() -> dict[str, Any]:
    def compute() -> dict[str, Any]:
        from flexarm.papers.hermite_links import spun
        from flexarm.papers.tip import across

        runs = {word: spun(word) for word in (*_MODELS, "stiffened")}
        tips = {word: (1e3 * across(run, "link")).tolist() for word, run in runs.items()}
        return {"time": runs["plain"].time.tolist(), **tips}

    return kept("gallery hermite spun", compute)


def spans() -> str:
    """Fig. 6: the largest displacement of the tip over span by thickness."""
    rows = [row for row in paper_rows("hermite") if row["id"].startswith("hermite.rest.max_tip_whole_mm.")]
    ratios = [int(row["id"].rpartition(".s")[2]) for row in rows]
    with drawing("hermite spans", height=2.6) as made:
        made.axes.plot(ratios, [row["value"] for row in rows], "o-")
        for ratio, row in zip(ratios, rows, strict=True):
            made.axes.annotate(
                f"{row['value']:.3g}", (ratio, row["value"]), xytext=(0, 6), textcoords="offset points", ha="center"
            )
        made.axes.set(xlabel="span over thickness", ylabel="largest tip displacement, mm", ylim=(-1, 28))
    return made.svg


def rest() -> str:
    """Fig. 7: the tip of a link of 0.9 m moved from rest to rest."""
    data = kept("gallery hermite rest", _rest)
    with drawing("hermite rest", height=2.6) as made:
        made.axes.plot(data["time"], data["tip"], lw=1.2)
        for t in (0.1, 0.2):
            made.axes.axvline(t, color=FAINT, lw=1, zorder=1)
        made.axes.set(xlabel="time, s", ylabel="tip across the link, mm")
    return made.svg


def _rest() -> dict[str, Any]:
    from flexarm.analyses.run.simulate import simulate
    from flexarm.papers.files import paper_arm
    from flexarm.papers.tip import across

    run = simulate(paper_arm("hermite_link.toml"))
    return {"time": run.time.tolist(), "tip": (1e3 * across(run, "link")).tolist()}
