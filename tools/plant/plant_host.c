/* plant_host.c - draw a site's kinds, names and words; compile its forms; write its rules.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "plant_host.h"

#include "base/rng.h"

/* ---- words into texts --------------------------------------------------------------------------------- */

static dp_str keep_text(plant_host *h, const char *p, const char *end)
{
    return dp_arena_str(&h->memory, (dp_str){p, (size_t)(end - p)});
}

static dp_str code_text(const plant_host *h, const plant_mechanism *m, char code)
{
    if (code >= 'a' && code < 'a' + PLANT_LETTERS)
        return m->word[code - 'a'];
    switch (code) {
    case '1':
    case '2': return m->extension[code - '1'];
    case 'H': return h->name;
    case 'M': return h->mirror;
    case 'P': return m->page_name;
    case 'J': return m->path_name;
    case 'G': return m->syllable;
    case 'Q': return m->doubled;
    default: return m->capital;
    }
}

/* `text` with the codes of the host filled in. */
static dp_str fill(plant_host *h, const plant_mechanism *m, const char *text)
{
    char  z[512], *to = z;
    for (; *text && to < z + sizeof z - 64; text++) {
        if (*text == '$' && text[1]) {
            dp_str s = code_text(h, m, *++text);
            to = put_bytes(to, s.p, s.n);
        } else {
            *to++ = *text;
        }
    }
    return keep_text(h, z, to);
}

static void name_words(plant_host *h, plant_mechanism *m, dp_rng *r)
{
    static const char *const pages[] = {"page", "p", "start", "pg"};
    char                     z[64];
    unsigned                 first = (unsigned)(m - h->mechanism) * PLANT_LETTERS;
    for (unsigned i = 0; i < PLANT_LETTERS; i++)
        m->word[i] = keep_text(h, z, plant_word(z, h->seed, first + i));
    for (unsigned i = 0; i < DP_COUNT(m->extension); i++)
        m->extension[i] = keep_text(h, z, plant_extension(z, dp_rng_next(r)));
    m->syllable = keep_text(h, z, put_syllables(z, dp_rng_next(r), 1));
    uint64_t capital = dp_rng_below(r, 26);
    z[0] = z[1] = (char)('A' + capital);
    m->doubled = keep_text(h, z, z + 2);
    z[0] = (char)('A' + (capital + 1 + dp_rng_below(r, 25)) % 26);
    m->capital = keep_text(h, z, z + 1);
    m->page_name = dp_rng_below(r, 2) ? dp_str_c(pages[dp_rng_below(r, DP_COUNT(pages))]) : m->word[14];
    m->path_name = dp_rng_below(r, 2) ? DP_STR("jsessionid") : m->word[14];
    m->language = (unsigned)dp_rng_below(r, 8);
    m->dotted = dp_rng_below(r, 2);
    m->salt = dp_rng_next(r);
}

/* ---- forms ------------------------------------------------------------------------------------------------ */

/* Cut "1/kalo/%n/%s" into pieces; `*room` grows by the number of URLs it can give one page. */
static bool compile_form(plant_host *h, plant_form *f, dp_str text, unsigned *room)
{
    unsigned n = 1, ways = 1;
    for (size_t i = 0; i + 1 < text.n; i++) {
        if (text.p[i] == '%') {
            n++;
            ways = strchr("xsrz", text.p[i + 1]) ? 1000 : strchr("K0", text.p[i + 1]) ? 3 * ways : ways;
        }
    }
    plant_piece *piece = DP_NEWS(&h->memory, n, plant_piece);
    if (!piece || !text.p)
        return false;
    f->rule = (unsigned)(text.p[0] - '0');
    f->piece = piece;
    f->whole = text.n > 2 && text.p[1] == '/' && text.p[2] == '/';
    piece->text = text.p + 1;
    for (size_t i = 1; i < text.n; i++) {
        if (text.p[i] == '%') {
            piece++->code = text.p[++i];
            piece->text = text.p + i + 1;
        } else {
            piece->n++;
        }
    }
    *room += ways * (h->alias.p && !f->whole ? 2 : 1);
    return true;
}

static bool add_part(plant_host *h, plant_mechanism *m, const plant_part_kind *kind)
{
    plant_part *p = &h->part[h->parts++];
    *p = (plant_part){.m = m, .kind = kind, .dims = kind->dims ? kind->dims : 1};
    p->salt = plant_mix2(m->salt, (uint64_t)(kind - m->kind->part));
    while (p->forms < PLANT_FORMS && kind->form[p->forms]) {
        if (!compile_form(h, &p->form[p->forms], fill(h, m, kind->form[p->forms]), &p->room))
            return false;
        p->forms++;
    }
    if (m->kind->flags & PLANT_SOLO)
        p->room = 1;
    else if (h->drops || p->room > 1000)
        p->room = 1000;
    return true;
}

