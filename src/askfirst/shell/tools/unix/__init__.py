"""Rows for the everyday tools of a Unix system: files, text, search, archives, editors."""
