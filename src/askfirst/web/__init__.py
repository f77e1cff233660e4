"""The approval page: the same queue in a browser, served on loopback from the standard library."""
