"""A pre-tool-use gate for coding agents: policy decides what is clear, a person decides the rest.

For programs: `askfirst.check`, `askfirst.ApprovalManager` and what stands beside them (askfirst/for_programs.py); for
the Claude Agent SDK: `askfirst.sdk`.
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
TYPE_CHECKING = False  # of `typing`, whose import would take the hook's client in Python half of its time
if TYPE_CHECKING:
    from askfirst import for_programs
    from askfirst.for_programs import ApprovalDecision as ApprovalDecision
    from askfirst.for_programs import Checked as Checked
    from askfirst.for_programs import check as check
    from askfirst.for_programs import check_tool as check_tool
    from askfirst.for_programs import check_write as check_write
    from askfirst.for_programs import persist_command as persist_command

    ApprovalManager = for_programs.ProgramApprovals


def __getattr__(name: str) -> object:
    if name not in _API:
        raise AttributeError(f"module `askfirst` has no attribute `{name}`")
    from askfirst import for_programs

    return getattr(for_programs, _API[name])
