"""macOS: what its own tools show about the machine, its network and its programs. Nothing here changes a setting; a
sub-command that does is in no row, and asks."""

from __future__ import annotations

from dataclasses import replace

from askfirst.model import Fact, Kind
from askfirst.shell.call import Analyst, Call, Outcome
from askfirst.shell.tools.engine import action_of, facts_of, unknown
from askfirst.shell.tools.options import parse
from askfirst.shell.tools.table import INERT, SENDS, Reading, Tool

__all__ = ["TOOLS"]


def _shows(name: str, description: str, verbs: str, operands: int = 2) -> Tool:
    """A program whose first word says what it shows."""
    rows = {
        verb: Tool(f"{name} {verb}", Kind.READ, description, operands=(INERT,) * operands or (), key_words=2)
        for verb in verbs.split()
    }
    return Tool(name, Kind.READ, description, allowed=False, subcommands=rows)


def _by_option(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    """`networksetup -getinfo Wi-Fi`: the first word is an option that says what is done, the others belong to it."""
    first = call.words[1].value if len(call.words) > 1 else None
    if first in _NETWORKSETUP:
        return Outcome(replace(action_of(tool), key=(tool.name, first)))
    facts: tuple[Fact, ...] = (unknown("option", f"`{tool.name}` may change a setting", call),)
    return Outcome(replace(action_of(tool), allowed=False), facts)


def _needs_an_option(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    """Without an option it reads commands, or changes the file that it is given."""
    parsed = parse(tool, call.words[1:])
    facts = facts_of(tool, call, parsed, analyst)
    if not parsed.given:
        facts = (*facts, unknown("inline code", f"without an option, `{tool.name}` does what it reads", call))
    return Outcome(action_of(tool), facts)


def _looks_around(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    """Names that end in `local` are asked for on this network and nowhere else."""
    found = _needs_an_option(tool, call, analyst)
    words = [w.value or "" for w in call.words[1:]]
    names = [word for word in words[1:] if "." in word and not word.startswith("_")]
    near = words[-1:] == ["local"] if not names else all(word.endswith(".local") for word in names)
    return replace(found, action=replace(found.action, says=(" ".join((tool.name, *words)),) if near else ()))


_NETWORKSETUP = frozenset(
    """
-listallhardwareports -listnetworkserviceorder -listallnetworkservices -listlocations -getcurrentlocation -getinfo
-getadditionalroutes -getdnsservers -getsearchdomains -getwebproxy -getsecurewebproxy -getsocksfirewallproxy
-getautoproxyurl -getproxybypassdomains -getmacaddress -getairportpower -getairportnetwork
-listpreferredwirelessnetworks -getcomputername -getnetworkserviceenabled -getMTU -version -getv6additionalroutes
-getproxyautodiscovery -getmedia -listvalidMTUrange -listVLANs -listBonds
""".split()
)
_ROWS = (
    replace(
        _shows("ipconfig", "shows addresses", "getifaddr getoption getpacket getv6packet getsummary ifcount"),
        examples=("ipconfig getifaddr en0", "ipconfig getoption en0 router"),
        counter_examples=("ipconfig set en0 DHCP", "ipconfig setverbose 1"),
    ),
    Tool(
        "networksetup",
        Kind.READ,
        "shows network settings",
        special=_by_option,
        key_words=2,
        examples=("networksetup -listallhardwareports", "networksetup -getinfo Wi-Fi"),
        counter_examples=("networksetup -setdnsservers Wi-Fi 192.0.2.1", "networksetup"),
    ),
    Tool(
        "system_profiler",
        Kind.READ,
        "shows the hardware and software of this machine",
        options="""
            flag    -xml -json -listDataTypes -usage
            value   -detailLevel -timeout
        """,
        operands=(INERT, ...),
        reading=Reading(single_dash_long=True),
        examples=("system_profiler SPHardwareDataType -json",),
        counter_examples=("system_profiler -o x",),
    ),
    Tool(
        "scutil",
        Kind.READ,
        "shows the network's state",
        options="""
            flag    --dns --proxy --nwi
            value   --get
        """,
        operands=(),
        special=_needs_an_option,
        examples=("scutil --dns", "scutil --get ComputerName"),
        counter_examples=("scutil", "scutil --set HostName x"),
    ),
    replace(
        _shows("wdutil", "shows the state of the wireless network", "info", 0),
        examples=("wdutil info",),
        counter_examples=("wdutil dump",),
    ),
    Tool(
        "airport",
        Kind.READ,
        "shows wireless networks",
        options="flag -s --scan -I --getinfo -x --xml",
        operands=(),
        special=_needs_an_option,
        examples=("airport -s",),
        counter_examples=("airport -z",),
    ),
    Tool(
        "dns-sd",
        Kind.NETWORK,
        "looks for services of the local network",
        options="flag -B -E -F -L -Q -q -G -Z -V",
        operands=(SENDS, SENDS, SENDS),
        special=_looks_around,
        examples=("dns-sd -B _http._tcp local", "dns-sd -G v4 printer.local", "dns-sd -Q printer.local A IN"),
        counter_examples=(
            "dns-sd -R x _http._tcp local 80",
            "dns-sd -P x _http._tcp local 80 host 192.0.2.1",
            'dns-sd -B "$(cat .env)"',
            "dns-sd -Q a.local A IN more",
        ),
    ),
)
TOOLS: dict[str, Tool] = {t.name: t for t in _ROWS}
