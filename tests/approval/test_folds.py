"""Which lines a dialog may fold: only text that nothing asked about can run."""

from __future__ import annotations

from pathlib import Path

import pytest

from askfirst.approval.folds import folds_of
from askfirst.approval.question import Fold
from askfirst.gate import judged
from askfirst.model import Request
from askfirst.world import World

BULK = "\n".join(f"- point {n}" for n in range(8))


def folds(project: Path, command: str) -> tuple[Fold, ...]:
    request = Request("claude", "s-1", str(project), str(project), "Bash", {"command": command})
    case = judged(request, World().layers(request))
    return folds_of(case.request, case.verdict)


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        (f"cat > notes.md <<'EOF'\n{BULK}\nEOF\ngit push origin main", (1, 8, "notes.md")),
        (f"mkdir -p docs\ncat <<\"EOF\" >> 'docs/a.txt'\n{BULK}\nEOF\nhugo build", (2, 8, "'docs/a.txt'")),
        (f"cat > src.py <<'EOF'\n{BULK}\nEOF\ngit push origin main", (1, 8, "src.py")),
        (f"cat > notes.md <<'EOF' && git push origin main\n{BULK}\nEOF", (1, 8, "notes.md")),
    ],
)
def test_inert_bulk_is_folded(project: Path, command: str, expected: tuple[int, int, str]) -> None:
    (fold,) = folds(project, command)
    assert (fold.first, fold.lines, fold.into) == expected
    lines = command.split("\n")
    assert "\n".join(lines[fold.first : fold.first + fold.lines]) == BULK


@pytest.mark.parametrize(
    "command",
    [
        f"cat > notes.md <<'EOF'\n{BULK}\nEOF\nsh notes.md",
        f"cat > notes.md <<'EOF'\n{BULK}\nEOF\nbash *.md",
        f"cat > notes.md <<'EOF'\n{BULK}\nEOF\nfind . -name n* -exec sh {{}} ;",
        f"cat > notes.md <<'EOF'\n{BULK}\nEOF\neval \"$x\"",
        f"cat > notes.md <<'EOF'\n{BULK}\nEOF\nmytool notes.md",
        f"cat > src.py <<'EOF'\n{BULK}\nEOF\nhugo build",  # a program that no table knows may load it
        f"cat > Makefile <<'EOF'\n{BULK}\nEOF\nmake",
        f"cat > notes.md <<EOF\n{BULK}\nEOF\ngit push origin main",  # it expands
        f"cat <<'EOF' | sh\n{BULK}\nEOF",
        f"sh <<'EOF'\n{BULK}\nEOF",
        f"cat() {{ sh; }}; cat > notes.md <<'EOF'\n{BULK}\nEOF\ngit push origin main",
        f"cat > ~/notes.md <<'EOF'\n{BULK}\nEOF\ngit push origin main",  # the write itself asks
        f"cat > .git/hooks/x.md <<'EOF'\n{BULK}\nEOF\ngit push origin main",
        f": # <<'EOF'\n{BULK}\nEOF\ngit push origin main",
        "cat > notes.md <<'EOF'\nshort\nEOF\ngit push origin main",
    ],
)
def test_what_may_matter_is_shown(project: Path, command: str) -> None:
    assert folds(project, command) == ()
