"""Which programs read their standard input. It matters where a shell reads its script from there: what a program takes,
the shell never sees, and the rest may mean something else (`head -c4` before the line `ls #touch x` leaves `touch
x`).

Promises: a program that is not known to leave its input alone is taken for one that reads it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from askfirst.model import Word
from askfirst.shell.tools import tool_for
from askfirst.shell.tools.options import parse

if TYPE_CHECKING:
    from askfirst.shell.call import Call

# These do not look at their standard input.
_LEAVE_IT = frozenset(
    """
: [ alias bg break builtin caller cd command continue declare dirs disown echo eval exit export false fg getopts hash
help jobs kill let
local popd printf pushd pwd readonly return set shift shopt test times trap true type typeset ulimit umask unalias unset
wait
basename chmod cp date df dirname du env file find free git hostname id ln ls lsof mkdir mktemp mv nice nohup nproc ps
printenv readlink
realpath rm rmdir seq sleep stat stdbuf time timeout touch tree truncate uname uptime which whoami
bun cargo cmake go gradle make mvn mypy ninja node npm npx pip pnpm pytest python python3 ruff tsc uv yarn
""".split()
)
# These read it unless at least so many files (or a pattern and files) are named.
_UNLESS_FILES = {
    **dict.fromkeys(
        (
            "cat head tail wc nl sort uniq cut tac rev fold expand md5sum sha1sum sha256sum od xxd hexdump strings "
            "base64"
        ).split(),
        1,
    ),
    **dict.fromkeys("grep egrep fgrep rg sed awk gawk jq yq diff cmp comm join".split(), 2),
}


def may_read(call: Call) -> bool:
    """Whether a call may take something from its standard input."""
    name = call.name.rsplit("/", 1)[-1]
    if name in _LEAVE_IT:
        reads_code = len(call.words) < 2 or (name.startswith("python") and call.words[1].value not in ("-m", "-V"))
        return name in ("python", "python3", "node", "bun") and reads_code
    least = _UNLESS_FILES.get(name)
    if least is None:
        return True
    tool = tool_for(name)
    operands = parse(tool, call.words[1:]).operands if tool is not None else ()
    return len(operands) < least or any(_may_be_input(w) for w in operands)


def _may_be_input(word: Word) -> bool:
    """`-`, `/dev/stdin`, `/proc/self/fd/0`, or what is not known."""
    if word.value is None and not (word.glob and word.prefix):
        return True
    known = word.value if word.value is not None else word.prefix
    return known == "-" or known.startswith(("/dev/", "/proc/"))
