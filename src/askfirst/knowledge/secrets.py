"""What a secret is: names, places and exceptions, once, and every question about them answered from the same tables.

| question | function |
|---|---|
| is a file of this name a secret | `is_secret_name` |
| is the file at this location one | `is_secret` |
| does the tree below it hold some | `is_above_secrets` |
| may it hold some, as one of the hidden files of a home that nobody reads every day | `is_private` |
| could this file name pattern match one | `may_match_name`, `may_match_place` |
| does this text name one, or a place of them | `names_secret`, `names_secret_place` |

A new row counts for `cat`, loops, `grep | xargs`, `find`, `tar`, the Read tool and MCP alike
(tests/policy/test_secrets.py)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

from askfirst.agents import table as agents
from askfirst.knowledge.globs import (
    Location,
    NamePatterns,
    PathPatterns,
    expand_braces,
    fold,
    holds_homes,
    leads_to,
    longest_literal,
    once,
    wild,
    without_classes,
)
from askfirst.knowledge.secret_places import HIDDEN, PLACES, READ_DAILY

__all__ = [
    "COPIES",
    "HARMLESS_NAMES",
    "NAMES",
    "PLACES",
    "WRITE_DENIED",
    "is_above_secrets",
    "is_harmless_name",
    "is_odd_pattern",
    "is_ordinary",
    "is_pattern",
    "is_private",
    "is_secret",
    "is_secret_name",
    "may_match_name",
    "may_match_place",
    "names_secret",
    "names_secret_place",
    "odd_pieces",
    "secret_names",
]

# What it is -> names of files, in any directory.
NAMES: dict[str, tuple[str, ...]] = {
    "environment files with passwords and tokens": (
        ".env",
        ".env.*",
        ".env-*",
        ".env_*",
        "*.env",
        ".envrc",
        ".dev.vars",
        ".dev.vars.*",
        "local.settings.json",
    ),
    "private keys and key stores": (
        "*.pem",
        "*.key",
        "*.p12",
        "*.pfx",
        "*.p8",
        "*.jks",
        "*.keystore",
        "*.kdbx",
        "*.kdb",
        "*.ppk",
        "*id_rsa*",
        "*id_dsa*",
        "*id_ecdsa*",
        "*id_ed25519*",
        "ssh_host_*_key",
        "private_key",
        "secring.gpg",
        "*.pk8",
        "*.pkcs12",
        "*.bks",
        "*.jceks",
        "*.keytab",
        "*.agekey",
        "*.ovpn",
        "master.key",
    ),
    "passwords that a tool keeps for its user": (
        ".netrc",
        "_netrc",
        ".pgpass",
        ".my.cnf",
        ".mylogin.cnf",
        ".git-credentials",
        ".pypirc",
        ".htpasswd",
        ".dockercfg",
        ".vault-token",
        ".vault_pass*",
        ".vault-pass*",
        ".vaultpass*",
        "vault_pass",
        "vault_pass.txt",
        "vault-pass",
        "vault_password",
        "vault_password.txt",
        "vault-password",
        "htpasswd",
        ".htdigest",
        ".authinfo",
        ".smbcredentials",
        ".passwd-s3fs",
        ".clasprc.json",
        ".sentryclirc",
        ".databrickscfg",
        ".dockerconfigjson",
        ".msmtprc",
        ".fetchmailrc",
        ".mbsyncrc",
        ".offlineimaprc",
        "rclone.conf",
        ".rclone.conf",
        "sftp-config*.json",
        "sftp.json",
        ".ftpconfig",
        "clouds.yaml",
        "*openrc.sh",
        "*.psafe3",
        "*.1pux",
        "*passwords.csv",
        "passwords.txt",
        "bitwarden_export*",
        "*recovery-codes.txt",
        ".s3cfg",
        ".boto",
        ".terraformrc",
        "wp-config.php",
    ),
    "credentials of clouds, services and agents": (
        "credentials",
        "*credentials.json",
        "*credentials.csv",
        "credentials.yml",
        "credentials.yaml",
        "credentials.ini",
        "credentials.xml",
        "credentials.properties",
        "credentials.db",
        "access_tokens.db",
        "accesstokens.json",
        "*_accesskeys.csv",
        "rootkey.csv",
        ".credentials",
        "credentials.toml",
        "credentials.tfrc.json",
        "application_default_credentials.json",
        "oauth_creds.json",
        "auth.json",
        ".claude.json",
        "client_secret*.json",
        "service-account*.json",
        "service_account*.json",
        "serviceaccountkey.json",
        "serviceaccount.json",
        "*firebase-adminsdk*.json",
        "token.json",
        "token.pickle",
        "*-key.json",
        "*_key.json",
        "kubeconfig",
        "*.kubeconfig",
        "kubeconfig.y*ml",
        "kubeconfig.json",
        "kube_config_*.yml",
        "k3s.yaml",
        "talosconfig",
    ),
    "secrets by their own name": (
        "secrets.yml",
        "secrets.yaml",
        "secrets.json",
        "secrets.toml",
        "secrets.ini",
        "secrets.cfg",
        "secrets.conf",
        "secrets.txt",
        "secrets.xml",
        "secrets.properties",
        "secrets.sh",
        "secrets.bash",
        "secrets.zsh",
        "secrets.fish",
        "*secrets.tfvars",
        "*secrets.auto.tfvars",
        "arduino_secrets.h",
        "*.secrets.yaml",
        "*.secrets.yml",
        "*.secrets.json",
        "secret.json",
        "secret.txt",
        ".secrets",
        ".secret",
        "*.secret",
    ),
    "state that holds the secrets of what it describes": ("*.tfstate", "*.tfstate.backup", "*.tfstate.*.backup"),
    "what people typed, passwords included": (
        "*_history",
        ".*_history",
        ".bash_history",
        ".zsh_history",
        ".zhistory",
        ".histfile",
        ".rhistory",
        ".dbshell",
        ".lesshst",
        ".viminfo",
        "*.shada",
    ),
    "a browser's cookies and saved passwords": (
        "cookies.sqlite*",
        "*.binarycookies",
        "key3.db",
        "key4.db",
        "logins.json",
        "logins-backup.json",
        "signons.sqlite",
        "formhistory.sqlite",
        "sessionstore*.jsonlz4",
        "storagestate.json",
        "storage_state.json",
    ),
    "a wallet": ("*.wallet", "wallet.dat", "utc--*"),
    "a ticket that logs in": ("krb5cc_*",),
    "password hashes of this machine": ("shadow", "gshadow", "master.passwd"),
}
# A copy of a secret is one: packed, put aside, decrypted, or as an editor or an installation of a package keeps it.
COPIES = tuple(
    """
