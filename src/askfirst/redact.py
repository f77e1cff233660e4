"""Secrets are masked in everything that is shown, stored or sent: `redact(text)`, or `find(text)` for where they stand.

Four kinds: known formats (secret_formats.py), values bound to a name that says so (`password=…`, `--token …`, `-u
user:…`), strings of high entropy, and the values of this environment's secret-looking variables, whatever they look
like. Time is linear in the text. What it does not promise: a short password with no name beside it looks like any other
word."""

from __future__ import annotations

import math
import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache

from askfirst.knowledge.secret_formats import CREDENTIAL_NAMES, FORMATS, OPTIONS, SHAPES
from askfirst.knowledge.variables import is_masked

SHORT = 4000  # characters; in a longer text, looking whether it is worth a look takes longer than looking
MIN_FORMAT = 16  # no known format is shorter
MIN_RANDOM = 28  # characters of a word that is judged by its entropy
MIN_VALUE = 6  # shorter values of environment variables would mask ordinary words
HINTS = tuple(
    "pass pwd secret token key credential auth bearer :// private sig= -u -p ldap redis cookie curl sudo _pat".split()
)  # what a text must have, if it has no long word, to be looked at
INERT_VALUES = frozenset(
    "true false none null yes no on off required optional string str bytes changeme example placeholder redacted "
    "test".split()
)


@dataclass(frozen=True)
class Secret:
    """A place in a text that holds a secret."""

    start: int
    end: int
    name: str  # "github-token", "password", "high-entropy", "environment"


def redact(text: str, *, environment: Mapping[str, str] | None = None, keep_lines: bool = False) -> str:
    """The text with every secret replaced by `<redacted:NAME>`. `keep_lines`: a key of twenty lines stays twenty lines,
    so that the lines behind it keep their numbers."""
    secrets = find(text, environment=environment)
    if not secrets:
        return text
    parts: list[str] = []
    at = 0
    for secret in secrets:
        ends = "\n" * text.count("\n", secret.start, secret.end) if keep_lines else ""
        parts += (text[at : secret.start], f"<redacted:{secret.name}>{ends}")
        at = secret.end
    return "".join((*parts, text[at:]))


def find(text: str, *, environment: Mapping[str, str] | None = None) -> tuple[Secret, ...]:
    """Where secrets stand, in order and without overlap."""
    found = list(_environment_values(text, os.environ if environment is None else environment))
    if len(text) > SHORT or _worth_a_look(text):
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
        if len(value) < MIN_VALUE or value not in text:
            continue
        if not is_masked(name) or _is_inert(value) or value.startswith("/"):
            continue
        at = text.find(value)
        while at >= 0:
            yield Secret(at, at + len(value), "environment")
            at = text.find(value, at + len(value))


def _is_inert(value: str) -> bool:
    low = value.lower()
    return low in INERT_VALUES or len(set(low)) <= 2


PREFIXES = (
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
)
# `password_file`, `secret-name`, `token_type`: what such a name is bound to is not the secret.
OTHER_THINGS = r"(?:file|path|dir|name|type|id|hash|stdin|env|url|uri|ttl|length|count|field|prefix|version|arn)\b"
# `--no-ask-password nginx`: a switch about a password takes none.
SWITCHES = tuple(f"--{verb}-" for verb in "no ask prompt without disable skip require allow hide show".split())
STEMS = ("pass", "pwd", "secret", "token", "key", "credential")
ENTROPY, HEADS, LETTERS = (
    r"(?<![A-Za-z0-9_+/=-])[A-Za-z0-9_+/=-]{28,200}(?![A-Za-z0-9_+/=-])",
    r"(?a)\b(?=(\w..))",
    "Aa{3,}|a{4,}|A{4,}",
)


def _patterns(text: str) -> Iterator[Secret]:
    long_words = tuple(_long_words(text))
    yield from _formats(text, long_words)
    for name, literal, pattern in SHAPES:
        if literal in text:
            yield from _matches(name, re.compile(pattern), text)
    for programs, name, pattern in OPTIONS:
        if any(p in text for p in programs):
            yield from _matches(name, re.compile(pattern), text)
    yield from _bound_to_names(text)
    yield from _high_entropy(text, long_words)