/* ---- which kinds -------------------------------------------------------------------------------------------- */

typedef enum group { FAMILY, FALSE_FRIEND, TRAP, PLAIN } group;

static group group_of(const plant_kind *k)
{
    return k->family ? FAMILY : k->flags & PLANT_HARD ? TRAP : k->flags & PLANT_PLAIN ? PLAIN : FALSE_FRIEND;
}

static bool same_name(const plant_kind *a, const plant_kind *b)
{
    return a == b || strcmp(a->name, b->name) == 0;
}

/* Rows that may still be taken: allowed, and neither their name nor another alias is there. */
static bool may_take(const plant_host *h, const plant_kind *k)
{
    if (!(h->o->only >> (k - plant_kinds) & 1) || (h->o->only == UINT64_MAX && k->flags & PLANT_ASKED))
        return false;
    for (unsigned i = 0; i < h->mechanisms; i++) {
        if (same_name(h->mechanism[i].kind, k) || (h->mechanism[i].kind->flags & k->flags & PLANT_ALIAS))
            return false;
    }
    return true;
}

static void take(plant_host *h, const plant_kind *k, dp_rng *r)
{
    const plant_kind *variant[8];
    unsigned          n = 0;
    for (unsigned i = 0; i < plant_kind_count; i++) {
        if (same_name(&plant_kinds[i], k) && (h->o->only >> i & 1) && n < DP_COUNT(variant))
            variant[n++] = &plant_kinds[i];
    }
    plant_mechanism *m = &h->mechanism[h->mechanisms++];
    m->kind = variant[dp_rng_below(r, n)];
    name_words(h, m, r);
}

/* `count` names of the group. The first goes round with the host's number, so that few hosts have them all. */
static void take_some(plant_host *h, group g, unsigned count, dp_rng *r)
{
    for (unsigned taken = 0; taken < count && h->mechanisms < PLANT_MECHANISMS - 1; taken++) {
        const plant_kind *open[64];
        unsigned          n = 0;
        for (unsigned i = 0; i < plant_kind_count; i++) {
            const plant_kind *k = &plant_kinds[i];
            if (group_of(k) == g && may_take(h, k) && (!n || !same_name(open[n - 1], k)))
                open[n++] = k;
        }
        if (!n)
            return;
        take(h, open[taken ? dp_rng_below(r, n) : h->number % n], r);
    }
}

/* Whether pages can have any number of URLs somewhere. */
static bool has_room(const plant_host *h)
{
    for (unsigned i = 0; i < h->mechanisms; i++) {
        const plant_kind *k = h->mechanism[i].kind;
        if (k->flags & PLANT_DROP)
            return true;
        for (unsigned p = 0; p < PLANT_PART_KINDS && !(k->flags & PLANT_SOLO); p++) {
            for (unsigned f = 0; f < PLANT_FORMS && k->part[p].form[f]; f++) {
                if (strstr(k->part[p].form[f], "%x") || strstr(k->part[p].form[f], "%s"))
                    return true;
            }
        }
    }
    return false;
}

/* Large clusters need a kind that gives room. */
static void take_room(plant_host *h, dp_rng *r)
{
    for (unsigned i = 0; i < plant_kind_count && !has_room(h); i++) {
        if ((plant_kinds[i].flags & PLANT_DROP) && may_take(h, &plant_kinds[i]))
            take(h, &plant_kinds[i], r);
    }
}

/* ---- the whole ----------------------------------------------------------------------------------------------- */

/* What holds for all pages: the origins, the parameters that do not matter. */
static bool set_site_wide(plant_host *h)
{
    char  z[128];
    h->origin = keep_text(h, z, put_bytes(put_c(z, "http://"), h->name.p, h->name.n));
    for (unsigned i = 0; i < h->mechanisms; i++) {
        plant_mechanism       *m = &h->mechanism[i];
        const plant_part_kind *p = &m->kind->part[0];
        if (m->kind->flags & PLANT_ALIAS) {
            dp_str origin = fill(h, m, p->form[0]), alias = fill(h, m, p->form[1]);
            if (!origin.p || !alias.p)
                return false;
            h->origin = dp_str_cut(origin, 1, origin.n);
            h->alias = dp_str_cut(alias, 1, alias.n);
            h->alias_by = m;
        }
        if (m->kind->flags & PLANT_DROP) {
            dp_str names = fill(h, m, p->form[0]);
            if (!names.p)
                return false;
            h->drop_by = m;
            for (size_t from = 1, to = 1; to <= names.n; to++) {
                if (to == names.n || names.p[to] == ' ') {
                    h->drop[h->drops++] = dp_str_cut(names, from, to);
                    from = to + 1;
                }
            }
        }
    }
    return h->origin.p != NULL;
}

static unsigned weight_of(const plant_part *p, unsigned room)
{
    return p->room < room ? 0 : p->m->kind->flags & PLANT_SOLO ? 1 : 8u * p->kind->weight; /* soft errors are few */
}

