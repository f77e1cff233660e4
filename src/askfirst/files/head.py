"""Whether a file is what git's HEAD has in its place, read from the repository's own files.

No program is started: git would obey the configuration of a repository that nobody has judged. Whatever is not
understood here (alternates, reftables, SHA-256 repositories, damage) is "not in HEAD", which is the stricter answer."""

from __future__ import annotations

import os
import re
import stat
import zlib

from askfirst.digest import sha1

__all__ = [
    "content_in_head",
    "files_of_switch",
    "head_moved",
    "is_in_head",
    "names_in_head",
    "regular_file",
    "tracked_links",
    "tracked_odd",
    "work_tree",
]

MAX_FILE_BYTES = 1 << 20
MAX_OBJECT_BYTES = 16 << 20
MAX_DELTAS = 200
_COMMIT, _TREE, _BLOB, _OFFSET_DELTA, _NAMED_DELTA = 1, 2, 3, 6, 7
_TYPES = {b"commit": _COMMIT, b"tree": _TREE, b"blob": _BLOB}
_DIRECTORY = b"40000"
PLAIN_MODES = (b"100644", b"100755", b"100664")
MAX_SWITCHED = 500
MAX_INDEX_BYTES = 32 << 20
# An entry of the index: behind its mode come owner, group, size and hash, then its flags, then its name.
_LINK_MODE = b"\0\0\xa0\0"
_FLAGS_BEHIND_MODE, _NAME_BEHIND_MODE = 36, 38
_INDEX_HEADER, _PLAIN_INDEX = 12, (b"\0\0\0\2", b"\0\0\0\3")


def is_in_head(path: str) -> bool:
    """Whether HEAD has exactly this content at this place. Never raises."""
    try:
        data = regular_file(path, MAX_FILE_BYTES)
        name = sha1(b"blob %d\0" % len(data) + data).hexdigest()
        return _held(path)[0] == name
    except (OSError, ValueError, IndexError, zlib.error):
        return False


def content_in_head(path: str) -> bytes | None:
    """What HEAD has at this place; None where it has none, or nobody can tell. Never raises."""
    try:
        name, objects = _held(path)
        kind, data = objects.read(name)
        return data if kind == _BLOB else None
    except (OSError, ValueError, IndexError, zlib.error):
        return None


def head_moved(path: str) -> float:
    """When HEAD became the commit that it is, at the latest; never, for all that is known, where nobody can tell."""
    try:
        _, own, common = _repository(os.path.dirname(path))
        name = _reference("HEAD", own, common).removeprefix("ref: ")
        places = (f"{own}/HEAD", f"{own}/{name}", f"{common}/{name}", f"{common}/packed-refs")
        return max(os.lstat(place).st_ctime for place in places if os.path.lexists(place))
    except (OSError, ValueError):
        return float("inf")


def names_in_head(directory: str) -> frozenset[str]:
    """The names that HEAD has directly in a directory; none where it does not have it, or nobody can tell. Never
    raises."""
    try:
        root, own, common = _repository(directory)
        objects = _Objects(f"{common}/objects")
        tree = _tree_of(_resolve("HEAD", own, common), objects)
        for part in filter(None, os.path.relpath(directory, root).removeprefix(".").encode().split(b"/")):
            tree = _entry(objects.read(tree)[1], part)
        return frozenset(os.fsdecode(name) for name in _entries(objects, tree))
    except (OSError, ValueError, IndexError, zlib.error):
        return frozenset()


def _held(path: str) -> tuple[str, _Objects]:
    """The name of what HEAD has at this place."""
    root, own, common = _repository(os.path.dirname(path))
    objects = _Objects(f"{common}/objects")
    found = _tree_of(_resolve("HEAD", own, common), objects)
    for part in os.path.relpath(path, root).encode().split(b"/"):
        kind, tree = objects.read(found)
        if kind != _TREE:
            raise ValueError("not a directory")
        found = _entry(tree, part)
    return found, objects


def work_tree(directory: str) -> str:
    """The root of the working tree that a directory belongs to. Raises where there is none."""
    return _repository(os.path.realpath(directory))[0]


def files_of_switch(directory: str, name: str) -> tuple[str, ...] | None:
    """The files of the working tree that git would write or delete to get from HEAD to the branch of this name, or, for
    "stash@{N}", to what was put aside. None where nobody can tell, where one of them is a link or a submodule, and
    where a new one would replace a file that git does not hold."""
    try:
        root, own, common = _repository(os.path.realpath(directory))
        objects = _Objects(f"{common}/objects")
        found: list[str] = []
        for before, after in _ways(name, own, common, objects):
            _compare(before, after, root, objects, found)
        return tuple(dict.fromkeys(found))
    except (OSError, ValueError, IndexError, zlib.error, RecursionError):
        return None


