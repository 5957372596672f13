"""The recursions of NOTATION §4 and §9, each written once for every tree.

`solve` is written in steps that are generated for rigid bodies and beam elements (see `emit`). Every other sweep is
written in the operations of an algebra (`space`, `plane`); `kinds` puts those of one algebra in their place and says
whether the bodies bend or slide out of sleeves. A rigid body is a flexible body without coordinates.
"""
