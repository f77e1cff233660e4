"""The page's server by raw socket: what other programs, pages and ports can try."""

from __future__ import annotations

import json
import random
import socket
import threading
from email.message import Message
from pathlib import Path
from typing import Any

import pytest

from askfirst import audit
from askfirst.approval.manager import ApprovalManager
from askfirst.audit.describe import outcome_of
from askfirst.audit.read import read_backwards
from askfirst.errors import UsageError
from askfirst.model import Decision, Duration
from askfirst.store import proposal_files
from askfirst.web import open_server
from askfirst.web.api import Api
from askfirst.web.guard import HEADERS, plain_origin
from askfirst.web.logins import CODE_S, Logins, PageLogin
from askfirst.web.server import FILES, MAX_BODY_BYTES, MAX_UNHEARD
from tests.files.proposing import no_objection, proposed
from tests.waiting import until
from tests.web.conftest import Page


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "localhost",
        "127.0.0.1",
        "localhost:1",
        "localhost.:{port}",
        "laptop.example.ts.net",
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
    # `localhost` is its own origin: a page of that name may talk to itself, and not to 127.0.0.1
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
    for path in ("/app.js", "/worker.js", "/api/log", "/api/grants", "/api/events"):
        assert page.call("GET", path, Authorization=token, **opened)[0] == 403
    assert page.call("POST", "/api/respond", {}, Authorization=token, **opened)[0] == 403


def test_a_post_without_an_origin_is_refused(page: Page) -> None:
    assert page.call("POST", "/api/session", {"code": "x"}, Origin="")[0] == 403


def test_nothing_works_without_the_token(page: Page) -> None:
    api = page.server.api
    assert isinstance(api, Api)
    for path in ("/api/events", "/api/settings", *api.reading):
        assert page.call("GET", path)[0] == 401
        assert page.call("GET", path, Authorization="Bearer wrong")[0] == 401
        assert page.call("GET", path, Cookie=f"token={page.token()}")[0] == 401
    for path in api.changing:
        assert page.call("POST", path, {})[0] == 401


def test_a_code_is_good_once(page: Page) -> None:
    code = page.server.logins.code()
    status, _, data = page.call("POST", "/api/session", {"code": code})
    assert status == 200 and json.loads(data)["token"]
    status, _, data = page.call("POST", "/api/session", {"code": code})
    assert status == 403 and "press Enter" in json.loads(data)["error"]


def test_a_code_is_good_for_thirty_seconds_and_guessing_ends() -> None:
    now = [0.0]
    logins = Logins(clock=lambda: now[0])
    late = logins.code()
    now[0] = CODE_S + 0.1
    assert logins.exchange(late) is None
    good = logins.code()
    for _ in range(50):
        assert logins.exchange("guess") is None
    assert logins.exchange(good) is None  # guessing ends every link that is out
    assert logins.exchange(logins.code())  # and a fresh one, asked for at the terminal, works


def test_browsers_are_announced_listed_and_ended(page: Page) -> None:
    came: list[PageLogin] = []
    page.server.logins.came = came.append
    firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
    body = {"code": page.server.logins.code()}
    _, _, data = page.call("POST", "/api/session", body, User_Agent=firefox, Host=f"localhost:{page.port}",
                           Origin=f"http://localhost:{page.port}")  # fmt: skip
    token = f"Bearer {json.loads(data)['token']}"
    assert [(c.browser, c.address) for c in came] == [("Firefox on Linux", f"http://localhost:{page.port}")]
    (login,) = json.loads(page.call("GET", "/api/settings", Authorization=token)[2])["logins"]
    assert login["this"] and login["id"] == came[0].id and "token" not in login
    assert page.post("/api/end-login", {"id": came[0].id})[0] == 200
    assert page.call("GET", "/api/settings", Authorization=token)[0] == 401
    assert page.post("/api/end-login", {"id": came[0].id})[0] == 409


