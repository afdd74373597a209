/* SPDX-License-Identifier: Apache-2.0 */
#include "store/pages.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "store/lmdbformat.h"

typedef dp_lmdb_page page_head;
typedef dp_lmdb_node node_head;
typedef dp_lmdb_tree tree;
typedef dp_lmdb_head head;

/* One look at a tree. */
typedef struct walk {
    dp_pages *p;
    head      at;       /* the file as of one transaction */
    size_t    page;     /* bytes */
    bool      marks;    /* every page must be met for the first time */
    bool      numbers, is_free, is_names;
    uint64_t  entries;
} walk;

typedef struct node {
    node_head h;
    dp_str    key;
    const char *value; /* in the page */
} node;

/* ---- one page ---------------------------------------------------------------------------------------------------- */

static bool get_bit(const dp_pages *p, uint64_t i)
{
    return p->met[i / 8] >> i % 8 & 1;
}

/* Meet a page: false when it was met before. */
static bool meet(dp_pages *p, uint64_t number)
{
    bool fresh = !get_bit(p, number);
    p->met[number / 8] |= (uint8_t)(1u << number % 8);
    return fresh;
}

/* Whether `count` pages from `number` on can be there, all of them. */
static bool is_inside(const walk *w, uint64_t number, uint64_t count)
{
    uint64_t in_file = w->p->size / w->page;
    return number >= DP_LMDB_HEADS && number <= w->at.last && count <= w->at.last - number + 1 && number < in_file &&
           count <= in_file - number;
}

static const char *page_at(const walk *w, uint64_t number, page_head *h)
{
    const char *page = w->p->map + number * w->page;
    memcpy(h, page, sizeof *h);
    return page;
}

static size_t count_nodes(const page_head *h)
{
    return (h->lower - sizeof *h) / sizeof(uint16_t);
}

static uint32_t value_size(const node *n)
{
    return n->h.low | (uint32_t)n->h.high << 16;
}

/* The page that node of a branch leads to. */
static uint64_t child_of(const node *n)
{
    return n->h.low | (uint64_t)n->h.high << 16 | (uint64_t)n->h.flags << 32;
}

/* The i-th node of a page; false when it does not lie in it. `*bytes` are those that it takes. */
static bool read_node(const walk *w, const char *page, const page_head *h, size_t i, node *out, size_t *bytes)
{
    uint16_t at;
    memcpy(&at, page + sizeof *h + i * sizeof at, sizeof at);
    if (at % 2 || at < h->upper || at + sizeof out->h > w->page)
        return false;
    memcpy(&out->h, page + at, sizeof out->h);
    size_t size = sizeof out->h + out->h.key;
    if (h->flags == DP_LMDB_LEAF)
        size += out->h.flags & DP_LMDB_BIG ? sizeof(uint64_t) : value_size(out);
    if (size > w->page - at || out->h.key > DP_LMDB_LONGEST_KEY)
        return false;
    out->key = (dp_str){page + at + sizeof out->h, out->h.key};
    out->value = out->key.p + out->key.n;
    *bytes = size + size % 2;
    return true;
}

/* The same of a page that was checked. */
static node get_node(const char *page, size_t i)
{
    node     n;
    uint16_t at;
    memcpy(&at, page + sizeof(page_head) + i * sizeof at, sizeof at);
    memcpy(&n.h, page + at, sizeof n.h);
    n.key = (dp_str){page + at + sizeof n.h, n.h.key};
    n.value = n.key.p + n.key.n;
    return n;
}

static int compare(const walk *w, dp_str a, dp_str b)
{
    uint64_t x, y;
    if (!w->numbers)
        return dp_str_cmp(a, b);
    memcpy(&x, a.p, sizeof x);
    memcpy(&y, b.p, sizeof y);
    return (x > y) - (x < y);
}

/* The keys that a page may have: from `low` (p NULL: any) up to, but not with, `high`. */
typedef struct range {
    dp_str low, high;
} range;

static bool is_between(const walk *w, dp_str key, range r)
{
    return (!r.low.p || compare(w, key, r.low) >= 0) && (!r.high.p || compare(w, key, r.high) < 0);
}

