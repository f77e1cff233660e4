"""One file per command, and nothing else. `askfirst/cli/registry.py` has their table and says how to add one."""
