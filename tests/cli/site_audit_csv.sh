# internal_all.csv of Screaming Frog, as it is exported (Status Code and Status, Hash, Canonical, Redirect URL), from learn to apply
. "$ROOT/tests/cli/common"

cat >make.py <<'END'
import csv, hashlib
w = csv.writer(open("internal_all.csv", "w", encoding="utf-8-sig", newline=""), quoting=csv.QUOTE_ALL)
w.writerow(["Address", "Content Type", "Status Code", "Status", "Indexability", "Indexability Status", "Title 1", "Title 1 Length",
            "Canonical Link Element 1", "Size (bytes)", "Crawl Depth", "Inlinks", "Unique Inlinks", "Hash", "Redirect URL"])
for n in range(90):
    page, digest = f"https://shop.example/item/{n}", hashlib.md5(str(n).encode()).hexdigest()
    for url in [page] + [f"{page}?utm_source=mail,{n % 7}"] * (n % 3 > 0):
        w.writerow([url, "text/html; charset=utf-8", 200, "OK", "Indexable", "", f'Item {n}, "oak"\nchair', 9, page, 9000 + n, 2, 5, 3,
                    digest, ""])
    if n % 2:
        w.writerow([f"http://shop.example/item/{n}", "", 301, "Moved Permanently", "Non-Indexable", "Redirected", "", 0, "", 0, 2, 1, 1,
                    "", page])
w.writerow(["https://shop.example/gone", "text/html", 404, "Not Found", "Non-Indexable", "Client Error", "Gone", 4, "", 90, 3, 1, 1, "", ""])
END
python3 make.py
t dustpan learn internal_all.csv -o site.rules
cat site.rules
t dustpan audit -r site.rules internal_all.csv
dustpan eval -r site.rules internal_all.csv | tail -n 2 | sed 's/ (set .*//'
t dustpan report -r site.rules internal_all.csv -o report.html
dustpan apply -r site.rules --unique internal_all.csv >fetch.txt
wc -l <fetch.txt
head -n 3 fetch.txt
dustpan apply -q -r site.rules internal_all.csv | head -n 3

echo "== our own names count where there is no other"
printf '%s\n' 'url,status,digest' 'http://a.org/1,200,a' 'http://a.org/2,404,b' >own.csv
dustpan apply -q -r site.rules --json own.csv | sed 's/,"rules.*//'
t dustpan cluster own.csv
