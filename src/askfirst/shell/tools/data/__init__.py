"""Rows for databases and data formats."""
