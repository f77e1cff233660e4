"""Where askfirst keeps its files: the directories that platformdirs names, computed here.

Importing platformdirs takes longer than the rest of the hook, which asks on every call, so tests/store/test_paths.py
compares the two. On macOS they differ on purpose: the variables of XDG do not count, and the organisation's file is
below /Library also for Homebrew's Python, for which platformdirs names a directory that the user can write.
"""

from __future__ import annotations

import os
import pwd
import stat
import sys

from askfirst.errors import StoreError

APP = "askfirst"
PROJECT_FILE = ".askfirst/allowed_commands.yaml"
# Files of AutoCoder and AutoForge have the same schema and are read where askfirst's own do not exist.
PROJECT_FALLBACKS = (".autocoder/allowed_commands.yaml", ".autoforge/allowed_commands.yaml")
ORG_FALLBACKS = (".autocoder/config.yaml", ".autoforge/config.yaml")


def home() -> str:
    """This user's home. Refused where it is not an absolute path: what is kept there would land in whatever directory,
    and so in whatever repository, this process happens to be in, and be read from it."""
    found = os.path.expanduser("~") if os.environ.get("HOME") else _home_on_record()
    if not found.startswith("/"):
        raise StoreError(f"HOME is `{found}`, not an absolute path; set it to your home directory")
    return found


def _home_on_record() -> str:
    """Where HOME is unset or empty: what the system has on record for this user."""
    try:
        return pwd.getpwuid(os.getuid()).pw_dir
    except KeyError:
        return ""


def _xdg(variable: str, default: str) -> str:
    value = os.environ.get(variable, "")
    # The XDG specification: a relative path is to be ignored.
    return value if value.startswith("/") else os.path.join(home(), default)


def is_there(path: str) -> bool:
    """Whether anything has this name. What cannot be looked at is an error: counted as absent, it would be the milder
    answer to a question such as `is there a block list, a flag, a pause?`"""
    try:
        os.lstat(path)
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError as error:
        raise StoreError(f"{path}: cannot be looked at: {error.strerror}") from error
    return True


def state_dir() -> str:
    """Grants, pending requests, audit log, keys. Never inside a repository."""
    if sys.platform == "darwin":
        return os.path.join(home(), "Library/Application Support", APP)
    return os.path.join(_xdg("XDG_STATE_HOME", ".local/state"), APP)


def user_config_dir() -> str:
    if sys.platform == "darwin":
        return os.path.join(home(), "Library/Application Support", APP)
    return os.path.join(_xdg("XDG_CONFIG_HOME", ".config"), APP)


def site_config_dir() -> str:
    """The organisation's own directory, owned by root."""
    if sys.platform == "darwin":
        return f"/Library/Application Support/{APP}"
    dirs = [d for d in os.environ.get("XDG_CONFIG_DIRS", "").split(":") if d.startswith("/")]
    return os.path.join(dirs[0] if dirs else "/etc/xdg", APP)


def org_files() -> tuple[str, ...]:
    """The organisation's files, the stronger first: the site's, then the user's (or else AutoCoder's)."""
    user = os.path.join(user_config_dir(), "config.yaml")
    if not is_there(user):
        others = (os.path.join(home(), name) for name in ORG_FALLBACKS)
        user = next(filter(is_there, others), user)
    return (os.path.join(site_config_dir(), "config.yaml"), user)


def team_file() -> str:
    """This user's part of a team (team/joined.py); no file, no team."""
    return os.path.join(user_config_dir(), "team.json")


def project_file(project: str) -> str:
    """The project's rule file: its own, or the first fall-back that exists."""
    own = os.path.join(project, PROJECT_FILE)
    if is_there(own):
        return own
    return next(filter(is_there, (os.path.join(project, name) for name in PROJECT_FALLBACKS)), own)


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
