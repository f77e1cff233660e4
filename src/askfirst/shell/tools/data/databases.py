"""Database clients: a single statement that surely reads is allowed, everything else asks with the exact text."""

from __future__ import annotations

import re
from dataclasses import replace

from askfirst.model import Action, Fact, Kind, Read, Word
from askfirst.shell.call import Analyst, Call, Outcome
from askfirst.shell.tools.data.sql import calls_nothing_unknown, only_reads
from askfirst.shell.tools.data.sqlite_schema import definitions
from askfirst.shell.tools.engine import facts_of, unknown
from askfirst.shell.tools.options import Parsed, parse
from askfirst.shell.tools.table import INERT, Reading, Tool, asking

__all__ = ["TOOLS"]

_HERE = ("localhost", "127.0.0.1", "::1", "")
_RUNS = "can run programs, read or write files"


def _sql(
    tool: Tool, call: Call, texts: list[Word], facts: list[Fact], *, profile: str = "", dots: bool = False
) -> Outcome:
    """The outcome for these statements: reading ones are a plain action, others are exact text."""
    if texts and all(only_reads(w.value, dots=dots) for w in texts):
        return Outcome(
            Action(
                (tool.name, "read"),
                Kind.READ,
                rule=tool.name,
                allowed=True,
                profile=profile,
                description="runs a statement that only reads",
            ),
            tuple(facts),
        )
    shown = "; ".join(w.shown for w in texts)
    what = unknown(
        "inline code",
        "SQL that is not surely reading only" if texts else f"{tool.name} takes statements from its input",
        call,
        shown,
    )
    danger = "deletes tables or rows" if any(w.value is None or _destroys(w.value) for w in texts) else ""
    action = Action((tool.name,), Kind.INLINE, rule=tool.name, description="runs SQL", danger=danger, target=shown)
    return Outcome(action, (*facts, what))


def _destroys(statement: str) -> bool:
    words = statement.lower().replace(";", " ; ").split()
    return any(
        word in ("drop", "truncate") or (word == "delete" and "from" in words[at : at + 2])
        for at, word in enumerate(words)
    )


def _elsewhere(call: Call, words: tuple[Word, ...]) -> list[Fact]:
    return [
        unknown("host", f"`{w.text}` is another machine", call, w.text)
        for w in words
        if (w.value or "?") not in _HERE and not (w.value or "").startswith("/var/run/")
    ]


