"""The index behind search_knowledge: SQLite's full-text search over functions, classes and headings.

It lies in askfirst's own state, by project. Only files whose content has changed are cut anew; what the rules refuse to
show is never in it, and leaves it as soon as they do. It is built in the background: whoever asks meanwhile is told.
"""

from __future__ import annotations

import os
import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from hashlib import sha256

from askfirst.policy.rules import Layers
from askfirst.store import paths
from askfirst.toolbox import code_files
from askfirst.toolbox.chunks import chunks, words_of
from askfirst.toolbox.embedding import NoEmbedding, load_model
from askfirst.toolbox.vector_index import VectorIndex

VERSION = 1  # of the tables and of how files are cut: another one builds anew
BATCH = 200  # files a transaction: a reader waits for no longer one
WEIGHTS = (8.0, 4.0, 3.0, 1.0)  # name, doc, path, body
_SCHEMA = """
create table if not exists files (id integer primary key, path text unique, stamp text, hash text);
create table if not exists chunks (id integer primary key, file integer, kind text, name text, line integer, doc text);
create index if not exists chunks_of_file on chunks (file);
create virtual table if not exists words using fts5
    (name, doc, path, body, tokenize = 'porter unicode61 remove_diacritics 2');
"""


@dataclass(frozen=True)
class Progress:
    state: str  # building, ready, failed
    done: int = 0
    total: int = 0
    why: str = ""


@dataclass(frozen=True)
class Hit:
    path: str
    line: int
    kind: str
    name: str
    doc: str
    score: float


