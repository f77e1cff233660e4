"""Rows for Node.js: runtimes and package managers, development tools."""
