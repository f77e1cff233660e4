"""Rows for build tools, compilers, linters and the tools of other languages."""
