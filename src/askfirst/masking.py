"""What a tool shows to a model passes through here: secrets become placeholders, and a placeholder that comes back into
the file it stands for becomes the secret again.

    result -> masker.value(result) -> `<redacted:API_KEY#k7w2m4ad>`    bound to the file, by a key of this user's
    Edit, Write -> restored(request)                                   the same file: the value; elsewhere: refused

Masked (masks.py) are known formats, the values of this environment and of the project's secret files, and what a name
calls secret where it looks random. Values shorter than eight characters and words that anybody would use are not.
"""

from __future__ import annotations

import base64
import os
import re
from codecs import encode
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from askfirst.errors import AskfirstError
from askfirst.files.pushed import Pushed, pushed
from askfirst.files.secret_files import secret_files
from askfirst.gate import surroundings_of
from askfirst.knowledge.programs import base_name
from askfirst.knowledge.secrets import is_harmless_name, is_secret_name
from askfirst.knowledge.tools import FETCH, FOREIGN, PATH_KEYS, READERS, RUNNERS, WRITERS, server_of
from askfirst.masks import Known, Masker, data_of, known_in, text_of
from askfirst.model import MASKED, Command, Read, ToolUse, Unknown, leaves_machine
from askfirst.redact import find, find_in_output, is_common
from askfirst.shell import analyze
from askfirst.tool_facts import text_in

if TYPE_CHECKING:
    from askfirst.model import Fact, Request
    from askfirst.policy.rules import FlowSettings

PLACEHOLDER = re.compile(r"<redacted:[A-Za-z0-9_.-]{1,60}#[a-z2-7]{8}>")
MAX_CARRIED = 5
MIN_PART, MAX_PARTS = 6, 200  # characters: of a piece of a secret, and of the secret
MASKED_WHY = (
    "`{}` stands for a secret that askfirst has masked. It can be written back only by an Edit or Write of the file in "
    "which it was read; leave it out here, or name the variable or file that holds the secret"
)


def known_secrets(project: str, environ: Mapping[str, str]) -> dict[str, Known]:
    """Values of the environment and of the project's secret files -> their names."""
    return known_in(secret_files(project), environ)


def masker_of(project: str, environ: Mapping[str, str], settings: FlowSettings, file: str = "") -> Masker:
    return Masker(known_secrets(project, environ), settings.redact_patterns, file)


# Programs that show what a file or the environment holds as it is: what they show, and nothing else, is masked whole.
SHOWING = frozenset("cat head tail grep egrep fgrep rg nl bat less more sort uniq cd echo ls wc printenv env".split())


def file_shown(request: Request) -> str:
    """The one file whose content a call shows; "" where it may be several, or none."""
    given = request.input.get(READERS.get(request.tool) or PATH_KEYS.get(request.tool, ""))
    if isinstance(given, str):
        path = os.path.realpath(os.path.join(request.cwd, given))
        return path if os.path.isfile(path) else ""
    found = {f.path for f in _facts(request) if isinstance(f, Read) and f.path is not None}
    return found.pop() if len(found) == 1 else ""


def _facts(request: Request) -> tuple[Fact, ...]:
    try:
        return analyze(text_in(request, "command"), surroundings_of(request)) if request.tool in RUNNERS else ()
    except AskfirstError:
        return ()


def shows_nothing(request: Request, masked: Any, masker: Masker) -> bool:
    """Whether no secret is left in a result that was masked. What a program made of one (its base64, its length, a part
    of it) is something else than its value, and counts as seen."""
    commands = [f for f in _facts(request) if isinstance(f, Command)]
    if request.tool in RUNNERS and (not commands or any(base_name(c.name) not in SHOWING for c in commands)):
        return False
    text = "\n".join(texts_in(masked))
    if _has_secret_left(text) or any(_shows_part(value, text) for value in masker.known):
        return False
    return masker.found > 0 or not text.strip()


def _has_secret_left(text: str) -> bool:
    left = (text[s.start : s.end] for s in find(text, environment={}))
    return any(not is_common(value) and not PLACEHOLDER.search(value) for value in left)


def _shows_part(value: str, text: str) -> bool:
    return any(value[at : at + MIN_PART] in text for at in range(min(len(value), MAX_PARTS) - MIN_PART + 1))


