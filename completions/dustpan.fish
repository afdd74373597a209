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

complete -c dustpan -n __dustpan_only -f -a apply -d 'write the key of each URL'
complete -c dustpan -n __dustpan_only -f -a audit -d 'say which rules new records contradict'
complete -c dustpan -n __dustpan_only -f -a cluster -d 'say which URLs show the same page'
complete -c dustpan -n __dustpan_only -f -a eval -d 'say what rules do to URLs with known clusters'
complete -c dustpan -n __dustpan_only -f -a explain -d 'say which rules fire on a URL, or why two are the same'
complete -c dustpan -n __dustpan_only -f -a learn -d 'find the rules of the sites in a log, a crawl or a list of clusters'
complete -c dustpan -n __dustpan_only -f -a report -d 'make a page that shows what rules save and risk'
complete -c dustpan -n __dustpan_only -f -a rules -d 'check, show, format, compare, merge, compile and switch rules'
complete -c dustpan -n __dustpan_only -f -a split -d 'divide clusters into those to learn from and those to test on'
complete -c dustpan -n __dustpan_only -f -a validate -d 'fetch a few pages, politely, and see whether rules hold'
complete -c dustpan -n __dustpan_only -f -a help -d 'show the options of a verb'
complete -c dustpan -n __dustpan_only -l version -d 'show the version'
complete -c dustpan -s h -l help -d 'show help'
complete -c dustpan -n '__dustpan_only help' -f -a 'apply audit cluster eval explain learn report rules split validate'

complete -c dustpan -n '__dustpan_at apply' -s r -l rules -r -F -d 'rule file, text or compiled'
complete -c dustpan -n '__dustpan_at apply' -s o -l output -r -F -d 'write there'
complete -c dustpan -n '__dustpan_at apply' -l model -r -F -d 'translate keys with these networks'
complete -c dustpan -n '__dustpan_at apply' -l form -x -a 'key fetch surt' -d 'what is written'
complete -c dustpan -n '__dustpan_at apply' -s u -l unique -d 'only the first line of each key'
complete -c dustpan -n '__dustpan_at apply' -l memory -x -d 'for the keys of --unique'
complete -c dustpan -n '__dustpan_at apply' -l tmp -r -F -d 'for keys that do not fit'
complete -c dustpan -n '__dustpan_at apply' -l seen -r -F -d 'only keys that no run with this file has written'
complete -c dustpan -n '__dustpan_at apply' -l rekey -d 'keys of the seen file get their form under these rules'
complete -c dustpan -n '__dustpan_at apply' -l explain -d 'append the ids of the rules that fired'
complete -c dustpan -n '__dustpan_at apply' -l json -d 'one object a line'
complete -c dustpan -n '__dustpan_at apply' -l min-precision -x -d 'rules with p below that do not fire'
complete -c dustpan -n '__dustpan_at apply' -l with-likely -d 'rules marked likely fire, too'
complete -c dustpan -n '__dustpan_at apply' -l counts -r -F -d 'write there how often each rule fired'
complete -c dustpan -n '__dustpan_at apply' -l source -x -d 'lines are redirect targets of this URL'
complete -c dustpan -n '__dustpan_at apply' -l line-buffered -d 'answer each line at once'
complete -c dustpan -n '__dustpan_at apply' -l strict -d 'fail at the first line that is no URL or cannot be read'
complete -c dustpan -n '__dustpan_at apply' -s t -l threads -x -d 'number of threads'
complete -c dustpan -n '__dustpan_at apply' -l progress -d 'show progress'
complete -c dustpan -n '__dustpan_at apply' -s q -l quiet -d 'say nothing but errors'

