/* SPDX-License-Identifier: Apache-2.0 */
#include "learn/auto/confine/feature.h"

#include "base/hash.h"
#include "url/chars.h"

enum {
    MOST_COUNTED = 4, /* digits of a number that counts */
    MOST_MARK = 8     /* bytes of the word before it */
};

typedef struct list {
    dp_feature *v;
    size_t      n;
} list;

static void add(list *l, dp_feature_kind kind, uint32_t at, dp_str name, dp_str value)
{
    if (l->n == DP_MOST_FEATURES)
        return;
    uint64_t key = dp_hash_fold(dp_hash_str(name), (uint64_t)kind * 64 + at + 1);
    l->v[l->n++] = (dp_feature){(uint8_t)kind, (uint8_t)at, name, value, key, dp_hash_fold(key, dp_hash_str(value))};
}

static bool is_mark(char c)
{
    return c == '-' || c == '_' || c == '.' || c == ',' || c == '~';
}

/* ".php" of "list.php"; n == 0: none. */
static dp_str extension(dp_str seg)
{
    for (size_t i = seg.n; i-- > 1;) {
        if (seg.p[i] == '.')
            return seg.n - i <= 6 && seg.n - i > 1 ? dp_str_cut(seg, i, seg.n) : (dp_str){seg.p, 0};
    }
    return (dp_str){seg.p, 0};
}

/* Depths as texts: a view of so many bytes. */
static dp_str depth_text(uint32_t n, bool slash)
{
    static const char open[] = "................................", closed[] = "////////////////////////////////";
    return (dp_str){slash ? closed : open, n < sizeof open - 1 ? n : sizeof open - 1};
}

/* Component `i`, and whether it is a number. */
static void add_start(list *l, const dp_frame *f, uint32_t i)
{
    dp_str seg = dp_frame_seg(f, i), none = {f->s, 0};
    add(l, DP_F_START, i, none, seg);
    if (seg.n && dp_all(seg, DP_CH_DIGIT))
        add(l, DP_F_NUMBER, i, none, DP_STR("{n:int}"));
}

/* "-or" of "red-oak-or20.html" and of "g7-or20-red-oak.html": words that short numbers follow, with what stands before
 * them. Behind the number is the extension, or a mark. */
static void add_counted(list *l, dp_str seg)
{
    dp_str tail = extension(seg);
    size_t end = seg.n - tail.n;
    for (size_t i = 1, to; i < end; i = to) {
        size_t word = i;
        for (to = i + 1; to < end && dp_is(seg.p[i], DP_CH_DIGIT) && dp_is(seg.p[to], DP_CH_DIGIT); to++) {}
        if (!dp_is(seg.p[i], DP_CH_DIGIT) || to - i > MOST_COUNTED || (to < end && dp_is(seg.p[to], DP_CH_ALNUM)))
            continue;
        while (word && dp_is(seg.p[word - 1], DP_CH_ALPHA))
            word--;
        while (word && is_mark(seg.p[word - 1]))
            word--;
        if (word && word < i && i - word <= MOST_MARK && (to == end || is_mark(seg.p[to])))
            add(l, DP_F_COUNTED, 0, to == end ? tail : dp_str_cut(seg, to, to + 1), dp_str_cut(seg, word, i));
    }
}

