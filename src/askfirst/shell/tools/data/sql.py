"""Whether an SQL text surely only reads. Not a parser: what is not on a short list of harmless words does not pass.

One statement; it begins with a reading word; no word in it writes; every function it calls is in the list. Client
commands (`\\!`, `.shell`, `system`) never pass.
"""

from __future__ import annotations

__all__ = ["calls_nothing_unknown", "only_reads"]

_BEGINS = frozenset("select show describe desc explain with values table".split())
_WRITES = frozenset(
    (
        "insert update delete drop create alter truncate replace merge grant revoke call exec execute do copy into "
        "load lock unlock set reset attach detach vacuum reindex analyze-table comment import export install pragma "
        "rename begin commit rollback savepoint release prepare deallocate listen notify unlisten discard cluster "
        "refresh reassign security handler kill flush shutdown purge optimize repair msck outfile dumpfile infile use "
        "source system checkpoint unload optimize cache uncache add invoke openrowset opendatasource bulk waitfor "
        "shutdown xp_cmdshell pg_shadow pg_authid pg_user_mapping authentication_string global_priv"
    ).split()
)
_FUNCTIONS = frozenset(
    (
        "count sum avg min max length char_length octet_length lower upper substr substring coalesce ifnull nullif "
        "round abs ceil ceiling floor mod power sqrt date time datetime julianday strftime now current_date "
        "current_timestamp to_char to_date date_trunc date_part extract year month day age cast convert typeof "
        "pg_typeof group_concat string_agg array_agg json_agg jsonb_agg json_extract json_array_length json_each "
        "jsonb_each json_object json_build_object concat concat_ws trim ltrim rtrim replace left right lpad rpad "
        "split_part position instr strpos row_number rank dense_rank lag lead first_value last_value ntile over "
        "partition in exists any all values distinct as and or not on where when then else using interval rollup cube "
        "filter within case array unnest generate_series greatest least iif total printf format hex random median "
        "stddev variance percentile_cont pg_size_pretty pg_database_size pg_total_relation_size pg_relation_size "
        "pg_table_size version current_database current_user current_schema database schema from_unixtime "
        "unix_timestamp date_format datediff dateadd timestampdiff regexp_matches regexp_match regexp_replace "
        "array_length cardinality bool_and bool_or every md5 sha256 range list struct row varchar char decimal "
        "numeric int bigint text isnull len getdate isnumeric charindex stuff top select"
    ).split()
)
_PRAGMAS_ABOUT = frozenset(
    "table_info table_xinfo index_list index_info index_xinfo foreign_key_list table_list".split()
)
# With a value (`user_version(5)`) these are set.
_PRAGMAS = frozenset(
    "database_list compile_options collation_list function_list user_version schema_version encoding "
    "page_count page_size journal_mode freelist_count".split()
)


def only_reads(text: str | None, *, dots: bool = False) -> bool:
    """Whether one SQL text is a single reading statement. `dots`: a few of sqlite3's own commands pass too."""
    if text is None or "\\" in text or "\x00" in text or "\r" in text:  # PostgreSQL ends a comment at a carriage return
        return False
    if dots and text.strip().startswith("."):
        return _plain_dot(text.strip())
    words = _words(text)
    if not words:
        return False
    if dots and words[0] == "pragma":
        return _plain_pragma(words[1:]) and "=" not in text
    pairs = zip(words, [*words[1:], ""], strict=True)
    return words[0] in _BEGINS and all(_is_harmless(w, after) for w, after in pairs) and not _reads_file(words)


def _plain_pragma(words: list[str]) -> bool:
    """`user_version`, `table_info(users)`."""
    about = words[:1] and words[0] in _PRAGMAS_ABOUT
    return len(words) in ((1, 3) if about else (1,)) and bool(about or words[0] in _PRAGMAS)


_VIRTUAL = ("fts3", "fts4", "fts5", "rtree", "geopoly")


