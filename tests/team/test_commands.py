"""`askfirst team` and the commands with `--team`, as people type them, over TLS where it matters."""

from __future__ import annotations

import csv
import io
import json
import os
import stat
import subprocess
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import yaml

from askfirst import audit
from askfirst.approval import person
from askfirst.audit.read import read_records
from askfirst.cli import main
from askfirst.install.check import FAIL, OK, WARN
from askfirst.model import Decision
from askfirst.store import paths, team_policy
from askfirst.store.layers import load_layers, org_files, settings_of
from askfirst.team import anchors, mailbox, proof, schema, versions
from askfirst.team.checks import team_checks
from askfirst.team.courier import Courier, anchor_now
from askfirst.team.database import briefly, row, rows
from askfirst.team.joined import join, joined, passfile
from tests.team.asker import OTHERS, Asker, card, case, yes
from tests.team.conftest import desk_of
from tests.team.server import PASSWORD, Server, install, new_server, remove

Run = Callable[..., tuple[int, str]]


@pytest.fixture(autouse=True)
def a_person(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(person, "ancestors", lambda: ())
    monkeypatch.setattr(person, "has_terminal", lambda: True)
    monkeypatch.setenv("COLUMNS", "200")


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    def typed(*words: str) -> tuple[int, str]:
        code = main(list(words))
        found = capsys.readouterr()
        return code, found.out + found.err

    return typed


@pytest.fixture(scope="module")
def secure() -> Iterator[Server]:
    """A server with a certificate; `localhost` is its name."""
    server = new_server(tls=True)
    try:
        yield server
    finally:
        remove(server)


def test_from_nothing_to_a_member(run: Run, secure: Server, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The whole way, over TLS with the server's name checked."""
    tls = {"host": "localhost", "sslmode": "verify-full", "sslrootcert": str(secure.directory / "ca.crt")}
    dba = secure.dsn(**tls)
    code, text = run("team", "init", dba)
    assert code == 0 and "CREATE FUNCTION askfirst.decide" in text and "apply it with --yes" in text
    assert run("team", "init", dba, "--yes")[0] == 0
    assert run("team", "init", dba, "--yes") == (0, f"nothing to do: the schema is version {schema.newest()}\n")
    code, text = run("team", "member", "lap", "--person", "lena", "--as", "hook", "--dsn", dba)
    assert code == 0 and "lap is lena, in askfirst_hook" in text
    password = text.split("its password (shown once): ")[1].strip()
    assert (
        run("team", "member", "lap", "--person", "lena", "--as", "hook", "--dsn", dba)[1] == text.splitlines()[0] + "\n"
    )
    dsn = f"host=localhost port={secure.port} dbname=team user=lap sslmode=verify-full sslrootcert={tls['sslrootcert']}"
    monkeypatch.setenv("PGPASSWORD", password)
    code, text = run("team", "join", dsn)
    monkeypatch.delenv("PGPASSWORD")
    assert code == 0 and "joined as hook: lap is lena" in text
    found = joined()
    assert found is not None and password not in Path(paths.team_file()).read_text()
    assert stat.S_IMODE(os.stat(passfile()).st_mode) == stat.S_IMODE(os.stat(paths.team_file()).st_mode) == 0o600
    code, text = run("team", "status")
    assert code == 0 and "lena, hook" in text and "hooks poll" in text
    code, text = run("team", "status", "--json")
    assert json.loads(text)["sides"]["hook"]["reachable"] is True
    levels = {c.text: c.level for c in team_checks()}
    assert any("TLSv1" in text and "name is checked" in text and level == OK for text, level in levels.items())
    assert any("things that must be refused are refused" in text for text in levels)
    assert FAIL not in levels.values()


def test_the_servers_options_in_the_compose_file_are_real(secure: Server) -> None:
    file = Path(__file__).parents[2] / "examples" / "team-compose.yaml"
    words = yaml.safe_load(file.read_text())["services"]["db"]["command"].split()
    given = dict(word.split("=") for word in words[2::2])
    with secure.as_("postgres") as connection:
        for name, value in given.items():
            found = row(connection, "SELECT current_setting(%s) AS value", name)["value"]
            assert Path(str(found)).name == Path(value).name, name


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"sslmode": "require"}, "the server's name is not checked"),
        ({"sslmode": "disable"}, "is not encrypted"),
        ({"sslmode": "verify-full", "host": "127.0.0.1", "sslrootcert": "CA"}, "cannot be reached"),  # another name
        ({"sslmode": "verify-full", "sslrootcert": "WRONG"}, "cannot be reached"),
        ({"password": "wrong"}, "password authentication failed"),
    ],
)
def test_what_cannot_be_joined(run: Run, secure: Server, tmp_path: Path, change: dict[str, str], words: str) -> None:
    with secure.as_("postgres") as connection:
        fresh = not rows(connection, "SELECT FROM pg_roles WHERE rolname = 'ada_hook'")
    if fresh:
        install(secure)
    other = tmp_path / "other.crt"
    subprocess.run(
        [
            "openssl",
            "req",
            "-x509",
            "-newkey",
            "rsa:2048",
            "-nodes",
            "-subj",
            "/CN=x",
            "-keyout",
            "/dev/null",
            "-out",
            str(other),
        ],
        check=True,
        capture_output=True,
    )
    files = {"CA": str(secure.directory / "ca.crt"), "WRONG": str(other)}
    given = {"host": "localhost", "sslmode": "verify-full", "sslrootcert": files["CA"]} | change
    given = {k: files.get(v, v) for k, v in given.items()}
    code, text = run("team", "join", secure.dsn("ada_hook", **given))
    assert code == 1 and words in text, text
    assert joined() is None


