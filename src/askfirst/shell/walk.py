"""The walk over a script: turns syntax into facts.

It follows directories, knows variables that can only have one value, and asks the models of tools (shell/tools) what each call does.
Whatever bash would expand, execute or write on the way becomes a fact; whatever depends on data that is not in the text is Unknown.
"""

from __future__ import annotations

import os
from itertools import pairwise

from askfirst.knowledge.programs import COUNTERS
from askfirst.knowledge.variables import is_credential
from askfirst.model import Action, Assignment, Command, Read, Unknown, Write
from askfirst.model import Word as Known
from askfirst.shell import environment, zsh
from askfirst.shell.call import Analyst, Call, Outcome, Stdin
from askfirst.shell.names import Names, is_integer
from askfirst.shell.scan import plain_words
from askfirst.shell.syntax import (
    DECLARES,
    VALUELESS,
    Arithmetic,
    Branches,
    Coproc,
    Evaluate,
    For,
    Function,
    GiveUp,
    Group,
    Literal,
    Parameter,
    Script,
    Simple,
    Substitution,
)
from askfirst.shell.words import Values, evaluate, is_assignment

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Set as AbstractSet

    from askfirst.model import Fact
    from askfirst.shell.lex import Ledger
    from askfirst.shell.surroundings import Surroundings
    from askfirst.shell.syntax import AndOr, Hazard, Node, Part, Pipeline, Redirect, Set

LOOKING = ("[", "test", ":", "true", "[[")  # neither prints its words nor hands them on
MAX_TEXTS = 12  # texts inside texts: `bash -c "bash -c '…'"`
MAX_LOOP_WORDS = 12
MAX_TURNS = 100

BUILTINS = frozenset(
    """
. : [ alias bg bind break builtin caller cd command compgen complete compopt continue declare dirs disown echo enable eval exec exit
export false fc fg getopts hash help history jobs kill let local logout mapfile popd printf pushd pwd read readarray readonly return
set shift shopt source suspend test times trap true type typeset ulimit umask unalias unset wait
""".split()
)
# Run their text in this very shell: a `cd` in it moves the commands that follow.
RUNS_TEXT = frozenset(("hidden command", "eval"))
SAME_SHELL = frozenset(("eval", "source", ".", "command", "builtin", "trap", "exec"))
DISPLACES = frozenset(("delete", "move", "link", "mode"))
DISPLACERS = frozenset(("mv", "ln", "git mv", "rsync"))
NO_FILES = frozenset(("/dev/null", "/dev/stdout", "/dev/stderr", "/dev/stdin", "/dev/zero", "/dev/full"))


# Builtins that set variables, and for some the options that take no word.
PLAIN_OPTIONS = {
    "read": ("-r", "-s", "-rs", "-sr", "-a", "-ra"),
    "mapfile": ("-t",),
    "readarray": ("-t",),
    "unset": ("-v",),
}
GIVES = DECLARES | {"printf", *PLAIN_OPTIONS}


class State:
    """What is certain at one point of the script."""

    __slots__ = ("cwd", "entered", "functions", "given", "inside", "numbers", "piped", "reached", "stdin", "variables")

    def __init__(
        self, cwd: str | None, variables: dict[str, Known], functions: set[str], stdin: Stdin, piped: bool
    ) -> None:
        self.cwd, self.variables, self.functions, self.stdin, self.piped = cwd, variables, functions, stdin, piped
        self.numbers: set[str] = set()  # variables that are set, and always to a number
        self.given: set[str] = set()  # variables that the script itself has set, whatever to
        self.inside = False  # a function's body
        self.entered = ""  # a directory that `cd` finds now; nothing has relied on that yet
        self.reached: str | None = None  # where a `cd` has led if it succeeded, which only `&&` tells

    def copy(self) -> State:
        other = State(self.cwd, dict(self.variables), set(self.functions), self.stdin, self.piped)
        other.entered, other.numbers, other.given, other.inside = (
            self.entered,
            set(self.numbers),
            set(self.given),
            self.inside,
        )
        return other


def traces(script: str) -> bool:
    """Whether the shell may print every command with its words: `set -x`, `bash -eux`, `set -o xtrace`."""
    words = script.split()
    return "xtrace" in script or any(
        w[:1] == "-" and "x" in w and not w.startswith("--") and before.endswith(("set", "sh"))
        for before, w in pairwise(words)
    )


