"""The page in real Chromium: every flow as a person does it, and what a hostile page can try."""

from __future__ import annotations

import http.server
import os
import stat
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from askfirst.commands.serve import _private_page
from askfirst.model import Answer, Decision, Duration
from tests.waiting import until
from tests.web.conftest import Page, start_browser

PICTURES = os.environ.get("ASKFIRST_PICTURES", "")  # a directory: screenshots are kept there, for the docs


def enter(browser: Any, page: Page) -> None:
    browser.get("about:blank")
    browser.get(page.server.guard.link())
    until(lambda: text_of(browser, "#connection") == "live", "a live page")


def text_of(browser: Any, selector: str) -> str:
    return str(
        browser.execute_script("return document.querySelector(arguments[0])?.textContent ?? ''", selector)
    ).strip()


def card(browser: Any, id: str) -> Any:
    from selenium.webdriver.common.by import By

    return until(lambda: browser.find_elements(By.ID, f"card-{id}"), "the card")[0]


def button(browser: Any, id: str, kind: str) -> Any:
    from selenium.webdriver.common.by import By

    return card(browser, id).find_element(By.CSS_SELECTOR, f"button.{kind}")


def press(browser: Any, id: str, kind: str) -> None:
    found = button(browser, id, kind)
    # Scrolling moves the card, which disarms it, one frame later.
    browser.execute_async_script(
        "const [node, done] = arguments; node.scrollIntoView({block: 'center'}); "
        "requestAnimationFrame(() => requestAnimationFrame(done));",
        found,
    )
    until(lambda: found.is_enabled(), f"the {kind} button to come alive")
    browser.execute_script("arguments[0].click()", found)


def gone(browser: Any, id: str) -> bool:
    return not browser.execute_script("return document.getElementById(arguments[0])", f"card-{id}")


def picture(browser: Any, name: str) -> None:
    if PICTURES:
        browser.save_screenshot(str(Path(PICTURES) / f"{name}.png"))


@pytest.mark.parametrize("kind", ["session", "permanent", "once", "deny"])
def test_each_answer(browser: Any, page: Page, kind: str) -> None:
    enter(browser, page)
    id = page.ask("frobnicate --all src", said="I need to frobnicate")
    card(browser, id)
    if kind == "session":
        picture(browser, "page")
    press(browser, id, kind)
    answer = page.answer_to(id)
    assert answer.state == {"deny": "denied"}.get(kind, kind)
    until(lambda: gone(browser, id), "the card to go")


def test_a_deny_with_a_reason(browser: Any, page: Page) -> None:
    enter(browser, page)
    id = page.ask()
    from selenium.webdriver.common.by import By

    card(browser, id).find_element(By.CSS_SELECTOR, ".reason").send_keys("use make build")
    press(browser, id, "deny")
    assert page.answer_to(id).reason == "use make build"


def test_danger_wants_confirm(browser: Any, page: Page) -> None:
    from selenium.webdriver.common.by import By

    enter(browser, page)
    id = page.ask("terraform apply", danger="changes real infrastructure")
    found = card(browser, id)
    until(lambda: "DANGEROUS" in found.text and "changes real infrastructure" in found.text, "the consequences")
    picture(browser, "page-danger")
    until(lambda: "CONFIRM" in found.find_element(By.CSS_SELECTOR, ".status").text, "the wish for CONFIRM")
    assert not button(browser, id, "once").is_enabled()
    box = found.find_element(By.CSS_SELECTOR, ".confirm")
    box.send_keys("confirm")
    assert not button(browser, id, "once").is_enabled()
    box.clear()
    box.send_keys("CONFIRM")
    press(browser, id, "once")
    assert page.answer_to(id).decision == Decision.ALLOW


def test_buttons_are_dead_at_first_and_again_after_a_move(browser: Any, page: Page) -> None:
    enter(browser, page)
    # The clock of the page stands still, so that "one second later" comes when this test says so.
    browser.execute_script("window.held = []; window.setTimeout = (f, ms) => { window.held.push([f, ms]); return 0; };")
    id = page.ask()
    card(browser, id)
    assert not button(browser, id, "session").is_enabled()
    browser.execute_script("arguments[0].click()", button(browser, id, "session"))
    assert id not in page.answers
    waits = browser.execute_script("return window.held.map(([, ms]) => ms)")
    assert 1000 in waits


