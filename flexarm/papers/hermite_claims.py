"""The Hermitian Timoshenko element: what the paper concludes (rows `claim.hermite.*`)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from flexarm.analyses.modes.modes import modes
from flexarm.papers.files import paper_arm
from flexarm.papers.hermite_links import frequency_parameter, spun
from flexarm.papers.row import Row, claimed, percent
from flexarm.papers.tip import across

_SPANS = (10, 20, 30, 40, 60)
_SLENDER = 1.875104068711961**2  # λ1 of the Euler-Bernoulli cantilever


def hermite_claims(values: Mapping[str, float]) -> Iterator[Row]:
    """All claims of the paper."""
    yield from _locking(values)
    yield from _short_beams(values)
    yield from _others()
    most = [values[f"hermite.rest.max_tip_whole_mm.s{span}"] for span in _SPANS]
    yield claimed(
        "hermite.response_grows_with_the_span",
        most[-1] / most[0],
        "",
        bool(np.all(np.diff(most) > 0.0)),
        "Fig. 6: the largest displacement of the tip grows with span over thickness: from "
        f"{most[0]:.2g} mm at {_SPANS[0]} to {most[-1]:.3g} mm at {_SPANS[-1]}, about as the fifth power of the length",
    )
    tip = max(abs(values[f"hermite.rest.tip_mm.t{t}"]) for t in ("0.02", "0.05", "0.1", "0.15", "0.2"))
    yield claimed(
        "hermite.flexibility_is_important",
        tip,
        "mm",
        tip > 1.0,
        f"flexibility is a very important factor: moved by 0.4 rad within 0.2 s a link of 0.9 m errs by {tip:.3g} mm, "
        "more than half its thickness",
    )


def _locking(values: Mapping[str, float]) -> Iterator[Row]:
    thin = values["hermite.lambda1.s1000.n4"] / _SLENDER - 1.0
    yield claimed(
        "hermite.nothing_locks",
        thin,
        "",
        abs(thin) < 1e-3,
        f"no locking occurs at high ratios of span to thickness: at 1000 four elements are {thin:.1g} above the "
        "slender beam's frequency",
    )
    locked = frequency_parameter(1000, formulation="timoshenko", elements=4, integration="full") / _SLENDER
    yield claimed(
        "hermite.lagrangian_elements_lock",
        locked,
        "",
        locked > 2.0,
        "Lagrangian Timoshenko elements are too stiff for small thickness: four linear ones with full integration have "
        f"{locked:.3g} times the frequency at 1000",
    )


def _short_beams(values: Mapping[str, float]) -> Iterator[Row]:
    short, long = (values[f"hermite.lambda1.s{span}.n4"] / _SLENDER - 1.0 for span in (2, 50))
    yield claimed(
        "hermite.shear_matters_for_short_beams",
        short,
        "",
        short < -0.05 and abs(long) < 1e-3,
        "shear and rotary inertia should be taken into account, especially for short beams: they lower the first "
        f"frequency by {percent(-short, 0)} at a span of 2 thicknesses and by {-long:.1g} at 50",
    )


def _others() -> Iterator[Row]:
    """The element compared with assumed modes and with isoparametric elements, in the link that is spun up."""
    words = ("fine", "plain", "n2", "isoparametric", "isoparametric2", "modes")
    tips = {word: 1e3 * across(spun(word), "link") for word in words}
    peak = float(np.max(np.abs(tips["fine"])))
    off = {word: float(np.max(np.abs(tips[word] - tips["fine"]))) for word in tips}
    qualitative = max(off["modes"], off["isoparametric"], off["n2"], off["plain"]) / peak
    yield claimed(
        "hermite.three_models_agree_qualitatively",
        qualitative,
        "",
        qualitative < 0.1,
        "Figs. 2 to 5: assumed modes, isoparametric and Hermitian elements agree qualitatively: within "
        f"{percent(qualitative, 1)} of the largest tip displacement, {peak:.3g} mm",
    )
    yield claimed(
        "hermite.two_and_four_elements_converge",
        off["n2"] / off["plain"],
        "",
        off["n2"] > 4.0 * off["plain"],
        f"two and four elements confirm the convergence: they are {off['n2']:.2g} and {off['plain']:.2g} mm off twelve",
    )
    yield claimed(
        "hermite.more_accurate_than_isoparametric",
        off["isoparametric2"] / off["n2"],
        "",
        off["n2"] < off["isoparametric2"] and off["plain"] < off["isoparametric"],
        "the new element is more accurate than isoparametric ones of three nodes: two of each are "
        f"{off['n2']:.2g} and {off['isoparametric2']:.2g} mm off, four {off['plain']:.2g} and "
        f"{off['isoparametric']:.2g}",
    )
    yield claimed(
        "hermite.more_accurate_than_assumed_modes",
        off["modes"] / off["plain"],
        "",
        off["plain"] < off["modes"],
        "the new element is more accurate than assumed modes: four elements, of twelve coordinates, are "
        f"{off['plain']:.2g} mm off, two modes of the Timoshenko beam {off['modes']:.2g}",
    )
    yield _irregular()


def _irregular() -> Row:
    """A link tapered to half its diameter, by modes that are found for it and by elements."""
    arm = paper_arm("hermite_link.toml")
    link = arm.links[0]
    circle = {"shape": "circle", "diameter": 0.0185}
    beam = {"material": "link-steel", "section": circle, "end": {"section": {**circle, "diameter": 0.00925}}}
    first = {}
    for word, model in (
        ("modes", {"formulation": "modes", "modes": 2, "shapes": "clamped"}),
        ("hermite", {"formulation": "hermite", "elements": 32}),
    ):
        tapered = arm.changed(links=(link.changed(beam=beam, model=model),))
        first[word] = float(modes(tapered, joints="locked", count=1).frequencies_hz[0])
    away = first["modes"] / first["hermite"] - 1.0
    return claimed(
        "hermite.modes_do_not_suit_irregular_sections",
        away,
        "",
        abs(away) > 0.01,
        "assumed modes are said not to suit links of irregular section: modes computed for the link do, for one "
        f"tapered to half its diameter two of them have {first['modes']:.5g} Hz and 32 elements {first['hermite']:.5g}",
    )
