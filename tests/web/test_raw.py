"""The page's server by raw socket: what other programs, pages and ports can try."""

from __future__ import annotations

import json
import random
import socket
import threading
from typing import Any

import pytest

from askfirst.audit.describe import outcome_of
from askfirst.audit.read import read_backwards
from askfirst.model import Decision, Duration
from askfirst.web.guard import CODE_S, HEADERS, Guard
from askfirst.web.server import FILES, MAX_BODY_BYTES, Handler
from tests.waiting import until
from tests.web.conftest import Page


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "localhost",
        "127.0.0.1",
        "localhost:{port}",
        "127.0.0.1:1",
        "[::1]:{port}",
        "127.0.0.1:{port}.evil.example",
        "0.0.0.0:{port}",
        "",
    ],
)
def test_only_its_own_host_is_answered(page: Page, host: str) -> None:
    """DNS rebinding: the browser believes it talks to evil.example."""
    status, _, _ = page.call("GET", "/", Host=host.format(port=page.port))
    assert status == 421 if host else status in (400, 421)


def test_two_hosts_are_refused(page: Page) -> None:
    answer = page.raw(f"GET / HTTP/1.1\r\nHost: {page.host}\r\nHost: evil.example\r\n\r\n".encode())
    assert b" 421 " in answer.split(b"\r\n")[0]


@pytest.mark.parametrize(
    "origin",
    ["http://evil.example", "null", "http://localhost:{port}", "http://127.0.0.1:1", "https://127.0.0.1:{port}"],
)
def test_a_foreign_origin_is_refused(page: Page, origin: str) -> None:
    id = page.ask()
    token = page.token()
    body = {"request_id": id, "digest": page.digest(id), "decision": "session"}
    status, _, _ = page.call(
        "POST", "/api/respond", body, Origin=origin.format(port=page.port), Authorization=f"Bearer {token}"
    )
    assert status == 403
    status, _, _ = page.call("GET", "/api/log", Origin=origin.format(port=page.port), Authorization=f"Bearer {token}")
    assert status == 403
    assert id not in page.answers


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
def test_a_fetch_from_another_site_or_port_is_refused(page: Page, site: str) -> None:
    assert page.call("GET", "/", Sec_Fetch_Site=site)[0] == 403
    assert page.call("GET", "/", Sec_Fetch_Site="same-origin")[0] == 200
    assert page.call("GET", "/", Sec_Fetch_Site="none")[0] == 200


def test_only_the_empty_page_may_be_opened_from_elsewhere(page: Page) -> None:
    """The private file by which a browser is sent here is another site to it."""
    opened = {"Sec_Fetch_Site": "cross-site", "Sec_Fetch_Mode": "navigate", "Sec_Fetch_Dest": "document"}
    assert page.call("GET", "/", **opened)[0] == 200
    for change in ({"Sec_Fetch_Dest": "iframe"}, {"Sec_Fetch_Mode": "no-cors"}, {"Sec_Fetch_Mode": "cors"}):
        assert page.call("GET", "/", **{**opened, **change})[0] == 403
    token = f"Bearer {page.token()}"
    for path in ("/app.js", "/api/log", "/api/grants", "/api/events"):
        assert page.call("GET", path, Authorization=token, **opened)[0] == 403
    assert page.call("POST", "/api/respond", {}, Authorization=token, **opened)[0] == 403


def test_a_post_without_an_origin_is_refused(page: Page) -> None:
    assert page.call("POST", "/api/session", {"code": "x"}, Origin="")[0] == 403


def test_nothing_works_without_the_token(page: Page) -> None:
    for path in ("/api/events", *Handler.readers):
        assert page.call("GET", path)[0] == 401
        assert page.call("GET", path, Authorization="Bearer wrong")[0] == 401
        assert page.call("GET", path, Cookie=f"token={page.token()}")[0] == 401
    for path in Handler.writers:
        assert page.call("POST", path, {})[0] == 401


def test_a_code_is_good_once(page: Page) -> None:
    code = page.server.guard.link().partition("#")[2]
    status, _, data = page.call("POST", "/api/session", {"code": code})
    assert status == 200 and json.loads(data)["token"]
    status, _, data = page.call("POST", "/api/session", {"code": code})
    assert status == 403 and "press Enter" in json.loads(data)["error"]


