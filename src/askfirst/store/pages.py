"""Pages of `askfirst serve` that are open on this machine: their ports, for the gate, and the browsers that use them,
for `askfirst serve --sessions`.

    page/port-N        held with a lock while the page is open; the kernel releases it, however the page ends
    page/logins-N      the browsers that may use it; no token stands there
    page/open-N-…      leads a browser to the page, for as long as its link works
    page/end-N-ID      somebody wants this browser ended: the page does it, and removes the file
"""

from __future__ import annotations

import os
from typing import Any

from askfirst import jsontext
from askfirst.errors import StoreError
from askfirst.store import atomic, paths

_FOLDER = "page"
_PORT, _LOGINS, _END = "port-", "logins-", "end-"


def open_ports() -> tuple[int, ...]:
    """The ports at which a person can answer in a browser now."""
    directory = os.path.join(paths.state_dir(), _FOLDER)
    try:
        names = os.listdir(directory)
    except FileNotFoundError:
        return ()
    except OSError as error:
        raise StoreError(f"{directory}: cannot be looked at: {error.strerror}") from error
    found = [name for name in names if name.startswith(_PORT) and name.removeprefix(_PORT).isdigit()]
    held = [name for name in found if atomic.is_held(os.path.join(directory, name))]
    return tuple(sorted(int(name.removeprefix(_PORT)) for name in held))


class OpenPage:
    """`with OpenPage(port):` for as long as it is served."""

    def __init__(self, port: int) -> None:
        self.port, self._directory = port, paths.private_dir(_FOLDER)
        hidden, self._path = self._file(atomic.random_name(".new-")), self._file(f"{_PORT}{port}")
        try:
            # Locked under a hidden name first: it is never seen without its lock.
            atomic.new_file(hidden, b"")
            self._fd = os.open(hidden, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
            atomic.try_hold(self._fd)
            os.rename(hidden, self._path)
        except OSError as error:
            atomic.remove(hidden)
            raise StoreError(f"{self._directory}: cannot note the page: {error.strerror}") from error
        self._clear()

    def _file(self, name: str) -> str:
        return os.path.join(self._directory, name)

    def _clear(self) -> None:
        """What pages that ended have left."""
        alive = {str(port) for port in open_ports()}
        for name in os.listdir(self._directory):
            kind, _, rest = name.partition("-")
            if kind in ("port", "logins", "open", "end") and rest.partition("-")[0] not in alive:
                atomic.remove(self._file(name))

    def note_logins(self, logins: list[dict[str, Any]]) -> None:
        atomic.write_atomic(self._file(f"{_LOGINS}{self.port}"), jsontext.dumps(logins).encode())

    def to_end(self) -> list[str]:
        """The browsers that somebody wants ended, each once."""
        prefix = f"{_END}{self.port}-"
        try:
            found = [name for name in os.listdir(self._directory) if name.startswith(prefix)]
        except OSError:
            return []
        for name in found:
            atomic.remove(self._file(name))
        return [name.removeprefix(prefix) for name in found]

    def __enter__(self) -> OpenPage:
        return self

    def __exit__(self, *_error: object) -> None:
        atomic.remove(self._path)
        os.close(self._fd)
        if os.path.isdir(self._directory):
            self._clear()


def logins() -> list[tuple[int, dict[str, Any]]]:
    """(port, browser) of every page that is open."""
    found: list[tuple[int, dict[str, Any]]] = []
    for port in open_ports():
        try:
            data = atomic.read_private(os.path.join(paths.private_dir(_FOLDER), f"{_LOGINS}{port}"))
            found += [(port, login) for login in jsontext.loads(data) if isinstance(login, dict)]
        except (OSError, ValueError, TypeError, StoreError):
            continue  # no browser has come yet, or the page ends in this moment
    return found


def want_ended(port: int, id: str) -> None:
    atomic.write_atomic(os.path.join(paths.private_dir(_FOLDER), f"{_END}{port}-{id}"), b"")
