"""What a command may delete without asking: what git's HEAD or this session can bring back, in a real repository."""

from __future__ import annotations

import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from askfirst import files
from askfirst.gate import decide, judged
from askfirst.knowledge import places
from askfirst.model import Decision, Request
from askfirst.policy.rules import Layers, Rule
from askfirst.store.layers import load_layers
from askfirst.store.session_files import note_made
from askfirst.world import World


@pytest.fixture
def repository(project: Path) -> Path:
    for name, text in {
        "held.py": "print(1)\n",
        "changed.py": "print(1)\n",
        "src/deep.py": "print(2)\n",
        ".gitignore": "dist/\nbuild/\nprivate/\n",
    }.items():
        (project / name).parent.mkdir(exist_ok=True)
        (project / name).write_text(text)
    git = ("git", "-c", "user.name=a", "-c", "user.email=a@b.c", "-C", str(project))
    for words in (("init", "-q"), ("add", "-A"), ("commit", "-qm", "one")):
        subprocess.run((*git, *words), check=True)
    (project / "changed.py").write_text("print(1)\nprint(2)\n")
    (project / "new.py").write_text("x = 1\n")
    for name in ("dist/app.js", "private/notes.txt", "build/kept.txt"):
        (project / name).parent.mkdir()
        (project / name).write_text("x\n")
    subprocess.run((*git, "add", "-f", "build/kept.txt"), check=True)
    return project


def verdict(project: Path, command: str, *rules: Rule) -> Decision:
    request = Request("claude", "s", str(project), str(project), "Bash", {"command": command})
    layers = load_layers(str(project), session="s", now=1.0)
    return judged(request, replace(layers, project_allow=rules)).verdict.decision


ALLOW, ASK, DENY = Decision.ALLOW, Decision.ASK, Decision.DENY


@pytest.mark.parametrize(
    ("command", "wanted"),
    [
        ("rm held.py", ALLOW),
        ("rm -f held.py src/deep.py", ALLOW),
        ("cd src && rm deep.py", ALLOW),
        ("rm -rf dist", ALLOW),
        ("rm -rf ./dist && ls", ALLOW),
        ("rm -rf src/dist", ALLOW),  # not there now: whatever lies there then is made anew
        ("rm -rf src/private", ASK),
        ("rm -rf src/target", ASK),  # named like one, and git does not ignore it
        ("rm changed.py", ASK),
        ("rm new.py", ASK),
        ("rm held.py new.py", ASK),
        ("rm missing.py", ASK),
        ("rm *.py", ASK),
        ("rm -rf src", ASK),
        ("rm -rf private", ASK),  # ignored, but no tool makes it anew
        ("rm -rf build", ASK),  # ignored and named like one, but git holds a file in it
        ("rm -r $d", ASK),
        ("mv new.py held.py; rm held.py", ASK),
        ("ln -sf new.py held.py; rm held.py", ASK),
        ("tar xf a.tar; rm held.py", ASK),
        ("git rm held.py", ALLOW),
        ("git rm -r src", ALLOW),
        ("git rm -f held.py", ASK),
        ("git rm missing.py", ALLOW),  # it deletes nothing but what HEAD holds, whatever lies there then
        ("git rm -r src/missing src/'[...id]' 2>/dev/null || true", ALLOW),
        ("git rm 'src/*.py'", ALLOW),
        ("git rm '*.py'", ASK),  # wherever it lies, in `.claude` too
        ("git rm 'src/../.c*'", ASK),
        ("git rm ':(top)*.py'", ASK),
        ("git rm -rf src/missing", ASK),
        ("git rm -r /etc/missing", ASK),
        ("mv new.py held.py; git rm held.py", ASK),
        ("git rm -r .", DENY),
        ("git rm .claude/settings.json", DENY),
        ("rm -rf .git", DENY),
        ("rm -rf /", DENY),
    ],
)
def test_deletions(command: str, wanted: Decision, repository: Path) -> None:
    assert verdict(repository, command) == wanted


@pytest.mark.parametrize(
    ("command", "wanted"),
    [
        ("cat app/[slug]/page.tsx", ALLOW),
        ("echo 1 > app/[slug]/new.tsx", ALLOW),
        ("rm app/[slug]/page.tsx", ASK),  # git does not hold it
        ("cat app/[slug]/.env", ASK),
        ("git add app/(home)/page.tsx", ALLOW),
        ("cat app/(home)/.env", ASK),
        ("cp src/a.ts app/(home)/new.ts", ALLOW),
        ("cp src/a.ts app/(home)/conftest.py", ASK),
        ("cp src/a.ts .claude/(hooks)/x.py", DENY),  # zsh would find the hooks
        ("rm app/(home)/page.tsx", ASK),
        ("cat [.]env", ASK),
        ("cat .[e]nv", ASK),
        ("echo 1 > .claud[e]/settings.json", ASK),
        ("mv src app/s; echo 1 > app/[slug]/new.tsx", ASK),
    ],
)
def test_brackets_that_match_nothing_are_a_name(command: str, wanted: Decision, repository: Path) -> None:
    (repository / "app/[slug]").mkdir(parents=True)
    (repository / "app/[slug]/page.tsx").write_text("x\n")
    assert verdict(repository, command) == wanted


