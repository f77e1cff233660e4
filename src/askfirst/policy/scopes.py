"""What can be remembered of one command, narrowest first, in words and as an entry of a rule file."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from askfirst.knowledge.definitions import takes_the_tree
from askfirst.knowledge.programs import (
    BROUGHT_BY,
    DANGEROUS,
    DISPATCHERS,
    INTERPRETERS,
    LOOKS,
    ON_DATA,
    PACKAGES,
    TAKES_DATA,
    base_name,
    family,
    looking_words,
)
from askfirst.knowledge.variables import chooses, is_masked, loads_code
from askfirst.model import Command, Decision, Finding, Kind, Layer, Scope, Unknown, Verdict, Word
from askfirst.policy.arguments import fingerprint, parse, quoted
from askfirst.policy.file_hashes import NOT_KNOWN, file_hash
from askfirst.policy.match import is_installed
from askfirst.policy.named_files import named_files
from askfirst.policy.pinning import (
    ANY_CONTENT,
    NO_DIRECTORY,
    PACKAGES_NAMED,
    action_words,
    content_hash,
    covers_below,
    host_of_url,
    installed_packages,
    is_inside,
    key_of,
    kind_of,
    machine_of,
    not_known,
    run_hash,
    script_of,
    taken_in,
    target_of,
    where_of,
    wrapper_words,
)
from askfirst.policy.tool_scope import entry_of as tool_entry
from askfirst.redact import redact

if TYPE_CHECKING:
    from askfirst.policy.rules import Layers

__all__ = ["Part", "command_part", "entry_of", "env_of", "words_of"]

NONE_THERE = ", while none of the files that it looks for is there"
TOO_MANY_FILES = "it takes in more files than askfirst looks through"
MAX_SHOWN = 3
_SECRET = "⟨a secret⟩"
# What the tables call the code that an interpreter runs, where it is not remembered by its file.
_RUNS = {ON_DATA: "code that only works on data", "tests": "test of the project"}
# Sub-commands of programs that no table knows, behind which the other words matter more than the sub-command does.
_CHOOSING = frozenset(
    """
install i add upgrade dlx x plugin plugins extension extensions tap
run exec execute eval shell sh bash script console repl cmd command ssh
deploy publish push upload release
remove rm delete del destroy drop purge prune wipe reset kill uninstall
login auth secret secrets token config set
""".split()
)


# First words that say what is done. Behind any other the second word does: `prisma migrate dev` is not `migrate reset`.
_VERBS = (
    _CHOOSING
    | LOOKS
    | frozenset(
        """
