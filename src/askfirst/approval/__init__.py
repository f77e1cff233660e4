"""Asking a person: the question as a value, the manager that publishes it and waits, what an answer leaves behind."""
