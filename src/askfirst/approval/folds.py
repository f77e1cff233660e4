"""Which lines of a command a dialog may fold: text that goes into an allowed file and that nothing asked about can run.

What is folded need not be read before a yes. So a fold needs a proof: the script's own grammar says where the lines
are, the verdict allows the `cat` and the write, the file is named nowhere else in the command, not even by a pattern,
and all that asks are programs that are known not to run the project's files; for prose, that run no code they are
given.
"""

from __future__ import annotations

import os
import re

from askfirst.approval.question import Fold
from askfirst.model import Command, Decision, Fact, Finding, Kind, Request, Verdict, Write
from askfirst.redact import redact
from askfirst.shell.bulk import Bulk, bulk_of

MIN_LINES = 6  # fewer are shown
PROSE = (".md", ".markdown", ".txt", ".rst", ".adoc", ".csv", ".tsv", ".log")
RUNS_NO_FILES = frozenset((Kind.READ, Kind.EDIT, Kind.NETWORK, Kind.DESTRUCTIVE))
RUNS_WHAT_IT_IS_GIVEN = frozenset((Kind.CODE, Kind.INLINE, Kind.WRAPPER))
PATTERNS = re.compile(r"[*?\[]")


def folds_of(request: Request, verdict: Verdict) -> tuple[Fold, ...]:
    text = request.input.get("command")
    if request.tool != "Bash" or not isinstance(text, str) or not _may_fold(text, verdict):
        return ()
    kinds = PROSE if not _runs_no_files(verdict) else ("",)
    return tuple(
        Fold(bulk.first, bulk.lines, redact(bulk.target))
        for bulk in bulk_of(text)
        if bulk.lines >= MIN_LINES
        and bulk.target.lower().rstrip("\"'").endswith(kinds)
        and _may_be_written(bulk, verdict)
        and _is_named_once(bulk, text)
    )


def _may_fold(text: str, verdict: Verdict) -> bool:
    # Masking may join lines: then nobody knows which are which.
    if text.count("\n") < MIN_LINES or redact(text).count("\n") != text.count("\n"):
        return False
    runs_code = any(
        not isinstance(fact, Command) or fact.action.kind in RUNS_WHAT_IT_IS_GIVEN for fact in _asked(verdict)
    )
    return not runs_code and _is_plain_cat(verdict)


def _asked(verdict: Verdict) -> list[Fact]:
    return [f.fact for f in verdict.findings if f.decision == Decision.ASK]


def _runs_no_files(verdict: Verdict) -> bool:
    actions = [fact.action for fact in _asked(verdict) if isinstance(fact, Command)]
    return all(action.rule and action.kind in RUNS_NO_FILES for action in actions)


def _is_plain_cat(verdict: Verdict) -> bool:
    cats = [f for f in verdict.findings if isinstance(f.fact, Command) and f.fact.name == "cat"]
    return bool(cats) and all(f.decision == Decision.ALLOW for f in cats) and not any(map(_is_function, cats))


def _is_function(finding: Finding) -> bool:
    return isinstance(finding.fact, Command) and finding.fact.builtin


def _may_be_written(bulk: Bulk, verdict: Verdict) -> bool:
    writes = [f for f in verdict.findings if isinstance(f.fact, Write) and f.fact.text == bulk.target]
    return bool(writes) and all(f.decision == Decision.ALLOW for f in writes)


def _is_named_once(bulk: Bulk, text: str) -> bool:
    """Outside of the lines themselves: `cat > a.sh <<'EOF' …; sh a.sh` runs them."""
    lines = text.split("\n")
    rest = "\n".join((*lines[: bulk.first], *lines[bulk.first + bulk.lines :]))
    return rest.count(os.path.basename(bulk.target.strip("\"'"))) == 1 and not PATTERNS.search(rest)
