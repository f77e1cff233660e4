"""GitHub Copilot: its wire format and its installer."""
