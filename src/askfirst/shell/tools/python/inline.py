"""What Python code in a command does, where it is plain enough to tell: it works on data, prints, and reads or writes
files that it names.

A closed language: every name, attribute, function and statement must be in the lists below, whose values can reach no
module, no frame and no function with an effect. Whatever is not there is a doubt, and asks. Modules of the project
(`from app import main`) may be imported and looked at: their import is what tests do, too. What they bring is called
only where its name says that it looks or computes, with plain values that stand in the code (project_calls.py).
"""

from __future__ import annotations

import ast
import collections
import datetime
import re
import string
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property

from askfirst.shell.tools.python.found_names import FoundNames
from askfirst.shell.tools.python.project_calls import DATA_METHODS, is_class, is_look, is_plain_text, says_more

__all__ = ["Program", "read_python"]

MAX_CODE = 20_000
# `# coding: utf-7` in the first two lines: Python would read another text than the one that stands there.
_COOKIE = re.compile(r"\A[^\n]*\n?[^\n]*coding[:=]")

_BUILTINS = frozenset(
    """
abs all any ascii bin bool bytearray bytes chr complex dict divmod enumerate exit filter float format frozenset hash hex
int isinstance issubclass iter len list map max min next object oct ord pow print quit range repr reversed round
set slice sorted str sum tuple zip callable True False None NotImplemented Ellipsis __name__
""".split()
)
# What may be done to values that a module of the project brings.
_LOOKS = frozenset(
    "abs all any bool callable dict dir enumerate exit float id int isinstance issubclass len list max min print quit "
    "range repr reversed round set sorted str sum tuple type zip".split()
)
# Functions of Python's own that call nothing of what they are handed.
_CALLS_NOTHING = frozenset(
    "datetime decimal json.dumps json.loads math os.getcwd os.listdir os.path platform pprint.pprint statistics "
    "sys.exit time uuid".split()
)
# What makes a plain value of plain values.
_VALUES = frozenset(
    "datetime.date datetime.datetime datetime.timedelta decimal.Decimal fractions.Fraction uuid.UUID".split()
)
_LOOKED_AT = frozenset("__version__ __name__ __file__ __doc__ __all__ __version_info__ __class__".split())
# Module -> what may be used of it. `*`: whatever has no underscore in front.
_MODULES: dict[str, frozenset[str]] = {
    name: frozenset(attributes.split())
    for name, attributes in {
        "ast": "parse walk dump literal_eval get_docstring iter_child_nodes FunctionDef AsyncFunctionDef ClassDef "
        "Import ImportFrom Call Name Attribute Assign Constant Expr Return Module Str If For While With Try",
        "base64": "b64encode b64decode urlsafe_b64encode urlsafe_b64decode b32encode b32decode b16encode b16decode",
        "binascii": "hexlify unhexlify crc32",
        "calendar": "monthrange isleap month_name day_name timegm",
        "collections": "Counter defaultdict OrderedDict deque ChainMap",
        "copy": "copy deepcopy",
        "csv": "reader DictReader writer DictWriter QUOTE_ALL QUOTE_MINIMAL",
        "datetime": "datetime date timedelta timezone time UTC",
        "decimal": "Decimal",
        "difflib": "unified_diff ndiff SequenceMatcher get_close_matches context_diff",
        "fnmatch": "fnmatch filter fnmatchcase",
        "fractions": "Fraction",
        "functools": "reduce partial",
        "glob": "glob iglob",
        "hashlib": "md5 sha1 sha224 sha256 sha384 sha512 blake2b blake2s",
        "heapq": "heappush heappop heapify nlargest nsmallest merge",
        "html": "escape unescape",
        "importlib.metadata": "version",
        "itertools": "chain combinations permutations product groupby islice count cycle repeat zip_longest accumulate "
        "takewhile dropwhile starmap tee",
        "json": "load loads dump dumps JSONDecodeError",
        "keyword": "iskeyword kwlist",
        "math": "*",
        "operator": "itemgetter add sub mul truediv",
        "os": "getcwd listdir walk sep linesep path.join path.exists path.isfile path.isdir path.basename path.dirname "
        "path.splitext path.getsize path.getmtime path.relpath path.abspath path.normpath path.split path.sep",
        "os.path": "join exists isfile isdir basename dirname splitext getsize getmtime relpath abspath normpath split",
        "platform": "system machine release version python_version python_implementation",
        "pprint": "pprint pformat",
        "random": "random randint choice choices sample shuffle uniform seed randrange gauss",
        "re": "search match fullmatch findall finditer split sub subn compile escape I IGNORECASE M MULTILINE S DOTALL "
        "X VERBOSE error",
        "secrets": "token_hex token_urlsafe token_bytes randbelow choice",
        "statistics": "mean median stdev pstdev variance mode quantiles fmean",
        "string": "ascii_letters ascii_lowercase ascii_uppercase digits punctuation hexdigits whitespace printable",
        "subprocess": "PIPE DEVNULL STDOUT CalledProcessError TimeoutExpired",
        "struct": "pack unpack calcsize unpack_from iter_unpack",
        "sys": "argv stdin stdout stderr exit version version_info platform maxsize byteorder executable "
        "stdin.read stdin.readline stdin.readlines stdin.buffer stdout.write stdout.flush stderr.write",
        "textwrap": "dedent indent wrap fill shorten",
        "time": "time sleep strftime strptime gmtime localtime perf_counter monotonic ctime",
        "tomllib": "load loads",
        "typing": "Any",
        "unicodedata": "name category normalize lookup",
        "urllib.parse": "urlparse quote unquote urlencode parse_qs parse_qsl urlsplit urljoin quote_plus unquote_plus",
        "uuid": "uuid4 UUID uuid5 NAMESPACE_DNS NAMESPACE_URL",
        "yaml": "safe_load safe_load_all safe_dump YAMLError",
        "zlib": "crc32 adler32 compress decompress",
    }.items()
}
# How a program is started that stands in the code word by word; what these say does not change what it does.
_STARTS = ("subprocess.run", "subprocess.check_output", "subprocess.check_call")
_LOOKS_IN = ("sys.path.insert", "sys.path.append")
_STARTED_WITH = frozenset("capture_output text check timeout stdout stderr universal_newlines encoding errors".split())
_PATHS = frozenset({"Path", "PurePath", "PosixPath"})
_PATH_READS = frozenset({"read_text", "read_bytes"})
_PATH_WRITES = frozenset({"write_text", "write_bytes"})
_PATH_LOOKS = frozenset("exists is_file is_dir name stem suffix parts suffixes as_posix".split())