class Walk(Analyst):
    def __init__(
        self,
        text: str,
        surroundings: Surroundings,
        ledger: Ledger | None,
        names: Names,
        *,
        via: tuple[str, ...] = (),
        level: int = 0,
        outer: Walk | None = None,
    ) -> None:
        self.text, self.surroundings, self.ledger, self.names, self.via, self.level = (
            text,
            surroundings,
            ledger,
            names,
            via,
            level,
        )
        self.outer = outer  # another walk over the same text, which knows what does not change
        self.facts: list[Fact] = []
        self.certain: set[str] = set()  # functions that are defined for certain where the present call stands
        self.turns = 0  # how often bodies of loops were walked
        self.outcomes: dict[Call, Outcome] = {}
        self.programs: dict[tuple[str, str | None], tuple[str | None, str]] = {} if outer is None else outer.programs
        self._words: tuple[str, ...] | None = None
        self._traced: bool | None = None
        self._credentials: set[str] | None = None  # credentials that the script makes variables of
        self._made_of_credentials: tuple[AbstractSet[str], set[str]] | None = None
        self.zsh = surroundings.shell == "zsh"

    # -- facts

    def unknown(self, what: str, why: str, text: str = "") -> None:
        self.facts.append(Unknown(what, why, text, self.all_words()))

    def all_words(self) -> tuple[str, ...]:
        if self._words is None:
            self._words = plain_words(self.text) if self.outer is None else self.outer.all_words()
        return self._words

    @property
    def traced(self) -> bool:
        if self._traced is None:
            self._traced = traces(self.text) if self.outer is None else self.outer.traced
        return self._traced

    def differs(self, why: str) -> None:
        if why:
            self.unknown("syntax", why)

    def hazards(self, hazards: list[Hazard]) -> None:
        for hazard in hazards:
            if not (hazard.name and self.names.is_number(hazard.name)):
                self.unknown(hazard.what, hazard.why, hazard.text)

    # -- lists

    def run(self, script: Script, state: State) -> None:
        for item, separator in script.items:
            self.item(item, separator, state)

    def item(self, item: AndOr, separator: str, state: State) -> None:
        if separator != "&":
            self.and_or(item, state)
            return
        apart = state.copy()
        self.and_or(item, apart)
        if self.zsh and item.operators:
            self.join(state, apart)  # only the last part of the list runs in the background

    def lines(self, script: Script, state: State) -> None:
        """A whole text, of which an error in an expansion drops the rest of a line."""
        if self.ledger is None or "\n" not in self.text:
            self.run(script, state)  # there is no expansion, or no next line
            return
        from askfirst.shell.lines import ZEROS, stops

        zeros = ZEROS.search(self.text) is not None
        stopped: list[State] = []  # where the next line may begin
        for item, separator in script.items:
            if separator != "&" and stops(item, self.names, zeros):
                stopped.append(self.stopped(item, state))
            self.item(item, separator, state)
            if item.last:
                self.join_all(state, stopped)
                stopped = []

    def stopped(self, item: AndOr, state: State) -> State:
        """What is certain when the command is given up before its end."""
        found = state.copy()
        alone = len(item.pipelines) == 1 and isinstance(item.pipelines[0].commands[0], Simple)
        body = Script("", 0)
        body.items.append((item, ""))
        if self.names.moves and self.may_move([body]) and not (alone and not self.names.functions):
            found.cwd = None
        return found

    def and_or(self, item: AndOr, state: State) -> None:
        self.rely(state)
        certain = self.pipeline(item.pipelines[0], state)
        inner, left = state, list[State]()  # where the next command runs, and how the chain of `&&` may have been left
        for operator, pipeline in zip(item.operators, item.pipelines[1:], strict=True):
            if operator == "&&" and certain:
                certain = self.pipeline(pipeline, inner)
                continue
            if operator == "||":
                self.join_all(state, left)
                self.rely(state)
                state.reached = None
                inner, left = state, []
            branch = inner.copy()
            if operator == "&&" and inner.reached is not None:
                branch.cwd = inner.reached
            certain = self.pipeline(pipeline, branch)
            if operator == "||":
                certain = False
                self.join(state, branch)
            else:
                inner = branch
                left.append(branch)
        self.join_all(state, left)
        state.reached = None

    def join_all(self, state: State, branches: list[State]) -> None:
        for branch in branches:
            self.join(state, branch)

    def rely(self, state: State) -> None:
        """From here on commands run in the directory although nothing has tested that `cd` succeeded."""
        if state.entered:
            self.names.entered.add(state.entered)
            state.entered = ""

    def join(self, state: State, branch: State) -> None:
        """What is certain where a branch may or may not have run."""
        if branch.cwd != state.cwd:
            state.cwd = None
        else:
            self.rely(branch)
        state.functions &= branch.functions
        state.numbers &= branch.numbers
        state.given &= branch.given
        state.variables = {n: v for n, v in state.variables.items() if branch.variables.get(n) == v}

    def pipeline(self, pipeline: Pipeline, state: State) -> bool:
        """Walks it; True when it certainly succeeds."""
        state.reached = None
        if len(pipeline.commands) == 1:
            certain = self.node(pipeline.commands[0], state)
            if pipeline.negated:
                state.reached, certain = None, False
            return certain
        for k, node in enumerate(pipeline.commands):
            if self.zsh and k < len(pipeline.commands) - 1:
                self.differs(zsh.redirections(node.redirects, "01" if k else "1", bare=False))
            elif self.zsh:
                self.differs(zsh.redirections(node.redirects, "0", bare=False))
            part = state.copy()
            if k:
                part.stdin = self.piped_from(pipeline.commands[k - 1], node, state)
            part.piped = state.piped or k < len(pipeline.commands) - 1
            self.node(node, part)
        if self.names.options or self.zsh:
            self.join(state, part)  # zsh runs the last one in this shell, and so does bash with `shopt -s lastpipe`
        return False

    def piped_from(self, before: Node, node: Node, state: State) -> Stdin:
        """What a pipe carries, as far as the text says so. Behind it only one simple command: several would share it."""
        if (
            not isinstance(before, Simple)
            or not isinstance(node, Simple)
            or before.redirects
            or before.sets
            or not before.words
        ):
            return Stdin("pipe")
        if before.words[0].text in state.functions or before.words[0].text not in ("echo", "printf", "find"):
            return Stdin("pipe")
        from askfirst.shell.output import listed, printed

        values = self.values(state)
        words = [known for word in before.words for known in evaluate(word, values)]
        text = printed(words, Stdin())
        return Stdin("text", text) if text is not None else Stdin("pipe", names=listed(words))

    # -- commands

    def node(self, node: Node, state: State) -> bool:
        if not isinstance(node, Function) and any(self.may_fail(r) for r in node.redirects):
            # Where a file cannot be opened, the command does not run: `cd d < missing`.
            branch = state.copy()
            self.redirected(node, branch)
            self.join(state, branch)
            state.reached = branch.reached
            return False
        return self.redirected(node, state)

    def may_fail(self, redirect: Redirect) -> bool:
        if self.names.closes:
            return True
        return redirect.operator not in ("<<", "<<-", "<<<") and redirect.target.text not in ("/dev/null", "1", "2")

    def redirected(self, node: Node, state: State) -> bool:
        if isinstance(node, Simple):
            return self.simple(node, state)
        if isinstance(node, Function):
            self.function(node, state)
            return True
        if self.zsh:
            self.differs(zsh.redirections(node.redirects, "", bare=False))
        before = state.stdin
        state.stdin = self.redirects(node.redirects, state)
        if state.stdin.kind == "text":
            state.stdin = Stdin("shared")  # each command sees what those before it have left
        if isinstance(node, Group):
            if node.subshell:
                self.run(node.body, state.copy())
            else:
                self.run(node.body, state)
        elif isinstance(node, Branches):
            self.branches(node, state)
        elif isinstance(node, For):
            self.loop(node, state)
        elif isinstance(node, Evaluate):
            self.evaluation(node, state)
        elif isinstance(node, Coproc):
            why = environment.kept(node.name, None) if node.name != "COPROC" else ""
            if why:
                self.unknown("environment", why, node.name)
            inner = state.copy()
            inner.stdin, inner.piped = Stdin("unknown"), True
            self.node(node.body, inner)
        state.stdin = before
        return False

    def branches(self, node: Branches, state: State) -> None:
        for word in node.words[:1]:
            self.visit(word.parts, state)
        before = state.copy()
        if node.loop and self.names.moves:
            before.cwd = None if self.may_move(node.bodies) else before.cwd
        for k, body in enumerate(node.bodies):
            branch = before.copy()
            self.run(body, branch)
            self.join(state, branch)
            # A condition has run before the next branch; a body may have.
            self.join(before, branch)
            if k == 0 and not node.words:  # the first condition runs in any case: `while read -r KEY`
                state.given, before.given = set(branch.given), set(branch.given)
        for word in node.words[1:]:
            self.visit(word.parts, state)  # `;;&` tries the next pattern behind a body
        if node.loop:
            self.left(node.bodies, state)

    def left(self, bodies: list[Script], state: State) -> None:
        """`break` and `continue` leave a loop's body in whatever directory it has led to."""
        if self.names.leaves and self.names.moves and self.may_move(bodies):
            state.cwd = None

    def may_move(self, bodies: list[Script]) -> bool:
        inner = Names()
        for body in bodies:
            inner.script(body)
        return inner.moves or bool(inner.functions or self.names.functions)

    def loop(self, node: For, state: State) -> None:
        words: list[Known] = []
        for word in node.words or []:
            self.visit(word.parts, state)
            words.extend(evaluate(word, self.values(state)))
        inner = state.copy()
        if self.names.moves and self.may_move([node.body]):
            inner.cwd = None
        if self.names.is_one_number(node.name):
            inner.numbers.add(node.name)
        inner.given.add(node.name)
        certain = node.words is not None and not node.select and self.names.is_constant(node.name)
        if (
            certain
            and 0 < len(words) <= MAX_LOOP_WORDS
            and self.turns < MAX_TURNS
            and all(not w.many or w.glob for w in words)
        ):
            if environment.kept(node.name, None):
                self.unknown("environment", environment.kept(node.name, None), node.name)
            for value in dict.fromkeys(words):
                turn = inner.copy()
                self.turns += 1
                turn.variables[node.name] = value
                self.run(node.body, turn)
                self.join(state, turn)
        else:
            if environment.kept(node.name, None):
                self.unknown("environment", environment.kept(node.name, None), node.name)
            inner.variables.pop(node.name, None)
            self.run(node.body, inner)
            self.join(state, inner)
        state.variables.pop(node.name, None)
        self.left([node.body], state)

    def evaluation(self, node: Evaluate, state: State) -> None:
        self.hazards(node.hazards)
        for word in node.words:
            self.visit(word.parts, state)
        self.visit(list(node.arithmetic), state)
        if node.body:
            inner = state.copy()
            if self.names.moves and self.may_move([node.body]):
                inner.cwd = None
            self.run(node.body, inner)
            self.join(state, inner)
            self.left([node.body], state)

    def function(self, node: Function, state: State) -> None:
        name = node.name
        state.functions.add(name)
        if name in BUILTINS or self.surroundings.find_program(name) or is_modelled(name):
            self.unknown("function", f"a function takes the place of `{name}`", node.text)
        inner = State(None if self.names.moves else state.cwd, {}, set(state.functions), Stdin("unknown"), state.piped)
        inner.given, inner.inside = set(state.given), True
        first = len(self.facts)
        self.node(node.body, inner)
        if any(isinstance(f, Command) and f.name == name for f in self.facts[first:]):
            # `f(){ f|f& }`: without knowing when it ends, a function that starts itself is a fork bomb.
            self.unknown("function", f"the function `{name}` calls itself", node.text)

    # -- simple commands

    def simple(self, node: Simple, state: State) -> bool:
        first = len(self.facts)
        if self.zsh:
            self.differs(zsh.redirections(node.redirects, "", bare=not node.words))
            if node.redirects and any(zsh.is_descriptor(w.text) for w in node.words):
                self.differs("zsh takes `{name}` before a redirection for its descriptor")
        for one in node.sets:
            if self.zsh and one.array is None:
                self.differs(zsh.value(one.word.parts))
            self.visit(one.word.parts, state)
            for word in one.array or []:
                self.visit(word.parts, state)
            self.hazards(one.hazards)
        looks = bool(node.words) and node.words[0].text in LOOKING and not self.traced
        for word in node.words:
            self.visit(word.parts, state)
            if not looks:
                self.shown(word.parts, state)
        hidden, self.facts[first:] = self.facts[first:], []
        stdin = self.redirects(node.redirects, state)
        redirected, self.facts[first:] = self.facts[first:], []
        if redirected:
            redirected = self.with_content(node, redirected, state, stdin)
            if node.words and node.words[0].text in COUNTERS:  # `wc -l < FILE` shows nothing of the file
                redirected = [f.replace(by=node.words[0].text) if isinstance(f, Read) else f for f in redirected]
        certain = self.call_of(node, state, stdin)
        if redirected:
            # `sort FILE > FILE`: the shell empties it before the program reads it.
            read = {f.path for f in self.facts[first:] if isinstance(f, Read) and f.path}
            redirected = [
                f.replace(content=b"") if isinstance(f, Write) and f.path in read and f.how == "overwrite" else f
                for f in redirected
            ]
        self.facts.extend(redirected)
        self.facts.extend(hidden)
        return certain and not hidden and not redirected

    def with_content(self, node: Simple, redirected: list[Fact], state: State, stdin: Stdin) -> list[Fact]:
        """What `cat > FILE <<EOF` and `echo … > FILE` write is in the text, so their facts carry it."""
        from askfirst.shell.output import PRINTERS, printed, stdout_target

        target, name = stdout_target(node.redirects), node.words[0].text if node.words else ":"
        if target is None or name not in PRINTERS or name in state.functions:
            return redirected
        values = self.values(state)
        text = printed([known for word in node.words for known in evaluate(word, values)], stdin)
        if text is None:
            return redirected
        content = text.encode("utf-8", "surrogateescape")
        return [f.replace(content=content) if isinstance(f, Write) and f.text == target else f for f in redirected]

    def call_of(self, node: Simple, state: State, stdin: Stdin) -> bool:
        values = self.values(state)
        words: list[Known] = []
        if self.zsh and node.words and node.words[0].text.startswith("{"):
            self.differs("zsh reads `{` before a command's name as a group")
        if self.zsh and node.words and "=" in node.words[0].text and node.words[0].text[0].isdigit():
            self.differs("zsh sets a positional parameter")
        for word in node.words:
            if not word.parts:  # an array behind `declare`
                words.append(Known(word.text, None, prefix=word.text.partition("=")[0] + "="))
            else:
                # Behind `local` and its kin bash takes `x=$1` for an assignment: nothing splits.
                words.extend(evaluate(word, values, assigned=node.words[0].text in DECLARES and is_assignment(word)))
        if self.zsh:
            self.differs(zsh.numbers([w.value for w in words], self.text))
        if not node.words:
            return self.assignments(node.sets, state)
        sets = tuple(
            Assignment(s.name, self.value_of(s, values), s.append)
            for s in node.sets
            if s.array is None or s.word not in node.words
        )
        for one in sets:
            why = environment.passed_on(one.name, one.value.value, environment.runner([w.value for w in words[:3]]))
            if why and not (one.name == "IFS" and words and words[0].value == "read"):
                self.unknown("environment", why, f"{one.name}={one.value.text}")
        if not words or words[0].value is None or words[0].many:
            self.unknown("expansion", "the name of the program is not in the text", node.text)
            return False
        if any(self.is_zsh_only(word) for word in words):
            self.unknown("syntax", "zsh expands `=name` to a program's path", node.text)
        call = Call(tuple(words), node.text, state.cwd, sets, stdin, self.via, state.piped)
        return self.call(call, state)

    def value_of(self, one: Set, values: Values) -> Known:
        return evaluate(one.word, values, assigned=True)[0] if one.array is None else Known(one.word.text, None)

    def is_zsh_only(self, word: Known) -> bool:
        return word.text.startswith("=") and len(word.text) > 1 and (word.text[1].isalpha() or word.text[1] in "_/.")

    def assignments(self, sets: list[Set], state: State) -> bool:
        certain = True
        for one in sets:
            value = self.value_of(one, self.values(state))
            why = environment.kept(one.name, value.value)
            if why:
                self.unknown("environment", why, f"{one.name}={one.word.text}")
            if (
                self.names.is_constant(one.name)
                and one.array is None
                and not one.append
                and not one.element
                and not why
            ):
                state.variables[one.name] = value.replace(many=False)
            else:
                state.variables.pop(one.name, None)
            if self.names.is_one_number(one.name):
                state.numbers.add(one.name)
            if not one.append and not one.element:
                state.given.add(one.name)
            certain = certain and all(isinstance(p, Literal) for p in one.word.parts)
        return certain

    def call(self, call: Call, state: State | None, *, wrapped: bool = False) -> bool:
        """One program with its words: the command, and what hides in it. True when it certainly succeeds."""
        name = call.name
        self.certain = state.functions if state is not None else set()
        if call.stdin.kind == "rest":
            self.reads_script(call)
        if name in self.certain and not self.names.unsets:
            action = Action((name,), rule="function", allowed=True, description="a function of this script")
            self.facts.append(
                Command(name, call.words, call.text, call.cwd, None, call.assignments, call.via, action, builtin=True)
            )
            if self.names.moves and state is not None:
                state.cwd = None
            return False
        if state is not None and name in GIVES:
            state.given.update(given_by(call, inside=state.inside))
        outcome = self.outcomes.get(call) if name not in SAME_SHELL else None
        if outcome is None:
            outcome = self.outcomes[call] = self.outcome(call)
        builtin = not wrapped and name in BUILTINS
        program, foreign = (None, "") if builtin else self.program(name, call.cwd)
        self.facts.append(
            Command(
                name,
                call.words,
                call.text,
                call.cwd,
                program,
                call.assignments,
                call.via,
                outcome.action,
                builtin,
                foreign,
            )
        )
        if name in zsh.WORDS:
            self.unknown("syntax", f"`{name}` is a reserved word or builtin of zsh", call.text)
        self.facts.extend(outcome.facts)
        if name in self.names.functions and self.names.moves and state is not None:
            state.cwd = None  # where the function may be defined
            return False
        return self.moved(call, outcome, state)

    def reads_script(self, call: Call) -> None:
        """A program that reads the same standard input as the shell takes a part of the script away, and changes what is left."""
        from askfirst.shell.tools.inputs import may_read

        if may_read(call):
            self.unknown(
                "hidden command", f"`{call.name}` may read a part of the script that the shell reads", call.text
            )

    def moved(self, call: Call, outcome: Outcome, state: State | None) -> bool:
        """The directory after a command; True when the command certainly succeeds."""
        name = call.name
        if state is None:
            return False
        moved = any(isinstance(f, Command) and f.name in ("cd", "pushd", "popd") for f in outcome.facts)
        if (name in SAME_SHELL and moved) or outcome.cwd is None:
            state.cwd = None
        elif outcome.cwd:
            logical = self.directory(call, outcome.cwd, state.cwd)
            certain = logical is not None and self.surroundings.is_directory(outcome.cwd)
            state.reached, state.cwd, state.entered = (
                logical,
                logical if certain else None,
                outcome.cwd if certain else "",
            )
            return certain
        return name in ("true", ":", "set") or (name == "echo" and not self.names.closes)

    def directory(self, call: Call, resolved: str, cwd: str | None) -> str | None:
        """Where `cd` leads, as bash keeps it (`cd link; cd ..` comes back); None when it may be read in two ways."""
        operands = list(call.words[1:])
        physical = False
        while operands and operands[0].value in ("-L", "-P", "-e", "-@"):
            option = operands.pop(0).value
            physical = option == "-P" or (physical and option != "-L")
        if operands and operands[0].value == "--":
            del operands[0]
        target = (operands[0].value if operands else self.home) or ""
        if not target.startswith("/"):
            if cwd is None:
                return None
            target = cwd + "/" + target
        logical = resolved if physical else os.path.normpath(target)
        if self.surroundings.is_directory(resolved) and not self.surroundings.is_directory(target):
            return None  # `cd missing/..` fails
        return logical if self.surroundings.real_path(logical, None) == resolved else None

    def check_entered(self) -> None:
        """`mv src s2; cd src; echo x >> ../f`: the `cd` fails, and what follows runs one directory higher."""
        for fact in self.facts:
            if isinstance(fact, Write) and (fact.how in DISPLACES or fact.by in DISPLACERS):
                gone = next(
                    (
                        d
                        for d in sorted(self.names.entered)
                        if fact.path in (None, "/", d) or d.startswith(f"{fact.path}/")
                    ),
                    "",
                )
                if gone:
                    self.unknown(
                        "directory",
                        f"`cd` may not find {gone} where `{fact.text}` is moved, deleted or replaced",
                        fact.text,
                    )
                    return

    def outcome(self, call: Call) -> Outcome:
        from askfirst.shell import tools

        model = getattr(tools, "model", None)
        if model is None:
            return Outcome(Action((call.name,)))
        try:
            found: Outcome = model(call, self)
        except GiveUp as error:
            return Outcome(Action((call.name,)), (Unknown(error.what, error.why, call.text, self.all_words()),))
        except Exception as error:  # a model must never open the gate
            return Outcome(
                Action((call.name,)),
                (Unknown("internal", f"{call.name}: {type(error).__name__}: {error}", call.text, self.all_words()),),
            )
        # Text that comes from elsewhere in the script (`cat <<E | sh`) is searched for blocks as a whole.
        return found.replace(
            facts=tuple(
                f.replace(words=self.all_words()) if isinstance(f, Unknown) and f.what in RUNS_TEXT else f
                for f in found.facts
            )
        )

    def program(self, name: str, cwd: str | None) -> tuple[str | None, str]:
        """The real path of the program a name stands for, and why it is not the one a rule means."""
        key = (name, cwd if "/" in name else None)
        if key not in self.programs:
            path = self.surroundings.real_path(name, cwd) if "/" in name else self.surroundings.find_program(name)
            self.programs[key] = path, self.surroundings.foreign(path) if path else ""
        return self.programs[key]

    # -- expansions

    def values(self, state: State) -> Values:
        variables = dict(state.variables)
        for name, value in self.surroundings.variables.items():
            if (
                name not in self.names.times
                and not self.names.wild
                and name != "PWD"
                and not (name == "OLDPWD" and self.names.moves)
            ):
                variables.setdefault(name, Known(name, value))
        if state.cwd is not None and "PWD" not in self.names.times:
            variables["PWD"] = Known("PWD", state.cwd)
        home = None if "HOME" in self.names.times or self.names.wild else self.surroundings.home
        return Values(
            variables, home, state.cwd, braces=not self.names.options, splits=not self.zsh, numbers=state.numbers
        )

    def visit(self, parts: list[Part], state: State) -> None:
        """Everything that runs when these parts are expanded."""
        if self.zsh:
            self.differs(zsh.reading(parts))
        for part in parts:
            if isinstance(part, Literal):
                continue
            if self.ledger is not None:
                self.ledger.visit(part)
            if isinstance(part, Substitution):
                inner = state.copy()
                inner.piped = part.kind != ">(" or state.piped
                if part.kind == ">(":
                    inner.stdin = Stdin("pipe")
                self.run(part.script, inner)
            elif isinstance(part, Parameter):
                self.hazards(part.hazards)
                if part.operator in ("=", ":="):
                    why = environment.kept(part.name, None)
                    if why:
                        self.unknown("environment", why, part.name)
                for word in part.words:
                    self.visit(word.parts, state)
            elif isinstance(part, Arithmetic):
                self.hazards(part.hazards)
                for name in part.sets:
                    why = environment.kept(name, None)
                    if why:
                        self.unknown("environment", why, name)
                self.visit(part.parts, state)

    def shown(self, parts: list[Part], state: State) -> None:
        """A credential of the environment becomes an argument or the text of a program: it is printed, or goes on from there."""
        for part in parts:
            if isinstance(part, Parameter) and part.operator not in VALUELESS:
                if (part.name not in state.given and is_credential(part.name)) or self.holds_credential(part.name):
                    self.unknown("secrets", f"hands on `${part.name}`, which may be a credential", part.name)
                for word in part.words:
                    self.shown(word.parts, state)

    def holds_credential(self, name: str) -> bool:
        """`x=$GITHUB_TOKEN; echo $x`: whether the script makes a variable of a credential that it does not set itself."""
        if self.outer is not None:
            return self.outer.holds_credential(name)
        if self._credentials is None:
            self._credentials = {
                source for made_of in self.names.sources.values() for source in made_of if is_credential(source)
            }
        own = frozenset(c for c in self._credentials if c in self.names.times)
        if self._made_of_credentials is None or self._made_of_credentials[0] != own:
            self._made_of_credentials = own, self.made_of_credentials(own)
        return name in self._made_of_credentials[1]

    def made_of_credentials(self, own: AbstractSet[str]) -> set[str]:
        """All variables that are made of a credential, directly or by way of others; `own` are those that the script sets itself."""
        makes: dict[str, list[str]] = {}
        left: list[str] = []
        for name, made_of in self.names.sources.items():
            for source in made_of:
                makes.setdefault(source, []).append(name)
            if any(source == name or source not in own for source in made_of if is_credential(source)):
                left.append(name)
        found = set(left)
        while left:
            new = [name for name in makes.get(left.pop(), ()) if name not in found]
            found.update(new)
            left.extend(new)
        return found

    # -- redirections

    def redirects(self, redirects: list[Redirect], state: State) -> Stdin:
        stdin = state.stdin
        for redirect in redirects:
            self.visit(redirect.target.parts, state)
            if redirect.operator == "<<<":
                self.shown(redirect.target.parts, state)
            if redirect.fd.startswith("{"):
                why = environment.kept(redirect.fd[1:-1], None)
                if why:
                    self.unknown("environment", why, redirect.text)
            if redirect.operator in ("<<", "<<-"):
                found = self.heredoc(redirect, state)
            else:
                found = self.redirect(redirect, state)
            if found is not None:
                # `<&0` and `< /dev/stdin` are what was there before.
                same = "<&" in redirect.text or any(p in redirect.text for p in ("/dev/std", "/dev/fd", "/proc/"))
                stdin = state.stdin if same and state.stdin.kind == "rest" else found
        return stdin

    def heredoc(self, redirect: Redirect, state: State) -> Stdin | None:
        body = redirect.body
        if body is None:
            self.unknown("syntax", "a heredoc without a body", redirect.text)
            return None
        if self.ledger is not None:
            self.ledger.visit(redirect)
        self.visit(body.parts, state)
        self.shown(body.parts, state)
        if redirect.fd not in ("", "0"):
            return None
        value = evaluate(body, self.values(state), assigned=True)[0].value if body.parts else ""
        return Stdin("text", value) if value is not None else Stdin("unknown")

    def redirect(self, redirect: Redirect, state: State) -> Stdin | None:
        operator, target = redirect.operator, redirect.target
        if operator == "<<<":
            value = evaluate(target, self.values(state), assigned=True)[0].value
            return (
                None
                if redirect.fd not in ("", "0")
                else Stdin("text", value + "\n")
                if value is not None
                else Stdin("unknown")
            )
        words = evaluate(target, self.values(state))
        word = words[0] if len(words) == 1 else Known(target.text, None, many=True)
        if operator in ("<&", ">&") and self.is_duplicate(word):
            return Stdin("unknown") if redirect.fd == "0" or (operator == "<&" and not redirect.fd) else None
        if any(isinstance(p, Substitution) and p.kind in ("<(", ">(") for p in target.parts) and len(target.parts) == 1:
            return Stdin("pipe") if operator == "<" and redirect.fd in ("", "0") else None
        value = word.value
        if operator == ">&" and (value is None or not is_plain_name(value)):
            # Bash expands this target twice: `>& '$(cmd)'` runs cmd.
            self.unknown("expansion", "the target of `>&` is expanded twice", redirect.text)
            return None
        if (value is not None and value.startswith(("/dev/tcp/", "/dev/udp/"))) or (
            value is None and word.prefix.startswith("/dev/tcp")
        ):
            self.unknown("network", "the shell opens a network connection", redirect.text)
        elif operator == "<":
            self.facts.append(
                Read(self.path(value, state.cwd) if value is not None else None, target.text, "redirection")
            )
        else:
            self.write(redirect, word, state)
        return (
            Stdin("file")
            if (operator in ("<", "<>", "<&") and redirect.fd in ("", "0")) or redirect.fd == "0"
            else None
        )

    def is_duplicate(self, word: Known) -> bool:
        value = word.value
        return value is not None and value.isascii() and (value == "-" or value.removesuffix("-").isdigit())

    def write(self, redirect: Redirect, word: Known, state: State) -> None:
        if word.value is None and "$(" in word.text:
            from askfirst.shell.tools.substituted import substituted_word

            word = substituted_word(word, state.cwd, self)
        value = word.value
        path = self.path(value, state.cwd) if value is not None else None
        if (
            value in NO_FILES
            or path in NO_FILES
            or (value is not None and value.startswith("/dev/fd/") and value[8:].isdigit())
        ):
            return
        how = "append" if ">>" in redirect.operator else "create" if redirect.operator == "<>" else "overwrite"
        self.facts.append(Write(path, redirect.target.text, how, "redirection"))

    # -- what models ask

    def script(self, text: str, call: Call, via: str) -> tuple[Fact, ...]:
        from askfirst.shell import facts_of_text

        if self.level >= MAX_TEXTS:
            return (Unknown("too long", "too deeply nested", text, self.all_words()),)
        same_shell = via.split(" ")[0] in SAME_SHELL
        cwd = None if via.startswith("trap") and self.names.moves else call.cwd
        return facts_of_text(
            text,
            self.surroundings,
            cwd=cwd,
            via=(*call.via, via),
            level=self.level + 1,
            outer=self.names,
            functions=self.certain if same_shell else frozenset(),
            stdin=call.stdin,
            piped=call.piped,
        )

    def argv(
        self,
        words: tuple[Known, ...],
        call: Call,
        via: str,
        *,
        cwd: str | None = "",
        more_words: bool = False,
        assignments: tuple[Assignment, ...] = (),
    ) -> tuple[Fact, ...]:
        if not words or words[0].value is None or words[0].many:
            return (Unknown("expansion", "the name of the program is not in the text", call.text, self.all_words()),)
        if self.level >= MAX_TEXTS:
            return (Unknown("too long", "too deeply nested", call.text, self.all_words()),)
        if more_words:
            words = (*words, Known("…", None, many=True))
        inner = Walk(
            self.text, self.surroundings, None, self.names, via=(*call.via, via), level=self.level + 1, outer=self
        )
        directory = call.cwd if cwd == "" else cwd
        for one in assignments:
            self.names.set(
                one.name, one.value.value is not None and is_integer(one.value.value), 2
            )  # `env x='a[$(id)]' bash -c '((x))'`
        text = " ".join(w.text for w in words)
        for one in assignments:
            why = environment.passed_on(one.name, one.value.value, environment.runner([w.value for w in words[:3]]))
            if why:
                inner.unknown("environment", why, f"{one.name}={one.value.text}")
        one_call = Call(words, text, directory, assignments, call.stdin, inner.via, call.piped)
        inner.call(one_call, None, wrapped=via not in ("command", "builtin"))
        return tuple(inner.facts)

    def assigned(self, assignments: tuple[Assignment, ...], call: Call, via: str) -> tuple[Fact, ...]:
        exports = via == "export" or any(
            w.value is not None and w.value.startswith("-") and "x" in w.value for w in call.words[1:]
        )
        out: list[Fact] = []
        for one in assignments:
            why = (environment.passed_on if exports else environment.kept)(one.name, one.value.value)
            if why:
                out.append(Unknown("environment", why, call.text, self.all_words()))
        return tuple(out)

    def is_array(self, name: str) -> bool:
        return self.names.is_array(name)

    def is_function(self, name: str) -> bool:
        return name in self.names.functions

    def path(self, text: str, cwd: str | None) -> str | None:
        return self.surroundings.real_path(text, cwd)

    def read_file(self, path: str, limit: int = 65536) -> str | None:
        return self.surroundings.read_file(path, limit)

    def exists(self, path: str) -> bool:
        return self.surroundings.exists(path)

    @property
    def project(self) -> str:
        return self.surroundings.project

    @property
    def home(self) -> str:
        return self.surroundings.home


def given_by(call: Call, *, inside: bool) -> list[str]:
    """The variables that a builtin certainly sets."""
    words = [w.value if w.value is not None else w.prefix for w in call.words]
    if call.name == "printf":
        return words[2:3] if words[1:2] == ["-v"] else []
    if call.name in DECLARES:
        # Without a value it keeps what the environment holds; outside a function `local` is an error.
        return [
            w.partition("=")[0]
            for w in words[1:]
            if ("=" in w or call.name == "local") and (inside or call.name != "local")
        ]
    out: list[str] = []
    plain = True
    for word in words[1:]:
        if plain and word[:1] != "-":
            out.append(word)
        plain = word in PLAIN_OPTIONS[call.name] or (plain and word[:1] != "-")
    return out


def is_plain_name(text: str) -> bool:
    return text.isascii() and all(c.isalnum() or c in "_./,:@%+=-" for c in text)


def is_modelled(name: str) -> bool:
    from askfirst.shell import tools

    return name in getattr(tools, "REGISTRY", {})
