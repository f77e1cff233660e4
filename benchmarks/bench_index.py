"""The index behind search_knowledge: how long 10,000 files take, how large it becomes, and what an answer costs then.

    python benchmarks/bench_index.py [--files 10000] [--model DIRECTORY]

The files are made: Python modules and documents of the size that real ones have (see FUNCTIONS), with words of their
own. A state directory of its own is used, and removed.
"""

from __future__ import annotations

import argparse
import os
import random
import resource
import statistics
import tempfile
import time
from pathlib import Path

FUNCTIONS = 8  # of a module
WORDS = [
    a + b
    for a in "read write send open close merge parse index store load".split()
    for b in "er or ing ed able".split()
]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("--files", type=int, default=10_000)
    parser.add_argument("--model", default="", help="an embedding model's directory")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        for name in ("HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME"):
            os.environ[name] = os.path.join(place, name.lower())
        if args.model:
            config = Path(os.environ["XDG_CONFIG_HOME"]) / "askfirst/config.yaml"
            config.parent.mkdir(parents=True)
            config.write_text(f"version: 2\ntoolbox: {{embedding_model: {os.path.abspath(args.model)}}}\n")
        measure(Path(place).resolve() / "project", args.files)


def measure(project: Path, count: int) -> None:
    from askfirst.toolbox.place import Place
    from askfirst.toolbox.searching import index_of, search_knowledge

    size = made(project, count)
    here = Place(str(project), str(project), "bench")
    index = index_of(here)
    print(f"{count} files, {size / 1e6:.1f} MB")
    print(f"  first index   {timed(lambda: index.refresh(3600)):8.2f} s")
    files, parts, bytes_now = index.size()
    vectors = os.path.getsize(index.vectors.file) if index.vectors is not None else 0
    print(
        f"  size          {bytes_now / 1e6:8.1f} MB for {files} files, {parts} parts (vectors: {vectors / 1e6:.1f} MB)"
    )
    print(f"  nothing new   {timed(lambda: index.refresh(3600)):8.2f} s")
    for number in range(100):
        (project / f"part{number % 100}/module{number}.py").write_text(module(random.Random(-number)))
    print(f"  100 changed   {timed(lambda: index.refresh(3600)):8.2f} s")
    questions = [f"where is {a} {b} of the {c}" for a, b, c in zip(WORDS, WORDS[7:], WORDS[3:], strict=False)][:20]
    times = [timed(lambda q=q: search_knowledge(here, q, 10)) for q in questions]
    print(f"  an answer     {statistics.median(times):8.2f} s (median of {len(times)}, each with a look for changes)")
    print(f"  memory        {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:8.0f} MB at most")


def made(project: Path, count: int) -> int:
    size = 0
    for number in range(count):
        text = module(random.Random(number)) if number % 10 else document(random.Random(number))
        path = project / f"part{number % 100}" / (f"module{number}.py" if number % 10 else f"page{number}.md")
        path.parent.mkdir(parents=True, exist_ok=True)
        size += path.write_text(text)
    return size


def module(dice: random.Random) -> str:
    def function() -> str:
        name, words = "_".join(dice.choices(WORDS, k=3)), " ".join(dice.choices(WORDS, k=9))
        body = "".join(f"    {dice.choice(WORDS)} = {dice.choice(WORDS)}({dice.choice(WORDS)})\n" for _ in range(12))
        return f'def {name}(a: int) -> int:\n    """{words}."""\n{body}    return a\n'

    return "\n\n".join(function() for _ in range(FUNCTIONS))


def document(dice: random.Random) -> str:
    parts = (f"## {' '.join(dice.choices(WORDS, k=4))}\n\n{' '.join(dice.choices(WORDS, k=80))}\n" for _ in range(6))
    return "\n".join(parts)


def timed(work: object) -> float:
    began = time.perf_counter()
    assert callable(work)
    work()
    return time.perf_counter() - began


if __name__ == "__main__":
    main()
