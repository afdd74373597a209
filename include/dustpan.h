/* dustpan.h - learn and apply rules that map every URL of a page to one key.
 *
 * A program that works:
 *
 *     #include <dustpan.h>
 *     #include <stdio.h>
 *     int main(void)
 *     {
 *         const char rules[] = "dustpan-rules 1\nhost example.com\ndrop ?sid\n", url[] = "http://example.com/a?sid=7";
 *         dp_rules *r; dp_engine *e; dp_scratch *s; dp_error err; char key[256];
 *         if (dp_rules_new(&r) || dp_rules_parse(r, "mine", rules, sizeof rules - 1, &err) ||
 *             dp_engine_new(&e, r, 0, 0, &err) || dp_scratch_new(&s))
 *             return 1;
 *         size_t n = dp_apply(e, s, url, sizeof url - 1, key, sizeof key);
 *         printf("%.*s\n", (int)n, key);
 *         dp_scratch_free(s); dp_engine_free(e); dp_rules_free(r);
 *         return 0;
 *     }
 *
 * Ownership: what arrives through `**out` is yours; free it with its _free function.
 * What is returned is borrowed from the argument it came from.
 *
 * Threads: an engine never changes once it is made, so threads may share it; everything
 * else may be used by one thread at a time. Nothing here prints, exits, or keeps globals,
 * except for a random number, drawn once, for the layout of tables; no output depends on it.
 *
 * Text goes in as pointer + length (any bytes, NUL included) and comes out in the
 * caller's buffer or as a dp_text. Functions that can fail return dp_err; those that
 * take a dp_error (it may be NULL) fill it with the place and a message.
 *
 * Words: a key is the form of a URL to compare with others, never to request. URLs with one key are
 * merged. "Basic URL cleanup" (stage 0) is what every URL gets without any rule, after RFC 3986: lower case
 * in scheme and host, no default port, no fragment, and so on (docs/urls.md). A cluster is the name of a page in
 * the input: URLs of one cluster show the same page. A rule is likely until it is tested, then active or off.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DUSTPAN_H
#define DUSTPAN_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define DP_API __attribute__((visibility("default")))

/* ---- errors ------------------------------------------------------------------------ */

typedef enum dp_err {
    DP_OK = 0,
    DP_ENOMEM = -1,   /* out of memory */
    DP_EIO = -2,      /* a file could not be opened, read or written */
    DP_ESYNTAX = -3,  /* outside data is malformed */
    DP_ELIMIT = -4,   /* outside data exceeds a documented limit */
    DP_EINVALID = -5, /* the caller's arguments make no sense together */
    DP_EABSENT = -6   /* a library that this needs is absent: see dp_library */
} dp_err;

typedef struct dp_error {
    int    code;         /* a dp_err */
    size_t line, column; /* from 1, in bytes; 0 when there is none */
    char   file[512];    /* "" when there is none */
    char   message[1536];
} dp_error;

DP_API const char *dp_err_name(dp_err code);
DP_API const char *dp_version(void);

/* The name of library `i`, from 0, of those that only some commands need; NULL behind the last. `*version` is "" where
 * it does not tell, NULL where it is absent: what `*serves` names fails then, with DP_EABSENT. */
DP_API const char *dp_library(size_t i, const char **version, const char **serves);

/* ---- text that the library made ----------------------------------------------------- */

typedef struct dp_text dp_text;

DP_API const char *dp_text_data(const dp_text *t); /* NUL-terminated, but may contain NULs */
DP_API size_t      dp_text_size(const dp_text *t);
DP_API void        dp_text_free(dp_text *t);

typedef enum dp_format { DP_PLAIN = 0, DP_JSON = 1 } dp_format;

/* ---- rules: the text file, parsed ---------------------------------------------------- */

typedef struct dp_rules dp_rules;

DP_API dp_err dp_rules_new(dp_rules **out);
DP_API void   dp_rules_free(dp_rules *r);

/* Add a rule file, text or compiled. Several files are read as one, in the order in which
 * they are added. A file with an error leaves `r` as it was. */
DP_API dp_err dp_rules_read(dp_rules *r, const char *path, dp_error *err);

/* The same from memory; `name` is the file name for messages. */
DP_API dp_err dp_rules_parse(dp_rules *r, const char *name, const char *text, size_t n, dp_error *err);

/* The number of rules. In the functions that follow, `i` is the number of a rule in the order of the lines, from 0. */
DP_API size_t      dp_rules_count(const dp_rules *r);

/* How pages were told apart where the rules were learned, by the header of the first file: "clusters", "content" or
 * "clusters,content", `*n` bytes; NULL: it does not say. */
DP_API const char *dp_rules_identity(const dp_rules *r, size_t *n);

DP_API uint64_t    dp_rules_id(const dp_rules *r, size_t i);
DP_API const char *dp_rules_text(const dp_rules *r, size_t i, size_t *n);  /* without state, attributes, comment */
DP_API const char *dp_rules_hosts(const dp_rules *r, size_t i, size_t *n); /* "a.com, *.b.com" */

/* The value of attribute `key` of rule `i`; NULL when the rule does not have it. */
DP_API const char *dp_rules_attr(const dp_rules *r, size_t i, const char *key, size_t *n);

typedef enum dp_state { DP_ACTIVE = 0, DP_PIN = 1, DP_LIKELY = 2, DP_OFF = 3 } dp_state;
DP_API dp_state dp_rules_state(const dp_rules *r, size_t i);

/* Turn every rule whose id begins with the hex digits `id` off, or on again (active);
 * `*changed` is the number of rules changed. DP_EINVALID when no rule has that id. */
DP_API dp_err dp_rules_turn(dp_rules *r, const char *id, int on, size_t *changed, dp_error *err);

/* Turn off every rule with an attribute p below `min_precision`, but for pinned ones; `*changed` is their number. */
DP_API dp_err dp_rules_limit(dp_rules *r, double min_precision, size_t *changed);

/* Turn off rules (active and likely ones) that nothing has confirmed for a long time: those whose attribute `seen` is a
 * day before `when`, and those whose attribute `until` is. `when` is a day ("2026-08-01") or a number of days ("90d")
 * before the newest `seen`, or before `newest` (seconds since 1970, 0: not known) where that is later; `until` is then
 * compared with that newest day itself. Rules without these attributes stay. `*expired` is the number of rules turned
 * off. DP_EINVALID when `when` is neither, DP_ESYNTAX when an attribute is not a day. */
DP_API dp_err dp_rules_expire(dp_rules *r, const char *when, int64_t newest, size_t *expired, dp_error *err);

/* The file as `rules fmt` prints it. */
DP_API dp_err dp_rules_print(dp_text **out, const dp_rules *r);

/* Each rule once for all hosts that have it, those with the highest risk first. */
DP_API dp_err dp_rules_show(dp_text **out, const dp_rules *r, dp_format format);

/* All that was added as one rule file: blocks for the same hosts are joined, repeated rules are written once. */
DP_API dp_err dp_rules_merge(dp_rules **out, const dp_rules *r, dp_error *err);

/* What only `a` or only `b` has; `*differences` is the number of lines. */
DP_API dp_err dp_rules_diff(dp_text **out, const dp_rules *a, const dp_rules *b, dp_format format, size_t *differences);

/* Check one file for errors, for rules that fire again on their own result (with the steps), and for rules that can
 * never fire. Unlike dp_rules_read it does not stop at the first error. */
DP_API dp_err dp_rules_check(dp_text **out, const char *path, dp_format format, size_t *findings, dp_error *err);

/* The i-th tool that rules can be exported to, what it is, and what it assumes about URLs beyond the basic cleanup;
 * NULL when there are no more. */
DP_API const char *dp_export_target_name(size_t i, const char **summary, const char **assumes);

typedef enum dp_exchange_count {
    DP_EXCHANGE_TAKEN,   /* rules written */
    DP_EXCHANGE_REFUSED, /* rules, or entries of a list, that were not */
    DP_EXCHANGE_LINES,   /* other lines of the rule file that were not */
    DP_EXCHANGE_LIKELY,  /* rules left out because they are likely; DP_WITH_LIKELY exports them */
    DP_EXCHANGE_COUNTS
} dp_exchange_count;

enum { DP_EXPORT_SECRETS = 2 }; /* flag of dp_rules_export: also rules with values that may be secret */

/* Export rules to another tool's format, as far as it can express them exactly. The other rules are listed in
 * `*refusals`, one per line, with file, line, id and reason; so are those with values that may be secret. Flags as in
 * dp_engine_new, and DP_EXPORT_SECRETS. docs/exchange.md. */
DP_API dp_err dp_rules_export(dp_text **out, dp_text **refusals, const dp_rules *r, const char *target, unsigned flags,
                              size_t count[DP_EXCHANGE_COUNTS], dp_error *err);

