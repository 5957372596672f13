"""The form of a tree in which its dynamics is fastest."""

from __future__ import annotations

from .planar_elements import planar_stepping_tree
from .spatial_elements import spatial_stepping_tree
from .types import Loads, PlanarFlexTree, SpatialFlexTree, Tree


def stepping_tree(tree: Tree, loads: Loads) -> Tree:
    """The same tree, element by element where it consists of beam elements."""
    if type(tree) is PlanarFlexTree:
        return planar_stepping_tree(tree, loads)
    if type(tree) is SpatialFlexTree:
        return spatial_stepping_tree(tree, loads)
    return tree


def own_tree(tree: Tree, loads: Loads) -> Tree:
    """The same, with springs of its own: within a step the drives of a run write into them."""
    found = stepping_tree(tree, loads)
    return found._replace(spring=found.spring.copy())  # type: ignore[return-value]
