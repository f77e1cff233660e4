"""Rows for looking at and administering a system."""
