"""Puts the gate into an agent's settings and takes it out again, exactly; and what `askfirst doctor` checks."""
