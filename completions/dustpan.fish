# fish completion for dustpan. tests/cli/completions.sh compares it with `dustpan VERB --help`.
# SPDX-License-Identifier: Apache-2.0

# Do the words after "dustpan" begin with these?
function __dustpan_at
    set -l words (commandline -opc)
    set -e words[1]
    for i in (seq (count $argv))
        test "$words[$i]" = "$argv[$i]"
        or return 1
    end
end

# Are they these and no more?
function __dustpan_only
    set -l words (commandline -opc)
    test (count $words) -eq (math (count $argv) + 1)
    and __dustpan_at $argv
end

# The options that only one method of learn has, with what they do.
function __dustpan_methods
    dustpan learn --help-all | sed -n '/^Only with/,$s/^ *\(--[A-Za-z-]*\)\( [^ ][^ ]*\)\{0,1\} *\(.*\)/\1	\3/p'
end

complete -c dustpan -n __dustpan_only -f -a apply -d 'write the key of each URL'
complete -c dustpan -n __dustpan_only -f -a audit -d 'find the rules that new records contradict'
complete -c dustpan -n __dustpan_only -f -a cluster -d 'find the URLs that show the same page'
complete -c dustpan -n __dustpan_only -f -a eval -d 'measure rules on URLs whose pages are known'
complete -c dustpan -n __dustpan_only -f -a explain -d 'show which rules change a URL, or why two URLs have the same key'
complete -c dustpan -n __dustpan_only -f -a learn -d 'learn rules from a log, a crawl or a list of duplicate URLs'
complete -c dustpan -n __dustpan_only -f -a report -d 'write an HTML report: what rules save, and what they risk'
complete -c dustpan -n __dustpan_only -f -a review -d 'write an HTML page in which a person accepts or rejects rules'
complete -c dustpan -n __dustpan_only -f -a rules -d 'check, show, format, compare, merge, compile, convert and switch rules'
complete -c dustpan -n __dustpan_only -f -a seen -d 'show what a seen-set holds, or list what a rule has hidden'
complete -c dustpan -n __dustpan_only -f -a split -d 'divide records into a set to learn from and a set to test on'
complete -c dustpan -n __dustpan_only -f -a validate -d 'test rules on the live site, by fetching a few pages'
complete -c dustpan -n __dustpan_only -f -a help -d 'show the options of a verb'
complete -c dustpan -n __dustpan_only -l version -d 'show the version'
complete -c dustpan -n '__dustpan_only --version' -s v -l verbose -d 'and the libraries it uses'
complete -c dustpan -s h -l help -d 'show help'
complete -c dustpan -n '__dustpan_only help' -f -a 'apply audit cluster eval explain learn report review rules seen split validate'

complete -c dustpan -n '__dustpan_at apply' -s r -l rules -r -F -d 'rule file, text or compiled'
complete -c dustpan -n '__dustpan_at apply' -s o -l output -r -F -d 'write to this file'
complete -c dustpan -n '__dustpan_at apply' -l model -r -F -d 'also translate keys with these networks'
complete -c dustpan -n '__dustpan_at apply' -l form -x -a 'key fetch surt url' -d 'what to write'
complete -c dustpan -n '__dustpan_at apply' -s u -l unique -d 'write only the first line of each key'
complete -c dustpan -n '__dustpan_at apply' -l memory -x -d 'memory for the keys of --unique'
complete -c dustpan -n '__dustpan_at apply' -l tmp -r -F -d 'folder for keys that do not fit'
complete -c dustpan -n '__dustpan_at apply' -l seen -r -F -d 'leave out keys that earlier runs with this file wrote'
complete -c dustpan -n '__dustpan_at apply' -l rekey -d 'convert the seen file to the keys of these rules'
complete -c dustpan -n '__dustpan_at apply' -l remember -d 'let a new seen file remember what is left out'
complete -c dustpan -n '__dustpan_at apply' -l explore -x -d 'also write this share of the URLs that rules would leave out'
complete -c dustpan -n '__dustpan_at apply' -l salt -x -d 'choose other URLs to explore'
complete -c dustpan -n '__dustpan_at apply' -l explain -d 'append the ids of the rules that fired'
complete -c dustpan -n '__dustpan_at apply' -l json -d 'one JSON object per line'
complete -c dustpan -n '__dustpan_at apply' -l min-precision -x -d 'least expected precision of rules to use'
complete -c dustpan -n '__dustpan_at apply' -l with-likely -d 'also use rules marked likely'
complete -c dustpan -n '__dustpan_at apply' -l expire -x -d 'do not use rules that were not confirmed since'
complete -c dustpan -n '__dustpan_at apply' -l counts -r -F -d 'write how often each rule fired'
complete -c dustpan -n '__dustpan_at apply' -l source -x -d 'the lines are redirect targets of this URL'
complete -c dustpan -n '__dustpan_at apply' -l line-buffered -d 'write the answer to each line immediately'
complete -c dustpan -n '__dustpan_at apply' -l strict -d 'stop at the first line that is not a URL or cannot be read'
complete -c dustpan -n '__dustpan_at apply' -s t -l threads -x -d 'number of threads'
complete -c dustpan -n '__dustpan_at apply' -l progress -d 'show progress'
complete -c dustpan -n '__dustpan_at apply' -s q -l quiet -d 'print errors only'

