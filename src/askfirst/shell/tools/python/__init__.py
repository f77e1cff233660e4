"""Rows for Python: the interpreter, its package managers, its development tools."""
