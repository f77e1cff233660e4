"""What of a person's home a box shows: toolchains, caches of languages and dotfiles without secrets. Everything else is
not there, so nothing can be forgotten."""

from __future__ import annotations

import glob
import os
import re
from collections.abc import Iterator, Mapping

from askfirst.knowledge.places import CACHES, TOOLCHAINS

# Shown where nothing in them looks like a secret.
DOTFILES = tuple(
    """
    .gitconfig .gitignore .gitignore_global .gitattributes .gitmessage .config/git .editorconfig .npmrc .yarnrc
    .yarnrc.yml .cargo/config .cargo/config.toml .config/pip/pip.conf .pip/pip.conf .config/uv/uv.toml .config/pnpm/rc
    .rustfmt.toml .clang-format .prettierrc .eslintrc .eslintrc.json .pylintrc .flake8 .config/flake8 .config/ruff
    .config/black .condarc .tool-versions .node-version .python-version .ruby-version .bunfig.toml .m2/settings.xml
    .gemrc .irbrc .Rprofile .config/mise .asdfrc .default-npm-packages .inputrc .curlrc .wgetrc
    """.split()
)
# Writable, kept for the project: what tools cache goes here and nowhere else.
PRIVATE = (".cache", ".npm", ".gradle", ".local/share/pnpm-store")
# Directories of programs by the last part of their name: others on PATH (a home, a project's root) are not shown.
PROGRAM_DIRS = frozenset("bin sbin shims condabin scripts Scripts libexec .bin current".split())
# Variables that name a toolchain's directory -> what lies in one: a repository's settings set variables, too, and would
# have any other directory shown. CARGO_HOME and its kin hold credentials: only their usual places are shown, in parts.
TOOLCHAIN_VARIABLES = {
    "VIRTUAL_ENV": "pyvenv.cfg",
    "CONDA_PREFIX": "conda-meta",
    "JAVA_HOME": "bin/java",
    "GOROOT": "bin/go",
    "NVM_DIR": "nvm.sh versions",
    "PYENV_ROOT": "libexec/pyenv shims versions",
    "RBENV_ROOT": "libexec/rbenv shims versions",
    "RUSTUP_HOME": "toolchains",
    "ASDF_DIR": "asdf.sh bin/asdf",
    "ASDF_DATA_DIR": "installs",
    "VOLTA_HOME": "tools bin/volta",
    "BUN_INSTALL": "bin/bun",
    "DENO_INSTALL": "bin/deno",
    "SDKMAN_DIR": "candidates",
    "ANDROID_HOME": "platform-tools build-tools platforms",
    "DOTNET_ROOT": "dotnet",
    "FNM_DIR": "node-versions",
    "PNPM_HOME": "pnpm global nodejs",
}

MAX_DOTFILE = 64 * 1024
_SECRET_IN_TEXT = re.compile(
    rb"(?i)passw|secret|token|_auth|extraheader|api_?key|credential|://[^/\s:@]*:[^/\s@]+@|-----BEGIN|"
    rb"\b(?:ghp|gho|ghs|github_pat|glpat|npm|pypi|sk|xox[abp])[-_][A-Za-z0-9_-]{16,}"
)


def shown(home: str) -> Iterator[str]:
    """What of this home a box shows, read-only: paths that exist, and that are no link to another part of it."""
    for name in (*TOOLCHAINS, *CACHES):
        path = os.path.join(home, name)
        if os.path.exists(path) and (not os.path.islink(path) or is_narrow(path, os.path.realpath(home))):
            yield path
    for name in DOTFILES:
        path = os.path.join(home, name)
        if is_harmless(path):
            yield path


def is_harmless(path: str) -> bool:
    """Whether nothing in this file, or in the files of this directory, looks like a secret."""
    if os.path.isdir(path):
        return all(is_harmless(entry.path) for entry in os.scandir(path))
    try:
        with open(path, "rb") as file:
            text = file.read(MAX_DOTFILE + 1)
    except OSError:
        return False
    return len(text) <= MAX_DOTFILE and not _SECRET_IN_TEXT.search(text)


def toolchains_named(environ: Mapping[str, str], real_home: str) -> Iterator[str]:
    """Directories of programs and toolchains that the environment names."""
    for folder in environ.get("PATH", "").split(os.pathsep):
        folder = folder.rstrip("/")
        if os.path.basename(folder) in PROGRAM_DIRS and is_narrow(folder, real_home):
            yield folder
            yield from _environment(os.path.dirname(folder), real_home)
    for name, signs in TOOLCHAIN_VARIABLES.items():
        folder = environ.get(name, "").rstrip("/")
        is_one = any(os.path.exists(os.path.join(folder, sign)) for sign in signs.split())
        if folder and is_one and is_narrow(folder, real_home):
            yield folder
            yield from _environment(folder, real_home)


def _environment(folder: str, real_home: str) -> Iterator[str]:
    """A virtual environment of Python, and the installation that it belongs to: else another Python would run."""
    base = base_of(folder)
    yield from (path for path in (folder, base) if base and is_narrow(path, real_home))


def base_of(environment: str) -> str:
    """The installation that a virtual environment of Python belongs to; "" where this is none. Its file is the
    repository's to write, so what it names counts only where Python's own library lies."""
    try:
        with open(os.path.join(environment, "pyvenv.cfg"), encoding="utf-8", errors="replace") as file:
            lines = [line.partition("=") for line in file.read(4096).splitlines()]
    except OSError:
        return ""
    folder = next((value.strip() for name, _, value in lines if name.strip() == "home"), "")
    base = os.path.dirname(os.path.realpath(folder)) if folder.startswith("/") else ""
    return base if base and glob.glob(f"{glob.escape(base)}/lib/py*3*/os.py") else ""


def is_narrow(folder: str, real_home: str) -> bool:
    """Whether a directory is one that may be shown as a whole: it holds neither the home nor the system's root, and is
    no hidden directory directly in the home unless the tables name it."""
    if not folder.startswith("/") or not os.path.isdir(folder):
        return False
    real = os.path.realpath(folder)
    if (
        real == "/"
        or (real_home + "/").startswith(real + "/")
        or (real.count("/") < 2 and real not in ("/opt", "/usr"))
    ):
        return False
    inside = real.removeprefix(real_home + "/")
    return inside == real or "/" in inside or inside in TOOLCHAINS
