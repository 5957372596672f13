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
