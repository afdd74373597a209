/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "support/recordcases.h"
#include "support/tempfile.h"

#define SKETCH "0186dc807b3b451e,07cdd8a2b11a11d9,15ac9d1686aa1054,013f552681b79cb1"

static const record_case cases[] = {
    {"{\"url\": \"http://a.com/\", \"status\": 200, \"size\": \"5120\", \"more\": [1, {\"url\": 2}], \"cluster\": 7}\n",
     "jsonl\nurl=http://a.com/ cluster=7 status=200 size=5120\n",
     {0}},
    {"{\"url\":\"http://a.com/\",\"sketch\":\"" SKETCH
     "\",\"simhash\":\"d61dc388ac537646\",\"title\":null,\"importance\":0.5}\n",
     "jsonl\nurl=http://a.com/ sketch=" SKETCH " simhash=d61dc388ac537646 importance=0.5\n",
     {0}},
    {"{\"url\":\"http://a.com/\",\"sketch\":[\"0186dc807b3b451e\",\"07cdd8a2b11a11d9\",\"15ac9d1686aa1054\","
     "\"013f552681b79cb1\"]}\n",
     "jsonl\nurl=http://a.com/ sketch=" SKETCH "\n",
     {0}},
    {"{\"url\":\"http://a.com/\",\"bytes\":12,\"sha1\":\"AB\",\"redirect\":\"http://b.com/"
     "\",\"time\":1431857103.5,\"status\":200.0}\n",
     "jsonl\nurl=http://a.com/ status=200 size=12 digest=AB target=http://b.com/ time=1431857103\n",
     {0}},
    /* escapes; bytes that are no UTF-8, as they are and as base/words/json.h writes them */
    {"{\"u\\u0072l\":\"http:\\/\\/a.com\\/\\\"\\\\\\b\\f\\n\\r\\t\\u00e9\\u20ac\\ud83d\\ude00\"}\n",
     "jsonl\nurl=http://a.com/\"\\\\x08\\x0c\\x0a\\x0d\\x09\\xc3\\xa9\\xe2\\x82\\xac\\xf0\\x9f\\x98\\x80\n",
     {0}},
    {"{\"url\":\"http://a.com/\xff\\udcff\\u0000\"}\n", "jsonl\nurl=http://a.com/\\xff\\xff\\x00\n", {0}},
    {"{\"url\":\"http://a.com/\"}\n\n \n", "jsonl\nurl=http://a.com/\n", {0}},
    {"{\"url\":\"http://a.com/\"}", "jsonl\nurl=http://a.com/\n", {0}},
    /* logs: the request before what the server made of it, the host that was asked for before its own name */
    {"{\"uri\":\"/a\",\"args\":\"x=1\",\"host\":\"b.com\"}\n{\"uri\":\"/a?y=1\",\"args\":\"y=1\",\"host\":\"b.com\"}\n"
     "{\"uri\":\"/i.php\",\"request\":\"GET /a?x=2 HTTP/1.1\",\"server_name\":\"_\",\"http_host\":\"b.com\"}\n"
     "{\"uri\":\"/a\",\"request_uri\":\"/a?x=3\",\"args\":\"x=4\",\"server_name\":\"c.com\",\"host\":\"b.com\"}\n",
     "jsonl\nurl=http://b.com/a?x=1\nurl=http://b.com/a?y=1\nurl=http://b.com/a?x=2\nurl=http://b.com/a?x=3\n",
     {0}},
    {"{\"uri\":\"/a\"}\n{\"request\":\"GET /b HTTP/1.1\",\"server_name\":\"_\"}\n",
     "error: the log has paths without hosts: add the host with --base-url https://example.com\n",
     {0}},
    /* lines that cannot be read */
    {"{\"url\":\"http://a.com/\"}\n{\"url\":\"http://b.com/\"}\n{\"url\":\"http://c.com/\"}\n{\"url\":\"x\"\n[1]\n",
     "jsonl\nurl=http://a.com/\nurl=http://b.com/\nurl=http://c.com/\n"
     "bad 4: broken JSON at byte 11: expected a comma\nbad 5: expected a JSON object, found '[1]'\n",
     {0}},
    {"{\"page\":1}\n{\"url\":true}\n{\"url\":\"http://c.com/"
     "\"}\n{\"url\":\"x\",\"status\":\"x\"}\n{\"url\":\"x\",\"sketch\":[1]}\n",
     "jsonl\nurl=http://c.com/\nbad 1: the object has no 'url'\nbad 2: expected a string or a number, found 'true'\n"
     "bad 4: status: expected a number up to 999, found 'x'\nbad 5: sketch: expected four strings of 16 hex digits\n",
     {.format = "jsonl"}},
    {"{\"url\":\"x\",\"simhash\":12}\n{\"url\":\"x\",\"sketch\":[\"1\",\"2\"]}\n{\"url\":\"y\"}\n{\"url\":\"x\","
     "\"sketch\":[\"1\",\"x\"]}\n",
     "jsonl\nurl=y\nbad 1: expected 16 hex digits in quotes, found the number '12'\n"
     "bad 2: sketch: expected four strings of 16 hex digits\nbad 4: mh2: expected 16 hex digits, found 'x'\n",
     {.format = "jsonl"}},
    {"http://a.com/\n",
     "error: not one JSON object per line: expected a JSON object, found 'http://a.com/'; it looks like a list of URLs "
     "(--format urls)\n",
     {.format = "jsonl"}},
};

static void reads_objects(void **state)
{
    (void)state;
    record_cases(cases, DP_COUNT(cases));
}

static void takes_no_memory_a_record(void **state)
{
    (void)state;
    record_takes_no_memory(DP_STR("{\"url\":\"http:\\/\\/a.com/\",\"status\":200,\"x\":[1,2]}\n"), 20000,
                           &(dp_reader_options){0});
}

static void survives_every_allocation_failure(void **state)
{
    (void)state;
    record_survives(DP_STR("{\"url\":\"http:\\/\\/a.com/\",\"status\":200,\"x\":[1,2]}\n"), &(dp_reader_options){0});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_objects),
        cmocka_unit_test_teardown(takes_no_memory_a_record, dp_temp_remove),
        cmocka_unit_test_teardown(survives_every_allocation_failure, dp_temp_remove),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
