"""Who may speak to the page. Other programs, pages and ports of this machine can reach it, so each request is checked.

- exactly one Host: ours by address and port, or one that a person has named (`--origin`). A rebound name has another
  one (421)
- Origin, where there is one, belongs to that Host; Sec-Fetch-Site, where there is one, is same-origin or none (403).
  Only the empty page itself may be opened from elsewhere, in a tab of its own: that is how the browser comes from the
  private file
- no cookies: a cookie of one loopback port is sent to every other one. Every call carries a token (logins.py)
"""

from __future__ import annotations

from dataclasses import dataclass
from email.message import Message
from urllib.parse import urlsplit

from askfirst.errors import UsageError

_PORTS = {"http": 80, "https": 443}


@dataclass(frozen=True)
class Refusal:
    status: int
    reason: str


class Guard:
    """The checks of one running server. `origins`: addresses under which a person forwards it."""

    def __init__(self, port: int, origins: tuple[str, ...] = ()) -> None:
        self.host = f"127.0.0.1:{port}"
        self.origin = f"http://{self.host}"
        ours = (self.origin, f"http://localhost:{port}", *origins)
        self._origins = {origin.partition("://")[2]: origin for origin in ours}

    def refusal(self, headers: Message, *, posting: bool, opening: bool = False) -> Refusal | None:
        """Why a request is turned away before anything else is looked at, or None."""
        hosts = headers.get_all("Host") or []
        own = self.origin_of(headers)
        if not own:
            shown = hosts[0].strip()[:100] if len(hosts) == 1 else ""
            return Refusal(421, f"wrong host {shown!r}: open the link that `askfirst serve` prints (see --origin)")
        origins = headers.get_all("Origin") or []
        if len(origins) > 1 or (origins and origins[0] != own) or (posting and not origins):
            return Refusal(403, "this request comes from another page")
        if _is_from_elsewhere(headers) and not (opening and _is_a_new_page(headers)):
            return Refusal(403, "this request comes from another site")
        if headers.get_all("Transfer-Encoding"):
            return Refusal(411, "the request needs one Content-Length")
        return None

    def origin_of(self, headers: Message) -> str:
        """The address under which this request was made; "" for one that is not ours."""
        hosts = headers.get_all("Host") or []
        return self._origins.get(hosts[0].strip(), "") if len(hosts) == 1 else ""


def plain_origin(given: str) -> str:
    """`https://laptop.example.ts.net` as browsers send it. Raises UsageError for anything but a scheme, a host, a
    port."""
    try:
        found = urlsplit(given.strip())
        host, port = found.hostname or "", found.port
    except ValueError:
        host, port = "", None
    odd = not host or found.scheme not in _PORTS or found.username or found.path not in ("", "/")
    if odd or found.query or found.fragment or "*" in host or not host.isascii():
        raise UsageError(f"--origin {given}: give an address like `https://laptop.example.ts.net` or "
                         "`http://localhost:9000`")  # fmt: skip
    name = f"[{host}]" if ":" in host else host
    return f"{found.scheme}://{name}" + ("" if port in (None, _PORTS[found.scheme]) else f":{port}")


def _is_from_elsewhere(headers: Message) -> bool:
    return any(s not in ("same-origin", "none") for s in headers.get_all("Sec-Fetch-Site") or [])


def _is_a_new_page(headers: Message) -> bool:
    """A browser goes there in a tab of its own: not in a frame, and no script of another page sees the answer."""
    return (headers.get_all("Sec-Fetch-Mode"), headers.get_all("Sec-Fetch-Dest")) == (["navigate"], ["document"])


# Everything comes from this server; nothing may frame it, and no text becomes markup. The one policy of Trusted Types
# that is allowed names the page's own worker (link.js).
HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; worker-src 'self'; style-src 'self'; "
    "connect-src 'self'; img-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types askfirst-worker",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}
