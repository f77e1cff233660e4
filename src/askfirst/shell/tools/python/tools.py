"""Test runners, linters, type checkers and formatters of Python projects.

What imports the project's code (pytest, pylint's plugins, tox) is allowed by the profile `python-dev`; what only reads it is allowed
as it is; what rewrites files is an edit of the files it names. Options that load other code, other settings or write files ask.
"""

from __future__ import annotations

from askfirst.knowledge.places import OBEYED_NAMES
from askfirst.model import Kind, Word
from askfirst.shell.call import Outcome
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
from askfirst.shell.tools.table import Effect, Tool

TYPE_CHECKING = False
if TYPE_CHECKING:
    from askfirst.model import Fact
    from askfirst.shell.call import Analyst, Call

__all__ = ["TOOLS", "edits", "is_plain_warning", "pytest"]

INERT, READS, WRITES, NONE = Effect.INERT, Effect.READS, Effect.WRITES, Effect.NONE
_OTHER_CODE = "loads other code"
_OTHER_SETTINGS = "uses other settings, which can name code"


def pytest(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    """pytest: `-p no:x` only switches a plugin off; `-W` imports a module when its category has a dot; `-o` sets what the file could."""
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
    for index, word in enumerate(given.words[1:], 1):
        kind, colon, target = (word.value or "").removeprefix("--cov-report=").partition(":")
        glued = (word.value or "").startswith("--cov-report=")
        if colon and target and (glued or given.words[index - 1].value == "--cov-report"):
            below = kind in ("html", "annotate")
            facts += write_fact(Word(word.text, target), call, analyst, "pytest --cov-report", "overwrite", below=below)
    return finish(tool, given, parsed, analyst, more=tuple(facts))


# Settings of pytest that change what is shown, and load nothing.
_INERT_INI = frozenset(
    (
        "log_cli log_cli_level log_cli_format log_cli_date_format log_level log_format log_date_format junit_family xfail_strict "
        "console_output_style faulthandler_timeout asyncio_mode asyncio_default_fixture_loop_scope timeout truncation_limit_lines "
        "truncation_limit_chars verbosity_assertions verbosity_test_cases empty_parameter_set_mark tmp_path_retention_policy"
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
    for word in parsed.operands:
        if word.value != "-" and not inside(word, call, analyst):
            facts.append(
                unknown(
                    "path", f"`{tool.name}` would rewrite `{word.text}`, which is not in the project", call, word.text
                )
            )
        elif any(part in _NOT_FORMATTED for part in (word.value or word.text).split("/")):
            facts.append(
                unknown("path", f"`{tool.name}` would rewrite `{word.text}`, which other tools load", call, word.text)
            )
        facts += read_fact(word, call, analyst, tool.name)
    return finish(tool, given, parsed, analyst, more=tuple(facts))


_NOT_FORMATTED = OBEYED_NAMES | {".venv", "node_modules"}


def linter(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    """A linter that reads settings from where it runs: another directory has other settings."""
    outcome = runner(tool, call, analyst)
    return outcome.replace(facts=(*outcome.facts, *arguments_file(tool, call)))


def pylint(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    """pylint: a format with a dot is a class that is imported, one with a colon names a file."""
    outcome = linter(tool, call, analyst)
    formats = parse(tool, with_own_settings(call, analyst).words[1:]).values("-f")
    odd = [w for w in formats if w.value is None or any(c in w.value for c in ".:/")]
    doubts = (unknown("option", f"the format `{w.text}` loads code or writes", call, w.text) for w in odd)
    return outcome.replace(facts=(*outcome.facts, *doubts))


def sessions(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    """tox and nox: an environment's name may say that it leaves the machine, and what stands behind `--` goes to what it runs."""
    from askfirst.shell.tools.node.runtimes import is_risky_script, script_arguments

    at = next((i for i, w in enumerate(call.words) if w.value == "--"), len(call.words))
    head = call.replace(words=call.words[:at])
    outcome = runner(tool, head, analyst)
    facts = [
        *outcome.facts,
        *script_arguments(call.words[at + 1 :], call, tool.name),
        *place_facts(tool, call, analyst),
    ]
    parsed = parse(tool, head.words[1:])
    verbs = parsed.operands[:1] if tool.name == "tox" else ()
    odd = any(w.value not in _TOX_LOOKS_AND_RUNS for w in verbs)
    names = [n for w in parsed.values("-e", "-s", "-m", "-t") for n in (w.value or "").split(",")]
    if odd or any(is_risky_script(n) for n in names):
        return Outcome(outcome.action.replace(allowed=False, profile=""), tuple(facts))
    return outcome.replace(facts=tuple(facts))


_TOX_LOOKS_AND_RUNS = ("run", "r", "run-parallel", "p", "list", "l", "depends", "de", "config", "c")


def coverage_run(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    from askfirst.shell.tools.python.interpreter import coverage_run as run

    return run(tool, call, analyst)


_PYTEST = Tool(
    "pytest",
    Kind.BUILD,
    "runs the project's tests",
    profile="python-dev",
    special=pytest,
    operands=INERT,
    flags="-v -vv -vvv -q -s -x --exitfirst -l --showlocals --no-showlocals --lf --last-failed --ff --failed-first --nf --new-first "
    "--sw --stepwise --stepwise-skip "
    "--sw-skip --stepwise-reset --collect-only --co --fixtures --funcargs --fixtures-per-test --markers --setup-show --setup-only "
    "--setup-plan --no-header "
    "--no-summary --disable-warnings --disable-pytest-warnings --strict-markers --strict-config --strict --runxfail --full-trace "
    "--noconftest "
    "--keep-duplicates --continue-on-collection-errors --doctest-modules --doctest-continue-on-failure "
    "--doctest-ignore-import-errors --version -V "
    "-h --help --verbose --quiet --no-cov --no-cov-on-fail --cov-branch --cov-append --cache-clear --forked --snapshot-update "
    "--update-snapshots "
    "--no-migrations --nomigrations --reuse-db --create-db --runslow --slow --run-slow --benchmark-only --benchmark-skip "
    "--benchmark-disable "
    "--headed --xfail-tb --force-short-summary --no-fold-skipped --runintegration --integration --asyncio-debug --force-sugar",
    values="-k -m --maxfail --tb --color --durations --durations-min --capture -r --verbosity --show-capture --deselect --ignore "
    "--ignore-glob -n "
    "--numprocesses --dist --maxprocesses --timeout --timeout-method --session-timeout --cov-fail-under --cov-context --log-level "
    "--log-cli-level --log-cli-format --log-format "
    "--log-date-format --log-cli-date-format --reruns --reruns-delay --only-rerun --randomly-seed --count --doctest-glob --doctest-report "
    "--asyncio-mode --assert --ds --dc --junitprefix --junit-prefix --lfnf --last-failed-no-failures --code-highlight --hypothesis-seed "
    "--hypothesis-profile --benchmark-min-rounds --splits --group -p -W|--pythonwarnings -o|--override-ini --xdist-group "
    "--rootdir --confcutdir --import-mode --cov-report --timeout-disable-debugger-detection",
    optional="--cov --cache-show --hypothesis-show-statistics --hypothesis-verbosity",
    effects={"--junitxml --junit-xml": WRITES, "--html": WRITES, "--report-log": WRITES, "--log-file": WRITES},
    asks={
        "-c --config-file": _OTHER_SETTINGS,
        "--pdbcls": _OTHER_CODE,
        "--pdb": "waits for a person",
        "--trace": "waits for a person",
        "--pastebin": "sends the results to a public server",
        "--basetemp": "empties a directory",
        "--debug": "writes a file",
        "--cov-config": _OTHER_SETTINGS,
        "--pyargs": "runs tests of installed packages",
        "--log-file-mode": "is not known",
    },
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
)

_RUFF_COMMON = "-q --quiet -v --verbose -s --silent --isolated -h --help"
_RUFF_ASKS = {"--config": _OTHER_SETTINGS}
_RUFF = Tool(
    "ruff",
    Kind.READ,
    "lints Python",
    flags="-V --version -h --help",
    key_words=2,
    subcommands={
        "check": Tool(
            "ruff check",
            Kind.EDIT,
            "lints Python",
            key_words=2,
            special=edits,
            operands=INERT,
            flags=f"{_RUFF_COMMON} --fix --no-fix --unsafe-fixes --no-unsafe-fixes --show-fixes --no-show-fixes --diff -w --watch "
            f"--fix-only --no-fix-only "
            "--ignore-noqa --preview --no-preview --respect-gitignore --no-respect-gitignore --force-exclude --no-force-exclude "
            "-n --no-cache -e --exit-zero "
            "--exit-non-zero-on-fix --show-files --show-settings --statistics --show-source --no-show-source",
            values="--output-format --target-version --select --ignore --extend-select --extend-ignore --per-file-ignores "
            "--extend-per-file-ignores "
            "--fixable --unfixable --extend-fixable --exclude --extend-exclude --line-length --dummy-variable-rgx "
            "--stdin-filename --extension --color",
            optional="--add-noqa",
            effects={"-o --output-file": WRITES},
            asks={**_RUFF_ASKS, "--cache-dir": "writes elsewhere"},
            examples=("ruff check .", "ruff check --fix src", "ruff check --extend-select E501,F401"),
            counter_examples=("ruff check --config /tmp/x .", "ruff check -o /etc/x .", "ruff check --fix /tmp/x"),
        ),
        "format": Tool(
            "ruff format",
            Kind.EDIT,
            "formats Python",
            key_words=2,
            special=edits,
            operands=INERT,
            flags=f"{_RUFF_COMMON} --check --diff -n --no-cache --preview --no-preview --respect-gitignore --no-respect-gitignore "
            f"--force-exclude --no-force-exclude",
            values="--line-length --target-version --exclude --stdin-filename --range --extension --color --output-format",
            asks={**_RUFF_ASKS, "--cache-dir": "writes elsewhere"},
            examples=("ruff format --check", "ruff format src"),
            counter_examples=("ruff format ~", "ruff format /etc"),
        ),
        "rule": Tool(
            "ruff rule",
            Kind.READ,
            "explains a rule",
            key_words=2,
            operands=INERT,
            flags="--all",
            values="--output-format",
            examples=("ruff rule E501",),
        ),
        "lint": Tool("ruff lint", Kind.READ, "lints Python", key_words=2, operands=INERT, flags=_RUFF_COMMON),
        "version": Tool(
            "ruff version", Kind.READ, "shows the version", key_words=2, operands=NONE, values="--output-format"
        ),
        "config": Tool(
            "ruff config", Kind.READ, "explains a setting", key_words=2, operands=INERT, values="--output-format"
        ),
        "linter": Tool("ruff linter", Kind.READ, "lists linters", key_words=2, operands=NONE, values="--output-format"),
        "help": Tool("ruff help", Kind.READ, "shows help", key_words=2, operands=INERT),
        "analyze": Tool(
            "ruff analyze",
            Kind.READ,
            "shows imports",
            key_words=2,
            operands=INERT,
            flags=_RUFF_COMMON,
            values="--direction",
            asks=_RUFF_ASKS,
        ),
    },
)

_MYPY = Tool(
    "mypy",
    Kind.BUILD,
    "checks types",
    profile="python-dev",
    special=linter,
    operands=INERT,
    flags="-v --verbose -h --help -V --version --strict --no-strict --ignore-missing-imports --namespace-packages "
    "--no-namespace-packages --explicit-package-bases "
    "--no-site-packages --no-silence-site-packages --disallow-any-unimported --disallow-any-expr --disallow-any-decorated "
    "--disallow-any-explicit "
    "--disallow-any-generics --disallow-subclassing-any --disallow-untyped-calls --disallow-untyped-defs "
    "--disallow-incomplete-defs --check-untyped-defs "
    "--no-check-untyped-defs --disallow-untyped-decorators --implicit-optional --no-implicit-optional --no-strict-optional "
    "--strict-optional --warn-redundant-casts "
    "--warn-unused-ignores --no-warn-unused-ignores --no-warn-no-return --warn-return-any --no-warn-return-any --warn-unreachable "
    "--allow-untyped-globals "
    "--allow-untyped-defs --allow-redefinition --no-implicit-reexport --implicit-reexport --strict-equality --extra-checks "
    "--local-partial-types --show-error-context --hide-error-context "
    "--show-column-numbers --hide-column-numbers --show-error-end --show-error-codes --hide-error-codes --show-error-code-links "
    "--pretty --no-pretty "
    "--no-color-output --no-error-summary --show-absolute-path --no-incremental --incremental --sqlite-cache --skip-version-check "
    "--skip-cache-mtime-checks "
    "--show-traceback --tb --dump-type-stats --warn-incomplete-stub --warn-unused-configs --no-warn-unused-configs "
    "--scripts-are-modules --fast-module-lookup --non-interactive "
    "--exclude-gitignore --warn-no-return --allow-any-generics --allow-subclassing-any --allow-untyped-calls --allow-incomplete-defs",
    values="--python-version --platform --always-true --always-false --disable-error-code --enable-error-code --follow-imports -m "
    "--module -p --package -c --command --exclude --soft-error-limit "
    "--untyped-calls-exclude --output -O --enable-incomplete-feature",
    effects={
        "--junit-xml": WRITES,
        "--any-exprs-report --cobertura-xml-report --html-report --linecount-report --linecoverage-report --lineprecision-report "
        "--txt-report "
        "--xml-report --xslt-html-report --xslt-txt-report": Effect.WRITES_BELOW,
    },
    asks={
        "--config-file": _OTHER_SETTINGS,
        "--python-executable": "runs another interpreter",
        "--cache-dir": "writes elsewhere",
        "--custom-typeshed-dir": _OTHER_CODE,
        "--custom-typing-module": _OTHER_CODE,
        "--install-types": "installs packages",
        "--shadow-file": "reads another file",
        "--pdb": "waits for a person",
        "--package-root": "looks elsewhere",
        "--quickstart-file": "reads another file",
        "--find-occurrences": "is not known",
    },
    examples=("mypy --strict src/app.py", "mypy --module app", "mypy ."),
    counter_examples=(
        "mypy --junit-xml /tmp/x src",
        "mypy --python-executable /tmp/e src",
        "mypy --config-file /tmp/x src",
        "mypy /tmp/x",
    ),
)

_BLACK = Tool(
    "black",
    Kind.EDIT,
    "formats Python",
    special=edits,
    operands=INERT,
    flags="--check --diff --color --no-color --fast --safe -q --quiet -v --verbose -S --skip-string-normalization -C "
    "--skip-magic-trailing-comma --preview --unstable --pyi --ipynb "
    "--no-cache -V --version -h --help -x --skip-source-first-line",
    values="-c --code -l --line-length -t --target-version --include --exclude --extend-exclude --force-exclude --stdin-filename -W "
    "--workers --required-version --line-ranges "
    "--python-cell-magics --enable-unstable-feature",
    asks={"--config": _OTHER_SETTINGS},
    examples=("black --check .", "black src", "black --diff src/app.py"),
    counter_examples=("black /tmp/x", "black --config /tmp/x ."),
)
_ISORT = Tool(
    "isort",
    Kind.EDIT,
    "sorts imports",
    special=edits,
    operands=INERT,
    flags="-c --check --check-only -d --diff -q --quiet -v --verbose -V --version -h --help --profile-list --atomic -e --float-to-top "
    "--skip-gitignore --gitignore --filter-files "
    "--show-files --show-config --only-modified --om --df --stdout --ac --tc --trailing-comma --fss --sl "
    "--force-single-line-imports --color",
    values="--profile -l --line-length -w --line-width -p --project -o --thirdparty -s --skip --sg --skip-glob --extend-skip "
    "--extend-skip-glob -a --add-import --rm --remove-import "
    "--src --src-path -m --multi-line --py --python-version -j --jobs --filename --lai --lines-after-imports",
    asks={
        "--settings-path --sp --settings-file --settings": _OTHER_SETTINGS,
        "--resolve-all-configs --config-root --cr": _OTHER_SETTINGS,
        "--interactive -i": "waits for a person",
        "--formatter": _OTHER_CODE,
        "--sort-order": _OTHER_CODE,
        "--virtual-env --conda-env": "looks elsewhere",
    },
    examples=("isort --check-only .", "isort --diff file.py", "isort src"),
    counter_examples=("isort /tmp/x", "isort --sp /tmp/x ."),
)
_FLAKE8 = Tool(
    "flake8",
    Kind.BUILD,
    "lints Python",
    special=linter,
    profile="python-dev",
    operands=INERT,
    flags=(
        "-v --verbose -q --quiet --count --show-source --no-show-source --statistics --benchmark --exit-zero --disable-noqa --version "
        "-h --help --doctests --bug-report --isolated --color-always"
    ),
    values="--exclude --extend-exclude --filename --format --hang-closing --ignore --extend-ignore --per-file-ignores --max-line-length "
    "--max-doc-length --select --extend-select "
    "-j --jobs --max-complexity --color --indent-size --stdin-display-name --builtins",
    effects={"--output-file": WRITES},
    asks={
        "--config --append-config": _OTHER_SETTINGS,
        "--require-plugins --enable-extensions": _OTHER_CODE,
        "--tee": "writes",
    },
    examples=("flake8 src/app.py", "flake8 --exclude x src"),
    counter_examples=("flake8 --config /tmp/x src", "flake8 --output-file=/etc/x ."),
)
_PYLINT = Tool(
    "pylint",
    Kind.BUILD,
    "lints Python",
    special=pylint,
    profile="python-dev",
    operands=INERT,
    flags="-h --help --version --list-msgs --list-msgs-enabled --list-groups --list-conf-levels --list-extensions --full-documentation "
    "-E --errors-only -v --verbose --long-help --recursive-yes "
    "--exit-zero --from-stdin --generate-rcfile --generate-toml-config",
    values="-d --disable -e --enable -f|--output-format --msg-template -r --reports -s --score -j --jobs --ignore --ignore-patterns "
    "--ignore-paths --max-line-length --fail-under --fail-on --recursive "
    "--good-names --bad-names --confidence --py-version --help-msg --max-args --max-locals --max-branches "
    "--max-statements --persistent --jobs --min-similarity-lines --ignored-modules "
    "--ignored-classes --source-roots --disable-msg --notes",
    effects={"--output": WRITES},
    asks={
        "--rcfile": _OTHER_SETTINGS,
        "--init-hook": "runs code",
        "--evaluation": "runs code",
        "--load-plugins": _OTHER_CODE,
        "--extension-pkg-allow-list --extension-pkg-whitelist --unsafe-load-any-extension": _OTHER_CODE,
        "--import-graph --ext-import-graph --int-import-graph": "writes files",
    },
    examples=("pylint src --disable=C", "pylint src/app.py"),
    counter_examples=(
        "pylint --evaluation='__import__(1)' src",
        "pylint -f evil.Reporter src",
        "pylint --init-hook='x()' src",
        "pylint --load-plugins=x src",
        "pylint --rcfile=/tmp/x src",
    ),
)


def _pyright(name: str) -> Tool:
    return Tool(
        name,
        Kind.BUILD,
        "checks types",
        special=linter,
        profile="python-dev",
        operands=INERT,
        flags="-h --help --outputjson --stats --verbose --version -w --watch --warnings --skipunannotated --dependencies",
        values="--level --pythonplatform --pythonversion --threads",
        asks={
            "-p --project": _OTHER_SETTINGS,
            "--pythonpath": "runs another interpreter",
            "-t --typeshedpath": _OTHER_CODE,
            "-v --venvpath --venv-path": "looks elsewhere",
            "--createstub --verifytypes --ignoreexternal": "is not known",
        },
        examples=(f"{name} src", f"{name} --outputjson", f"{name} --project pyrightconfig.json"),
        counter_examples=(f"{name} --pythonpath /tmp/evil",),
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
        "deactivate", Kind.READ, "leaves a virtual environment", operands=NONE, examples=("deactivate",)
    ),
    "dmypy": Tool("dmypy", Kind.BUILD, "checks types", allowed=False, any_options=True),
    **{name: _pyright(name) for name in ("pyright", "basedpyright")},
    "bandit": Tool(
        "bandit",
        Kind.READ,
        "looks for security problems",
        special=linter,
        operands=INERT,
        flags="-r --recursive -l -ll -lll -i -ii -iii -v --verbose -d --debug -q --quiet --silent "
        "--ignore-nosec --version -h --help --exit-zero -n",
        values="-a --aggregate --number -t --tests -s --skip -f --format --msg-template -x --exclude --severity-level --confidence-level",
        effects={"-o --output": WRITES, "-b --baseline": READS},
        asks={"-c --configfile -p --profile --ini": _OTHER_SETTINGS},
        examples=("bandit -r src",),
        counter_examples=("bandit -c /tmp/x -r src",),
    ),
    "coverage": Tool(
        "coverage",
        Kind.BUILD,
        "measures tests",
        key_words=2,
        flags="--version -h --help",
        profile="python-dev",
        subcommands={
            "report": Tool(
                "coverage report",
                Kind.BUILD,
                "shows what tests reach",
                profile="python-dev",
                special=runner,
                key_words=2,
                operands=INERT,
                flags="-m --show-missing -i --ignore-errors --skip-covered --skip-empty --no-skip-covered",
                values="--include --omit --fail-under --precision --sort --format --contexts",
                asks={"--rcfile --data-file": _OTHER_SETTINGS},
                examples=("coverage report -m",),
            ),
            "html": Tool(
                "coverage html",
                Kind.BUILD,
                "writes a report",
                profile="python-dev",
                special=runner,
                key_words=2,
                operands=INERT,
                flags="-i -q --skip-covered --skip-empty --show-contexts",
                values="--include --omit --title",
                effects={"-d --directory": Effect.WRITES_BELOW},
                asks={"--rcfile --data-file": _OTHER_SETTINGS},
                examples=("coverage html",),
            ),
            "xml": Tool(
                "coverage xml",
                Kind.BUILD,
                "writes a report",
                profile="python-dev",
                special=runner,
                key_words=2,
                operands=INERT,
                flags="-i -q --skip-empty",
                effects={"-o": WRITES},
                asks={"--rcfile --data-file": _OTHER_SETTINGS},
            ),
            "combine": Tool(
                "coverage combine",
                Kind.BUILD,
                "joins measurements",
                profile="python-dev",
                special=runner,
                key_words=2,
                operands=INERT,
                flags="-a --append -q --keep",
            ),
            "erase": Tool(
                "coverage erase",
                Kind.BUILD,
                "forgets measurements",
                profile="python-dev",
                special=runner,
                key_words=2,
                operands=NONE,
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
                    special=runner,
                    key_words=2,
                    operands=INERT,
                    flags="-i -q --pretty-print --show-contexts",
                    values="--include --omit --fail-under",
                    effects={"-o": WRITES},
                    asks={"--rcfile --data-file": _OTHER_SETTINGS},
                )
                for name in ("json", "lcov")
            },
            "help": Tool("coverage help", Kind.READ, "shows help", key_words=2, operands=INERT),
        },
    ),
    "tox": Tool(
        "tox",
        Kind.BUILD,
        "runs the project's tests in environments",
        profile="python-dev",
        special=sessions,
        operands=INERT,
        flags="-l --listenvs -a --listenvs-all -v -vv -vvv -q -h --help --version -r --recreate --showconfig --notest --sitepackages "
        "--parallel-live --skip-pkg-install --no-provision --fail-fast --workdir-clean -av",
        values="-e -m -f -p --parallel --skip-env -k",
        asks={
            "-c --conf": _OTHER_SETTINGS,
            "--workdir --root": "works elsewhere",
            "-x --override": _OTHER_SETTINGS,
            "--develop --installpkg --force-dep --pre --result-json": "is not known",
        },
        examples=("tox -l", "tox -e py311", "tox run -e lint", "tox -p auto", "tox -e py311 -- -k foo"),
        counter_examples=(
            "tox -c /tmp/evil/tox.ini",
            "tox -x testenv.commands=x",
            "tox exec -e py -- touch x",
            "tox -e release",
            "tox devenv x",
            "tox -e py -- --rootdir=/tmp/x",
        ),
    ),
    "nox": Tool(
        "nox",
        Kind.BUILD,
        "runs the project's sessions",
        profile="python-dev",
        special=sessions,
        operands=INERT,
        flags="-l --list -r -R --reuse-existing-virtualenvs -x --stop-on-first-error --version -h --help --no-color -v",
        values="-s|--session|--sessions -k --keywords -t|--tags -p --python",
        asks={"-f --noxfile": _OTHER_CODE},
        examples=("nox -l", "nox -s tests", "nox -s tests-3.12 -- -k foo"),
        counter_examples=("nox -f /tmp/x.py", "nox -s release"),
    ),
    "pre-commit": Tool(
        "pre-commit",
        Kind.BUILD,
        "runs the project's checks",
        flags="-h --help -V --version",
        key_words=2,
        subcommands={
            "validate-config": Tool(
                "pre-commit validate-config",
                Kind.READ,
                "checks the settings",
                key_words=2,
                examples=("pre-commit validate-config",),
            ),
            "validate-manifest": Tool("pre-commit validate-manifest", Kind.READ, "checks the settings", key_words=2),
            "sample-config": Tool(
                "pre-commit sample-config", Kind.READ, "shows an example", key_words=2, operands=NONE
            ),
            "help": Tool("pre-commit help", Kind.READ, "shows help", key_words=2, operands=INERT),
            "run": Tool(
                "pre-commit run",
                Kind.BUILD,
                "fetches and runs the project's checks",
                profile="python-dev node-dev go-dev rust-dev infra-read",
                special=runner,
                key_words=2,
                operands=INERT,
                flags="-a --all-files -v --verbose --show-diff-on-failure --files",
                values="--color --hook-stage --from-ref --to-ref -s -o --source --origin",
                asks={"-c --config": _OTHER_SETTINGS, "--hook-type": "is not known"},
                examples=("pre-commit run --all-files", "pre-commit run ruff --files src/app.py"),
            ),
        },
        counter_examples=("pre-commit install", "pre-commit run --config /tmp/evil.yaml", "pre-commit autoupdate"),
    ),
    "vulture": Tool(
        "vulture",
        Kind.READ,
        "looks for unused code",
        special=linter,
        operands=INERT,
        flags="-h --help --version -v --verbose --make-whitelist --sort-by-size",
        values="--min-confidence --exclude --ignore-names --ignore-decorators",
        asks={"--config": _OTHER_SETTINGS},
        examples=("vulture src",),
    ),
    "codespell": Tool(
        "codespell",
        Kind.READ,
        "looks for misspellings",
        special=linter,
        operands=INERT,
        flags="-h --help --version -q -s --summary -d --disable-colors -H --check-hidden -f --check-filenames --count",
        values="-L --ignore-words-list -S --skip -C --context --quiet-level",
        asks={"-w --write-changes -i --interactive": "rewrites files"},
        examples=("codespell src",),
        counter_examples=("codespell -w src",),
    ),
    "pydocstyle": Tool(
        "pydocstyle",
        Kind.READ,
        "lints docstrings",
        special=linter,
        operands=INERT,
        flags="-h --help --version -e --explain -s --source -d --debug -v --verbose --count",
        values="--select --ignore --convention --match",
        asks={"--config": _OTHER_SETTINGS},
    ),
    "pycodestyle": Tool(
        "pycodestyle",
        Kind.READ,
        "lints Python",
        special=linter,
        operands=INERT,
        flags="-h --help --version -v --verbose -q --quiet --first --show-source --show-pep8 --statistics --count",
        values="--exclude --filename --select --ignore --max-line-length --format",
        asks={"--config": _OTHER_SETTINGS},
    ),
    "pyflakes": Tool(
        "pyflakes", Kind.READ, "lints Python", flags="-h --help --version", examples=("pyflakes src/app.py",)
    ),
    "autopep8": Tool(
        "autopep8",
        Kind.READ,
        "shows formatted Python",
        special=edits,
        operands=INERT,
        flags="-d --diff -h --help --version -a --aggressive -v",
        values="--max-line-length --select --ignore --exclude",
        asks={"-i --in-place -r --recursive": "rewrites files"},
        counter_examples=("autopep8 -i x.py",),
    ),
    "yapf": Tool(
        "yapf",
        Kind.READ,
        "shows formatted Python",
        special=edits,
        operands=INERT,
        flags="-d --diff -h --help --version -q -p --parallel -r --recursive",
        values="-e --exclude -l --lines",
        asks={"-i --in-place": "rewrites files", "--style": _OTHER_SETTINGS},
    ),
    "djlint": Tool(
        "djlint",
        Kind.READ,
        "lints templates",
        special=linter,
        operands=INERT,
        flags="--check --lint --quiet --statistics",
        values="--extension --profile",
    ),
    "sqlfluff": Tool(
        "sqlfluff",
        Kind.READ,
        "lints SQL",
        key_words=2,
        flags="--version -h --help",
        subcommands={
            "lint": Tool(
                "sqlfluff lint",
                Kind.BUILD,
                "lints SQL",
                profile="python-dev",
                special=linter,
                key_words=2,
                operands=INERT,
                flags="-v -n --nocolor",
                values="--dialect -d --rules -r --exclude-rules -e -f --format",
            ),
            "version": Tool("sqlfluff version", Kind.READ, "shows the version", key_words=2, operands=NONE),
        },
    ),
    "deptry": Tool(
        "deptry", Kind.READ, "checks dependencies", special=linter, operands=INERT, flags="--version -h --help -v"
    ),
    "radon": Tool(
        "radon", Kind.READ, "measures code", special=linter, operands=INERT, flags="-s -a -nc -j -h --version"
    ),
    "ty": Tool(
        "ty",
        Kind.READ,
        "checks types",
        key_words=2,
        flags="--version -V -h --help",
        subcommands={
            "check": Tool(
                "ty check",
                Kind.READ,
                "checks types",
                special=linter,
                key_words=2,
                operands=INERT,
                flags="-v -q --watch --exit-zero",
                values="--output-format --python-version --error --warn --ignore",
            )
        },
    ),
    "pyupgrade": Tool(
        "pyupgrade",
        Kind.EDIT,
        "rewrites Python for newer versions",
        special=edits,
        operands=INERT,
        flags="--py3-plus --py36-plus --py37-plus --py38-plus --py39-plus --py310-plus --py311-plus --py312-plus --py313-plus --py314-plus "
        "--keep-percent-format --keep-mock --keep-runtime-typing --exit-zero-even-if-changed",
        examples=("pyupgrade --py311-plus src/app.py",),
        counter_examples=("pyupgrade /tmp/x.py",),
    ),
    "autoflake": Tool(
        "autoflake",
        Kind.EDIT,
        "removes unused imports",
        special=edits,
        operands=INERT,
        flags="-c --check -cd --check-diff -r --recursive -j -n -i --in-place --remove-all-unused-imports --remove-unused-variables "
        "--remove-duplicate-keys --ignore-init-module-imports --expand-star-imports -q --quiet -v --verbose -s --stdout",
        values="--exclude --imports --jobs",
        asks={"--config": _OTHER_SETTINGS},
        examples=("autoflake --check -r src", "autoflake -i -r src"),
        counter_examples=("autoflake -i /tmp/x",),
    ),
    "interrogate": Tool(
        "interrogate",
        Kind.READ,
        "counts docstrings",
        special=linter,
        operands=INERT,
        flags="-v -vv -q -i -I -m -n -p -s -M -C",
        values="-f --fail-under -e --exclude",
        examples=("interrogate -v src",),
        counter_examples=("interrogate -g badge.svg src",),
    ),
    "pip-audit": Tool(
        "pip-audit",
        Kind.READ,
        "looks for known weaknesses",
        special=linter,
        operands=INERT,
        flags="-l --local -S --strict --require-hashes --skip-editable --no-deps -v --verbose --progress-spinner --dry-run",
        values="-f --format -s --vulnerability-service --desc --aliases --timeout --ignore-vuln",
        effects={"-r --requirement": READS, "-o --output": WRITES},
        asks={
            "--fix": "updates packages",
            "--index-url --extra-index-url": "uses another package index",
            "--path --cache-dir": "looks elsewhere",
        },
        examples=("pip-audit", "pip-audit --desc on"),
        counter_examples=("pip-audit --fix", "pip-audit --index-url https://evil.example"),
    ),
    "mkdocs": Tool(
        "mkdocs",
        Kind.BUILD,
        "builds the documentation",
        profile="python-dev",
        flags="-V --version -h --help -q -v",
        key_words=2,
        subcommands={
            "build": Tool(
                "mkdocs build",
                Kind.BUILD,
                "builds the documentation",
                profile="python-dev",
                special=runner,
                key_words=2,
                operands=NONE,
                flags="-s --strict -c --clean --dirty -q --quiet -v --verbose --use-directory-urls --no-directory-urls",
                values="-t --theme",
                effects={"-d --site-dir": Effect.WRITES_BELOW},
                asks={"-f --config-file": _OTHER_SETTINGS},
                examples=("mkdocs build --strict",),
                counter_examples=("mkdocs build -f /tmp/x.yml", "mkdocs build -d /tmp/x", "mkdocs gh-deploy"),
            )
        },
    ),
    "sphinx-build": Tool(
        "sphinx-build",
        Kind.BUILD,
        "builds the documentation",
        profile="python-dev",
        special=runner,
        first=INERT,
        operands=Effect.WRITES_BELOW,
        least=2,
        most=2,
        flags="-a -E -n -q -Q -v -W -T -N --keep-going --fresh-env --write-all --nitpicky --fail-on-warning",
        values="-b --builder -j --jobs -t --tag -M",
        effects={"-d --doctree-dir": Effect.WRITES_BELOW, "-w --warning-file": WRITES},
        asks={
            "-c --conf-dir": _OTHER_SETTINGS,
            "-C --isolated": _OTHER_SETTINGS,
            "-D --define -A --html-define": _OTHER_SETTINGS,
        },
        examples=("sphinx-build -b html docs docs/_build",),
        counter_examples=("sphinx-build -D extensions=evil docs out", "sphinx-build docs /tmp/x"),
    ),
    "djhtml": Tool(
        "djhtml",
        Kind.EDIT,
        "formats templates",
        special=edits,
        operands=INERT,
        flags="-c --check",
        values="-t --tabwidth",
    ),
    "django-admin": Tool(
        "django-admin",
        Kind.BUILD,
        "manages a Django project",
        allowed=False,
        any_options=True,
        key_words=2,
        operands=INERT,
    ),
}
