"""The definitions in an SQLite database file: a view is code that a harmless statement runs.

`select * from v` calls what the view v calls, and the command line client has a function, `edit`, that starts a
program. Promises: every definition of the file, or None where the file is not understood to the end.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

__all__ = ["definitions"]

_MAGIC = b"SQLite format 3\0"
_MAX_PAGES = 400
_INTERIOR, _LEAF = 5, 13
_SQL = 4  # the column of sqlite_schema that holds the text


def definitions(read: Callable[[int, int], bytes | None]) -> list[str] | None:
    """The text of every CREATE in a file of which `read(at, size)` gives a part."""
    head = read(0, 100)
    if head == b"":
        return []
    if head is None or len(head) < 100 or not head.startswith(_MAGIC):
        return None
    try:
        return [text for text in _File(head, read).texts() if text]
    except (IndexError, ValueError, UnicodeDecodeError):
        return None


class _File:
    def __init__(self, head: bytes, read: Callable[[int, int], bytes | None]) -> None:
        size = int.from_bytes(head[16:18], "big")
        self.size = 65536 if size == 1 else size
        self.usable = self.size - head[20]
        self.encoding = {2: "utf-16-le", 3: "utf-16-be"}.get(int.from_bytes(head[56:60], "big"), "utf-8")
        self.read = read
        self.pages = 0
        if self.size < 512 or self.usable < 480:
            raise ValueError("no page size")

    def page(self, number: int) -> bytes:
        self.pages += 1
        content = self.read((number - 1) * self.size, self.size)
        if self.pages > _MAX_PAGES or number < 1 or content is None or len(content) < self.size:
            raise ValueError("not a page")
        return content

    def texts(self) -> Iterator[str]:
        """The definitions, from the tree that begins on the first page."""
        waiting = [1]
        while waiting:
            number = waiting.pop()
            page = self.page(number)
            at = 100 if number == 1 else 0
            kind, count = page[at], int.from_bytes(page[at + 3 : at + 5], "big")
            if kind not in (_INTERIOR, _LEAF):
                raise ValueError("not a page of a table")
            first = at + (12 if kind == _INTERIOR else 8)
            cells = [int.from_bytes(page[first + 2 * i : first + 2 * i + 2], "big") for i in range(count)]
            if kind == _INTERIOR:
                waiting += [int.from_bytes(page[c : c + 4], "big") for c in cells]
                waiting.append(int.from_bytes(page[at + 8 : at + 12], "big"))
            else:
                for cell in cells:
                    yield self.text(self.payload(page, cell))

    def payload(self, page: bytes, at: int) -> bytes:
        """One row, with the pages onto which it flows over."""
        size, at = _number(page, at)
        _, at = _number(page, at)
        most, least = self.usable - 35, (self.usable - 12) * 32 // 255 - 23
        local = size
        if size > most:
            local = least + (size - least) % (self.usable - 4)
            local = local if local <= most else least
        content = page[at : at + local]
        following = int.from_bytes(page[at + local : at + local + 4], "big")
        while len(content) < size:
            more = self.page(following)
            content += more[4 : 4 + min(self.usable - 4, size - len(content))]
            following = int.from_bytes(more[:4], "big")
        return content

    def text(self, row: bytes) -> str:
        """The column with the definition; "" for NULL."""
        end, at = _number(row, 0)
        start = end
        for column in range(_SQL + 1):
            if at >= end:
                return ""
            kind, at = _number(row, at)
            size = (kind - 12) // 2 if kind >= 12 else (0, 1, 2, 3, 4, 6, 8, 8, 0, 0, 0, 0)[kind]
            if column == _SQL:
                return row[start : start + size].decode(self.encoding)
            start += size
        raise ValueError("no definition")


def _number(data: bytes, at: int) -> tuple[int, int]:
    """A number of SQLite's variable length, and where it ends."""
    value = 0
    for index in range(8):
        value = value << 7 | data[at + index] & 0x7F
        if data[at + index] < 0x80:
            return value, at + index + 1
    return value << 8 | data[at + 8], at + 9