def _ways(name: str, own: str, common: str, objects: _Objects) -> list[tuple[str, str]]:
    """Pairs of trees: what git writes is what differs between them."""
    number = _STASH.fullmatch(name)
    if number is None:
        return [(_tree_of(_resolve("HEAD", own, common), objects), _tree_of(_commit_of(name, own, common), objects))]
    _, commit = objects.read(_put_aside(int(number[1]), common))
    lines = commit.split(b"\n\n")[0].split(b"\n")
    parents = [line[7:].decode() for line in lines if line.startswith(b"parent ")]
    base, index, *others = (_tree_of(parent, objects) for parent in parents)
    # The index, and what git did not track, stand in commits of their own.
    return [(base, lines[0][5:].decode()), (base, index), *(("", tree) for tree in others)]


_STASH = re.compile(r"stash@\{(\d{1,4})\}", re.ASCII)


def _put_aside(number: int, common: str) -> str:
    """The commit of `stash@{N}`: the reference has the newest, its log all of them, the newest last."""
    lines = regular_file(f"{common}/logs/refs/stash", MAX_OBJECT_BYTES).splitlines()
    found = lines[-1 - number].split(b" ")[1].decode()
    if number == 0 and found != _resolve("refs/stash", common, common):
        raise ValueError("the log is not the reference's")
    return found


def _commit_of(name: str, own: str, common: str) -> str:
    """The commit of a branch that is here, or of the one remote branch that `git checkout NAME` would make it from."""
    plain = name.replace("/", "").replace("-", "").replace("_", "").replace(".", "").replace("#", "")
    if (
        not plain.isalnum()
        or ".." in name
        or name.startswith(("-", ".", "/"))
        or _has(f"refs/tags/{name}", own, common)
    ):
        raise ValueError("not a branch")
    if _has(f"refs/heads/{name}", own, common):
        return _resolve(f"refs/heads/{name}", own, common)
    remotes = os.listdir(f"{common}/refs/remotes") if os.path.isdir(f"{common}/refs/remotes") else []
    found = [ref for remote in remotes if _has(ref := f"refs/remotes/{remote}/{name}", own, common)]
    if len(found) != 1:
        raise ValueError("not one branch")
    return _resolve(found[0], own, common)


def _has(reference: str, own: str, common: str) -> bool:
    try:
        return bool(_reference(reference, own, common))
    except (OSError, ValueError):
        return False


def _tree_of(commit: str, objects: _Objects) -> str:
    kind, content = objects.read(commit)
    if kind != _COMMIT or not content.startswith(b"tree "):
        raise ValueError("not a commit")
    return content[5:45].decode()


def _compare(before: str, after: str, folder: str, objects: _Objects, found: list[str]) -> None:
    """Notes the files that differ between two trees."""
    if before == after:
        return
    old, new = (_entries(objects, tree) for tree in (before, after))
    for name in sorted({*old, *new}):
        was, becomes = old.get(name), new.get(name)
        if was == becomes:
            continue
        path = f"{folder}/{os.fsdecode(name)}"
        modes = {one[0] for one in (was, becomes) if one is not None}
        if modes == {_DIRECTORY}:
            _compare(was[1] if was else "", becomes[1] if becomes else "", path, objects, found)
            continue
        if not modes <= set(PLAIN_MODES) or len(found) >= MAX_SWITCHED or (was is None and os.path.lexists(path)):
            raise ValueError("not only files that git holds")
        found.append(path)


def _entries(objects: _Objects, tree: str) -> dict[bytes, tuple[bytes, str]]:
    """Name -> (mode, object)."""
    kind, content = objects.read(tree) if tree else (_TREE, b"")
    if kind != _TREE:
        raise ValueError("not a tree")
    entries: dict[bytes, tuple[bytes, str]] = {}
    at = 0
    while at < len(content):
        zero = content.index(b"\0", at)
        mode, _, name = content[at:zero].partition(b" ")
        entries[name] = (mode, content[zero + 1 : zero + 21].hex())
        at = zero + 21
    return entries


