"""Hardcoded blocks: what never runs, is never asked for, and no file lifts. Data first, then the few predicates that
read arguments. Blocks on files (devices, the root of the file system, the gate's own files) are policy/writes.py.

The words around something that could not be understood are looked at as well (policy/scan.py), so that garbage around
`sudo` is denied. A block must never hit everyday work: `grep sudo README` has `sudo` as an argument of grep, and
arguments are not programs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from askfirst.knowledge.programs import base_name
from askfirst.model import Command

__all__ = [
    "HAND_ON",
    "NAMES",
    "OWN_ANSWER",
    "RUN_ON",
    "TEXTS",
    "Block",
    "block_command",
    "blocked_name",
    "own_reading_command",
]


@dataclass(frozen=True)
class Block:
    rule: str
    reason: str
    advice: str = ""


_ROOT = Block(
    "privilege",
    "runs a program with another user's rights",
    "work without root; a person can run it in their own terminal",
)
_DISK = Block("disk", "overwrites, formats or partitions disks", "work on files in the project")
_POWER = Block("power", "stops or restarts the machine")
_KERNEL = Block("kernel", "changes the running kernel")
_USERS = Block("users", "changes the machine's users or their rights")
_KEYS = Block("keystrokes", "types into another terminal or window: that could answer askfirst's own questions")
OWN_ANSWER = Block(
    "own-answer",
    "answers, changes or switches off askfirst: an agent must not approve itself",
    "ask the person at the keyboard; `askfirst explain`, `allowed`, `check` and `status` are allowed to you",
)
_TREE = Block(
    "root-tree",
    "changes owners or modes of the whole system or of a home directory",
    "name the directory inside the project",
)
_CRON = Block("cron", "changes what this machine runs automatically", "`crontab -l` lists; a person changes it")
_DEVICE = Block("device", "writes to a device of this machine", "write to a file in the project")
_SET_UID = Block("set-uid", "lets everybody who runs the file act as its owner")
_MOUNT = Block("mount", "puts another file or directory in the place of one")
_MACHINE = Block("machine-protection", "switches off what protects this machine, or deletes its backups")
_CONTAINER = Block("container-root", "gives a container the whole machine", 'mount only the project: `-v "$PWD":/app`')

# Program name -> block. Names are compared without case: some file systems ignore it.
NAMES: dict[str, Block] = {
    **dict.fromkeys(
        "sudo sudoedit sudo-rs visudo su su-rs doas doasedit vidoas pkexec run0 dzdo pfexec pbrun gksu gksudo kdesu "
        "kdesudo beesu ksu "
        "calife please runuser gosu su-exec setpriv".split(),
        _ROOT,
    ),
    **dict.fromkeys(
        "dd gdd dcfldd dc3dd ddrescue fdisk gdisk sgdisk cgdisk sfdisk cfdisk parted gparted partprobe wipefs "
        "blkdiscard badblocks mke2fs "
        "mkswap mkdosfs mkntfs newfs gpart format.com lvremove vgremove pvremove pvcreate lvreduce".split(),
        _DISK,
    ),
    **dict.fromkeys(
        "shutdown reboot halt poweroff init telinit rtcwake pm-suspend pm-hibernate shutdown.exe".split(), _POWER
    ),
    **dict.fromkeys("insmod rmmod modprobe kexec".split(), _KERNEL),
    **dict.fromkeys(
        (
            "useradd adduser usermod userdel deluser groupadd groupmod groupdel gpasswd passwd chpasswd vipw vigr "
            "newusers "
            "setcap"
        ).split(),
        _USERS,
    ),
    **dict.fromkeys("xdotool ydotool wtype dotool cliclick ttyecho xte".split(), _KEYS),
}
_PREFIXES: tuple[tuple[str, Block], ...] = (("mkfs", _DISK), ("newfs_", _DISK))

# Regular expression -> block, for text that something runs although the analysis cannot read it as a script (`perl -e`,
# `tmux new`). Each means only one thing: a word such as `reboot` alone does not.
_HOME_OR_ROOT = r"[\"']?(?:/|~|\$HOME|\$\{HOME\})/?\*?[\"']?(?=$|[\s;&|)`\"'])"
TEXTS: tuple[tuple[str, Block], ...] = (
    (
        rf"\brm\s+(?:-[\w-]+\s+)*(?:-\w*[rR]\w*|--recursive)\s+(?:-[\w-]*\s+)*{_HOME_OR_ROOT}",
        replace(_TREE, reason="deletes the whole system or a home directory"),
    ),
    (r"\bdd\s[^;&|\n]*\bof=/dev/(?:sd|hd|vd|xvd|nvme|disk|mmcblk)", _DISK),
    (r"\bmkfs(?:\.\w+)?\s+\S", _DISK),
    (
        r"\b(?:rmtree|rmSync|rmdirSync|rm_rf?|rm_r|remove_dir_all|remove_tree|removeSync|rimraf(?:\.sync)?)\s*\(?\s*"
        r"(?:[\"'](?:/|~)/?[\"']|os\.path\.expanduser\([\"']~/?[\"']\)|(?:os\.)?homedir\(\)|(?:Path|Dir)\.home(?:\(\))?)\s*[,);]",
        replace(_TREE, reason="deletes the whole system or a home directory"),
    ),
    (
        r"\baskfirst[\"',\s]+(?:approve|deny|remember|forget|revoke|trust|pause|resume|uninstall|init|apply|undo|watch|serve|"
        r"alerts\s+clear)\b",
        OWN_ANSWER,
    ),
    (r"\btmux\s[^;&|\n]*\bsend(?:-\w+)?\s", _KEYS),
)

# Sub-commands of askfirst that only look. Every other one answers, installs or changes something.
_OWN_READING = frozenset(
    (
        "explain allowed check status pending proposals log stats suggest replay doctor schema completion mcp propose"
    ).split()
)
_OWN_OPTIONS = frozenset(("--help", "-h", "--version"))

_DISK_DEVICES = (
    "/dev/sd",
    "/dev/hd",
    "/dev/vd",
    "/dev/xvd",
    "/dev/nvme",
    "/dev/mmcblk",
    "/dev/disk",
    "/dev/mem",
    "/dev/kmem",
    "/dev/dm-",
    "/dev/mapper",
)
_VITAL = frozenset(
    "/ /bin /boot /dev /etc /home /lib /opt /root /sbin /usr /usr/bin /usr/lib /usr/local /var /Users /System "
    "/Library ~ $HOME".split()
)
_POWER_STATES = (
    "poweroff reboot halt kexec soft-reboot suspend hibernate hybrid-sleep suspend-then-hibernate "
    "emergency rescue exit".split()
)
_POWER_WORDS = frozenset((*_POWER_STATES, "isolate", *(f"{state}.target" for state in _POWER_STATES)))


def blocked_name(name: str) -> Block | None:
    """The block on a program of this name, whatever its arguments."""
    short = base_name(name).lower()
    found = NAMES.get(short) or NAMES.get(short.removesuffix(".exe"))
    if found is None:
        found = next((block for prefix, block in _PREFIXES if short.startswith(prefix)), None)
    return found


def block_command(command: Command) -> Block | None:
    if command.builtin and "/" not in command.name:
        # A function or builtin of that name: what its body runs are facts of their own.
        return _own(command) or (_kills_askfirst(_values(command)) if command.name == "kill" else None)
    found = blocked_name(command.name) or (blocked_name(command.program) if command.program else None)
    if (
        found is not None
        and command.foreign == "inside the project"
        and base_name(command.name) not in ("sudo", "su", "doas", "pkexec")
    ):
        found = None  # `./init`: a script of the project that happens to be called so; it asks like every other
    if found is not None:
        return replace(found, reason=f"`{base_name(command.name)}` {found.reason}")
    if _is_own(command):
        return _own(command)
    predicate = _BY_ARGUMENTS.get(base_name(command.name).lower().removesuffix(".exe"))
    if predicate is None:
        return None
    return predicate(_values(command)) or (predicate(_written(command)) if predicate is _opens_up else None)


def _values(command: Command) -> tuple[str, ...]:
    """The arguments as far as they are known; a word that is not known stands as it was written."""
    return tuple(w.shown for w in command.argv[1:])


def _written(command: Command) -> tuple[str, ...]:
    """The arguments as they were written, without quotes and braces: `"${HOME}"/` is `$HOME/`."""
    return tuple("".join(c for c in w.text if c not in "\"'{}") for w in command.argv[1:])


def _words(values: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(v for v in values if not v.startswith("-"))


# -- askfirst itself ---------------------------------------------------------------------------------------------------


def _is_own(command: Command) -> bool:
    return bool(_own_arguments(command))


def _own_arguments(command: Command) -> tuple[str | None, ...]:
    """What stands behind `askfirst` or `python -m askfirst`, with the name itself first; empty when it is something
    else."""
    values = tuple(w.value for w in command.argv)
    name = base_name(command.name).lower()
    if name in ("askfirst", "askfirst.exe") or base_name(command.program or "") == "askfirst":
        return ("askfirst", *values[1:])
    if not name.startswith(("python", "pypy")):
        return ()
    for index, value in enumerate(values[1:], 1):
        behind = _behind_module(value, values[index + 1 :])
        if behind is not None:
            return ("askfirst", *behind)
    return ()


def _behind_module(option: str | None, rest: tuple[str | None, ...]) -> tuple[str | None, ...] | None:
    """The words behind `-m askfirst`, `-Im askfirst` or `-maskfirst`; None when this option does not start askfirst."""
    if option is None or not option.startswith("-"):
        return None
    if option.endswith("m") and not option.startswith("--") and rest and rest[0] is not None:
        return rest[1:] if rest[0].partition(".")[0] == "askfirst" else None
    return rest if "maskfirst" in option else None


def own_reading_command(command: Command) -> str:
    """The sub-command, when this is one of askfirst's own that only look; else ""."""
    arguments = _own_arguments(command)
    if not arguments or command.foreign:
        return ""
    rest = arguments[1:]
    if rest and all(v in _OWN_OPTIONS for v in rest):
        return "--help"
    if not rest or rest[0] is None:
        return ""
    if rest[0] == "alerts":
        return "alerts" if all(v is not None and v.startswith("-") for v in rest[1:]) else ""
    if rest[0] == "audit":
        return "audit" if rest[1:2] in (("verify",), ("export",)) else ""
    return rest[0] if rest[0] in _OWN_READING else ""


