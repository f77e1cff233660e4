"""What programs obey by themselves: the table, git's HEAD read without git, and the gate's answer to a program whose
file was changed in this session or is not in HEAD."""

from __future__ import annotations

import os
import re
import subprocess
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import yaml

from askfirst.approval.identity import digest_of
from askfirst.files.head import is_in_head
from askfirst.gate import judged, may_obey
from askfirst.knowledge.globs import fold, wild
from askfirst.knowledge.obeyed import ANY_STACK, EDITED, OBEYED, SHIMS, asking, by_program
from askfirst.model import Decision, Grant, Request
from askfirst.policy.offers import offers, usual
from askfirst.policy.profiles import PROFILES
from askfirst.policy.rules import Layers, Settings
from askfirst.shell.tools.registry import REGISTRY
from tests.needs import needs

LATER = 4e9  # a session that begins after every file of the test was changed
EARLIER = 1.0
HELD: dict[str, Any] = yaml.safe_load((Path(__file__).parents[1] / "cases/obeyed.yaml").read_text())


def git(directory: Path, *words: str) -> str:
    return subprocess.run(
        [
            "git",
            "-C",
            str(directory),
            "-c",
            "user.name=A",
            "-c",
            "user.email=a@b.c",
            "-c",
            "commit.gpgsign=false",
            *words,
        ],
        check=True,
        capture_output=True,
        text=True,
        env={**os.environ, "GIT_CONFIG_GLOBAL": "/dev/null"},
    ).stdout


@pytest.fixture
def repository(project: Path) -> Path:
    needs("git")
    git(project, "init", "-q", ".")
    return project


def commit(repository: Path, **files: str) -> None:
    for name, text in files.items():
        write(repository, name, text)
    git(repository, "add", "-Af")
    git(repository, "commit", "-qm", "x", "--allow-empty")


def write(repository: Path, name: str, text: str = "x\n") -> Path:
    path = repository / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def reason(command: str, project: Path, *, since: float = LATER, profiles: tuple[str, ...] = (), cwd: str = "") -> str:
    """Why the gate asks; "" when it allows."""
    request = Request("claude", "s", str(project / cwd), str(project), "Bash", {"command": command})
    layers = Layers(str(project), settings=Settings(profiles=profiles), home=str(project.parent), since=since)
    verdict = judged(request, layers).verdict
    return "" if verdict.decision == Decision.ALLOW else verdict.reason


# -- git's HEAD


def test_head_is_read_as_git_reads_it(repository: Path) -> None:
    """Loose and packed objects, with deltas, a branch in packed-refs, a sub-directory, a work tree."""
    texts = {f"d/f{n}.txt": "".join(f"line {i}\n" for i in range(200 + n)) for n in range(30)}
    commit(repository, **texts, **{"a.txt": "one\n"})
    commit(repository, **{"a.txt": "two\n", "d/f3.txt": texts["d/f3.txt"] + "more\n"})
    for packed in (False, True):
        if packed:
            git(repository, "gc", "-q", "--aggressive", "--prune=now")
            git(repository, "pack-refs", "--all")
            assert not list(repository.glob(".git/objects/??/*"))
        tracked = git(repository, "ls-tree", "-r", "--name-only", "HEAD").split()
        assert len(tracked) == 31
        assert [name for name in tracked if not is_in_head(str(repository / name))] == []
    git(repository, "worktree", "add", "-q", "../tree")
    assert is_in_head(str(repository.parent / "tree" / "d/f3.txt"))


def test_what_head_does_not_have(repository: Path) -> None:
    path = write(repository, "a.txt", "one\n")
    assert not is_in_head(str(path)), "no commit yet"
    commit(repository)
    assert is_in_head(str(path))
    path.write_text("two\n")
    assert not is_in_head(str(path)), "changed"
    git(repository, "add", "a.txt")
    assert not is_in_head(str(path)), "staged is not committed"
    assert not is_in_head(str(write(repository, "new.txt"))), "untracked"
    assert not is_in_head(str(repository / "missing.txt"))
    path.write_text("one\n")
    assert is_in_head(str(path))
    (repository / "link.txt").symlink_to("a.txt")
    assert not is_in_head(str(repository / "link.txt")), "a link"