/* Fill `table` with the numbers of the parts, in proportion to their weights. */
static void weigh(uint8_t table[256], const plant_host *h, unsigned room)
{
    unsigned total = 0, sum = 0, at = 0;
    for (unsigned i = 0; i < h->parts; i++)
        total += weight_of(&h->part[i], room);
    for (unsigned i = 0; i < h->parts && total; i++) {
        sum += weight_of(&h->part[i], room);
        for (; at < 256 * sum / total; at++)
            table[at] = (uint8_t)i;
    }
}

static void set_numbers(plant_host *h, dp_rng *r)
{
    unsigned bits = 20;
    while (bits < 62 && (uint64_t)1 << bits < 2 * h->urls + ((uint64_t)1 << 20))
        bits++;
    h->mask = ((uint64_t)1 << bits) - 1;
    h->half = bits / 2;
    h->factor[0] = dp_rng_next(r) | 1;
    h->factor[1] = dp_rng_next(r) | 1;
    h->offset = dp_rng_below(r, 1000000);
}

dp_err plant_host_init(plant_host *h, const plant_options *o, uint64_t number, uint64_t urls)
{
    memset(h, 0, sizeof *h);
    h->o = o;
    h->number = number;
    h->urls = urls;
    h->seed = plant_mix2(o->seed, number);
    dp_rng r = dp_rng_seed(h->seed);
    char   z[64];
    h->name = keep_text(h, z, plant_name(z, o->seed, number, false));
    h->mirror = keep_text(h, z, plant_name(z, o->seed, number, true));
    set_numbers(h, &r);
    bool hard = o->hard;
    take_some(h, TRAP, hard ? 4 + (unsigned)dp_rng_below(&r, 2) : 0, &r);
    take_some(h, FAMILY, hard ? 2 : 3 + (unsigned)dp_rng_below(&r, 3), &r);
    take_room(h, &r);
    take_some(h, FALSE_FRIEND, hard ? 1 : 2 + (unsigned)dp_rng_below(&r, 2), &r);
    take_some(h, PLAIN, 1, &r);
    bool ok = set_site_wide(h);
    for (unsigned i = 0; i < h->mechanisms; i++) {
        plant_mechanism *m = &h->mechanism[i];
        for (unsigned k = 0; k < PLANT_RULES && m->kind->rule[k]; k++)
            m->rule[k] = fill(h, m, m->kind->rule[k]);
        for (unsigned k = 0; k < PLANT_PART_KINDS && m->kind->part[k].form[0] && ok; k++) {
            if (m->kind->part[k].weight)
                ok = add_part(h, m, &m->kind->part[k]);
        }
    }
    weigh(h->some, h, 1);
    memcpy(h->many, h->some, sizeof h->many);
    weigh(h->many, h, 1000);
    if (ok && h->parts)
        return DP_OK;
    plant_host_done(h);
    return ok ? DP_EINVALID : DP_ENOMEM;
}

void plant_host_done(plant_host *h)
{
    dp_arena_done(&h->memory);
}

/* ---- rules ------------------------------------------------------------------------------------------------------ */

static unsigned place(const plant_kind *k)
{
    return k->flags & PLANT_DROP ? 0 : k->flags & PLANT_ALIAS ? 1 : k->flags & PLANT_LATE ? 3 : 2;
}

/* Whether an earlier mechanism has the same scope, *.$H. */
static bool names_again(const plant_host *h, unsigned i)
{
    bool again = false;
    for (unsigned k = 0; k < i && strcmp(h->mechanism[i].kind->scope, "*.$H") == 0; k++)
        again |= h->mechanism[k].kind->scope && strcmp(h->mechanism[k].kind->scope, "*.$H") == 0;
    return again;
}

void plant_host_rules(dp_buf *out, const plant_host *h)
{
    dp_buf_printf(out, "host %.*s", DP_FMT(h->name));
    for (unsigned i = 0; i < h->mechanisms; i++) {
        if (!h->mechanism[i].kind->scope || names_again(h, i))
            continue;
        dp_buf_c(out, ", ");
        for (const char *z = h->mechanism[i].kind->scope; *z; z++) {
            if (*z == '$')
                dp_buf_str(out, code_text(h, &h->mechanism[i], *++z));
            else
                dp_buf_byte(out, *z);
        }
    }
    dp_buf_byte(out, '\n');
    for (unsigned at = 0; at < 4; at++) {
        for (unsigned i = 0; i < h->mechanisms; i++) {
            const plant_mechanism *m = &h->mechanism[i];
            for (unsigned k = 0; k < PLANT_RULES && m->rule[k].p && place(m->kind) == at; k++)
                dp_buf_printf(out, "%.*s  # %s\n", DP_FMT(m->rule[k]), m->kind->name);
        }
    }
}