complete -c dustpan -n '__dustpan_at cluster' -s o -l output -r -F -d 'write to this file'
complete -c dustpan -n '__dustpan_at cluster' -l shingles -x -a '1 2 3 4' -d 'number of 4 min-hashes that are equal'
complete -c dustpan -n '__dustpan_at cluster' -l simhash -x -a '0 1 2 3 4 5 6 7 8' -d 'bits in which simhashes may differ'
complete -c dustpan -n '__dustpan_at cluster' -l same-title -d 'pages with different titles are never the same'
complete -c dustpan -n '__dustpan_at cluster' -l mask -d 'ignore times, dates, counters and session ids'
complete -c dustpan -n '__dustpan_at cluster' -l min-size -x -d 'ignore digests of pages of at most this many bytes'
complete -c dustpan -n '__dustpan_at cluster' -l soft-urls -x -d 'least number of URLs of a soft error on a host'
complete -c dustpan -n '__dustpan_at cluster' -l soft-share -x -d 'least share of the URLs of the host'
complete -c dustpan -n '__dustpan_at cluster' -l explain -d 'show what differs between two URLs'
complete -c dustpan -n '__dustpan_at cluster' -l keep-soft-errors -d 'also write soft errors, marked'
complete -c dustpan -n '__dustpan_at cluster' -l any-status -d 'also compare pages with another status than 200'
complete -c dustpan -n '__dustpan_at cluster' -l relabel -d 'make new clusters even where the input has some'
complete -c dustpan -n '__dustpan_at cluster' -l examples -x -a 'masked raw' -d 'hide possible secrets or show them'
complete -c dustpan -n '__dustpan_at cluster' -l json -d 'one JSON object per line'
complete -c dustpan -n '__dustpan_at cluster' -s t -l threads -x -d 'number of threads'
complete -c dustpan -n '__dustpan_at cluster' -l progress -d 'show progress'

complete -c dustpan -n '__dustpan_at eval' -s r -l rules -r -F -d 'rule file, text or compiled'
complete -c dustpan -n '__dustpan_at eval' -l compare -r -F -d 'another rule file to measure'
complete -c dustpan -n '__dustpan_at eval' -s o -l output -r -F -d 'write to this file'
complete -c dustpan -n '__dustpan_at eval' -l by-host -d 'also show the metrics of each host'
complete -c dustpan -n '__dustpan_at eval' -l by-rule -d 'also show the metrics of each rule by itself'
complete -c dustpan -n '__dustpan_at eval' -l crawl -d 'the rules were learned on the first part of this crawl; measure the rest'
complete -c dustpan -n '__dustpan_at eval' -l share -x -d 'with --crawl: that part of the records'
complete -c dustpan -n '__dustpan_at eval' -l order -x -a 'input time' -d 'with --crawl: the order of the crawl'
complete -c dustpan -n '__dustpan_at eval' -l table -x -a 'dust kdd08 wsdm10 sigir17' -d 'print only this table of a paper'
complete -c dustpan -n '__dustpan_at eval' -l fail-under -x -d 'exit status 1 when a metric is lower'
complete -c dustpan -n '__dustpan_at eval' -l lost -x -d 'missed pages to show'
complete -c dustpan -n '__dustpan_at eval' -l examples -x -a 'masked raw' -d 'hide possible secrets or show them'
complete -c dustpan -n '__dustpan_at eval' -l json -d 'print one JSON object'
complete -c dustpan -n '__dustpan_at eval' -l min-precision -x -d 'least expected precision of rules to use'
complete -c dustpan -n '__dustpan_at eval' -l with-likely -d 'also use rules marked likely'
complete -c dustpan -n '__dustpan_at eval' -s t -l threads -x -d 'number of threads'
complete -c dustpan -n '__dustpan_at eval' -l progress -d 'show progress'