def _long_words(text: str) -> Iterator[tuple[int, int]]:
    """Where the words stand that are long enough to be a secret: most of a long text is not looked at again."""
    at = 0
    for word in text.split():
        if len(word) >= MIN_FORMAT:
            at = text.find(word, at)
            yield at, at + len(word)
            at += len(word)


def _formats(text: str, long_words: tuple[tuple[int, int], ...]) -> Iterator[Secret]:
    begins = re.compile(HEADS)
    heads = {head for start, end in long_words for head in begins.findall(text, start, end)}
    for name, starts, rest in FORMATS:
        for start in starts.split():
            if start[:3] in heads and start in text:
                yield from _matches(name, re.compile(_format(start, rest)), text)


def _format(start: str, rest: str) -> str:
    """The fixed characters come first, so that `re` searches for them as plain text; the look behind rejects a word's
    middle."""
    fixed = start.replace(".", r"\.").replace("$", r"\$")
    return f"{fixed}(?<![A-Za-z0-9_]{fixed}){rest}"


def _matches(name: str, pattern: re.Pattern[str], text: str) -> Iterator[Secret]:
    group = "v" if "v" in pattern.groupindex else 0
    for match in pattern.finditer(text):
        yield Secret(match.start(group), match.end(group), name)


@cache
def _bindings() -> tuple[tuple[str, re.Pattern[str]], ...]:
    """How a value is bound to a name: in quotes, bare, or as the next word of an option."""
    names = "|".join(sorted(CREDENTIAL_NAMES, key=len, reverse=True))
    name = rf"(?i:(?P<n>{names}|(?<![a-z])pass)(?:[_-](?!{OTHER_THINGS})[a-z0-9]{{1,12}})?)"
    return (
        ("named", re.compile(name + r"[\"']?\s{0,5}(?::=|=>|[:=])\s{0,5}[\"'](?P<v>[^\"'\n]{4,400})[\"']")),
        (
            "named",
            re.compile(name + r"(?:\s{0,2}:\s{1,3}|=|\s{1,3}=\s{1,3})(?P<v>[^\s\"'`,;|&<>(){}\[\]]{4,400})(?![(\[])"),
        ),
        ("option", re.compile(name + r"(?:\s{1,5}|=)[\"']?(?P<v>[^\s\"'|&;<>-][^\s\"'|&;<>]{1,400})")),
    )


def _bound_to_names(text: str) -> Iterator[Secret]:
    """Values behind `password=`, `token: `, `--api-key `. The places are found by plain search: patterns run only
    there."""
    low = text.lower()
    if len(low) != len(text):
        low = text  # a character whose lower case is longer would move every place behind it
    done = 0
    bindings: tuple[tuple[str, re.Pattern[str]], ...] = ()
    for at in sorted({place for stem in STEMS for place in _places(low, stem)}):
        if at < done:
            continue  # inside a value that was judged already: looking again would be quadratic
        bindings = bindings or _bindings()
        done, secret = _bound_at(text, low, at, bindings)
        if secret is not None:
            yield secret


def _bound_at(
    text: str, low: str, at: int, bindings: tuple[tuple[str, re.Pattern[str]], ...]
) -> tuple[int, Secret | None]:
    """Up to where the values bound to the name at this place reach, and the first of them that is a secret."""
    start, done = _name_start(low, at), 0
    word = _word_start(low, start)
    option = low.startswith("-", word) and not low.startswith(SWITCHES, word)
    for sort, pattern in bindings:
        if sort == "option" and not option:
            continue
        match = pattern.match(text, start) or (pattern.match(text, at) if start != at else None)
        if match is None:
            continue
        done = match.end("v")
        quoted = text[match.start("v") - 1] in "'\""
        if not _looks_like_code(match.group("v"), match.group("n"), quoted=quoted, sort=sort):
            return done, Secret(match.start("v"), done, _label(match, sort))
    return done, None


def _name_start(low: str, at: int) -> int:
    """The stem may stand inside its name: `api_key`, `client-secret`, `access_key`."""
    if low[at - 1 : at] not in ("_", "-", "i", "s"):
        return at
    return next((at - len(p) for p in PREFIXES if low.endswith(p, 0, at)), at)


