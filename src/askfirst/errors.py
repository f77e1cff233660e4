"""One error tree. Each error explains itself in one line: `place: problem; the way out`."""

from __future__ import annotations

from errno import EDQUOT, ENOSPC, EROFS


class AskfirstError(Exception):
    """Anything askfirst can explain. The message is for people and never carries a traceback."""

    exit_code = 1


class UsageError(AskfirstError):
    """The command line is wrong."""

    exit_code = 2


class HookInputError(AskfirstError):
    """What the agent sent is not a tool call this gate understands."""


class StoreError(AskfirstError):
    """State could not be read or written."""

    def way_out(self) -> str:
        """What a person can do about a disk that takes nothing."""
        number = getattr(self.__cause__, "errno", 0)
        if number in (ENOSPC, EDQUOT):
            return "; free some space"
        if number == EROFS:
            return "; start it, and the agent, with XDG_STATE_HOME set to a directory that you can write"
        return ""


class ConfigError(AskfirstError):
    """A rule or settings file that cannot be used. Knows its place."""

    def __init__(
        self, problem: str, *, file: str = "", line: int = 0, column: int = 0, hint: str = "", excerpt: str = ""
    ) -> None:
        self.problem, self.hint, self.excerpt = problem, hint, excerpt
        self.file, self.line, self.column = file, line, column
        place = file + (f":{line}:{column}" if line else "")
        super().__init__((f"{place}: " if place else "") + problem + (f"; {hint}" if hint else ""))

    def values(self) -> tuple[str, str, int, int, str, str]:
        """All of it as plain values, which can be stored."""
        return self.problem, self.file, self.line, self.column, self.hint, self.excerpt

    @staticmethod
    def of(values: tuple[str, str, int, int, str, str]) -> ConfigError:
        problem, file, line, column, hint, excerpt = values
        return ConfigError(problem, file=file, line=line, column=column, hint=hint, excerpt=excerpt)


class Unreadable(ConfigError):
    """A rule file that is there and cannot be looked at: nobody knows what it forbids."""
