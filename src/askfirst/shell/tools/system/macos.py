"""Programs of macOS: the sub-commands that only look."""

from __future__ import annotations

from askfirst.model import Kind
from askfirst.shell.call import Outcome
from askfirst.shell.tools.engine import action_of, finish, row, unknown
from askfirst.shell.tools.options import parse
from askfirst.shell.tools.system.linux import verbs
from askfirst.shell.tools.table import ANY_OPTIONS, INERT, READS, Reading, Tool

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from askfirst.shell.call import Analyst, Call


def _security(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    """An entry of the keychain without its password (`-w` and `-g` show that)."""
    words = [w.value or "-w" for w in call.words[1:]]
    if words[:1] == ["verify-cert"] or words[:1] in (["find-generic-password"], ["find-internet-password"]):
        shown = any(w.startswith("-") and not w.startswith("--") and ("w" in w or "g" in w) for w in words[1:])
        return Outcome(
            action_of(tool).replace(key=("security", words[0]), allowed=words[0] == "verify-cert" or not shown)
        )
    return row(tool, call, analyst)


def _networksetup(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    """Every option that only looks begins with -list, -get or -show."""
    first = call.words[1].value if len(call.words) > 1 else ""
    allowed = bool(first) and str(first).startswith(("-list", "-get", "-show", "-help", "-printcommands", "-version"))
    return Outcome(action_of(tool).replace(key=("networksetup", str(first)), allowed=allowed))


def _textutil(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    """Without -stdout it writes a file beside its input."""
    parsed = parse(tool, call.words[1:])
    more = () if parsed.has("-stdout", "-info", "-help") else (unknown("option", "`textutil` writes a file", call),)
    return finish(tool, call, parsed, analyst, more=more)


def _dscl(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    """`dscl [OPTION] NODE VERB …`; without a verb it is a shell of its own."""
    words = [w.value or "" for w in call.words[1:]]
    while words[:1] and words[0] in ("-raw", "-plist", "-url", "-q"):
        words = words[1:]
    verb = words[1].lstrip("-") if len(words) > 1 and not words[0].startswith("-") else ""
    looks = verb in ("read", "readall", "list", "search", "readpl", "readpli", "diff")
    return Outcome(action_of(tool).replace(allowed=looks and all(w.value is not None for w in call.words)))


def _dashed(name: str, description: str, **fields: Any) -> Tool:
    return Tool(name, Kind.READ, description, reading=Reading(single_dash_long=True), **fields)


_ROWS = (
    Tool(
        "networksetup",
        Kind.READ,
        "shows network settings",
        operands=(INERT, ...),
        reading=ANY_OPTIONS,
        examples=("networksetup -getinfo Wi-Fi",),
        counter_examples=("networksetup -setdnsservers Wi-Fi 1.1.1.1",),
        special=_networksetup,
    ),
    verbs(
        "tmutil",
        "shows backups",
        "help version destinationinfo latestbackup listbackups listlocalsnapshotdates listlocalsnapshots "
        "machinedirectory "
        "uniquesize verifychecksums compare isexcluded status calculatedrift",
    ),
    verbs(
        "security",
        "shows certificates",
        "help find-certificate find-identity get-identity-preference dump-trust-settings "
        "verify-cert error "
        "list-smartcards requirement-evaluate",
        options="flag -q -v",
        special=_security,
    ),
    verbs(
        "launchctl",
        "shows services",
        "list print print-disabled print-cache dumpstate managerpid managername manageruid variant "
        "version help blame error "
        "hostinfo plist procinfo resolveport examine",
    ),
    verbs("profiles", "shows configuration profiles", "status list show validate version help"),
    verbs("hdiutil", "shows disk images", "help info verify imageinfo plugins isencrypted checksum pmap"),
    verbs("diskutil", "shows disks", "list info information listFilesystems activity"),
    verbs("scutil", "shows settings", "--get --dns --proxy --nwi -r"),
    verbs(
        "defaults",
        "shows settings",
        "read read-type find domains help",
        options="""
            flag    -currentHost -app -g
            value   -host
        """,
    ),
    verbs("spctl", "checks programs", "--assess -a --status"),
    Tool(
        "dscl",
        Kind.READ,
        "looks at users and groups",
        operands=(INERT, ...),
        reading=ANY_OPTIONS,
        examples=("dscl . -list /Users", "dscl -plist . -read /Users/ann"),
        counter_examples=("dscl . -create /Users/x", "dscl . -create /Users/x read", "dscl"),
        special=_dscl,
    ),
    verbs("softwareupdate", "lists updates", "-l --list --history"),
    verbs(
        "system_profiler",
        "shows hardware",
        "SPHardwareDataType SPSoftwareDataType SPDisplaysDataType SPStorageDataType "
        "SPUSBDataType SPMemoryDataType -listDataTypes",
    ),
    verbs(
        "pkgutil",
        "shows packages",
        "--pkgs --pkgs-plist --files --export-plist --pkg-info --pkg-info-plist --groups --groups-plist "
        "--group-pkgs --payload-files "
        "--file-info --file-info-plist --check-signature -h",
    ),
    _dashed(
        "sample",
        "samples a process",
        options="""
            flag    -mayDie -fullPaths -e -subst
            writes  -file -f
        """,
        operands=(INERT, ...),
    ),
    _dashed(
        "symbols",
        "shows symbols",
        options="""
            flag    -help -uuid -w -noSources -printDemangling -fullSourcePath
            value   -arch -lookup
        """,
        operands=(READS, ...),
    ),
    _dashed(
        "lipo", "shows architectures", options="flag -info -archs -detailed_info -verify_arch", operands=(READS, ...)
    ),
    _dashed(
        "sips",
        "shows image properties",
        options="""
            flag    -help
            value   -g,--getProperty -getProperty
        """,
        operands=(READS, ...),
    ),
    _dashed(
        "md5",
        "computes checksums",
        options="""
            flag    -p -q -r -t -x
            value   -s -c
        """,
        operands=(READS, ...),
    ),
    _dashed("sw_vers", "shows the version of the system", options="flag -productName -productVersion -buildVersion"),
    _dashed(
        "mdimport",
        "shows metadata",
        options="""
            flag    -t -d1 -d2 -d3 -d4 -A -X -L -n
            asks    -r -i -p -o: changes the index
        """,
        operands=(READS, ...),
    ),
    _dashed(
        "qlmanage",
        "previews files",
        options="""
            flag    -m -p -t -x -h
            value   -s
            asks    -r -o -g -c: writes or loads generators
        """,
        operands=(READS, ...),
    ),
    _dashed(
        "xattr",
        "shows attributes",
        options="""
            flag    -l -x -r -s -v -lx -lr -lxr
            value   -p
            asks    -w -d -c: changes attributes
        """,
        operands=(INERT, ...),
    ),
    _dashed(
        "codesign",
        "checks signatures",
        options="""
            flag    -d -v -vv -vvv -h --display --verify --verbose --deep --strict --check-notarization
            flag    --validate-constraint
            writes  --entitlements
            asks    -s,--sign -f,--force --remove-signature -R: signs
        """,
        operands=(INERT, ...),
    ),
    _dashed(
        "textutil",
        "shows documents",
        options="""
            flag    -info -stdout -help
            value   -cat -encoding
            asks    -convert -output -extension: writes
        """,
        operands=(READS, ...),
        special=_textutil,
    ),
    _dashed(
        "compression_tool",
        "compresses its input",
        options="""
            flag    -encode -decode -h
            value   -a -A -b -t
            reads   -i
            writes  -o
        """,
        operands=(INERT, ...),
    ),
    Tool(
        "say",
        Kind.READ,
        "speaks",
        options="""
            value   -v -r
            writes  -o
            reads   -f
        """,
        operands=(INERT, ...),
    ),
    Tool(
        "open", Kind.OTHER, "opens a file with its program", allowed=False, operands=(INERT, ...), reading=ANY_OPTIONS
    ),
    Tool("xcode-select", Kind.READ, "shows the developer directory", options="flag -p,--print-path -v", operands=()),
)

TOOLS: dict[str, Tool] = {t.name: t for t in _ROWS}
