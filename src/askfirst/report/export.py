"""The log in other systems' forms: JSON lines, CEF, OpenTelemetry log records."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from askfirst import __version__, jsontext
from askfirst.audit.describe import subject_of

# OpenTelemetry's severity numbers and CEF's 0 to 10, by what happened.
SEVERITY = {"allow": ("INFO", 9, 1), "contain": ("INFO", 10, 2), "ask": ("WARN", 13, 4), "deny": ("WARN", 13, 6)}
CRITICAL_KINDS = frozenset(("alert", "violation"))


def severity_of(record: dict[str, Any]) -> tuple[str, int, int]:
    if record.get("kind") in CRITICAL_KINDS or record.get("severity") == "critical":
        return ("ERROR", 17, 9)
    return SEVERITY.get(str(record.get("decision", "")), ("INFO", 9, 2))


def as_json_line(record: dict[str, Any]) -> str:
    return jsontext.dumps(record)


def as_cef(record: dict[str, Any]) -> str:
    """ArcSight's Common Event Format. The header escapes `|`, the extension `=`, both `\\`; line ends become `\\n`."""
    kind, decision = str(record.get("kind", "")), str(record.get("decision", ""))
    name = f"{kind} {decision}".strip()
    header = "|".join(
        _header(p) for p in ("askfirst", "askfirst", __version__, kind, name, str(severity_of(record)[2]))
    )
    extension = {
        "rt": int(float(record.get("time", 0)) * 1000),
        "act": decision,
        "suser": record.get("agent"),
        "cs1Label": "session", "cs1": record.get("session"),
        "cs2Label": "rule", "cs2": f"{record['layer']}: {record.get('rule', '')}" if record.get("layer") else "",
        "duser": answer.get("by") if isinstance(answer := record.get("answer"), dict) else record.get("by"),
        "cs3Label": "project", "cs3": record.get("project"),
        "cs4Label": "eventHash", "cs4": record.get("event_hash"),
        "cn1Label": "seq", "cn1": record.get("seq"),
        "msg": subject_of(record),
        "reason": record.get("reason"),
    }  # fmt: skip
    # A label goes with its value: `cs2Label` stands only where `cs2` has one.
    given = {k: v for k, v in extension.items() if extension[k.removesuffix("Label")] not in (None, "")}
    return f"CEF:0|{header}|" + " ".join(f"{k}={_extension(v)}" for k, v in given.items())


def _header(value: object) -> str:
    return str(value).replace("\\", "\\\\").replace("|", "\\|").replace("\r", " ").replace("\n", " ")


def _extension(value: object) -> str:
    return str(value).replace("\\", "\\\\").replace("=", "\\=").replace("\r", "\\r").replace("\n", "\\n")


def as_otel(record: dict[str, Any]) -> str:
    """One OTLP JSON `LogRecord` inside its resource, as a collector's JSON receiver takes it, one a line."""
    text, number, _ = severity_of(record)
    skipped = ("time", "text")
    attributes = [{"key": f"askfirst.{k}", "value": _any_value(v)} for k, v in record.items() if k not in skipped]
    log = {
        "timeUnixNano": str(int(float(record.get("time", 0)) * 1000) * 1_000_000),
        "severityNumber": number,
        "severityText": text,
        "body": {"stringValue": subject_of(record)},
        "attributes": attributes,
    }
    resource = {"attributes": [{"key": "service.name", "value": {"stringValue": "askfirst"}}]}
    scope = {"name": "askfirst", "version": __version__}
    return jsontext.dumps(
        {"resourceLogs": [{"resource": resource, "scopeLogs": [{"scope": scope, "logRecords": [log]}]}]}
    )


def _any_value(value: Any) -> dict[str, Any]:
    if isinstance(value, bool):
        return {"boolValue": value}
    if isinstance(value, int):
        return {"intValue": str(value)}
    if isinstance(value, float):
        return {"doubleValue": value}
    if isinstance(value, list):
        return {"arrayValue": {"values": [_any_value(v) for v in value]}}
    if isinstance(value, dict):
        return {"kvlistValue": {"values": [{"key": str(k), "value": _any_value(v)} for k, v in value.items()]}}
    return {"stringValue": "" if value is None else str(value)}


FORMATS: dict[str, Callable[[dict[str, Any]], str]] = {"jsonl": as_json_line, "cef": as_cef, "otel": as_otel}