complete -c dustpan -n '__dustpan_at cluster' -s o -l output -r -F -d 'write there'
complete -c dustpan -n '__dustpan_at cluster' -l shingles -x -a '1 2 3 4' -d 'as many of 4 min-hashes are equal'
complete -c dustpan -n '__dustpan_at cluster' -l simhash -x -a '0 1 2 3 4 5 6 7 8' -d 'simhashes differ in at most so many bits'
complete -c dustpan -n '__dustpan_at cluster' -l same-title -d 'pages of different titles are never the same'
complete -c dustpan -n '__dustpan_at cluster' -l mask -d 'hide clock times, dates, counters and session ids'
complete -c dustpan -n '__dustpan_at cluster' -l min-size -x -d 'digests of pages up to that many bytes say nothing'
complete -c dustpan -n '__dustpan_at cluster' -l soft-urls -x -d 'a soft error has at least so many URLs of a host'
complete -c dustpan -n '__dustpan_at cluster' -l soft-share -x -d 'and more than this share of its pages'
complete -c dustpan -n '__dustpan_at cluster' -l keep-soft-errors -d 'write soft errors, too, marked'
complete -c dustpan -n '__dustpan_at cluster' -l any-status -d 'pages that were not answered 200, too'
complete -c dustpan -n '__dustpan_at cluster' -l relabel -d 'make new clusters where the input names some'
complete -c dustpan -n '__dustpan_at cluster' -l examples -x -a 'masked raw' -d 'hide what may be secret or not'
complete -c dustpan -n '__dustpan_at cluster' -l json -d 'one object a line'
complete -c dustpan -n '__dustpan_at cluster' -s t -l threads -x -d 'number of threads'
complete -c dustpan -n '__dustpan_at cluster' -l progress -d 'show progress'

complete -c dustpan -n '__dustpan_at eval' -s r -l rules -r -F -d 'rule file, text or compiled'
complete -c dustpan -n '__dustpan_at eval' -l compare -r -F -d 'another rule file'
complete -c dustpan -n '__dustpan_at eval' -s o -l output -r -F -d 'write there'
complete -c dustpan -n '__dustpan_at eval' -l by-host -d 'the metrics of each host, too'
complete -c dustpan -n '__dustpan_at eval' -l by-rule -d 'the metrics of each rule alone, too'
complete -c dustpan -n '__dustpan_at eval' -l table -x -a 'dust kdd08 wsdm10 sigir17' -d 'only that table of a paper'
complete -c dustpan -n '__dustpan_at eval' -l fail-under -x -d 'exit status 1 when a metric is lower'
complete -c dustpan -n '__dustpan_at eval' -l lost -x -d 'lost pages shown'
complete -c dustpan -n '__dustpan_at eval' -l examples -x -a 'masked raw' -d 'hide what may be secret or not'
complete -c dustpan -n '__dustpan_at eval' -l json -d 'one JSON object'
complete -c dustpan -n '__dustpan_at eval' -l min-precision -x -d 'rules with p below that do not fire'
complete -c dustpan -n '__dustpan_at eval' -l with-likely -d 'rules marked likely fire, too'
complete -c dustpan -n '__dustpan_at eval' -s t -l threads -x -d 'number of threads'
complete -c dustpan -n '__dustpan_at eval' -l progress -d 'show progress'

complete -c dustpan -n '__dustpan_at audit' -s r -l rules -r -F -d 'rule file, text or compiled'
complete -c dustpan -n '__dustpan_at audit' -s o -l output -r -F -d 'write the rules there, broken ones off'
complete -c dustpan -n '__dustpan_at audit' -l promise -x -d 'precision of rules without p'
complete -c dustpan -n '__dustpan_at audit' -l noise -x -d 'share of wrong labels'
complete -c dustpan -n '__dustpan_at audit' -l pairs -x -a '0 1 2 3' -d 'counter-examples shown of a rule'
complete -c dustpan -n '__dustpan_at audit' -l examples -x -a 'masked raw' -d 'hide what may be secret or not'
complete -c dustpan -n '__dustpan_at audit' -l json -d 'one JSON object'
complete -c dustpan -n '__dustpan_at audit' -l progress -d 'show progress'

