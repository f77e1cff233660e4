"""Proposals for tests, made as `askfirst propose` makes them."""

from __future__ import annotations

import os

from askfirst import proposals
from askfirst.store.proposal_files import Proposal


def proposed(project: str, name: str, content: bytes, *, ttl: int = 120, batch: str = "") -> Proposal:
    asked = os.path.join(project, name)
    by = proposals.Proposer("s-1", "tc-1", batch)
    return proposals.store(project, asked, os.path.realpath(asked), content, by, ttl_s=ttl)


def no_objection(_proposal: Proposal) -> str:
    return ""


def leftovers(project: str) -> list[str]:
    return [n for _, _, names in os.walk(project) for n in names if n.startswith(".askfirst-")]