complete -c dustpan -n '__dustpan_at audit' -s r -l rules -r -F -d 'rule file, text or compiled'
complete -c dustpan -n '__dustpan_at audit' -s o -l output -r -F -d 'write the rules, broken ones turned off'
complete -c dustpan -n '__dustpan_at audit' -l promise -x -d 'expected precision of rules without p'
complete -c dustpan -n '__dustpan_at audit' -l noise -x -d 'share of records with a wrong cluster'
complete -c dustpan -n '__dustpan_at audit' -l explore -x -d 'share of URLs that are probes'
complete -c dustpan -n '__dustpan_at audit' -l salt -x -d 'salt that probes were chosen with'
complete -c dustpan -n '__dustpan_at audit' -l confidence -x -d 'of the bounds that probes give'
complete -c dustpan -n '__dustpan_at audit' -l min-precision -x -d 'least expected precision of the rules that were used'
complete -c dustpan -n '__dustpan_at audit' -l with-likely -d 'likely rules were used'
complete -c dustpan -n '__dustpan_at audit' -l expire -x -d 'also turn off rules that were not confirmed since'
complete -c dustpan -n '__dustpan_at audit' -l pairs -x -a '0 1 2 3' -d 'counter-examples to show per rule'
complete -c dustpan -n '__dustpan_at audit' -l examples -x -a 'masked raw' -d 'hide possible secrets or show them'
complete -c dustpan -n '__dustpan_at audit' -l json -d 'print one JSON object'
complete -c dustpan -n '__dustpan_at audit' -l progress -d 'show progress'

