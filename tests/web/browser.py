# browser.py - drive headless Chromium over a pipe, with nothing but the standard library.
#
#     with Browser() as b:
#         b.open("file:///tmp/report.html", width=360, dark=True)
#         b.run("document.title")            value of an expression
#         b.shot("phone.png")                what is seen
#         b.problems                         console errors, exceptions, blocked content
#         b.requests                         every URL that was asked for
#
# SPDX-License-Identifier: Apache-2.0
import base64
import json
import os
import select
import shutil
import subprocess
import tempfile
import time

WAIT = 60  # seconds for one answer; sanitizers and two busy cores are slow


class Browser:
    def __init__(self):
        self.number = 0
        self.events = []
        self.problems = []
        self.requests = []
        self.rest = b""

    def __enter__(self):
        self.home = tempfile.mkdtemp()
        down_read, self.down = os.pipe()
        self.up, up_write = os.pipe()
        name = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
        options = ["--headless=new", "--remote-debugging-pipe", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
                   "--no-first-run", "--disable-extensions", "--disable-background-networking", "--disable-sync",
                   "--disable-component-update", "--disable-dev-shm-usage", "--force-device-scale-factor=1",
                   "--lang=en", "--user-data-dir=" + self.home]

        def pipes():  # Chromium reads from 3 and writes to 4
            os.dup2(down_read, 13)
            os.dup2(up_write, 14)
            os.dup2(13, 3)
            os.dup2(14, 4)

        self.process = subprocess.Popen([name] + options, preexec_fn=pipes, close_fds=False, stdin=subprocess.DEVNULL,
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(down_read)
        os.close(up_write)
        self.session = None
        target = self.ask("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.ask(domain + ".enable")
        return self

    def __exit__(self, *_):
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        os.close(self.down)
        os.close(self.up)
        shutil.rmtree(self.home, ignore_errors=True)

    def read(self, until):
        """The next message, or None when `until` has passed."""
        while b"\0" not in self.rest:
            left = until - time.monotonic()
            if left <= 0 or not select.select([self.up], [], [], left)[0]:
                return None
            more = os.read(self.up, 1 << 16)
            if not more:
                raise RuntimeError("the browser has gone")
            self.rest += more
        line, self.rest = self.rest.split(b"\0", 1)
        message = json.loads(line)
        self.note(message)
        return message

    def note(self, message):
        method, params = message.get("method"), message.get("params", {})
        self.events.append(method)
        if method == "Runtime.exceptionThrown":
            self.problems.append(params["exceptionDetails"].get("exception", {}).get("description", "exception"))
        elif method == "Runtime.consoleAPICalled" and params["type"] in ("error", "warning", "assert"):
            self.problems.append("console: " + str([a.get("value") for a in params["args"]]))
        elif method == "Log.entryAdded" and params["entry"]["level"] in ("error", "warning"):
            self.problems.append("log: " + params["entry"]["text"])
        elif method == "Network.requestWillBeSent":
            self.requests.append(params["request"]["url"])

    def ask(self, method, **params):
        self.number += 1
        message = {"id": self.number, "method": method, "params": params}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.down, json.dumps(message).encode() + b"\0")
        until = time.monotonic() + WAIT
        while True:
            answer = self.read(until)
            if answer is None:
                raise RuntimeError(method + ": no answer")
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(method + ": " + answer["error"]["message"])
                return answer["result"]

    def open(self, url, width=1200, height=900, dark=False, script=True, media=""):
        self.problems.clear()
        self.requests.clear()
        self.ask("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1,
                 mobile=width < 600)
        self.ask("Emulation.setEmulatedMedia", media=media,
                 features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])
        self.ask("Emulation.setScriptExecutionDisabled", value=not script)
        self.events.clear()
        self.ask("Page.navigate", url=url)
        until = time.monotonic() + WAIT
        while "Page.loadEventFired" not in self.events:
            if self.read(until) is None:
                raise RuntimeError(url + ": does not load")

    def run(self, expression):
        answer = self.ask("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(expression + ": " + str(answer["exceptionDetails"]))
        return answer["result"].get("value")

    def key(self, name, text=""):
        for kind in ("keyDown", "keyUp"):
            self.ask("Input.dispatchKeyEvent", type=kind, key=name, code=name,
                     windowsVirtualKeyCode={"Enter": 13, "Tab": 9}.get(name, 0), text=text if kind == "keyDown" else "")

    def type(self, text):
        self.ask("Input.insertText", text=text)

    def shot(self, path=None, whole=False):
        """What is seen as PNG bytes; `whole`: down to the end of the page."""
        clip = {}
        if whole:
            size = self.ask("Page.getLayoutMetrics")["cssContentSize"]
            clip = {"captureBeyondViewport": True,
                    "clip": {"x": 0, "y": 0, "width": size["width"], "height": min(size["height"], 16000), "scale": 1}}
        png = base64.b64decode(self.ask("Page.captureScreenshot", format="png", **clip)["data"])
        if path:
            with open(path, "wb") as f:
                f.write(png)
        return png

    def pdf(self, path):
        data = base64.b64decode(self.ask("Page.printToPDF", printBackground=True)["data"])
        with open(path, "wb") as f:
            f.write(data)
        return data
