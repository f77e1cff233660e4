"""What of a person's home a box shows: toolchains, caches of languages and dotfiles without secrets. Everything else is
not there, so nothing can be forgotten."""

from __future__ import annotations

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
# Variables that name a toolchain's directory. CARGO_HOME and its kin hold credentials, too: only their usual places
# are shown, in parts.
TOOLCHAIN_VARIABLES = tuple(
    "VIRTUAL_ENV CONDA_PREFIX JAVA_HOME GOROOT NVM_DIR PYENV_ROOT RBENV_ROOT RUSTUP_HOME ASDF_DIR ASDF_DATA_DIR "
    "VOLTA_HOME BUN_INSTALL DENO_INSTALL SDKMAN_DIR ANDROID_HOME DOTNET_ROOT FNM_DIR PNPM_HOME".split()
)

MAX_DOTFILE = 64 * 1024
_SECRET_IN_TEXT = re.compile(
    rb"(?i)passw|secret|token|_auth|extraheader|api_?key|credential|://[^/\s:@]*:[^/\s@]+@|-----BEGIN|"
    rb"\b(?:ghp|gho|ghs|github_pat|glpat|npm|pypi|sk|xox[abp])[-_][A-Za-z0-9_-]{16,}"
)


def shown(home: str) -> Iterator[str]:
    """What of this home a box shows, read-only: paths that exist and are no way round (a link out of the home is
    followed by whoever binds it, so it is left out)."""
    for name in (*TOOLCHAINS, *CACHES):
        path = os.path.join(home, name)
        if os.path.exists(path):
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


def toolchains_named(environ: Mapping[str, str], home: str) -> Iterator[str]:
    """Directories of programs and toolchains that the environment names."""
    for folder in environ.get("PATH", "").split(os.pathsep):
        if os.path.basename(folder.rstrip("/")) in PROGRAM_DIRS and is_narrow(folder, home):
            yield folder.rstrip("/")
    for name in TOOLCHAIN_VARIABLES:
        folder = environ.get(name, "").rstrip("/")
        if folder and is_narrow(folder, home):
            yield folder
            if (base := base_of(folder)) and is_narrow(base, home):
                yield base


def base_of(environment: str) -> str:
    """The installation that a virtual environment of Python belongs to; "" where this is none."""
    try:
        with open(os.path.join(environment, "pyvenv.cfg"), encoding="utf-8", errors="replace") as file:
            lines = [line.partition("=") for line in file.read(4096).splitlines()]
    except OSError:
        return ""
    folder = next((value.strip() for name, _, value in lines if name.strip() == "home"), "")
    return os.path.dirname(os.path.realpath(folder)) if folder.startswith("/") else ""


def is_narrow(folder: str, home: str) -> bool:
    """Whether a directory is one that may be shown as a whole: it holds neither the home nor the system's root, and is
    no hidden directory directly in the home unless the tables name it."""
    if not folder.startswith("/") or not os.path.isdir(folder):
        return False
    real, home = os.path.realpath(folder), os.path.realpath(home)
    if real == "/" or (home + "/").startswith(real + "/") or (real.count("/") < 2 and real not in ("/opt", "/usr")):
        return False
    inside = real.removeprefix(home + "/")
    return inside == real or "/" in inside or inside in TOOLCHAINS
