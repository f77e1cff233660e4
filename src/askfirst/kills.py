"""Which processes a script would stop that names them by their words, their name or their port: `pkill -f "next dev"`,
`killall vite`, `lsof -ti:3000 | xargs kill`, `kill $(pgrep -f vite)`, `fuser -k 3000/tcp`.

What they mean is looked up in /proc, when the script is judged. So only what a script begins with is understood: a
later one may meet what is not there yet. Where it is not certain which processes would be hit, more are taken; where
one cannot be looked at, nobody can tell.
"""

from __future__ import annotations

import os
import pwd
import re
import shlex
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from askfirst.model import Command, Fact

__all__ = ["OWN", "Stop", "stops_in", "with_own_stops"]

PROCESSES = "/proc"
OWN = "stops processes that this session started"

_WORD = r"(?:[\w./:@%+=,~-]|'[^'\n]*'|\"[^\"$`\\\n]*\")+"
_QUIET = r"(?:[ \t]*(?:2>&1|[12&]?>[ \t]*/dev/null))*"
_COMMAND = rf"{_WORD}(?:[ \t]+{_WORD})*{_QUIET}"
_PIPE = rf"{_COMMAND}(?:[ \t]*\|[ \t]*{_COMMAND})*"
_STATEMENT = re.compile(
    rf"\s*(?:(?P<kill>kill(?:[ \t]+-\w+)*)[ \t]+\"?(?:\$\((?P<dollar>{_PIPE})\)|`(?P<back>{_PIPE})`)\"?{_QUIET}"
    rf"|(?P<pipe>{_PIPE}))[ \t]*(?P<end>&&|\|\||;|\n|$)",
    re.ASCII,
)
_QUIET_WORD = re.compile(r"[12&]?>.*|/dev/null")
_LONG = {"--full": "f", "--exact": "x"}
_SIGNAL = re.compile(r"-(?:\d{1,2}|[A-Z]+\d?)")
# What means the same to pkill, grep and Python, or less to them.
_PATTERN = re.compile(r"(?!-)(?:[\w /:@=,-]|\\?\.|\.\*|\[\w\]|\|)+", re.ASCII)
_LISTED_PATTERN = re.compile(r"(?:[A-Za-z][\w.-]{3,}|\[[A-Za-z]\][\w.-]{3,})", re.ASCII)
# What `ps` prints beside the words of a process and its owner.
_OTHER_COLUMNS = "root pts/ tty? user pid %cpu %mem vsz rss stat start time command ppid stime cmd uid"
_LSOF = re.compile(
    r"(?:-[nPtw]+ )*-[nPtw]*i ?(?:(?:tcp|udp)@?)?:(\d{1,5})(?P<state> -s ?tcp:listen)?(?: -[nPtw]+)*", re.IGNORECASE
)
_FUSER = re.compile(r"(?:-k|-ks|-sk|-k -s|-k -(?:\d|[A-Z]+)) (?:(\d{1,5})/tcp|-n tcp (\d{1,5}))")
_PS = (["ps", "aux"], ["ps", "-ef"], ["ps", "-aux"], ["ps", "auxww"])
_AWK = re.compile(r"\{ ?print ?\$2;? ?\}")


@dataclass(frozen=True)
class Stop:
    """One statement that stops processes: by a pattern over their words, or by a port."""

    program: str
    words: tuple[str | None, ...]  # of its command; None for what a lister gives
    text: str
    pattern: str = ""
    full: bool = False  # the words of a process count, not its name alone
    name: str = ""  # instead of a pattern: a name as a whole
    listed: bool = False  # whatever a line of `ps` holds
    port: int = 0
    listens: bool = False

    def pids(self) -> set[int] | None:
        """Everything it may hit; None where nobody can tell."""
        try:
            return _with_port(self.port, listens=self.listens) if self.port else set(_matching(self))
        except OSError:
            return None


def with_own_stops(facts: tuple[Fact, ...], text: str, is_own: Callable[[int], bool]) -> tuple[Fact, ...]:
    """The same facts; what stops processes of this session and no other is allowed, and what a lister finds has a
    name."""
    found = list(facts)
    for stop in stops_in(text):
        at = next((n for n, fact in enumerate(found) if _is_meant(fact, stop, text)), None)
        command = found[at] if at is not None else None
        if at is None or not isinstance(command, Command):
            continue
        pids = stop.pids()
        # Where nothing is there to hit, a name alone would decide: what has it a moment later is anybody's.
        if pids and all(map(is_own, pids)):
            found[at] = replace(command, action=replace(command.action, allowed=True, description=OWN))
        elif None in stop.words and stop.port:
            found[at] = replace(command, action=replace(command.action, target=_ON_PORT.format(stop.port), free=True))
    return tuple(found)


