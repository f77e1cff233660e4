"""A team's answer that the asking machine can believe: what was signed, how it is signed, and what it must fulfil.

Signed is a canonical text over the ids, the digest of what will run, the SHA-256 of each card as the person was shown
it, the verdict, and what it would remember. So neither a changed row, nor a card that says something else, nor a stolen
login of the database makes an approval; `ssh-keygen -Y` does the signing, with whatever key it knows (a passphrase, an
agent that confirms, FIDO2). Who may sign stands in the organisation's directory.
"""

from __future__ import annotations

import base64
import binascii
import json
import os
import shutil
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from askfirst.digest import sha256_hex
from askfirst.errors import AskfirstError
from askfirst.model import Answer, Decision, Duration
from askfirst.policy.approvers import AnswerNeed
from askfirst.store import clock
from askfirst.text import one_line

NAMESPACE, POLICY_NAMESPACE = "askfirst-answer", "askfirst-policy"
VERIFY_S, SIGN_S = 20.0, 120.0  # signing may wait for a finger on a key
MAX_REASON_CHARS = 500


class NotBelieved(AskfirstError):
    """An answer that does not count, and why."""


@dataclass(frozen=True)
class Signed:
    """One person's answer as it stands in the database."""

    person: str
    verdict: str
    body: str
    signature: str


def body_of(person: str, cards: Mapping[str, str], digest: str, answer: Answer) -> str:
    """What is signed. `cards`: id -> the text of the card that was shown."""
    allows = answer.decision == Decision.ALLOW
    return json.dumps(
        {
            "askfirst": 1,
            "person": person,
            "cards": {name: sha256_hex(card) for name, card in cards.items()},
            "digest": digest,
            "verdict": "allow" if allows else "deny",
            "duration": Duration(answer.duration).name.lower() if allows else "once",
            "step": answer.step if allows else -1,
            # By length, not by date: the clocks of two machines may differ by a day.
            "seconds": round(answer.until - clock.wall()) if allows and answer.duration == Duration.TIMED else 0,
            "reason": answer.reason[:MAX_REASON_CHARS],
        },
        sort_keys=True,
    )