def test_a_login_joins_the_side_it_is_of(run: Run, db: Server) -> None:
    code, text = run("team", "join", db.dsn("bob"), "--no-tls")
    assert code == 1 and "bob belongs to approver, not to hook" in text
    assert run("team", "join", db.dsn("bob"), "--as", "approver", "--key", "/nonexistent", "--no-tls")[0] == 1
    code, text = run("team", "join", db.dsn("bob"), "--as", "approver", "--no-tls")
    assert code == 0 and "answers are not signed" in text
    code, text = run("team", "join", db.dsn("ada_hook"), "--no-tls", "--key", "x")
    assert code == 2


def test_doctor_says_what_is_wrong(db: Server, signers: Path, keys: Path) -> None:
    """Each of these is made wrong on purpose, and found by trying."""
    join("hook", db.dsn("ada_hook"))
    join("approver", db.dsn("bob"), key=str(keys / "bob"))
    texts = [f"{c.level} {c.text}" for c in team_checks()]
    assert any("fail hook: the connection is not encrypted" in t for t in texts)
    assert any(t.startswith(WARN) and "has no passphrase" in t for t in texts)
    assert any("on one machine" in t for t in texts)
    signers.unlink()
    assert any("allowed_signers is missing" in c.text for c in team_checks())
    with db.as_("postgres") as superuser:
        superuser.execute("GRANT UPDATE ON askfirst.request TO askfirst_hook")
        superuser.execute("CREATE POLICY wide ON askfirst.request FOR UPDATE TO askfirst_hook USING (true)")
    try:
        assert any("could do what must be refused: UPDATE askfirst.request" in c.text for c in team_checks())
    finally:
        with db.as_("postgres") as superuser:
            superuser.execute("REVOKE UPDATE ON askfirst.request FROM askfirst_hook")


def test_pending_and_approve_elsewhere(run: Run, machine: Server, keys: Path, project: Path) -> None:
    """The same home plays both machines here: what needs others is only the team's to allow."""
    join("approver", machine.dsn("bob"), key=str(keys / "bob"))
    asker = Asker(case("frobnicate src", project, team=OTHERS))
    asked = asker.waits()
    card(desk_of(machine, "bob", keys))
    code, text = run("pending", "--team")
    assert code == 0 and "frobnicate src" in text and asked[:4] in text
    code, text = run("pending", "--team", asked[:6])
    assert "asked by ada (ada_hook)" in text
    code, text = run("pending", "--team", "--json")
    assert json.loads(text)["id"] == asked
    code, text = run("approve", asked[:6], "--session", "--team")
    assert code == 0 and "allowed for its session" in text
    assert asker.answer().by == "bob via team"
    code, text = run("approve", asked[:6], "--team")
    assert code == 1 and "already decided" in text


def test_deny_elsewhere(run: Run, machine: Server, keys: Path, project: Path) -> None:
    join("approver", machine.dsn("bob"))
    asker = Asker(case("frobnicate src", project, team=OTHERS))
    card(desk_of(machine, "bob", keys))
    code, text = run("deny", asker.waits()[:6], "--reason", "no")
    assert code == 0 and "denied: frobnicate src" in text
    assert asker.answer().reason == "no"


# -- rules from the database ------------------------------------------------------------------------------------------

BLOCK = "version: 2\nblocked_commands: [{name: frobnicate}]\n"