complete -c dustpan -n '__dustpan_at learn' -s o -l output -r -F -d 'write there'
complete -c dustpan -n '__dustpan_at learn' -l method -x -a "(dustpan learn --help | sed -n 's/^ *--method \([a-z0-9|]*\).*/\1/p' | tr '|' '\n')" -d 'how rules are found'
complete -c dustpan -n '__dustpan_at learn' -l min-precision -x -d 'expected precision that a rule needs'
complete -c dustpan -n '__dustpan_at learn' -l accept -x -a 'judge paper' -d 'by votes of clusters, or as the paper does'
complete -c dustpan -n '__dustpan_at learn' -l keep -x -d 'parameters that no rule may touch'
complete -c dustpan -n '__dustpan_at learn' -l trust -x -a 'canonical near size list' -d 'evidence that makes rules active, too'
complete -c dustpan -n '__dustpan_at learn' -l labels -x -a 'list size near canonical redirect text digest fetch' -d 'what the clusters of the input rest on'
complete -c dustpan -n '__dustpan_at learn' -l site -x -a 'linked domain host' -d 'what is learned together'
complete -c dustpan -n '__dustpan_at learn' -l site-sample -x -d 'URLs of a site that are learned from, at most'
complete -c dustpan -n '__dustpan_at learn' -l threads -x -d 'number of threads'
complete -c dustpan -n '__dustpan_at learn' -l memory -x -d 'that learning may take'
complete -c dustpan -n '__dustpan_at learn' -l tmp -r -F -d 'for what does not fit'
complete -c dustpan -n '__dustpan_at learn' -l state -r -F -d 'keep the records there'
complete -c dustpan -n '__dustpan_at learn' -l update -d 'learn again, with the records of --state'
complete -c dustpan -n '__dustpan_at learn' -l rehearse -d 'measure on held-out clusters of all sites'
complete -c dustpan -n '__dustpan_at learn' -l seed -x -d 'of what is drawn by lot'
complete -c dustpan -n '__dustpan_at learn' -l validate -d 'then fetch a few pages'
complete -c dustpan -n '__dustpan_at learn' -l max-fetches -x -d 'requests in all'
complete -c dustpan -n '__dustpan_at learn' -l rate -x -d 'requests a second a host'
complete -c dustpan -n '__dustpan_at learn' -l allow-private -d 'private and loopback addresses, too'
complete -c dustpan -n '__dustpan_at learn' -l json -d 'the summary as one JSON object'
complete -c dustpan -n '__dustpan_at learn' -l progress -d 'show progress'

complete -c dustpan -n '__dustpan_at report' -s r -l rules -r -F -d 'rule file, text or compiled'
complete -c dustpan -n '__dustpan_at report' -s o -l output -r -F -d 'write there'
complete -c dustpan -n '__dustpan_at report' -l json -d 'the same data as one JSON object'
complete -c dustpan -n '__dustpan_at report' -l hosts -x -d 'hosts shown by name'
complete -c dustpan -n '__dustpan_at report' -l families -x -d 'families of rules shown'
complete -c dustpan -n '__dustpan_at report' -l lost -x -d 'lost pages shown'
complete -c dustpan -n '__dustpan_at report' -l examples -x -a 'masked raw' -d 'hide what may be secret or not'
complete -c dustpan -n '__dustpan_at report' -l min-precision -x -d 'rules with p below that do not fire'
complete -c dustpan -n '__dustpan_at report' -l with-likely -d 'rules marked likely fire, too'
complete -c dustpan -n '__dustpan_at report' -l progress -d 'show progress'

complete -c dustpan -n '__dustpan_at split' -s o -l output -r -F -d 'prefix of the two files'
complete -c dustpan -n '__dustpan_at split' -l test -x -d 'share of the clusters that go to test'
complete -c dustpan -n '__dustpan_at split' -l seed -x -d 'another number divides in another way'

complete -c dustpan -n '__dustpan_at validate' -s r -l rules -r -F -d 'rule file, text or compiled'
complete -c dustpan -n '__dustpan_at validate' -l urls -r -F -d 'URLs to test on'
complete -c dustpan -n '__dustpan_at validate' -l offline -r -F -d 'records with clusters, in place of fetching'
complete -c dustpan -n '__dustpan_at validate' -l absent -x -a 'unknown negative' -d 'what a URL says that they have not'
complete -c dustpan -n '__dustpan_at validate' -s o -l output -r -F -d 'write there'
complete -c dustpan -n '__dustpan_at validate' -l tests -x -d 'pairs of pages that decide on a rule'
complete -c dustpan -n '__dustpan_at validate' -l epsilon -x -d 'share of them that may differ'
complete -c dustpan -n '__dustpan_at validate' -l min-tests -x -d 'with fewer a rule is undecided'
complete -c dustpan -n '__dustpan_at validate' -l shingles -x -a '1 2 3 4' -d 'as many of 4 shingles are equal'
complete -c dustpan -n '__dustpan_at validate' -l seed -x -d 'another number draws other URLs'
complete -c dustpan -n '__dustpan_at validate' -l rate -x -d 'requests a second a host'
complete -c dustpan -n '__dustpan_at validate' -l parallel -x -d 'hosts that are asked at a time'
complete -c dustpan -n '__dustpan_at validate' -l max-fetches -x -d 'requests in all'
complete -c dustpan -n '__dustpan_at validate' -l retries -x -d 'after a failure that may pass'
complete -c dustpan -n '__dustpan_at validate' -l timeout -x -d 'seconds for a request'
complete -c dustpan -n '__dustpan_at validate' -l max-size -x -d 'a larger page is not compared'
complete -c dustpan -n '__dustpan_at validate' -l cache -r -F -d 'record requests there'
complete -c dustpan -n '__dustpan_at validate' -l user-agent -x -d 'who we say we are'
complete -c dustpan -n '__dustpan_at validate' -l ca-file -r -F -d 'certificates of https servers'
complete -c dustpan -n '__dustpan_at validate' -l allow-actions -d 'fetch URLs with words like logout, too'
complete -c dustpan -n '__dustpan_at validate' -l allow-private -d 'connect to private addresses, too'
complete -c dustpan -n '__dustpan_at validate' -l examples -x -a 'masked raw' -d 'hide what may be secret or not'
complete -c dustpan -n '__dustpan_at validate' -l json -d 'one JSON object'
complete -c dustpan -n '__dustpan_at validate' -l progress -d 'show progress'

