"""What several pages show: computed once per build, and kept until flexarm changes."""

from __future__ import annotations

from typing import Any

from docs.making.keeping import ROOT, kept

# As `flexarm compare` calls them: every formulation, and those of finite elements in the link's frame as well.
MODELS = (
    "rigid-fe",
    "hencky",
    "timoshenko",
    "timoshenko:link",
    "hermite",
    "hermite:link",
    "isoparametric",
    "isoparametric:link",
    "modes",
    "modes:payload",
)


def comparison() -> dict[str, Any]:
    """The arm of two flexible links through every formulation, as `fa.compare` tells it."""
    return kept("comparison", _comparison)


def verification() -> list[dict[str, Any]]:
    """Every formulation against every closed form."""
    return kept("verification", _verification)


def paper_rows(name: str) -> list[dict[str, Any]]:
    """The rows of one paper, as `flexarm reproduce` has them."""

    def compute() -> list[dict[str, Any]]:
        import flexarm as fa

        return [row.to_dict() for row in fa.reproduce([name])]

    return kept(f"paper {name}", compute)


def _comparison() -> dict[str, Any]:
    import flexarm as fa

    arm = fa.read_arm(ROOT / "examples" / "two_link.toml")
    return fa.compare(arm, MODELS, elements=(2, 4, 8, 16)).to_dict()


def _verification() -> list[dict[str, Any]]:
    from docs.making.verification import all_checked

    return [each._asdict() for each in all_checked()]
