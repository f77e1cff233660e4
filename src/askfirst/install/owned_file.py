"""A file that is askfirst's from the first line to the last: a plugin, a hook script.

A file of somebody else's is never replaced.
"""

from __future__ import annotations

import os
from abc import abstractmethod

from askfirst.digest import sha256_hex
from askfirst.errors import ConfigError
from askfirst.install import settings_file, undo
from askfirst.install.installer import Installer, Registration
from askfirst.install.undo import Done

MARK = b"written by `askfirst init`"  # stands in each such file


class OwnedFileInstaller(Installer):
    """An agent that takes a file of our own among its hooks or plugins."""

    mode = 0o644

    @abstractmethod
    def content(self, scope: str) -> bytes:
        """The whole file; `MARK` stands in it."""

    def install(self, scope: str, project: str) -> Done:
        path, data = self.settings_path(scope, project), self.content(scope)
        settings_file.refuse_leading_out(path, "" if scope == "user" else project)
        before = settings_file.read(path)
        if before == data:
            return Done(path, undo.UNCHANGED)
        if before is not None and MARK not in before:
            raise ConfigError("exists, and is not askfirst's", file=path, hint="move it away; nothing was changed")
        known = undo.recall(path)
        if known is not None and before is not None:
            made = known[0].made_dirs
        else:
            made = settings_file.missing_dirs(os.path.dirname(path))
        undo.remember(undo.Installed(path, False, sha256_hex(data), made), b"")
        settings_file.write(path, data, new_mode=self.mode)
        if settings_file.read(path) != data:
            raise ConfigError("was written by someone else just now", file=path, hint="run `askfirst init` again")
        return Done(path, undo.WRITTEN)

    def uninstall(self, scope: str, project: str) -> Done:
        path = self.settings_path(scope, project)
        present = settings_file.read(path)
        known = undo.recall(path)
        undo.forget(path)
        if present is None or MARK not in present:
            return Done(path, undo.ABSENT)
        os.unlink(path)
        if known is not None:
            settings_file.remove_empty(known[0].made_dirs)
        return Done(path, undo.REMOVED)

    def look(self, scope: str, project: str) -> Registration:
        path = self.settings_path(scope, project)
        try:
            with open(path, "rb") as file:
                data = file.read(settings_file.MAX_BYTES)
        except FileNotFoundError:
            return Registration(path)
        except OSError as error:
            return Registration(path, exists=True, broken=f"cannot be read: {error.strerror}")
        if MARK not in data:
            return Registration(path, exists=True)
        if data != self.content(scope):
            # It may have come with a repository, so it is not tried.
            weak = ("it is not what `askfirst init` writes now",)
            return Registration(path, exists=True, registered=True, weak=weak)
        return Registration(path, exists=True, registered=True, commands=(self.command(path),))

    def runs_inside(self, command: str, project: str) -> bool:
        return False  # the file is ours to the last byte

    def command(self, path: str) -> str:
        """What the agent runs. A file with another command is not what `init` writes, and `look` says so."""
        return self.gate_command()
