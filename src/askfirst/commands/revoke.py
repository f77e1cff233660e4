"""`askfirst revoke`: take a grant back."""

from __future__ import annotations

import argparse

from askfirst.approval.person import require_person, who
from askfirst.approval.remember import take_back
from askfirst.cli.answering import for_each
from askfirst.store.grants import FileGrants
from askfirst.store.ids import resolve
from askfirst.text import one_line, visible

EXAMPLES = """examples:
  askfirst revoke 9k2m        an id that `askfirst grants` shows; takes effect with the agent's next call
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("id", nargs="+", help="an id that `askfirst grants` shows, or the beginning of it")


def run(args: argparse.Namespace) -> int:
    require_person("revoke")
    store = FileGrants()

    def revoke(typed: str) -> int:
        known = {g.id: g for g in store.all()}
        grant = known[resolve(typed, known, what="grant", see="askfirst grants")]
        left = take_back(store, grant, who())
        if left:
            print(f"not revoked: {visible(left)}\nRemove the entry by hand, then run this again.")
            return 1
        print(f"revoked: {visible('; '.join(s.shown for s in grant.scopes))}  (given for {one_line(grant.text, 100)})")
        return 0

    return for_each(args.id, "revoke", revoke)
