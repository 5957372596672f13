"""Three seconds of an arm of two flexible links to the same error at the tip, beside Exudyn.

The error is that of the tip against the continuous beam, converged in mesh and time: what a package's mesh, its beam
theory and its steps each add to it counts alike. Shear and rotary inertia, which some elements leave out, move this tip
by 1.2e-6 m.

In the first row flexarm and Exudyn's cubic elements have four elements on each link, Exudyn's other forms as many as
they need. In the second every package takes the coarsest mesh that serves it.
"""

from benchmarks import ours, rival_exudyn
from benchmarks.candidate import Candidate
from benchmarks.contest import contest, judged, rms_distance_from
from benchmarks.rod_chain import converged_tip
from benchmarks.timing import ROUNDS
from benchmarks.two_link_case import ARM, ERROR_TARGET, SAMPLE_TIMES

TITLE = "Two flexible links, 3 s, tip within 1e-5 m of the continuous beam (RMS over the run)"
TARGET_RATIO = 1 / 20  # of Exudyn's time
FINE = (4, 4)  # elements of the two links
COARSE = ((2, 2), (2, 1), (1, 1))


def measure() -> dict:
    """Milliseconds of CPU time of the solver loop for both meshes, with error and settings."""
    meshes: dict[str, dict[str, list[Candidate]]] = {
        "4 elements a link": {
            ours.NAME: ours.two_link_candidates(FINE),
            rival_exudyn.NAME: [
                *rival_exudyn.two_link_cables(FINE),
                *rival_exudyn.two_link_alternatives(fine=True),
            ],
        },
        "the coarsest of use": {
            ours.NAME: [each for mesh in COARSE for each in ours.two_link_candidates(mesh)],
            rival_exudyn.NAME: [
                *(each for mesh in COARSE for each in rival_exudyn.two_link_cables(mesh)),
                *rival_exudyn.two_link_alternatives(fine=False),
            ],
        },
    }
    reference = converged_tip(ARM, SAMPLE_TIMES)
    rows = []
    for mesh, candidates in meshes.items():
        row = contest(candidates, rms_distance_from(reference), ERROR_TARGET, rounds=ROUNDS)
        rows.append({"mesh": mesh, **judged(row, ours.NAME, TARGET_RATIO)})
    return {"title": TITLE, "unit": "ms", "error_target_m": ERROR_TARGET, "target_ratio": TARGET_RATIO, "rows": rows}


def table(result: dict) -> list[list[str]]:
    """Rows of the readable table, heading first."""
    rows = [["mesh", "package", "CPU", "tip error", "settings", "times faster", f"target ≥ {1 / TARGET_RATIO:g}"]]
    for row in result["rows"]:
        for name, entry in row["packages"].items():
            verdict = ["", ""]
            if name == ours.NAME and "ratio" in row:
                verdict = [f"{1 / row['ratio']:.0f}", "met" if row["met"] else "missed"]
            if "cpu_ms" in entry:
                cells = [f"{entry['cpu_ms']:.2f} ms", f"{entry['error']:.1e} m", entry["settings"]]
            else:
                cells = ["–", "–", entry["not_measured"]]
            rows.append([row["mesh"], name, *cells, *verdict])
    return rows
