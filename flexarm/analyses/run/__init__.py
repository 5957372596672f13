"""One run of an arm over time: simulate, its integration, its record and how far it can be trusted."""
