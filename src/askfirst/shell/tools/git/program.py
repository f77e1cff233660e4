"""git: global options by their place, sub-commands by their rows, and the repository's own configuration before
anything else.

`git -p log` is not `git log -p`; `git -c KEY=VALUE` may run a program; an alias or a `git-foo` on the PATH is not a
sub-command that a row knows. Options of git itself have no abbreviations, those of its sub-commands do.
"""

from __future__ import annotations

import itertools
import os
import re
from collections.abc import Callable
from dataclasses import replace

from askfirst.knowledge.places import RESTORES
from askfirst.model import Action, Fact, Kind, Read, Word, Write
from askfirst.shell.call import Analyst, Call, Outcome
from askfirst.shell.tools.engine import action_of, call_after, finish, read_fact, row, unknown, write_fact
from askfirst.shell.tools.git import read as git_read
from askfirst.shell.tools.git import write as git_write
from askfirst.shell.tools.git.config import Repository, find_repository, hook_facts, remotes_of, repository_facts
from askfirst.shell.tools.git.stash import moves_no_branch, stash
from askfirst.shell.tools.options import Parsed, parse
from askfirst.shell.tools.patches import bound, mail_texts, patch_facts, patch_texts
from askfirst.shell.tools.project_code import is_inside
from askfirst.shell.tools.table import ANY_OPTIONS, READS, Tool, looking

__all__ = ["TOOLS"]

_INERT_GLOBAL = frozenset(
    (
        "--no-pager",
        "-P",
        "--no-optional-locks",
        "--literal-pathspecs",
        "--glob-pathspecs",
        "--noglob-pathspecs",
        "--no-replace-objects",
        "--no-lazy-fetch",
        "--no-advice",
    )
)
_PRINTS = frozenset(("--version", "-v", "--help", "-h", "--html-path", "--man-path", "--info-path", "--exec-path"))
_LOOKS_AT_FILES = ("status", "log", "diff", "show", "ls-files", "ls-tree", "grep", "blame", "shortlog")
_ASKING_GLOBAL = {
    "--icase-pathspecs": "takes other files for those that are named",
    "-p": "runs the pager",
    "--paginate": "runs the pager",
    "--git-dir": "uses another repository",
    "--work-tree": "works on other files",
    "--exec-path": "finds git's own programs elsewhere",
    "--config-env": "sets a configuration key",
    "--namespace": "uses other references",
    "--super-prefix": "changes where git believes to be",
    "--bare": "takes the directory for a repository",
    "--attr-source": "uses other attributes",
    "--list-cmds": "is not known",
    "-c": "sets a configuration key that is not known to be inert",
}
# Settings that `-c` may give: none of these keys names a program or a file.
_INERT_SETTINGS = (
    "color.",
    "column.",
    "advice.",
    "user.name=",
    "user.email=",
    "author.name=",
    "author.email=",
    "committer.name=",
    "committer.email=",
    "core.quotepath=",
    "core.abbrev=",
    "core.autocrlf=",
    "init.defaultbranch=",
    "diff.renames=",
    "diff.algorithm=",
    "diff.renamelimit=",
    "diff.noprefix=",
    "diff.mnemonicprefix=",
    "log.date=",
    "grep.linenumber=",
    "merge.conflictstyle=",
    "status.relativepaths=",
)
_INERT_EXACTLY = (
    "core.pager=",
    "core.pager=cat",
    "core.fsmonitor=false",
    "commit.gpgsign=false",
    "tag.gpgsign=false",
    "gc.auto=0",
    "pager.log=false",
    "pager.diff=false",
    "pager.show=false",
    "pager.branch=false",
    "log.showsignature=false",
)


