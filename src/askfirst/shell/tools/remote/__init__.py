"""Rows for what talks to other machines: network, forges, containers, clusters, clouds, servers."""
