"""How often a result's masking would change ordinary code: `python -m tests.flow.corpus DIR…` counts lines and changes.

python -m tests.flow.corpus --show src /usr/lib/python3.11
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

from askfirst.redact import Secret, find_in_output

SOURCES = frozenset(
    ".py .js .ts .tsx .mjs .cjs .go .rs .c .h .cc .cpp .java .rb .php .sh .json .yaml .yml .toml .md .rst .txt .css "
    ".html .sql .cfg .ini".split()
)
MAX_FILE_BYTES = 2 << 20


def files_below(directory: Path) -> Iterator[Path]:
    yield from (p for p in sorted(directory.rglob("*")) if p.suffix in SOURCES and p.is_file() and not p.is_symlink())


def changes_in(directory: Path) -> tuple[int, list[tuple[Path, int, str, Secret]]]:
    """(lines, each change with its file, line and text)."""
    lines, changes = 0, []
    for path in files_below(directory):
        if path.stat().st_size > MAX_FILE_BYTES:
            continue
        text = path.read_text(encoding="utf-8", errors="replace")
        lines += text.count("\n")
        for secret in find_in_output(text):
            changes.append((path, text.count("\n", 0, secret.start) + 1, text[secret.start : secret.end], secret))
    return lines, changes


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("directories", nargs="+", type=Path)
    parser.add_argument("--show", action="store_true", help="print every change")
    args = parser.parse_args()
    for directory in args.directories:
        lines, changes = changes_in(directory)
        rate = 10_000 * len(changes) / max(1, lines)
        print(f"{directory}: {lines} lines, {len(changes)} changes, {rate:.2f} in 10,000")
        for path, line, value, secret in changes if args.show else ():
            print(f"  {path}:{line}: {secret.name}: {value[:80]!r}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
