# dustpan validate says why a rule was not tested: the host cannot be reached, its address is private, the URLs must not
# be fetched, the budget is spent, there are too few.
. "$ROOT/tests/cli/common"
urls() {
    for i in $(seq 12); do echo "http://$1/$2$i?sid=$i"; done
}
printf 'dustpan-rules 1\nhost any\nlikely drop ?sid\nlikely drop ?void\n' >any.rules
printf 'dustpan-rules 1\nhost any\nlikely erase ?sid\n' >erase.rules

urls nobody.invalid p >unknown
t dustpan validate -r any.rules --urls unknown --retries 0 -o out.rules
urls 127.0.0.1:1 p >refused
t dustpan validate -r any.rules --urls refused --retries 0 --allow-private -o out.rules
t dustpan validate -r any.rules --urls refused --retries 0 -o out.rules
urls localhost:1 p >local
t dustpan validate -r any.rules --urls local --retries 0
cat unknown refused >both
t dustpan validate -q --json -r any.rules --urls both --retries 0 --allow-private -o out.rules
urls 127.0.0.1:1 logout >actions
t dustpan validate -r any.rules --urls actions --allow-private -o out.rules
sed 's/=.*/=xxx/' refused >masked
t dustpan validate -r any.rules --urls masked --allow-private -o out.rules
head -n 3 refused >few
t dustpan validate -r any.rules --urls few --retries 0 --allow-private -o out.rules
t dustpan validate -r erase.rules --urls few --retries 0 --allow-private -o out.rules