for verb in apply audit cluster eval learn report split validate
    complete -c dustpan -n "__dustpan_at $verb" -l format -x -a 'urls tsv jsonl clusters list pairs clf combined w3c cdx cdxj crawllog warc wat' -d 'of the input'
    complete -c dustpan -n "__dustpan_at $verb" -l columns -x -d 'of tsv input'
    complete -c dustpan -n "__dustpan_at $verb" -l log-format -x -d 'of an access log'
    complete -c dustpan -n "__dustpan_at $verb" -l base-url -x -d 'origin of log lines without a host'
end
for verb in audit cluster eval learn report split validate
    complete -c dustpan -n "__dustpan_at $verb" -l strict -d 'fail at the first line that cannot be read'
    complete -c dustpan -n "__dustpan_at $verb" -s q -l quiet -d 'say nothing but errors'
end

complete -c dustpan -n '__dustpan_at explain' -s r -l rules -r -F -d 'rule file, text or compiled'
complete -c dustpan -n '__dustpan_at explain' -l form -x -a 'key fetch surt' -d 'the form to explain'
complete -c dustpan -n '__dustpan_at explain' -l json -d 'one JSON object'
complete -c dustpan -n '__dustpan_at explain' -l min-precision -x -d 'rules with p below that do not fire'
complete -c dustpan -n '__dustpan_at explain' -l with-likely -d 'rules marked likely fire, too'

set -l verbs check show fmt diff merge compile export import on off
complete -c dustpan -n '__dustpan_only rules' -f -a check -d 'look for errors and for rules that loop or never fire'
complete -c dustpan -n '__dustpan_only rules' -f -a show -d 'families of rules, ranked by risk'
complete -c dustpan -n '__dustpan_only rules' -f -a fmt -d 'print a rule file in its one spelling'
complete -c dustpan -n '__dustpan_only rules' -f -a diff -d 'what changes from one rule file to another'
complete -c dustpan -n '__dustpan_only rules' -f -a merge -d 'make one rule file of several'
complete -c dustpan -n '__dustpan_only rules' -f -a compile -d 'make a file that apply maps at once'
complete -c dustpan -n '__dustpan_only rules' -f -a export -d 'write rules in the words of another tool'
complete -c dustpan -n '__dustpan_only rules' -f -a import -d 'make rules out of another file'
complete -c dustpan -n '__dustpan_only rules' -f -a on -d 'make rules active'
complete -c dustpan -n '__dustpan_only rules' -f -a off -d 'turn rules off'
complete -c dustpan -n '__dustpan_only help rules' -f -a "$verbs"

for verb in check show diff
    complete -c dustpan -n "__dustpan_at rules $verb" -l json -d 'one JSON object'
end
for verb in fmt merge compile export import on off
    complete -c dustpan -n "__dustpan_at rules $verb" -s o -l output -r -F -d 'write there'
end
complete -c dustpan -n '__dustpan_at rules diff' -l urls -r -F -d 'whose keys change'
complete -c dustpan -n '__dustpan_at rules diff' -l examples -x -a 'masked raw' -d 'hide what may be secret or not'
complete -c dustpan -n '__dustpan_at rules export' -l to -x -a 'nutch stormcrawler heritrix duplicate-url-discarder pywb nginx clean-param json sed' -d 'the tool'
complete -c dustpan -n '__dustpan_at rules export' -l with-likely -d 'rules marked likely, too'
complete -c dustpan -n '__dustpan_at rules import' -l from -x -a 'clearurls adguard clean-param duplicate-url-discarder' -d 'the format'
