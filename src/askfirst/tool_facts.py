"""What a tool would do that runs no command and writes no file: what it reads, where it sends, which skill it loads.

A path is judged as the client may read it: through its links, and as text (`a/../b`), which is not the same where `a`
is a link. Nothing here is judged, and nothing is asked.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from askfirst.errors import HookInputError
from askfirst.knowledge.addresses import address_of, is_plain_page
from askfirst.knowledge.globs import expand_braces, fold, wild
from askfirst.knowledge.secrets import is_secret_name
from askfirst.knowledge.stored_credentials import GIT_SETTINGS, holds_credential
from askfirst.knowledge.tools import (
    ADDRESS_KEYS,
    FETCH,
    LISTS,
    LOOKS,
    OWN_TOOLS,
    PASSING,
    PATH_WORDS,
    READ_FILES,
    READ_RESOURCE,
    READERS,
    REMOTE_KEYS,
    SEARCH,
    STARTERS,
    WEB_SEARCH,
    only_looks,
    own_words,
    plain_key,
    server_of,
    words_of,
)
from askfirst.links import other_names
from askfirst.model import Fact, Read, Request, ToolUse, Unknown, Write

__all__ = ["files_meant", "reading_facts", "skill_facts", "text_in", "tool_facts", "with_credentials"]

MAX_TEXTS = 200  # of one input
MAX_DEPTH = 8
MAX_BESIDE = 5_000  # names of one directory
PASSES = "runs nothing and writes nothing here"


def text_in(request: Request, key: str) -> str:
    value = request.input.get(key)
    if not isinstance(value, str):
        raise HookInputError(f"hook input: {request.tool}: `{key}` is missing or not a text")
    return encodable(request, key, value)


def encodable(request: Request, key: str, value: str) -> str:
    """JSON can spell half a character (a lone surrogate), which no shell and no file takes as it stands."""
    try:
        value.encode()
    except UnicodeEncodeError:
        raise HookInputError(f"hook input: {request.tool}: `{key}` is not valid Unicode") from None
    return value


# -- reading


def reading_facts(request: Request) -> tuple[Fact, ...]:
    """The files whose content is shown."""
    if request.tool == READ_FILES:
        return _several_facts(request)
    key = READERS[request.tool]
    if request.tool == SEARCH:
        return _search_facts(request, text_in(request, key) if key in request.input else request.cwd)
    if request.tool == "LSP" and key not in request.input:
        return (ToolUse(request.tool, request.input, "asks the language server", reads=True),)
    facts = tuple(_reads(text_in(request, key), request))
    if not all(map(_is_directory, facts)):
        return facts
    # The names in a directory are no secret, and a tool that is given one shows them.
    named = {key: [request.input[key], *(fact.path for fact in facts if isinstance(fact, Read))]}
    return (ToolUse(request.tool, named, "lists a directory", reads=True),)


def _several_facts(request: Request) -> tuple[Fact, ...]:
    """Files by name, and by patterns."""
    paths = request.input.get("paths")
    if not isinstance(paths, list) or not paths or not all(isinstance(p, str) for p in paths):
        raise HookInputError("hook input: `paths` is not a list of texts")
    facts: list[Fact] = []
    for path in paths:
        given = encodable(request, "paths", path)
        for one in _as_patterns(given):
            facts += _selected(request.cwd, one, request) if _is_pattern(one) else _reads(one, request)
    return tuple(facts)


def _search_facts(request: Request, where: str) -> tuple[Fact, ...]:
    """What is below a directory, or only the files there that a pattern selects."""
    globs = request.input.get("glob")
    patterns = globs if isinstance(globs, list) else [globs] if globs is not None else []
    if not all(isinstance(p, str) for p in patterns):
        raise HookInputError(f"hook input: {request.tool}: `glob` is not a text")
    facts = list(_reads(where, request))
    # One text may hold several patterns. An excluding one only makes the search smaller.
    chosen = [p for text in patterns for p in _separated(text) if not p.startswith("!") or p.startswith("!(")]
    for fact in tuple(facts):
        assert isinstance(fact, Read) and fact.path is not None
        for pattern in chosen:
            for name in _as_patterns(encodable(request, "glob", pattern)):
                facts += _selected(fact.path, name if name.startswith("/") else f"**/{name}", request)
                if not _is_pattern(name):
                    facts += _reads(os.path.join(fact.path, name.lstrip("/")), request)
    return tuple(facts)


def _separated(text: str) -> list[str]:
    """`*.py, .env` as the one pattern that it is, and as the several that some clients make of it."""
    parts = text.replace(",", " ").split()
    return list(dict.fromkeys(filter(None, (text.strip(), *parts, *text.split()))))


def _is_pattern(text: str) -> bool:
    return any(c in text for c in "*?[{")


def _as_patterns(text: str) -> tuple[str, ...]:
    """The text, and what it is to a client that knows more: groups as bash's `@(a|b)`, backslashes between directories,
    and what git takes before a path, `:(icase)` or `:/`."""
    found = [text, _ungrouped(text, "{}"), _ungrouped(text, "*"), text.replace("\\", "/")]
    if text.startswith(":"):
        found.append(text.partition(")")[2] if text.startswith(":(") else text[1:].lstrip("/!^"))
    return tuple(one for one in dict.fromkeys(found) if one)


def _ungrouped(text: str, repeated: str) -> str:
    """`@(a|b)` and its kin as `{a,b}`; what may stand several times, or be anything else, as `*`, too."""
    while (
        at := next((i for i in reversed(range(len(text) - 1)) if text[i] in "@?+*!" and text[i + 1] == "("), -1)
    ) >= 0:
        inner, closed, rest = text[at + 2 :].partition(")")
        once = text[at] in "@?" or (repeated == "{}" and text[at] != "!")
        group = "{" + inner.replace("|", ",") + "," * (text[at] == "?") + "}" if once and closed else "*"
        text = f"{text[:at]}{group}{rest}"
    return text


def _selected(where: str, pattern: str, request: Request) -> Iterator[Fact]:
    """The files below a directory that a pattern means. In the project it is written from there, as in a command."""
    if pattern.startswith("~"):
        yield from _selected(where, os.path.expanduser(pattern), request)
    head, slash, _ = pattern[: min(pattern.find(c) for c in "*?[{" if c in pattern)].rpartition("/")
    for base in _paths(os.path.join(where, head + slash) if slash or head else where, request):
        rest = pattern[len(head + slash) :]
        inside = base == request.project or base.startswith(request.project.rstrip("/") + "/")
        place = os.path.join(".", base[len(request.project.rstrip("/")) + 1 :]) if inside else base
        yield Read(base, os.path.join(place, rest), request.tool)


def _reads(given: str, request: Request) -> Iterator[Fact]:
    return (Read(path, path, request.tool) for path in _paths(given, request))


def _paths(given: str, request: Request) -> list[str]:
    """Every file that this may be: some clients expand `~`, some take blanks or quotes off its ends, and some take `..`
    out of the text before they look."""
    if not given or "\0" in given:
        raise HookInputError(f"hook input: {request.tool}: a path is empty or holds a NUL")
    texts: list[str] = []
    for text in dict.fromkeys((given, given.strip(), given.strip().strip("\"'`"))):
        if text[:5].lower() == "file:":
            texts.append(_file_of(text))
        else:
            texts += [text, os.path.expanduser(text)] if text.startswith("~") else [text]
    whole = [one for text in texts for one in _spelled_so(os.path.join(request.cwd, text))]
    names = (n for path in whole for n in other_names(path, request.project, os.path.expanduser("~")))
    return list(
        dict.fromkeys((*(os.path.realpath(p) for path in whole for p in (path, os.path.normpath(path))), *names))
    )


def _spelled_so(path: str) -> list[str]:
    """The path; and where nothing lies there, what lies beside it under a name that some clients take it for: other
    blanks, other accents, other quotes."""
    if os.path.lexists(path):
        return [path]
    folder, name = os.path.split(path)
    try:
        with os.scandir(folder) as entries:
            names = [
                entry.name for entry, _ in zip(entries, range(MAX_BESIDE), strict=False) if not entry.name.isascii()
            ]
    except (OSError, ValueError):
        return [path]
    return [path, *(os.path.join(folder, one) for one in names if _folded(one) == _folded(name))]


def _folded(name: str) -> str:
    return " ".join(fold(name).replace("\u2019", "'").split())


def _file_of(uri: str) -> str:
    """`file:///home/u/a%20b` -> `/home/u/a b`; a host in it is left out."""
    rest = uri.partition(":")[2]
    path = "/" + rest[2:].partition("/")[2] if rest.startswith("//") else rest
    data, parts = bytearray(), path.encode().split(b"%")
    data += parts[0]
    for part in parts[1:]:
        try:
            data += bytes.fromhex(part[:2].decode("ascii")) + part[2:]
        except ValueError:
            data += b"%" + part
    return data.decode("utf-8", "replace").replace("\0", "")


def files_meant(facts: tuple[Fact, ...]) -> list[str]:
    """The files that lie where directories and patterns point; of a pattern those that its last part fits."""
    found: list[str] = []
    for fact in facts:
        if not isinstance(fact, Read) or fact.path is None or not os.path.isdir(fact.path):
            continue
        last = fact.text.rpartition("/")[2] if _is_pattern(fact.text) else "*"
        for folder, _, names in os.walk(fact.path):
            found += (
                os.path.join(folder, n) for n in names if any(wild(fold(p), fold(n)) for p in expand_braces(last))
            )
            if len(found) > MAX_BESIDE:
                raise HookInputError("hook input: more files than rules can be held against; name the files")
    return found


def _is_directory(fact: Fact) -> bool:
    return isinstance(fact, Read) and fact.path is not None and os.path.isdir(fact.path)


def with_credentials(facts: tuple[Fact, ...]) -> tuple[Fact, ...]:
    """Reading git's settings shows the password or token that somebody has put into a remote's address."""
    return (*facts, *(Unknown("secrets", _CREDENTIAL, f.text, (f.text,)) for f in facts if _shows_credential(f)))


_CREDENTIAL = "shows git's settings, in which there is a password or a token"


def _shows_credential(fact: Fact) -> bool:
    return isinstance(fact, Read) and fact.path is not None and any(map(_has_credential, _settings_in(fact)))


def _settings_in(fact: Read) -> Iterator[str]:
    """The files of git's settings that this shows: by themselves, or in a search through `.git`."""
    path = fact.path or ""
    if path.endswith(GIT_SETTINGS):
        yield path
    elif path.endswith("/.git"):
        yield f"{path}/config"
    elif ".git" in fact.text.split("/"):
        yield f"{path}/.git/config"


