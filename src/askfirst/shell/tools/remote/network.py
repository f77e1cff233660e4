"""Programs that talk to other machines.

Reading a plain address is allowed; sending, downloading into files and logging in ask.
"""

from __future__ import annotations

from dataclasses import replace

from askfirst.knowledge.addresses import decoded, is_of_this_network, is_plain_ip
from askfirst.knowledge.places import DATA_ENDINGS, SCRATCH_ENDINGS
from askfirst.knowledge.secrets import is_secret_name
from askfirst.model import Action, Command, Fact, Kind, Read, Unknown, Word, Write
from askfirst.shell.call import Analyst, Call, Outcome
from askfirst.shell.tools.engine import action_of, facts_of, read_action, read_fact, unknown, write_fact
from askfirst.shell.tools.options import Parsed, parse
from askfirst.shell.tools.sending import alternatives, is_plain_pattern
from askfirst.shell.tools.table import ANY_OPTIONS, INERT, Reading, Tool, asking

_READING_METHODS = ("GET", "HEAD", "OPTIONS", "TRACE")
_LOOPBACK = ("localhost", "127.0.0.1", "[::1]", "ip6-localhost", "ip6-loopback", "localhost.localdomain")
# Names whose servers answer with whatever address stands in them, or with this machine's own.
_MIRRORS = ("nip.io", "sslip.io", "xip.io", "localtest.me", "lvh.me", "vcap.me", "lacolhost.com", "readme.localtest.me")
# What listens there on a developer's machine shows its variables or secrets: engines of containers, kubelets and API
# servers, etcd, Vault, Consul, a browser's debugger.
_KEEPERS = frozenset("2375 2376 2379 4243 6443 8200 8500 9222 10250 10255".split())
_KEPT = ("/secrets", "/actuator/env", "/actuator/heapdump", "/actuator/configprops", "/v1/kv", "/v1/secret")
_ANSWERS = ("approve", "allow", "deny", "answer", "grant", "askfirst", "decide", "respond", "token")
_MAX_URL = 400  # a long address carries data out


_FTP_LOOKS = frozenset(
    "PWD XPWD LIST NLST MLSD MLST SIZE MDTM SYST STAT TYPE PASV EPSV CWD CDUP NOOP FEAT HELP".split()
)


def host_of(url: str) -> str:
    """The host of an address, lower case, without user and port; "" when the address is not a plain http or ftp one."""
    scheme, separator, rest = url.partition("://")
    if not separator:
        scheme, rest = "http", url
    if scheme.lower() not in ("http", "https", "ftp", "ftps"):
        return ""
    authority = rest.split("/", 1)[0].split("?", 1)[0].split("#", 1)[0]
    if "@" in authority or "\\" in authority or not authority or authority.startswith("-"):
        return ""
    host = authority.rsplit(":", 1)[0] if authority.rsplit(":", 1)[-1].isdigit() else authority
    # `file:/etc/passwd` has no `//` and is a file to curl; brackets elsewhere are its patterns (`f[i-i]le:/x`).
    is_number = host.startswith("[") and host.endswith("]")
    return host.lower().removesuffix(".") if is_number or not any(c in host for c in ":[]") else ""


def doubt_about(url: str) -> str:
    """Why reading this address is not harmless; "" when it is."""
    host = host_of(url)
    if not host:
        return "not a plain web address"
    if not all(c.isascii() and (c.isalnum() or c in ".-_:[]") for c in host):
        return "a host name with characters that look like others"
    if _is_private(host):
        return _PRIVATE
    if is_loopback(host) and any(part in url.lower() for part in _ANSWERS):
        return "a request to this machine that may answer a question"
    if is_loopback(host) and _is_kept(url):
        return "a server of this machine may show secrets or variables there"
    if len(url) > _MAX_URL:
        return "a long address can carry data out"
    return ""


def is_loopback(host: str) -> bool:
    return host in _LOOPBACK or host.endswith(".localhost")


def _is_kept(url: str) -> bool:
    """Whether a server of this machine would be asked for what a secret file holds, or for its variables."""
    port = _authority(url).rpartition(":")[2]
    path = "/" + decoded((url.partition("://")[2] or url).partition("/")[2].partition("?")[0].lower())
    # curl itself makes `.env` of `.e{n}v`.
    names = [name for name in path.split("/") if "." in name or "_" in name]
    named = any(is_secret_name(name) or any(c in name for c in "{[") for name in names)
    return port in _KEEPERS or named or any(f"{part}/" in f"{path}/" for part in _KEPT)


def _is_private(host: str) -> bool:
    if is_loopback(host):
        return False
    if host.endswith(_MIRRORS):
        return True
    if (
        host.startswith(("169.254.", "10.", "192.168.", "172.", "100.", "0.", "[", "0x", "127."))
        or host.replace(".", "").isdigit()
    ):
        return host not in ("1.1.1.1", "8.8.8.8")
    return host.endswith((".internal", ".local", ".lan", ".corp", ".onion", ".localdomain")) or any(
        name in host for name in ("metadata", "instance-data")
    )


