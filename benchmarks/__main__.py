"""Run the benchmarks: `python -m benchmarks [NAME …] [--json FILE] [--markdown FILE]`."""

import argparse
import importlib
import json
import sys
from pathlib import Path

from benchmarks.machine import machine
from benchmarks.page import page

BENCHES = {
    "startup": "bench_startup",
    "aba": "bench_aba",
    "elements": "bench_elements",
    "planar": "bench_planar_case",
    "two_link": "bench_two_link",
    "spinup": "bench_spin_up",
    "studies": "bench_studies",
    "store": "bench_store",
    "cluster": "bench_cluster",
    "lanes": "bench_lanes",
    "million": "bench_million",
    "stacked": "bench_stacked",
    "hub-lanes": "bench_hub_lanes",
    "spinup-rival": "bench_spin_up_rival",
    "brake": "bench_brake",
    "orders": "bench_orders",
    "derivatives": "bench_derivatives",
    "library": "bench_library",
}
RESULTS = Path(__file__).with_name("results.json")


def main() -> None:
    """Measure, print JSON per benchmark, then one readable page; write both where asked."""
    options = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__.split(":")[0] + ".")
    options.add_argument("bench", nargs="*", metavar="bench", help=f"any of {', '.join(BENCHES)}; all if none is named")
    options.add_argument("--json", type=Path, default=RESULTS, help="where the results go (default: %(default)s)")
    options.add_argument("--markdown", type=Path, help="write the readable page here too, e.g. docs/benchmarks.md")
    chosen = options.parse_args()
    if unknown := [name for name in chosen.bench if name not in BENCHES]:
        options.error(f"no benchmark {unknown[0]!r}; there are {', '.join(BENCHES)}")

    results: dict = {"machine": machine(), "benches": {}}
    tables = {}
    for name in chosen.bench or BENCHES:
        print(f"measuring {name} …", file=sys.stderr)
        bench = importlib.import_module(f"benchmarks.{BENCHES[name]}")
        result = bench.measure()
        results["benches"][name] = result
        tables[result["title"]] = bench.table(result)
        print(json.dumps({name: result}))
        chosen.json.write_text(json.dumps(results, indent=1) + "\n")  # what is measured is kept if the next one fails
    text = page(results, tables)
    print(f"\n{text}")
    if chosen.markdown:
        chosen.markdown.write_text(text)


if __name__ == "__main__":
    main()