create new update edit open close start stop restart up down build test tests lint check watch serve dev ready sync
pull fetch tag export import generate gen init validate verify format fmt clean preview render convert compile bundle
append comment note assign claim query read write count diff log ping send wait record capture print dump load
click dblclick type goto fill screenshot snapshot press hover select scroll navigate back forward reload find is tab
""".split()
    )
)


# Verbs behind a group of a platform's command line (`vercel env rm`, `fly secrets set`) that change one named thing.
_CHANGES = frozenset("rm remove add set unset create update delete del enable disable rename link unlink".split())
_NO_OPTIONS = ("-*", "+*")
_NAMES = 4  # so many it may name: `vercel dns add DOMAIN NAME CNAME VALUE`
_NO_QUESTIONS = frozenset({"--yes", "-y"})  # the platform's client asks nothing more
# Options at the end with which the same is deployed: `vercel --force` builds it anew.
_SAME_DEPLOYMENT = {"vercel": ("--yes", "--force", "--force --yes")}


@dataclass(frozen=True)
class Part:
    """What an approval could remember of one asked fact."""

    finding: Finding
    steps: tuple[tuple[str, Scope], ...] = ()  # (step, scope), narrowest first; (): only as part of the exact text
    only_once: str = ""  # why not even for the session
    not_permanent: str = ""  # why no file may hold it


def command_part(
    finding: Finding, command: Command, layers: Layers, commands: tuple[Command, ...], env: tuple[str, ...]
) -> Part:
    where = where_of(command, layers)
    if where is None:
        return Part(finding, only_once="the directory where it would run is unknown, so it is allowed once at most")
    danger = bool(finding.danger or command.action.danger)
    if command.cwd is not None and (danger or _runs_what_is_here(command)):
        where = command.cwd  # what `terraform apply` changes and what `cargo run` runs, the directory says
    base = Scope(
        "command",
        _name(command, layers.project),
        env=env,
        where=where,
        via=machine_of(command),
        dangerous=danger,
        paths=_runs(where),
    )
    part = _by_kind(finding, command, base, commands, layers)
    if content_hash(command) == NOT_KNOWN:
        why = "the same text may change what it runs" if taken_in(command).counted else TOO_MANY_FILES
        part = replace(part, only_once=f"{why}, so it is allowed once at most")
    # Where its words would name something else in another directory, only this one is left.
    cwd = command.cwd or where
    here = (
        (name, replace(scope, where=cwd, shown=scope.shown and f"{scope.shown}, in {cwd}"))
        for name, scope in part.steps
        if not scope.where
    )
    project, (stay, tree) = layers.project, _stays(command, base, layers.project)
    steps = tuple(
        (name, replace(scope, shown=scope.shown or words_of(scope, project, f"{stay}{tree}" if scope.sha256 else tree)))
        for name, scope in (*part.steps, *here)
    )
    return replace(part, steps=steps, not_permanent=_why_not_permanent(part, command, base))


def _runs_what_is_here(command: Command) -> bool:
    return kind_of(command) == Kind.CODE and not script_of(command)


def _why_not_permanent(part: Part, command: Command, base: Scope) -> str:
    finding = part.finding
    if base.dangerous:
        return "it is dangerous, so a yes to it is not made permanent"
    if finding.decision == Decision.ASK and (
        finding.origin.layer != Layer.NOTHING or finding.origin.rule == "look-alike"
    ):
        return part.not_permanent or "a rule wants it asked, and no entry of the project lifts that"
    if base.via:
        return part.not_permanent or f"it runs on another machine ({base.via}): a rule file speaks of this one"
    return part.not_permanent


def _runs(where: str) -> str:
    return "any" if where == NO_DIRECTORY else "cwd"


def _name(command: Command, project: str) -> str:
    """As an entry names the program: by its name where it is the installed one, else by its path."""
    program = command.program or ""
    if "/" not in command.name and _is_brought(program, project) and base_name(program) == command.name:
        return program  # of the activated environment: the same as `.venv/bin/NAME`
    if command.builtin or is_installed(command):
        return base_name(command.name) if "/" in command.name else command.name
    return command.program or _absolute(command)


def _absolute(command: Command) -> str:
    name = command.name
    return os.path.normpath(name if name.startswith("/") else f"{command.cwd}/{name}") if "/" in name else name


def _by_kind(finding: Finding, command: Command, base: Scope, commands: tuple[Command, ...], layers: Layers) -> Part:
    wrapped = 0 if command.action.free else wrapper_words(command, commands)
    if wrapped:
        return _wrapper_part(finding, command, base, wrapped, layers.project)
    script = script_of(command)
    if script and not _is_brought(script, layers.project):
        return _script_part(finding, command, base, script, layers)
    kind, unknown = kind_of(command), not_known(command)
    if command.action.unsaid and not command.action.free:
        return Part(finding, only_once=unknown, not_permanent="its words do not say which branch is meant")
    if kind in (Kind.INLINE, Kind.WRAPPER, Kind.CODE) and not command.action.free:
        reason = f"`{key_of(command)[0]}` runs code: only the exact text is remembered"
        return Part(finding, only_once=unknown, not_permanent=reason)
    exact = () if unknown or not _says_what_it_does(command) else (("exact", _exact(command, base)),)
    if command.action.rule and (command.action.free or kind in (Kind.READ, Kind.BUILD, Kind.EDIT)):
        action = _by_action(command, base)
        # Where the command itself names something outside the project, its kin may.
        return Part(finding, (*exact, ("action", action), ("action", replace(action, paths=base.paths))))
    if unknown:
        return Part(finding, only_once=unknown)
    return _by_words(finding, command, base, exact, layers.project)


def _says_what_it_does(command: Command) -> bool:
    """Not where a branch stands in another file, and not of code that was read: it may be other code later."""
    return not command.action.unsaid and action_words(command) != ON_DATA


def _wrapper_part(finding: Finding, command: Command, base: Scope, words: int, project: str) -> Part:
    """Never the wrapper alone: with the options it has, for the program it runs; that one's own words are remembered by
    its own part."""
    head = _pattern(command.argv[1:words], command)
    inner = _pattern(command.argv[words : words + 1], command)
    scope = replace(base, args=(f"{head} {inner} ...".lstrip(),))
    shown = f"`{f'{base.name} {_shown(head)}'.rstrip()}` in front of `{_shown(inner)}`{_conditions(scope, project)}"
    return Part(finding, (("action", replace(scope, shown=shown)),))


def _installation(finding: Finding, command: Command, base: Scope, project: str) -> Part:
    """For what it would install now: each file that it obeys is pinned, and named. A package by its name covers its
    versions."""
    refuse = "what it installs is not in its words, so it is not made permanent"
    if not all(file.place and file_hash(file.place) for file in command.obeys):
        return Part(finding, only_once="askfirst cannot tell what it would install", not_permanent=refuse)
    exact, named = _exact(command, base), installed_packages(command)
    says_all = bool(named) or _names_packages(command)
    if says_all:
        refuse = "it also takes in the project's manifest, which may change, so it is not made permanent"
    steps = [("exact", exact)]
    if named:
        steps.append(("action", replace(exact, args=(), action=action_words(command), target=named)))
    used = (os.path.relpath(path, project) if is_inside(path, project) else path for path in named_files(command))
    files = tuple(dict.fromkeys((*(file.path for file in command.obeys), *used)))
    be = "is as it is" if len(files) == 1 else "are as they are"
    stay = f", while {' and '.join(files)} {be} now" if files else ""
    shown = ((name, replace(s, shown=words_of(replace(s, sha256=""), project) + stay)) for name, s in steps)
    return Part(finding, tuple(shown), not_permanent="" if says_all and not exact.sha256 else refuse)


def _names_packages(command: Command) -> bool:
    """Whether its words name what is installed, and no file or place does: `gem install rake`, not `gem install .`."""
    words = [w.value or "." for w in command.argv[1:] if w.value not in key_of(command) and w.value != "-g"]
    plain = all(w[0].isalnum() and "://" not in w and not w.endswith(_PACKED) for w in words)
    return base_name(command.name) in _NAME_PACKAGES and bool(words) and plain and not named_files(command)


_NAME_PACKAGES = frozenset("composer gem go pipx poetry uv".split())
_PACKED = (".gem", ".whl", ".gz", ".tgz", ".zip")


def _by_words(
    finding: Finding, command: Command, base: Scope, exact: tuple[tuple[str, Scope], ...], project: str
) -> Part:
    """Where the words matter: what is fetched, deleted, sent, or told to a program that no table knows."""
    kind = kind_of(command)
    if kind == Kind.INSTALL:
        return _installation(finding, command, base, project)
    if kind == Kind.DESTRUCTIVE:
        by_name = base_name(command.name) in ("pkill", "killall")  # in whatever directory
        here = _exact(command, base if by_name else replace(base, where=command.cwd or NO_DIRECTORY))
        refuse = "" if by_name else "what cannot be taken back is not made permanent"
        return Part(finding, (("exact", here),), not_permanent=refuse)
    if kind == Kind.NETWORK:
        return Part(
            finding,
            (
                *exact,
                *(
                    _by_host(command, base)
                    or _looking(command, base)
                    or _changing(command, base)
                    or _deploying(command, base)
                ),
            ),
        )
    return Part(finding, (*exact, *_by_word(command, base, finding)))


def _is_brought(path: str, project: str) -> bool:
    """A program that the project's own environment brings (`.venv/bin`): it is named, not pinned."""
    return is_inside(path, project) and os.path.dirname(path).endswith(tuple(BROUGHT_BY))


