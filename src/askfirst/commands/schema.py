"""`askfirst schema`: JSON Schema of the rule files, so that editors complete and check them."""

from __future__ import annotations

import argparse
import json

from askfirst.policy.keys import json_schema

EXAMPLES = """examples:
  askfirst schema project > .askfirst/schema.json
  askfirst schema org > ~/.config/askfirst/schema.json

For editors with the YAML language server, the first line of the rule file is then:
  # yaml-language-server: $schema=schema.json
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "file", choices=["org", "project"], help="the organisation's config.yaml, or a project's allowed_commands.yaml"
    )


def run(args: argparse.Namespace) -> int:
    print(json.dumps(json_schema(args.file), indent=2, ensure_ascii=False))
    return 0