complete -c dustpan -n '__dustpan_at learn' -s o -l output -r -F -d 'write to this file'
complete -c dustpan -n '__dustpan_at learn' -l method -x -a "(dustpan learn --help | sed -n 's/^ *--method \([a-z0-9|]*\).*/\1/p' | tr '|' '\n')" -d 'how rules are found'
complete -c dustpan -n '__dustpan_at learn' -l min-precision -x -d 'expected precision that a rule needs'
complete -c dustpan -n '__dustpan_at learn' -l accept -x -a 'judge paper' -d 'accept rules by votes, or as the paper does'
complete -c dustpan -n '__dustpan_at learn' -l keep -x -d 'parameters that no rule may change'
complete -c dustpan -n '__dustpan_at learn' -l trust -x -a 'canonical near size list' -d 'also activate rules with this weak evidence'
complete -c dustpan -n '__dustpan_at learn' -l labels -x -a 'list size near canonical redirect text digest fetch' -d 'evidence behind the clusters in the input'
complete -c dustpan -n '__dustpan_at learn' -l site -x -a 'linked domain host' -d 'what is one site'
complete -c dustpan -n '__dustpan_at learn' -l same-owner -r -F -d 'domains of one owner, one line per owner'
complete -c dustpan -n '__dustpan_at learn' -l site-sample -x -d 'learn larger sites from this many URLs'
complete -c dustpan -n '__dustpan_at learn' -l threads -x -d 'number of threads'
complete -c dustpan -n '__dustpan_at learn' -l memory -x -d 'memory to use'
complete -c dustpan -n '__dustpan_at learn' -l tmp -r -F -d 'folder for what does not fit'
complete -c dustpan -n '__dustpan_at learn' -l state -r -F -d 'keep all records in this file'
complete -c dustpan -n '__dustpan_at learn' -l update -d 'learn again from the records of --state and new ones'
complete -c dustpan -n '__dustpan_at learn' -l first -x -d 'learn from this share of the records, the first ones'
complete -c dustpan -n '__dustpan_at learn' -l crawl-eval -d 'learn from the first half of a crawl, measure on the rest'
complete -c dustpan -n '__dustpan_at learn' -l rehearse -d 'test on pages kept out of learning on all sites'
complete -c dustpan -n '__dustpan_at learn' -l no-test -d 'do not test on pages kept out of learning'
complete -c dustpan -n '__dustpan_at learn' -l keep-soft-errors -d 'also learn from pages that look like soft errors'
complete -c dustpan -n '__dustpan_at learn' -l certify -d 'only activate rules that pages kept out of learning prove to be precise'
complete -c dustpan -n '__dustpan_at learn' -l confidence -x -d 'with --certify: how sure the proof must be'
complete -c dustpan -n '__dustpan_at learn' -l seed -x -d 'seed for random choices'
complete -c dustpan -n '__dustpan_at learn' -l validate -d 'then test the rules by fetching pages'
complete -c dustpan -n '__dustpan_at learn' -l max-fetches -x -d 'limit of requests in total'
complete -c dustpan -n '__dustpan_at learn' -l rate -x -d 'limit of requests per second to each host'
complete -c dustpan -n '__dustpan_at learn' -l allow-private -d 'also connect to private and loopback addresses'
complete -c dustpan -n '__dustpan_at learn' -l json -d 'print the summary as one JSON object'
complete -c dustpan -n '__dustpan_at learn' -l progress -d 'show progress'

complete -c dustpan -n '__dustpan_at learn' -a '(__dustpan_methods)'

complete -c dustpan -n '__dustpan_at report' -s r -l rules -r -F -d 'rule file, text or compiled'
complete -c dustpan -n '__dustpan_at report' -s o -l output -r -F -d 'write to this file'
complete -c dustpan -n '__dustpan_at report' -l json -d 'print the same data as one JSON object'
complete -c dustpan -n '__dustpan_at report' -l hosts -x -d 'hosts to show by name'
complete -c dustpan -n '__dustpan_at report' -l families -x -d 'rules to show'
complete -c dustpan -n '__dustpan_at report' -l lost -x -d 'missed pages to show'
complete -c dustpan -n '__dustpan_at report' -l examples -x -a 'masked raw' -d 'hide possible secrets or show them'
complete -c dustpan -n '__dustpan_at report' -l min-precision -x -d 'least expected precision of rules to use'
complete -c dustpan -n '__dustpan_at report' -l with-likely -d 'also use rules marked likely'
complete -c dustpan -n '__dustpan_at report' -l progress -d 'show progress'
complete -c dustpan -n '__dustpan_at review' -s o -l output -r -F -d 'write to this file'
complete -c dustpan -n '__dustpan_at review' -l json -d 'print the same data as one JSON object'
complete -c dustpan -n '__dustpan_at review' -l serve -d 'show the page on this machine, and save what is changed there'
complete -c dustpan -n '__dustpan_at review' -l sample -x -d 'URLs on which the page counts what a choice saves'
complete -c dustpan -n '__dustpan_at review' -l examples -x -a 'masked raw' -d 'hide possible secrets or show them'
complete -c dustpan -n '__dustpan_at review' -l progress -d 'show progress'

complete -c dustpan -n '__dustpan_at seen' -l rollback -x -d 'write the URLs that this rule has hidden'
complete -c dustpan -n '__dustpan_at seen' -s o -l output -r -F -d 'write to this file'
complete -c dustpan -n '__dustpan_at seen' -l json -d 'print one JSON object'
complete -c dustpan -n '__dustpan_at seen' -s q -l quiet -d 'print errors only'