def _exact(command: Command, base: Scope) -> Scope:
    return replace(base, args=(_pattern(command.argv[1:], command),), sha256=base.sha256 or content_hash(command))


def _pattern(words: tuple[Word, ...], command: Command, *, rest: bool = False) -> str:
    clear = redact(command.text) + " " + redact(" ".join(w.value or "" for w in command.argv))
    tokens = [_token(w.value or "", clear) for w in words]
    return " ".join([*tokens, *(["..."] if rest else [])])


def _token(word: str, clear: str) -> str:
    """The word, or its fingerprint where it may hold a secret: what redaction takes out of the text is one."""
    return quoted(word) if word in clear and redact(word) == word else f"{{{fingerprint(word)}}}"


def _by_action(command: Command, base: Scope) -> Scope:
    elsewhere = command.action.kind == Kind.NETWORK or command.action.key[-1:] == ("exec",)
    paths = base.paths if base.where == NO_DIRECTORY or (command.action.free and elsewhere) else "project"
    name, _, package = command.action.package.partition(" ")
    if package:
        return replace(base, name=name, action=package, target=command.action.target, paths=paths)
    return replace(
        base, action=action_words(command), target=target_of(command), paths=paths, sha256=content_hash(command)
    )


def _by_host(command: Command, base: Scope) -> tuple[tuple[str, Scope], ...]:
    """Every word as it is, but the addresses on the host: there the path is free."""
    host = command.action.target
    words = [w.value or "" for w in command.argv[1:]]
    if not host or not any("://" in w and host_of_url(w) == host for w in words):
        return ()
    clear = redact(command.text)
    tokens = [
        quoted(f"{w.partition('://')[0]}://{host}/") + "*"
        if "://" in w and host_of_url(w) == host
        else _token(w, clear)
        for w in words
    ]
    return (("action", replace(base, args=(" ".join(tokens),))),)


