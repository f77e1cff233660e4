"""Frozen records and ordered closed sets, without the import cost of `dataclasses` and `enum`.

The hook is a new process for every tool call, and `dataclasses` (which imports `inspect`) and `enum` would be a good
part of its time. A type checker sees ordinary frozen dataclasses and `IntEnum`; at run time these two small classes do
the same work.
"""

from __future__ import annotations

__all__ = ["OrderedEnum", "Record"]

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from enum import IntEnum as OrderedEnum
    from typing import Any, Self, dataclass_transform
else:

    def dataclass_transform(**_options):
        return lambda cls: cls

    class _OrderedEnumType(type):
        def __new__(mcs, name, bases, body):
            cls = super().__new__(mcs, name, bases, {k: v for k, v in body.items() if not _is_member(k, v)})
            members = []
            for key, value in body.items():
                if _is_member(key, value):
                    member = int.__new__(cls, value)
                    member.name, member.value = key, value
                    type.__setattr__(cls, key, member)
                    members.append(member)
            type.__setattr__(cls, "_members", tuple(members))
            return cls

        def __call__(cls, value):
            for member in cls._members:
                if int(member) == value:
                    return member
            raise ValueError(f"{value!r} is not a valid {cls.__name__}")

        def __iter__(cls):
            return iter(cls._members)

        def __len__(cls):
            return len(cls._members)

        def __getitem__(cls, name):
            for member in cls._members:
                if member.name == name:
                    return member
            raise KeyError(name)

        def __setattr__(cls, name, value):
            raise AttributeError(f"{cls.__name__} is closed")

    def _is_member(key, value):
        return isinstance(value, int) and not key.startswith("_")

    class OrderedEnum(int, metaclass=_OrderedEnumType):
        """Members are ints, so that precedence is iteration and severity is `max`."""

        def __repr__(self):
            return f"<{type(self).__name__}.{self.name}: {int(self)}>"

        def __str__(self):
            return str(int(self))

        def __reduce__(self):
            return (type(self), (int(self),))


@dataclass_transform(frozen_default=True)
class Record:
    """A value with named fields: `class Point(Record): x: int; y: int = 0`."""

    if TYPE_CHECKING:

        def replace(self, **changes: Any) -> Self: ...
        def items(self) -> Iterator[tuple[str, Any]]: ...

    else:
        _fields: tuple[str, ...] = ()
        _defaults: dict[str, object] = {}

        def __init_subclass__(cls):
            own = cls.__annotations__
            names = [n for n in own if not n.startswith("_")]
            cls._fields = cls._fields + tuple(n for n in names if n not in cls._fields)
            cls._defaults = {**cls._defaults, **{n: cls.__dict__[n] for n in names if n in cls.__dict__}}

        def __init__(self, *values, **named):
            state = self.__dict__
            fields = self._fields
            if len(values) > len(fields):
                raise TypeError(f"{type(self).__name__} takes {len(fields)} values, got {len(values)}")
            if len(values) < len(fields):
                state.update(self._defaults)
            state.update(zip(fields, values))  # noqa: B905  the word `strict` would take a third of the time of a record
            if named:
                state.update(named)
            if len(state) != len(fields):
                missing = [n for n in fields if n not in state]
                unknown = [n for n in state if n not in fields]
                raise TypeError(f"{type(self).__name__}: missing {missing}, unknown {unknown}")

        def __setattr__(self, name, value):
            raise AttributeError(f"{type(self).__name__} is frozen: cannot set {name}")

        def __delattr__(self, name):
            raise AttributeError(f"{type(self).__name__} is frozen: cannot delete {name}")

        def __eq__(self, other):
            return type(self) is type(other) and self.__dict__ == other.__dict__

        def __hash__(self):
            return hash((type(self), *map(self.__dict__.__getitem__, self._fields)))

        def __repr__(self):
            return f"{type(self).__name__}({', '.join(f'{n}={self.__dict__[n]!r}' for n in self._fields)})"

        def __reduce__(self):
            return (type(self), tuple(self.__dict__[n] for n in self._fields))

        def replace(self, **changes):
            return type(self)(**{**self.__dict__, **changes})

        def items(self):
            return ((n, self.__dict__[n]) for n in self._fields)
