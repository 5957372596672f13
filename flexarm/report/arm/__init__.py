"""The arm as pages draw it: moving, still, or one of several motions to choose from."""
