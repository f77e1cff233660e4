"""What a simple command prints, where the text itself says so: `cat > FILE <<'EOF'`, `echo TEXT > FILE`.

Only what every shell prints alike: a backslash, an option or a word that is not known, and the answer is None.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from askfirst.model import Word

if TYPE_CHECKING:
    from askfirst.shell.call import Stdin
    from askfirst.shell.syntax import Redirect


PRINTERS = frozenset((":", "true", "cat", "echo", "printf"))


def stdout_target(redirects: Sequence[Redirect]) -> str | None:
    """The one word that standard output goes to; None when there is none, or several (zsh writes to all of them)."""
    targets = [r for r in redirects if r.operator not in ("<", "<<", "<<-", "<<<") and r.fd in ("", "1")]
    plain = [r for r in targets if r.operator in (">", ">|", ">>")]
    return plain[0].target.text if len(targets) == len(plain) == 1 else None


def printed(words: Sequence[Word], stdin: Stdin) -> str | None:
    """All that the command writes to its standard output, or None when that is not known."""
    if any(w.value is None or w.many for w in words):
        return None
    name, *given = [w.value or "" for w in words] or [""]
    if name in ("", ":", "true"):
        return ""
    if name == "cat":
        return stdin.text if given in ([], ["-"]) and stdin.kind == "text" else None
    if name == "echo":
        return _echoed(given)
    return _formatted(given) if name == "printf" else None


def _echoed(words: list[str]) -> str | None:
    end = "\n"
    if words[:1] == ["-n"]:
        words, end = words[1:], ""
    if (words and words[0].startswith("-")) or any("\\" in w for w in words):
        return None
    return " ".join(words) + end


def _formatted(words: list[str]) -> str | None:
    """`printf 'TEXT\\n'` and `printf '%s\\n' WORD…`."""
    if not words or words[0].startswith("-"):
        return None
    form = words[0].replace("\\n", "\n")
    if "\\" in form:
        return None
    if form in ("%s", "%s\n"):
        return "".join(form.replace("%s", w) for w in words[1:] or [""])
    return form if "%" not in form and len(words) == 1 else None


_PLAIN_TESTS = frozenset(
    (
        "-name -iname -path -ipath -wholename -regex -iregex -type -size -mtime -mmin -newer -maxdepth -mindepth "
        "-not ! -o -or -a -and ( ) -empty -print0 -prune -executable -readable"
    ).split()
)


def listed(words: Sequence[Word]) -> str:
    """The beginning of every name that `find DIRECTORY … -print0` prints; "" when that is not known."""
    values = [w.value for w in words if w.value is not None]
    if values[:1] != ["find"] or "-print0" not in values or len(values) < len(words):
        return ""
    given = values[1:]
    start = next((i for i, v in enumerate(given) if v[:1] in ("-", "(", "!")), len(given))
    if start > 1 or not all(map(_is_plain_test, given[start:])):
        return ""
    return (given[0].rstrip("/") if start else ".") + "/"


def _is_plain_test(word: str) -> bool:
    """Whether a word of an expression of `find` prints nothing else: a test, or what a test compares with."""
    return not word.startswith("-") or word in _PLAIN_TESTS or word[1:].isdigit()
