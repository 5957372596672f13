"""The compiled engine: arrays in, Status out. Imports nothing of flexarm."""
