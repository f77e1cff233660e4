"""Taking back what was allowed or denied, for `forget` and `revoke`."""

from __future__ import annotations

import argparse

from askfirst import jsontext
from askfirst.approval.person import require_person, who
from askfirst.approval.remember import forget_denial, take_back
from askfirst.cli.answering import for_each
from askfirst.cli.where import is_here
from askfirst.errors import AskfirstError
from askfirst.model import Grant
from askfirst.store.grants import Denial, FileGrants
from askfirst.store.ids import matching, normal, resolve
from askfirst.store.pending import FilePending
from askfirst.text import one_line, visible

LAST = "last"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "id",
        nargs="+",
        help="an id that `askfirst grants` shows, or that of a request that was answered, or the beginning of one; "
        f"`{LAST}`: what was allowed or denied last in this project",
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object for each, on a line")


def run(args: argparse.Namespace, command: str) -> int:
    require_person(command)
    return for_each(args.id, command, lambda typed: _forget(typed, as_json=args.json))


def _forget(typed: str, *, as_json: bool) -> int:
    store = FileGrants()
    worst = 0
    for meant in _meant(store, typed):
        left = ""
        if isinstance(meant, Grant):
            left = take_back(store, meant, who())
            what = f"{visible('; '.join(s.shown for s in meant.scopes))}  (given for {one_line(meant.text, 100)})"
        else:
            forget_denial(store, meant, who())
            what = f"the denial of {one_line(meant.text, 200)}; the agent's next try is asked again"
        if as_json:
            kind = "grant" if isinstance(meant, Grant) else "denial"
            print(jsontext.dumps({"id": meant.id, "what": kind, "text": meant.text, "done": not left, "left": left}))
        elif left:
            print(f"not revoked: {visible(left)}\nRemove the entry by hand, then run this again.")
        else:
            print(f"revoked: {what}")
        worst = max(worst, int(bool(left)))
    return worst


def _meant(store: FileGrants, typed: str) -> list[Grant | Denial]:
    """By the id of a grant, of a denied request, or of a request whose answer is remembered."""
    known: list[Grant | Denial] = [*store.all(), *store.denials()]
    if normal(typed) == normal(LAST):
        here = [one for one in known if is_here(one.project)]
        if not here:
            raise AskfirstError("nothing was allowed or denied in this project; `askfirst grants --all` shows the rest")
        return [max(here, key=lambda one: one.created if isinstance(one, Grant) else one.at)]
    by_id = {one.id: one for one in known if one.id}
    if not matching(typed, by_id):
        requests = {name: found for name in FilePending().settled_ids() if (found := _given_for(name, known))}
        if matching(typed, requests):
            return requests[resolve(typed, requests, see="askfirst log")]
    return [by_id[resolve(typed, by_id, what="grant or denial", see="askfirst grants")]]


def _given_for(name: str, known: list[Grant | Denial]) -> list[Grant | Denial]:
    """What is remembered of a request."""
    item = FilePending().find(name)
    if item is None:
        return []
    session = item.body.get("request", {}).get("session")
    return [one for one in known if one.digest == item.digest and one.session in ("", session)]