def test_a_line_more_in_gitignore_changes_nothing_for_the_others(repository: Path) -> None:
    with open(repository / ".gitignore", "a") as file:
        file.write("coverage/\n")
    (repository / "coverage").mkdir()
    (repository / "coverage/work.txt").write_text("x\n")
    assert verdict(repository, "rm -rf dist") == ALLOW
    assert verdict(repository, "rm -rf coverage") == ASK  # nobody has committed that it is ignored
    (repository / ".gitignore").write_text("dis?/\nbuild/\nprivate/\n")
    assert verdict(repository, "rm -rf dist") == ASK  # another line ignores it now


@pytest.mark.parametrize(
    ("command", "target", "wanted"),
    [
        ("sed s/x/y/ scratch.py > s.tmp && mv s.tmp scratch.py", "scratch.py", ALLOW),
        ("mv scratch.py renamed.py", "renamed.py", ALLOW),
        ("mv new.py scratch.py", "scratch.py", ASK),  # a person's file lies there now
        ("mv new.py renamed.py", "renamed.py", ASK),
        ("mv scratch.py new.py renamed", "renamed/new.py", ASK),
        ("ln new.py renamed.py; mv scratch.py other.py", "renamed.py", ASK),
        ("git mv held.py renamed.py", "renamed.py", ASK),
        ("mv scratch.py new.py", "new.py", ASK),  # it was there, and a person's
    ],
)
def test_what_the_session_moves_stays_its_own(command: str, target: str, wanted: Decision, repository: Path) -> None:
    made = {"file_path": str(repository / "scratch.py"), "content": "x"}
    assert decide(Request("claude", "s", str(repository), str(repository), "Write", made), World()).decision == ALLOW
    (repository / "scratch.py").write_text("x")
    case = judged(
        Request("claude", "s", str(repository), str(repository), "Bash", {"command": command}),
        load_layers(str(repository), session="s", now=1.0),
    )
    World().note_made(case)
    (repository / target).parent.mkdir(exist_ok=True)
    (repository / target).write_text("y")
    assert verdict(repository, f"rm {target}") == wanted


EDITS = [("Edit", {"old_string": "print(1)", "new_string": "print(7)"}), ("Write", {"content": "print(1)\nprint(8)\n"})]


def edited(repository: Path, name: str, tool: str, given: dict[str, str]) -> None:
    """One call of a file tool that the gate allows, and what the client then does."""
    path = repository / name
    request = Request("claude", "s", str(repository), str(repository), tool, {"file_path": str(path), **given})
    assert decide(request, World()).decision == ALLOW
    path.write_text(given.get("content") or path.read_text().replace(given["old_string"], given["new_string"]))


TAKEN_BACK = ("git restore held.py", "git checkout -- held.py", "git checkout -q -- held.py", "rm held.py")


@pytest.mark.parametrize("command", TAKEN_BACK)
@pytest.mark.parametrize(("tool", "given"), EDITS, ids=["Edit", "Write"])
def test_what_the_session_alone_changed_it_may_take_back(
    command: str, tool: str, given: dict[str, str], repository: Path
) -> None:
    edited(repository, "held.py", tool, given)
    assert verdict(repository, command) == ALLOW
    other = Request("claude", "t", str(repository), str(repository), "Bash", {"command": command})
    assert judged(other, load_layers(str(repository), session="t", now=1.0)).verdict.decision == ASK
    (repository / "held.py").write_text("a person's line\n" + (repository / "held.py").read_text())
    assert verdict(repository, command) == ASK
    edited(repository, "held.py", "Write", {"content": "print(9)\n"})  # over the person's line: theirs is not in git
    assert verdict(repository, command) == ASK


