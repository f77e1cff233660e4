"""Who may speak to the page. Other programs, pages and ports of this machine can reach it, so each request is checked.

- exactly one Host, ours by address and port: a rebound DNS name has another (421)
- Origin, where there is one, is ours; Sec-Fetch-Site, where there is one, is same-origin or none (403). Only the empty
  page itself may be opened from elsewhere, in a tab of its own: that is how the browser comes from the private file
- no cookies: a cookie of one loopback port is sent to every other one. A code from the link's fragment, good once and
  for 30 s, is exchanged for a bearer token, which every call must carry
"""

from __future__ import annotations

import hmac
import secrets
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from email.message import Message

CODE_S = 30.0
MAX_TOKENS = 64
MAX_WRONG_CODES = 20


@dataclass(frozen=True)
class Refusal:
    status: int
    reason: str


class Guard:
    """The checks of one running server."""

    def __init__(self, port: int, *, clock: Callable[[], float] = time.monotonic) -> None:
        self.host = f"127.0.0.1:{port}"
        self.origin = f"http://{self.host}"
        self._clock = clock
        self._codes: dict[str, float] = {}
        self._tokens: list[str] = []
        self._wrong = 0
        self._lock = threading.Lock()

    def link(self) -> str:
        """A fresh link for a browser. The code stands in the fragment: it reaches no server, no log and no referrer."""
        code = secrets.token_urlsafe(32)
        with self._lock:
            now = self._clock()
            self._codes = {c: until for c, until in self._codes.items() if until > now}
            self._codes[code] = now + CODE_S
            self._wrong = 0  # whoever guessed before has locked out nobody: a person asked for this one at the terminal
        return f"{self.origin}/#{code}"

    def exchange(self, code: str) -> str | None:
        """The token for a code, once; None when the code is unknown, used or too old."""
        with self._lock:
            if self._wrong >= MAX_WRONG_CODES:
                return None
            match = next(
                (c for c in self._codes if hmac.compare_digest(c.encode(), code.encode("utf-8", "replace"))), None
            )
            until = self._codes.pop(match, 0.0) if match is not None else 0.0
            if until <= self._clock():
                self._wrong += 1
                return None
            token = secrets.token_urlsafe(32)
            self._tokens = [*self._tokens[-(MAX_TOKENS - 1) :], token]
            return token

    def knows(self, authorization: str) -> bool:
        kind, _, token = authorization.partition(" ")
        given = token.strip().encode("utf-8", "replace")
        with self._lock:
            return kind.lower() == "bearer" and any(hmac.compare_digest(t.encode(), given) for t in self._tokens)

    def refusal(self, headers: Message, *, posting: bool, opening: bool = False) -> Refusal | None:
        """Why a request is turned away before anything else is looked at, or None."""
        hosts = headers.get_all("Host") or []
        if len(hosts) != 1 or hosts[0].strip() != self.host:
            return Refusal(421, "wrong host: open the link that `askfirst serve` prints")
        origins = headers.get_all("Origin") or []
        if len(origins) > 1 or (origins and origins[0] != self.origin) or (posting and not origins):
            return Refusal(403, "this request comes from another page")
        if _is_from_elsewhere(headers) and not (opening and _is_a_new_page(headers)):
            return Refusal(403, "this request comes from another site")
        if headers.get_all("Transfer-Encoding"):
            return Refusal(411, "the request needs one Content-Length")
        return None


def _is_from_elsewhere(headers: Message) -> bool:
    return any(s not in ("same-origin", "none") for s in headers.get_all("Sec-Fetch-Site") or [])


def _is_a_new_page(headers: Message) -> bool:
    """A browser goes there in a tab of its own: not in a frame, and no script of another page sees the answer."""
    return (headers.get_all("Sec-Fetch-Mode"), headers.get_all("Sec-Fetch-Dest")) == (["navigate"], ["document"])


# Everything comes from this server; nothing may frame it, and no text becomes markup (Trusted Types with no policy
# allowed).
HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
    "img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
    "require-trusted-types-for 'script'; trusted-types 'none'",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}