/* The i-th format that rules can be imported from, and what it is; NULL when there are no more. */
DP_API const char *dp_import_format_name(size_t i, const char **summary);

/* Make a rule file of another tool's text; `name` is its name for comments and messages. What rules cannot express is
 * listed in `*refusals`, one per line, with name, line and reason. */
DP_API dp_err dp_rules_import(dp_text **out, dp_text **refusals, const char *format, const char *name,
                              const char *text, size_t n, size_t count[DP_EXCHANGE_COUNTS], dp_error *err);

/* ---- engine: rules, compiled ---------------------------------------------------------- */

typedef struct dp_engine dp_engine;
typedef struct dp_scratch dp_scratch;

enum { DP_WITH_LIKELY = 1 }; /* flag of dp_engine_new and dp_engine_open */

/* Compile. Rules with an attribute p below `min_precision` do not fire (pinned ones do).
 * DP_ESYNTAX when a rule fires again on its own result. */
DP_API dp_err dp_engine_new(dp_engine **out, const dp_rules *r, unsigned flags, double min_precision, dp_error *err);

/* Map a compiled file. */
DP_API dp_err dp_engine_open(dp_engine **out, const char *path, unsigned flags, double min_precision, dp_error *err);

/* Write the compiled file, completely or not at all. */
DP_API dp_err dp_engine_save(const dp_engine *e, const char *path, dp_error *err);

DP_API void     dp_engine_free(dp_engine *e);
DP_API uint64_t dp_engine_set_id(const dp_engine *e); /* of everything in the rules that can change a key */

/* The rule file it was made from, for dp_rules_parse. */
DP_API const char *dp_engine_rules(const dp_engine *e, size_t *n);

/* The engine's rules, in line order. */
DP_API size_t      dp_engine_count(const dp_engine *e);
DP_API uint64_t    dp_engine_id(const dp_engine *e, size_t i);
DP_API const char *dp_engine_text(const dp_engine *e, size_t i, size_t *n);  /* rule with state and attributes */
DP_API const char *dp_engine_hosts(const dp_engine *e, size_t i, size_t *n);

/* 1 if the file at `path` is a compiled rule file, 0 if not, a negative dp_err if it cannot be read. */
DP_API int dp_is_compiled(const char *path, dp_error *err);

DP_API dp_err dp_scratch_new(dp_scratch **out);
DP_API void   dp_scratch_free(dp_scratch *s);

/* For comparing; for fetching; as index keys are; after the basic cleanup only; as it was given. */
typedef enum dp_form { DP_KEY = 0, DP_FETCH = 1, DP_SURT = 2, DP_STAGE0 = 3, DP_FOUND = 4 } dp_form;

/* Write the key of `url` to `out` (at most `cap` bytes, no NUL) and return its full
 * length; more than `cap` means "call again with more room". A URL that no rule changes
 * gets the basic cleanup only; text that is not a URL comes back unchanged. Allocates only
 * when `s` must grow; (size_t)-1 when that fails. */
DP_API size_t dp_apply(const dp_engine *e, dp_scratch *s, const char *url, size_t len, char *out, size_t cap);

/* The same for another form. */
DP_API size_t dp_apply_form(const dp_engine *e, dp_scratch *s, dp_form form, const char *url, size_t len, char *out,
                            size_t cap);

/* The same without a copy: the result is in `s` (or is `url` itself) and valid until `s` is used again. */
DP_API const char *dp_apply_view(const dp_engine *e, dp_scratch *s, dp_form form, const char *url, size_t len,
                                 size_t *n);

/* What dp_apply_batch tells about each URL. */
enum {
    DP_IS_URL = 1,
    DP_FIRED = 2,     /* at least one rule fired */
    DP_HIT_LIMIT = 4, /* stopped after 64 rewrites: the answer is the URL after the basic cleanup */
    DP_CHANGED = 8,   /* the answer differs from the input */
    DP_FOREIGN = 16   /* dp_scratch_foreign would name a domain */
};

/* Answers for `count` URLs that lie end to end in `urls`: URL i is from at[i] to at[i + 1],
 * minus `gap` separator bytes. The answers are written to `out` in the same way: answer i ends
 * at ends[i] and is followed by `gap` line feeds. `flags` (may be NULL) gets the flags of each.
 * Returns the number of URLs done: fewer than `count` when `out` is full (0 when not even the first
 * fits), (size_t)-1 when out of memory. Faster than one by one for URLs of many hosts. */
DP_API size_t dp_apply_batch(const dp_engine *e, dp_scratch *s, dp_form form, const char *urls, const uint64_t *at,
                             size_t count, size_t gap, char *out, size_t cap, uint64_t *ends, uint8_t *flags);

/* The same for a column of strings as Apache Arrow stores them: URL i is from offsets[i] to offsets[i + 1] in `text`
 * (`size` bytes). The count + 1 offsets are int32_t (`width` 4) or int64_t (8). The keys are another such column.
 * DP_EINVALID when the offsets are wrong, DP_ELIMIT when those of the keys do not fit into their width. */
typedef struct dp_batch dp_batch;

DP_API dp_err      dp_batch_apply(dp_batch **out, const dp_engine *e, dp_scratch *s, dp_form form, const char *text,
                                  size_t size, const void *offsets, unsigned width, size_t count);
DP_API void        dp_batch_free(dp_batch *b);
DP_API const char *dp_batch_text(const dp_batch *b, size_t *n);
DP_API const void *dp_batch_offsets(const dp_batch *b); /* NULL: of lines */

/* The same for lines: `text` is one or more URLs separated by line feeds; each key is followed by one. */
DP_API dp_err dp_batch_lines(dp_batch **out, const dp_engine *e, dp_scratch *s, dp_form form, const char *text,
                             size_t size);

/* About the last URL for which `s` was used. */
DP_API int             dp_scratch_is_url(const dp_scratch *s);
DP_API int             dp_scratch_hit_limit(const dp_scratch *s);
DP_API const uint32_t *dp_scratch_fired(const dp_scratch *s, size_t *n); /* rule numbers, in order of firing */

/* The registrable domain of that URL, if its key lies on another one because of a learned rule that nobody vouches for
 * (across=redirect, canonical or copies, not pinned); else NULL. What the domain shows may have changed since, so do
 * not mark that key as seen: ask dp_seen_has, and add a key with this domain in it. It lives in `s`. */
DP_API const char *dp_scratch_foreign(const dp_scratch *s, size_t *n);

/* What that URL is remembered by if it may be a probe, else NULL. A probe is fetched although its key was seen: what it
 * shows tests the rules, when it is given to an audit with the other records. A hash of the URL and `salt` decides
 * which ones may be: a random `share` (0 to 1). Add this tag to the dp_seen with the key (no key is equal to it); if
 * the tag is new and the key is not, the URL is a probe. So each is one at most once, and none that was fetched before.
 * It lives in `s`. */
DP_API const char *dp_scratch_probe(dp_scratch *s, double share, const char *salt, size_t *n);

/* Every rule that fired, in order, with its evidence. */
DP_API dp_err dp_explain(dp_text **out, const dp_engine *e, dp_form form, const char *url, size_t len,
                         dp_format format);

/* Why two URLs have the same key, or why not; `*same` is 1 or 0. */
DP_API dp_err dp_explain_pair(dp_text **out, const dp_engine *e, const char *a, size_t an, const char *b, size_t bn,
                              dp_format format, int *same);

/* ---- records: URLs, and what is known about them ------------------------------------------ */

typedef enum dp_field {
    DP_FIELD_URL,
    DP_FIELD_CLUSTER,
    DP_FIELD_STATUS,
    DP_FIELD_SIZE,
    DP_FIELD_DIGEST,
    DP_FIELD_SKETCH,
    DP_FIELD_SIMHASH,
    DP_FIELD_TITLE,
    DP_FIELD_IMPORTANCE,
    DP_FIELD_TARGET,    /* where it redirects to */
    DP_FIELD_CANONICAL, /* rel=canonical */
    DP_FIELD_TIME,
    DP_FIELD_INLINKS,
    DP_FIELD_HOPS,
    DP_FIELD_MIME,
    DP_FIELD_CLIENT,
    DP_FIELD_AGENT,
    DP_FIELD_HITS,
    DP_FIELDS
} dp_field;

/* How files are read, as texts; what is not set is recognised by their content. */
typedef enum dp_input_option {
    DP_INPUT_FORMAT,     /* urls tsv clusters list pairs jsonl clf combined w3c alb cdx cdxj crawllog warc wat */
    DP_INPUT_COLUMNS,    /* of tsv: "cluster,url,-" */
    DP_INPUT_LOG_FORMAT, /* nginx or Apache syntax */
    DP_INPUT_BASE_URL,   /* scheme and host for log lines without a host */
    DP_INPUT_IDENTITY    /* how pages are told apart: clusters, content, or clusters,content (the default) */
} dp_input_option;