def test_a_long_command_must_be_read_to_its_end(browser: Any, page: Page) -> None:
    from selenium.webdriver.common.by import By

    enter(browser, page)
    id = page.ask("frobnicate \\\n" + "\n".join(f"  --line {n} \\" for n in range(200)) + "\n  --end")
    found = card(browser, id)
    until(lambda: "read the command" in found.find_element(By.CSS_SELECTOR, ".status").text, "the lock")
    assert not button(browser, id, "once").is_enabled()
    browser.execute_script(
        "const box = arguments[0].querySelector('.command'); box.scrollTop = box.scrollHeight;", found
    )
    press(browser, id, "once")
    page.answer_to(id)


def test_a_long_diff_must_be_read_to_its_end(browser: Any, page: Page) -> None:
    from selenium.webdriver.common.by import By

    enter(browser, page)
    id = page.ask_to_replace("state.py", "".join(f"def f{n}():\n    return {n}\n\n" for n in range(90)), "x = 1\n")
    found = card(browser, id)
    until(lambda: "read the diff" in found.find_element(By.CSS_SELECTOR, ".status").text, "the lock")
    assert "DELETES 270 of 270 lines" in found.text and "and 82 more" in found.text
    summary = found.find_element(By.CSS_SELECTOR, ".diff summary")
    for _ in range(2):  # closed and opened again it is not read either
        browser.execute_script("arguments[0].click()", summary)
        assert not button(browser, id, "once").is_enabled()
    browser.execute_script(
        "const box = arguments[0].querySelector('.diff pre'); box.scrollTop = box.scrollHeight;", found
    )
    press(browser, id, "once")
    page.answer_to(id)


MODULE = "".join(f"def f{n}():\n    return {n}\n\n" for n in range(40))


def way(browser: Any, id: str, name: str) -> None:
    browser.execute_script("document.querySelector(arguments[0]).click()", f"#card-{id} .way.{name}")


def badge(browser: Any, id: str) -> str:
    return text_of(browser, f"#card-{id} .badge")


def read_to_the_end(browser: Any, id: str) -> None:
    browser.execute_script(
        "for (const box of document.querySelectorAll(arguments[0])) box.scrollTop = box.scrollHeight",
        f"#card-{id} .diff pre",
    )


def type_line(browser: Any, id: str, typed: str) -> None:
    from selenium.webdriver.common.by import By

    box = until(lambda: browser.find_elements(By.CSS_SELECTOR, f"#card-{id} input.line"), "the question for a line")[0]
    box.send_keys(typed + "\n")


@pytest.mark.parametrize(
    ("name", "line", "shown", "extra"),
    [
        ("append", "", "merged: append", {"strategy": "append"}),
        ("extend", "", "merged: extend", {"strategy": "extend"}),
        ("insert", "3", "merged: insert at line 3", {"strategy": "insert", "line": 3}),
    ],
)
def test_a_merge_is_seen_read_and_allowed_once(
    browser: Any, page: Page, name: str, line: str, shown: str, extra: dict[str, Any]
) -> None:
    enter(browser, page)
    id = page.ask_to_replace("state.py", MODULE, "def late():\n    return 0\n")
    until(lambda: "DELETES" in card(browser, id).text, "what would be gone")
    read_to_the_end(browser, id)
    until(lambda: button(browser, id, "once").is_enabled(), "a card that is ready")
    # The clock of the page stands still until this test says so.
    browser.execute_script(
        "window.real = setTimeout; window.held = []; window.setTimeout = (f) => { window.held.push(f); return 0; };"
    )
    way(browser, id, name)
    if line:
        until(lambda: "120" in text_of(browser, f"#card-{id} .lines pre"), "the file with its numbers")
        assert not button(browser, id, "once").is_enabled(), "while a line is chosen nothing is allowed"
        type_line(browser, id, "121")
        until(lambda: "not a number from 0 to 120" in text_of(browser, f"#card-{id} .problem"), "what is wrong with it")
        type_line(browser, id, line)
    until(lambda: badge(browser, id) == shown, "the merged card")
    read_to_the_end(browser, id)
    assert not button(browser, id, "once").is_enabled(), "what was ready was another question"
    said = text_of(browser, f"#card-{id}")
    assert "DELETES" not in said and "+def late():" in said and "before the merge" in said
    browser.execute_script("window.setTimeout = window.real; for (const f of window.held) f();")
    if name == "insert":
        picture(browser, "page-merge")
    until(lambda: button(browser, id, "once").is_enabled(), "a card that is ready")
    assert not button(browser, id, "session").is_enabled() and not button(browser, id, "permanent").is_enabled()
    assert not browser.execute_script("return document.querySelector('#approve-all:enabled')")
    press(browser, id, "once")
    assert page.answer_to(id).extra == extra
    browser.execute_script("document.querySelector('[data-view=history]').click()")
    until(lambda: shown.removeprefix("merged: ") in text_of(browser, "#history"), "the history")


