"""Whether an SQL text surely only reads. Not a parser: a short list of what is known to be harmless, and everything else is not.

One statement; it begins with a reading word; no word in it writes; every function it calls is in the list. Client commands
(`\\!`, `.shell`, `system`) never pass.
"""

from __future__ import annotations

__all__ = ["only_reads"]

_BEGINS = frozenset("select show describe desc explain with values table".split())
_WRITES = frozenset(
    (
        "insert update delete drop create alter truncate replace merge grant revoke call exec execute do copy into load lock unlock set "
        "reset attach detach vacuum reindex analyze-table comment import export install pragma "
        "rename begin commit rollback savepoint release prepare deallocate listen notify unlisten discard cluster refresh reassign security"
        " handler kill flush shutdown purge optimize repair msck outfile dumpfile "
        "infile use source system checkpoint unload optimize cache uncache add invoke openrowset opendatasource bulk waitfor shutdown "
        "xp_cmdshell pg_shadow pg_authid pg_user_mapping authentication_string"
    ).split()
)
_FUNCTIONS = frozenset(
    (
        "count sum avg min max length char_length octet_length lower upper substr substring coalesce ifnull nullif round abs ceil ceiling "
        "floor mod power sqrt date time datetime julianday strftime now current_date current_timestamp to_char to_date "
        "date_trunc date_part extract year month day age cast convert typeof pg_typeof group_concat string_agg array_agg json_agg jsonb_agg"
        " json_extract json_array_length json_each jsonb_each json_object json_build_object concat concat_ws trim ltrim rtrim "
        "replace left right lpad rpad split_part position instr strpos row_number rank dense_rank lag lead first_value last_value ntile "
        "over partition in exists any all values distinct as and or not on where when then else using interval rollup cube filter within "
        "case array unnest generate_series greatest least iif total printf format hex random median stddev variance percentile_cont "
        "pg_size_pretty pg_database_size pg_total_relation_size pg_relation_size pg_table_size version current_database current_user "
        "current_schema database schema from_unixtime unix_timestamp date_format datediff dateadd timestampdiff regexp_matches regexp_match"
        " regexp_replace array_length cardinality bool_and bool_or every md5 sha256 range list struct row varchar char decimal numeric "
        "int bigint text "
        "isnull len getdate isnumeric charindex stuff top select"
    ).split()
)
_PRAGMAS = frozenset(
    "table_info table_xinfo index_list index_info index_xinfo foreign_key_list database_list table_list "
    "compile_options collation_list function_list integrity_check quick_check user_version schema_version encoding page_count page_size "
    "journal_mode freelist_count".split()
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
        return len(words) in (2, 4) and words[1] in _PRAGMAS and "=" not in text
    if words[0] not in _BEGINS:
        return False
    tables = False
    for index, word in enumerate(words):
        following = words[index + 1] if index + 1 < len(words) else ""
        if word in ("?", ";") or (word in _WRITES and not (word == "replace" and following == "(")):
            return False
        if following == "(" and word not in ("(", "'") and word not in _FUNCTIONS:
            return False
        # DuckDB reads a file that stands where a table would: FROM 'file.csv'.
        if word in ("from", "join"):
            tables = True
        elif word in ("where", "on", "group", "order", "limit", "having", "using", "select"):
            tables = False
        elif tables and word == "'":
            return False
    return True


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
    """Lower-case words, `(`, `'` for any quoted text, `;` and `?` for what is not understood. A single `;` at the end is dropped."""
    found: list[str] = []
    at, size = 0, len(text)
    while at < size:
        char = text[at]
        if char.isspace() or char in "),.*+-/<>=%|&^~:[]{}!@#":
            if char == "#" or (text.startswith("--", at) and not text[at + 2 : at + 3].isspace() and at + 2 < size):
                return [*found, "?"]  # a comment to one database, an operator to another
            if char == "[" and not _is_index(text, at):
                return [*found, "?"]  # SQLite: a name in brackets, which may hold a quote
            if text.startswith("--", at):
                end = text.find("\n", at)
                at = size if end < 0 else end
            elif text.startswith("/*", at):
                if text.startswith("/*!", at) or text.startswith("/*+", at):
                    return [*found, "?"]  # MySQL runs what stands in such a comment
                end = text.find("*/", at + 2)
                if end < 0:
                    return [*found, "?"]
                at = end + 2
            else:
                at += 1
            continue
        if char in "'\"`":
            end = text.find(char, at + 1)
            if end < 0:
                return [*found, "?"]
            inner = text[at + 1 : end].lower()
            found.append("'" if char == "'" else inner if inner.replace("_", "").replace(" ", "").isalnum() else "?")
            at = end + 1
        elif char == "$" and not text[at + 1 : at + 2].isdigit():
            return [*found, "?"]  # PostgreSQL: `$$'$$` is a string that holds a quote
        elif char in "(;$?":
            found.append(char if char in "(;" else "x")
            at += 1
        elif char.isalnum() or char == "_" or ord(char) > 127:
            end = at
            while end < size and (text[end].isalnum() or text[end] == "_" or ord(text[end]) > 127):
                end += 1
            found.append(text[at:end].lower())
            at = end
        else:
            return [*found, "?"]
    if found and found[-1] == ";":
        found.pop()
    return found
