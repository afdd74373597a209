/* SPDX-License-Identifier: Apache-2.0 */
#include "eval/truth.h"

#include <stdlib.h>

#include "base/fold.h"
#include "base/number.h"
#include "base/plural.h"
#include "base/room.h"
#include "base/secret.h"
#include "input/identity.h"

void dp_truth_done(dp_truth *t)
{
    free(t->cluster);
    free(t->host);
    dp_ordinals_done(&t->urls);
    dp_ordinals_done(&t->clusters);
    free(t->size);
    free(t->fold);
    free(t->host_name);
    dp_intern_done(&t->host_number);
    dp_buf_done(&t->text);
    free(t->at);
    dp_clusters_done(&t->content);
    free(t->time);
    *t = (dp_truth){0};
}

/* ---- what a record says ---------------------------------------------------------------------------------------- */

static const dp_sameness same = {.simhash = -1}; /* as `learn` and `cluster` compare */

void dp_truth_maker(dp_evidence_maker *m)
{
    m->same = same;
    m->min_size = 0; /* small pages are no evidence for a rule, but they are pages, and can be lost */
}

bool dp_truth_read(dp_truth *t, dp_evidence_maker *m, const dp_record *r, dp_says *out, dp_err *code)
{
    *out = (dp_says){0};
    *code = DP_OK;
    bool redirects = dp_record_is_redirect(r);
    if (!redirects && !dp_record_is_page(r)) {
        t->not_ok++;
        return false;
    }
    if (dp_record_has(r, DP_FIELD_CLUSTER) && r->cluster.n) {
        out->name = r->cluster;
        return true;
    }
    if (redirects) {
        t->not_ok++;
        return false;
    }
    *code = dp_evidence_make(m, &out->content, r);
    out->time = dp_record_has(r, DP_FIELD_TIME) ? r->time : 0;
    t->unlabelled += !out->content.has;
    return *code == DP_OK && out->content.has;
}

/* ---- URLs, one after another ------------------------------------------------------------------------------ */

static dp_err cluster_number(dp_truth *t, dp_str label, uint32_t *number)
{
    bool fresh;
    uint32_t cap = t->cluster_cap;
    if (!DP_ROOM(t->size, t->clusters.n, cap) || !DP_ROOM(t->fold, t->clusters.n, t->cluster_cap))
        return DP_ENOMEM;
    DP_TRY(dp_ordinals_add(&t->clusters, dp_secret_text(label), number, &fresh));
    if (fresh) {
        t->size[*number] = 0;
        t->fold[*number] = (uint8_t)dp_fold_of(label);
    }
    return DP_OK;
}

static dp_err host_number(dp_truth *t, dp_str host, uint32_t *number)
{
    if (t->n && dp_str_eq(host, t->host_name[t->host[t->n - 1]])) {
        *number = t->host[t->n - 1];
        return DP_OK;
    }
    if (dp_intern_find(&t->host_number, host, number))
        return DP_OK;
    if (!DP_ROOM(t->host_name, t->nhost, t->host_cap))
        return DP_ENOMEM;
    dp_str own = dp_arena_str(&t->host_number.keys, host);
    if (!own.p || !dp_intern_add(&t->host_number, own, t->nhost))
        return DP_ENOMEM;
    t->host_name[t->nhost] = own;
    *number = t->nhost++;
    return DP_OK;
}

/* Keep the text of the next URL, unless there is no more room for any. */
static dp_err keep_text(dp_truth *t, dp_str url)
{
    if (t->kept < t->n || url.n > t->text_limit - t->text.n)
        return DP_OK;
    if (!DP_ROOM(t->at, t->kept + 1, t->at_cap))
        return DP_ENOMEM;
    dp_buf_str(&t->text, url);
    if (t->text.failed)
        return DP_ENOMEM;
    t->at[0] = 0;
    t->at[++t->kept] = t->text.n;
    return DP_OK;
}

/* Keep the content of URL `i`, whose page has no name; has == 0: nothing is known of it. */
static dp_err put_content(dp_truth *t, uint32_t i, const dp_says *says)
{
    const dp_evidence none = {0};
    if (!says->content.has && !t->content.n)
        return DP_OK;
    while (t->content.n <= i)
        DP_TRY(dp_clusters_add(&t->content, &none));
    if (!DP_ROOM_FOR(t->time, t->content.n, t->time_cap))
        return DP_ENOMEM;
    t->time[i] = says->time;
    t->decided = true;
    return dp_clusters_put(&t->content, i, &says->content);
}