def test_a_forwarded_address_is_named_and_every_other_one_refused(project: Path) -> None:
    server = open_server(0, ApprovalManager(), origins=("https://laptop.example.ts.net", "http://localhost:9000"))
    try:
        for host, origin, status in (
            ("laptop.example.ts.net", "https://laptop.example.ts.net", 0),
            ("laptop.example.ts.net", "http://laptop.example.ts.net", 403),
            ("laptop.example.ts.net", server.guard.origin, 403),
            ("localhost:9000", "http://localhost:9000", 0),
            ("localhost:9001", "http://localhost:9001", 421),
            ("evil.laptop.example.ts.net", "https://laptop.example.ts.net", 421),
        ):
            headers = Message()
            headers["Host"], headers["Origin"] = host, origin
            refusal = server.guard.refusal(headers, posting=True)
            assert (refusal.status if refusal is not None else 0) == status, (host, origin)
        assert server.link("https://laptop.example.ts.net").startswith("https://laptop.example.ts.net/#")
    finally:
        server.server_close()


@pytest.mark.parametrize(
    ("given", "plain"),
    [
        ("https://Laptop.Example.ts.net/", "https://laptop.example.ts.net"),
        ("https://laptop.example.ts.net:443", "https://laptop.example.ts.net"),
        ("http://localhost:9000", "http://localhost:9000"),
        ("http://[::1]:9000", "http://[::1]:9000"),
        *((odd, "") for odd in ("laptop", "ftp://x", "https://*.ts.net", "https://a@b", "https://a/b", "https://a:b")),
        *((odd, "") for odd in ("https://a?x=1", "https://a#b", "null", "https://ä.example")),
    ],
)
def test_an_origin_is_a_scheme_a_host_and_a_port(given: str, plain: str) -> None:
    if plain:
        assert plain_origin(given) == plain
    else:
        with pytest.raises(UsageError):
            plain_origin(given)


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
        (b"{}", {"Content_Length": "²"}, 411),
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


def test_marked_requests_get_one_answer_and_danger_is_left(page: Page) -> None:
    safe = [page.ask(f"frobnicate {n}") for n in range(3)]
    danger = page.ask("terraform apply", danger="changes real infrastructure")
    items = [{"request_id": i, "digest": page.digest(i)} for i in [*safe, danger]]
    status, result = page.post("/api/respond-many", {"decision": "once", "items": items})
    assert status == 200 and result["answered"] == safe and [x["request_id"] for x in result["left"]] == [danger]
    assert {page.answer_to(i).duration for i in safe} == {Duration.ONCE} and danger not in page.answers
    status, result = page.post("/api/respond-many", {"decision": "deny", "reason": "not now", "items": items})
    assert result["answered"] == [danger] and {x["settled"] for x in result["left"]} == {"yes"}
    assert page.answer_to(danger).reason == "not now"


def test_an_answer_in_doubt_is_settled_for_good(page: Page) -> None:
    """Once the page was told that its answer has not arrived, that answer does not count any more."""
    id = page.ask()
    assert page.post("/api/outcome", {"request_id": id, "key": "k1"})[1]["state"] == "waits"
    answer = {"request_id": id, "digest": page.digest(id), "decision": "once"}
    status, result = page.post("/api/respond", {**answer, "key": "k1"})
    assert status == 409 and "too late" in result["error"] and id not in page.answers
    assert page.post("/api/respond", {**answer, "key": "k2"})[0] == 200
    found = page.post("/api/outcome", {"request_id": id, "key": "k2"})[1]
    assert found["state"] == "once" and "allowed once" in found["said"]


def test_an_expired_request_stays_and_its_next_try_can_be_allowed(page: Page) -> None:
    id = page.ask("frobnicate late", timeout_s=0.2)
    danger = page.ask("terraform apply", danger="changes real infrastructure", timeout_s=0.2)
    assert page.answer_to(id).state == page.answer_to(danger).state == "expired"
    until(lambda: len(page.server.live._expired) == 2, "the expired cards")
    digest = page.server.live._expired[id]["digest"]
    assert page.post("/api/next-try", {"request_id": id, "digest": "0" * 64})[0] == 409
    assert page.post("/api/next-try", {"request_id": id, "digest": digest})[0] == 200
    of_danger = {"request_id": danger, "digest": page.server.live._expired[danger]["digest"]}
    assert page.post("/api/next-try", of_danger)[0] == 400
    assert page.post("/api/dismiss", of_danger)[1]["dismissed"] and not page.server.live._expired
    again = page.ask("frobnicate late")
    assert page.answer_to(again).state == "once" and "approved afterwards" in page.answers[again].reason