@pytest.mark.parametrize(
    "command",
    [
        "git restore changed.py",  # a person had changed it before
        "git checkout -- changed.py",
        "git restore held.py changed.py",
        "git restore .",
        "git restore src",
        "git restore '*.py'",
        "git restore ':/held.py'",
        "git restore --source=HEAD~1 held.py",
        "git restore missing.py",
        "git checkout HEAD -- changed.py",
        "git checkout -- .",
        "git restore package.json",  # the index may hold a stranger's
        "git checkout -- conftest.py",
        "git --icase-pathspecs restore held.py",
        "git checkout -- -q held.py",  # a file of this name
        "mv changed.py held.py; git restore held.py",
        "git stash pop; git restore held.py",
        "git stash pop; rm held.py",
    ],
)
def test_what_a_person_changed_is_not_taken_back(command: str, repository: Path) -> None:
    edited(repository, "held.py", *EDITS[0])
    edited(repository, "changed.py", *EDITS[0])
    for name in ("package.json", "conftest.py"):
        (repository / name).write_text("{}\n")
    git = ("git", "-c", "user.name=a", "-c", "user.email=a@b.c", "-C", str(repository))
    subprocess.run((*git, "add", "package.json", "conftest.py"), check=True)
    subprocess.run((*git, "commit", "-qm", "two"), check=True)
    assert verdict(repository, command) == ASK


def test_what_the_session_made_and_a_person_changed_is_not_restored(repository: Path) -> None:
    edited(repository, "scratch.py", "Write", {"content": "x = 1\n"})
    (repository / "scratch.py").write_text("x = 1  # a person's\n")
    assert verdict(repository, "git restore scratch.py") == ASK


def test_a_link_is_deleted_and_restored_by_its_own_name(repository: Path) -> None:
    edited(repository, "held.py", *EDITS[0])
    (repository / "link.py").symlink_to("held.py")
    assert verdict(repository, "rm held.py") == ALLOW
    assert [verdict(repository, f"{by} link.py") for by in ("rm", "git restore")] == [ASK, ASK]


def test_what_the_session_made_it_may_delete(repository: Path) -> None:
    made = repository / "scratch.py"
    request = Request(
        "claude", "s", str(repository), str(repository), "Write", {"file_path": str(made), "content": "x"}
    )
    assert decide(request, World()).decision == ALLOW
    made.write_text("x")
    assert verdict(repository, "rm scratch.py") == ALLOW
    other = Request("claude", "t", str(repository), str(repository), "Bash", {"command": "rm scratch.py"})
    assert judged(other, load_layers(str(repository), session="t", now=1.0)).verdict.decision == ASK
    World().end_session("s")
    assert verdict(repository, "rm scratch.py") == ASK


@pytest.mark.parametrize(
    ("first", "then"),
    [
        ("mv work.txt scratch.py", "rm scratch.py"),
        ("mv work.txt other.txt", "rm other.txt"),
        ("gzip work.txt", "rm work.txt.gz"),
        ("rm scratch.py", "rm scratch.py"),
    ],
)
def test_what_was_moved_there_is_not_the_sessions_own(first: str, then: str, repository: Path) -> None:
    """And after a deletion, a person may have put a file of their own there."""
    work = repository / "work.txt"
    work.write_text("hours of it")
    decide(_bash(repository, "touch scratch.py"), World())
    (repository / "scratch.py").touch()
    assert verdict(repository, "rm scratch.py") == ALLOW
    case = judged(_bash(repository, first), load_layers(str(repository), session="s", now=1.0))
    World().note_made(case)
    for name in ("scratch.py", "other.txt", "work.txt.gz"):
        (repository / name).write_text("hours of it")
    assert verdict(repository, then) == ASK


def _bash(repository: Path, command: str) -> Request:
    return Request("claude", "s", str(repository), str(repository), "Bash", {"command": command})


def test_a_line_added_to_gitignore_gives_nothing_away(repository: Path) -> None:
    assert verdict(repository, "rm -rf dist") == ALLOW
    with (repository / ".gitignore").open("a") as ignored:
        ignored.write("out\n")
    (repository / "out").mkdir()
    (repository / "out" / "thesis.md").write_text("hours of it")
    assert verdict(repository, "rm -rf out") == ASK


def test_an_entry_that_names_the_directory_allows_its_deletion(repository: Path) -> None:
    rule = Rule("rm", args=("-rf ./private",))
    assert verdict(repository, "rm -rf ./private", rule) == ALLOW
    assert verdict(repository, "rm -rf ./private; rm -rf ./src", rule) == ASK
    assert verdict(repository, "rm -rf ./src", rule) == ASK
    assert verdict(repository, "rm -rf ./src", Rule("rm")) == ASK, "an entry without arguments names nothing"


def test_git_runs_nothing_of_the_repository(repository: Path) -> None:
    """A filter, a file system monitor or a transport that the configuration names would be code of whoever wrote it."""
    ran = repository / "ran"
    with (repository / ".git" / "config").open("a") as config:
        config.write(
            f'[core]\n\tfsmonitor = touch {ran}\n\tsshCommand = touch {ran}\n[filter "x"]\n\tclean = touch {ran}\n'
        )
    (repository / ".git" / "info" / "attributes").write_text("*.py filter=x\n")
    assert verdict(repository, "rm held.py") == ALLOW
    assert not ran.exists()


