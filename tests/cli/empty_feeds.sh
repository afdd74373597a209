# One content under URLs that have nothing in common, whoever says that it is one: the empty feeds of a blog, which arrive as clusters
# of twenty, are no evidence that the feed of post X-2 is that of post X. Where the URLs have a narrow form it is a sink.
. "$ROOT/tests/cli/common"

cat >blog.py <<'END'
import hashlib, json, random, sys
rng = random.Random(1)
def say(page, url):
    if sys.argv[1] == "named":
        print(f"{page}\t{url}")
    else:
        body = hashlib.sha1(page.encode()).hexdigest()
        print(json.dumps({"url": url, "status": 200, "digest": body, "size": 300 if sys.argv[1] == "small" else 2000, "mime": "text/html"}))
for i in range(1000):
    slug = "post-about-" + "".join(rng.choice("bcdfgklmnprst") + rng.choice("aeiou") for _ in range(4))
    for post in [slug, slug + "-2"] if i < 60 else [slug]:
        say(f"page {post}", f"http://blog.example/{post}/")
        if rng.random() < .3:
            say(f"page {post}", f"http://blog.example/{post}/?replytocom={rng.randrange(1000)}")
        say(f"empty {i % 6}" if i < 60 else f"feed {post}", f"http://blog.example/{post}/feed/")
for i in range(200):
    say("login", f"http://blog.example/login?next=%2F{i}")
END
for kind in named digests small; do
    echo "== $kind"
    python3 blog.py $kind >site.$kind
    rm -f blog.rules
    dustpan learn -q -o blog.rules site.$kind
    grep -vE '^(#|dustpan-rules)' blog.rules | sed 's/ *\[.*//'
    dustpan eval -q --json -r blog.rules site.$kind | grep -o '"lost":[0-9]*' | head -n 1
done

# Pages of at most 512 bytes: equal ones are no evidence for a rule, different ones are evidence against it.
cat >small.py <<'END'
import hashlib, json, random, sys
rng = random.Random(2)
for i in range(120):
    small = rng.random() < .5 or sys.argv[1] == "alone"
    for url in (f"http://shop.example/item/{i}", f"http://shop.example/item/{i}?v=1"):
        same = not small or sys.argv[1] != "different"
        if small and sys.argv[1] == "none":
            continue
        digest = hashlib.sha1((f"{i}" if same else url).encode()).hexdigest()
        print(json.dumps({"url": url, "status": 200, "digest": digest, "size": 100 if small else 9000, "mime": "text/html"}))
END
for kind in none equal alone different; do
    python3 small.py $kind >small.jsonl
    rm -f small.rules
    dustpan learn -q -o small.rules small.jsonl
    echo "small pages, $kind: $(sed -n 's/^\(drop.*[^ ]\)  *\[\(p=[^ ]*\).*/\1 \2/p' small.rules)"
done