/* ---- values ------------------------------------------------------------------------------------------------------ */

static int check_tree(walk *w, const tree *t);

/* The bytes of a value that has pages of its own. */
static int check_big(walk *w, const node *n, const char **value)
{
    uint64_t  number, count = (sizeof(page_head) - 1 + value_size(n)) / w->page + 1;
    page_head h;
    memcpy(&number, n->value, sizeof number);
    if (!is_inside(w, number, count))
        return MDB_CORRUPTED;
    *value = page_at(w, number, &h) + sizeof h;
    /* One that has become smaller may have kept its pages. */
    if (h.number != number || h.flags != DP_LMDB_OVERFLOW || h.pages < count || !is_inside(w, number, h.pages))
        return MDB_CORRUPTED;
    for (uint64_t i = 0; w->marks && i < h.pages; i++) {
        if (!meet(w->p, number + i))
            return MDB_CORRUPTED;
    }
    return 0;
}

/* Numbers of free pages: how many, then each, falling. */
static int check_free(walk *w, const char *value, size_t size)
{
    uint64_t n, before = DP_LMDB_NOTHING, number;
    if (size < sizeof n || size % sizeof n)
        return MDB_CORRUPTED;
    memcpy(&n, value, sizeof n);
    if (n > size / sizeof n - 1)
        return MDB_CORRUPTED;
    for (uint64_t i = 1; i <= n; i++, before = number) {
        memcpy(&number, value + i * sizeof number, sizeof number);
        if (number < DP_LMDB_HEADS || number > w->at.last || number >= before || (w->marks && !meet(w->p, number)))
            return MDB_CORRUPTED;
    }
    return 0;
}

static const dp_pages_table *find_table(const dp_pages *p, dp_str name)
{
    for (size_t i = 0; i < p->ntable; i++) {
        if (dp_str_eq(dp_str_c(p->table[i].name), name))
            return &p->table[i];
    }
    return NULL;
}

/* A table, by its entry under the names. */
static int check_table(walk *w, const node *n)
{
    const dp_pages_table *table = find_table(w->p, n->key);
    tree                  t;
    if (n->h.flags != DP_LMDB_TREE || !table)
        return MDB_INVALID;
    if (value_size(n) != sizeof t)
        return MDB_CORRUPTED;
    memcpy(&t, n->value, sizeof t);
    if (!dp_lmdb_is_tree(&t) || t.flags != (table->numbers ? DP_LMDB_NUMBERS : 0))
        return MDB_CORRUPTED;
    walk inside = *w;
    inside.is_names = false;
    inside.numbers = table->numbers;
    return w->marks ? check_tree(&inside, &t) : 0; /* else when a key of it is looked for */
}

static int check_value(walk *w, const node *n)
{
    const char *value = n->value;
    if (n->key.n == 0 || (w->numbers && n->key.n != sizeof(uint64_t)))
        return MDB_CORRUPTED;
    if (w->is_names)
        return check_table(w, n);
    if (n->h.flags & ~DP_LMDB_BIG)
        return MDB_CORRUPTED;
    int code = n->h.flags & DP_LMDB_BIG ? check_big(w, n, &value) : 0;
    return code == 0 && w->is_free ? check_free(w, value, value_size(n)) : code;
}

/* ---- trees ------------------------------------------------------------------------------------------------------- */

/* A page by itself: its head, its nodes, their keys and values. `left`: levels below it. */
static int check_page(walk *w, uint64_t number, unsigned left, range r)
{
    page_head   h;
    const char *page = page_at(w, number, &h);
    size_t      sum = 0, bytes, least = left && !w->is_free ? 2 : 1;
    dp_str      before = {0};
    if (h.number != number || h.flags != (left ? DP_LMDB_BRANCH : DP_LMDB_LEAF) || h.lower < sizeof h || h.lower % 2 ||
        h.upper < h.lower || h.upper > w->page || count_nodes(&h) < least)
        return MDB_CORRUPTED;
    for (size_t i = 0; i < count_nodes(&h); i++) {
        node n;
        if (!read_node(w, page, &h, i, &n, &bytes) || (sum += bytes) > w->page - h.upper)
            return MDB_CORRUPTED;
        if (left && i == 0)
            continue; /* its key is not looked at: all that is less than the next */
        if ((w->numbers && n.key.n != sizeof(uint64_t)) || (before.p && compare(w, before, n.key) >= 0) ||
            !is_between(w, n.key, r))
            return MDB_CORRUPTED;
        before = n.key;
        int code = left ? 0 : check_value(w, &n);
        if (code)
            return code;
    }
    w->entries += left ? 0 : count_nodes(&h);
    return 0;
}

