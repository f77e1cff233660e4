from __future__ import annotations

from tests.box.conftest import box

__all__ = ["box"]