def _curl(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    parsed = parse(tool, call.words[1:])
    urls = parsed.operands + parsed.values("--url")
    methods = [w.value for w in parsed.values("-X")]
    facts = (
        *facts_of(tool, call, replace(parsed, operands=()), analyst),
        *_url_facts(tool, urls, call),
        *_curl_sends(parsed, call),
        *_format_facts(parsed, urls, call, analyst),
        *_curl_downloads(parsed, call, analyst),
    )
    action = replace(action_of(tool), says=_said(urls) if _only_asks(parsed) else ())
    near = _near(parsed, urls, facts, action)
    if near is not None:
        return near
    method = methods[-1] if methods and methods[-1] else "HEAD" if parsed.has("-I") else "GET"
    return Outcome(replace(action, key=("curl", method), target=_hosts_of(urls)), facts)


def _near(parsed: Parsed, urls: tuple[Word, ...], facts: tuple[Fact, ...], action: Action) -> Outcome | None:
    """What is asked of this machine or its network, where only that makes it a question: a yes is for the server, or
    for reading from the network."""
    doubts = [f for f in facts if isinstance(f, Unknown)]
    action = replace(action, allowed=False, free=True)
    network = _local_network(urls)
    if network and _only_asks(parsed) and all(f.why.endswith(_PRIVATE) for f in doubts):
        known = tuple(f for f in facts if not isinstance(f, Unknown))
        says = _said_to_network(urls[0].among, network)
        action = replace(action, description="reads from every machine of a local network", says=says)
        return Outcome(replace(action, key=("curl", "GET"), target=network), known)
    local = _local_server(urls)
    if not local or not doubts or not _sends_only_words(parsed):
        return None
    # The developer's own server: a yes is for it, whatever is asked of it, as long as that stands in the command.
    kept = tuple(f for f in facts if not isinstance(f, Unknown) or not _is_said(f))
    action = replace(action, description="talks to a server of this machine or network")
    return Outcome(replace(action, key=("curl", "local"), target=local), kept)


def _hosts_of(urls: tuple[Word, ...]) -> str:
    """The host of the one address, or every server that is asked."""
    found = dict.fromkeys(_authority(one.value or "") for word in urls for one in alternatives(word))
    return ", ".join(found) if len(found) > 1 else host_of(urls[0].value or "") if urls and not urls[0].each else ""


def _said(urls: tuple[Word, ...]) -> tuple[str, ...]:
    """What machines of this network learn: that somebody asks them, at which port, and for what."""
    found: list[str] = []
    for url in (w.value or "" for w in urls):
        host = host_of(url)
        if not is_loopback(host) and not is_of_this_network(host):
            return ()
        found += [host, _authority(url), *([url] if _page(url) else [])]
    return tuple(dict.fromkeys(found))


def _page(url: str) -> str:
    return (url.partition("://")[2] or url)[len(_authority(url)) :].strip("/")


def _said_to_network(urls: tuple[Word, ...], network: str) -> tuple[str, ...]:
    pages = dict.fromkeys(_page(one.value or "") for one in urls)
    return (network, *(f"{network}/{page}" for page in pages if page))


_PRIVATE = "an address of the local network or of a cloud's metadata service"
_CHANGES = "changes something on another machine"
_SENDS = "sends data"


def _is_said(fact: Unknown) -> bool:
    return fact.why.endswith((_PRIVATE, _CHANGES, _SENDS))


def _local_server(urls: tuple[Word, ...]) -> str:
    """Host and port of the one server of this machine or its network that is asked; "" for any other, and for the
    addresses at which clouds keep credentials."""
    found = {_server(w.value) for w in urls if w.value is not None}
    if len(found) != 1 or any(w.value is None for w in urls):
        return ""
    server = found.pop()
    host = host_of(server)
    if is_loopback(host):
        known = [w.value or "" for w in urls]
        return "" if any(part in url.lower() for url in known for part in _ANSWERS) else server
    return server if is_of_this_network(host) else ""


def _server(url: str) -> str:
    """Host and port, with one name for this machine, and no port where it is the usual one."""
    authority = _authority(url).removesuffix(":443" if url.lower().startswith("https:") else ":80")
    name = next((name for name in _THIS_MACHINE if authority == name or authority.startswith(f"{name}:")), "")
    return f"localhost{authority.removeprefix(name)}" if name else authority


_THIS_MACHINE = ("127.0.0.1", "[::1]")


def _local_network(urls: tuple[Word, ...]) -> str:
    """`192.168.1.0/24`, with its port: the network whose machines a loop asks one after the other; "" for anything
    else."""
    if len(urls) != 1 or not urls[0].each:
        return ""
    found = {_network(_authority(one.value or "")) for one in urls[0].among}
    return found.pop() if len(found) == 1 else ""


def _network(authority: str) -> str:
    host, _, port = authority.partition(":")
    numbers = host.split(".")
    named = f"{'.'.join(numbers[:3])}.0/24" + (f":{port}" if port else "")
    return named if is_plain_ip(numbers) and is_of_this_network(host) else ""


def _only_asks(parsed: Parsed) -> bool:
    """Whether the server learns nothing but the address: no header, no password, no body, no other method, and no
    option that it could see."""
    return all(g.option.is_one_of(_NOT_SEEN) for g in parsed.given)


_NOT_SEEN = frozenset("-s -S -f -i -v -k -N -# -L -m --connect-timeout -w -o --url --no-progress-meter".split())


def _authority(url: str) -> str:
    rest = url.partition("://")[2] or url
    return rest.split("/", 1)[0].split("?", 1)[0].split("#", 1)[0].lower() if host_of(url) else ""


def _sends_only_words(parsed: Parsed) -> bool:
    """Whether all that is sent stands in the command: no file, no form, no word that is not known."""
    if parsed.has("-F", "--form", "--form-string", "-T", "--upload-file", "--form-escape", "--data-urlencode"):
        return False
    if any("@" in (w.value or "@") for w in parsed.values("--url-query")):
        return False
    names = ("-d", "--data", "--data-ascii", "--data-raw", "--data-binary", "--json")
    sent = [g.value for g in parsed.given if g.option.name in names]
    if sent and parsed.has("-L", "--location-trusted"):
        return False  # the server may send it on to another
    return all(w is not None and w.value is not None and not w.value.startswith("@") for w in sent)


def _curl_sends(parsed: Parsed, call: Call) -> list[Fact]:
    facts: list[Fact] = []
    if any(w.value not in _READING_METHODS for w in parsed.values("-X")):
        facts.append(unknown("network", _CHANGES, call))
    for word in parsed.values("-Q"):
        if (word.value or "").lstrip("-+*").split(" ")[0].upper() not in _FTP_LOOKS:
            facts.append(unknown("network", "sends commands", call, word.text))
    for word in parsed.values("--url-query"):
        if word.value is None or "@" in word.value or len(word.value) > _MAX_URL:
            facts.append(unknown("network", "sends data", call, word.text))
    return facts


def _curl_downloads(parsed: Parsed, call: Call, analyst: Analyst) -> list[Fact]:
    named = [w for w in parsed.values("-o") if w.value not in ("-", "/dev/null", "/dev/stdout", "/dev/stderr")]
    facts = [f for w in named for f in write_fact(w, call, analyst, "curl -o", "overwrite")]
    if parsed.has("-O", "-J"):
        facts.append(Write(call.cwd, "a file named by the address", "create", "curl -O", below=True))
    away = all(map(_is_away, (*parsed.operands, *parsed.values("--url"))))
    if parsed.has("-O", "-J", "--output-dir") or (named and not (away and all(map(_is_data, named)))):
        facts.append(unknown("download", "what is downloaded into a file is not known", call))
    return facts


def _is_away(url: Word) -> bool:
    """A yes to reading from one's own network says nothing of keeping what is read."""
    host = host_of(url.value or "")
    return url.value is not None and not is_loopback(host) and not is_of_this_network(host)


def _is_data(word: Word) -> bool:
    """A file by its name, which nothing runs or loads. (`#1` stands for a part of the address.)"""
    name = (word.value or "#").lower()
    kinds = DATA_ENDINGS + SCRATCH_ENDINGS if name.startswith("/tmp/") else DATA_ENDINGS
    return "#" not in name and name.endswith(kinds)


def _url_facts(tool: Tool, urls: tuple[Word, ...], call: Call) -> list[Fact]:
    facts: list[Fact] = []
    for word in urls:
        doubts = [doubt_about(w.value if w.value is not None else w.prefix) for w in alternatives(word)]
        if any(doubts) and (word.value is not None or word.each or is_plain_pattern(word)):
            facts += [unknown("network", f"`{tool.name}`: {d}", call, word.text) for d in dict.fromkeys(doubts) if d]
    return facts


def _format_facts(parsed: Parsed, urls: tuple[Word, ...], call: Call, analyst: Analyst) -> list[Fact]:
    """`-w '%output{FILE}…'` writes a file; `-H @FILE` and `-b FILE` read one."""
    here = all(w.value is not None and is_loopback(host_of(w.value)) for w in urls)
    facts: list[Fact] = []
    for word in parsed.values("-w"):
        if word.value is None or "%output" in word.value or word.value.startswith("@"):
            facts.append(unknown("option", "`curl -w` may write or read a file", call, word.text))
    for word in parsed.values("-H", "-b", "-A", "-e"):
        if word.value is not None and word.value.startswith("@"):
            facts.append(unknown("network", "`curl` sends a file", call, word.text))
    for word in parsed.values("-b"):
        if word.value is not None and "=" not in word.value:
            facts += read_fact(word, call, analyst, "curl -b")
            if not here or not word.value.endswith(("cookies.txt", "cookie.txt", "cookies", ".jar")):
                facts.append(unknown("network", "`curl -b` sends what stands in a file", call, word.text))
    return facts


def _wget(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    parsed = parse(tool, call.words[1:])
    facts: list[Fact] = list(facts_of(tool, call, replace(parsed, operands=()), analyst))
    facts += _url_facts(tool, parsed.operands, call)
    outputs = parsed.values("-O")
    facts += [f for w in outputs for f in write_fact(w, call, analyst, "wget -O", "overwrite")]
    printed = bool(outputs) and all(w.value in ("-", "/dev/null", "/dev/stdout") for w in outputs)
    # Following links, it stores each page under the name that the page has, also where it deletes it at the end.
    follows = parsed.has("-r", "-m", "-p")
    looks = parsed.has("--spider", "-h", "-V") and not follows
    named = bool(outputs) and not follows and all(map(_is_data, outputs)) and all(map(_is_away, parsed.operands))
    if not (printed or looks or named):
        facts.append(Write(call.cwd, "a file named by the address", "create", "wget", below=True))
        facts.append(unknown("download", "what is downloaded into a file is not known", call))
    target = _hosts_of(parsed.operands)
    return Outcome(replace(action_of(tool), key=("wget", "GET"), target=target), tuple(facts))


def _names(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    """ping, dig: the name that is looked up leaves the machine, so it must be in the command."""
    parsed = parse(tool, call.words[1:])
    facts: list[Fact] = list(facts_of(tool, call, replace(parsed, operands=()), analyst))
    if (not parsed.operands and not parsed.given) or (tool.name == "nslookup" and _reads_names(parsed)):
        facts.append(unknown("network", f"`{tool.name}` looks up the names on its standard input", call))
    for word in parsed.operands:
        if any(one.value is not None and len(one.value) > 100 for one in alternatives(word)):
            facts.append(unknown("network", "a long name can carry data out", call, word.text))
    if tool.name == "getent" and any(w.value in ("shadow", "gshadow") for w in parsed.operands[:1]):
        facts.append(unknown("secrets", "shows passwords", call))
    says = _pinged(parsed) if tool.name == "ping" else ()
    return Outcome(replace(action_of(tool), target=_looked_up(parsed), says=says), tuple(facts))


def _looked_up(parsed: Parsed) -> str:
    """Every name, and the server that is asked; not what `dig` wants to know of them (`MX`, `+short`)."""
    words = [one.value or "" for word in parsed.operands for one in alternatives(word)]
    return ", ".join(dict.fromkeys(w for w in words if w and w[0] != "+" and not (w.isupper() and "." not in w)))[:300]


def _pinged(parsed: Parsed) -> tuple[str, ...]:
    """The machines of this network that learn no more than that somebody asks. A machine sees how often, and on Linux
    what `-t` says: only small numbers tell it next to nothing."""
    small = all(g.option.is_one_of(("-c", "-t", "-w", "-W", "-n", "-q")) and _is_small(g.value) for g in parsed.given)
    hosts = [one.value or "" for word in parsed.operands for one in alternatives(word)]
    if not small or not all(is_loopback(host) or is_of_this_network(host) for host in hosts):
        return ()
    looped = any(word.each for word in parsed.operands)
    return tuple(dict.fromkeys((_network(host) or host) if looped else host for host in hosts))


def _is_small(value: Word | None) -> bool:
    return value is None or value.value in ("1", "2", "3", "4", "5")


def _reads_names(parsed: Parsed) -> bool:
    """`nslookup`, `nslookup - SERVER`: names come on standard input."""
    return not parsed.operands or parsed.operands[0].value in (None, "-")


def _remote(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    """ssh and its kin ask; what they would run, here or there, is shown and judged as well."""
    rest = call.words[1:]
    if tool.name == "ssh" and [w.value for w in rest] == ["-V"]:
        return Outcome(read_action(("ssh", "-V"), "prints its version"))
    at, facts = _host(tool, call, analyst)
    host = (rest[at].value or "") if at < len(rest) else ""
    text = _handed_over(tool, call, rest[at + 1 :])
    address = _address(call, rest[: at + 1]) if host and text is not None else ""
    if text is not None:
        login = f"{tool.name} {address}" if address else ""
        facts += _run_there(tool, call, analyst, text, host=host, login=login)
    return Outcome(replace(action_of(tool), target=address or host, free=bool(address)), tuple(facts))


def _address(call: Call, before: tuple[Word, ...]) -> str:
    """Everything that says to which machine it goes, and how; "" where that is not all in the command."""
    words = [w.value for w in before]
    if None in words or call.stdin.kind not in ("inherited", "text"):
        return ""
    return " ".join(w or "" for w in words if w not in _SSH_INERT)


def _run_there(tool: Tool, call: Call, analyst: Analyst, text: str, *, host: str, login: str) -> list[Fact]:
    # There, not here: a name without a directory is a file of the other machine.
    there = replace(call, cwd=f"/{tool.name}:{host}")
    return on_another_machine(
        analyst.script(text, there, f"{tool.name} {host}", "login"), there.cwd, analyst, login=login
    )


def _scp(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    """Single files of the project to one directory of another machine: a yes is for that directory. A directory as a
    whole may hold secrets, and asks with its words."""
    parsed = parse(_SCP_FILES, call.words[1:])
    *files, to = [w.value for w in parsed.operands] or [""]
    ours = bool(files) and all(_is_of_project(file, call, analyst) for file in files)
    if parsed.doubts or not ours or not _is_remote_directory(to):
        return _remote(tool, call, analyst)
    facts = [f for w in parsed.operands[:-1] for f in read_fact(w, call, analyst, "scp")]
    chosen = [f"{g.name} {g.value.value}" for g in parsed.given if g.value is not None]
    action = replace(action_of(tool), key=("scp", "to"), target=" ".join([*chosen, to or ""]), free=True)
    return Outcome(replace(action, description="copies files to another machine"), tuple(facts))


_SCP_FILES = Tool(
    "scp",
    options="""
        flag    -p -q -v -C -4 -6 -B
        value   -P -i
    """,
)


_FOR_SOMETHING = tuple(f"/{name}/" for name in "tmp var/tmp var/www srv opt home Users data mnt app apps www".split())


def _is_remote_directory(word: str | None) -> bool:
    """`host:/srv/app/`: a directory for something, where no system and no login looks for programs or settings."""
    host, colon, path = (word or "").partition(":")
    parts = path.split("/")
    plain = bool(colon) and path.startswith("/") and path.endswith("/") and not {"..", "."} & set(parts)
    known = all(c.isalnum() or c in "._-/@" for c in host + path) and host[:1].isalnum() and "/" not in host
    deep = len(parts) > (5 if parts[1:2] in (["home"], ["Users"]) else 3) and path.startswith(_FOR_SOMETHING)
    return plain and known and deep and not any(part.startswith(".") for part in parts)


def _is_of_project(file: str | None, call: Call, analyst: Analyst) -> bool:
    path = analyst.path(file, call.cwd) if file and ":" not in file else None
    return path is not None and _is_below(path, analyst.project.rstrip("/"))


def on_another_machine(facts: tuple[Fact, ...], place: str | None, analyst: Analyst, *, login: str = "") -> list[Fact]:
    """A path that is the project's here is somebody else's there. `login`: with everything that says where it goes;
    what was shown by it is nothing new to that machine."""
    moved = (_moved(fact, place or "", analyst.project.rstrip("/")) for fact in facts)
    return [replace(f, on=f.on or login) if isinstance(f, (Read, Unknown)) else f for f in moved]


def _moved(fact: Fact, place: str, project: str) -> Fact:
    if isinstance(fact, Command):
        return replace(fact, cwd=f"{place}{fact.cwd}") if _is_below(fact.cwd, project) else fact
    if isinstance(fact, (Write, Read)):
        return replace(fact, path=f"{place}{fact.path}") if _is_below(fact.path, project) else fact
    return fact


def _is_below(path: str | None, project: str) -> bool:
    return path is not None and bool(project) and (path + "/").startswith(project + "/")


def _handed_over(tool: Tool, call: Call, words: tuple[Word, ...]) -> str | None:
    """The text that the other machine's shell reads; None when that is not known."""
    if tool.name in _LOGINS and words:
        command = [w.value for w in words][1 if words[0].value == "--" else 0 :]
        return " ".join(str(w) for w in command) if None not in command else None
    return call.stdin.text or None if tool.name == "ssh" and call.stdin.kind == "text" else None


# Options that change nothing but what is shown; any other belongs to what a yes is given for.
_SSH_INERT = frozenset("-q -t -tt -T -n -v -4 -6 -C".split())


_LOGINS = ("ssh", "slogin", "mosh", "autossh")


def _host(tool: Tool, call: Call, analyst: Analyst) -> tuple[int, list[Fact]]:
    """Where the first operand stands among the arguments, and the facts of `-o` options before it."""
    rest, at = call.words[1:], 0
    facts: list[Fact] = []
    while at < len(rest) and (text := rest[at].value or "").startswith("-"):
        following = rest[at + 1].value if at + 1 < len(rest) else None
        if text.startswith("-o"):
            facts += _ssh_option(text[2:] or following or "", call, analyst)
        takes_word = len(text) == 2 and text[1] in "oFiIJLlmOpQRSWwbcDEeB" and tool.name in _LOGINS
        at += 2 if takes_word else 1
    return at, facts


def _ssh_option(text: str, call: Call, analyst: Analyst) -> tuple[Fact, ...]:
    name, _, value = text.replace(" ", "=", 1).partition("=")
    if name.strip().lower().endswith(("command", "include", "match", "provider")):
        return (
            unknown("hidden command", f"`{name}` runs a program", call, text),
            *analyst.script(value, call, "ssh -o", "login"),
        )
    return ()


def _rsync(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    parsed = parse(tool, call.words[1:])
    facts = list(facts_of(tool, call, replace(parsed, operands=()), analyst))
    remote = next((w.value.partition(":")[0] for w in parsed.operands if w.value and _is_elsewhere(w)), "")
    action = replace(action_of(tool), target=remote)
    local = parse(_RSYNC_LOCAL, call.words[1:])
    # Where both readings differ in what is a value, either may be right about which word is the last.
    for last in dict.fromkeys((*parsed.operands[-1:], *local.operands[-1:])):
        if not _is_elsewhere(last):
            path = analyst.path(last.value, call.cwd) if last.value is not None else None
            facts.append(Write(path, last.text, "overwrite", "rsync", below=True))
    known = all(w.value is not None and ":" not in w.value for w in local.operands)
    if known and not local.doubts and len(local.operands) > 1:
        facts += [f for w in local.operands[:-1] for f in read_fact(w, call, analyst, "rsync")]
        action = replace(
            action, key=("rsync", "local"), kind=Kind.EDIT, allowed=True, description="copies files on this machine"
        )
    return Outcome(action, tuple(facts))


def _is_elsewhere(word: Word) -> bool:
    """`host:path`."""
    return bool(word.value) and ":" in (word.value or "").split("/")[0]


# Between two local directories, with these options only, rsync is a `cp -r`.
_RSYNC_LOCAL = Tool(
    "rsync",
    options="""
        flag    -a,--archive -v,--verbose -r,--recursive -n --dry-run -u,--update -z --compress
        flag    -P,--progress -h,--human-readable -i,--itemize-changes -c,--checksum -t,--times
        flag    -p,--perms -q,--quiet --stats -m --prune-empty-dirs --ignore-existing --existing
        flag    --partial -W,--whole-file -x --size-only
        value   --exclude --include
    """,
)


def _nc(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    """`nc -z localhost 5432` asks whether something listens on this machine, and sends nothing."""
    local = parse(_NC_LOCAL, call.words[1:])
    if not local.doubts and local.has("-z") and len(local.operands) == 2 and local.operands[0].value in _LOOPBACK:
        return Outcome(
            replace(
                action_of(tool),
                key=(tool.name, "-z"),
                kind=Kind.READ,
                allowed=True,
                description="tells whether a port is open",
            )
        )
    return Outcome(action_of(tool), facts_of(tool, call, parse(tool, call.words[1:]), analyst))


_NC_LOCAL = Tool(
    "nc",
    options="""
        flag    -z -v -n -4 -6
        value   -w -G
    """,
)


def _asks(name: str, description: str, options: str = "") -> Tool:
    return asking(name, description, Kind.NETWORK, options=options)


_CURL = Tool(
    "curl",
    Kind.NETWORK,
    "reads from the web",
    options="""
        flag    -0 -1 -2 -3 -4 -6 -B -f,--fail --fail-with-body --fail-early -g,--globoff -G,--get
        flag    -i,--include --show-headers -I,--head -j,--junk-session-cookies -k --insecure
        flag    -l,--list-only -L,--location -N,--no-buffer --buffer
        flag    -O,--remote-name,--remote-name-all -J,--remote-header-name -q --disable
        flag    -R,--remote-time -s,--silent --no-silent -S,--show-error -v,--verbose -V,--version
        flag    -Z --parallel --parallel-immediate -# --progress-bar --no-progress-meter
        flag    --compressed --compressed-ssh --tr-encoding --http0.9 --http1.0 --http1.1 --http2
        flag    --http2-prior-knowledge --http3 --http3-only --ipv4 --ipv6 --tlsv1 --tlsv1.0
        flag    --tlsv1.1 --tlsv1.2 --tlsv1.3 --ssl --ssl-reqd --sslv2 --sslv3 --tcp-fastopen
        flag    --tcp-nodelay --no-keepalive --keepalive --raw --retry-connrefused
        flag    --retry-all-errors --styled-output --no-styled-output --basic --digest --ntlm
        flag    --negotiate --anyauth --no-sessionid --path-as-is --post301 --post302 --post303
        flag    --location-trusted --create-dirs --crlf --disallow-username-in-url
        flag    --ignore-content-length --xattr --no-npn --no-alpn --cert-status --false-start
        flag    --ca-native --proxy-insecure --suppress-connect-headers -a,--append -h --manual -M
        value   -Q,--quote --url-query -A --user-agent -e,--referer -H,--header -m,--max-time
        value   --connect-timeout -r,--range --retry --retry-delay --retry-max-time -w,--write-out
        value   -X,--request -y --speed-time -Y --speed-limit --limit-rate -z --time-cond
        value   -C,--continue-at --max-redirs --max-filesize --expect100-timeout --keepalive-time
        value   --url -b,--cookie --cert-type --key-type --ciphers --tls-max
        value   --tls13-ciphers --pinnedpubkey --proto --interface --local-port
        value   --happy-eyeballs-timeout-ms --parallel-max --rate --alt-svc-none --tls-versions
        value   --oauth2-bearer -u,--user -t,--telnet-option --create-file-mode --trace-config
        value   --ftp-method -o,--output --cacert --capath --crlfile
        writes  -D,--dump-header -c,--cookie-jar --trace --trace-ascii --stderr --etag-save
        writes  --libcurl --hsts
        asks    --alt-svc: asks the machine that the file names
        below   --output-dir
        reads   --key -E,--cert
        asks-value  --etag-compare: sends what stands in a file
        asks-value  -d,--data --data-ascii --data-raw --data-binary --data-urlencode --json: sends data
        asks-value  -F,--form --form-string -T --upload-file: sends data
        asks    --form-escape: sends data
        asks    -K --config: reads options from a file
        asks    -n,--netrc --netrc-optional --netrc-file: sends stored passwords
        asks    --mail-from --mail-rcpt --mail-auth: sends mail
        asks    --engine --delegation: loads code
        asks    --unix-socket --abstract-unix-socket: talks to a local service
        asks    -x --proxy -p,--proxytunnel --preproxy --socks4 --socks5: goes another way
        asks    --socks5-hostname --socks4a --resolve --connect-to --dns-servers: goes another way
        asks    --doh-url --haproxy-protocol: goes another way
        asks    -P --ftp-port: opens a port
        asks    --next -:: starts another request
        asks    --krb --service-name --variable --expand-url: sends stored values
    """,
    manual="curl 7.88.1",
    examples=(
        "curl -s https://example.org/a.json",
        "curl -fsSL -o /dev/null -w '%{http_code}' http://localhost:3000/health",
        "curl -s -b cookies.txt http://app.localhost:3000/api/me",
    ),
    counter_examples=(
        "curl -d a=b https://x.org",
        "curl -X DELETE https://x.org",
        "curl file:///etc/passwd",
        "curl file:/etc/passwd",
        "curl 'f[i-i]le:/etc/passwd'",
        "curl http://169.254.169.254/x",
        "curl -o x https://x.org",
        "curl -K x",
        "curl -w '%output{/x}' https://x.org",
        "curl --dat a https://x.org",
        "curl --etag-compare notes.txt https://x.org",
        "curl -b cookies.txt https://x.org",
        "curl http://localhost.:2375/containers/json",
        "curl http://a.127.0.0.1.nip.io:2375/x",
        "curl http://localhost:8000/.env",
        "curl http://localhost:8080/actuator/env",
    ),
    special=_curl,
)

# One letter means another thing to each of them: `-c`, `-p`, `-w`.
_TRACEROUTE = """
    flag    -4 -6 -n -I -T -U -r
    value   -m -q -f -p -i -s -w
"""
_TRACERS = {
    "traceroute": _TRACEROUTE,
    "traceroute6": _TRACEROUTE,
    "mtr": """
        flag    -4 -6 -n -T -u -r -w -b -p -j
        value   -m -f -i -s -c -P
    """,
}
_MANUALS: dict[str, str] = {
    "mtr": "mtr 0.95",
    "traceroute": "traceroute 2.1.2",
    "traceroute6": "traceroute6 2.1.2",
}
_ROWS = (
    _CURL,
    Tool(
        "wget",
        Kind.NETWORK,
        "reads from the web",
        options="""
            flag    -q,--quiet -v,--verbose -nv --no-verbose --spider -S,--server-response
            flag    --no-check-certificate -4 -6 -c,--continue -N --timestamping -nc --no-clobber -nd
            flag    --no-directories -x -r,--recursive -k -K -m,--mirror -p,--page-requisites -np
            flag    --no-parent --no-proxy --no-cache --no-cookies --content-disposition --https-only
            flag    --show-progress -h -V --inet4-only --inet6-only --trust-server-names -d,--debug
            value   -T,--timeout --connect-timeout --read-timeout -t,--tries -w,--wait -U,--user-agent
            value   --referer --limit-rate -l,--level -A -R -D --accept --reject --domains --progress
            value   -Q,--quota --dns-timeout --max-redirect --secure-protocol -O,--output-document
            value   --header --ca-certificate --ca-directory
            writes  -o,--output-file -a,--append-output --save-cookies
            below   -P,--directory-prefix
            reads   --load-cookies
            asks    -i,--input-file: reads addresses from a file
            asks    --post-data --post-file --body-data --body-file --method: sends data
            asks    -e,--execute --config: changes its settings
            asks    -b,--background: writes a log
            asks    --use-askpass: runs a program
            asks    --user --password --http-user --http-password: sends a password
        """,
        manual="GNU Wget 1.21.3",
        examples=("wget --spider -q https://example.org", "wget -qO- https://example.org"),
        counter_examples=(
            "wget https://x.org/a",
            "wget -P /x https://x.org",
            "wget -e use_askpass=x https://x.org",
            "wget --use-ask=x https://x.org",
            "wget --spider -r -nH https://x.org",
        ),
        special=_wget,
    ),
    Tool(
        "ping",
        Kind.NETWORK,
        "asks whether a machine answers",
        options="""
            flag    -4 -6 -a -b -d -D -n -q -r -R -U -v -L -O -A
            value   -c -i -I -l -m -M -p -Q -s -S -t -T -w -W
        """,
        operands=(INERT, ...),
        manual="iputils-ping 20221126",
        special=_names,
    ),
    Tool(
        "ping6",
        Kind.NETWORK,
        "asks whether a machine answers",
        options="""
            flag    -n -q -v
            value   -c -i -s -w -W -I
        """,
        operands=(INERT, ...),
        manual="iputils-ping 20221126",
        special=_names,
    ),
    *(
        Tool(
            name,
            Kind.NETWORK,
            "shows the way to a machine",
            allowed=True,
            options=options,
            operands=(INERT, ...),
            manual=_MANUALS.get(name, ""),
            special=_names,
        )
        for name, options in _TRACERS.items()
    ),
    Tool(
        "dig",
        Kind.NETWORK,
        "looks up names",
        options="""
            flag    -4 -6 -m -u -r -v -h
            value   -b -c -p -q -t -x -y
            asks    -f -k: sends what stands in a file
        """,
        operands=(INERT, ...),
        manual="bind9-dnsutils 9.18.49",
        special=_names,
    ),
    Tool(
        "getent",
        Kind.NETWORK,
        "looks up users and hosts",
        options="""
            flag    -i,--no-idn
            asks    -s,--service: loads a library by its name
        """,
        operands=(INERT, ...),
        manual="GLIBC 2.36",
        special=_names,
    ),
    Tool(
        "nslookup",
        Kind.NETWORK,
        "looks up names",
        options="""
            flag    -debug -d2
            value   -type -query -port -timeout -class -retry
        """,
        operands=(INERT, ...),
        reading=Reading(single_dash_long=True),
        manual="bind9-dnsutils 9.18.49",
        examples=("nslookup example.org",),
        special=_names,
    ),
    Tool(
        "host",
        Kind.NETWORK,
        "looks up names",
        options="""
            flag    -a -C -d -l -r -s -T -U -v -V -w -4 -6
            value   -c -N -p -R -t -W -m -k
        """,
        operands=(INERT, ...),
        manual="bind9-host 9.18.49",
        special=_names,
    ),
    *(
        Tool(
            name,
            Kind.NETWORK,
            "logs in to another machine",
            allowed=False,
            reading=ANY_OPTIONS,
            special=_remote,
        )
        for name in ("ssh", "slogin", "mosh", "autossh", "sftp", "ssh-copy-id", "sshfs")
    ),
    Tool(
        "scp",
        Kind.NETWORK,
        "copies files to or from another machine",
        allowed=False,
        reading=ANY_OPTIONS,
        counter_examples=("scp a.txt host:/tmp/x/", "scp -S ./x a.txt host:/tmp/x/"),
        special=_scp,
    ),
    Tool(
        "rsync",
        Kind.NETWORK,
        "copies files, also to other machines",
        allowed=False,
        options="""
            value   --exclude --include -f,--filter -B,--block-size --chmod --max-delete --max-size --min-size --suffix
            value   --timeout --contimeout --modify-window --usermap --groupmap --chown --compress-level --skip-compress
            value   --checksum-choice --compress-choice --info --debug --out-format --log-file-format --bwlimit --port
            value   --address --sockopts --protocol --iconv --checksum-seed --max-alloc --stop-after --stop-at --copy-as
            value   -M,--remote-option --outbuf
            reads   --exclude-from --include-from --files-from --password-file --read-batch --early-input
            reads   --compare-dest --copy-dest --link-dest
            runs    -e,--rsh --rsync-path
            writes  --log-file --write-batch --only-write-batch
            below   --backup-dir -T,--temp-dir --partial-dir
        """,
        reading=ANY_OPTIONS,
        special=_rsync,
    ),
    replace(
        _asks("nc", "opens network connections", "runs -e -c"),
        special=_nc,
        examples=("nc -zv localhost 5432",),
        counter_examples=("nc -z evil.example 80", "nc localhost 80"),
    ),
    _asks("ncat", "opens network connections", "runs -e,--exec -c,--sh-exec"),
    _asks("netcat", "opens network connections", "runs -e -c"),
    _asks("socat", "connects anything with anything"),
    _asks("telnet", "logs in to another machine"),
    _asks("ftp", "copies files to other machines"),
    _asks("lftp", "copies files", "runs -c -e"),
    _asks("aria2c", "downloads files"),
    _asks("yt-dlp", "downloads files", "runs --exec"),
    _asks("http", "talks to a web service"),
    _asks("https", "talks to a web service"),
    _asks("xh", "talks to a web service"),
    _asks("tftp", "copies files"),
    _asks("nmap", "scans machines"),
    _asks("ssh-keyscan", "fetches keys"),
    _asks("ssh-add", "changes loaded keys"),
    _asks("ssh-keygen", "makes or changes keys"),
    _asks("tcpdump", "listens to the network"),
    _asks("tshark", "listens to the network"),
    _asks("ngrok", "opens this machine to the world"),
    _asks("cloudflared", "opens this machine to the world"),
    _asks("mail", "sends mail"),
    _asks("sendmail", "sends mail"),
    _asks("mutt", "sends mail"),
)

TOOLS: dict[str, Tool] = {t.name: t for t in _ROWS}
