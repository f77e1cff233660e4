"""Test runners, linters, type checkers and formatters of Python projects.

What imports the project's code (pytest, pylint's plugins, tox) is allowed by the profile `python-dev`; what only reads
it is allowed as it is; what rewrites files is an edit of the files it names. Options that load other code, other
settings or write files ask.
"""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise

from askfirst.knowledge.places import OBEYED_NAMES
from askfirst.model import Fact, Kind, Word
from askfirst.shell.call import Analyst, Call, Outcome
from askfirst.shell.tools.engine import finish, read_fact, unknown, write_fact
from askfirst.shell.tools.options import parse
from askfirst.shell.tools.project_code import (
    arguments_file,
    inside,
    place_facts,
    runner,
    runs_elsewhere,
    with_own_settings,
)
from askfirst.shell.tools.scripts import is_risky_script, script_arguments
from askfirst.shell.tools.table import ANY_OPTIONS, BELOW, INERT, Reading, Tool, asking, looking

__all__ = ["TOOLS", "edits", "is_plain_warning", "pytest"]

_OTHER_CODE = "loads other code"
_OTHER_SETTINGS = "uses other settings, which can name code"


def pytest(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    """`-p no:x` only switches a plugin off; `-W` imports a module when its category has a dot; `-o` sets what the file
    could.
    """
    given = with_own_settings(call, analyst)
    parsed = parse(tool, given.words[1:])
    facts: list[Fact] = [*place_facts(tool, call, analyst), *arguments_file(tool, call)]
    for word in parsed.values("-p"):
        if not (word.value or "").startswith("no:"):
            facts.append(unknown("option", f"`-p` of `{tool.name}` {_OTHER_CODE}", call, word.text))
    for word in parsed.values("-W"):
        if not is_plain_warning(word.value):
            facts.append(unknown("option", f"`-W` of `{tool.name}` imports a module", call, word.text))
    for word in parsed.values("-o"):
        if (word.value or "").partition("=")[0] not in _INERT_INI:
            facts.append(unknown("option", f"`-o` of `{tool.name}` {_OTHER_SETTINGS}", call, word.text))
    facts += _coverage_reports(given, call, analyst)
    return finish(tool, given, parsed, analyst, more=tuple(facts))


def _coverage_reports(given: Call, call: Call, analyst: Analyst) -> list[Fact]:
    """`--cov-report=html:DIR` and `--cov-report xml:FILE`."""
    facts: list[Fact] = []
    for before, word in pairwise(given.words):
        text = word.value or ""
        kind, _, target = text.removeprefix("--cov-report=").partition(":")
        if target and (text.startswith("--cov-report=") or before.value == "--cov-report"):
            below = kind in ("html", "annotate")
            facts += write_fact(Word(word.text, target), call, analyst, "pytest --cov-report", "overwrite", below=below)
    return facts


# Settings of pytest that change what is shown, and load nothing.
_INERT_INI = frozenset(
    (
        "log_cli log_cli_level log_cli_format log_cli_date_format log_level log_format log_date_format junit_family "
        "xfail_strict console_output_style faulthandler_timeout asyncio_mode asyncio_default_fixture_loop_scope "
        "timeout truncation_limit_lines truncation_limit_chars verbosity_assertions verbosity_test_cases "
        "empty_parameter_set_mark tmp_path_retention_policy"
    ).split()
)


def is_plain_warning(value: str | None) -> bool:
    """`ignore`, `error::DeprecationWarning`: no dot in the category, so nothing is imported."""
    parts = (value or ".").split(":")
    return len(parts) < 3 or "." not in parts[2]


def edits(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    """A formatter: every operand must be in the project, and without one the directory must be."""
    given = with_own_settings(call, analyst)
    parsed = parse(tool, given.words[1:])
    facts: list[Fact] = [*runs_elsewhere(tool.name, call, analyst), *arguments_file(tool, call)]
    rewrites = not parsed.has("--check", "--diff") and not (tool.name == "ruff check" and _only_lints(call, analyst))
    for word in parsed.operands:
        if word.value != "-" and not inside(word, call, analyst):
            facts.append(
                unknown(
                    "path", f"`{tool.name}` would rewrite `{word.text}`, which is not in the project", call, word.text
                )
            )
        elif rewrites and any(part in _NOT_FORMATTED for part in (word.value or word.text).split("/")):
            facts.append(
                unknown("path", f"`{tool.name}` would rewrite `{word.text}`, which other tools load", call, word.text)
            )
        facts += read_fact(word, call, analyst, tool.name)
    return finish(tool, given, parsed, analyst, more=tuple(facts))


def _only_lints(call: Call, analyst: Analyst) -> bool:
    """`ruff check --config FILE` with settings that do not tell it to mend what it finds. Other settings it looks for,
    from each file upwards."""
    words = [w.value or "" for w in call.words]
    if any(w.startswith(("--fix", "--add-noqa", "--unsafe")) for w in words) or words.count("--config") != 1:
        return False
    name = words[min(words.index("--config") + 1, len(words) - 1)]
    path = analyst.path(name, call.cwd)
    text = analyst.read_file(path) if path and analyst.whole_text().count(name.rpartition("/")[2]) == 1 else None
    return text is not None and not re.search(r"\bfix(?:-only)?[\"']?\s*=|\bextend[\"']?\s*=|\\u", text)


_NOT_FORMATTED = OBEYED_NAMES | {".venv", "node_modules"}


def sphinx(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    """`-M clean docs DIR` deletes all that is in the directory."""
    outcome = runner(tool, call, analyst)
    parsed = parse(tool, call.words[1:])
    if all(w.value is not None and w.value != "clean" for w in parsed.values("-M")):
        return outcome
    lost = (f for w in parsed.operands[1:] for f in write_fact(w, call, analyst, tool.name, "delete", below=True))
    return replace(outcome, facts=(*outcome.facts, *lost))


def linter(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    """A linter that reads settings from where it runs: another directory has other settings."""
    outcome = runner(tool, call, analyst)
    return replace(outcome, facts=(*outcome.facts, *arguments_file(tool, call)))


def pylint(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    """pylint: a format with a dot is a class that is imported, one with a colon names a file."""
    outcome = linter(tool, call, analyst)
    formats = parse(tool, with_own_settings(call, analyst).words[1:]).values("-f")
    odd = [w for w in formats if w.value is None or any(c in w.value for c in ".:/")]
    doubts = (unknown("option", f"the format `{w.text}` loads code or writes", call, w.text) for w in odd)
    return replace(outcome, facts=(*outcome.facts, *doubts))


def sessions(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    """tox and nox: an environment's name may say that it leaves the machine, and what stands behind `--` goes to what
    it runs.
    """
    at = next((i for i, w in enumerate(call.words) if w.value == "--"), len(call.words))
    head = replace(call, words=call.words[:at])
    outcome = runner(tool, head, analyst)
    facts = [
        *outcome.facts,
        *script_arguments(call.words[at + 1 :], call, analyst, tool.name),
        *place_facts(tool, call, analyst),
    ]
    parsed = parse(tool, head.words[1:])
    verbs = parsed.operands[:1] if tool.name == "tox" else ()
    odd = any(w.value not in _TOX_LOOKS_AND_RUNS for w in verbs)
    names = [n for w in parsed.values("-e", "-s", "-m", "-t", "-f") for n in (w.value or "").split(",")]
    names += [n for w in parsed.values("-k") for n in _meant((w.value or "").replace("(", " ").split())]
    if odd or any(is_risky_script(n) for n in names):
        return Outcome(replace(outcome.action, allowed=False, profile=""), tuple(facts))
    return replace(outcome, facts=tuple(facts))


def _meant(words: list[str]) -> list[str]:
    """The words of nox's `tests and not release` that choose a session."""
    return [word for before, word in zip(["", *words], words, strict=False) if before != "not"]


def hooks(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    """pre-commit: the first operand names a hook, which may be called `deploy`; behind `--files` stand files."""
    outcome = runner(tool, call, analyst)
    at = next((i for i, w in enumerate(call.words) if w.value == "--files"), len(call.words))
    if any(is_risky_script(w.value or "deploy") for w in parse(tool, call.words[1:at]).operands[:1]):
        return replace(outcome, action=replace(outcome.action, allowed=False, profile=""))
    return outcome


_TOX_LOOKS_AND_RUNS = ("run", "r", "run-parallel", "p", "list", "l", "depends", "de", "config", "c")


def coverage_run(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    from askfirst.shell.tools.python.interpreter import coverage_run as run

    return run(tool, call, analyst)


_PYTEST = Tool(
    "pytest",
    Kind.BUILD,
    "runs the project's tests",
    profile="python-dev",
    options="""
        flag    -v -vv -vvv -q -s -x --exitfirst -l --showlocals --no-showlocals --lf --last-failed
        flag    --ff --failed-first --nf --new-first --sw --stepwise --stepwise-skip --sw-skip
        flag    --stepwise-reset --collect-only --co --fixtures --funcargs --fixtures-per-test
        flag    --markers --setup-show --setup-only --setup-plan --no-header --no-summary
        flag    --disable-warnings --disable-pytest-warnings --strict-markers --strict-config
        flag    --strict --runxfail --full-trace --noconftest --keep-duplicates
        flag    --continue-on-collection-errors --doctest-modules --doctest-continue-on-failure
        flag    --doctest-ignore-import-errors -V -h,--help --verbose --quiet --no-cov
        flag    --no-cov-on-fail --cov-branch --cov-append --cache-clear --forked --snapshot-update
        flag    --update-snapshots --no-migrations --nomigrations --reuse-db --create-db --runslow
        flag    --slow --run-slow --benchmark-only --benchmark-skip --benchmark-disable --headed
        flag    --xfail-tb --force-short-summary --no-fold-skipped --runintegration --integration
        flag    --asyncio-debug --force-sugar
        value   -k -m,--maxfail --tb --color --durations --durations-min --capture -r --verbosity
        value   --show-capture --deselect --ignore --ignore-glob -n,--numprocesses --dist
        value   --maxprocesses --timeout --timeout-method --session-timeout --cov-fail-under
        value   --cov-context --log-level --log-cli-level --log-cli-format --log-format
        value   --log-date-format --log-cli-date-format --reruns --reruns-delay --only-rerun
        value   --randomly-seed --count --doctest-glob --doctest-report --asyncio-mode --assert --ds
        value   --dc --junitprefix --junit-prefix --lfnf --last-failed-no-failures --code-highlight
        value   --hypothesis-seed --hypothesis-profile --benchmark-min-rounds --splits --group -p
        value   -W,--pythonwarnings -o,--override-ini --xdist-group --rootdir --confcutdir
        value   --import-mode --cov-report
        flag    --timeout-disable-debugger-detection
        maybe   --cov --cache-show --hypothesis-show-statistics --hypothesis-verbosity
        writes  --junitxml --junit-xml --html --report-log --log-file
        asks    -c,--config-file --cov-config: uses other settings, which can name code
        asks    --pdbcls: loads other code
        asks    --pdb --trace: waits for a person
        asks    --pastebin: sends the results to a public server
        asks    --basetemp: empties a directory
        asks    --debug: writes a file
        asks    --pyargs: runs tests of installed packages
        asks    --log-file-mode: is not known
    """,
    operands=(INERT, ...),
    manual="pytest 9.2.0",
    examples=(
        "pytest",
        "pytest -xvs tests/test_app.py",
        "pytest -k 'login and not slow' --tb=short",
        "pytest --maxfail=1 -q",
        "pytest -p no:cacheprovider -q",
        "pytest -n auto --cov=src --cov-report=term-missing",
        "pytest -W ignore::DeprecationWarning tests",
        "pytest --cov-report=term --cov-report html:htmlcov",
        "pytest -o log_cli=true -c pytest.ini --rootdir=.",
    ),
    counter_examples=(
        "pytest --timeout-disable-debugger-detection -pevil",
        "pytest -p evil",
        "pytest /tmp/evilt",
        "pytest --rootdir=/tmp/evilt",
        "pytest -W error::evil.X",
        "pytest --log-file=/tmp/x",
        "pytest -o addopts=-pevil",
        "pytest -pevil",
        "pytest ../other",
        "pytest @args.txt",
        "pytest --pythonwarnings=error::evil.X",
        "pytest --cov-report=xml:/tmp/x",
        "pytest -c evil.ini",
    ),
    special=pytest,
)

_RUFF_COMMON = """
    flag    -q,--quiet -v,--verbose -s,--silent --isolated -h,--help
"""
_RUFF_ASKS = """
    asks    --config: uses other settings, which can name code
"""
_RUFF = Tool(
    "ruff",
    Kind.READ,
    "lints Python",
    options="flag -V,--version -h,--help",
    key_words=2,
    manual="ruff 0.17.5",
    subcommands={
        "check": Tool(
            "ruff check",
            Kind.EDIT,
            "lints Python",
            options=_RUFF_COMMON
            + _RUFF_ASKS
            + """
                flag    --fix --no-fix --unsafe-fixes --no-unsafe-fixes --show-fixes --no-show-fixes --diff
                flag    -w,--watch --fix-only --no-fix-only --ignore-noqa --preview --no-preview
                flag    --respect-gitignore --no-respect-gitignore --force-exclude --no-force-exclude
                flag    -n,--no-cache -e,--exit-zero --exit-non-zero-on-fix --show-files --show-settings
                flag    --statistics --show-source --no-show-source
                value   --output-format --target-version --select --ignore --extend-select --extend-ignore
                value   --per-file-ignores --extend-per-file-ignores --fixable --unfixable --extend-fixable
                value   --exclude --extend-exclude --line-length --dummy-variable-rgx --stdin-filename
                value   --extension --color
                maybe   --add-noqa
                writes  -o,--output-file
                asks    --cache-dir: writes elsewhere
            """,
            operands=(INERT, ...),
            key_words=2,
            examples=("ruff check .", "ruff check --fix src", "ruff check --extend-select E501,F401"),
            counter_examples=("ruff check --config /tmp/x .", "ruff check -o /etc/x .", "ruff check --fix /tmp/x"),
            special=edits,
        ),
        "format": Tool(
            "ruff format",
            Kind.EDIT,
            "formats Python",
            options=_RUFF_COMMON
            + _RUFF_ASKS
            + """
                flag    --check --diff -n,--no-cache --preview --no-preview --respect-gitignore
                flag    --no-respect-gitignore --force-exclude --no-force-exclude
                value   --line-length --target-version --exclude --stdin-filename --range --extension
                value   --color --output-format
                asks    --cache-dir: writes elsewhere
            """,
            operands=(INERT, ...),
            key_words=2,
            examples=("ruff format --check", "ruff format src"),
            counter_examples=("ruff format ~", "ruff format /etc"),
            special=edits,
        ),
        "rule": looking(
            "ruff rule",
            "explains a rule",
            options="""
                flag    --all
                value   --output-format
            """,
            examples=("ruff rule E501",),
        ),
        "lint": looking("ruff lint", "lints Python", options=_RUFF_COMMON),
        "version": looking("ruff version", "shows the version", options="value --output-format", operands=()),
    },
)

_MYPY = Tool(
    "mypy",
    Kind.BUILD,
    "checks types",
    profile="python-dev",
    options="""
        flag    -v,--verbose -h,--help -V,--version --strict --no-strict --ignore-missing-imports
        flag    --namespace-packages --no-namespace-packages --explicit-package-bases
        flag    --no-site-packages --no-silence-site-packages --disallow-any-unimported
        flag    --disallow-any-expr --disallow-any-decorated --disallow-any-explicit
        flag    --disallow-any-generics --disallow-subclassing-any --disallow-untyped-calls
        flag    --disallow-untyped-defs --disallow-incomplete-defs --check-untyped-defs
        flag    --no-check-untyped-defs --disallow-untyped-decorators --implicit-optional
        flag    --no-implicit-optional --no-strict-optional --strict-optional --warn-redundant-casts
        flag    --warn-unused-ignores --no-warn-unused-ignores --no-warn-no-return --warn-return-any
        flag    --no-warn-return-any --warn-unreachable --allow-untyped-globals --allow-untyped-defs
        flag    --allow-redefinition --no-implicit-reexport --implicit-reexport --strict-equality
        flag    --extra-checks --local-partial-types --show-error-context --hide-error-context
        flag    --show-column-numbers --hide-column-numbers --show-error-end --show-error-codes
        flag    --hide-error-codes --show-error-code-links --pretty --no-pretty --no-color-output
        flag    --no-error-summary --show-absolute-path --no-incremental --incremental
        flag    --sqlite-cache --skip-version-check --skip-cache-mtime-checks --show-traceback --tb
        flag    --dump-type-stats --warn-incomplete-stub --warn-unused-configs
        flag    --no-warn-unused-configs --scripts-are-modules --fast-module-lookup
        flag    --non-interactive --exclude-gitignore --warn-no-return --allow-any-generics
        flag    --allow-subclassing-any --allow-untyped-calls --allow-incomplete-defs
        value   --python-version --platform --always-true --always-false --disable-error-code
        value   --enable-error-code --follow-imports -m,--module -p,--package -c,--command --exclude
        value   --soft-error-limit --untyped-calls-exclude --output -O --enable-incomplete-feature
        writes  --junit-xml
        below   --any-exprs-report --cobertura-xml-report --html-report --linecount-report
        below   --linecoverage-report --lineprecision-report --txt-report --xml-report
        below   --xslt-html-report --xslt-txt-report
        asks    --config-file: uses other settings, which can name code
        asks    --python-executable: runs another interpreter
        asks    --cache-dir: writes elsewhere
        asks    --custom-typeshed-dir --custom-typing-module: loads other code
        asks    --install-types: installs packages
        asks    --shadow-file --quickstart-file: reads another file
        asks    --pdb: waits for a person
        asks    --package-root: looks elsewhere
        asks    --find-occurrences: is not known
    """,
    operands=(INERT, ...),
    manual="mypy 2.4.1",
    examples=("mypy --strict src/app.py", "mypy --module app", "mypy ."),
    counter_examples=(
        "mypy --junit-xml /tmp/x src",
        "mypy --python-executable /tmp/e src",
        "mypy --config-file /tmp/x src",
        "mypy /tmp/x",
    ),
    special=linter,
)

_BLACK = Tool(
    "black",
    Kind.EDIT,
    "formats Python",
    options="""
        flag    --check --diff --color --no-color --fast --safe -q,--quiet -v,--verbose
        flag    -S,--skip-string-normalization -C --skip-magic-trailing-comma --preview --unstable
        flag    --pyi --ipynb --no-cache -V,--version -h,--help -x --skip-source-first-line
        value   -c,--code -l,--line-length -t,--target-version --include --exclude --extend-exclude
        value   --force-exclude --stdin-filename -W,--workers --required-version --line-ranges
        value   --python-cell-magics --enable-unstable-feature
        asks    --config: uses other settings, which can name code
    """,
    operands=(INERT, ...),
    manual="black 26.10.1",
    examples=("black --check .", "black src", "black --diff src/app.py"),
    counter_examples=("black /tmp/x", "black --config /tmp/x ."),
    special=edits,
)
_ISORT = Tool(
    "isort",
    Kind.EDIT,
    "sorts imports",
    options="""
        flag    -c,--check --check-only -d,--diff -q,--quiet -v,--verbose -V,--version -h,--help
        flag    --profile-list --atomic -e --float-to-top --skip-gitignore --gitignore
        flag    --filter-files --show-files --show-config --only-modified --om --df --stdout --ac
        flag    --tc --trailing-comma --fss --sl --force-single-line-imports --color
        value   --profile -l,--line-length -w --line-width -p,--project -o --thirdparty -s,--skip
        value   --sg --skip-glob --extend-skip --extend-skip-glob --rm
        value   --remove-import --src --src-path -m,--multi-line --py --python-version -j,--jobs
        value   --filename --lai --lines-after-imports
        asks    --settings-path --sp --settings-file: uses other settings, which can name code
        asks    --settings --resolve-all-configs: uses other settings, which can name code
        asks    --config-root --cr: uses other settings, which can name code
        asks    --interactive -i: waits for a person
        asks    -a,--add-import: writes a line of code into every file
        asks    --formatter --sort-order: loads other code
        asks    --virtual-env --conda-env: looks elsewhere
    """,
    operands=(INERT, ...),
    manual="isort 9.0.2",
    examples=("isort --check-only .", "isort --diff file.py", "isort src"),
    counter_examples=("isort /tmp/x", "isort --sp /tmp/x .", "isort -a 'import x' ."),
    special=edits,
)
_FLAKE8 = Tool(
    "flake8",
    Kind.BUILD,
    "lints Python",
    profile="python-dev",
    options="""
        flag    -v,--verbose -q,--quiet --count --show-source --no-show-source --statistics
        flag    --benchmark --exit-zero --disable-noqa -h,--help --doctests --bug-report --isolated
        flag    --color-always
        flag    --hang-closing
        value   --exclude --extend-exclude --filename --format --ignore
        value   --extend-ignore --per-file-ignores --max-line-length --max-doc-length --select
        value   --extend-select -j,--jobs --max-complexity --color --indent-size
        value   --stdin-display-name --builtins
        writes  --output-file
        asks    --config --append-config: uses other settings, which can name code
        asks    --require-plugins --enable-extensions: loads other code
        asks    --tee: writes
    """,
    operands=(INERT, ...),
    manual="flake8 7.5.0",
    examples=("flake8 src/app.py", "flake8 --exclude x src"),
    counter_examples=("flake8 --config /tmp/x src", "flake8 --output-file=/etc/x ."),
    special=linter,
)
_PYLINT = Tool(
    "pylint",
    Kind.BUILD,
    "lints Python",
    profile="python-dev",
    options="""
        flag    -h,--help --list-msgs --list-msgs-enabled --list-groups --list-conf-levels
        flag    --list-extensions --full-documentation -E,--errors-only -v,--verbose --long-help
        flag    --recursive-yes --exit-zero --from-stdin --generate-rcfile --generate-toml-config
        value   -d,--disable -e,--enable -f,--output-format --msg-template -r,--reports -s,--score
        value   -j,--jobs --ignore --ignore-patterns --ignore-paths --max-line-length --fail-under
        value   --fail-on --recursive --good-names --bad-names --confidence --py-version --help-msg
        value   --max-args --max-locals --max-branches --max-statements --persistent
        value   --min-similarity-lines --ignored-modules --ignored-classes --source-roots
        value   --disable-msg --notes
        writes  --output
        asks    --rcfile: uses other settings, which can name code
        asks    --init-hook --evaluation: runs code
        asks    --load-plugins --extension-pkg-allow-list: loads other code
        asks    --extension-pkg-whitelist --unsafe-load-any-extension: loads other code
        asks    --import-graph --ext-import-graph --int-import-graph: writes files
    """,
    operands=(INERT, ...),
    manual="pylint 4.1.4",
    examples=("pylint src --disable=C", "pylint src/app.py"),
    counter_examples=(
        "pylint --evaluation='__import__(1)' src",
        "pylint -f evil.Reporter src",
        "pylint --init-hook='x()' src",
        "pylint --load-plugins=x src",
        "pylint --rcfile=/tmp/x src",
    ),
    special=pylint,
)


_MANUALS: dict[str, str] = {"pyright": "pyright 1.1.414", "basedpyright": "basedpyright 1.40.2"}


def _pyright(name: str) -> Tool:
    return Tool(
        name,
        Kind.BUILD,
        "checks types",
        profile="python-dev",
        options="""
            flag    -h,--help --outputjson --stats --verbose -w,--watch --warnings --skipunannotated
            flag    --dependencies
            value   --level --pythonplatform --pythonversion --threads
            asks    -p,--project: uses other settings, which can name code
            asks    --pythonpath: runs another interpreter
            asks    -t,--typeshedpath: loads other code
            asks    -v,--venvpath --venv-path: looks elsewhere
            asks    --createstub --verifytypes --ignoreexternal: is not known
        """,
        operands=(INERT, ...),
        manual=_MANUALS.get(name, ""),
        examples=(f"{name} src", f"{name} --outputjson", f"{name} --project pyrightconfig.json"),
        counter_examples=(f"{name} --pythonpath /tmp/evil",),
        special=linter,
    )


TOOLS: dict[str, Tool] = {
    "pytest": _PYTEST,
    "py.test": _PYTEST,
    "ruff": _RUFF,
    "mypy": _MYPY,
    "black": _BLACK,
    "isort": _ISORT,
    "flake8": _FLAKE8,
    "pylint": _PYLINT,
    "deactivate": Tool(
        "deactivate",
        Kind.READ,
        "leaves a virtual environment",
        operands=(),
        manual="venv of Python 3.11.7",
        examples=("deactivate",),
    ),
    "dmypy": Tool("dmypy", Kind.BUILD, "checks types", allowed=False, reading=ANY_OPTIONS),
    **{name: _pyright(name) for name in ("pyright", "basedpyright")},
    "bandit": Tool(
        "bandit",
        Kind.READ,
        "looks for security problems",
        options="""
            flag    -r,--recursive -l -ll -lll -i -ii -iii -v,--verbose -d,--debug -q,--quiet --silent
            flag    --ignore-nosec -h,--help --exit-zero
            value   -a,--aggregate -n,--number -t,--tests -s,--skip -f,--format --msg-template -x --exclude
            value   --severity-level --confidence-level
            writes  -o,--output
            reads   -b,--baseline
            asks    -c,--configfile -p,--profile --ini: uses other settings, which can name code
        """,
        operands=(INERT, ...),
        manual="bandit 1.9.4",
        examples=("bandit -r src",),
        counter_examples=("bandit -c /tmp/x -r src",),
        special=linter,
    ),
    "coverage": Tool(
        "coverage",
        Kind.BUILD,
        "measures tests",
        profile="python-dev",
        options="flag -h,--help",
        key_words=2,
        manual="Coverage.py 7.17.3",
        subcommands={
            "report": Tool(
                "coverage report",
                Kind.BUILD,
                "shows what tests reach",
                profile="python-dev",
                options="""
                    flag    -m --show-missing -i,--ignore-errors --skip-covered --skip-empty --no-skip-covered
                    value   --include --omit --fail-under --precision --sort --format --contexts
                    asks    --rcfile --data-file: uses other settings, which can name code
                """,
                operands=(INERT, ...),
                key_words=2,
                examples=("coverage report -m",),
                special=runner,
            ),
            "html": Tool(
                "coverage html",
                Kind.BUILD,
                "writes a report",
                profile="python-dev",
                options="""
                    flag    -i -q --skip-covered --skip-empty --show-contexts
                    value   --include --omit --title
                    below   -d,--directory
                    asks    --rcfile --data-file: uses other settings, which can name code
                """,
                operands=(INERT, ...),
                key_words=2,
                examples=("coverage html",),
                special=runner,
            ),
            "xml": Tool(
                "coverage xml",
                Kind.BUILD,
                "writes a report",
                profile="python-dev",
                options="""
                    flag    -i -q --skip-empty
                    writes  -o
                    asks    --rcfile --data-file: uses other settings, which can name code
                """,
                operands=(INERT, ...),
                key_words=2,
                special=runner,
            ),
            "combine": Tool(
                "coverage combine",
                Kind.BUILD,
                "joins measurements",
                profile="python-dev",
                options="flag -a,--append -q --keep",
                operands=(INERT, ...),
                key_words=2,
                special=runner,
            ),
            "erase": Tool(
                "coverage erase",
                Kind.BUILD,
                "forgets measurements",
                profile="python-dev",
                operands=(),
                key_words=2,
                special=runner,
            ),
            "run": Tool(
                "coverage run",
                Kind.BUILD,
                "runs tests and measures them",
                key_words=2,
                allowed=False,
                special=coverage_run,
                examples=("coverage run -m pytest -q", "coverage run --source=src -m pytest"),
                counter_examples=(
                    "coverage run evil.py",
                    "coverage run -m evil",
                    "coverage run --rcfile=/tmp/x -m pytest",
                ),
            ),
            **{
                name: Tool(
                    f"coverage {name}",
                    Kind.BUILD,
                    "writes a report",
                    profile="python-dev",
                    options="""
                        flag    -i -q --pretty-print --show-contexts
                        value   --include --omit --fail-under
                        writes  -o
                        asks    --rcfile --data-file: uses other settings, which can name code
                    """,
                    operands=(INERT, ...),
                    key_words=2,
                    special=runner,
                )
                for name in ("json", "lcov")
            },
        },
    ),
    "tox": Tool(
        "tox",
        Kind.BUILD,
        "runs the project's tests in environments",
        profile="python-dev",
        options="""
            flag    -l,--listenvs -a --listenvs-all -v -vv -vvv -q -h,--help -r,--recreate --showconfig
            flag    --notest --sitepackages --parallel-live --skip-pkg-install
            flag    --fail-fast --workdir-clean -av
            value   -e -m -f -p,--parallel --skip-env -k
            asks    -c,--conf -x --override: uses other settings, which can name code
            asks    --workdir --root: works elsewhere
            asks    --no-provision: may take the next word for a file, and writes it
            asks    --develop --installpkg --force-dep --pre --result-json: is not known
        """,
        operands=(INERT, ...),
        manual="tox 4.67.13",
        examples=("tox -l", "tox -e py311", "tox run -e lint", "tox -p auto", "tox -e py311 -- -k foo"),
        counter_examples=(
            "tox -c /tmp/evil/tox.ini",
            "tox -x testenv.commands=x",
            "tox exec -e py -- touch x",
            "tox -e release",
            "tox -f release",
            "tox devenv x",
            "tox -e py -- --rootdir=/tmp/x",
            "tox run --no-provision README.md",
        ),
        special=sessions,
    ),
    "nox": Tool(
        "nox",
        Kind.BUILD,
        "runs the project's sessions",
        profile="python-dev",
        options="""
            flag    -l,--list -r -R,--reuse-existing-virtualenvs -x --stop-on-first-error -h,--help
            flag    --no-color -v
            value   -s,--session,--sessions -k,--keywords -t,--tags -p,--python
            asks    -f --noxfile: loads other code
        """,
        operands=(INERT, ...),
        manual="nox 2026.10.20",
        examples=("nox -l", "nox -s tests", "nox -s tests-3.12 -- -k foo", "nox -k 'tests and not release'"),
        counter_examples=("nox -f /tmp/x.py", "nox -s release", "nox -k 'tests or release'"),
        special=sessions,
    ),
    "pre-commit": Tool(
        "pre-commit",
        Kind.BUILD,
        "runs the project's checks",
        options="flag -h,--help -V,--version",
        key_words=2,
        manual="pre-commit 4.7.0",
        examples=("pre-commit --version",),
        counter_examples=("pre-commit install", "pre-commit run --config /tmp/evil.yaml", "pre-commit autoupdate"),
        alone="run",
        subcommands={
            "validate-config": Tool(
                "pre-commit validate-config",
                Kind.READ,
                "checks the settings",
                key_words=2,
                examples=("pre-commit validate-config",),
            ),
            "help": looking("pre-commit help", "shows help"),
            "run": Tool(
                "pre-commit run",
                Kind.BUILD,
                "fetches and runs the project's checks",
                profile="python-dev node-dev go-dev rust-dev",
                options="""
                    flag    -a,--all-files -v,--verbose --show-diff-on-failure --files
                    value   --color --hook-stage --from-ref --to-ref -s -o --source --origin
                    asks    -c,--config: uses other settings, which can name code
                    asks    --hook-type: is not known
                """,
                operands=(INERT, ...),
                key_words=2,
                examples=("pre-commit run --all-files", "pre-commit run ruff --files src/deploy.py"),
                counter_examples=("pre-commit run deploy --all-files",),
                special=hooks,
            ),
        },
    ),
    "codespell": Tool(
        "codespell",
        Kind.READ,
        "looks for misspellings",
        options="""
            flag    -h,--help -s,--summary -d,--disable-colors -H --check-hidden -f --check-filenames
            flag    --count
            value   -L --ignore-words-list -S,--skip -C,--context -q,--quiet-level
            asks    -w,--write-changes -i,--interactive: rewrites files
        """,
        operands=(INERT, ...),
        reading=Reading(response_files=True),
        manual="codespell 2.4.3",
        examples=("codespell src",),
        counter_examples=("codespell -w src", "codespell @arguments"),
        special=linter,
    ),
    "autopep8": Tool(
        "autopep8",
        Kind.READ,
        "shows formatted Python",
        options="""
            flag    -d,--diff -h,--help -a,--aggressive -v
            value   --max-line-length --select --ignore --exclude
            asks    -i,--in-place -r,--recursive: rewrites files
        """,
        operands=(INERT, ...),
        manual="autopep8 2.3.2",
        counter_examples=("autopep8 -i x.py",),
        special=edits,
    ),
    "yapf": Tool(
        "yapf",
        Kind.READ,
        "shows formatted Python",
        options="""
            flag    -d,--diff -h,--help -q -p,--parallel -r,--recursive
            value   -e,--exclude -l,--lines
            asks    -i,--in-place: rewrites files
            asks    --style: uses other settings, which can name code
        """,
        operands=(INERT, ...),
        manual="yapf 0.43.0",
        special=edits,
    ),
    "ty": Tool(
        "ty",
        Kind.READ,
        "checks types",
        options="flag -V -h,--help",
        key_words=2,
        manual="ty 0.0.104",
        subcommands={
            "check": looking(
                "ty check",
                "checks types",
                options="""
                    flag    -v -q --watch --exit-zero
                    value   --output-format --python-version --error --warn --ignore
                """,
                special=linter,
            )
        },
    ),
    # Starts `python -m pip`, which imports from the directory first.
    "pip-audit": Tool(
        "pip-audit",
        Kind.READ,
        "looks for known weaknesses",
        profile="python-dev",
        options="""
            flag    -l,--local -S,--strict --require-hashes --skip-editable --no-deps -v,--verbose
            flag    --dry-run
            value   -f,--format -s,--vulnerability-service --timeout --ignore-vuln --progress-spinner
            value   --desc --aliases
            writes  -o,--output
            asks    -r,--requirement: builds the packages that the file names
            asks    --fix: updates packages
            asks    --index-url --extra-index-url: uses another package index
            asks    --path --cache-dir: looks elsewhere
        """,
        operands=(),
        manual="pip-audit 2.10.1",
        examples=("pip-audit", "pip-audit --desc on"),
        counter_examples=(
            "pip-audit --fix",
            "pip-audit --desc --fix",  # its value may be left out
            "pip-audit --index-url https://evil.example",
            "pip-audit .",
            "pip-audit -r requirements.txt",
        ),
        special=linter,
    ),
    "mkdocs": Tool(
        "mkdocs",
        Kind.BUILD,
        "builds the documentation",
        profile="python-dev",
        options="flag -V,--version -h,--help -q -v",
        key_words=2,
        manual="mkdocs 1.6.1",
        subcommands={
            "build": Tool(
                "mkdocs build",
                Kind.BUILD,
                "builds the documentation",
                profile="python-dev",
                options="""
                    flag    -s,--strict -c,--clean --dirty -q,--quiet -v,--verbose --use-directory-urls
                    flag    --no-directory-urls
                    value   -t,--theme
                    empties -d,--site-dir
                    asks    -f --config-file: uses other settings, which can name code
                """,
                operands=(),
                key_words=2,
                examples=("mkdocs build --strict",),
                counter_examples=(
                    "mkdocs build -f /tmp/x.yml",
                    "mkdocs build -d /tmp/x",
                    "mkdocs build -d src",
                    "mkdocs gh-deploy",
                ),
                special=runner,
            )
        },
    ),
    "sphinx-build": Tool(
        "sphinx-build",
        Kind.BUILD,
        "builds the documentation",
        profile="python-dev",
        options="""
            flag    -a -E -n -q -Q -v -W -T -N --keep-going --fresh-env --write-all --nitpicky
            flag    --fail-on-warning
            value   -b,--builder -j,--jobs -t,--tag -M
            below   -d,--doctree-dir
            writes  -w,--warning-file
            asks    -c,--conf-dir -C --isolated -D,--define -A: uses other settings, which can name code
            asks    --html-define: uses other settings, which can name code
        """,
        operands=(INERT, BELOW),
        least=2,
        manual="sphinx-build 9.0.4",
        examples=("sphinx-build -b html docs docs/_build",),
        counter_examples=(
            "sphinx-build -D extensions=evil docs out",
            "sphinx-build docs /tmp/x",
            "sphinx-build -M clean . src",
        ),
        special=sphinx,
    ),
    "django-admin": asking("django-admin", "manages a Django project", Kind.BUILD, key_words=2),
}
