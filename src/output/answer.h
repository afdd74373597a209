/* output/answer.h - one chunk of lines, answered.
 *
 *     dp_chunk  a.com/x?sid=1\nb.com/\n   ──►   dp_answers  a.com/x\nb.com/\n
 *
 * Reads input/bytes/lines.h; output/filter.c gives each worker a dp_answers and writes them
 * in the order of the chunks. Nothing here is shared between threads but dp_ask, which
 * does not change during a run.
 *
 * Invariants:
 *   - One answer a line, in order, each ended by LF. With `strict` the answers stop
 *     before the first line that is no URL.
 *   - end[] and hash[] are kept only with `unique`, texts only with `seen`; URLs and the rules that fired on them only
 *     where it remembers them.
 *   - A line is foreign when it shows a URL of another domain than its key, and nobody vouches for the rule that leads
 *     there (dp_scratch_foreign, store/foreign.h). It is out when the key was seen, but does not mark it.
 *   - With `explore` a line that the hash takes may be a probe: it has a tag, and its answer
 *     a mark, both or neither. output/sieve.h takes the mark out of an answer that is no probe.
 *   - No memory is taken once the buffers have grown.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_OUTPUT_ANSWER_H
#define DP_OUTPUT_ANSWER_H

#include "apply/explore.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/hash.h"
#include "input/bytes/lines.h"
#include "output/translation.h"
#include "output/unique.h"

/* What is asked of every line. */
typedef struct dp_ask {
    const dp_engine *engine;
    const dp_model  *model; /* NULL: rules alone */
    dp_seen         *seen;  /* NULL: unique is by this run and by hash; touched by output/sieve.h alone */
    uint64_t         memory; /* bytes for keys of this run; 0: no limit */
    const char      *tmp;   /* folder for those that do not fit */
    dp_form          form;
    dp_format        format;
    bool             explain; /* append the ids of the rules that fired */
    bool             unique, strict;
    bool             counts;      /* keep `fired` */
    bool             has_source;  /* lines are redirect targets of a URL with this ... */
    dp_str           source_key;  /* ... key and this ... */
    dp_str           source_form; /* ... stage-0 form */
    bool             remembers;   /* `seen` does: URLs, and the rules that fired on them */
    dp_str           source_url;  /* as it was given, and ... */
    const uint64_t  *source_rules; /* [source_nrules] ... the ids of the rules that fired on it */
    size_t           source_nrules;
    dp_str           source_own;  /* its domain, when it is foreign; empty: it is not */
    dp_explore       explore;     /* with `unique` and DP_FOUND */
} dp_ask;

/* Of everything that can change a key. */
uint64_t dp_ask_set_id(const dp_ask *ask);

enum { DP_BATCH = 1024 /* lines handed to the engine at once */, DP_BAD_KEPT = 5 };

typedef struct dp_bad_line {
    size_t line; /* from 0, in the chunk */
    dp_str text; /* in the chunk */
} dp_bad_line;

/* The URL that a key is of, and the rules that fired on it: where they end. A tag has neither. */
typedef struct dp_told_url {
    size_t url, rules;
} dp_told_url;

typedef struct dp_mark {
    size_t from, to; /* equal: none */
} dp_mark;

