"""app_tomcat.py - Tomcat with its examples, its documentation and a small catalogue (catalogue.jsp): servlets and JSP with
;jsessionid in their links.
SPDX-License-Identifier: Apache-2.0
"""
import os
import shutil

import app
import material

SERVER = """<Server port="-1"><Service name="Catalina"><Connector address="127.0.0.1" port="{port}" protocol="HTTP/1.1"
 maxKeepAliveRequests="-1"/><Engine name="Catalina" defaultHost="localhost"><Host name="localhost" appBase="webapps"/></Engine>
</Service></Server>
"""
INDEX = """<title>Applications</title><h1>Applications</h1><a href="/examples/">examples</a> <a href="/docs/">documentation</a>
<a href="/examples/servlets/">servlets</a> <a href="/examples/jsp/">JSP</a> <a href="/packages/list.jsp">packages</a>
"""


class App(app.App):
    name = "tomcat"
    packages = ("tomcat10", "tomcat10-examples", "tomcat10-docs")
    avoid = r"numguess|shuffle|[?&](dataname|itemId)=|/async/|stockticker|/websocket/|bytecounter|j_security_check|" \
            r"\.(png|gif|ico|css|class|jar|svg)\b"
    urls = 2500
    volatile = "session ids in links and text, the date, a counter of visits"
    frozen_how = "the clock; session ids, object ids and ports in the text are hidden by name; every session is new in the frozen crawl"
    mask = (("session", r"\b[0-9A-F]{32}\b"), ("object", r"@[0-9a-f]{5,8}\b"))

    def fill(self):
        shutil.copytree("/usr/share/tomcat10/etc", self.path("conf"))
        for name, source in (("examples", "/usr/share/tomcat10-examples/examples"), ("docs", "/usr/share/tomcat10-docs/docs")):
            shutil.copytree(source, self.path("webapps", name), symlinks=False)
        for name in ("temp", "work", "logs"):
            os.makedirs(self.path(name))
        rows = material.packages(250)
        for name in ("list.jsp", "item.jsp"):
            shutil.copy(os.path.join(app.HERE, "catalogue.jsp"), self.write(f"webapps/packages/{name}", ""))
        lines = ["\t".join(" ".join(str(v).split()) for v in (p.name, p.section, p.version, p.size, p.summary, p.text)) for p in rows]
        self.write("webapps/packages/WEB-INF/packages.tsv", "\n".join(lines) + "\n")
        starts = "".join(f'<li><a href="/packages/item.jsp?package={p.name}">{p.name}</a>' for p in material.spread(rows, 30))
        self.write("webapps/ROOT/index.html", f"{INDEX}<ul>{starts}</ul>\n")

    def start(self, port):
        self.write("conf/server.xml", SERVER.format(port=port))
        self.spawn(["/usr/share/tomcat10/bin/catalina.sh", "run"],
                   {"CATALINA_HOME": "/usr/share/tomcat10", "CATALINA_BASE": self.site, "CATALINA_TMPDIR": self.path("temp"),
                    "JAVA_OPTS": "-Djava.security.egd=file:/dev/urandom -Xmx512m"})
