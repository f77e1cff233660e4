"""The files that say what a command will do: a runner's definitions, and what other programs take in by themselves
(knowledge/definitions.py). Found as the program would find them now; a yes that pins them ends when one of them
changes, goes, or comes."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from askfirst import jsontext
from askfirst.digest import sha256_hex
from askfirst.knowledge.definitions import DEFINITIONS, ROWS
from askfirst.knowledge.globs import fold, wild
from askfirst.knowledge.programs import base_name
from askfirst.model import Command, Kind
from askfirst.policy.file_hashes import NOT_KNOWN, bytes_of, file_hash
from askfirst.policy.named_files import names_in

__all__ = [
    "Orders",
    "definition_of",
    "found",
    "may_be_in",
    "names_hash",
    "orders_hash",
    "orders_of",
    "scripts_hash",
    "selecting_words",
]

MANIFEST = "package.json"  # of these the scripts count
MAX_FILES = 1000
MAX_DIRECTORIES = 5000
MAX_TEXT = 1 << 20
# Nothing in these is taken in, but what others have made.
_NOT_BELOW = frozenset(".git node_modules .terraform .venv venv __pycache__ vendor target".split())
_CODE = (".sh", ".bash", ".py", ".js", ".cjs", ".mjs", ".ts", ".rb", ".pl", ".php", ".mk", ".just")
_SEPARATORS = str.maketrans(dict.fromkeys("\"'`=,;:()[]{}<>|@&", " "))

# Options by which a runner takes its definitions from elsewhere: they belong to what was approved.
_SELECTS: dict[str, tuple[str, ...]] = {
    "npm": ("-w", "--workspace", "--workspaces", "-ws", "--prefix", "-C"),
    "pnpm": ("-C", "--dir", "-r", "--recursive", "-F", "--filter", "-w", "--workspace-root"),
    "yarn": ("--cwd", "workspace"),
    "bun": ("--cwd", "-F", "--filter"),
    **dict.fromkeys(("make", "gmake"), ("-C", "--directory", "-f", "--file", "--makefile", "-I", "--include-dir")),
    "just": ("-f", "--justfile", "-d", "--working-directory"),
    "task": ("-t", "--taskfile", "-d", "--dir", "-g", "--global"),
    "rake": ("-f", "--rakefile", "-R", "--rakelibdir", "-g", "--system"),
    "tox": ("-c", "--conf", "--root"),
    "nox": ("-f", "--noxfile"),
    "composer": ("-d", "--working-dir"),
    **dict.fromkeys(
        ("docker", "podman", "docker-compose"), ("-f", "--file", "-p", "--project-name", "-H", "--env-file")
    ),
    **dict.fromkeys(("kubectl", "oc"), ("-n", "--namespace", "--context", "--cluster", "--kubeconfig", "-A")),
    "helm": (
        *("-n", "--namespace", "--kubeconfig", "-A", "--kube-context", "--kube-apiserver", "--kube-token"),
        *("--kube-as-user", "--kube-as-group", "--kube-ca-file", "--kube-tls-server-name"),
    ),
    "aws": ("--profile", "--region", "--endpoint-url"),
    "az": ("--subscription", "--tenant"),
    "git": ("--global", "--system", "--worktree", "--file", "--blob", "-f"),  # of `git config`: whose file
    **dict.fromkeys(("mysql", "mariadb"), ("-S", "--socket")),
    "gcloud": ("--project", "--account", "--configuration", "--impersonate-service-account", "--access-token-file"),
    **dict.fromkeys(("terraform", "tofu"), ("-chdir",)),
    "deno": ("-c", "--config"),
    **dict.fromkeys(("gradle", "gradlew"), ("-p", "--project-dir", "-b", "--build-file", "-c", "--settings-file")),
    **dict.fromkeys(("mvn", "mvnw", "mvnd"), ("-f", "--file")),
}

# Of these, options without a value.
_ALONE = frozenset("--workspaces -ws -r --recursive --workspace-root -g --global --system --worktree -A".split())


@dataclass(frozen=True)
class Orders:
    """What a command takes in."""

    files: tuple[str, ...] = ()
    places: tuple[tuple[str, str], ...] = ()  # (directory, pattern) where another file would be taken in, too
    counted: bool = True  # False: there are too many
    runner: bool = False  # of a runner, whose definitions may be missing

    @property
    def scripts(self) -> tuple[str, ...]:
        """Files of which only the scripts count."""
        return tuple(file for file in self.files if self.runner and file.endswith(f"/{MANIFEST}"))


def orders_of(command: Command, named: tuple[str, ...] = (), *, reading: bool = False) -> Orders:
    """`named`: files among its words that are taken in, too. `reading`: also what only looks takes something in."""
    key, cwd = command.action.key or (command.name,), command.cwd
    if cwd is None:
        return Orders(named)
    program = base_name(key[0])
    if program in DEFINITIONS:
        own = _of_runner(command, program, cwd)
    else:
        row = _row_of(key) if reading or command.action.kind != Kind.READ else None
        own = _of_row(command, row, cwd) if row else Orders()
    files = tuple(dict.fromkeys((*own.files, *named)))
    return Orders(files, own.places, own.counted and len(files) <= MAX_FILES, own.runner)


def orders_hash(command: Command, orders: Orders) -> str:
    """ "" where nothing is taken in; NOT_KNOWN where the same text may write it first, or where it is too much."""
    if not orders.counted or any(_may_write(orders, where, below) for where, below, _ in command.beside):
        return NOT_KNOWN
    if orders.runner and len(orders.files) <= 1:  # so entries of files have it
        return sha256_hex(next(map(_digest, orders.files), "absent"))
    if not orders.files and not orders.places:
        return ""
    start = command.cwd or "/"
    return sha256_hex(
        "\0".join(("orders", *sorted(f"{os.path.relpath(f, start)}\0{_digest(f)}" for f in orders.files)))
    )


def definition_of(program: str, cwd: str) -> str:
    """The file that a runner finds in this directory; "" where there is none."""
    return next(iter(_first(_beside(program, cwd))), "")


def scripts_hash(program: str, cwd: str) -> str:
    found = definition_of(program, cwd)
    return sha256_hex(_digest(found) if found else "absent")


def names_hash(folder: str, pattern: str) -> str:
    """Of which files there are."""
    return sha256_hex("\0".join(found(folder, pattern)))


def may_be_in(path: str, where: str, below: bool) -> bool:
    """Whether what is written is this file, or may be: `where` is "" for a place that is not known."""
    return not where or path == where or (below and path.startswith(f"{where.rstrip('/')}/"))


def _may_write(orders: Orders, where: str, below: bool) -> bool:
    """Also a file that is not there yet."""
    if any(may_be_in(file, where, below) for file in orders.files):
        return True
    return any(
        _is_one(where, folder, pattern) or (below and may_be_in(f"{folder}/x", where, True))
        for folder, pattern in orders.places
    )


def _digest(path: str) -> str:
    """Of what a runner takes from it."""
    if not path.endswith(f"/{MANIFEST}"):
        return file_hash(path)
    try:
        # A new dependency does not make `npm test` another command; a new script does.
        return "scripts " + jsontext.dumps(jsontext.loads(bytes_of(path) or b"").get("scripts"))
    except (ValueError, AttributeError, TypeError):
        return file_hash(path)


# -- runners


def selecting_words(command: Command) -> list[str]:
    """The options by which a runner takes its definitions from elsewhere, and by which others act elsewhere."""
    selecting = _SELECTS.get(base_name((command.action.key or (command.name,))[0]), ())
    values = [w.shown for w in command.argv[1:]]
    return [
        f"{word} {following}" if word in selecting and word not in _ALONE and "=" not in word else word
        for word, following in zip(values, [*values[1:], ""], strict=False)
        if word.partition("=")[0] in selecting or any(_may_be(word, option) for option in selecting)
    ]


def _may_be(word: str, option: str) -> bool:
    """`-Cdir`, clusters that hold the option (`-sC dir`), and the beginning of its name (`--profil x`)."""
    if word.startswith("--"):
        return len(word) > 3 and option.startswith(word.partition("=")[0])
    return len(option) == 2 and word.startswith("-") and not word.startswith("--") and option[1] in word[1:]


def _of_runner(command: Command, program: str, cwd: str) -> Orders:
    """The definitions beside it, or where its options say; of a recipe whose name says that it changes more than files,
    also the scripts that they name."""
    places = _beside(program, cwd)
    files = list(_first(places))
    elsewhere = [part for words in selecting_words(command) for word in words.split() for part in names_in(word)]
    folders, chosen = _existing(cwd, elsewhere)
    for folder in folders:
        there = [(folder, name) for name in DEFINITIONS[program]]
        files += _first(there)
        places += there
    files += chosen
    counted = True
    if elsewhere and DEFINITIONS[program] == (MANIFEST,):
        # A workspace is chosen by its name, which any package may have.
        root = os.path.dirname(files[0]) if files else cwd
        packages = list(_below(root, MANIFEST))
        files += packages
        counted = len(packages) <= MAX_FILES
    if command.action.kind == Kind.BUILD and not command.action.profile:
        files += [name for file in files for name in _code_in(file, command)]
    return Orders(tuple(dict.fromkeys(map(os.path.normpath, files))), tuple(places), counted, runner=True)


def _beside(program: str, cwd: str) -> list[tuple[str, str]]:
    """Where a runner looks for its definitions; the package managers look upwards."""
    folders = list(_upwards(cwd)) if DEFINITIONS[program] == (MANIFEST,) else [cwd]
    return [(folder, name) for folder in folders for name in DEFINITIONS[program]]


def _first(places: Iterable[tuple[str, str]]) -> list[str]:
    """The first that is there is the one that counts, for the runner and so for us."""
    paths = (f"{folder.rstrip('/')}/{name}" for folder, name in places)
    return [path for path in paths if bytes_of(path) is not None][:1]


def _code_in(path: str, command: Command) -> list[str]:
    """The files of code that its text names."""
    text = (bytes_of(path) or b"")[:MAX_TEXT].decode("utf-8", "replace")
    if path.endswith(f"/{MANIFEST}"):
        text = _script_of(text, (command.action.key or ("",))[-1])
    folder = os.path.dirname(path)
    found = _existing(folder, text.translate(_SEPARATORS).split())[1]
    return [file for file in found if file.endswith(_CODE) or os.access(file, os.X_OK)]


def _script_of(manifest: str, name: str) -> str:
    """What `npm run NAME` runs."""
    try:
        scripts = jsontext.loads(manifest)["scripts"]
        return " ".join(str(scripts.get(f"{when}{name}", "")) for when in ("pre", "", "post"))
    except (ValueError, AttributeError, TypeError, KeyError):
        return manifest


# -- what others take in


def _row_of(key: tuple[str, ...]) -> tuple[str, str, str, str, bool, str] | None:
    """`docker compose` is `docker-compose`."""
    names = (base_name(key[0]), "-".join(key[:2]))
    for row in ROWS:
        if any(name in row[0].split() for name in names):
            verbs = row[1].split()
            return row if not verbs or any(verb in key for verb in verbs) else None
    return None


def _of_row(command: Command, row: tuple[str, str, str, str, bool, str], cwd: str) -> Orders:
    _, _, here, inside, upwards, follows = row
    words = [w.value or "" for w in (*command.argv[1:], *(a.value for a in command.assignments))]
    folders, files = _existing(cwd, (part for word in words for part in names_in(word)))
    inside = "**" if any(map(_goes_below, words)) else inside
    searched = _places(_nearest(cwd, here) if upwards else [cwd], here) | _places(folders, inside)
    files += _all_in(searched)
    taken: dict[str, None] = {}
    while files and len(taken) <= MAX_FILES:
        file = files.pop(0)
        if file in taken:
            continue
        taken[file] = None
        more, folders = _named_in(file, follows)
        new = _places(folders, inside) - searched
        files += [*more, *_all_in(new)]
        searched |= new
    return Orders(tuple(taken), tuple(sorted(searched)), len(taken) <= MAX_FILES)


def _goes_below(word: str) -> bool:
    """`kubectl apply -R`, also in a cluster."""
    return word == "--recursive" or (word[:1] == "-" != word[1:2] and "R" in word)


def _places(folders: list[str], patterns: str) -> set[tuple[str, str]]:
    return {(folder, pattern) for folder in folders for pattern in patterns.split()}


def _all_in(places: set[tuple[str, str]]) -> list[str]:
    return [file for folder, pattern in sorted(places) for file in found(folder, pattern)]


def _nearest(cwd: str, patterns: str) -> list[str]:
    """The nearest directory upwards that has one of them."""
    has = (folder for folder in _upwards(cwd) if any(found(folder, pattern) for pattern in patterns.split()))
    return [next(has, cwd)]


def _named_in(path: str, follows: str) -> tuple[list[str], list[str]]:
    """The files that a text names beside it, and the directories."""
    text = (bytes_of(path) or b"")[:MAX_TEXT] if follows else b""
    if not text or b"\0" in text:
        return [], []
    names = text.decode("utf-8", "replace").replace("${path.module}/", "./").translate(_SEPARATORS).split()
    folders, files = _existing(os.path.dirname(path), (name for name in names if not name.startswith(("/", "~"))))
    files = [f for f in files if "." in os.path.basename(f) or os.path.basename(f).istitle()]  # `Dockerfile`, not `a`
    return [f for f in files if any(wild(p, fold(os.path.basename(f))) for p in follows.split())], folders


# -- on the disk


def _existing(folder: str, names: Iterable[str]) -> tuple[list[str], list[str]]:
    """The directories and the files among these."""
    plain = (name for name in dict.fromkeys(names) if name and "\0" not in name and len(name) < 400)
    paths = [os.path.normpath(os.path.join(folder, name)) for name in plain]
    return [p for p in paths if os.path.isdir(p)], [p for p in paths if os.path.isfile(p)]


def found(folder: str, pattern: str) -> list[str]:
    """The files of a directory that a pattern means."""
    before, _, last = pattern.rpartition("/")
    if last == "**":
        return sorted(file for start in _directories(folder, before) for file in _below(start, ""))
    starts = _directories(folder, before)
    return sorted(f"{start}/{name}" for start in starts for name in _names(start) if wild(last, fold(name)))


def _directories(folder: str, pattern: str) -> list[str]:
    """`*_plugins` below it, or itself."""
    if not pattern:
        return [folder]
    return [f"{folder}/{name}" for name in _names(folder, files=False) if wild(pattern, fold(name))] + (
        [f"{folder}/{pattern}"] if "/" in pattern and os.path.isdir(f"{folder}/{pattern}") else []
    )


def _names(folder: str, *, files: bool = True) -> list[str]:
    try:
        with os.scandir(folder) as entries:
            return [e.name for e in entries if (e.is_file() if files else e.is_dir())]
    except OSError:
        return []


def _below(folder: str, name: str) -> Iterator[str]:
    """The files of this name, or all of them; one more than may be taken in where there are too many."""
    count = 0
    for walked, (at, folders, files) in enumerate(os.walk(folder)):
        folders[:] = sorted(f for f in folders if f not in _NOT_BELOW)
        for file in sorted(files):
            if name in ("", file) and os.path.isfile(f"{at}/{file}"):
                count += 1
                yield f"{at}/{file}"
        if count > MAX_FILES or walked > MAX_DIRECTORIES:
            yield from (f"{folder}/{n}" for n in range(MAX_FILES - count + 1))
            return


def _is_one(path: str, folder: str, pattern: str) -> bool:
    """Whether a file there would be taken in."""
    root = folder.rstrip("/") + "/"
    before, _, last = fold(pattern).rpartition("/")
    if not path.startswith(root):
        return False
    inside, _, name = fold(path.removeprefix(root)).rpartition("/")
    if last == "**":
        return not before or wild(before, inside.partition("/")[0]) or inside.startswith(f"{before}/")
    return wild(last, name) and wild(before, inside)


def _upwards(folder: str) -> Iterator[str]:
    yield folder
    while os.path.dirname(folder) != folder:
        folder = os.path.dirname(folder)
        yield folder