def test_a_code_is_good_for_thirty_seconds_and_guessing_ends() -> None:
    now = [0.0]
    guard = Guard(1, clock=lambda: now[0])
    late = guard.link().partition("#")[2]
    now[0] = CODE_S + 0.1
    assert guard.exchange(late) is None
    good = guard.link().partition("#")[2]
    for _ in range(50):
        assert guard.exchange("guess") is None
    assert guard.exchange(good) is None  # guessing ends every link that is out
    assert guard.exchange(guard.link().partition("#")[2])  # and a fresh one, asked for at the terminal, works


def test_every_answer_carries_the_headers(page: Page) -> None:
    for path in (*FILES, "/nothing", "/api/log"):
        status, headers, _ = page.call("GET", path)
        for name, value in HEADERS.items():
            assert headers[name.lower()] == value, (path, name)
        assert "set-cookie" not in headers and "python" not in headers["server"].lower()
        assert status in (200, 401, 404)


@pytest.mark.parametrize(
    "path", ["/../server.py", "/%2e%2e/server.py", "/page/index.html", "/app.js/", "/app.js%00", "/etc/passwd"]
)
def test_only_the_listed_files_are_served(page: Page, path: str) -> None:
    assert page.call("GET", path)[0] in (401, 404)


@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH", "OPTIONS", "HEAD", "TRACE", "FOO"])
def test_other_methods_do_nothing(page: Page, method: str) -> None:
    status, headers, _ = page.call(method, "/api/respond", {})
    assert status in (405, 501) and "access-control-allow-origin" not in headers


@pytest.mark.parametrize(
    ("body", "headers", "status"),
    [
        (b"x" * (MAX_BODY_BYTES + 1), {}, 413),
        (b"{}", {"Content_Type": "text/plain"}, 415),
        (b"a=1", {"Content_Type": "application/x-www-form-urlencoded"}, 415),
        (b"{}", {"Content_Type": ""}, 415),
        (b"not json", {}, 400),
        (b"[]", {}, 400),
        (b'{"a":1,"a":2}', {}, 400),
        (b"", {"Content_Length": ""}, 411),
        (b"{}", {"Content_Length": "-1"}, 411),
        (b"{}", {"Content_Length": "abc"}, 411),
        (b"{}", {"Transfer_Encoding": "chunked"}, 411),
    ],
)
def test_bodies_are_small_json(page: Page, body: bytes, headers: dict[str, str], status: int) -> None:
    assert (
        page.call("POST", "/api/respond", body, **({"Authorization": f"Bearer {page.token()}"} | headers))[0] == status
    )


ANSWERS = [
    ("once", Duration.ONCE, "once"),
    ("session", Duration.SESSION, "session"),
    ("permanent", Duration.PERMANENT, "permanent"),
]


@pytest.mark.parametrize(("decision", "duration", "state"), ANSWERS)
def test_an_answer_reaches_the_hook(page: Page, decision: str, duration: Duration, state: str) -> None:
    id = page.ask()
    status, result = page.post("/api/respond", {"request_id": id, "digest": page.digest(id), "decision": decision})
    assert status == 200, result
    answer = page.answer_to(id)
    assert (
        answer.decision == Decision.ALLOW
        and answer.duration == duration
        and answer.state == state
        and "at the page" in answer.by
    )


def test_a_deny_carries_its_reason(page: Page) -> None:
    id = page.ask()
    assert (
        page.post(
            "/api/respond", {"request_id": id, "digest": page.digest(id), "decision": "deny", "reason": "use make"}
        )[0]
        == 200
    )
    answer = page.answer_to(id)
    assert answer.decision == Decision.DENY and answer.reason == "use make"


def test_for_a_time(page: Page) -> None:
    id = page.ask()
    body = {"request_id": id, "digest": page.digest(id), "decision": "timed"}
    assert page.post("/api/respond", body)[0] == 400
    assert page.post("/api/respond", body | {"seconds": 10**9})[0] == 400
    assert page.post("/api/respond", body | {"seconds": 3600})[0] == 200
    assert page.answer_to(id).duration == Duration.TIMED


def test_a_stale_digest_is_a_conflict(page: Page) -> None:
    id = page.ask()
    status, result = page.post("/api/respond", {"request_id": id, "digest": "0" * 64, "decision": "session"})
    assert status == 409 and "has changed" in result["error"] and id not in page.answers


def test_answering_twice_is_a_conflict(page: Page) -> None:
    id = page.ask()
    body = {"request_id": id, "digest": page.digest(id), "decision": "once"}
    assert page.post("/api/respond", body)[0] == 200
    assert page.post("/api/respond", body)[0] == 409


