"""The page in real Chromium: every flow as a person does it, and what a hostile page can try."""

from __future__ import annotations

import http.server
import stat
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from askfirst.commands.serve import _private_page
from askfirst.model import Answer, Decision, Duration
from askfirst.store.alerts import count_violation
from askfirst.web import open_server
from askfirst.web.logins import PageLogin
from tests.waiting import PATIENCE_S, until
from tests.web.conftest import Page, axe_source


@pytest.fixture(autouse=True)
def no_error_in_the_page(browser: Any) -> Iterator[None]:
    """Whatever a test does, no script of the page fails."""
    browser.get_log("browser")
    yield
    failed = [e["message"] for e in browser.get_log("browser") if "Uncaught" in e["message"]]
    assert not failed
    assert "[object" not in text_of(browser, "body"), "elements that were taken for text"


def enter(browser: Any, page: Page, address: str = "") -> None:
    browser.get("about:blank")
    browser.get(page.server.link())
    until(lambda: text_of(browser, "#connection") == "Live", "a live page")
    if address:
        go(browser, address)


def go(browser: Any, address: str) -> None:
    browser.execute_script("location.hash = arguments[0]", address)


def text_of(browser: Any, selector: str) -> str:
    """What stands there, whether on screen or not."""
    found = browser.execute_script("return document.querySelector(arguments[0])?.textContent ?? ''", selector)
    return str(found).strip()


def there(browser: Any, selector: str) -> Any:
    from selenium.webdriver.common.by import By

    return until(lambda: browser.find_elements(By.CSS_SELECTOR, selector), f"{selector} on the page")[0]


def card(browser: Any, id: str) -> Any:
    """The card of a request, chosen by its address."""
    until(lambda: browser.execute_script("return document.querySelector('.queue') !== null"), "the queue")
    go(browser, f"#/request/{id}")
    return there(browser, f"#card-{id}")


def is_ready(browser: Any, id: str, kind: str) -> bool:
    return bool(
        browser.execute_script("return document.querySelector(arguments[0]) !== null", f"#card-{id} .{kind}:enabled")
    )


def press(browser: Any, id: str, kind: str) -> None:
    card(browser, id)
    until(lambda: is_ready(browser, id, kind), f"the {kind} button to come alive")
    click(browser, f"#card-{id} .{kind}")


def click(browser: Any, selector: str) -> None:
    there(browser, selector)
    browser.execute_script("document.querySelector(arguments[0]).click()", selector)


def gone(browser: Any, id: str) -> bool:
    return not browser.execute_script("return document.getElementById(arguments[0])", f"card-{id}")


def test_each_answer_and_the_next_card(browser: Any, page: Page) -> None:
    enter(browser, page)
    kinds = ("session", "permanent", "once", "timed", "deny")
    ids = [page.ask(f"frobnicate{n} --all src", said="I need it", session=f"s{n}") for n in range(len(kinds))]
    for id, kind in zip(ids, kinds, strict=True):
        there(browser, f"#card-{id} .reason").send_keys("use make build")
        press(browser, id, kind)
        answer = page.answer_to(id)
        assert answer.state == {"deny": "denied"}.get(kind, kind)
        assert answer.reason == ("use make build" if kind == "deny" else "")
        until(lambda: gone(browser, id), "the card to go")
        if kind != "deny":
            there(browser, f"#card-{ids[ids.index(id) + 1]}")
    until(lambda: "Nothing waits" in text_of(browser, ".pane"), "the empty queue")


def test_danger_wants_confirm_and_the_primary_button_is_one_that_works(browser: Any, page: Page) -> None:
    enter(browser, page)
    id = page.ask("terraform apply", danger="changes real infrastructure")
    found = card(browser, id)
    until(lambda: "Dangerous" in found.text and "changes real infrastructure" in found.text, "the consequences")
    until(lambda: "CONFIRM" in text_of(browser, f"#card-{id} .status"), "the wish for CONFIRM")
    assert not is_ready(browser, id, "once")
    box = there(browser, f"#card-{id} .confirm")
    box.send_keys("confirm")
    assert not is_ready(browser, id, "once")
    box.clear()
    box.send_keys("CONFIRM")
    press(browser, id, "primary")
    assert page.answer_to(id).decision == Decision.ALLOW