@pytest.mark.parametrize("broken", ["HEAD", "refs/heads/main", "objects"])
def test_a_damaged_repository_has_nothing(repository: Path, broken: str) -> None:
    git(repository, "checkout", "-qb", "main")
    commit(repository, **{"a.txt": "one\n"})
    target = repository / ".git" / broken
    for path in [p for p in target.rglob("*") if p.is_file()] if target.is_dir() else [target]:
        path.chmod(0o600)
        path.write_bytes(b"\x78\x9c damage")
    assert not is_in_head(str(repository / "a.txt"))


def test_no_repository_has_nothing(project: Path) -> None:
    assert not is_in_head(str(write(project, "a.txt")))


# -- the gate

# (file, a command of a program that obeys it and that passes otherwise)
OBEYING = [
    (".python-version", "uv python find"),
    ("uv.toml", "uv pip list"),
    ("pyproject.toml", "uv pip list"),
    (".poetry/plugins/evil.py", "poetry show"),
    ("poetry.toml", "poetry env info"),
    (".bandit", "bandit -r src"),
    ("ruff.toml", "ruff check src"),
    ("src/deep/ruff.toml", "ruff check ."),
    ("src/deep/.bandit", "bandit -r src"),
    (".pep8", "autopep8 --diff src/a.py"),
    (".env.yarn", "yarn list"),
    (".npmrc", "npm ls"),
    ("package.json", "pnpm list"),
    (".pnpmfile.cjs", "pnpm list"),
    (".codespellrc", "codespell src"),
    ("rust-toolchain.toml", "cargo --version"),
    (".cargo/config.toml", "cargo search serde"),
    (".golangci.json", "golangci-lint linters"),
    (".mvn/jvm.config", "mvn --version"),
    ("go.mod", "go version"),
]


@pytest.mark.parametrize("file, command", OBEYING)
def test_a_program_asks_while_its_orders_are_new(file: str, command: str, repository: Path) -> None:
    (repository / "src").mkdir()
    assert reason(command, repository) == "", "nothing to obey"
    write(repository, file)
    assert "is not in git's HEAD" in reason(command, repository)
    assert f"`{file}`" in reason(command, repository)
    commit(repository)
    assert reason(command, repository) == "", "committed before this session"
    assert "was changed in this session" in reason(command, repository, since=EARLIER)


@pytest.mark.parametrize("file, command", OBEYING)
def test_a_profile_that_runs_the_projects_code_excuses_it(file: str, command: str, repository: Path) -> None:
    write(repository, file)
    assert reason(command, repository, profiles=tuple(ANY_STACK.split())) == ""
    assert reason(command, repository, profiles=("infra-read", "lockfile-only")) != ""


@pytest.mark.parametrize(
    "command, cwd",
    [
        ("uv python find", "sub/deep"),
        ("cd sub/deep && uv python find", ""),
        ("uv --directory sub/deep python find", ""),
        ("uv --directory=sub python find", ""),
        ("uv python find --project sub", ""),
        ("cd $X && uv python find", ""),
    ],
)
def test_it_is_found_wherever_the_program_would(command: str, cwd: str, repository: Path) -> None:
    (repository / "sub/deep").mkdir(parents=True)
    write(repository, "sub/.python-version")
    assert reason(command, repository, cwd=cwd) != ""
    assert reason("uv python find", repository) == ""


@pytest.mark.parametrize(
    "file, text, code, command",
    [
        ("pnpm-workspace.yaml", "pnpmfile: ./hooks.cjs\n", "hooks.cjs", "pnpm list"),
        (".python-version", "./run.sh\n", "run.sh", "uv python find"),
    ],
)
def test_code_that_committed_settings_name_is_obeyed_too(
    file: str, text: str, code: str, command: str, repository: Path
) -> None:
    commit(repository, **{file: text, code: "1\n"})
    assert reason(command, repository) == ""
    write(repository, code, "2\n")
    assert f"`{code}`" in reason(command, repository)