@pytest.mark.parametrize("decision", ["", "yes", "allow", None, 1, ["session"], {"a": 1}])
def test_an_odd_decision_is_refused(page: Page, decision: Any) -> None:
    id = page.ask()
    status, _ = page.post("/api/respond", {"request_id": id, "digest": page.digest(id), "decision": decision})
    assert status == 400 and id not in page.answers


def test_danger_wants_confirm_typed_in_full(page: Page) -> None:
    id = page.ask("terraform apply", danger="changes real infrastructure")
    body = {"request_id": id, "digest": page.digest(id), "decision": "once"}
    for typed in ("", "confirm", "CONFIRM ", "yes"):
        assert page.post("/api/respond", body | {"confirm": typed})[0] == 400
    assert page.post("/api/respond", body | {"confirm": "CONFIRM"})[0] == 200
    assert page.answer_to(id).decision == Decision.ALLOW


MODULE = "".join(f"def f{n}():\n    return {n}\n\n" for n in range(40))


def test_a_merge_is_shown_first_and_bound_to_what_was_shown(page: Page) -> None:
    id = page.ask_to_replace("state.py", MODULE, "x = 1\n")
    named = {"request_id": id, "digest": page.digest(id)}
    status, shown = page.post("/api/merge", named | {"strategy": "insert", "line": "3"})
    assert status == 200 and shown["card"]["change"] == "merged: insert at line 3" and not shown["card"]["deleted"]
    answer = named | {"decision": "once", "strategy": "insert", "line": "3", "merged": shown["merged"]}
    wrong: dict[str, Any]
    for wrong in (
        {"merged": ""},
        {"merged": "0" * 64},
        {"line": "4"},
        {"strategy": "append", "line": ""},
        {"digest": "0" * 64},
    ):
        assert page.post("/api/respond", answer | wrong)[0] == 409, wrong
    for wrong in (
        {"decision": "session"},
        {"decision": "permanent"},
        {"strategy": "overwrite"},
        {"strategy": None},
        {"line": 3},
    ):
        assert page.post("/api/respond", answer | wrong)[0] == 400, wrong
    for line in ("", "121", "-1", "3x", "٣", "9" * 400):
        assert page.post("/api/merge", named | {"strategy": "insert", "line": line})[0] == 400
    (page.project / "state.py").write_text("y = 2\n")
    assert page.post("/api/respond", answer)[0] in (400, 409)
    (page.project / "state.py").write_text(MODULE)
    assert id not in page.answers
    assert page.post("/api/respond", answer)[0] == 200
    assert page.answer_to(id).extra == {"strategy": "insert", "line": 3}
    (record,) = [r for r in read_backwards() if r["kind"] == "answer"]
    assert record["merge"] == "insert at line 3" and outcome_of(record) == "answer (once, insert at line 3)"


def test_what_cannot_be_merged_is_not(page: Page) -> None:
    command, file = page.ask(), page.ask_to_replace("notes.txt", MODULE, "x = 1\n")
    for id, strategy in ((command, "append"), (command, "insert"), (file, "extend")):
        named = {"request_id": id, "digest": page.digest(id), "strategy": strategy, "line": "0"}
        assert page.post("/api/merge", named)[0] == 400
        assert page.post("/api/respond", named | {"decision": "once", "merged": ""})[0] == 400
    assert page.post("/api/lines", {"request_id": command, "digest": page.digest(command)})[0] == 400
    assert page.post("/api/lines", {"request_id": file, "digest": "0" * 64})[0] == 409
    assert not page.answers


def test_the_numbered_file_keeps_its_secrets_and_its_numbers(page: Page) -> None:
    key = "-----BEGIN RSA PRIVATE KEY-----\n" + "MIIEowIBAAKCAQEA7\n" * 8 + "-----END RSA PRIVATE KEY-----\n"
    id = page.ask_to_replace("notes.txt", "a\n" * 150 + key + "the \x1b end\n", "x = 1\n")
    status, found = page.post("/api/lines", {"request_id": id, "digest": page.digest(id)})
    assert status == 200 and found["count"] == 161 and len(found["lines"]) == 161
    assert (
        found["lines"][-1] == "161  the ⟨U+001B⟩ end"
        and "MIIE" not in str(found)
        and "<redacted:" in found["lines"][150]
    )


