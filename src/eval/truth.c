/* SPDX-License-Identifier: Apache-2.0 */
#include "eval/truth.h"

#include <stdlib.h>

#include "base/fold.h"
#include "base/plural.h"
#include "base/room.h"
#include "base/secret.h"

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
    *t = (dp_truth){0};
}

dp_str dp_truth_label(dp_truth *t, const dp_record *r)
{
    if (dp_record_has(r, DP_FIELD_CLUSTER))
        return r->cluster;
    if (!dp_record_has(r, DP_FIELD_DIGEST)) {
        t->unlabelled++;
        return (dp_str){NULL, 0};
    }
    bool is_get = r->method.n == 0 || dp_str_eq(r->method, DP_STR("GET"));
    if (is_get && (!dp_record_has(r, DP_FIELD_STATUS) || r->status == 200))
        return r->digest;
    t->not_ok++;
    return (dp_str){NULL, 0};
}

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

dp_err dp_truth_add(dp_truth *t, dp_str url, dp_str host, dp_str label, bool *fresh)
{
    uint32_t cluster, number, where;
    uint32_t cap = t->cap;
    if (!DP_ROOM(t->cluster, t->n, cap) || !DP_ROOM(t->host, t->n, t->cap))
        return DP_ENOMEM;
    DP_TRY(dp_ordinals_add(&t->urls, dp_secret_text(url), &number, fresh));
    if (!*fresh) {
        t->repeated++;
        t->contradicting += t->clusters.hash[t->cluster[number]] != dp_secret_text(label);
        return DP_OK;
    }
    DP_TRY(cluster_number(t, label, &cluster));
    DP_TRY(host_number(t, host, &where));
    DP_TRY(keep_text(t, url));
    t->cluster[t->n] = cluster;
    t->host[t->n] = where;
    t->n++;
    t->size[cluster]++;
    return DP_OK;
}

bool dp_truth_find(const dp_truth *t, dp_str url, uint32_t *number)
{
    return dp_ordinals_find(&t->urls, dp_secret_text(url), number);
}

dp_err dp_truth_relabel(dp_truth *t, uint32_t i, dp_str label)
{
    uint32_t cluster;
    DP_TRY(cluster_number(t, label, &cluster));
    t->size[t->cluster[i]]--;
    t->size[cluster]++;
    t->cluster[i] = cluster;
    return DP_OK;
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
