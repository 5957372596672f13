"""A run as one page that opens in any browser, offline."""

import tempfile
from pathlib import Path

import flexarm as fa

run = fa.simulate(fa.read_arm(Path(__file__).parent / "turned_link.toml"))
with tempfile.TemporaryDirectory() as folder:
    page = run.report(Path(folder) / "turned_link.html")
    text = page.read_text(encoding="utf-8")
    print(f"{page.name}: {len(text) / 1e3:.0f} kB, addresses of other machines in it: {text.count('src=')}")
