"""From formulas to kernels: the formulas of `core.formulas`, traced for a kind of tree, as straight-line source."""