def _places(text: str, stem: str) -> Iterator[int]:
    at = text.find(stem)
    while at >= 0:
        yield at
        at = text.find(stem, at + 1)


def _word_start(text: str, at: int) -> int:
    least = max(0, at - 40)
    return max(least, *(text.rfind(c, least, at) + 1 for c in " \t\n'\"="))


def _label(match: re.Match[str], sort: str) -> str:
    if "n" not in match.re.groupindex:
        return "header" if sort == "header" else "password"
    return match.group("n").lower().replace("_", "-")


def _is_version(value: str) -> bool:
    """`^3.922.0`, `>=1.2`: what stands beside a package whose name has a telling word."""
    digits = value.lstrip("^~<>= v").split("-")[0].split(".")
    return len(digits) > 1 and all(d.isdigit() and len(d) < 6 for d in digits)


def _looks_like_code(value: str, name: str, *, quoted: bool, sort: str) -> bool:
    """`password = get_password()`, `token: str`, `$TOKEN`, `<your key>`: a name or a placeholder, not a value."""
    low = value.lower().strip(".,:")
    if low in INERT_VALUES or low.startswith(_CODE_STARTS):
        return True
    if len(set(low)) <= 2 or "<redacted:" in value or low in name.lower() or _is_version(low):
        return True
    if quoted:
        # Prose in quotes: `"token": "The token to use"`, or the name of a variable.
        return " " in value.strip() or (value.replace("_", "").isalpha() and value.isupper())
    return sort not in ("option", "header") and _is_identifier(value)


_CODE_STARTS = tuple("$ < {{ %( ${ [ process.env os.environ env. self. getenv ... *** redacted".split())


def _is_identifier(value: str) -> bool:
    if not value.replace("_", "").replace(".", "").replace("-", "").isalpha():
        return False
    is_short_word = value.islower() and value.isascii() and len(value) < 8
    return "_" in value or "." in value or is_short_word or value[:1].isupper()


# Every character as one of: lower case, upper case, digit, another of a token, none of a token.
_KINDS = "".join(
    "a" if c.islower() else "A" if c.isupper() else "0" if c.isdigit() else "-" if c in "_+/=-" else " "
    for c in map(chr, range(128))
)


def _high_entropy(text: str, long_words: tuple[tuple[int, int], ...]) -> Iterator[Secret]:
    pattern = re.compile(ENTROPY)
    for first, last in long_words:
        if last - first < MIN_RANDOM:
            continue
        for match in pattern.finditer(text, first, last):
            start, end = match.span()
            if not _is_ordinary(match.group(), text[max(0, start - 24) : start]):
                yield Secret(start, end, "high-entropy")


def _is_ordinary(token: str, before: str) -> bool:
    """Hashes, UUIDs, paths, integrity values, base64 data, identifiers: what looks random and is not secret."""
    core = token.strip("=-_/+")
    kinds = core.translate(_KINDS)
    if kinds.count("0") < 4 or kinds.count("A") < 4 or kinds.count("a") < 4:
        return True  # hex hashes, UUIDs, words, constants
    if core.startswith(
        ("sha1-", "sha256-", "sha384-", "sha512-", "sha1=", "sha256=", "sha384=", "sha512=", "SHA256:")
    ) or before.endswith(("base64,", "sha256:", "SHA256:", "h1:", "integrity=")):
        return True
    if token.count("/") > 1 + len(token) // 24 or token.count("-") + token.count("_") > len(token) // 6:
        return True  # a path, a slug
    return _word_share(kinds) > 0.55 or _entropy(core) < 4.35


def _entropy(token: str) -> float:
    length = len(token)
    return math.log2(length) - sum(n * math.log2(n) for n in map(token.count, set(token)) if n > 1) / length


def _word_share(kinds: str) -> float:
    """How much of a token stands in runs of four or more letters, as identifiers do."""
    return sum(map(len, re.compile(LETTERS).findall(kinds))) / len(kinds)


def _merged(found: list[Secret]) -> tuple[Secret, ...]:
    """In order; where two overlap, one that covers both, with the name that was found first: formats come before names,
    and these before entropy."""
    result: list[tuple[int, Secret]] = []
    for rank, secret in sorted(enumerate(found), key=lambda pair: (pair[1].start, -pair[1].end)):
        if secret.start >= secret.end:
            continue
        if result and secret.start < result[-1][1].end:
            other, last = result[-1]
            name = last.name if other < rank else secret.name
            result[-1] = (min(other, rank), Secret(last.start, max(last.end, secret.end), name))
        else:
            result.append((rank, secret))
    return tuple(secret for _, secret in result)