def test_grants_and_denials_are_listed_and_each_is_taken_back(page: Page) -> None:
    ids = [page.ask(f"frobnicate {n}") for n in range(3)]
    for id, decision in zip(ids, ("session", "session", "deny"), strict=True):
        page.post("/api/respond", {"request_id": id, "digest": page.digest(id), "decision": decision})
        page.answer_to(id)
    kept = page.get("/api/grants")
    first, second = kept["grants"]
    assert first["duration"] == "session" and first["text"] == "frobnicate 1"
    assert page.post("/api/revoke", {"id": first["id"]})[0] == 200
    assert page.post("/api/revoke", {"id": first["id"]})[0] == 409
    assert [g["id"] for g in page.get("/api/grants")["grants"]] == [second["id"]]
    history = {a["text"]: a for a in page.get("/api/history")["answers"]}
    assert [g["id"] for g in history["frobnicate 0"]["grants"]] == [second["id"]]
    assert not history["frobnicate 1"]["grants"] and history["frobnicate 2"]["still_denied"]
    (denial,) = kept["denials"]
    assert page.post("/api/forget-denial", {"session": denial["session"], "digest": denial["digest"]})[0] == 200
    assert not page.get("/api/grants")["denials"]
    told = page.get(f"/api/request?id={ids[0]}")
    assert told["card"]["command"] == "frobnicate 0" and "allowed for its session" in told["said"]


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
        told = until(lambda: [m for m in found if m["type"] == "around" and m["alerts"]], "the alert")
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


def test_who_says_nothing_pushes_out_only_themselves(page: Page) -> None:
    slow = [socket.create_connection(("127.0.0.1", page.port), timeout=30) for _ in range(MAX_UNHEARD + 20)]
    try:
        for connection in slow:
            try:
                connection.sendall(b"POST /api/respond HT")
            except OSError:
                pass  # pushed out already
        assert page.call("GET", "/")[0] == 200
        assert slow[0].recv(1) == b"", "the oldest was closed"
    finally:
        for connection in slow:
            connection.close()