def test_the_width_that_is_chosen_says_which_answers_there_are(browser: Any, page: Page) -> None:
    (page.project / "gen.py").write_text("import job\njob.run()\n")
    enter(browser, page)
    id = page.ask_judged("Bash", command="python3 gen.py --fast")
    card(browser, id)
    until(lambda: is_ready(browser, id, "permanent"), "the button of what a file can hold")
    click(browser, f"#card-{id} .widths label:last-child input")
    there(browser, f"#card-{id} .permanent[hidden]")
    press(browser, id, "session")
    answer = page.answer_to(id)
    assert (answer.duration, answer.step) == (Duration.SESSION, 2)


# "One second later" comes when the test says so.
HOLD_THE_CLOCK = """
window.real = window.real || setTimeout; window.held = [];
window.setTimeout = (f, ms) => { window.held.push([f, ms]); return 0; };
"""
LET_IT_GO_ON = "window.setTimeout = window.real; for (const [f, ms] of window.held) if (ms === 1000) f();"


def test_buttons_are_dead_at_first_and_after_a_move(browser: Any, page: Page) -> None:
    enter(browser, page)
    browser.execute_script(HOLD_THE_CLOCK)
    id = page.ask()
    there(browser, f"#card-{id}")
    assert not is_ready(browser, id, "session") and not is_ready(browser, id, "deny")
    click(browser, f"#card-{id} .session")
    assert id not in page.answers
    assert 1000 in browser.execute_script("return window.held.map(([, ms]) => ms)")
    browser.execute_script(LET_IT_GO_ON)
    until(lambda: is_ready(browser, id, "once"), "a card that is ready")
    browser.execute_script(
        "document.querySelector('.content').style.paddingBottom = '90px'; document.querySelector(arguments[0]).click()",
        f"#card-{id} .once",
    )
    assert id not in page.answers and not is_ready(browser, id, "once")
    until(lambda: is_ready(browser, id, "permanent"), "a card that is ready again")
    browser.execute_script(HOLD_THE_CLOCK)
    click(browser, f"#card-{id} .widths label:last-of-type input")
    assert not is_ready(browser, id, "permanent"), "another width is another answer"
    browser.execute_script(LET_IT_GO_ON)
    press(browser, id, "once")
    page.answer_to(id)


SCROLLED = "const box = document.querySelector('.card-body'); box.scrollTop = box.scrollHeight; return 1"


def read_to_the_end(browser: Any, id: str) -> None:
    """Again until it counts: what is drawn later makes the card longer."""
    status = f"#card-{id} .status"
    until(lambda: browser.execute_script(SCROLLED) and not text_of(browser, status).startswith("Read "), "the end")


def test_what_is_long_must_be_seen_to_its_end(browser: Any, page: Page) -> None:
    enter(browser, page)
    command = page.ask("frobnicate \\\n" + "\n".join(f"  --line {n} \\" for n in range(200)) + "\n  --end")
    card(browser, command)
    until(lambda: "Read the command" in text_of(browser, f"#card-{command} .status"), "the lock")
    assert not is_ready(browser, command, "once")
    read_to_the_end(browser, command)
    press(browser, command, "once")
    page.answer_to(command)
    file = page.ask_to_replace("state.py", "".join(f"def f{n}():\n    return {n}\n\n" for n in range(90)), "x = 1\n")
    found = card(browser, file)
    until(lambda: text_of(browser, f"#card-{file} .diff tr.removed"), "the diff")
    until(lambda: "Read the diff" in text_of(browser, f"#card-{file} .status"), "the lock")
    assert "DELETES 270 of 270 lines" in found.text and "and 82 more" in found.text
    read_to_the_end(browser, file)
    press(browser, file, "once")
    page.answer_to(file)


