"""Which module of shell/tools holds the rows of a program. Explicit, so that one command imports one small table."""

from __future__ import annotations

__all__ = ["REGISTRY"]

# Topic -> the programs it knows. A test checks that every module's TOOLS and this table say the same.
_TOPICS: dict[str, str] = {
    # development tools
    "git": "git",
    "python": (
        "python python3 python2 pypy pypy3 python3.6 python3.7 python3.8 python3.9 python3.10 python3.11 python3.12 python3.13 "
        "python3.14 python3.15"
    ),
    "python_tools": (
        "pytest py.test ruff mypy black isort flake8 pylint dmypy pyright bandit coverage tox nox pre-commit vulture codespell "
        "pydocstyle pycodestyle pyflakes autopep8 yapf djlint sqlfluff deptry radon ty djhtml django-admin"
    ),
    "python_packages": (
        "pip pip3 pip3.8 pip3.9 pip3.10 pip3.11 pip3.12 pip3.13 pip3.14 uv uvx pipx poetry pipenv pdm hatch rye conda mamba "
        "micromamba virtualenv twine easy_install"
    ),
    # end of development tools
}

REGISTRY: dict[str, str] = {name: topic for topic, names in _TOPICS.items() for name in names.split()}
