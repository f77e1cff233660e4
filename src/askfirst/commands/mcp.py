"""`askfirst mcp`: introspection for the agent, as an MCP server on stdio."""

from __future__ import annotations

import argparse

EXAMPLES = """examples:
  askfirst init --mcp        registers it with Claude Code
  askfirst mcp --list        the tools, without a client
needs the extra: pip install 'askfirst[mcp]'
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--list", action="store_true", help="print the tools and end")
    parser.add_argument("--agent", default="claude", help="the agent that calls (default: claude)")


def run(args: argparse.Namespace) -> int:
    from askfirst.errors import UsageError
    from askfirst.mcp.place import place_here

    try:
        from askfirst.mcp.server import build, serve

        server = build(place_here().replace(agent=args.agent))
    except ImportError as error:
        raise UsageError(
            f"the MCP server needs the extra `mcp` ({error.name} is missing): pip install 'askfirst[mcp]'"
        ) from None
    if args.list:
        import asyncio

        for tool in asyncio.run(server.list_tools()):
            print(f"{tool.name:<22} {(tool.description or '').splitlines()[0]}")
        return 0
    serve(server)
    return 0