# -- placeholders that come back


def restored(request: Request, environ: Mapping[str, str], settings: FlowSettings) -> Request:
    """The request with the values of the placeholders that belong into the file that it writes. What is left of others
    is a fact that the gate denies (`left_over`)."""
    key = PATH_KEYS.get(request.tool, "")
    given = request.input.get(key)
    if not isinstance(given, str) or not any(PLACEHOLDER.search(t) for t in texts_in(dict(request.input))):
        return request
    path = os.path.realpath(os.path.join(request.cwd, given))
    values = values_of(path, request.project, environ, settings)
    changed = {k: v if k == key else _put_back(v, values) for k, v in request.input.items()}
    return replace(request, input=changed) if changed != dict(request.input) else request


def values_of(path: str, project: str, environ: Mapping[str, str], settings: FlowSettings) -> dict[str, str]:
    """Placeholder -> value, of what a file holds now."""
    masker = masker_of(project, environ, settings, path)
    text = text_of(path)
    found = masker.secrets_in(text)
    return {masker.placeholder(s.name, text[s.start : s.end]).rstrip("\n"): text[s.start : s.end] for s in found}


def put_back(text: str, values: Mapping[str, str]) -> str:
    """A value that has lines of its own brings them: the empty ones that kept their place are taken out."""
    for mask, value in values.items():
        text = text.replace(mask + "\n" * value.count("\n"), value).replace(mask, value)
    return text


def _put_back(value: Any, values: Mapping[str, str]) -> Any:
    if isinstance(value, str):
        return put_back(value, values)
    if isinstance(value, list):
        return [_put_back(one, values) for one in value]
    return {k: _put_back(v, values) for k, v in value.items()} if isinstance(value, dict) else value


def left_over(request: Request) -> tuple[Fact, ...]:
    """A placeholder in a call that runs, writes or sends something: it stands for a secret of another file, or of a
    command's output, and would be taken for the value."""
    acts = request.tool in RUNNERS | WRITERS | FOREIGN | {FETCH} or server_of(request.tool)
    found = next((m for t in texts_in(dict(request.input)) if acts and (m := PLACEHOLDER.search(t))), None)
    return () if found is None else (Unknown(MASKED, MASKED_WHY.format(found.group()), found.group()),)


def texts_in(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, (dict, list)):
        for one in value.values() if isinstance(value, dict) else value:
            yield from texts_in(one)


# -- secrets that would go out


def with_carried(facts: tuple[Fact, ...], request: Request, environ: Mapping[str, str]) -> tuple[Fact, ...]:
    """The facts that leave this machine, with the secrets whose values stand in the call, in a file that it names or in
    the commits that it pushes."""
    leaving = [f for f in facts if leaves_machine(f)]
    if not leaving:
        return facts
    known = known_secrets(request.project, environ)
    texts = [*texts_in(dict(request.input)), *map(_text_within, _files_named(facts))]
    found = carried("\n".join(texts), known)
    return tuple(_carrying(f, found, facts, known) for f in facts)


def _text_within(path: str) -> str:
    """What goes out with a file: its text, or what is packed in it."""
    from askfirst.files.unwrapping import unpacked

    data = data_of(path)
    return data.decode("utf-8", "replace") if b"\0" not in data else "\n".join(unpacked(data))


def _carrying(fact: Fact, found: tuple[str, ...], facts: tuple[Fact, ...], known: Mapping[str, Known]) -> Fact:
    if not isinstance(fact, (Command, ToolUse)) or not leaves_machine(fact):
        return fact
    if isinstance(fact, Command) and fact.action.key[:2] == ("git", "push"):
        going = pushed(fact, facts)
        found = (*found, *_carried_by(going, known))
        fact = replace(fact, sends=in_words(going))
    return replace(fact, carries=found[:MAX_CARRIED]) if found else fact


def _carried_by(going: Pushed | None, known: Mapping[str, Known]) -> tuple[str, ...]:
    """The secrets in what is pushed, each with its place; files that are secrets by their names, too."""
    if going is None:
        return ()
    files = [f"the file {part.place}" for part in going.parts if part.path and _is_secret_file(part.path)]
    whole = carried("\n".join(part.text for part in going.parts), known)
    places = [f"{name}, in {part.place}" for part in going.parts if whole for name in carried(part.text, known)]
    return tuple(dict.fromkeys((*files, *(places or whole))))


