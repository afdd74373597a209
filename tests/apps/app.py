"""app.py - a web application that is installed, filled, started and stopped without a human.

An application is app_NAME.py with a class App, derived from the one here; fill_NAME.py, where there is one, runs inside the
application's own Python:

    packages       Debian packages, installed when missing
    requirements   pinned packages of PyPI, in a virtual environment of its own in the cache
    fill()         make its data in self.site, from material.py
    start(port)    start it on 127.0.0.1 with self.spawn(); self.frozen tells whether its clock stands still
    frozen_how     what was frozen, for README and about.json; mask: what is hidden by name in the truth, [(name, pattern)]
    seeds, avoid   where the crawl begins; a pattern of URLs that are never asked for: they change something, or are downloads

Both crawls start from the same files: self.site as fill() left it. Everything spawned is in a process group of its own, which
stop() ends; adopt() makes sure that nothing escapes it.
SPDX-License-Identifier: Apache-2.0
"""
import ctypes
import glob
import http.client
import os
import re
import shutil
import signal
import socket
import subprocess
import time

HERE = os.path.dirname(os.path.abspath(__file__))
CACHE = os.path.join(os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"), "dustpan-apps")
GUNICORN = "gunicorn==27.0.0"
START = 60  # seconds that an application may take until it answers


class Skip(Exception):
    """The application cannot be installed or started here; the text says why."""


def missing_packages(names):
    form = "${db:Status-Status}"
    return [n for n in names if subprocess.run(["dpkg-query", "-W", "-f", form, n], capture_output=True, text=True,
                                               check=False).stdout != "installed"]


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def adopt():
    """Become the parent of processes whose own parent ends, so that stop() finds them."""
    PR_SET_CHILD_SUBREAPER = 36
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def children():
    out = []
    for path in glob.glob("/proc/[0-9]*/stat"):
        try:
            with open(path, encoding="latin-1") as f:
                fields = f.read().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[1]) == os.getpid():
            out.append(int(path.split("/")[2]))
    return out


