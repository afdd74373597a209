# Every option that --help shows stands in the man page, in the section of its verb, and the reverse.
man=$ROOT/man/dustpan.1
for verb in apply audit cluster eval explain learn report 'rules check' 'rules show' 'rules fmt' 'rules diff' 'rules merge' 'rules compile' 'rules export' 'rules import' 'rules on' 'rules off' split validate; do
    # shellcheck disable=SC2086  # one or two words
    dustpan $verb --help-all | sed -n '/^Only with/q; s/^  \(-., \|    \)--\([a-z-]*\).*/\2/p' | grep -v -e '^help$' -e '^help-all$' | sort >shown
    awk -v section=".Ss dustpan $verb" '/^\.S[sh] /{ on = $0 == section } on && /^\.It Fl/' "$man" |
        sed 's/.*Fl -\([a-z-]*\).*/\1/' | sort >documented
    diff shown documented && echo "$verb: $(wc -l <shown) options"
    # The letters, too.
    # shellcheck disable=SC2086
    dustpan $verb --help-all | sed -n 's/^  -\(.\), --\([a-z-]*\).*/\1 \2/p' | grep -v '^h help$' | sort >shown
    awk -v section=".Ss dustpan $verb" '/^\.S[sh] /{ on = $0 == section } on && /^\.It Fl/' "$man" |
        sed -n 's/^\.It Fl \(.\) , Fl -\([a-z-]*\).*/\1 \2/p' | sort >documented
    diff shown documented
done
# Every verb that the lists show is one of those above.
dustpan --help | sed -n 's/^  \([a-z]*\) .*/\1/p' | tr '\n' ' '
dustpan rules --help | sed -n 's/^  \([a-z]*\) .*/\1/p' | tr '\n' ' '
echo
# No option of a method hides behind one of the command that has the same name.
dustpan learn --help-all | sed -n 's/^  \(-., \|    \)--\([A-Za-z-]*\).*/\2/p' | sort | uniq -d
