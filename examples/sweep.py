"""How the sag of a clamped strip falls with its thickness: by the cube, as E I does."""

from pathlib import Path

import flexarm as fa

found = fa.sweep(
    Path(__file__).parent / "strip_tolerances.toml",
    vary={"link[0].beam.section.height": ("4 mm", "8 mm", 5)},
    outputs=["tip.y@end"],
)
sag = -found.outputs["tip.y@end"]
print(found.summary())
print(f"twice the height takes the sag to 1/{sag[0] / sag[-1]:.4f}, by the formula 1/{2.0**3:.4f}")