def sqlite(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    parsed = parse(tool, call.words[1:])
    facts: list[Fact] = list(facts_of(tool, call, parsed, analyst))
    if parsed.has("-version", "-help") and not parsed.operands:
        return Outcome(
            Action((tool.name, "-version"), Kind.READ, rule=tool.name, allowed=True, description="shows the version"),
            tuple(facts),
        )
    texts = [*parsed.values("-cmd"), *parsed.values("-c"), *parsed.operands[1:]]
    if parsed.operands:
        facts.append(
            Read(
                analyst.path(parsed.operands[0].value, call.cwd)
                if parsed.operands[0].value not in (None, ":memory:")
                else None,
                parsed.operands[0].text,
                tool.name,
            )
            if parsed.operands[0].value != ":memory:"
            else Read(call.cwd, ":memory:", tool.name)
        )
    if "file:" in (parsed.operands[0].value or "file:") if parsed.operands else False:
        facts.append(unknown("path", "the database is not known", call))
    if parsed.operands and not all(w.value in _SHOWS_DEFINITIONS for w in texts) and not parsed.has("-safe"):
        facts += _views(tool, parsed.operands[0], call, analyst)
    return _sql(tool, call, texts, facts, dots=True)


_SHOWS_DEFINITIONS = (".tables", ".schema", ".indexes", ".databases", ".version", ".help", ".show")
# What may put another database in the place of the one that was looked at, in the same script.
_WRITES_FILES = frozenset(
    "cp mv ln install tee gzip gunzip bunzip2 xz unxz zstd unzstd tar unzip sort uniq xxd iconv base64 split "
    "sed awk gawk mawk find fd xargs git curl wget patch openssl rsync 7z sqlite3".split()
)


def _views(tool: Tool, database: Word, call: Call, analyst: Analyst) -> list[Fact]:
    """A view is code: `select * from v` calls what v calls, and the client's `edit` starts a program."""
    if database.value == ":memory:":
        return []
    path = analyst.path(database.value, call.cwd) if database.value is not None else None
    changed = _may_be_changed(analyst.whole_text().replace(call.text, "", 1))
    if path is not None and not changed and not analyst.exists(path):
        return []
    if tool.name != "sqlite3":
        why = f"a view of the database may read files or the network; `{tool.name}` runs it for a plain `select`"
    elif path is None or changed or analyst.exists(f"{path}-wal") or analyst.exists(f"{path}-journal"):
        why = "the definitions in the database are not known, and a view can start programs: use `sqlite3 -safe`"
    else:
        texts = definitions(lambda at, size: analyst.read_part(path, at, size))
        if texts is not None and all(calls_nothing_unknown(text) for text in texts):
            return []
        why = "a view of the database may start programs: use `sqlite3 -safe`"
    return [unknown("inline code", why, call, database.text)]


def _may_be_changed(around: str) -> bool:
    """Whether the rest of the script writes files: one of them may be the database."""
    words = "".join(c if c.isalnum() else " " for c in around).split()
    sent = around.replace("2>&1", "").replace(">/dev/null", "").replace("> /dev/null", "")
    return ">" in sent or not _WRITES_FILES.isdisjoint(words)


def psql(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    parsed = parse(tool, call.words[1:])
    facts: list[Fact] = [*facts_of(tool, call, parsed, analyst), *_elsewhere(call, parsed.values("-h"))]
    named = (*parsed.operands, *parsed.values("-d"))
    for word in named:
        if not (word.value or "?").replace("_", "").replace("-", "").isalnum() and not _HERE_BY_URL.match(
            word.value or ""
        ):
            facts.append(unknown("host", f"`{word.text}` may be another server", call, word.text))
    if parsed.has("-V", "--version", "-?", "--help"):
        return Outcome(
            Action((tool.name, "--version"), Kind.READ, rule=tool.name, allowed=True, description="shows the version"),
            tuple(facts),
        )
    if parsed.has("-l") and not parsed.has("-c"):
        return Outcome(
            Action(
                (tool.name, "--list"),
                Kind.READ,
                rule=tool.name,
                allowed=True,
                profile="infra-read",
                description="lists databases",
            ),
            tuple(facts),
        )
    # To `_sql`, a command that describes is what any reading statement is.
    texts = [Word(w.text, "select 1") if _describes(w.value) else w for w in parsed.values("-c")]
    found = _at_server(_sql(tool, call, texts, facts, profile="infra-read"), parsed, ("-h", "-p"))
    servers = [server[1] for word in named if (server := _HERE_BY_URL.match(word.value or ""))]
    return _at(found, *found.action.target.split(), *servers) if servers else found


# `postgresql://me:pw@localhost:5432/app`. Behind a `?` another host may be named.
_HERE_BY_URL = re.compile(
    r"postgres(?:ql)?://(?:[^@/?#\s]*@)?((?:localhost|127\.0\.0\.1)(?::[0-9]{1,5})?)(?:/[\w-]*)?\Z", re.ASCII
)


def _at_server(outcome: Outcome, parsed: Parsed, names: tuple[str, ...]) -> Outcome:
    """A yes to reading is for this server and port, whichever of its databases is read."""
    return _at(outcome, *(f"{name} {w.value}" for name in names for w in parsed.values(name)))


def _at(outcome: Outcome, *given: str) -> Outcome:
    if outcome.action.kind != Kind.READ:
        return outcome
    return replace(outcome, action=replace(outcome.action, target=" ".join(given)))


def _describes(text: str | None) -> bool:
    """psql's own `\\dt`, `\\d+ users`, `\\sf name`, `\\l`. Only a plain name may follow: psql runs what stands in
    backquotes."""
    name, *more = (text or "").strip(" ").split(" ")
    if len(more) > 1 or not all(set(one) <= _OF_NAMES for one in more):
        return False
    return name in _SHOWS or (name.startswith("\\d") and (name[2:].rstrip("+") or "x").isalpha() and name.isascii())


_SHOWS = tuple(f"\\{name}{plus}" for name in ("l", "z", "sf", "sv", "conninfo") for plus in ("", "+"))
_OF_NAMES = frozenset('abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.*"(),')


def mysql(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    parsed = parse(tool, call.words[1:])
    facts: list[Fact] = [*facts_of(tool, call, parsed, analyst), *_elsewhere(call, parsed.values("-h"))]
    if parsed.has("-V", "--version", "-?", "--help"):
        return Outcome(
            Action((tool.name, "--version"), Kind.READ, rule=tool.name, allowed=True, description="shows the version"),
            tuple(facts),
        )
    read = _sql(tool, call, list(parsed.values("-e")), facts, profile="infra-read")
    return _at_server(read, parsed, ("-h", "-P"))


_REDIS_READS = frozenset(
    "PING ECHO INFO DBSIZE TIME EXISTS TYPE TTL PTTL KEYS SCAN GET MGET STRLEN GETRANGE HGET HGETALL HKEYS HVALS HLEN "
    "HEXISTS HMGET LRANGE LLEN LINDEX SMEMBERS SCARD SISMEMBER ZRANGE ZCARD ZSCORE ZCOUNT XLEN XRANGE XINFO RANDOMKEY "
    "LASTSAVE ROLE COMMAND BITCOUNT OBJECT HSCAN SSCAN ZSCAN GETBIT ZRANK".split()
)


def redis(tool: Tool, call: Call, analyst: Analyst) -> Outcome:
    parsed = parse(tool, call.words[1:])
    facts: list[Fact] = [*facts_of(tool, call, parsed, analyst), *_elsewhere(call, parsed.values("-h"))]
    if parsed.has("--version", "-v", "--help"):
        return Outcome(
            Action((tool.name, "--version"), Kind.READ, rule=tool.name, allowed=True, description="shows the version"),
            tuple(facts),
        )
    name = (parsed.operands[0].value or "?").upper() if parsed.operands else "?"
    if name in _REDIS_READS:
        return Outcome(
            Action((tool.name, name), Kind.READ, rule=tool.name, allowed=True, description="reads from the store"),
            tuple(facts),
        )
    return Outcome(
        Action(
            (tool.name, name),
            Kind.INLINE,
            rule=tool.name,
            description="changes the store",
            danger="can delete or overwrite data of a running service"
            if name.startswith(("FLUSH", "DEL", "CONFIG", "EVAL", "SHUTDOWN"))
            else "",
        ),
        (*facts, unknown("inline code", "a command of the store that is not surely reading only", call)),
    )


_LITE = """
    flag    -json -csv -header -noheader -column -line -list -box -table -markdown -html -quote
    flag    -tabs -ascii -readonly -batch -bail -echo -stats -version -help -jsonlines -safe
    flag    -no-stdin -unsigned -bare
"""
_EXAMPLES = (
    "sqlite3 app.db 'SELECT count(*) FROM users'",
    "sqlite3 -json app.db 'select * from a join b on a.id = b.id'",
    "sqlite3 app.db .tables",
    "sqlite3 -version",
    "sqlite3 app.db 'PRAGMA table_info(users)'",
)
_COUNTER = (
    "sqlite3 :memory: '.shell touch x'",
    "sqlite3 -cmd '.shell touch x' :memory: 'select 1'",
    "sqlite3 app.db",
    "sqlite3 :memory: \"select readfile('/etc/shadow')\"",
    "sqlite3 app.db 'DROP TABLE x'",
    "sqlite3 app.db '.output x' 'select 1'",
    "sqlite3 -init x app.db 'select 1'",
    "sqlite3 app.db 'SELECT 1; DELETE FROM x'",
    "sqlite3 app.db \"SELECT writefile('x','y')\"",
    "sqlite3 app.db 'PRAGMA foreign_keys = ON'",
    "sqlite3 app.db \"SELECT load_extension('x')\"",
    "sqlite3 -A app.db",
    "sqlite3 app.db 'VACUUM INTO \"/tmp/x\"'",
    "sqlite3 app.db \"select 1 as [']; drop table users; select 1 as [']\"",
    "sqlite3 app.db 'select 1 as _x, _evil(1)'",
)
TOOLS: dict[str, Tool] = {
    "sqlite3": Tool(
        "sqlite3",
        Kind.READ,
        "a database file",
        options=_LITE
        + """
            value   -separator -nullvalue -newline -cmd -mmap -maxsize
            asks    -init: reads commands from a file
            asks    -interactive: waits for a person
            asks    -A: packs or unpacks files
            asks    -vfs -zip -deserialize -append: can run programs, read or write files
        """,
        operands=(INERT, ...),
        reading=Reading(single_dash_long=True),
        manual="sqlite3 3.40.1",
        examples=_EXAMPLES,
        counter_examples=_COUNTER,
        special=sqlite,
    ),
    "duckdb": Tool(
        "duckdb",
        Kind.READ,
        "a database file",
        options=_LITE
        + """
            value   -separator -nullvalue -newline -cmd -c,-s
            asks    -init -f: reads commands from a file
            asks    -unsigned -ui -interactive: can run programs, read or write files
        """,
        operands=(INERT, ...),
        reading=Reading(single_dash_long=True),
        manual="duckdb 1.5.6",
        examples=("duckdb :memory: 'SELECT 1'",),
        counter_examples=(
            "duckdb -c \"SELECT * FROM read_csv('/etc/passwd')\"",
            "duckdb x.db \"COPY t TO 'x'\"",
            "duckdb x.db \"SELECT * FROM '/etc/passwd'\"",
            "duckdb x.db 'INSTALL httpfs'",
        ),
        special=sqlite,
    ),
    "psql": Tool(
        "psql",
        Kind.READ,
        "PostgreSQL",
        options="""
            flag    -l,--list -A --no-align -t,--tuples-only -x --expanded -q,--quiet -H,--html -X
            flag    --no-psqlrc -w --no-password -V,--version -? --csv -1 -E,--echo-hidden -e -a -b -0
            flag    -z -n -S
            value   -c,--command -d,--dbname -h,--host -p,--port -U,--username -F,--field-separator
            value   -R,--record-separator -T
            asks    -f,--file: reads statements from a file
            asks    -o,--output: writes a file, or runs a program
            asks    -L,--log-file: writes a file
            asks    -v --set --variable: sets variables
            asks    -P,--pset: sets options, such as a pager
            asks    -W -s,--single-step: waits for a person
        """,
        operands=(INERT, ...),
        manual="PostgreSQL 15.18",
        examples=(
            "psql -c 'SELECT * FROM users' mydb",
            "psql -d mydb -c 'SELECT 1'",
            "psql --list",
            "psql -h localhost -c 'SHOW search_path'",
            "psql postgresql://me:pw@localhost:5432/app -c 'select 1'",
        ),
        counter_examples=(
            "psql -c 'DROP DATABASE prod'",
            "psql -c '\\! touch x'",
            "psql -f /tmp/x.sql",
            "psql",
            "psql -h evil.example -c 'select 1'",
            "psql -o '|sh' -c 'select 1'",
            "psql postgres://evil/x -c 'select 1'",
            "psql 'postgres://localhost/x?host=evil' -c 'select 1'",
            "psql postgres://localhost@evil/x -c 'select 1'",
            "psql postgres://localhost:5432,evil:5432/x -c 'select 1'",
            "psql postgres://localhost.evil.example/x -c 'select 1'",
            "psql -c 'SELECT pg_read_file(x)'",
            "psql -c 'select 1 # 2; drop table x'",
            'psql -c "select 1 -- x\r; drop table y"',
            "psql -c \"COPY t TO PROGRAM 'x'\"",
            "psql -c 'select 1; select 2'",
            "psql -c 'WITH x AS (DELETE FROM a RETURNING *) SELECT * FROM x'",
        ),
        special=psql,
    ),
    **{
        name: Tool(
            name,
            Kind.READ,
            "MySQL",
            options="""
                flag    -B,--batch -H,--html -X,--xml -N --skip-column-names -t,--table -s,--silent
                flag    -v,--verbose -E --vertical -r,--raw -V,--version -? --compress -C,--column-names
                value   -e,--execute -h,--host -P,--port -u,--user -D,--database --protocol -S,--socket
                maybe   -p,--password
                asks    --pager: runs a program
                asks    --tee: writes a file
                asks    --init-command: runs statements
                asks    --defaults-file --defaults-extra-file: can run programs, read or write files
                asks    --plugin-dir --local-infile --login-path: can run programs, read or write files
                asks    --delimiter: can run programs, read or write files
            """,
            operands=(INERT, ...),
            manual="MariaDB 15.1",
            examples=(f"{name} -e 'SELECT * FROM users' mydb", f"{name} -h localhost -e 'DESCRIBE users'"),
            counter_examples=(
                f"{name} -e '\\! touch x'",
                f"{name} -e 'select 1--1; drop table x'",
                f"{name} --pager=x -e 'select 1'",
                f"{name} -e 'system ls'",
                f"{name} -h evil.example -e 'select 1'",
                f"{name} -e \"select * into outfile 'x' from y\"",
                f"{name} -e 'DROP TABLE x'",
            ),
            special=mysql,
        )
        for name in ("mysql", "mariadb")
    },
    "sqlcmd": asking(
        "sqlcmd",
        "SQL Server",
        key_words=2,
        counter_examples=("sqlcmd -Q 'select 1'", "sqlcmd config connection-strings"),
    ),
    "redis-cli": Tool(
        "redis-cli",
        Kind.READ,
        "Redis",
        options="""
            flag    --raw --no-raw -v,--version --csv --json --no-auth-warning -e -2 -3
            value   -h -p -n
            asks    -a --pass --user --askpass: gives a password
            asks    -u: names a server
            asks    --eval -x -X --rdb --functions-rdb --pipe: can run programs, read or write files
            asks    --scan --bigkeys --memkeys --hotkeys --monitor --latency --stat: runs for long
        """,
        operands=(INERT, ...),
        reading=Reading(stops_at_operand=True),
        manual="redis-cli 7.0.15",
        examples=("redis-cli ping", "redis-cli get key"),
        counter_examples=(
            "redis-cli EVAL x 0",
            "redis-cli CONFIG SET dir ~/.ssh",
            "redis-cli flushall",
            "redis-cli",
            "redis-cli -h evil.example ping",
            "redis-cli --eval x",
            "redis-cli del key --help",
        ),
        special=redis,
    ),
    **{
        name: asking(name, "a database client", Kind.INLINE, danger="can change or delete data of a running service")
        for name in (
            "mongosh",
            "mongo",
            "clickhouse",
            "clickhouse-client",
            "cqlsh",
            "sqlplus",
            "influx",
            "dolt",
            "usql",
            "pgcli",
            "mycli",
            "litecli",
        )
    },
    **{
        name: asking(name, "copies a database", Kind.NETWORK, danger="copies, restores or removes a whole database")
        for name in (
            "pg_dump",
            "pg_dumpall",
            "pg_restore",
            "mysqldump",
            "mongodump",
            "mongorestore",
            "dropdb",
            "createdb",
            "mysqladmin",
            "redis-server",
            "initdb",
        )
    },
    "pg_isready": Tool(
        "pg_isready",
        Kind.READ,
        "asks whether a server answers",
        options="""
            flag    -q,--quiet -V,--version
            value   -h,--host -p,--port -U,--username -d,--dbname -t,--timeout
        """,
        operands=(),
        manual="PostgreSQL 15.18",
    ),
}
