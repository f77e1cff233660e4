"""Everyday tools give contained what they give bare: the same exit code, and the same output where it is steady."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import sys
import venv
from dataclasses import dataclass
from pathlib import Path

import pytest

from askfirst import contained as contained_changes
from askfirst.box import runs
from tests.box.conftest import SECONDS, Box
from tests.needs import needs


@dataclass(frozen=True)
class Case:
    """A command, the files of its project, and the programs that it needs."""

    command: str
    files: dict[str, str]
    needs: tuple[str, ...] = ()
    code: int = 0


PYTHON = sys.executable
REAL_HOME = pwd.getpwuid(os.getuid()).pw_dir
MAIN_C = '#include <stdio.h>\nint main(void) { puts("built"); return 0; }\n'
FORKSERVER = """
import multiprocessing as m
def double(n): return n * 2
if __name__ == "__main__":
    m.set_start_method("forkserver")
    with m.Pool(2) as pool: print(pool.map(double, [1, 2, 3]))
    with m.Manager() as manager: print(dict(manager.dict(a=1)))
"""
SERVER = """
import http.server, threading, urllib.request
server = http.server.HTTPServer(("127.0.0.1", 0), http.server.SimpleHTTPRequestHandler)
threading.Thread(target=server.serve_forever, daemon=True).start()
print(urllib.request.urlopen(f"http://127.0.0.1:{server.server_port}/page.txt").read())
"""
PACKAGE = (
    '{"name": "x", "version": "1.0.0", "scripts": {"test": "node --test --test-reporter=tap test.js | grep -c ^ok"}}\n'
)
NODE_TEST = "const t = require('node:test'); t('one', () => {}); t('two', () => {});\n"
CASES = {
    "gcc": Case("gcc -o app main.c && ./app", {"main.c": MAIN_C}, ("gcc",)),
    "make": Case(
        "make -s", {"Makefile": "all: app\n\t@./app\napp: main.c\n\tcc -o $@ $<\n", "main.c": MAIN_C}, ("make", "cc")
    ),
    "pytest": Case(
        f"{PYTHON} -m pytest -q -p no:cacheprovider -p no:randomly test_a.py -n 0 | tail -1 | cut -d' ' -f1-4",
        {"test_a.py": "def test_a(tmp_path):\n    (tmp_path / 'x').write_text('x')\ndef test_b(): assert False\n"},
    ),
    "pytest with workers": Case(
        f"{PYTHON} -m pytest -q -n 2 test_a.py > out.txt; echo $?",
        {"test_a.py": "import pytest\n@pytest.mark.parametrize('n', range(6))\ndef test_a(n): pass\n"},
    ),
    "forkserver": Case("python3 f.py", {"f.py": FORKSERVER}),
    "unittest": Case(
        "python3 -m unittest -q test_a 2>&1 | grep -c FAIL",
        {"test_a.py": "import unittest\nclass T(unittest.TestCase):\n    def test_a(self): self.fail('x')\n"},
    ),
    "npm test": Case("npm test --silent", {"package.json": PACKAGE, "test.js": NODE_TEST}, ("npm", "node")),
    "node": Case(
        'node -e \'const fs=require("fs"); fs.writeFileSync(require("os").tmpdir()+"/x","1"); console.log(1+1)\'',
        {},
        ("node",),
    ),
    "sqlite": Case(
        "python3 -c \"import sqlite3; d=sqlite3.connect('a.db'); d.execute('create table t(x)');"
        " d.execute('insert into t values (1)'); d.commit(); print(*d.execute('select * from t'))\"",
        {},
    ),
    "ruff": Case(f"{PYTHON} -m ruff check --quiet --output-format concise a.py", {"a.py": "import os\n"}, code=1),
    "mypy": Case(f"{PYTHON} -m mypy a.py", {"a.py": "x: int = 'a'\n"}, code=1),
    "javac": Case(
        "javac A.java && java A",
        {"A.java": "class A { public static void main(String[] a) { System.out.println(1); } }\n"},
        ("javac", "java"),
    ),
    "cargo": Case(
        "cargo build --offline -q && ./target/debug/x",
        {
            "Cargo.toml": '[package]\nname = "x"\nversion = "0.1.0"\nedition = "2021"\n',
            "src/main.rs": 'fn main() { println!("rust"); }\n',
        },
        ("cargo",),
    ),
    "a server and its client": Case("python3 s.py 2>/dev/null", {"s.py": SERVER, "page.txt": "served\n"}),
    "temporary files": Case(
        "python3 -c 'import tempfile; print(tempfile.NamedTemporaryFile().name.startswith(\"/tmp\"))'; ls", {"a": ""}
    ),
    "heredocs and substitutions": Case("cat <(echo a) - <<EOF\n$(echo b)\nEOF", {}),
    "background jobs": Case(
        "sleep 0.1 & wait; echo done; coproc cat; echo x >&${COPROC[1]}; read -r y <&${COPROC[0]}; echo $y",
        {},
    ),
    "terminals": Case("script -qec 'echo on a terminal' /dev/null | tr -d '\\r'", {}, ("script",)),
    "large files": Case("dd if=/dev/zero of=big bs=1M count=30 status=none; wc -c < big", {}),
}


@pytest.mark.parametrize("name", CASES)
def test_contained_as_bare(box: Box, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    case = CASES[name]
    needs(*case.needs)
    # The tools of whoever runs the tests, shown as in a home of their own.
    monkeypatch.setenv("VIRTUAL_ENV", sys.prefix)
    monkeypatch.setenv("RUSTUP_HOME", os.environ.get("RUSTUP_HOME", os.path.join(REAL_HOME, ".rustup")))
    for path, text in case.files.items():
        (box.project / path).parent.mkdir(parents=True, exist_ok=True)
        (box.project / path).write_text(text)
    if "Cargo.toml" in case.files:
        subprocess.run(["cargo", "generate-lockfile", "--offline", "-q"], cwd=box.project, check=True)
    other = box.base / "bare"
    shutil.copytree(box.project, other)
    contained = box.run(case.command)
    assert contained.code == case.code, contained.out + contained.err
    assert "askfirst:" not in contained.err, contained.err
    bare = subprocess.run(["/bin/bash", "-c", case.command], cwd=other, capture_output=True, text=True, timeout=SECONDS)
    assert bare.returncode == case.code, bare.stdout + bare.stderr
    assert contained.out == bare.stdout


def test_a_git_worktree(box: Box) -> None:
    """Its git data lie outside the project."""
    main = box.base / "main"
    script = (
        f"git init -q -b main {main} && cd {main} && echo a > a && git add a"
        " && git -c user.name=n -c user.email=e commit -qm x"
        f" && git worktree add -q {box.project}/../wt"
    )
    subprocess.run(["/bin/sh", "-c", script], check=True, cwd=box.base, capture_output=True)
    worktree = str((box.base / "wt").resolve())
    found = box.run(
        "git status --short; git log --format=%s; echo b > b; git status --short", project=worktree, cwd=worktree
    )
    assert found.out == "x\n?? b\n", found.err
    commit = "git add b && git -c user.name=n -c user.email=e commit -qm y && git log --format=%s"
    for judged in (False, True):
        refused = box.run(commit, project=worktree, cwd=worktree, hide_secrets=not judged)
        assert refused.code != 0 and "may write only to the project" in refused.err


def test_functions_of_version_managers(box: Box) -> None:
    """nvm is a function of the client's snapshot, and its files lie in the home."""
    nvm = box.home / ".nvm"
    nvm.mkdir()
    (nvm / "nvm.sh").write_text('nvm() { echo "nvm $1 from $NVM_DIR"; }\n')
    shims = box.home / ".pyenv/shims"
    shims.mkdir(parents=True)
    (shims / "tool").write_text("#!/bin/sh\necho shimmed\n")
    (shims / "tool").chmod(0o755)
    assert box.out(
        'export NVM_DIR="$HOME/.nvm"; . "$NVM_DIR/nvm.sh"; nvm use; PATH="$HOME/.pyenv/shims:$PATH" tool'
    ) == (f"nvm use from {nvm}\nshimmed\n")