def test_directories_below_are_not_looked_at_without_end(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("askfirst.files.obeying.MAX_BELOW", 3)
    write(repository, "node_modules/a/b/c/ruff.toml")
    assert reason("ruff check .", repository) == "", "passed over"
    for name in "abc":
        write(repository, f"src/{name}/x.py")
    assert "not looked at" in reason("ruff check .", repository)
    assert reason("uv pip list", repository) == "", "obeys nothing below"


def test_a_version_managers_shim_obeys_its_version_file(
    repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shim = write(tmp_path, "asdf/shims/node", "#!/bin/sh\n")
    shim.chmod(0o755)
    write(repository, ".tool-versions", "nodejs path:/x\n")
    assert reason("node --version", repository) == ""
    monkeypatch.setenv("PATH", str(shim.parent))
    assert ".tool-versions" in reason("node --version", repository)


def test_writing_one_asks_and_editing_daily_work_does_not(repository: Path) -> None:
    for file in ("hatch.toml", ".python-version", ".poetry/plugins/x.py", "sub/.npmrc", "poetry.lock", ".terraform/x"):
        assert reason(f"echo x > {file}", repository) != "", file
    for file in ("go.mod", "main.tf"):
        assert reason(f"echo x > {file}", repository) == "", file


def test_a_plan_asks_while_its_files_are_new(repository: Path) -> None:
    """`infra-read` lets no code of the project run, and a plan runs the programs that `external` names."""
    write(repository, "main.tf")
    assert "`main.tf`" in reason("terraform plan", repository, profiles=("infra-read",))
    commit(repository)
    assert reason("terraform plan", repository, profiles=("infra-read",)) == ""


@pytest.mark.parametrize(
    "command",
    [
        "echo 'extends: .env' > .yamllint; yamllint .",
        "cp conf/.yamllint . && yamllint .",
        "yamllint . & sed -n p notes.txt > .yamllint",
        "cp infra/a.tf . && terraform plan",
        "mv infra new && cd new && terraform plan",
        "cp -r infra new && helm template new",
        "echo 'include: x' > compose.yaml; docker compose ps",
        "cp x.yaml docker-compose.override.yml; docker compose ps",
        "echo 'include: x' > x.yaml; docker compose -f x.yaml ps",
        "cp infra/a.tf x.yaml; docker compose -f x.yaml ps",
        "echo x > hooks.cjs; pnpm list",
    ],
)
def test_what_the_same_command_writes_is_as_new(command: str, repository: Path) -> None:
    commit(
        repository, **{"infra/a.tf": "1\n", "conf/.yamllint": "1\n", "pnpm-workspace.yaml": "pnpmfile: ./hooks.cjs\n"}
    )
    assert "which this same command writes" in reason(command, repository, profiles=("infra-read",))
    reader = re.split(r" && |; | & ", command)[0 if " & " in command else -1]
    assert reason(reader, repository, profiles=("infra-read",)) == "", "by itself"


@pytest.mark.parametrize(
    "command",
    [
        "echo 'services: {}' > compose.yaml; docker compose ps",
        "terraform plan | tee plan.log",
        "mkdir new && cd new && yamllint x.yaml",
        "cp infra/a.txt b.yaml && yamllint b.yaml",
        "mv infra/a.txt b.yaml && yamllint b.yaml",
        "sed -i s/a/b/ infra/a.txt && yamllint infra/a.txt",
        "echo 'services: {}' > x.yaml; docker compose -f x.yaml ps",
        "mv infra/a.txt b.txt && yamllint .",
        "git checkout -b x && terraform fmt",
    ],
)
def test_what_it_writes_elsewhere_does_not_matter(command: str, repository: Path) -> None:
    commit(repository, **{"infra/a.txt": "1\n"})
    assert reason(command, repository, profiles=("infra-read",)) == ""


# -- the table


def test_the_table_names_profiles_and_programs_that_exist() -> None:
    assert set(ANY_STACK.split()) == set(PROFILES) - {"infra-read", "lockfile-only"}
    for table in (OBEYED, EDITED):
        for profiles, rows in table.items():
            assert set(profiles.split()) <= set(PROFILES)
            for files, programs, why in rows:
                assert files == files.lower() and why, files
                unknown = {p for p in programs.split() if p != SHIMS and p in REGISTRY and not may_obey(p)}
                assert not unknown, f"gate.may_obey leaves them out: {unknown}"


@pytest.mark.parametrize("program", HELD["held"])
def test_what_a_programs_document_names_is_in_the_table(program: str, repository: Path) -> None:
    held = HELD["held"][program]
    assert held["manual"] and held["version"] and set(held) & {"files", "edited", "harmless"}
    written = {file: reason(f"echo x > {file}", repository) for file in held.get("files", ())}
    assert {file for file, why in written.items() if not why} == set(), "writing one asks"
    for file in (*held.get("edited", ()), *held.get("harmless", ())):
        assert reason(f"echo x > {file}", repository) == "" or file.endswith("pyproject.toml"), file
    patterns = [p.removeprefix("**/") for _, files, _ in by_program().get(program, ()) for p in files]
    for file in held.get("edited", ()):
        assert any(wild(pattern, fold(file.rpartition("/")[2])) for pattern in patterns), file
    for variable in held.get("moved_by", ()):
        assert variable in reason(f"{variable}=/srv/x ls", repository)


@pytest.mark.parametrize("profile", HELD["not_held"])
def test_every_program_was_held_against_its_document_or_is_named(profile: str) -> None:
    named = {p for table in (OBEYED, EDITED) for _, programs, _ in table.get(profile, ()) for p in programs.split()} - {
        SHIMS
    }
    missing = set(HELD["not_held"][profile].split())
    assert named - set(HELD["held"]) == missing


def test_no_pattern_stands_twice() -> None:
    patterns = [pattern for files, _ in asking() for pattern in files]
    assert sorted({p for p in patterns if patterns.count(p) > 1}) == []


INSTALLS = [
    ("package.json", "node-dev", ("npm install", "npm i --no-audit", "npm ci", "yarn", "pnpm install", "bun install")),
    ("pyproject.toml", "python-dev", ("pip install -e .", "pip install '.[dev]'", "uv pip install -e .", "uv sync")),
]


@pytest.mark.parametrize(("manifest", "profile", "commands"), INSTALLS, ids=["node", "python"])
def test_a_bare_install_takes_what_the_committed_manifest_says(
    manifest: str, profile: str, commands: tuple[str, ...], repository: Path
) -> None:
    """Also under the profile: a name that an agent has just put there is a new package."""
    commit(repository, **{manifest: "{}\n"})
    on = (profile,)
    assert {c: why for c in commands if (why := reason(c, repository, profiles=on))} == {}
    assert all(reason(c, repository) for c in commands), "without the profile"
    assert all(reason(c, repository, profiles=on, since=EARLIER) for c in commands), "committed in this session"
    write(repository, manifest, '{"dependencies": {"evil": "1"}}\n')
    assert all("names the packages" in reason(c, repository, profiles=on) for c in commands)


PACKAGE = '{"name": "a", "version": "1", "scripts": {"test": "jest"}, "dependencies": {"zod": "3"}}'
PROJECT = (
    "[project]\nname = 'a'\nversion = '1'\ndependencies = ['x']\n[tool.ruff]\nselect = ['E']\n[tool.uv]\ndev = 1\n"
)


@pytest.mark.parametrize(
    ("before", "after", "asks"),
    [
        (PACKAGE, PACKAGE.replace('"1"', '"2", "description": "x", "jest": {}'), False),
        (PACKAGE, PACKAGE.replace('"jest"', '"vitest", "db:seed": "node seed.js"'), False),
        (PACKAGE, PACKAGE.replace('"3"', '"4"'), True),
        (PACKAGE, PACKAGE.replace('"3"', '"3", "evil": "1"'), True),
        (PACKAGE, PACKAGE.replace('"test"', '"postinstall": "node evil.js", "test"'), True),
        (PACKAGE, PACKAGE.replace('"name"', '"overrides": {"zod": "npm:evil@1"}, "name"'), True),
        (PACKAGE, PACKAGE.replace('"name"', '"workspaces": ["evil"], "name"'), True),
        (PACKAGE, PACKAGE.replace('"name"', '"packageManager": "pnpm@1", "name"'), True),
        (PACKAGE, PACKAGE.replace('"name"', '"unknown": 1, "name"'), True),
        (PACKAGE, PACKAGE.replace("}}", '}, "dependencies": {"zod": "3"}}'), True),
        (PACKAGE, PACKAGE + ",", True),
        (PACKAGE, "[]", True),
        (PACKAGE.replace('"test"', '"prepare": "npm run build", "build"'), None, False),
        (PACKAGE.replace('"test"', '"prepare": "npm test", "test"'), '"jest"', True),
        (
            PROJECT,
            PROJECT.replace("'1'", "'2'").replace("'E'", "'E', 'F'") + "[tool.pytest.ini_options]\nx = 1\n",
            False,
        ),
        (PROJECT, PROJECT.replace("'x'", "'x', 'evil'"), True),
        (PROJECT, PROJECT.replace("dev = 1", "dev = 2"), True),
        (PROJECT, PROJECT + "[build-system]\nrequires = ['evil']\n", True),
        (PROJECT, PROJECT + "[dependency-groups]\ndev = ['evil']\n", True),
        (PROJECT, PROJECT + "hatch.build.hooks.custom = {}\n", True),
        (PROJECT, PROJECT.replace("name =", "scripts = {ls = 'a:b'}, name ="), True),
        (PROJECT, PROJECT + "x", True),
    ],
)
def test_a_manifest_that_installs_the_same_is_as_good_as_heads(
    before: str, after: str | None, asks: bool, repository: Path
) -> None:
    """A key that nobody knows may say what is installed, and so may any script where one runs meanwhile."""
    name, command = ("package.json", "npm install") if before.startswith("{") else ("pyproject.toml", "uv sync")
    commit(repository, **{name: before})
    changed = before + " " if after is None else before.replace(after, '"evil"') if after == '"jest"' else after
    write(repository, name, changed)
    on = ("node-dev", "python-dev")
    assert bool(reason(command, repository, profiles=on)) == asks
    assert reason(command, repository, profiles=on, since=EARLIER), "what HEAD has is of this session"


@pytest.mark.parametrize(
    ("file", "command"),
    [
        ("pnpm-workspace.yaml", "pnpm install --frozen-lockfile"),
        ("pnpm-workspace.yaml", "pnpm ci"),
        (".pnpmfile.cjs", "pnpm install"),
        (".yarnrc.yml", "yarn install --immutable"),
        ("bunfig.toml", "bun install"),
        ("binding.gyp", "npm ci"),
        ("uv.toml", "uv sync --frozen"),
        ("poetry.toml", "poetry install"),
    ],
)
def test_an_installer_obeys_what_says_where_packages_come_from(file: str, command: str, repository: Path) -> None:
    commit(repository, **{"pyproject.toml": "[project]\n", "package.json": "{}\n"})
    on = ("python-dev", "node-dev", "lockfile-only")
    assert reason(command, repository, profiles=on) == ""
    write(repository, file, "x\n")
    assert file in reason(command, repository, profiles=on)


def test_an_installer_obeys_the_manifests_of_its_own_kind(repository: Path) -> None:
    commit(repository, **{"pyproject.toml": "[project]\n", "package.json": "{}\n"})
    write(repository, "package.json", '{"dependencies": {"evil": "1"}}\n')
    on = ("python-dev", "node-dev")
    assert reason("uv sync", repository, profiles=on) == ""
    assert "package.json" in reason("npm install", repository, profiles=on)


# What a file of compose says -> whether looking at the containers asks.
COMPOSE = [
    ({"compose.yaml": "services: {a: {image: b}}\n"}, "docker compose ps", False),
    ({"compose.yaml": "include: [https://x.example/y.git]\n"}, "docker compose ps", True),
    ({"compose.yaml": "include: [https://x.example/y.git]\n"}, "docker-compose ps", True),
    ({"compose.yaml": "include: [https://x.example/y.git]\n"}, "docker ps", False),
    (
        {"compose.override.yml": 'services: {a: {"ext\\u0065nds": {file: "oci://x.example/y"}}}\n'},
        "docker compose ps",
        True,
    ),
    ({"other.yml": "include: [git@x.example:y]\n"}, "docker compose -f other.yml ps", True),
    ({"other.yml": "include: [git@x.example:y]\n"}, "docker compose ps", False),
    ({".env": "PORT=1\n"}, "docker compose ps", False),
    ({".env/include": "a virtual environment\n"}, "docker compose ps", False),
    ({".env": "COMPOSE_FILE=a.yml:b.yml\n", "b.yml": "services: {}\n"}, "docker compose ps", False),
    ({".env": "COMPOSE_FILE=a.yml:b.txt\n", "b.txt": "include: [oci://x.example/y]\n"}, "docker compose ps", True),
    ({".env": "COMPOSE_FILE=oci://x.example/y\n"}, "docker compose ps", True),
]


@pytest.mark.parametrize("files, command, asks", COMPOSE)
def test_compose_asks_where_it_may_fetch(files: dict[str, str], command: str, asks: bool, repository: Path) -> None:
    for name, text in files.items():
        write(repository, name, text)
    assert ("is not in git's HEAD" in reason(command, repository)) == asks
    commit(repository)
    assert reason(command, repository) == ""


def test_a_committed_include_leads_to_what_was_changed(repository: Path) -> None:
    commit(repository, **{"compose.yaml": "include: [sub/a.yaml]\n", "sub/a.yaml": "services: {}\n"})
    assert reason("docker compose ps", repository) == ""
    write(repository, "sub/a.yaml", "services: {b: {image: c}}\n")
    assert reason("docker compose ps", repository) == "", "it fetches nothing"
    write(repository, "sub/a.yaml", "include: [oci://x.example/y]\n")
    assert "`sub/a.yaml`" in reason("docker compose ps", repository)
    commit(repository, **{"compose.yaml": f"include: {[f'{n}.yaml' for n in range(300)]}\n", "sub/a.yaml": "a: 1\n"})
    commit(repository, **{f"{n}.yaml": "services: {}\n" for n in range(300)})
    assert "many more files" in reason("docker compose ps", repository)


def test_a_plan_asks_while_a_module_of_it_is_new(repository: Path) -> None:
    module, deeper = 'module "a" { source = "./parts/a" }\n', 'module "b" { source = "../b" }\n'
    commit(repository, **{"main.tf": module, "parts/a/x.tf": deeper, "parts/b/x.tf": "#\n", "parts/c/x.tf": "#\n"})
    assert reason("terraform plan", repository, profiles=("infra-read",)) == ""
    write(repository, "parts/c/x.tf", "# not named\n")
    assert reason("terraform plan", repository, profiles=("infra-read",)) == ""
    write(repository, "parts/b/x.tf", 'data "external" "x" { program = ["sh"] }\n')
    assert "`parts/b/x.tf`" in reason("terraform plan", repository, profiles=("infra-read",))


def test_shellcheck_asks_while_its_settings_are_new(repository: Path) -> None:
    commit(repository, **{"run.sh": "true\n"})
    assert reason("shellcheck run.sh", repository) == ""
    write(repository, ".shellcheckrc", "external-sources=true\n")
    assert "`.shellcheckrc`" in reason("shellcheck run.sh", repository)


@pytest.mark.parametrize(
    "file, harmless, harmful, command",
    [
        ("k/values.schema.json", '{"a": {"$ref": "#/b"}}', '{"a": {"$ref": "https://x.example/y"}}', "helm lint k"),
        (".env", "PORT=1\n", "CLOUDFLARE_API_BASE_URL=https://x.example\n", "wrangler whoami"),
    ],
)
def test_settings_are_obeyed_where_they_name_a_server(
    file: str, harmless: str, harmful: str, command: str, repository: Path
) -> None:
    write(repository, file, harmless)
    assert reason(command, repository, profiles=("infra-read",)) == ""
    write(repository, file, harmful)
    assert f"`{file}`" in reason(command, repository, profiles=("infra-read",))


# -- what a yes to an installation is for


@pytest.mark.parametrize(
    ("text", "manifest", "before", "after"),
    [
        ("npm install", "package.json", '{"scripts": {}}', '{"scripts": {}, "dependencies": {"evil": "1"}}'),
        ("npm install", "package-lock.json", '{"a": 1}', '{"a": 2}'),
        ("npm install zod", ".npmrc", None, "registry=https://evil.example/"),
        ("npm install zod", "package.json", "{}", '{"dependencies": {"evil": "1"}}'),
        ("npm install zod", "package.json", None, '{"dependencies": {"evil": "1"}}'),
        ("pnpm add -D zod && ls", "package.json", "{}", '{"dependencies": {"evil": "1"}}'),
        ("npm install zod; node -e 1", "package.json", "{}", '{"dependencies": {"evil": "1"}}'),
        ("uv sync", "pyproject.toml", "[project]\n", "[project]\ndependencies = ['evil']\n"),
        ("uv add requests", "pyproject.toml", None, "[project]\ndependencies = ['evil']\n"),
        ("bundle install", "Gemfile", "", "gem 'evil'\n"),
        ("composer require a/b", "composer.json", "{}", '{"require": {"evil/evil": "*"}}'),
    ],
)
def test_a_yes_is_for_what_would_be_installed_now(
    repository: Path, text: str, manifest: str, before: str | None, after: str
) -> None:
    if before is not None:
        write(repository, manifest, before)
    request = Request("claude", "s", str(repository), str(repository), "Bash", {"command": text})
    layers = Layers(str(repository), settings=Settings(profiles=("node-dev",)), session="s", home="/", since=LATER)
    layers = replace(layers, digest=digest_of(request))

    def decision(*grants: Grant) -> Decision:
        return judged(request, replace(layers, grants=grants)).verdict.decision

    case = judged(request, layers)
    offer = offers(case)[usual(offers(case))]
    granted = offer.grant(case, id="g")
    assert (decision(), decision(granted)) == (Decision.ASK, Decision.ALLOW)
    assert before is None or offer.step == "text" or f"{manifest} is as it is now" in offer.words
    write(repository, manifest, after)
    assert decision(granted) == Decision.ASK


def test_the_question_names_what_is_new_in_a_manifest(repository: Path) -> None:
    text = '{\n  "dependencies": {\n    "zod": "3",\n    "left-pad": "1"\n  }\n}\n'
    commit(repository, **{"package.json": text})
    assert reason("npm install", repository, profiles=("node-dev",)) == ""
    write(repository, "package.json", text.replace('"1"', '"1",\n    "evil": "git+https://evil.example/x"'))
    said = reason("npm install", repository, profiles=("node-dev",))
    assert 'new in it: `"evil": "git+https://evil.example/x"`' in said and "zod" not in said and "left-pad" not in said
    write(repository, "package.json", "".join(f'"a{n}": "{n}",\n' for n in range(9)))
    assert "and 5 more" in reason("npm install", repository, profiles=("node-dev",))


@pytest.mark.parametrize("command", ["pip list", "pip3.11 index versions x", "python3 -m pip list"])
def test_a_program_of_another_name_obeys_the_same(command: str, repository: Path) -> None:
    """pip runs `rustc --version`; `pip3.11` and `python3 -m pip` are pip."""
    commit(repository, **{"README.md": "x\n"})
    assert reason(command, repository, profiles=("python-dev",)) == ""
    write(repository, "rust-toolchain.toml")
    assert "`rust-toolchain.toml`" in reason(command, repository, profiles=("python-dev",))


def test_elixir_loads_modules_of_the_directory(repository: Path) -> None:
    commit(repository, **{"README.md": "x\n"})
    assert reason("elixir --version", repository) == ""
    commit(repository, **{"maps.beam": "x\n"})
    assert "runs code" in reason("elixir --version", repository)
    assert "runs code" in reason("iex --version", repository)
