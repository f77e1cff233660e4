"""Programs whose output is a number and nothing else: bash may evaluate it in arithmetic without running anything.

A program counts only where all its words are in the text and no operand is a file's name, which its output could repeat
(`wc -l FILE`, `grep -c x FILE1 FILE2`).
"""

from __future__ import annotations

from askfirst.shell.syntax import Literal, Simple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from askfirst.shell.syntax import Script

# Program -> the words it may have. For grep, one pattern may follow `-c`.
COUNTS = {
    "wc": frozenset(("-l", "-c", "-w", "-m")),
    "nproc": frozenset(("--all",)),
    "date": frozenset(("+%s", "+%N", "+%s%N", "+%Y", "+%m", "+%d", "+%H", "+%M", "+%S", "+%j", "-u")),
    "id": frozenset(("-u", "-g")),
    "grep": frozenset(("-c", "-i", "-v", "-E", "-F", "-w", "-x")),
}


def prints_a_number(script: Script) -> bool:
    """Whether the output of a substitution can only be a number (or nothing)."""
    if len(script.items) != 1 or len(script.items[0][0].pipelines) != 1:
        return False
    node = script.items[0][0].pipelines[0].commands[-1]
    if not isinstance(node, Simple) or node.sets or not node.words:
        return False
    if not all(is_quiet(r.fd, r.operator, r.target.text) for r in node.redirects):
        return False
    words = [
        "".join(p.text for p in w.parts if isinstance(p, Literal))
        if all(isinstance(p, Literal) for p in w.parts)
        else ""
        for w in node.words
    ]
    known = COUNTS.get(words[0])
    if known is None:
        return False
    rest = [w for w in words[1:] if w not in known]
    if words[0] == "grep":
        return "-c" in words and len(rest) == 1 and rest[0][:1] != "-" and rest[0] != ""
    return not rest and (words[0] not in ("date", "id") or len(words) > 1)


def is_quiet(fd: str, operator: str, target: str) -> bool:
    """Redirections that bring no other text into the output."""
    return (operator in ("<", "<<<", "<<", "<<-") and fd in ("", "0")) or (
        fd == "2" and operator == ">" and target == "/dev/null"
    )
