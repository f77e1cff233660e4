"""Cline: its wire format and its installer."""
