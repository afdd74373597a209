/* SPDX-License-Identifier: Apache-2.0 */
#include "apply/chain.h"

#include <stdlib.h>

#include "apply/slothash.h"
#include "base/room.h"
#include "rule/rule.h"

/* Not base/index.h: the layout is that of the file (apply/image.h). */
static const dp_im_host *find_host(const dp_image *im, dp_str name, int port, uint64_t hash)
{
    for (uint64_t i = hash & im->host_mask;; i = (i + 1) & im->host_mask) {
        const dp_im_host *h = &im->host[i];
        if (h->layer == DP_NONE)
            return NULL;
        if (h->hash != hash || h->port != port)
            continue;
        dp_layer_fetch(im, h->layer); /* while the name is compared */
        if (dp_str_eq(dp_im_str(im, h->name), name))
            return h;
    }
}

static bool push_layer(dp_chain *c, const dp_image *im, uint32_t unit)
{
    const dp_im_layer *l = dp_im_layer_at(im, unit);
    uint32_t           cap = c->cap;
    if (!DP_ROOM(c->layer, c->n, cap) || !DP_ROOM(c->keep, c->n, c->cap))
        return false;
    c->layer[c->n++] = l;
    c->subs |= l->nsub || l->sub_any.n;
    if (l->keep.n)
        c->keep[c->nkeep++] = l->keep;
    return true;
}

static bool push_host(dp_chain *c, const dp_image *im, dp_str name, int port)
{
    const dp_im_host *h = find_host(im, name, port, dp_hash_host(name, port));
    return !h || push_layer(c, im, h->layer);
}

/* The best layer that says something of the order decides. */
static bool sorts(const dp_chain *c)
{
    for (uint32_t i = 0; i < c->n; i++)
        if (c->layer[i]->order != DP_ORDER_UNSET)
            return c->layer[i]->order == DP_ORDER_ANY;
    return false;
}

bool dp_chain_find(dp_chain *c, const dp_image *im, const dp_frame *f, uint64_t hash)
{
    dp_str host = dp_frame_host(f);
    int    port = im->head->has_ports ? dp_frame_port(f) : -1;
    if (c->image == im->head && c->checksum == im->head->checksum && c->port == port && dp_str_eq(c->host, host))
        return true;
    c->image = NULL;
    c->n = c->nkeep = 0;
    c->subs = false;
    if (port >= 0 && !push_host(c, im, host, port))
        return false;
    const dp_im_host *own = find_host(im, host, DP_HOST_ANY_PORT, hash ? hash : dp_hash_host(host, DP_HOST_ANY_PORT));
    if (own && !push_layer(c, im, own->layer))
        return false;
    for (size_t i = 1; im->head->has_wildcards && i + 1 < host.n; i++)
        if (host.p[i] == '.' && !push_host(c, im, dp_str_cut(host, i + 1, host.n), DP_HOST_WILDCARD))
            return false;
    if (im->head->any != DP_NONE && !push_layer(c, im, im->head->any))
        return false;
    c->sorts = sorts(c);
    if (own) {
        c->image = im->head;
        c->checksum = im->head->checksum;
        c->host = dp_im_str(im, own->name);
        c->port = port;
    }
    return true;
}

void dp_chain_done(dp_chain *c)
{
    free(c->layer);
    free(c->keep);
}
