"""`askfirst trust`: look at a project's rule file, or at a repository's git configuration, and let that content count."""

from __future__ import annotations

import argparse
import os
import sys

from askfirst.commands.where import directory
from askfirst.digest import sha256_hex
from askfirst.errors import AskfirstError
from askfirst.policy.config import explain
from askfirst.store import paths, rulefiles, trust
from askfirst.text import console, visible

EXAMPLES = """examples:
  askfirst trust                      shows this project's file, or what changed since, and asks
  askfirst trust --accept SHA256      for automation: exactly that content, no question
  askfirst trust --git                the same for the repository's git configuration
  askfirst trust --list               is it trusted? exit code 0 yes, 1 no
"""

ANSWER = "trust"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("project", nargs="?", default=".", metavar="DIR", help="the project (default: this directory)")
    parser.add_argument("--accept", metavar="SHA256", default="", help="trust without a question, if this is the digest of the content")
    parser.add_argument("--git", action="store_true", help="the repository's git configuration and hooks instead of the rule file")
    parser.add_argument("--list", action="store_true", help="only say whether the present content is trusted")


def run(args: argparse.Namespace) -> int:
    project = directory(args.project)
    if args.git:
        return _git(project, args)
    path = paths.project_file(project)
    data = rulefiles.read_file(path, inside=project)
    if data is None:
        raise AskfirstError(f"{path}: there is no rule file; `askfirst init` writes one")
    known = trust.is_trusted(path, data)
    digest = sha256_hex(data)
    if args.list or known:
        print(f"{path}: {'trusted' if known else 'not trusted'} (sha256 {digest})")
        return 0 if known else 1
    _refuse_agents(automated=bool(args.accept))
    _validate(path, data, project)
    if args.accept:
        return _accept(args.accept, digest, path, data)
    _show(path, data)
    if not _yes(f"sha256 {digest}"):
        print("nothing changed")
        return 1
    _remember(path, data, digest)
    return 0


def _validate(path: str, data: bytes, project: str) -> None:
    """A broken file cannot count, whoever trusts it."""
    from askfirst.errors import ConfigError

    try:
        rulefiles.project_rules(path, data, project, most=100)
    except ConfigError as error:
        raise AskfirstError(explain(error)) from None


def _accept(wanted: str, digest: str, path: str, data: bytes) -> int:
    if wanted.lower().removeprefix("sha256:") != digest:
        raise AskfirstError(f"{path}: its content has the sha256 {digest}, not the one given; look at it with `askfirst trust`")
    _remember(path, data, digest)
    return 0


def _remember(path: str, data: bytes, digest: str) -> None:
    from askfirst.store import audit

    # The record first: what counts without standing in the log must not exist.
    audit.append("config", {"what": "trust", "file": path, "sha256": digest}, durable=True)
    trust.trust(path, data)
    print(f"trusted: {path} (sha256 {digest})")


def _show(path: str, data: bytes) -> None:
    from rich.text import Text

    out = console()
    changes = trust.diff_since(path, data)
    if changes is None:
        out.print(Text(f"{path}, never trusted before:", style="bold"))
        for line in data.decode("utf-8", "replace").splitlines():
            out.print(Text(f"  {visible(line)}"), soft_wrap=True)
        return
    out.print(Text(f"{path}, changes since you trusted it:", style="bold"))
    for line in changes:
        style = "green" if line.startswith("+") else "red" if line.startswith("-") else ""
        out.print(Text(f"  {visible(line)}", style=style), soft_wrap=True)


def _yes(what: str) -> bool:
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise AskfirstError(f"{what}: there is no terminal to ask on; a person runs this in a terminal, automation uses --accept SHA256")
    import termios

    # Keys typed before the question was drawn must not answer it.
    termios.tcflush(sys.stdin.fileno(), termios.TCIFLUSH)
    print(f"{what}\nType `{ANSWER}` to let this content count, anything else to leave it: ", end="", flush=True)
    return sys.stdin.readline().strip().lower() == ANSWER


def _refuse_agents(*, automated: bool) -> None:
    """An agent must not approve itself. Automation has no terminal, but it does not run below an agent either."""
    from askfirst.approval import person

    if not automated:
        person.require_person("trust")
        return
    why = person.why_not_a_person(os.environ, True, person.ancestors)
    if why:
        person.record_violation("trust", why)
        raise person.NotAPerson(f"refused: {why}. Run `askfirst trust` yourself, in a terminal of your own")


def _git(project: str, args: argparse.Namespace) -> int:
    from askfirst.model import Unknown
    from askfirst.shell import analyze

    facts = [*analyze("git status", rulefiles.surroundings(project)), *analyze("git commit -m x", rulefiles.surroundings(project))]
    kinds = ("git configuration", "git hook")
    found = {f.text: f.why for f in facts if isinstance(f, Unknown) and f.what in kinds and " sha256:" in f.text}
    new = {stamp: why for stamp, why in found.items() if stamp not in trust.trusted_git()}
    if not new or args.list:
        state = "what runs programs in its git configuration is trusted" if found else "nothing in its git configuration runs programs"
        print(f"{project}: {f'{len(new)} files are not trusted' if new else state}")
        return 0 if not new else 1
    _refuse_agents(automated=bool(args.accept))
    if args.accept:
        wanted = args.accept.lower().removeprefix("sha256:")
        new = {stamp: why for stamp, why in new.items() if stamp.endswith(f" sha256:{wanted}")}
        if not new:
            raise AskfirstError(f"{project}: no file of its git configuration has this sha256; look with `askfirst trust --git`")
    else:
        _show_git(new)
        if not _yes(f"{len(new)} file{'s' if len(new) > 1 else ''}"):
            print("nothing changed")
            return 1
    from askfirst.store import audit

    audit.append("config", {"what": "trust-git", "files": sorted(new)}, durable=True)
    trust.trust_git(tuple(new))
    for stamp in sorted(new):
        print(f"trusted: {visible(stamp)}")
    return 0


def _show_git(new: dict[str, str]) -> None:
    from rich.text import Text

    out = console()
    for stamp, why in sorted(new.items()):
        path = stamp.rpartition(" sha256:")[0]
        out.print(Text(f"{visible(path)}: {visible(why)}", style="bold"), soft_wrap=True)
        try:
            with open(path, encoding="utf-8", errors="replace") as file:
                for line in file.read(65536).splitlines():
                    out.print(Text(f"  {visible(line)}"), soft_wrap=True)
        except OSError as error:
            raise AskfirstError(f"{path}: cannot be read: {error.strerror}") from None