def test_rules_are_pushed_pulled_and_count(
    run: Run, machine: Server, keys: Path, site: Path, project: Path, tmp_path: Path
) -> None:
    join("admin", machine.dsn("root_of_team"), key=str(keys / "carol"))
    with machine.as_("postgres") as superuser:
        superuser.execute("UPDATE askfirst.member SET person = 'carol' WHERE login = 'root_of_team'")
    file = tmp_path / "config.yaml"
    file.write_text(BLOCK)
    assert "no version" in run("team", "policy", "log")[1]
    code, text = run("team", "policy", "diff", str(file))
    assert code == 1 and "+blocked_commands" in text
    code, text = run("team", "policy", "push", str(file), "--message", "no frobnicating")
    assert code == 0 and "version 1 is the newest" in text, text
    assert run("team", "policy", "push", str(file))[0] == 1  # nothing new
    assert load_layers(str(project)).org_block == ()
    code, text = run("team", "policy", "pull")
    assert code == 0 and "+blocked_commands" in text and "version 1 is in force here" in text
    assert [r.name for r in load_layers(str(project)).org_block] == ["frobnicate"]
    code, text = run("team", "policy", "log")
    assert "carol" in text and "no frobnicating" in text and "signed, in force here" in text
    assert run("team", "policy", "diff") == (0, "no difference\n")
    assert any("version 1 of the team's rules" in str(r.get("what")) for r in read_records())
    # The relay follows.
    file.write_text("version: 2\n")
    run("team", "policy", "push", str(file))
    assert briefly(machine.dsn("ada_hook"), lambda c: versions.follow(c, required=False)) == 2
    assert load_layers(str(project)).org_block == ()


@pytest.mark.parametrize("how", ["changed", "deleted", "mark"])
def test_a_copy_that_is_not_what_was_pulled_closes_the_gate(project: Path, home: Path, how: str) -> None:
    team_policy.keep(1, BLOCK)
    copy = Path(paths.state_dir()) / team_policy.COPY
    if how == "changed":
        copy.write_text("version: 2\n")
    elif how == "deleted":
        copy.unlink()
    else:
        (Path(paths.state_dir()) / team_policy.MARK).write_text("{")
    layers = load_layers(str(project))
    assert "team policy pull" in layers.closed


def test_rules_that_are_required_and_missing_close_the_gate(site: Path, project: Path) -> None:
    (site / "config.yaml").write_text("version: 2\nteam: {policy_required: true}\n")
    assert "none were pulled" in load_layers(str(project)).closed
    team_policy.keep(1, "version: 2\n")
    assert load_layers(str(project)).closed == ""


@pytest.mark.parametrize(
    ("signature", "words"),
    [("", "is not signed"), ("eve", "is not valid"), ("content", "is not valid"), ("version", "is not valid")],
)
def test_rules_that_nobody_vouches_for_do_not_count(
    run: Run, machine: Server, keys: Path, project: Path, signature: str, words: str
) -> None:
    """A stolen login of an administrator pushes: no machine takes it."""
    text = {"content": "version: 1\n", "version": "version: 2\n"}.get(signature, "version: 2\n")
    version = 7 if signature == "version" else 1
    signed = (
        proof.sign(
            f"askfirst-policy 1\nversion {version}\n{text}",
            str(keys / ("eve" if signature == "eve" else "carol")),
            namespace=proof.POLICY_NAMESPACE,
            at_terminal=False,
        )
        if signature
        else ""
    )
    with machine.as_("postgres") as superuser:
        superuser.execute("UPDATE askfirst.member SET person = 'carol' WHERE login = 'root_of_team'")
    with machine.as_("root_of_team") as admin:
        admin.execute("SELECT askfirst.push(0, 'version: 2\n', %s, '')", (signed,))
    code, said = run("team", "policy", "pull")
    assert code == 1 and words in said, said
    assert team_policy.version() == 0


def test_a_database_that_went_back_does_not_take_rules_back(run: Run, machine: Server, site: Path) -> None:
    (site / "config.yaml").write_text("version: 2\nteam: {unsigned: true}\n")
    with machine.as_("root_of_team") as admin:
        admin.execute("SELECT askfirst.push(0, 'version: 2\n', '', '')")
    team_policy.keep(4, BLOCK)
    code, text = run("team", "policy", "pull")
    assert code == 1 and "went back" in text
    assert run("team", "policy", "pull", "--version", "1")[0] == 0


# -- logs -------------------------------------------------------------------------------------------------------------