def tracked_links(directory: str) -> list[str]:
    """The symbolic links that git's index has, as far as they are there. Never raises: where there is no index that is
    understood, there are none."""
    try:
        root, own, _ = _repository(directory)
        index = regular_file(f"{own}/index", MAX_INDEX_BYTES)
    except (OSError, ValueError):
        return []
    found, at = [], index.find(_LINK_MODE)
    while at >= 0:
        is_extended = any(flags & 0x40 for flags in index[at + _FLAGS_BEHIND_MODE : at + _FLAGS_BEHIND_MODE + 1])
        begins = at + _NAME_BEHIND_MODE + (2 if is_extended else 0)
        found.append(os.path.join(root, os.fsdecode(index[begins : max(begins, index.find(b"\0", begins))])))
        at = index.find(_LINK_MODE, at + 1)
    return [path for path in found if os.path.islink(path)]


_ODD_NAME = re.compile(rb"[ \t\r\n\v\f*?\[]")


def tracked_odd(directory: str) -> list[str]:
    """The names in git's index, relative to its root, that hold a blank or a wildcard: whoever splits a list of names
    makes several of each, or others. Never raises: where there is no index that is understood, there are none."""
    try:
        _, own, _ = _repository(directory)
        index = regular_file(f"{own}/index", MAX_INDEX_BYTES)
    except (OSError, ValueError):
        return []
    found, at = [], _INDEX_HEADER
    for _ in range(int.from_bytes(index[8:_INDEX_HEADER], "big") if index[4:8] in _PLAIN_INDEX else 0):
        begins = at + (64 if index[at + 60 : at + 61] >= b"\x40" and index[at + 60] & 0x40 else 62)
        ends = index.find(b"\0", begins)
        if ends < 0:
            break
        if _ODD_NAME.search(index, begins, ends):
            found.append(os.fsdecode(index[begins:ends]))
        at += (ends - at) // 8 * 8 + 8  # filled up with one to eight zeros
    return found


def _repository(directory: str) -> tuple[str, str, str]:
    """The work tree, its own git directory, and the one that it shares with others (`git worktree`)."""
    while not os.path.lexists(f"{directory}/.git"):
        parent = os.path.dirname(directory)
        if parent == directory:
            raise ValueError("no repository")
        directory = parent
    own = f"{directory}/.git"
    if not os.path.isdir(own):
        text = regular_file(own, 4096).decode()
        if not text.startswith("gitdir: "):
            raise ValueError("not a git directory")
        own = os.path.join(directory, text[8:].strip())
    common = own
    if os.path.lexists(f"{own}/commondir"):
        common = os.path.join(own, regular_file(f"{own}/commondir", 4096).decode().strip())
    return directory, own, common


def _resolve(name: str, own: str, common: str) -> str:
    """The object that a reference names."""
    for _ in range(5):
        text = _reference(name, own, common)
        if not text.startswith("ref: "):
            return text
        name = text[5:].strip()
        if not name.startswith("refs/") or ".." in name:
            break
    raise ValueError("not a reference")


def _reference(name: str, own: str, common: str) -> str:
    for directory in (own, common):
        if os.path.isfile(f"{directory}/{name}"):
            return regular_file(f"{directory}/{name}", 4096).decode().strip()
    for line in regular_file(f"{common}/packed-refs", MAX_OBJECT_BYTES).decode().splitlines():
        if line.endswith(f" {name}"):
            return line.split(" ", 1)[0]
    raise ValueError("no such reference")


def regular_file(path: str, limit: int) -> bytes:
    """Its content; a link, a pipe or a large file is none of ours."""
    fd = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        found = os.fstat(fd)
        if not stat.S_ISREG(found.st_mode) or found.st_size > limit:
            raise ValueError("not a small file")
        data = b""
        while part := os.read(fd, limit + 1 - len(data)):
            data += part
        if len(data) > limit:
            raise ValueError("not a small file")
        return data
    finally:
        os.close(fd)


def _entry(tree: bytes, name: bytes) -> str:
    at = 0
    while at < len(tree):
        zero = tree.index(b"\0", at)
        if tree[at:zero].partition(b" ")[2] == name:
            return tree[zero + 1 : zero + 21].hex()
        at = zero + 21
    raise ValueError("not in this tree")


