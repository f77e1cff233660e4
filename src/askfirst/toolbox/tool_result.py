"""What every tool gives back: status, data, error with code, message and suggestion, metadata."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from typing import Any

from askfirst.errors import AskfirstError
from askfirst.masking import masker_of
from askfirst.redact import redact
from askfirst.store.layers import flow_settings


class Failure(AskfirstError):
    """A tool could not do it. The agent can recover: the code says what kind it is, the suggestion what to try."""

    def __init__(self, code: str, message: str, suggestion: str = "") -> None:
        super().__init__(message)
        self.code, self.message, self.suggestion = code, message, suggestion


def run(work: Callable[[], dict[str, Any]], project: str = "") -> dict[str, Any]:
    """The result of a tool. `checks` in the data moves to the metadata. Whatever a tool has masked itself, no answer
    leaves here with a secret of the environment or of the project's secret files."""
    result = _run(work)
    if project:
        masker = masker_of(project, os.environ, flow_settings())
        result |= {key: masker.value(result[key]) for key in ("data", "error") if key in result}
    return result


def _run(work: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    started = time.monotonic()
    result: dict[str, Any]
    try:
        data = work()
        checks = data.pop("security_checks", "passed")
        result = {"status": "success", "data": data}
    except Failure as failure:
        checks = (
            "denied"
            if failure.code in ("Denied", "PermissionDenied", "OutsideProject", "SecurityError", "SecretFound")
            else "passed"
        )
        result = _error(failure.code, failure.message, failure.suggestion)
    except AskfirstError as error:
        checks = "denied"
        result = _error(type(error).__name__, str(error), "read the message; `askfirst doctor` looks for the cause")
    except Exception as error:
        # The border of a tool: whatever goes wrong is a result that the agent can read, and nothing was done.
        checks = "denied"
        result = _error(
            "InternalError", f"{type(error).__name__}: {str(error)[:300]}", "`askfirst doctor` looks for the cause"
        )
    return {
        **result,
        "metadata": {"duration_ms": round((time.monotonic() - started) * 1000), "security_checks": checks},
    }


def _error(code: str, message: str, suggestion: str = "") -> dict[str, Any]:
    return {
        "status": "error",
        "error": {"code": code, "message": redact(message), "suggestion": suggestion or "ask the user"},
    }
