# apply --form surt: the key in the shape of CDX index keys, against a twin in Python; --unique is by key in this form, too
. "$ROOT/tests/cli/common"

printf '%s\n' 'dustpan-rules 1' 'host any' 'drop ?sid' >any.rules
cat >urls <<'END'
http://www.example.org/path?query
HTTPS://User:pass@Example.ORG:8443/A/b.html?z=1&a=2&sid=3#top
http://example.org:80/
http://example.org:443/
https://example.org:443
example.org:8080/x
kettle.org
ftp://ftp.example.org/pub;type=a
http://192.0.2.7:81/x
http://[2001:DB8::7]:81/x
http://localhost/x
http://a_b.example.org./x
http://example.org/a,b)c?d=http://e.org/&f=(g)
http://münchen.example/ä?ö=ü
mailto:me@example.org
END
cat >twin.py <<'END'
import re
import sys

DEFAULT = {"http": "80", "https": "443", "ftp": "21"}
for line in sys.stdin:
    m = re.match(r"(?:([a-z][a-z0-9+.-]*)://)?(?:([^/?#]*)@)?(\[[^\]]*\]|[^/?#:]*)(?::([0-9]+))?([/?].*)?$", line.rstrip("\n"))
    if not m or not (m[1] or (m[2] is None and "." in m[3])):
        print(line, end="")
        continue
    scheme, _, host, port, rest = m.groups()
    is_address = host.startswith("[") or re.fullmatch(r"[0-9.]+", host)
    name = host if is_address else ",".join(reversed(host.split(".")))
    print(name + (":" + port if port and port != DEFAULT.get(scheme or "http") else "") + ")" + (rest or ""))
END

t dustpan apply -q -r any.rules --form surt urls
echo "== the twin, of the keys"
dustpan apply -q -r any.rules urls | python3 twin.py >want
dustpan apply -q -r any.rules --form surt urls | diff - want && echo same

echo "== what index keys have besides: no www, no capital letters, sorted pairs"
grep -v 'mailto\|192\|2001\|localhost\|a_b\|ftp' urls >names
dustpan apply -q -r any.rules names | python3 "$ROOT/tests/exchange/as_tool.py" pywb-key >want
dustpan apply -q -r any.rules --form surt names | tr A-Z a-z | sed 's/,www[0-9]*)/)/; s/z=1&a=2/a=2\&z=1/' | diff - want && echo same

echo "== schemes differ, so do keys"
printf '%s\n' http://a.org/x https://a.org/x http://a.org/x?sid=1 >two
t dustpan apply -q -r any.rules --unique --form surt two
t dustpan apply -q -r any.rules --unique --form surt --explain two
t dustpan explain -r any.rules --form surt 'http://www.example.org/path?sid=1'