def _by_word(command: Command, base: Scope, finding: Finding) -> tuple[tuple[str, Scope], ...]:
    """A program that no table knows: by its sub-command, then by its name."""
    if base.dangerous or base_name(command.name) in DANGEROUS:
        return _looking(command, base) or _changing(command, base)
    inside = replace(base, paths="project" if base.where != NO_DIRECTORY else base.paths)
    if base_name(command.name) in TAKES_DATA:
        return ()
    verbs, orders = _verbs(command), base.sha256 or content_hash(command)
    chooses = any(map(_chooses, verbs))
    any_words = f"{' '.join(map(quoted, verbs))} ..."
    steps = [("wide" if chooses else "action", (any_words,), orders)] if verbs else []
    # Where the command itself names something outside the project, its kin may.
    return tuple(
        (name, replace(s, args=args, sha256=sha256))
        for name, args, sha256 in (*steps, ("program", (), base.sha256))
        for s in (inside, base)
    )


def _looking(command: Command, base: Scope) -> tuple[tuple[str, Scope], ...]:
    """Of a dangerous program only what looks: `fly secrets list`, never `fly secrets unset`. An option could choose
    another account, or a file of settings that starts a program (`oc get pods --kubeconfig x`)."""
    given = [w.value or "" for w in command.argv[1:]]
    words = looking_words(base_name(command.name), given)
    if not words or any(w[:1] in "-+" for w in given if w):
        return ()
    return (("action", replace(base, args=(f"{' '.join(map(quoted, words))} ...",), deny_args=_NO_OPTIONS)),)


def _changing(command: Command, base: Scope) -> tuple[tuple[str, Scope], ...]:
    """`vercel env rm NAME production --yes`: the group and the verb, for whatever is named. An option could choose
    another account, project or file, so only those may stand there that leave out a question."""
    words = [w.value or "" for w in command.argv[1:]]
    named = [w for w in words[2:] if w not in _NO_QUESTIONS]
    if not named or not words[0].isalnum() or words[1] not in _CHANGES or not all(map(_is_a_name, named)):
        return ()
    if base_name(command.name) == "git":
        return ()  # what `submodule add` names is an address
    said, inside = f"{quoted(words[0])} {words[1]}", replace(base, paths="project")
    if not base.dangerous and len(named) == len(words) - 2:
        return (
            ("action", replace(inside, args=(f"{said} ...",), deny_args=_NO_OPTIONS)),
        )  # as a file says it in short
    return (("action", replace(inside, args=_with_names(said, max(_NAMES, len(named))))),)


def _is_a_name(word: str) -> bool:
    """Neither an option nor an address: what comes from there is another's with each."""
    return word[:1] not in "-+" and "://" not in word and "@" not in word


def _with_names(said: str, most: int) -> tuple[str, ...]:
    """The words with up to so many names behind them, and an option that leaves out a question."""
    names = [" *" * count for count in range(1, most + 1)]
    behind = ("", *(f" {option}" for option in sorted(_NO_QUESTIONS, reverse=True)))
    return tuple(f"{said}{name}{option}" for name in names for option in behind)


def _deploying(command: Command, base: Scope) -> tuple[tuple[str, Scope], ...]:
    """`vercel --prod`, with or without the options that leave out a question or a cache."""
    same = _SAME_DEPLOYMENT.get(base_name(command.name), ())
    words = [w.value or "" for w in command.argv[1:]]
    while words and words[-1] in same:
        del words[-1]
    if not same or words not in (["--prod"], ["deploy"], ["deploy", "--prod"]):
        return ()
    given = " ".join(words)
    return (("action", replace(base, args=(given, *(f"{given} {more}" for more in same)))),)