def _own(command: Command) -> Block | None:
    if not _is_own(command):
        return None
    if own_reading_command(command) or len(_own_arguments(command)) == 1:
        return None
    if any(v in _OWN_OPTIONS for v in _own_arguments(command)[1:]):
        return None
    return OWN_ANSWER


# -- blocks that read arguments ----------------------------------------------------------------------------------------


def _first_word_in(names: frozenset[str], block: Block) -> Callable[[tuple[str, ...]], Block | None]:
    return lambda values: block if any(w.lower() in names for w in _words(values)[:2]) else None


def _systemctl(values: tuple[str, ...]) -> Block | None:
    looks = _words(values)[:1] in (("status",), ("show",), ("cat",), ("is-active",), ("is-enabled",), ("help",))
    return None if looks else _first_word_in(_POWER_WORDS, _POWER)(values)


def _any_text(parts: tuple[str, ...], block: Block) -> Callable[[tuple[str, ...]], Block | None]:
    return lambda values: block if any(p in " ".join(values).lower() for p in parts) else None


def _tmux(values: tuple[str, ...]) -> Block | None:
    # tmux takes every unique abbreviation: `send`, `sen`, `paste`.
    for word in values:
        if word == ";" or word.startswith("-"):
            continue
        if len(word) >= 3 and any(name.startswith(word) for name in ("send-keys", "send-prefix", "paste-buffer")):
            return _KEYS
    return None