typedef struct dp_input dp_input;

enum { DP_STRICT = 1 /* fail at the first line that cannot be read */, DP_WITH_BODIES = 2 /* of WARC responses */ };

/* Read records from files, one after another. Set options before opening the files; the paths must stay valid until
 * the end. */
DP_API dp_err dp_input_new(dp_input **out);
DP_API void   dp_input_free(dp_input *in);
DP_API dp_err dp_input_set(dp_input *in, dp_input_option option, const char *text);
DP_API dp_err dp_input_open(dp_input *in, const char *const *paths, size_t count, unsigned flags, dp_error *err);

/* Go to the next record; `*more` is 0 at the end. */
DP_API dp_err dp_input_next(dp_input *in, int *more, dp_error *err);

/* The fields of the current record; texts are valid until the next record. A field that is not known is NULL or 0. */
DP_API int         dp_input_has(const dp_input *in, dp_field field);
DP_API const char *dp_input_text(const dp_input *in, dp_field field, size_t *n); /* a sketch only if it is one word */
DP_API int64_t     dp_input_number(const dp_input *in, dp_field field); /* status size time inlinks hops hits */
DP_API uint64_t dp_input_hash(const dp_input *in, dp_field field, unsigned i); /* simhash; i-th of four of a sketch */
DP_API double      dp_input_importance(const dp_input *in);

typedef enum dp_part {
    DP_PART_LINE,   /* the line of the file, without its end */
    DP_PART_METHOD, /* of a request other than GET */
    DP_PART_HEADER, /* of an HTTP response */
    DP_PART_BODY    /* of an HTTP response, decoded */
} dp_part;

/* A part of the current record; NULL when it has none. */
DP_API const char *dp_input_part(const dp_input *in, dp_part part, size_t *n);

/* Where the current record is, and in which format. */
DP_API const char *dp_input_path(const dp_input *in);
DP_API uint64_t    dp_input_line(const dp_input *in); /* in an archive: the number of the record */
DP_API const char *dp_input_format(const dp_input *in);

/* Lines that could not be read so far, and the i-th of them; the first few are kept. */
DP_API uint64_t dp_input_bad_lines(const dp_input *in);
DP_API dp_err   dp_input_bad(const dp_input *in, size_t i, dp_error *bad);

/* ---- content: features of a page, for the records of a crawler ---------------------------------- */

typedef struct dp_content dp_content;

DP_API dp_err dp_content_new(dp_content **out);
DP_API void   dp_content_free(dp_content *c);

/* Read a page: its URL, its HTTP header block ("Content-Type: ...", may be empty), and its decoded body. */
DP_API dp_err dp_content_read(dp_content *c, const char *url, size_t url_size, const char *header, size_t header_size,
                              const char *body, size_t body_size);

/* After that: title, canonical, sketch and simhash in the form that columns of a record have, and as cluster a hash of
 * the visible text, which is the same for pages with the same text. Valid until the next page; NULL when the page has
 * none. */
DP_API const char *dp_content_text(const dp_content *c, dp_field field, size_t *n);

/* ---- models: networks trained by learn --method seq2seq ---------------------------------- */

typedef struct dp_model dp_model;

/* Threads may share it. DP_ESYNTAX when the file is damaged, DP_EINVALID when the library was built
 * without OpenBLAS. */
DP_API dp_err dp_model_open(dp_model **out, const char *path, dp_error *err);
DP_API void   dp_model_free(dp_model *m);

/* ---- seen-sets: keys of earlier runs and other processes ------------------------------------------------- */

typedef struct dp_seen dp_seen;

/* Flags of dp_seen_open: accept a file whose keys were made with other rules; if the file is new, let it remember URLs
 * (dp_seen_about). One that was made without the second is refused then, with DP_EINVALID. */
enum { DP_SEEN_ANY_SET = 1, DP_SEEN_REMEMBER = 2 };

/* Open the seen-set in the file `path`, which is created when it does not exist (and `path`-lock beside it). `set` is
 * the dp_engine_set_id of the rules that make the keys. A file whose keys were made with other rules is useless for
 * these, so it is refused with DP_EINVALID. Keys are compared in full, so answers are exact. Processes may share the
 * file: open it once in each, not on a network file system, and do not use it across fork. */
DP_API dp_err   dp_seen_open(dp_seen **out, const char *path, uint64_t set, unsigned flags, dp_error *err);
DP_API void     dp_seen_close(dp_seen *s); /* discards what was not committed */
DP_API uint64_t dp_seen_set(const dp_seen *s);
DP_API int      dp_seen_remembers(const dp_seen *s);

/* Add a batch of keys that lie end to end in `keys`, as in dp_apply_batch; fresh[i] is 1 if key i is new (its first
 * occurrence), else 0. Until the commit, other processes wait; add and commit in the same thread. First pass the new
 * keys on, then commit: keys that were not committed when a process dies are reported as new again, so none is lost. */
DP_API dp_err dp_seen_add(dp_seen *s, const char *keys, const uint64_t *at, size_t count, size_t gap, uint8_t *fresh,
                          dp_error *err);

/* Commit the batch, which writes the keys to disk (much faster in batches of thousands), or discard it. */
DP_API dp_err dp_seen_commit(dp_seen *s, dp_error *err);
DP_API void   dp_seen_forget(dp_seen *s);

/* Which of the keys are in the set; adds nothing and never waits. */
DP_API dp_err dp_seen_has(dp_seen *s, const char *keys, const uint64_t *at, size_t count, size_t gap, uint8_t *has,
                          dp_error *err);

/* The number of keys, and the size of the file in bytes. */
DP_API dp_err dp_seen_count(dp_seen *s, uint64_t *count, uint64_t *bytes, dp_error *err);

/* Tell of the keys of the next batch, one after another, before dp_seen_add: the URL that the key is of (`len` 0: none)
 * and the dp_engine_id of each rule that fired on it. In a file that remembers URLs those that turn out not to be new
 * are kept with these rules, and with those of the URL that had the key first. With `out` the key is only looked up,
 * and the URL is kept as one that was left out. Does nothing for other files. */
DP_API dp_err dp_seen_about(dp_seen *s, const char *url, size_t len, const uint64_t *rules, size_t count, int out,
                            dp_error *err);

/* Take back what some rules (by dp_engine_id; only the first 8 of 16 digits count) have done: keys that they have made
 * are seen no longer, but the URLs that had them first are, and the URLs that were left out come one by one from
 * dp_seen_next, until it gives NULL; each is valid until the next call. First pass the URLs on, then call
 * dp_seen_commit; until then nothing has changed, and other processes wait. Convert the keys to the rules that are used
 * from then on with dp_seen_rekey. DP_EINVALID when the file does not remember URLs. */
DP_API dp_err dp_seen_rollback(dp_seen *s, const uint64_t *rules, size_t count, dp_error *err);
DP_API dp_err dp_seen_next(dp_seen *s, const char **url, size_t *len, dp_error *err);

/* What is in the file: keys, and how many URLs each rule has hidden. */
DP_API dp_err dp_seen_print(dp_text **out, dp_seen *s, dp_format format, dp_error *err);

/* Convert all keys to the rules of `e`, in one transaction. Where old rules merged URLs that the new rules do not, only
 * one of the new keys is in the set then, and the others count as new again; it is that of the URL that had the old key
 * first, if the file remembers URLs. */
DP_API dp_err dp_seen_rekey(dp_seen *s, const dp_engine *e, dp_error *err);

/* ---- apply on files ------------------------------------------------------------------- */

typedef struct dp_filter dp_filter;

typedef enum dp_filter_option {
    DP_FILTER_FORM,          /* a dp_form */
    DP_FILTER_UNIQUE,        /* 1: only the first line of each key */
    DP_FILTER_EXPLAIN,       /* 1: append the ids of the rules that fired */
    DP_FILTER_FORMAT,        /* a dp_format */
    DP_FILTER_THREADS,       /* 0: one per core that may be used */
    DP_FILTER_LINE_BUFFERED, /* 1: answer each line at once */
    DP_FILTER_STRICT,        /* 1: fail at the first line that is not a URL */
    DP_FILTER_COUNTS         /* 1: keep dp_filter_fired */
} dp_filter_option;

typedef enum dp_filter_count {
    DP_COUNT_LINES,
    DP_COUNT_WRITTEN,
    DP_COUNT_CHANGED,  /* lines whose key differs from the line */
    DP_COUNT_FIRED,    /* lines on which a rule fired */
    DP_COUNT_NOT_URLS,
    DP_COUNT_LIMIT,    /* URLs stopped after 64 rewrites */
    DP_COUNT_BYTES,    /* read, after decompression */
    DP_COUNT_BAD,      /* lines of records that could not be read */
    DP_COUNT_PROBES    /* lines written although their keys were seen; part of DP_COUNT_WRITTEN */
} dp_filter_count;