typedef struct dp_answers {
    dp_scratch *scratch, *second; /* the second for what stands beside the answer */
    dp_buf      out;
    size_t      lines;
    size_t     *end;  /* [lines], of answer i in `out` */
    dp_hash128 *hash; /* [lines], of the key of line i; none: it has no key, and stays */
    dp_hash128 *other; /* [lines], of the key of a line that is foreign; none: it is not */
    dp_buf      texts;     /* with `seen`: the keys end to end, ... */
    uint64_t   *text_at;   /* [keys_told + 1] ... from here on; a tag follows its key */
    size_t      keys_told; /* lines with keys, and tags */
    size_t      text_cap;  /* of text_at */
    dp_told_url *told; /* [keys_told], where URLs are remembered */
    size_t      told_cap;
    dp_buf      urls;      /* of `told` */
    uint64_t   *rules;     /* [nrules], of `told`; after them those of the answer at hand */
    size_t      nrules, now, rules_cap;
    dp_buf      others;    /* the same of keys of foreign lines */
    uint64_t   *other_at;
    size_t      nforeign;  /* such lines */
    dp_buf      tagged;    /* what a foreign line is unique by */
    dp_hash128 *tag;       /* [lines], with `explore`: of the tag of a line; none: it has none */
    dp_mark    *mark;      /* [lines], with `explore`: where in `out` it is marked */
    const char *unmarked;  /* what an answer has instead of its mark that is no probe; not longer */
    size_t      cap;       /* of end, hash, other, other_at, tag and mark */
    size_t      changed, any_fired, not_urls, limit; /* lines of this chunk */
    bool        stopped;                             /* strict, and bad[0] is why */
    dp_bad_line bad[DP_BAD_KEPT];
    size_t      nbad;
    uint64_t   *fired; /* [rules of the engine], lines of all chunks so far */
    uint64_t    at[DP_BATCH + 1], ends[DP_BATCH];
    uint8_t     flags[DP_BATCH];

    /* With a model or DP_FOUND: keys end to end, before translation; with a model only: translations. */
    dp_buf             keys;
    dp_translate_desk *desk;
    dp_buf             moved;
    dp_str             key[DP_BATCH];
    size_t             moved_end[DP_BATCH];
} dp_answers;

/* DP_ENOMEM; dp_answers_free takes what was made, and NULL. */
dp_err dp_answers_new(dp_answers **out, const dp_ask *ask);
void   dp_answers_free(dp_answers *a);

/* Answer the lines of `c`, from whose text `a` borrows. DP_ENOMEM. */
dp_err dp_answers_make(dp_answers *a, const dp_ask *ask, const dp_chunk *c);

/* ---- one URL, for those that read records -------------------------------------------------- */

typedef struct dp_answer {
    dp_str url;    /* that was asked about */
    dp_str text;   /* in a->scratch, a->second or a->moved, or the URL itself */
    dp_str key;    /* what it is unique by, there too; only with `unique` or DP_FOUND */
    dp_str own;    /* the domain of a URL that is foreign; empty: it is not. In a->scratch or a->second */
    dp_str form;   /* the stage-0 form of a URL that may be a probe, in a->scratch; empty: it may not */
    bool   follow; /* a redirect target that is followed in spite of its key: unique among those */
    bool   is_url;
} dp_answer;

/* DP_ENOMEM. */
dp_err dp_answer_make(dp_answers *a, const dp_ask *ask, dp_str url, dp_answer *out);

/* With `unique`: note that the answer was added to a->out, marked from `mark.from` to `mark.to`, or a line without key.
 * DP_ENOMEM. */
dp_err dp_answer_note(dp_answers *a, const dp_ask *ask, const dp_answer *answer, dp_mark mark);
dp_err dp_answers_stay(dp_answers *a);

/* Forget what was noted and added, keep the counts. */
void dp_answers_empty(dp_answers *a);

/* Count what the last one did: changed, limit, any_fired, fired. */
void dp_answer_count(dp_answers *a, const dp_ask *ask, dp_str url, const dp_answer *answer);

/* The rules that fired: "id,id", "-" or "limit"; the same of a probe, "other" for "-"; as a JSON array;
 * and all there is as an object and LF. */
void dp_answer_add_ids(dp_buf *out, const dp_ask *ask, const dp_scratch *s);
void dp_answer_add_mark(dp_buf *out, const dp_ask *ask, const dp_scratch *s);
void dp_answer_add_array(dp_buf *out, const dp_ask *ask, const dp_scratch *s);
dp_mark dp_answer_add_object(dp_answers *a, const dp_ask *ask, dp_str url, const dp_answer *answer);

#endif
