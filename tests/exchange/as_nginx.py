#!/usr/bin/env python3
"""as_nginx.py - keys of URLs by a real nginx with exported maps.

    as_nginx.py FILE <urls >keys

Starts nginx in a folder of its own on a socket; the URL comes as a header in the place of $scheme://$http_host$request_uri.
SPDX-License-Identifier: Apache-2.0
"""
import os
import socket
import subprocess
import sys
import tempfile
import time

CONFIG = """daemon off;
master_process off;
error_log stderr crit;
pid %(dir)s/pid;
events { worker_connections 64; }
http {
    access_log off;
    large_client_header_buffers 4 64k;
    keepalive_requests 100000000;
    client_body_temp_path %(dir)s/b; proxy_temp_path %(dir)s/p; fastcgi_temp_path %(dir)s/f;
    uwsgi_temp_path %(dir)s/u; scgi_temp_path %(dir)s/s;
%(maps)s
    server {
        listen unix:%(dir)s/socket;
        location / { add_header X-Key $dustpan_key; return 204; }
    }
}
"""


def main(path):
    with tempfile.TemporaryDirectory() as folder:
        maps = open(path).read().replace("$scheme://$http_host$request_uri", "$http_x_url")
        with open(f"{folder}/conf", "w") as f:
            f.write(CONFIG % {"dir": folder, "maps": maps})
        nginx = subprocess.Popen(["nginx", "-p", folder, "-c", f"{folder}/conf"])
        try:
            for _ in range(200):
                if os.path.exists(f"{folder}/socket"):
                    break
                time.sleep(.05)
            s = socket.socket(socket.AF_UNIX)
            s.connect(f"{folder}/socket")
            answers = s.makefile("rb")
            urls = [line.rstrip("\n") for line in sys.stdin]
            for i in range(0, len(urls), 100):
                s.sendall(b"".join(b"GET / HTTP/1.1\r\nHost: x\r\nX-Url: %s\r\n\r\n" % u.encode("latin-1") for u in urls[i:i + 100]))
                for _ in urls[i:i + 100]:
                    key = b""
                    for line in iter(answers.readline, b"\r\n"):
                        if line.startswith(b"X-Key: "):
                            key = line[7:].rstrip(b"\r\n")
                    sys.stdout.write(key.decode("latin-1") + "\n")
        finally:
            nginx.terminate()
            nginx.wait()


main(sys.argv[1])
