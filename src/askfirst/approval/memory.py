"""Waiting requests within one process: the same contract as store.pending.FilePending, without files."""

from __future__ import annotations

import threading
from typing import Any

from askfirst.store import clock
from askfirst.store.ids import UnknownId
from askfirst.store.pending import Item

KEEP_SETTLED_S = 900.0  # longer than a late approval may be kept (ten minutes); it is the memory of a program


class MemoryPending:
    """Thread-safe; `changed` is notified at every change."""

    def __init__(self) -> None:
        self.changed = threading.Condition()
        self.version = 0
        self._items: dict[str, Item] = {}
        self._decisions: dict[str, dict[str, Any]] = {}
        self._settled: dict[str, float] = {}

    def _note(self) -> None:
        self.version += 1
        self.changed.notify_all()

    def create(self, item: Item) -> None:
        with self.changed:
            self._items[item.id] = item
            self._note()

    def settle(self, id: str) -> None:
        with self.changed:
            self._settled[id] = clock.steady()
            self._note()

    def decide(self, id: str, decision: dict[str, Any]) -> dict[str, Any] | None:
        with self.changed:
            if id not in self._items:
                raise UnknownId(f"request `{id}` is gone")
            if id in self._decisions:
                return self._decisions[id]
            self._decisions[id] = decision
            self._note()
            return None

    def decision(self, id: str) -> dict[str, Any] | None:
        with self.changed:
            return self._decisions.get(id)

    def items(self) -> tuple[Item, ...]:
        with self.changed:
            open_items = (i for i in self._items.values() if i.id not in self._decisions)
            return tuple(sorted(open_items, key=lambda i: (i.created, i.id)))

    def find(self, id: str) -> Item | None:
        with self.changed:
            return self._items.get(id)

    def pending_ids(self) -> tuple[str, ...]:
        with self.changed:
            return tuple(i for i in self._items if i not in self._settled)

    def settled_ids(self) -> tuple[str, ...]:
        with self.changed:
            return tuple(self._settled)

    def is_waited_for(self, id: str) -> bool:
        """A program's own threads wait, and die with it."""
        return True

    def unfinished(self) -> tuple[tuple[str, str], ...]:
        return tuple((i.id, "expired") for i in self.items() if i.is_over())

    def sweep(self) -> None:
        with self.changed:
            old = clock.steady() - KEEP_SETTLED_S
            for name in [n for n, at in self._settled.items() if at < old]:
                del self._settled[name], self._items[name]
                self._decisions.pop(name, None)


class MemoryWake:
    """Waits for a change of a MemoryPending, as approval.wake.Wake does for a directory."""

    def __init__(self, store: MemoryPending) -> None:
        self._store, self._seen = store, store.version

    def wait(self, timeout_s: float) -> None:
        # By version and not by notification alone: a change between two waits must not be slept through.
        with self._store.changed:
            self._store.changed.wait_for(lambda: self._store.version != self._seen, max(0.0, min(timeout_s, 1.0)))
            self._seen = self._store.version

    def fileno(self) -> int:
        return -1

    def drain(self) -> None:
        pass

    def close(self) -> None:
        pass

    def __enter__(self) -> MemoryWake:
        return self

    def __exit__(self, *_error: object) -> None:
        pass