MODULE = "".join(f"def f{n}():\n    return {n}\n\n" for n in range(40))
SHORTER = "".join(f"def f{n}():\n    return {n}\n\n" for n in range(5)).replace("return 2", "return 20")


def test_a_diff_has_numbers_colours_words_and_two_sides(browser: Any, page: Page) -> None:
    enter(browser, page)
    browser.set_window_size(1700, 900)
    try:
        id = page.ask_to_replace("state.py", MODULE, SHORTER)
        card(browser, id)
        until(lambda: text_of(browser, ".diff table.split td.removed mark") == "2", "the word that goes")
        assert text_of(browser, ".diff table.split td.added mark") == "20"
        assert text_of(browser, ".diff .c-keyword") in ("def", "return")
        numbers = browser.execute_script(
            "return [...document.querySelectorAll('td.number.removed, td.number.added')].map((td) => td.dataset.n)"
        )
        assert numbers[:2] == ["8", "8"]
        click(browser, ".diff .unified")
        until(lambda: text_of(browser, ".diff table.unified tr.removed mark") == "2", "one column")
    finally:
        browser.execute_script("localStorage.clear()")
        browser.set_window_size(1000, 900)


def way(browser: Any, id: str, name: str) -> None:
    click(browser, f"#card-{id} .way.{name}")


def badge(browser: Any, id: str) -> str:
    return text_of(browser, f"#card-{id} .badge")


def test_a_merge_is_seen_read_and_allowed_once(browser: Any, page: Page) -> None:
    enter(browser, page)
    id = page.ask_to_replace("state.py", MODULE, "def late():\n    return 0\n")
    until(lambda: "DELETES" in card(browser, id).text, "what would be gone")
    for name in ("append", "extend"):
        way(browser, id, name)
        until(lambda: badge(browser, id) == f"merged: {name}", "the merged card")
    way(browser, id, "replace")
    until(lambda: badge(browser, id) == "replace file" and "DELETES" in card(browser, id).text, "the card as it was")
    way(browser, id, "insert")
    until(lambda: "120" in text_of(browser, f"#card-{id} .lines pre"), "the file with its numbers")
    assert not is_ready(browser, id, "once"), "while a line is chosen nothing is allowed"
    there(browser, f"#card-{id} input.line").send_keys("\ue00c")  # Esc
    until(lambda: not text_of(browser, f"#card-{id} .lines"), "the way back, which answers nothing")
    way(browser, id, "insert")
    there(browser, f"#card-{id} input.line").send_keys("121\n")
    until(lambda: "not a number from 0 to 120" in text_of(browser, f"#card-{id} .problem"), "what is wrong with it")
    there(browser, f"#card-{id} input.line").send_keys("3\n")
    until(lambda: badge(browser, id) == "merged: insert at line 3", "the merged card")
    assert id not in page.answers
    said = text_of(browser, f"#card-{id}")
    assert "DELETES" not in said and "def late():" in said and "before the merge" in said
    (page.project / "state.py").write_text(MODULE + "y = 2\n")
    read_to_the_end(browser, id)
    press(browser, id, "once")
    until(lambda: "has changed since the merge was shown" in text_of(browser, "#toasts"), "the refusal")
    (page.project / "state.py").write_text(MODULE)
    assert not browser.execute_script(f"return document.querySelector('#card-{id} .session')")
    press(browser, id, "once")
    assert page.answer_to(id).extra == {"strategy": "insert", "line": 3}