def _is_secret_file(path: str) -> bool:
    name = os.path.basename(path).lower()
    return is_secret_name(name) and not is_harmless_name(name)


def in_words(going: Pushed | None) -> str:
    """For the person who is asked."""
    if going is None:
        return "what it pushes could not be looked through"
    commits, files = going.commits, going.files
    if not commits and not files:
        return "it pushes no commit that the remote does not have"
    shown = ", ".join(files[:MAX_CARRIED]) + (
        f" and {len(files) - MAX_CARRIED} more" if len(files) > MAX_CARRIED else ""
    )
    last = f", the last one {commits[0]}" if commits else ", with what the same call commits"
    return f"it pushes {len(commits)} new commit{'s' * (len(commits) != 1)}{last}; files: {shown or 'none'}"


def _files_named(facts: tuple[Fact, ...]) -> list[str]:
    """What the call reads, and every word of it that is the name of a file."""
    found = [f.path for f in facts if isinstance(f, Read) and f.path is not None]
    for command in (f for f in facts if isinstance(f, Command) and leaves_machine(f)):
        names = ((word.value or "").rpartition("@")[2] for word in command.argv[1:])
        found += [os.path.join(command.cwd or "/", name) for name in names if name]
    return [path for path in dict.fromkeys(found) if os.path.isfile(path)][:50]


def carried(text: str, known: Mapping[str, Known]) -> tuple[str, ...]:
    """The names of the secrets that stand in a text: as they are, encoded, packed, turned round, or cut into pieces."""
    from askfirst.files.unwrapping import unwrapped

    squeezed = _squeezed(text)
    folded = squeezed.lower()
    inner = "\n".join(unwrapped(text))
    found = []
    for value, about in known.items():
        where = f"{about.name} of {os.path.basename(about.file)}" if about.file else about.name
        if value in text:
            found.append(where)
        elif value in inner or _stands_in(value, squeezed, folded):
            found.append(f"{where} (encoded or in pieces)")
    known_places = [value for value in known if value in text]
    for secret in find_in_output(text):
        value = text[secret.start : secret.end]
        if not any(value in other or other in value for other in known_places):
            found.append(f"what looks like a {secret.name}")
    return tuple(dict.fromkeys(found))[:MAX_CARRIED]


def _stands_in(value: str, squeezed: str, folded: str) -> bool:
    return any(n in squeezed for n in _needles(value)) or any(n in folded for n in _folded_needles(value))


def _squeezed(text: str) -> str:
    return re.sub(r"[^A-Za-z0-9]", "", text)


def _needles(value: str) -> set[str]:
    """How a value may be spelled, letters and digits alone: whatever stands between them is taken out."""
    data = value.encode("utf-8", "surrogatepass")
    rot13 = encode(value, "rot13")
    found = {*map(_squeezed, (value, value[::-1], quote(value, safe=""), rot13))}
    found |= {_squeezed(inner) for inner in _base64_forms(data)} | {_squeezed(i) for i in _base64_forms(data[::-1])}
    if len(value) >= 20:
        middle = len(value) // 2
        found |= {_squeezed(value[:middle]), _squeezed(value[middle:])}
    return {needle for needle in found if len(needle) >= 8}


def _folded_needles(value: str) -> set[str]:
    data = value.encode("utf-8", "surrogatepass")
    forms = {data.hex(), data[::-1].hex(), *(form.lower() for form in _base32_forms(data))}
    return {form for form in forms if len(form) >= 10}


def _base64_forms(data: bytes) -> Iterator[str]:
    """The part that is the same wherever the value stands in what was encoded."""
    for offset in range(3):
        whole = base64.b64encode(b"\0" * offset + data).decode().rstrip("=")
        inner = whole[-(-offset * 8 // 6) : (offset + len(data)) * 8 // 6]
        yield inner
        yield inner.replace("+", "-").replace("/", "_")


def _base32_forms(data: bytes) -> Iterator[str]:
    for offset in range(5):
        whole = base64.b32encode(b"\0" * offset + data).decode().rstrip("=")
        yield whole[-(-offset * 8 // 5) : (offset + len(data)) * 8 // 5]
