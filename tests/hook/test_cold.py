"""The light modules of the cold hook against the standard ones: `dataclasses` for every class of askfirst, `re` for
every pattern."""

from __future__ import annotations

import ast
import copy
import dataclasses
import json
import pickle
import re
import subprocess
import sys
import typing
from collections.abc import Iterator
from importlib import import_module
from typing import Any

import pytest

from askfirst import cold
from tests.test_architecture import modules


def frozen_classes() -> Iterator[type[Any]]:
    for name, path in modules():
        tree = ast.parse(path.read_text(encoding="utf-8"))
        if name.startswith(("commands.", "__main__", "launch")) or "dataclass" not in path.read_text(encoding="utf-8"):
            continue
        names = [node.name for node in tree.body if isinstance(node, ast.ClassDef) and node.decorator_list]
        if names:
            module = import_module(f"askfirst.{name}")
            for found in (getattr(module, one) for one in names):
                if dataclasses.is_dataclass(found) and isinstance(found, type) and _is_light(found):
                    yield found


def _is_light(cls: type[Any]) -> bool:
    """The others are made by the standard module in the cold hook, too."""
    return cls.__dataclass_params__.frozen and all(f.repr and f.compare for f in dataclasses.fields(cls))


def test_a_field_that_is_not_compared_is_the_standard_modules() -> None:
    body = {"__annotations__": {"a": int, "b": int}, "b": cold.field(compare=False)}
    made: Any = cold.dataclass(frozen=True)(type("Made", (), body))
    assert not hasattr(made, "_light") and made(1, 2) == made(1, 3)


CLASSES = sorted(frozen_classes(), key=lambda cls: f"{cls.__module__}.{cls.__name__}")


def light_of(cls: type[Any]) -> type[Any]:
    """The same class, as the cold hook makes it."""
    body: dict[str, Any] = {"__annotations__": dict(cls.__annotations__), "__module__": cls.__module__}
    for field in dataclasses.fields(cls):
        if field.default is not dataclasses.MISSING:
            body[field.name] = field.default
        elif field.default_factory is not dataclasses.MISSING:
            body[field.name] = cold.field(default_factory=field.default_factory)
    made: type[Any] = cold.dataclass(frozen=True)(type(cls.__name__, (), body))
    return made


def outcome(call: Any, /, *values: Any, **named: Any) -> Any:
    try:
        return call(*values, **named)
    except Exception as error:
        return type(error).__name__


def required(cls: type[Any]) -> list[str]:
    return [
        field.name
        for field in dataclasses.fields(cls)
        if field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING
    ]


@pytest.mark.parametrize("cls", CLASSES, ids=lambda cls: cls.__name__)
def test_a_class_means_the_same(cls: type[Any]) -> None:
    light = light_of(cls)
    names = [field.name for field in dataclasses.fields(cls)]
    assert [field.name for field in dataclasses.fields(light)] == names == list(light.__match_args__)
    values = [f"v{number}" for number in range(len(names))]
    least = dict.fromkeys(required(cls), "x")
    calls: list[tuple[list[Any], dict[str, Any]]] = [
        ([], least),
        (values, {}),
        (values[: len(least)], {}),
        ([], dict(zip(names, values, strict=True))),
        ([*values, "one more"], {}),
        (values[:1], {names[0]: "twice"}),
        (values, {"unknown": 1}),
        (values[: len(least) - 1], {}),
    ]
    for given, named in calls:
        ours, theirs = outcome(light, *given, **named), outcome(cls, *given, **named)
        if isinstance(theirs, str):
            assert ours == theirs, (given, named)
            continue
        assert list(vars(ours).items()) == [(name, getattr(theirs, name)) for name in names], "in the same order, too"
        assert repr(ours) == repr(theirs).replace(cls.__qualname__, light.__qualname__, 1)
        assert outcome(hash, ours) == outcome(hash, theirs)
        assert ours == light(*given, **named) and ours != theirs and ours != "x"
        assert copy.deepcopy(ours) == ours and vars(copy.copy(ours)) == vars(ours)
        changed = cold.replace(ours, **{names[-1]: "changed"})
        assert vars(changed) == vars(ours) | {names[-1]: "changed"} and changed != ours
        assert outcome(setattr, ours, names[0], 1) == outcome(delattr, ours, names[0]) == "FrozenInstanceError"