# -- what an agent's tools show

MIN_SHOWN = 8  # shorter values, and words that anybody would use, are never masked in a result
MIN_LONG = 12  # from here on two sorts of characters are enough
# Of these shapes only what looks random is a secret: programs and documents are full of `Bearer TOKEN`.
_LOOSE = frozenset("authorization-header bearer-token key token cookie url-password url-token".split())
_EXAMPLES = tuple("example changeme placeholder dummy your_ your- yourt xxxx redacted 12345678 abcdefgh foobar".split())


def find_in_output(
    text: str, *, values: Mapping[str, str] | None = None, patterns: tuple[str, ...] = ()
) -> tuple[Secret, ...]:
    """Where secrets stand in what a tool shows to a model: stricter than `find`, because a false one changes what the
    model works with. `values`: known secrets -> their names; `patterns`: an organisation's own."""
    found = [s for value, name in (values or {}).items() for s in _places_of(text, value, name)]
    if len(text) > SHORT or _worth_a_look(text):
        found += _certain(text)
    for pattern in patterns:
        found += _matches("organisation", re.compile(pattern), text)
    return _merged([s for s in found if "<redacted:" not in text[s.start : s.end]]) if found else ()


def _certain(text: str) -> Iterator[Secret]:
    """What is a secret by its form, or by its name where it looks like one."""
    yield from (s for s in _formats(text, tuple(_long_words(text))) if not _is_example(text[s.start : s.end]))
    for name, literal, pattern in SHAPES:
        if literal in text:
            matches = _matches(name, re.compile(pattern), text)
            yield from (s for s in matches if _is_meant(name, text[s.start : s.end]))
    yield from (s for s in _bound_to_names(text) if looks_random(text[s.start : s.end]))


def _is_meant(name: str, value: str) -> bool:
    if name == "private-key":
        return len(value) >= 60 and len(set(value)) > 20  # not the line in which a program names one
    return name not in _LOOSE or looks_random(value)


def _places_of(text: str, value: str, name: str) -> Iterator[Secret]:
    at = text.find(value)
    while at >= 0:
        yield Secret(at, at + len(value), name)
        at = text.find(value, at + len(value))


def looks_random(value: str) -> bool:
    """Whether a value that a name calls secret is one: not a word, a name in a program, a path or a placeholder."""
    if len(value) < MIN_SHOWN or _is_inert(value) or _is_example(value) or _is_of_code(value) or not value.isascii():
        return False
    kinds = value.translate(_KINDS)
    sorts = set(kinds) if len(value) < MIN_LONG else {*kinds, "", "-"}  # the more there is, the less it must vary
    if "0" not in kinds or "a" not in kinds.lower() or len(sorts) < 3 or _word_share(kinds) > 0.45:
        return False
    return _entropy(value) >= (3.0 if len(value) >= MIN_LONG else 2.75) and not _is_dotted_name(value)


def _is_of_code(value: str) -> bool:
    """`$TOKEN`, `./path`, `f(x)`, `a::b`, an address."""
    if value[0] in "%@/.&*#~-=" or any(c in value for c in "$()[]{}<>,;\\ \t\n|"):
        return True
    return "://" in value or "::" in value or "->" in value


def is_common(value: str) -> bool:
    """A word or a number that anybody would use: `postgres`, `development`, `3000`."""
    word = value.isalpha() and (len(value) < 20 or len(set(value)) < 8)
    return word or _is_inert(value) or _is_example(value) or (value.isdigit() and len(value) < 12) or _is_version(value)


def _is_example(value: str) -> bool:
    low = value.lower()
    return low.endswith("example") or low.startswith(_EXAMPLES) or any(word in low for word in _EXAMPLES[:3])


def _is_dotted_name(value: str) -> bool:
    """`settings.TOKEN_2`, `sha256-v1.2`: each part is a word of its own."""
    return all(part.isidentifier() and not part[1:2].isdigit() for part in value.split(".")) if "." in value else False
