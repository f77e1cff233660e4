"""Secrets are masked in everything that is shown, stored or sent: `redact(text)`, or `find(text)` for where they stand.

Four kinds: known formats (secret_formats.py), values bound to a name that says so (`password=…`, `--token …`, `-u user:…`), strings of
high entropy, and the values of this environment's secret-looking variables, whatever they look like. Time is linear in the text.
What it does not promise: a short password with no name beside it looks like any other word.
"""

from __future__ import annotations

import os

from askfirst._record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Iterator, Mapping

LEAST_VALUE = 6  # shorter values of environment variables would mask ordinary words
HINTS = ("pass", "pwd", "secret", "token", "key", "credential", "auth", "bearer", "://", "private", "sig=", "-u", "-p")
INERT_VALUES = frozenset(
    "true false none null yes no on off required optional string str bytes changeme example placeholder redacted test".split()
)


class Secret(Record):
    """A place in a text that holds a secret."""

    start: int
    end: int
    name: str  # "github-token", "password", "high-entropy", "environment"


def redact(text: str, *, environment: Mapping[str, str] | None = None) -> str:
    """The text with every secret replaced by `<redacted:NAME>`."""
    secrets = find(text, environment=environment)
    if not secrets:
        return text
    parts: list[str] = []
    at = 0
    for secret in secrets:
        parts += (text[at : secret.start], f"<redacted:{secret.name}>")
        at = secret.end
    return "".join((*parts, text[at:]))


def find(text: str, *, environment: Mapping[str, str] | None = None) -> tuple[Secret, ...]:
    """Where secrets stand, in order and without overlap."""
    found = list(_environment_values(text, os.environ if environment is None else environment))
    if _worth_a_look(text):
        # What was masked before stays as it is.
        found += (s for s in _patterns(text) if "<redacted:" not in text[s.start : s.end])
    if not found:
        return ()
    return _merged(found)


def _worth_a_look(text: str) -> bool:
    """Most commands hold no long word and no telling name: they need no regular expression, and no import of `re`."""
    run = 0
    for character in text:
        if character.isalnum() or character in "_-+=.~":
            run += 1
            if run >= 16:
                return True
        else:
            run = 0
    low = text.lower()
    return any(h in low for h in HINTS)


def _environment_values(text: str, environment: Mapping[str, str]) -> Iterator[Secret]:
    for name, value in environment.items():
        if len(value) < LEAST_VALUE or value not in text:
            continue
        if not _is_secret_name(name) or _is_inert(value) or value.startswith("/"):
            continue
        at = text.find(value)
        while at >= 0:
            yield Secret(at, at + len(value), "environment")
            at = text.find(value, at + len(value))


def _is_secret_name(name: str) -> bool:
    low = name.lower()
    if low.endswith(("_path", "_dir", "_file", "_sock", "_url_scheme", "_pid", "_length", "_ttl", "_id", "_name")) or low in (
        "pwd",
        "oldpwd",
    ):
        return False
    return any(
        w in low for w in ("passw", "secret", "token", "api_key", "apikey", "access_key", "private_key", "credential", "_auth", "_pat")
    ) or low.endswith(("_key", "_pass", "_pwd", "_dsn"))


def _is_inert(value: str) -> bool:
    low = value.lower()
    return low in INERT_VALUES or len(set(low)) <= 2


_formats: list[tuple[str, str, re.Pattern[str]]] = []
_bindings: list[tuple[str, re.Pattern[str]]] = []
_options: list[tuple[tuple[str, ...], str, re.Pattern[str]]] = []
STEMS = ("pass", "pwd", "secret", "token", "key", "credential")


def _compile() -> None:
    import re

    from askfirst.secret_formats import FORMATS, OPTIONS, SECRET_NAMES

    _formats.extend((name, literal, re.compile(pattern)) for name, literal, pattern in FORMATS)
    _options.extend((programs, name, re.compile(pattern)) for programs, name, pattern in OPTIONS)
    names = "|".join(re.escape(n) for n in sorted(SECRET_NAMES, key=len, reverse=True))
    name = rf"(?i:(?P<n>{names})(?:[_-][a-z0-9]{{1,12}})?)"
    _bindings.extend(
        (
            ("named", re.compile(name + r"[\"']?\s{0,5}(?::=|=>|[:=])\s{0,5}[\"'](?P<v>[^\"'\n]{4,400})[\"']")),
            ("named", re.compile(name + r"(?:\s{0,2}:\s{1,3}|=|\s{1,3}=\s{1,3})(?P<v>[^\s\"'`,;|&<>(){}\[\]]{4,400})(?![(\[])")),
            ("option", re.compile(name + r"(?:\s{1,5}|=)[\"']?(?P<v>[^\s\"'|&;<>-][^\s\"'|&;<>]{1,400})")),
        )
    )


def _patterns(text: str) -> Iterator[Secret]:
    if not _formats:
        _compile()
    for name, literal, pattern in _formats:
        if literal in text:
            group = "v" if "v" in pattern.groupindex else 0
            for match in pattern.finditer(text):
                yield Secret(match.start(group), match.end(group), name)
    for programs, name, pattern in _options:
        if any(p in text for p in programs):
            for match in pattern.finditer(text):
                yield Secret(match.start("v"), match.end("v"), name)
    yield from _bound_to_names(text)
    yield from _high_entropy(text)


