"""Compilers, linters, test runners and bundlers of Node projects.

Nearly all of them load the project's configuration as code, so they are allowed by the profile `node-dev`, in the
project, and without options that name other code or other settings.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from askfirst.model import Action, Fact, Kind, Word
from askfirst.shell.call import Analyst, Call, Outcome
from askfirst.shell.tools.engine import apply, call_after, facts_of, unknown
from askfirst.shell.tools.options import parse
from askfirst.shell.tools.project_code import place_facts, project_file, runner, with_own_settings
from askfirst.shell.tools.scripts import is_code_file, is_risky_script, pasted_facts, script_arguments
from askfirst.shell.tools.table import INERT, Reading, Tool, asking

__all__ = ["TOOLS"]

_CODE = "loads other code"
MAX_SETTINGS = 20  # files that extend each other
_SETTINGS = "uses other settings, which can name code"


def _tool(name: str, description: str, **more: Any) -> Tool:
    more.setdefault("operands", (INERT, ...))
    return Tool(
        name,
        Kind.BUILD,
        description,
        profile="node-dev",
        special=more.pop("special", checked),
        key_words=len(name.split()),
        **more,
    )


# Options whose value is the name of something built in or installed; as a file it would be code.
_NAMES = frozenset(
    (
        "-f --format --formatter -R --reporter --environment --env --testEnvironment --pool --ui -u --browser -b "
        "--browsers --coverageReporters --coverageProvider --parser -s --syntax --reporters"
    ).split()
)
# Sub-commands of builders that only build or check. Anything else starts a server, makes a project or installs
# something.
_VERBS = {
    "ng": "build test lint e2e version extract-i18n",
    "astro": "build check sync info",
    "webpack": "build b bundle watch w info i version v",
    "vitest": "",
}
_SERVERS = frozenset(
    "serve server s dev develop start preview init new add create update generate g deploy configtest eject "
    "loader plugin".split()
)


def checked(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    """A runner whose formats and reporters are names, and whose sub-command only builds or checks."""
    outcome = runner(tool, call, analyst)
    parsed = parse(tool, with_own_settings(call, analyst).words[1:])
    doubts = [
        unknown("option", f"`{given.value.text}` is code that `{tool.name}` would load", call, given.value.text)
        for given in parsed.given
        if given.value is not None and given.option.is_one_of(_NAMES) and is_code_file(given.value.text)
    ]
    first = parsed.operands[0].value if parsed.operands else ""
    verbs = _VERBS.get(tool.name)
    if verbs and first not in verbs.split():
        if first in _SERVERS or tool.name != "webpack":
            outcome = replace(
                outcome,
                action=replace(outcome.action, allowed=False, profile="", description="may start a server or install"),
            )
    return replace(outcome, facts=(*outcome.facts, *doubts, *pasted_facts(call.words[1:], call, tool.name)))


def rollup(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    """`rollup -c` takes the next word for the file, and `-c=x.js` and `-cx.js` name one too."""
    outcome = checked(tool, call, analyst)
    words = with_own_settings(call, analyst).words
    for word, after in zip(words[1:], (*words[2:], Word("", "")), strict=False):
        text = word.value or word.prefix
        alone = text in ("-c", "--config")
        glued = text.startswith("--config=") or (text.startswith("-c") and not alone)
        if glued or (alone and after.value and not after.value.startswith("-")):
            named = word if glued else after
            why = f"`{named.text}` is code that rollup would load"
            return replace(outcome, facts=(*outcome.facts, unknown("option", why, call, named.text)))
    return outcome


def esbuild(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    """`--external:react`, `--define:A=b`: names and values with a colon."""
    inert = ("--external:", "--loader:", "--define:", "--log-override:", "--drop:", "--pure:", "--supported:")
    outcome = checked(
        tool, replace(call, words=tuple(w for w in call.words if not (w.value or "").startswith(inert))), analyst
    )
    pasted = pasted_facts(call.words[1:], call, tool.name)
    return replace(outcome, facts=(*outcome.facts, *place_facts(tool, call, analyst), *pasted))


def tasks(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    """nx and lerna: targets whose names say that they leave the machine ask."""
    outcome = checked(tool, call, analyst)
    parsed = parse(tool, call.words[1:])
    named = [w.value or "deploy" for w in (*parsed.operands, *parsed.values("-t"))]
    if any(is_risky_script(part) for name in named for part in name.replace(",", ":").split(":")):
        return replace(outcome, action=replace(outcome.action, allowed=False, profile=""))
    return replace(outcome, facts=(*outcome.facts, *script_arguments(parsed.operands[1:], call, analyst, tool.name)))


def _no_inline(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    """Settings can be given as JSON, and arguments in a file named `@file`."""
    outcome = checked(tool, call, analyst)
    for word in call.words[1:]:
        text = word.value or word.text
        if ("{" in text and '"' in text) or text.startswith("@"):
            return replace(
                outcome,
                facts=(
                    *outcome.facts,
                    unknown("option", f"`{tool.name}` would take settings from `{word.text}`", call, word.text),
                ),
            )
    return outcome


def _all(names: str, description: str, **more: Any) -> dict[str, Tool]:
    return {name.rpartition(" ")[2]: _tool(name, description, **more) for name in names.split(",")}


def _tsc(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    """tsc: `--pretty false` is a flag with a value; a project is a directory or a `tsconfig*.json`."""
    words = list(call.words)
    for at in range(len(words) - 1, 1, -1):
        if words[at].value in ("true", "false") and (words[at - 1].value or "").startswith("--"):
            del words[at]
    outcome = _no_inline(tool, replace(call, words=tuple(words)), analyst)
    projects = parse(tool, tuple(words[1:])).values("-p")
    odd = [w for w in projects if not _is_tsconfig(w.value)]
    facts = [unknown("option", _SETTINGS, call, w.text) for w in odd]
    if not any(w.value in ("--noEmit", "--version", "-v", "--showConfig", "--listFilesOnly") for w in words):
        facts += _emits_elsewhere(call, projects, analyst)
    return replace(outcome, facts=(*outcome.facts, *facts))


def _emits_elsewhere(call: Call, named: Sequence[Word], analyst: Analyst) -> list[Fact]:
    """The project's settings, and those that they extend, say where the compiler writes: only plain places of the
    project pass."""
    paths = [analyst.path(w.value or ".", call.cwd) for w in named] or [analyst.path(".", call.cwd)]
    for text in _settings_texts([path for path in paths if path], analyst):
        for key in ('"outFile"', '"outDir"', '"declarationDir"', '"tsBuildInfoFile"'):
            value = text.partition(key)[2].partition(":")[2].lstrip()[1:].partition('"')[0]
            place = value.removeprefix("./")
            if place.startswith(("/", "~", ".")) or ".." in place or "/." in place:
                return [unknown("path", f"tsconfig.json sets {key} to `{value}`", call, value)]
    before = analyst.whole_text().partition("tsc ")[0].replace(";", " ").split()
    if any(".json" in word or "tsconfig" in word for word in before) and not _WRITERS.isdisjoint(before):
        return [unknown("path", "the same script may have changed where the compiler writes", call)]
    return []


_WRITERS = frozenset("> >> cp mv ln tee sed install".split())


def _settings_texts(paths: list[str], analyst: Analyst) -> Iterator[str]:
    """What such files say, and those that they extend."""
    seen: dict[str, None] = {}
    while paths and len(seen) < MAX_SETTINGS:
        path = paths.pop()
        path = path if path.endswith(".json") else f"{path}/tsconfig.json"
        if path in seen:
            continue
        seen[path] = None
        text = analyst.read_file(path) or ""
        yield text
        folder = path.rpartition("/")[0]
        quoted = text.partition('"extends"')[2].partition("]" if "[" in text else ",")[0].split('"')
        for name in (part for part in quoted if part.startswith("./") or part.startswith("../")):
            extended = analyst.path(name if name.endswith(".json") else f"{name}.json", folder)
            paths += [extended] if extended else []


def _is_tsconfig(path: str | None) -> bool:
    name = (path or "?").rstrip("/").rpartition("/")[2]
    return name.startswith(("tsconfig", "jsconfig")) or not name.endswith((".json", "?"))


_TSC = _tool(
    "tsc",
    "checks types and compiles",
    options="""
        flag    -h -v --all -w,--watch --noEmit --strict --pretty --listFiles --listFilesOnly
        flag    --listEmittedFiles --showConfig --explainFiles --diagnostics --extendedDiagnostics
        flag    --traceResolution --allowJs --checkJs --skipLibCheck --skipDefaultLibCheck
        flag    --esModuleInterop --allowSyntheticDefaultImports --resolveJsonModule
        flag    --isolatedModules --incremental --noEmitOnError --declaration -d
        flag    --emitDeclarationOnly --sourceMap --noImplicitAny --strictNullChecks
        flag    --noUnusedLocals --noUnusedParameters --noImplicitReturns
        flag    --noFallthroughCasesInSwitch --noUncheckedIndexedAccess --composite -b,--build
        flag    --force --dry --verbose --preserveWatchOutput --noErrorTruncation
        value   -t,--target -m,--module --moduleResolution --jsx --lib --rootDir --types
        value   -p,--project
        below   --outDir --declarationDir
        writes  --outFile --out --tsBuildInfoFile
        asks    --plugins --typeRoots --paths --baseUrl: uses other settings, which can name code
        asks    --init: writes settings
        asks    --generateTrace --generateCpuProfile: writes files
        asks    --clean: deletes files
    """,
    reading=Reading(response_files=True),
    manual="tsc 7.0.2",
    examples=("tsc --noEmit", "tsc -p tsconfig.build.json --noEmit", "tsc --allowJs --checkJs --noEmit src/app.js"),
    counter_examples=(
        "tsc --outFile ~/.bashrc x.ts",
        "tsc -p /tmp/evil --outDir ~/bin",
        "tsc @/tmp/args",
        "tsc --OUTFILE x y.ts",
    ),
    special=_tsc,
)
_ESLINT = _tool(
    "eslint",
    "lints JavaScript",
    options="""
        flag    -h -v --quiet --fix --fix-dry-run --no-eslintrc --no-ignore --no-inline-config
        flag    --report-unused-disable-directives --cache --no-cache --color --no-color --stdin
        flag    --exit-on-fatal-error --no-error-on-unmatched-pattern --debug --pass-on-no-patterns
        flag    --no-warn-ignored --env-info --stats
        value   --ext --max-warnings -f,--format --ignore-pattern --rule --env --global --fix-type
        value   --cache-strategy --stdin-filename --parser-options
        value   --report-unused-disable-directives-severity --flag
        writes  -o,--output-file --cache-location --cache-file
        reads   --print-config --ignore-path
        asks    -c,--config: uses other settings, which can name code
        asks    --rulesdir --plugin --parser --resolve-plugins-relative-to: loads other code
        asks    --init: installs packages
        asks    --inspect-config: starts a server
    """,
    manual="eslint 10.15.0",
    examples=("eslint .", "eslint src --max-warnings=0 -f stylish", "eslint --fix src/a.js"),
    counter_examples=("eslint -c /tmp/x.js .", "eslint --rulesdir x .", "eslint -o /etc/x .", "eslint /tmp/x"),
)
_PRETTIER = _tool(
    "prettier",
    "formats files",
    options="""
        flag    -h -v -c,--check -l,--list-different -w,--write -u --ignore-unknown --no-config
        flag    --no-editorconfig --no-color --color --cache --no-cache
        flag    --no-error-on-unmatched-pattern --single-quote --no-semi --semi --use-tabs
        flag    --jsx-single-quote --no-bracket-spacing --bracket-same-line --with-node-modules
        flag    --support-info
        value   --log-level --loglevel --tab-width --print-width --trailing-comma --arrow-parens
        value   --prose-wrap --end-of-line --parser --stdin-filepath --quote-props --cache-strategy
        value   --html-whitespace-sensitivity
        reads   --ignore-path --find-config-path --file-info
        writes  --cache-location
        asks    --config --config-precedence: uses other settings, which can name code
        asks    --plugin --plugin-search-dir: loads other code
    """,
    manual="prettier 3.10.1",
    examples=("prettier --check src", "prettier --write src", "prettier src/app.ts"),
    counter_examples=("prettier --write ~/x.json", "prettier --plugin=x src", "prettier --config /tmp/x src"),
)
_JEST = _tool(
    "jest",
    "runs the project's tests",
    options="""
        flag    -h -v -i --runInBand --collectCoverage -b -u,--updateSnapshot -o,--onlyChanged
        flag    --onlyFailures -f --listTests --no-cache --clearCache --detectOpenHandles
        flag    --forceExit --noStackTrace --showSeed --json --findRelatedTests --lastCommit
        flag    --expand -e,--errorOnDeprecated --logHeapUsage --no-coverage --no-watchman --all
        flag    --debug --showConfig --randomize --injectGlobals --useStderr --no-color --colors
        flag    --runTestsByPath --detectLeaks
        value   -t,--testNamePattern --testPathPattern --testPathPatterns --testPathIgnorePatterns
        value   --testMatch --maxWorkers -w --maxConcurrency --testTimeout --shard --changedSince
        value   --selectProjects --ignoreProjects --collectCoverageFrom --coverageProvider
        flag    --testLocationInResults
        value   --coverageReporters --seed --testRegex
        value   --workerIdleMemoryLimit --nonFlagArgs --env --testEnvironment
        maybe   --bail --watch --watchAll --coverage --ci --verbose --silent --passWithNoTests
        below   --coverageDirectory
        writes  --outputFile
        asks    -c,--config: uses other settings, which can name code
        asks    --globalSetup --globalTeardown --setupFiles --setupFilesAfterEnv: loads other code
        asks    --runner --testRunner --reporters --testResultsProcessor: loads other code
        asks    --resolver --transform --preset --moduleNameMapper --modulePaths: loads other code
        asks    --moduleDirectories --snapshotSerializers --testSequencer --filter: loads other code
        asks    --prettierPath --dependencyExtractor --haste: loads other code
        asks    --rootDir --roots --projects: runs elsewhere
        asks    --cacheDirectory: writes elsewhere
        asks    --openHandlesTimeout --init --notify: is not known
    """,
    manual="jest 30.5.2",
    examples=(
        "jest --coverage",
        "jest src/foo.test.ts -t adds",
        "jest --watch=false",
        "jest --findRelatedTests src/x.js",
    ),
    counter_examples=(
        'jest --config=\'{"globalSetup":"/tmp/evil.js"}\'',
        "jest --setupFilesAfterEnv /tmp/evil.js",
        "jest -c x.js",
        "jest --globalSet x.js",
    ),
    special=_no_inline,
)
_VITEST_FLAGS = """
    flag    -h -v -w -u,--update --watch --run --silent --coverage --no-coverage --globals
    flag    --passWithNoTests --allowOnly --no-color --hideSkippedTests --logHeapUsage --dom
    flag    --no-file-parallelism --no-isolate --expandSnapshotDiff --no-watch
    flag    --disableConsoleIntercept --typecheck
