"""Browsers that may use the page: each came with a code that was good once and for 30 seconds, and has a token.

A code stands in a link's fragment, which reaches no server, no log and no referrer. The token is kept by the page in
its own memory and by this process; neither writes it down. A person can list the browsers and end each of them.
"""

from __future__ import annotations

import hmac
import re
import secrets
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, replace

from askfirst.text import one_line

CODE_S = 30.0
MAX_LOGINS = 64
MAX_WRONG_CODES = 20
_BROWSERS = (("Edg/", "Edge"), ("OPR/", "Opera"), ("Firefox/", "Firefox"), ("Chrome/", "Chrome"), ("Safari/", "Safari"))
_SYSTEMS = (("Android", "Android"), ("iPhone", "iPhone"), ("iPad", "iPad"), ("Mac OS X", "macOS"))
_MORE_SYSTEMS = (("Windows", "Windows"), ("CrOS", "ChromeOS"), ("Linux", "Linux"))


@dataclass(frozen=True)
class PageLogin:
    """One browser."""

    id: str  # for people; says nothing about the token
    browser: str  # as it calls itself
    address: str  # under which it reached the page
    since: float  # wall clock
    last: float


class Logins:
    """Thread-safe. `changed` is called after a browser came, or was ended."""

    def __init__(
        self,
        *,
        clock: Callable[[], float] = time.monotonic,
        wall: Callable[[], float] = time.time,
        came: Callable[[PageLogin], None] = lambda _: None,
        changed: Callable[[], None] = lambda: None,
    ) -> None:
        self._clock, self._wall, self.came, self.changed = clock, wall, came, changed
        self._codes: dict[str, float] = {}
        self._tokens: dict[str, PageLogin] = {}
        self._wrong = 0
        self._lock = threading.Lock()

    def code(self) -> str:
        """A fresh code for a link."""
        code = secrets.token_urlsafe(32)
        with self._lock:
            now = self._clock()
            self._codes = {c: until for c, until in self._codes.items() if until > now}
            self._codes[code] = now + CODE_S
            self._wrong = 0  # whoever guessed before has locked out nobody: a person asked for this one at the terminal
        return code

    def exchange(self, code: str, *, browser: str = "", address: str = "") -> str | None:
        """The token for a code, once; None when the code is unknown, used or too old."""
        with self._lock:
            if self._wrong >= MAX_WRONG_CODES:
                return None
            given = code.encode("utf-8", "replace")
            match = next((c for c in self._codes if hmac.compare_digest(c.encode(), given)), None)
            until = self._codes.pop(match, 0.0) if match is not None else 0.0
            if until <= self._clock():
                self._wrong += 1
                return None
            token, now = secrets.token_urlsafe(32), self._wall()
            login = PageLogin(secrets.token_hex(3), in_words(browser), address, now, now)
            kept = list(self._tokens.items())[-(MAX_LOGINS - 1) :]
            self._tokens = dict([*kept, (token, login)])
        self.came(login)
        self.changed()
        return token

    def of(self, authorization: str) -> PageLogin | None:
        """The browser that carries this token."""
        kind, _, token = authorization.partition(" ")
        given = token.strip().encode("utf-8", "replace")
        with self._lock:
            if kind.lower() != "bearer":
                return None
            known = [t for t in self._tokens if hmac.compare_digest(t.encode(), given)]
            if not known:
                return None
            login = self._tokens[known[0]] = replace(self._tokens[known[0]], last=self._wall())
            return login

    def all(self) -> tuple[PageLogin, ...]:
        with self._lock:
            return tuple(self._tokens.values())

    def end(self, id: str) -> bool:
        """From now on this browser may do nothing; its stream ends."""
        with self._lock:
            kept = {token: login for token, login in self._tokens.items() if login.id != id}
            ended = len(kept) < len(self._tokens)
            self._tokens = kept
        if ended:
            self.changed()
        return ended


def in_words(user_agent: str) -> str:
    """`Firefox on Linux`: what a browser says of itself, which proves nothing."""
    browser = next((name for sign, name in _BROWSERS if sign in user_agent), "")
    system = next((name for sign, name in (*_SYSTEMS, *_MORE_SYSTEMS) if sign in user_agent), "")
    if browser:
        return f"{browser} on {system}" if system else browser
    return one_line(re.sub(r"[^ -~]", "?", user_agent), 40) or "a program that does not say what it is"
