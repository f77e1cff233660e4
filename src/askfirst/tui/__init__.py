"""The dialog on a terminal."""
