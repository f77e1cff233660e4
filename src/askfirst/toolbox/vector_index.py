"""The second index behind search_knowledge, where the user has named a model: the same parts of files as vectors, kept
by sqlite-vec in a file of its own. It follows the index of words (search_index.py): a file whose content has changed is
embedded anew, and what has left that one leaves this one.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from typing import Any

from askfirst.digest import sha256_hex
from askfirst.toolbox.embedding import EXTRA, EmbeddingModel, NoEmbedding

BATCH = 64  # parts that are embedded at once
MAX_TEXT_CHARS = 1000  # of a part: models look at no more
Part = tuple[int, str]  # (the number of a part in the index of words, its text)


class VectorIndex:
    """One project's, of one model: another model, or another state of it, has a file of its own."""

    def __init__(self, words_file: str, model: EmbeddingModel) -> None:
        self.model = model
        state = os.stat(os.path.join(model.path, "config.json"))
        name = sha256_hex(f"{model.path}\0{model.dimensions}\0{state.st_mtime_ns}")[:12]
        self.file = f"{words_file.removesuffix('.sqlite')}-{name}.vectors"

    @contextmanager
    def _open(self) -> Iterator[Any]:
        with closing(_connection(self.file)) as base:
            os.chmod(self.file, 0o600)
            base.execute("create table if not exists files (id integer primary key, hash text)")
            base.execute("create table if not exists parts (id integer primary key, file integer)")
            base.execute(
                "create virtual table if not exists vectors using vec0"
                f"(embedding float[{self.model.dimensions}] distance_metric=cosine)"
            )
            yield base

    def follow(self, words: sqlite3.Connection, progress: Callable[[int, int], None]) -> None:
        """Bring it to the state of the index of words."""
        wanted = dict(words.execute(_STATES))
        with self._open() as base:
            known = dict(base.execute("select id, hash from files"))
            for file in known.keys() - wanted.keys():
                _forget(base, file)
            new = [file for file, digest in wanted.items() if known.get(file) != digest]
            for number, file in enumerate(new):
                progress(number, len(new))
                _forget(base, file)
                self._add(base, file, list(words.execute(_PARTS, (file,))))
                base.execute("insert into files values (?, ?)", (file, wanted[file]))
                base.commit()
            base.commit()

    def _add(self, base: Any, file: int, parts: list[Part]) -> None:
        for start in range(0, len(parts), BATCH):
            batch = parts[start : start + BATCH]
            found = self.model.vectors([text[:MAX_TEXT_CHARS] for _, text in batch])
            for (part, _), vector in zip(batch, found, strict=True):
                base.execute("insert into parts values (?, ?)", (part, file))
                if any(vector):  # of a text without a word that the model knows nothing is near, and nothing is far
                    base.execute("insert into vectors (rowid, embedding) values (?, ?)", (part, vector))

    def nearest(self, query: str, limit: int) -> list[int]:
        """The parts that mean most nearly the same, the nearest first."""
        (vector,) = self.model.vectors([query])
        if not any(vector):
            return []
        rows = "select rowid from vectors where embedding match ? and k = ? order by distance"
        with self._open() as base:
            return [number for (number,) in base.execute(rows, (vector, limit))]


# A file's state is its content and the numbers of its parts: numbers of what was removed are given again.
_STATES = (
    "select files.id, files.hash || ':' || coalesce(min(chunks.id), 0) from files"
    " left join chunks on chunks.file = files.id group by files.id"
)
_PARTS = (
    "select chunks.id, chunks.name || ' ' || words.doc || ' ' || words.body from chunks"
    " join words on words.rowid = chunks.id where chunks.file = ?"
)


def _forget(base: Any, file: int) -> None:
    for (part,) in base.execute("select id from parts where file = ?", (file,)).fetchall():
        base.execute("delete from vectors where rowid = ?", (part,))
    base.execute("delete from parts where file = ?", (file,))
    base.execute("delete from files where id = ?", (file,))


def _connection(file: str) -> Any:
    """With sqlite-vec. Some builds of Python have an SQLite that loads no extensions: pysqlite3 brings another one."""
    try:
        import sqlite_vec
    except ImportError:
        raise NoEmbedding(f"embeddings need the package `sqlite-vec`; {EXTRA}") from None
    base: Any = sqlite3.connect(file, timeout=30)
    if not hasattr(base, "enable_load_extension"):
        base.close()
        try:
            import pysqlite3
        except ImportError:
            said = "the SQLite of this Python loads no extensions"
            raise NoEmbedding(f"{said}; ask the user: pip install pysqlite3-binary") from None
        base = pysqlite3.connect(file, timeout=30)
    base.enable_load_extension(True)
    sqlite_vec.load(base)
    base.enable_load_extension(False)
    return base