def _chooses(verb: str) -> bool:
    """Whether the words behind a sub-command choose what is run, fetched, sent or lost: `brew install jq` is not
    `brew install x`."""
    return not _CHOOSING.isdisjoint(verb.lower().split(":"))


def _verbs(command: Command) -> tuple[str, ...]:
    """The words that say what is done: the first, where it looks like a sub-command, and the second where the first is
    a thing. () where options stand between (`compose -f x up`): a scope must not be for all that is done with it."""
    first, second, *_ = [*(w.value or "" for w in command.argv[1:3]), "", ""]
    if not _is_name(first):
        return ()
    if first in _VERBS or ":" in first or not second:
        return (first,)
    if _is_name(second):
        return (first, second)
    return () if command.action.key[2:] else (first,)


def _is_name(word: str) -> bool:
    plain = word.replace("-", "").replace("_", "").replace(":", "")
    return plain.isalnum() and word[0].isalpha() and word.isascii()


def _script_part(finding: Finding, command: Command, base: Scope, path: str, layers: Layers) -> Part:
    digest = run_hash(command, path)
    if not digest:
        return Part(finding, only_once=f"{path} cannot be read, so askfirst cannot tell what it does")
    pinned = replace(base, sha256=digest, paths=base.paths)
    refuse = "" if is_inside(path, layers.project) else f"{path} is not in the project"
    at = 0 if command.program == path else _place_of_script(command, path)
    if at < 0:
        return Part(finding, only_once=not_known(command), not_permanent="the script is not one of its words")
    unknown = not_known(command)
    steps: list[tuple[str, Scope]] = [] if unknown else [("exact", _exact(command, pinned))]
    head = command.argv[1 : at + 1]
    if all(w.value is not None for w in head):
        verb = command.argv[at + 1] if len(command.argv) > at + 1 else None
        if verb is not None and verb.value is not None and base_name(path) in DISPATCHERS:
            steps.append(("action", replace(pinned, args=(_pattern((*head, verb), command, rest=True),))))
            steps.append(("program", replace(pinned, args=_free(head, command))))
        else:
            steps.append(("action", replace(pinned, args=_free(head, command))))
        if not base.dangerous and command.cwd is not None:
            # A file that is written again and again: no question begins with it, and no file holds it. The word that
            # names the script means another one elsewhere, so the directory is this one.
            here = replace(base, where=command.cwd, sha256=ANY_CONTENT)
            steps.append(("program", replace(here, args=_free(head, command))))
    return Part(finding, tuple(steps), only_once="" if steps else unknown, not_permanent=refuse)


def _free(head: tuple[Word, ...], command: Command) -> tuple[str, ...]:
    return (_pattern(head, command, rest=True),) if head else ()


def _place_of_script(command: Command, path: str) -> int:
    """Which word names the script that an interpreter runs; -1 when none does plainly."""
    module = path.removesuffix(".py").removesuffix("/__main__")
    for index, word in enumerate(command.argv):
        if not index or not word.value:
            continue
        if os.path.realpath(os.path.join(command.cwd or "/", word.value)) == path:
            return index
        is_module = command.argv[index - 1].value == "-m"
        if is_module and os.path.realpath(os.path.join(command.cwd or "/", word.value.replace(".", "/"))) == module:
            return index
    return -1


# -- variables


def env_of(command: Command, verdict: Verdict) -> tuple[str, ...]:
    """The variables that are set for this command and matter to an answer: a credential by its name, any other with its
    value. () where one of them chooses code, or its value is not known."""
    asked = {
        f.fact.text.partition("=")[0].rstrip("+")
        for f in verdict.findings
        if isinstance(f.fact, Unknown) and f.fact.what == "environment" and f.decision == Decision.ASK
    }
    found = []
    for assignment in command.assignments:
        name, value = assignment.name, assignment.value.value
        if name not in asked and not chooses(name, value or ""):
            continue
        said = "" if assignment.append else _variable(name, value)
        if not said:
            return ()
        found.append(said)
    return tuple(dict.fromkeys(found))


def _variable(name: str, value: str | None) -> str:
    """A variable as a scope names it; "" where none may."""
    if loads_code(name) or loads_code(name.upper()):
        return ""
    if is_masked(name):
        return name
    return f"{name}={value}" if value is not None and value.isprintable() and redact(value) == value else ""


