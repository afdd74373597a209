# The completions for bash, zsh and fish have every verb and every option that --help-all shows, and no others.
verbs='apply:audit:cluster:eval:explain:learn:report:review:rules check:rules show:rules fmt:rules diff:rules merge:rules compile:rules export:rules import:rules on:rules off:seen:split:validate'

shown() {
    # shellcheck disable=SC2086  # one or two words
    dustpan $1 --help-all | sed -n 's/^  \(-., \|    \)\(--[A-Za-z-]*\).*/\2/p' | sort -u
}

list() {
    # shellcheck disable=SC2086  # none or one word
    dustpan $1 --help | sed -n 's/^  \([a-z]*\) .*/\1/p' | sort
}

of_bash() {
    bash -c '. "$ROOT/completions/dustpan.bash"
        # shellcheck disable=SC2206
        COMP_WORDS=(dustpan $1 "$2"); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _dustpan
        printf "%s\n" "${COMPREPLY[@]}"' bash "$1" "$2" | sort -u
}

of_fish() {
    fish --no-config -c 'source $ROOT/completions/dustpan.fish; complete -C "dustpan $argv"' "$1 $2" | cut -f 1 | sort -u
}

# zsh has no simple way to ask; its file has one function per verb, and one that asks learn for the methods' options.
function_of() {
    awk -v name="$1() {" '$0 == name { on = 1 } on; /^}/ { on = 0 }' "$ROOT/completions/_dustpan"
}

of_zsh() {
    name=_dustpan_$(echo "$1" | tr ' ' _)
    [ "$1" != 'rules off' ] || name=_dustpan_rules_on
    {
        function_of "$name" | grep -o -e '--[a-z][a-z-]*'
        [ "$1" != learn ] || { function_of _dustpan_methods; echo _dustpan_methods; } | zsh -f | sed 's/[:[].*//'
    } | sort -u
}

echo "$verbs" | tr : '\n' >verbs
for shell in bash fish zsh; do
    if ! command -v $shell >/dev/null; then
        echo "SKIP: $shell is not installed"
        exit 77
    fi
    while IFS= read -r verb; do
        shown "$verb" >want
        of_$shell "$verb" -- >got </dev/null
        diff want got && echo "$shell: $verb"
    done <verbs
done
for shell in bash fish; do
    for group in '' rules; do
        list "$group" >want
        of_$shell "$group" '' </dev/null | grep -v -e '^-' -e '^help$' >got
        diff want got && echo "$shell: verbs of dustpan $group"
    done
done
zsh -n "$ROOT/completions/_dustpan" && echo "zsh reads it"
for verb in $(list '') $(list rules); do
    grep -q "^        '$verb:" "$ROOT/completions/_dustpan" || echo "zsh: no $verb"
done