/* Called about ten times a second from one thread; `total` is 0 when unknown, `unit` is "bytes" or what is being done,
 * such as "learning sites". Returning non-zero stops the work. */
typedef int (*dp_progress)(void *ctx, uint64_t done, uint64_t total, const char *unit);

DP_API dp_err dp_filter_new(dp_filter **out, const dp_engine *e);
DP_API void   dp_filter_free(dp_filter *f);
DP_API dp_err dp_filter_set(dp_filter *f, dp_filter_option option, int64_t value);
DP_API dp_err dp_filter_input(dp_filter *f, dp_input_option option, const char *text); /* NULL: by content */
DP_API dp_err dp_filter_source(dp_filter *f, const char *url, size_t len); /* lines are redirect targets of it */
DP_API void   dp_filter_model(dp_filter *f, const dp_model *m); /* also translate keys; DP_KEY and DP_FOUND only */

/* With DP_FILTER_UNIQUE: keep about `bytes` of keys in memory (0, the default: no limit) and the others in unnamed
 * files under `folder`, 16 bytes per key on disk and 1.25 in memory. */
DP_API dp_err dp_filter_memory(dp_filter *f, uint64_t bytes, const char *folder);

/* With DP_FILTER_UNIQUE: leave out keys that are in `s`, and add the others to it. Answers are written (and synced, if
 * `fd` is a file) before the keys are committed. */
DP_API void     dp_filter_seen(dp_filter *f, dp_seen *s);

/* With DP_FILTER_UNIQUE and DP_FOUND: also write a random share of the lines whose keys were seen (dp_scratch_probe),
 * each URL once, and mark them with the ids of the rules that fired ("other" where none has, but on the URL that had
 * the key first): after a TAB, in a column `probe`, or as JSON field dustpan_probe (DP_JSON: probe). Not with a model.
 * DP_EINVALID when `share` is not from 0 to 1; 0 is the default. */
DP_API dp_err   dp_filter_explore(dp_filter *f, double share, const char *salt);
DP_API uint64_t dp_filter_set_id(const dp_filter *f); /* of the engine and the model together */
DP_API void   dp_filter_progress(dp_filter *f, dp_progress call, void *ctx);

/* Read the files (gzip, zstd and bzip2 are recognised; "-" is standard input) and write the
 * answers to descriptor `fd` in the order of the lines. For a list of URLs: one answer per line. For other formats:
 * every line unchanged, with its answer appended (after a TAB or the separator of the columns, or as JSON field
 * dustpan_key). For archives: lines of URL, TAB, answer. With DP_FOUND every line as it is, and of archives the URL. */
DP_API dp_err   dp_filter_run(dp_filter *f, const char *const *paths, size_t count, int fd, dp_error *err);
DP_API uint64_t dp_filter_total(const dp_filter *f, dp_filter_count which);
DP_API uint64_t dp_filter_fired(const dp_filter *f, size_t rule); /* lines on which rule number `rule` fired */

/* The i-th line that is not a URL or cannot be read, as file, line and message; only the first few are kept.
 * DP_EINVALID when there are no more. */
DP_API dp_err dp_filter_bad(const dp_filter *f, size_t i, dp_error *bad);

enum { DP_RAW_EXAMPLES = 1 }; /* flag of dp_diff_urls: also show what may be secret */

/* On which hosts, and how often, two engines give URLs of the files different keys, with one example
 * per host; `*differences` is the number of URLs. */
DP_API dp_err dp_diff_urls(dp_text **out, const dp_engine *a, const dp_engine *b, const char *const *paths,
                           size_t count, unsigned flags, dp_format format, size_t *differences, dp_error *err);

/* ---- evaluation: rules measured on URLs whose pages are known ------------------------------- */

typedef struct dp_eval dp_eval;

typedef enum dp_eval_option {
    DP_EVAL_BY_HOST,  /* 1: also the metrics of each host */
    DP_EVAL_BY_RULE,  /* 1: also those of each rule by itself */
    DP_EVAL_TABLE,    /* a dp_eval_table */
    DP_EVAL_EXAMPLES, /* lost pages to show: 0 to 20, default 5 */
    DP_EVAL_RAW,      /* 1: also show what may be secret in them */
    DP_EVAL_STRICT,   /* 1: fail at the first line that cannot be read */
    DP_EVAL_THREADS,  /* 0, the default: one per core that may be used; results are the same for any number */
    DP_EVAL_CRAWL,    /* a dp_eval_crawl: the rules were learned on the first part of a crawl, and meet the rest */
    DP_EVAL_SHARE     /* that part, in millionths of the records (DP_CRAWL_BY_TIME: of the URLs); default 500,000 */
} dp_eval_option;

/* Instead of judging the keys of all URLs: a crawler fetches a URL of the rest unless it has seen its key. Metrics:
 * rest, fetched, needed, avoidable, avoided, saved_of_avoidable, lost, bad_merges (docs/evaluation.md). */
typedef enum dp_eval_crawl {
    DP_CRAWL_NONE,
    DP_CRAWL_BY_RECORD, /* the order of the records is that of the crawl */
    DP_CRAWL_BY_TIME    /* their times are */
} dp_eval_crawl;

/* Tables as printed in the papers. */
typedef enum dp_eval_table {
    DP_TABLE_NONE = -1,
    DP_TABLE_DUST = 0, /* valid rules, precision at k, redundancy, coverage */
    DP_TABLE_KDD08,    /* reduction by false-positive rate and by cluster size */
    DP_TABLE_WSDM10,   /* rules and reduction by precision and coverage */
    DP_TABLE_SIGIR17   /* precision, recall and F1 of the crawl simulation by site */
} dp_eval_table;

DP_API dp_err dp_eval_new(dp_eval **out);
DP_API void   dp_eval_free(dp_eval *v);
DP_API dp_err dp_eval_set(dp_eval *v, dp_eval_option option, int64_t value);
DP_API dp_err dp_eval_input(dp_eval *v, dp_input_option option, const char *text);
DP_API void   dp_eval_progress(dp_eval *v, dp_progress call, void *ctx);

/* Add rules to evaluate; those added later are compared with the first. `name` is their name
 * in the tables. The engine must outlive `v`. */
DP_API dp_err dp_eval_add(dp_eval *v, const char *name, const dp_engine *e);

/* Read records with a cluster, or else content, from the files and evaluate all rules on them. Can be called only
 * once. Takes about 60 bytes of memory per URL with one rule file, 8 more for each other file, and 64 MiB for
 * examples; for a table other than DP_TABLE_SIGIR17, also the text of all URLs. */
DP_API dp_err dp_eval_run(dp_eval *v, const char *const *paths, size_t count, dp_error *err);

/* After that: the results as a table or as one JSON object, and one metric of the first rules by
 * its JSON name (DP_EINVALID when there is no such metric). */
DP_API dp_err dp_eval_print(dp_text **out, const dp_eval *v, dp_format format);
DP_API dp_err dp_eval_metric(const dp_eval *v, const char *name, double *value);

/* The i-th warning about the results, as a sentence; NULL when there are no more. */
DP_API const char *dp_eval_warning(const dp_eval *v, size_t i);

/* How pages were told apart, as in dp_rules_identity. */
DP_API const char *dp_eval_identity(const dp_eval *v);

/* The number of lines that could not be read, and the i-th of them; only the first few are kept. */
DP_API uint64_t dp_eval_bad_lines(const dp_eval *v);
DP_API dp_err   dp_eval_bad(const dp_eval *v, size_t i, dp_error *bad);

/* The memory used for the URLs, in bytes. */
DP_API uint64_t dp_eval_bytes(const dp_eval *v);

/* Rules for tracking parameters that are the same on every site (rules/common.rules): a baseline. */
DP_API const char *dp_common_rules(size_t *n);

/* ---- audit: new records against old rules ----------------------------------------------------- */

typedef struct dp_audit dp_audit;

typedef enum dp_audit_option {
    DP_AUDIT_EXAMPLES, /* counter-examples to show per rule: 0 to 3, default 1 */
    DP_AUDIT_RAW,      /* 1: also show what may be secret in them */
    DP_AUDIT_STRICT,   /* 1: fail at the first line that cannot be read */
    DP_AUDIT_PROMISE,  /* expected precision of rules without an attribute p, in millionths; 990,000 */
    DP_AUDIT_NOISE,    /* share of wrong labels, in millionths; estimated from the records when not set */
    DP_AUDIT_CONFIDENCE /* of the bounds that probes give, in millionths; 950,000 */
} dp_audit_option;