.gz .bz2 .xz .zst .bak .old .orig .save .backup .bkp .copy .new .dec .1 .2 .swp .swo .swn .rpmsave .rpmnew .dpkg-old
.dpkg-new .dpkg-dist ~ #
""".split()
)
# Names of that shape which hold no secret: templates and public keys.
HARMLESS_NAMES = (
    "*.example",
    "*.sample",
    "*.template",
    "*.tmpl",
    "*.dist",
    "*.defaults",
    "*.schema",
    "*-example",
    "*_example",
    "*-sample",
    "*_sample",
    "*-template",
    "*_template",
    "*.pub",
    "example.env",
    "sample.env",
    "template.env",
    "*.env.d.ts",
)

# Secrets that agents do not write unless the settings say otherwise (`writes: deny`). Fewer than are read with a
# question: a project has its own `.npmrc` or `auth.json` to write.
WRITE_DENIED = ("**/.env", "**/*.pem", "**/*id_rsa*", "**/secrets/**")

_all_names = once(lambda: tuple(name for names in NAMES.values() for name in names))
_names = once(lambda: NamePatterns((_all_names(),)))
_harmless = once(lambda: NamePatterns((HARMLESS_NAMES,)))
_places = once(lambda: PathPatterns(pattern for pattern, _ in PLACES))
_daily = once(lambda: PathPatterns((*(f"~/{place}/**" for place in READ_DAILY.split()), *_of_agents())))
_anchored = once(lambda: tuple(fold(pattern) for pattern, _ in PLACES if not pattern.startswith("**/")))


def _of_agents() -> Iterator[str]:
    """Where agents keep their settings, notes and sessions, which they read themselves."""
    for agent in agents.AGENTS.values():
        for pattern, _ in (*agent.protected, *agent.loaded):
            first, part = pattern.split("/")[:2]
            if pattern.startswith("~/"):
                yield pattern
            elif first == "**" and part.startswith("."):
                yield f"~/{part}/**"


# --- one file ---------------------------------------------------------------------------------------------------------


def is_harmless_name(name: str) -> bool:
    """Whether a folded name, or every name that a pattern with such an end matches, is one of the exceptions."""
    return _harmless().have(name)


def is_secret_name(name: str) -> bool:
    """Whether a file of this folded name, or a copy by this name, is a secret wherever it lies."""
    if is_harmless_name(name):
        return False
    if _names().have(name):
        return True
    original = name.removesuffix(next((end for end in COPIES if name.endswith(end)), ""))
    if original[:1] in ("#", "%", "!"):  # `#.netrc#` and `!home!u!.netrc~` of Emacs, `%home%u%.netrc` of vim
        original = original.rpartition(original[0])[2]
    # `.server.pem.swp` of vim and `.#server.pem` of Emacs, which make it hidden
    shown = (
        original[1:].removeprefix("#") if name.endswith((".swp", ".swo", ".swn")) or name.startswith(".#") else original
    )
    return any(one != name and not is_harmless_name(one) and _names().have(one) for one in {original, shown})


def odd_pieces(path: str) -> list[str]:
    """What a list of names, split at blanks, makes of a relative path beside its beginning, where that is an option or
    the name of quite another file: `a -f b`, `a /etc/shadow b.md`, `a .env b.md`."""
    pieces = (piece for piece in path.split()[1:] if piece.strip("-./"))
    return [p for p in pieces if p.startswith(("-", "/", "../")) or is_pattern(p) or is_secret_name(fold(_last(p)))]


def is_odd_pattern(path: str) -> bool:
    """Whether a relative path, taken for a pattern, may lead out of its directory or to a secret: `.?/x`, `.e*`."""
    # (`[...slug]` is a name, and as a pattern one character.)
    parts = [re.sub(r"\[[^]]*\]", "?", without_classes(part)) for part in path.split("/") if is_pattern(part)]
    return any(part.startswith(".") or may_match_name(fold(part)) for part in parts)


def _last(path: str) -> str:
    return path.rpartition("/")[2]


def secret_names(names: Iterable[str]) -> frozenset[str]:
    """Which of these folded names are secrets. Ten thousand are looked through at once: whatever matches a row of the
    table has the row's longest literal part in it."""
    text = "\n".join(("", *names, ""))
    suspects = set()
    for part in _literal_parts():
        at = text.find(part)
        while at >= 0:
            end = text.index("\n", at)
            suspects.add(text[text.rindex("\n", 0, at + 1) + 1 : end])
            at = text.find(part, end)
    return frozenset(filter(is_secret_name, suspects))


