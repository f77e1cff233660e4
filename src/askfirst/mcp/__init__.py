"""Introspection and file tools for the agent, over MCP. Nothing here can answer a request: an agent may ask, people
answer."""