def _has_credential(path: str) -> bool:
    try:
        with open(path, errors="replace") as file:
            return holds_credential(file.read(1 << 16))
    except OSError:
        return False


# -- skills and subagents


def skill_facts(request: Request) -> tuple[tuple[Fact, ...], tuple[str, ...]]:
    """Facts, and the commands that the client would run by itself: a skill's `!` blocks have no hook of their own, so
    they are judged when the skill is called, or when a subagent is started that loads it."""
    from askfirst.agents.claude.skills import read_agent, read_skill

    project, cwd = request.project, request.cwd
    if request.tool in STARTERS:
        name = str(request.input.get("subagent_type") or "")
        skill = read_agent(name, project=project, cwd=cwd)
        passes = "starts a subagent; its own calls come through the gate"
        use = ToolUse(request.tool, {"subagent_type": name} if name else {}, passes)
    else:
        name, args = _called_skill(request)
        skill = read_skill(name, args, project=project, cwd=cwd)
        given = {"skill": name}
        if skill is None:
            why = f"the skill `{name}` is found in no file, so what it runs is not known"
            return (ToolUse(request.tool, given, why=why),), ()
        use = ToolUse(request.tool, given, "loads instructions; runs nothing by itself")
    if skill is None:
        return (use,), ()
    return (use, *(Unknown("skill", why, name, (name,)) for why in skill.problems)), skill.commands