def _screen(values: tuple[str, ...]) -> Block | None:
    return _KEYS if "-X" in values and any(w in ("stuff", "paste", "readbuf", "exec") for w in values) else None


def _pairs(values: tuple[str, ...], between: str) -> list[str]:
    return [f"{values[i]}{between}{values[i + 1]}" for i in range(len(values) - 1)]


def _container(values: tuple[str, ...]) -> Block | None:
    """`docker run` with the machine's root directory, its devices, or all privileges."""
    if not any(w in ("run", "create", "exec", "up") for w in _words(values)):
        return None
    joined = [*values, *_pairs(values, "=")]
    for value in joined:
        option, _, given = value.partition("=")
        if option == "--privileged" and given != "false":
            return _CONTAINER
        if option in ("-v", "--volume") and given.partition(":")[0] in (
            "/",
            "//",
            "/.",
            "/dev",
            "/proc",
            "/sys",
            "/etc",
            "/boot",
        ):
            return _CONTAINER
        if value.startswith("-v/:"):
            return _CONTAINER
        if option == "--mount" and any(
            p.partition("=")[2] in ("/", "//", "/dev", "/etc") and p.partition("=")[0] in ("src", "source")
            for p in given.split(",")
        ):
            return _CONTAINER
        if option == "--device" and given.partition(":")[0].startswith(_DISK_DEVICES):
            return _DEVICE
    return None