/* The page below node `i` of a branch that was checked, and its keys. */
static uint64_t step_down(const char *page, const page_head *h, size_t i, range *r)
{
    node n = get_node(page, i);
    if (i > 0)
        r->low = n.key;
    if (i + 1 < count_nodes(h))
        r->high = get_node(page, i + 1).key;
    return child_of(&n);
}

static int check_below(walk *w, uint64_t number, unsigned left, range r)
{
    page_head h;
    if (!is_inside(w, number, 1) || (w->marks && !meet(w->p, number)))
        return MDB_CORRUPTED;
    int         code = check_page(w, number, left, r);
    const char *page = page_at(w, number, &h);
    for (size_t i = 0; code == 0 && left && i < count_nodes(&h); i++) {
        range    inside = r;
        uint64_t child = step_down(page, &h, i, &inside);
        code = check_below(w, child, left - 1, inside);
    }
    return code;
}

static int check_tree(walk *w, const tree *t)
{
    w->entries = 0;
    if (t->root == DP_LMDB_NOTHING)
        return 0;
    int code = check_below(w, t->root, t->depth - 1u, (range){0});
    return code == 0 && w->entries != t->entries ? MDB_CORRUPTED : code;
}

/* ---- the file ---------------------------------------------------------------------------------------------------- */

/* See the file as large as it is now. */
static int map_file(dp_pages *p, MDB_txn *txn)
{
    struct stat st;
    int         fd, code = mdb_env_get_fd(mdb_txn_env(txn), &fd);
    if (code == 0 && fstat(fd, &st) != 0)
        code = errno;
    if (code || (p->map && (uint64_t)st.st_size == p->size))
        return code;
    if (p->map)
        munmap((void *)(uintptr_t)p->map, p->size);
    p->size = (size_t)st.st_size;
    void *map = p->size ? mmap(NULL, p->size, PROT_READ, MAP_SHARED, fd, 0) : MAP_FAILED;
    p->map = map == MAP_FAILED ? NULL : map;
    if (!p->map)
        return p->size ? errno : MDB_CORRUPTED;
    return 0;
}

/* A bit for each page up to the last. */
static int make_bits(dp_pages *p, uint64_t last)
{
    size_t need = last / 8 + 1;
    if (need <= p->cap)
        return 0;
    uint8_t *met = realloc(p->met, need);
    if (!met)
        return ENOMEM;
    memset(met + p->cap, 0, need - p->cap);
    p->met = met;
    p->cap = need;
    return 0;
}

/* The head that a transaction began with: its own number is that one's, or for a writing one, the next. */
static int find_head(walk *w, MDB_txn *txn)
{
    uint64_t number = mdb_txn_id(txn);
    uint32_t page;
    memcpy(&page, w->p->map + sizeof(page_head) + offsetof(head, free.page_size), sizeof page);
    w->page = page;
    if (!dp_lmdb_is_page_size(w->page) || w->p->size < DP_LMDB_HEADS * w->page)
        return MDB_CORRUPTED;
    for (uint64_t back = 0; back < DP_LMDB_HEADS; back++) {
        for (size_t i = 0; i < DP_LMDB_HEADS; i++) {
            memcpy(&w->at, w->p->map + i * w->page + sizeof(page_head), sizeof w->at);
            if (w->at.txn == number - back)
                return dp_lmdb_is_head(&w->at, w->p->size) && w->at.free.page_size == w->page ? 0 : MDB_CORRUPTED;
        }
    }
    return MDB_BAD_TXN;
}

