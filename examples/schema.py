"""What may stand in a model file, for editors: every table and key at the top of the examples is in the schema."""

import tomllib
from pathlib import Path

import flexarm as fa

schema = fa.arm_schema()
keys = {key for path in Path(__file__).parent.glob("*.toml") for key in tomllib.loads(path.read_text("utf-8"))}

print(f"{schema['title']}: {len(schema['properties'])} keys at the top, among them {', '.join(sorted(keys))}")
print(f"keys of the examples that the schema does not know: {len(keys - set(schema['properties']))}")
