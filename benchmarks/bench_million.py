"""A million samples of a beam on a hub, from the model file to the stored table, on two cores."""

import json
import subprocess
import sys
from pathlib import Path

TITLE = "A million samples on two cores"
MODEL = Path(__file__).parents[1] / "flexarm" / "papers" / "hewang_random.toml"
SAMPLES, WORKERS = 1_000_000, 2
TARGETS = {"seconds": 60, "megabytes": 500}
_RUN = """
import json, sys, resource, time
import flexarm as fa
began = time.perf_counter()
outputs = ("tip.x@end", "tip.y@end")
fa.montecarlo(fa.read_study(sys.argv[1]), samples=int(sys.argv[2]), outputs=outputs, workers=int(sys.argv[3]))
used = resource.getrusage(resource.RUSAGE_SELF)
# ru_maxrss would begin with the memory of the process that started this one
peak = next(line.split()[1] for line in open("/proc/self/status") if line.startswith("VmHWM"))
told = {"wall": time.perf_counter() - began, "cpu": used.ru_utime + used.ru_stime, "megabytes": int(peak) / 1024}
print(json.dumps(told))
"""


def measure() -> dict:
    """Wall and CPU seconds and the peak of the memory, in a process of its own; kernels are compiled before."""
    _told(1000)
    return {"title": TITLE, "samples": SAMPLES, "workers": WORKERS, "targets": TARGETS, **_told(SAMPLES)}


def _told(samples: int) -> dict:
    words = [sys.executable, "-c", _RUN, str(MODEL), str(samples), str(WORKERS)]
    return json.loads(subprocess.run(words, check=True, capture_output=True, text=True).stdout)


def table(result: dict) -> list[list[str]]:
    """Rows of the readable table, heading first."""
    return [
        ["samples", "cores", "wall (s)", "CPU (s)", "peak memory (MB)"],
        [
            f"{result['samples']:.0e}",
            str(result["workers"]),
            f"{result['wall']:.1f}",
            f"{result['cpu']:.1f}",
            f"{result['megabytes']:.0f}",
        ],
    ]