def _wsl(values: tuple[str, ...]) -> Block | None:
    pairs = _pairs(values, " ")
    return _ROOT if "-u root" in pairs or "--user root" in pairs or "--user=root" in values else None


def _hdparm(values: tuple[str, ...]) -> Block | None:
    harmful = ("--security", "--trim", "--yes-i", "--make-bad", "--write", "--dco", "-N", "--fwdownload")
    return _DISK if any(v.startswith(harmful) for v in values) else None


def _busybox(values: tuple[str, ...]) -> Block | None:
    words = _words(values)
    return blocked_name(words[0]) if words else None


# Programs with a sub-command that runs the words behind it.
HAND_ON = frozenset(
    (
        "mise asdf direnv devbox conda mamba micromamba op aws-vault foreman heroku vagrant lxc incus multipass "
        "limactl distrobox toolbox "
        "doppler infisical chamber pnpm yarn npm npx bun nix flox saml2aws teller gcloud fly flyctl railway rustup "
        "tox rbenv pyenv nodenv "
        "jenv goenv fnm volta rye pixi opam stack cabal sops meson"
    ).split()
)
_RUN_TEXTS = ("nix-shell", "nodemon", "watchmedo", "man", "scp", "sftp", "zip", "concurrently")
_RUN_WORDS = (
    "entr",
    "flatpak-spawn",
    "systemd-cat",
    "lockf",
    "xcrun",
    "launchctl",
    "ld-linux-x86-64.so.2",
    "ld-linux-aarch64.so.1",
    "cross-env",
    "cross-env-shell",
    "env-cmd",
    "dotenv",
    "dotenvx",
    "reflex",
    "watchexec",
    "run-parts",
)
# Programs that fetch a package and run it: its name is the first word, and the rest is its own.
_FETCH_AND_RUN = ("npx", "bunx", "pnpx", "uvx", "pipx")
RUN_ON = frozenset((*_RUN_TEXTS, *_RUN_WORDS))
_RUNNING_VERBS = frozenset("exec x run dlx shell develop ssh console exec-env exec-file devenv".split())
# What stands in front of a command in the language of a program that has an escape to the shell: `\! ls`, `EXEC:ls`.
_ESCAPES = ("\\!", "exec:", "system:", "do shell script ", ".shell ", ".system ")
# Sub-commands of git that run the words behind them, or the text of an option.
_GIT_RUNS = (("bisect", "run"), ("submodule", "foreach"), ("filter-branch",), ("difftool",))
_GIT_RUNNING_OPTIONS = ("--upload-pack", "--receive-pack", "--exec", "-u")


