"""A pre-tool-use gate for coding agents: policy decides what is clear, a person decides the rest."""

__version__ = "0.1.0"
