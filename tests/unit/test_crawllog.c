/* SPDX-License-Identifier: Apache-2.0 */
#include "support/recordcases.h"

static const record_case cases[] = {
    {"2007-12-27T12:51:28.532Z     1         59 dns:www.a.dk P http://www.a.dk/ text/dns #017 20071227125127759+115 "
     "sha1:YS - -\n"
     "2007-12-27T12:51:29.000Z   302        301 http://www.a.dk/robots.txt LLP http://www.a.dk/ text/html #013 "
     "20071227125128886+84 "
     "sha1:ESVJ - content-size:521\n"
     "2006-07-07T14:32:16.252Z   200          0 http://tv2.dk/ - - no-type #009 20060707123216133+99 3I42 - -\n",
     "crawllog\nurl=http://www.a.dk/robots.txt status=302 size=301 digest=ESVJ time=1198759889 hops=3 mime=text/html\n"
     "url=http://tv2.dk/ status=200 size=0 digest=3I42 time=1152282736 hops=0\n",
     {0}},
    {"2006-07-07T14:32:16.252Z -9998          - http://a.dk/x LL http://a.dk/ unknown #009 - - - - {\"a\":1}\n"
     "2006-07-07T14:32:16.252Z  -404          - http://a.dk/y LL http://a.dk/ unknown #009 - - - -\n",
     "crawllog\nurl=http://a.dk/x status=0 time=1152282736 hops=2\nurl=http://a.dk/y status=0 time=1152282736 hops=2\n",
     {0}},
    {"2006-07-07T14:32:16.252Z 200 1 http://a.dk/ - - text/html #009 - - - -\nx\n2006 200 1 http://a.dk/ - - t #009 - "
     "- - -\n"
     "2006-07-07T14:32:16.252Z x 1 http://a.dk/ - - t #009 - - - -\n2006-07-07T14:32:16.252Z 200 x http://a.dk/ - - t "
     "#009 - -\n\n"
     "2006-07-07T14:32:16.252Z 200 1 - - - t #009 - - - -\n",
     "crawllog\nurl=http://a.dk/ status=200 size=1 time=1152282736 hops=0 mime=text/html\nbad 2: 1 column, 10 "
     "expected\n"
     "bad 3: not a time: 9\nbad 4: not a fetch status: a\nbad 5: size: expected a number, found 'x'\n"
     "bad 7: the URL is missing\n",
     {.format = "crawllog"}},
};

int main(void)
{
    return record_format_run(&(record_format){
        cases, DP_COUNT(cases),
        DP_STR("2006-07-07T14:32:16.252Z 200 1 http://a.dk/ - - text/html #009 - - - -\n"), 5000,
        DP_STR("2006-07-07T14:32:16.252Z 200 1 http://a.dk/ - - text/html #009 - - - -\n"), {0}});
}