class _Objects:
    """The objects of a repository, loose and packed."""

    def __init__(self, directory: str) -> None:
        self.directory = directory

    def read(self, name: str) -> tuple[int, bytes]:
        if len(name) != 40 or name.strip("0123456789abcdef"):
            raise ValueError("not the name of an object")
        loose = f"{self.directory}/{name[:2]}/{name[2:]}"
        if os.path.isfile(loose):
            header, _, content = _inflate(regular_file(loose, MAX_OBJECT_BYTES)).partition(b"\0")
            return _TYPES.get(header.split(b" ")[0], 0), content
        for index in sorted(os.listdir(f"{self.directory}/pack")):
            if index.endswith(".idx"):
                offset = _offset_in(f"{self.directory}/pack/{index}", bytes.fromhex(name))
                if offset is not None:
                    return self.packed(f"{self.directory}/pack/{index[:-4]}.pack", offset)
        raise ValueError("no such object")

    def packed(self, pack: str, offset: int) -> tuple[int, bytes]:
        """An object of a pack: deltas are followed to their base, then applied on the way back."""
        deltas: list[bytes] = []
        fd = os.open(pack, os.O_RDONLY | os.O_CLOEXEC)
        try:
            while True:
                kind, at, start = _header(fd, offset)
                if kind == _OFFSET_DELTA:
                    deltas.append(_inflate_at(fd, start))
                    offset -= at
                elif kind == _NAMED_DELTA:
                    deltas.append(_inflate_at(fd, start + 20))
                    kind, content = self.read(os.pread(fd, 20, start).hex())
                    break
                else:
                    content = _inflate_at(fd, start)
                    break
                if len(deltas) > MAX_DELTAS or offset <= 0:
                    raise ValueError("too many deltas")
        finally:
            os.close(fd)
        for delta in reversed(deltas):
            content = _patched(content, delta)
        return kind, content


def _inflate(data: bytes) -> bytes:
    engine = zlib.decompressobj()
    content = engine.decompress(data, MAX_OBJECT_BYTES)
    if not engine.eof:
        raise ValueError("too large or cut off")
    return content


def _inflate_at(fd: int, start: int) -> bytes:
    engine, parts, size = zlib.decompressobj(), [], 0
    while not engine.eof:
        data = os.pread(fd, 1 << 16, start)
        if not data or size > MAX_OBJECT_BYTES:
            raise ValueError("too large or cut off")
        parts.append(engine.decompress(data))
        size += len(parts[-1])
        start += len(data)
    return b"".join(parts)


def _offset_in(index: str, name: bytes) -> int | None:
    """Where the pack of this index (version 2) has an object."""
    fd = os.open(index, os.O_RDONLY | os.O_CLOEXEC)
    try:
        head = os.pread(fd, 8 + 1024, 0)
        if head[:8] != b"\xfftOc\0\0\0\x02":
            raise ValueError("not an index of version 2")
        fan = [_number(head[8 + 4 * n : 12 + 4 * n]) for n in range(256)]
        low, high, count = (fan[name[0] - 1] if name[0] else 0), fan[name[0]], fan[255]
        while low < high:
            middle = (low + high) // 2
            found = os.pread(fd, 20, 1032 + 20 * middle)
            if found == name:
                offset = _number(os.pread(fd, 4, 1032 + 24 * count + 4 * middle))
                if offset < 1 << 31:
                    return offset
                return _number(os.pread(fd, 8, 1032 + 28 * count + 8 * (offset - (1 << 31))))
            low, high = (middle + 1, high) if found < name else (low, middle)
        return None
    finally:
        os.close(fd)


def _number(data: bytes) -> int:
    return int.from_bytes(data, "big")


def _header(fd: int, offset: int) -> tuple[int, int, int]:
    """Kind, the distance to the base of an offset delta, and where the compressed content begins."""
    data = os.pread(fd, 32, offset)
    at, kind = 0, data[0] >> 4 & 7
    while data[at] & 128:
        at += 1
    at += 1
    back = 0
    if kind == _OFFSET_DELTA:
        back = data[at] & 127
        while data[at] & 128:
            at += 1
            back = (back + 1 << 7) | data[at] & 127
        at += 1
    return kind, back, offset + at


def _patched(base: bytes, delta: bytes) -> bytes:
    at, parts = 0, []
    for _ in range(2):  # the sizes before and after
        while delta[at] & 128:
            at += 1
        at += 1
    while at < len(delta):
        step = delta[at]
        at += 1
        if not step & 128:
            parts.append(delta[at : at + step])
            at += step
            continue
        start = size = 0
        for bit in range(7):
            if step & 1 << bit:
                if bit < 4:
                    start |= delta[at] << 8 * bit
                else:
                    size |= delta[at] << 8 * (bit - 4)
                at += 1
        parts.append(base[start : start + (size or 0x10000)])
    return b"".join(parts)
