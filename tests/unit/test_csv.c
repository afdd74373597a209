/* SPDX-License-Identifier: Apache-2.0 */
#include "support/recordcases.h"

#define HEAD "url,status,title\n"

static const record_case cases[] = {
    {HEAD "http://a.com/,200,T\nhttp://a.com/b,404,\n",
     "csv\nurl=http://a.com/ status=200 title=T\nurl=http://a.com/b status=404\n", {0}},
    /* quotes: commas, quotes, line ends; CRLF; a byte order mark */
    {"\xEF\xBB\xBF\"URL\",\"Title\"\r\n\"http://a.com/?a=1,2\",\"say \"\"no\"\"\"\r\n",
     "csv\nurl=http://a.com/?a=1,2 title=say \"no\"\n", {0}},
    {HEAD "http://a.com/,200,\"two\nlines\"\nhttp://a.com/b,200,x\n",
     "csv\nurl=http://a.com/ status=200 title=two\\x0alines\nurl=http://a.com/b status=200 title=x\n", {0}},
    /* what follows closing quotes is passed over; empty values are unknown */
    {HEAD "\"http://a.com/\"x,,\"\"\n", "csv\nurl=http://a.com/\n", {0}},
    /* exports of crawlers for site owners */
    {"Address,Content Type,Status Code,Indexability,Hash,Canonical Link Element 1,Redirect URL\n"
     "http://a.com/,text/html; charset=utf-8,200,Indexable,9b7,http://a.com/x,\n"
     "http://a.com/old,,301,Non-Indexable,,,http://a.com/\n",
     "csv\nurl=http://a.com/ status=200 digest=9b7 canonical=http://a.com/x mime=text/html; charset=utf-8\n"
     "url=http://a.com/old status=301 target=http://a.com/\n", {0}},
    /* names by --columns, with a header or without */
    {"http://a.com/,7\n", "csv\nurl=http://a.com/ cluster=7\n", {.format = "csv", .columns = "url,cluster"}},
    {"url,x\nhttp://a.com/,7\n", "csv\nurl=http://a.com/ cluster=7\n", {.format = "csv", .columns = "url,cluster"}},
    /* bad lines */
    {HEAD "http://a.com/\n,200,x\nhttp://a.com/,yes,x\n\nhttp://a.com/,200,x\n",
     "csv\nurl=http://a.com/ status=200 title=x\nbad 2: 1 column, at least 3 expected\n"
     "bad 3: the column of the URL is empty\nbad 4: status: expected a number up to 999, found 'yes'\n", {0}},
    {HEAD "http://a.com/,200,x\nhttp://a.com/b,200,\"y\nhttp://a.com/c,200,z\n",
     "csv\nurl=http://a.com/ status=200 title=x\n"
     "bad 4: a value in quotes has no end; the lines from where it begins are not read\n", {0}},
    {"a,b\n1,2\n", "error: no column is named 'url' or 'Address' in 'a,b': name the columns with --columns\n",
     {.format = "csv"}},
};

int main(void)
{
    return record_format_run(&(record_format){
        cases, DP_COUNT(cases),
        DP_STR("url,title\nhttp://a.com/,\"a, \"\"b\"\"\"\nhttp://a.com/b,\"c\nd\"\n"), 5000,
        DP_STR("url,title\nhttp://a.com/,\"a\nb\"\n"), {0}});
}
