#!/usr/bin/env python3
"""rude.py - a web server that misbehaves: rude.py ADDRESS PORT LOG

Pages come in pairs: /KIND/N/a and /KIND/N/b show the same text; /KIND/N/c shows another. What KIND does:

    good     nothing
    half     500 to half of the requests
    hang     b never answers
    abort    b breaks the connection
    long     b claims more bytes than it sends       short   b claims fewer bytes than it sends
    loop     b redirects to itself by way of others  bomb    b is larger than anybody wants
    slow     503 to the first request of a page      gzip    b is compressed

LOG gets a line a request: time, path.
SPDX-License-Identifier: Apache-2.0
"""
import gzip
import http.server
import random
import socket
import struct
import sys
import threading
import time

WORDS = ("amber basin copper dune ember fjord glacier harbor island jetty kelp lagoon meadow nectar orchard prairie "
         "quarry ridge summit tundra upland valley willow yarrow zephyr canyon delta estuary forest grove").split()
ROBOTS = b"User-agent: *\nDisallow: /forbidden\n"

lock = threading.Lock()
seen = {}  # path: requests
log = None


def page(kind, number, other):
    r = random.Random(f"{kind} {number} {other}")
    words = " ".join(r.choice(WORDS) for _ in range(60))
    return f"<html><title>{number}</title><body><p>{words}</p></body></html>".encode()


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *args):
        pass

    def send(self, body, status=200, length=None, headers=()):
        self.send_response(status)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(body) if length is None else length))
        for name, value in headers:
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)
        if length is not None:
            self.close_connection = True

    def do_GET(self):
        with lock:
            count = seen[self.path] = seen.get(self.path, 0) + 1
            log.write(f"{time.time():.3f} {self.path}\n")
            log.flush()
        if self.path == "/robots.txt":
            return self.send(ROBOTS)
        parts = self.path.split("?")[0].split("/")
        if len(parts) != 4:
            return self.send(b"no", 404)
        _, kind, number, which = parts
        body = page(kind, number, which == "c")
        rude = which == "b"
        if kind == "half" and random.Random(f"{self.path} {count}").random() < .5:
            return self.send(b"oops", 500)
        if kind == "slow" and count == 1:
            return self.send(b"later", 503, headers=[("Retry-After", "0")])
        if kind == "hang" and rude:
            time.sleep(60)
            return None
        if kind == "abort" and rude:
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            self.close_connection = True
            self.connection.close()
            return None
        if kind == "long" and rude:
            return self.send(body, length=len(body) + 1000)
        if kind == "short" and rude:
            return self.send(body, length=len(body) // 2)
        if kind == "loop" and which in "bxy":
            return self.send(b"", 302, headers=[("Location", f"/loop/{number}/{'x' if which == 'y' else 'y'}")])
        if kind == "bomb" and rude:
            body = gzip.compress(b"a " * (16 << 20))
            return self.send(body, headers=[("Content-Encoding", "gzip")])
        if kind == "gzip" and rude:
            return self.send(gzip.compress(body), headers=[("Content-Encoding", "gzip")])
        return self.send(body)


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request, client_address):
        pass


if __name__ == "__main__":
    log = open(sys.argv[3], "w")
    Server((sys.argv[1], int(sys.argv[2])), Handler).serve_forever()
