"""Cryptography: looking at certificates and checksums is reading; keys and signatures ask."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from askfirst.model import Fact, Kind, Word
from askfirst.shell.tools.engine import finish, unknown
from askfirst.shell.tools.options import parse
from askfirst.shell.tools.remote.network import doubt_about
from askfirst.shell.tools.sending import sent_fact
from askfirst.shell.tools.table import INERT, READS, Reading, Tool, asking

if TYPE_CHECKING:
    from askfirst.shell.call import Analyst, Call, Outcome


def _s_client(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    """Shows what a server presents. What comes on its standard input is sent there, so only an empty one passes."""
    parsed = parse(tool, call.words[1:])
    outcome = finish(tool, call, parsed, analyst)
    hosts = [w.value or "" for w in parsed.values("-connect")]
    if len(hosts) != 1 or doubt_about(hosts[0]):
        outcome = replace(
            outcome, facts=(*outcome.facts, unknown("network", "an address that is not a plain one", call))
        )
    given = analyst.input_of(call)
    if given.kind == "inherited" or given.text in ("", "\n", "Q", "Q\n", "QUIT\n"):
        return outcome
    return replace(
        outcome,
        facts=(*outcome.facts, unknown("network", "`openssl s_client` sends its input to another machine", call)),
    )


def _certificate(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    """A certificate is public, whatever its file is called: what is printed of it is no secret. An address is
    fetched."""
    parsed = parse(tool, call.words[1:])
    outcome = finish(tool, call, parsed, analyst)
    named = (*parsed.values("-in", "-CAfile", "-untrusted"), *parsed.operands)
    facts = [f for w in named for f in _fetched(w, call)]
    return replace(outcome, facts=(*outcome.facts, *facts))


def _fetched(word: Word, call: Call) -> list[Fact]:
    """OpenSSL takes `http://…` for an address, and other schemes for keys in hardware or in an engine."""
    known = word.value if word.value is not None else word.prefix
    if ":" in known.removeprefix("file:"):
        return [unknown("network", "`openssl` would fetch an address", call, word.text)]
    return [] if word.glob or word.value is not None else sent_fact(word, call, "openssl")


def _openssl(verb: str, description: str, **fields: Any) -> Tool:
    return Tool(f"openssl {verb}", Kind.READ, description, reading=Reading(single_dash_long=True), **fields)


_CERTIFICATE = """
    flag    -noout -text -subject -issuer -dates -startdate -enddate -serial -fingerprint
    flag    -purpose -pubkey -modulus -hash -subject_hash -issuer_hash -email -ocsp_uri -alias
    flag    -certopt -nocert -sha256 -sha1 -sha512 -md5 -C -trustout -verify -ocspid
"""

_OPENSSL = {
    "version": _openssl("version", "prints the version", options="flag -a -v -d -f -o -p -b -e -m -r -c", operands=()),
    "help": _openssl("help", "prints help", operands=(INERT, ...)),
    "list": _openssl(
        "list",
        "lists algorithms",
        options="""
            flag    -commands -digest-commands -cipher-commands -digest-algorithms -cipher-algorithms
            flag    -public-key-algorithms -disabled -providers -1 -all-algorithms -options -verbose
        """,
        operands=(),
    ),
    "x509": _openssl(
        "x509",
        "shows a certificate",
        options=_CERTIFICATE
        + """
            value   -in -inform -outform -ext -nameopt -checkend -checkhost -checkip -dateopt
            writes  -out
            asks    -signkey -key -CA -CAkey -req -engine -provider -passin -x509toreq: signs
        """,
        operands=(),
        special=_certificate,
    ),
    "s_client": _openssl(
        "s_client",
        "shows what a server presents",
        options="""
            flag    -showcerts -brief -tls1 -tls1_1 -tls1_2 -tls1_3 -status -ign_eof -quiet -no_ign_eof
            flag    -prexit -4 -6 -noservername -verify_return_error
            value   -connect -servername -verify -alpn -cipher -ciphersuites -starttls -CAfile -CApath
            value   -verify_hostname
        """,
        operands=(),
        special=_s_client,
    ),
    "verify": _openssl(
        "verify",
        "checks a certificate",
        options="""
            flag    -verbose -show_chain -x509_strict -partial_chain
            value   -CAfile -CApath -untrusted -purpose
        """,
        operands=(INERT, ...),
        special=_certificate,
    ),
    "dgst": _openssl(
        "dgst",
        "computes checksums",
        options="""
            flag    -sha1 -sha224 -sha256 -sha384 -sha512 -md5 -hex -binary -r -c -blake2b512 -sha3-256
            flag    -sha3-512
            writes  -out
        """,
        operands=(READS, ...),
    ),
    "sha256": _openssl("sha256", "computes checksums", options="flag -hex -r", operands=(READS, ...)),
    "md5": _openssl("md5", "computes checksums", options="flag -hex -r", operands=(READS, ...)),
    "rand": _openssl(
        "rand",
        "prints random bytes",
        options="""
            flag    -hex -base64
            writes  -out
        """,
        operands=(INERT, ...),
    ),
    "base64": _openssl(
        "base64",
        "encodes or decodes base64",
        options="""
            flag    -d -e -A -a
            reads   -in
            writes  -out
        """,
        operands=(),
    ),
}


_ROWS = (
    Tool(
        "openssl",
        description="looks at certificates and checksums",
        allowed=False,
        reading=Reading(single_dash_long=True),
        manual="openssl 3.0.19",
        examples=("openssl version -a", "openssl x509 -in cert.pem -noout -text"),
        counter_examples=(
            "openssl genrsa 4096",
            "openssl x509 -in a -out /x",
            "openssl enc -in a",
            "openssl req -engine x",
            "openssl rsa -in k",
        ),
        subcommands=_OPENSSL,
    ),
    *(
        asking(name, "reads or changes stored passwords")
        for name in (
            "pass",
            "gopass",
            "op",
            "bw",
            "lpass",
            "secret-tool",
            "keyring",
            "vault",
            "age",
            "sops",
            "ssh-askpass",
            "gpg-connect-agent",
            "gpgconf",
        )
    ),
)

TOOLS: dict[str, Tool] = {t.name: t for t in _ROWS}