def test_a_request_that_is_dripped_is_cut_off(page: Page, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each byte comes in time, and the whole does not."""
    monkeypatch.setattr("askfirst.web.server.SLOW_S", 0.5)
    with socket.create_connection(("127.0.0.1", page.port), timeout=30) as connection:

        def closed() -> bool:
            try:
                connection.sendall(b"x")
                return False
            except OSError:
                return True

        connection.sendall(b"GET / HTTP/1.1\r\nX: ")
        until(closed, "the connection to be closed")


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


def rule_file(page: Page) -> Path:
    return page.project / ".askfirst" / "allowed_commands.yaml"


def answer(page: Page, text: str, decision: str) -> None:
    id = page.ask(text)
    page.post("/api/respond", {"request_id": id, "digest": page.digest(id), "decision": decision})
    page.answer_to(id)


def test_undo_takes_exactly_one_entry_out_of_the_file(page: Page) -> None:
    answer(page, "frobnicate --all", "permanent")
    answer(page, "defrobnicate --all", "permanent")
    text = rule_file(page).read_text()
    assert "  - name: frobnicate" in text and "  - name: defrobnicate" in text
    first, second = page.get(f"/api/project?project={page.project}")["entries"]
    assert "at the page" in first["by"]
    assert page.post("/api/take-out", {"project": str(page.project), "id": first["id"]})[0] == 200
    assert page.post("/api/take-out", {"project": str(page.project), "id": first["id"]})[0] == 409
    assert "  - name: frobnicate" not in rule_file(page).read_text()
    (grant,) = page.get("/api/grants")["grants"]
    assert grant["text"] == "defrobnicate --all"
    assert page.post("/api/revoke", {"id": grant["id"]})[0] == 200
    assert "defrobnicate" not in rule_file(page).read_text() and not page.get("/api/grants")["grants"]
    assert page.post("/api/take-out", {"project": "/", "id": second["id"]})[0] == 400


def test_a_profile_is_shown_as_a_change_and_then_switched(page: Page) -> None:
    answer(page, "frobnicate --all", "permanent")
    wanted = {"project": str(page.project), "name": "python-dev", "on": True}
    before = rule_file(page).read_text()
    status, shown = page.post("/api/profile", wanted)
    added = ["".join(part[0] for part in row["parts"]) for row in shown["rows"] if row["sign"] == "+"]
    assert status == 200 and added == ["profiles: [python-dev]"] and rule_file(page).read_text() == before
    marks = {"old": shown["old"], "new": shown["new"]}
    rule_file(page).write_text(before + "# a colleague's note\n")
    assert page.post("/api/profile", wanted | marks)[0] == 409
    rule_file(page).write_text(before)
    assert page.post("/api/profile", wanted | marks)[0] == 200
    found = page.get(f"/api/project?project={page.project}")
    assert found["trusted"] and [p["name"] for p in found["profiles"] if p["on"]] == ["python-dev"]
    assert page.post("/api/profile", {**wanted, "name": "no-such"})[0] == 400


def test_a_changed_file_is_shown_and_trusted_by_its_content(page: Page) -> None:
    answer(page, "frobnicate --all", "permanent")
    rule_file(page).write_text(rule_file(page).read_text() + "  - name: other\n")
    found = page.get(f"/api/project?project={page.project}")
    assert not found["trusted"] and [r["sign"] for r in found["changes"]].count("+") == 1
    given = {"project": str(page.project), "sha256": found["sha256"]}
    assert page.post("/api/trust", {**given, "sha256": "0" * 64})[0] == 409
    assert page.post("/api/trust", given)[0] == 200
    assert page.get(f"/api/project?project={page.project}")["trusted"]
    assert page.post("/api/untrust", given)[0] == 200
    assert not page.get(f"/api/project?project={page.project}")["trusted"]


def test_a_pause_denies_and_withdraws_and_ends(page: Page) -> None:
    id = page.ask()
    status, result = page.post("/api/pause", {"seconds": 60, "reason": "a demo"})
    assert status == 200 and result["withdrawn"] == 1 and "a demo" in result["paused"]
    assert page.answer_to(id).state == "cancelled"
    for seconds in (-1, True, "x", 10**9):
        assert page.post("/api/pause", {"seconds": seconds})[0] == 400
    assert page.post("/api/resume", {})[0] == 200 and page.post("/api/resume", {})[0] == 409


def test_the_chain_is_verified_and_figures_are_counted(page: Page) -> None:
    call = {"text": "npx x", "session": "s", "digest": "d"}
    audit.append("question", {**call, "cause": "package runner", "id": "q"}, durable=False)
    said = {"state": "once", "by": "ann"}
    audit.append("verdict", {**call, "decision": "allow", "answer": said}, durable=False)
    found = page.get("/api/verify")
    assert found["good"] and found["records"] == 2 and len(found["head"]) == 64
    figures = page.get("/api/figures?days=7")
    assert figures["causes"] == {"package runner": 1} and figures["prompts"] == 1
    assert list(figures["by_day"].values()) == [{"allowed": 1, "denied": 0, "unanswered": 0}]
    log = Path(audit.directory(), audit.CURRENT)
    log.write_bytes(log.read_bytes().replace(b"npx x", b"npx y", 1))
    assert not page.get("/api/verify")["good"]


def test_a_session_is_told_and_each_of_its_changes_taken_back(page: Page) -> None:
    (page.project / "notes.txt").write_text("old\n")
    for name in ("notes.txt", "new.txt"):
        proposal = proposed(str(page.project), name, b"new\n")
        proposal_files.apply((proposal,), check=no_objection, by="ann")
    audit.append("verdict", {"text": "git status", "decision": "allow", "session": "s-1"}, durable=False)
    found = page.get("/api/agent-session?id=s-1")
    assert found["sections"] == [{"title": "Ran", "rows": ["`git status`"]}]
    change = next(c for c in found["changes"] if c["files"] == ["notes.txt"])
    assert page.post("/api/undo-change", {"session": "s-1", "id": change["id"]})[0] == 200
    assert (page.project / "notes.txt").read_text() == "old\n" and (page.project / "new.txt").exists()
    assert page.post("/api/undo-change", {"session": "s-1", "id": change["id"]})[0] == 409
    assert page.post("/api/undo-change", {"session": "other", "id": change["id"]})[0] == 400


def test_an_alert_is_cleared_by_a_person_at_the_page(page: Page) -> None:
    from askfirst.store import alerts

    for _ in range(6):
        alerts.count_violation("bad", "claude", "sudo")
    assert page.post("/api/clear-alert", {"session": "bad"})[0] == 200
    assert not alerts.is_flagged("bad")
    assert page.post("/api/clear-alert", {"session": "bad"})[0] == 409
