# copies do not prove a rule that leads to another domain, however often they are fetched: it needs redirects of the domain
# that is rewritten. 127.0.0.21 is the victim, 127.0.0.22 shows copies of it, 127.0.0.23 redirects to it.
. "$ROOT/tests/servers/common"
need python3
port=$(free_port 127.0.0.21)
cat >servers.py <<'END'
import http.server, sys, threading

class Site(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        moved = self.server.server_address[0] == "127.0.0.23" and self.path != "/robots.txt"
        words = " ".join("word%d-%s" % (i, self.path.strip("/")) for i in range(40))
        body = ("<html><body><p>%s</p></body></html>" % words).encode()
        self.send_response(301 if moved else 404 if self.path == "/robots.txt" else 200)
        if moved:
            self.send_header("Location", "http://127.0.0.21:%s%s" % (sys.argv[1], self.path))
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass

for address in "127.0.0.22", "127.0.0.23", "127.0.0.21":
    server = http.server.ThreadingHTTPServer((address, int(sys.argv[1])), Site)
    threading.Thread(target=server.serve_forever).start()
END
python3 servers.py "$port" &
servers="$servers $!"
wait_for 127.0.0.21 "$port" /dev/null
for host in 127.0.0.21 127.0.0.22 127.0.0.23; do
    for i in $(seq 12); do echo "http://$host:$port/page$i"; done
done >urls
cat >copied.rules <<END
dustpan-rules 1
host 127.0.0.21
likely //127.0.0.21:$port/{**} => //127.0.0.22:$port/{**} [p=.99 n=12 neg=0 by=digest across=copies]
host 127.0.0.23
likely //127.0.0.23:$port/{**} => //127.0.0.21:$port/{**} [p=.99 n=12 neg=0 by=digest across=copies]
END
# validate OPTIONS: verdicts and rules, without the port
validate() {
    dustpan validate -r copied.rules -o out.rules "$@" >report 2>&1
    echo "exit $?"
    { grep -v -e '^      ' -e '^dustpan: [0-9]* requests' report; grep '=>' out.rules; } |
        sed "s/:$port//g; s/  */ /g; s/ [0-9a-f]\{8\} / ID /"
}
echo "== fetched"
validate --urls urls --rate 100 --allow-private
echo "== compared by labels"
awk -F/ '{ print $4 "\t" $0 }' urls >clusters.tsv
validate --offline clusters.tsv
echo "== what the rewritten domain has said already"
sed 's/across=copies/across=canonical/' copied.rules >named.rules && mv named.rules copied.rules
validate --offline clusters.tsv
