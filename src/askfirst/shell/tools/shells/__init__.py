"""Rows for shells, their builtins, wrappers and interpreters: what is inside counts."""
