/* SPDX-License-Identifier: Apache-2.0 */
#include "output/difference.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/plural.h"
#include "base/room.h"
#include "base/words/json.h"

enum { SHOWN = 60 /* bytes of a text */ };

dp_err dp_difference_see(dp_difference *d, const dp_record *r, const dp_evidence *e, uint32_t page)
{
    unsigned             which = dp_str_eq(r->url, d->url[0]) ? 0 : dp_str_eq(r->url, d->url[1]) ? 1 : 2;
    dp_page              p;
    const dp_page_source in = {.url = r->url, .header = r->header, .mime = r->mime, .body = r->body};
    if (which == 2 || !e->shown.slots)
        return DP_OK;
    if (!d->reader)
        DP_TRY(dp_page_reader_new(&d->reader));
    DP_TRY(dp_page_read(d->reader, &p, &in));
    if (!DP_ROOM(d->v, d->n, d->cap))
        return DP_ENOMEM;
    dp_sighting *s = &d->v[d->n++];
    *s = (dp_sighting){.which = which, .page = page, .is_html = p.kind == DP_PAGE_HTML};
    dp_buf_str(&s->text, p.text);
    if (s->text.failed || !DP_ROOM_FOR(s->slots.v, e->shown.n + (size_t)1, s->slots.cap))
        return DP_ENOMEM;
    memcpy(s->slots.v, e->shown.slots, e->shown.n * sizeof *s->slots.v);
    s->slots.n = e->shown.n;
    return DP_OK;
}

dp_err dp_difference_settle(dp_difference *d, dp_clusters *c, dp_error *err)
{
    bool found[2] = {false};
    for (size_t i = 0; i < d->n; i++) {
        if (!c->has[d->v[i].page])
            continue;
        found[d->v[i].which] = true;
        d->chosen[d->v[i].which] = i;
    }
    for (int k = 0; k < 2; k++) {
        if (!found[k])
            return dp_fail(err, DP_EINVALID, "%.*s: the input has no page of this URL whose text is known",
                           DP_FMT(d->url[k]));
    }
    d->ask.a = d->v[d->chosen[0]].page;
    d->ask.b = d->v[d->chosen[1]].page;
    c->ask = &d->ask;
    return DP_OK;
}

void dp_difference_done(dp_difference *d)
{
    for (size_t i = 0; i < d->n; i++) {
        dp_buf_done(&d->v[i].text);
        dp_slots_done(&d->v[i].slots);
    }
    free(d->v);
    free(d->ask.v);
    dp_page_reader_free(d->reader);
    *d = (dp_difference){0};
}

/* ---- what people see ------------------------------------------------------------------------------------------ */

/* The i-th slot of a place; *hash is 0 where there is none. */
static dp_str slot_text(const dp_sighting *s, uint32_t place, size_t i, uint64_t *hash)
{
    const dp_slots_source in = {.text = dp_buf_view(&s->text), .is_html = s->is_html};
    size_t                at = 0;
    for (size_t k = 0; k < s->slots.n; k++) {
        size_t end = dp_slot_end(&in, at, &s->slots.v[k]);
        if (s->slots.v[k].place == place && s->slots.v[k].words && i-- == 0) {
            *hash = s->slots.v[k].hash;
            return dp_str_trim(dp_str_cut(in.text, at, end));
        }
        at = end;
    }
    *hash = 0;
    return (dp_str){0};
}

/* The first slots of a place that differ. */
static void find_texts(dp_str text[2], const dp_difference *d, uint32_t place)
{
    uint64_t hash[2] = {1, 1};
    for (size_t i = 0; hash[0] || hash[1]; i++) {
        for (int k = 0; k < 2; k++)
            text[k] = slot_text(&d->v[d->chosen[k]], place, i, &hash[k]);
        if (hash[0] != hash[1])
            return;
    }
}

