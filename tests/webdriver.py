"""A browser driven over the WebDriver protocol, with the standard library alone."""

import base64
import json
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

from tests.pages import BROWSER

DRIVER = shutil.which("chromedriver")
_ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
_ARGUMENTS = (
    "--headless=new --no-sandbox --disable-gpu --disable-quic --no-first-run --hide-scrollbars"
)


class Browser:
    """A session of a browser; scripts run in its page, whatever the page's policy."""

    def __init__(self, port: int, folder: Path) -> None:
        options = {
            "binary": BROWSER,
            "args": [*_ARGUMENTS.split(), f"--user-data-dir={folder / 'profile'}"],
        }
        asked = {"goog:chromeOptions": options, "goog:loggingPrefs": {"browser": "ALL"}}
        self._port = port
        session = self._send("POST", "/session", {"capabilities": {"alwaysMatch": asked}})
        self._path = f"/session/{session['sessionId']}"

    def open(self, url: str) -> None:
        """Go to an address."""
        self._post("url", {"url": url})

    def run(self, script: str, *arguments: object) -> Any:  # noqa: ANN401 - any JSON
        """Run the body of a function in the page and return its result."""
        return self._post("execute/sync", {"script": script, "args": arguments})

    def until(self, expression: str, *, seconds: float = 20) -> Any:  # noqa: ANN401 - any JSON
        """Wait until an expression is true, and return its value."""
        end = time.monotonic() + seconds
        while not (value := self.run(f"return {expression}")):
            assert time.monotonic() < end, f"not so after {seconds} s: {expression}"
            time.sleep(0.02)
        return value

    def type(self, selector: str, text: str) -> None:
        """Type into an element; for a file field, the text is a path."""
        self._post(f"{self._element(selector)}/value", {"text": text})

    def click(self, selector: str) -> None:
        """Click on an element."""
        self._post(f"{self._element(selector)}/click", {})

    def style(self, selector: str, name: str) -> str:
        """Return the computed value of a property of an element, also if scripts are off."""
        path = f"{self._path}/{self._element(selector)}/css/{name}"
        return str(self._send("GET", path))

    def _element(self, selector: str) -> str:
        found = self._post("element", {"using": "css selector", "value": selector})
        return f"element/{found[_ELEMENT]}"

    def press(self, key: str) -> None:
        """Press and release a key of the keyboard."""
        actions = [{"type": kind, "value": key} for kind in ("keyDown", "keyUp")]
        self._post("actions", {"actions": [{"type": "key", "id": "keys", "actions": actions}]})

    def command(self, name: str, **parameters: object) -> None:
        """Send a command of the DevTools protocol."""
        self._post("goog/cdp/execute", {"cmd": name, "params": parameters})

    def complaints(self) -> list[str]:
        """Return what the console was told since the last call."""
        return [entry["message"] for entry in self._post("se/log", {"type": "browser"})]

    def screenshot(self, file: Path) -> None:
        """Write a picture of the window."""
        file.write_bytes(base64.b64decode(self._send("GET", f"{self._path}/screenshot")))

    def close(self) -> None:
        """End the browser."""
        self._send("DELETE", self._path)

    def _post(self, path: str, value: object) -> Any:  # noqa: ANN401 - any JSON
        return self._send("POST", f"{self._path}/{path}", value)

    def _send(self, method: str, path: str, value: object = None) -> Any:  # noqa: ANN401
        body = None if value is None else json.dumps(value).encode()
        connection = HTTPConnection("127.0.0.1", self._port, timeout=60)
        try:
            connection.request(method, path, body, {"Content-Type": "application/json"})
            response = connection.getresponse()
            found = json.load(response)["value"]
            assert response.status == 200, found
            return found
        finally:
            connection.close()


@contextmanager
def browser(folder: Path) -> Iterator[Browser]:
    """Start a browser, and end it."""
    command = [str(DRIVER), "--port=0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            lines = (line for line in process.stdout if "started successfully on port" in line)
            port = int(next(lines).rstrip(".\n").split()[-1])
            session = Browser(port, folder)
            try:
                yield session
            finally:
                session.close()
        finally:
            process.terminate()