static int begin(walk *w, dp_pages *p, MDB_txn *txn)
{
    *w = (walk){.p = p};
    int code = map_file(p, txn);
    if (code == 0)
        code = find_head(w, txn);
    return code ? code : make_bits(p, w->at.last);
}

/* The free pages, then the names and, when all pages are met, the tables. */
static int check_both(walk *w)
{
    w->is_free = w->numbers = true;
    int code = check_tree(w, &w->at.free);
    w->is_free = w->numbers = false;
    w->is_names = true;
    return code ? code : check_tree(w, &w->at.names);
}

/* Check the file, all of it if that is wanted or it is small. */
static int check_file(dp_pages *p, MDB_txn *txn, bool all)
{
    walk w;
    if (!dp_lmdb_is_known() || p->all)
        return 0;
    int code = begin(&w, p, txn);
    if (code)
        return code;
    w.marks = all || p->size <= p->few;
    if (w.marks)
        memset(p->met, 0, p->cap);
    code = check_both(&w);
    p->all = w.marks && code == 0;
    return code;
}

int dp_pages_check_all(dp_pages *p, MDB_txn *txn)
{
    return check_file(p, txn, true);
}

int dp_pages_check(dp_pages *p, MDB_txn *txn)
{
    return check_file(p, txn, false);
}

/* ---- the way to a key -------------------------------------------------------------------------------------------- */

/* Which node of a branch leads to the key: the last that is not behind it. */
static size_t find_node(const walk *w, const char *page, const page_head *h, dp_str key)
{
    size_t low = 0, high = count_nodes(h);
    while (high - low > 1) {
        size_t mid = low + (high - low) / 2;
        if (compare(w, get_node(page, mid).key, key) <= 0)
            low = mid;
        else
            high = mid;
    }
    return low;
}

/* `*last` is the range of the leaf that the key before it led to. */
static int check_way(walk *w, const tree *t, dp_str key, range *last)
{
    uint64_t number = t->root;
    range    r = {0};
    if (last->low.p && is_between(w, key, *last))
        return 0;
    for (unsigned left = t->depth; left-- > 0;) {
        page_head h;
        if (!is_inside(w, number, 1))
            return MDB_CORRUPTED;
        if (!get_bit(w->p, number)) {
            int code = check_page(w, number, left, r);
            if (code)
                return code;
            meet(w->p, number);
        }
        const char *page = page_at(w, number, &h);
        if (left)
            number = step_down(page, &h, find_node(w, page, &h, key), &r);
    }
    *last = r;
    return 0;
}

/* The entry of a table under the names, which were checked. */
static bool find_tree(const walk *w, const char *name, tree *out)
{
    page_head   h = {0};
    uint64_t    number = w->at.names.root;
    const char *page = NULL;
    for (unsigned left = w->at.names.depth; left-- > 0;) {
        page = page_at(w, number, &h);
        if (left)
            number = step_down(page, &h, find_node(w, page, &h, dp_str_c(name)), &(range){0});
    }
    for (size_t i = 0; page && i < count_nodes(&h); i++) {
        node n = get_node(page, i);
        if (dp_str_eq(n.key, dp_str_c(name))) {
            memcpy(out, n.value, sizeof *out);
            return true;
        }
    }
    return false;
}

int dp_pages_check_keys(dp_pages *p, MDB_txn *txn, const char *table, dp_pages_next *next, void *ctx)
{
    walk   w;
    tree   t;
    dp_str key;
    range  last = {0};
    if (!dp_lmdb_is_known() || p->all)
        return 0;
    int code = begin(&w, p, txn);
    if (code)
        return code;
    w.is_names = true;
    code = check_tree(&w, &w.at.names);
    if (code || !find_tree(&w, table, &t))
        return code;
    w.is_names = false;
    w.numbers = find_table(p, dp_str_c(table))->numbers;
    if (!next)
        return check_tree(&w, &t);
    while (code == 0 && next(ctx, &key))
        code = check_way(&w, &t, key, &last);
    return code;
}

void dp_pages_done(dp_pages *p)
{
    if (p->map)
        munmap((void *)(uintptr_t)p->map, p->size);
    free(p->met);
    *p = (dp_pages){.table = p->table, .ntable = p->ntable, .few = p->few};
}