def _public(*types: type) -> frozenset[str]:
    return frozenset(name for one in types for name in dir(one) if not name.startswith("_"))


# What data can be asked to do, whatever it is: no two of these types mean something harmful by one name. Not
# `format` and `format_map`, which follow attributes that a text names.
_METHODS = _public(
    str,
    bytes,
    bytearray,
    int,
    float,
    complex,
    list,
    dict,
    set,
    frozenset,
    tuple,
    range,
    slice,
    collections.Counter,
    collections.deque,
    datetime.datetime,
    datetime.date,
    datetime.timedelta,
    datetime.timezone,
    re.Pattern,
    re.Match,
) - {"format", "format_map"} | frozenset(
    """
read readline readlines write writelines close flush seek tell buffer getvalue hexdigest digest
writerow writerows writeheader fieldnames line_num msg lineno args doc pos colno
body id attr func targets names module col_offset level value decorator_list bases
tm_year tm_mon tm_mday tm_hour tm_min tm_sec major minor micro
ratio get_opcodes netloc scheme hostname port query fragment path params geturl st_size
from_iterable name text errors stdout stderr returncode
""".split()
)
_EXCEPTIONS = frozenset(
    """
Exception BaseException ArithmeticError AssertionError AttributeError BrokenPipeError EOFError FileNotFoundError
ImportError IndexError IsADirectoryError KeyError KeyboardInterrupt LookupError ModuleNotFoundError NameError
NotImplementedError OSError IOError OverflowError PermissionError RecursionError RuntimeError StopIteration SyntaxError
SystemExit TypeError UnicodeDecodeError UnicodeEncodeError UnicodeError ValueError ZeroDivisionError Warning
""".split()
)
_STATEMENTS = (
    ast.Expr,
    ast.Assign,
    ast.AugAssign,
    ast.AnnAssign,
    ast.For,
    ast.While,
    ast.If,
    ast.With,
    ast.Try,
    ast.Raise,
    ast.Assert,
    ast.Pass,
    ast.Break,
    ast.Continue,
    ast.Return,
    ast.Delete,
    ast.Global,
    ast.Nonlocal,
    ast.FunctionDef,
    ast.Import,
    ast.ImportFrom,
)
_PLAIN = (
    ast.Constant, ast.Subscript, ast.Slice, ast.BinOp, ast.UnaryOp, ast.BoolOp, ast.Compare, ast.IfExp, ast.List,
    ast.Tuple, ast.Set, ast.Dict, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp, ast.JoinedStr,
    ast.FormattedValue, ast.Lambda, ast.Starred, ast.NamedExpr, ast.Yield, ast.YieldFrom,
    ast.operator, ast.unaryop, ast.boolop, ast.cmpop, ast.expr_context, ast.comprehension, ast.arguments, ast.arg,
    ast.keyword, ast.ExceptHandler, ast.withitem, ast.alias, ast.Module,
)  # fmt: skip