def test_a_flag_counts_for_the_card_that_is_on_screen(browser: Any, page: Page) -> None:
    enter(browser, page)
    id = page.ask()
    card(browser, id)
    there(browser, f"#card-{id} .reason").send_keys("half a sent")
    for _ in range(6):
        count_violation("session-1", "claude", "sudo")
    until(lambda: "flagged for review" in text_of(browser, f"#card-{id} .flag"), "the flag on the card")
    assert there(browser, f"#card-{id} .reason").get_attribute("value") == "half a sent"
    assert not is_ready(browser, id, "session")
    until(lambda: "flagged for review" in text_of(browser, "#banners"), "the banner")
    there(browser, f"#card-{id} .confirm").send_keys("CONFIRM")
    press(browser, id, "once")
    assert page.answer_to(id).state == "once"


def test_answered_elsewhere_counted_and_looked_up(browser: Any, page: Page) -> None:
    enter(browser, page)
    ids = [page.ask(f"frobnicate {n}") for n in range(3)]
    same = [page.ask("frobnicate same", session=f"s{n % 2}") for n in range(3)]
    until(lambda: browser.title == "(4) askfirst", "the count in the title")
    until(lambda: "×3 from 2 sessions" in text_of(browser, ".rows"), "identical requests as one row")
    card(browser, ids[0])
    page.manager.respond(ids[0], Answer(Decision.ALLOW, Duration.ONCE, by="ann at watch", digest=page.digest(ids[0])))
    until(lambda: "ann at watch" in text_of(browser, "#toasts"), "the name of who answered")
    there(browser, f"#card-{ids[1]}")
    page.manager.cancel(ids[1], "the agent's client is gone")
    until(lambda: browser.title == "(2) askfirst", "the new count")
    go(browser, f"#/request/{ids[0]}")
    until(lambda: "ann at watch" in text_of(browser, ".pane"), "what became of it")
    shown = next(q for q in page.manager.pending() if q.count == 3)
    press(browser, shown.id, "once")
    assert {page.answer_to(i).state for i in same} == {"once"}


def test_marked_requests_are_reviewed_and_answered_and_danger_is_left_out(browser: Any, page: Page) -> None:
    enter(browser, page)
    ids = [page.ask(f"frobnicate {n}", session=f"s{n % 5}") for n in range(10)]
    danger = page.ask("terraform apply", danger="changes real infrastructure", session="s9")
    until(lambda: browser.title == "(11) askfirst", "all cards")
    for id in (ids[0], ids[3], danger):
        click(browser, f"li.row[data-id='{id}'] input")
    until(lambda: text_of(browser, ".bulk strong") == "3 marked", "the marks")
    click(browser, ".bulk .once")
    until(lambda: "Left out: 1 request" in text_of(browser, ".review .note"), "what is left out")
    later = page.ask("frobnicate later")
    there(browser, ".review .primary:enabled").click()
    assert {page.answer_to(ids[n]).duration for n in (0, 3)} == {Duration.ONCE}
    until(lambda: "Allow once: 2 requests" in text_of(browser, "#toasts"), "what was done")
    assert set(page.answers) == {ids[0], ids[3]}
    until(lambda: browser.title == "(10) askfirst", "the rest")
    click(browser, ".list-head .mark input")
    click(browser, ".bulk .deny")
    there(browser, ".review .primary:enabled").click()
    assert page.answer_to(later).state == page.answer_to(danger).state == "denied"


def test_any_number_of_tabs_share_one_stream(browser: Any, page: Page) -> None:
    enter(browser, page)
    first = browser.current_window_handle
    try:
        for _ in range(8):
            browser.switch_to.new_window("tab")
            browser.get(page.server.guard.origin)
            until(lambda: text_of(browser, "#connection") == "Live", "a tab that is signed in with the others")
        assert len(page.server.live._subscribers) == 1 and len(page.server.logins.all()) == 1
        id = page.ask()
        press(browser, id, "once")
        page.answer_to(id)
        browser.switch_to.window(first)
        until(lambda: gone(browser, id) and browser.title == "askfirst", "the first tab to follow")
        browser.refresh()
        until(lambda: text_of(browser, "#connection") == "Live", "a reloaded tab")
    finally:
        for handle in browser.window_handles:
            if handle != first:
                browser.switch_to.window(handle)
                browser.close()
        browser.switch_to.window(first)


