"""What passes between the walk over a script and the models of tools.

The walk (shell/walk) turns syntax into calls: one simple command each, with its words, its environment, its directory
and what its standard input is. The models (shell/tools) say what a call does: its action, and the facts that hide in
its arguments.
"""

from __future__ import annotations

from dataclasses import dataclass

from askfirst.model import Action, Assignment, Fact, Unknown, Word
from askfirst.shell.environment import kept, passed_on


@dataclass(frozen=True)
class Stdin:
    """What a call reads on its standard input."""

    # inherited, pipe, file, unknown; text: a heredoc or here-string whose text is known; shared: such a text, of which
    # others may have read a part; rest: what is left of the script that the shell itself reads from there
    kind: str = "inherited"
    text: str | None = None  # for kind "text": the exact text
    names: str = ""  # for kind "pipe": it carries names that begin with this and end with a NUL (`find src -print0`)
    among: tuple[Word, ...] = ()  # for kind "pipe": the names that it carries are among these (see Word)
    path: str | None = None  # for kind "file": which, where that is known


@dataclass(frozen=True)
class Call:
    """One simple command, before any knowledge about the program."""

    words: tuple[Word, ...]  # words[0] names the program and has a known value
    text: str
    cwd: str | None
    assignments: tuple[Assignment, ...] = ()
    stdin: Stdin = Stdin()
    via: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        return self.words[0].value or ""


@dataclass(frozen=True)
class Outcome:
    """What a model says about a call."""

    action: Action
    facts: tuple[Fact, ...] = ()  # hidden programs, writes, sensitive reads, what is not understood
    cwd: str | None = ""  # "" the directory stays; None it is not known afterwards; else the new one (cd, pushd)


class Analyst:
    """What a model may ask of the analysis: judge what is hidden in a call, resolve a path. See walk/analyst.py."""

    def script(self, text: str, call: Call, via: str, shell: str) -> tuple[Fact, ...]:
        """The facts of a text that a shell would run (`bash -c TEXT`, `eval`, `find -exec sh -c`).

        `shell`: which one; "sh" for the system's (`system()`, `popen()`), "login" for `$SHELL`, "same" for the one that
        runs the call.
        """
        raise NotImplementedError

    def argv(
        self,
        words: tuple[Word, ...],
        call: Call,
        via: str,
        *,
        cwd: str | None = "",
        more_words: bool = False,
        assignments: tuple[Assignment, ...] = (),
    ) -> tuple[Fact, ...]:
        """The facts of a program with its words (`env A=1 PROGRAM …`, `xargs PROGRAM …`).

        `more_words`: further words that nobody knows are appended at run time (xargs, find -exec … {} +).
        """
        raise NotImplementedError

    def assigned(self, assignments: tuple[Assignment, ...], call: Call, via: str) -> tuple[Fact, ...]:
        """The facts of variables that a builtin sets (`read A`: no value) or hands on to programs (`export A=b`)."""
        reasons = ((a, (passed_on if via == "export" else kept)(a.name, a.value.value)) for a in assignments)
        return tuple(Unknown("environment", why, f"{a.name}={a.value.text}", (call.name,)) for a, why in reasons if why)

    def input_of(self, call: Call) -> Stdin:
        """What a call reads on its standard input."""
        return call.stdin

    def is_array(self, name: str) -> bool:
        """Whether a variable of the script may be an array: `declare` evaluates a value `(…)` for it."""
        return True

    def is_function(self, name: str) -> bool:
        """Whether the script may define a function of this name, which prints what it likes."""
        return True

    def path(self, text: str, cwd: str | None) -> str | None:
        """Absolute path with symlinks resolved as far as it exists; None when the directory is not known."""
        raise NotImplementedError

    def extends_patterns(self) -> bool:
        """Whether the shell may know `#`, `^` and `~` in patterns: zsh, where the person has switched that on."""
        return False

    def whole_text(self) -> str:
        """The script around a call, for a look at what its data could be (`echo ~/.ssh/id_rsa | xargs cat`)."""
        return ""

    def read_file(self, path: str, limit: int = 65536) -> str | None:
        """A small file's text, or None (git's repository configuration, package.json). Never raises."""
        raise NotImplementedError

    def read_part(self, path: str, at: int, size: int) -> bytes | None:
        """A part of a file, or None (the definitions in a database). Never raises."""
        raise NotImplementedError

    def names_in(self, path: str) -> tuple[str, ...] | None:
        """What a directory holds, or None where nobody can tell. Never raises."""
        raise NotImplementedError

    def below(self, path: str, limit: int) -> tuple[str, ...] | None:
        """The files below a directory, by their names there; None where nobody can tell, or one is a link."""
        return None

    def files_of_switch(self, cwd: str | None, name: str) -> tuple[str, ...] | None:
        """The files that git would write to get to a branch, or to "stash@{N}"; None where nobody can tell."""
        return None

    def put_aside(self, cwd: str | None, *, new: bool) -> tuple[tuple[str, bool], ...] | None:
        """The files that `git stash` would change, and whether each goes away; None where nobody can tell."""
        return None

    def git_moves(self) -> tuple[Outcome, ...]:
        """What git did, earlier in the script, after which branches or what was put aside may be others."""
        return (Outcome(Action(("git",))),)

    def exists(self, path: str) -> bool:
        """Whether something of this name is there: a file, a directory, a link that leads nowhere. Never raises."""
        raise NotImplementedError

    @property
    def project(self) -> str:
        raise NotImplementedError

    @property
    def home(self) -> str:
        raise NotImplementedError