_ARITHMETIC = (ast.BinOp, ast.UnaryOp, ast.Add, ast.Sub, ast.Mult, ast.Div, ast.USub, ast.UAdd)
# What an application loads from its environment and its `.env`.
_SHOWS_SETTINGS = re.compile(
    r"setting|config|environ|secret|token|passw|credential|\bos\b|_key\b|api_?key|dotenv|vault", re.I
)


@dataclass
class Program:
    """What the code does."""

    doubts: list[str] = field(default_factory=list)
    reads: list[str] = field(default_factory=list)
    looks_in: list[str] = field(default_factory=list)  # where it finds the names of other files that it reads
    writes: list[tuple[str, str]] = field(default_factory=list)  # (path, "overwrite" or "append")
    runs: list[tuple[str, ...]] = field(default_factory=list)  # programs with their words
    imports: set[str] = field(default_factory=set)  # modules of Python itself
    foreign: set[str] = field(default_factory=set)  # modules that only the project or its environment can bring
    called: set[tuple[str, str]] = field(default_factory=set)  # (module, name) that must be the project's own, as the
    # code calls what they bring
    folders: list[str] = field(default_factory=list)  # where it looks for modules first


def read_python(code: str, arguments: tuple[str | None, ...] = ()) -> Program:
    """`arguments`: the words behind the code, which it knows as sys.argv[1:]."""
    program = Program()
    if len(code) > MAX_CODE:
        program.doubts.append("the Python code is long")
        return program
    if _COOKIE.match(code):
        program.doubts.append("the Python code says how it is encoded")
        return program
    try:
        tree = ast.parse(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        program.doubts.append("askfirst cannot read the Python code")
        return program
    reader = _Reader(program, arguments)
    reader.collect(tree)
    if program.foreign and _SHOWS_SETTINGS.search("\n".join(_names_in(tree))):
        program.doubts.append("the Python code may show settings of the project, and the secrets among them")
    try:
        reader.visit(tree)
    except RecursionError:
        program.doubts.append("the Python code is deeply nested")
    if program.runs and program.writes:
        program.doubts.append("the Python code writes what a program that it starts may use")
    if reader.calls:
        program.called = {*reader.calls, *reader.imported.values()}
        if more := next(filter(says_more, _names_in(tree)), ""):
            program.doubts.append(f"`{more}` of the Python code says that it does more than look")
    if not any(isinstance(node, ast.Call) for node in ast.walk(tree)) and not program.foreign and tree.body:
        program.doubts.append("the Python code does nothing that can be seen")
    return program


class _Reader:
    def __init__(self, program: Program, arguments: tuple[str | None, ...]) -> None:
        self.program, self.arguments = program, arguments
        self.modules: dict[str, str] = {}  # name in the code -> module
        self.functions: dict[str, str] = {}  # name in the code -> "module.attribute"
        self.foreign: set[str] = set()
        self.imported: dict[str, tuple[str, str]] = {}  # name in the code -> (foreign module, name there)
        self.calls: set[tuple[str, str]] = set()  # what the code calls of these
        self.literals: set[str] = set()  # names that only ever stand for plain values
        self.defined: set[str] = set()  # functions of the code itself
        self.paths: dict[str, str | None] = {}  # a variable that holds Path("…"); None: more than one
        self.own: set[str] = set()

    def doubt(self, why: str) -> None:
        self.program.doubts.append(why)

    # -- what the names mean, wherever they stand

    def collect(self, tree: ast.AST) -> None:
        self.tree = tree
        for node in ast.walk(tree):
            if isinstance(node, ast.Import):
                for alias in node.names:
                    self._import(alias)
            elif isinstance(node, ast.ImportFrom):
                self._import_from(node)
            elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store | ast.Del):
                self.own.add(node.id)
            elif isinstance(node, ast.arg):
                self.own.add(node.arg)
            elif isinstance(node, ast.FunctionDef | ast.ExceptHandler):
                self.own.add(node.name or "")
        self._collect_paths(tree)
        self._collect_literals(tree)
        imported = {*self.modules, *self.functions, *self.foreign}
        if twice := imported & self.own:
            self.doubt(f"`{min(twice)}` means several things in the Python code")

    def _collect_paths(self, tree: ast.AST) -> None:
        stored: collections.Counter[str] = collections.Counter()
        for node in ast.walk(tree):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                stored[node.id] += 1
        for node in ast.walk(tree):
            if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
                name = node.targets[0].id
                path = self._path_of(node.value)
                if path is not None:
                    self.paths[name] = path if stored[name] == 1 else None

    def _collect_literals(self, tree: ast.AST) -> None:
        """Names that are bound to plain values wherever they are bound, and functions that are nothing else."""
        nodes = list(ast.walk(tree))
        functions = {node.name for node in nodes if isinstance(node, ast.FunctionDef)}
        named, stored = collections.Counter(map(_named_by, nodes)), collections.Counter(map(_stored_by, nodes))
        self.defined = {name for name in functions if named[name] == 1 and name not in stored}
        for _ in range(3):  # `a = 1`, then `b = [a]`
            plain = collections.Counter(name for node in nodes for name in self._bound_to_plain(node))
            self.literals = {name for name in plain if plain[name] == stored[name] and name not in named}

    def _bound_to_plain(self, node: ast.AST) -> list[str]:
        if isinstance(node, ast.Assign) and self._is_plain(node.value):
            return [name for target in node.targets for name in _targets(target)]
        if isinstance(node, ast.For | ast.comprehension) and (
            self._is_plain(node.iter) or self._is_plain_loop(node.iter)
        ):
            return _targets(node.target)
        return []

    def _is_plain_loop(self, node: ast.expr) -> bool:
        """`range(3)`, `enumerate(names)`, `prices.items()` of plain values."""
        if not isinstance(node, ast.Call) or node.keywords:
            return False
        func = node.func
        if isinstance(func, ast.Attribute):
            return func.attr in ("items", "keys", "values") and not node.args and self._is_plain(func.value)
        named = isinstance(func, ast.Name) and func.id in ("range", "enumerate", "sorted", "zip")
        return named and all(map(self._is_plain, node.args))

    def _is_plain(self, node: ast.expr) -> bool:
        """A number, a plain text, containers of them, and values of the project's classes that are made of them."""
        if isinstance(node, ast.Constant):
            return is_plain_text(node.value) if isinstance(node.value, str) else not isinstance(node.value, bytes)
        if isinstance(node, ast.Name):
            return node.id in self.literals
        if isinstance(node, ast.Call):
            return self._makes_value(node)
        if isinstance(node, ast.Tuple | ast.List | ast.Set | ast.Dict):
            inner = [*node.keys, *node.values] if isinstance(node, ast.Dict) else node.elts
            return all(one is not None and self._is_plain(one) for one in inner)
        parts = [part for part in ast.walk(node) if not isinstance(part, _ARITHMETIC)]
        return all(isinstance(part, ast.Constant) and isinstance(part.value, int | float) for part in parts)

    def _makes_value(self, node: ast.Call) -> bool:
        func = node.func
        own = isinstance(func, ast.Name) and self.functions.get(func.id) in _VALUES
        return self._has_plain_arguments(node) and (own or self._is_of_project(func, is_class))

    def _has_plain_arguments(self, node: ast.Call) -> bool:
        return all(map(self._is_plain, node.args)) and all(k.arg and self._is_plain(k.value) for k in node.keywords)

    def _is_of_project(self, func: ast.expr, is_fit: Callable[[str], bool]) -> bool:
        """Whether it is a name that a module of the project brings, and one that fits by the name it has there."""
        root, _, rest = _dotted(func).partition(".")
        if root not in self.imported or root in self.own:
            return False
        module, name = self.imported[root]
        *inner, last = [part for part in (name, *rest.split(".")) if part] or [""]
        if not is_fit(last) or any(part.startswith("_") for part in inner):
            return False
        self.calls.add((".".join((module, *inner)), last))
        return True

    def _import(self, alias: ast.alias) -> None:
        name = alias.name
        bound = alias.asname or name.partition(".")[0]
        known = name in _MODULES or name == "pathlib"
        if known and (alias.asname or "." not in name):
            self.modules[bound] = name
            self.program.imports.add(name.partition(".")[0])
        elif known:
            self.modules.setdefault(bound, bound)  # `import os.path`: used as os.path.join
            self.program.imports.add(bound)
            if bound not in _MODULES:
                self.modules[bound] = f"{bound}."  # `import urllib.parse`: only what lies below it
        else:
            self._foreign(name, bound, (name if alias.asname else bound, ""))

    def _import_from(self, node: ast.ImportFrom) -> None:
        module = node.module or ""
        for alias in node.names:
            bound = alias.asname or alias.name
            if node.level or alias.name == "*":
                self.doubt("what the Python code imports is not in its text")
            elif f"{module}.{alias.name}" in _MODULES:
                self.modules[bound] = f"{module}.{alias.name}"
                self.program.imports.add(module.partition(".")[0])
            elif module in _MODULES and _is_listed(module, alias.name):
                self.functions[bound] = f"{module}.{alias.name}"
                self.program.imports.add(module.partition(".")[0])
            elif module == "pathlib" and alias.name in _PATHS:
                self.functions[bound] = f"pathlib.{alias.name}"
                self.program.imports.add("pathlib")
            else:
                self._foreign(module, bound, (module, alias.name))

    def _foreign(self, module: str, bound: str, source: tuple[str, str]) -> None:
        top = module.partition(".")[0]
        if self.imported.setdefault(bound, source) != source:
            self.doubt(f"`{bound}` means several things in the Python code")
        if top in sys.stdlib_module_names or top.startswith(("_", "askfirst")):
            self.doubt(f"the Python code uses `{module}`")
        self.foreign.add(bound)
        self.program.foreign.add(module)

    @cached_property
    def found(self) -> FoundNames:
        return FoundNames(self.tree, {**self.modules, **self.functions}, self.own)

    # -- every node

    def visit(self, node: ast.AST) -> None:
        if isinstance(node, ast.stmt):
            self._statement(node)
        elif isinstance(node, ast.Call):
            self._call(node)
        elif isinstance(node, ast.Attribute):
            self._attribute(node)
        elif isinstance(node, ast.Name):
            self._name(node)
        elif isinstance(node, ast.Subscript) and self.foreign and not isinstance(node.ctx, ast.Load):
            self.doubt("the Python code changes what a module of the project brings")
        elif not isinstance(node, _PLAIN):
            self.doubt(f"the Python code has a part that askfirst does not know ({type(node).__name__})")
        else:
            self._children(node)

    def _children(self, node: ast.AST) -> None:
        for child in ast.iter_child_nodes(node):
            self.visit(child)

    def _statement(self, node: ast.stmt) -> None:
        if not isinstance(node, _STATEMENTS):
            self.doubt(f"the Python code has a part that askfirst does not know ({type(node).__name__})")
            return
        if isinstance(node, ast.FunctionDef) and (node.decorator_list or node.name.startswith("__")):
            self.doubt("the Python code defines something special")
        if isinstance(node, ast.With) and not all(self._is_open(item.context_expr) for item in node.items):
            self.doubt("the Python code enters a context that askfirst does not know")
        if isinstance(node, ast.Assign) and self._is_path_assignment(node):
            return
        self._children(node)

    def _is_path_assignment(self, node: ast.Assign) -> bool:
        target = node.targets[0]
        return isinstance(target, ast.Name) and self.paths.get(target.id) is not None

    def _is_open(self, node: ast.expr) -> bool:
        return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "open"

    def _name(self, node: ast.Name) -> None:
        name = node.id
        if not isinstance(node.ctx, ast.Load):
            if name.startswith("__"):
                self.doubt(f"the Python code sets `{name}`")
            return
        if name in self.paths or name in self.modules:
            self.doubt(f"the Python code hands `{name}` on")
        elif name in self.functions:
            if self.functions[name].startswith("pathlib."):
                self.doubt(f"the Python code hands `{name}` on")
        elif name not in self.own and name not in self.foreign and name not in self._builtins():
            self.doubt(f"the Python code uses `{name}`")

    def _builtins(self) -> frozenset[str]:
        return (_LOOKS if self.foreign else _BUILTINS | {"type"}) | _EXCEPTIONS | {"__name__"}

    def _attribute(self, node: ast.Attribute) -> None:
        if not isinstance(node.ctx, ast.Load):
            self.doubt("the Python code changes an attribute")
        dotted = _dotted(node)
        root, _, rest = dotted.partition(".")
        if root in self.modules:
            self._of_module(self.modules[root], rest)
        elif root in self.foreign:
            if any(part.startswith("_") and part not in _LOOKED_AT for part in rest.split(".")):
                self.doubt(f"the Python code uses `{dotted}`")
        elif self._is_path(node.value):
            self.program.imports.add("pathlib")
            if node.attr not in _PATH_LOOKS:
                self.doubt(f"the Python code uses `{node.attr}` of a path")
        else:
            if not self._is_known(node.attr):
                self.doubt(f"the Python code uses `.{node.attr}`")
            self.visit(node.value)

    def _is_path(self, node: ast.expr) -> bool:
        return (isinstance(node, ast.Name) and node.id in self.paths) or self._path_of(node) is not None

    def _is_known(self, attribute: str) -> bool:
        if self.foreign:
            return not attribute.startswith("_") or attribute in _LOOKED_AT
        return attribute in _METHODS or attribute in ("__name__", "__doc__")

    def _of_module(self, module: str, rest: str) -> None:
        if module.endswith("."):
            module, rest = module + rest.partition(".")[0], rest.partition(".")[2]
        elif f"{module}.{rest.partition('.')[0]}" in _MODULES and "." in rest:
            module, rest = f"{module}.{rest.partition('.')[0]}", rest.partition(".")[2]
        first, _, more = rest.partition(".")
        listed = _is_listed(module, rest) or (_is_listed(module, first) and all(p in _METHODS for p in more.split(".")))
        if module not in _MODULES or not rest or not listed:
            self.doubt(f"the Python code uses `{module}.{rest}`")

    # -- calls

    def _call(self, node: ast.Call) -> None:
        func = node.func
        if self._is_open(node):
            self._open(node)
        elif self._path_call(node):
            pass
        elif isinstance(func, ast.Attribute) and func.attr in ("format", "format_map"):
            self._format(node, func)
        elif isinstance(func, ast.Name) and func.id in ("getattr", "hasattr"):
            self._getattr(node)
        elif self._is_of_module(func, "sys", _LOOKS_IN):
            self._look_in(node)
        elif self._is_of_module(func, "subprocess", _STARTS):
            self._start(node)
        elif self.foreign and self._calls_project(node, func):
            for child in (*node.args, *node.keywords, *([func.value] if isinstance(func, ast.Attribute) else ())):
                self.visit(child)
        else:
            if self.foreign:
                self._call_beside_foreign(node)
            self.visit(func)
            for child in (*node.args, *node.keywords):
                self.visit(child)

    def _is_of_module(self, func: ast.expr, module: str, names: tuple[str, ...]) -> bool:
        return _dotted(func) in names and self.modules.get(module) == module

    def _look_in(self, node: ast.Call) -> None:
        """`sys.path.insert(0, "src")`: there the code looks for modules first."""
        folder = node.args[-1] if node.args and not node.keywords else None
        if isinstance(folder, ast.Constant) and isinstance(folder.value, str):
            self.program.folders.append(folder.value or ".")
        else:
            self.doubt("the Python code looks for modules in a place that its text does not name")

    def _start(self, node: ast.Call) -> None:
        """`subprocess.run(["git", "status"], text=True)`: it is judged like any other command."""
        given = node.args[0] if len(node.args) == 1 else None
        words = [_text(one) for one in given.elts] if isinstance(given, ast.List | ast.Tuple) else []
        said = all(k.arg in _STARTED_WITH and isinstance(k.value, ast.Constant | ast.Attribute) for k in node.keywords)
        if not words or None in words or not said or self.foreign:
            self.doubt("the Python code starts a program that its text does not name")
        self.program.runs.append(tuple(word or "" for word in words))
        for keyword in node.keywords:
            self.visit(keyword)

    def _calls_project(self, node: ast.Call, func: ast.expr) -> bool:
        """Whether it calls what the project brings, or a value that came from there, to look or to compute."""
        alone = not node.args and not node.keywords
        if not self._has_plain_arguments(node):
            return False
        if self._is_of_project(func, lambda name: is_class(name) or is_look(name, alone=alone)):
            return True
        if not isinstance(func, ast.Attribute) or _dotted(func).partition(".")[0] in {*self.modules, *self.functions}:
            return False
        if not (func.attr in DATA_METHODS or is_look(func.attr, alone=alone)) or self._is_path(func.value):
            return False
        self.calls.add(("", ""))
        return True

    def _call_beside_foreign(self, node: ast.Call) -> None:
        """What a module of the project brought may be looked at; nothing that could be it is called."""
        func = node.func
        plain = isinstance(func, ast.Name) and func.id not in self.own and func.id in _LOOKS | _EXCEPTIONS
        plain = plain or (isinstance(func, ast.Name) and func.id in self.defined)
        joins = isinstance(func, ast.Attribute) and isinstance(func.value, ast.Constant | ast.JoinedStr)
        nothing = self._calls_nothing(func) and all(
            map(self._is_plain, (*node.args[1:], *(k.value for k in node.keywords)))
        )
        if not (plain or joins or nothing):
            self.doubt("the Python code calls what a module of the project brings")
        if any(k.arg in ("key", "default", "cls", "file", "object_hook", None) for k in node.keywords):
            self.doubt("the Python code hands on what a module of the project brings")

    def _calls_nothing(self, func: ast.expr) -> bool:
        root, _, rest = _dotted(func).partition(".")
        whole = self.functions.get(root) or self.modules.get(root, "")
        name = ".".join(part for part in (whole.rstrip("."), rest) if part)
        return any(name == one or name.startswith(f"{one}.") for one in _CALLS_NOTHING)

    def _getattr(self, node: ast.Call) -> None:
        name = node.args[1] if len(node.args) > 1 else None
        if not (isinstance(name, ast.Constant) and isinstance(name.value, str)):
            self.doubt("the Python code uses an attribute that its text does not name")
        elif _dotted(node.func) == "hasattr":
            pass  # only whether there is one
        elif name.value not in _METHODS | _LOOKED_AT and (name.value.startswith("_") or not self.foreign):
            self.doubt(f"the Python code uses `.{name.value}`")
        for child in (*node.args, *node.keywords):
            self.visit(child)

    def _format(self, node: ast.Call, func: ast.Attribute) -> None:
        """`'{0.x[y]}'.format(…)` follows attributes."""
        text = func.value
        if func.attr == "format_map" or not (isinstance(text, ast.Constant) and isinstance(text.value, str)):
            self.doubt("the Python code formats with a text that it does not show")
        elif not _is_plain_format(text.value):
            self.doubt("the Python code formats with a text that follows attributes")
        for child in (*node.args, *node.keywords):
            self.visit(child)

    def _open(self, node: ast.Call) -> None:
        name = node.args[0] if node.args else None
        path = self._text_of(name)
        given = {k.arg: k.value for k in node.keywords}
        mode_node = node.args[1] if len(node.args) > 1 else given.pop("mode", None)
        mode = mode_node.value if isinstance(mode_node, ast.Constant) else "r" if mode_node is None else None
        kind = mode.replace("b", "").replace("t", "") if isinstance(mode, str) else ""
        found = path is None and kind == "r" and self.found.is_one(name)
        if (path is None and not found) or not kind or set(given) - {"encoding", "errors", "newline"}:
            self.doubt("the Python code opens a file that its text does not name")
            return
        if not all(isinstance(v, ast.Constant) for v in (*node.args[2:], *given.values())):
            self.doubt("the Python code opens a file in a way that askfirst does not know")
        self._note_opened(path, kind)

    def _note_opened(self, path: str | None, kind: str) -> None:
        if path is None:
            self.program.looks_in = sorted(self.found.places)
        elif kind == "r":
            self.program.reads.append(path)
        elif kind in ("w", "a"):
            self.program.writes.append((path, "overwrite" if kind == "w" else "append"))
        else:
            self.doubt(f"the Python code opens a file as `{kind}`")

    def _text_of(self, node: ast.expr | None) -> str | None:
        """A path that the text names: a constant, sys.argv[1], or Path("…")."""
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and "\0" not in node.value:
            return node.value or None
        if isinstance(node, ast.Subscript) and _dotted(node.value) == "sys.argv" and self.modules.get("sys") == "sys":
            at = node.slice.value if isinstance(node.slice, ast.Constant) else None
            if isinstance(at, int) and 0 < at <= len(self.arguments):
                return self.arguments[at - 1]
            return None
        if isinstance(node, ast.Name):
            return self.paths.get(node.id)
        return self._path_of(node) if node is not None else None

    def _path_of(self, node: ast.expr) -> str | None:
        """The text of `Path("…")`."""
        if not isinstance(node, ast.Call) or len(node.args) != 1 or node.keywords:
            return None
        func = node.func
        named = isinstance(func, ast.Name) and self.functions.get(func.id, "").startswith("pathlib.")
        root, _, attribute = _dotted(func).partition(".")
        if not named and not (self.modules.get(root) == "pathlib" and attribute in _PATHS):
            return None
        text = node.args[0]
        return text.value if isinstance(text, ast.Constant) and isinstance(text.value, str) and text.value else None

    def _path_call(self, node: ast.Call) -> bool:
        """`Path("x").read_text()`, `p.write_text(…)`."""
        func = node.func
        if not isinstance(func, ast.Attribute):
            return False
        name = func.value.id if isinstance(func.value, ast.Name) else ""
        path = self.paths.get(name) if name in self.paths else self._path_of(func.value)
        if path is None:
            return False
        self.program.imports.add("pathlib")
        if func.attr in _PATH_READS:
            self.program.reads.append(path)
        elif func.attr in _PATH_WRITES:
            self.program.writes.append((path, "overwrite"))
        elif func.attr not in _PATH_LOOKS:
            self.doubt(f"the Python code uses `{func.attr}` of a path")
        if self.foreign and func.attr in _PATH_WRITES:
            self.doubt("the Python code writes beside what a module of the project brings")
        for child in (*node.args, *node.keywords):
            self.visit(child)
        return True