def sign(text: str, key: str, *, namespace: str = NAMESPACE, at_terminal: bool = True) -> str:
    """The signature. `at_terminal`: ssh-keygen may ask for a passphrase there; otherwise it must do without."""
    if not key:
        raise NotBelieved(
            "no key to sign with; name one: `askfirst team join DSN --as approver --key ~/.ssh/id_ed25519`"
        )
    command = [_ssh_keygen(), "-Y", "sign", "-f", os.path.expanduser(key), "-n", namespace]
    # A prompt for a passphrase goes to the terminal itself; that a key wants to be touched is said on standard error.
    asks = None if at_terminal and _wants_touch(key) else subprocess.PIPE
    try:
        ran = subprocess.run(
            command,
            input=text.encode(),
            stdout=subprocess.PIPE,
            stderr=asks,
            timeout=SIGN_S,
            check=False,
            start_new_session=not at_terminal,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise NotBelieved(f"the answer was not signed: {error}") from error
    if ran.returncode:
        words = one_line((ran.stderr or b"").decode("utf-8", "replace"), 300)
        way_out = "" if at_terminal else "; load the key with `ssh-add -c`, or answer with `askfirst approve`"
        raise NotBelieved(f"the answer was not signed: {words or 'ssh-keygen failed'}{way_out}")
    return ran.stdout.decode("ascii")


def _wants_touch(key: str) -> bool:
    try:
        with open(os.path.expanduser(key).removesuffix(".pub") + ".pub", encoding="utf-8") as file:
            return file.read(3) == "sk-"
    except OSError:
        return False


def verify(text: str, signature: str, person: str, signers: str, *, namespace: str = NAMESPACE) -> bytes:
    """The public key that signed. Raises NotBelieved unless the file of signers names it for this person."""
    if not os.path.isfile(signers):
        raise NotBelieved(f"{signers} is missing, so nobody's signature can be checked")
    with tempfile.TemporaryDirectory(prefix="askfirst-") as directory:
        file = os.path.join(directory, "signature")
        with open(file, "w", encoding="utf-8") as out:
            out.write(signature)
        command = [_ssh_keygen(), "-Y", "verify", "-f", signers, "-I", person, "-n", namespace, "-s", file]
        try:
            ran = subprocess.run(command, input=text.encode(), capture_output=True, timeout=VERIFY_S, check=False)
        except (OSError, subprocess.TimeoutExpired) as error:
            raise NotBelieved(f"the signature of {person} could not be checked: {error}") from error
    if ran.returncode:
        words = one_line((ran.stderr + ran.stdout).decode("utf-8", "replace"), 200)
        raise NotBelieved(f"the signature of {person} is not valid: {words}")
    return _public_key(signature)


def _ssh_keygen() -> str:
    found = shutil.which("ssh-keygen", path=os.defpath + ":/usr/bin:/usr/local/bin:/opt/homebrew/bin")
    if found is None:
        raise NotBelieved("ssh-keygen is not installed, so no signature can be made or checked")
    return found


def _public_key(signature: str) -> bytes:
    """The key of an armoured SSHSIG. One of a FIDO2 key must say that somebody touched it: whoever runs as its owner
    can ask such a key to sign without, and ssh-keygen takes that."""
    try:
        lines = [line for line in signature.splitlines() if line and not line.startswith("-----")]
        data = base64.b64decode("".join(lines), validate=True)
        if data[:6] != b"SSHSIG":
            raise ValueError
        key, _namespace, _reserved, _hash, signed = _strings(data[10:], 5)
        kind, rest = _strings(key, 1)[0], signed
        for _ in range(2):  # the kind of the signature, and the signature
            rest = rest[4 + int.from_bytes(rest[:4], "big") :]
        touched = not kind.startswith(b"sk-") or bool(rest[0] & 1)
    except (ValueError, IndexError, binascii.Error) as error:
        raise NotBelieved("the signature is not one of ssh-keygen's") from error
    if not touched:
        raise NotBelieved("its FIDO2 key was not touched")
    return key


def _strings(data: bytes, count: int) -> list[bytes]:
    """As SSH writes them: a length of four bytes, and so many bytes."""
    found = []
    for _ in range(count):
        size = int.from_bytes(data[:4], "big")
        if len(data) < 4 + size:
            raise ValueError
        found.append(data[4 : 4 + size])
        data = data[4 + size :]
    return found


@dataclass(frozen=True)
class Wanted:
    """What an answer must be for: this very request, by the card that was shown, from those who may."""

    id: str
    card: str
    digest: str
    need: AnswerNeed
    asker: frozenset[str]


def team_answer(state: str, answers: Sequence[Signed], wanted: Wanted, *, signers: str) -> Answer:
    """What the team's answers come to for this very request. Raises NotBelieved for a yes that does not fulfil all that
    it must; a no counts as it is."""
    if state == "denied":
        no = next((a for a in answers if a.verdict == "deny"), None)
        by, reason = (no.person, _reason(no)) if no is not None else ("somebody", "")
        return Answer(
            Decision.DENY, Duration.ONCE, reason, f"{by} via team", "denied", clock.wall(), digest=wanted.digest
        )
    yes = [a for a in answers if a.verdict == "allow"]
    fields, need = [_believed(a, wanted) for a in yes], wanted.need
    keys = [_key_of(a, need, signers) for a in yes]
    people = [a.person for a in yes]
    if len(set(people)) < need.approvals or len({k for k in keys if k}) + keys.count(b"") < need.approvals:
        raise NotBelieved(f"it needs {need.approvals} different people with different keys")
    missing = need.uncovered(people)
    if missing:
        raise NotBelieved(f"nobody who may allow {', '.join(missing)} has allowed it")
    return _narrowest(fields, people, unsigned=b"" in keys, digest=wanted.digest)


def _reason(no: Signed) -> str:
    """Of a no, which counts whatever it looks like."""
    try:
        return str(_fields(no.body).get("reason", ""))[:MAX_REASON_CHARS]
    except NotBelieved:
        return ""


def _believed(answer: Signed, wanted: Wanted) -> dict[str, Any]:
    found = _fields(answer.body)
    if found.get("person") != answer.person or found.get("verdict") != "allow" or found.get("digest") != wanted.digest:
        raise NotBelieved("the answer is not for this request")
    cards = found.get("cards")
    if not isinstance(cards, dict) or cards.get(wanted.id) != sha256_hex(wanted.card):
        raise NotBelieved("the answer is for a card that says something else")
    if answer.person in wanted.asker and not wanted.need.self_ok:
        raise NotBelieved(f"{answer.person} asked this and may not allow it")
    if not wanted.need.may_allow(answer.person):
        raise NotBelieved(f"{answer.person} may not allow this")
    return found


def _key_of(answer: Signed, need: AnswerNeed, signers: str) -> bytes:
    """The key that signed, or b"" for an unsigned answer where the organisation takes those."""
    if not answer.signature and need.unsigned:
        return b""
    if not answer.signature:
        raise NotBelieved(f"the answer of {answer.person} is not signed")
    return verify(answer.body, answer.signature, answer.person, signers)


def _fields(body: str) -> dict[str, Any]:
    try:
        found = json.loads(body)
    except ValueError as error:
        raise NotBelieved("the answer is not one of askfirst's") from error
    if not isinstance(found, dict) or found.get("askfirst") != 1:
        raise NotBelieved("the answer is not one of askfirst's")
    return found


def _narrowest(fields: list[dict[str, Any]], people: list[str], *, unsigned: bool, digest: str) -> Answer:
    """Several people may have chosen differently: what all of them have allowed is the least of it."""
    try:
        durations = [Duration[str(f["duration"]).upper()] for f in fields]
        duration = min(durations)
        steps = [int(f["step"]) for f in fields]
        seconds = min(
            (int(f["seconds"]) for f, d in zip(fields, durations, strict=True) if d == Duration.TIMED), default=0
        )
    except (KeyError, TypeError, ValueError) as error:
        raise NotBelieved("the answer is not one of askfirst's") from error
    by = f"{' and '.join(people)} via team" + (", unsigned" if unsigned else "")
    reason = "; ".join(dict.fromkeys(str(f.get("reason", "")) for f in fields if f.get("reason")))
    until = clock.wall() + seconds if duration == Duration.TIMED else 0.0
    return Answer(Decision.ALLOW, duration, reason, by, "", clock.wall(), until, min(steps), digest)
