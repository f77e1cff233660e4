"""`askfirst trust`: look at a project's rule file, or at a repository's git configuration, and let that content count, or no longer."""

from __future__ import annotations

import argparse
import os
import sys

from askfirst import jsontext
from askfirst.cli.where import directory
from askfirst.digest import sha256_hex
from askfirst.errors import AskfirstError, UsageError
from askfirst.policy.config import explain
from askfirst.store import paths, rulefiles, trust
from askfirst.text import console, visible

EXAMPLES = """examples:
  askfirst trust                      shows this project's file, or what changed since, and asks
  askfirst trust --accept SHA256      for automation: exactly that content, no question
  askfirst trust --git                the same for the repository's git configuration
  askfirst trust --list               is it trusted? exit code 0 yes, 1 no
  askfirst trust --forget             none of its entries count any more, until you trust it again
  askfirst trust --forget --git       the same for the repository's git configuration
  askfirst trust --list --json        for programs
"""

ANSWER = "trust"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("project", nargs="?", default=".", metavar="DIR", help="the project (default: this directory)")
    parser.add_argument(
        "--git", action="store_true", help="the repository's git configuration and hooks instead of the rule file"
    )
    instead = parser.add_mutually_exclusive_group()
    instead.add_argument(
        "--accept", metavar="SHA256", default="", help="trust without a question, if this is the digest of the content"
    )
    instead.add_argument("--list", action="store_true", help="only say whether the present content is trusted")
    instead.add_argument(
        "--forget", action="store_true", help="trust nothing at this place any more, whatever stood there"
    )
    parser.add_argument("--json", action="store_true", help="for programs; with --list, --accept or --forget")


def run(args: argparse.Namespace) -> int:
    if args.json and not (args.list or args.accept or args.forget):
        raise UsageError("--json: the question is for a person; use --list, --accept SHA256 or --forget with it")
    if args.forget:
        return _forget(args)
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
        _say(
            args,
            f"{path}: {'trusted' if known else 'not trusted'} (sha256 {digest})",
            {"file": path, "sha256": digest, "trusted": known},
        )
        return 0 if known else 1
    _refuse_agents(automated=bool(args.accept))
    _validate(path, data, project)
    if args.accept:
        return _accept(args, digest, path, data)
    _show(path, data)
    if not _yes(f"sha256 {digest}"):
        print("nothing changed")
        return 1
    _remember(args, path, data, digest)
    return 0


def _say(args: argparse.Namespace, text: str, value: object) -> None:
    print(jsontext.dumps(value) if args.json else visible(text, newlines=True))


def _validate(path: str, data: bytes, project: str) -> None:
    """A broken file cannot count, whoever trusts it."""
    from askfirst.errors import ConfigError

    try:
        rulefiles.project_rules(path, data, project, most=100)
    except ConfigError as error:
        raise AskfirstError(explain(error)) from None


def _accept(args: argparse.Namespace, digest: str, path: str, data: bytes) -> int:
    if args.accept.lower().removeprefix("sha256:") != digest:
        raise AskfirstError(
            f"{path}: its content has the sha256 {digest}, not the one given; look at it with `askfirst trust`"
        )
    _remember(args, path, data, digest)
    return 0


def _remember(args: argparse.Namespace, path: str, data: bytes, digest: str) -> None:
    from askfirst import audit

    # The record first: what counts without standing in the log must not exist.
    audit.append("config", {"what": "trust", "file": path, "sha256": digest}, durable=True)
    trust.trust(path, data)
    _say(args, f"trusted: {path} (sha256 {digest})", {"file": path, "sha256": digest, "trusted": True})


def _forget(args: argparse.Namespace) -> int:
    """Also for a project that is not there any more: what comes back to its place must be looked at again."""
    _refuse_agents(automated=True)
    project = os.path.realpath(args.project)
    return _forget_git(args, project) if args.git else _forget_file(args, paths.project_file(project))


