"""Signals: everything that can be observed of an arm over time, under one list of names."""
