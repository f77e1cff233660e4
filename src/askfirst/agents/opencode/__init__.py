"""OpenCode: its wire format and its installer."""