"""
_VITEST_VALUES = """
    value   -t,--testNamePattern --reporter --bail --retry --testTimeout --hookTimeout --shard
    value   --project --maxWorkers --minWorkers --pool --environment --exclude --dir
    value   --slowTestThreshold --maxConcurrency --mode
"""
_VITEST_ASKS = """
    asks    -c,--config: uses other settings, which can name code
    asks    -r,--root: runs elsewhere
    asks    --globalSetup --setupFiles --execArgv --poolOptions --env: loads other code
    asks    --snapshotSerializers --runner --workspace --standalone: loads other code
    asks    --api --ui --inspect --inspect-brk --inspectBrk --open: starts a server
    asks    --browser: starts a browser
    asks    --attachmentsDir: writes elsewhere
"""


def _vitest(name: str) -> Tool:
    return _tool(
        name,
        "runs the project's tests",
        options=_VITEST_FLAGS
        + _VITEST_VALUES
        + _VITEST_ASKS
        + """
            maybe   --changed --watch --coverage
            writes  --outputFile
        """,
        examples=(f"{name} src/a.test.ts", f"{name} -t x", f"{name} --coverage"),
        counter_examples=(f"{name} --config /tmp/evil.ts", f"{name} -r /tmp/x"),
        special=_no_inline,
    )


_BUNDLE = """
    asks    -c,--config --env: uses other settings, which can name code
    asks    -r,--require --plugin --configPlugin --config-plugin: loads other code
    asks    --host --open --port: starts a server
