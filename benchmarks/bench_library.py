"""The cost of a period of 1 ms in C: two flexible links under their own commands, and on motors under PD control."""

import subprocess
import tempfile
from pathlib import Path

TITLE = "A period of 1 ms of two flexible links in the exported C library (µs of CPU time)"
ROOT = Path(__file__).parents[1]
TARGET = 10.0  # µs
ROUNDS = 7
# Runs the arm again and again, and prints the least time of a period (µs), with all outputs read or none.
DRIVER = """
#include "arm.h"
#include <stdio.h>
#include <time.h>
int main(void)
{
    static arm own;
    double y[ARM_OUTPUTS], least = 1e9;
    for (int round = 0; round < ROUNDS; round++) {
        if (arm_reset(&own) != 0)
            return 1;
        clock_t begin = clock();
        for (int k = 0; k < PERIODS; k++) {
#if ARM_INPUTS
            arm_read_all(&own, y);
            double q[2] = {AIM};
            arm_set(&own, 0, 200.0 * (q[0] - y[0]) - 40.0 * y[2]);
            arm_set(&own, 1, 60.0 * (q[1] - y[1]) - 10.0 * y[3]);
#endif
            if (arm_advance(&own, 1e-3) != 0)
                return 2;
            if (READS)
                arm_read_all(&own, y);
        }
        double taken = (double)(clock() - begin) / CLOCKS_PER_SEC * 1e6 / PERIODS;
        least = taken < least ? taken : least;
    }
    printf("%.4f\\n", least);
    return 0;
}
"""
# A smooth turn of both joints in a second, then rest.
AIM = "k < 1000 ? 0.6 * (k * 1e-3) * (k * 1e-3) * (3 - 2 * (k * 1e-3)) : 0.6, 0.5"


def period(folder: Path, periods: int, reads: bool) -> float:
    """The least time (µs) of a period of the library in a folder."""
    from flexarm.analyses.export.toolchain import toolchain

    tools, text, program = toolchain(), folder / "driver.c", folder / "driver"
    text.write_text(DRIVER)
    words = (f"-DPERIODS={periods}", f"-DROUNDS={ROUNDS}", f"-DREADS={int(reads)}", f"-DAIM={AIM}")
    tools.run(*tools.compiler, "-O2", *words, str(text), str(folder / "libarm.a"), "-lm", "-o", str(program))
    return float(subprocess.run([program], capture_output=True, text=True, check=True).stdout)


def measure() -> dict:
    """Microseconds of a period, and the size of the libraries (kB)."""
    import flexarm as fa

    own = fa.read_arm(ROOT / "examples" / "two_link.toml")
    motors = fa.read_arm(Path(__file__).parent / "arms" / "two_motors.toml")
    joints = ["upper arm", "forearm"]
    seen = [f"{joint}.{what}" for what in ("position", "rate") for joint in joints]
    driven = {"inputs": [f"{joint}.torque" for joint in joints], "outputs": seen, "period": "1 ms"}
    coarse = motors.changed(simulation=motors.simulation.changed(tolerance=1e-5))
    fixed = motors.changed(simulation=motors.simulation.changed(step=1e-3))
    cases = {
        "under its own commands": (own, {}, 3000, False),
        "under its own commands, points and torques read": (own, {}, 3000, True),
        "on motors, tolerance 1 µm": (motors, driven, 2000, False),
        "on motors, tolerance 10 µm": (coarse, driven, 2000, False),
        "on motors, a fixed step of a period": (fixed, driven, 2000, False),
    }
    rows = []
    for name, (arm, options, periods, reads) in cases.items():
        for level in ("native", "x86-64-v3", "x86-64"):
            with tempfile.TemporaryDirectory() as place:
                folder = Path(place) / "arm"
                fa.export(arm, folder, format="c", processor=level, **options)
                found = period(folder, periods, reads)
                size = (folder / "libarm.so").stat().st_size / 1e3
            rows.append({"name": name, "level": level, "microseconds": found, "kilobytes": size})
    return {"title": TITLE, "unit": "µs of CPU time per period", "target": TARGET, "rows": rows}


def table(result: dict) -> list[list[str]]:
    """Rows of text."""
    rows = [["arm", "processor", "a period", "target", "shared library"]]
    for row in result["rows"]:
        found = row["microseconds"]
        verdict = f"≤ {TARGET:.0f} µs, {'met' if found <= TARGET else 'missed'}"
        rows.append([row["name"], row["level"], f"{found:.2f} µs", verdict, f"{row['kilobytes']:.0f} kB"])
    return rows


if __name__ == "__main__":
    for line in table(measure()):
        print("  ".join(line))
