#!/usr/bin/env python3
"""as_redirect.py - where a real server with exported redirects sends requests.

    as_redirect.py nginx|apache FILE [METHOD [HEADER:VALUE]] <urls >targets

URLs of http://localhost; the URL itself where it is not redirected. Redirects are followed as long as there are any.

Starts the server in a folder of its own: nginx on a socket, Apache on a free port of the loopback.
SPDX-License-Identifier: Apache-2.0
"""
import http.client
import os
import re
import socket
import subprocess
import sys
import tempfile
import time

NGINX = """daemon off;
master_process off;
error_log stderr crit;
pid %(dir)s/pid;
events { worker_connections 64; }
http {
    access_log off;
    client_body_temp_path %(dir)s/b; proxy_temp_path %(dir)s/p; fastcgi_temp_path %(dir)s/f;
    uwsgi_temp_path %(dir)s/u; scgi_temp_path %(dir)s/s;
%(maps)s
    server {
        listen 127.0.0.1:%(port)d;
        %(line)s
        location / { return 204; }
    }
}
"""

APACHE = """ServerRoot %(dir)s
ServerName localhost
PidFile %(dir)s/pid
ErrorLog %(dir)s/error
Listen 127.0.0.1:%(port)d
LoadModule mpm_event_module %(modules)s/mod_mpm_event.so
LoadModule authz_core_module %(modules)s/mod_authz_core.so
LoadModule rewrite_module %(modules)s/mod_rewrite.so
DocumentRoot %(dir)s
<VirtualHost *:%(port)d>
%(maps)s
</VirtualHost>
"""


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def ask(port, url, method, header):
    """Where one request is sent; None when it is not."""
    scheme, host, path = re.fullmatch(r"(https?)://([^/]*)(.*)", url).groups()
    c = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    c.putrequest(method, path, skip_host=True)
    c.putheader("Host", host)
    if header:
        c.putheader(*header.split(":"))
    c.endheaders()
    answer = c.getresponse()
    return answer.getheader("Location") if answer.status == 301 else None


def follow(port, url, method, header):
    for _ in range(20):
        to = ask(port, url, method, header)
        if not to:
            return url
        url = to
    return "more than 20 redirects"


def main(server, path, method="GET", header=None):
    with tempfile.TemporaryDirectory() as folder, open(path, encoding="latin-1") as f:
        text = f.read()
        words = {"dir": folder, "maps": text, "port": free_port(), "modules": "/usr/lib/apache2/modules"}
        if server == "nginx":
            words["line"] = re.search(r"^#\s+(if .*)$", text, re.M)[1]
        with open(f"{folder}/conf", "w", encoding="latin-1") as f:
            f.write((NGINX if server == "nginx" else APACHE) % words)
        command = ["nginx", "-p", folder, "-c", f"{folder}/conf"] if server == "nginx" else ["apache2", "-X", "-f", f"{folder}/conf"]
        with subprocess.Popen(command) as running:
            try:
                for _ in range(200):
                    with socket.socket() as s:
                        if s.connect_ex(("127.0.0.1", words["port"])) == 0:
                            break
                    time.sleep(.05)
                for line in sys.stdin:
                    print(follow(words["port"], line.rstrip("\n"), method, header))
            finally:
                running.terminate()


os.environ["PATH"] += ":/usr/sbin"
main(*sys.argv[1:])