complete -c dustpan -n '__dustpan_at split' -s o -l output -r -F -d 'beginning of the names of both files'
complete -c dustpan -n '__dustpan_at split' -l test -x -d 'share of the pages that go to test'
complete -c dustpan -n '__dustpan_at split' -l seed -x -d 'seed; another number divides in another way'

complete -c dustpan -n '__dustpan_at validate' -s r -l rules -r -F -d 'rule file, text or compiled'
complete -c dustpan -n '__dustpan_at validate' -l urls -r -F -d 'URLs to test on'
complete -c dustpan -n '__dustpan_at validate' -l offline -r -F -d 'look pages up in these records, fetch nothing'
complete -c dustpan -n '__dustpan_at validate' -l absent -x -a 'unknown negative' -d 'what a URL means that is not in --offline'
complete -c dustpan -n '__dustpan_at validate' -l echo -x -d 'fetch so many URLs twice'
complete -c dustpan -n '__dustpan_at validate' -l echo-after -x -d 'seconds between two fetches of a URL'
complete -c dustpan -n '__dustpan_at validate' -s o -l output -r -F -d 'write to this file'
complete -c dustpan -n '__dustpan_at validate' -l tests -x -d 'pairs of pages to compare per rule'
complete -c dustpan -n '__dustpan_at validate' -l epsilon -x -d 'share of the pairs that may differ'
complete -c dustpan -n '__dustpan_at validate' -l min-tests -x -d 'pairs needed to decide'
complete -c dustpan -n '__dustpan_at validate' -l shingles -x -a '1 2 3 4' -d 'number of 4 min-hashes that are equal'
complete -c dustpan -n '__dustpan_at validate' -l seed -x -d 'seed; another number selects other URLs'
complete -c dustpan -n '__dustpan_at validate' -l rate -x -d 'limit of requests per second to each host'
complete -c dustpan -n '__dustpan_at validate' -l parallel -x -d 'hosts to fetch from at the same time'
complete -c dustpan -n '__dustpan_at validate' -l budget -x -d 'requests, for the rules that save most'
complete -c dustpan -n '__dustpan_at validate' -l plan -d 'say what would be tested, fetch nothing'
complete -c dustpan -n '__dustpan_at validate' -l max-fetches -x -d 'limit of requests in total'
complete -c dustpan -n '__dustpan_at validate' -l retries -x -d 'how often a failed request is repeated'
complete -c dustpan -n '__dustpan_at validate' -l timeout -x -d 'time limit of a request in seconds'
complete -c dustpan -n '__dustpan_at validate' -l max-size -x -d 'do not compare larger pages'
complete -c dustpan -n '__dustpan_at validate' -l cache -r -F -d 'record requests in this folder'
complete -c dustpan -n '__dustpan_at validate' -l user-agent -x -d 'User-Agent header to send'
complete -c dustpan -n '__dustpan_at validate' -l ca-file -r -F -d 'check https servers against these certificates'
complete -c dustpan -n '__dustpan_at validate' -l allow-actions -d 'also fetch URLs with words like logout'
complete -c dustpan -n '__dustpan_at validate' -l allow-private -d 'also connect to private and loopback addresses'
complete -c dustpan -n '__dustpan_at validate' -l examples -x -a 'masked raw' -d 'hide possible secrets or show them'
complete -c dustpan -n '__dustpan_at validate' -l json -d 'print one JSON object'
complete -c dustpan -n '__dustpan_at validate' -l progress -d 'show progress'

for verb in eval learn validate
    complete -c dustpan -n "__dustpan_at $verb" -l help-all -d 'show all options'
end
for verb in apply audit cluster eval explain learn report review split validate
    complete -c dustpan -n "__dustpan_at $verb" -l format -x -a 'urls tsv csv jsonl clusters list pairs clf combined w3c alb cdx cdxj crawllog warc wat' -d 'format of the input'
    complete -c dustpan -n "__dustpan_at $verb" -l columns -x -d 'names of the columns of tsv input'
    complete -c dustpan -n "__dustpan_at $verb" -l log-format -x -a 'nginx apache apache-common iis cloudfront alb caddy' -d 'what writes the log, or its format'
    complete -c dustpan -n "__dustpan_at $verb" -l base-url -x -d 'scheme and host of log lines without a host'
