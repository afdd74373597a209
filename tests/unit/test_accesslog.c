/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "support/recordcases.h"
#include "support/tempfile.h"

#define T "[17/May/2015:10:05:03 +0000]"
#define BASE .base_url = "http://a.com"

static const record_case cases[] = {
    /* combined and clf */
    {"h00001 - - " T " \"GET /a?b=1 HTTP/1.1\" 200 5120 \"http://r.com/\" \"Mozilla/5.0 (X11)\"\n",
     "combined\nurl=http://a.com/a?b=1 status=200 size=5120 time=1431857103 client=h00001 agent=Mozilla/5.0 (X11)\n",
     {BASE}},
    {"192.0.2.1 - - " T " \"GET / HTTP/1.0\" 404 -\n",
     "clf\nurl=http://a.com/ status=404 time=1431857103 client=192.0.2.1\n",
     {BASE}},
    {"2001:db8::1 - - " T " \"GET / HTTP/1.0\" 200 1\n",
     "clf\nurl=http://a.com/ status=200 size=1 time=1431857103 client=2001:db8::1\n",
     {BASE}},
    {"h1 - John Smith " T " \"POST /x HTTP/1.1\" 302 0 \"-\" \"-\"\n",
     "combined\nurl=http://a.com/x status=302 size=0 time=1431857103 client=h1 method=POST\n",
     {BASE}},
    {"h1 - - " T " \"HEAD /x HTTP/1.1\" 200 - \"-\" \"-\"\n",
     "combined\nurl=http://a.com/x status=200 time=1431857103 client=h1 method=HEAD\n",
     {BASE}},
    /* quotes, escaped and not; bytes as \x */
    {"h1 - - " T " \"GET /\\\"q\\\"\\x20\\\\ HTTP/1.1\" 200 1 \"-\" \"a \\\"b\\\" c\"\n",
     "combined\nurl=http://a.com/\"q\" \\ status=200 size=1 time=1431857103 client=h1 agent=a \\\"b\\\" c\n",
     {BASE}},
    {"h1 - - " T " \"GET /a\"b HTTP/1.1\" 200 1 \"http://r/?q=\"x\"y\" \"agent\"\n",
     "combined\nurl=http://a.com/a\"b status=200 size=1 time=1431857103 client=h1 agent=agent\n",
     {BASE}},
    {"h1 - - " T " \"GET /a\\\\\" 200 1 \"-\" \"-\"\n", /* an escaped backslash, then the quote */
     "combined\nurl=http://a.com/a\\ status=200 size=1 time=1431857103 client=h1\n",
     {BASE}},
    /* more at the end than the format says */
    {"h1 - - " T " \"GET / HTTP/1.1\" 200 1 \"-\" \"x\" \"-\" 0.005\n",
     "combined\nurl=http://a.com/ status=200 size=1 time=1431857103 client=h1 agent=x\n",
     {BASE}},
    {"h1 - - " T " \"GET / HTTP/1.1\" 200 1 0.005\n",
     "clf\nurl=http://a.com/ status=200 size=1 time=1431857103 client=h1\n",
     {BASE}},
    /* a virtual host first */
    {"www.b.com:443 h1 - - " T " \"GET /a HTTP/1.1\" 200 1 \"-\" \"x\"\nb.com h1 - - " T
     " \"GET /a HTTP/1.1\" 200 1 \"-\" \"x\"\n",
     "combined\nurl=https://www.b.com/a status=200 size=1 time=1431857103 client=h1 agent=x\n"
     "url=http://b.com/a status=200 size=1 time=1431857103 client=h1 agent=x\n",
     {0}},
    {"b.com:8080 ::1 - - " T " \"GET /a HTTP/1.1\" 200 1\n- ::1 - - " T " \"GET /b HTTP/1.1\" 200 1\n",
     "clf\nurl=https://b.com:8080/a status=200 size=1 time=1431857103 client=::1\n"
     "url=https://c.com/b status=200 size=1 time=1431857103 client=::1\n",
     {.base_url = "https://c.com"}},
    /* lines that cannot be read */
    {"h1 - - " T " \"GET / HTTP/1.1\" 200 1 \"-\" \"x\"\nh1 - - " T " \"-\" 408 - \"-\" \"-\"\n"
     "h1 - - " T " \"GET http://b.com/ HTTP/1.1\" 200 1 \"-\" \"x\"\nh1 - - " T " \"\\x16\\x03\" 400 1 \"-\" \"x\"\n"
     "h1 - - " T " \"OPTIONS * HTTP/1.0\" 200 - \"-\" \"x\"\nh1 - - " T " \"GET / HTTP/1.1\" 200 1 \"-\" \"x\"\n"
     "h1 - - [x] \"GET / HTTP/1.1\" 200 1 \"-\" \"x\"\nh1 - - " T " \"GET / HTTP/1.1\" OK 1 \"-\" \"x\"\n"
     "h1 - - " T " \"GET / HTTP/1.1\" 200 1 \"-\" \"x\"\nh1 - - " T " \"GET / HTTP/1.1\" 200 1 \"-\" \"x\"\n",
     "combined\nurl=http://a.com/ status=200 size=1 time=1431857103 client=h1 agent=x\n"
     "url=http://a.com/ status=200 size=1 time=1431857103 client=h1 agent=x\n"
     "url=http://a.com/ status=200 size=1 time=1431857103 client=h1 agent=x\n"
     "url=http://a.com/ status=200 size=1 time=1431857103 client=h1 agent=x\n"
     "bad 2: the request is missing\nbad 3: the request is for a whole URL of another host, as for a proxy: "
     "'http://b.com/'\nbad 7: not a time: a\nbad 8: not a status: a\n",
     {BASE, .format = "combined"}},
    {"h1 - - " T " \"GET / HTTP/1.1\" 200 1\nh1 - - " T " \"GET / HTTP/1.1\" 2000 1\nh1 - - " T
     " \"GET / HTTP/1.1\" 200 x\n"
     "h1 - - " T " \"GET / HTTP/1.1\nnothing\n\n#\n",
     "clf\nurl=http://a.com/ status=200 size=1 time=1431857103 client=h1\nbad 2: not a status: 9\nbad 3: not a "
     "size: a\n"
     "bad 4: expected '\" ' after the request, found the end of the line\n"
     "bad 5: expected ' ' after the client, found the end of the line\n",
     {BASE, .format = "clf"}},
    /* without a host */
    {"h1 - - " T " \"GET / HTTP/1.1\" 200 1\n",
     "error: the log has paths without hosts: add the host with --base-url https://example.com\n",
     {0}},
    {"h1 - - " T " \"GET / HTTP/1.1\" 200 1\n",
     "error: --base-url: 'a.com' is not a URL with a scheme, such as https://example.com\n",
     {.base_url = "a.com"}},
    /* the wrong format: what it saw, and what fits */
    {"h1 - - " T " \"GET / HTTP/1.1\" 200 1\n",
     "error: not an access log with referer and agent: expected ' \"' after the size, found the end of the line; it "
     "begins with lines like a - - [9/a/9:9:9:9 +9] \"a / a/9.9\" 9 9; it looks like an access log in the common "
     "format "
     "(--format clf)\n",
     {.format = "combined"}},
    {"http://a.com/\n",
     "error: not an access log in the common format: expected ' ' after the client, found the end of the line; it "
     "begins with lines like 'http://a.com/'; it looks like a list of URLs (--format urls)\n",
     {.format = "clf"}},
    /* formats in the words of the server */
    {"h1 - me " T " \"GET /a HTTP/1.1\" 200 5 \"-\" \"x\"\n",
     "log-format\nurl=http://a.com/a status=200 size=5 time=1431857103 client=h1 agent=x\n",
     {BASE, .log_format =
                "$remote_addr - $remote_user [$time_local] \"$request\" $status $body_bytes_sent \"$http_referer\" "
                "\"$http_user_agent\""}},
    {"2015-05-17T10:05:03+00:00|https://b.com/a?b=1|GET|200|text/html|-\n",
     "log-format\nurl=https://b.com/a?b=1 status=200 time=1431857103 mime=text/html\n",
     {.log_format = "$time_iso8601|$scheme://"
                    "$host$request_uri|$request_method|$status|$sent_http_content_type|$sent_http_location"}},
    {"1431857103.123 /a?b=1 x\n1431857103.123 /a x\n",
     "log-format\nurl=http://a.com/a?b=1 time=1431857103\nurl=http://a.com/a time=1431857103\n",
     {BASE, .log_format = "$msec ${uri}$is_args$args $connection"}},
    {"{\"h\":\"b.com\",\"uri\":\"/a\\\"\\u0022b\",\"s\":200}\n",
     "log-format\nurl=http://b.com/a\"\"b status=200\n",
     {.log_format = "{\"h\":\"$host\",\"uri\":\"$request_uri\",\"s\":$status}"}},
    {"b.com:443 h1 " T " \"POST /a HTTP/1.1\" 200 7 + 12 x=y\n",
     "log-format\nurl=https://b.com/a status=200 size=7 time=1431857103 client=h1 method=POST\n",
     {.log_format = "%v:%p %h %t \"%r\" %>s %b %X %D %{Foo}i=%{VARNAME}e"}},
    {"[::1]:443 GET /a ?b=1\n[::1]:80 PUT /a \n",
     "log-format\nurl=https://[::1]/a?b=1\nurl=http://[::1]/a method=PUT\n",
     {.log_format = "%V:%p %m %U %q"}},
    {"/a?b=1;200\n/c;404\n",
     "log-format\nurl=http://a.com/a?b=1 status=200\nurl=http://a.com/c status=404\n",
     {BASE, .log_format = "%U%q;%!200,304>s"}},
    {"100% \"x\"\t1431857103000 1431857103000000 /a h1 location: http://c.com/\n",
     "log-format\nurl=http://a.com/a target=http://c.com/ time=1431857103 client=h1\n",
     {BASE, .log_format = "100%% \\\"x\\\"\\t%{msec}t %{usec}t %U %{c}a location: %{Location}o"}},
    {"x " T " \"GET /a HTTP/1.1\" b.com agent\n",
     "log-format\nurl=http://b.com/a time=1431857103 agent=agent\n",
     {.log_format = "%{%d}t %t \"%r\" %{Host}i %{User-agent}i"}},
    {"12 34 /x\n", "log-format\nurl=http://a.com/x\n", {BASE, .log_format = "%{ms}T %^FB %U"}},
    {"-\tGET /a b HTTP/1.1\n", "log-format\nurl=http://a.com/a b\n", {BASE, .log_format = "%h\t%r"}},
    /* formats that say nothing, or nothing that can be read */
    {"x\n",
     "error: --log-format: no field has the requested URL: add %r or %U (Apache), $request, $request_uri or $uri "
     "(nginx)\n",
     {BASE, .log_format = "%h %s"}},
    {"x\n", "error: --log-format: nothing separates field 1 from the next\n", {BASE, .log_format = "%h%s %r"}},
    {"x\n", "error: --log-format: not an Apache directive at byte 4: '%Z %r'\n", {BASE, .log_format = "%h %Z %r"}},
    {"x\n", "error: --log-format: missing '}' at byte 4: '%{Host %r'\n", {BASE, .log_format = "%h %{Host %r"}},
    {"x\n",
     "error: --log-format: expected a variable like $request at byte 10: '$ x'\n",
     {BASE, .log_format = "$request $ x"}},
    {"x\n", "error: --log-format: not an Apache directive at byte 4: '%'\n", {BASE, .log_format = "%r %"}},
    {"x\n",
     "error: a log format cannot be combined with another format ('clf')\n",
     {.log_format = "%r", .format = "clf"}},
    {"x\n", "error: a log format and columns cannot be combined\n", {.log_format = "%r", .columns = "url"}},
    {"h1 - - " T " \"GET / HTTP/1.1\" 200 1\n",
     "error: not a log in the given format: expected '|' after the client, found the end of the line; it begins "
     "with lines like a - - [9/a/9:9:9:9 +9] \"a / a/9.9\" 9 9; it looks like an access log in the common format "
     "(--format clf)\n",
     {BASE, .log_format = "%h|%r"}},
};

static void reads_logs(void **state)
{
    (void)state;
    record_cases(cases, DP_COUNT(cases));
}

static void takes_no_memory_a_record(void **state)
{
    (void)state;
    record_takes_no_memory(DP_STR("h1 - - " T " \"GET /\\\"a HTTP/1.1\" 200 1 \"-\" \"x\"\n"), 20000,
                           &(dp_reader_options){BASE});
}

static void survives_every_allocation_failure(void **state)
{
    (void)state;
    record_survives(DP_STR("h1 - - " T " \"GET /\\\"a HTTP/1.1\" 200 1 \"-\" \"x\"\n"), &(dp_reader_options){BASE});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_logs),
        cmocka_unit_test_teardown(takes_no_memory_a_record, dp_temp_remove),
        cmocka_unit_test_teardown(survives_every_allocation_failure, dp_temp_remove),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
