"""Arguments, streams and exit codes: the parser, the one place that runs a command, and what commands share.

`registry.py` has the table of commands and says how to add one.
"""

from __future__ import annotations

import argparse
import os
import shlex
import sys
from difflib import get_close_matches
from typing import NoReturn

from askfirst import __version__
from askfirst.cli.registry import COMMANDS, command_list, load_command
from askfirst.errors import AskfirstError, StoreError
from askfirst.plain_signs import write_anything
from askfirst.text import visible

ABOUT = "A gate between a coding agent and your shell: rules decide what is clear, you decide the rest."
EXAMPLES = """examples:
  askfirst demo
  askfirst init
  askfirst watch
  askfirst explain 'git log | head'

`askfirst COMMAND --help` shows a command's options and examples.
"""


class CommandParser(argparse.ArgumentParser):
    """Wrong use ends with the way out."""

    def error(self, message: str) -> NoReturn:
        self.print_usage(sys.stderr)
        self.exit(2, f"{self.prog}: {visible(message)}; see `{self.prog} --help`\n")


def build_parser(only: str | None = None) -> argparse.ArgumentParser:
    """The parser; with `only`, just that command's arguments are filled in, so that no other module is imported."""
    parser = CommandParser(
        prog="askfirst",
        usage="askfirst [-h] [--version] COMMAND ...",
        description=f"{ABOUT}\n{command_list()}",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"askfirst {__version__}", help="print the version")
    commands = parser.add_subparsers(dest="command", prog="askfirst", help=argparse.SUPPRESS)
    for name, summary in COMMANDS.items():
        sub = commands.add_parser(name, description=summary, formatter_class=argparse.RawDescriptionHelpFormatter)
        sub.set_defaults(wrong_use=sub.error)
        if only in (None, name):
            module = load_command(name)
            sub.epilog = module.EXAMPLES
            module.add_arguments(sub)
    return parser


def _as_one_command(words: list[str]) -> list[str]:
    """`explain ls -la`: from the first word that is no option on, everything is the command that is asked about."""
    after = words.index("explain") + 1
    start = next((n for n in range(after, len(words)) if not words[n].startswith("-") or words[n] == "-"), len(words))
    return [*words[:start], shlex.join(words[start:])]


def main(argv: list[str] | None = None) -> int:
    words = sys.argv[1:] if argv is None else argv
    write_anything()
    named = next((w for w in words if not w.startswith("-")), "")
    if named and named not in COMMANDS:
        return unknown_command(named)
    parser = build_parser(only=named)
    args, rest = parser.parse_known_args(words)
    if rest and named == "explain":
        args, rest = parser.parse_known_args(_as_one_command(words))
    if rest:
        getattr(args, "wrong_use", parser.error)(f"unknown arguments: {' '.join(rest)}")
    if args.command is None:
        parser.print_help()
        return 2
    return run_command(args)


def run_command(args: argparse.Namespace) -> int:
    """The one border where a command's failure becomes a line on standard error and an exit code."""
    try:
        code = load_command(args.command).run(args)
        sys.stdout.flush()
        return code
    except AskfirstError as error:
        more = error.way_out() if isinstance(error, StoreError) else ""
        print(f"askfirst {args.command}: {error}{more}", file=sys.stderr)
        return error.exit_code
    except BrokenPipeError:
        # The reader (`| head`) has seen enough. What is still buffered must not fail once more at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return 0
    except KeyboardInterrupt:
        return 130


def unknown_command(named: str) -> int:
    near = get_close_matches(named, list(COMMANDS), 1)
    hint = f"did you mean `askfirst {near[0]}`?" if near else "`askfirst --help` lists the commands"
    print(f"askfirst: unknown command `{visible(named)}`; {hint}", file=sys.stderr)
    return 2