typedef enum dp_audit_count {
    DP_AUDIT_BROKEN,        /* rules that are worse than their expected precision */
    DP_AUDIT_BROKEN_ACTIVE, /* broken rules that are neither pinned nor likely */
    DP_AUDIT_DOUBTFUL,
    DP_AUDIT_HOLD,
    DP_AUDIT_SILENT,        /* rules without evidence for or against them */
    DP_AUDIT_OFF,
    DP_AUDIT_BAD_LINES,
    DP_AUDIT_PROBES,        /* with dp_audit_explore: probes, ... */
    DP_AUDIT_WRONG_PROBES   /* ... and those that show another page than the one fetched in their place */
} dp_audit_count;

/* The rules must outlive the audit. DP_ESYNTAX as dp_engine_new. */
DP_API dp_err dp_audit_new(dp_audit **out, const dp_rules *rules, dp_error *err);
DP_API void   dp_audit_free(dp_audit *a);
DP_API dp_err dp_audit_set(dp_audit *a, dp_audit_option option, int64_t value);
DP_API dp_err dp_audit_input(dp_audit *a, dp_input_option option, const char *text);
DP_API void   dp_audit_progress(dp_audit *a, dp_progress call, void *ctx);

/* The records contain probes (dp_filter_explore, dp_scratch_probe) of this share and salt: judge rules by them, too.
 * DP_EINVALID when `share` is not from 0 to 1. */
DP_API dp_err dp_audit_explore(dp_audit *a, double share, const char *salt);

/* Which of the rules `apply` used when it wrote the probes: `flags` and `min_precision` as dp_engine_new has them, and
 * what dp_rules_expire had as `when` (NULL: nothing expired), wrong text in which dp_audit_run finds. */
DP_API dp_err dp_audit_applied(dp_audit *a, unsigned flags, double min_precision, const char *expire);

/* Read records with a cluster, or else content, and check every rule that is not off against them. Can be called only
 * once. */
DP_API dp_err dp_audit_run(dp_audit *a, const char *const *paths, size_t count, dp_error *err);

/* After that: verdicts and counter-examples as a table or as one JSON object, and the counts. */
DP_API dp_err   dp_audit_print(dp_text **out, const dp_audit *a, dp_format format);
DP_API uint64_t dp_audit_total(const dp_audit *a, dp_audit_count which);

/* Turn broken rules off in `rules`, which must be those that were audited, or the same file read again.
 * Pinned rules stay. Then the others are judged once more without them, until none is broken: a rule that had nothing
 * to do while another was in force is not left in its place. A comment gives the reason and, where records have times,
 * the attribute `until` the date. */
DP_API dp_err dp_audit_retire(const dp_audit *a, dp_rules *rules, size_t *retired);

/* Add the votes to the attributes n and neg of `rules`, as above; `*changed` is the number of rules changed. */
DP_API dp_err dp_audit_recount(const dp_audit *a, dp_rules *rules, size_t *changed);

/* Set the attribute `seen` of rules that have it, or `p`, and that the records confirm, by votes or by right probes, to
 * the day of the newest record; rules that are broken stay as they are. Nothing changes when records have no times.
 * `*renewed` is the number of rules with a new day. The newest time of a record: 0 when none has one. */
DP_API dp_err  dp_audit_renew(const dp_audit *a, dp_rules *rules, size_t *renewed);
DP_API int64_t dp_audit_newest(const dp_audit *a);

/* dp_explain of one URL (`second` is NULL), or dp_explain_pair of two, ending with the evidence for each rule that
 * fired: what its file says of it, the certificate of its hosts and, where `a` is an audit of `rules` that has run and
 * not NULL, what its records say: votes by kind of URL, pairs of URLs that are one page, counter-examples. `rules` are
 * those that `e` was made from; `same` may be NULL for one URL. */
DP_API dp_err dp_explain_evidence(dp_text **out, const dp_engine *e, const dp_rules *rules, const dp_audit *a,
                                  dp_form form, const char *first, const char *second, dp_format format, int *same);

/* The i-th warning about the verdicts, and the i-th line that could not be read; DP_EINVALID when there
 * are no more. */
DP_API dp_err dp_audit_warning(const dp_audit *a, size_t i, char *out, size_t cap);
DP_API const char *dp_audit_identity(const dp_audit *a); /* how pages were told apart */
DP_API dp_err dp_audit_bad(const dp_audit *a, size_t i, dp_error *bad);

/* ---- report: an HTML page about rules ---------------------------------------------------------- */

typedef struct dp_report dp_report;

typedef enum dp_report_option {
    DP_REPORT_RAW,      /* 1: also show what may be secret in sample URLs */
    DP_REPORT_STRICT,   /* 1: fail at the first line that cannot be read */
    DP_REPORT_HOSTS,    /* rows of the table of hosts: 0 to 10,000, default 2000 */
    DP_REPORT_FAMILIES, /* rows of the table of rules: 0 to 2000, default 200 */
    DP_REPORT_LOSSES,   /* lost pages to show: 0 to 20, default 20 */
    DP_REPORT_REVIEW,   /* make a review: rules that are likely or off are tried, too; up to this many URLs, 0 to
                         * 100,000, are embedded, so that the page can tell what another choice of rules saves */
    DP_REPORT_VERSION   /* above 0: a review that a dp_server shows and saves, and its version there; 0, the default:
                         * one that is opened as a file. Can be set again before each dp_report_print */
} dp_report_option;

typedef enum dp_report_form { DP_REPORT_HTML = 0, DP_REPORT_JSON = 1, DP_REPORT_ADVICE = 2 } dp_report_form;

/* A report about these rules, which must outlive it; flags and `min_precision` as in
 * dp_engine_new. `name` is their name on the page; "": they were learned from the same records, and are
 * in no file yet. */
DP_API dp_err dp_report_new(dp_report **out, const char *name, const dp_rules *rules, unsigned flags,
                            double min_precision, dp_error *err);
DP_API void   dp_report_free(dp_report *r);
DP_API dp_err dp_report_set(dp_report *r, dp_report_option option, int64_t value);
DP_API dp_err dp_report_input(dp_report *r, dp_input_option option, const char *text);
DP_API void   dp_report_progress(dp_report *r, dp_progress call, void *ctx);

/* Read records, with or without cluster, digest and user agent, and count. Can be called only once. Keeps the text of
 * all URLs in memory, and about 100 bytes more for each. */
DP_API dp_err dp_report_run(dp_report *r, const char *const *paths, size_t count, dp_error *err);

/* After that: one self-contained HTML page, or the same data as one JSON object, of a review its own; or, as lines of
 * text, what the page says that the owner of the site can fix. And one metric
 * by its JSON name (DP_EINVALID when there is none; without labels there are only urls, fetched and reduction). */
DP_API dp_err dp_report_print(dp_text **out, const dp_report *r, dp_report_form form);
DP_API dp_err dp_report_metric(const dp_report *r, const char *name, double *value);

/* As for an audit. */
DP_API dp_err   dp_report_warning(const dp_report *r, size_t i, char *out, size_t cap);
DP_API const char *dp_report_identity(const dp_report *r); /* how pages were told apart */
DP_API uint64_t dp_report_bad_lines(const dp_report *r);
DP_API dp_err   dp_report_bad(const dp_report *r, size_t i, dp_error *bad);

/* ---- a page that saves ------------------------------------------------------------------------------ */

/* Shows a page in a browser of this machine, over HTTP on 127.0.0.1, at a path that nobody can guess, and takes from it
 * what it saves. It has a thread of its own, from which it calls these two, one call at a time. */
typedef struct dp_server dp_server;

/* The page as it is now, into `*out`, which the server frees. */
typedef dp_err (*dp_server_page)(void *ctx, dp_text **out, dp_error *err);

/* Save a text that was made in version `*version` of the page; `*version` becomes the new one. DP_EINVALID: the page is
 * of another version than what is there now; DP_ESYNTAX: it is no text to save. The page shows the message. */
typedef dp_err (*dp_server_save)(void *ctx, uint64_t *version, const char *text, size_t n, dp_error *err);

/* Serve until it is freed; then no call runs any more. DP_EABSENT: there is no libmicrohttpd. */
DP_API dp_err      dp_server_new(dp_server **out, dp_server_page page, dp_server_save save, void *ctx, dp_error *err);
DP_API const char *dp_server_url(const dp_server *s);
DP_API void        dp_server_free(dp_server *s);

/* ---- split: some pages to learn from, others to test on ------------------------------------------ */

typedef struct dp_divide dp_divide;

typedef enum dp_divide_count {
    DP_DIVIDE_TRAIN_URLS,
    DP_DIVIDE_TRAIN_CLUSTERS,
    DP_DIVIDE_TEST_URLS,
    DP_DIVIDE_TEST_CLUSTERS,
    DP_DIVIDE_LEFT_OUT,   /* records without a URL or cluster, or with a TAB or line feed in them */
    DP_DIVIDE_BAD_LINES
} dp_divide_count;