def test_a_virtual_environment_that_only_the_path_names(box: Box, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not its program alone: another Python would answer in its place."""
    folder = box.base / "envs/one"
    venv.create(folder, with_pip=False)
    monkeypatch.delenv("VIRTUAL_ENV", raising=False)
    monkeypatch.setenv("PATH", f"{folder}/bin:/usr/bin:/bin")
    assert box.out("python3 -c 'import sys; print(sys.prefix)'") == f"{folder}\n"


def test_changes_can_be_undone_as_a_whole(box: Box) -> None:
    (box.project / "a").write_text("old\n")
    (box.project / "d").mkdir()
    (box.project / "d/x").write_text("x\n")
    before = _tree(box.project)
    done = box.run("echo new > a; echo b > b; rm -r d; mkdir -p e/f; echo y > e/f/y; chmod +x a; ln -s a l")
    assert sorted(done.finished.changed) == ["a", "b", "d/x", "e/f/y", "l"]
    contained_changes.undo_by_person(done.run, "me")
    assert _tree(box.project) == before


def _tree(root: Path) -> dict[str, tuple[int, bytes]]:
    return {
        str(p.relative_to(root)): (p.lstat().st_mode, p.read_bytes() if p.is_file() else b"")
        for p in sorted(root.rglob("*"))
    }


def test_a_file_that_changed_meanwhile_is_never_written_over(box: Box) -> None:
    box.ignores("dist")
    (box.project / "a").write_text("old\n")
    run = runs.prepare(
        box.plan("echo box > a; echo new > b; touch dist/ready; until [ -e dist/go ]; do sleep 0.05; done")
    )
    process = box.start(run)
    while not (box.project / "dist/ready").exists():
        assert process.poll() is None
    (box.project / "a").write_text("person\n")
    (box.project / "b").write_text("person\n")
    (box.project / "dist/go").touch()
    done = box.finish(run, process.communicate(timeout=60))
    assert (box.project / "a").read_text() == (box.project / "b").read_text() == "person\n"
    assert {k.path for k in done.finished.kept} == {"a", "b"}
    assert "did not reach the disk" in done.err


WITHHELD = {
    "curl -sS https://example.org": "without the network",
    "touch /usr/x": "may write only to the project",
    "cat .env": ".env was hidden",
}


@pytest.mark.parametrize(("command", "words"), WITHHELD.items())
def test_one_line_says_what_was_withheld(box: Box, command: str, words: str) -> None:
    (box.project / ".env").write_text("S=1\n")
    done = box.run(command)
    last = done.err.splitlines()[-1]
    assert words in last and last.endswith(f"askfirst outside -- {command}")


@pytest.mark.parametrize(
    "command", ["false", "exit 3", "cat nowhere", "python3 -c 'assert False'", "ls /nowhere", "no-such"]
)
def test_an_ordinary_failure_is_left_alone(box: Box, command: str) -> None:
    assert "askfirst" not in box.run(command).err


JAVASCRIPT = {
    "jest": (
        "npx jest --ci --silent 2>&1 | grep -E '^(Tests|Test Suites):'",
        "Tests:       1 failed, 1 passed, 2 total",
    ),
    "vitest": ("NO_COLOR=1 npx vitest run --reporter=json 2>/dev/null | grep -o '\"numPassedTests\":[0-9]*'", ":1"),
    "vite build": (
        "NO_COLOR=1 npx vite build > build.log 2>&1; ls dist/assets | cut -d- -f1 && cat dist/index.html",
        "index",
    ),
}
JAVASCRIPT_FILES = {
    "sum.test.cjs": "test('adds', () => expect(1 + 1).toBe(2));\ntest('fails', () => expect(1).toBe(2));\n",
    "one.spec.js": "import { expect, test } from 'vitest';\ntest('one', () => expect(1).toBe(1));\n",
    "jest.config.cjs": "module.exports = { testMatch: ['**/*.test.cjs'] };\n",
    "vitest.config.js": "export default { test: { include: ['**/*.spec.js'] } };\n",
    "index.html": '<!doctype html><script type="module" src="/main.js"></script>\n',
    "main.js": "import { name } from './name.js';\ndocument.title = name;\n",
    "name.js": "export const name = 'app';\n",
}


@pytest.fixture(scope="module")
def packages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    needs("npm")
    folder = tmp_path_factory.mktemp("packages")
    (folder / "package.json").write_text('{"name": "x", "version": "1.0.0", "private": true}\n')
    words = ["npm", "install", "--no-audit", "--no-fund", "--silent", "jest", "vitest", "vite"]
    subprocess.run(words, cwd=folder, check=True, timeout=300, env={**os.environ, "HOME": REAL_HOME})
    return folder


@pytest.mark.soak
@pytest.mark.parametrize("name", JAVASCRIPT)
def test_tools_of_javascript_contained_as_bare(box: Box, name: str, packages: Path) -> None:
    """They are fetched first, so this needs a registry."""
    shutil.copytree(packages, box.project, symlinks=True, dirs_exist_ok=True)
    for path, text in JAVASCRIPT_FILES.items():
        (box.project / path).write_text(text)
    command, says = JAVASCRIPT[name]
    done = box.run(command)
    if (box.project / "dist").exists():
        shutil.rmtree(box.project / "dist")
    bare = box.bare(command)
    assert says in bare.stdout, bare.stdout + bare.stderr
    assert (done.code, done.out) == (bare.returncode, bare.stdout), done.err


@pytest.mark.soak
@pytest.mark.needs("go")
def test_go_contained_as_bare(box: Box) -> None:
    (box.project / "go.mod").write_text("module x\n\ngo 1.19\n")
    (box.project / "x.go").write_text(
        'package main\n\nimport "fmt"\n\nfunc Two() int { return 2 }\nfunc main() { fmt.Println(Two()) }\n'
    )
    test = 'package main\n\nimport "testing"\n\nfunc TestTwo(t *testing.T) { if Two() != 2 { t.Fail() } }\n'
    (box.project / "x_test.go").write_text(test)
    command = "go vet ./... && go build -o app . && ./app && go test ./... | cut -f1,2"
    done, bare = box.run(command), box.bare(command)
    assert (done.code, done.out) == (bare.returncode, bare.stdout) == (0, "2\nok  \tx\n"), done.err


@pytest.mark.soak
@pytest.mark.needs("pyenv")
def test_pyenv_contained_as_bare(box: Box, monkeypatch: pytest.MonkeyPatch) -> None:
    root = subprocess.run(["pyenv", "root"], capture_output=True, text=True, check=True).stdout.strip()
    version = max(path.name for path in Path(root, "versions").iterdir() if (path / "bin/python3").exists())
    monkeypatch.setenv("PYENV_ROOT", root)
    monkeypatch.setenv("PATH", f"{root}/bin:{root}/shims:/usr/bin:/bin")
    (box.project / ".python-version").write_text(f"{version}\n")
    command = "pyenv version-name; python3 -c 'import sys; print(sys.prefix)'; command -v python3"
    done, bare = box.run(command), box.bare(command)
    assert (done.code, done.out) == (bare.returncode, bare.stdout), done.err
    assert done.out.startswith(f"{version}\n{root}/versions/{version}\n")