@pytest.mark.parametrize("how", ["cancel", "nothing", "three tries"])
def test_no_line_to_insert_at_is_a_deny(browser: Any, page: Page, how: str) -> None:
    enter(browser, page)
    id = page.ask_to_replace("state.py", MODULE, "x = 1\n")
    card(browser, id)
    way(browser, id, "insert")
    for typed in {"cancel": (), "nothing": ("",), "three tries": ("-1", "1e1", "121")}[how]:
        type_line(browser, id, typed)
    if how == "cancel":
        until(lambda: text_of(browser, f"#card-{id} .cancel"), "the way out")
        browser.execute_script("document.querySelector(arguments[0]).click()", f"#card-{id} .cancel")
    answer = page.answer_to(id)
    assert answer.decision == Decision.DENY and "so nothing was written" in answer.reason


def test_back_to_replacing_and_a_file_that_changed_under_the_merge(browser: Any, page: Page) -> None:
    enter(browser, page)
    id = page.ask_to_replace("state.py", MODULE, "x = 1\n")
    card(browser, id)
    way(browser, id, "append")
    until(lambda: badge(browser, id) == "merged: append", "the merged card")
    way(browser, id, "replace")
    until(
        lambda: badge(browser, id) == "replace file" and "DELETES" in text_of(browser, f"#card-{id}"),
        "the card as it was",
    )
    way(browser, id, "append")
    until(lambda: badge(browser, id) == "merged: append", "the merged card")
    (page.project / "state.py").write_text(MODULE + "y = 2\n")
    read_to_the_end(browser, id)
    press(browser, id, "once")
    until(lambda: "has changed since the merge was shown" in text_of(browser, "#announce"), "the refusal")
    assert id not in page.answers
    until(lambda: browser.execute_script("return document.querySelector('.way.replace:enabled')"), "the ways, again")
    press(browser, id, "deny")
    page.answer_to(id)


def test_a_flag_counts_for_the_card_that_is_on_screen(browser: Any, page: Page) -> None:
    from selenium.webdriver.common.by import By

    from askfirst.store.alerts import count_violation

    enter(browser, page)
    id = page.ask()
    card(browser, id).find_element(By.CSS_SELECTOR, ".reason").send_keys("half a sent")
    for _ in range(6):
        count_violation("session-1", "claude", "sudo")
    until(lambda: "flagged for review" in text_of(browser, f"#card-{id} .flag"), "the flag on the card")
    found = card(browser, id)
    assert found.find_element(By.CSS_SELECTOR, ".reason").get_attribute("value") == "half a sent"
    assert not button(browser, id, "session").is_enabled()
    found.find_element(By.CSS_SELECTOR, ".confirm").send_keys("CONFIRM")
    press(browser, id, "once")
    assert page.answer_to(id).state == "once"


def test_answered_elsewhere_the_card_goes_and_says_who(browser: Any, page: Page) -> None:
    enter(browser, page)
    id = page.ask()
    card(browser, id)
    page.manager.respond(id, Answer(Decision.ALLOW, Duration.ONCE, by="ann at watch", digest=page.digest(id)))
    until(lambda: "ann at watch" in text_of(browser, "#announce"), "the name of who answered")
    until(lambda: gone(browser, id), "the card to go")
    browser.execute_script("document.querySelector('[data-view=history]').click()")
    until(lambda: "ann at watch" in text_of(browser, "#history"), "the history")


def test_withdrawn_and_counted(browser: Any, page: Page) -> None:
    enter(browser, page)
    ids = [page.ask(f"frobnicate {n}") for n in range(3)]
    for id in ids:
        card(browser, id)
    until(lambda: browser.title == "(3) askfirst", "the count in the title")
    page.manager.cancel(ids[0], "the agent's client is gone")
    until(lambda: gone(browser, ids[0]), "the card to go")
    until(lambda: browser.title == "(2) askfirst", "the new count")


