/* dp_packed_facts of dustpan.h: records to facts, a row of bytes a domain.
 *
 *     records ─► site/fact ─► store/pack ─►  a.com: f f f      each to be sent to where a.com is learned
 *                                            b.com: f f
 *
 * The same facts as store/facts.h keeps, but for machines that learn apart: what is known of a domain is in its
 * rows alone, whoever made them and in whatever order they come. A row is small, however large its domain: those
 * who send them by the thousand need not know how large a host can be.
 * SPDX-License-Identifier: Apache-2.0
 */
#include <stdlib.h>

#include "base/intern.h"
#include "base/ordinal.h"
#include "base/room.h"
#include "learn/learner.h"
#include "learn/steps/packed_facts.h"
#include "store/pack.h"
#include "url/host.h"

enum { ROW_BYTES = 16 << 10 /* when it has as many, the next is begun */ };

typedef struct row {
    dp_str   domain; /* in dp_packed_facts.names */
    dp_buf   data;
    uint64_t facts;
} row;

struct dp_packed_facts {
    row          *v;       /* [n] */
    uint32_t      n, cap;
    dp_intern     numbers; /* of domains */
    dp_arena      names;
    uint32_t     *open;    /* [domains] the last row of each */
    uint32_t      domains, open_cap;
    bool          by_host;
    dp_fact_maker maker;
    uint64_t      bad_lines;
};

/* A new row of domain `number`; NULL when memory is out. */
static row *begin(dp_packed_facts *p, uint32_t number, dp_str domain)
{
    if (!DP_ROOM(p->v, p->n, p->cap))
        return NULL;
    p->open[number] = p->n;
    p->v[p->n] = (row){.domain = domain};
    return &p->v[p->n++];
}

/* The row that the next fact of a host's domain goes to; NULL when memory is out. */
static row *find(dp_packed_facts *p, dp_str host)
{
    uint32_t number;
    dp_str   domain = p->by_host ? host : dp_host_domain(host);
    if (dp_intern_find(&p->numbers, domain, &number)) {
        row *last = &p->v[p->open[number]];
        return last->data.n < ROW_BYTES ? last : begin(p, number, last->domain);
    }
    if (!DP_ROOM(p->open, p->domains, p->open_cap))
        return NULL;
    dp_str name = dp_arena_str(&p->names, domain);
    row   *fresh = name.p ? begin(p, p->domains, name) : NULL;
    return fresh && dp_intern_add(&p->numbers, domain, p->domains++) ? fresh : NULL;
}

/* Others read it: who asked stays here. */
static dp_err put(row *to, const dp_fact *f)
{
    dp_fact said = dp_fact_without_clients(f);
    dp_pack_fact(&to->data, &said, 0);
    to->facts += dp_fact_is_of_url(f);
    return to->data.failed ? DP_ENOMEM : DP_OK;
}

/* A fact goes to its own domain; where it leads to another one, that is told, too. */
static dp_err add(dp_packed_facts *p, const dp_fact *f)
{
    row *own = find(p, f->host);
    if (!own)
        return DP_ENOMEM;
    DP_TRY(put(own, f));
    if (!(f->has & DP_FACT_LINK))
        return DP_OK;
    dp_str host = dp_fact_host(f->link), domain = own->domain;
    row   *other = find(p, host);
    if (!other)
        return DP_ENOMEM;
    if (dp_str_eq(other->domain, domain))
        return DP_OK;
    dp_fact named = dp_fact_named(f, domain, host);
    return put(other, &named);
}

static dp_err read_records(dp_packed_facts *p, dp_reader *r, dp_error *err)
{
    for (bool more = true, any;;) {
        dp_record rec;
        dp_fact   f, from;
        DP_TRY(dp_reader_next(r, &rec, &more, err));
        if (!more)
            return DP_OK;
        DP_TRY(dp_fact_make(&p->maker, &f, &rec, &any));
        if (any)
            DP_TRY(add(p, &f));
        if (any && dp_fact_followed(&p->maker, &f, &from))
            DP_TRY(add(p, &from));
    }
}

dp_err dp_learner_pack(dp_packed_facts **out, dp_learner *l, const char *const *paths, size_t count, dp_error *err)
{
    dp_reader        *r;
    dp_packed_facts  *p = calloc(1, sizeof *p);
    dp_reader_options in = dp_how_options(l->how);
    in.strict = l->settings.strict;
    in.want_body = true;
    if (!p)
        return DP_ENOMEM;
    p->by_host = l->settings.grouping == DP_GROUP_HOST;
    dp_err code = dp_reader_open(&r, paths, count, &in, err);
    if (code == DP_OK) {
        code = read_records(p, r, err);
        p->bad_lines = dp_reader_bad(r);
        dp_reader_close(r);
    }
    if (code != DP_OK) {
        dp_packed_facts_free(p);
        return code;
    }
    *out = p;
    return DP_OK;
}

void dp_packed_facts_free(dp_packed_facts *p)
{
    if (!p)
        return;
    for (uint32_t i = 0; i < p->n; i++)
        dp_buf_done(&p->v[i].data);
    free(p->v);
    free(p->open);
    dp_intern_done(&p->numbers);
    dp_arena_done(&p->names);
    dp_fact_maker_done(&p->maker);
    free(p);
}

size_t dp_packed_facts_count(const dp_packed_facts *p)
{
    return p->n;
}

const char *dp_packed_facts_domain(const dp_packed_facts *p, size_t i, size_t *n)
{
    *n = p->v[i].domain.n;
    return p->v[i].domain.p;
}

const char *dp_packed_facts_data(const dp_packed_facts *p, size_t i, size_t *n)
{
    *n = p->v[i].data.n;
    return p->v[i].data.p;
}

uint64_t dp_packed_facts_number(const dp_packed_facts *p, size_t i)
{
    return p->v[i].facts;
}

uint64_t dp_packed_facts_total(const dp_packed_facts *p, dp_read_count which)
{
    return which == DP_READ_BAD_LINES ? p->bad_lines : p->maker.total[which];
}

dp_err dp_packed_facts_each(dp_str packed, dp_err (*call)(void *ctx, const dp_fact *f), void *ctx, dp_error *err)
{
    dp_frame frame = {0};
    dp_err   code = DP_OK;
    while (packed.n && code == DP_OK) {
        dp_fact  f;
        uint32_t domain;
        code = dp_unpack_fact(&packed, &f, &domain) ? dp_fact_check(&frame, &f) : DP_ESYNTAX;
        if (code == DP_ESYNTAX)
            dp_fail(err, code, "these are not packed facts of this version");
        else if (code == DP_OK)
            code = call(ctx, &f);
    }
    dp_frame_done(&frame);
    return code;
}
