"""Where an error makes bash give up the rest of a line, and go on with the next one.

`echo $((1/0)); cd build` does not change the directory, and what stands on the next line runs where the first began. So whatever a line
sets, defines or enters behind (or inside) a command that may fail like this is not certain on the lines that follow.
"""

from __future__ import annotations

from askfirst.patterns import compiled
from askfirst.shell.syntax import Arithmetic, Branches, Evaluate, For, Group, Literal, Parameter, Simple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from askfirst.shell.names import Names
    from askfirst.shell.syntax import AndOr, Node, Part, Redirect, Script, Set, Word

# No division, no exponent, no octal number that could be wrong, and nothing that may expand to nothing.
_OPERAND = r"[ \t]*(?:(?:\+\+|--)?[A-Za-z_][A-Za-z0-9_]*(?:\+\+|--)?|0|[1-9][0-9]{0,17}|\$[#?]|\$\{#[A-Za-z_][A-Za-z0-9_]*\})[ \t]*"
CERTAIN = compiled(
    rf"(?:[ \t]*[A-Za-z_][A-Za-z0-9_]*[ \t]*[-+*]?=(?!=))?{_OPERAND}(?:(?:[-+*]|[<>]=?|[=!]=|&&|\|\|){_OPERAND})*"
)
SLICE = compiled(r":[ ]?-?[0-9]{1,9}(?::[0-9]{1,9})?\}")
ZEROS = compiled(r"(?<![0-9A-Za-z_.])0[0-9]|\bdate\b")  # numbers such as 08, which arithmetic refuses


def stops(item: AndOr, names: Names, zeros: bool) -> bool:
    """Whether the rest of the line may be dropped because of this command. `zeros`: a variable may hold `08`."""
    # The commands of a pipeline, a subshell, a substitution run in shells of their own, which end alone.
    return any(_node(p.commands[-1], names, zeros) for p in item.pipelines if len(p.commands) == 1 or names.options)


def _node(node: Node, names: Names, zeros: bool) -> bool:
    if any(_redirect(r, zeros) for r in node.redirects):
        return True
    if isinstance(node, Simple):
        first = node.words[0].parts[0] if node.words and node.words[0].parts else None
        called = isinstance(first, Literal) and first.text in names.functions
        return (
            called
            or any(names.locks or _set(one, zeros) for one in node.sets)
            or any(_word(w, zeros) for w in node.words)
        )
    if isinstance(node, Group):
        return not node.subshell and _body(node.body, names, zeros)
    if isinstance(node, Branches):
        return any(_word(w, zeros) for w in node.words) or any(_body(b, names, zeros) for b in node.bodies)
    if isinstance(node, For):
        return any(_word(w, zeros) for w in node.words or []) or _body(node.body, names, zeros)
    if isinstance(node, Evaluate):
        parts = [p for arithmetic in node.arithmetic for p in arithmetic.parts]
        return (
            any(_word(w, zeros) for w in node.words)
            or any(_part(p, zeros) for p in parts)
            or (node.body is not None and _body(node.body, names, zeros))
        )
    return False


def _body(script: Script, names: Names, zeros: bool) -> bool:
    return any(stops(item, names, zeros) for item, _ in script.items)


def _redirect(redirect: Redirect, zeros: bool) -> bool:
    return _word(redirect.target, zeros) or (redirect.body is not None and _word(redirect.body, zeros))


def _set(one: Set, zeros: bool) -> bool:
    return one.element or bool(one.hazards) or _word(one.word, zeros) or any(_word(w, zeros) for w in one.array or [])


def _word(word: Word, zeros: bool) -> bool:
    return any(_part(part, zeros) for part in word.parts)


def _part(part: Part, zeros: bool) -> bool:
    if isinstance(part, Arithmetic):
        return zeros or not part.certain or any(_part(p, zeros) for p in part.parts)
    if isinstance(part, Parameter):
        if part.operator == ":":
            return not SLICE.fullmatch(part.words[0].text)
        return bool(part.hazards) or any(_word(word, zeros) for word in part.words)
    return False