"""

TOOLS: dict[str, Tool] = {
    "tsc": _TSC,
    "vue-tsc": replace(_TSC, name="vue-tsc", examples=("vue-tsc --noEmit",), counter_examples=()),
    "eslint": _ESLINT,
    "prettier": _PRETTIER,
    "jest": _JEST,
    "oxlint": _tool(
        "oxlint",
        "lints JavaScript",
        options="""
            flag    --fix --quiet --deny-warnings
            value   -D -A -W --max-warnings -f,--format
            asks    -c,--config: uses other settings, which can name code
        """,
        manual="oxlint 1.93.0",
    ),
    "vitest": Tool(
        "vitest",
        Kind.BUILD,
        "runs the project's tests",
        profile="node-dev",
        manual="vitest 4.1.12",
        special=lambda tool, call, analyst: _vitest_call(call, analyst),
        key_words=2,
        examples=("vitest run", "vitest --help", "vitest run src/a.test.ts"),
        counter_examples=("vitest run --config /tmp/evil.ts", "vitest --ui", "vitest bench --config x"),
    ),
    "mocha": _tool(
        "mocha",
        "runs the project's tests",
        options="""
            flag    -h -V -b,--bail --check-leaks -C --no-color -c,--color --exit --forbid-only
            flag    --forbid-pending --full-trace -G --diff --dry-run -p,--parallel --recursive
            flag    -w,--watch --delay -i,--invert --inline-diffs --sort --allow-uncaught --no-timeout
            flag    --no-timeouts --list-reporters
            value   -R,--reporter -g,--grep -f --fgrep -t,--timeout -s,--slow --retries -j,--jobs
            value   -u,--ui --extension --ignore --exclude --spec
            asks    -r,--require --loader --import --file -n,--node-option: loads other code
            asks    --config --package --opts: uses other settings, which can name code
            asks    -O --reporter-option --reporter-options: may write files
            asks    --inspect --inspect-brk: starts a debugger
        """,
        manual="mocha 12.0.3",
        examples=("mocha --reporter dot", "mocha test/a.js"),
        counter_examples=(
            "mocha --config /tmp/evil.js --spec /tmp/evil.js",
            "mocha -r ./x.js",
            "mocha --reporter /tmp/x.js",
        ),
    ),
    "cypress": Tool(
        "cypress",
        Kind.BUILD,
        "runs browser tests",
        profile="node-dev",
        options="flag -v,--version -h,--help",
        key_words=2,
        manual="Cypress 15.3.0",
        subcommands={
            "run": _tool(
                "cypress run",
                "runs the project's browser tests",
                options="""
                    flag    -q,--quiet --headless --e2e --component
                    value   -b,--browser -s --spec
                    asks    -C,--config-file -c,--config -P,--project: uses other settings, which can name code
                """,
            ),
        },
    ),
    "playwright": Tool(
        "playwright",
        Kind.BUILD,
        "runs browser tests",
        profile="node-dev",
        options="flag -V,--version -h,--help",
        key_words=2,
        manual="playwright 1.65.1",
        subcommands={
            "test": _tool(
                "playwright test",
                "runs the project's browser tests",
                options="""
                    flag    -h -x --list --forbid-only --fully-parallel --quiet --headed --last-failed
                    flag    --pass-with-no-tests -u
                    value   -g,--grep --grep-invert --project --reporter --retries --shard --timeout -j
                    value   --workers --max-failures --repeat-each --trace
                    asks    -c,--config --tsconfig: uses other settings, which can name code
                    asks    --debug --ui --ui-host --ui-port: waits for a person
                    asks    --output: empties a directory
                """,
                examples=("playwright test --project=chromium",),
                counter_examples=("playwright test --config /tmp/evil.ts",),
            ),
            "install": asking("playwright install", "fetches browsers", Kind.INSTALL, key_words=2),
        },
    ),
    "vite": Tool(
        "vite",
        Kind.BUILD,
        "builds the project",
        profile="node-dev",
        options="flag -v,--version -h,--help",
        key_words=2,
        manual="vite 8.3.8",
        examples=("vite build", "vite --version"),
        counter_examples=("vite build --config /tmp/evil.ts", "vite", "vite --host", "vite build --outDir src"),
        special=lambda tool, call, analyst: _vite_call(call, analyst),
    ),
    **_all(
        "webpack",
        "builds the project",
        options=_BUNDLE
        + """
            flag    -h -v -w,--watch --progress --stats --no-stats --bail --profile --no-devtool
            value   --mode -t,--target -d,--devtool --entry --name --node-env
            below   -o,--output-path
            asks    -j,--json: writes the file behind it
        """,
        manual="webpack 5.112.2",
        examples=("webpack --mode production",),
        counter_examples=("webpack --config /tmp/evil.js", "webpack -c x.js", "webpack serve --host 0.0.0.0"),
    ),
    **_all(
        "rollup",
        "builds the project",
        options="""
            flag    -h -v -w,--watch --silent --sourcemap -m
            value   -f,--format -i,--input -n,--name
            maybe   -c,--config
            writes  -o,--file
            below   -d,--dir
            asks    -p,--plugin --configPlugin: loads other code
            asks    --watch.onStart --watch.onEnd --watch.onBundleStart: runs a command
            asks    --watch.onBundleEnd --watch.onError: runs a command
        """,
        manual="rollup 4.68.3",
        examples=("rollup -c",),
        counter_examples=("rollup -c /tmp/x.js", "rollup --watch.onEnd x"),
        special=rollup,
    ),
    **_all(
        "esbuild",
        "builds the project",
        options="""
            flag    --bundle --minify --sourcemap --watch --splitting --allow-overwrite --keep-names
            value   --format --platform --target --loader --external --define --log-level --jsx
            writes  --outfile
            below   --outdir
            asks    --serve --servedir --serve-fallback: starts a server
            asks    --metafile --mangle-cache: writes a file
        """,
        manual="esbuild 0.28.2",
        examples=("esbuild src/a.ts --bundle --outfile=dist/a.js",),
        counter_examples=("esbuild a.ts --outfile=/etc/x", "esbuild --serve a.ts"),
        special=esbuild,
    ),
    **_all(
        "tsup",
        "builds the project",
        options="""
            flag    -h,--help -v,--version --silent --keep-names --no-splitting --shims --dts-only --cjsInterop
            value   --format --target --platform --external --global-name
            maybe   --minify --sourcemap --dts --treeshake --watch
            reads   --tsconfig
            asks    --config: uses other settings, which can name code
            asks    --onSuccess: runs a command
            asks    -d,--out-dir --publicDir: writes elsewhere
        """,
        manual="tsup 8.5.1",
    ),
    **_all(
        "ng",
        "builds or tests the project",
        options="""
            flag    -h,--help --aot --code-coverage --coverage --no-progress --no-watch --verbose
            value   --configuration --browsers --include --exclude --filter
            maybe   --watch --source-map --progress
            asks    -c,--karma-config --runner-config --ts-config: uses other settings, which can name code
            asks    --output-path --output-file: writes elsewhere
        """,
        manual="ng 21.2.28, schemas of @angular/build",
    ),
    **_all(
        "astro",
        "builds or checks the project",
        options="""
            flag    -h,--help -v,--version --verbose --silent
            value   --mode
            asks    --config --root: uses other settings, which can name code
            asks    --outDir --host --port --open: writes elsewhere or starts a server
        """,
        manual="astro 6.0.5",
    ),
    **_all(
        "svelte-check",
        "checks the project",
        options="""
            flag    -h,--help -v,--version --watch --preserveWatchOutput --no-tsconfig --fail-on-warnings --color
            flag    --no-color
            value   --output --threshold --compiler-warnings --diagnostic-sources --ignore
            reads   --tsconfig
            asks    --workspace --config: uses other settings, which can name code
        """,
        manual="svelte-check 4.7.8",
    ),
    "next": Tool(
        "next",
        Kind.BUILD,
        "builds the project",
        profile="node-dev",
        options="flag -v,--version -h,--help",
        key_words=2,
        manual="Next.js 16.4.6",
        counter_examples=("next dev -H 0.0.0.0",),
        subcommands={
            "build": _tool(
                "next build",
                "builds the project",
                options="flag -d,--debug --no-lint --profile --turbo --no-mangling",
                examples=("next build",),
            ),
            "lint": _tool(
                "next lint",
                "lints the project",
                options="""
                    flag    --quiet --strict --fix
                    value   -d,--dir --max-warnings -f,--format
                    asks    -c,--config --resolve-plugins-relative-to: uses other settings, which can name code
                    asks    --rulesdir -o,--output-file: uses other settings, which can name code
                """,
            ),
        },
    ),
    "biome": Tool(
        "biome",
        Kind.BUILD,
        "lints and formats",
        profile="node-dev",
        options="flag -V,--version -h,--help",
        key_words=2,
        manual="biome 2.6.7",
        subcommands={
            name: _tool(
                f"biome {name}",
                "lints and formats",
                options="""
                    flag    --write --fix --apply --unsafe --staged --changed --verbose --no-errors-on-unmatched
                    flag    --error-on-warnings --apply-unsafe --colors
                    value   --max-diagnostics --diagnostic-level --reporter --since --only --skip --log-level
                    asks    --config-path: uses other settings, which can name code
                    asks    --log-path: writes elsewhere
                """,
                examples=(f"biome {name} .",),
                counter_examples=(f"biome {name} --config-path=/tmp .",),
            )
            for name in ("check", "lint", "format", "ci")
        },
    ),
    "turbo": Tool(
        "turbo",
        Kind.BUILD,
        "runs the project's scripts",
        profile="node-dev",
        key_words=3,
        manual="turbo 2.11.11",
        special=lambda tool, call, analyst: _turbo_call(call, analyst),
        examples=("turbo run build --filter=web", "turbo run test lint", "turbo --version"),
        counter_examples=("turbo run build --cwd=/tmp/x", "turbo login", "turbo run deploy"),
    ),
    "nx": Tool(
        "nx",
        Kind.BUILD,
        "runs the project's targets",
        profile="node-dev",
        key_words=2,
        manual="nx 24.0.0",
        subcommands={
            name: _tool(
                f"nx {name}",
                "runs the project's targets",
                options="""
                    flag    --all --skip-nx-cache --verbose --affected --no-cloud --prod
                    value   -t,--target,--targets --projects -p,--project -c,--configuration --base --head
                    value   --parallel --exclude --output-style
                """,
                special=tasks,
            )
            for name in (
                "run",
                "run-many",
                "affected",
                "test",
                "build",
                "lint",
                "format:check",
                "show",
            )
        },
    ),
    **_all(
        "stylelint",
        "lints styles",
        options="""
            flag    --fix --quiet -q --allow-empty-input --ai --cache --color --no-color
            value   -f,--formatter --max-warnings --mw --ignore-pattern --ip -s,--syntax
            writes  -o,--output-file
            asks    -c,--config --config-basedir: uses other settings, which can name code
            asks    --custom-formatter --custom-syntax --plugin: loads other code
        """,
        manual="stylelint 17.16.0",
    ),
}


def _vitest_call(call: Call, analyst: Analyst) -> Outcome:
    first = call.words[1].value if len(call.words) > 1 else None
    if first == "init":
        return Outcome(
            Action(("vitest", "init"), Kind.INSTALL, rule="vitest", description="installs packages and writes settings")
        )
    if first in ("run", "watch", "related", "list", "dev", "bench"):
        return runner_of(_VITEST_RUN, call, analyst, 2)
    return runner_of(_VITEST, call, analyst, 1)


def _vite_call(call: Call, analyst: Analyst) -> Outcome:
    if len(call.words) > 1 and call.words[1].value == "build":
        return runner_of(_VITE_BUILD, call, analyst, 2)
    if len(call.words) == 2 and call.words[1].value in ("--version", "--help", "-v", "-h"):
        return runner_of(_VITE_BUILD, call, analyst, 1)
    return runner_of(_VITE_SERVE, call, analyst, 1)


def _turbo_call(call: Call, analyst: Analyst) -> Outcome:
    first = call.words[1].value if len(call.words) > 1 else None
    start = 2 if first == "run" else 1
    outcome = runner_of(_TURBO, call, analyst, start)
    at = next((i for i, w in enumerate(call.words) if w.value == "--"), len(call.words))
    tail = script_arguments(call.words[at + 1 :], call, analyst, "turbo")
    outcome = replace(outcome, facts=(*outcome.facts, *tail))
    for word in parse(_TURBO, call.words[start:]).operands:
        if is_risky_script(word.value or "deploy") or word.value in (
            "login",
            "logout",
            "link",
            "unlink",
            "gen",
            "generate",
            "prune",
            "daemon",
            "telemetry",
            "scan",
        ):
            return replace(outcome, action=replace(outcome.action, allowed=False, profile=""))
    return outcome


def runner_of(tool: Tool, call: Call, analyst: Analyst, start: int) -> Outcome:
    return apply(tool, call_after(call, call.words[start:]), analyst)


_VITEST, _VITEST_RUN = _vitest("vitest"), _vitest("vitest run")
_VITE_BUILD = _tool(
    "vite build",
    "builds the project",
    options="""
        flag    -h -v -w,--watch --sourcemap --ssr --manifest --no-minify --profile
        value   -m,--mode -l,--logLevel --base --target --minify --assetsInlineLimit
        empties --outDir
        asks    -c,--config --configLoader: uses other settings, which can name code
        asks    --emptyOutDir: empties a directory
        asks    --force -d,--debug -f,--filter: is not known
    """,
)
_VITE_SERVE = asking("vite", "starts a server", Kind.BUILD)
_TURBO = _tool(
    "turbo run",
    "runs the project's scripts",
    options="""
        flag    --no-cache --force --parallel --only --continue --dry --dry-run --affected
        flag    --no-daemon --include-dependencies --no-deps --summarize -v
        value   -F,--filter --concurrency --cache --output-logs --log-order --log-prefix --env-mode
        value   --ui --scope --since
        asks    --cwd: runs elsewhere
        asks    --graph --profile --anon-profile: writes a file
        asks    --team --token --api --login --remote-only --preflight: talks to a server
    """,
)
_MANUALS: dict[str, str] = {
    "markdownlint": "markdownlint-cli 0.48.0",
    "markdownlint-cli2": "markdownlint-cli2 0.22.1",
    "vue-tsc": "vue-tsc 6.0.3",
}
for _name in ("markdownlint", "markdownlint-cli2"):
    TOOLS[_name] = _tool(
        _name,
        "checks the project",
        options="""
            flag    -q,--quiet --fix --no-progress --no-summary --production --strict
            asks    -c,--config -r,--rules: uses other settings, which can name code
            asks    -o,--output: writes elsewhere
        """,
        manual=_MANUALS.get(_name, ""),
    )
TOOLS["prisma"] = Tool(
    "prisma",
    Kind.BUILD,
    "a database's client and schema",
    profile="node-dev",
    options="flag -v,--version -h,--help",
    key_words=2,
    manual="prisma 3.0",
    counter_examples=(
        "prisma generate --schema /tmp/x",
        "prisma generate --watch",
        "prisma migrate reset",
        "prisma db push",
        "prisma validate --schema /tmp/x",
    ),
    subcommands={
        "generate": _tool(
            "prisma generate",
            "writes the client of the project's schema",
            options="""
                flag    --no-engine --no-hints --sql
                value   --generator --schema
                asks    --config: uses other settings, which can name code
                asks    --watch --accelerate --data-proxy --allow-no-models: is not known
            """,
            operands=(),
            examples=("prisma generate", "prisma generate --schema=prisma/schema.prisma"),
        ),
    }
    | {
        name: _tool(
            f"prisma {name}",
            "checks the schema",
            options="""
                flag    --no-engine --no-hints --check --sql
                value   --generator
                asks    --schema --config: uses other settings, which can name code
                asks    --watch --accelerate --data-proxy: is not known
            """,
            operands=(),
            examples=(f"prisma {name}",),
        )
        for name in ("validate", "format")
    },
)


def _engine(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    """Runs a file of TypeScript or JavaScript as `node` does: what runs is the file."""
    if len(call.words) == 2 and call.words[1].value in ("--version", "-v", "--help", "-h"):
        action = Action((tool.name, "--version"), Kind.READ, rule=tool.name, allowed=True)
        return Outcome(replace(action, description="shows the version"))
    parsed = parse(tool, call.words[1:])
    files = parsed.operands[1:] if parsed.operands and parsed.operands[0].value == "watch" else parsed.operands
    facts = tuple(facts_of(tool, call, replace(parsed, operands=()), analyst))
    if files and is_code_file(files[0].value or ""):
        return project_file(tool, call, analyst, files[0], facts, tests=tool.profile)
    why = unknown("inline code", "code in the command or from its input", call)
    return Outcome(Action((tool.name, "-"), Kind.INLINE, rule=tool.name, description="runs code"), (*facts, why))


_ENGINES = {
    "tsx": "4.23.15",
    "ts-node": "10.9.2",
    "vite-node": "6.0.0",
}
for _name, _version in _ENGINES.items():
    TOOLS[_name] = Tool(
        _name,
        Kind.CODE,
        "runs TypeScript or JavaScript",
        options="""
            flag    --no-warnings --enable-source-maps --no-cache --clear-screen --esm --files -T,--transpile-only
            asks    -e,--eval -p,--print: runs code
            asks    -r,--require --import --loader --experimental-loader: loads other code
            asks    -P,--project --tsconfig -C,--compiler -O,--compiler-options: uses other settings
            asks    --env-file -c,--config --cwd --cwd-mode --script-mode --dir: uses other settings
        """,
        profile="node-dev",  # for tests alone
        reading=Reading(stops_at_operand=True),
        manual=f"{_name} {_version}",
        special=_engine,
        examples=(f"{_name} --version",),
        counter_examples=(f"{_name} scripts/seed.ts", f"{_name} -e 'x()'", _name, f"{_name} --test"),
    )