def test_identical_requests_are_one_card(browser: Any, page: Page) -> None:
    enter(browser, page)
    ids = [page.ask("frobnicate same", session=f"s{n % 2}") for n in range(3)]
    until(lambda: "×" in text_of(browser, ".times"), "the count on the card")
    shown = next(q for q in page.manager.pending())
    press(browser, shown.id, "once")
    assert {page.answer_to(i).state for i in shown.ids} == {"once"}
    assert set(shown.ids) <= set(ids)


def test_fifty_requests_and_allow_all_on_screen(browser: Any, page: Page) -> None:
    enter(browser, page)
    for n in range(50):
        page.ask(f"frobnicate {n}", session=f"s{n % 5}")
    page.ask("terraform apply", danger="changes real infrastructure", session="s9")
    until(lambda: browser.title == "(51) askfirst", "all cards")
    browser.execute_script("window.scrollTo(0, 0)")
    until(
        lambda: browser.execute_script(
            "return [...document.querySelectorAll('.status')].some((status) => status.textContent === 'ready')"
        ),
        "ready cards",
    )
    until(lambda: page.answers or browser.execute_script("document.getElementById('approve-all').click()"), "answers")
    assert {a.duration for a in page.answers.values()} == {Duration.ONCE}
    assert len(page.answers) < 51 and any(q.danger for q in page.manager.pending())


def test_two_browsers_see_the_same(browser: Any, page: Page) -> None:
    second = start_browser()
    try:
        enter(browser, page)
        enter(second, page)
        id = page.ask()
        card(browser, id)
        card(second, id)
        press(second, id, "once")
        page.answer_to(id)
        until(lambda: gone(browser, id) and gone(second, id), "both cards to go")
    finally:
        second.quit()