def test_approve_all_leaves_danger_and_gives_once(page: Page) -> None:
    safe = [page.ask(f"frobnicate {n}") for n in range(3)]
    danger = page.ask("terraform apply", danger="changes real infrastructure")
    items = [{"request_id": i, "digest": page.digest(i)} for i in [*safe, danger]]
    status, result = page.post("/api/approve-all", {"items": items})
    assert status == 200 and result["answered"] == safe and [x["request_id"] for x in result["left"]] == [danger]
    assert {page.answer_to(i).duration for i in safe} == {Duration.ONCE} and danger not in page.answers


def test_grants_are_listed_and_taken_back(page: Page) -> None:
    id = page.ask()
    page.post("/api/respond", {"request_id": id, "digest": page.digest(id), "decision": "session"})
    page.answer_to(id)
    token = page.token()
    _, _, data = page.call("GET", "/api/grants", Authorization=f"Bearer {token}")
    (grant,) = json.loads(data)["grants"]
    assert grant["duration"] == "session"
    assert page.post("/api/revoke", {"id": grant["id"]})[0] == 200
    assert page.post("/api/revoke", {"id": grant["id"]})[0] == 409


def events(page: Page, stop: threading.Event, found: list[dict[str, Any]]) -> None:
    with socket.create_connection(("127.0.0.1", page.port), timeout=1) as connection:
        connection.sendall(
            f"GET /api/events HTTP/1.1\r\nHost: {page.host}\r\nAuthorization: Bearer {page.token()}\r\n\r\n".encode()
        )
        text = b""
        while not stop.is_set():
            try:
                part = connection.recv(65536)
            except TimeoutError:
                continue
            if not part:
                return
            text += part
            while b"\n\n" in text:
                block, _, text = text.partition(b"\n\n")
                for line in block.split(b"\n"):
                    if line.startswith(b"data: "):
                        found.append(json.loads(line[6:]))


def test_the_stream_has_the_documents_messages_and_says_who_answered(page: Page) -> None:
    stop, found = threading.Event(), list[dict[str, Any]]()
    thread = threading.Thread(target=events, args=(page, stop, found), daemon=True)
    thread.start()
    try:
        until(lambda: [m for m in found if m["type"] == "state"], "the state")
        id = page.ask("frobnicate x")
        (asked,) = until(lambda: [m for m in found if m["type"] == "approval_request"], "the request")
        assert (
            asked["request_id"] == id
            and asked["command"] == "frobnicate x"
            and asked["is_dangerous"] is False
            and asked["timeout_seconds"] > 0
        )
        from askfirst.model import Answer

        page.manager.respond(id, Answer(Decision.ALLOW, Duration.ONCE, by="ann at watch", digest=page.digest(id)))
        (told,) = until(lambda: [m for m in found if m["type"] == "approval_response"], "the response")
        assert told["request_id"] == id and told["decision"] == "once" and told["by"] == "ann at watch"
    finally:
        stop.set()
        thread.join(30)


def test_a_flagged_session_is_told_to_every_page(page: Page) -> None:
    from askfirst.store.alerts import count_violation

    stop, found = threading.Event(), list[dict[str, Any]]()
    thread = threading.Thread(target=events, args=(page, stop, found), daemon=True)
    thread.start()
    try:
        until(lambda: found, "the state")
        for n in range(6):
            count_violation("session-9", "claude", f"sudo {n}")
        told = until(lambda: [m for m in found if m["type"] == "alerts" and m["alerts"]], "the alert")
        assert told[0]["alerts"][0]["session"] == "session-9"
    finally:
        stop.set()
        thread.join(30)


def test_hostile_text_is_visible_and_inert(page: Page) -> None:
    stop, found = threading.Event(), list[dict[str, Any]]()
    thread = threading.Thread(target=events, args=(page, stop, found), daemon=True)
    thread.start()
    try:
        page.ask("echo \x1b[2J\u202egpj.exe </script><img src=x onerror=alert(1)>")
        (asked,) = until(
            lambda: (
                [m for m in found if m["type"] == "approval_request"]
                or [r for m in found for r in m.get("requests", [])]
            ),
            "the request",
        )
        assert "\x1b" not in asked["command"] and "⟨U+001B⟩" in asked["command"] and "⟨U+202E⟩" in asked["command"]
    finally:
        stop.set()
        thread.join(30)


def test_two_hundred_pages_at_once(page: Page) -> None:
    token = page.token()
    connections = []
    try:
        for _ in range(200):
            connection = socket.create_connection(("127.0.0.1", page.port), timeout=60)
            connection.sendall(
                f"GET /api/events HTTP/1.1\r\nHost: {page.host}\r\nAuthorization: Bearer {token}\r\n\r\n".encode()
            )
            connections.append(connection)
        page.ask("frobnicate everywhere")
        for connection in connections:
            text = b""
            while b"frobnicate everywhere" not in text:
                part = connection.recv(65536)
                assert part, "the stream ended"
                text += part
    finally:
        for connection in connections:
            connection.close()


