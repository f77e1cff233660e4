"""Redaction: a table of real formats, false positives on what only looks secret, and linear time."""

from __future__ import annotations

import base64
import os
import random
import uuid
from pathlib import Path
from typing import Any

import pytest
import yaml

from askfirst.knowledge.secret_formats import FORMATS, SHAPES
from askfirst.redact import find, redact

CASES: dict[str, Any] = yaml.safe_load((Path(__file__).parent.parent / "cases" / "redaction.yaml").read_text())


@pytest.mark.parametrize("case", CASES["masked"], ids=lambda c: f"{c['name']}: {c['text'][:40]}")
def test_a_secret_is_masked(case: dict[str, Any]) -> None:
    secret = "".join(str(part) for part in case["secret"])
    text = case["text"].format(secret)
    masked = redact(text, environment={})
    assert secret not in masked and secret[-8:] not in masked
    assert f"<redacted:{case['name']}>" in masked
    assert redact(masked, environment={}) == masked


def test_every_known_format_has_an_example() -> None:
    shown = {case["name"] for case in CASES["masked"]}
    assert {name for name, *_ in (*FORMATS, *SHAPES)} <= shown
    assert {start[:3] for _, starts, _ in FORMATS for start in starts.split() if len(start) < 3} == set()


@pytest.mark.parametrize("text", CASES["kept"])
def test_what_only_looks_secret_is_kept(text: str) -> None:
    assert redact(text, environment={}) == text


def ordinary(choose: random.Random, kind: str) -> str:
    if kind == "git hash":
        return f"git show {choose.randbytes(20).hex()}"
    if kind == "uuid":
        return f"id {uuid.UUID(bytes=choose.randbytes(16))}"
    if kind == "lock file":
        return f'      "integrity": "sha512-{base64.b64encode(choose.randbytes(64)).decode()}",'
    if kind == "go sum":
        return f"golang.org/x/mod v0.{choose.randrange(30)}.0 h1:{base64.b64encode(choose.randbytes(32)).decode()}"
    if kind == "wheel record":
        digest = base64.urlsafe_b64encode(choose.randbytes(32)).decode().rstrip("=")
        return f"pip/__init__.py,sha256={digest},{choose.randrange(9999)}"
    if kind == "image":
        return f"url(data:image/png;base64,{base64.b64encode(choose.randbytes(choose.randrange(150, 900))).decode()})"
    names = [
        "e",
        "t",
        "function",
        "return",
        "getElementById",
        "addEventListener",
        "n.prototype",
        "length",
        "void 0",
        "null",
    ]
    return "".join(f"{choose.choice(names)}({choose.randrange(99)}){choose.choice(',;=+')}" for _ in range(60))


def test_false_positives_stay_under_one_percent() -> None:
    choose = random.Random(11)
    kinds = ("git hash", "uuid", "lock file", "go sum", "wheel record", "image", "minified code")
    texts = [ordinary(choose, kind) for kind in kinds for _ in range(300)]
    wrong = [t for t in texts if find(t, environment={})]
    assert len(wrong) < len(texts) / 100, wrong[:5]


def test_values_of_secret_looking_variables_are_masked_whatever_they_look_like() -> None:
    environment = {
        "STAGING_DB_PASSWORD": "blue horse 7",
        "HOME": "/home/ann",
        "API_TOKEN": "short1",
        "GREETING": "good morning",
        "X_TOKEN": "abc",
    }
    text = "psql -c 'blue horse 7' && echo good morning /home/ann short1 abc"
    assert (
        redact(text, environment=environment)
        == "psql -c '<redacted:environment>' && echo good morning /home/ann <redacted:environment> abc"
    )


def test_the_own_environment_is_used_by_default(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DEPLOY_SECRET", "green apple pie")
    assert "green apple" not in redact("echo green apple pie")


def test_overlapping_secrets_leave_nothing() -> None:
    token = "ghp_" + "a1B2" * 9
    text = f"curl -H 'Authorization: token {token}' https://u:{token}@h TOKEN={token}"
    assert token not in redact(text, environment={}) and token[10:] not in redact(text, environment={})


HOSTILE = [
    "password=",
    "token: ",
    "eyJ",
    "eyJa.",
    "-----BEGIN ",
    "https://a:",
    "curl -u a",
    "A" * 27 + " ",
    "aZ9-",
    "key='",
    "://",
    "Authorization: ",
    "sk-",
    "a.b_c-",
]


@pytest.mark.parametrize("piece", HOSTILE)
def test_hostile_repetition_is_linear(piece: str) -> None:
    """No clock: ten times the text may take ten times the steps, and a catastrophic pattern would never end here."""
    find(piece * (1_000_000 // len(piece)), environment={})


def test_random_bytes_never_fail() -> None:
    choose = random.Random(7)
    for _ in range(300):
        text = os.fsdecode(choose.randbytes(choose.randrange(300)))
        masked = redact(text, environment={})
        assert isinstance(masked, str)