def test_the_hook_uses_it_and_gets_the_rest_from_the_standard_module() -> None:
    code = """
import json, pickle, sys
from askfirst import cold
cold.install()
from dataclasses import asdict, dataclass, fields, is_dataclass, replace
from askfirst.model import Origin, Layer
found = Origin(Layer.NOTHING, "r")
light = hasattr(Origin, "_light")
@dataclass
class Other:
    x: int = 1
@dataclass(frozen=True, slots=True)
class Third:
    x: int = 1
changed = replace(Third(), x=5).x, replace(Other(), x=6).x, replace(found, rule="s").rule
same = pickle.loads(pickle.dumps(found)) == found
print(json.dumps([light, is_dataclass(found), asdict(found), [f.name for f in fields(found)], changed, same]))
"""
    ran = subprocess.run(
        [sys.executable, "-I", "-c", f"import sys; sys.path[:0] = {sys.path!r}\n{code}"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    names = ["layer", "rule", "source", "line"]
    light, is_one, as_dict, found, changed, same = json.loads(ran.stdout)
    assert light and is_one and list(as_dict) == names == found and changed == [5, 6, "s"] and same


def test_only_what_starts_for_every_call_installs_it() -> None:
    users = [
        name
        for name, path in modules()
        if "cold" in path.read_text(encoding="utf-8").split("import ", 1)[-1]
        and "askfirst import cold" in path.read_text(encoding="utf-8")
    ]
    assert users == ["__main__", "box.launcher"]
    assert sys.modules["dataclasses"] is dataclasses and not hasattr(dataclasses, "Light")
    assert pickle.loads(pickle.dumps(CLASSES[0])) is CLASSES[0]


def test_what_the_light_typing_lacks_is_the_standard_modules() -> None:
    light: Any = cold.typing()
    assert light.TYPE_CHECKING is False and issubclass(type("P", (light.Protocol,), {}), light.Protocol)
    assert light.get_type_hints is typing.get_type_hints and light.Literal is typing.Literal
    assert not hasattr(light, "__path__") and sys.modules["typing"] is typing


def patterns() -> Iterator[tuple[str, str, Any]]:
    """Every pattern that stands in a module of askfirst, as the cold hook has it."""
    code = """
import importlib, sys
from askfirst import cold
cold.install()
for name in sys.argv[1:]:
    for key, value in list(vars(importlib.import_module(name)).items()):
        if isinstance(value, cold.LatePattern):
            text, flags = value._given
            print(repr((name, key, text, int(flags))))
"""
    names = [f"askfirst.{name}" for name, path in modules() if "re.compile" in path.read_text(encoding="utf-8")]
    ran = subprocess.run([sys.executable, "-c", code, *names], capture_output=True, text=True, check=True)
    for line in ran.stdout.splitlines():
        name, key, text, flags = ast.literal_eval(line)
        yield f"{name}.{key}", text, flags


def test_a_late_pattern_means_the_same() -> None:
    found = 0
    for name, text, flags in patterns():
        module, _, key = name.rpartition(".")
        assert getattr(import_module(module), key) == re.compile(text, flags), name
        found += 1
    assert found > 50


def test_only_the_patterns_of_a_module_are_late() -> None:
    """What a person or an organisation has written must be refused where it is read."""
    with pytest.raises(re.error):
        cold.compiled("(")
    assert isinstance(cold.compiled("a+"), re.Pattern)
    module: dict[str, Any] = {"__name__": "askfirst.any", "compiled": cold.compiled}
    exec("late = compiled('(a)+'); broken = compiled('(')\ndef now(): return compiled('(')", module)
    assert isinstance(module["late"], cold.LatePattern) and module["late"].fullmatch("aa")[1] == "a"
    with pytest.raises(re.error):
        module["broken"].match("a")
    with pytest.raises(re.error):
        module["now"]()
    other = {"__name__": "other", "compiled": cold.compiled}
    exec("pattern = compiled('a')", other)
    assert isinstance(other["pattern"], re.Pattern)


def test_no_late_pattern_is_handed_to_a_function_of_re() -> None:
    """`re.sub(PATTERN, …)` takes only what the standard module has compiled."""
    wrong = []
    for name, path in modules():
        tree = ast.parse(path.read_text(encoding="utf-8"))
        compiled = {
            target.id
            for node in tree.body
            if isinstance(node, ast.Assign) and ast.unparse(node.value).startswith("re.compile(")
            for target in node.targets
            if isinstance(target, ast.Name)
        }
        for call in ast.walk(tree):
            if isinstance(call, ast.Call) and ast.unparse(call.func).startswith("re."):
                wrong += [f"{name}: {ast.unparse(call)}" for arg in call.args[:1] if ast.unparse(arg) in compiled]
    assert not wrong


def test_the_flags_are_those_of_re() -> None:
    assert all(getattr(re, name) == value for name, value in cold.FLAGS.items())


def test_a_module_that_is_late_gives_what_the_standard_one_has() -> None:
    code = """
import signal, sys
from askfirst import cold
before = signal
del sys.modules["signal"]
cold.install()
import fnmatch, math, re, select, signal, unicodedata
assert not {*"fnmatch math re signal".split()} & {*cold._standard}
assert signal is not before and signal.SIGTERM == before.SIGTERM and signal.SIG_IGN == before.SIG_IGN
assert not {*"signal"} & {*cold._standard}
assert signal.Signals(15).name == "SIGTERM" and "signal" in cold._standard
assert fnmatch.fnmatchcase("a.py", "*.py") and math.log2(8) == 3 and re.sub("a", "b", "cat") == "cbt"
assert select.poll and unicodedata.category("a") == "Ll" and re.compile("x").match("x")
"""
    ran = subprocess.run(
        [sys.executable, "-I", "-S", "-c", f"import sys\nsys.path[:0] = {sys.path!r}\n{code}"], check=False
    )
    assert ran.returncode == 0
