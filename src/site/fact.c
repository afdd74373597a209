/* SPDX-License-Identifier: Apache-2.0 */
#include "site/fact.h"

#include "base/fold.h"
#include "base/hash.h"
#include "base/secret.h"
#include "base/words/case.h"
#include "url/host.h"
#include "url/normalize.h"
#include "url/resolve.h"
#include "url/resource.h"
#include "url/split.h"

uint64_t dp_fact_hash(dp_str text)
{
    return dp_hash_str(text);
}

dp_str dp_fact_host(dp_str url)
{
    dp_split s;
    return dp_split_url(&s, url) ? s.host : (dp_str){0};
}

/* The stage-0 form of `url`, in `form` where it differs; false when it is none, or memory is out (*code). */
static bool read_form(dp_fact_maker *m, dp_buf *form, dp_str *url, dp_err *code)
{
    dp_frame_result is = dp_frame_read(&m->frame, *url);
    if (is == DP_FRAME_NOT_NORMAL) {
        dp_buf_reset(form);
        bool ok = dp_normalize(form, *url);
        *code = form->failed ? DP_ENOMEM : DP_OK;
        if (!ok)
            return false;
        *url = dp_buf_view(form);
        is = dp_frame_read(&m->frame, *url);
    }
    *code = is == DP_FRAME_NOMEM ? DP_ENOMEM : DP_OK;
    return is == DP_FRAME_OK;
}

/* ---- content ------------------------------------------------------------------------------------------------ */

static dp_err add_content(dp_fact_maker *m, dp_fact *f, const dp_record *r)
{
    dp_evidence e;
    m->maker.same = (dp_sameness){.simhash = -1};
    m->maker.min_size = 0; /* site/label.c looks at sizes */
    dp_evidence_forget(&m->maker);
    DP_TRY(dp_evidence_make(&m->maker, &e, r));
    if (e.shown.slots) {
        f->has |= DP_FACT_SLOTS;
        f->slots = (dp_str){(const char *)e.shown.slots, e.shown.n * sizeof *e.shown.slots};
    }
    if (e.has & DP_EVIDENCE_DIGEST) {
        f->has |= DP_FACT_DIGEST;
        f->digest = e.digest;
    }
    if (e.has & DP_EVIDENCE_TEXT) {
        f->has |= DP_FACT_TEXT;
        f->text = e.text;
    }
    f->mime = e.has ? e.mime : 0;
    if (dp_record_has(r, DP_FIELD_SKETCH)) {
        f->has |= DP_FACT_SKETCH;
        memcpy(f->sketch, r->sketch.min, sizeof f->sketch);
    }
    if (dp_record_has(r, DP_FIELD_SIMHASH)) {
        f->has |= DP_FACT_SIMHASH;
        f->simhash = r->simhash;
    }
    if (dp_record_has(r, DP_FIELD_TIME)) {
        f->has |= DP_FACT_TIME;
        f->time = r->time;
    }
    return DP_OK;
}

/* The kind that the content type says, where the name of the file says another one. Logs have tags (add_log). */
static void add_resource(dp_fact *f, const dp_frame *form, const dp_record *r)
{
    dp_str      file = dp_frame_seg(form, form->nseg - 1);
    dp_resource is = dp_resource_of(r->mime, file);
    if (is == dp_resource_of((dp_str){"", 0}, file))
        return;
    f->has |= DP_FACT_RESOURCE;
    f->resource = (uint8_t)is;
}

/* ---- everything else that a page has ---------------------------------------------------------------------------- */

static uint32_t short_number(int64_t n)
{
    return n < 0 ? 0 : n < UINT32_MAX ? (uint32_t)n : UINT32_MAX - 1;
}

static void add_numbers(dp_fact *f, const dp_record *r)
{
    if (dp_record_has(r, DP_FIELD_SIZE) && r->size >= 0) {
        f->has |= DP_FACT_SIZE;
        f->size = r->size;
    }
    if (r->hits > 1) {
        f->has |= DP_FACT_HITS;
        f->hits = short_number(r->hits);
    }
    if (dp_record_has(r, DP_FIELD_IMPORTANCE)) {
        f->has |= DP_FACT_IMPORTANCE;
        f->importance = r->importance;
    }
    if (dp_record_has(r, DP_FIELD_INLINKS)) {
        f->has |= DP_FACT_INLINKS;
        f->inlinks = short_number(r->inlinks);
    }
    if (dp_record_has(r, DP_FIELD_HOPS)) {
        f->has |= DP_FACT_HOPS;
        f->hops = short_number(r->hops);
    }
}

static void add_client(dp_fact_maker *m, dp_fact *f, const dp_record *r)
{
    if (!r->client.n)
        return;
    m->client = (uint32_t)dp_secret_text(r->client); /* which of them is whose nobody can tell afterwards */
    f->has |= DP_FACT_CLIENT;
    f->clients = (dp_str){(const char *)&m->client, sizeof m->client};
}

