"""A comparison in plain text: the reference, a table of all runs, one of all models, and the recommendation."""

import textwrap
from collections.abc import Sequence

from flexarm.results.beam_models import beam_rows, beams_of
from flexarm.results.comparison import Comparison, ModelRun, ModelTrend
from flexarm.results.engineering import aligned, digits, is_number, percent, plural, quantity

_WIDTH = 100
_NONE = "–"
# Relative errors are printed from a hundredth of a per cent up to 100 %.
_LEAST, _MOST = 1e-4, 1.0


def format_summary(found: Comparison) -> str:
    """The whole summary, 100 columns wide."""
    notes = _Notes()
    runs, models = _runs(found, notes), _models(found)
    head = f"{found.arm_name}: {plural(len(found.trends), 'model')} of its flexible links versus a converged reference"
    if not found.complete:
        head += f", interrupted after {len(found.rows)} of {found.wanted} runs"
    parts = [f"{head}\n  {_what_was_run(found)}", _reference(found), runs]
    if notes.sentences:
        parts.append("\n".join(_hanging(f"  [{index + 1}] ", text) for index, text in enumerate(notes.sentences)))
    parts.append(models)
    parts += [_filled(note) for note in found.notes]
    parts.append("\n".join(_hanging(f"  {word}: ", text) for word, text in beam_rows(beams_of(found.arm))))
    parts.append(_recommendation(found))
    return "\n\n".join(part for part in parts if part)


class _Notes:
    """Sentences of several rows, without repetition."""

    def __init__(self) -> None:
        self.sentences: list[str] = []

    def mark(self, sentences: Sequence[str]) -> str:
        """The numbers of the sentences in brackets."""
        for sentence in sentences:
            if sentence not in self.sentences:
                self.sentences.append(sentence)
        return "".join(f"[{self.sentences.index(sentence) + 1}]" for sentence in sentences)


def _what_was_run(found: Comparison) -> str:
    allowed = "as given" if found.tolerance_given else "1 % of the greatest deflection"
    return (
        f"0 to {found.end:.6g} s, {found.analysis}; the tip's path is to be kept to "
        f"{quantity(found.tolerance, 'm', 3)}, {allowed}"
    )


def _reference(found: Comparison) -> str:
    """How the reference came about, and its values."""
    reference = found.reference
    chains = f"{reference.elements[0]} to {reference.elements[-1]} elements a link"
    if reference.order is not None:
        how = f"{reference.model}, {chains}, led to its limit by the order of {digits(reference.order, 2)} it shows"
    else:
        how = f"{reference.model}, {chains}"
    sentences = [f"{how}; its own error is about {quantity(reference.error, 'm', 2)}"]
    if reference.agrees is not None and reference.agrees_to is not None:
        counted = f"{reference.agrees} {reference.agrees_elements}"
        sentences.append(f"{counted}, another formulation, agrees to {quantity(reference.agrees_to, 'm', 2)}")
    values = [f"greatest deflection {quantity(reference.peak_deflection, 'm')}"]
    if reference.residual is not None and reference.rest is not None:
        values.append(f"residual vibration ±{quantity(reference.residual, 'm')} after {digits(reference.rest)} s")
    if reference.frequencies_hz:
        shown = ", ".join(digits(frequency) for frequency in reference.frequencies_hz)
        values.append(f"frequencies {shown} Hz")
    lines = [("reference", sentences), ("its values", values)]
    return "\n".join(_hanging(f"  {label:<12}", "; ".join(texts)) for label, texts in lines)


def _runs(found: Comparison, notes: _Notes) -> str:
    """One line per run; meshes of one model that fail alike share one."""
    rows = [["model", "n", "coord.", "tip path", "peak", "residual", "freq.", "CPU", "verdict"]]
    last: str | None = None
    index = 0
    while index < len(found.rows):
        row = found.rows[index]
        until = index + 1
        if row.status != "ok":
            while until < len(found.rows) and _alike(found.rows[until], row):
                until += 1
        counts = [each.elements for each in found.rows[index:until]]
        shown = _count(counts[0]) if len(counts) == 1 else f"{_count(counts[0])}–{_count(counts[-1])}"
        verdict = _verdict(row, notes, index == found.recommended)
        name = row.model if row.model != last else ""
        rows.append([name, shown, *_figures(row), verdict])
        last, index = row.model, until
    legend = "  n: elements a link (of modes: modes a direction); coord.: elastic coordinates of the arm"
    return f"{aligned(rows, right=range(1, 8), gap='  ')}\n{legend}"


def _alike(one: ModelRun, other: ModelRun) -> bool:
    return (one.model, one.status, one.reason) == (other.model, other.status, other.reason)


def _figures(row: ModelRun) -> list[str]:
    if row.status != "ok":
        return [_NONE] * 6
    return [
        str(row.coordinates),
        quantity(row.tip_error, "m", 2) if row.tip_error is not None else _NONE,
        _percent(row.peak_error),
        _percent(row.residual_error),
        _percent(row.frequency_error),
        quantity(row.cpu_seconds, "s", 2) if row.cpu_seconds is not None else _NONE,
    ]


def _verdict(row: ModelRun, notes: _Notes, best: bool) -> str:
    if row.status != "ok":
        return f"{row.status} {notes.mark([row.reason or 'for no known reason'])}"
    if row.outside:
        return f"outside {notes.mark([each.sentence for each in row.outside])}"
    if best:
        return "recommended"
    return "keeps it" if row.keeps else "misses it"


def _models(found: Comparison) -> str:
    """One line per model that ran."""
    cost = quantity(found.equal_cost, "s", 2) if found.equal_cost is not None else "none"
    rows = [["model", "order", f"tip path at equal cost, {cost}", "cheapest that keeps it"]]
    ran = {row.model for row in found.rows if row.status == "ok"}
    for trend in found.trends:
        if trend.model in ran:
            rows.append([trend.model, _order(trend), _length(trend.error_at_equal_cost), _cheapest(found, trend)])
    if len(rows) == 1:
        return "  no model could be run"
    return aligned(rows, right=(2,), gap="  ")


def _order(trend: ModelTrend) -> str:
    if trend.levels_off is not None:
        return f"levels off at {quantity(trend.levels_off, 'm', 2)}"
    return digits(trend.order, 2) if trend.order is not None else _NONE


def _cheapest(found: Comparison, trend: ModelTrend) -> str:
    if trend.cheapest is None:
        return "none"
    row = found.rows[trend.cheapest]
    return f"n = {_count(row.elements)}, {quantity(row.cpu_seconds or 0.0, 's', 2)}"


def _recommendation(found: Comparison) -> str:
    best = found.best
    text = _filled(found.advice)
    if best is None or not best.toml:
        return text
    return text + "\n\n" + "\n".join(f"    {line}" for line in best.toml)


def _count(elements: int | None) -> str:
    return _NONE if elements is None else str(elements)


def _length(value: float | None) -> str:
    return _NONE if value is None else quantity(value, "m", 2)


def _percent(value: float | None) -> str:
    if not is_number(value):
        return _NONE
    if value < _LEAST:
        return "< 0.01 %"
    return "> 100 %" if value > _MOST else percent(value, 2)


def _hanging(label: str, text: str) -> str:
    return textwrap.fill(text, _WIDTH, initial_indent=label, subsequent_indent=" " * len(label))


def _filled(text: str) -> str:
    return textwrap.fill(text, _WIDTH)
