"""Plain addresses lead where the clients' own reader of addresses, Node's, says: held against generated ones."""

from __future__ import annotations

import json
import random
import subprocess

from askfirst.knowledge.addresses import address_of
from tests.needs import needs

PARTS = (
    "https http HTTPS : // / \\ @ docs.python.org evil.example . %2e # ? :443 :8443 [::1] 127.0.0.1 0x7f.1 xn-- a - "
    "%00 %40 ; & * .. u:p | ^ ` { \" ' 。 ⓔ ．"
).split() + ["\t", "\n", " ", "\u00ad", "\u200d"]
STARTS = ("https://", "http://", "HTTPS://", "https:", "https:/", "https:\\\\", "")
NODE = """
const read = (url) => { try { const u = new URL(url); return [u.protocol, u.hostname, u.port] } catch { return null } }
console.log(JSON.stringify(JSON.parse(require("fs").readFileSync(0)).map(read)))
"""


def test_a_plain_address_leads_where_the_client_goes() -> None:
    needs("node")
    chance = random.Random(7)
    urls = [chance.choice(STARTS) + "".join(chance.choices(PARTS, k=chance.randint(1, 6))) for _ in range(20_000)]
    ran = subprocess.run(["node", "-e", NODE], input=json.dumps(urls), capture_output=True, text=True, check=True)
    compared = 0
    for url, found in zip(urls, json.loads(ran.stdout), strict=True):
        ours = address_of(url)
        if ours is None or found is None:
            continue  # not plain, or nothing that the client would fetch
        scheme, host, port = found
        usual = {"http:": "80", "https:": "443"}[scheme]
        assert (f"{ours.scheme}:", ours.host, str(ours.port)) == (scheme, host.removesuffix("."), port or usual), url
        compared += 1
    assert compared > 300
