"""Rows for the sub-commands of git that change something: local work is allowed, what loses work or leaves the machine
asks.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from askfirst.model import Kind
from askfirst.shell.tools.table import INERT, MOVES, READS, WRITES, Reading, Tool, as_shown, asked

__all__ = ["ROWS"]


def _edit(name: str, description: str, **more: Any) -> Tool:
    """Local work that git itself can undo."""
    more.setdefault("operands", (INERT, ...))
    return Tool(f"git {name}", Kind.EDIT, description, key_words=len(name.split()) + 1, **more)


def _asks(name: str, description: str, kind: Kind = Kind.EDIT, **more: Any) -> Tool:
    """Known, and asked for: the rows below say what would happen."""
    return asked(f"git {name}", description, kind, **more)


def _read(name: str, description: str, **more: Any) -> Tool:
    more.setdefault("operands", (INERT, ...))
    return Tool(f"git {name}", Kind.READ, description, key_words=len(name.split()) + 1, **more)


_NETWORK = Kind.NETWORK
_LOSES = Kind.DESTRUCTIVE

# Allowed where it is known which files it changes (git/stash.py).
_PUT_ASIDE = Tool(
    "git stash push",
    Kind.EDIT,
    "takes changes out of the working tree",
    allowed=False,
    options="""
        flag    -q,--quiet -k,--keep-index --no-keep-index -u,--include-untracked --no-include-untracked
        flag    -S,--staged
        value   -m,--message
        asks    -a,--all: takes away what git ignores, too
        asks    -p,--patch: waits for a person
        asks    --pathspec-from-file --pathspec-file-nul: reads names from a file
    """,
    operands=(INERT, ...),
    key_words=3,
    target=as_shown,
)

ROWS: dict[str, Tool] = {
    "add": _edit(
        "add",
        "stages changes",
        options="""
            flag    -n --dry-run -v,--verbose -A,--all --no-ignore-removal -u,--update -N
            flag    --intent-to-add --refresh --ignore-errors --ignore-missing --renormalize --sparse
            flag    --no-all --pathspec-file-nul --no-warn-embedded-repo
            value   --chmod
            reads   --pathspec-from-file
            asks    -i,--interactive -p,--patch: waits for a person
            asks    -e,--edit: opens an editor
            asks    -f,--force: adds files that are ignored on purpose
        """,
        examples=("git add -A", "git add src/app.py"),
        counter_examples=("git add -f .env", "git -c filter.x.clean=y add ."),
    ),
    "commit": _edit(
        "commit",
        "records staged changes",
        options="""
            flag    -a,--all --allow-empty --allow-empty-message --no-edit --amend -q,--quiet
            flag    -v,--verbose -s,--signoff --no-signoff --dry-run --short --branch --porcelain --long
            flag    -z --null -o,--only -i,--include --reset-author --status --no-status --no-gpg-sign
            flag    --pathspec-file-nul --verify --no-post-rewrite
            value   -m,--message --author --date -C --reuse-message --fixup --squash --trailer --cleanup
            maybe   -u,--untracked-files -S --gpg-sign
            reads   -F,--file --pathspec-from-file -t,--template
            asks    -n,--no-verify: skips the repository's checks
            asks    -e,--edit -c --reedit-message: opens an editor
            asks    -p,--patch --interactive: waits for a person
        """,
        examples=("git commit -am 'fix: x'", 'git commit -m "add {braces}; keep"'),
        counter_examples=(
            "git commit --no-verify -m x",
            "git -c core.hooksPath=/tmp/h commit -m x",
            "git -c core.editor=x commit",
        ),
    ),
    "mv": _edit(
        "mv",
        "renames tracked files",
        options="""
            flag    -n --dry-run -v,--verbose -k
            asks    -f,--force: overwrites the target
        """,
        operands=(MOVES, ..., WRITES),
        least=2,
        examples=("git mv a.py b.py", "git mv a.py b.py sub"),
        counter_examples=("git mv a /etc/x",),
    ),
    "reset": _edit(
        "reset",
        "unstages changes or moves the branch, files stay as they are",
        advice="`git stash` keeps what `git reset --hard` would throw away",
        options="""
            flag    -q,--quiet --no-quiet --mixed --soft -N --intent-to-add --refresh --no-refresh
            flag    --pathspec-file-nul
            reads   --pathspec-from-file
            asks    --hard: throws away changes in the working tree
            asks    --merge: throws away changes
            asks    --keep --recurse-submodules: changes the working tree
            asks    -p,--patch: waits for a person
        """,
        examples=("git reset", "git reset --soft HEAD~1", "git reset HEAD src/app.py"),
        counter_examples=("git reset --hard", "git reset --har HEAD~1"),
    ),
    "restore": _edit(
        "restore",
        "unstages changes",
        options="flag -q,--quiet",
        least=1,
        examples=("git restore --staged file.txt",),
        counter_examples=("git restore file.txt", "git restore -SW x"),
    ),
    "rm": _edit(
        "rm",
        "stops tracking files and leaves them in place",
        options="flag --cached -r -q,--quiet -n --dry-run --ignore-unmatch --sparse",
        examples=("git rm --cached -r dist",),
        counter_examples=("git rm -f file.txt", "git rm -f x"),
    ),
    "clean": _edit(
        "clean",
        "lists untracked files",
        options="""
            flag    -n --dry-run -d -x -X -q,--quiet
            value   -e,--exclude
        """,
        examples=("git clean -nd",),
        counter_examples=("git clean -fd", "git clean -nfd", "git clean -i"),
    ),
    "init": _edit(
        "init",
        "makes a repository here",
        options="""
            flag    -q,--quiet
            value   -b --initial-branch
        """,
        operands=(),
        examples=("git init -q -b main",),
        counter_examples=("git init /tmp/x", "git init --template=/tmp/t"),
    ),
    "format-patch": _edit(
        "format-patch",
        "writes commits as patch files",
        options="""
            flag    -k,--keep-subject -s,--signoff --stdout -n,--numbered -N,--no-numbered
            flag    --numbered-files --no-stat --cover-letter --no-attach --no-thread --zero-commit
            flag    --root --binary --full-index -p --no-renames --no-signature --always --progress
            flag    --rfc
            value   --start-number -v --reroll-count --subject-prefix --base --max-count --from-commit
            maybe   --thread --attach --inline --from --stat -M -C -U --to --cc
            below   -o,--output-directory
            writes  --output
            reads   --signature-file
            asks    --suffix: may name files elsewhere: git takes `/../` in it as it is
        """,
        reading=Reading(numbers=True),
        examples=("git format-patch HEAD~3", "git format-patch -o patches/ HEAD~5"),
        counter_examples=(
            "git format-patch -1 -o /tmp/p",
            "git format-patch -1 --output=/etc/x",
            "git format-patch -1 --suffix=/../../x",
        ),
    ),
    "archive": _edit(
        "archive",
        "packs a tree into an archive",
        options="""
            flag    -v,--verbose -l,--list --worktree-attributes
            value   --format --prefix --mtime
            writes  -o,--output
            reads   --add-file
            asks    --remote: asks another repository
            asks    --exec: runs a program
            asks    --add-virtual-file: adds content
        """,
        operands=(INERT, READS, ...),
        reading=Reading(numbers=True),
        examples=("git archive HEAD", "git archive -o build.tar HEAD"),
        counter_examples=("git archive --remote=. --exec=x HEAD",),
    ),
    "apply": _read(
        "apply",
        "checks a patch without applying it",
        options="""
            flag    --check --stat --numstat --summary -v,--verbose -q,--quiet -R,--reverse --cached
            flag    --index -z --recount --ignore-whitespace --ignore-space-change --unidiff-zero
            value   -p -C --whitespace
            below   --directory
        """,
        operands=(READS, ...),
        examples=("git apply --check x.patch", "git apply --stat x.patch"),
        counter_examples=("git apply x.patch", "git apply --unsafe-paths --check x"),
    ),
    "fetch": _edit(
        "fetch",
        "gets commits from a remote that the repository already knows",
        options="""
            flag    --all --multiple -q,--quiet -v,--verbose -p,--prune -t,--tags
            flag    -n,--no-tags --dry-run -k,--keep --no-auto-gc --no-auto-maintenance --atomic
            flag    --progress --no-progress -4 --ipv4 -6 --ipv6 --unshallow --no-recurse-submodules
            flag    --write-fetch-head --no-write-fetch-head --porcelain --append -a
            flag    --no-show-forced-updates --update-shallow
            value   --depth --deepen --shallow-since --shallow-exclude -j,--jobs --filter
            value   --negotiation-tip
            asks    -P,--prune-tags: deletes tags that only this repository has
            asks    --upload-pack: runs a program
            asks    -o --server-option: sends an option
            asks    -f,--force: overwrites references
            asks    --refmap: writes other references
            asks    -u,--update-head-ok: moves the current branch
            asks    --recurse-submodules: enters submodules
            asks    --set-upstream: changes the configuration
            asks    --stdin: reads references from its input
        """,
        examples=("git fetch", "git fetch --all --prune", "git fetch origin main"),
        counter_examples=(
            "git fetch https://evil.example/x",
            "git fetch --upload-pack=x .",
            "git fetch --upload-pac x origin",
            "git fetch origin +main:main",
            "git fetch --multiple origin ext::sh",
        ),
    ),
    "ls-remote": _read(
        "ls-remote",
        "lists what a known remote has",
        options="""
            flag    -h -b --heads --branches -t,--tags --refs -q,--quiet --exit-code --get-url --symref
            value   --sort
            asks    --upload-pack --exec: runs a program
            asks    -o --server-option: sends an option
        """,
        examples=("git ls-remote", "git ls-remote --tags origin"),
        counter_examples=("git ls-remote https://evil.example/x", "git ls-remote --upload-pac=x ."),
    ),
    "branch": _edit(
        "branch",
        "lists or makes branches",
        options="""
            flag    -a,--all -r,--remotes,--remote -v,--verbose -vv -q,--quiet -l,--list --show-current
            flag    --no-color -i,--ignore-case --no-column --no-abbrev --omit-empty -t --no-track
            flag    --create-reflog
            value   --sort --format --points-at -u --set-upstream-to
            maybe   --color --column --abbrev --contains --no-contains --merged --no-merged --track
            asks    -d,--delete: deletes a branch
            asks    -D: deletes a branch, merged or not
            asks    -f,--force: moves a branch
            asks    -m,--move: renames a branch
            asks    -M -C: overwrites a branch
            asks    -c,--copy: copies a branch
            asks    --edit-description: opens an editor
            asks    --unset-upstream: changes the configuration
            asks    --recurse-submodules: enters submodules
        """,
        examples=(
            "git branch -vv",
            "git branch --show-current",
            "git branch --all --contains abc1234",
            "git branch newfeature",
            "git branch -d merged",
        ),
        counter_examples=(
            "git branch -D main",
            "git branch --del x",
            "git branch -vD x",
            "git branch -d -f x",
            "git branch -dr origin/x",
            "git branch -d $x",
        ),
    ),
    "tag": _edit(
        "tag",
        "lists or makes tags",
        options="""
            flag    -l,--list -a,--annotate -s,--sign --no-sign -i,--ignore-case --no-column
            flag    --create-reflog --omit-empty -v,--verify
            value   -m,--message --sort --format --points-at --cleanup --trailer
            maybe   -n --column --color --contains --no-contains --merged --no-merged
            reads   -F,--file
            asks    -d,--delete: deletes a tag
            asks    -f,--force: moves a tag
            asks    -e,--edit: opens an editor
            asks    -u --local-user: signs with another key
        """,
        reading=Reading(),
        examples=("git tag", "git tag -n", "git tag --list 'v*' --sort=-v:refname", "git tag -a v1.0 -m x"),
        counter_examples=("git tag -d v1", "git tag -fa v1 -m x"),
    ),
    "symbolic-ref": _read(
        "symbolic-ref",
        "shows what a reference points at",
        options="""
            flag    -q,--quiet --short --recurse --no-recurse
            asks    -d,--delete: deletes a reference
            asks    -m: moves a reference
        """,
        operands=(INERT,),
        least=1,
        examples=("git symbolic-ref --short HEAD",),
        counter_examples=("git symbolic-ref HEAD refs/heads/x",),
    ),
    "reflog": Tool("git reflog", subcommands={}, key_words=2),  # filled in git.py: it takes the options of `git log`
    "stash": Tool(
        "git stash",
        Kind.EDIT,
        "puts changes aside",
        allowed=False,
        key_words=2,
        subcommands={
            "list": _read(
                "stash list",
                "lists what was put aside",
                options="""
                    flag    --oneline --all --no-color -p
                    value   -n --date
                    maybe   --format --pretty --color
                """,
                reading=Reading(numbers=True),
                examples=("git stash list",),
            ),
            "show": _read(
                "stash show",
                "shows what was put aside",
                options="""
                    flag    -p -u --patch --stat --name-only --name-status --include-untracked --only-untracked
                    flag    --no-color --numstat
                    maybe   --color -U
                """,
                examples=("git stash show -p stash@{0}",),
                counter_examples=("git stash show --output=x",),
            ),
            "pop": _asks("stash pop", "brings changes back into the working tree"),
            "apply": _asks("stash apply", "brings changes back into the working tree"),
            "push": _PUT_ASIDE,
            "save": replace(_PUT_ASIDE, name="git stash save"),
            "drop": _asks("stash drop", "deletes what was put aside", _LOSES),
            "clear": _asks("stash clear", "deletes all that was put aside", _LOSES),
            "branch": _asks("stash branch", "makes a branch from what was put aside"),
        },
        examples=("git stash list",),
        counter_examples=("git stash", "git stash clear"),
    ),
    "remote": Tool(
        "git remote",
        Kind.READ,
        "lists remotes",
        options="flag -v,--verbose",
        operands=(),
        key_words=2,
        examples=("git remote -v",),
        counter_examples=("git remote add x https://evil.example/x",),
        subcommands={
            "show": _read(
                "remote show",
                "shows a known remote",
                options="flag -n",
                examples=("git remote show origin",),
                counter_examples=("git remote show https://evil.example/x",),
            ),
            "get-url": _read(
                "remote get-url",
                "shows a remote's address",
                options="flag --push --all",
                examples=("git remote get-url origin",),
            ),
            "add": _asks("remote add", "adds a remote"),
            "rename": _asks("remote rename", "renames a remote"),
            "remove": _asks("remote remove", "removes a remote"),
            "rm": _asks("remote rm", "removes a remote"),
            "set-url": _asks("remote set-url", "changes where a remote points"),
            "prune": _asks("remote prune", "deletes remote branches known here"),
            "update": _asks("remote update", "fetches", _NETWORK),
            "set-head": _asks("remote set-head", "changes a remote's head"),
            "set-branches": _asks("remote set-branches", "changes what is fetched"),
        },
    ),
    "worktree": Tool(
        "git worktree",
        Kind.EDIT,
        "manages work trees",
        allowed=False,
        key_words=2,
        subcommands={
            "list": _read(
                "worktree list",
                "lists work trees",
                options="""
                    flag    -v,--verbose --porcelain -z
                    value   --expire
                """,
                operands=(),
                examples=("git worktree list",),
            ),
            "add": _asks("worktree add", "makes another work tree"),
            "remove": _asks("worktree remove", "deletes a work tree", _LOSES),
            "prune": _asks("worktree prune", "forgets work trees"),
            "move": _asks("worktree move", "moves a work tree"),
        },
    ),
    "submodule": Tool(
        "git submodule",
        Kind.READ,
        "shows submodules",
        options="flag -q,--quiet",
        key_words=2,
        examples=("git submodule", "git submodule status"),
        counter_examples=("git submodule foreach 'touch x'",),
        subcommands={
            "status": _read(
                "submodule status",
                "shows submodules",
                options="flag --cached --recursive",
                examples=("git submodule status",),
            ),
            "summary": _asks("submodule summary", "shows changes of submodules"),
            "foreach": _asks("submodule foreach", "runs a command in every submodule", Kind.WRAPPER),
            "update": _asks("submodule update", "fetches and checks out submodules", _NETWORK),
            "add": _asks("submodule add", "adds another repository", _NETWORK),
            "init": _asks("submodule init", "changes the configuration"),
            "sync": _asks("submodule sync", "changes the configuration"),
            "deinit": _asks("submodule deinit", "removes a submodule", _LOSES),
        },
    ),
    "notes": Tool(
        "git notes",
        Kind.READ,
        "lists notes",
        key_words=2,
        subcommands={
            "list": _read("notes list", "lists notes", examples=("git notes list",)),
            "show": _read("notes show", "shows a note", examples=("git notes show",)),
        },
        examples=("git notes",),
        counter_examples=("git notes add -m x",),
    ),
    "bisect": Tool(
        "git bisect",
        Kind.EDIT,
        "searches for the commit that broke something",
        allowed=False,
        key_words=2,
        subcommands={
            "log": _read("bisect log", "shows the search so far", examples=("git bisect log",)),
            "run": _asks("bisect run", "runs a command for many commits", Kind.WRAPPER),
            "start": _asks("bisect start", "starts a search"),
            "reset": _asks("bisect reset", "ends a search"),
            "good": _asks("bisect good", "marks a commit"),
            "bad": _asks("bisect bad", "marks a commit"),
        },
        counter_examples=("git bisect run touch x",),
    ),
    "bundle": Tool(
        "git bundle",
        Kind.EDIT,
        "packs a repository into a file",
        allowed=False,
        key_words=2,
        subcommands={
            "verify": _read(
                "bundle verify",
                "checks a bundle",
                options="flag -q,--quiet",
                operands=(READS, ...),
                examples=("git bundle verify repo.bundle",),
            ),
            "create": _asks("bundle create", "packs a repository into a file", operands=(WRITES, INERT, ...)),
        },
        counter_examples=("git bundle create x HEAD",),
    ),
    "sparse-checkout": Tool(
        "git sparse-checkout",
        Kind.EDIT,
        "chooses what is checked out",
        allowed=False,
        key_words=2,
        subcommands={
            "list": _read(
                "sparse-checkout list", "shows what is checked out", operands=(), examples=("git sparse-checkout list",)
            )
        },
    ),
    "lfs": Tool(
        "git lfs",
        Kind.EDIT,
        "large files",
        allowed=False,
        key_words=2,
        subcommands={
            "status": _read(
                "lfs status", "shows large files", options="flag -p,--porcelain -j,--json", examples=("git lfs status",)
            ),
            "env": _read("lfs env", "shows the settings", operands=(), examples=("git lfs env",)),
            "ls-files": _read(
                "lfs ls-files",
                "lists large files",
                options="flag -l,--long -s,--size -a,--all -n,--name-only -d,--debug --deleted",
            ),
            "fetch": _edit(
                "lfs fetch",
                "gets large files from the repository's own remote",
                options="flag --all --recent\nasks --prune -p: deletes large files from this machine",
                operands=(),
            ),
        },
        counter_examples=("git lfs install",),
    ),
    # Asked for, each with what it would do.
    "push": _asks(
        "push", "sends commits to another machine", _NETWORK, counter_examples=("git push", "git push origin main")
    ),
    "pull": _asks(
        "pull",
        "fetches and merges",
        _NETWORK,
        advice="`git fetch` and `git diff ...@{u}` look first",
        counter_examples=("git pull --upload-pack=x .",),
    ),
    "clone": _asks(
        "clone",
        "copies a repository, its hooks and its code",
        _NETWORK,
        counter_examples=("git clone https://evil.example/x",),
    ),
    "filter-branch": _asks("filter-branch", "rewrites history with commands", _LOSES),
    "filter-repo": _asks("filter-repo", "rewrites history", _LOSES),
    "update-ref": _asks("update-ref", "moves or deletes references", _LOSES),
    "read-tree": _asks("read-tree", "overwrites the index or files", _LOSES),
    "replace": _asks("replace", "replaces objects", _LOSES),
    "gc": _asks("gc", "removes unreachable objects", _LOSES),
    "prune": _asks("prune", "removes objects", _LOSES),
    "credential": _asks("credential", "shows or stores passwords"),
    "send-email": _asks("send-email", "sends mail", _NETWORK),
    "difftool": _asks("difftool", "runs a diff program", Kind.WRAPPER, advice="use `git diff`"),
    "mergetool": _asks("mergetool", "runs a merge program", Kind.WRAPPER),
    "hook": _asks("hook", "runs a hook", Kind.WRAPPER),
    "am": _asks("am", "applies mailed patches"),
    "maintenance": _asks("maintenance", "changes the repository or installs a timer"),
    "svn": _asks("svn", "talks to a Subversion server", _NETWORK),
}
