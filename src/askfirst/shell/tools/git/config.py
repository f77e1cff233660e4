"""Looks into the configuration of the repository that git would use, because git runs programs that are named there.

`core.fsmonitor`, `core.sshCommand`, `diff.external`, `filter.*` and their kin make even `git status` run a program, and
a repository brings its configuration along when it is unpacked, copied or nested. So every key that is not known to be
inert is an `Unknown`, with the file and the hash of its content: a person may trust exactly that content. The user's
own `~/.gitconfig` is the user's.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from askfirst.digest import sha256_hex
from askfirst.model import Fact, Unknown

if TYPE_CHECKING:
    from askfirst.shell.call import Analyst

__all__ = ["Repository", "dangerous_keys", "find_repository", "hook_facts", "repository_facts", "stamp"]

# Whole sections of which no key runs, loads or sends anything. `*` as a key: all of them.
_INERT: dict[str, str] = {
    "core": "repositoryformatversion filemode bare logallrefupdates ignorecase precomposeunicode symlinks autocrlf "
    "eol safecrlf abbrev quotepath longpaths whitespace compression loosecompression bigfilethreshold untrackedcache "
    "preloadindex fscache sparsecheckout sparsecheckoutcone splitindex commitgraph multipackindex protecthfs "
    "protectntfs hidedotfiles trustctime checkstat createobject deltabasecachelimit packedgitlimit "
    "packedgitwindowsize fsyncobjectfiles fsync fsyncmethod sharedrepository warnambiguousrefs checkroundtripencoding "
    "notesref commentchar disambiguate ignorestat",
    "user": "name email signingkey useconfigonly",
    "author": "name email",
    "committer": "name email",
    "branch": "*",
    "remote": "url pushurl fetch push tagopt prune prunetags mirror skipfetchall skipdefaultupdate promisor "
    "partialclonefilter gh-resolved pushdefault partialclonefilter",
    "submodule": "url active branch ignore fetchrecursesubmodules recurse path shallow",
    "color": "*",
    "column": "*",
    "advice": "*",
    "status": "*",
    "push": "*",
    "rerere": "*",
    "pull": "rebase ff",
    "fetch": "prune prunetags all parallel output recursesubmodules writecommitgraph fsckobjects negotiationalgorithm",
    "stash": "*",
    "commit": "gpgsign verbose status cleanup",
    "tag": "gpgsign sort forcesignannotated",
    "merge": "ff conflictstyle renames stat log renamelimit directoryrenames autostash verifysignatures",
    "rebase": "autosquash autostash stat updaterefs missingcommitscheck abbreviatecommands",
    "log": "*",
    "blame": "coloring showroot blankboundary date showemail",
    "grep": "linenumber column fullname patterntype extendedregexp",
    "diff": "renames renamelimit algorithm mnemonicprefix noprefix context interhunkcontext statgraphwidth submodule "
    "indentheuristic colormoved colormovedws wserrorhighlight autorefreshindex suppressblankempty ignoresubmodules "
    "relative wordregex",
    "extensions": "*",
    "gc": "auto autodetach autopacklimit pruneexpire reflogexpire reflogexpireunreachable worktreepruneexpire "
    "writecommitgraph packrefs bigpackthreshold",
    "maintenance": "auto strategy",
    "pack": "*",
    "index": "*",
    "feature": "*",
    "transfer": "fsckobjects credentialsinurl advertisesid",
    "receive": "denycurrentbranch denynonfastforwards denydeletes fsckobjects autogc",
    "init": "defaultbranch",
    "checkout": "*",
    "switch": "*",
    "format": "pretty signoff thread numbered",
    "versionsort": "*",
    "i18n": "*",
    "worktree": "*",
    "lfs": "repositoryformatversion",
    "gui": "wmstate geometry",
    "http": "postbuffer lowspeedlimit lowspeedtime version maxrequests",
}
_ASKS_ANYWAY = ("branch.mergeoptions",)  # may name a merge strategy, which is a program
_BOOLEAN = ("true", "false", "yes", "no", "on", "off", "0", "1", "")
# What `git lfs install --local` writes, word for word.
_KNOWN_PAIRS = {
    "filter.lfs.clean": ("git-lfs clean -- %f",),
    "filter.lfs.smudge": ("git-lfs smudge -- %f", "git-lfs smudge --skip -- %f"),
    "filter.lfs.process": ("git-lfs filter-process", "git-lfs filter-process --skip"),
    "filter.lfs.required": _BOOLEAN,
    "core.fsmonitor": _BOOLEAN,
    "core.pager": ("cat", ""),
    "core.hookspath": (),
    "protocol.version": ("0", "1", "2"),
}
_WORKING_HOOKS = {
    "commit": "pre-commit prepare-commit-msg commit-msg post-commit pre-auto-gc post-rewrite",
    "checkout": "post-checkout",
    "switch": "post-checkout",
    "worktree": "post-checkout",
    "clone": "post-checkout",
    "merge": "pre-merge-commit prepare-commit-msg commit-msg post-merge",
    "pull": "post-merge post-checkout",
    "rebase": "pre-rebase post-checkout post-rewrite",
    "am": "applypatch-msg pre-applypatch post-applypatch pre-auto-gc",
    "fetch": "pre-auto-gc",
    "push": "pre-push",
}
_UNPACKS = frozenset(
    "mv ln tar gtar bsdtar unzip 7z 7zz 7za cpio rsync ditto clone install unsquashfs bsdcpio pax jar worktree".split()
)
_EVERY_HOOK = "post-index-change reference-transaction"


class Repository:
    """The repository git would use in a directory: where its configuration is, and what its remotes are called."""

    def __init__(self, git_dir: str, common_dir: str) -> None:
        self.git_dir, self.common_dir = git_dir, common_dir


def find_repository(directory: str, analyst: Analyst) -> Repository | None:
    """Upwards from `directory`, as git looks: `.git` as a directory, `.git` as a file that names one, a bare
    repository.

    What git may take for a repository is taken for one, also when its `HEAD` cannot be read, is a link that leads
    nowhere, is longer than any should be or has something behind its hash: git is content with the first bytes.
    """
    for _ in range(64):
        base = directory.rstrip("/")
        if analyst.exists(base + "/.git/HEAD"):
            return Repository(base + "/.git", _common(base + "/.git", analyst))
        pointer = analyst.read_file(base + "/.git", 4096)
        if pointer is not None or (analyst.exists(base + "/.git") and not analyst.exists(base + "/.git/.")):
            git_dir = _pointed(pointer, base or "/", analyst)
            return Repository(git_dir, _common(git_dir, analyst))
        if analyst.exists(base + "/HEAD") and not analyst.exists(base + "/HEAD/."):
            return Repository(base, _common(base, analyst))
        if not base:
            return None
        directory = base.rpartition("/")[0] or "/"
    return None


def _pointed(text: str | None, base: str, analyst: Analyst) -> str:
    """What a `.git` file points at, to the blank as git reads it; a place without a configuration if none."""
    if text is None or not text.startswith("gitdir: "):
        return base + "/.git"
    return analyst.path(text[8:].rstrip("\r\n"), base) or ""


def _common(git_dir: str, analyst: Analyst) -> str:
    pointer = analyst.read_file(git_dir + "/commondir", 4096)
    if pointer is None:
        return "" if analyst.exists(git_dir + "/commondir") else git_dir
    return analyst.path(pointer.rstrip("\r\n"), git_dir) or ""


def repository_facts(directory: str | None, analyst: Analyst) -> tuple[list[Fact], Repository | None]:
    """What is to be said about the configuration of the repository in `directory`, and of its submodules."""
    if directory is None:
        return [Unknown("git configuration", "the directory in which git would run is not known")], None
    repository = find_repository(directory, analyst)
    if repository is None:
        if directory == analyst.project or directory.startswith(analyst.project.rstrip("/") + "/"):
            return [], None
        return [Unknown("git configuration", f"there is no repository to look at in {directory}", directory)], None
    facts = _config_facts(repository, analyst)
    if repository.git_dir != directory.rstrip("/") + "/.git" and _brings_trees(analyst.whole_text()):
        facts.append(
            Unknown("git configuration", f"a repository may be put into {directory} before git runs there", directory)
        )
    for nested in _submodules(directory, repository, analyst):
        facts += _config_facts(nested, analyst)
    return facts, repository


def _brings_trees(text: str) -> bool:
    """Whether a script copies, moves or unpacks whole directories: with them comes a `.git` that is not there to be
    looked at yet.
    """
    for mark in ";&|()`'\"\n$":
        text = text.replace(mark, " ")
    words = text.split()
    if any(w.rpartition("/")[2] in _UNPACKS for w in words):
        return True
    return "cp" in (w.rpartition("/")[2] for w in words) and any(_is_recursive(w) for w in words)


def _is_recursive(word: str) -> bool:
    return word.startswith(("--r", "--a")) or (
        word.startswith("-") and not word.startswith("--") and any(c in word for c in "raR")
    )


def _config_facts(repository: Repository, analyst: Analyst) -> list[Fact]:
    facts: list[Fact] = []
    paths = [repository.common_dir + "/config", repository.git_dir + "/config.worktree"]
    for path in paths:
        text = analyst.read_file(path)
        if text is None:
            if path is paths[0] or analyst.exists(path):
                facts.append(Unknown("git configuration", f"{path} cannot be looked at", path))
            continue
        found = dangerous_keys(text)
        if found:
            why = f"{path} sets {', '.join(found[:3])}: git may run a program or read another file because of it"
            facts.append(Unknown("git configuration", why, stamp(path, text)))
    return facts


def stamp(path: str, text: str) -> str:
    """A file and its content, as a person trusts it."""
    return f"{path} sha256:{sha256_hex(text.encode('utf-8', 'surrogateescape'))}"


def _submodules(directory: str, repository: Repository, analyst: Analyst) -> list[Repository]:
    """git status and git diff enter submodules, and use the configuration there."""
    top = repository.git_dir[:-5] if repository.git_dir.endswith("/.git") else directory
    text = analyst.read_file(top + "/.gitmodules")
    if text is None:
        return []
    found = []
    for section, _, key, value in _entries(text):
        if (
            section == "submodule"
            and key == "path"
            and value
            and not value.startswith("/")
            and ".." not in value.split("/")
        ):
            place = f"{top}/{value}"
            pointer = analyst.read_file(place + "/.git", 4096)
            if pointer is not None and pointer.startswith("gitdir:"):
                git_dir = analyst.path(pointer[7:].strip(), place) or ""
                found.append(Repository(git_dir, _common(git_dir, analyst)))
            elif analyst.read_file(place + "/.git/HEAD", 4096) is not None:
                found.append(Repository(place + "/.git", place + "/.git"))
    return found[:50]


def dangerous_keys(text: str) -> list[str]:
    """The keys of a configuration file that are not known to be inert, in the order of the file."""
    found = []
    for section, sub, key, value in _entries(text):
        name = f"{section}.{sub}.{key}" if sub else f"{section}.{key}"
        plain = f"{section}.{key}"
        if name.lower() in _KNOWN_PAIRS:
            if value.lower() in _KNOWN_PAIRS[name.lower()] or value in _KNOWN_PAIRS[name.lower()]:
                continue
        elif plain not in _ASKS_ANYWAY and _is_inert(section, key) and not _odd_value(plain, value):
            continue
        if name not in found:
            found.append(name)
    return found


def _is_inert(section: str, key: str) -> bool:
    keys = _INERT.get(section)
    return keys is not None and (keys == "*" or key in keys.split())


def _odd_value(name: str, value: str) -> bool:
    """A remote whose address is a command (`ext::sh -c …`) or looks like an option, an update rule that is one."""
    if name in ("remote.url", "remote.pushurl", "submodule.url", "branch.remote", "branch.pushremote"):
        return value.startswith("-") or "::" in value or value.startswith("!")
    return False


def _entries(text: str) -> list[tuple[str, str, str, str]]:
    """(section, sub-section, key, value) of a configuration file; what cannot be read becomes a key named `?`."""
    entries: list[tuple[str, str, str, str]] = []
    section, sub = "", ""
    lines = text.replace("\r\n", "\n").split("\n")
    at = 0
    while at < len(lines):
        line = lines[at].strip()
        at += 1
        while line.startswith("["):
            end = _header_end(line)
            if end < 0:
                return [*entries, ("?", "", "?", line)]
            section, sub = _header(line[1:end])
            line = line[end + 1 :].strip()
        if not line or line[0] in "#;":
            continue
        while _goes_on(line) and at < len(lines):
            line = line[:-1] + lines[at]
            at += 1
        key, equals, value = line.partition("=")
        entries.append((section, sub, key.strip().lower(), _value(value) if equals else "true"))
    return entries


def _goes_on(line: str) -> bool:
    """Whether the next line belongs to this value: a backslash at the end that is neither escaped nor part of a
    comment.
    """
    quoted, at = False, 0
    while at < len(line):
        if line[at] == "\\":
            if at + 1 == len(line):
                return True
            at += 1
        elif line[at] == '"':
            quoted = not quoted
        elif line[at] in "#;" and not quoted:
            return False
        at += 1
    return False


def _header_end(line: str) -> int:
    quoted = False
    at = 1
    while at < len(line):
        if line[at] == "\\" and quoted:
            at += 1
        elif line[at] == '"':
            quoted = not quoted
        elif line[at] == "]" and not quoted:
            return at
        at += 1
    return -1


def _header(text: str) -> tuple[str, str]:
    name, quote, rest = text.partition('"')
    if quote:
        return name.strip().lower(), rest.rpartition('"')[0]
    name, _, sub = name.strip().partition(".")  # the old form [branch.main]
    return name.lower(), sub


def _value(text: str) -> str:
    """A value without its comment and quotes."""
    out, quoted, at = [], False, 0
    text = text.strip()
    while at < len(text):
        char = text[at]
        if char == "\\" and at + 1 < len(text):
            at += 1
            out.append(text[at])
        elif char == '"':
            quoted = not quoted
        elif char in "#;" and not quoted:
            break
        else:
            out.append(char)
        at += 1
    return "".join(out).strip()


def remotes_of(repository: Repository | None, analyst: Analyst) -> tuple[str, ...]:
    """The names of the remotes that the configuration knows."""
    if repository is None:
        return ()
    text = analyst.read_file(repository.common_dir + "/config")
    return tuple(sub for section, sub, key, _ in _entries(text or "") if section == "remote" and sub and key == "url")


def hook_facts(subcommand: str, repository: Repository | None, analyst: Analyst) -> list[Fact]:
    """Hooks that this sub-command would run.

    Samples do not run; a hook that this user trusts is compared by its content.
    """
    facts: list[Fact] = []
    if repository is None:
        return facts
    for hook in f"{_WORKING_HOOKS.get(subcommand, '')} {_EVERY_HOOK}".split():
        path = f"{repository.common_dir}/hooks/{hook}"
        if analyst.exists(path):
            text = analyst.read_file(path)  # a program that is too long to be looked at runs like any other
            which = stamp(path, text) if text is not None else path
            facts.append(Unknown("git hook", f"git {subcommand} would run {path}", which))
    return facts
