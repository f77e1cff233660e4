"""Which variables of the environment a contained command gets. Imported by every contained command's start, so it
imports little."""

from __future__ import annotations

from askfirst.knowledge.variables import is_masked, looks_secret

TYPE_CHECKING = False  # of `typing`, whose import would take a third of this start
if TYPE_CHECKING:
    from collections.abc import Mapping

# Ways to something outside: agents, displays, daemons, the client's own socket; and what makes a shell load a file.
WAYS_OUT = frozenset(
    """
    SSH_AUTH_SOCK SSH_AGENT_PID SSH_CONNECTION SSH_CLIENT SSH_TTY GPG_AGENT_INFO GPG_TTY DBUS_SESSION_BUS_ADDRESS
    DBUS_SYSTEM_BUS_ADDRESS DISPLAY WAYLAND_DISPLAY WAYLAND_SOCKET XAUTHORITY SESSION_MANAGER TMUX TMUX_PANE STY
    DOCKER_HOST DOCKER_CONFIG CONTAINER_HOST KUBECONFIG XDG_RUNTIME_DIR PULSE_SERVER GNOME_KEYRING_CONTROL
    VSCODE_IPC_HOOK VSCODE_IPC_HOOK_CLI VSCODE_GIT_IPC_HANDLE VSCODE_GIT_ASKPASS_MAIN GIT_ASKPASS SSH_ASKPASS
    SUDO_ASKPASS KITTY_LISTEN_ON NVIM NVIM_LISTEN_ADDRESS ALACRITTY_SOCKET WSL_INTEROP LISTEN_FDS LISTEN_PID
    NOTIFY_SOCKET
    BASH_ENV ENV CLAUDE_ENV_FILE CLAUDE_PID CLAUDE_CODE_MESSAGING_SOCKET CLAUDE_CODE_SSE_PORT CLAUDE_CONFIG_DIR
    INVOCATION_ID JOURNAL_STREAM ZDOTDIR XDG_CONFIG_HOME XDG_DATA_HOME XDG_STATE_HOME XDG_CACHE_HOME
    """.split()
)
WAYS_OUT_PREFIXES = ("AWS_", "AZURE_", "ARM_", "GOOGLE_", "GCP_", "CLOUDSDK_", "VAULT_")
WAYS_OUT_ENDS = ("_PROXY", "_proxy", "_SOCK", "_SOCKET", "_PAT", "_PW", "_DSN", "_WEBHOOK", "_WEBHOOK_URL")
# Named like a secret, and none.
HARMLESS = frozenset(
    """
    CLAUDE_CODE_SESSION_ID CLAUDE_CODE_CHILD_SESSION CLAUDE_CODE_SESSION_ATTENDED XDG_SESSION_TYPE XDG_SESSION_CLASS
    XDG_SESSION_ID GIT_AUTHOR_NAME GIT_AUTHOR_EMAIL GIT_AUTHOR_DATE TERM_SESSION_ID KEYTIMEOUT PASSENGER_APP_ENV
    """.split()
)
# What the values of secrets begin with, and what stands in an address that holds one.
BEGINNINGS = tuple(
    "ghp_ gho_ ghs_ ghu_ github_pat_ glpat- sk- xoxb- xoxp- xoxa- AKIA ASIA npm_ pypi- eyJ -----BEGIN".split()
)

# Loaded into every program, the engine's own included, which still stands outside: set inside only.
LOADER_PREFIXES = ("LD_", "DYLD_", "GCONV_", "MALLOC_", "GLIBC_")


def contained(environ: Mapping[str, str], uid: int) -> dict[str, str]:
    """The environment of the contained command."""
    kept = {name: value for name, value in environ.items() if not is_withheld(name, value)}
    kept["TMPDIR"] = "/tmp"
    kept["XDG_RUNTIME_DIR"] = f"/run/user/{uid}"
    # A compiled file beside its source would run outside, in place of a source that everybody has read.
    kept.setdefault("PYTHONPYCACHEPREFIX", f"{kept.get('HOME', '/tmp')}/.cache/askfirst-pycache")
    # git refreshes its index when it only looks, which is a write to a directory that is read-only here.
    kept.setdefault("GIT_OPTIONAL_LOCKS", "0")
    return kept


def is_withheld(name: str, value: str) -> bool:
    if name in WAYS_OUT or name.startswith(WAYS_OUT_PREFIXES) or name.endswith(WAYS_OUT_ENDS):
        return True
    if name not in HARMLESS and (looks_secret(name) or is_masked(name)):
        return True
    return value.startswith(BEGINNINGS) or _has_password(value)


def _has_password(value: str) -> bool:
    """`scheme://user:password@host`."""
    _, scheme, rest = value.partition("://")
    person, at, _ = rest.partition("@")
    return bool(scheme and at) and "/" not in person and ":" in person
