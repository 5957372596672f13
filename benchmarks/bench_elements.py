"""Forward dynamics of beams: what an element costs beside a rigid body, whether cost grows with number alone, and three
links of few coordinates beside Pinocchio.
"""

from functools import partial
from typing import TypeVar

from benchmarks import ours, rival_pinocchio
from benchmarks.chains import flat_chain, random_chain
from benchmarks.ours import BeamChain
from benchmarks.timing import cpu_seconds, least_seconds

Key = TypeVar("Key")

TITLE = "Forward dynamics (`aba`) of flexible links, one evaluation"
ELEMENTS = 200
COUNTS = (10, 100, 1000)
COORDINATES_PER_ROUND = 100_000  # so that a round takes tens of milliseconds, far above the clock's grain
RIVAL_BODIES = 13
LINKS, MODES = 3, 4

BENDING, TWISTING, STRETCHING = ("bending",), ("bending", "torsion"), ("bending", "torsion", "axial")
# Times a rigid body on a revolute joint, for the deformations an element has by default and for all of them.
TARGET_ELEMENT = {
    "plane": {"bending": 3.0, "bending, stretch": 3.0},
    "space": {"bending, torsion": 5.0, "bending, torsion, stretch": 5.0},
}
# Three links of four coordinates in 5 µs where Pinocchio's thirteen bodies take 5.5 µs.
TARGET_LINKS = 5.0 / 5.5

ELEMENT_CASES = {
    "plane": {"bending": BENDING, "bending, stretch": ("bending", "axial")},
    "space": {"bending": BENDING, "bending, torsion": TWISTING, "bending, torsion, stretch": STRETCHING},
}


def measure() -> dict:
    """CPU time per evaluation (µs) and per element or body (ns), in three groups of rows."""
    rows = [
        row for kind in ELEMENT_CASES for group in (_against_rigid, _by_number, _link_frames) for row in group(kind)
    ]
    return {"title": TITLE, "unit": "ns", "rows": rows}


def _times(chains: dict[Key, BeamChain]) -> dict[Key, tuple[float, int]]:
    """CPU seconds of one evaluation and number of coordinates of every chain, in the same rounds."""
    contenders, calls, counts = {}, {}, {}
    for name, chain in chains.items():
        run, counts[name] = ours.prepare_beam_aba(chain)
        calls[name] = max(COORDINATES_PER_ROUND // counts[name], 1)
        contenders[name] = partial(cpu_seconds, partial(run, calls[name]))
    least = least_seconds(contenders)
    return {name: (seconds / calls[name], counts[name]) for name, seconds in least.items()}


def _row(kind: str, what: str, seconds: float, pieces: int) -> dict:
    return {"kind": kind, "what": what, "cpu_us": 1e6 * seconds, "pieces": pieces, "each_ns": 1e9 * seconds / pieces}


def _against_rigid(kind: str) -> list[dict]:
    """Elements beside the bodies of a chain of rigid finite elements, one body to each of its joints."""
    planar = kind == "plane"
    chains = {"rigid": BeamChain(planar, "rigid-fe", ELEMENTS)}
    for words, freedoms in ELEMENT_CASES[kind].items():
        chains[words] = BeamChain(planar, "hermite", ELEMENTS, freedoms)
    times = _times(chains)
    seconds, bodies = times.pop("rigid")
    rows = [_row(kind, "rigid body on a revolute joint", seconds, bodies)]
    for words, (element_seconds, _) in times.items():
        row = _row(kind, f"hermite element, {words}", element_seconds, ELEMENTS)
        row["ratio"] = row["each_ns"] / rows[0]["each_ns"]
        if words in TARGET_ELEMENT[kind]:
            row["target"] = TARGET_ELEMENT[kind][words]
            row["met"] = row["ratio"] <= row["target"]
        rows.append(row)
    return rows


def _by_number(kind: str) -> list[dict]:
    """The cost of an element in links of ten to a thousand, as a multiple of that in the shortest."""
    cases = [(words, each) for words, each in ELEMENT_CASES[kind].items() if words in TARGET_ELEMENT[kind]]
    chains = {(words, n): BeamChain(kind == "plane", "hermite", n, each) for words, each in cases for n in COUNTS}
    times = _times(chains)
    rows = []
    for words, _ in cases:
        group = [_row(kind, f"hermite element of {n}, {words}", times[words, n][0], n) for n in COUNTS]
        rows += [{**row, "ratio": row["each_ns"] / group[0]["each_ns"]} for row in group]
    return rows


def _link_frames(kind: str) -> list[dict]:
    """Three links with one frame and four coordinates each, beside Pinocchio's rigid bodies."""
    planar = kind == "plane"
    chain = BeamChain(planar, "hermite", 8, BENDING, links=LINKS, modes=MODES)
    run, _ = ours.prepare_beam_aba(chain)
    bodies = rival_pinocchio.prepare_aba(flat_chain(RIVAL_BODIES) if planar else random_chain(RIVAL_BODIES))
    bodies(1)  # its first, cold call; the other's was when it was prepared
    calls = COORDINATES_PER_ROUND // (LINKS * (MODES + 1))
    contenders = {"links": run, "bodies": bodies}
    least = least_seconds({name: partial(cpu_seconds, partial(each, calls)) for name, each in contenders.items()})
    rival = _row(kind, f"Pinocchio, {RIVAL_BODIES} rigid bodies", least["bodies"] / calls, RIVAL_BODIES)
    row = _row(kind, f"{LINKS} link frames of {MODES} coordinates", least["links"] / calls, LINKS)
    row |= {"ratio": row["cpu_us"] / rival["cpu_us"], "target": TARGET_LINKS}
    return [rival, {**row, "met": row["ratio"] <= row["target"]}]


def table(result: dict) -> list[list[str]]:
    """Rows of the readable table, heading first."""
    rows = [["arm", "what", "evaluation", "each", "ratio", "target"]]
    for row in result["rows"]:
        ratio = f"{row['ratio']:.2f}" if "ratio" in row else ""
        verdict = f"≤ {row['target']:.2g}, {'met' if row['met'] else 'missed'}" if "met" in row else ""
        rows.append([row["kind"], row["what"], f"{row['cpu_us']:.2f} µs", f"{row['each_ns']:.0f} ns", ratio, verdict])
    return rows