class Again:
    """The same page on the same port, after it was away."""

    def __init__(self, page: Page) -> None:
        self.server = open_server(page.port, page.manager)
        self.server.logins._tokens = page.server.logins._tokens
        threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
        self.server.live.start()

    def __enter__(self) -> None:
        pass

    def __exit__(self, *_: object) -> None:
        close(self.server)


def close(server: Any) -> None:
    server.stopping.set()
    server.live.stop()
    server.shutdown()
    server.server_close()


def test_an_answer_is_in_doubt_until_the_server_has_spoken(browser: Any, page: Page) -> None:
    real, lost, may_speak = page.server.api, list[str](), threading.Event()

    def api(method: str, path: str, given: dict[str, Any], login: PageLogin) -> Any:
        if path == "/api/respond" and not lost:
            lost.append(path)
            raise ConnectionError("it never arrives")
        if path == "/api/outcome":
            assert may_speak.wait(PATIENCE_S)
        return real(method, path, given, login)

    page.server.api = api
    enter(browser, page)
    kept = page.ask("frobnicate kept")
    press(browser, kept, "once")
    until(lambda: "In doubt" in text_of(browser, f"#card-{kept} .status"), "the doubt")
    until(lambda: "in doubt" in text_of(browser, ".rows"), "the doubt in the list")
    assert not is_ready(browser, kept, "once") and not is_ready(browser, kept, "deny")
    may_speak.set()
    until(lambda: "did not arrive" in text_of(browser, "#toasts"), "what the server says of it")
    press(browser, kept, "once")
    page.answer_to(kept)


def test_a_lost_connection_is_shown_and_comes_back(browser: Any, page: Page) -> None:
    enter(browser, page)
    kept = page.ask("frobnicate kept")
    card(browser, kept)
    close(page.server)
    until(lambda: text_of(browser, "#connection") == "Reconnecting", "the loss to be shown")
    with Again(page):
        until(lambda: text_of(browser, "#connection") == "Live", "the page to come back")
        press(browser, kept, "once")
        page.answer_to(kept)


HOSTILE = (
    "echo '<img src=x onerror=window.hacked=1>' \"</pre><script>window.hacked=1</script>\" "
    "\x1b[31m \u202e {{7*7}} javascript:alert(1)"
)


def test_no_field_becomes_markup_and_nothing_foreign_is_loaded(browser: Any, page: Page) -> None:
    enter(browser, page)
    id = page.ask(HOSTILE, said=HOSTILE, agent=HOSTILE, session=HOSTILE, danger=HOSTILE)
    found = card(browser, id)
    shown = ("<img src=x", "<script>", "⟨U+202E⟩")
    until(lambda: all(part in found.text for part in shown), "the text, as text")
    assert browser.execute_script("return window.hacked") is None
    assert not browser.execute_script("return document.querySelectorAll('main script, main iframe, .card img').length")
    assert not [e for e in browser.get_log("browser") if e["level"] == "SEVERE" and "Content Security" in e["message"]]
    names = browser.execute_script("return performance.getEntriesByType('resource').map((e) => e.name)")
    assert names and all(str(n).startswith(page.server.guard.origin) for n in names)


def test_the_code_leaves_the_address_and_a_used_link_says_so(browser: Any, page: Page) -> None:
    """The link stands in no argument of a process: the browser gets the name of a file that only this user can read."""
    link = page.server.link()
    file = Path(_private_page(link))
    assert stat.S_IMODE(file.stat().st_mode) == 0o600 and stat.S_IMODE(file.parent.stat().st_mode) == 0o700
    browser.get(f"file://{file}")
    until(lambda: text_of(browser, "#connection") == "Live", "a live page")
    assert browser.current_url == f"http://127.0.0.1:{page.port}/"
    stored = "return JSON.stringify([{...sessionStorage}, {...localStorage}, document.cookie, history.state, name])"
    (token,) = page.server.logins._tokens
    assert token not in browser.execute_script(stored)
    (login,) = page.server.logins.all()
    page.server.logins.end(login.id)
    page.server.live.end(login.id)
    until(lambda: "session has ended" in text_of(browser, "#signed-out-why"), "the end of the session")
    browser.get("about:blank")
    browser.get(link)
    until(lambda: "already used" in text_of(browser, "#signed-out-why"), "the words for a used link")


