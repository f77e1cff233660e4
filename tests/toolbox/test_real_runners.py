"""run_test and run_lint with the runners that are too large for the suite, each where it is installed (`-m soak`)."""

from __future__ import annotations

import json
import os
import pwd
import shutil
import subprocess
from pathlib import Path

import pytest

from askfirst.toolbox.linting import run_lint
from askfirst.toolbox.testing import run_test
from tests.toolbox.support import called, data, organisation, repository

pytestmark = [pytest.mark.soak, pytest.mark.timeout(900)]
GO = {
    "go.mod": "module example.org/m\n\ngo 1.19\n",
    "a_test.go": 'package m\n\nimport "testing"\n\nfunc TestGood(t *testing.T) {}\n'
    'func TestBad(t *testing.T) { t.Error("no") }\nfunc TestLater(t *testing.T) { t.Skip("later") }\n',
}
JEST = {
    "package.json": '{"name": "a", "devDependencies": {"jest": "30"}}',
    "a.test.js": "test('good', () => {});\ntest('bad', () => { throw new Error('no'); });\n"
    "test.skip('later', () => {});\n",
}
VITEST = {
    "package.json": '{"name": "a", "type": "module", "devDependencies": {"vitest": "4"}}',
    "a.test.js": "import { test } from 'vitest';\n" + JEST["a.test.js"],
}
ESLINT = {
    "package.json": '{"name": "a", "type": "module", "devDependencies": {"eslint": "10"}}',
    "eslint.config.js": "export default [{ rules: { eqeqeq: 'error', 'no-var': 'error' } }];\n",
    "a.js": "var x = 1;\nif (x == 2) x;\n",
}
POM = """<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion>
<groupId>m</groupId><artifactId>m</artifactId><version>1</version><properties>
<maven.compiler.source>8</maven.compiler.source><maven.compiler.target>8</maven.compiler.target></properties>
<dependencies><dependency><groupId>junit</groupId><artifactId>junit</artifactId><version>4.13.2</version>
<scope>test</scope></dependency></dependencies></project>
"""
JUNIT = (
    "import org.junit.*;\npublic class ATest {\n  @Test public void good() {}\n"
    '  @Test public void bad() { Assert.fail("no"); }\n  @Ignore @Test public void later() {}\n}\n'
)
MAVEN = {"pom.xml": POM, "src/test/java/ATest.java": JUNIT}
# Debian's packages bring what Maven and Gradle would fetch (maven-debian-helper, gradle-debian-helper, junit4).
DEBIAN_REPOSITORY, DEBIAN_SETTINGS = "/usr/share/maven-repo", Path("/etc/maven/settings-debian.xml")
GRADLE = {
    "build.gradle": "apply plugin: 'java'\n"
    f"repositories {{ maven {{ url 'file://{DEBIAN_REPOSITORY}' }}; mavenCentral() }}\n"
    "dependencies { testImplementation 'junit:junit:4.13.2' }\n",
    "src/test/java/ATest.java": JUNIT,
}


def made(project: Path, files: dict[str, str], *packages: str) -> Path:
    organisation("profiles: [node-dev, go-dev, jvm-dev, rust-dev]")
    for name, text in files.items():
        (project / name).parent.mkdir(parents=True, exist_ok=True)
        (project / name).write_text(text)
    if packages:
        subprocess.run(["npm", "install", "--silent", "--no-fund", "--no-audit", *packages], cwd=project, check=True)
    (project / ".gitignore").write_text("node_modules\ntarget\nbuild\n")
    return repository(project)


@pytest.fixture
def caches(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """What the tests' own home does not have."""
    monkeypatch.setenv("GOCACHE", str(tmp_path / "go"))
    monkeypatch.setenv("GOFLAGS", "-mod=mod")
    monkeypatch.setenv("GRADLE_USER_HOME", str(tmp_path / "gradle"))
    if DEBIAN_SETTINGS.exists():
        (tmp_path / ".m2").mkdir()
        shutil.copy(DEBIAN_SETTINGS, tmp_path / ".m2/settings.xml")
        monkeypatch.setenv("MAVEN_OPTS", f"-Duser.home={tmp_path}")


@pytest.mark.usefixtures("caches")
@pytest.mark.parametrize(
    "program, files, packages, failing",
    [
        ("go", GO, (), "example.org/m::TestBad"),
        ("npx", JEST, ("jest@30",), "a.test.js::bad"),
        ("npx", VITEST, ("vitest",), "a.test.js::bad"),
        ("mvn", MAVEN, (), "ATest::bad"),
        ("gradle", GRADLE, (), "ATest::bad"),
    ],
    ids=["go", "jest", "vitest", "maven", "gradle"],
)
def test_counts_of_the_real_runner(
    project: Path, program: str, files: dict[str, str], packages: tuple[str, ...], failing: str
) -> None:
    if shutil.which(program) is None:
        pytest.skip(f"{program} is not installed")
    found = data(called(run_test, made(project, files, *packages)))
    if program in ("mvn", "gradle") and found["counts"] is None and _cannot_fetch(json.dumps(found)):
        pytest.skip(f"{program} cannot fetch its plugins here")
    assert found["counts"] == {"passed": 1, "failed": 1, "skipped": 1}, found
    assert found["failures"][0]["id"].endswith(failing) and "no" in json.dumps(found["failures"])


def _cannot_fetch(said: str) -> bool:
    return any(
        words in said for words in ("could not be resolved", "Could not resolve", "Unknown host", "offline mode")
    )


@pytest.mark.needs("npm")
def test_findings_of_the_real_eslint(project: Path) -> None:
    found = data(called(run_lint, made(project, ESLINT, "eslint")))
    assert {(f["file"], f["line"], f["rule"], f["fixable"]) for f in found["findings"]} == {
        ("a.js", 1, "no-var", True),
        ("a.js", 2, "eqeqeq", False),
    }


@pytest.mark.needs("cargo")
def test_findings_of_the_real_clippy(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RUSTUP_HOME", os.path.join(pwd.getpwuid(os.getuid()).pw_dir, ".rustup"))
    if subprocess.run(["cargo", "clippy", "--version"], capture_output=True).returncode:
        pytest.skip("clippy is not installed")
    files = {
        "Cargo.toml": '[package]\nname = "a"\nversion = "0.1.0"\nedition = "2021"\n',
        "src/lib.rs": "pub fn f() { let x = 1; }\n",
    }
    found = data(called(run_lint, made(project, files)))
    assert any(f["file"] == "src/lib.rs" and "unused" in f["rule"] for f in found["findings"]), found
    assert os.path.isdir(project / "target")
