"""The docs' pictures of the page, from the real page in Chromium.

python -m tests.web.pictures .github
"""

from __future__ import annotations

import os
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

from askfirst.approval.manager import ApprovalManager
from askfirst.gate import judged
from askfirst.model import Request
from askfirst.web import open_server
from askfirst.world import World
from tests.waiting import until
from tests.web.conftest import start_browser

BUILD = "npm run build && npx prisma migrate deploy | tee migrate.log"
ASKED = (  # project, agent, session, command, what the agent says
    ("shop", "claude", "7f3a9c52", BUILD, "Apply the pending migrations so that the tests can run"),
    ("payments-api", "codex", "c02d11aa", "terraform apply -auto-approve", "Roll out the new cache"),
    ("payments-api", "codex", "c02d11aa", "gh pr create --fill --base main", ""),
    ("shop", "gemini", "19be0042", "uvx some-linter --fix src", ""),
)
TASKS = '{\n  "version": "2.0.0",\n  "tasks": [{ "label": "test", "command": "npm test" }]\n}\n'
WIDE = {"width": 1280, "height": 800, "deviceScaleFactor": 1, "mobile": False}
PHONE = {"width": 390, "height": 844, "deviceScaleFactor": 1, "mobile": True}
# Where the picture was made says nothing to its reader.
SHORTEN = """
const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
while (walk.nextNode()) walk.currentNode.nodeValue = walk.currentNode.nodeValue.replaceAll(arguments[0], "~");
"""


def main(folder: str) -> None:
    with tempfile.TemporaryDirectory() as home:
        os.environ |= {"HOME": home, "XDG_STATE_HOME": f"{home}/state", "XDG_CONFIG_HOME": f"{home}/config"}
        world = World()
        manager = world.manager()
        ids = [ask(world, manager, home, *row) for row in ASKED]
        file = ask_to_write(world, manager, home)
        server = open_server(0, manager)
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
        server.live.start()
        browser = start_browser()
        try:
            browser.get(server.link())
            until(lambda: browser.execute_script("return document.querySelectorAll('.card').length"), "the card")
            for name, address, size in (
                ("page", f"#/request/{ids[0]}", WIDE),
                ("page-danger", f"#/request/{ids[1]}", WIDE),
                ("page-file", f"#/request/{file}", {**WIDE, "width": 1600}),
                ("page-phone", f"#/request/{ids[0]}", PHONE),
            ):
                draw(browser, home, address, size, Path(folder, f"{name}.png"))
        finally:
            browser.quit()
            manager.withdraw_waiting("the pictures are drawn")
            server.stopping.set()
            server.live.stop()
            server.shutdown()
            server.server_close()


def ask(
    world: World, manager: ApprovalManager, home: str, name: str, agent: str, session: str, text: str, said: str
) -> str:
    project = Path(home, name)
    project.mkdir(exist_ok=True)
    (project / "package.json").write_text('{"name": "shop", "scripts": {"build": "vite build"}}\n')
    return publish(world, manager, Request(agent, session, str(project), str(project), "Bash", _input(text, said)))


def _input(text: str, said: str) -> dict[str, str]:
    return {"command": text} | ({"description": said} if said else {})


def ask_to_write(world: World, manager: ApprovalManager, home: str) -> str:
    project = Path(home, "shop")
    (project / ".vscode").mkdir()
    path = project / ".vscode/tasks.json"
    path.write_text(TASKS)
    new = TASKS.replace('"npm test"', '"npm test -- --watch"').replace("2.0.0", "2.1.0")
    given = {"file_path": str(path), "content": new}
    return publish(world, manager, Request("claude", "7f3a9c52", str(project), str(project), "Write", given))


def publish(world: World, manager: ApprovalManager, request: Request) -> str:
    return manager.request_approval(judged(request, world.layers(request)))


def draw(browser: Any, home: str, address: str, size: dict[str, Any], picture: Path) -> None:
    browser.execute_cdp_cmd("Emulation.setScrollbarsHidden", {"hidden": True})
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    browser.execute_script("location.hash = arguments[0]", address)
    time.sleep(2.5)  # the card is ready by then, which is how people see it
    browser.execute_script(SHORTEN, home)
    browser.save_screenshot(str(picture))


if __name__ == "__main__":
    main(sys.argv[1])
