/* SPDX-License-Identifier: Apache-2.0 */
#include "support/recordcases.h"

static const record_case cases[] = {
    {"org,iana)/ 20140126200624 {\"url\": \"http://www.iana.org/\", \"mime\": \"text/html\", \"status\": \"200\", "
     "\"digest\": "
     "\"sha1:OSSA\", \"length\": \"2258\", \"offset\": \"334\", \"filename\": \"iana.warc.gz\"}\n",
     "cdxj\nurl=http://www.iana.org/ status=200 size=2258 digest=OSSA time=1390766784 mime=text/html\n",
     {0}},
    {"org,iana)/ 20140126200624 {\"url\": \"http://www.iana.org/\", \"mime\": \"warc/revisit\", \"redirect\": "
     "\"http://b.com/\"}\n",
     "cdxj\nurl=http://www.iana.org/ target=http://b.com/ time=1390766784 mime=warc/revisit\n",
     {0}},
    {"!OpenWayback-CDXJ 1.0\n(com,a,)/ 2014-01-26T20:06:24Z response {\"uri\":\"http://a.com/\"}\n",
     "cdxj\nurl=http://a.com/ time=1390766784\n",
     {0}},
    {"dns,a 20140126200624 {\"url\":\"dns:a.com\"}\ncom,a)/ 20140126200624 {\"url\":\"http://a.com/\"}\n\n",
     "cdxj\nurl=http://a.com/ time=1390766784\n",
     {0}},
    {"com,a)/ 20140126200624 {\"url\":\"http://a.com/\"}\ncom,a)/ 20140126200624 {\"url\":\"http://a.com/\"}\n"
     "com,a)/ 20140126200624 {\"url\":\ncom,a)/ 2014 {\"url\":\"x\"}\ncom,a)/\n",
     "cdxj\nurl=http://a.com/ time=1390766784\nurl=http://a.com/ time=1390766784\nbad 3: broken JSON at byte 8: "
     "expected a value\n"
     "bad 4: not a time: '2014'\nbad 5: expected a key, a time and a JSON object, found a,a)/\n",
     {.format = "cdxj"}},
};

int main(void)
{
    return record_format_run(&(record_format){
        cases, DP_COUNT(cases),
        DP_STR("com,a)/ 20140126200624 {\"url\":\"http:\\/\\/a.com/\"}\n"), 20000,
        DP_STR("com,a)/ 20140126200624 {\"url\":\"http:\\/\\/a.com/\"}\n"), {0}});
}