def _hands_on(values: tuple[str, ...]) -> Block | None:
    """A sub-command that runs the words behind it: `mise exec -- sudo id`, `vagrant ssh -c 'sudo id'`."""
    at = next((i for i, v in enumerate(values) if v in _RUNNING_VERBS), None)
    return _runs_words(values[at + 1 :]) if at is not None else None


def _runs_words(values: tuple[str, ...]) -> Block | None:
    # `nixpkgs#sudo` is a package of that name.
    texts = [text for v in values for text in (v, v.partition("=")[2], v.partition("#")[2]) if text.strip()]
    names = [base_name(text.split(None, 1)[0]).lower() for text in texts]
    return next((_ROOT for name in names if name in ("sudo", "doas", "pkexec", "run0", "sudoedit")), None)


def _runs_texts(values: tuple[str, ...]) -> Block | None:
    """Only a text of several words is a command: `man -P 'sudo id' ls`, but not `man sudo`."""
    return _runs_words(tuple(v for v in values if " " in v.strip()))


def _fetches_and_runs(values: tuple[str, ...]) -> Block | None:
    """`uvx sudo`, `npx cross-env A=1 sudo id`; but not `npx eslint sudo`."""
    at = next((i for i, v in enumerate(values) if not v.startswith("-") and v != "run"), None)
    if at is None:
        return None
    within = _BY_ARGUMENTS.get(values[at]) if values[at] not in _FETCH_AND_RUN else None
    return _runs_words(values[at : at + 1]) or (within(values[at + 1 :]) if within is not None else _hands_on(values))


def _cargo(values: tuple[str, ...]) -> Block | None:
    """`cargo watch -s 'sudo id'`."""
    return _runs_words(values) if _words(values)[:1] == ("watch",) else None


def _git(values: tuple[str, ...]) -> Block | None:
    """`git bisect run sudo id`, `git difftool -x 'sudo id'`, `git grep -O'sudo id'`, `git clone 'ext::sudo id'`."""
    words = _words(values)
    named = [v.partition("=") for v in (*values, *_pairs(values, "="))]
    given = [value for option, _, value in named if option in _GIT_RUNNING_OPTIONS]
    given += [w[5:] for w in words if w.startswith("ext::")]
    found = _runs_texts(tuple(given))
    if found is not None:
        return found
    at = _behind_running_verbs(words)
    if at:
        return _runs_words((*words[at : at + 1], *(v for v in values if " " in v)))
    pagers = tuple(v.removeprefix("-O") for v in values if v.startswith("-O")) if "grep" in words[:3] else ()
    return _runs_words(pagers)


def _behind_running_verbs(words: tuple[str, ...]) -> int:
    """Where the command of `git bisect run` and its kin begins; 0 when there is none."""
    for verbs in _GIT_RUNS:
        for at in range(min(len(words), 4)):
            if words[at : at + len(verbs)] == verbs:
                return at + len(verbs)
    return 0


def _escapes_to_shell(values: tuple[str, ...]) -> Block | None:
    """A command in the program's own language: `psql -c '\\! sudo id'`, `socat - EXEC:'sudo id'`."""
    text = " ".join(values)
    after = [text[at + len(mark) :].lstrip(" \"'") for mark in _ESCAPES if (at := text.lower().find(mark)) >= 0]
    return _runs_words(tuple(after))


def _kill_by_name(values: tuple[str, ...]) -> Block | None:
    for word in _words(values):
        bare = "".join(c for c in word.lower() if c.isalnum())
        if "askfirst" in bare or (len(bare) >= 3 and bare in "askfirst"):
            return OWN_ANSWER
    return None


