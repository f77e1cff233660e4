"""What the models of tools may ask: judge what is hidden in a call, resolve a path, look at a file."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from askfirst.model import NO_PROGRAM_NAME, Assignment, Fact, Unknown, Word
from askfirst.shell import dialects, environment
from askfirst.shell.call import Analyst, Call, Outcome, Stdin
from askfirst.shell.numbers import is_integer
from askfirst.shell.walk.calls import BUILTINS, start_program
from askfirst.shell.walk.directories import SAME_SHELL

if TYPE_CHECKING:
    from askfirst.shell.dialects import Dialect
    from askfirst.shell.walk import Walk

MAX_TEXTS = 12  # texts inside texts: `bash -c "bash -c '…'"`


_KEEP_PATH = frozenset("nohup timeout time nice stdbuf setsid xargs".split())  # they find programs as the shell does


def words_behind(text: str, call: Call) -> tuple[Word, ...]:
    """What a shell's text is started with; all words, where it is not clear which is the text."""
    fits = [(len(w.value), n) for n, w in enumerate(call.words) if w.value is not None and text.endswith(w.value)]
    return call.words[max(fits, default=(0, 0))[1] + 1 :]


def is_one_word(word: Word) -> bool:
    """Whether it surely is one, and no option: a file that `find` finds begins as a place to begin does."""
    if word.value is not None:
        return word.value[:1] != "-" and word.value.split() == [word.value]
    return word.prefix[:1] not in ("", "-") and (word.glob or not word.many)


class ScriptAnalyst(Analyst):
    def __init__(self, walk: Walk) -> None:
        self.walk = walk

    # -- what is hidden in a call

    def script(self, text: str, call: Call, via: str, shell: str) -> tuple[Fact, ...]:
        from askfirst.shell import facts_of_text

        walk = self.walk
        if walk.context.level >= MAX_TEXTS:
            return (self.too_deep(text),)
        same_shell = via.split(" ")[0] in SAME_SHELL
        context = replace(
            walk.context,
            dialect=self.dialect(shell),
            cwd=None if via.startswith("trap") and walk.survey.movement.moves else call.cwd,
            via=(*call.via, via),
            level=walk.context.level + 1,
            outer=walk.survey,
            functions=walk.functions_here if same_shell else frozenset(),
            stdin=self.input_of(call),
            given_data=walk.context.given_data if same_shell else not all(map(is_one_word, words_behind(text, call))),
        )
        return facts_of_text(text, context)

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
        walk = self.walk
        if not words or words[0].value is None or words[0].many:
            return (Unknown("expansion", NO_PROGRAM_NAME, call.text, walk.source.words),)
        if walk.context.level >= MAX_TEXTS:
            return (self.too_deep(call.text),)
        if more_words:
            words = (*words, Word("…", None, many=True, data=True))
        inner = walk.inside(via, call)
        inner.activated_here = walk.source.environment_of(call) if via == "uv run" else ""
        if via in _KEEP_PATH:
            inner.activated_here = walk.activated_here
        program = environment.runner([w.value for w in words[:3]])
        for one in assignments:
            value = one.value.value
            # `env x='a[$(id)]' bash -c '((x))'`
            walk.survey.variables.set(one.name, number=value is not None and is_integer(value), times=2)
            why = environment.passed_on(one.name, value, program)
            inner.unknown_if(why, "environment", f"{one.name}={one.value.text}")
        text = " ".join(w.text for w in words)
        directory = call.cwd if cwd == "" else cwd
        one_call = Call(words, text, directory, assignments, call.stdin, inner.context.via)
        start_program(inner, one_call, builtin=via in ("command", "builtin") and one_call.name in BUILTINS)
        return tuple(inner.facts)

    def dialect(self, shell: str) -> Dialect:
        if shell == "same":
            return self.walk.context.dialect
        return dialects.of_login(self.walk.surroundings.login_shell) if shell == "login" else dialects.of(shell)

    def input_of(self, call: Call) -> Stdin:
        """What a call reads: `exec < FILE` may have changed what it inherits."""
        return Stdin("unknown") if call.stdin.kind == "inherited" and "exec" in self.walk.text else call.stdin

    def too_deep(self, text: str) -> Unknown:
        return Unknown("too long", "too deeply nested", text, self.walk.source.words)

    def assigned(self, assignments: tuple[Assignment, ...], call: Call, via: str) -> tuple[Fact, ...]:
        exports = via == "export" or any(
            w.value is not None and w.value.startswith("-") and "x" in w.value for w in call.words[1:]
        )
        check = environment.passed_on if exports else environment.kept
        if exports:
            later = [a for a in assignments if not a.append and environment.is_for_later(a.name, a.value.value)]
            self.walk.detours.exported += later
            assignments = tuple(one for one in assignments if one not in later)
        reasons = [check(one.name, one.value.value) for one in assignments]
        return tuple(Unknown("environment", why, call.text, self.walk.source.words) for why in reasons if why)

    # -- what is known of the script

    def is_array(self, name: str) -> bool:
        return self.walk.survey.variables.is_array(name)

    def is_function(self, name: str) -> bool:
        return name in self.walk.survey.movement.functions

    def extends_patterns(self) -> bool:
        return self.walk.zsh

    def whole_text(self) -> str:
        return self.walk.text

    # -- the world around it

    def path(self, text: str, cwd: str | None) -> str | None:
        return self.walk.detours.path(text, cwd)

    def read_file(self, path: str, limit: int = 65536) -> str | None:
        return self.walk.surroundings.read_file(path, limit)

    def read_part(self, path: str, at: int, size: int) -> bytes | None:
        return self.walk.surroundings.read_part(path, at, size)

    def names_in(self, path: str) -> tuple[str, ...] | None:
        """None, too, where the script has moved or linked something before: it may lie there then."""
        return None if self.walk.detours.count else self.walk.surroundings.names_in(path)

    def below(self, path: str, limit: int) -> tuple[str, ...] | None:
        return None if self.walk.detours.count else self.walk.surroundings.below(path, limit)

    def files_of_switch(self, cwd: str | None, name: str) -> tuple[str, ...] | None:
        look = self.walk.surroundings.files_of_switch
        return look(cwd, name) if look is not None and cwd is not None and not self.walk.detours.count else None

    def put_aside(self, cwd: str | None, *, new: bool) -> tuple[tuple[str, bool], ...] | None:
        look = self.walk.surroundings.put_aside
        return look(cwd, new) if look is not None and cwd is not None and not self.walk.detours.count else None

    def git_moves(self) -> tuple[Outcome, ...]:
        return tuple(self.walk.detours.git_moves)

    def exists(self, path: str) -> bool:
        return self.walk.surroundings.exists(path)

    @property
    def project(self) -> str:
        return self.walk.surroundings.project

    @property
    def home(self) -> str:
        return self.walk.surroundings.home
