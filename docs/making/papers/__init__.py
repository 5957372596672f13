"""The papers' own figures, from what flexarm computes: same axes, same curves, and what numbers they print."""

from __future__ import annotations

from collections.abc import Callable

from docs.making.papers import hermite, hewang, lipinski, naganathan, salinic

PAPER_PICTURES: dict[str, Callable[..., str]] = {
    "lipinski": lipinski.residuals,
    "lipinski-springs": lipinski.springs,
    "lipinski-tip": lipinski.tip,
    "lipinski-spatial": lipinski.spatial,
    "naganathan-table": naganathan.table,
    "naganathan-turned-link": naganathan.turned,
    "naganathan-coupling": naganathan.coupling,
    "naganathan-torque": naganathan.torque,
    "naganathan-tubes": naganathan.tubes,
    "naganathan-servos": naganathan.servos,
    "naganathan-spatial": naganathan.spatial,
    "naganathan-slider": naganathan.slider,
    "hewang": hewang.tips,
    "hewang-statistics": hewang.statistics,
    "salinic": salinic.lags,
    "salinic-spin-up": salinic.spin_up,
    "salinic-torque": salinic.torque,
    "hermite-locking": hermite.locking,
    "hermite-spin": hermite.stiffened,
    "hermite-models": hermite.models,
    "hermite-spans": hermite.spans,
    "hermite-rest": hermite.rest,
}
