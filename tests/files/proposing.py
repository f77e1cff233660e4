"""Proposals for tests, made as `askfirst propose` makes them."""

from __future__ import annotations

import os

from askfirst import proposals
from askfirst.store.proposal_files import Proposal


def proposed(project: str, name: str, content: bytes, *, ttl: int = 120, batch: str = "") -> Proposal:
    asked = os.path.join(project, name)
    return proposals.store(
        project, asked, os.path.realpath(asked), content, ttl_s=ttl, session="s-1", tool_call_id="tc-1", batch=batch
    )


def no_objection(_proposal: Proposal) -> str:
    return ""


def leftovers(project: str) -> list[str]:
    return [n for _, _, names in os.walk(project) for n in names if n.startswith(".askfirst-")]
