"""What askfirst knows about the world, each list once, with reasons: what is secret, protected, loaded by itself, or
loads code."""