def test_a_lost_connection_is_shown_and_comes_back(browser: Any, page: Page) -> None:
    from askfirst.web import open_server

    enter(browser, page)
    kept = page.ask("frobnicate kept")
    card(browser, kept)
    port = page.port
    page.server.stopping.set()
    page.server.live.stop()
    page.server.shutdown()
    page.server.server_close()
    until(lambda: "lost" in text_of(browser, "#connection"), "the loss to be shown")
    again = open_server(port, page.manager)
    again.guard = page.server.guard
    threading.Thread(target=again.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
    again.live.start()
    try:
        until(lambda: text_of(browser, "#connection") == "live", "the page to come back")
        press(browser, kept, "once")
        page.answer_to(kept)
    finally:
        again.stopping.set()
        again.live.stop()
        again.shutdown()
        again.server_close()


def test_a_silent_connection_is_a_lost_one(browser: Any, page: Page, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing breaks when a cable is pulled or a machine sleeps: the page notices that it hears nothing."""
    monkeypatch.setattr("askfirst.web.server.BEAT_S", 3600.0)
    enter(browser, page)
    hurry = (
        "const real = setTimeout; window.setTimeout = (f, ms, ...more) => real(f, ms === 25000 ? 500 : ms, ...more);"
    )
    found = browser.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": hurry})
    try:
        browser.get("about:blank")
        browser.get(page.server.guard.link())
        until(lambda: "lost" in text_of(browser, "#connection"), "the silence to be noticed")
        until(lambda: text_of(browser, "#connection") == "live", "the page to come back")
    finally:
        browser.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", found)


HOSTILE = (
    "echo '<img src=x onerror=window.hacked=1>' \"</pre><script>window.hacked=1</script>\" "
    "\x1b[31m \u202e {{7*7}} javascript:alert(1)"
)


def test_no_field_becomes_markup(browser: Any, page: Page) -> None:
    enter(browser, page)
    id = page.ask(HOSTILE, said=HOSTILE, agent=HOSTILE, session=HOSTILE, danger=HOSTILE)
    found = card(browser, id)
    until(
        lambda: "<img src=x" in found.text and "<script>" in found.text and "⟨U+202E⟩" in found.text,
        "the text, as text",
    )
    assert browser.execute_script("return window.hacked") is None
    assert browser.execute_script("return document.querySelectorAll('main img, main script, main iframe').length") == 0
    problems = [e for e in browser.get_log("browser") if e["level"] == "SEVERE" and "Content Security" in e["message"]]
    assert not problems


def test_the_code_leaves_the_address_and_a_used_link_says_so(browser: Any, page: Page) -> None:
    link = page.server.guard.link()
    browser.get("about:blank")
    browser.get(link)
    until(lambda: text_of(browser, "#connection") == "live", "a live page")
    assert "#" not in browser.current_url
    stored = "return JSON.stringify([{...sessionStorage}, {...localStorage}, document.cookie, history.state, name])"
    assert page.server.guard._tokens[-1] not in browser.execute_script(stored)
    browser.get("about:blank")
    browser.get(link)
    until(
        lambda: "used already" in text_of(browser, "#connection") or "new link" in text_of(browser, "#connection"),
        "the words for a used link",
    )


def test_a_private_file_leads_to_the_page(browser: Any, page: Page) -> None:
    """The link stands in no argument of a process: the browser gets the name of a file that only this user can read."""
    file = Path(_private_page(page.server.guard.link()))
    assert stat.S_IMODE(file.stat().st_mode) == 0o600 and stat.S_IMODE(file.parent.stat().st_mode) == 0o700
    browser.get(f"file://{file}")
    until(lambda: text_of(browser, "#connection") == "live", "a live page")
    assert browser.current_url == f"http://127.0.0.1:{page.port}/"


def test_keyboard_and_switching_it_off(browser: Any, page: Page) -> None:
    from selenium.webdriver.common.by import By

    enter(browser, page)
    id = page.ask()
    found = card(browser, id)
    until(lambda: button(browser, id, "once").is_enabled(), "a card that is ready")
    body = browser.find_element(By.TAG_NAME, "body")
    browser.execute_script("document.getElementById('shortcuts').click()")
    body.send_keys("j")
    browser.execute_script("arguments[0].focus()", found)
    found.send_keys("s")
    assert id not in page.answers
    browser.execute_script("document.getElementById('shortcuts').click(); arguments[0].focus()", found)
    until(lambda: button(browser, id, "once").is_enabled(), "a card that is ready")
    found.send_keys("d")
    assert page.answer_to(id).decision == Decision.DENY


def test_grants_and_undo(browser: Any, page: Page) -> None:
    enter(browser, page)
    id = page.ask()
    card(browser, id)
    press(browser, id, "session")
    page.answer_to(id)
    browser.execute_script("document.querySelector('[data-view=grants]').click()")
    until(lambda: "Undo" in text_of(browser, "#grants"), "the grant")
    browser.execute_script("document.querySelector('#grants button').click()")
    until(lambda: "No grants" in text_of(browser, "#grants"), "the grant to be gone")


def test_narrow_and_dark(browser: Any, page: Page) -> None:
    enter(browser, page)
    browser.execute_cdp_cmd(
        "Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": "dark"}]}
    )
    browser.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride", {"width": 360, "height": 740, "deviceScaleFactor": 1, "mobile": True}
    )
    try:
        id = page.ask(
            "frobnicate --with a-rather-long-argument-that-has-no-blank-anywhere-in-it-and-goes-on-for-quite-a-while"
        )
        card(browser, id)
        assert browser.execute_script("return document.documentElement.scrollWidth <= window.innerWidth + 1")
        picture(browser, "page-narrow")
    finally:
        browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})


EVIL = """<!doctype html><title>evil</title><iframe id=f src="{target}/"></iframe>
<form id=form method=post action="{target}/api/respond" enctype="text/plain">
  <input name='{{"request_id":"{id}","decision":"session","x":"' value='"}}'>
</form>
<script>
window.results = {{}};
const json = {{"Content-Type": "application/json", "Authorization": "Bearer x"}};
const tries = {{
  get: () => fetch("{target}/api/log"),
  post: () => fetch("{target}/api/respond", {{method: "POST", body: "{{}}"}}),
  json: () => fetch("{target}/api/respond", {{method: "POST", headers: json, body: "{{}}"}}),
  blind: () => fetch("{target}/api/respond", {{method: "POST", mode: "no-cors", body: "{{}}"}}),
  events: () => new Promise((done, fail) => {{
    const s = new EventSource("{target}/api/events"); s.onmessage = done; s.onerror = fail; }}),
  script: () => new Promise((done, fail) => {{
    const s = document.createElement("script"); s.src = "{target}/app.js"; s.onload = done; s.onerror = fail;
    document.head.append(s); }}),
}};
for (const [name, attempt] of Object.entries(tries))
  attempt().then((r) => window.results[name] = r.type === "opaque" ? "opaque" : "READ",
    () => window.results[name] = "refused");
</script>"""


@pytest.fixture
def evil(page: Page) -> Iterator[str]:
    """A hostile page on another port of loopback, as an agent's own dev server would be."""
    html = EVIL.format(target=page.server.guard.origin, id="x").encode()

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.send_header("Content-Length", str(len(html)))
            self.end_headers()
            self.wfile.write(html)

        def log_message(self, format: str, *args: Any) -> None:
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_address[1]}/"
    server.shutdown()
    server.server_close()


def test_a_hostile_page_on_another_port_gets_nothing(browser: Any, page: Page, evil: str) -> None:
    id = page.ask()
    enter(browser, page)
    browser.get(evil)
    until(lambda: browser.execute_script("return Object.keys(window.results || {}).length") == 6, "all attempts")
    results = browser.execute_script("return window.results")
    assert "READ" not in results.values(), results
    assert browser.execute_script(
        "try { return document.getElementById('f').contentDocument?.title ?? 'blocked' } catch { return 'blocked' }"
    ) in ("blocked", "")
    browser.execute_script("document.getElementById('form').submit()")
    until(
        lambda: browser.current_url.startswith(page.server.guard.origin) or "chrome-error" in browser.current_url,
        "the form's answer",
    )
    assert id not in page.answers and [q.id for q in page.manager.pending()] == [id]


def test_a_rebound_name_gets_nothing(browser: Any, page: Page) -> None:
    """A name of the attacker's that leads to this machine is another site to the browser, and gets no answer."""
    page.ask("frobnicate secretly")
    browser.get(f"http://rebound.example:{page.port}/")
    until(lambda: "wrong host" in browser.page_source, "the refusal")
    assert "frobnicate" not in browser.page_source and not browser.execute_script("return document.scripts.length")


FROM_THE_PAGE = """
const [path, body, token, done] = arguments;
const headers = {"Content-Type": "application/json", Authorization: `Bearer ${token}`};
fetch(path, {method: "POST", headers, body: JSON.stringify(body)}).then((r) => done(r.status), () => done(0));
"""


def test_even_from_the_page_itself_a_stale_digest_and_a_large_body_answer_nothing(browser: Any, page: Page) -> None:
    enter(browser, page)
    id = page.ask()
    stale = {"request_id": id, "digest": "0" * 64, "decision": "once"}
    assert browser.execute_async_script(FROM_THE_PAGE, "/api/respond", stale, page.token()) == 409
    large = {"request_id": id, "digest": page.digest(id), "decision": "once", "reason": "x" * 20_000}
    assert browser.execute_async_script(FROM_THE_PAGE, "/api/respond", large, page.token()) == 413
    assert id not in page.answers


def test_a_card_that_was_moved_is_not_answered(browser: Any, page: Page) -> None:
    enter(browser, page)
    id = page.ask()
    until(lambda: button(browser, id, "once").is_enabled(), "a card that is ready")
    browser.execute_script(
        "document.querySelector('main').style.paddingTop = '200px'; arguments[0].click()", button(browser, id, "once")
    )
    assert id not in page.answers and not button(browser, id, "once").is_enabled()
    press(browser, id, "once")
    page.answer_to(id)


def test_the_history_outlives_the_page_and_takes_a_grant_back(browser: Any, page: Page) -> None:
    id = page.ask("frobnicate before")
    page.manager.respond(id, Answer(Decision.ALLOW, Duration.SESSION, by="ann at watch", digest=page.digest(id)))
    enter(browser, page)
    browser.execute_script("document.querySelector('[data-view=history]').click()")
    until(
        lambda: "ann at watch" in text_of(browser, "#history") and "frobnicate before" in text_of(browser, "#history"),
        "the history",
    )
    browser.execute_script("document.querySelector('#history .undo').click()")
    until(lambda: not page.manager.grants.all() and "Undo" not in text_of(browser, "#history"), "the grant to be gone")
    browser.execute_script("document.querySelector('[data-view=log]').click()")
    until(lambda: "revoke" in text_of(browser, "#log tbody"), "the log")
    browser.execute_script(
        "const box = document.querySelector('#log input'); "
        "box.value = 'no such text'; box.dispatchEvent(new Event('input'))"
    )
    until(lambda: "No record matches" in text_of(browser, "#log"), "the filter")


def test_no_foreign_resource_is_loaded(browser: Any, page: Page) -> None:
    enter(browser, page)
    names = browser.execute_script("return performance.getEntriesByType('resource').map((e) => e.name)")
    assert names and all(str(n).startswith(page.server.guard.origin) for n in names)
