"""The pages of results, one file each."""
