"""What a box shows, hides and lets be written. One value, made from a plan: engines turn it into mounts, rules or a
profile, `explain` into words."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from askfirst.box import home as homes
from askfirst.box import worktree
from askfirst.box.engine import BoxError
from askfirst.box.plan import READ_WRITE, Plan
from askfirst.box.worktree import Worktree
from askfirst.digest import sha256_hex
from askfirst.store import paths

# The system, read-only. Whatever else lies at the root is not there.
SYSTEM = tuple(
    "/usr /bin /sbin /lib /lib32 /lib64 /libx32 /etc /opt /nix /gnu /snap /home/linuxbrew /run/current-system "
    "/sys/devices/system /sys/fs/cgroup /sys/kernel/mm/transparent_hugepage "
    "/var/lib/dpkg /var/lib/texmf /var/lib/ghc /var/cache/fontconfig /var/lib/flatpak/runtime".split()
)
# Of that, what holds passwords and keys, for whoever may read it.
SYSTEM_SECRETS = tuple(
    "/etc/shadow /etc/shadow- /etc/gshadow /etc/gshadow- /etc/sudoers /etc/sudoers.d /etc/ssl/private /etc/ssh "
    "/etc/krb5.keytab /etc/NetworkManager/system-connections /etc/wireguard /etc/openvpn /etc/ppp /etc/docker "
    "/etc/security/opasswd /etc/master.passwd /etc/kubernetes /etc/rancher /etc/letsencrypt "
    "/etc/mysql/debian.cnf".split()
)
_USERINFO = re.compile(r"(https?://)[^/\s@]+@")


@dataclass(frozen=True)
class Inside:
    """All paths are absolute. What is named later lies over what is named earlier."""

    home: str
    system: tuple[str, ...]  # shown read-only
    system_secrets: tuple[str, ...]  # of that, not shown
    read: tuple[str, ...]  # of the home, and other toolchains: read-only
    private: tuple[tuple[str, str], ...]  # (directory of our state, where it is seen): writable, kept for the project
    write: tuple[str, ...]  # of the disk, written directly: build directories
    locked: tuple[str, ...]  # read-only within what is writable
    obeyed: tuple[str, ...]  # what git, agents and editors obey: read-only where there is no overlay
    hidden: tuple[str, ...]  # secrets of the project
    replaced: tuple[tuple[str, str], ...]  # (text, path): shown with this text instead of what is there
    builds: tuple[str, ...] = ()  # of what is written directly, build directories: looked through afterwards


def inside_of(plan: Plan, environ: Mapping[str, str] | None = None) -> Inside:
    """What the box of this plan looks like now. Raises BoxError where no box can be made of it."""
    environ = os.environ if environ is None else environ
    home = paths.home()
    refuse_odd_projects(plan.project, home)
    found = worktree.look_at(plan.project, plan.show)
    git = [p for p in found.git if os.path.isdir(p)]
    # In the project, what git keeps is part of what is shown; of a worktree it lies elsewhere.
    elsewhere = [p for p in git if not _is_below(p, plan.project)]
    own = (homes.base_of(os.path.join(plan.project, name)) for name in (".venv", "venv", "env"))
    real_home = os.path.realpath(home)
    bases = [base for base in own if base and homes.is_narrow(base, real_home)]
    toolchains = (*homes.shown(home), *homes.toolchains_named(environ, real_home), *bases)
    read = _topmost((*toolchains, *_client(environ), *elsewhere))
    write, locked = _writable(plan, found)
    return Inside(
        home=home,
        system=tuple(filter(os.path.exists, SYSTEM)),
        system_secrets=tuple(filter(os.path.exists, SYSTEM_SECRETS)),
        read=tuple(p for p in read if not any(_is_below(p, other) for other in (plan.project, *SYSTEM))),
        private=_private(plan, home),
        write=write,
        locked=locked,
        obeyed=found.obeyed,
        hidden=found.secrets if plan.hide_secrets else (),
        replaced=_without_credentials(git),
        builds=found.builds if plan.access == READ_WRITE else (),
    )


def _topmost(paths: Iterable[str]) -> list[str]:
    """These without those that are shown with another one: each is a mount, and every start pays for it."""
    found = sorted(dict.fromkeys(paths))
    kept: list[str] = []
    for path in found:
        if not (kept and _is_below(path, kept[-1]) and os.path.realpath(path) == path):
            kept.append(path)
    return kept


def _writable(plan: Plan, found: Worktree) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What is written directly, and what of the project is read-only: git's data, also for commands that somebody
    judged, since these run the project's code. It obeys more than hooks and configuration (`commondir` names other
    ones), and of what is not there yet nothing can be locked."""
    return (found.builds, found.git) if plan.access == READ_WRITE else ((), ())


def refuse_odd_projects(project: str, home: str) -> None:
    """A project that holds the home, or askfirst's own files, cannot be shown without them."""
    root = os.path.realpath(project)
    if root != project or not os.path.isdir(root):
        raise BoxError(f"{project}: is not a directory by its real name, so nothing can run contained in it")
    own = (home, paths.state_dir(), paths.user_config_dir(), os.path.join(home, ".claude"))
    for path in own:
        if _is_below(os.path.realpath(path), root):
            raise BoxError(f"{project}: holds {path}, so nothing can run contained in it; work in a directory below it")
    if any(_is_below(root, os.path.realpath(path)) for path in own[1:]) or root in homes_above(home):
        raise BoxError(
            f"{project}: lies where askfirst or the system keep their files; nothing can run contained in it"
        )


def homes_above(home: str) -> tuple[str, ...]:
    return ("/", "/usr", "/etc", "/opt", "/var", "/tmp", "/home", "/root", home)


def _is_below(path: str, parent: str) -> bool:
    return (path.rstrip("/") + "/").startswith(parent.rstrip("/") + "/")


def _private(plan: Plan, home: str) -> tuple[tuple[str, str], ...]:
    """Caches of judged commands and of code that nobody judged are kept apart: the one must not poison the other."""
    kind = "unjudged" if plan.hide_secrets else "judged"
    base = ("box", "caches", f"{sha256_hex(plan.project)[:24]}-{kind}")
    return tuple((paths.private_dir(*base, n.replace("/", "-")), os.path.join(home, n)) for n in homes.PRIVATE)


def _client(environ: Mapping[str, str]) -> tuple[str, ...]:
    """The client's own program: its shell functions for `rg` and `find` start it."""
    path = environ.get("CLAUDE_CODE_EXECPATH", "")
    return (path,) if path.startswith("/") and os.path.isfile(path) and os.access(path, os.X_OK) else ()


def _without_credentials(git: list[str]) -> tuple[tuple[str, str], ...]:
    """The configurations of git that hold passwords, without them."""
    found = []
    for path in (os.path.join(folder, "config") for folder in git):
        try:
            with open(path, encoding="utf-8", errors="surrogateescape") as file:
                text = file.read(1 << 20)
        except OSError:
            continue
        lines = text.splitlines(keepends=True)
        kept = "".join(line for line in lines if "extraheader" not in line.lower() and "password" not in line.lower())
        kept = _USERINFO.sub(r"\1", kept)
        if kept != text:
            found.append((kept, path))
    return tuple(found)
