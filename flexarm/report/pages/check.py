"""The page of checked model files: what each arm is made of, how it stands, its frequencies, and every mistake."""

from __future__ import annotations

from typing import Any

from flexarm.errors import FlexarmError
from flexarm.model import Arm, parse_arm
from flexarm.report.arm.still import posed_arm
from flexarm.report.page import Axis, Bars, Figure, Listing, Number, Page, Paragraphs, Section, Table
from flexarm.report.result_data import Data, beam_table, data_of, inputs, number, parameter_table, sentence
from flexarm.report.result_page import result_page
from flexarm.report.specification import slug
from flexarm.results.engineering import digits, plural, quantity
from flexarm.results.posture import shown
from flexarm.results.servo_summary import servo_line, tuning_line

_SHOWN_SWITCHES = 6


def page_of(result: Any, source: str = "") -> Page:
    """The page of what `flexarm check` found: `checked`, one entry per file; `versions`."""
    data = data_of(result)
    files = list(data["checked"])
    sound = [each for each in files if each["sound"]]
    if len(files) == 1 and sound:
        sections = [*_arm(files[0], alone=True), inputs({"model": files[0]["model"], "versions": data.get("versions")})]
        title, numbers = str(files[0]["name"]), _numbers(files[0])
        lead = f"The model file is valid: {_describe(files[0])}."
    else:
        sections = [_overview(files)] if len(files) > 1 else []
        for each in files:
            sections += _arm(each, alone=False) if each["sound"] else [_mistakes(each)]
        sections.append(inputs({"versions": data.get("versions")}))
        title = "Model files" if len(files) > 1 else str(files[0]["model"])
        numbers = [Number("Valid", f"{len(sound)} of {len(files)}", "model files")]
        lead = f"{plural(len(files), 'model file')}, {len(sound)} of them valid."
    broken = [str(each["model"]) for each in files if not each["sound"]]
    return result_page(
        "check",
        data,
        sections,
        lead,
        numbers,
        source,
        title=title,
        failure=f"Not valid: {', '.join(broken)}." if broken else "",
    )


def _describe(facts: Data) -> str:
    kind = "a planar arm" if facts["planar"] else "an arm in space"
    return f"{kind} with {plural(len(facts['links']), 'link')} and {plural(len(facts['joints']), 'joint')}"


def _numbers(facts: Data) -> list[Number]:
    found = [number("Mass", facts["mass_kg"], "kg", "with hubs and payloads")]
    found.append(number("Length", sum(link["length_m"] for link in facts["links"]), "m", "of all links together"))
    elastic = facts["elastic_coordinates"]
    found.append(Number("Coordinates", str(len(facts["joints"]) + elastic), f"{elastic} of them elastic"))
    if facts.get("frequencies_hz"):
        found.append(number("Lowest frequency", facts["frequencies_hz"][0], "Hz", "all joints locked"))
    return found


def _overview(files: list[Data]) -> Section:
    rows = []
    for each in files:
        if each["sound"]:
            lowest = (each.get("frequencies_hz") or [None])[0]
            shown = "–" if lowest is None else f"{digits(lowest)} Hz"
            rows.append([each["model"], each["name"], quantity(each["mass_kg"], "kg"), shown, "valid"])
        else:
            rows.append([each["model"], "–", "–", "–", plural(len(each["problems"]), "mistake")])
    return Section("Files", [Table(("file", "arm", "mass", "lowest frequency", ""), rows)])


def _mistakes(answer: Data) -> Section:
    rows = [(each["place"] or "–", sentence(each["message"])) for each in answer["problems"]]
    return Section(f"Mistakes in {answer['model']}", [Table(("path", "mistake"), rows)])


def _arm(facts: Data, *, alone: bool) -> list[Section]:
    """The sections of one arm; of several each in one section of its own."""
    found = {
        "The arm": [*_drawn(facts), *_bars(facts)],
        "Links": [_links(facts), *beam_table(facts.get("beams") or ())],
        "Drives and commands": [*_drives(facts), *_commands(facts), *_loads(facts)],
        "Frequencies": _frequencies(facts),
        "Random numbers": parameter_table(facts.get("random") or ()),
        "Settings": [*_settings(facts)],
        "Model file": [Listing("Model file", facts["input"], f"{slug(str(facts['name']))}.toml")]
        if facts.get("input")
        else [],
    }
    if alone:
        return [Section(title, parts) for title, parts in found.items()]
    parts = [part for each in found.values() for part in each]
    return [Section(f"{facts['name']} ({facts['model']})", parts, f"{sentence(_describe(facts))}")]


