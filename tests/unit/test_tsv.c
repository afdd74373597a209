/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "support/recordcases.h"
#include "support/tempfile.h"

#define MH "0186dc807b3b451e\t07cdd8a2b11a11d9\t15ac9d1686aa1054\t013f552681b79cb1"
#define SKETCH "0186dc807b3b451e,07cdd8a2b11a11d9,15ac9d1686aa1054,013f552681b79cb1"

static const record_case cases[] = {
    /* named by the first line, with # and without */
    {"url\tstatus\tbytes\nhttp://a.com/\t200\t12\n", "tsv\nurl=http://a.com/ status=200 size=12\n", {0}},
    {"# url\tstatus\tbytes\nhttp://a.com/\t200\t12\n", "tsv\nurl=http://a.com/ status=200 size=12\n", {0}},
    {"#url\tx\nhttp://a.com/\t200\n", "tsv\nurl=http://a.com/\n", {0}}, /* unknown names are '-' */
    {"url\nhttp://a.com/\n", "tsv\nurl=http://a.com/\n", {0}},
    {"# made by me\n#url\thits\nhttp://a.com/\t3\n# end\n\n", "tsv\nurl=http://a.com/ hits=3\n", {0}},
    {"url\tstatus\nhttp://a.com/\t200", "tsv\nurl=http://a.com/ status=200\n", {0}},
    /* all names */
    {"cluster\turl\tstatus\tsize\tdigest\tsketch\tsimhash\ttitle\timportance\ttarget\tcanonical\ttime\tinlinks\thops\tm"
     "ime\t"
     "client\tagent\thits\n"
     "7\thttp://a.com/\t301\t5\tsha1:AB\t" SKETCH "\td61dc388ac537646\tA title\t0.25\thttp://b.com/\thttp://c.com/\t"
     "20150517100503\t1\t2\ttext/html\th1\tMoz illa\t9\n",
     "tsv\nurl=http://a.com/ cluster=7 status=301 size=5 digest=AB sketch=" SKETCH
     " simhash=d61dc388ac537646 title=A title "
     "importance=0.25 target=http://b.com/ canonical=http://c.com/ time=1431857103 inlinks=1 hops=2 mime=text/html "
     "client=h1 "
     "agent=Moz illa hits=9\n",
     {0}},
    {"url\tsha1\tredirect\tmh1\tmh2\tmh3\tmh4\nhttp://a.com/\tAB\thttp://b.com/\t" MH "\n",
     "tsv\nurl=http://a.com/ digest=AB sketch=" SKETCH " target=http://b.com/\n",
     {0}},
    /* empty and - are unknown; a sketch may be any token */
    {"url\tstatus\tsize\tsketch\nhttp://a.com/\t\t-\tabc\n", "tsv\nurl=http://a.com/ sketch=abc\n", {0}},
    {"url\timportance\nhttp://a.com/\t1e-3\nhttp://b.com/\t12\nhttp://c.com/\t-.5\n",
     "tsv\nurl=http://a.com/ importance=0.001\nurl=http://b.com/ importance=12\nurl=http://c.com/ importance=-0.5\n",
     {0}},
    /* named by an option; the short names */
    {"7\thttp://a.com/\n", "tsv\nurl=http://a.com/ cluster=7\n", {.columns = "cluster,url"}},
    {"7\thttp://a.com/\n", "clusters\nurl=http://a.com/ cluster=7\n", {.format = "clusters"}},
    {"7\thttp://a.com/\n", "tsv\nurl=http://a.com/ cluster=7\n", {.columns = "clusters"}},
    {"x\thttp://a.com/\t200\n", "tsv\nurl=http://a.com/ status=200\n", {.columns = "-, url, status"}},
    {"http://a.com/\t200\t5\tabc\n", "list\nurl=http://a.com/ status=200 size=5 sketch=abc\n", {.format = "list"}},
    {"http://a.com/\thttp://b.com/\n", "pairs\nurl=http://a.com/ target=http://b.com/\n", {.format = "pairs"}},
    {"url\tx\nhttp://a.com/\t5\n",
     "tsv\nurl=http://a.com/ status=5\n",
     {.columns = "url,status"}}, /* a header beside them */
    /* not named: what they look like */
    {"1\thttp://a.com/\n1\thttp://a.com/b\n", "tsv\nurl=http://a.com/ cluster=1\nurl=http://a.com/b cluster=1\n", {0}},
    {"http://a.com/\thttp://b.com/\tid\n", "tsv\nurl=http://a.com/ target=http://b.com/\n", {0}},
    {"http://a.com/\t200\t-\tabc\n", "tsv\nurl=http://a.com/ status=200 sketch=abc\n", {0}},
    {"http://a.com/\tx\ty\n", "tsv\nurl=http://a.com/\n", {0}},
    {"x\ty\thttp://a.com/\n", "tsv\nurl=http://a.com/\n", {0}},
    /* lines that cannot be read */
    {"url\tstatus\thits\nhttp://a.com/\t200\nhttp://b.com/\t200\t1\nhttp://c.com/\tok\t1\n\t200\t1\n-\t200\t1\n",
     "tsv\nurl=http://b.com/ status=200 hits=1\nbad 2: 2 columns, at least 3 expected\n"
     "bad 4: status: expected a number up to 999, found 'ok'\nbad 5: the column 'url' is empty\nbad 6: the column "
     "'url' is empty\n",
     {0}},
    {"url\tsize\ttime\tsimhash\tmh1\nhttp://a.com/\t-1\t1\t1\t1\nhttp://b.com/\t1\tx\t1\t1\nhttp://c.com/"
     "\t1\t1\txyz\t1\n"
     "http://d.com/\t1\t1\t1\tg\nhttp://e.com/\t1\t1\t1\t1\n",
     "tsv\nurl=http://e.com/ size=1 sketch=0000000000000001,0000000000000000,0000000000000000,0000000000000000 "
     "simhash=0000000000000001 time=1\n"
     "bad 2: size: expected a number, found '-1'\n"
     "bad 3: time: expected seconds since 1970, 14 digits or 2015-05-17T10:05:03Z, found 'x'\n"
     "bad 4: simhash: expected 16 hex digits, found 'xyz'\nbad 5: mh1: expected 16 hex digits, found 'g'\n",
     {0}},
    {"url\tstatus\nhttp://a.com/\tok\n",
     "tsv\nbad 2: status: expected a number up to 999, found 'ok'\nerror: status: expected a number up to 999, found "
     "'ok'\n",
     {.strict = true}},
    /* columns that are missing */
    {"page\tstatus\na\t200\n",
     "error: no column is named 'url', and none looks like a URL in 'page?status': name the columns with --columns\n",
     {.format = "tsv"}},
    {"x\n", "error: the columns 'cluster,status' do not include 'url'\n", {.columns = "cluster,status"}},
    {"x\n", "error: unknown column 'statsu' (did you mean 'status'?)\n", {.columns = "url,statsu"}},
    {"x\n",
     "error: unknown column 'bananas': choose from url cluster status size digest sketch simhash title importance "
     "target "
     "canonical time inlinks hops mime client agent hits - clusters list pairs\n",
     {.columns = "url,bananas"}},
    {"x\n",
     "error: columns can be named for tsv and csv only, not for 'urls'\n",
     {.columns = "url", .format = "urls"}},
    {"http://a.com/\nhttp://b.com/\n",
     "error: not cluster and URL separated by TABs: 1 column, at least 2 expected; it begins with lines like "
     "'http://a.com/'; it looks like a list of URLs (--format urls)\n",
     {.format = "clusters"}},
    /* all lines */
    {"#url\tstatus\n\nhttp://a.com/\t200\nx\n# c\n",
     "tsv\nheader\nother\nurl=http://a.com/ status=200\nbad\nother\nbad 4: 1 column, at least 2 expected\n",
     {.all_lines = true}},
    {"", "tsv\n", {.format = "tsv"}},
};

static void reads_columns(void **state)
{
    (void)state;
    record_cases(cases, DP_COUNT(cases));
}

static void takes_no_memory_a_record(void **state)
{
    (void)state;
    record_takes_no_memory(DP_STR("http://a.com/x\t200\t17\t" SKETCH "\n"), 20000,
                           &(dp_reader_options){.format = "list"});
}

static void survives_every_allocation_failure(void **state)
{
    (void)state;
    record_survives(DP_STR("url\tstatus\nhttp://a.com/x\t200\nx\n"), &(dp_reader_options){0});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_columns),
        cmocka_unit_test_teardown(takes_no_memory_a_record, dp_temp_remove),
        cmocka_unit_test_teardown(survives_every_allocation_failure, dp_temp_remove),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
