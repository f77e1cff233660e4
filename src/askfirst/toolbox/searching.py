"""search_knowledge: a question in words, answered with places in the code and the documents. Local: nothing leaves the
machine."""

from __future__ import annotations

import threading
from dataclasses import replace
from typing import Any

from askfirst.files.related_tests import is_test
from askfirst.redact import redact
from askfirst.toolbox.chunks import MAX_LINE, words_of
from askfirst.toolbox.code_files import may_show, text_in
from askfirst.toolbox.place import Place, enter, note_shown
from askfirst.toolbox.search_index import Hit, SearchIndex
from askfirst.toolbox.tool_result import Failure

MAX_LIMIT = 50
WAIT_S = 3.0
SNIPPET_LINES = 6
MAX_QUERY_CHARS = 1000
_POOL = 12  # hits looked at for each one wanted
_RANKS = 60  # how little the first ranks of a list stand out
# Words of a question that say nothing about the code.
_STOP = frozenset(
    """
    a an and are as at be by can could do does for from get has have how i if in into is it its me my of on or our
    should show so tell that the their them then there these they this to up us use used uses using was we what when
    where which who why will with would you your find code file files function functions class implement implemented
    place places happen happens work works
    """.split()
)
_indexes: dict[str, SearchIndex] = {}
_lock = threading.Lock()


def search_knowledge(place: Place, query: str, limit: int = 10) -> dict[str, Any]:
    layers = enter(place, "search_knowledge", query=query, limit=limit)
    if not 1 <= limit <= MAX_LIMIT or not query.strip() or len(query) > MAX_QUERY_CHARS:
        raise Failure("InvalidArgument", f"a query in words, and a limit of 1 to {MAX_LIMIT}", "ask for one thing")
    index = index_of(place)
    progress = index.refresh(WAIT_S)
    if progress.state == "failed":
        raise Failure("IndexFailed", f"the index could not be built: {progress.why}", "try again; it is built anew")
    words = wanted(query)
    hits = fused(ranked(index.search(words, limit * _POOL), words), index.nearest(query, limit * _POOL))
    found = [hit for hit in hits if may_show(place.project, hit.path, layers)][:limit]
    note_shown(place, layers, (hit.path for hit in found))
    shown = [_shown(place, hit) for hit in found]
    building = "" if progress.state == "ready" else "the knowledge base is still building: results are not complete"
    warning = "; ".join(filter(None, (building, index.no_vectors)))
    return {
        "query": query,
        "results": shown,
        "by": "words and meaning" if index.vectors is not None else "words",
        "index": {"state": progress.state, "done": progress.done, "total": progress.total},
        **({"warning": warning} if warning else {}),
    }


def index_of(place: Place) -> SearchIndex:
    with _lock:
        if place.project not in _indexes:
            _indexes[place.project] = SearchIndex(place.project, lambda: place.now().layers())
        return _indexes[place.project]


def wanted(query: str) -> list[str]:
    words = [w for w in words_of(query) if len(w) > 1]
    return [w for w in words if w not in _STOP] or words


def ranked(hits: list[Hit], words: list[str]) -> list[Hit]:
    """Tests show how a thing is used, seldom where it is: they come later unless they are asked for."""
    about_tests = not {"test", "tests", "testing"}.isdisjoint(words)
    best: dict[tuple[str, str], Hit] = {}

    def score(hit: Hit) -> float:
        found = set(words_of(hit.name)) | set(words_of(hit.doc))
        share = sum(any(f.startswith(w[:5]) for f in found) for w in set(words)) / max(1, len(set(words)))
        less = 0.5 if is_test(hit.path) and not about_tests else 1.0
        return hit.score * less * (1 + share)

    for hit in sorted(hits, key=score, reverse=True):
        best.setdefault((hit.path, hit.name), hit)
    return list(best.values())


def fused(by_words: list[Hit], by_meaning: list[Hit]) -> list[Hit]:
    """Both lists in one: what stands high in either, and higher where it stands in both (reciprocal ranks)."""
    if not by_meaning:
        return by_words
    found: dict[tuple[str, str], tuple[float, Hit]] = {}
    for hits in (by_words, by_meaning):
        for rank, hit in enumerate(hits):
            score, first = found.get((hit.path, hit.name), (0.0, hit))
            found[hit.path, hit.name] = (score + 1 / (_RANKS + rank), first)
    ordered = sorted(found.values(), key=lambda pair: -pair[0])
    return [replace(hit, score=score) for score, hit in ordered]


def _shown(place: Place, hit: Hit) -> dict[str, Any]:
    lines = [line[:MAX_LINE] for line in (text_in(place.project, hit.path) or "").splitlines()]
    snippet = "\n".join(lines[hit.line - 1 : hit.line - 1 + SNIPPET_LINES])
    return {
        "path": hit.path,
        "line": hit.line,
        "kind": hit.kind,
        "name": redact(hit.name),
        "summary": redact(hit.doc),
        "snippet": redact(snippet),
        "score": round(hit.score, 3),
    }
