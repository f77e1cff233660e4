"""Bash text in, facts out. `analyze` is the one door."""
