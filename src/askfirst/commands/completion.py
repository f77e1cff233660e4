"""`askfirst completion`: scripts for bash, zsh and fish, made from the parser, so never out of date."""

from __future__ import annotations

import argparse
from typing import NamedTuple

from askfirst.cli import build_parser
from askfirst.cli.registry import COMMANDS

EXAMPLES = """examples:
  askfirst completion bash > ~/.local/share/bash-completion/completions/askfirst
  askfirst completion zsh > ~/.zfunc/_askfirst        needs ~/.zfunc in fpath, before compinit
  askfirst completion fish > ~/.config/fish/completions/askfirst.fish
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("shell", choices=["bash", "zsh", "fish"], help="the shell to complete in")


def run(args: argparse.Namespace) -> int:
    print({"bash": bash, "zsh": zsh, "fish": fish}[args.shell](), end="")
    return 0


class CompletedOption(NamedTuple):
    """An option with its spellings, or, without any, the words that a positional argument can be."""

    strings: list[str]
    help: str
    choices: list[str]


def options_of() -> dict[str, list[CompletedOption]]:
    """What can follow each command."""
    (commands,) = (a for a in build_parser()._actions if isinstance(a, argparse._SubParsersAction))
    return {name: _options(parser) for name, parser in commands.choices.items()}


def _options(parser: argparse.ArgumentParser) -> list[CompletedOption]:
    found: list[CompletedOption] = []
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            found.append(CompletedOption([], "", list(action.choices)))
        elif action.option_strings or action.choices:
            choices = [str(c) for c in action.choices or ()]
            found.append(CompletedOption(list(action.option_strings), _help(action.help), choices))
    return found


def _help(text: str | None) -> str:
    return "" if text in (None, argparse.SUPPRESS) else str(text).replace("%%", "%")


def words_of(options: list[CompletedOption]) -> list[str]:
    words: list[str] = []
    for strings, _, choices in options:
        words += strings or choices
    return words


def bash() -> str:
    cases = "\n".join(f"    {name}) words='{' '.join(words_of(options))}' ;;" for name, options in options_of().items())
    return f"""# bash completion for askfirst
_askfirst() {{
  local words='' i command=''
  local current="${{COMP_WORDS[COMP_CWORD]}}"
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "${{COMP_WORDS[i]}}" in -*) ;; *) command="${{COMP_WORDS[i]}}"; break ;; esac
  done
  case "$command" in
    '') words='{" ".join(COMMANDS)} --help --version' ;;
{cases}
  esac
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
}}
complete -o default -F _askfirst askfirst
"""


def zsh() -> str:
    commands = "\n".join(f"    {_zsh_quote(f'{name}:{help_}')}" for name, help_ in COMMANDS.items())
    cases = []
    for name, options in options_of().items():
        lines = [
            f"        {_zsh_quote(f'{string}[{_zsh_help(help_)}]')} \\"
            for strings, help_, _ in options
            for string in strings
        ]
        lines += [
            f"        '1: :({' '.join(choices)})' \\" for strings, _, choices in options if choices and not strings
        ]
        cases.append(f"      {name}) _arguments \\\n" + "\n".join(lines) + "\n        '*:file:_files' ;;")
    return f"""#compdef askfirst
_askfirst() {{
  local -a commands
  commands=(
{commands}
  )
  if (( CURRENT == 2 )); then
    _describe -t commands 'askfirst command' commands
    return
  fi
  local command="$words[2]"
  shift words; (( CURRENT-- ))
  case "$command" in
{chr(10).join(cases)}
  esac
}}
if [ "$funcstack[1]" = "_askfirst" ]; then _askfirst "$@"; else compdef _askfirst askfirst; fi
"""


def _zsh_help(text: str) -> str:
    return text.replace("[", "(").replace("]", ")").replace(":", ";").replace("\\", "")


def _zsh_quote(text: str) -> str:
    return "'" + text.replace("'", "'\\''") + "'"


def fish() -> str:
    lines = ["# fish completion for askfirst", "complete -c askfirst -n __fish_use_subcommand -f"]
    for name, help_ in COMMANDS.items():
        lines.append(f"complete -c askfirst -n __fish_use_subcommand -a {name} -d {_fish_quote(help_)}")
    for name, options in options_of().items():
        where = f"-n '__fish_seen_subcommand_from {name}'"
        for strings, text, choices in options:
            flags = " ".join(f"-l {s[2:]}" if s.startswith("--") else f"-s {s[1:]}" for s in strings)
            given = f" -x -a {_fish_quote(' '.join(choices))}" if choices else ""
            lines.append(f"complete -c askfirst {where} {flags}{given} -d {_fish_quote(text)}".replace("  ", " "))
    return "\n".join(lines) + "\n"


def _fish_quote(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"