_ON_PORT = "what has port {} open then"


def _is_meant(fact: Fact, stop: Stop, text: str) -> bool:
    """Whether a fact is this statement and no other one of the script."""
    if not isinstance(fact, Command) or fact.name != stop.program or fact.assignments or fact.foreign:
        return False
    if tuple(w.value for w in fact.argv) != stop.words:
        return False
    if fact.via:
        bare = text.replace("'", "").replace('"', "").replace("\\", "")
        return fact.via == ("xargs",) and bare.count("xargs") == 1
    return fact.text.strip() in stop.text and text.count(fact.text) == 1


def stops_in(text: str) -> list[Stop]:
    """What a script begins with, up to the first command that could take time or start something."""
    found: list[Stop] = []
    at = 0
    while at < len(text) and (statement := _STATEMENT.match(text, at)) is not None:
        at = statement.end()
        try:
            stop = _stop_of(statement)
        except ValueError:
            break
        if stop is not None:
            found.append(stop)
        elif not _is_instant(statement["pipe"] or ""):
            break
    return found


def _is_instant(text: str) -> bool:
    words = _words(text)
    return "|" not in text and words[:1] in (["cd"], ["echo"], ["true"])


def _words(text: str) -> list[str]:
    return [w for w in shlex.split(text) if not _QUIET_WORD.fullmatch(w)]


def _stages(text: str) -> list[list[str]]:
    parts = [""]
    for piece in re.findall(rf"{_WORD}|[^\w]", text, re.ASCII):
        if piece == "|":
            parts.append("")
        else:
            parts[-1] += piece
    return [_words(part) for part in parts]


def _stop_of(statement: re.Match[str]) -> Stop | None:
    whole = statement[0]
    inner = statement["dollar"] or statement["back"]
    if inner:
        words = (*_words(statement["kill"]), None)
        return _listed(_stages(inner), Stop("kill", words, whole)) if _is_kill(list(words[:-1])) else None
    stages = _stages(statement["pipe"])
    if len(stages) == 1:
        return _plain(stages[0], whole)
    last = stages[-1]
    if last[:1] != ["xargs"]:
        return None
    kill = last[2:] if last[1:2] in (["-r"], ["--no-run-if-empty"]) else last[1:]
    return _listed(stages[:-1], Stop("kill", (*kill, None), whole)) if _is_kill(kill) else None


def _is_kill(words: list[str | None] | list[str]) -> bool:
    return words[:1] == ["kill"] and len(words) <= 2 and all(_SIGNAL.fullmatch(w or "") for w in words[1:])


def _plain(words: list[str], whole: str) -> Stop | None:
    stop = Stop(words[0] if words else "", tuple(words), whole)
    if stop.program == "pkill":
        return _by_pattern(words[1:], stop)
    if stop.program == "killall":
        names = [w for w in words[1:] if not _SIGNAL.fullmatch(w) and w not in ("-q", "-e", "-w", "-v")]
        plain = len(names) == 1 and re.fullmatch(r"\w[\w.-]*", names[0], re.ASCII)
        return replace(stop, name=names[0].lower()) if plain else None
    if stop.program == "fuser":
        found = _FUSER.fullmatch(" ".join(words[1:]))
        return replace(stop, port=int(found[1] or found[2])) if found is not None else None
    return None


def _by_pattern(words: list[str], stop: Stop) -> Stop | None:
    """pkill's and pgrep's words."""
    letters = ""
    while words and words[0].startswith("-"):
        word, words = words[0], words[1:]
        if word in _LONG:
            letters += _LONG[word]
        elif re.fullmatch(r"-[fxino]+", word):
            letters += word[1:]
        elif stop.program != "pkill" or not _SIGNAL.fullmatch(word):
            return None
    if len(words) != 1 or not _PATTERN.fullmatch(words[0]):
        return None
    if "x" in letters and "f" not in letters and words[0].isalnum():
        return replace(stop, name=words[0].lower())
    return replace(stop, pattern=words[0], full="f" in letters)