end
for verb in audit cluster eval explain learn report review split validate
    complete -c dustpan -n "__dustpan_at $verb" -l identity -x -a 'clusters content clusters,content' -d 'what tells pages apart'
end
for verb in audit cluster eval learn report review split validate
    complete -c dustpan -n "__dustpan_at $verb" -l strict -d 'stop at the first line that cannot be read'
    complete -c dustpan -n "__dustpan_at $verb" -s q -l quiet -d 'print errors only'
end

complete -c dustpan -n '__dustpan_at explain' -s r -l rules -r -F -d 'rule file, text or compiled'
complete -c dustpan -n '__dustpan_at explain' -l records -r -F -d 'show what records say of the rules'
complete -c dustpan -n '__dustpan_at explain' -l explore -x -d 'share of URLs that are probes'
complete -c dustpan -n '__dustpan_at explain' -l salt -x -d 'salt that probes were chosen with'
complete -c dustpan -n '__dustpan_at explain' -l examples -x -a 'masked raw' -d 'hide possible secrets or show them'
complete -c dustpan -n '__dustpan_at explain' -l form -x -a 'key fetch surt' -d 'which form to explain'
complete -c dustpan -n '__dustpan_at explain' -l json -d 'print one JSON object'
complete -c dustpan -n '__dustpan_at explain' -l min-precision -x -d 'least expected precision of rules to use'
complete -c dustpan -n '__dustpan_at explain' -l with-likely -d 'also use rules marked likely'

set -l verbs check show fmt diff merge compile export import on off
complete -c dustpan -n '__dustpan_only rules' -f -a check -d 'find errors, and rules that loop or never fire'
complete -c dustpan -n '__dustpan_only rules' -f -a show -d 'list rules, those with the highest risk first'
complete -c dustpan -n '__dustpan_only rules' -f -a fmt -d 'print a rule file in standard form'
complete -c dustpan -n '__dustpan_only rules' -f -a diff -d 'show what changes from one rule file to another'
complete -c dustpan -n '__dustpan_only rules' -f -a merge -d 'merge several rule files into one'
complete -c dustpan -n '__dustpan_only rules' -f -a compile -d 'compile rules into a file that loads at once'
complete -c dustpan -n '__dustpan_only rules' -f -a export -d 'export rules to the format of another tool'
complete -c dustpan -n '__dustpan_only rules' -f -a import -d 'convert the list of another tool to rules'
complete -c dustpan -n '__dustpan_only rules' -f -a on -d 'make rules active'
complete -c dustpan -n '__dustpan_only rules' -f -a off -d 'turn rules off'
complete -c dustpan -n '__dustpan_only help rules' -f -a "$verbs"

for verb in check show diff
    complete -c dustpan -n "__dustpan_at rules $verb" -l json -d 'print one JSON object'
end
for verb in fmt merge compile export import on off
    complete -c dustpan -n "__dustpan_at rules $verb" -s o -l output -r -F -d 'write to this file'
end
complete -c dustpan -n '__dustpan_at rules diff' -l urls -r -F -d 'show whose keys change'
complete -c dustpan -n '__dustpan_at rules diff' -l examples -x -a 'masked raw' -d 'hide possible secrets or show them'
complete -c dustpan -n '__dustpan_at rules export' -l to -x -a 'nutch stormcrawler heritrix duplicate-url-discarder pywb nginx clean-param nginx-redirect apache-redirect robots canonical-csv json sed' -d 'tool to export to'
complete -c dustpan -n '__dustpan_at rules export' -l with-likely -d 'also export rules marked likely'
complete -c dustpan -n '__dustpan_at rules export' -l min-precision -x -d 'no rules whose precision is below this'
complete -c dustpan -n '__dustpan_at rules export' -l examples -x -a 'masked raw' -d 'skip rules with possible secrets or export them'
for verb in on off
    complete -c dustpan -n "__dustpan_at rules $verb" -s q -l quiet -d 'print errors only'
end
complete -c dustpan -n '__dustpan_at rules import' -l from -x -a 'clearurls adguard clean-param duplicate-url-discarder' -d 'format to import'
