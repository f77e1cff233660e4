"""Patches over several files: every file is seen, an exact fit gives the content, and anything else is asked or not
understood."""

from __future__ import annotations

from pathlib import Path

import pytest

from askfirst.files.patch import facts_of_patch
from askfirst.model import Unknown, Write
from askfirst.policy.rules import WriteSettings

A = "def a():\n    return 1\n\ndef b():\n    return 1\n"
# The lines between begin and end -> (path, how, content) of each write; a word for what is not known.
ROWS: dict[str, list[tuple[str, str, str | None] | str]] = {
    "*** Add File: n.txt\n+hi\n+\n+there": [("n.txt", "create", "hi\n\nthere\n")],
    "*** Add File: n.txt": [("n.txt", "create", "")],
    "*** Add File: a.py\n+x": [("a.py", "overwrite", "x\n")],
    "*** Delete File: a.py": [("a.py", "delete", None)],
    "*** Update File: a.py\n@@\n-def a():\n+def c():": [("a.py", "overwrite", A.replace("def a", "def c"))],
    "*** Update File: a.py\n@@ def b():\n-    return 1\n+    return 2": [("a.py", "overwrite", A[:-2] + "2\n")],
    "*** Update File: a.py\n def a():\n-    return 1\n+    return 2\n@@ def b():\n-    return 1\n+    return 3": [
        ("a.py", "overwrite", "def a():\n    return 2\n\ndef b():\n    return 3\n")
    ],
    "*** Update File: a.py\n@@\n-    return 1\n+    return 9\n*** End of File": [("a.py", "overwrite", A[:-2] + "9\n")],
    "*** Update File: a.py\n@@\n+last": [("a.py", "overwrite", A + "last\n")],
    "*** Update File: a.py\n*** Move to: sub/c.py\n@@\n-def a():\n+def c():": [
        ("sub/c.py", "create", A.replace("def a", "def c")),
        ("a.py", "move", None),
    ],
    "*** Add File: x\n+1\n*** Delete File: a.py\n*** Add File: y\n+2": [
        ("x", "create", "1\n"),
        ("a.py", "delete", None),
        ("y", "create", "2\n"),
    ],
    "*** Add File: ../outside\n+x": [("../outside", "create", "x\n")],
    "*** Add File: ~/x\n+x": [("~/x", "create", "x\n")],  # a directory that is called so
    "*** Update File: a.py\n@@\n-def z():\n+x": [("a.py", "overwrite", None), "file content"],
    "*** Update File: a.py\n@@\n-def a(): \n+x": [
        ("a.py", "overwrite", None),
        "file content",
    ],  # the agent would find this, with blanks
    "*** Update File: gone.py\n@@\n-a\n+b": [("gone.py", "create", None), "file content"],
    "*** Update File: a.py": [("a.py", "overwrite", None), "file content"],
    "*** Add File: x\n+1\n*** Add File: ./x\n+2": [("x", "create", "1\n"), ("x", "create", "2\n"), "patch"],
    "*** Add File: x\n+1\n *** Delete File: a.py": ["patch"],  # a reader that trims its lines would delete it
    "*** Update File: a.py\n@@\n-def a():\n+x\n  *** Add File: .git/hooks/x\n+evil": ["patch"],
    "*** Add File: x\nno plus": ["patch"],
    "*** Delete File: a.py\n+x": ["patch"],
    "*** Add File: ": ["patch"],
    "*** Add File: a\x07b\n+x": ["patch"],
    "*** Environment ID: other\n*** Add File: x\n+1": ["patch"],
    "*** Rename File: x": ["patch"],
    "stray\n*** Add File: x\n+1": ["patch"],
}


@pytest.mark.parametrize("text", ROWS)
def test_what_a_patch_does(text: str, project: Path) -> None:
    (project / "a.py").write_text(A)
    facts = facts_of_patch(
        f"*** Begin Patch\n{text}\n*** End Patch\n", project=str(project), cwd=str(project), settings=WriteSettings()
    )
    found: list[tuple[str, str, str | None] | str] = []
    for fact in facts:
        if isinstance(fact, Unknown):
            found.append(fact.what)
        else:
            assert isinstance(fact, Write) and fact.path is not None
            found.append((fact.path, fact.how, fact.content.decode() if fact.content is not None else None))
    wanted = [row if isinstance(row, str) else (str((project / row[0]).resolve()), *row[1:]) for row in ROWS[text]]
    assert found == wanted


@pytest.mark.parametrize(
    "text", ["", "garbage", "*** Begin Patch\n*** End Patch", "*** Begin Patch\n*** Add File: x\n+1", "\0" * 50]
)
def test_what_is_no_patch(text: str, project: Path) -> None:
    facts = facts_of_patch(text, project=str(project), cwd=str(project), settings=WriteSettings())
    assert [type(f) for f in facts] == [Unknown]


def test_the_gate_judges_every_part(project: Path) -> None:
    """One file of the gate's own among harmless ones is enough."""
    from askfirst.gate import decide
    from askfirst.model import Decision, Request
    from askfirst.world import World

    def verdict(tool: str, **given: object) -> Decision:
        return decide(Request("codex", "s", str(project), str(project), tool, given), World()).decision

    harmless = "*** Add File: notes.txt\n+x\n"
    assert verdict("ApplyPatch", command=f"*** Begin Patch\n{harmless}*** End Patch") == Decision.ALLOW
    for more in (
        "*** Add File: .codex/hooks.json\n+{}\n",
        "*** Delete File: .git/config\n",
        "*** Add File: /etc/passwd\n+x\n",
    ):
        assert verdict("ApplyPatch", command=f"*** Begin Patch\n{harmless}{more}*** End Patch") == Decision.DENY, more
    assert verdict("Commands", command="ls\nls", commands=["ls", "ls"]) == Decision.ALLOW
    assert verdict("Commands", command="ls\nsudo ls", commands=["ls", "sudo ls"]) == Decision.DENY
    assert verdict("Delete", file_path=".git/config") == Decision.DENY
    assert verdict("Delete") == Decision.DENY