def test_keys_answer_the_card_that_is_shown_and_can_be_switched_off(browser: Any, page: Page) -> None:
    from selenium.webdriver.common.by import By

    enter(browser, page)
    ids = [page.ask(f"frobnicate {n}") for n in range(3)]
    until(lambda: browser.title == "(3) askfirst", "all cards")
    body = browser.find_element(By.TAG_NAME, "body")
    until(lambda: is_ready(browser, ids[0], "once"), "the first card, ready")
    body.send_keys("o")
    assert page.answer_to(ids[0]).state == "once"
    until(lambda: is_ready(browser, ids[1], "once"), "the next card, ready")
    body.send_keys("x")
    until(lambda: text_of(browser, ".bulk strong") == "1 marked", "the mark")
    body.send_keys("\ue00c")  # Esc
    browser.execute_script("localStorage.setItem('askfirst-shortcuts', 'off')")
    body.send_keys("d")
    body.send_keys("j")
    browser.execute_script("localStorage.clear()")
    assert set(page.answers) == {ids[0]} and not gone(browser, ids[1])
    body.send_keys("j")
    there(browser, f"#card-{ids[2]}")
    until(lambda: is_ready(browser, ids[2], "deny"), "the last card, ready")
    body.send_keys("d")
    assert page.answer_to(ids[2]).decision == Decision.DENY


def test_the_views_show_and_take_back(browser: Any, page: Page) -> None:
    for text, duration in (("frobnicate before", Duration.SESSION), ("defrobnicate x", Duration.PERMANENT)):
        id = page.ask(text)
        page.manager.respond(id, Answer(Decision.ALLOW, duration, by="ann at watch", digest=page.digest(id)))
    id = page.ask("refrobnicate all")
    page.manager.respond(id, Answer(Decision.DENY, reason="use make", by="ann at watch", digest=page.digest(id)))
    enter(browser, page, "#/history")
    until(lambda: "ann at watch" in text_of(browser, ".table") and "Undo" in text_of(browser, ".table"), "the history")
    there(browser, ".chart svg")
    go(browser, "#/rules")
    until(lambda: "defrobnicate" in text_of(browser, ".entries"), "the entry")
    click(browser, ".entries .undo")
    until(lambda: "no entries of its own" in text_of(browser, ".panel"), "the entry to be gone")
    click(browser, ".profiles button")
    until(lambda: "profiles: [" in text_of(browser, "dialog.change .diff"), "the change")
    click(browser, "dialog.change .primary")
    until(lambda: text_of(browser, ".profiles li.on"), "the profile")
    assert "profiles: [" in (page.project / ".askfirst/allowed_commands.yaml").read_text()
    click(browser, ".table .undo")
    until(lambda: "No grants" in text_of(browser, ".view") and not page.manager.grants.all(), "the grant to be gone")
    until(lambda: "ann at watch: use make" in text_of(browser, ".table"), "the denial")
    click(browser, ".table .undo")
    until(lambda: not page.manager.grants.denials(), "the denial to be gone")
    go(browser, "#/log")
    until(lambda: "revoke" in text_of(browser, ".table"), "the log")
    click(browser, ".verify button")
    until(lambda: "verify" in text_of(browser, ".verified .pill"), "the chain")
    there(browser, ".filters input").send_keys("no such text")
    until(lambda: "No record matches" in text_of(browser, ".view"), "the filter")
    go(browser, "#/session/session-1")
    until(lambda: "frobnicate before" in text_of(browser, ".panel"), "what the session asked")
    go(browser, "#/settings")
    click(browser, ".danger-button")
    until(lambda: "Paused" in text_of(browser, "#banners"), "the pause, everywhere")
    click(browser, "#banners button")
    until(lambda: not text_of(browser, "#banners"), "the end of the pause")