/* Where the URL leads, unless that is no URL or itself. */
static dp_err add_link(dp_fact_maker *m, dp_fact *f, dp_str base, dp_str link)
{
    dp_err code;
    dp_buf_reset(&m->link);
    if (!link.n || !dp_resolve(&m->link, base, link))
        return m->link.failed ? DP_ENOMEM : DP_OK;
    dp_str to = dp_buf_view(&m->link);
    if (!read_form(m, &m->link_form, &to, &code))
        return code;
    if (!dp_str_eq(to, f->url)) {
        f->has |= DP_FACT_LINK;
        f->link = to;
    }
    return DP_OK;
}

/* ---- what a log says ------------------------------------------------------------------------------------------- */

/* Whether nothing says what the page holds. */
static bool has_no_content(const dp_record *r)
{
    const uint32_t content = 1u << DP_FIELD_CLUSTER | 1u << DP_FIELD_DIGEST | 1u << DP_FIELD_SKETCH |
                             1u << DP_FIELD_SIMHASH;
    return !(r->has & content) && !r->body.n && !r->header.n;
}

static bool is_of_log(const dp_record *r)
{
    return r->client.n && has_no_content(r);
}

/* Who asked, by address and program: behind one address there may be many. */
static uint64_t asker(const dp_record *r)
{
    return dp_secret_text(r->client) ^ dp_hash_mix(dp_secret_text(r->agent));
}

/* Whether it came from another page of the host: then it is linked, and nobody has guessed it. */
static bool is_linked(const dp_record *r, dp_str host)
{
    dp_split parts;
    return r->referer.n && dp_split_url(&parts, r->referer) && dp_str_eq_but_case(parts.host, host) &&
           !dp_str_eq(r->referer, r->url);
}

/* "W/" and quotes stand around an ETag; "-gzip" is added where the page was packed on the way. */
static dp_str plain_etag(dp_str s)
{
    const dp_str packed = DP_STR("-gzip");
    if (dp_str_starts(s, DP_STR("W/")))
        s = dp_str_cut(s, 2, s.n);
    while (s.n && (s.p[0] == '"' || s.p[0] == '\\'))
        s = dp_str_cut(s, 1, s.n);
    while (s.n && (s.p[s.n - 1] == '"' || s.p[s.n - 1] == '\\'))
        s.n--;
    return s.n > packed.n && dp_str_ends(s, packed) ? dp_str_cut(s, 0, s.n - packed.n) : s;
}

static uint32_t tag_of(const dp_record *r)
{
    dp_str etag = plain_etag(r->etag), type = r->mime;
    if (etag.n)
        return (uint32_t)dp_hash_str(etag) | DP_TAG_OF_VERSION;
    return type.n ? ((uint32_t)dp_hash_str(dp_next_field(&type, ';')) & ~DP_TAG_OF_VERSION) | 1 : 0;
}

static void add_log(dp_fact_maker *m, dp_fact *f, const dp_record *r)
{
    if (!is_of_log(r))
        return;
    f->linked = is_linked(r, f->host);
    f->has |= f->linked ? (uint32_t)DP_FACT_LINKED : 0;
    m->tag = (dp_fact_size){tag_of(r), 1};
    if (m->tag.size && r->status != 304) {
        f->has |= DP_FACT_TAGS;
        f->tags = (dp_str){(const char *)&m->tag, sizeof m->tag};
    }
}

/* Where the client of a page comes from. */
static dp_err look_back(dp_fact_maker *m, const dp_fact *f, const dp_record *r)
{
    dp_str from;
    if (!is_of_log(r) || !dp_record_has(r, DP_FIELD_TIME) ||
        !dp_follow_arrive(&m->follow, asker(r), r->time, f->url, &from))
        return DP_OK;
    dp_buf_str(&m->from, from);
    return m->from.failed ? DP_ENOMEM : DP_OK;
}

/* A redirect of which the log does not say where it leads. */
static dp_err await(dp_fact_maker *m, const dp_record *r)
{
    dp_err code = DP_OK;
    dp_str url = r->url;
    bool   redirects = (r->status >= 301 && r->status <= 303) || r->status == 307 || r->status == 308;
    if (!redirects || r->method.n || !is_of_log(r) || !dp_record_has(r, DP_FIELD_TIME) ||
        !read_form(m, &m->form, &url, &code))
        return code;
    return dp_follow_note(&m->follow, asker(r), r->time, url);
}

bool dp_fact_followed(const dp_fact_maker *m, const dp_fact *page, dp_fact *out)
{
    dp_str from = dp_buf_view(&m->from), host = dp_fact_host(from);
    if (!from.n || page->kind != DP_FACT_PAGE || !dp_str_eq(dp_host_domain(host), dp_host_domain(page->host)))
        return false;
    *out = (dp_fact){.kind = DP_FACT_FOLLOWED, .has = DP_FACT_LINK, .url = from, .host = host, .link = page->url};
    return true;
}

