# Every option that --help-all shows stands in the man page of its verb, with the same letter and value, and the reverse;
# every verb has a page, under the name and the summary that the list of verbs shows.

# "-r --rules RULES" for each option that --help-all shows.
shown() {
    # shellcheck disable=SC2086  # one or two words
    dustpan $1 --help-all | sed -n 's/^  \(-.\), \(--[A-Za-z-]*\)/\1 \2/p; s/^      \(--\)/\1/p' |
        sed 's/   *.*//' | grep -v -e '--help$' -e '--help-all$' | sort
}

# The same for those that a page describes, in the section .Ss $2 alone if it is given.
described() {
    awk -v section="${2:+.Ss $2}" '/^\.S[sh] / { on = section == "" || $0 == section } on && /^\.It Fl/' "$ROOT/man/$1" |
        sed 's/^\.It //; s/ Ns | Ns Cm /|/g; s/ Ns = Ns Ar /=/g; s/ , / /g; s/Fl /-/g; s/ Ar / /; s/ Cm / /' | sort
}

compare() { # VERB PAGE [SECTION]
    shown "$1" >shown
    described "$2" "${3-}" >described
    diff shown described && echo "$1: $(wc -l <shown) options"
}

summary() { # PAGE: what stands behind its name
    sed -n 's/^\.Nd //p' "$ROOT/man/$1"
}

verbs() {
    # shellcheck disable=SC2086  # none or one word
    dustpan $1 --help | sed -n 's/^  \([a-z]*\)  *\(.*\)/\1 \2/p'
}

verbs '' | while read -r verb does; do
    page=dustpan-$verb.1
    [ "$(summary "$page")" = "$does" ] || echo "$page: $(summary "$page"), not: $does"
    grep -q "^\.Xr dustpan-$verb 1" "$ROOT/man/dustpan.1" || echo "dustpan.1 does not name $page"
    grep -A 1 "^\.It Cm $verb\$" "$ROOT/man/dustpan.1" | grep -qxF "$does;" || echo "dustpan.1: $verb: not: $does"
    [ "$verb" = rules ] || compare "$verb" "$page"
done
verbs rules | while read -r verb does; do
    compare "rules $verb" dustpan-rules.1 "dustpan rules $verb"
done
verbs '' | cut -d ' ' -f 1 | tr '\n' ' '
verbs rules | cut -d ' ' -f 1 | tr '\n' ' '
echo
# No option of a method hides behind one of the command that has the same name.
shown learn | grep -o -e '--[A-Za-z-]*' | sort | uniq -d
