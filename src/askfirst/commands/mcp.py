"""`askfirst mcp`: rules and proposals for the agent, as an MCP server on stdio."""

from __future__ import annotations

import argparse
import asyncio
from dataclasses import replace

from askfirst.errors import UsageError
from askfirst.toolbox.place import place_here

EXAMPLES = """examples:
  askfirst init --mcp        register it with Claude Code
  askfirst mcp --list        list the tools, without a client
needs the extra: pip install 'askfirst[mcp]'
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--list", action="store_true", help="list the tools and exit")
    parser.add_argument("--agent", default="claude", metavar="NAME", help="the agent that calls (default: claude)")


def run(args: argparse.Namespace) -> int:
    try:
        # Here and not at the top: without the extra, this import fails, and `askfirst mcp --help` must still work.
        from askfirst.mcp.server import build, serve

        server = build(replace(place_here(), agent=args.agent))
    except ImportError as error:
        raise UsageError(
            f"the module `{error.name}` is missing; install the extra: pip install 'askfirst[mcp]'"
        ) from None
    if args.list:
        for tool in asyncio.run(server.list_tools()):
            print(f"{tool.name:<22} {(tool.description or '').splitlines()[0]}")
        return 0
    serve(server)
    return 0