class App:
    name = ""
    packages = ()
    requirements = ()
    seeds = ("/",)
    avoid = r"(?!)"
    urls = 2500
    seconds = 100
    together = 1  # URLs that are asked for at once while the clock stands still
    mask = ()
    frozen_how = "the clock"
    volatile = ""

    def __init__(self, work):
        self.work = work
        self.site = os.path.join(work, "site")
        self.host = f"{self.name}.test"
        self.venv = os.path.join(CACHE, "venv", self.name)
        self.scale = 1  # below 1: less to fill, for a short crawl
        self.frozen = None  # seconds since 1970 at which the clock stands still
        self.groups = []
        self.log = os.path.join(work, "server.log")

    # ---- setting up

    def run(self, argv, **more):
        """Run a command to its end; Skip with the end of what it printed when it fails."""
        with open(os.path.join(self.work, "setup.log"), "ab") as log:
            env = {**self.environment(), **more.pop("env", {})}
            done = subprocess.run(argv, stdout=log, stderr=log, stdin=more.pop("stdin", subprocess.DEVNULL), env=env, check=False,
                                  **more)
        if done.returncode:
            with open(log.name, encoding="utf-8", errors="replace") as f:
                raise Skip(f"{argv[0]} failed with status {done.returncode}: {f.read()[-600:].strip()}")

    def install(self):
        """Debian packages, then the virtual environment, each only when it is not there."""
        missing = missing_packages(("gcc", "libc6-dev", *(["python3-venv"] if self.requirements else []), *self.packages))
        if missing:
            root = [] if os.getuid() == 0 else ["sudo", "-n"]
            more = ["env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "install", "-y", "--no-install-recommends"]
            try:
                self.run([*root, *more, *missing])
            except Skip:
                self.run([*root, "apt-get", "update"])
                self.run([*root, *more, *missing])
        wanted = "\n".join(self.requirements) + "\n"
        stamp = os.path.join(self.venv, "requirements.txt")
        if self.requirements and not (os.path.exists(stamp) and open(stamp, encoding="utf-8").read() == wanted):
            shutil.rmtree(self.venv, ignore_errors=True)
            self.run(["/usr/bin/python3", "-m", "venv", self.venv])
            self.run([f"{self.venv}/bin/pip", "install", "-q", "--disable-pip-version-check", *self.requirements])
            with open(stamp, "w", encoding="utf-8") as f:
                f.write(wanted)

    def python(self):
        return os.path.join(self.venv, "bin", "python")

    def path(self, *names):
        return os.path.join(self.site, *names)

    def write(self, name, text):
        path = self.path(name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as f:
            f.write(text)
        return path

    def fill(self):
        raise NotImplementedError

    # ---- running

    def environment(self):
        env = {k: v for k, v in os.environ.items() if not k.startswith(("LD_PRELOAD", "FREEZE_AT", "PYTHON", "DJANGO"))}
        return {**env, "LC_ALL": "C.UTF-8", "TZ": "UTC", "PYTHONHASHSEED": "0", "PYTHONDONTWRITEBYTECODE": "1"}

    def clock(self):
        """What stops the clock of a process; nothing while it runs."""
        if self.frozen is None:
            return {}
        library = os.path.join(self.work, "freeze.so")
        if not os.path.exists(library):
            self.run(["cc", "-O2", "-shared", "-fPIC", "-o", library, os.path.join(HERE, "freeze.c")])
        return {"LD_PRELOAD": library, "FREEZE_AT": str(self.frozen)}

    def spawn(self, argv, env=None, cwd=None):
        with open(self.log, "ab") as log:
            p = subprocess.Popen(argv, stdout=log, stderr=log, stdin=subprocess.DEVNULL, cwd=cwd or self.site,
                                 env={**self.environment(), **self.clock(), **(env or {})}, start_new_session=True)
        self.groups.append(p)
        return p

    def gunicorn(self, port, module, env=None):
        """A WSGI application of self.site under two processes; requirements must have it."""
        self.spawn([f"{self.venv}/bin/gunicorn", "-b", f"127.0.0.1:{port}", "-w", "2", "--timeout", "120",
                    "--worker-tmp-dir", self.work, "--chdir", self.site, module], env)

    def start(self, port):
        raise NotImplementedError

    def up(self, port):
        """Start it and wait until the first seed is answered."""
        self.start(port)
        end = time.monotonic() + START
        answer = "no answer"
        while time.monotonic() < end:
            if any(p.poll() is not None for p in self.groups):
                answer = "it ended"
                break
            try:
                c = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
                c.request("GET", self.seeds[0], headers={"Host": self.host})
                r = c.getresponse()
                answer = f"status {r.status}"
                if r.status < 500 and r.read() is not None:
                    return
            except (OSError, http.client.HTTPException) as e:
                answer = str(e)
            time.sleep(.2)
        raise Skip(f"it did not start: {answer}: {self._tail()}")

    def _tail(self):
        try:
            with open(self.log, encoding="utf-8", errors="replace") as f:
                return re.sub(r"\s+", " ", f.read()[-500:])
        except OSError:
            return ""

    def stop(self):
        """End what was spawned, and what that has left behind in process groups of its own."""
        for sign in (signal.SIGTERM, signal.SIGKILL):
            for p in self.groups:
                try:
                    os.killpg(p.pid, sign)
                except ProcessLookupError:
                    pass
            end = time.monotonic() + 5
            while time.monotonic() < end and any(p.poll() is None for p in self.groups):
                time.sleep(.05)
        for p in self.groups:
            p.wait()
        self.groups = []
        for child in children():
            try:
                os.kill(child, signal.SIGKILL)
                os.waitpid(child, 0)
            except (ProcessLookupError, ChildProcessError):
                pass