DP_API dp_err dp_divide_new(dp_divide **out);
DP_API void   dp_divide_free(dp_divide *d);
DP_API dp_err dp_divide_input(dp_divide *d, dp_input_option option, const char *text);

/* `test` is the share of the clusters that goes to the second set, chosen by a hash of their ids and
 * `seed`. DP_EINVALID when it is not between 0 and 1. */
DP_API dp_err dp_divide_set(dp_divide *d, double test, uint64_t seed, int strict);

/* Read records and write "cluster TAB url" lines to two descriptors, in the order of the records.
 * A cluster is never divided; the only cluster of a host goes to the first set. */
DP_API dp_err   dp_divide_run(dp_divide *d, const char *const *paths, size_t count, int train_fd, int test_fd,
                              dp_error *err);
DP_API uint64_t dp_divide_total(const dp_divide *d, dp_divide_count which);
DP_API dp_err   dp_divide_bad(const dp_divide *d, size_t i, dp_error *bad);

/* ---- clusters: which URLs show the same page ------------------------------------------- */

typedef struct dp_cluster dp_cluster;

/* Pages are the same when the digests of their bytes (and their types) are equal, or their visible texts, or what the
 * first two options add; docs/clusters.md. */
typedef enum dp_cluster_option {
    DP_CLUSTER_SHINGLES,   /* this many of the 4 min-hashes are equal: 1 to 4; 0, the default: not compared */
    DP_CLUSTER_SIMHASH,    /* the simhashes differ in at most this many bits: 0 to 8; -1, the default: not compared */
    DP_CLUSTER_SAME_TITLE, /* 1: pages with different titles are never the same */
    DP_CLUSTER_MASK,       /* 1: ignore clock times, dates, counters and session ids in texts */
    DP_CLUSTER_MIN_SIZE,   /* ignore digests of pages of at most this many bytes; 512 */
    DP_CLUSTER_SOFT_URLS,  /* a soft error has at least this many URLs on a host; 20, 0: there are none */
    DP_CLUSTER_SOFT_SHARE, /* and more than this share of the host's URLs, in millionths; 10,000 */
    DP_CLUSTER_KEEP_SOFT,  /* 1: also write soft errors, marked */
    DP_CLUSTER_ANY_STATUS, /* 1: also pages with another status than 200 */
    DP_CLUSTER_RELABEL,    /* 1: ignore the clusters in the input and make new ones */
    DP_CLUSTER_RAW,        /* 1: also show what may be secret in dp_cluster_soft */
    DP_CLUSTER_FORMAT,     /* a dp_format */
    DP_CLUSTER_STRICT,     /* 1: fail at the first line that cannot be read */
    DP_CLUSTER_THREADS     /* to read pages with; 0, the default: one per core that may be used */
} dp_cluster_option;

typedef enum dp_cluster_count {
    DP_CLUSTER_RECORDS,
    DP_CLUSTER_PAGES,       /* URLs that were compared */
    DP_CLUSTER_SETS,        /* clusters they are in */
    DP_CLUSTER_GROUPS,      /* clusters of two or more URLs */
    DP_CLUSTER_LARGEST,     /* URLs in the largest cluster */
    DP_CLUSTER_LABELLED,    /* records with a cluster in the input, which is kept */
    DP_CLUSTER_NOT_PAGES,   /* records that are not GET requests answered with 200 */
    DP_CLUSTER_UNKNOWN,     /* records without content to compare */
    DP_CLUSTER_NOT_URLS,
    DP_CLUSTER_REPEATED,    /* further records of the same URL */
    DP_CLUSTER_SOFT_SETS,   /* soft errors */
    DP_CLUSTER_SOFT_PAGES,  /* URLs of soft errors */
    DP_CLUSTER_BAD,         /* lines that could not be read */
    DP_CLUSTER_ALIKE        /* pages that differ from another one in a few places of which nothing is known */
} dp_cluster_count;

DP_API dp_err dp_cluster_new(dp_cluster **out);
DP_API void   dp_cluster_free(dp_cluster *c);
DP_API dp_err dp_cluster_set(dp_cluster *c, dp_cluster_option option, int64_t value);
DP_API void   dp_cluster_progress(dp_cluster *c, dp_progress call, void *ctx);

/* How the files are read; NULL, the default: recognised by content. */
DP_API dp_err dp_cluster_input(dp_cluster *c, dp_input_option option, const char *text);

/* Read records from the files ("-" is standard input) and write a line "cluster TAB url" for each to
 * descriptor `fd`, in the order of the input. The name of a cluster is a hash of its content, 16
 * hex digits. Memory: 100 to 200 bytes per URL, 2 GB for 10^7 URLs. */
DP_API dp_err   dp_cluster_run(dp_cluster *c, const char *const *paths, size_t count, int fd, dp_error *err);
DP_API uint64_t dp_cluster_total(const dp_cluster *c, dp_cluster_count which);

/* Read records in the same way, and write to `fd` what differs between the pages of two URLs, and why that counts or
 * not. DP_EINVALID when one of them is not in the input. */
DP_API dp_err dp_cluster_explain(dp_cluster *c, const char *first, const char *second, const char *const *paths,
                                 size_t count, int fd, dp_error *err);

/* Two URLs (i is 0 or 1) for DP_CLUSTER_ALIKE, secrets masked; NULL when there are none. */
DP_API const char *dp_cluster_alike(const dp_cluster *c, size_t i, size_t *n);

/* The i-th line that could not be read; only the first few are kept. DP_EINVALID when there are no more. */
DP_API dp_err dp_cluster_bad(const dp_cluster *c, size_t i, dp_error *bad);

/* The i-th soft error (NULL when there are no more): cluster, number of URLs, host and an example, separated by
 * TABs, or a JSON object with DP_JSON. A cluster that is a soft error on two hosts is listed twice. */
DP_API const char *dp_cluster_soft(const dp_cluster *c, size_t i, size_t *n);

/* ---- learning: records in, rules out -------------------------------------------------------- */

typedef struct dp_learner dp_learner;

DP_API dp_err dp_learner_new(dp_learner **out);
DP_API void   dp_learner_free(dp_learner *l);

/* Set an option of the command `learn` by its name, without "--": one that all methods share, or one of the chosen
 * method (dp_learner_option lists both). The value of a flag is "1". */
DP_API dp_err dp_learner_set(dp_learner *l, const char *option, const char *value, dp_error *err);
DP_API dp_err dp_learner_input(dp_learner *l, dp_input_option option, const char *text); /* NULL: by content */
DP_API void   dp_learner_progress(dp_learner *l, dp_progress call, void *ctx);

/* The name of the i-th method and a line about it; the first is the default. NULL when there are no more. */
DP_API const char *dp_learner_method(size_t i, const char **summary);

typedef struct dp_learner_option_info {
    const char *name;
    const char *value;   /* what stands for its value in help; NULL: a flag */
    const char *help;    /* LF begins a new line */
    const char *heading; /* a line before it in help; NULL: none */
    int         paper;   /* 1: only to reproduce a paper or an experiment */
} dp_learner_option_info;

/* The i-th option of a method, or of those that all methods share (`method` NULL). 0 when there are no more. */
DP_API int dp_learner_option(const char *method, size_t i, dp_learner_option_info *out);

/* Records that do not fit into "memory" go to files in a folder under "tmp": at most DP_WORK_FILES, named 0000,
 * 0001, ..., and `lock`. They are removed before dp_learner_run returns. `call` gets the folder's path as soon as the
 * folder belongs to this run alone, and NULL when it is removed, so that a signal handler can remove it. A run that is
 * killed leaves the folder: running the same files with the same options again continues where it stopped, if the
 * folder is this user's and closed to all others. */
enum { DP_WORK_FILES = 2048 };
DP_API void dp_learner_folder(dp_learner *l, void (*call)(void *ctx, const char *path), void *ctx);

/* The file of "state" belongs to one learner at a time, from dp_learner_run to its next run or dp_learner_free, so that
 * the rules can be written before another run begins. A second learner, in any process, waits; `call` then gets the
 * path once. While it waits, progress reports 0 of 0 "waiting", and may stop it. */
DP_API void dp_learner_waiting(dp_learner *l, void (*call)(void *ctx, const char *path), void *ctx);

/* Read records from the files ("-" is standard input) and learn. The same records and options give the same rules, for
 * any order of the records, any number of threads and any size of memory. */
DP_API dp_err dp_learner_run(dp_learner *l, const char *const *paths, size_t count, dp_error *err);

/* After that: the rule file, for dp_rules_parse or to save; and a summary: what was read and learned, and what the
 * rules save and lose on pages that were kept out of learning. */
