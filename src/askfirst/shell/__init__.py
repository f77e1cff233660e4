"""Commands as facts: what a bash text would run, write and read, and what in it cannot be known.

`analyze` never raises and takes time linear in the length of the text. Whatever is odd, too long, or read differently by bashlex and
by this package's own reader is an `Unknown` fact, with every plain word of the text, so that blocks are still found in it.
"""

from __future__ import annotations

from askfirst.model import Unknown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Set as AbstractSet

    from askfirst.model import Fact
    from askfirst.shell.call import Stdin
    from askfirst.shell.names import Names
    from askfirst.shell.surroundings import Surroundings
    from askfirst.shell.syntax import Script

MAX_LENGTH = 100_000


def analyze(text: str, surroundings: Surroundings) -> tuple[Fact, ...]:
    """Everything that `text` would run, write or read when a shell is given it."""
    return facts_of_text(text, surroundings, cwd=surroundings.cwd)


def facts_of_text(
    text: str,
    surroundings: Surroundings,
    *,
    cwd: str | None,
    via: tuple[str, ...] = (),
    level: int = 0,
    outer: Names | None = None,
    functions: AbstractSet[str] = frozenset(),
    stdin: Stdin | None = None,
    piped: bool = False,
) -> tuple[Fact, ...]:
    from askfirst.shell.scan import plain_words

    if len(text) > MAX_LENGTH:
        why = f"longer than {MAX_LENGTH:,} characters"
        return (Unknown("too long", why, text[:200], plain_words(text)),)
    try:
        return _facts(text, surroundings, cwd, via, level, outer, functions, stdin, piped)
    except RecursionError:
        return (Unknown("too long", "too deeply nested", text, plain_words(text)),)
    except Exception as error:  # the gate closes, whatever went wrong
        what, why = getattr(error, "what", "internal"), getattr(error, "why", f"{type(error).__name__}: {error}")
        return (Unknown(what, why, text, plain_words(text)),)


def _facts(
    text: str,
    surroundings: Surroundings,
    cwd: str | None,
    via: tuple[str, ...],
    level: int,
    outer: Names | None,
    functions: AbstractSet[str],
    stdin: Stdin | None,
    piped: bool,
) -> tuple[Fact, ...]:
    from askfirst.shell.call import Stdin
    from askfirst.shell.names import Names
    from askfirst.shell.syntax import GiveUp
    from askfirst.shell.walk import State, Walk

    ledger = None
    script = _plain(text)
    if script is None:
        from askfirst.shell.lex import Ledger

        ledger = Ledger()
        script = _parsed(text, ledger)
    names = Names(outer)
    names.script(script)
    names.settle()
    walk = Walk(text, surroundings, ledger, names, via=via, level=level)
    walk.lines(script, State(cwd, {}, set(functions), stdin or Stdin(), piped))
    if ledger is not None and ledger.missed():
        raise GiveUp("a substitution that was not visited")
    if ledger is not None and walk.zsh and ledger.bash_only:
        walk.differs(ledger.bash_only[0])
    if outer is None and names.entered:
        walk.check_entered()
    return tuple(dict.fromkeys(walk.facts))


def _plain(text: str) -> Script | None:
    from askfirst.shell.plain import plain_script

    return plain_script(text)


def _parsed(text: str, ledger: object) -> Script:
    from askfirst.shell.parse import parse

    return parse(text, ledger)  # type: ignore[arg-type]
