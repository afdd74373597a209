"""app_jspwiki.py - JSPWiki under Tomcat 9: a wiki in Java, ;jsessionid in every link.
SPDX-License-Identifier: Apache-2.0
"""
import os
import time
import zipfile

import app
import app_tomcat
import material

WAR, TOMCAT = "org.apache.jspwiki:jspwiki-war:2.11.2:war", "org.apache.tomcat:tomcat:9.0.98:zip"
SETTINGS = """jspwiki.applicationName = Manual
jspwiki.pageProvider = VersioningFileProvider
jspwiki.fileSystemProvider.pageDir = {pages}
jspwiki.basicAttachmentProvider.storageDir = {pages}
jspwiki.workDir = {work}
jspwiki.xmlUserDatabaseFile = {work}/users.xml
jspwiki.xmlGroupDatabaseFile = {work}/groups.xml
jspwiki.frontPage = Main
jspwiki.referenceStyle = relative
"""


class App(app.App):
    name = "jspwiki"
    packages = ("maven", "openjdk-17-jre-headless")
    avoid = r"/(Edit|Upload|Delete|Comment|NewGroup|EditGroup|UserPreferences|Login|Logout|Install)\.jsp|/(attach|images|styles)/"
    seeds = ("/Wiki.jsp?page=Main",)
    urls = 2500
    seconds = 95
    volatile = "session ids in links, ages of sessions, the date of the page's own feed"
    frozen_how = "the clock; session ids in the text are hidden by name; every session is new in the frozen crawl"
    mask = (("session", r"\b[0-9A-F]{32}\b"),)

    def install(self):
        super().install()
        for artifact in (WAR, TOMCAT):
            if not os.path.exists(self.artifact(artifact)):
                self.run(["mvn", "-q", "-B", "dependency:get", f"-Dartifact={artifact}", "-Dtransitive=false",
                          f"-Dmaven.repo.local={app.CACHE}/maven"])

    @staticmethod
    def artifact(name):
        group, artifact, version, kind = name.split(":")
        return os.path.join(app.CACHE, "maven", group.replace(".", "/"), artifact, version, f"{artifact}-{version}.{kind}")

    def fill(self):
        """A page for each of the manual pages, some with older versions."""
        for source, target in ((self.artifact(WAR), self.path("webapps", "ROOT")), (self.artifact(TOMCAT), self.site)):
            with zipfile.ZipFile(source) as z:
                z.extractall(target, [n for n in z.namelist() if "/webapps/" not in n])
        home = next(n for n in os.listdir(self.site) if n.startswith("apache-tomcat"))
        os.rename(self.path(home), self.path("tomcat"))
        for name in ("temp", "work", "logs", "conf", "wikiwork", "pages"):
            os.makedirs(self.path(name), exist_ok=True)
        for name in ("web.xml", "context.xml", "catalina.properties", "tomcat-users.xml", "logging.properties"):
            os.rename(self.path("tomcat", "conf", name), self.path("conf", name))
        self.write("webapps/ROOT/WEB-INF/classes/jspwiki-custom.properties", SETTINGS.format(pages=self.path("pages"),
                                                                                         work=self.path("wikiwork")))
        texts, now = material.pages(170), time.time()
        names = ["Man" + "".join(w.capitalize() for w in t.name.replace("_", "-").split("-")) for t in texts]
        for i, text in enumerate(texts):
            when = now - (len(texts) - i) * 86400 * 3
            properties = []
            for version in range(1, 2 + i % 3):
                body = f"!!! {text.name}\n" + "".join(f"\n!! {h}\n{t}\n" for h, t in text.paragraphs[:3 + 3 * version])
                body += f"\nEdition {version}. See [{names[(i + 7) % len(names)]}], [{names[(i + 31) % len(names)]}], [Main].\n"
                last = version == 1 + i % 3
                path = self.write(f"pages/{names[i]}.txt" if last else f"pages/OLD/{names[i]}/{version}.txt", body)
                os.utime(path, (when + version * 3600,) * 2)
                properties.append(f"{version}.author={('Anna', 'Ben', 'Cleo')[version % 3]}\n{version}.changenote=edition {version}\n")
            self.write(f"pages/OLD/{names[i]}/page.properties", "".join(properties))
        self.write("pages/Main.txt", "!!! Manual\n" + "".join(f"* [{n}]\n" for n in names[:90]))
        self.write("pages/LeftMenu.txt", "* [Main]\n* [PageIndex]\n* [RecentChanges]\n* [FullRecentChanges]\n* [UndefinedPages]\n")
        for name, plugin in (("PageIndex", "IndexPlugin"), ("RecentChanges", "RecentChangesPlugin since=30"),
                             ("FullRecentChanges", "RecentChangesPlugin since=400"), ("UndefinedPages", "UndefinedPagesPlugin"),
                             ("FindPage", "Search query='file' max=20")):
            self.write(f"pages/{name}.txt", f"!!! {name}\n[{{{plugin}}}]\n")

    def start(self, port):
        self.write("conf/server.xml", app_tomcat.SERVER.format(port=port))
        self.spawn(["sh", self.path("tomcat", "bin", "catalina.sh"), "run"],
                   {"CATALINA_HOME": self.path("tomcat"), "CATALINA_BASE": self.site, "CATALINA_TMPDIR": self.path("temp"),
                    "JAVA_OPTS": "-Djava.security.egd=file:/dev/urandom -Xmx512m"})
