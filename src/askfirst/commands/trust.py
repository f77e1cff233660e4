"""`askfirst trust`: review a project's rule file, or a repository's git configuration, and let that content count.

Trust is given to a content, and can be taken back.
"""

from __future__ import annotations

import argparse
import os
import sys

from rich.text import Text

from askfirst import audit, jsontext
from askfirst.approval import person
from askfirst.cli.printing import counted
from askfirst.cli.prompt import drop_typed_ahead
from askfirst.cli.where import directory
from askfirst.digest import sha256_hex
from askfirst.errors import AskfirstError, ConfigError, UsageError
from askfirst.model import Unknown
from askfirst.policy.config import explain
from askfirst.shell import analyze
from askfirst.store import paths, rulefiles, trust
from askfirst.store.layers import org_files, settings_of
from askfirst.text import console, visible

EXAMPLES = """examples:
  askfirst trust                      show this project's rule file, or what changed in it, and ask
  askfirst trust --accept SHA256      for automation: exactly that content, no question
  askfirst trust --git                the same for the repository's git configuration and hooks
  askfirst trust --list               is it trusted? exit code 0 yes, 1 no
  askfirst trust --forget             none of its entries count until you trust it again
  askfirst trust --forget --git       the same for the repository's git configuration and hooks
  askfirst trust --list --json
"""

ANSWER = "trust"
MAX_SHOWN_BYTES = 65536


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("project", nargs="?", default=".", metavar="DIR", help="the project (default: this directory)")
    parser.add_argument(
        "--git", action="store_true", help="the repository's git configuration and hooks instead of the rule file"
    )
    instead = parser.add_mutually_exclusive_group()
    instead.add_argument(
        "--accept", metavar="SHA256", default="", help="trust without a question, if this is the content's digest"
    )
    instead.add_argument("--list", action="store_true", help="only say whether the current content is trusted")
    instead.add_argument("--forget", action="store_true", help="take trust back from every content of this project")
    parser.add_argument("--json", action="store_true", help="print one JSON object; with --list, --accept or --forget")


def run(args: argparse.Namespace) -> int:
    if args.json and not (args.list or args.accept or args.forget):
        raise UsageError("--json: the question is for a person; add --list, --accept SHA256 or --forget")
    if args.forget:
        return _forget(args)
    project = directory(args.project)
    return _trust_git(args, project) if args.git else _trust_file(args, project)


def _trust_file(args: argparse.Namespace, project: str) -> int:
    path = paths.project_file(project)
    data = rulefiles.read_file(path, inside=project)
    if data is None:
        raise AskfirstError(f"{path}: no such rule file; `askfirst init` writes one")
    known = trust.is_trusted(path, data)
    digest = sha256_hex(data)
    if args.list or known:
        state = "trusted" if known else "not trusted"
        _say(args, f"{path}: {state} (sha256 {digest})", {"file": path, "sha256": digest, "trusted": known})
        return 0 if known else 1
    _refuse_agents(automated=bool(args.accept))
    _validate(path, data, project)
    if args.accept:
        if _digest(args.accept) != digest:
            raise AskfirstError(f"{path}: its sha256 is {digest}, not the one given; review it with `askfirst trust`")
    else:
        _show(path, data)
        if not _yes(f"sha256 {digest}"):
            print("nothing changed")
            return 1
    # The record first: what counts without being in the log must not exist.
    audit.append("config", {"what": "trust", "file": path, "sha256": digest}, durable=True)
    trust.trust(path, data)
    _say(args, f"trusted: {path} (sha256 {digest})", {"file": path, "sha256": digest, "trusted": True})
    return 0


def _say(args: argparse.Namespace, text: str, value: object) -> None:
    print(jsontext.dumps(value) if args.json else visible(text, newlines=True))


def _digest(typed: str) -> str:
    return typed.lower().removeprefix("sha256:")


def _validate(path: str, data: bytes, project: str) -> None:
    """A broken file cannot count, whoever trusts it. Entries that will not count are named before the question."""
    try:
        settings = settings_of(org_files())
        known = tuple(p.name for p in settings.own_profiles)
        most = settings.max_project_commands
        file = rulefiles.project_rules(path, data, project, most=most, profiles=known, fresh=True)
    except ConfigError as error:
        raise AskfirstError(explain(error)) from None
    for problem in file.problems:
        text = f"{explain(ConfigError.of(problem))}\n  this entry will not count; the others will"
        print(visible(text, newlines=True), file=sys.stderr)


def _forget(args: argparse.Namespace) -> int:
    """Also for a project that is gone: what comes back to its place must be reviewed again."""
    _refuse_agents(automated=True)
    project = os.path.realpath(args.project)
    return _forget_git(args, project) if args.git else _forget_file(args, paths.project_file(project))


