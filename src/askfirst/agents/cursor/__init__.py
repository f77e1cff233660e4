"""Cursor: its wire format and its installer."""