def _called_skill(request: Request) -> tuple[str, str]:
    if request.tool == "Skill":
        args = request.input.get("args")
        return text_in(request, "skill"), args if isinstance(args, str) else ""
    name, _, args = text_in(request, "command").strip().removeprefix("/").partition(" ")
    return name, args.strip()


# -- everything else


def tool_facts(request: Request) -> tuple[Fact, ...]:
    """A tool by its name and input; and the secrets and protected files that its input names, which no rule for the
    tool covers."""
    name, given = request.tool, dict(request.input)
    if not name.isprintable() or " " in name:
        raise HookInputError("hook input: `tool_name` is not a name")
    if name in PASSING:
        brings = "results of a web search" if name == WEB_SEARCH else ""
        return (ToolUse(name, given, PASSES, reads=True, brings=brings),)
    if name in OWN_TOOLS:
        return (ToolUse(name, given, "one of askfirst's own tools, judged where it runs", reads=True),)
    if name == FETCH:
        return _fetch_facts(request, given)
    texts = list(_texts(given))
    addresses = tuple(text for _, text in texts if _is_address(text))
    use = ToolUse(name, given, addresses=addresses, reads=name in READ_RESOURCE, **_flow_of(name))
    return (use, *_file_facts(request, texts))


def _fetch_facts(request: Request, given: Mapping[str, Any]) -> tuple[Fact, ...]:
    addresses = _named_addresses(given)
    if not addresses:
        return (ToolUse(request.tool, given, why="it names no address", reads=True),)
    if not all(isinstance(a, str) and a for a in addresses):
        raise HookInputError(f"hook input: {request.tool}: `url` is missing or not a text")
    files = [
        fact for a in addresses if a.lower().startswith("file:") for fact in _reads(a[:5].lower() + a[5:], request)
    ]
    known = all(map(is_plain_page, addresses))
    to = "" if known else ", ".join(dict.fromkeys(found.host if (found := address_of(a)) else a for a in addresses))
    use = ToolUse(request.tool, given, addresses=addresses, reads=True, brings="a page of the web")
    return (replace(use, leaves="" if known else "fetch", leaves_to=to), *files)