def git(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    """One call of git: global options, then the repository, then the sub-command."""
    call = replace(call, words=tuple(_commit_word(w) for w in call.words))
    at, cwd, facts = _global_options(call, analyst)
    words = call.words
    if at >= len(words):
        return Outcome(
            Action(("git",), Kind.READ, rule="git", allowed=True, description="shows git's help or version"),
            tuple(facts),
        )
    name = words[at].value
    if name is None:
        facts.append(unknown("expansion", "the sub-command of git is not known", call, words[at].text))
        return Outcome(Action(("git",)), tuple(facts))
    rest = words[at + 1 :]
    inner = _ROWS.get(name)
    if len(rest) == 1 and rest[0].value in ("--help", "-h") and (inner is not None or rest[0].value == "--help"):
        # The configuration may name the program that shows the page.
        facts += repository_facts(cwd, analyst)[0]
        return Outcome(
            Action(("git", "help"), Kind.READ, rule="git help", allowed=True, description="shows help"), tuple(facts)
        )
    if inner is None:
        return Outcome(
            Action(("git", name), Kind.OTHER, description="an alias or a program that git finds by name"), tuple(facts)
        )
    about, repository = repository_facts(cwd, analyst) if name not in ("version", "clone", "init") else ([], None)
    facts += about
    outcome = _apply(name, inner, call_after(call, rest, cwd), analyst, repository)
    if name == "mv":
        facts += _moved_into(outcome.facts)
    facts += hook_facts(name, repository, analyst) if outcome.action.allowed else []
    return replace(outcome, facts=(*facts, *outcome.facts))


def _moved_into(facts: tuple[Fact, ...]) -> list[Fact]:
    """The target may be a directory: then each file keeps its name in it."""
    writes = [f for f in facts if isinstance(f, Write)]
    found: list[Fact] = []
    for moved in (f for f in writes if f.how == "move"):
        for target in (f for f in writes if f.how == "overwrite"):
            if moved.path is None or moved.below or target.path is None:
                found.append(replace(target, below=True))
            else:
                name = os.path.basename(moved.path)
                found.append(replace(target, path=f"{target.path}/{name}", text=f"{target.text.rstrip('/')}/{name}"))
    return found


def _commit_word(word: Word) -> Word:
    """`$(git merge-base main HEAD)..HEAD` is made of hashes, so it is no option; what runs in it is another fact."""
    text = word.text.strip('"')
    if word.value is not None or not text.startswith("$(git ") or ")" not in text:
        return word
    inner, _, tail = text[2:].partition(")")
    name, *names = inner.split(" ")[1:]
    if not _prints_hashes(name, names) or (tail and (not _is_plain(tail) or tail[0] not in ".^~@")):
        return word
    return Word(word.text, "0" * 40 + tail)


def _prints_hashes(name: str, names: list[str]) -> bool:
    if name not in _PRINTS_HASHES:
        return False
    if not all(n and _is_plain(n) and (n[0] != "-" or n in _PRINTS_HASHES[name].split()) for n in names):
        return False
    if name != "rev-parse":
        return True
    # It prints the name of a file as it is.
    return all(n.startswith(("HEAD", "@", "main", "master", "origin/", "-")) and "." not in n for n in names)


_PRINTS_HASHES = {
    "merge-base": "",
    "rev-parse": "--verify --short -q --quiet",
    "rev-list": "-1 -2 -3 -5 -10 --all --reverse --no-merges",
}


def _is_plain(text: str) -> bool:
    return all(c.isalnum() or c in "./_-@^~{}" for c in text) and text.isascii()


def _global_options(call: Call, analyst: Analyst) -> tuple[int, str | None, list[Fact]]:
    """The index of the sub-command, the directory git works in, and doubts."""
    words, at, cwd = call.words, 1, call.cwd
    facts: list[Fact] = []
    while at < len(words):
        text = words[at].value
        if text is None:
            break
        if not text.startswith("-"):
            break
        at += 1
        if _is_inert_option(text, words[at:]):
            continue
        if text == "-C" and at < len(words):
            value = words[at].value
            cwd = analyst.path(value, cwd) if value is not None else None
            if value is None and words[at].many:
                facts.append(unknown("option", f"`{words[at].text}` may become several words", call, words[at].text))
            at += 1
            continue
        if text == "-c" and at < len(words) and _is_inert_setting(words[at]):
            at += 1
            continue
        if text in (
            "-c",
            "--git-dir",
            "--work-tree",
            "--namespace",
            "--config-env",
            "--super-prefix",
            "--attr-source",
            "--exec-path",
        ):
            at += text != "--exec-path"
        why = _ASKING_GLOBAL.get(text.partition("=")[0], "is not known to the built-in rules")
        facts.append(unknown("option", f"`git {text}` {why}", call, text))
    return at, cwd, facts


def _is_inert_option(text: str, rest: tuple[Word, ...]) -> bool:
    looks = text == "--icase-pathspecs" and bool(rest) and rest[0].value in _LOOKS_AT_FILES
    return looks or text in _INERT_GLOBAL or (text in _PRINTS and not rest)


def _is_inert_setting(word: Word) -> bool:
    text = word.value
    if text is None:
        return False
    key, equals, value = text.partition("=")
    setting = f"{key.lower()}={value}" if equals else f"{key.lower()}=true"
    return setting in _INERT_EXACTLY or setting.startswith(_INERT_SETTINGS)


def _apply(name: str, tool: Tool, call: Call, analyst: Analyst, repository: Repository | None) -> Outcome:
    if name in ("fetch", "ls-remote"):
        return _known_remote(tool, call, analyst, repository)
    if name == "remote" and len(call.words) > 2 and call.words[1].value == "show":
        return _known_remote(tool.subcommands["show"], call_after(call, call.words[2:]), analyst, repository)
    special = _SPECIAL.get(name)
    outcome = special(tool, call, analyst) if special is not None else row(tool, call, analyst)
    if tool.kind == Kind.READ:
        return replace(outcome, facts=(*outcome.facts, *_objects(call, analyst, f"git {name}")))
    if not outcome.action.allowed:
        return replace(outcome, facts=(*outcome.facts, *_replaced(name, call, analyst)))
    if outcome.action.allowed and name in ("format-patch", "mv") and not is_inside(call.cwd, analyst):
        return replace(
            outcome, facts=(*outcome.facts, unknown("directory", f"git {name} would write outside the project", call))
        )
    return outcome


def _replaced(name: str, call: Call, analyst: Analyst) -> list[Fact]:
    """The files that git would put into the working tree, where they are named: a rule for git does not cover protected
    ones.
    """
    words = list(call.words[1:])
    named = [w for w in words if not (w.value or "").startswith("-")]
    if name in ("checkout", "restore", "rm"):
        paths = _checked_out(name, words, named)
    elif name == "clone":
        paths = named[1:]
    elif name == "worktree":
        paths = named[1:2]
    else:
        return []
    return [f for w in paths for f in write_fact(w, call, analyst, f"git {name}", "overwrite", below=True)]


def _checked_out(name: str, words: list[Word], named: list[Word]) -> list[Word]:
    dashes = next((i for i, w in enumerate(words) if w.value == "--"), None)
    if dashes is not None:
        return words[dashes + 1 :]
    # Without `--` the first word may be a branch; one that begins with a dot is none.
    may_be_branch = name == "checkout" and not (named and (named[0].value or "").startswith("."))
    return named[1:] if may_be_branch else named


def _objects(call: Call, analyst: Analyst, by: str) -> list[Fact]:
    """`HEAD:path` shows a file: a secret in the history is as secret as the file."""
    facts: list[Fact] = []
    for word in call.words[1:]:
        text = word.value
        if text is not None and text.startswith("-L"):
            text = text[2:]  # `-L1,9:path`
        if text is not None and text.startswith("--batch"):
            facts += read_fact(Word("…", None), call, analyst, by)  # names come on standard input
        if text is not None and ":" in text and not text.startswith(("-", ":(", ":/", ":!", ":^")):
            path = text.partition(":")[2].removeprefix("0:")  # `:path` and `:0:path` are what the index holds
            if path and not path.startswith("/"):
                facts.append(Read(analyst.path(path, call.cwd), text, by))
    return facts


def _grep(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    """The first operand is the pattern, unless an option gave one. `--no-index` searches as `grep -r` does."""
    parsed = parse(tool, call.words[1:])
    if not parsed.has("-e", "-f"):
        parsed = replace(parsed, operands=parsed.operands[1:])
    return finish(replace(tool, operands=(READS, ...), searches=parsed.has("--no-index")), call, parsed, analyst)


def _known_remote(tool: Tool, call: Call, analyst: Analyst, repository: Repository | None) -> Outcome:
    """A remote by its name is one the person set up; an address in the command may be anybody's."""
    parsed = parse(tool, call.words[1:])
    facts: list[Fact] = []
    remotes = parsed.operands if parsed.has("--multiple") else parsed.operands[:1]
    for word in parsed.operands[len(remotes) :]:
        source, colon, target = (word.value or word.text).partition(":")
        loses = source.startswith("+") or parsed.has("-p", "--prune")
        if colon and loses and not target.startswith("refs/remotes/"):
            why = "overwrites or deletes a branch or tag that is here"
            facts.append(unknown("option", f"`{word.text}` {why}", call, word.text))
    for word in remotes:
        known = remotes_of(repository, analyst)
        name = word.value or ""
        plain = name.replace("-", "").replace("_", "").isalnum()
        if name not in known and not (plain and not known):
            facts.append(unknown("remote", f"`{word.text}` is not a remote of this repository", call, word.text))
    return finish(tool, call, parsed, analyst, more=tuple(facts))


def _needs(why: str, kind: Kind, *names: str) -> Callable[[Tool, Call, Analyst], Outcome]:
    """A row that is allowed only with one of these options: `git rm --cached`, `git clean -n`."""

    def special(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
        outcome = row(tool, call, analyst)
        if parse(tool, call.words[1:]).has(*names):
            return outcome
        return replace(outcome, action=replace(outcome.action, allowed=False, kind=kind, description=why))

    return special


_PATTERN = re.compile(r"[*?\[]")
_remove_from_index = _needs("deletes tracked files", Kind.DESTRUCTIVE, "--cached")


def _remove(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    """Without `-f` git deletes only what its HEAD holds as it is. A pattern of its own may mean whatever lies below the
    directory before it."""
    outcome, parsed = _remove_from_index(tool, call, analyst), parse(tool, call.words[1:])
    named = parsed.operands
    if outcome.action.allowed or not named or any(w.value is None or set(":\\") & set(w.value) for w in named):
        return outcome
    facts: list[Fact] = []
    for word in named:
        plain = _PATTERN.split(word.value or "")[0]
        folder = plain.rpartition("/")[0]
        if plain == word.value:
            facts += write_fact(word, call, analyst, tool.name, "delete", below=parsed.has("-r"))
        elif folder:
            facts.append(Write(analyst.path(folder, call.cwd), word.text, "delete", tool.name, below=True))
        else:
            return outcome
    action = replace(action_of(tool), description="deletes files that git's HEAD holds")
    return Outcome(action, (*outcome.facts, *facts))


def _branch(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    """`git branch -M NAME` in a new repository: where no other branch has the name, none is overwritten. `git branch -d
    NAME`: git refuses where commits are in no other branch."""
    words = [w.value or "" for w in call.words[1:]]
    if words[:1] in (["-d"], ["--delete"]) and words[1:] and all(word[:1].isalnum() for word in words[1:]):
        return Outcome(replace(action_of(tool), description="deletes branches that are merged"))
    plain = len(words) == 2 and words[0] in ("-m", "-M") and words[1].replace("-", "").replace("_", "").isalnum()
    if not plain or call.cwd is None:
        return row(tool, call, analyst)
    repository = find_repository(call.cwd, analyst)
    taken = repository is not None and _has_branch(repository, words[1], analyst)
    if taken or words[1].startswith("-"):
        return row(tool, call, analyst)
    return Outcome(replace(action_of(tool), description="renames the branch that is checked out"))


def _has_branch(repository: Repository, name: str, analyst: Analyst) -> bool:
    """Another branch of that name, or what cannot be looked at."""
    if analyst.read_file(repository.git_dir + "/HEAD", 4096) == f"ref: refs/heads/{name}\n":
        return False
    packed = repository.common_dir + "/packed-refs"
    text = analyst.read_file(packed, 1 << 20) if analyst.exists(packed) else ""
    loose = analyst.exists(f"{repository.common_dir}/refs/heads/{name}")
    # Names differ by their case on the disks of macOS, and references may be kept in tables.
    return loose or text is None or f"refs/heads/{name}\n".lower() in text.lower() or _in_tables(repository, analyst)


def _in_tables(repository: Repository, analyst: Analyst) -> bool:
    return analyst.exists(repository.common_dir + "/reftable")


_unstage = _needs("throws away changes in files", Kind.DESTRUCTIVE, "--staged", "-S")


def _restore(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    """`git restore FILE`: what the session alone has changed it may take back."""
    outcome, parsed = _unstage(tool, call, analyst), parse(tool, call.words[1:])
    if outcome.action.allowed or outcome.facts or not parsed.operands:
        return outcome
    return _taken_back(tool, parsed.operands, call, analyst) or outcome


def _taken_back(tool: Tool, named: tuple[Word, ...], call: Call, analyst: Analyst) -> Outcome | None:
    """Files by their names: what git takes for a pattern is not followed."""
    if not named or any(w.value is None or set("*?[:\\") & set(w.value) for w in named):
        return None
    places = [analyst.path(w.value or "", call.cwd) for w in named]
    if any(place is None or analyst.names_in(place) is not None for place in places):
        return None  # a directory
    facts = [f for w in named for f in write_fact(w, call, analyst, RESTORES, "delete")]
    # The index may hold another commit's file (`git reset other FILE`): what tools obey is asked for.
    facts += [f for w in named for f in write_fact(w, call, analyst, "git checkout", "overwrite")]
    action = Action(tuple(tool.name.split()), Kind.EDIT, rule=tool.name, allowed=True)
    return Outcome(replace(action, description="takes back changes in files"), tuple(facts))


_check_patch = _needs("applies a patch to files", Kind.EDIT, "--check", "--stat", "--numstat", "--summary")


def _apply_patch(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    """What a patch changes is written; a yes is for this content of it."""
    outcome, parsed = _check_patch(tool, call, analyst), parse(tool, call.words[1:])
    if outcome.action.allowed:
        return outcome
    texts = patch_texts(parsed.operands, call, analyst)
    facts = patch_facts(texts, None if parsed.has("--directory", "-p") else 1, call, analyst, tool.name)
    action = replace(outcome.action, target=bound(texts))
    return replace(outcome, action=action, facts=(*outcome.facts, *facts))


_APPLIES_THE_SAME = frozenset("-3 --3way -q --quiet -s --signoff -k --keep -u --utf8".split())
_GOES_ON = frozenset("--continue -r --resolved --skip".split())


def _apply_mail(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    """`git am`: a mail is a patch with a message. `--continue` and its kin go on with one that was asked about."""
    outcome, words = _abort_only(tool, call, analyst), call.words[1:]
    options = [w for w in words if (w.value or "-").startswith("-")]
    if outcome.action.allowed or any(w.value in _GOES_ON for w in options):
        return outcome
    plain = all(w.value in _APPLIES_THE_SAME for w in options)
    texts = mail_texts(tuple(w for w in words if w not in options), call, analyst)
    facts = patch_facts(texts, 1 if plain else None, call, analyst, tool.name)
    return Outcome(replace(outcome.action, target=bound(texts)), (*outcome.facts, *facts))


def _abort_only(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    """merge, rebase and their kin: leaving a half-done state is always possible, the rest asks."""
    if len(call.words) == 2 and call.words[1].value in ("--abort", "--quit", "--show-current-patch"):
        return Outcome(replace(action_of(tool), allowed=True, description="gives up what is half done"))
    target = " ".join(w.shown for w in call.words[1:])
    action = replace(action_of(tool), allowed=False, target=target)
    for word in call.words[1:]:
        text = word.value or word.text
        if text.startswith(("-x", "--ex", "--strategy", "-s")) and tool.name == "git rebase":
            return Outcome(
                replace(action, kind=Kind.WRAPPER),
                (unknown("hidden command", "`git rebase` would run a program", call, text),),
            )
    return Outcome(action)


def _switched_to(call: Call) -> str:
    """The branch of a plain `git checkout NAME` or `git switch NAME`; "" for all else."""
    words = [w.value or "-" for w in call.words[1:] if w.value not in ("-q", "--quiet")]
    return words[0] if len(words) == 1 and not words[0].startswith(("-", "stash@")) else ""


def _switched_files(tool: Tool, call: Call, analyst: Analyst) -> tuple[str, ...] | None:
    """The files that going to another branch writes; None where it is not that, or nobody can tell. git itself refuses
    to go where a change of the working tree would be lost."""
    name = _switched_to(call)
    if not name or call.cwd is None or (tool.name == "git checkout" and analyst.exists(f"{call.cwd}/{name}")):
        return None  # what is also a file may be meant
    files = analyst.files_of_switch(call.cwd, name) if moves_no_branch(analyst) else None
    return files if files is not None and all(is_inside(f, analyst) for f in files) else None


def _new_branch_only(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    """A new branch at the same commit changes no file. Anything else replaces files of the working tree."""
    parsed = parse(tool, call.words[1:])
    if parsed.has("-b", "-c") and not parsed.operands and not parsed.dashes:
        return finish(tool, call, parsed, analyst)
    files = _switched_files(tool, call, analyst)
    if files is not None:
        action = Action(tuple(tool.name.split()), Kind.EDIT, rule=tool.name, allowed=True, target=_switched_to(call))
        written = tuple(Write(path, path, "overwrite", tool.name) for path in files)
        return Outcome(replace(action, description="goes to another branch"), written)
    return _checkout_of_files(tool, call, analyst) or _replaces_files(tool, parsed, call)


def _checkout_of_files(tool: Tool, call: Call, analyst: Analyst) -> Outcome | None:
    """`git checkout -- FILE`, and nothing else."""
    words = tuple(itertools.dropwhile(lambda w: w.value in ("-q", "--quiet"), call.words[1:]))
    if tool.name != "git checkout" or not words or words[0].value != "--":
        return None
    return _taken_back(tool, words[1:], call, analyst)


def _replaces_files(tool: Tool, parsed: Parsed, call: Call) -> Outcome:
    whole = " ".join(w.shown for w in call.words[1:])
    loses = (
        parsed.dashes
        or len(parsed.operands) > 1
        or any((w.value or "").startswith(("-f", "--f", "--o", "--t", "--di", "-B", "-C", ".")) for w in call.words[1:])
    )
    return Outcome(
        Action(
            tuple(tool.name.split()),
            Kind.DESTRUCTIVE if loses else Kind.EDIT,
            rule=tool.name,
            target=whole,
            description="replaces files of the working tree",
        )
    )


_CONFIG = looking(
    "git config",
    "shows a setting",
    options="""
        flag    --global --system --local --worktree --get --get-all --get-regexp --get-urlmatch
        flag    -l,--list --name-only --show-origin --show-scope -z --null --bool --int
        flag    --bool-or-int --bool-or-str --path --expiry-date --includes --no-includes
        flag    --get-color --get-colorbool --all --show-names --regexp
        value   --type --default --value --url
        reads   -f,--file
    """,
    examples=(
        "git config user.email a@b.c",
        "git config --get user.email",
        "git config --list --show-origin",
        "git config user.name",
        "git config get user.name",
    ),
    counter_examples=(
        "git config core.fsmonitor x",
        "git config --global user.name x",
        "git config user.name x --unset",
        "git config --global core.pager x",
        "git config -e",
        "git config --unset x",
        "git config set a.b c",
    ),
)


_PLAIN_SECTIONS = (
    "user.",
    "color.",
    "branch.",
    "pull.",
    "push.",
    "init.defaultbranch",
    "rebase.auto",
    "fetch.prune",
    "advice.",
    "log.",
    "core.autocrlf",
    "core.filemode",
    "core.ignorecase",
    "core.quotepath",
    "merge.conflictstyle",
    "rerere.",
)


def _config(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    parsed = parse(tool, call.words[1:])
    outcome = finish(tool, call, parsed, analyst)
    operands = parsed.operands
    reading = parsed.has(*_CONFIG_READS) or _is_reading_verb(operands)
    if parsed.has("--includes") and parsed.has("-f", "--file", "--blob"):
        others = unknown("secrets", "shows the files that this file includes, whatever they are", call)
        return replace(outcome, facts=(*outcome.facts, others))
    if _shows_password(operands if reading or len(operands) == 1 else ()):
        secret = unknown("secrets", "shows a setting that holds a password", call)
        return replace(outcome, facts=(*outcome.facts, secret))
    if _says_who(call):
        about = "says who commits in this repository"
        return replace(outcome, action=replace(action_of(tool), kind=Kind.EDIT, description=about))
    if reading or (len(operands) == 1 and "." in (operands[0].value or "")):
        return outcome
    key = operands[0].text if operands else ""
    action = Action(("git", "config"), Kind.EDIT, rule=tool.name, target=key, description="changes git's configuration")
    files = [
        f for w in parsed.values("-f", "--file") for f in write_fact(w, call, analyst, "git config --file", "append")
    ]
    return Outcome(action, (*outcome.facts, *files, *_runs_later(key, call)))


_CONFIG_READS = (
    "--get",
    "--get-all",
    "--get-regexp",
    "--get-urlmatch",
    "-l",
    "--list",
    "--get-color",
    "--get-colorbool",
)


def _shows_password(names: tuple[Word, ...]) -> bool:
    return any(part in w.text.lower() for part in ("header", "token", "password") for w in names)


def _says_who(call: Call) -> bool:
    """`git config [--local] user.name NAME`."""
    before = [w.value for w in call.words[1:-1] if w.value != "--local"]
    return before in (["user.name"], ["user.email"]) and not call.words[-1].text.startswith(("-", "$", '"$'))


def _is_reading_verb(operands: tuple[Word, ...]) -> bool:
    """`git config list`, `git config get NAME`."""
    verb = operands[0].value if operands else None
    return verb == "list" or (verb == "get" and len(operands) > 1)


def _runs_later(key: str, call: Call) -> list[Fact]:
    """A rule for git does not cover what makes git run other programs from now on."""
    if key.lower().startswith(_PLAIN_SECTIONS):
        return []
    why = f"`{key or 'git config'}` may make git run other programs from now on"
    return [unknown("git configuration", why, call, key)]


def _reflog(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    first = call.words[1].value if len(call.words) > 1 else None
    if first in ("expire", "delete", "drop"):
        return Outcome(
            Action(
                ("git", "reflog", first), Kind.DESTRUCTIVE, rule="git reflog", description="forgets where branches were"
            )
        )
    if first in ("show", "list", "exists"):
        call = call_after(call, call.words[2:])
    return row(_REFLOG, call, analyst)


# What neither changes what is sent nor where: a yes to a push is for its remote, its branches and all other options.
_PUSH_INERT = frozenset("-u --set-upstream -v --verbose -q --quiet --progress --porcelain -n --dry-run -4 -6".split())


def _is_known(call: Call) -> bool:
    return all(w.value is not None for w in call.words)


def _overwrites(word: str) -> bool:
    if word.startswith(("--f", "--del", "--mir", "--pru", "+", ":")):
        return True
    return word.startswith("-") and not word.startswith("--") and ("f" in word or "d" in word)


WHILE_HERE = "while {} is checked out"
# Sub-commands after which another branch may be checked out.
_LEAVES_BRANCH = frozenset("bisect branch checkout clone init rebase stash switch symbolic-ref worktree".split())


def _names_no_branch(words: list[str]) -> bool:
    """`git push`, `git push origin`, `git push origin HEAD`: what is checked out is sent."""
    operands = [w for w in words if not w.startswith("-")][1:]
    every = any(w in ("--all", "--branches") for w in words)
    return not every and (not operands or any(w in ("HEAD", "@") or w.startswith(("HEAD:", "@:")) for w in operands))


def _branch_here(call: Call, analyst: Analyst) -> tuple[str, str]:
    """The file that says which branch is checked out, and the branch; "" for that where the script may go to another
    first, or nobody can tell."""
    repository = find_repository(call.cwd, analyst) if call.cwd is not None else None
    if repository is None:
        return "/", ""
    head = f"{repository.git_dir}/HEAD"
    mark, _, name = (analyst.read_file(head, 4096) or "").strip().partition("refs/heads/")
    is_plain = mark == "ref: " and name.isprintable() and " " not in name
    return head, name if is_plain and not _may_leave_branch(analyst.whole_text()) else ""


def _may_leave_branch(text: str) -> bool:
    plain = text.replace(";", " ").replace("&", " ").translate({ord(c): None for c in "'\"\\"})
    return any(
        (word, following) == ("pr", "checkout")
        or ((word.endswith("git") or "$" in word) and (following in _LEAVES_BRANCH or following[0] in "-$"))
        for word, following in itertools.pairwise(plain.split())
    )


def _push(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    words = [w.shown for w in call.words[1:]]
    force = any(map(_overwrites, words))
    facts: list[Fact] = [
        unknown("hidden command", "`git push` would run a program", call, w)
        for w in words
        if w.startswith(("--ex", "--rec", "-o", "--push-o"))
    ]
    description = "deletes or overwrites what another machine has" if force else "sends commits to another machine"
    target = " ".join(w for w in words if w not in _PUSH_INERT)
    unnamed = _names_no_branch(words)
    head, branch = _branch_here(call, analyst) if unnamed else ("", "")
    action = replace(
        action_of(tool),
        allowed=False,
        kind=Kind.DESTRUCTIVE if force else Kind.NETWORK,
        description=description,
        danger=description if force else "",
        target=f"{target} {WHILE_HERE.format(branch)}".lstrip() if branch else target,
        free=not force and _is_known(call) and (bool(branch) or not unnamed),
        unsaid=head,
        advice="`--force-with-lease` at least does not overwrite what others pushed" if force else "",
    )
    return Outcome(action, tuple(facts))


_PULL_INERT = _PUSH_INERT | frozenset(
    "-r --rebase --no-rebase --rebase=true --rebase=false --ff --ff-only --no-ff --autostash --no-autostash --no-edit "
    "-p --prune -t --tags --stat -j --no-stat".split()
)


def _pull(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    """A yes is for what comes from this remote's branch, or into this branch from where it follows, merged or
    rebased."""
    words = [w.shown for w in call.words[1:]]
    said = [w for w in words if w not in _PULL_INERT]
    head, branch = _branch_here(call, analyst) if not said else ("", "")
    plain = _is_known(call) and not any(w.startswith("-") for w in said) and (branch or len(said) == 2)
    target = WHILE_HERE.format(branch) if branch else " ".join(said)
    return Outcome(replace(action_of(tool), target=target, free=bool(plain), unsaid=head))


_REFLOG = replace(git_read.ROWS["log"], name="git reflog", description="shows where branches were")
_HELP = looking(
    "git help",
    "shows help",
    options="""
        flag    -a,--all -g,--guides -c,--config -m,--man --no-aliases --no-external-commands
        flag    --verbose
        asks    -w,--web: starts a browser
        asks    -i,--info: starts a reader
    """,
    examples=("git help log",),
    counter_examples=("git help -w git",),
)


def _asked(name: str, description: str) -> Tool:
    return Tool(f"git {name}", Kind.EDIT, description, allowed=False, key_words=2)


_ROWS: dict[str, Tool] = {
    **git_read.ROWS,
    **git_write.ROWS,
    "restore": replace(
        git_write.ROWS["restore"],
        options="""
            flag    -q,--quiet --staged -S --progress --no-progress --pathspec-file-nul
            asks    -W,--worktree: throws away changes in files
            asks    -s,--source: takes files from another commit
            asks    -p,--patch: waits for a person
            asks    --ours --theirs -m,--merge: overwrites files
            asks    --recurse-submodules: enters submodules
            asks    --pathspec-from-file: reads names from a file
        """,
    ),
    "checkout": Tool(
        "git checkout",
        Kind.EDIT,
        "makes a branch here",
        options="""
            flag    -q,--quiet --no-track
            value   -b
        """,
        operands=(),
        key_words=2,
        examples=("git checkout -b feature/login",),
        counter_examples=(
            "git checkout -- .",
            "git checkout main",
            "git checkout -b x evil",
            "git checkout -B x",
            "git checkout evil -- Makefile",
        ),
    ),
    "switch": Tool(
        "git switch",
        Kind.EDIT,
        "makes a branch here",
        options="""
            flag    -q,--quiet --no-track
            value   -c,--create
        """,
        operands=(),
        key_words=2,
        examples=("git switch -c fix/typo",),
        counter_examples=("git switch main", "git switch -C x", "git switch -f x"),
    ),
    "config": _CONFIG,
    "reflog": _REFLOG,
    "help": _HELP,
    "merge": replace(
        _asked("merge", "merges another branch into the working tree"),
        examples=("git merge --abort",),
        counter_examples=("git merge other",),
    ),
    "rebase": replace(
        _asked("rebase", "rewrites commits"),
        examples=("git rebase --abort",),
        counter_examples=("git rebase -x 'touch x' HEAD~1", "git rebase --exec=x --root"),
    ),
    "cherry-pick": _asked("cherry-pick", "applies another commit"),
    "revert": _asked("revert", "undoes a commit"),
    "am": replace(git_write.ROWS["am"], reading=ANY_OPTIONS),
}
_SPECIAL: dict[str, Callable[[Tool, Call, Analyst], Outcome]] = {
    "grep": _grep,
    "restore": _restore,
    "rm": _remove,
    "branch": _branch,
    "clean": _needs("deletes untracked files", Kind.DESTRUCTIVE, "-n", "--dry-run"),
    "apply": _apply_patch,
    "checkout": _new_branch_only,
    "switch": _new_branch_only,
    "stash": stash,
    "merge": _abort_only,
    "rebase": _abort_only,
    "cherry-pick": _abort_only,
    "revert": _abort_only,
    "am": _apply_mail,
    "config": _config,
    "reflog": _reflog,
    "push": _push,
    "pull": _pull,
}

TOOLS: dict[str, Tool] = {
    "git": Tool("git", Kind.READ, "version control", key_words=2, manual="git 2.39.5", special=git, subcommands=_ROWS),
}
