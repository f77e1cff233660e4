"""Gemini CLI: its wire format and its installer."""
