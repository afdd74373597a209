#!/usr/bin/env python3
"""seen.py - the lines of a file into a Python set or into Redis: what a seen-set is compared with.

    seen.py set NAME KEYS                   one row of bench/run; items are keys
    seen.py redis|redis-aof NAME KEYS       redis-server of its own on a socket; aof: it also writes a log, synced each second

CPU time is that of the client and the server. In place of the peak stands what the keys take: of the process, or of
the server by its own count (used_memory).
SPDX-License-Identifier: Apache-2.0
"""
import os
import resource
import socket
import subprocess
import sys
import tempfile
import time

BATCH = 16384


def row(name, items, wall, cpu, size):
    print(f"{name}\t{items}\t{int(wall * 1e9)}\t{int(cpu * 1e9)}\t{size}\t0")


def resident():
    with open("/proc/self/statm") as f:
        return int(f.read().split()[1]) * resource.getpagesize()


def into_set(name, path):
    with open(path, "rb") as f:
        lines = f.read().split(b"\n")[:-1]
    before = resident()
    wall, cpu = time.monotonic(), time.process_time()
    seen = set()
    for line in lines:
        key = line.decode("latin-1")  # a crawler has its keys as str
        if key not in seen:
            seen.add(key)
    row(name, len(lines), time.monotonic() - wall, time.process_time() - cpu, resident() - before)


class Redis:
    def __init__(self, folder, aof):
        path = os.path.join(folder, "socket")
        self.server = subprocess.Popen(
            ["redis-server", "--port", "0", "--unixsocket", path, "--save", "", "--dir", folder, "--daemonize", "no",
             "--appendonly", "yes" if aof else "no"], stdout=subprocess.DEVNULL)
        for _ in range(100):
            try:
                self.socket = socket.socket(socket.AF_UNIX)
                self.socket.connect(path)
                break
            except OSError:
                time.sleep(.05)
        self.file = self.socket.makefile("rb")

    def send(self, commands):
        self.socket.sendall(b"".join(
            b"*%d\r\n" % len(c) + b"".join(b"$%d\r\n%s\r\n" % (len(w), w) for w in c) for c in commands))
        return [int(self.file.readline()[1:]) for _ in commands]

    def info(self):
        self.socket.sendall(b"*1\r\n$4\r\nINFO\r\n")
        text = self.file.read(int(self.file.readline()[1:]) + 2).decode()
        return dict(line.split(":", 1) for line in text.split("\r\n") if ":" in line)

    def stop(self):
        self.server.terminate()
        self.server.wait()


def server_cpu(info):
    return float(info["used_cpu_sys"]) + float(info["used_cpu_user"])


def into_redis(name, path, aof):
    with open(path, "rb") as f:
        lines = f.read().split(b"\n")[:-1]
    with tempfile.TemporaryDirectory() as folder:
        redis = Redis(folder, aof)
        before = redis.info()
        wall, cpu = time.monotonic(), time.process_time()
        for i in range(0, len(lines), BATCH):
            redis.send([(b"SADD", b"seen", line) for line in lines[i:i + BATCH]])  # each says whether it is fresh
        wall, cpu = time.monotonic() - wall, time.process_time() - cpu
        after = redis.info()
        redis.stop()
    row(name, len(lines), wall, cpu + server_cpu(after) - server_cpu(before),
        int(after["used_memory"]) - int(before["used_memory"]))


if __name__ == "__main__":
    kind, name, path = sys.argv[1:]
    if kind == "set":
        into_set(name, path)
    else:
        into_redis(name, path, kind == "redis-aof")