DP_API dp_err dp_learner_rules(dp_text **out, const dp_learner *l);
DP_API dp_err dp_learner_summary(dp_text **out, const dp_learner *l, dp_format format);

/* After dp_learner_run: `old` is the rule file of an earlier run. Its rules that are pinned or off are kept so in the
 * file that dp_learner_rules gives from now on. `*changes` tells what has changed, one sentence per line: how many
 * rules are as before, new, or removed. */
DP_API dp_err dp_learner_carry(dp_learner *l, const dp_rules *old, dp_text **changes, dp_error *err);

/* The i-th warning about the results, as a sentence; NULL when there are no more. */
DP_API const char *dp_learner_warning(const dp_learner *l, size_t i);

/* The number of lines that could not be read, and the i-th of them; only the first few are kept. */
DP_API uint64_t dp_learner_bad_lines(const dp_learner *l);
DP_API dp_err   dp_learner_bad(const dp_learner *l, size_t i, dp_error *bad);

/* ---- learning in steps: what dp_learner_run does, cut so that many machines can share the work --------
 *
 *     records ── dp_learner_pack ──► packed facts: small rows, each of one domain
 *     the rows of a domain ─► dp_site_step ─► presences: on which clusters it lies; a survey
 *     presences of all domains ─► which domains are linked; surveys ── dp_learner_combine ──► a sum
 *     facts of all domains ── dp_learner_held_out ──► which are learned once more, to be measured
 *     the rows of a domain ─► dp_site_step ── dp_site_step_learn, with the sum ──► a site result
 *     those of linked domains together, the same ──► what leads from one to another, as a site result
 *     all results ── dp_learner_merge ──► rules and summary, the same as after dp_learner_run
 *
 * A domain or a site of more facts than dp_learner_sample says goes through dp_site_sample first, and of a site the
 * result through dp_recount_step after that.
 *
 * bindings/spark does this. Packed facts, surveys and site results are bytes of this version, for machines of one kind;
 * all must have the same options. */

typedef struct dp_packed_facts dp_packed_facts;

typedef enum dp_read_count {
    DP_READ_RECORDS,
    DP_READ_NOT_URLS,
    DP_READ_ERRORS,    /* answered with 4xx or 5xx, or not at all */
    DP_READ_NOT_PAGES, /* other methods than GET, or other answers without a redirect target */
    DP_READ_REDIRECTS,
    DP_READ_BAD_LINES,
    DP_READ_COUNTS
} dp_read_count;

/* Read records as dp_learner_run does. */
DP_API dp_err      dp_learner_pack(dp_packed_facts **out, dp_learner *l, const char *const *paths, size_t count,
                                   dp_error *err);
DP_API void        dp_packed_facts_free(dp_packed_facts *p);
DP_API uint64_t    dp_packed_facts_total(const dp_packed_facts *p, dp_read_count which);
DP_API size_t      dp_packed_facts_count(const dp_packed_facts *p); /* rows; `i` is less */
DP_API const char *dp_packed_facts_domain(const dp_packed_facts *p, size_t i, size_t *n);
DP_API const char *dp_packed_facts_data(const dp_packed_facts *p, size_t i, size_t *n);
DP_API uint64_t    dp_packed_facts_number(const dp_packed_facts *p, size_t i);

/* One domain; or all domains that are linked, whose first one in order is their name. The learner must outlive it. */
typedef struct dp_site_step dp_site_step;

DP_API dp_err dp_site_step_new(dp_site_step **out, dp_learner *l, const char *const *domains, size_t count,
                               dp_error *err);
DP_API void   dp_site_step_free(dp_site_step *s);

/* Add a row of packed facts, in any order. DP_ESYNTAX when it is not one. */
DP_API dp_err dp_site_step_add(dp_site_step *s, const char *data, size_t n, dp_error *err);

/* After the last row of a domain: `n` presences: cluster[i] has urls[i] URLs on the domain with number domain[i].
 * Most are of the domain itself, which is number 0, others come from links to other domains. Can be called once. */
DP_API dp_err   dp_site_step_presences(dp_site_step *s, size_t *n, const uint64_t **cluster, const uint32_t **domain,
                                   const uint32_t **urls);
DP_API uint64_t dp_site_step_urls(const dp_site_step *s); /* of its own */
/* The name of the domain with a number that a presence has. */
DP_API const char *dp_site_step_domain(const dp_site_step *s, uint32_t number, size_t *n);

/* Then one of these, if needed: the survey of a domain (DP_EINVALID when the method has none), or the result of a
 * site; `shared` is what dp_learner_combine made of all surveys, or empty (n == 0). */
DP_API dp_err dp_site_step_survey(dp_text **out, dp_site_step *s, dp_error *err);
DP_API dp_err dp_site_step_learn(dp_text **out, dp_site_step *s, const char *shared, size_t n, dp_error *err);

/* Some sites are learned a second time without a tenth of their pages, and the summary shows what the rules save and
 * lose on these pages. Given the names and numbers of facts of all sites of a run, urls[i] becomes the number of URLs
 * of site i to learn from in this way, 0: none. Pass it to dp_site_step_hold_out before the site is learned. */
DP_API dp_err dp_learner_held_out(uint64_t *urls, const dp_learner *l, const char *const *sites,
                                    const uint64_t *facts, size_t count);
DP_API void   dp_site_step_hold_out(dp_site_step *s, uint64_t urls);

/* ---- a site that is too large for one machine: a sample to learn from, and a last count on all of it */

/* The most facts of a site to learn from; 0: all. */
DP_API uint64_t dp_learner_sample(const dp_learner *l);

/* A sample of `facts` facts, in three steps. In the first and the second step every worker adds its rows to a sample of
 * its own and saves it. One worker joins all saved samples to its own, turns to the next step and saves the result,
 * which all others join before they go on. In the third step dp_site_sample_take picks what is in the sample out of a
 * row. */
typedef struct dp_site_sample dp_site_sample;

DP_API dp_err dp_site_sample_new(dp_site_sample **out, const dp_learner *l, uint64_t facts);
DP_API void   dp_site_sample_free(dp_site_sample *d);
DP_API dp_err dp_site_sample_add(dp_site_sample *d, const char *data, size_t n, dp_error *err);
DP_API dp_err dp_site_sample_save(dp_text **out, dp_site_sample *d);
DP_API dp_err dp_site_sample_join(dp_site_sample *d, const char *saved, size_t n, dp_error *err);
DP_API dp_err dp_site_sample_turn(dp_site_sample *d);
DP_API dp_err dp_site_sample_take(dp_text **out, const dp_site_sample *d, const char *data, size_t n, dp_error *err);

/* The result learned from a sample, counted again on all facts of the site; the sample, in its third step, must outlive
 * it. dp_recount_step_split cuts a row into rows of dp_recount_step_count parts. dp_site_step_recount counts all rows
 * of one part. All counts are joined, and dp_recount_step_close gives the result with the new counts. Where no recount
 * is needed (--accept paper, or the sample is the whole site), there are 0 parts: close it at once. */
typedef struct dp_recount_step dp_recount_step;

DP_API dp_err dp_recount_step_new(dp_recount_step **out, dp_learner *l, const char *result, size_t n,
                                  const dp_site_sample *sample, dp_error *err);
DP_API void        dp_recount_step_free(dp_recount_step *r);
DP_API size_t      dp_recount_step_count(const dp_recount_step *r);
DP_API dp_err      dp_recount_step_split(dp_recount_step *r, const char *data, size_t n, dp_error *err);
DP_API const char *dp_recount_step_data(const dp_recount_step *r, size_t part, size_t *n); /* until the next split */
DP_API dp_err dp_site_step_recount(dp_text **out, dp_site_step *s, const dp_recount_step *r, size_t part,
                                   dp_error *err);
DP_API dp_err      dp_recount_step_join(dp_recount_step *r, const char *counted, size_t n, dp_error *err);
DP_API dp_err      dp_recount_step_close(dp_text **out, dp_recount_step *r, dp_error *err);

/* Whether the method needs a survey of the first domains by name that have DP_SURVEYED_FACTS facts together. Domains
 * are linked when they share DP_LINKS clusters, each on at most DP_LINK_SITES domains and with at most
 * DP_LINK_PERCENT of a domain's URLs (or one URL). */
enum { DP_SURVEYED_FACTS = 200000, DP_LINKS = 3, DP_LINK_SITES = 20, DP_LINK_PERCENT = 1 };

DP_API int dp_learner_surveys(const dp_learner *l);

/* The sum of surveys that lie end to end, in the order of their domains' names. Those of one hosting domain (the
 * sites of github.io) count as one. */
DP_API dp_err dp_learner_combine(dp_text **out, const dp_learner *l, const char *surveys, size_t n, dp_error *err);

