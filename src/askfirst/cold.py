"""What only the hook's own process does, for speed: light modules in place of some of the standard ones.

The hook is a new process for every tool call that no resident process answers. Importing `dataclasses`, and its
compiling the methods of fifty classes, would take that process longer than all the rest. Here frozen classes share
their methods, and mean the same: tests/hook/test_cold.py holds every class of askfirst against the standard module,
which is asked for everything else. Of `typing` there are the names that mean nothing while a program runs; of `re`,
patterns that are compiled when they are first used, which most of a module's never are. Other modules are imported when
something of them is first used. Only what starts for every call installs this: the hook, and the box's launcher.
"""

from __future__ import annotations

import _signal  # type: ignore[import-not-found]
import sys
from abc import ABCMeta  # loaded with Python itself; a class that lacks a method of its protocol is an error
from types import ModuleType

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

MISSING: Any = object()
FLAGS = {"ASCII": 256, "VERBOSE": 64, "DOTALL": 16, "MULTILINE": 8, "IGNORECASE": 2}
_standard: dict[str, ModuleType] = {}


def install() -> None:
    signals = {name: value for name, value in vars(_signal).items() if name[0] != "_"}
    late = (Late(name) for name in ("base64", "fnmatch", "inspect", "math", "select", "unicodedata"))
    for light in (typing(), Late("re", {"compile": compiled, **FLAGS}), Late("signal", signals), *late):
        sys.modules.setdefault(light.__name__, light)
    sys.modules.setdefault("dataclasses", sys.modules[__name__])


def standard(name: str = "dataclasses") -> Any:
    light = sys.modules.get(name)
    if name not in _standard:
        if light is sys.modules[__name__] or isinstance(light, Late):
            del sys.modules[name]
        _standard[name] = __import__(name)
        sys.modules[name] = light or _standard[name]
    return _standard[name]


class Late(ModuleType):
    """A standard module that is imported for the first name that is not given here."""

    def __init__(self, name: str, given: dict[str, Any] | None = None) -> None:
        super().__init__(name)
        vars(self).update(given or {})

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(standard(self.__name__), name)


def typing() -> Late:
    """As far as annotations need it that nobody evaluates."""
    names = {"TYPE_CHECKING": False, "TypeVar": str, "Protocol": ABCMeta("Protocol", (), {})}
    return Late("typing", {**names, "Any": object(), "TypeAlias": object()})


def compiled(pattern: Any, flags: int = 0) -> Any:
    """Late for what stands in a module of askfirst: that it can be compiled was seen when the tests ran."""
    caller = sys._getframe(1)
    is_own = caller.f_code.co_name == "<module>" and caller.f_globals["__name__"].startswith("askfirst.")
    return LatePattern(pattern, flags) if is_own else standard("re").compile(pattern, flags)


class LatePattern:
    """A regular expression that is compiled when something of it is first used."""

    def __init__(self, pattern: Any, flags: int) -> None:
        self._given = pattern, flags

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        value = vars(self)[name] = getattr(standard("re").compile(*self._given), name)
        return value


def __getattr__(name: str) -> Any:
    if name.startswith("__"):
        raise AttributeError(name)
    return getattr(standard(), name)


class FrozenInstanceError(AttributeError):
    pass


class Factory:
    def __init__(self, make: Any) -> None:
        self.make = make


def field(**options: Any) -> Any:
    return Factory(options["default_factory"]) if [*options] == ["default_factory"] else standard().field(**options)


def replace(value: Any, /, **changes: Any) -> Any:
    return type(value)(**vars(value) | changes) if hasattr(value, "_light") else standard().replace(value, **changes)


def dataclass(cls: Any = None, /, **options: Any) -> Any:
    if cls is None:
        return lambda cls: dataclass(cls, **options)
    if options != {"frozen": True} or cls.__bases__ != (object,) or "__post_init__" in vars(cls) or _has_field(cls):
        return standard().dataclass(cls, **options)
    cls._light = light = Light(cls)
    for name, value in {"__match_args__": light.names, "__dataclass_fields__": Fields(), **METHODS}.items():
        setattr(cls, name, value)
    return cls


def _has_field(cls: type) -> bool:
    """Whether a field says more of itself than a default (`repr=False`)."""
    found = _standard.get("dataclasses")
    return found is not None and any(isinstance(value, found.Field) for value in vars(cls).values())


class Light:
    """The fields of a class: their names, and what they are where nothing is given."""

    def __init__(self, cls: type) -> None:
        self.names = tuple(cls.__annotations__)
        self.given = {name: vars(cls).get(name, MISSING) for name in self.names}
        self.factories = {name: value.make for name, value in self.given.items() if isinstance(value, Factory)}
        for name in self.factories:
            delattr(cls, name)
            self.given[name] = MISSING
        self.needed = [name for name in self.names if self.given[name] is MISSING and name not in self.factories]


class Fields:
    """What the standard module's functions look for: the fields of a twin that it has made."""

    def __get__(self, instance: object, cls: Any) -> Any:
        light = cls._light
        body = {name: value for name, value in light.given.items() if value is not MISSING}
        body |= {name: standard().field(default_factory=make) for name, make in light.factories.items()}
        twin = type(cls.__name__, (), {**body, "__annotations__": cls.__annotations__})
        return standard().dataclass(frozen=True)(twin).__dataclass_fields__


class Frozen:
    _light: Light

    def __init__(self, *values: Any, **named: Any) -> None:
        light, state = self._light, self.__dict__
        names = light.names
        state.update(light.given)
        state.update(zip(names, values))  # noqa: B905  the word `strict` would take a third of the time
        state.update(named)
        for name, make in light.factories.items():
            if state[name] is MISSING:
                state[name] = make()
        missing = [name for name in light.needed[len(values) :] if state[name] is MISSING]
        if missing or len(state) > len(names) or len(values) > len(names) or named.keys() & {*names[: len(values)]}:
            raise TypeError(f"{type(self).__name__}({', '.join(names)}): given {values} and {named}")

    def __eq__(self, other: object) -> Any:
        return self.__dict__ == other.__dict__ if other.__class__ is self.__class__ else NotImplemented

    def __hash__(self) -> int:
        return hash(tuple(map(self.__dict__.__getitem__, self._light.names)))

    def __repr__(self) -> str:
        return f"{type(self).__qualname__}({', '.join(f'{n}={self.__dict__[n]!r}' for n in self._light.names)})"

    def __setattr__(self, name: str, value: object) -> None:
        raise FrozenInstanceError(f"cannot assign to field {name!r}")

    def __delattr__(self, name: str) -> None:
        raise FrozenInstanceError(f"cannot delete field {name!r}")


METHODS = {name: vars(Frozen)[name] for name in "__init__ __eq__ __hash__ __repr__ __setattr__ __delattr__".split()}
