"""Arguments, streams and exit codes. One file per command in askfirst/commands, an explicit table here."""

from __future__ import annotations

import argparse
import os
import sys

from askfirst import __version__
from askfirst.errors import AskfirstError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType
    from typing import NoReturn

# command -> (module in askfirst.commands, one line of help). The order is the order of `askfirst --help`.
COMMANDS = {
    "demo": ("demo", "the main job with no agent: a scripted agent proposes commands, you answer; nothing is executed"),
    "init": ("init", "install into an agent, and write the project's rule file"),
    "uninstall": ("uninstall", "undo `init` exactly"),
    "hook": ("hook", "what the agent calls: JSON in, JSON out"),
    "watch": ("watch", "answer requests in this terminal"),
    "serve": ("serve", "answer requests on a local page"),
    "pending": ("pending", "requests that wait for an answer"),
    "approve": ("approve", "allow a waiting request"),
    "deny": ("deny", "refuse a waiting request"),
    "pause": ("pause", "deny everything for a while"),
    "resume": ("resume", "end a pause"),
    "grants": ("grants", "what people allowed, and until when"),
    "revoke": ("revoke", "take a grant back"),
    "explain": ("explain", "what would happen to a command, and why"),
    "allowed": ("allowed", "the rules in force, with their source"),
    "check": ("check", "validate the rule files and run their examples"),
    "trust": ("trust", "look at a project's rule file and let it count"),
    "propose": ("propose", "propose a file's new content"),
    "proposals": ("proposals", "proposals that wait"),
    "apply": ("apply", "apply a proposal, once"),
    "discard": ("discard", "throw a proposal away"),
    "undo": ("undo", "restore what an applied proposal replaced"),
    "log": ("log", "read the audit log"),
    "audit": ("audit", "verify and export the audit log"),
    "alerts": ("alerts", "sessions flagged for review"),
    "stats": ("stats", "prompts, decisions and slow hooks in figures"),
    "suggest": ("suggest", "rules that would have saved the most prompts"),
    "replay": ("replay", "judge a transcript or a log against the present rules"),
    "status": ("status", "what is going on: approvers, queue, pause, alerts, head of the log"),
    "doctor": ("doctor", "check the installation, each finding with the way out"),
    "mcp": ("mcp", "introspection for the agent, as an MCP server on stdio"),
    "schema": ("schema", "JSON Schema of the rule files, for editors"),
    "completion": ("completion", "shell completion for bash, zsh and fish"),
}


class Parser(argparse.ArgumentParser):
    """Wrong use ends with the way out."""

    def error(self, message: str) -> NoReturn:
        from askfirst.text import visible

        self.print_usage(sys.stderr)
        self.exit(2, f"{self.prog}: {visible(message)}; see `{self.prog} --help`\n")


def module_of(command: str) -> ModuleType:
    from importlib import import_module

    return import_module(f"askfirst.commands.{COMMANDS[command][0]}")


def build_parser(only: str | None = None) -> argparse.ArgumentParser:
    """The parser; with `only`, just that command's arguments are filled in, so that no other module is imported."""
    parser = Parser(
        prog="askfirst",
        description="A gate between a coding agent and your shell: rules decide what is clear, you decide the rest.",
        epilog="examples:\n  askfirst demo\n  askfirst init\n  askfirst watch\n  askfirst explain 'git log | head'\n",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"askfirst {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", title="commands")
    for name, (_, summary) in COMMANDS.items():
        sub = commands.add_parser(
            name, help=summary, description=summary, formatter_class=argparse.RawDescriptionHelpFormatter
        )
        sub.set_defaults(wrong_use=sub.error)
        if only in (None, name):
            module = module_of(name)
            sub.epilog = getattr(module, "EXAMPLES", None)
            module.add_arguments(sub)
    return parser


def main(argv: list[str] | None = None) -> int:
    words = sys.argv[1:] if argv is None else argv
    named = next((w for w in words if not w.startswith("-")), None)
    parser = build_parser(only=named if named in COMMANDS else "")
    if named is not None and named not in COMMANDS:
        return unknown_command(named)
    args, rest = parser.parse_known_args(words)
    if rest:
        getattr(args, "wrong_use", parser.error)(f"unknown arguments: {' '.join(rest)}")
    if args.command is None:
        parser.print_help()
        return 2
    try:
        code = int(module_of(args.command).run(args))
        sys.stdout.flush()
        return code
    except AskfirstError as error:
        print(f"askfirst {args.command}: {error}", file=sys.stderr)
        return error.exit_code
    except BrokenPipeError:
        # The reader (`| head`) has seen enough. What is still buffered must not fail once more at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return 0
    except KeyboardInterrupt:
        return 130


def unknown_command(named: str) -> int:
    from difflib import get_close_matches

    from askfirst.text import visible

    near = get_close_matches(named, list(COMMANDS), 1)
    hint = f"did you mean `askfirst {near[0]}`?" if near else "`askfirst --help` lists them"
    print(f"askfirst: there is no command `{visible(named)}`; {hint}", file=sys.stderr)
    return 2