def _bound_to_names(text: str) -> Iterator[Secret]:
    """Values behind `password=`, `token: `, `--api-key `. The places are found by plain search: patterns run only there."""
    low = text.lower()
    if len(low) != len(text):
        low = text  # a character whose lower case is longer would move every place behind it
    done = 0
    for at in sorted({place for stem in STEMS for place in _places(low, stem)}):
        if at < done:
            continue  # inside a value that was judged already: looking again would be quadratic
        start = at
        # The stem may stand inside its name: `api_key`, `client-secret`, `access_key`.
        for prefix in (
            "api_",
            "api-",
            "api",
            "access_",
            "access-",
            "access",
            "private_",
            "private-",
            "client_",
            "client-",
            "auth_",
            "auth-",
        ):
            if low.startswith(prefix, at - len(prefix)) and at >= len(prefix):
                start = at - len(prefix)
                break
        option = low.startswith("-", _word_start(low, start))
        for sort, pattern in _bindings:
            if sort == "option" and not option:
                continue
            match = pattern.match(text, start) or (pattern.match(text, at) if start != at else None)
            if match is None:
                continue
            done = match.end("v")
            quoted = text[match.start("v") - 1] in "'\""
            if not _looks_like_code(match.group("v"), quoted=quoted, sort=sort):
                yield Secret(match.start("v"), match.end("v"), _label(match, sort))
                break


def _places(text: str, stem: str) -> Iterator[int]:
    at = text.find(stem)
    while at >= 0:
        yield at
        at = text.find(stem, at + 1)


def _word_start(text: str, at: int) -> int:
    least = max(0, at - 40)
    while at > least and text[at - 1] not in " \t\n'\"=":
        at -= 1
    return at


def _label(match: re.Match[str], sort: str) -> str:
    if "n" not in match.re.groupindex:
        return "header" if sort == "header" else "password"
    return match.group("n").lower().replace("_", "-")


def _looks_like_code(value: str, *, quoted: bool, sort: str) -> bool:
    """`password = get_password()`, `token: str`, `$TOKEN`, `<your key>`: a name or a placeholder, not a value."""
    low = value.lower().strip(".,:")
    if low in INERT_VALUES or low.startswith(
        ("$", "<", "{{", "%(", "${", "[", "process.env", "os.environ", "env.", "self.", "getenv", "...", "***", "redacted")
    ):
        return True
    if len(set(low)) <= 2 or "<redacted:" in value:
        return True
    if quoted:
        # Prose in quotes: `"token": "The token to use"`, or the name of a variable.
        return " " in value.strip() or (value.replace("_", "").isalpha() and value.isupper())
    if sort in ("option", "header"):
        return False
    identifier = value.replace("_", "").replace(".", "").replace("-", "")
    return identifier.isalpha() and (
        "_" in value or "." in value or (value.islower() and value.isascii() and len(value) < 8) or value[:1].isupper()
    )


def _high_entropy(text: str) -> Iterator[Secret]:
    import re

    for match in re.finditer(r"(?<![A-Za-z0-9_+/=-])[A-Za-z0-9_+/=-]{28,200}(?![A-Za-z0-9_+/=-])", text):
        start, end = match.span()
        if not _is_ordinary(match.group(), text[max(0, start - 24) : start]):
            yield Secret(start, end, "high-entropy")


def _is_ordinary(token: str, before: str) -> bool:
    """Hashes, UUIDs, paths, integrity values, base64 data, identifiers: what looks random and is not secret."""
    core = token.strip("=-_/+")
    digits = sum(c.isdigit() for c in core)
    upper = sum(c.isupper() for c in core)
    lower = sum(c.islower() for c in core)
    if not (digits >= 4 and upper >= 4 and lower >= 4):
        return True  # hex hashes, UUIDs, words, constants
    if core.startswith(("sha1-", "sha256-", "sha384-", "sha512-", "SHA256:")) or before.endswith(
        ("base64,", "sha256:", "SHA256:", "h1:", "integrity=")
    ):
        return True
    if token.count("/") > 1 + len(token) // 24 or token.count("-") + token.count("_") > len(token) // 6:
        return True  # a path, a slug
    return _entropy(core) < 4.35 or _word_share(core) > 0.55


def _entropy(token: str) -> float:
    import math

    length = len(token)
    return -sum(n / length * math.log2(n / length) for n in (token.count(c) for c in set(token)))


def _word_share(token: str) -> float:
    """How much of a token stands in runs of four or more letters of one case, as identifiers do."""
    inside = run = 0
    for previous, character in zip(" " + token, token, strict=False):
        same = character.isalpha() and (character.islower() or (character.isupper() and not previous.islower()))
        run = run + 1 if same else 0
        if run == 4:
            inside += 4
        elif run > 4:
            inside += 1
    return inside / len(token)


def _merged(found: list[Secret]) -> tuple[Secret, ...]:
    """In order; where two overlap, one that covers both, with the name of the longer."""
    result: list[Secret] = []
    for secret in sorted(found, key=lambda s: (s.start, -s.end)):
        if secret.start >= secret.end:
            continue
        if result and secret.start < result[-1].end:
            last = result[-1]
            longer = last if last.end - last.start >= secret.end - secret.start else secret
            result[-1] = Secret(last.start, max(last.end, secret.end), longer.name)
        else:
            result.append(secret)
    return tuple(result)
