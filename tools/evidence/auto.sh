#!/bin/sh
# auto.sh - our own learner against the papers' methods, on held-out clusters; its promises; what its parts are worth.
#
#     tools/evidence/auto.sh           (make evidence-auto)
#     JOBS=16 SEEDS="1 2 3" SEQ_SEEDS=1 PARTS="methods calibration" ONLY="live-docs hard" LIMIT=900 tools/evidence/auto.sh
#
# Every set is divided in two by cluster, learned on one half, scored on the other by the crawl simulation; once a seed, medians
# are printed. Planted sets are made anew for each seed, and wrong labels are only in what is learned from. `bad` are wrong
# merges, `lost` pages of which no URL is fetched, `s` CPU seconds of learning on THREADS (1) threads. "none" is universal
# normalization (stage 0); domains that mirror each other are named with --same-owner (planted mirrors; the two names of live-
# docs). "auto-unguarded" may merge languages, pages, dates, versions and ids, as the papers' methods may. A cell that takes
# longer than LIMIT seconds has no row, and is named at the end. seq2seq, which takes minutes a host, runs on SEQ_SEEDS alone.
#
# Cells run JOBS at a time, each keeps its row in a folder named after the commit (FOLDER); what is there already is not run
# again, so that a run that was ended goes on where it stopped. The folder is removed by hand.
# SPDX-License-Identifier: Apache-2.0
set -eu
here=$(cd "$(dirname "$0")" && pwd)
cd "$here/../.." || exit 2
BUILD=${BUILD:-build}
data=../shared/data
JOBS=${JOBS:-$(nproc)}
SEEDS=${SEEDS:-1 2 3 4 5}
SEQ_SEEDS=${SEQ_SEEDS-1}
PARTS=${PARTS:-methods honesty ablation calibration}
LIMIT=${LIMIT:-1200}
THREADS=${THREADS:-1}
commit=$(git rev-parse --short HEAD)
git diff --quiet HEAD -- src include tools/plant || commit=$commit-$(cksum <"$BUILD/dustpan" | cut -d ' ' -f 1)
FOLDER=${FOLDER:-$BUILD/evidence-auto/$commit}
mkdir -p "$FOLDER/sets" "$FOLDER/rows"
export BUILD FOLDER LIMIT THREADS

real="live-docs live-dokuwiki redirects-sqldocs redirects-githubdocs redirects-mdn crawl-netarchive newrelic networkx"
planted="clean noise-2 noise-5 single-80 host-100 hard hard-2"
calibration="calibration calibration-2 calibration-hard calibration-hard-2"

wanted() { # NAME [LIST]: whether the list (ONLY), where there is one, holds it
    case " ${2-${ONLY:-$1}} " in *" $1 "*) true ;; *) false ;; esac
}

file_of() { # SET: of a real one
    case $1 in
    newrelic) echo $data/urls-archived-hosts/blog.newrelic.com.silver.tsv.gz ;;
    networkx) echo $data/site-networkx/index.cdxj.gz ;;
    *) echo "$data/$1/clusters.tsv.gz" ;;
    esac
}

# Sets to make, one a line: NAME SEED, and a file or options of the generator.
sets() {
    for seed in $SEEDS; do
        for set in $planted $real; do
            wanted "$set" || continue
            case $set in
            clean) echo "$set $seed --urls 60000" ;;
            noise-2) echo "$set $seed --urls 60000 --noise .02" ;;
            noise-5) echo "$set $seed --urls 60000 --noise .05" ;;
            single-80) echo "$set $seed --urls 60000 --singletons .8" ;;
            host-100) echo "$set $seed --urls 20000 --hosts 200" ;;
            hard) echo "$set $seed --urls 60000 --hard" ;;
            hard-2) echo "$set $seed --urls 60000 --hard --noise .02" ;;
            *)
                if [ -e "$(file_of "$set")" ]; then
                    echo "$set $seed $(file_of "$set")"
                else
                    echo "$set: $(file_of "$set") is absent, passed over" >&2
                fi ;;
            esac
        done
    done
    first=${SEEDS%% *}
    for set in $calibration; do
        wanted calibration "$PARTS" || continue
        wanted "$set" || continue
        case $set in
        calibration) echo "$set $first --urls 60000 --hosts 200" ;;
        calibration-2) echo "$set $first --urls 60000 --hosts 200 --noise .02" ;;
        calibration-hard) echo "$set $first --urls 60000 --hosts 200 --hard" ;;
        calibration-hard-2) echo "$set $first --urls 60000 --hosts 200 --hard --noise .02" ;;
        esac
    done
}

# Cells to run, the longest first: PART SET SEED METHOD, and options of learn.
cells() {
    first=${SEEDS%% *}
    few=$(echo "$SEEDS" | cut -d ' ' -f 1-3)
    methods="auto rewrite tree duster dust none"
    if wanted methods "$PARTS"; then
        for seed in $SEQ_SEEDS; do
            for set in $planted $real; do
                echo "methods $set $seed seq2seq --method seq2seq"
            done
        done
        for seed in $SEEDS; do
            echo "methods networkx $seed dust --method dust"
        done
        for set in $real; do
            for seed in $SEEDS; do
                echo "methods $set $seed auto-unguarded --allow lang,page,date,version,id"
            done
        done
        for set in $real $planted; do
            for method in $methods; do
                for seed in $SEEDS; do
                    [ "$set-$method" = networkx-dust ] || echo "methods $set $seed $method --method $method"
                done
            done
        done
    fi
    if wanted ablation "$PARTS"; then
        for set in redirects-sqldocs noise-5 hard live-docs; do
            for seed in $few; do
                for off in host query path affix template joint contexts survey singletons; do
                    echo "ablation $set $seed without-$off --without-$off"
                done
                echo "ablation $set $seed bound-spike --bound spike"
                echo "ablation $set $seed all"
                echo "ablation $set $seed one-round --rounds 1"
                echo "ablation $set $seed no-reviews --reviews 0"
                echo "ablation $set $seed no-guards --allow lang,page,date,version,id"
                echo "ablation $set $seed no-sample --sample 0"
            done
        done
    fi
    if wanted calibration "$PARTS"; then
        for set in $calibration; do
            for pi in .8 .9 .95 .99; do
                echo "calibration $set $first $pi --min-precision $pi"
            done
        done
    fi
    if wanted honesty "$PARTS"; then
        for set in clean hard redirects-sqldocs; do
            for kind in shuffle rename; do
                echo "honesty $set-$kind $first auto"
            done
        done
    fi
}

sets | xargs -P "$JOBS" -L 1 python3 "$here/auto.py" set
cells | while read -r part set rest; do
    of=${set%-shuffle}
    ! wanted "${of%-rename}" || echo "$part $set $rest"
done | xargs -P "$JOBS" -L 1 python3 "$here/auto.py" run
cells | python3 "$here/auto.py" tables