/* ---- records ---------------------------------------------------------------------------------------------- */

/* Whether a line of a log says that there is no such page. What a crawler has fetched has a content and tells more. */
static bool is_gone(const dp_record *r)
{
    return !r->method.n && (r->status == 404 || r->status == 410) && has_no_content(r);
}

/* What there is to say of a record that shows no page. */
static dp_err make_gone(dp_fact_maker *m, dp_fact *out, const dp_record *r, bool *any)
{
    dp_err  code;
    dp_fact f = {.kind = DP_FACT_GONE, .url = r->url};
    bool    is_error = !r->method.n && (r->status >= 400 || r->status < 100);
    m->total[is_error ? DP_FACT_ERRORS : DP_FACT_NOT_PAGES]++;
    DP_TRY(await(m, r));
    if (!is_gone(r) || !read_form(m, &m->form, &f.url, &code))
        return is_gone(r) ? code : DP_OK;
    f.host = dp_frame_host(&m->frame);
    *out = f;
    *any = true;
    return DP_OK;
}

dp_err dp_fact_make(dp_fact_maker *m, dp_fact *out, const dp_record *r, bool *any)
{
    bool    redirects = dp_record_is_redirect(r);
    dp_err  code;
    dp_fact f = {.kind = redirects ? DP_FACT_REDIRECT : DP_FACT_PAGE, .url = r->url};
    bool    is_unchanged = !r->method.n && r->status == 304 && is_of_log(r);
    *any = false;
    m->total[DP_FACT_RECORDS]++;
    dp_buf_reset(&m->from);
    if (r->path != m->path)
        dp_follow_reset(&m->follow);
    m->path = r->path;
    if (!redirects && !dp_record_is_page(r) && !is_unchanged)
        return make_gone(m, out, r, any);
    if (!read_form(m, &m->form, &f.url, &code)) {
        m->total[DP_FACT_NOT_URLS] += code == DP_OK;
        return code;
    }
    f.host = dp_frame_host(&m->frame);
    if (!redirects && !is_of_log(r))
        add_resource(&f, &m->frame, r);
    if (!dp_str_eq(f.url, r->url)) {
        f.has |= DP_FACT_SPELLING;
        f.spelling = (uint32_t)dp_hash_str(r->url);
    }
    if (dp_record_has(r, DP_FIELD_CLUSTER) && r->cluster.n) {
        f.has |= DP_FACT_CLUSTER;
        f.cluster = dp_hash_str(r->cluster);
        f.fold = (uint8_t)dp_fold_of(r->cluster);
    }
    add_client(m, &f, r);
    m->total[DP_FACT_REDIRECTS] += redirects;
    if (redirects) {
        DP_TRY(add_link(m, &f, r->url, r->target));
    } else {
        DP_TRY(add_content(m, &f, r));
        if (!is_unchanged)
            add_numbers(&f, r);
        add_log(m, &f, r);
        DP_TRY(look_back(m, &f, r));
        DP_TRY(add_link(m, &f, r->url, r->canonical.n ? r->canonical : m->maker.canonical));
    }
    *out = f;
    *any = true;
    return DP_OK;
}

dp_fact dp_fact_without_clients(const dp_fact *f)
{
    dp_fact out = *f;
    out.has &= ~(uint32_t)DP_FACT_CLIENT;
    out.clients = (dp_str){0};
    return out;
}

dp_fact dp_fact_named(const dp_fact *f, dp_str domain, dp_str host)
{
    return (dp_fact){.kind = DP_FACT_NAMED,
                     .url = f->link,
                     .host = host,
                     .by = f->kind == DP_FACT_REDIRECT ? DP_BY_REDIRECT : DP_BY_CANONICAL,
                     .from = dp_fact_hash(f->url),
                     .from_domain = domain};
}

dp_err dp_fact_check(dp_frame *frame, const dp_fact *f)
{
    dp_frame_result link = f->has & DP_FACT_LINK ? dp_frame_read(frame, f->link) : DP_FRAME_OK;
    dp_frame_result url = dp_frame_read(frame, f->url);
    if (link == DP_FRAME_NOMEM || url == DP_FRAME_NOMEM)
        return DP_ENOMEM;
    return link == DP_FRAME_OK && url == DP_FRAME_OK && dp_str_eq(dp_frame_host(frame), f->host) ? DP_OK : DP_ESYNTAX;
}

void dp_fact_maker_done(dp_fact_maker *m)
{
    dp_evidence_maker_done(&m->maker);
    dp_frame_done(&m->frame);
    dp_buf_done(&m->form);
    dp_buf_done(&m->link);
    dp_buf_done(&m->link_form);
    dp_buf_done(&m->from);
    dp_follow_done(&m->follow);
    *m = (dp_fact_maker){0};
}
