/* SPDX-License-Identifier: Apache-2.0 */
#include "url/token.h"

static bool is_delimiter(char c, const char *delimiters)
{
    return c && strchr(delimiters, c);
}

/* Put the tokens of path and query into `v` (when not NULL); how many. */
static size_t cut_parts(dp_str *v, const dp_frame *f, const char *delimiters)
{
    size_t n = 0;
    for (uint32_t i = f->path; i < f->n;) {
        uint32_t end = i;
        while (end < f->n && !is_delimiter(f->s[end], delimiters) && (f->s[end] != '/' || end >= f->path_end))
            end++;
        if (end == i && f->s[i] == '/' && i < f->path_end) {
            i++;
            continue;
        }
        if (end == i)
            end++; /* the delimiter itself */
        if (v)
            v[n] = dp_frame_cut(f, i, end);
        n++;
        i = end;
    }
    return n;
}

dp_err dp_seq_tokenize(dp_seq_tokens *out, const dp_frame *f, const char *delimiters, dp_arena *a)
{
    size_t  n = cut_parts(NULL, f, delimiters) + 2;
    dp_str *v = DP_NEWS(a, n, dp_str);
    if (!v)
        return DP_ENOMEM;
    v[0] = f->scheme_n ? dp_frame_cut(f, 0, f->scheme_n + 1) : DP_STR("http:");
    v[1] = dp_frame_cut(f, f->scheme_n ? f->scheme_n + 3 : 0, f->path);
    cut_parts(v + 2, f, delimiters);
    *out = (dp_seq_tokens){v, n};
    return DP_OK;
}

void dp_seq_join(dp_buf *out, const dp_seq_tokens *t, const char *delimiters)
{
    dp_buf_str(out, t->v[0]);
    dp_buf_c(out, "//");
    dp_buf_str(out, t->v[1]);
    dp_buf_byte(out, '/');
    bool word = false;
    for (size_t i = 2; i < t->n; i++) {
        bool delimiter = t->v[i].n == 1 && is_delimiter(t->v[i].p[0], delimiters);
        if (word && !delimiter)
            dp_buf_byte(out, '/');
        dp_buf_str(out, t->v[i]);
        word = !delimiter;
    }
}
