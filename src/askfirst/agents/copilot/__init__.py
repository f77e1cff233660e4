"""GitHub Copilot: its wire format (wire.py), its installer (install.py) and its page (README.md)."""
