"""The audit log and redaction: appending with many writers, verifying a long log, masking a megabyte. Prints a table.

python benchmarks/bench_audit.py [--records 100000] [--writers 100]
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time

WRITER = """
import sys, time
from askfirst.store import audit
for i in range(int(sys.argv[1])):
    start = time.perf_counter()
    audit.append("verdict", {"text": f"git status {i}", "decision": "allow"}, durable=False)
    print((time.perf_counter() - start) * 1000)
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--records", type=int, default=100_000)
    parser.add_argument("--writers", type=int, default=100)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as state:
        os.environ["XDG_STATE_HOME"] = state
        rows = [*appending(args.writers), *reading(args.records), *masking()]
    width = max(len(name) for name, _ in rows)
    for name, value in rows:
        print(f"{name:<{width}}  {value}")


def appending(writers: int) -> list[tuple[str, str]]:
    running = [subprocess.Popen([sys.executable, "-I", "-c", WRITER, "20"], stdout=subprocess.PIPE, text=True) for _ in range(writers)]
    times = sorted(float(line) for process in running for line in process.communicate()[0].splitlines())
    from askfirst.store import audit_read

    assert audit_read.verify().good
    return [
        (f"append, {writers} writers at once, median", f"{statistics.median(times):.2f} ms"),
        ("  95 % within", f"{times[int(len(times) * 0.95)]:.2f} ms"),
    ]


def reading(records: int) -> list[tuple[str, str]]:
    from askfirst.store import audit, audit_read

    start = time.perf_counter()
    for number in range(records):
        audit.append(
            "verdict",
            {"text": f"git log {number}", "decision": "allow", "agent": "claude", "session": "s", "layer": "builtin_allow"},
            durable=False,
        )
    writing_s = time.perf_counter() - start
    start = time.perf_counter()
    report = audit_read.verify()
    verifying_s = time.perf_counter() - start
    start = time.perf_counter()
    found = sum(1 for r in audit_read.records() if "log 99" in r["text"])
    assert report.good and found
    return [
        ("append, alone", f"{writing_s / records * 1000:.3f} ms"),
        (f"verify {report.records} records", f"{verifying_s:.2f} s"),
        ("read and filter them", f"{time.perf_counter() - start:.2f} s"),
    ]


def masking() -> list[tuple[str, str]]:
    from askfirst.redact import redact

    with open(__file__) as file:
        source = file.read()
    text = source * (1_000_000 // len(source))
    redact(text[:1000])
    start = time.perf_counter()
    redact(text)
    return [("mask 1 MB of source", f"{(time.perf_counter() - start) * 1000:.0f} ms")]


if __name__ == "__main__":
    main()
