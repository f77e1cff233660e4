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

from tests.waiting import until
from tests.web.conftest import start_browser

SHOWN = {
    "page": (
        "npm run build && npx prisma migrate deploy | tee migrate.log",
        "Apply the pending migrations so that the tests can run",
    ),
    "page-danger": ("terraform apply -auto-approve", "Roll out the new cache"),
}
WIDTH = 1000
# Where the picture was made says nothing to its reader.
SHORTEN = """
for (const node of document.querySelectorAll(".where, .facts code, .scope .hint"))
  node.textContent = node.textContent.replaceAll(arguments[0], "~");
"""


def main(folder: str) -> None:
    with tempfile.TemporaryDirectory() as home:
        os.environ |= {"HOME": home, "XDG_STATE_HOME": f"{home}/state", "XDG_CONFIG_HOME": f"{home}/config"}
        project = Path(home, "shop")
        project.mkdir()
        (project / "package.json").write_text('{"name": "shop", "scripts": {"build": "vite build"}}\n')
        browser = start_browser()
        try:
            for name, (command, said) in SHOWN.items():
                draw(browser, str(project), command, said, Path(folder, f"{name}.png"))
        finally:
            browser.quit()


def draw(browser: Any, project: str, command: str, said: str, picture: Path) -> None:
    from askfirst.gate import judged
    from askfirst.model import Request
    from askfirst.web import open_server
    from askfirst.world import World

    world = World()
    manager = world.manager()
    server = open_server(0, manager)
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
    server.live.start()
    request = Request("claude", "7f3a9c52-1d4e", project, project, "Bash", {"command": command, "description": said})
    id = manager.request_approval(judged(request, world.layers(request)))
    try:
        browser.get("about:blank")
        browser.get(server.guard.link())
        browser.execute_cdp_cmd("Emulation.setScrollbarsHidden", {"hidden": True})
        until(lambda: browser.execute_script("return document.querySelectorAll('.card').length"), "the card")
        time.sleep(1.5)  # the card is ready by then, which is how people see it
        browser.execute_script(SHORTEN, os.path.dirname(project))
        browser.execute_script("document.getElementById('notify').hidden = true")
        height = browser.execute_script(
            "return Math.ceil(document.querySelector('.card').getBoundingClientRect().bottom) + 20"
        )
        size = {"width": WIDTH, "height": height, "deviceScaleFactor": 1, "mobile": False}
        browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
        time.sleep(1.5)
        browser.save_screenshot(str(picture))
    finally:
        manager.cancel(id, "the picture is drawn")
        server.stopping.set()
        server.live.stop()
        server.shutdown()
        server.server_close()


if __name__ == "__main__":
    main(sys.argv[1])
