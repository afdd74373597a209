# a few kinds of web software, made by tools/plant/kinds.py, are found again; the whole table is make evidence-kinds
. "$ROOT/tests/cli/common"

kinds="python3 $ROOT/tools/plant/kinds.py"
these=smf,calendar,mail-archive,sharepoint,renamed-key,session-like,session-segment
$kinds make out --seed 4 --pages 240 --kinds $these
$kinds score out --kinds $these --dustpan "$(command -v dustpan)" |
    awk '/^solved/ { print; next } { print $1, $(NF - 1), $NF }'
cut -f2 out/smf/train.tsv | head -n 3
