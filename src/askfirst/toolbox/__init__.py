"""Tools for agents, as plain Python functions: files, tests, git, packages, the system, and what is known of the code.

Each call is a Request that the gate decides (layers, roles, grants, record, violations count) before anything happens,
and gives back one form of result (tool_result.py). `askfirst mcp` serves them; nothing here can answer a request.
"""