@once
def _literal_parts() -> tuple[str, ...]:
    parts = {longest_literal(name.lower()) for name in _all_names()}
    return tuple(p for p in parts if not any(other in p and other != p for other in parts))


def is_secret(location: Location) -> bool:
    if is_harmless_name(location.name):
        return False
    return is_secret_name(location.name) or next(_places().hits(location), None) is not None


def is_private(location: Location) -> bool:
    """Whether it is hidden in somebody's home, and none of the places that are read every day: programs keep tokens
    and passwords there, and no list knows them all."""
    if location.inside is not None or not location.home:
        return False
    first = location.home.partition("/")[0]
    return (first.startswith(".") or first in HIDDEN) and next(_daily().hits(location), None) is None


def is_above_secrets(location: Location) -> bool:
    """Whether the tree below holds secret places: a search through it shows them. (The project is the agent's to
    search.)"""
    if location.inside is not None:
        return False
    return holds_homes(location) or any(leads_to(location, pattern) for pattern in _anchored())


# --- patterns ---------------------------------------------------------------------------------------------------------

# All files of a common kind: not what a thief writes. (Outside the project, or with anything else in the pattern, it
# is.)
_ORDINARY = frozenset(
    f"*.{kind}"
    for kind in """
        json yml yaml toml php db sqlite txt csv xml ini cfg conf properties sh bash zsh fish tfvars new copy 1 2
    """.split()
)
_STEM = "\x01"  # stands for a `*` of the table; no pattern spells it out, so `s*` is not after a key, and `*.pem` is