def test_a_log_that_was_cut_off_is_found(run: Run, machine: Server) -> None:
    join("auditor", machine.dsn("olga"))
    for number in range(5):
        audit.append("test", {"n": number}, durable=False)
    briefly(machine.dsn("ada_hook"), Courier().round)
    code, text = run("audit", "verify", "--team")
    assert code == 0 and "has kept 1 heads" in text and "lines hold" in text
    log = Path(audit.directory()) / audit.CURRENT
    kept = log.read_bytes().splitlines(keepends=True)[:3]
    log.write_bytes(b"".join(kept))
    assert run("audit", "verify")[0] == 0  # by itself it looks whole
    code, text = run("audit", "verify", "--team")
    assert code == 1 and "record 5 is not the one whose head was kept elsewhere" in text
    # Going on, and anchoring the shorter one, is seen in the database.
    audit.append("test", {"n": 9}, durable=False)
    briefly(machine.dsn("ada_hook"), lambda c: anchor_now(c, mailbox.machine()))
    code, text = run("audit", "verify", "--team", "--json")
    found = json.loads(text)
    assert code == 1 and not found["good"] and any("CUT OFF" in line for line in found["team"])


def test_a_changed_line_of_the_databases_log_is_found(run: Run, machine: Server) -> None:
    join("auditor", machine.dsn("olga"))
    briefly(machine.dsn("ada_hook"), Courier().round)
    with machine.as_("postgres") as superuser:
        superuser.execute("UPDATE askfirst.log SET person = 'nobody' WHERE seq = 2")
    code, text = run("audit", "verify", "--team")
    assert code == 1 and "line 2 was changed" in text
    with machine.as_("olga") as auditor:
        assert anchors.first_broken(auditor)[0] == 1


def test_the_report(run: Run, machine: Server, keys: Path, project: Path, tmp_path: Path) -> None:
    desk = desk_of(machine, "bob", keys)
    for text in ("frobnicate", "frobnicate", "=cmd <b>&"):
        asker = Asker(case(text, project, team=OTHERS))
        question = card(desk)
        desk.respond(question, yes(question))
        assert asker.answer().decision == Decision.ALLOW
    join("auditor", machine.dsn("olga"))
    code, text = run("team", "report")
    assert code == 0 and "3 requests in 30 days" in text and "frobnicate" in text and "bob" in text
    found = json.loads(run("team", "report", "--json")[1])
    assert (found["askers"][0]["name"], found["askers"][0]["allowed"]) == ("ada", 3)
    assert [line["count"] for line in found["texts"]] == [2, 1]
    lines = list(csv.reader(io.StringIO(run("team", "report", "--csv")[1])))
    assert lines[0][0] == "what" and ["text", "'=cmd <b>&"] in [line[:2] for line in lines]
    picture = tmp_path / "report.svg"
    assert run("team", "report", "--svg", str(picture))[0] == 0
    assert "=cmd <b>&" in "".join(ElementTree.parse(picture).getroot().itertext())
    assert run("team", "report", "--days", "0")[0] == 2


def test_without_a_team(run: Run) -> None:
    for words in (
        ("team", "status"),
        ("pending", "--team"),
        ("team", "report"),
        ("team", "relay"),
        ("audit", "verify", "--team"),
    ):
        code, text = run(*words)
        assert code == 1 and "askfirst team join" in text, (words, text)


def test_the_organisations_file_says_who(site: Path) -> None:
    (site / "config.yaml").write_text(
        "version: 2\nroles: {ada: sre}\n"
        "team: {approvers: {danger: [sre], default: [dev, zoe]}, self_approval: false, danger_approvals: 2}\n"
    )
    team = settings_of(org_files()).team
    assert team is not None
    assert dict(team.approvers) == {"danger": ("sre",), "default": ("dev", "zoe")}
    assert (team.self_approval, team.danger_approvals, team.unsigned) == ((), 2, False)


def test_passwords_are_kept_apart(run: Run, db: Server) -> None:
    """Two logins of one server have a line each, and joining again replaces it."""
    for login, side in (("ada_hook", "hook"), ("bob", "approver"), ("bob", "approver")):
        assert run("team", "join", db.dsn(login), "--as", side, "--no-tls")[0] == 0
    lines = Path(passfile()).read_text().splitlines()
    assert len(lines) == 2 and all(line.endswith(f":{PASSWORD}") for line in lines)
    with db.as_("olga") as auditor:
        assert row(auditor, "SELECT 1 AS one")["one"] == 1
    found = joined()
    assert (
        found is not None
        and briefly(found.approver, lambda c: row(c, "SELECT person FROM askfirst.whoami()"))["person"] == "bob"
    )
