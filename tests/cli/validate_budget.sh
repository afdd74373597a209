# dustpan validate --plan and --budget: which rules are tested, with how many requests; against nginx.
. "$ROOT/tests/cli/common"
. "$ROOT/tests/servers/common"
mkdir site
start_nginx 127.0.0.1 site
for i in $(seq 30); do
    printf '<p>page number %s of thirty, with some words of its own: %s %s %s</p>\n' "$i" "w$i" "x$i" "y$i" >"site/p$i.html"
    printf 'http://127.0.0.1:%s/p%s.html?%s=%s\n' "$nginx" "$i" sid "$i" "$nginx" "$i" ref "$i" "$nginx" "$i" view "$i"
done >urls
for i in $(seq 8); do printf 'http://127.0.0.1:%s/p%s.html?page=1\n' "$nginx" "$i"; done >>urls
cat >likely.rules <<'EOF'
dustpan-rules 1
host 127.0.0.1
likely drop ?page if =1  [p=.9 n=9 neg=0 save=200 by=size]
likely drop ?ref   [p=.9 n=9 neg=0 save=12 by=size]
likely drop ?sid   [p=.9 n=9 neg=0 save=90 by=size]
likely drop ?view  [p=.9 n=9 neg=0 save=55 by=size]
off drop ?gone     [save=999]
EOF
# How many URLs two rules share depends on the port.
counted() { t "$@" 2>&1 | sed '/      same: /d; s/at most [0-9]* requests to/at most N requests to/; s/: [0-9]* requests$/: N requests/'; }
counted dustpan validate --plan -r likely.rules --urls urls
counted dustpan validate --plan --budget 50 -r likely.rules --urls urls
t dustpan validate --plan --budget 10 -r likely.rules --urls urls
wc -l <nginx.log
counted dustpan validate --budget 50 -r likely.rules --urls urls --allow-private --rate 400 -o tested.rules
cat tested.rules
[ "$(wc -l <nginx.log)" -le 50 ] && echo "no more than 50"
echo "== what is planned, in JSON; and without a budget what cannot be decided"
dustpan validate -q --json --budget 50 -r likely.rules --urls urls --allow-private --rate 400 |
    grep -o '"rule":"[^"]*","state":"[^"]*","verdict":"[^"]*","plan[^}]*"matching":[0-9]*'
grep 'host\|dustpan\|page' likely.rules >page.rules
counted dustpan validate -r page.rules --urls urls --allow-private --rate 400
t dustpan validate --plan --offline urls -r likely.rules