def _removes_askfirst(values: tuple[str, ...]) -> Block | None:
    words = _words(values)
    removes = any(w in ("uninstall", "remove", "purge", "rm", "un") for w in words)
    return OWN_ANSWER if removes and any(w.lower().startswith("askfirst") for w in words) else None


def _kills_askfirst(values: tuple[str, ...]) -> Block | None:
    """`kill "$(pgrep askfirst)"`."""
    return OWN_ANSWER if any("askfirst" in v for v in values) else None


def _osascript(values: tuple[str, ...]) -> Block | None:
    text = " ".join(values).lower()
    if any(p in text for p in ("shut down", "restart", "log out", "sleep")):
        return _POWER
    if any(p in text for p in ("keystroke", "key code", "click ")):
        return _KEYS
    return _ROOT if "administrator privileges" in text else _escapes_to_shell(values)


def _sets_uid(values: tuple[str, ...]) -> Block | None:
    """`chmod u+s`, `chmod 4755`; a set-gid directory is ordinary."""
    return _SET_UID if any(_is_set_uid(mode) for mode in values) else None


def _makes_set_uid(values: tuple[str, ...]) -> Block | None:
    """`install -m 4755`, `install -Dm4755`, `mkdir --mode=u+s`."""
    modes = [v.partition("m")[2] for v in values if v.startswith("-") and not v.startswith("--")]
    modes += [v.partition("=")[2] for v in values if v.startswith("--m")]
    modes += [values[at + 1] for at, v in enumerate(values[:-1]) if v.startswith("-") and v[-1:] in ("m", "e")]
    return _sets_uid(tuple(modes))


def _is_set_uid(mode: str) -> bool:
    if mode.isdigit():
        return len(mode) in (4, 5) and all(c in "01234567" for c in mode) and mode[-4] in "4567"
    return any(
        sign in part
        and set(part.partition(sign)[0]) <= set("ugoa")
        and "s" in part.partition(sign)[2]
        and set(part.partition(sign)[2]) <= set("rwxXstugo+=-")
        and (not part.partition(sign)[0] or set(part.partition(sign)[0]) & set("ua"))
        for part in mode.split(",")
        for sign in "+="
    )


def _runs_as(values: tuple[str, ...]) -> Block | None:
    """`systemd-run --uid=0`, `systemd-run -p User=root`."""
    other = any(v.startswith(("--uid", "--gid")) or v.lower().startswith(("user=", "-puser=")) for v in values)
    return _ROOT if other or any("property=user=" in v.lower() for v in values) else None


def _sysctl(values: tuple[str, ...]) -> Block | None:
    """Some settings name a program that the kernel runs as root (`kernel.core_pattern`)."""
    writes = any(v in ("-w", "--write", "--system") or v.startswith(("-p", "--load", "-f")) for v in values)
    return _KERNEL if writes or any("=" in v for v in values if not v.startswith("-")) else None


def _nvram(values: tuple[str, ...]) -> Block | None:
    return _MACHINE if any("=" in v or v in ("-d", "-c", "-f") for v in values) else None


def _tmutil(values: tuple[str, ...]) -> Block | None:
    changes = ("delete", "disable", "remove", "set", "restore", "thin", "inherit", "associate")
    return _MACHINE if values[:1] and values[0].startswith(changes) else None


def _whole_tree(values: tuple[str, ...]) -> Block | None:
    recursive = any(v == "--recursive" or (v.startswith("-") and not v.startswith("--") and "R" in v) for v in values)
    return _TREE if recursive and any((w.rstrip("/*") or "/") in _VITAL for w in _words(values)) else None


def _opens_up(values: tuple[str, ...]) -> Block | None:
    return _whole_tree(values) or _sets_uid(values)


