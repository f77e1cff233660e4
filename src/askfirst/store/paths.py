"""Where askfirst keeps its files: the directories that platformdirs names, computed here.

Importing platformdirs takes longer than the rest of the hook, which asks on every call, so tests/store/test_paths.py
compares the two. On macOS they differ on purpose: the variables of XDG do not count, and the organisation's file is
below /Library also for Homebrew's Python, for which platformdirs names a directory that the user can write.
"""

from __future__ import annotations

import os
import stat
import sys

from askfirst.errors import StoreError

APP = "askfirst"
PROJECT_FILE = ".askfirst/allowed_commands.yaml"
# Files of AutoCoder and AutoForge have the same schema and are read where askfirst's own do not exist.
PROJECT_FALLBACKS = (".autocoder/allowed_commands.yaml", ".autoforge/allowed_commands.yaml")


def home() -> str:
    return os.path.expanduser("~")


def _xdg(variable: str, default: str) -> str:
    value = os.environ.get(variable, "")
    # The XDG specification: a relative path is to be ignored.
    return value if value.startswith("/") else os.path.expanduser(default)


def state_dir() -> str:
    """Grants, pending requests, audit log, keys. Never inside a repository."""
    if sys.platform == "darwin":
        return os.path.expanduser(f"~/Library/Application Support/{APP}")
    return os.path.join(_xdg("XDG_STATE_HOME", "~/.local/state"), APP)


def user_config_dir() -> str:
    if sys.platform == "darwin":
        return os.path.expanduser(f"~/Library/Application Support/{APP}")
    return os.path.join(_xdg("XDG_CONFIG_HOME", "~/.config"), APP)


def site_config_dir() -> str:
    """The organisation's own directory, owned by root."""
    if sys.platform == "darwin":
        return f"/Library/Application Support/{APP}"
    dirs = [d for d in os.environ.get("XDG_CONFIG_DIRS", "").split(":") if d.startswith("/")]
    return os.path.join(dirs[0] if dirs else "/etc/xdg", APP)


def org_files() -> tuple[str, ...]:
    """The organisation's files, the stronger first: the site's, then the user's (or else AutoCoder's)."""
    user = os.path.join(user_config_dir(), "config.yaml")
    if not os.path.lexists(user):
        for other in ("~/.autocoder/config.yaml", "~/.autoforge/config.yaml"):
            if os.path.lexists(os.path.expanduser(other)):
                user = os.path.expanduser(other)
                break
    return (os.path.join(site_config_dir(), "config.yaml"), user)


def project_file(project: str) -> str:
    """The project's rule file: its own, or the first fall-back that exists."""
    own = os.path.join(project, PROJECT_FILE)
    if not os.path.lexists(own):
        for other in PROJECT_FALLBACKS:
            if os.path.lexists(os.path.join(project, other)):
                return os.path.join(project, other)
    return own


def private_dir(*parts: str) -> str:
    """A directory below the state dir, made private (0700); refuses a symlink and one that belongs to somebody else."""
    path = state_dir()
    make_private(path)
    for part in parts:
        path = os.path.join(path, part)
        make_private(path)
    return path


def make_private(path: str) -> None:
    try:
        found = os.lstat(path)
    except FileNotFoundError:
        try:
            os.makedirs(os.path.dirname(path), exist_ok=True)
            os.mkdir(path, 0o700)
        except FileExistsError:
            pass
        except OSError as error:
            raise StoreError(f"{path}: cannot create this directory: {error.strerror}") from error
        found = os.lstat(path)
    except OSError as error:
        raise StoreError(f"{path}: cannot read this directory: {error.strerror}") from error
    if not stat.S_ISDIR(found.st_mode):
        raise StoreError(f"{path}: is not a directory (symbolic links are refused here); move it away")
    if found.st_uid != os.geteuid():
        raise StoreError(f"{path}: belongs to another user; run `chown` or remove it")
    if found.st_mode & 0o077:
        os.chmod(path, 0o700)
