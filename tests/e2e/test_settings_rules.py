"""The rows of agents/claude/accepts.py against the real client: which settings it drops, in which encodings it reads.

`--init-only` runs the SessionStart hooks and nothing else, so each question takes a fraction of a second.
"""

from __future__ import annotations

import json
import subprocess
from typing import Any

from askfirst.agents.claude import accepts
from tests.agents.claude.settings_samples import DROPPED, TAKEN
from tests.agents.claude.test_accepts import ENCODINGS
from tests.e2e.client import PROGRAM, Client

# A good value for each kind, and what is none; a kind that is missing here fails.
GOOD: dict[str, Any] = {
    "string": "x",
    "bool": True,
    "number": 1.5,
    "int": 3,
    "[string]": ["x"],
    "[any]": [],
    "[object]": [],
    "object": {},
    "clock": "22:00",
}


def is_taken(client: Client, value: dict[str, Any] | bytes) -> bool:
    """Whether a hook that stands in the same file is run."""
    mark = client.project / "FIRED"
    mark.unlink(missing_ok=True)
    path = client.settings("local", {})
    if isinstance(value, dict):
        hooks = {
            "SessionStart": [{"hooks": [{"type": "command", "command": f"touch {mark}"}]}],
            **value.get("hooks", {}),
        }
        value = json.dumps({**value, "hooks": hooks}).encode()
    path.write_bytes(value)
    subprocess.run(
        [str(PROGRAM), "-p", "go", "--init-only"],
        cwd=client.project,
        env=client.environment("http://127.0.0.1:1"),
        capture_output=True,
        stdin=subprocess.DEVNULL,
        timeout=120,
    )
    return mark.exists()


def test_settings_that_the_table_calls_bad_are_dropped_and_others_are_not(client: Client) -> None:
    wrong = [value for value, _ in DROPPED if is_taken(client, value)] + [v for v in TAKEN if not is_taken(client, v)]
    assert not wrong


def test_every_plain_row_holds(client: Client) -> None:
    """One wrong value for each key of the first level; the value that fits stands beside it in `GOOD`."""
    wrong = []
    for kind in GOOD.keys() & accepts.ROWS.keys():
        names = [name for name in accepts.ROWS[kind].split() if "." not in name and name not in ("hooks", "statusLine")]
        bad = 5 if kind in ("string", "bool", "object", "[string]", "[any]") else "x"
        assert not accepts.fits(kind, bad)
        wrong += [name for name in names[::7] if is_taken(client, {name: bad})]
        off = {"disableAllHooks": False, "forceRemoteSettingsRefresh": False}
        good = {name: GOOD[kind] for name in names if name in accepts.ROWS[kind].split()}
        needs_more = ("fileSuggestion", "spinnerVerbs")
        good = {name: off.get(name, value) for name, value in good.items() if name not in needs_more}
        wrong += [f"{kind}: all good"] if not is_taken(client, good) else []
    assert not wrong


def test_the_encodings_that_it_reads(client: Client) -> None:
    hooks = {"SessionStart": [{"hooks": [{"type": "command", "command": f"touch {client.project / 'FIRED'}"}]}]}
    text = json.dumps({"hooks": hooks})
    found = {name: is_taken(client, mark + text.encode(encoding)) for name, (mark, encoding, _) in ENCODINGS.items()}
    assert found == {name: is_read for name, (_, _, is_read) in ENCODINGS.items()}
    assert is_taken(client, (text + " " * (accepts.MAX_BYTES - len(text))).encode())
    assert not is_taken(client, (text + " " * (accepts.MAX_BYTES - len(text) + 1)).encode())