def _forget_file(args: argparse.Namespace, path: str) -> int:
    from askfirst import audit

    count = len(trust.marks_of(path))
    words = f"{path}: was not trusted"
    if count:
        audit.append("config", {"what": "trust-forgotten", "file": path}, durable=True)
        trust.forget(path)
        words = f"forgotten: {path}; its entries do not count until you trust it again"
    _say(args, words, {"file": path, "forgotten": count})
    return 0 if count else 1


def _forget_git(args: argparse.Namespace, project: str) -> int:
    from askfirst import audit

    here = _stamps(project) if os.path.isdir(project) else {}
    stamps = tuple(s for s in sorted(trust.trusted_git()) if s in here or _is_in(trust.file_in(s), project))
    words = f"{project}: nothing of its git configuration was trusted"
    if stamps:
        audit.append("config", {"what": "trust-git-forgotten", "files": list(stamps)}, durable=True)
        trust.forget_git(stamps)
        words = "\n".join(f"forgotten: {stamp}" for stamp in stamps)
    _say(args, words, {"project": project, "forgotten": list(stamps)})
    return 0 if stamps else 1


def _is_in(path: str, project: str) -> bool:
    return path.startswith(project.rstrip("/") + "/")


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
        raise AskfirstError(
            f"{what}: there is no terminal to ask on; a person runs this in a terminal, automation uses --accept SHA256"
        )
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


def _stamps(project: str) -> dict[str, str]:
    """What runs programs in a repository's git configuration, with its reason, trusted or not."""
    from askfirst.model import Unknown
    from askfirst.shell import analyze

    facts = [
        *analyze("git status", rulefiles.surroundings(project)),
        *analyze("git commit -m x", rulefiles.surroundings(project)),
    ]
    kinds = ("git configuration", "git hook")
    return {f.text: f.why for f in facts if isinstance(f, Unknown) and f.what in kinds and " sha256:" in f.text}


def _git(project: str, args: argparse.Namespace) -> int:
    found = _stamps(project)
    new = {stamp: why for stamp, why in found.items() if stamp not in trust.trusted_git()}
    if not new or args.list:
        state = (
            "what runs programs in its git configuration is trusted"
            if found
            else "nothing in its git configuration runs programs"
        )
        words = f"{project}: {f'{len(new)} files are not trusted' if new else state}"
        _say(args, words, {"project": project, "trusted": not new, "not_trusted": sorted(new)})
        return 0 if not new else 1
    _refuse_agents(automated=bool(args.accept))
    if args.accept:
        wanted = args.accept.lower().removeprefix("sha256:")
        new = {stamp: why for stamp, why in new.items() if stamp.endswith(f" sha256:{wanted}")}
        if not new:
            raise AskfirstError(
                f"{project}: no file of its git configuration has this sha256; look with `askfirst trust --git`"
            )
    else:
        _show_git(new)
        if not _yes(f"{len(new)} file{'s' if len(new) > 1 else ''}"):
            print("nothing changed")
            return 1
    from askfirst import audit

    audit.append("config", {"what": "trust-git", "files": sorted(new)}, durable=True)
    trust.trust_git(tuple(new))
    _say(
        args,
        "\n".join(f"trusted: {stamp}" for stamp in sorted(new)),
        {"project": project, "trusted": True, "files": sorted(new)},
    )
    return 0


def _show_git(new: dict[str, str]) -> None:
    from rich.text import Text

    out = console()
    for stamp, why in sorted(new.items()):
        path = trust.file_in(stamp)
        out.print(Text(f"{visible(path)}: {visible(why)}", style="bold"), soft_wrap=True)
        try:
            with open(path, encoding="utf-8", errors="replace") as file:
                for line in file.read(65536).splitlines():
                    out.print(Text(f"  {visible(line)}"), soft_wrap=True)
        except OSError as error:
            raise AskfirstError(f"{path}: cannot be read: {error.strerror}") from None
