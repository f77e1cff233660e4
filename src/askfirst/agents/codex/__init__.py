"""Codex: its wire format and its installer."""
