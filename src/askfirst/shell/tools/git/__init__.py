"""Rows for git."""