def _samples_of(pattern: str) -> tuple[str, ...]:
    """Names that a row of the table stands for."""
    filled = pattern.replace("[0-9]*", "1").replace("*", _STEM)
    return (filled,) if pattern.startswith("*.") or "*" not in pattern else (filled, pattern.replace("*", ""))


_samples = once(lambda: tuple(sample for name in _all_names() for sample in _samples_of(name)))


def is_pattern(text: str) -> bool:
    return any(c in text for c in "*?[") or "{" in text.replace("{}", "")  # `{}` is what `find` and `xargs` fill in


def may_match_name(pattern: str, *, dotted: bool = False) -> bool:
    """Whether a folded file name pattern (`.e*`, `*.p?m`) is after a secret's name.

    `dotted`: `*` also stands for a leading dot, as it does for `find -name`.
    """
    return any(_may_match(name, dotted=dotted) for name in expand_braces(pattern))


def _may_match(pattern: str, *, dotted: bool) -> bool:
    if is_harmless_name(pattern):
        return False
    if is_secret_name(pattern) or is_secret_name(pattern.lstrip("*")):
        # (`prod*.env` ends like a secret, whatever its middle becomes; `*.netrc` is one where `*` takes nothing.)
        return True
    if not is_pattern(pattern) or not _says_something(pattern):
        return False
    return _shell_glob(pattern, _samples(), dotted=dotted)


def is_ordinary(pattern: str) -> bool:
    return pattern in _ORDINARY


def may_match_place(location: Location) -> bool:
    """Whether a location whose parts are patterns (`~/.config/*/hosts.yml`) may lie in a secret place, or above one."""
    if is_harmless_name(location.name):
        return False
    anywhere = _wanted_places()[0]
    for part in _parts(location.local):
        if part in anywhere or (_says_something(part) and any(_part_meets(part, name) for name in anywhere)):
            return True
    if location.home is not None and _meets_one(_parts(location.home), below_home=True):
        return True
    return _meets_one(_parts(location.path), below_home=False)


Places = tuple[list[str], ...]


@once
def _wanted_places() -> tuple[tuple[str, ...], Places, Places]:
    """The table's names of directories that may stand anywhere, and its paths below a home and from the root."""
    every = [fold(pattern) for pattern, _ in PLACES]
    return (
        tuple(wanted.split("/")[1] for wanted in every if wanted.startswith("**/")),
        tuple(wanted[2:].split("/") for wanted in every if wanted.startswith("~/")),
        tuple(wanted[1:].split("/") for wanted in every if not wanted.startswith(("**/", "~/"))),
    )


def _parts(path: str) -> list[str]:
    return [part for part in path.split("/") if part]


def _meets_one(parts: list[str], *, below_home: bool) -> bool:
    if not any(map(_says_something, parts)):
        return False
    return any(_meets(parts, wanted) for wanted in _wanted_behind(parts[0], below_home))


@lru_cache(maxsize=1024)
def _wanted_behind(first: str, below_home: bool) -> Places:
    """The rows that a path with this first part may meet: mostly none."""
    _, homes, absolute = _wanted_places()
    return tuple(
        wanted
        for wanted in (homes if below_home else absolute)
        if "**" in (first, wanted[0]) or _part_meets(first, wanted[0])
    )


def _meets(parts: list[str], wanted: list[str]) -> bool:
    """Whether a path of patterns and a row of the table have a file in common, from their first part on."""
    for index, piece in enumerate(wanted):
        if piece == "**":
            return True
        if index >= len(parts) or parts[index] == "**":
            return True  # the pattern ends above the place, or goes on into it
        if not _part_meets(parts[index], piece):
            return False
    return len(parts) == len(wanted)


