"""Secrets in what a contained command prints: masked while it comes, also where it fails, and whole for the person."""

from __future__ import annotations

import os
import random
import stat
from pathlib import Path

import pytest

from askfirst.box import runs
from askfirst.box.stream import MAX_LINE, Masks
from askfirst.masks import own_key
from askfirst.policy.rules import Label
from askfirst.store import labels, paths, whole_results
from tests.box.conftest import Box

KEY = "sk-live-4f9a8b7c6d5e4f3a2b1c"
GITHUB = "ghp_" + "a1B2c3D4e5F6" * 3
BODY = [f"MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC{n:02}kR8vT1" for n in range(12)]
PEM = "\n".join(("-----BEGIN PRIVATE KEY-----", *BODY, "-----END PRIVATE KEY-----"))


def masks(tmp_path: Path, *, keep: int = 0) -> Masks:
    (tmp_path / ".env").write_text(f"API_KEY={KEY}\n")
    about = ("s1", str(tmp_path), "Bash", "./run.sh")
    return Masks(
        {"masks": {"files": [str(tmp_path / ".env")], "patterns": ["EMP-[0-9]{5}"], "keep": keep, "about": about}}
    )


@pytest.mark.parametrize("seed", range(8))
def test_however_it_is_cut_it_comes_out_the_same(seed: int, tmp_path: Path) -> None:
    chance = random.Random(seed)
    lines = [
        f"used {KEY} here",
        "plain words",
        f"push https://{GITHUB}@x",
        "EMP-44812",
        "ünïcode",
        "x" * 300,
        "\x00\x01",
    ]
    text = "\n".join(chance.choices(lines, k=40)).encode() + b"\n\xff\xfe tail"
    whole = masks(tmp_path).stream()
    expected = whole.feed(text) + whole.flush()
    stream, found = masks(tmp_path).stream(), b""
    while text:
        size = chance.choice((1, 3, 7, 50, 400))
        found, text = found + stream.feed(text[:size]), text[size:]
    assert found + stream.flush() == expected
    assert not any(secret in expected for secret in (KEY.encode(), GITHUB.encode(), b"EMP-44812"))
    assert b"plain words\n" in expected and expected.endswith(b"\xff\xfe tail")


@pytest.mark.parametrize("size", [1, 20, 64, 100, 5000])
def test_a_key_of_many_lines_is_masked_piece_by_piece(size: int, tmp_path: Path) -> None:
    stream, text, found = masks(tmp_path).stream(), f"before\n{PEM}\nafter\nthe end\n".encode(), b""
    for at in range(0, len(text), size):
        found += stream.feed(text[at : at + size])
    found += stream.flush()
    assert not any(line.encode() in found for line in BODY)
    assert found.startswith(b"before\n-----BEGIN") and found.endswith(b"-----END PRIVATE KEY-----\nafter\nthe end\n")
    assert found.count(b"\n") == text.count(b"\n")


def test_a_line_without_an_end_is_not_held_for_ever(tmp_path: Path) -> None:
    stream = masks(tmp_path).stream()
    text = b"x y " * MAX_LINE + KEY.encode()
    out = b"".join(stream.feed(text[at : at + 10_000]) for at in range(0, len(text), 10_000))
    assert len(text) - len(out) <= MAX_LINE + 10_000
    out += stream.feed(b" " + KEY[:5].encode()) + stream.feed(KEY[5:].encode()) + stream.flush()
    assert KEY.encode() not in out and out.count(b"<redacted:API_KEY#") == 2


def test_a_failing_command_is_masked_and_whole_for_the_person(box: Box) -> None:
    (box.project / ".env").write_text(f"API_KEY={KEY}\n")
    (box.project / "run.log").write_text(f"test_pay FAILED\nused {KEY} for it\n")
    done = box.run(f"cat run.log; echo 'token {GITHUB}' >&2; printf 'caf\\303\\251 \\377'; exit 3")
    assert done.code == 3
    assert KEY not in done.out and GITHUB not in done.err
    assert "test_pay FAILED\nused <redacted:API_KEY#" in done.out and "token <redacted:github-token#" in done.err
    (kept,) = whole_results.everything()
    assert f"used {KEY} for it" in kept.text and GITHUB in kept.text and "café" in kept.text
    assert "ghp_" not in kept.call and len(kept.marks) == 2
    assert whole_results.find(kept.marks[0]) == kept == whole_results.find(kept.id[:6])
    file = os.path.join(paths.private_dir("flow", "whole"), kept.id)
    assert stat.S_IMODE(os.stat(file).st_mode) == 0o600
    seen = box.run(f"cat {file}; ls {paths.private_dir('flow', 'whole')}")
    assert KEY not in seen.out and kept.id not in seen.out


def test_what_a_contained_command_writes_keeps_the_sessions_label(box: Box) -> None:
    box.run("echo before > before.txt")
    assert labels.labelled(str(box.project)) == ()
    labels.note("s1", str(box.project), (Label("untrusted", "a page"),))
    box.run("mkdir d; echo after > d/after.txt; echo more >> before.txt")
    assert sorted(Path(f.path).name for f in labels.labelled(str(box.project))) == ["after.txt", "before.txt", "d"]


def test_what_is_not_masked_is_not_kept(box: Box) -> None:
    (box.project / ".env").write_text(f"API_KEY={KEY}\n")
    (box.project / "run.log").write_text(KEY)
    assert box.run("echo nothing secret; false").out == "nothing secret\n"
    assert KEY in box.run("cat run.log", masks=False).out
    assert box.run("cat run.log", keep_whole=False).out.startswith("<redacted:API_KEY#")
    assert whole_results.everything() == []


def test_a_prompt_without_an_end_of_line_is_seen_while_the_command_waits(box: Box) -> None:
    run = runs.prepare(box.plan("printf 'Your name: '; read name; echo hello $name"))
    process = box.start(run)
    assert process.stdin is not None and process.stdout is not None
    prompt = b""
    while not prompt.endswith(b": "):
        piece = os.read(process.stdout.fileno(), 100)
        assert piece, prompt
        prompt += piece
    out, _ = process.communicate(b"ann\n", timeout=60)
    assert (prompt, out) == (b"Your name: ", b"hello ann\n")


def test_output_that_cannot_be_looked_through_is_not_shown(box: Box) -> None:
    own_key()
    key = Path(paths.private_dir("flow")) / "key"
    key.unlink()
    key.mkdir()
    done = box.run(f"echo {KEY}; touch made; exit 4")
    assert done.code == 4 and (box.project / "made").exists()
    assert KEY not in done.out and "could not look for secrets" in done.out
