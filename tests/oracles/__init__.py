"""Independent references: closed forms and dense derivations that share no code with the package under test."""
