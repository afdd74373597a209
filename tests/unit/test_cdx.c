/* SPDX-License-Identifier: Apache-2.0 */
#include "support/recordcases.h"

static const record_case cases[] = {
    {" CDX N b a m s k r M S V g\n"
     "org,iana)/ 20140126200624 http://www.iana.org/ text/html 200 OSSA - - 2258 334 iana.warc.gz\n"
     "org,iana)/ 20140126200624 http://www.iana.org/x text/html 302 OSSB http://b.com/ - 2258 334 iana.warc.gz\n",
     "cdx\nurl=http://www.iana.org/ status=200 size=2258 digest=OSSA time=1390766784 mime=text/html\n"
     "url=http://www.iana.org/x status=302 size=2258 digest=OSSB target=http://b.com/ time=1390766784 mime=text/html\n",
     {0}},
    /* any letters, any count; n before S, k before c */
    {" CDX a b n S t\nhttp://a.com/ 20140126200624 17 9 Title\n",
     "cdx\nurl=http://a.com/ size=17 title=Title time=1390766784\n",
     {0}},
    {" CDX c a k\nold http://a.com/ new\n", "cdx\nurl=http://a.com/ digest=new\n", {0}},
    {" CDX A b c key\na.com/ 20140126200624 old x\n", "cdx\nurl=a.com/ digest=old time=1390766784\n", {0}},
    {"|CDX|a|s\nhttp://a.com/x y|200\n", "cdx\nurl=http://a.com/x y status=200\n", {0}}, /* another separator */
    /* without a header: 11, 10, 9, 8 (twice), 7 */
    {"k 20140126200624 http://a.com/ text/html 200 D - - 17 0 f\n",
     "cdx\nurl=http://a.com/ status=200 size=17 digest=D time=1390766784 mime=text/html\n",
     {0}},
    {"k 20140126200624 http://a.com/ text/html 200 D - - 0 f\n",
     "cdx\nurl=http://a.com/ status=200 digest=D time=1390766784 mime=text/html\n",
     {0}},
    {"k 20140126200624 http://a.com/ text/html 200 D - 0 f\n",
     "cdx\nurl=http://a.com/ status=200 digest=D time=1390766784 mime=text/html\n",
     {0}},
    {"k 20140126200624 http://a.com/ text/html 200 D 0 f\n",
     "cdx\nurl=http://a.com/ status=200 digest=D time=1390766784 mime=text/html\n",
     {0}},
    {"http://a.com/ 192.0.2.1 20140126200624 text/html 478 f.arc 10002 d2dd\n",
     "cdx\nurl=http://a.com/ size=478 digest=d2dd time=1390766784 mime=text/html\n",
     {0}},
    {"k 20140126200624 http://a.com/ text/html 200 D 17\n",
     "cdx\nurl=http://a.com/ status=200 size=17 digest=D time=1390766784 mime=text/html\n",
     {0}},
    /* what is no page is passed over; values that are none are unknown */
    {" CDX N b a m s k r M V g\n- 20081119011153 filedesc://x.arc arc/filedesc0.1.0 - D - - 0 f\n"
     "- 20110624224957 - warc/warcinfo0.1.0 - - - - 0 f\na 20110624224957 dns:a.com text/dns 1 D - - 0 f\n"
     "a 99999999999999 http://a.com/ warc/revisit - D - - 0 f\n\n",
     "cdx\nurl=http://a.com/ digest=D mime=warc/revisit\n",
     {0}},
    {" CDX a s\nhttp://a.com/ 200\nhttp://a.com/\nhttp://a.com/ 200 x\n- 200\n",
     "cdx\nurl=http://a.com/ status=200\nbad 3: 1 field, 2 expected\nbad 4: more than 2 fields: a is one too many\n"
     "bad 5: the original URL is missing\n",
     {0}},
    {" CDX N b m s\nk 20140126200624 text/html 200\n",
     "error: the header has no column for the original URL (letter a): ' CDX N b m s'\n",
     {0}},
    {"a b c\n",
     "error: not a CDX index: no header, and not a known layout: a a a\n",
     {.format = "cdx"}},
    {" CDX a\nhttp://a.com/\n", "cdx\nheader\nurl=http://a.com/\n", {.all_lines = true}},
};

int main(void)
{
    return record_format_run(&(record_format){
        cases, DP_COUNT(cases),
        DP_STR("k 20140126200624 http://a.com/ text/html 200 D - - 17 0 f\n"), 5000,
        DP_STR(" CDX a s\nhttp://a.com/ 200\n"), {0}});
}
