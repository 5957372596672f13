"""A live view of an arm, served to this machine, and its page fetched as a browser would."""

from pathlib import Path
from urllib.request import urlopen

import flexarm as fa

with fa.view(Path(__file__).parent / "turned_link.toml") as viewer, urlopen(viewer.address) as answer:
    print(f"{viewer.address} answers {answer.status} with {len(answer.read()) / 1e3:.0f} kB")
