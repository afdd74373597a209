/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/buf.h"
#include "live/actions.h"
#include "url/mask.h"

static const struct {
    const char *url;
    bool        acts;
} cases[] = {
    {"http://a.com/logout", true},
    {"http://a.com/user/LogOut.php", true},
    {"http://a.com/log-out", true},
    {"http://a.com/log_out?x", true},
    {"http://a.com/userLogOut", true},
    {"http://a.com/?do=delete&id=3", true},
    {"http://a.com/?delete", true},
    {"http://a.com/x?action=sign+out", true},
    {"http://a.com/cart?add=17", true},
    {"http://a.com/shop/addToCart/17", true},
    {"http://a.com/list/unsubscribe/9f", true},
    {"http://a.com/confirm/abc", true},
    {"http://a.com/remove_item", true},
    {"http://a.com/removeItem", true},
    {"http://a.com/", false},
    {"http://cart.com/page", false}, /* the host says nothing */
    {"http://a.com/carton", false},
    {"http://a.com/undeleted-scenes", false},
    {"http://a.com/blogout", false},
    {"http://a.com/catalog/out", false},
    {"http://a.com/log/out", true}, /* better one too many */
    {"http://a.com/log/about/out", false},
    {"http://a.com/descartes?recall=1", false},
    {"not a url logout", false},
};

static void finds_words_that_act(void **state)
{
    (void)state;
    for (size_t i = 0; i < DP_COUNT(cases); i++)
        if (dp_url_acts(dp_str_c(cases[i].url)) != cases[i].acts)
            fail_msg("%s", cases[i].url);
}

static const struct {
    const char *url;
    bool        masked;
} masks[] = {
    {"http://a.com/?token=xxx", true},   {"http://a.com/?token=xxx&b=1", true}, {"http://xxx@a.com/", true},
    {"http://a.com/p;sid=xxx/q", true},  {"http://a.com/?a=xxxx", false},       {"http://a.com/xxx", false},
    {"http://a.com/?xxx=1", false},      {"http://xxx.com/", false},            {"http://a.com/?a=b=xxx", true},
    {"http://a.com/?a=xx", false},       {"a.com/?sid=xxx", true},              {"http://a.com/?a=xxx#f", true},
};

static void tells_masked_urls_from_others(void **state)
{
    (void)state;
    for (size_t i = 0; i < DP_COUNT(masks); i++)
        if (dp_url_is_masked(dp_str_c(masks[i].url)) != masks[i].masked)
            fail_msg("%s", masks[i].url);
}

/* What url/mask.h writes is found, whatever it hid. */
static void finds_what_is_masked(void **state)
{
    (void)state;
    static const char *const urls[] = {
        "http://me:pw@a.com/x?p=2", "http://a.com/x?token=1234&p=2", "http://a.com/x?p=2;PHPSESSID=abc",
        "http://a.com/x;sid=12/y", "http://a.com/?e-mail=me",
    };
    for (size_t i = 0; i < DP_COUNT(urls); i++) {
        dp_buf b = {0};
        dp_mask_url(&b, dp_str_c(urls[i]), NULL, 0);
        assert_false(dp_url_is_masked(dp_str_c(urls[i])));
        if (!dp_url_is_masked(dp_buf_view(&b)))
            fail_msg("%.*s", DP_FMT(dp_buf_view(&b)));
        dp_buf_done(&b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_words_that_act),
        cmocka_unit_test(tells_masked_urls_from_others),
        cmocka_unit_test(finds_what_is_masked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