def test_a_thousand_requests(browser: Any, page: Page, monkeypatch: pytest.MonkeyPatch) -> None:
    """However many wait, only the rows on screen are in the page."""
    waiting = page.ask("frobnicate 0")
    (one,) = page.manager.pending()
    many = tuple(replace(one, id=f"{n:026d}", text=f"frobnicate {n}", ids=()) for n in range(999))
    monkeypatch.setattr(page.manager, "pending", lambda: (one, *many))
    enter(browser, page)
    until(lambda: browser.title == "(1000) askfirst", "all cards")
    until(lambda: 0 < browser.execute_script("return document.querySelectorAll('li.row').length") < 60, "a few rows")
    # Again until it is there: the list grows with the next frame, whenever that is drawn.
    to_the_end = "const box = document.querySelector('.list-scroll'); box.scrollTop = box.scrollHeight; return 1"
    until(lambda: browser.execute_script(to_the_end) and "frobnicate 998" in text_of(browser, ".rows"), "the last row")
    assert browser.execute_script("return document.querySelectorAll('li.row').length") < 60
    there(browser, ".list-head input[type=search]").send_keys("frobnicate 77")
    until(lambda: text_of(browser, ".rows").count("frobnicate 77") == 11, "the filtered rows")
    assert waiting not in page.answers


AXE = """
const done = arguments[arguments.length - 1];
axe.run(document, {runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]}).then(
  (found) => done(found.violations.map((v) => `${v.id}: ${v.nodes.map((n) => n.target.join(" ")).join(", ")}`)));
"""
NARROW = {"width": 390, "height": 844, "deviceScaleFactor": 1, "mobile": True}


def test_everybody_can_use_it(browser: Any, page: Page) -> None:
    """WCAG 2.2 AA by axe-core, in light and dark, wide and on a phone, and with the system's own colours."""
    axe, found = axe_source(), list[tuple[str, str, str]]()
    enter(browser, page)
    page.ask("frobnicate --with a-rather-long-argument-that-has-no-blank-anywhere-in-it-and-goes-on-for-quite-a-while")
    file = page.ask_to_replace("state.py", MODULE, SHORTER)
    danger = page.ask("terraform apply", danger="changes real infrastructure")
    id = page.ask("frobnicate before", session="s2")
    page.manager.respond(id, Answer(Decision.ALLOW, Duration.PERMANENT, by="ann", digest=page.digest(id)))
    browser.execute_script(axe)
    views = {
        f"#/request/{file}": ".diff mark",
        f"#/request/{danger}": ".confirm",
        "#/history": ".chart",
        "#/rules": ".profiles",
        "#/log": ".table",
        "#/settings": ".options",
        "#/": ".queue",
    }
    try:
        for scheme, narrow in (("light", False), ("dark", True)):
            features = [{"name": "prefers-color-scheme", "value": scheme}]
            browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
            if narrow:
                browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", NARROW)
            for address, sign in views.items():
                go(browser, address)
                there(browser, sign)
                found += [(address, scheme, problem) for problem in browser.execute_async_script(AXE)]
                if not browser.execute_script("return document.documentElement.scrollWidth <= window.innerWidth + 1"):
                    found.append((address, scheme, "it is wider than the screen"))
        assert not found
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
    large = {"request_id": id, "digest": page.digest(id), "decision": "once", "reason": "x" * 70_000}
    assert browser.execute_async_script(FROM_THE_PAGE, "/api/respond", large, page.token()) == 413
    assert id not in page.answers
