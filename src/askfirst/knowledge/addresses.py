"""Addresses of the web: which host one leads to, which hosts a rule means, and whose pages are documentation.

Clients read odd addresses in different ways (RFC 3986, WHATWG, or by hand), so only a plain one is understood: `http`
or `https`, a host in ASCII, a port. No user name, no escape, no number that may be another way to write an IP address.
"""

from __future__ import annotations

from dataclasses import dataclass

from askfirst.knowledge.globs import fold

__all__ = [
    "DOCUMENTATION",
    "Address",
    "address_of",
    "completed",
    "decoded",
    "is_of_this_network",
    "is_plain_ip",
    "is_plain_page",
    "leads_on",
    "may_mean",
    "means",
    "problem_of",
]

_PORTS = {"http": 80, "https": 443}
_LABEL = frozenset("abcdefghijklmnopqrstuvwxyz0123456789-_")
_HEX = frozenset("0123456789abcdef")
# What a query is called that sends the reader on to somewhere else.
_SENDS_ON = frozenset(
    """
    url uri u link href redirect redirect_to redirect_uri redirect_url redirecturl return return_to returnto returnurl
    return_url next goto go to dest destination target continue forward out
    """.split()
)

# Documentation whose makers write its pages themselves: nobody else learns there what is asked for. Hosts on which
# everybody can publish (readthedocs.io, github.io, a wiki) tell their authors what was looked at, so they ask.
DOCUMENTATION = frozenset(
    """
    docs.python.org peps.python.org packaging.python.org docs.pytest.org docs.djangoproject.com
    flask.palletsprojects.com fastapi.tiangolo.com numpy.org pandas.pydata.org scikit-learn.org matplotlib.org
    pytorch.org docs.astral.sh python-poetry.org pip.pypa.io setuptools.pypa.io
    developer.mozilla.org nodejs.org docs.npmjs.com www.typescriptlang.org react.dev vuejs.org svelte.dev angular.dev
    nextjs.org tailwindcss.com eslint.org prettier.io vite.dev vitest.dev jestjs.io playwright.dev webpack.js.org
    doc.rust-lang.org go.dev pkg.go.dev kotlinlang.org docs.swift.org dart.dev docs.flutter.dev elixir-lang.org
    hexdocs.pm www.php.net laravel.com docs.ruby-lang.org guides.rubyonrails.org api.rubyonrails.org
    docs.oracle.com docs.spring.io docs.gradle.org maven.apache.org learn.microsoft.com
    en.cppreference.com cmake.org gcc.gnu.org www.gnu.org man7.org docs.kernel.org git-scm.com
    www.postgresql.org dev.mysql.com www.sqlite.org sqlite.org redis.io nginx.org graphql.org
    docs.docker.com kubernetes.io helm.sh developer.hashicorp.com docs.aws.amazon.com docs.cloud.google.com
    docs.github.com docs.gitlab.com developer.apple.com developer.android.com
    www.rfc-editor.org www.w3.org html.spec.whatwg.org json-schema.org spec.openapis.org
    docs.claude.com code.claude.com platform.claude.com modelcontextprotocol.io
    """.split()
)

# Forges and registries: whoever publishes there does not learn which names were asked for. (Not Go's proxy, which asks
# the host that a module's name begins with.)
_TELL_NOBODY = frozenset(
    """
    github.com raw.githubusercontent.com objects.githubusercontent.com codeload.github.com api.github.com gitlab.com
    bitbucket.org codeberg.org pypi.org files.pythonhosted.org registry.npmjs.org registry.yarnpkg.com crates.io
    static.crates.io index.crates.io rubygems.org packagist.org repo.maven.apache.org
    repo1.maven.org plugins.gradle.org deb.debian.org archive.ubuntu.com security.ubuntu.com formulae.brew.sh
    """.split()
)
_MAX_PAGE, _MAX_QUERY = 160, 60  # characters: more than a page's name may hold something else


