"""What `flexarm check` says of a file: a steel strip's mass beside ρ A L, and a mistake told with its place."""

import json
import subprocess
import sys
from pathlib import Path

import flexarm as fa

strip = Path(__file__).parent / "strip.toml"
command = [sys.executable, "-m", "flexarm", "check", str(strip), "--json"]
answer = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)[0]
formula = 7850.0 * 0.025 * 0.005 * 0.5

print(f"{strip.name} is sound: mass {answer['mass_kg']:.6f} kg, by the formula {formula:.6f} kg")
try:
    fa.parse_arm(strip.read_text(encoding="utf-8").replace('"0.5 m"', '"-0.5 m"'), name="broken strip")
except fa.ModelError as error:
    print(error)