/* More is said of URL `i`. */
static dp_err hear_more(dp_truth *t, uint32_t i, const dp_says *says)
{
    uint32_t cluster;
    bool     is_named = t->cluster[i] != DP_UNSETTLED, has_content = dp_truth_has_content(t, i);
    t->repeated++;
    if (is_named) {
        t->contradicting += says->name.n && t->clusters.hash[t->cluster[i]] != dp_secret_text(says->name);
        return DP_OK;
    }
    if (says->name.n) {
        DP_TRY(cluster_number(t, says->name, &cluster));
        t->cluster[i] = cluster;
        t->size[cluster]++;
        t->decided = true;
        if (has_content)
            dp_clusters_drop(&t->content, i);
        return DP_OK;
    }
    if (!says->content.has)
        return DP_OK;
    if (!has_content)
        return put_content(t, i, says);
    dp_clusters one = {0};
    dp_err      code = dp_clusters_add(&one, &says->content);
    uint64_t    new = code == DP_OK ? dp_clusters_content(&one, 0, &same) : 0;
    uint64_t    old = dp_clusters_content(&t->content, i, &same);
    dp_clusters_done(&one);
    t->contradicting += new != old;
    bool better = says->time != t->time[i] ? says->time > t->time[i] : new < old;
    if (code != DP_OK)
        return code;
    return better ? put_content(t, i, says) : dp_clusters_echo(&t->content, i, &says->content);
}

dp_err dp_truth_add(dp_truth *t, dp_str url, dp_str host, const dp_says *says, bool *fresh)
{
    uint32_t cluster = DP_UNSETTLED, number, where;
    uint32_t cap = t->cap;
    t->decided = false;
    if (!DP_ROOM(t->cluster, t->n, cap) || !DP_ROOM(t->host, t->n, t->cap))
        return DP_ENOMEM;
    DP_TRY(dp_ordinals_add(&t->urls, dp_secret_text(url), &number, fresh));
    if (!*fresh)
        return hear_more(t, number, says);
    if (says->name.n)
        DP_TRY(cluster_number(t, says->name, &cluster));
    else
        DP_TRY(put_content(t, number, says));
    t->decided = true;
    DP_TRY(host_number(t, host, &where));
    DP_TRY(keep_text(t, url));
    t->cluster[t->n] = cluster;
    t->host[t->n] = where;
    t->n++;
    if (cluster != DP_UNSETTLED)
        t->size[cluster]++;
    return DP_OK;
}

/* ---- after the last ---------------------------------------------------------------------------------------- */

bool dp_truth_has_content(const dp_truth *t, uint32_t i)
{
    return i < t->content.n && t->content.has[i];
}

dp_str dp_truth_name(const dp_truth *t, uint32_t i, char room[16])
{
    return dp_number_hex(room, t->content.id[dp_sets_root((dp_sets *)&t->content.sets, i)]);
}

dp_err dp_truth_settle(dp_truth *t)
{
    char room[16];
    t->unknown = DP_UNSETTLED;
    if (t->content.n)
        DP_TRY(dp_clusters_join(&t->content, &same));
    for (uint32_t i = 0; i < t->n; i++) {
        if (t->cluster[i] != DP_UNSETTLED)
            continue;
        /* No cluster is called by a NUL. */
        dp_str name = dp_truth_has_content(t, i) ? dp_truth_name(t, i, room) : DP_STR("\0");
        DP_TRY(cluster_number(t, name, &t->cluster[i]));
        t->size[t->cluster[i]]++;
        if (!dp_truth_has_content(t, i))
            t->unknown = t->cluster[i];
    }
    return DP_OK;
}

const char *dp_truth_identity(const dp_truth *t)
{
    bool content = false, names = false;
    for (uint32_t i = 0; i < t->n && !(content && names); i++) {
        content |= dp_truth_has_content(t, i);
        names |= !dp_truth_has_content(t, i) && t->cluster[i] != t->unknown;
    }
    return dp_identity_name(names || !content, content);
}

bool dp_truth_find(const dp_truth *t, dp_str url, uint32_t *number)
{
    return dp_ordinals_find(&t->urls, dp_secret_text(url), number);
}

dp_str dp_truth_text(const dp_truth *t, uint32_t i)
{
    return i < t->kept ? (dp_str){t->text.p + t->at[i], t->at[i + 1] - t->at[i]} : (dp_str){NULL, 0};
}

uint32_t dp_truth_singletons(const dp_truth *t)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < t->clusters.n; i++)
        n += t->size[i] == 1;
    return n;
}

void dp_truth_say(dp_buf *out, const dp_truth *t)
{
    uint32_t pages = t->clusters.n, several = pages - dp_truth_singletons(t);
    dp_buf_printf(out, "%" PRIu32 " URL%s on %" PRIu32 " host%s %s %" PRIu32 " page%s; ", t->n, dp_s(t->n), t->nhost,
                  dp_s(t->nhost), dp_plural(t->n, "shows", "show"), pages, dp_s(pages));
    if (several)
        dp_buf_printf(out, "%" PRIu32 " %s two or more URLs", several, dp_plural(several, "page has", "pages have"));
    else
        dp_buf_c(out, "no page has two URLs");
}

uint64_t dp_truth_bytes(const dp_truth *t)
{
    return (uint64_t)t->cap * (sizeof *t->cluster + sizeof *t->host) + dp_ordinals_bytes(&t->urls) +
           dp_ordinals_bytes(&t->clusters) + (uint64_t)t->cluster_cap * (sizeof *t->size + sizeof *t->fold) +
           t->text.n + (uint64_t)t->at_cap * sizeof *t->at;
}