def _names_in(tree: ast.AST) -> list[str]:
    """Every name that the code uses; of texts those that choose a part of something."""
    found: list[str] = []
    for node in ast.walk(tree):
        chosen: ast.AST | None = None
        if isinstance(node, ast.Subscript):
            chosen = node.slice
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("getattr", "hasattr"):
            chosen = node.args[1] if len(node.args) > 1 else None
        if isinstance(chosen, ast.Constant) and isinstance(chosen.value, str):
            found.append(chosen.value)
        said = (getattr(node, one, None) for one in ("id", "attr", "arg", "name", "asname", "module"))
        found += [part for one in said if isinstance(one, str) for part in one.split(".")]
    return found


def _text(node: ast.expr) -> str | None:
    return (
        node.value
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and "\0" not in node.value
        else None
    )


def _named_by(node: ast.AST) -> str:
    """A name that is bound by anything but an assignment."""
    if isinstance(node, ast.arg):
        return node.arg
    return (node.name or "") if isinstance(node, ast.FunctionDef | ast.ExceptHandler) else ""


def _stored_by(node: ast.AST) -> str:
    return node.id if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load) else ""


def _targets(node: ast.expr) -> list[str]:
    """The names that an assignment binds; of `a, b = …` both."""
    return [one.id for one in ast.walk(node) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)]


def _is_listed(module: str, name: str) -> bool:
    listed = _MODULES.get(module, frozenset())
    return name in listed or ("*" in listed and name.isidentifier() and not name.startswith("_"))


def _dotted(node: ast.expr) -> str:
    """`a.b.c`; "" for anything else."""
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    return ".".join([node.id, *reversed(parts)]) if isinstance(node, ast.Name) else ""


def _is_plain_format(text: str) -> bool:
    try:
        fields = [(name, spec) for _, name, spec, _ in string.Formatter().parse(text) if name is not None]
    except ValueError:
        return True  # fails when it runs
    return all((not name or name.isalnum()) and "{" not in (spec or "") for name, spec in fields)
