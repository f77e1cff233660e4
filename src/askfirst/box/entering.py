"""The process that becomes the engine: puts the box together in the session's namespaces, and is then replaced by
bubblewrap, which enters it and starts the client's own shell."""

from __future__ import annotations

import fcntl
import os
from _signal import SIG_DFL, SIGCHLD, SIGHUP, SIGINT, SIGKILL, SIGPIPE, SIGTERM, signal  # type: ignore[import-not-found]
from resource import RLIMIT_CORE, RLIMIT_NPROC, getrlimit, setrlimit

from askfirst.box import environ, kernel, mounts, session

TYPE_CHECKING = False  # of `typing`, whose import would take a third of this start
if TYPE_CHECKING:
    from typing import Any

Spec = dict[str, "Any"]
Steps = list[tuple["Any", ...]]

NOT_RUN = 126
# Where the contained shell says that it started, and where it ended up: a pipe of the supervisor's, seen inside.
WHERE = "/run/askfirst/where"
MAX_PROCESSES = 4096
COMMAND = "/run/askfirst/command"
OF_THE_KERNEL = (
    "acpi asound fs scsi kcore keys kmsg timer_list sched_debug latency_stats mtrr kpagecount kpageflags kpagecgroup "
    "sysrq-trigger vmallocinfo slabinfo driver tty/driver"
).split()


def become_engine(
    place: str,
    spec: Spec,
    fds: list[int],
    inner: tuple[int, int, int],
    info: int,
    shell: tuple[str, str, str],
) -> None:
    try:
        if spec["has_namespaces"]:
            kernel.die_with_parent(SIGKILL)
        for name in (SIGTERM, SIGINT, SIGHUP, SIGPIPE, SIGCHLD):
            signal(name, SIG_DFL)
        own = {**environ.contained(os.environ, os.getuid()), **spec["variables"]}
        if not spec["has_namespaces"]:
            become_shell(place, spec, own, inner, shell)
        # The home and what is shown of it, the client's shell, and last what lies over everything: the project.
        steps = [*spec["steps"], *late_steps(spec, own, shell), *spec["project_steps"]]
        words = [*spec["words"], *(mount_all(place, spec, fds, steps) if fds else bare_words(spec, steps))]
        words += [
            *proc_words(spec),
            *([] if fds else ["--remount-ro", "/"]),
            "--chdir",
            spec["cwd"],
            *loader_words(own),
        ]
        limits()
        program = spec["program"]
        keep = {0: inner[0], 1: inner[1], 2: inner[2], 10: info, 11: filled(spec["filter"])}
        # By a descriptor: inside, the engine's own words can be read, and they name what is hidden.
        keep[12] = filled(b"".join(os.fsencode(word) + b"\0" for word in words))
        place_descriptors(keep)
        words = [program, "--args", "12", "--info-fd", "10", "--seccomp", "11", "--", *shell_words(spec, shell)]
        os.execve(program, words, {n: v for n, v in own.items() if not n.startswith(environ.LOADER_PREFIXES)})
    except OSError as error:
        os.write(2, f"askfirst: {error}\n".encode())
    finally:
        os._exit(NOT_RUN)


def become_shell(
    place: str, spec: Spec, own: dict[str, str], inner: tuple[int, int, int], shell: tuple[str, str, str]
) -> None:
    """Without namespaces of ours: this very process is held to its rules, or becomes the program that holds it to them,
    and then the client's shell."""
    os.setsid()
    os.chdir(spec["cwd"])
    limits()
    snapshot = [(shell[2], 4)] if shell[2] and os.path.isfile(shell[2]) else []
    place_descriptors({0: inner[0], 1: inner[1], 2: inner[2]})
    words = shell_words(spec, shell, os.path.join(place, "command"), os.path.join(place, "where"))
    if spec["engine"] == "landlock":
        kernel.restrict([*spec["rules"], *snapshot], spec["filter"])
        os.execve(words[0], words, own)
    if spec["engine"] == "srt":  # it takes one text
        words = ["-c", " ".join("'" + w.replace("'", "'\\''") + "'" for w in (*spec["inner"], *words))]
    program = spec["program"]
    kept = {n: v for n, v in own.items() if not n.startswith(environ.LOADER_PREFIXES)}
    os.execve(program, [program, *spec["words"], *words], kept)


def mount_all(place: str, spec: Spec, fds: list[int], steps: Steps) -> list[str]:
    """Put the box together in the session's namespaces; bubblewrap has only to enter it."""
    at = spec["session_place"]
    hidden = session.newly_private(at)
    first = tmp_steps(spec, hidden, steps)
    for fd, kind in zip(fds, (kernel.NEWUSER, kernel.NEWNET, kernel.NEWNS), strict=True):
        kernel.setns(fd, kind)
    kernel.unshare(kernel.NEWNS)
    if spec["mode"] == "overlay":
        upper, work, merged = (os.path.join(place, name) for name in ("upper", "work", "merged"))
        kernel.mount_overlay([spec["project"]], upper, work, merged)
    root = os.path.join(at, "root")
    mounts.perform(root, os.path.join(at, "void"), [*first, *steps])
    kernel.mount(
        "", root, "", kernel.MS_BIND | kernel.MS_REMOUNT | kernel.MS_RDONLY | kernel.MS_NOSUID | kernel.MS_NODEV
    )
    return ["--dev-bind", root, "/"]