@dataclass(frozen=True)
class Address:
    """Where a plain address leads."""

    scheme: str
    host: str  # lower case, without the dot that may end it
    port: int

    @property
    def is_loopback(self) -> bool:
        return self.host in ("localhost", "127.0.0.1", "[::1]") or self.host.endswith(".localhost")

    @property
    def pattern(self) -> str:
        """The narrowest entry of `domains` that means it."""
        usual = self.scheme == "https" or self.is_loopback
        port = "" if self.port == _PORTS[self.scheme] else f":{self.port}"
        return ("" if usual else f"{self.scheme}://") + self.host + port


def address_of(url: str) -> Address | None:
    """None for an address that is not plain."""
    if any(c <= " " or c == "\x7f" for c in url):
        return None  # some clients take these out, and go where the rest leads
    scheme, mark, rest = url.partition("://")
    scheme = scheme.lower()
    if not mark or scheme not in _PORTS:
        return None
    return _authority(scheme, _up_to(rest, "/?#"))


def completed(url: str) -> str:
    """An odd address as browsers read it, plain: `https:a@EXAMPLE%2ecom` is https://example.com. Only for the question
    whether a block means it."""
    text = "".join(c for c in url if c > " " and c != "\x7f").replace("\\", "/")
    authority = _up_to(text.partition(":")[2].lstrip("/"), "/?#").rpartition("@")[2]
    name = decoded(authority).encode("latin-1", "replace") if "%" in authority else authority.encode("utf-8", "replace")
    return "https://" + fold(name.decode("utf-8", "replace")).replace("\u3002", ".")


def is_plain_page(url: str) -> bool:
    """A known page: whoever could read what is asked for is nobody who also writes there, and it says no more than a
    page's name."""
    found = address_of(url)
    if found is None or found.pattern not in DOCUMENTATION | _TELL_NOBODY or leads_on(url):
        return False
    rest = url.partition("://")[2]
    page, _, query = rest[len(_up_to(rest, "/?#")) :].partition("?")
    return len(page) <= _MAX_PAGE and len(query) <= _MAX_QUERY


def _authority(scheme: str, authority: str) -> Address | None:
    name, colon, port = authority, "", ""
    if authority.endswith("]") or "]:" in authority:
        name, bracket, after = authority.partition("]")
        name, colon, port = name + bracket, after[:1], after[1:]
    elif ":" in authority:
        name, colon, port = authority.partition(":")
    host = _host(name.lower())
    if not host or (colon and colon != ":"):
        return None
    number = _port(port) if colon else _PORTS[scheme]
    return Address(scheme, host, number) if number else None


def _port(text: str) -> int:
    plain = text.isascii() and text.isdigit() and len(text) <= 5 and text[0] != "0"
    return int(text) if plain and int(text) < 65536 else 0


def _host(name: str) -> str:
    """As DNS compares it; "" for what is none, or may be read as another."""
    if name.startswith("["):
        inner = name[1:-1]
        return name if name.endswith("]") and ":" in inner and set(inner) <= _HEX | {":"} else ""
    name = name.removesuffix(".")
    labels = name.split(".")
    if len(name) > 253 or not all(0 < len(label) <= 63 and set(label) <= _LABEL for label in labels):
        return ""
    if _is_number(labels[-1]):
        return name if is_plain_ip(labels) else ""  # `0x7f.1` and `2130706433` are 127.0.0.1, too
    return name


def _is_number(label: str) -> bool:
    return label.isdigit() or (label.startswith("0x") and set(label[2:]) <= _HEX)


def _up_to(text: str, ends: str) -> str:
    return text[: min((at for c in ends if (at := text.find(c)) >= 0), default=len(text))]


def is_of_this_network(host: str) -> bool:
    """A private address, or a name that only this network knows; not where clouds keep credentials."""
    numbers = host.split(".")
    if not is_plain_ip(numbers):
        return host.endswith((".local", ".lan")) and "metadata" not in host
    if numbers[0] == "172":
        return 16 <= int(numbers[1]) <= 31
    return host.startswith(("10.", "192.168.", "192.0.2."))


