/* SPDX-License-Identifier: Apache-2.0 */
#include "url/host.h"

#include <arpa/inet.h>
#include <idn2.h>
#include <libpsl.h>
#include <stdlib.h>

#include "url/chars.h"

/* Room for any name that is short enough for DNS, in UTF-8. Longer ASCII names pass: nothing
 * but their bytes is looked at. */
enum { MAX_IDN = 4096, MAX_IPV6 = 64 };

static bool append_ipv6(dp_buf *out, dp_str host)
{
    char            text[MAX_IPV6];
    struct in6_addr ignored;
    if (host.n < 4 || host.p[host.n - 1] != ']' || host.n - 2 >= sizeof text)
        return false;
    memcpy(text, host.p + 1, host.n - 2);
    text[host.n - 2] = 0;
    if (memchr(text, 0, host.n - 2) || inet_pton(AF_INET6, text, &ignored) != 1)
        return false;
    for (size_t i = 0; i < host.n; i++)
        dp_buf_byte(out, dp_lower(host.p[i]));
    return !out->failed;
}

/* UTS #46, non-transitional: what browsers do. libidn2 then also asks IDNA2008, which has no
 * symbols, and DNS, which has no long labels (docs/urls.md). */
static bool append_idn(dp_buf *out, dp_str host)
{
    char name[MAX_IDN], *ascii = NULL;
    if (host.n >= sizeof name || memchr(host.p, 0, host.n))
        return false;
    memcpy(name, host.p, host.n);
    name[host.n] = 0;
    int rc = idn2_to_ascii_8z(name, &ascii, IDN2_NFC_INPUT | IDN2_NONTRANSITIONAL);
    if (rc == IDN2_MALLOC)
        out->failed = true;
    if (rc != IDN2_OK)
        return false;
    dp_buf_c(out, ascii);
    idn2_free(ascii);
    return true;
}

bool dp_host_normalize(dp_buf *out, dp_str host)
{
    if (host.n == 0)
        return false;
    if (host.p[0] == '[')
        return append_ipv6(out, host);
    size_t start = out->n;
    bool   ascii = true;
    for (size_t i = 0; i < host.n; i++) {
        char c = host.p[i];
        if (dp_is_escape(host.p + i, host.n - i)) {
            c = dp_unescape(host.p + i);
            i += 2;
        }
        ascii &= (c & 0x80) == 0;
        dp_buf_byte(out, dp_lower(c));
    }
    if (out->failed)
        return false;
    if (!ascii) {
        /* The decoded bytes are read from the buffer that receives the answer, so they
         * are moved aside by the copy in append_idn before anything is written. */
        dp_str decoded = {out->p + start, out->n - start};
        out->n = start;
        if (!append_idn(out, decoded))
            return false;
    }
    for (size_t i = start; i < out->n; i++) {
        out->p[i] = dp_lower(out->p[i]);
        if (!dp_is(out->p[i], DP_CH_HOST))
            return false;
    }
    return out->n > start && !out->failed;
}

bool dp_host_is_dotted(dp_str s)
{
    size_t labels = 0, length = 0;
    for (size_t i = 0; i <= s.n; i++) {
        if (i < s.n && s.p[i] != '.') {
            if (!dp_is(s.p[i], DP_CH_ALNUM) && s.p[i] != '_' && s.p[i] != '~' && s.p[i] != '-' && !(s.p[i] & 0x80))
                return false;
            length++;
            continue;
        }
        if (length == 0)
            return i == s.n && labels >= 2; /* only the root label, after a trailing dot, is empty */
        labels++;
        length = 0;
    }
    return labels >= 2;
}

int dp_scheme_port(dp_str scheme)
{
    static const struct {
        dp_str scheme;
        int    port;
    } known[] = {{{"http", 4}, 80}, {{"https", 5}, 443}, {{"ws", 2}, 80}, {{"wss", 3}, 443}, {{"ftp", 3}, 21}};
    for (size_t i = 0; i < DP_COUNT(known); i++)
        if (dp_str_eq(scheme, known[i].scheme))
            return known[i].port;
    return -1;
}

/* Copy a name of fewer than 256 bytes for functions that want a NUL at the end. */
static bool as_c(char name[256], dp_str host)
{
    if (host.n == 0 || host.n >= 256 || memchr(host.p, 0, host.n))
        return false;
    memcpy(name, host.p, host.n);
    name[host.n] = 0;
    return true;
}

bool dp_host_is_address(dp_str host)
{
    char           name[256];
    struct in_addr ignored;
    return host.n && (host.p[0] == '[' || (as_c(name, host) && inet_pton(AF_INET, name, &ignored) == 1));
}

dp_str dp_host_domain(dp_str host)
{
    char name[256];
    if (dp_host_is_address(host) || !as_c(name, host))
        return host;
    const char *domain = psl_registrable_domain(psl_builtin(), name);
    return domain ? dp_str_cut(host, (size_t)(domain - name), host.n) : host;
}

dp_str dp_host_icann_domain(dp_str host)
{
    char name[256];
    if (dp_host_is_address(host) || !as_c(name, host))
        return host;
    size_t from = 0;
    for (const char *dot = strchr(name, '.'); dot; dot = strchr(dot + 1, '.')) {
        if (psl_is_public_suffix2(psl_builtin(), dot + 1, PSL_TYPE_ICANN))
            return dp_str_cut(host, from, host.n);
        from = (size_t)(dot + 1 - name);
    }
    return host;
}

const char *dp_domain(const char *host, size_t len, size_t *n)
{
    dp_str d = dp_host_domain((dp_str){host, len});
    *n = d.n;
    return d.p;
}