def bare_words(spec: Spec, steps: Steps) -> list[str]:
    """Where only bubblewrap may have namespaces, it does everything: no overlay, and a network for each call."""
    own = [("tmpfs", "/tmp", 0o1777), ("tmpfs", "/var/tmp", 0o1777)]
    steps = [*spec["base"], *own, *steps]
    return ["--unshare-net", "--dev", "/dev", *mounts.words(steps, spec["nothing"])]


def proc_words(spec: Spec) -> list[str]:
    """For root, files of /proc are writable without any capability: settings of the kernel, and what tells about it.
    Directories lie under an empty one in memory, which bubblewrap mounts six times as fast as it binds."""
    words = ["--proc", "/proc"]
    if os.getuid() == 0:
        words += ["--ro-bind", "/proc/sys", "/proc/sys"]
        for name in OF_THE_KERNEL:
            path = f"/proc/{name}"
            if os.path.isdir(path):
                words += ["--tmpfs", path]
            elif can_be_opened(path):
                words += ["--ro-bind", spec["nothing"][False], path]
    return words


def can_be_opened(path: str) -> bool:
    """Whether anybody in these namespaces can. For some files the kernel asks for more than to be root."""
    for how in (os.O_RDONLY, os.O_WRONLY):
        try:
            os.close(os.open(path, how | os.O_NONBLOCK | os.O_CLOEXEC))
            return True
        except OSError:
            continue
    return False


def limits() -> None:
    # A crash must not start the host's handler of crashes: a pipe is not held up by 0, but by 1 (coredump.c).
    setrlimit(RLIMIT_CORE, (1, 1))
    _, hard = getrlimit(RLIMIT_NPROC)
    if hard < 0 or hard > MAX_PROCESSES:
        setrlimit(RLIMIT_NPROC, (MAX_PROCESSES, MAX_PROCESSES))


def filled(data: bytes) -> int:
    """A descriptor from which this can be read."""
    fd = os.memfd_create("askfirst")
    os.write(fd, data)
    os.lseek(fd, 0, 0)
    return fd


def place_descriptors(wanted: dict[int, int]) -> None:
    """Exactly these descriptors, at these numbers."""
    high = {number: os.dup(fd) for number, fd in wanted.items()}
    high = {number: raised(fd) for number, fd in high.items()}
    for number, fd in high.items():
        os.dup2(fd, number)
    last = max(wanted)
    for number in range(last + 1):
        if number not in wanted:
            try:
                os.close(number)
            except OSError:
                pass
    os.closerange(last + 1, 4096)


def raised(fd: int) -> int:
    """The same, above every number that is given out."""
    high: int = fcntl.fcntl(fd, fcntl.F_DUPFD_CLOEXEC, 64)
    os.close(fd)
    return high


def tmp_steps(spec: Spec, hidden: list[str], steps: Steps) -> Steps:
    """What has become private in the real /tmp since the session began. Where something of it is shown all the same
    (a project), it is empty else."""
    if len(hidden) > session.MAX_HIDDEN_IN_TMP:
        return [("rw", os.path.join(spec["session_place"], "var-tmp"), "/tmp")]
    own = own_scratch(spec)
    targets = [*own, *(words[-1] if kind in ("ro", "rw", "link") else words[0] for kind, *words in steps)]
    found: Steps = []
    for path in hidden:
        if not os.path.isdir(path):
            found.append(("void-try", path))
            continue
        # A directory of the session's own: pytest and others expect theirs to be there, and writable.
        instead = os.path.join(spec["session_place"], "tmp-own", os.path.basename(path))
        os.makedirs(instead, mode=0o700, exist_ok=True)
        is_parent = any(target.startswith(path + "/") for target in targets)
        found.append(("tmpfs", path, 0o700) if is_parent else ("rw-try", instead, path))
    return found + [("rw", path, path) for path in own]


def own_scratch(spec: Spec) -> list[str]:
    """Where the client tells the agent to put files of its own."""
    if not spec["session_id"]:
        return []
    named = spec["project"].replace("/", "-")
    path = os.path.join(f"/tmp/claude-{os.getuid()}", named, spec["session_id"], "scratchpad")
    return [path] if os.path.isdir(path) and os.path.realpath(path) == path else []


def late_steps(spec: Spec, own: dict[str, str], shell: tuple[str, str, str]) -> Steps:
    """What only the client's shell knows: its snapshot, and the directories of programs on its PATH."""
    snapshot = shell[2]
    steps = [("ro", snapshot, snapshot)] if snapshot and os.path.isfile(snapshot) else []
    shown = tuple(path.rstrip("/") + "/" for path in (*spec["shown"], spec["project"]))
    for folder in own.get("PATH", "").split(":"):
        if folder.startswith("/") and not (folder + "/").startswith(shown) and os.path.isdir(folder):
            if folder.rstrip("/").rpartition("/")[2] in spec["program_dirs"]:
                steps.append(("ro", folder, folder))
    return steps


def loader_words(own: dict[str, str]) -> list[str]:
    return [w for n, v in own.items() if n.startswith(environ.LOADER_PREFIXES) for w in ("--setenv", n, v)]


def shell_words(spec: Spec, shell: tuple[str, str, str], command: str = COMMAND, where: str = WHERE) -> list[str]:
    """The client's own shell, prepared as the client prepares it, evaluates the command's text."""
    begun = f"\\builtin printf S >| {where}"
    ended = f"{{ \\builtin pwd -P >| {where} || true; }} 2>/dev/null"
    return [spec["shell"], "-c", f'{shell[1]}\n{begun}\n\\builtin eval "$(<{command})" && {ended}']