def _forget_file(args: argparse.Namespace, path: str) -> int:
    count = len(trust.marks_of(path))
    words = f"{path}: was not trusted"
    if count:
        audit.append("config", {"what": "trust-forgotten", "file": path}, durable=True)
        trust.forget(path)
        words = f"no longer trusted: {path}; its entries do not count until you trust it again"
    _say(args, words, {"file": path, "forgotten": count})
    return 0 if count else 1


def _forget_git(args: argparse.Namespace, project: str) -> int:
    here = _stamps(project) if os.path.isdir(project) else {}
    stamps = tuple(s for s in sorted(trust.trusted_git()) if s in here or _is_in(trust.file_in(s), project))
    words = f"{project}: nothing in its git configuration was trusted"
    if stamps:
        audit.append("config", {"what": "trust-git-forgotten", "files": list(stamps)}, durable=True)
        trust.forget_git(stamps)
        words = "\n".join(f"no longer trusted: {stamp}" for stamp in stamps)
    _say(args, words, {"project": project, "forgotten": list(stamps)})
    return 0 if stamps else 1


def _is_in(path: str, project: str) -> bool:
    return path.startswith(project.rstrip("/") + "/")


def _show(path: str, data: bytes) -> None:
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
        raise AskfirstError(f"{what}: there is no terminal to ask on; run this in a terminal, or use --accept SHA256")
    drop_typed_ahead()
    print(f"{what}\nType `{ANSWER}` to let this content count, anything else to leave it: ", end="", flush=True)
    return sys.stdin.readline().strip().lower() == ANSWER


def _refuse_agents(*, automated: bool) -> None:
    """An agent must not approve itself. Automation has no terminal, but it does not run below an agent either."""
    if not automated:
        person.require_person("trust")
        return
    why = person.why_not_a_person(os.environ, True, person.ancestors)
    if why:
        person.record_violation("trust", why)
        raise person.NotAPerson(f"refused: {why}. Run `askfirst trust` yourself, in a terminal of your own")


def _stamps(project: str) -> dict[str, str]:
    """What runs programs in a repository's git configuration, with its reason, trusted or not."""
    facts = [
        *analyze("git status", rulefiles.surroundings(project)),
        *analyze("git commit -m x", rulefiles.surroundings(project)),
    ]
    kinds = ("git configuration", "git hook")
    return {f.text: f.why for f in facts if isinstance(f, Unknown) and f.what in kinds and " sha256:" in f.text}


def _trust_git(args: argparse.Namespace, project: str) -> int:
    found = _stamps(project)
    new = {stamp: why for stamp, why in found.items() if stamp not in trust.trusted_git()}
    if not new or args.list:
        _say_git(args, project, found, new)
        return 0 if not new else 1
    _refuse_agents(automated=bool(args.accept))
    if args.accept:
        new = {stamp: why for stamp, why in new.items() if stamp.endswith(f" sha256:{_digest(args.accept)}")}
        if not new:
            raise AskfirstError(
                f"{project}: no file of its git configuration has this sha256; review it with `askfirst trust --git`"
            )
    else:
        _show_git(new)
        if not _yes(counted(len(new), "file")):
            print("nothing changed")
            return 1
    audit.append("config", {"what": "trust-git", "files": sorted(new)}, durable=True)
    trust.trust_git(tuple(new))
    words = "\n".join(f"trusted: {stamp}" for stamp in sorted(new))
    _say(args, words, {"project": project, "trusted": True, "files": sorted(new)})
    return 0


def _say_git(args: argparse.Namespace, project: str, found: dict[str, str], new: dict[str, str]) -> None:
    state = "nothing in its git configuration runs programs"
    if new:
        state = f"{counted(len(new), 'file')} of its git configuration not trusted; review with `askfirst trust --git`"
    elif found:
        state = "everything in its git configuration that runs programs is trusted"
    _say(args, f"{project}: {state}", {"project": project, "trusted": not new, "not_trusted": sorted(new)})


def _show_git(new: dict[str, str]) -> None:
    out = console()
    for stamp, why in sorted(new.items()):
        path = trust.file_in(stamp)
        out.print(Text(f"{visible(path)}: {visible(why)}", style="bold"), soft_wrap=True)
        try:
            with open(path, encoding="utf-8", errors="replace") as file:
                for line in file.read(MAX_SHOWN_BYTES).splitlines():
                    out.print(Text(f"  {visible(line)}"), soft_wrap=True)
        except OSError as error:
            raise AskfirstError(f"{path}: cannot be read: {error.strerror}") from None
