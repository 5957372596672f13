"""What the kernels are given: the records of a tree and how they are filled."""