@lru_cache(maxsize=4096)
def _part_meets(part: str, piece: str) -> bool:
    if not is_pattern(part):
        return wild(piece, part)
    samples = _samples_of(piece)
    return any(_shell_glob(one, samples, dotted=False) for one in expand_braces(part))


def _says_something(pattern: str) -> bool:
    """A bare `*` is everyday work on all files here; a pattern with a letter or a dot is after something."""
    return any(c.isalnum() or c == "." for c in pattern)


def _shell_glob(pattern: str, names: Iterable[str], *, dotted: bool) -> bool:
    """Whether one of the names matches, as a shell does it: a leading dot wants a dot. Plain brackets are taken for any
    one character, others for anything."""
    head, *classes = without_classes(pattern).split("[")
    plain = head + "".join(map(_bracket, classes))
    wants_dot = not dotted and not pattern.startswith((".", "["))
    return any(wild(plain, name) for name in names if not (wants_dot and name.startswith(".")))


def _bracket(text: str) -> str:
    inside, closed, after = text.partition("]")
    return ("?" if closed and inside.replace("_", "").isalnum() else "*") + after


# --- texts ------------------------------------------------------------------------------------------------------------

# What a script says when it looks for secrets without naming one.
_WORDS = ("secret", "credential")
# Homes hold most of the places above: names that come out of a home may be theirs.
_HOMES = ("~", "HOME", "/root", "/home", "/Users")
# Parts of paths that stand in everyday scripts for other reasons (`2>/dev/null`).
_EVERYDAY_ROOTS = ("/dev", "/run", "/var", "/library")
_BREAKS = {ord(c): " " for c in "\"'`;|&()<>=:\n\t"}


def _fragment(name: str) -> str:
    """The longest part of a row that is spelled out."""
    return max(name.split("*"), key=len)


# A row that begins with a letter and has no wildcard counts as a whole name only: `box-shadow` is not `shadow`.
_loose = once(lambda: tuple({_fragment(n) for n in _all_names() if "*" in n or not n[0].isalnum()}))
_whole = once(lambda: tuple({n for n in _all_names() if "*" not in n and n[0].isalnum()}))
_first_dirs = once(lambda: frozenset(p.strip("~*/").split("/")[0] for p, _ in PLACES if p[:2] in ("~/", "**")))
_roots = once(lambda: frozenset("/" + p.split("/")[1] for p in _anchored() if p[0] == "/") - {*_EVERYDAY_ROOTS})


def names_secret(text: str) -> bool:
    """Whether a text (a script, a word, a pattern) names a file that is a secret by its name; the exceptions do not
    count."""
    text = text.replace("\\", "").lower()
    if not any(part in text for part in _loose()) and not any(name in text for name in _whole()):
        if "{" not in text:
            return False
    return any(_word_names_secret(word) for word in _words(text))


def names_secret_place(text: str) -> bool:
    """Whether a text names a secret, or a place or a word that says that the names it reads from data may be those of
    secrets."""
    if any(home in text for home in _HOMES) or names_secret(text):
        return True
    text = text.lower()
    if any(root in text for root in _roots()):
        return True
    return any(_word_names_place(word) for word in _words(text))


def _word_names_place(word: str) -> bool:
    parts = _parts(word)
    name = parts[-1] if parts else ""
    if any(said in word for said in _WORDS) and not is_harmless_name(name):
        return True
    if any(part in _first_dirs() for part in parts if part.startswith(".")):
        return True
    return name.startswith(".") and is_pattern(name) and may_match_name(name)


def _words(text: str) -> Iterator[str]:
    for word in text.translate(_BREAKS).split():
        yield from expand_braces(word)


def _word_names_secret(word: str) -> bool:
    name = word.rpartition("/")[2].strip("*^$?,")
    if not name or is_harmless_name(name):
        return False
    return is_secret_name(name) or any(part in word for part in _loose())