def calls_nothing_unknown(definition: str) -> bool:
    """Whether reading from what a CREATE text defines calls only functions of the list."""
    words = _words(definition)
    if words[:2] == ["create", "virtual"]:
        return any(w == "using" and after in _VIRTUAL for w, after in zip(words, [*words[1:], ""], strict=True))
    if words[:2] in (["create", "table"], ["create", "index"], ["create", "trigger"]) or words[:3] == [
        "create",
        "unique",
        "index",
    ]:
        return True  # what these call must be deterministic, or runs only when something is written
    pairs = zip(words, [*words[1:], ""], strict=True)
    return "?" not in words and all(after != "(" or w in ("(", "'") or w in _FUNCTIONS for w, after in pairs)


def _is_harmless(word: str, following: str) -> bool:
    if (word, following) == ("mysql", "user"):
        return False  # its passwords
    if word in ("?", ";") or (word in _WRITES and (word, following) != ("replace", "(")):
        return False
    return following != "(" or word in ("(", "'") or word in _FUNCTIONS


def _reads_file(words: list[str]) -> bool:
    """DuckDB reads a file, or an address, that stands where a table would: FROM 'file.csv', DESCRIBE 'file.csv'."""
    tables = False
    for word in words:
        if word in ("from", "join", "describe", "desc", "show", "summarize", "table"):
            tables = True
        elif word in ("where", "on", "group", "order", "limit", "having", "using", "select"):
            tables = False
        elif tables and word == "'":
            return True
    return False


def _plain_dot(text: str) -> bool:
    parts = text.split()
    return (
        "\n" not in text
        and parts[0]
        in (".tables", ".schema", ".indexes", ".indices", ".databases", ".fullschema", ".version", ".help", ".show")
        and all(p.replace("_", "").isalnum() for p in parts[1:])
    )


def _is_index(text: str, at: int) -> bool:
    """`[1]`, `[a_b]`: an index or a plain name."""
    end = text.find("]", at)
    return end > 0 and text[at + 1 : end].replace("_", "").replace(":", "").replace(",", "").replace(" ", "").isalnum()


def _words(text: str) -> list[str]:
    """Lower-case words, `(`, `'` for any quoted text, `;` and `?` for what is not understood.

    A single `;` at the end is dropped.
    """
    found: list[str] = []
    at = 0
    while 0 <= at < len(text):
        char = text[at]
        if char.isspace() or char in "),.*+-/<>=%|&^~:[]{}!@#":
            at = _after_mark(text, at)
        elif char in "'\"`":
            word, at = _quoted(text, at)
            found.append(word)
        elif char in "(;?" or (char == "$" and text[at + 1 : at + 2].isdigit()):
            found.append(char if char in "(;" else "x")
            at += 1
        elif _is_letter(char):
            end = next((i for i in range(at, len(text)) if not _is_letter(text[i])), len(text))
            found.append(text[at:end].lower())
            at = end
        else:
            at = -1  # among them PostgreSQL's `$$'$$`, a string that holds a quote
    if at < 0:
        return [*found, "?"]
    return found[:-1] if found[-1:] == [";"] else found


def _is_letter(char: str) -> bool:
    return char.isalnum() or char == "_" or ord(char) > 127


def _after_mark(text: str, at: int) -> int:
    """Behind a blank, an operator or a comment; -1 for what databases read differently."""
    if text[at] == "#":
        return -1  # a comment to one database, an operator to another
    if text[at] == "[" and not _is_index(text, at):
        return -1  # SQLite: a name in brackets, which may hold a quote
    if text.startswith("--", at):
        if at + 2 < len(text) and not text[at + 2].isspace():
            return -1  # MySQL: no comment
        end = text.find("\n", at)
        return len(text) if end < 0 else end
    if text.startswith("/*", at):
        if text.startswith(("/*!", "/*+"), at):
            return -1  # MySQL runs what stands in such a comment
        end = text.find("*/", at + 2)
        return end + 2 if end >= 0 else -1
    return at + 1


def _quoted(text: str, at: int) -> tuple[str, int]:
    """A quoted text as a word, and where it ends; -1 when it does not."""
    end = text.find(text[at], at + 1)
    if end < 0:
        return "?", -1
    if text[at] == "'":
        return "'", end + 1
    inner = text[at + 1 : end].lower()
    return inner if inner.replace("_", "").replace(" ", "").isalnum() else "?", end + 1
