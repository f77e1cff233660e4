"""Claude Code: its wire format and its installer."""
