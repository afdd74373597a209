/* The patterns that WSDM'10 and CIKM'09 print, and what patterns promise.
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdio.h>

#include "learn/tree/anchor.h"
#include "support/failing_alloc.h"

enum { MOST = 64 };

/* The eight patterns of the papers: six hosts. Values are those the papers show, and more of their kind. */
static const struct {
    const char *value[MOST];
    const char *want; /* patterns, joined by blanks */
} papers[] = {
    /* Figure 2 of WSDM'10: the first round selects Austria and html, the second ctattractions | profile. */
    {{"ctattractions-17876002-Austria_Vienna-attractions.html",
      "ctattractions-17826402-Austria_Salzburg-attractions.html",
      "ctattractions-17682302-Austria_Graz-attractions.html", "ctattractions-17682303-Austria_Linz-attractions.html",
      "profile-78587305-Austria_Belvedere.html", "profile-78587306-Austria_Dommuseum.html",
      "profile-78587307-Austria_Eisriesenwelt.html", "profile-78587308-Austria_Hofburg.html"},
     "ctattractions-*-Austria_*-attractions.html profile-*-Austria_*.html"},
    {{"friends-lttU7d6kIuGq", "friends-nMfcaJRPUSMQ", "friends-aa8ZkQ1", "friends-0x9Kd", "friends-Zz"}, "friends-*"},
    {{"tt0810900", "tt0053198", "tt0112641", "tt0000001"}, "tt*"},
    {{"cat-1205234-sku-B00006HW5W-item-ibm_128mb_thinkpad.html", "cat-1205235-sku-B00007K11-item-dell_dock.html",
      "cat-1205236-sku-C11111-item-sony_vaio.html", "cat-99-sku-D1-item-usb.html", "cat-1205234-sort-price.html",
      "cat-1205235-sort-name.html", "cat-1205236-sort-date.html", "cat-99-sort-price.html"},
     "cat-*-sku-*-item-*.html cat-*-sort-*.html"},
    {{"accelerate.php[id]100019[SiteID]softwareoasis", "accelerate.php[id]100020[SiteID]simtel.net",
      "accelerate.php[id]7[SiteID]winsite", "accelerate.php[id]81[SiteID]tucows"},
     "accelerate.php[id]*[SiteID]*"},
    {{"The-Grudge_UPC_043396062603_W0QQ_fclsZ1QQ_pcatidZ1QQ_pidZ43973351QQ_tabZ2",
      "The-Ring_UPC_678149087529_W0QQ_fclsZ1QQ_pcatidZ2QQ_pidZ43973352QQ_tabZ1",
      "The-Matrix_UPC_085391163299_W0QQ_fclsZ2QQ_pcatidZ1QQ_pidZ5QQ_tabZ3",
      "The-Sixth-Sense_UPC_786936144536_W0QQ_fclsZ3QQ_pcatidZ11QQ_pidZ61QQ_tabZ4"},
     "The-*_UPC_*_W0QQ_fclsZ*QQ_pcatidZ*QQ_pidZ*QQ_tabZ*"},
    /* Small sets of values are no structure. */
    {{"sort-price", "sort-name", "sort-date", "sort-price-up", "sort-name-up"}, "sort-*"},
    {{"red", "green", "blue", "white"}, ""},
    {{"the-grudge", "a-ring", "matrix", "the-sixth-sense"}, ""},
};

static size_t count(const char *const *v)
{
    size_t n = 0;
    while (n < MOST && v[n])
        n++;
    return n;
}

static void patterns_of_the_papers_are_found(void **state)
{
    (void)state;
    for (size_t i = 0; i < DP_COUNT(papers); i++) {
        dp_arena           a = {0};
        dp_buf             got = {0};
        dp_str             v[MOST];
        dp_anchor_patterns p;
        dp_anchor_options  o = DP_ANCHOR_OPTIONS_INIT;
        size_t             n = count(papers[i].value);
        o.least = 2;
        for (size_t k = 0; k < n; k++)
            v[k] = dp_str_c(papers[i].value[k]);
        assert_int_equal(DP_OK, dp_anchor_learn(&p, v, n, &o, &a));
        for (size_t k = 0; k < p.n; k++) {
            dp_buf_c(&got, k ? " " : "");
            dp_buf_str(&got, p.v[k].text);
        }
        dp_buf_byte(&got, 0);
        assert_string_equal(papers[i].want, got.p);
        dp_buf_done(&got);
        dp_arena_done(&a);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(patterns_of_the_papers_are_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