/* Put the results of all sites together, in any order; totals[DP_READ_COUNTS] are sums over all packed facts. */
DP_API dp_err dp_learner_merge(dp_learner *l, const char *const *results, const size_t *sizes, size_t count,
                               const uint64_t *totals, dp_error *err);

/* ---- names of pages: which page each URL shows, as eval, audit, report and split see it -------- */

typedef struct dp_pagenames dp_pagenames;

DP_API dp_err dp_pagenames_new(dp_pagenames **out);
DP_API void   dp_pagenames_free(dp_pagenames *l);
DP_API dp_err dp_pagenames_input(dp_pagenames *l, dp_input_option option, const char *text);

/* Read records of files, once. Those that do not show which page their URL is are passed over: none may be left. */
DP_API dp_err dp_pagenames_read(dp_pagenames *l, const char *const *paths, size_t count, dp_error *err);

/* URLs that are different after stage 0, in the order in which they come. */
DP_API size_t dp_pagenames_count(const dp_pagenames *l);

/* The name of the page that URL `i` shows: one of the input, or as `dustpan cluster` calls it. Equal names, one page.
 * Valid until the next call. */
DP_API const char *dp_pagenames_page(dp_pagenames *l, size_t i, size_t *n);

/* Whether it is a name of the input. */
DP_API int dp_pagenames_is_named(const dp_pagenames *l, size_t i);

/* Lines, from 1: of the first record that says what URL `i` shows, and of the one that counts. */
DP_API uint64_t dp_pagenames_first(const dp_pagenames *l, size_t i);
DP_API uint64_t dp_pagenames_decisive(const dp_pagenames *l, size_t i);

/* ---- validation: test rules by fetching a few pages ---------------------------- */

typedef struct dp_validation dp_validation;

typedef enum dp_validation_option {
    DP_VALIDATION_TESTS,           /* pairs of pages to test a rule on, N of the paper; 100 */
    DP_VALIDATION_EPSILON,         /* share of them that may differ, in millionths; 50,000 */
    DP_VALIDATION_MIN_TESTS,       /* with fewer pairs a rule stays undecided; 10 */
    DP_VALIDATION_SHINGLES,        /* min-hashes, of 4, that must be equal; 4 */
    DP_VALIDATION_SEED,            /* of the random choice of URLs; 1 */
    DP_VALIDATION_RATE,            /* requests per 1000 seconds to each host; 1000 */
    DP_VALIDATION_PARALLEL,        /* hosts to fetch from at the same time; 16 */
    DP_VALIDATION_MAX_FETCHES,     /* at most this many requests; 0, the default: no limit */
    DP_VALIDATION_BUDGET,          /* at most this many requests, on the rules that save most; 0, the default: none */
    DP_VALIDATION_RETRIES,         /* after a temporary failure; 2 */
    DP_VALIDATION_TIMEOUT,         /* milliseconds per request; 30,000 */
    DP_VALIDATION_MAX_SIZE,        /* bytes per page; 8 MiB */
    DP_VALIDATION_ALLOW_ACTIONS,   /* 1: also fetch URLs with words like logout, delete, cart */
    DP_VALIDATION_ALLOW_PRIVATE,   /* 1: also fetch from addresses that are not public */
    DP_VALIDATION_ABSENT_NEGATIVE, /* 1: a URL that the labelled set does not have is not a page; 0: it is unknown */
    DP_VALIDATION_KEEP_CACHE,      /* 0: remove the cache after a successful run; 1, the default: keep it */
    DP_VALIDATION_RAW,             /* 1: also show what may be secret in URLs */
    DP_VALIDATION_STRICT,          /* 1: fail at the first line that cannot be read */
    DP_VALIDATION_ECHO_AFTER       /* dp_validation_echo: seconds between two fetches of a URL, at least; 60 */
} dp_validation_option;

typedef enum dp_validation_text {
    DP_VALIDATION_USER_AGENT,
    DP_VALIDATION_CACHE,  /* folder that keeps answers, so that an interrupted run can continue; none when not set */
    DP_VALIDATION_CA_FILE /* PEM certificates to check https servers against; the system's when not set */
} dp_validation_text;

typedef enum dp_validation_answer {
    DP_UNTESTED = 0, /* the rule is off */
    DP_KEPT,         /* passed: active */
    DP_TURNED,       /* a substitution that passed in the other direction: reversed and active */
    DP_REJECTED,     /* failed: off */
    DP_REFINED,      /* a special case of a rule that passed: removed */
    DP_UNDECIDED     /* not enough pages to decide */
} dp_validation_answer;

typedef enum dp_validation_count {
    DP_VALIDATION_URLS,     /* distinct URLs of the list */
    DP_VALIDATION_NOT_URLS,
    DP_VALIDATION_REQUESTS, /* sent */
    DP_VALIDATION_REPEATS,  /* of these, repeated after a failure */
    DP_VALIDATION_CACHED,   /* answers from earlier runs in the cache */
    DP_VALIDATION_SPARED,   /* URLs not fetched: robots.txt, action words, masked values, private addresses */
    DP_VALIDATION_FAILED,   /* URLs that could not be fetched */
    DP_VALIDATION_BAD,      /* lines that could not be read */
    DP_VALIDATION_ECHOED,   /* dp_validation_echo: URLs that were fetched twice */
    DP_VALIDATION_CHANGED   /* ... of them those whose bytes were not the same */
} dp_validation_count;

DP_API dp_err dp_validation_new(dp_validation **out);
DP_API void   dp_validation_free(dp_validation *v);
DP_API dp_err dp_validation_set(dp_validation *v, dp_validation_option option, int64_t value);
DP_API dp_err dp_validation_say(dp_validation *v, dp_validation_text what, const char *text);
DP_API dp_err dp_validation_input(dp_validation *v, dp_input_option option, const char *text);
DP_API void   dp_validation_progress(dp_validation *v, dp_progress call, void *ctx);

/* Called once before the first request: how many there will be at most, to how many hosts, and how many seconds they
 * take at --rate. Returning non-zero stops the work. */
typedef int (*dp_expectation)(void *ctx, uint64_t requests, uint64_t hosts, uint64_t seconds);
DP_API void dp_validation_expect(dp_validation *v, dp_expectation call, void *ctx);

/* From that call on: how many requests rule number `i` is worth at most; 0: it is not tested. */
DP_API uint64_t dp_validation_planned(const dp_validation *v, size_t i);

/* Look pages up in these files, whose records have clusters, instead of fetching them. */
DP_API dp_err dp_validation_offline(dp_validation *v, const char *const *paths, size_t count);

/* Test the rules that are not off on URLs of the files (offline, without files: on those of the labelled set). Can be
 * called only once. `r` must outlive `v`. docs/validate.md describes what is tested, in which order, and what is never
 * fetched. */
DP_API dp_err dp_validation_run(dp_validation *v, const dp_rules *r, const char *const *paths, size_t count,
                                dp_error *err);

/* Instead of testing rules: fetch `n` URLs of the files twice, and write the pages to the WARC `file`, from which a
 * learner or cluster learns what changes when nothing changes. Pages are kept in the cache until then (FILE.pages, when
 * none is set). Nothing is written when no URL could be fetched twice. Can be called only once. */
DP_API dp_err dp_validation_echo(dp_validation *v, uint64_t n, const char *const *paths, size_t count,
                                 const char *file, dp_error *err);

/* After that: the rule file with the verdicts applied; the verdict on rule `i`; counts; all evidence, as text or one
 * JSON object. */
DP_API dp_err     dp_validation_rules(dp_rules **out, const dp_validation *v, dp_error *err);
DP_API dp_validation_answer dp_validation_verdict(const dp_validation *v, size_t i);
DP_API size_t     dp_validation_verdicts(const dp_validation *v, dp_validation_answer which);
DP_API const char *dp_validation_identity(const dp_validation *v); /* how pages were told apart */
DP_API uint64_t   dp_validation_total(const dp_validation *v, dp_validation_count which);
DP_API dp_err     dp_validation_print(dp_text **out, const dp_validation *v, dp_format format);

/* A few lines for people: how many rules got which verdict, what was fetched, what was not and why, what to do next. */
DP_API dp_err dp_validation_summary(dp_text **out, const dp_validation *v);

/* The i-th line that could not be read; only the first few are kept. DP_EINVALID when there are no more. */
DP_API dp_err dp_validation_bad(const dp_validation *v, size_t i, dp_error *bad);

/* ---- URLs ----------------------------------------------------------------------------- */

/* The registrable domain of a host name (public-suffix list, ICANN and private sections);
 * an IP address, a single label or a public suffix is its own. Borrowed from `host`. */
DP_API const char *dp_domain(const char *host, size_t len, size_t *n);

#ifdef __cplusplus
}
#endif

#endif