_BY_ARGUMENTS: dict[str, Callable[[tuple[str, ...]], Block | None]] = {
    "systemctl": _systemctl,
    "loginctl": _first_word_in(_POWER_WORDS, _POWER),
    "machinectl": _first_word_in(frozenset(("shell", "login", "poweroff", "reboot")), _ROOT),
    **dict.fromkeys(
        ("busctl", "dbus-send", "gdbus", "qdbus"),
        _any_text(("poweroff", "reboot", "halt", "suspend", "hibernate"), _POWER),
    ),
    "osascript": _osascript,
    "diskutil": _first_word_in(
        frozenset(
            "erasedisk erasevolume partitiondisk reformat zerodisk randomdisk secureerase splitpartition "
            "mergepartitions "
            "deletecontainer deletevolume eraseall".split()
        ),
        _DISK,
    ),
    "dscl": _any_text(
        (
            "-create",
            "-append",
            "-merge",
            "-delete",
            "-change",
            "-passwd",
            " create ",
            " append ",
            " merge ",
            " delete ",
            " change ",
            " passwd ",
        ),
        _USERS,
    ),
    **dict.fromkeys(("install", "ginstall", "mkdir", "gmkdir"), _makes_set_uid),
    "mount": _any_text(("--bind", "--rbind", "--move", " bind", "bind,", ",bind", "=bind", "remount"), _MOUNT),
    "systemd-run": _runs_as,
    "sysctl": _sysctl,
    "csrutil": lambda values: None if values[:1] in (("status",), ("report",), ("--help",), ()) else _MACHINE,
    "nvram": _nvram,
    "tmutil": _tmutil,
    "spctl": _any_text(("--master-disable", "--global-disable", "--disable", "--remove"), _MACHINE),
    "fdesetup": _first_word_in(frozenset("disable remove removerecovery changerecovery".split()), _MACHINE),
    "crontab": lambda values: None if "-l" in values or "--help" in values or "-V" in values else _CRON,
    "hdparm": _hdparm,
    "zpool": _first_word_in(frozenset("destroy labelclear create".split()), _DISK),
    "zfs": _first_word_in(frozenset("destroy rollback".split()), _DISK),
    "mdadm": _any_text(("--zero-superblock", "--create", "--stop", "--remove"), _DISK),
    **dict.fromkeys(("chown", "chgrp", "chmod", "setfacl", "chattr"), _opens_up),
    "nvme": _first_word_in(
        frozenset("format sanitize write write-zeroes write-uncor dsm fw-commit delete-ns".split()), _DISK
    ),
    "cryptsetup": _first_word_in(
        frozenset(
            ("erase luksErase luksformat luksFormat format reencrypt lukserase lukskillslot luksremovekey")
            .lower()
            .split()
        ),
        _DISK,
    ),
    "tmux": _tmux,
    "screen": _screen,
    "kitty": _any_text(("send-text", "send-key"), _KEYS),
    "kitten": _any_text(("send-text", "send-key"), _KEYS),
    "wezterm": _any_text(("send-text",), _KEYS),
    "zellij": _any_text(("write-chars", "action write"), _KEYS),
    **dict.fromkeys(("docker", "podman", "nerdctl"), _container),
    "wsl": _wsl,
    **dict.fromkeys(("busybox", "toybox"), _busybox),
    **dict.fromkeys(("pkill", "killall", "killall5"), _kill_by_name),
    **dict.fromkeys(HAND_ON, _hands_on),
    **dict.fromkeys(_FETCH_AND_RUN, _fetches_and_runs),
    "cargo": _cargo,
    "git": _git,
    **dict.fromkeys("psql mysql mariadb sqlite3 socat".split(), _escapes_to_shell),
    **dict.fromkeys(("pip", "pip3", "uv", "poetry", "brew", "apt", "apt-get", "dnf", "yum"), _removes_askfirst),
    "pipx": lambda values: _removes_askfirst(values) or _fetches_and_runs(values),
    **dict.fromkeys(("kill", "renice", "gdb", "strace"), _kills_askfirst),
    **dict.fromkeys(_RUN_TEXTS, _runs_texts),
    **dict.fromkeys(_RUN_WORDS, _runs_words),
}