def _named_addresses(given: Mapping[str, Any]) -> tuple[Any, ...]:
    """Of every key that may name one: which of them a client obeys is not for the gate to guess."""
    named = [value for key, value in given.items() if plain_key(key) in ADDRESS_KEYS]
    return tuple(one for value in named for one in (value if isinstance(value, list) else (value,)))


def _flow_of(tool: str) -> dict[str, Any]:
    """Whether what a tool is given leaves this machine, and whether its result may be a stranger's text. Where a server
    runs nobody can tell; `flow: {local_servers: …}` says so."""
    server = server_of(tool)
    if tool in READ_RESOURCE:
        return {"brings": "what a tool server keeps"}
    if not server:
        return {"leaves": "tool", "leaves_to": tool, "brings": "the result of a tool that askfirst does not know"}
    sent = {} if only_looks(tool) else {"leaves": "server", "leaves_to": f"{server} ({tool.rpartition('__')[2]})"}
    return {"brings": f"the tool server `{server}`", **sent}


def _is_address(text: str) -> bool:
    return text[:8].lower().startswith(("http://", "https://"))


def _texts(value: Any, key: str = "", depth: int = 0) -> Iterator[tuple[str, str]]:
    """(key, text) of every text in an input."""
    if isinstance(value, str):
        yield key, value
    elif isinstance(value, (dict, list)):
        if depth > MAX_DEPTH or len(value) > MAX_TEXTS:
            raise HookInputError("hook input: the tool's input is too deep or too long to be looked at")
        inner = value.items() if isinstance(value, dict) else ((key, v) for v in value)
        for name, one in inner:
            yield from _texts(one, name, depth + 1)


def _file_facts(request: Request, texts: list[tuple[str, str]]) -> Iterator[Fact]:
    """Files of this machine that the input names. Where the name of the tool does not say that it only looks, it may
    write them."""
    remote = len({plain_key(key) for key in request.input} & REMOTE_KEYS) > 1
    words = own_words(request.tool)
    looks, lists = not words.isdisjoint(LOOKS), not words.isdisjoint(LISTS)
    for key, text in texts:
        named = not words_of(key).isdisjoint(PATH_WORDS)
        if not _may_be_path(text, named=not remote and (named or _names_secret(text))):
            continue
        for path in _paths(encodable(request, key, text), request):
            if not (lists and os.path.isdir(path)):
                yield Read(path, path, request.tool)
            if named and not remote and not looks and _may_be_written(path, request):
                yield Write(path, path, "overwrite", request.tool)


def _names_secret(text: str) -> bool:
    """`./.env`, whatever the input is called."""
    head, slash, name = text.strip().rpartition("/")
    return (bool(slash) or name.startswith(".")) and " " not in head + name and is_secret_name(name)


def _may_be_path(text: str, *, named: bool) -> bool:
    if not text or len(text) > 4096 or any(c in text for c in "\n\0"):
        return False
    if text.lstrip()[:5].lower() == "file:":
        return True
    return "://" not in text and (named or text.lstrip().startswith(("/", "~/")))


def _may_be_written(path: str, request: Request) -> bool:
    """`/v1/items` is no file here: a file is written where its directory is, or below the project or the home."""
    roots = (request.project, os.path.expanduser("~"))
    return os.path.isdir(os.path.dirname(path)) or any(path.startswith(r.rstrip("/") + "/") for r in roots)
