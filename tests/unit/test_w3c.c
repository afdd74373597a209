/* SPDX-License-Identifier: Apache-2.0 */
#include "support/recordcases.h"

#define IIS "#Software: Microsoft Internet Information Services 8.5\n#Version: 1.0\n#Date: 2015-05-17 10:00:00\n"

static const record_case cases[] = {
    {IIS "#Fields: date time s-ip cs-method cs-uri-stem cs-uri-query s-port cs-username c-ip cs(User-Agent) "
         "cs(Referer) sc-status "
         "sc-substatus sc-win32-status time-taken\n"
         "2015-05-17 10:05:03 10.0.0.1 GET /a b=1 443 - 192.0.2.7 Mozilla/5.0+(X11) - 200 0 0 15\n"
         "2015-05-17 10:05:03 10.0.0.1 POST /x.asp - 80 - 192.0.2.7 - - 302 0 0 15\n",
     "w3c\nurl=https://a.com/a?b=1 status=200 time=1431857103 client=192.0.2.7 agent=Mozilla/5.0+(X11)\n"
     "url=https://a.com/x.asp status=302 time=1431857103 client=192.0.2.7 method=POST\n",
     {.base_url = "https://a.com"}},
    {"#Fields: time cs-host cs-uri-stem s-port sc-bytes\n#Date: 2015-05-17 10:00:00\n10:05:03 b.com /a 443 12\n",
     "w3c\nurl=https://b.com/a size=12 time=1431857103\n",
     {0}},
    {"#Version: 1.0\n#Fields: date time x-edge-location sc-bytes c-ip cs-method cs(Host) cs-uri-stem sc-status "
     "cs-uri-query "
     "x-host-header cs-protocol\n"
     "2015-05-17\t10:05:03\tFRA\t17\t192.0.2.7\tGET\td1.cloudfront.net\t/a\t200\tb=1\tb.com\thttps\n",
     "w3c\nurl=https://b.com/a?b=1 status=200 size=17 time=1431857103 client=192.0.2.7\n",
     {0}},
    {"#Fields: cs-uri sc-status\nhttp://b.com/x 200\n/y 404\n\"/z a\" 200\n",
     "w3c\nurl=http://b.com/x status=200\nurl=http://c.com/y status=404\nurl=http://c.com/z a status=200\n",
     {.base_url = "http://c.com"}},
    {"#Fields: cs-uri-stem sc-status\n/a 200\n#Fields: sc-status cs-uri-stem\n404 /b\n", /* they may change */
     "w3c\nurl=http://c.com/a status=200\nurl=http://c.com/b status=404\n",
     {.base_url = "http://c.com"}},
    {"#Fields: cs-uri-stem sc-status date time\n/a 200 2015-05-17 10:05:03\n/b 200\n/c x - -\n/d 200 2015-05-17 x\n* "
     "200 - -\n\n",
     "w3c\nurl=http://c.com/a status=200 time=1431857103\nbad 3: 2 fields where '#Fields:' names 4\n"
     "bad 4: status: expected a number up to 999, found 'x'\nbad 5: not a time: 9-9-9 a\n",
     {.base_url = "http://c.com"}},
    {"#Fields: cs-uri-stem\n/a\n",
     "error: the log has paths without hosts: add the host with --base-url https://example.com\n",
     {0}},
    {"#Fields: date sc-status\n2015-05-17 200\n",
     "error: the fields cs-uri-stem and cs-uri are both missing in '#Fields:'\n",
     {0}},
    {"/a 200\n",
     "error: not a W3C extended log (IIS): no '#Fields:' line before it; it begins with lines like '/a 200'\n",
     {.format = "w3c", .base_url = "http://c.com"}},
    {"#Software: x\n#Fields: cs-uri-stem\n/a\n",
     "w3c\nother\nheader\nurl=http://c.com/a\n",
     {.base_url = "http://c.com", .all_lines = true}},
};

int main(void)
{
    return record_format_run(&(record_format){
        cases, DP_COUNT(cases),
        DP_STR("#Fields: cs-uri-stem sc-status\n/a 200\n/b 200\n/c 404\n"), 5000,
        DP_STR("#Fields: cs-uri-stem sc-status\n/a 200\n"), {.base_url = "http://c.com"}});
}
