"""Puts the gate into an agent and takes it out again: settings edited in place, a record of each edit, and what `doctor` checks."""