# -- words


def words_of(scope: Scope, project: str, stay: str = "") -> str:
    """What a scope of a command covers. Made from the scope alone: what it does not say, it does not cover. `stay`: the
    files that its hash is of, in words."""
    name = _named_from(scope.name, project)
    outside = "the directory where it runs" if scope.where else "the project"
    inside = f"no file outside {outside}" if scope.paths == "project" else ""
    stays = f" that name {inside and f'{inside} and '}no secret file" if scope.paths != "any" else ""
    if scope.name in PACKAGES:
        first, *others, last = PACKAGES[scope.name]
        words = f"`{first} {scope.action}` with any arguments{stays}, also by {', '.join(others)} or {last}"
    elif scope.action in _RUNS and family(scope.name) in INTERPRETERS:
        words = f"`{name}` of any {_RUNS[scope.action]}{inside and f', with arguments that name {inside}'}"
    elif scope.action:
        words = _action_words(scope, name, f"arguments that make it do nothing else{inside and f' and name {inside}'}")
    elif not scope.args:
        words = f"`{name}` with any arguments{stays}"
    else:
        words = _pattern_words(scope, name, stays)
    return words + _conditions(scope, project, stay)


def _named_from(name: str, project: str) -> str:
    """A program as it is called from the project's own directory: `./run.sh`."""
    if not is_inside(name, project):
        return name
    inside = os.path.relpath(name, project)
    return inside if "/" in inside else f"./{inside}"


def _pattern_words(scope: Scope, name: str, stays: str) -> str:
    text = scope.args[0]
    pattern = parse(text)
    if pattern.rest:
        but = ", but no options" if scope.deny_args == _NO_OPTIONS else ""
        return f"`{name} {_shown(text.removesuffix('...').rstrip())}` with any further words{stays}{but}"
    if text.endswith(" *") and len(scope.args) > _NAMES:
        return f"`{name} {text.removesuffix(' *')}` with any names, --yes or not, and no other words"
    if any(token.kind == "begins" for token in pattern.tokens):
        any_word = " (`*`: any word but an option)" if "*" in text.split() else ""
        return f"`{name} {_shown(text)}`{any_word} with no other words than these"
    return "exactly " + " or ".join(f"`{f'{name} {_shown(one)}'.rstrip()}`" for one in scope.args)


def _action_words(scope: Scope, name: str, rest: str) -> str:
    if scope.target.startswith("@sha256:"):
        return f"`{_acting(scope, name)}` of this patch"
    target = f" {scope.target}" if scope.target else ""
    if scope.target.startswith(PACKAGES_NAMED):
        named = scope.target.removeprefix(PACKAGES_NAMED)
        return f"`{name} {scope.action} {named}`, whatever the version"
    if scope.action == "ssh" or scope.action.endswith("exec"):
        rest = "what it runs there judged by the same rules"
    elif (scope.name, scope.action) == ("scp", "to"):
        return f"`{name}` of single files of the project that hold no secrets to {scope.target}"
    elif scope.name == "kill":
        return f"`kill` of {scope.target}, by any signal"
    elif scope.action == "local":
        return f"`{name}` to {scope.target} with any request that stands in the command"
    elif scope.action == "read" and scope.name != "read":
        return f"`{name}{target}` where it only reads, with {rest}"
    elif scope.target.partition(":")[0].endswith(".0/24"):
        return f"`{name}` reading from machines of {scope.target} with no header, no body, and inert options"
    target, _, on = target.partition("while ") if target.endswith(" is checked out") else (target, "", "")
    rest = f"while {on}, with {rest}" if on else f"with {rest}"
    return f"`{f'{_acting(scope, name)}{target}'.rstrip()}` {rest}"


def _acting(scope: Scope, name: str) -> str:
    """The program and what it does, where that is not its name; without the target, which stands behind it."""
    action = scope.action.removesuffix(f" {scope.target}")
    return name if action == name else f"{name} {action}"


def _shown(pattern: str) -> str:
    return " ".join(_SECRET if len(t) == 22 and t[0] + t[-1] == "{}" else t for t in pattern.split(" "))