size_t dp_features_of(dp_feature out[DP_MOST_FEATURES], const dp_frame *f, dp_feature_set set)
{
    list     l = {out, 0};
    dp_str   none = {f->s, 0};
    bool     slash = dp_frame_seg(f, f->nseg - 1).n == 0, all = set == DP_FEATURES_ALL;
    uint32_t starts = set == DP_FEATURES_SECTIONS ? DP_FEATURE_SECTIONS : DP_FEATURE_START;
    if (set != DP_FEATURES_SECTIONS)
        add(&l, DP_F_DEPTH, 0, none, depth_text(f->nseg, slash));
    add(&l, DP_F_EXTENSION, 0, none, extension(dp_frame_seg(f, f->nseg - 1)));
    if (all)
        add_counted(&l, dp_frame_seg(f, f->nseg - 1));
    for (uint32_t i = 0; i < f->nseg && i < starts; i++)
        add_start(&l, f, i);
    for (uint32_t i = 0; i < f->nseg && i < DP_FEATURE_END && all; i++)
        add(&l, DP_F_END, i, none, dp_frame_seg(f, f->nseg - 1 - i));
    if (all)
        add(&l, DP_F_HOST, 0, none, dp_frame_host(f));
    for (uint32_t i = 0; i < f->npair && i < 6 && set != DP_FEATURES_SECTIONS; i++) {
        add(&l, DP_F_HAS, 0, dp_pair_name(f, &f->pair[i]), none);
        if (f->pair[i].has_eq && all)
            add(&l, DP_F_VALUE, 0, dp_pair_name(f, &f->pair[i]), dp_pair_value(f, &f->pair[i]));
    }
    return l.n;
}

static void captures(dp_buf *out, char from, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        dp_buf_printf(out, "/{%c}", (char)(from + (char)i));
}

/* One value as it is, several as a list. */
static bool values(dp_buf *out, const dp_feature *const *v, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (v[i]->value.n == 0 && n > 1)
            return false;
    if (n == 1) {
        dp_buf_str(out, v[0]->value);
        return true;
    }
    for (size_t i = 0; i < n; i++) {
        dp_buf_c(out, i ? "|" : "{v=");
        dp_buf_str(out, v[i]->value);
    }
    dp_buf_byte(out, '}');
    return true;
}

bool dp_feature_print(dp_buf *out, const dp_feature *const *v, size_t n)
{
    const dp_feature *f = v[0];
    switch ((dp_feature_kind)f->kind) {
    case DP_F_START:
    case DP_F_NUMBER:
        captures(out, 'a', f->at);
        dp_buf_byte(out, '/');
        if (!values(out, v, n))
            return false;
        if (f->value.n)
            dp_buf_c(out, "/{**}");
        return true;
    case DP_F_END:
        dp_buf_c(out, "/{**}/");
        if (!values(out, v, n))
            return false;
        captures(out, 'n', f->at);
        return true;
    case DP_F_EXTENSION:
        for (size_t i = 0; i < n; i++)
            if (v[i]->value.n == 0) /* of a page without one */
                return false;
        dp_buf_c(out, n > 1 ? "/{**}/{x}.{e=" : "/{**}/{x}");
        for (size_t i = 0; i < n && n > 1; i++) {
            dp_buf_c(out, i ? "|" : "");
            dp_buf_str(out, dp_str_cut(v[i]->value, 1, v[i]->value.n));
        }
        if (n > 1)
            dp_buf_byte(out, '}');
        else
            dp_buf_str(out, f->value);
        return true;
    case DP_F_COUNTED:
        dp_buf_c(out, "/{**}/{x}");
        dp_buf_str(out, f->value);
        dp_buf_c(out, "{n:int}");
        dp_buf_str(out, f->name);
        if (f->name.n == 1)
            dp_buf_c(out, "{y}");
        return n == 1;
    case DP_F_DEPTH:
        if (n > 1 || f->value.n > 20)
            return false;
        captures(out, 'a', (uint32_t)f->value.n - (f->value.p[0] == '/'));
        if (f->value.p[0] == '/')
            dp_buf_byte(out, '/');
        return true;
    case DP_F_HAS:
        dp_buf_c(out, "/{**}?+");
        dp_buf_str(out, f->name);
        return n == 1;
    case DP_F_VALUE:
        dp_buf_c(out, "/{**}?");
        dp_buf_str(out, f->name);
        dp_buf_byte(out, '=');
        return values(out, v, n);
    case DP_F_HOST:
        break;
    }
    return false;
}