static void add_short(dp_buf *out, dp_str text)
{
    size_t n = text.n;
    if (n > SHOWN) {
        for (n = SHOWN; n && ((unsigned char)text.p[n] & 0xC0) == 0x80;)
            n--;
    }
    dp_buf_str(out, dp_str_cut(text, 0, n));
    if (n < text.n)
        dp_buf_c(out, "...");
}

static const char *const kinds[] = {"text", "number", "age", "clock", "date", "id"};

static void add_reason(dp_buf *out, const dp_hidden_place *p)
{
    uint32_t pairs = p->changed + p->same;
    switch (p->why) {
    case DP_HIDDEN_CLOCK:
        dp_buf_printf(out, "it shows the time of the fetch on %" PRIu32 " of %" PRIu32 " pages", p->now, p->timed);
        return;
    case DP_HIDDEN_AGE: dp_buf_c(out, "pages that differ in nothing else show another age at another time"); return;
    case DP_HIDDEN_COUNTER: dp_buf_c(out, "pages that differ in nothing else show a greater number later"); return;
    case DP_HIDDEN_TOKEN: dp_buf_c(out, "pages that differ in nothing else have an id each, in no URL"); return;
    case DP_HIDDEN_URLS: dp_buf_c(out, "hiding it would join URLs that have nothing in common"); return;
    case DP_HIDDEN_NOT:
        if (!pairs) {
            dp_buf_c(out, "no URL that has it was fetched twice");
            return;
        }
        break;
    default: break;
    }
    dp_buf_printf(out, "changed in %" PRIu32 " of %" PRIu32 " URL%s fetched twice", p->changed, pairs, dp_s(pairs));
}

static void print_place(dp_buf *out, const dp_difference *d, const dp_hidden_place *p, bool json)
{
    dp_str text[2] = {{0}};
    dp_buf part[3] = {{0}};
    find_texts(text, d, p->place);
    for (int k = 0; k < 2; k++)
        add_short(&part[k], text[k]);
    add_reason(&part[2], p);
    if (json) {
        dp_json_open(out, NULL, '{');
        dp_json_flag(out, "hidden", p->hidden);
        dp_json_text(out, "kind", dp_str_c(kinds[p->kind]));
        dp_json_text(out, "first", dp_buf_view(&part[0]));
        dp_json_text(out, "second", dp_buf_view(&part[1]));
        dp_json_text(out, "why", dp_buf_view(&part[2]));
        dp_buf_byte(out, '}');
    } else {
        dp_buf_printf(out, "%s  %-6s  \"%.*s\"  \"%.*s\"  %.*s\n", p->hidden ? "hidden" : "shown ", kinds[p->kind],
                      DP_FMT(dp_buf_view(&part[0])), DP_FMT(dp_buf_view(&part[1])), DP_FMT(dp_buf_view(&part[2])));
    }
    for (int k = 0; k < 3; k++) {
        out->failed |= part[k].failed;
        dp_buf_done(&part[k]);
    }
}

void dp_difference_print(dp_buf *out, const dp_difference *d, dp_clusters *c, bool json)
{
    uint32_t a = dp_sets_root(&c->sets, d->ask.a), b = dp_sets_root(&c->sets, d->ask.b);
    if (json) {
        dp_buf_byte(out, '{');
        dp_json_flag(out, "same", a == b);
        dp_json_id(out, "first_cluster", c->id[a]);
        dp_json_id(out, "second_cluster", c->id[b]);
        dp_json_open(out, "places", '[');
    } else if (a == b) {
        dp_buf_printf(out, "one page: cluster %016" PRIx64 "\n", c->id[a]);
    } else {
        dp_buf_printf(out, "two pages: clusters %016" PRIx64 " and %016" PRIx64 "\n", c->id[a], c->id[b]);
    }
    for (size_t i = 0; i < d->ask.n; i++)
        print_place(out, d, &d->ask.v[i], json);
    if (json)
        dp_buf_c(out, "]}\n");
    else if (!d->ask.answered)
        dp_buf_c(out, "they are on two hosts, or the text of one is not known: places are not compared\n");
    else if (!d->ask.n)
        dp_buf_c(out, "no place differs\n");
}