class SearchIndex:
    """One project's. `layers` gives the rules of the moment: they say what may be looked into, and with which model."""

    def __init__(self, project: str, layers: Callable[[], Layers], directory: str = "") -> None:
        self.project, self._layers = project, layers
        name = sha256(os.fsencode(project)).hexdigest()[:32]
        self.file = os.path.join(directory or paths.private_dir("index"), f"{name}-{VERSION}.sqlite")
        self.progress = Progress("building")
        self.vectors: VectorIndex | None = None
        self.no_vectors = ""  # why the model that the user names is not used
        self._model = ""
        self._thread: threading.Thread | None = None
        self._lock = threading.Lock()

    def refresh(self, wait_s: float) -> Progress:
        """Bring it up to date in the background, and wait a moment for that."""
        with self._lock:
            if self._thread is None or not self._thread.is_alive():
                self._thread = threading.Thread(target=self._update, name="askfirst-index", daemon=True)
                self._thread.start()
            thread = self._thread
        thread.join(wait_s)
        return self.progress

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        with closing(sqlite3.connect(self.file, timeout=30, isolation_level=None)) as base:
            os.chmod(self.file, 0o600)
            base.execute("pragma journal_mode = wal")
            base.execute("pragma synchronous = off")  # it can be built anew
            base.executescript(_SCHEMA)
            yield base

    def _update(self) -> None:
        try:
            self.progress = Progress("building", self.progress.done, self.progress.total)
            layers = self._layers()
            with self._open() as base:
                self._bring_up_to_date(base, layers)
                self._embed(base, layers.settings.toolbox.embedding_model)
            self.progress = Progress("ready", self.progress.total, self.progress.total)
        except sqlite3.DatabaseError as error:
            # Damaged, by a full disk or a crash: there is nothing in it that the files do not have.
            self.progress = Progress("failed", why=str(error))
            for ending in ("", "-wal", "-shm"):
                if os.path.exists(self.file + ending):
                    os.unlink(self.file + ending)
        except Exception as error:
            # The border of a thread: without a word it would be "building" for ever.
            self.progress = Progress("failed", why=f"{type(error).__name__}: {error}")

    def _embed(self, base: sqlite3.Connection, model: str) -> None:
        """Where the user names a model. What is missing for it is said with every answer; words find something too."""
        try:
            if model != self._model or (model and self.vectors is None):
                self._model, self.vectors = model, None
                self.vectors = VectorIndex(self.file, load_model(model)) if model else None
            if self.vectors is not None:
                self.vectors.follow(base, lambda done, total: self._tell(done, total))
            self.no_vectors = ""
        except NoEmbedding as missing:
            self.vectors, self.no_vectors = None, str(missing)

    def _tell(self, done: int, total: int) -> None:
        self.progress = Progress("building", done, total, "vectors")

    def _bring_up_to_date(self, base: sqlite3.Connection, layers: Layers) -> None:
        there = [p for _, p in zip(range(code_files.MAX_FILES), code_files.paths(self.project), strict=False)]
        known = {path: (number, stamp) for number, path, stamp in base.execute("select id, path, stamp from files")}
        gone = [known[path][0] for path in known.keys() - set(there)]
        with _transaction(base):
            for number in gone:
                _remove(base, number)
        for start in range(0, len(there), BATCH):
            with _transaction(base):
                for path in there[start : start + BATCH]:
                    self._one(base, path, known.get(path), layers)
            self.progress = Progress("building", start, len(there))
        self.progress = Progress("building", len(there), len(there))

    def _one(self, base: sqlite3.Connection, path: str, known: tuple[int, str] | None, layers: Layers) -> None:
        stamp = _stamp(os.path.join(self.project, path))
        showable = code_files.may_show(self.project, path, layers)
        if known is not None and (not showable or not stamp):
            _remove(base, known[0])
        if not showable or not stamp or (known is not None and known[1] == stamp):
            return
        text = code_files.text_in(self.project, path)
        digest = sha256((text or "").encode()).hexdigest()
        if known is not None:
            (old,) = base.execute("select hash from files where id = ?", (known[0],)).fetchone()
            if old == digest:
                base.execute("update files set stamp = ? where id = ?", (stamp, known[0]))
                return
            _remove(base, known[0])
        number = base.execute("insert into files (path, stamp, hash) values (?, ?, ?)", (path, stamp, digest)).lastrowid
        for chunk in chunks(path, text) if text else ():
            doc = chunk.doc.strip().partition("\n\n")[0][:300]
            row = (number, chunk.kind, chunk.name, chunk.line, doc)
            new = base.execute("insert into chunks (file, kind, name, line, doc) values (?, ?, ?, ?, ?)", row).lastrowid
            words = (_words(chunk.name), _words(chunk.doc), _words(path), _words(chunk.body))
            base.execute("insert into words (rowid, name, doc, path, body) values (?, ?, ?, ?, ?)", (new, *words))

    def search(self, words: list[str], limit: int) -> list[Hit]:
        """The best chunks for these words, each file's best first."""
        if not words:
            return []
        query = " OR ".join(f'"{w}"' for w in dict.fromkeys(words))
        rank = f"bm25(words, {', '.join(map(str, WEIGHTS))})"
        rows = (
            f"select files.path, chunks.line, chunks.kind, chunks.name, chunks.doc, -{rank}"
            " from words join chunks on chunks.id = words.rowid join files on files.id = chunks.file"
            f" where words match ? order by {rank} limit ?"
        )
        with self._open() as base:
            return [Hit(*row) for row in base.execute(rows, (query, limit))]

    def nearest(self, query: str, limit: int) -> list[Hit]:
        """The same by what the question means, where there is a model; the nearest first."""
        if self.vectors is None:
            return []
        rows = (
            "select files.path, chunks.line, chunks.kind, chunks.name, chunks.doc, 0.0 from chunks"
            " join files on files.id = chunks.file where chunks.id = ?"
        )
        numbers = self.vectors.nearest(query, limit)
        with self._open() as base:
            return [Hit(*row) for number in numbers for row in base.execute(rows, (number,))]

    def size(self) -> tuple[int, int, int]:
        """(files, chunks, bytes on the disk)"""
        with self._open() as base:
            (files,) = base.execute("select count(*) from files").fetchone()
            (parts,) = base.execute("select count(*) from chunks").fetchone()
        return files, parts, os.path.getsize(self.file)


@contextmanager
def _transaction(base: sqlite3.Connection) -> Iterator[None]:
    base.execute("begin immediate")
    done = False
    try:
        yield
        done = True
    finally:
        base.execute("commit" if done else "rollback")


def _remove(base: sqlite3.Connection, file: int) -> None:
    base.execute("delete from words where rowid in (select id from chunks where file = ?)", (file,))
    base.execute("delete from chunks where file = ?", (file,))
    base.execute("delete from files where id = ?", (file,))


def _stamp(path: str) -> str:
    try:
        info = os.lstat(path)
    except OSError:
        return ""
    return f"{info.st_mtime_ns}:{info.st_ctime_ns}:{info.st_size}"


def _words(text: str) -> str:
    return " ".join(words_of(text))