def _drawn(facts: Data) -> list[Any]:
    """The arm as it stands, from its model file."""
    if not facts.get("input"):
        return []
    try:
        arm: Arm = parse_arm(facts["input"], name=str(facts["model"]))
    except FlexarmError:
        return []
    return [posed_arm(arm, "Unbent, every joint where it starts.")]


def _bars(facts: Data) -> list[Figure]:
    """Where the mass is, if there is more than one link."""
    if len(facts["links"]) < 2:
        return []
    names, masses = [link["name"] for link in facts["links"]], [link["mass_kg"] for link in facts["links"]]
    marks = [Bars("mass", masses, labels=names, colour=0)]
    return [Figure("Mass of the links", Axis("link"), Axis("mass", "kg"), marks, "With hubs and payloads.")]


def _links(facts: Data) -> Table:
    rows = []
    for link in facts["links"]:
        model = "–"
        if link.get("formulation"):
            fine = f"{link['modes']} modes" if "modes" in link else f"{link['elements']} elements"
            model = f"{link['formulation']}, {fine}"
        at = shown(link["at"], link["at_unit"]) if "at" in link else "–"
        mass, length = quantity(link["mass_kg"], "kg"), quantity(link["length_m"], "m")
        rows.append([link["name"], link["on"], link["joint"], at, link["body"], model, length, mass])
    return Table(("link", "on", "joint", "at", "body", "model", "length", "mass"), rows)


def _drives(facts: Data) -> list[Any]:
    """What stands between law and link, of the joints that move."""
    rows = []
    for link in facts["links"]:
        if link["joint"] == "fixed":
            continue
        parts = []
        servo = link.get("servo")
        if servo:
            parts.append(f"servo: {servo_line(servo)}")
            tuned = tuning_line(servo)
            if tuned:
                parts.append(f"tuned: {tuned}")
        if "felt_inertia" in link:
            parts.append(f"motor, inertia {digits(link['felt_inertia'])}, friction {digits(link['felt_friction'])}")
        if "gear" in link:
            parts.append(
                f"gear, stiffness {digits(link['gear']['stiffness'])}, damping {digits(link['gear']['damping'])}"
            )
        rows.append([link["name"], link["drive"], "; ".join(parts) or "–"])
    why = facts.get("servo_tuning")
    tuning: list[Any] = [Paragraphs([sentence(f"tuning: {why}")])] if why else []
    return [Table(("joint", "drive", "between law and link (SI)"), rows), *tuning] if rows else []


def _commands(facts: Data) -> list[Table]:
    rows = []
    for each in facts["commands"]:
        times = [f"{time:.6g}" for time in each["switches_s"]]
        more = ", …" if len(times) > _SHOWN_SWITCHES else ""
        rows.append([each["law"], each["kind"], each["drives"], ", ".join(times[:_SHOWN_SWITCHES]) + more or "never"])
    return [Table(("law", "kind", "drives", "switches, s"), rows)] if rows else []


def _loads(facts: Data) -> list[Table]:
    rows = [
        [
            load["link"],
            ", ".join(f"{x:.6g}" for x in load["force_n"]),
            ", ".join(f"{x:.6g}" for x in load["moment_n_m"]),
        ]
        for load in facts["loads"]
    ]
    return [Table(("load on", "force x, y, z in N", "moment x, y, z in N m"), rows)] if rows else []


def _frequencies(facts: Data) -> list[Any]:
    found = facts.get("frequencies_hz")
    if found is None:
        return []
    if not found:
        return [Paragraphs(["No link is flexible, so there are no frequencies."])]
    rows = [(str(k + 1), f"{digits(f, 5)} Hz", quantity(1.0 / f, "s") if f > 0.0 else "–") for k, f in enumerate(found)]
    bars = Bars("frequency", found, labels=[str(k + 1) for k in range(len(found))], colour=0)
    table = Table(("mode", "frequency", "period"), rows, words="All joints locked in their initial positions.")
    return [table, Figure("Frequencies", Axis("mode"), Axis("frequency", "Hz"), [bars])]


def _settings(facts: Data) -> list[Table]:
    gravity = ", ".join(f"{part:.6g}" for part in facts["gravity_m_s2"])
    rows = [("gravity x, y, z in m/s²", gravity), ("points", ", ".join(facts["points"]) or "none")]
    rows += [
        (key.replace("_", " "), f"{value:.6g}" if isinstance(value, float) else str(value))
        for key, value in facts["simulation"].items()
    ]
    return [Table(("", ""), rows)]