def is_plain_ip(numbers: list[str]) -> bool:
    return len(numbers) == 4 and all(n.isascii() and n.isdigit() and str(int(n)) == n and int(n) < 256 for n in numbers)


def leads_on(url: str) -> bool:
    """Whether another address stands inside this one: a page that sends the reader on would take it there."""
    rest = url.partition("://")[2]
    inner = rest[len(_up_to(rest, "/?#")) :]
    for _ in range(4):
        if "//" in inner or "\\" in inner:
            return True
        plain = decoded(inner)
        if plain == inner:
            break
        inner = plain
    else:
        return True  # nobody escapes escapes of escapes to be understood
    query = inner.partition("?")[2].replace(";", "&").replace("#", "&").replace("?", "&")
    return any(part.partition("=")[0].lower() in _SENDS_ON for part in query.split("&") if "=" in part)


def decoded(text: str) -> str:
    """Without the escapes of an address: `%2e` is a dot."""
    parts = text.split("%")
    found = [parts[0]]
    for part in parts[1:]:
        code = part[:2].lower()
        whole = len(code) == 2 and set(code) <= _HEX
        found.append(chr(int(code, 16)) + part[2:] if whole else "%" + part)
    return "".join(found)


# -- the hosts that a rule names


def problem_of(pattern: str) -> tuple[str, str] | None:
    """(problem, hint) when `domains` may not hold this; None when it may."""
    scheme, mark, rest = pattern.rpartition("://")
    if mark and scheme not in _PORTS:
        return f"`{pattern}`: only http and https are fetched", "write the host alone"
    if not rest.isascii():
        return f"`{pattern}` is not ASCII", "write the host as it is looked up: `xn--…`"
    if _up_to(rest, "/?#") != rest:
        return f"`{pattern}`: a domain is a host, not a page", f"write `{_up_to(rest, '/?#')}`"
    if "@" in rest:
        return f"`{pattern}` holds a user name", "write the host alone"
    plain = rest.lower().removesuffix(".")
    if plain != rest:
        return f"`{pattern}` is not how a host is written", f"write `{scheme}{mark}{plain}`"
    bare = rest.removeprefix("*.")
    if "*" in bare:
        return f"`{pattern}`: `*` stands for whole labels at the beginning", "write it as `*.example.org`"
    return _host_problem(pattern, _authority(scheme or "https", bare), wild=bare != rest)


def _host_problem(pattern: str, found: Address | None, *, wild: bool) -> tuple[str, str] | None:
    if found is None:
        return f"`{pattern}` is not the name of a host", "write it as `docs.example.org` or `*.example.org`"
    if wild and ("." not in found.host or _is_number(found.host.rpartition(".")[2])):
        return f"`{pattern}` would mean every host there", "name the domain: `*.example.org`"
    return None


def means(pattern: str, address: Address) -> bool:
    """Whether an entry of an allowing rule means this address: its scheme (https where none is said), host and port."""
    scheme, _, rest = pattern.rpartition("://")
    wild = rest.startswith("*.")
    wanted = _authority(scheme or address.scheme, rest.removeprefix("*."))
    if wanted is None or wanted.port != address.port:
        return False
    if address.scheme != (scheme or "https") and not (not scheme and address.is_loopback):
        return False
    return address.host.endswith("." + wanted.host) if wild else address.host == wanted.host


def may_mean(pattern: str, address: Address) -> bool:
    """Whether an entry of a block means it: also its sub-domains, whatever the scheme and the port."""
    wanted = _authority("https", pattern.rpartition("://")[2].removeprefix("*."))
    if wanted is None:
        return False
    numeric = wanted.host.startswith("[") or _is_number(wanted.host.rpartition(".")[2])
    if address.host.startswith("[") and numeric:
        return True  # one IPv6 address has many spellings, and some mean an IPv4 address
    return address.host == wanted.host or address.host.endswith("." + wanted.host)