def _listed(stages: list[list[str]], stop: Stop) -> Stop | None:
    """The processes that a lister gives: lsof, pgrep, or ps through grep."""
    first = stages[0]
    if len(stages) == 1 and first[:1] == ["lsof"]:
        found = _LSOF.fullmatch(" ".join(first[1:]))
        terse = any(re.match(r"-[nPw]*t", w) for w in first[1:])
        return replace(stop, port=int(found[1]), listens=bool(found["state"])) if found is not None and terse else None
    if len(stages) == 1 and first[:1] == ["pgrep"]:
        return _by_pattern(first[1:], stop)
    pattern = _grepped(stages[1:-1]) if first in _PS and _is_awk(stages[-1]) else ""
    return replace(stop, pattern=pattern, full=True, listed=True) if _LISTED_PATTERN.fullmatch(pattern) else None


def _grepped(stages: list[list[str]]) -> str:
    """What the first of some greps looks for; all others only make the list shorter."""
    known = all(len(g) == 2 or (len(g) == 3 and g[1] in ("-v", "-i")) for g in stages)
    if not known or not all(g[0] == "grep" for g in stages):
        return ""
    return next((g[-1] for g in stages if "-v" not in g), "")


def _is_awk(words: list[str]) -> bool:
    return len(words) == 2 and words[0] == "awk" and _AWK.fullmatch(words[1]) is not None


# -- what is there


def _matching(stop: Stop) -> Iterator[int]:
    wanted = re.compile(stop.pattern, re.IGNORECASE | re.DOTALL | re.ASCII)
    if stop.listed and wanted.search(_OTHER_COLUMNS):
        raise OSError("the pattern may mean another column")
    for pid in _pids():
        try:
            names = _names_of(pid, stop)
        except (FileNotFoundError, ProcessLookupError):
            continue  # it has ended
        # The kernel keeps fifteen characters of a name.
        if any(n in (stop.name, stop.name[:15]) for n in names) if stop.name else any(map(wanted.search, names)):
            yield pid


def _names_of(pid: int, stop: Stop) -> list[str]:
    """All that a statement may compare with what it looks for."""
    with open(f"{PROCESSES}/{pid}/comm", "rb") as name, open(f"{PROCESSES}/{pid}/cmdline", "rb") as given:
        comm, words = name.read().rstrip(b"\n"), given.read().rstrip(b"\0").split(b"\0")
    names = [comm, *(os.path.basename(w) for w in words[:2])]
    if stop.full:
        names.append(b" ".join(words))
    if stop.listed:
        try:
            names.append(os.fsencode(pwd.getpwuid(os.stat(f"{PROCESSES}/{pid}").st_uid).pw_name))
        except KeyError as error:
            raise OSError("whose process it is cannot be told") from error
    return [os.fsdecode(n).lower() for n in names]


def _pids() -> list[int]:
    found = [int(name) for name in os.listdir(PROCESSES) if name.isdigit()]
    if os.getpid() not in found:
        raise OSError("/proc does not show the processes that are there")
    return found


def _with_port(port: int, *, listens: bool) -> set[int]:
    """Whoever has a socket with this port, at its own end or at the other."""
    wanted = set(_sockets(port, listens=listens))
    owners: dict[str, set[int]] = {}
    for pid in _pids() if wanted else ():
        try:
            for fd in os.listdir(f"{PROCESSES}/{pid}/fd"):
                target = os.readlink(f"{PROCESSES}/{pid}/fd/{fd}")
                if target in wanted:
                    owners.setdefault(target, set()).add(pid)
        except (FileNotFoundError, ProcessLookupError, PermissionError):
            continue  # a socket that nobody is seen to have is found missing below
    if wanted - set(owners):
        raise OSError("who has a socket cannot be told")
    return set().union(*owners.values())


def _sockets(port: int, *, listens: bool) -> Iterator[str]:
    end = f":{port:04X}"
    for table in ("tcp", "tcp6", "udp", "udp6"):
        try:
            with open(f"{PROCESSES}/net/{table}", encoding="ascii") as file:
                lines = file.read().splitlines()[1:]
        except FileNotFoundError:
            if table == "tcp":
                raise
            continue  # a kernel without IPv6
        for line in lines:
            parts = line.split()
            named = parts[1].endswith(end) or parts[2].endswith(end)
            if named and parts[9] != "0" and not (listens and table.startswith("tcp") and parts[3] != "0A"):
                yield f"socket:[{parts[9]}]"