def make(repository: Path, *names: str) -> None:
    for name in names:
        command = f"echo x > {name}"
        request = Request("claude", "s", str(repository), str(repository), "Bash", {"command": command})
        World().note_made(judged(request, load_layers(str(repository), session="s", now=1.0)))
        (repository / name).parent.mkdir(parents=True, exist_ok=True)
        (repository / name).write_text("x\n")


def test_a_directory_that_the_session_made(repository: Path) -> None:
    make(repository, "trial/a.txt", "trial/deep/b.txt")
    (repository / "trial/empty").mkdir()
    for command in ("rm -rf trial", "rm -r ./trial/ && ls", "rm -rf trial/deep trial/empty"):
        assert verdict(repository, command) == ALLOW
    assert verdict(repository, "mv new.py trial; rm -rf trial") == ASK
    assert verdict(repository, "cp -r private trial; rm -rf trial") == ASK
    assert verdict(repository, "rm -rf trial src") == ASK
    (repository / "trial/deep/person.txt").write_text("x\n")
    assert verdict(repository, "rm -rf trial") == ASK


@pytest.mark.parametrize("what", ["link", "linked directory", "repository", "many"])
def test_a_directory_with_more_than_that_asks(what: str, repository: Path) -> None:
    make(repository, "trial/a.txt")
    if "link" in what:
        (repository / "trial/link").symlink_to("/etc" if "directory" in what else "/etc/hostname")
    elif what == "many":
        make(repository, *(f"trial/{number}.txt" for number in range(201)))
    else:
        make(repository, "trial/.gitignore")
        (repository / "trial/.git").mkdir()
    assert verdict(repository, "rm -rf trial") != ALLOW


def test_what_a_directory_holds_is_judged_by_itself(repository: Path) -> None:
    make(repository, "trial/a.txt")
    settings = repository / "trial/.claude/settings.json"
    settings.parent.mkdir()
    settings.write_text("{}\n")
    note_made("s", [str(settings)], [])
    assert verdict(repository, "rm -rf trial") == DENY


@pytest.fixture
def scratch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for module in (files, places):
        monkeypatch.setattr(module, "SCRATCH_DIRS", (str(tmp_path / "scratch"),))
    (tmp_path / "scratch/theirs").mkdir(parents=True)
    return tmp_path / "scratch"


def test_new_files_in_scratch_directories_and_the_sessions_own(repository: Path, scratch: Path) -> None:
    for name in ("old.sh", "theirs/data.txt"):
        (scratch / name).write_text("somebody's\n")
    expected = {
        f"cat > {scratch}/new.sh <<< x": ALLOW,
        f"mkdir {scratch}/own && cat > {scratch}/own/a.py <<< x && chmod +x {scratch}/own/a.py": ALLOW,
        f"cd {scratch} && cat > new.py <<< x": ALLOW,
        f"cp held.py {scratch}/": ALLOW,
        f"cp held.py {scratch}/second.py": ALLOW,
        f"cat > {scratch}/theirs/data.txt <<< x": ALLOW,
        f"cat > {scratch}/old.sh <<< x": ASK,
        f"cat >> {scratch}/old.sh <<< x": ASK,
        f"cat > {scratch}/theirs/new.sh <<< x": ASK,
        f"mv held.py {scratch}/": ASK,
        f"cp held.py {scratch}/old.sh": ASK,
        f"sed -i s/a/b/ {scratch}/old.sh": ASK,
        f"chmod +x {scratch}/old.sh": ASK,
        f"bash {scratch}/new.sh": ASK,
    }
    assert {command: verdict(repository, command) for command in expected} == expected
    made = Request(
        "claude", "s", str(repository), str(repository), "Write", {"file_path": f"{scratch}/own.sh", "content": "x"}
    )
    assert decide(made, World()).decision == ALLOW
    (scratch / "own.sh").write_text("x\n")
    for command in (f"sed -i s/a/b/ {scratch}/own.sh", f"echo y >> {scratch}/own.sh", f"rm {scratch}/own.sh"):
        assert verdict(repository, command) == ALLOW
    edit = {"file_path": f"{scratch}/own.sh", "old_string": "x", "new_string": "y"}
    asked = [
        judged(Request("claude", name, str(repository), str(repository), "Edit", edit), layers_of(repository, name))
        for name in ("s", "other")
    ]
    assert [case.verdict.decision for case in asked] == [ALLOW, ASK]


def layers_of(repository: Path, session: str) -> Layers:
    return load_layers(str(repository), session=session, now=1.0)
