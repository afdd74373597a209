/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "support/packed.h"
#include "support/recordcases.h"
#include "support/tempfile.h"

#define METADATA "WARC-Type: metadata\r\nWARC-Target-URI: http://a.com/\r\nContent-Type: application/json\r\n"

static dp_buf some_text(void)
{
    dp_buf text = {0};
    packed_add_warc(&text, "1.0", "WARC-Type: warcinfo\r\nContent-Type: application/warc-fields\r\n",
                    DP_STR("x: y\r\n"));
    packed_add_warc(&text, "1.0", METADATA,
                    DP_STR("{\"Envelope\":{\"WARC-Header-Metadata\":{\"WARC-Type\":\"request\"}}}"));
    packed_add_warc(
        &text, "1.0", METADATA,
        DP_STR("{\"Envelope\":{\"WARC-Header-Metadata\":{\"WARC-Type\":\"response\",\"WARC-Target-URI\":"
               "\"http://a.com/\",\"WARC-Date\":\"2015-05-17T10:05:03Z\"},\"Payload-Metadata\":{"
               "\"HTTP-Response-Metadata\":{\"Response-Message\":{\"Status\":\"200\"},\"Headers\":{\"Content-Type\":"
               "\"text/html; charset=utf-8\"},\"Entity-Digest\":\"sha1:AB\",\"Entity-Length\":\"5120\","
               "\"HTML-Metadata\":{\"Head\":{\"Title\":\"A title\",\"Link\":[{\"path\":\"LINK@/href\",\"rel\":"
               "\"stylesheet\",\"url\":\"x\"},{\"rel\":\"canonical\",\"url\":\"http://a.com/c\"}]}}}}}}"));
    packed_add_warc(
        &text, "1.0", METADATA,
        DP_STR("{\"Envelope\":{\"WARC-Header-Metadata\":{\"WARC-Type\":\"response\",\"WARC-Target-URI\":"
               "\"http://b.com/\"},\"Payload-Metadata\":{\"HTTP-Response-Metadata\":{\"Response-Message\":{\"Status\":"
               "301},\"Headers\":{\"location\":\"http://c.com/\"},\"Entity-Length\":0}}}}"));
    packed_add_warc(&text, "1.0", METADATA, DP_STR("{\"Envelope\":"));
    packed_add_warc(&text, "1.0", METADATA,
                    DP_STR("{\"Envelope\":{\"WARC-Header-Metadata\":{\"WARC-Type\":\"response\"}}}"));
    return text;
}

static void reads_envelopes(void **state)
{
    (void)state;
    dp_buf text = some_text(), got = {0};
    assert_int_equal(DP_OK, record_text(&got, RECORD_FILE, dp_buf_view(&text), &(dp_reader_options){0}));
    dp_buf_byte(&got, 0);
    assert_string_equal("wat\nurl=http://a.com/ status=200 size=5120 digest=AB title=A title canonical=http://a.com/c "
                        "time=1431857103 mime=text/html\n"
                        "url=http://b.com/ status=301 size=0 target=http://c.com/\n"
                        "bad 5: broken JSON at byte 13: expected a value\n"
                        "bad 6: the envelope has no WARC-Target-URI\n",
                        got.p);
    dp_buf_done(&text);
    dp_buf_done(&got);
}

static void survives_every_allocation_failure(void **state)
{
    (void)state;
    dp_buf text = some_text();
    record_survives(dp_buf_view(&text), &(dp_reader_options){0});
    dp_buf_done(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_envelopes),
        cmocka_unit_test_teardown(survives_every_allocation_failure, dp_temp_remove),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
