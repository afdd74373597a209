# bash completion for dustpan. tests/cli/completions.sh compares it with `dustpan VERB --help`.
# SPDX-License-Identifier: Apache-2.0

_dustpan() {
    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]} verb=${COMP_WORDS[1]-} words=
    local apply='--rules --output --model --form --format --columns --log-format --base-url --unique --memory --tmp --seen
        --rekey --remember --explore --salt --explain
        --json --min-precision --with-likely --expire --counts --source --line-buffered --strict --threads --progress --quiet --help'
    local audit='--rules --output --promise --noise --explore --salt --confidence --min-precision --with-likely --expire --pairs --examples --json --format --columns --log-format --base-url --identity
        --strict --progress --quiet --help'
    local cluster='--output --shingles --simhash --same-title --mask --min-size --soft-urls --soft-share
        --explain --keep-soft-errors --any-status --relabel --format --columns --log-format --base-url --identity --examples --json --strict --threads
        --progress --quiet --help'
    local eval='--rules --compare --output --by-host --by-rule --crawl --share --order --table --fail-under --lost --examples --json --min-precision
        --with-likely --format --columns --log-format --base-url --identity --strict --threads --progress --quiet --help
        --help-all'
    local report='--rules --output --json --hosts --families --lost --examples --min-precision --with-likely --format
        --columns --log-format --base-url --identity --strict --progress --quiet --help'
    local review='--output --json --serve --sample --examples --format --columns --log-format --base-url --identity
        --strict --progress --quiet --help'
    local seen='--rollback --output --json --quiet --help'
    local split='--output --test --seed --format --columns --log-format --base-url --identity --strict --quiet --help'
    local validate='--rules --urls --offline --absent --echo --echo-after --output --tests --epsilon --min-tests --shingles --seed --rate --parallel
        --budget --plan --max-fetches --retries --timeout --max-size --cache --user-agent --ca-file --allow-actions --allow-private --format --columns
        --log-format --base-url --identity --examples --json --strict --progress --quiet --help --help-all'
    local explain='--rules --records --explore --salt --form --examples --json --min-precision --with-likely --format --columns --log-format
        --base-url --identity --help'
    local learn='--output --method --min-precision --accept --keep --trust --labels --site --same-owner --site-sample --threads --memory --tmp
        --state --update --first --crawl-eval --rehearse --no-test --keep-soft-errors --certify --confidence --seed --strict --format --columns --log-format --base-url --identity --validate --max-fetches --rate
        --allow-private --json --progress --quiet --help --help-all'
    local rules='check show fmt diff merge compile export import on off'

    if [[ $verb == rules || $verb == help ]] && ((COMP_CWORD > 2)); then
        verb="$verb ${COMP_WORDS[2]}"
    fi
    case $prev in
    --to) words='nutch stormcrawler heritrix duplicate-url-discarder pywb nginx clean-param nginx-redirect apache-redirect robots canonical-csv json sed' ;;
    --from) words='clearurls adguard clean-param duplicate-url-discarder' ;;
    --accept) words='judge paper' ;;
    --site) words='linked domain host' ;;
    --trust | --labels) words='list size near canonical redirect text digest fetch' ;;
    --method) words=$(dustpan learn --help | sed -n 's/^ *--method \([a-z0-9|]*\).*/\1/p' | tr '|' ' ') ;;
    --keep | --memory) return ;;
    --form) words='key fetch surt url' ;;
    --identity) words='clusters content clusters,content' ;;
    --examples) words='masked raw' ;;
    --table) words='dust kdd08 wsdm10 sigir17' ;;
    --format) words='urls tsv csv jsonl clusters list pairs clf combined w3c alb cdx cdxj crawllog warc wat' ;;
    --log-format) words='nginx apache apache-common iis cloudfront alb caddy' ;;
    --shingles) words='1 2 3 4' ;;
    --simhash) words='0 1 2 3 4 5 6 7 8' ;;
    --absent) words='unknown negative' ;;
    --echo | --echo-after | --tests | --epsilon | --min-tests | --rate | --parallel | --budget | --max-fetches | --retries | --timeout | --max-size | --user-agent) return ;;
    --min-size | --soft-urls | --soft-share | --promise | --noise | --hosts | --families) return ;;
    --pairs) words='0 1 2 3' ;;
    --min-precision | --source | --expire | --rollback | --threads | -t | --fail-under | --lost | --columns | --base-url | --test | --seed) return ;;
    -r | --rules | -o | --output | --counts | --urls | --compare | --offline | --cache | --tmp | --state) ;;
    *)
        if ((COMP_CWORD == 1)); then
            words='apply audit cluster eval explain learn report review rules seen split validate help --help --version'
        elif ((COMP_CWORD == 2)) && [[ ${COMP_WORDS[1]} == --version ]]; then
            words='-v --verbose'
        elif ((COMP_CWORD == 2)) && [[ $verb == rules ]]; then
            words="$rules --help"
        elif ((COMP_CWORD == 2)) && [[ $verb == help ]]; then
            words='apply audit cluster eval explain learn report review rules seen split validate'
        elif [[ $verb == 'help rules' ]]; then
            words=$rules
        elif [[ $cur == -* ]]; then
            case $verb in
            apply) words=$apply ;;
            audit) words=$audit ;;
            cluster) words=$cluster ;;
            eval) words=$eval ;;
            explain) words=$explain ;;
            # The methods' own options, too.
            learn) words="$learn $(dustpan learn --help-all | sed -n '/^Only with/,$s/^ *\(--[A-Za-z-]*\).*/\1/p')" ;;
            report) words=$report ;;
            review) words=$review ;;
            seen) words=$seen ;;
            split) words=$split ;;
            validate) words=$validate ;;
            'rules check' | 'rules show') words='--json --help' ;;
            'rules export') words='--to --output --with-likely --min-precision --examples --help' ;;
            'rules import') words='--from --output --help' ;;
            'rules fmt' | 'rules merge' | 'rules compile') words='--output --help' ;;
            'rules on' | 'rules off') words='--output --quiet --help' ;;
            'rules diff') words='--urls --examples --json --help' ;;
            esac
        fi
        ;;
    esac
    # No words: file names, which -o default gives.
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$cur")
}

complete -o default -F _dustpan dustpan