def _conditions(scope: Scope, project: str, stay: str = "") -> str:
    said = stay or (_pinned(scope) if scope.sha256 else "")  # (a script's own hash has no such words)
    for one in scope.env:
        said += f", with {one} set" if "=" in one else f", whatever {one} is"
    if scope.via:
        said += f", on {scope.via}"
    elsewhere = bool(scope.via) and scope.where.startswith("/") and ":" in scope.where  # `/ssh:web/srv`
    tree = scope.dangerous and takes_the_tree(base_name(scope.name), _words_in(scope))
    then = ", whatever the files there hold then" if tree else ""
    if scope.where in ("", NO_DIRECTORY) or (elsewhere and scope.where.count("/") == 1):
        return said + then
    below = " and below" if covers_below(scope, project) else ""
    where = scope.where.partition(":")[2] if elsewhere else _directory(scope.where, project)
    return f"{said}, in {where}{below}{then}"


def _words_in(scope: Scope) -> list[str]:
    return [token.text for arg in scope.args[:1] for token in parse(arg).tokens] or scope.action.split()


def _pinned(scope: Scope) -> str:
    """What must not change."""
    if scope.sha256 == ANY_CONTENT:
        return ", whatever that file holds then"
    return "" if scope.target.startswith("@sha256:") else ", as it is now"  # of a patch the words before say so


def _stays(command: Command, base: Scope, project: str) -> tuple[str, str]:
    """What is pinned beside its words, and what is not."""
    orders = taken_in(command)
    stay = stay_of(orders.files, orders.scripts, project) or (NONE_THERE if orders.places else "")
    if not base.dangerous or orders.places or base.via or command.action.kind == Kind.READ:
        return stay, ""
    return stay, _tree_of(command, project)


def stay_of(files: tuple[str, ...], scripts: tuple[str, ...], project: str) -> str:
    """The files that must stay as they are, in words; "" for none. `scripts`: those of which no more counts."""
    shown = [os.path.relpath(f, project) if is_inside(f, project) else f for f in files]
    named = [f"the scripts of {name}" if f in scripts else name for f, name in zip(files, shown, strict=True)]
    if not named:
        return ""
    more = [f"{len(named) - MAX_SHOWN} more"] if len(named) > MAX_SHOWN + 1 else []
    *first, last = [*named[:MAX_SHOWN], *more] if more else named
    listed = f"{', '.join(first)} and {last}" if first else last
    return f", while {listed} {'are as they are' if first or scripts else 'is as it is'} now"


def _tree_of(command: Command, project: str) -> str:
    """The directories that a dangerous command names, where nothing pins what is in them."""
    words = [w.value for w in command.argv[1:] if w.value and not w.value.startswith("-")]
    paths = [os.path.normpath(os.path.join(command.cwd or "/", word)) for word in words if "\0" not in word]
    named = [_directory(path, project) for path in dict.fromkeys(paths) if os.path.isdir(path)]
    return f", whatever {' and '.join(named)} {'holds' if len(named) == 1 else 'hold'} then" if named else ""


def _directory(path: str, project: str) -> str:
    if path == project:
        return "the project's own directory"
    return os.path.relpath(path, project) if is_inside(path, project) else path


# -- the entry of a rule file


def entry_of(scope: Scope, part: Part, layers: Layers) -> dict[str, Any] | None:
    """The entry that says the same; None when none can."""
    command = part.finding.fact
    if scope.kind == "tool":
        return tool_entry(scope)
    name = _entry_name(scope.name, layers.project)
    if scope.kind != "command" or scope.where not in ("", NO_DIRECTORY) or scope.via or scope.dangerous or not name:
        return None
    entry: dict[str, Any] = {"name": name}
    for key in ("args", "deny_args", "action", "target", "paths", "env", "sha256"):
        value = getattr(scope, key)
        if value and not (key == "paths" and value == "any"):
            entry[key] = list(value) if isinstance(value, tuple) else value
    if isinstance(command, Command) and command.action.description:
        entry["description"] = command.action.description
    return entry if _can_be_written(entry) else None


def _entry_name(name: str, project: str) -> str:
    """As the project's file names it; "" for a script that lies elsewhere."""
    if not name.startswith("/"):
        return name
    return f"./{os.path.relpath(name, project)}" if is_inside(name, project) else ""


def _can_be_written(entry: dict[str, Any]) -> bool:
    name = str(entry["name"])
    if name.split() != [name] or "*" in name:
        return False
    return all(t.isprintable() for key in ("name", "args", "target", "env") for t in entry.get(key, ()))
