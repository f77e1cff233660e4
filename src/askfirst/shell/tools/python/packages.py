"""Package managers of Python: looking is allowed, installing asks with the exact list, `run` counts as what it runs."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from askfirst.model import Action, Kind, Word
from askfirst.shell.call import Analyst, Call, Outcome
from askfirst.shell.tools.engine import apply, call_after, facts_of, row, unknown
from askfirst.shell.tools.options import parse
from askfirst.shell.tools.package_runners import by_package, is_package
from askfirst.shell.tools.project_code import bare_install, from_lock, place_facts, runner, wrapper
from askfirst.shell.tools.scripts import is_risky_script, script_arguments
from askfirst.shell.tools.table import ANY_OPTIONS, BELOW, INERT, READS, Reading, Tool, asked, looking

__all__ = ["TOOLS"]

_HELP = "-h --help"
_INDEX = """
    asks    -i,--index-url --default-index --extra-index-url --index: uses another package index
    asks    -f,--find-links: uses other packages
    asks    --proxy: goes through another machine
    asks    --trusted-host --cert --client-cert: weakens the connection
    asks    --keyring-provider: runs a program
"""


def _from_lock(name: str, description: str, **more: Any) -> Tool:
    """Installs or writes only what the project's own files say: allowed by the profile."""
    special = more.pop("special", from_lock)
    return Tool(
        name, Kind.INSTALL, description, profile="python-dev", special=special, key_words=len(name.split()), **more
    )


def _builds(name: str, **more: Any) -> Tool:
    more.setdefault("operands", ())
    return Tool(
        name,
        Kind.BUILD,
        "builds the package",
        profile="python-dev",
        special=runner,
        key_words=len(name.split()),
        **more,
    )


