"""A pre-tool-use gate for coding agents: policy decides what is clear, a person decides the rest.

For programs: `askfirst.check`, `askfirst.ApprovalManager` and what stands beside them (askfirst/api.py); for the Claude
Agent SDK: `askfirst.sdk`.
"""

__version__ = "0.1.0"

# Read when they are first used: the hook imports this package on every call, and needs none of them.
_API = {
    "ApprovalDecision": "ApprovalDecision",
    "ApprovalManager": "ProgramApprovals",
    "Checked": "Checked",
    "check": "check",
    "check_tool": "check_tool",
    "check_write": "check_write",
    "persist_command": "persist_command",
}
TYPE_CHECKING = False
if TYPE_CHECKING:
    from askfirst.api import ApprovalDecision as ApprovalDecision
    from askfirst.api import Checked as Checked
    from askfirst.api import ProgramApprovals as ApprovalManager
    from askfirst.api import check as check
    from askfirst.api import check_tool as check_tool
    from askfirst.api import check_write as check_write
    from askfirst.api import persist_command as persist_command


def __getattr__(name: str) -> object:
    if name not in _API:
        raise AttributeError(f"module `askfirst` has no attribute `{name}`")
    from askfirst import api

    return getattr(api, _API[name])
