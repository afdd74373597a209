/* live/note.h - what is kept of a request: all that verdicts need, not the page.
 *
 *     http://a.com/x   ──►   200, 5120 bytes, digest, sketch          or   301 -> http://a.com/y
 *                      ──►   failed: timeout, after 3 tries
 *
 * live/fetcher.c writes one for each request, live/cache.h keeps it over runs. One note is one request: a chain of
 * redirects is a chain of notes.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_LIVE_NOTE_H
#define DP_LIVE_NOTE_H

#include "base/hash.h"
#include "base/str.h"
#include "content/cluster.h"
#include "content/shingle.h"

typedef enum dp_note_kind {
    DP_NOTE_ASKED = 0, /* the request went out, nothing came back yet */
    DP_NOTE_PAGE,      /* 2xx */
    DP_NOTE_MOVED,     /* a redirect; `target` */
    DP_NOTE_GONE,      /* 4xx: the server says that there is no page for us */
    DP_NOTE_FAILED     /* nothing that a verdict could rest on; `fault` */
} dp_note_kind;

/* Why a request failed. */
typedef enum dp_fault {
    DP_FAULT_NONE = 0,
    DP_FAULT_RESOLVE,     /* the name has no address */
    DP_FAULT_CONNECT,
    DP_FAULT_PRIVATE,     /* the address is not public; final */
    DP_FAULT_TIMEOUT,
    DP_FAULT_BROKEN,      /* reset, cut short, not HTTP */
    DP_FAULT_LENGTH,      /* more or fewer bytes than Content-Length says */
    DP_FAULT_LARGE,       /* past the size limit; final */
    DP_FAULT_TLS,
    DP_FAULT_SERVER,      /* 5xx, 408, 425, 429 */
    DP_FAULT_REDIRECT,    /* to nowhere; final */
    DP_FAULT_INTERRUPTED, /* the run was killed while it was under way; final */
    DP_FAULT_REFUSED,     /* nobody listens at the port */
    DP_FAULT_UNREACHABLE, /* no route to the address */
    DP_FAULTS
} dp_fault;

const char *dp_fault_name(dp_fault f);   /* "timeout": for programs, never changed */
const char *dp_fault_phrase(dp_fault f); /* "no answer in time": for people */

/* Whether asking again can help. */
bool dp_fault_is_passing(dp_fault f);

typedef struct dp_note {
    dp_note_kind kind;
    dp_fault     fault;
    int          status; /* of HTTP; 0: none came */
    unsigned     tries;
    int64_t      time; /* seconds since 1970 */
    int64_t      size; /* bytes of the page, decoded */
    dp_hash128   digest;
    uint64_t     sketch[DP_SKETCH_SIZE];
    dp_str       target; /* of a redirect: a URL in stage-0 form */
} dp_note;

#endif
