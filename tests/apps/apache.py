"""apache.py - Apache in the foreground for applications that are files or PHP.
SPDX-License-Identifier: Apache-2.0
"""
import glob
import os

import app

MODULES = "authz_core dir alias mime negotiation autoindex setenvif"


def php():
    found = glob.glob("/usr/lib/apache2/modules/libphp*.so")
    if not found:
        raise app.Skip("Apache has no module for PHP: install libapache2-mod-php")
    return found[0]


def start(a, port, lines, with_php=False):
    """Serve what the configuration `lines` say; a is the App."""
    os.chmod(a.work, 0o755)  # Apache's children run as www-data where root starts them
    root = os.getuid() == 0
    modules = [f"LoadModule {m}_module modules/mod_{m}.so" for m in [*MODULES.split(), "mpm_prefork" if with_php else "mpm_event"]]
    if with_php:
        modules.append(f"LoadModule php_module {php()}")
    run = a.path("run")
    os.makedirs(run, exist_ok=True)
    conf = ['ServerRoot "/usr/lib/apache2"', *modules, f"ServerName {a.host}", f"Listen 127.0.0.1:{port}", f'PidFile "{run}/pid"',
            f"Mutex file:{run}", f'ErrorLog "{a.log}"', "TypesConfig /etc/mime.types", "StartServers 2", "KeepAliveTimeout 60",
            "MaxKeepAliveRequests 0", *(["User www-data", "Group www-data"] if root else []), *lines]
    a.spawn(["apache2", "-f", a.write("apache.conf", "\n".join(conf) + "\n"), "-D", "FOREGROUND"])