def uv_run(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    """`uv run FILE.py` is `uv run python FILE.py`, with the packages that the file names in its head."""
    found = next(iter(parse(tool, call.words[1:]).operands), None)
    if found is None or not (found.value or "").endswith(".py") or "://" in (found.value or ""):
        return _of_a_version(wrapper(tool, call, analyst), tool, call)
    at = next(n for n, word in enumerate(call.words) if word is found)
    words = (*call.words[:at], Word("python", "python"), *call.words[at:])
    outcome = wrapper(tool, replace(call, words=words), analyst)
    path = analyst.path(found.value or "", call.cwd)
    text = analyst.read_file(path, 1 << 20) if path is not None else None
    if text is None or "# /// script" in text:
        named = unknown("option", "installs the packages that the file names", call, found.text)
        outcome = replace(outcome, facts=(*outcome.facts, named))
    return _of_a_version(outcome, tool, call)


def uv_venv(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    return _of_a_version(from_lock(tool, call, analyst), tool, call)


def _of_a_version(outcome: Outcome, tool: Tool, call: Call) -> Outcome:
    """A version may be named, an interpreter may not: uv runs it."""
    odd = [w for w in parse(tool, call.words[1:]).values("-p") if not _is_version(w.value)]
    doubts = (unknown("option", f"`{w.text}` may be another interpreter", call, w.text) for w in odd)
    return replace(outcome, facts=(*outcome.facts, *doubts))


def _is_version(text: str | None) -> bool:
    return bool(text) and all(part.isdigit() for part in (text or "").removesuffix("t").split("."))


def tool_runner(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    """`uvx ruff check .`: a well-known checker is judged like the checker itself; anything else would be fetched and
    run.
    """
    from askfirst.shell.tools.python.tools import TOOLS as checkers

    name, _, version = ((call.words[1].value if len(call.words) > 1 else "") or "").partition("@")
    if name not in _WELL_KNOWN or (version not in ("", "latest") and not _is_version(version)):
        outcome, given = row(tool, call, analyst), call.words[1].value if len(call.words) > 1 else ""
        if not is_package(given):
            return outcome
        return replace(outcome, action=by_package((*tool.name.split(), given or ""), tool.name))
    outcome = apply(checkers[name], call_after(call, call.words[2:]), analyst)
    action = outcome.action
    if action.allowed or action.profile:
        action = replace(action, profile=action.profile or "python-dev")
    return replace(outcome, action=replace(action, key=(*tool.name.split(), *action.key)))


_WELL_KNOWN = frozenset("ruff black isort flake8 mypy pyright basedpyright codespell bandit ty pip-audit".split())


def project_script(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    """`pdm run NAME`, `hatch run ENV:NAME`: a script that pyproject.toml defines, or else a program, which counts as
    what it is.
    """
    parsed = parse(tool, call.words[1:])
    first = parsed.operands[0].value if parsed.operands else None
    name = (first or "").rpartition(":")[2]
    text = analyst.read_file(f"{call.cwd}/pyproject.toml") if call.cwd is not None else None
    defined = any(line.strip().replace('"', "").partition("=")[0].strip() == name for line in (text or "").splitlines())
    if first is None or not name or not (defined or ":" in first):
        return wrapper(tool, call, analyst)
    arguments = script_arguments(parsed.operands[1:], call, analyst, tool.name)
    facts = (*facts_of(tool, call, parsed, analyst), *place_facts(tool, call, analyst), *arguments)
    action = Action(
        (*tool.name.split(), first), Kind.BUILD, rule=tool.name, description="runs a script of pyproject.toml"
    )
    return Outcome(action if is_risky_script(name) else replace(action, allowed=True, profile="python-dev"), facts)


_PIP_GLOBAL = """
    flag    -v -vv -vvv --verbose -q,--quiet -qq --isolated --require-virtualenv --no-input
    flag    --no-cache-dir --disable-pip-version-check --no-color --no-python-version-warning
    flag    --debug -h,--help
"""
_PIP_ASKS = (
    _INDEX
    + """
        asks    --log --log-file --local-log: writes a file
        asks    --python: runs another interpreter
        asks    --cache-dir: writes elsewhere
        asks    --use-feature --use-deprecated: is not known
    """
)
_PIP_VALUES = """
    value   --timeout --retries --exists-action
"""


def _pip(name: str, program: str, description: str, *, options: str = "", **more: Any) -> Tool:
    return looking(f"{program} {name}", description, options=_PIP_GLOBAL + _PIP_VALUES + _PIP_ASKS + options, **more)


def _pip_install(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    """`pip install -e .` and `pip install .`: the project itself, with what its own manifest asks for."""
    bare = Tool(
        tool.name,
        Kind.INSTALL,
        "installs the project, and what its manifest asks for",
        profile="python-dev",
        key_words=tool.key_words,
        options="flag -q,--quiet -v,--verbose -e,--editable --no-deps --no-input --disable-pip-version-check",
        operands=(),
    )
    parsed = parse(bare, call.words[1:])
    own = [w for w in parsed.operands if w.value == "." or _is_own_extra(w.value)]
    words = tuple(w for w in call.words if w not in own)
    plain = replace(tool, special=None)
    return (
        bare_install(bare, plain, replace(call, words=words), analyst) if len(own) == 1 else row(plain, call, analyst)
    )


def _is_own_extra(word: str | None) -> bool:
    """`.[dev,test]`"""
    inner = (word or "").removeprefix(".[").removesuffix("]")
    return word == f".[{inner}]" and all(part.replace("-", "").replace("_", "").isalnum() for part in inner.split(","))


def _pip_rows(program: str) -> dict[str, Tool]:
    return {
        "list": _pip(
            "list",
            program,
            "lists installed packages",
            options="""
                flag    -o,--outdated -u,--uptodate -e,--editable -l,--local --user --pre --not-required
                flag    --exclude-editable --include-editable
                value   --path --format --exclude
            """,
            operands=(),
            examples=(f"{program} list --format=json",),
            counter_examples=(f"{program} list --log /tmp/x", f"{program} list --index-url https://e.example -o"),
        ),
        "show": _pip(
            "show", program, "shows installed packages", options="flag -f,--files", examples=(f"{program} show numpy",)
        ),
        "freeze": _pip(
            "freeze",
            program,
            "lists installed packages",
            options="""
                flag    -l,--local --user --all --exclude-editable
                value   --path --exclude
                reads   -r,--requirement
            """,
            operands=(),
            examples=(f"{program} freeze",),
        ),
        "check": _pip("check", program, "checks dependencies", operands=(), examples=(f"{program} check",)),
        "inspect": _pip(
            "inspect",
            program,
            "lists installed packages",
            options="""
                flag    --local --user
                value   --path
            """,
            operands=(),
        ),
        "debug": _pip(
            "debug",
            program,
            "shows the environment",
            options="value --platform --python-version --implementation --abi",
            operands=(),
        ),
        "hash": _pip("hash", program, "hashes files", options="value -a,--algorithm", operands=(READS, ...)),
        "help": _pip("help", program, "shows help"),
        "version": _pip("version", program, "shows the version"),
        "completion": _pip("completion", program, "shows completions", options="flag --bash -b --zsh -z --fish"),
        "index": Tool(
            f"{program} index",
            Kind.READ,
            "asks the index",
            options=_PIP_GLOBAL,
            key_words=2,
            subcommands={
                "versions": looking(
                    f"{program} index versions",
                    "lists versions",
                    options=_PIP_GLOBAL
                    + _PIP_VALUES
                    + _PIP_ASKS
                    + """
                        flag    --pre --json
                        value   --platform --python-version --implementation --abi
                    """,
                    examples=(f"{program} index versions requests",),
                )
            },
        ),
        "config": Tool(
            f"{program} config",
            Kind.READ,
            "shows settings",
            options=_PIP_GLOBAL
            + """
                flag    --user --global --site
                asks    --editor: runs a program
            """,
            key_words=2,
            counter_examples=(f"{program} config --editor x edit", f"{program} config set a b"),
            subcommands={
                "list": looking(
                    f"{program} config list",
                    "shows settings",
                    options=_PIP_GLOBAL + "flag --user --global --site",
                    operands=(),
                ),
                "get": looking(f"{program} config get", "shows a setting"),
            },
        ),
        "cache": Tool(
            f"{program} cache",
            Kind.READ,
            "shows the cache",
            options=_PIP_GLOBAL,
            key_words=2,
            counter_examples=(f"{program} cache purge",),
            subcommands={
                "list": looking(f"{program} cache list", "shows the cache", options="value --format"),
                "dir": looking(f"{program} cache dir", "shows the cache", operands=()),
            },
        ),
        "install": asked(
            f"{program} install",
            "fetches and installs packages, and runs their set-up code",
            special=_pip_install,
            examples=(f"{program} install -e .", f"{program} install -q '.[dev,test]'"),
            counter_examples=(
                f"{program} install flask",
                f"{program} install -e . flask",
                f"{program} install -e ../x",
            ),
        ),
        "uninstall": asked(f"{program} uninstall", "removes packages"),
        "download": asked(f"{program} download", "fetches packages, and may run their set-up code"),
        "wheel": asked(f"{program} wheel", "fetches and builds packages"),
        "lock": asked(f"{program} lock", "resolves packages"),
    }


def _pip_tool(program: str) -> Tool:
    return Tool(
        program,
        Kind.READ,
        "Python packages",
        options=_PIP_GLOBAL + _PIP_VALUES + _PIP_ASKS + "flag -V,--version",
        key_words=2,
        manual="pip 23.2.1",
        examples=(f"{program} --version",),
        subcommands=_pip_rows(program),
    )


_UV_GLOBAL = """
    flag    -q,--quiet -v,--verbose --no-progress --offline --no-cache -n,--no-config
    flag    --native-tls --no-python-downloads --managed-python --no-managed-python -h,--help
"""
_UV_VALUES = """
    value   --color --python-preference
"""
_UV_ASKS = (
    _INDEX
    + """
        asks    --directory --project: works elsewhere
        asks    --config-file: uses other settings
        asks    --cache-dir: writes elsewhere
        asks    --allow-insecure-host: weakens the connection
        asks    --index-strategy: chooses packages differently
        asks    -p,--python: may fetch or run another interpreter
    """
)
_UV_LOCK = """
    flag    --frozen --locked --no-install-project --no-install-workspace --no-install-local
    flag    --all-extras --no-dev --dev --only-dev --all-groups --no-default-groups
    flag    --no-editable --inexact --exact --active --check --dry-run --no-build
    flag    --compile-bytecode --no-sources --all-packages --upgrade -U --refresh --reinstall
    flag    --isolated --no-sync --no-env-file
"""
_UV_LOCK_VALUES = """
    value   --extra --no-extra --group --no-group --only-group --package --resolution
    value   --prerelease --link-mode --no-install-package -P --upgrade-package --output-format
"""
# What is resolved anew is installed with no look at it.
_UV_OTHERS = """
    asks    -U --upgrade -P --upgrade-package --resolution --prerelease: installs others than the lock file says
    asks    --no-sources: installs others than the lock file says
"""


def _uv(name: str, description: str, *, options: str = "", **more: Any) -> Tool:
    return looking(f"uv {name}", description, options=_UV_GLOBAL + _UV_VALUES + _UV_ASKS + options, **more)


def _python_request(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    """A version is looked up; any other word is a program or a directory, which uv runs to ask for its version."""
    outcome = row(tool, call, analyst)
    odd = [w for w in parse(tool, call.words[1:]).operands if not _is_request(w.value)]
    facts = (unknown("code file", f"uv runs `{w.text}` to ask for its version", call, w.text) for w in odd)
    return replace(outcome, facts=(*outcome.facts, *facts))


def _is_request(text: str | None) -> bool:
    number = (text or "-").removeprefix("cpython").removeprefix("pypy").removeprefix("python").lstrip("@=<>~!")
    return bool(number) and not number.strip("0123456789.,=<>~!*tabrc") and number[0].isdigit()


_UV: dict[str, Tool] = {
    "version": _uv(
        "version",
        "shows the version",
        options="""
            flag    --short
            value   --output-format
        """,
        operands=(),
        counter_examples=("uv version --bump patch",),
    ),
    "help": _uv("help", "shows help"),
    "tree": _uv(
        "tree",
        "shows dependencies; what is not locked is built for it",
        profile="python-dev",
        options="""
            flag    --no-dedupe --invert --outdated --universal --frozen --locked --no-dev --show-sizes
            flag    --all-groups --only-dev
            value   -d,--depth --prune --package --python-version --python-platform --group --no-group
        """,
        operands=(),
        examples=("uv tree --depth 2",),
    ),
    "sync": _from_lock(
        "uv sync",
        "installs what the project's lock file says",
        options=_UV_GLOBAL + _UV_LOCK + _UV_VALUES + _UV_LOCK_VALUES + _UV_ASKS + _UV_OTHERS,
        operands=(),
        examples=("uv sync --frozen",),
        counter_examples=(
            "uv sync --index-url https://evil.example",
            "uv sync --project /tmp/x",
            "uv sync -U",
            "uv sync --resolution=lowest",
        ),
    ),
    "lock": _from_lock(
        "uv lock",
        "resolves the project's dependencies",
        options=_UV_GLOBAL + _UV_LOCK + _UV_VALUES + _UV_LOCK_VALUES + _UV_ASKS,
        operands=(),
        examples=("uv lock --upgrade",),
    ),
    "venv": _from_lock(
        "uv venv",
        "makes a virtual environment",
        options=_UV_GLOBAL
        + _UV_VALUES
        + _UV_ASKS
        + """
            flag    --seed --allow-existing
            value   --prompt -p,--python
            asks    --clear: empties a directory
        """,
        operands=(BELOW, ...),
        examples=("uv venv", "uv venv --python 3.12"),
        counter_examples=("uv venv /opt/x", "uv venv -p ./interpreter"),
        special=uv_venv,
    ),
    "export": _from_lock(
        "uv export",
        "writes the locked dependencies",
        options=_UV_GLOBAL
        + _UV_LOCK
        + _UV_VALUES
        + _UV_LOCK_VALUES
        + _UV_ASKS
        + """
            flag    --no-hashes --hashes --no-header --no-annotate --no-emit-project --no-emit-workspace
            value   --format --no-emit-package --prune
            writes  -o,--output-file
        """,
        operands=(),
        examples=("uv export --no-dev", "uv export -o requirements.txt"),
        counter_examples=("uv export -o /etc/x",),
        special=runner,
    ),
    "run": Tool(
        "uv run",
        Kind.WRAPPER,
        "runs a program in the project's environment",
        profile="python-dev",
        special=uv_run,
        options=_UV_GLOBAL
        + _UV_LOCK
        + _UV_VALUES
        + _UV_LOCK_VALUES
        + _UV_ASKS
        + _UV_OTHERS
        + """
            flag    --no-project
            value   --project -p,--python
            asks    -w,--with --with-editable --with-requirements: installs further packages
            asks    -m,--module: runs a module
            asks    -s,--script --gui-script: runs a file
            asks    --env-file: sets variables
        """,
        reading=Reading(stops_at_operand=True),
        key_words=2,
        examples=("uv run pytest -q", "uv run --python 3.12 --frozen ruff check ."),
        counter_examples=(
            "uv run --python /tmp/evil pytest",
            "uv run --project /tmp/x pytest",
            "uv run --with evil python -c 'import evil'",
            "uv run sh -c 'touch /tmp/x'",
            "uv run rm x",
            "uv run -U pytest",
            "uv run script.py",
        ),
    ),
    "pip": Tool(
        "uv pip",
        Kind.READ,
        "Python packages",
        options=_UV_GLOBAL,
        key_words=2,
        subcommands={
            **{
                name: replace(
                    tool,
                    name=f"uv pip {name}",
                    options=tool.options + _UV_GLOBAL,
                    key_words=3,
                    examples=(),
                    counter_examples=(),
                )
                for name, tool in _pip_rows("pip").items()
                if name in ("list", "show", "freeze", "check")
            },
            "tree": _uv(
                "pip tree",
                "shows dependencies",
                options="""
                    flag    --no-dedupe --invert --outdated --strict --show-version-specifiers
                    value   -d,--depth --prune --package
                """,
                operands=(),
            ),
            "install": asked(
                "uv pip install",
                "fetches and installs packages, and runs their set-up code",
                special=_pip_install,
                examples=("uv pip install -e .",),
                counter_examples=("uv pip install evil",),
            ),
            "sync": asked("uv pip sync", "installs packages"),
            "uninstall": asked("uv pip uninstall", "removes packages"),
            "compile": asked("uv pip compile", "resolves packages"),
        },
    ),
    "python": Tool(
        "uv python",
        Kind.READ,
        "Python versions",
        options=_UV_GLOBAL,
        key_words=2,
        subcommands={
            "list": _uv(
                "python list",
                "lists versions",
                options="flag --all-versions --all-platforms --only-installed --only-downloads --show-urls",
                special=_python_request,
            ),
            "find": _uv(
                "python find",
                "finds a version",
                options="flag --system --no-project",
                special=_python_request,
                examples=("uv python find", "uv python find 3.12", "uv python find '>=3.11'"),
                counter_examples=("uv python find ./evil.sh", "uv python find reboot"),
            ),
            "install": asked("uv python install", "fetches Python"),
            "pin": asked("uv python pin", "chooses Python"),
        },
    ),
    "cache": Tool(
        "uv cache",
        Kind.READ,
        "the cache",
        options=_UV_GLOBAL,
        key_words=2,
        counter_examples=("uv cache clean",),
        subcommands={"dir": _uv("cache dir", "shows the cache", operands=())},
    ),
    "tool": Tool(
        "uv tool",
        Kind.READ,
        "tools",
        options=_UV_GLOBAL,
        key_words=2,
        subcommands={
            "list": _uv("tool list", "lists tools", options="flag --show-paths", operands=()),
            "run": asked("uv tool run", "fetches a package and runs it", special=tool_runner),
            "install": asked("uv tool install", "installs a program"),
            "uninstall": asked("uv tool uninstall", "removes a program"),
        },
    ),
    "add": asked("uv add", "adds a dependency and installs it", counter_examples=("uv add evil",)),
    "remove": asked("uv remove", "removes a dependency"),
    "build": _builds(
        "uv build",
        options=_UV_GLOBAL
        + _UV_ASKS
        + """
            flag    --sdist --wheel --all-packages
            asks    --clear: empties the directory of `--out-dir`
            below   -o,--out-dir
        """,
        examples=("uv build --wheel",),
        counter_examples=("uv build --index-url https://evil.example", "uv build -o /tmp/x", "uv build /tmp/x"),
    ),
    "publish": asked("uv publish", "publishes the package"),
    "init": asked("uv init", "makes a project"),
}

_POETRY_GLOBAL = """
    flag    -q,--quiet -n,--no-interaction --ansi --no-ansi --no-plugins --no-cache -v -vv -vvv
    flag    --verbose -h,--help
"""
_POETRY_ASKS = """
    asks    -P,--project -C --directory: works elsewhere
"""
_RUNNERS = {
    "special": wrapper,
    "reading": Reading(stops_at_operand=True),
    "profile": "python-dev",
    "kind": Kind.WRAPPER,
}


def _run(name: str, options: str = "", **more: Any) -> Tool:
    return Tool(
        name,
        Kind.WRAPPER,
        "runs a program in the project's environment",
        profile="python-dev",
        options=options,
        reading=Reading(stops_at_operand=True),
        key_words=len(name.split()),
        special=more.pop("special", wrapper),
        **more,
    )


def hatch_test(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    """What stands behind `--` are pytest's own arguments."""
    from askfirst.shell.tools.python.tools import TOOLS as checkers

    at = next((i for i, w in enumerate(call.words) if w.value == "--"), len(call.words))
    outcome = runner(tool, replace(call, words=call.words[:at]), analyst)
    tests = checkers["pytest"]
    inner = (tests.special or row)(tests, call_after(call, call.words[at + 1 :]), analyst)
    return replace(outcome, facts=(*outcome.facts, *inner.facts))


TOOLS: dict[str, Tool] = {
    **{program: _pip_tool(program) for program in ("pip", "pip3", *(f"pip3.{minor}" for minor in range(8, 15)))},
    "uv": Tool(
        "uv",
        Kind.READ,
        "Python packages and environments",
        options=_UV_GLOBAL + _UV_VALUES + _UV_ASKS + "flag -V,--version",
        key_words=2,
        manual="uv 0.13.8",
        examples=("uv --version",),
        subcommands=_UV,
    ),
    "uvx": asked(
        "uvx",
        "fetches a package and runs it",
        special=tool_runner,
        examples=("uvx ruff check .", "uvx ruff@0.9.1 format --check", "uvx black --check ."),
        counter_examples=(
            "uvx evil",
            "uvx --from evil ruff",
            "uvx --with evil ruff check",
            "uvx ruff check --config /tmp/x",
            "uvx ruff@evil check",
        ),
    ),
    "pipx": Tool(
        "pipx",
        Kind.READ,
        "programs from packages",
        options="flag -h,--help -q -v",
        key_words=2,
        manual="pipx 1.18.4",
        subcommands={
            "list": looking(
                "pipx list", "lists programs", options="flag --short --json --include-injected --pinned", operands=()
            ),
            "run": asked(
                "pipx run", "fetches a package and runs it", counter_examples=("pipx run evil",), special=tool_runner
            ),
            "install": asked("pipx install", "installs a program"),
            "uninstall": asked("pipx uninstall", "removes a program"),
        },
    ),
    "poetry": Tool(
        "poetry",
        Kind.READ,
        "Python packages",
        options=_POETRY_GLOBAL + _POETRY_ASKS + "flag -V,--version",
        key_words=2,
        manual="Poetry 2.5.1",
        subcommands={
            "show": looking(
                "poetry show",
                "shows dependencies",
                options=_POETRY_GLOBAL
                + _POETRY_ASKS
                + """
                    flag    -t,--tree -l,--latest -o,--outdated -a,--all -T,--top-level --no-truncate --why
                    value   --only --without --with -f,--format
                """,
                examples=("poetry show --tree",),
            ),
            "check": looking(
                "poetry check", "checks the settings", options=_POETRY_GLOBAL + "flag --lock --strict", operands=()
            ),
            "version": looking(
                "poetry version",
                "shows the version",
                options=_POETRY_GLOBAL + "flag -s,--short",
                operands=(),
                counter_examples=("poetry version patch",),
            ),
            "env": Tool(
                "poetry env",
                Kind.READ,
                "environments",
                options=_POETRY_GLOBAL,
                key_words=2,
                subcommands={
                    "info": looking(
                        "poetry env info",
                        "shows the environment",
                        options=_POETRY_GLOBAL + "flag -p,--path -e,--executable --full-path",
                        operands=(),
                    ),
                    "list": looking(
                        "poetry env list",
                        "lists environments",
                        options=_POETRY_GLOBAL + "flag --full-path",
                        operands=(),
                    ),
                },
            ),
            "run": _run(
                "poetry run", _POETRY_GLOBAL + _POETRY_ASKS, counter_examples=("poetry run sh -c 'touch /tmp/x'",)
            ),
            "add": asked("poetry add", "adds a dependency and installs it", counter_examples=("poetry add evil",)),
            "install": _from_lock(
                "poetry install",
                "installs what the lock file says",
                options=_POETRY_GLOBAL
                + _POETRY_ASKS
                + """
                    flag    --no-root --no-directory --dry-run --all-extras --all-groups --only-root --compile
                    flag    --sync
                    value   --with --without --only -E,--extras
                """,
                operands=(),
                examples=("poetry install --with dev --no-root",),
                counter_examples=("poetry install -C /tmp/x",),
            ),
            "sync": _from_lock(
                "poetry sync",
                "installs what the lock file says",
                options=_POETRY_GLOBAL
                + _POETRY_ASKS
                + """
                    flag    --no-root --all-extras --all-groups
                    value   --with --without --only -E,--extras
                """,
                operands=(),
            ),
            "update": asked("poetry update", "updates dependencies"),
            "remove": asked("poetry remove", "removes a dependency"),
            "lock": _from_lock(
                "poetry lock",
                "resolves dependencies",
                options=_POETRY_GLOBAL + _POETRY_ASKS + "flag --no-update --regenerate --check",
                operands=(),
            ),
            "build": _builds(
                "poetry build",
                options=_POETRY_GLOBAL
                + _POETRY_ASKS
                + """
                    flag    --clean
                    value   -f,--format
                """,
            ),
            "publish": asked("poetry publish", "publishes the package"),
        },
    ),
    "pipenv": Tool(
        "pipenv",
        Kind.READ,
        "Python packages",
        options="flag --where --venv --py --envs -h,--help",
        key_words=2,
        manual="pipenv 2026.10.3",
        subcommands={
            "graph": looking(
                "pipenv graph", "shows dependencies", options="flag --bare --json --json-tree --reverse", operands=()
            ),
            "run": _run("pipenv run", counter_examples=("pipenv run touch /tmp/x",)),
            "install": asked("pipenv install", "installs packages"),
            "sync": _from_lock(
                "pipenv sync",
                "installs what the lock file says",
                options="flag -d,--dev -v,--verbose --bare",
                operands=(),
            ),
        },
    ),
    "pdm": Tool(
        "pdm",
        Kind.READ,
        "Python packages",
        allowed=False,
        key_words=2,
        manual="PDM 2.29.3",
        subcommands={
            "run": _run(
                "pdm run",
                options="""
                    flag    -q -v -s,--site-packages --no-site-packages
                    asks    -p,--project -g,--global --venv -e,--env-file: works elsewhere
                """,
                special=project_script,
                counter_examples=("pdm run sh -c 'touch /tmp/x'", "pdm run -p /tmp/x pytest", "pdm run touch /tmp/x"),
                examples=("pdm run pytest -q",),
            ),
            "add": asked("pdm add", "adds a dependency"),
        },
    ),
    "hatch": Tool(
        "hatch",
        Kind.READ,
        "Python projects",
        options="flag -h,--help",
        key_words=2,
        manual="Hatch 1.18.2",
        subcommands={
            "version": looking(
                "hatch version", "shows the version, by loading the project", profile="python-dev", operands=()
            ),
            "test": Tool(
                "hatch test",
                Kind.BUILD,
                "runs the project's tests",
                profile="python-dev",
                options="flag -a,--all -c,--cover -p,--parallel -r,--randomize -q -s,--show",
                operands=(INERT, ...),
                key_words=2,
                examples=("hatch test -a tests/unit", "hatch test -- -k foo"),
                counter_examples=("hatch test -- --rootdir=/tmp/x", "hatch test -- -p evil"),
                special=hatch_test,
            ),
            "run": _run(
                "hatch run",
                special=project_script,
                examples=("hatch run pytest -q", "hatch run test:unit"),
                counter_examples=("hatch run touch /tmp/x", "hatch run prod:deploy", "hatch run sh -c 'touch /tmp/x'"),
            ),
            "fmt": Tool(
                "hatch fmt",
                Kind.BUILD,
                "lints and formats",
                profile="python-dev",
                options="flag --check -l,--linter -f,--formatter --preview",
                operands=(INERT, ...),
                key_words=2,
                examples=("hatch fmt --check",),
                counter_examples=("hatch fmt --sync",),
                special=runner,
            ),
            "build": _builds(
                "hatch build",
                options="""
                    flag    -c,--clean
                    value   -t,--target
                """,
            ),
        },
    ),
    "conda": Tool(
        "conda",
        Kind.READ,
        "packages and environments",
        allowed=False,
        key_words=2,
        manual="conda/cli of conda 018420c, 0263315 and 10d35fd",
        subcommands={
            "run": _run(
                "conda run",
                options="""
                    flag    --no-capture-output --live-stream -v
                    value   -n,--name
                    asks    -p,--prefix --cwd: works elsewhere
                """,
                examples=("conda run -n dev pytest -q",),
                counter_examples=("conda run touch /tmp/x", "conda run -p /tmp/x pytest"),
            ),
            "create": asked("conda create", "makes an environment"),
            "install": asked("conda install", "installs packages"),
        },
    ),
    "virtualenv": Tool(
        "virtualenv",
        Kind.EDIT,
        "makes a virtual environment",
        profile="python-dev",
        options="""
            flag    -q -v --no-pip -h,--help
            value   --prompt
        """,
        operands=(BELOW, ...),
        least=1,
        manual="virtualenv 21.15.6",
    ),
    "twine": Tool(
        "twine",
        Kind.NETWORK,
        "publishes packages",
        allowed=False,
        danger="publishes to a package index: what is there stays, and others install it",
        reading=ANY_OPTIONS,
        key_words=2,
    ),
    "easy_install": asked(
        "easy_install", "fetches and installs packages", counter_examples=("easy_install /tmp/evil",)
    ),
}
