"""Where a script only puts text into a file: `cat > notes.md <<'EOF'`. A dialog folds such lines where nothing that is
asked could run them (approval/folds.py).
"""

from __future__ import annotations

from dataclasses import dataclass

from askfirst.shell.reading import tree_of
from askfirst.shell.syntax import AndOr, GiveUp, Redirect, Simple, literal_text


@dataclass(frozen=True)
class Bulk:
    """The lines of one quoted heredoc that `cat` writes into one file."""

    first: int  # line of the text, from 0
    lines: int
    target: str  # as written


def bulk_of(text: str) -> tuple[Bulk, ...]:
    """Those of the script's own commands, in order; none where the text is not certain, or where anything in it could
    make `cat` something else."""
    try:
        script = tree_of(text).script
    except (GiveUp, RecursionError):
        return ()
    found = [_bulk(text, item) for item, _ in script.items]
    return tuple(one for one in found if one is not None)


def _bulk(text: str, item: AndOr) -> Bulk | None:
    first = item.pipelines[0].commands
    # The first of `cat … && make`; a pipe would carry the text on.
    if len(first) != 1 or not isinstance(first[0], Simple) or not _only_copies(first[0]):
        return None
    given = next((r for r in first[0].redirects if _is_quoted_heredoc(r)), None)
    into = next((r for r in first[0].redirects if r.operator in (">", ">>") and not r.fd), None)
    if given is None or given.body is None or into is None or not literal_text(into.target):
        return None
    return Bulk(text.count("\n", 0, given.at), given.body.text.count("\n"), into.target.text)


def _only_copies(command: Simple) -> bool:
    return not command.sets and [w.text for w in command.words] == ["cat"] and len(command.redirects) == 2


def _is_quoted_heredoc(redirect: Redirect) -> bool:
    return redirect.operator in ("<<", "<<-") and not redirect.expands and not redirect.fd