def test_a_slow_client_does_not_hold_the_others_up(page: Page) -> None:
    slow = [socket.create_connection(("127.0.0.1", page.port)) for _ in range(20)]
    try:
        for connection in slow:
            connection.sendall(b"POST /api/respond HT")
        assert page.call("GET", "/")[0] == 200
    finally:
        for connection in slow:
            connection.close()


def test_garbage_never_answers_anything(page: Page) -> None:
    id = page.ask()
    choose = random.Random(3)
    pieces = [
        b"GET ",
        b"POST ",
        b"/api/respond",
        b" HTTP/1.1\r\n",
        f"Host: {page.host}\r\n".encode(),
        b"Content-Length: 5\r\n",
        b"\r\n\r\n",
        b"\x00\xff",
        b"{}",
    ]
    for _ in range(300):
        data = b"".join(choose.choice(pieces) for _ in range(choose.randrange(1, 9)))
        with socket.create_connection(("127.0.0.1", page.port), timeout=5) as connection:
            connection.sendall(data)
            connection.shutdown(socket.SHUT_WR)
            try:
                while connection.recv(65536):
                    pass
            except (TimeoutError, ConnectionError):
                pass
    assert id not in page.answers and page.call("GET", "/")[0] == 200


def test_the_log_is_filtered(page: Page) -> None:
    from askfirst import audit

    for text, decision in (("git status", "allow"), ("sudo id", "deny"), ("psql", "allow")):
        audit.append(
            "verdict", {"text": text, "decision": decision, "layer": "builtin_allow", "agent": "claude"}, durable=False
        )
    token = page.token()
    _, _, data = page.call("GET", "/api/log?decision=deny", Authorization=f"Bearer {token}")
    assert [r["text"] for r in json.loads(data)["records"]] == ["sudo id"]
    _, _, data = page.call("GET", "/api/log?text=PSQL", Authorization=f"Bearer {token}")
    assert [r["text"] for r in json.loads(data)["records"]] == ["psql"]


def test_the_log_goes_on_from_a_record_and_takes_every_filter(page: Page) -> None:
    from askfirst import audit

    for n in range(250):
        kind = "config" if n % 50 == 0 else "verdict"
        audit.append(
            kind, {"text": f"record {n}", "project": f"/p/{'a' if n % 2 else 'b'}", "agent": "claude"}, durable=False
        )
    token = page.token()

    def read(query: str) -> dict[str, Any]:
        status, _, data = page.call("GET", f"/api/log?{query}", Authorization=f"Bearer {token}")
        assert status == 200
        return dict(json.loads(data))

    first = read("")
    assert len(first["records"]) == 200 and first["more"]
    rest = read(f"before={first['records'][-1]['seq']}")
    assert [r["seq"] for r in rest["records"]] == list(range(50, 0, -1)) and not rest["more"]
    assert len(read("kind=config")["records"]) == 5 and len(read("project=/p/a")["records"]) == 125
    assert len(read("since=1h&text=record+24")["records"]) == 11
    assert page.call("GET", "/api/log?since=soon", Authorization=f"Bearer {token}")[0] == 400


def test_undoing_a_permanent_answer_takes_its_entry_out_of_the_file(page: Page) -> None:
    id = page.ask("frobnicate --all")
    assert page.post("/api/respond", {"request_id": id, "digest": page.digest(id), "decision": "permanent"})[0] == 200
    rules = page.project / ".askfirst" / "allowed_commands.yaml"
    assert "frobnicate" in rules.read_text()
    (grant,) = page.manager.grants.all()
    assert page.post("/api/revoke", {"id": grant.id})[0] == 200
    assert "frobnicate" not in rules.read_text() and not page.manager.grants.all()
    assert page.post("/api/revoke", {"id": grant.id})[0] == 409


def test_an_alert_is_cleared_by_a_person_at_the_page(page: Page) -> None:
    from askfirst.store import alerts

    for _ in range(6):
        alerts.count_violation("bad", "claude", "sudo")
    assert page.post("/api/clear-alert", {"session": "bad"})[0] == 200
    assert not alerts.is_flagged("bad")
    assert page.post("/api/clear-alert", {"session": "bad"})[0] == 409
