/* SPDX-License-Identifier: Apache-2.0 */
#include "content/html.h"

#include <gumbo.h>
#include <setjmp.h>

#include "base/hash.h"
#include "base/libraries.h"
#include "base/machine.h"
#include "base/words/utf8.h"
#include "content/squeeze.h"
#include "url/chars.h"

/* ---- what is refused ------------------------------------------------------------------------
 *
 * gumbo looks through all open elements at most tags and through all attributes of an element
 * at each, and repeats unclosed formatting elements in every paragraph. So depth and
 * attributes are counted beforehand, roughly, and memory has a budget. Where somebody takes
 * pains to deceive the count (a quote in a CDATA section, ...), the processor's time is the last
 * word: the only thing here that depends on the machine. */

enum {
    TREE_FIXED = 4 << 20,
    TREE_TIMES = 256, /* bytes a byte of page */
    TREE_MAX = 512 << 20,
    MAX_SECONDS = 10,
    CLOCK_EVERY = 1024 /* allocations */
};

/* Elements that never stay open, or that end where the next of their kind begins. */
static const char *const shallow[] = {
    "a", "area", "base", "body", "br", "button", "col", "colgroup", "dd", "dt", "embed", "frame", "h1", "h2", "h3",
    "h4", "h5", "h6", "head", "hr", "html", "img", "input", "keygen", "li", "link", "meta", "nobr", "optgroup",
    "option", "p", "param", "rb", "rp", "rt", "rtc", "source", "tbody", "td", "tfoot", "th", "thead", "tr", "track",
    "wbr",
};

static bool is_one_of(const char *const *list, size_t n, dp_str name)
{
    for (size_t i = 0; i < n; i++) {
        if (list[i][0] == dp_lower(name.p[0]) && dp_is_word(name, list[i]))
            return true;
    }
    return false;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\f' || c == '\r';
}

static size_t skip_blanks(dp_str page, size_t at)
{
    while (at < page.n && is_blank(page.p[at]))
        at++;
    return at;
}

/* The end of the tag whose name ends at `at`, as the HTML standard cuts tags; counts its attributes into `*count`. */
static size_t skip_tag(dp_str page, size_t at, size_t *count)
{
    while (at < page.n && page.p[at] != '>') {
        char c = page.p[at++];
        if (is_blank(c) || c == '/')
            continue;
        ++*count;
        while (at < page.n && !is_blank(page.p[at]) && page.p[at] != '/' && page.p[at] != '>' && page.p[at] != '=')
            at++;
        size_t value = skip_blanks(page, at);
        if (value >= page.n || page.p[value] != '=')
            continue;
        at = skip_blanks(page, value + 1);
        char quote = at < page.n ? page.p[at] : 0;
        if (quote == '"' || quote == '\'') {
            const char *end = memchr(page.p + at + 1, quote, page.n - at - 1);
            at = end ? (size_t)(end - page.p) + 1 : page.n;
        } else {
            while (at < page.n && !is_blank(page.p[at]) && page.p[at] != '>')
                at++;
        }
    }
    return at;
}

/* Where `text` first ends from `at` on, or the end of the page. */
static size_t skip_past(dp_str page, size_t at, dp_str text)
{
    const char *found = at < page.n ? memmem(page.p + at, page.n - at, text.p, text.n) : NULL;
    return found ? (size_t)(found - page.p) + text.n : page.n;
}

/* The last byte of a comment, or of what is taken for one, that begins before `at`. */
static size_t skip_comment(dp_str page, size_t at, bool foreign)
{
    dp_str rest = dp_str_cut(page, at, page.n);
    if (foreign && dp_str_starts(rest, DP_STR("![CDATA[")))
        return skip_past(page, at + 8, DP_STR("]]>")) - 1;
    if (!dp_str_starts(rest, DP_STR("!--")))
        return skip_past(page, at, DP_STR(">")) - 1;
    if (dp_str_starts(rest, DP_STR("!-->")) || dp_str_starts(rest, DP_STR("!--->")))
        return skip_past(page, at, DP_STR(">")) - 1;
    size_t plain = skip_past(page, at + 3, DP_STR("-->")), odd = skip_past(page, at + 3, DP_STR("--!>"));
    return (plain < odd ? plain : odd) - 1;
}

static size_t find_end_tag(dp_str page, size_t at, dp_str name)
{
    for (; at + 2 + name.n <= page.n; at++) {
        const char *lt = memchr(page.p + at, '<', page.n - at);
        if (!lt)
            break;
        at = (size_t)(lt - page.p);
        if (at + 2 <= page.n && lt[1] == '/' && dp_str_starts_but_case(dp_str_cut(page, at + 2, page.n), name))
            return at;
    }
    return page.n;
}

/* Elements in which tags are text. */
static const char *const raw[] = {"script", "style", "textarea", "title", "xmp", "iframe", "noembed", "noframes"};

/* Elements that end <svg> and <math> when they begin inside. */
static const char *const breaks_out[] = {
    "b", "big", "blockquote", "body", "br", "center", "code", "dd", "div", "dl", "dt", "em", "embed", "h1", "h2", "h3",
    "h4", "h5", "h6", "head", "hr", "i", "img", "li", "listing", "menu", "meta", "nobr", "ol", "p", "pre", "ruby", "s",
    "small", "span", "strike", "strong", "sub", "sup", "table", "tt", "u", "ul", "var",
};

/* Elements that the end tag of another one, unless that is one of these, does not close. */
static const char *const walls[] = {
    "address", "article", "aside", "blockquote", "center", "details", "dir", "div", "dl", "fieldset", "figcaption",
    "figure", "footer", "form", "header", "hgroup", "main", "menu", "nav", "object", "ol", "pre", "section", "select",
    "summary", "table", "template", "ul",
};

/* The elements that are open, but for shallow ones. */
typedef struct open_elements {
    struct {
        dp_str name;
        bool   is_wall;
    } v[DP_HTML_DEPTH];
    size_t n;
    size_t root;    /* of the outermost <svg> or <math> */
    bool   foreign; /* inside it: nothing ends by itself, and tags are never text */
} open_elements;

/* An end tag closes the last element of its name with all that is open in it; an inline one no further than a wall. */
static void close_element(open_elements *o, dp_str name)
{
    bool wall = false;
    for (size_t i = o->n; i-- > 0;) {
        if (dp_str_eq_but_case(o->v[i].name, name)) {
            o->n = o->v[i].is_wall || !wall ? i : o->n;
            break;
        }
        wall |= o->v[i].is_wall;
    }
    o->foreign = o->foreign && o->n > o->root;
}

/* False: there are too many. */
static bool open_element(open_elements *o, dp_str name)
{
    bool root = dp_is_word(name, "svg") || dp_is_word(name, "math");
    if (o->foreign && is_one_of(breaks_out, DP_COUNT(breaks_out), name)) {
        o->foreign = false;
        o->n = o->root;
    }
    if (!o->foreign && is_one_of(shallow, DP_COUNT(shallow), name))
        return true;
    if (o->n == DP_HTML_DEPTH)
        return false;
    if (root && !o->foreign) {
        o->foreign = true;
        o->root = o->n;
    }
    o->v[o->n].name = name;
    o->v[o->n++].is_wall = is_one_of(walls, DP_COUNT(walls), name);
    return true;
}

static bool is_tame(dp_str page)
{
    open_elements o;
    o.n = o.root = 0;
    o.foreign = false;
    if (page.n > DP_HTML_MAX)
        return false;
    for (size_t at = 0; at < page.n; at++) {
        const char *lt = memchr(page.p + at, '<', page.n - at);
        if (!lt)
            break;
        at = (size_t)(lt - page.p) + 1;
        if (at < page.n && (page.p[at] == '!' || page.p[at] == '?')) {
            at = skip_comment(page, at, o.foreign);
            continue;
        }
        bool   closes = at < page.n && page.p[at] == '/';
        size_t begin = at + closes, end = begin, attributes = 0;
        while (end < page.n && (unsigned char)page.p[end] > ' ' && page.p[end] != '/' && page.p[end] != '>')
            end++;
        dp_str name = dp_str_cut(page, begin, end);
        if (!name.n || !dp_is(name.p[0], DP_CH_ALPHA)) {
            at--;
            continue;
        }
        at = skip_tag(page, end, &attributes);
        bool is_empty = o.foreign && at > end && page.p[at - 1] == '/';
        if (closes)
            close_element(&o, name);
        if (attributes > DP_HTML_ATTRIBUTES || (!closes && !is_empty && !open_element(&o, name)))
            return false;
        if (!closes && !o.foreign && is_one_of(raw, DP_COUNT(raw), name))
            at = find_end_tag(page, at, name) - 1;
    }
    return true;
}

/* ---- the parser's memory ------------------------------------------------------------------- */

typedef struct budget {
    dp_arena *tree;
    size_t    left;
    size_t    calls;
    double    began; /* seconds of this thread */
    bool      no_memory;
    jmp_buf   stop; /* gumbo does not look at what it is given; so it never sees a NULL */
} budget;

static void *allocate(void *ctx, size_t n)
{
    budget *b = ctx;
    if (++b->calls % CLOCK_EVERY == 0 && dp_clock_thread_seconds() - b->began > MAX_SECONDS)
        b->left = 0;
    void *p = n <= b->left ? dp_arena_alloc(b->tree, n) : NULL;
    if (!p) {
        b->no_memory = n <= b->left;
        longjmp(b->stop, 1);
    }
    b->left -= n;
    return p;
}

/* The arena frees the tree, which gumbo would do by recursion as deep as the page. */
static void release(void *ctx, void *p)
{
    (void)ctx;
    (void)p;
}

/* ---- what is seen ---------------------------------------------------------------------------- */

/* The value of an attribute; p is NULL when there is none. */
static dp_str attribute(const GumboNode *node, const char *name)
{
    const GumboAttribute *a = gumbo_get_attribute(&node->v.element.attributes, name);
    return a ? dp_str_c(a->value) : (dp_str){0};
}

/* Whether `list`, words with blanks between, has `word`, in any case. */
static bool has_word(dp_str list, const char *word)
{
    for (size_t i = 0, end; i < list.n; i = end + 1) {
        for (end = i; end < list.n && (unsigned char)list.p[end] > ' '; end++) {}
        if (dp_is_word(dp_str_cut(list, i, end), word))
            return true;
    }
    return false;
}

/* Whether the style says name:value, in any case and with blanks anywhere. */
static bool style_says(dp_str style, const char *want)
{
    for (size_t i = 0; i < style.n; i++) {
        size_t at = i, k = 0;
        while (at < style.n && want[k]) {
            if ((unsigned char)style.p[at] > ' ') {
                if (dp_lower(style.p[at]) != want[k])
                    break;
                k++;
            }
            at++;
        }
        if (!want[k])
            return true;
    }
    return false;
}

static bool is_hidden(const GumboNode *node)
{
    switch (node->v.element.tag) {
    case GUMBO_TAG_SCRIPT:
    case GUMBO_TAG_STYLE:
    case GUMBO_TAG_NOSCRIPT:
    case GUMBO_TAG_TEMPLATE:
    case GUMBO_TAG_IFRAME:
    case GUMBO_TAG_NOFRAMES:
    case GUMBO_TAG_NOEMBED:
    case GUMBO_TAG_OBJECT:
    case GUMBO_TAG_AUDIO:
    case GUMBO_TAG_VIDEO:
    case GUMBO_TAG_CANVAS:
    case GUMBO_TAG_DATALIST:
    case GUMBO_TAG_TITLE:
        return true;
    default: break;
    }
    dp_str style = attribute(node, "style");
    return attribute(node, "hidden").p || style_says(style, "display:none") || style_says(style, "visibility:hidden");
}

/* Whether words before, in and behind the element are apart. */
static bool is_block(GumboTag tag)
{
    switch (tag) {
    case GUMBO_TAG_ADDRESS:
    case GUMBO_TAG_ARTICLE:
    case GUMBO_TAG_ASIDE:
    case GUMBO_TAG_BLOCKQUOTE:
    case GUMBO_TAG_BODY:
    case GUMBO_TAG_BR:
    case GUMBO_TAG_BUTTON:
    case GUMBO_TAG_CAPTION:
    case GUMBO_TAG_CENTER:
    case GUMBO_TAG_COL:
    case GUMBO_TAG_COLGROUP:
    case GUMBO_TAG_DD:
    case GUMBO_TAG_DETAILS:
    case GUMBO_TAG_DIR:
    case GUMBO_TAG_DIV:
    case GUMBO_TAG_DL:
    case GUMBO_TAG_DT:
    case GUMBO_TAG_FIELDSET:
    case GUMBO_TAG_FIGCAPTION:
    case GUMBO_TAG_FIGURE:
    case GUMBO_TAG_FOOTER:
    case GUMBO_TAG_FORM:
    case GUMBO_TAG_FRAME:
    case GUMBO_TAG_FRAMESET:
    case GUMBO_TAG_H1:
    case GUMBO_TAG_H2:
    case GUMBO_TAG_H3:
    case GUMBO_TAG_H4:
    case GUMBO_TAG_H5:
    case GUMBO_TAG_H6:
    case GUMBO_TAG_HEAD:
    case GUMBO_TAG_HEADER:
    case GUMBO_TAG_HR:
    case GUMBO_TAG_HTML:
    case GUMBO_TAG_IFRAME:
    case GUMBO_TAG_INPUT:
    case GUMBO_TAG_LABEL:
    case GUMBO_TAG_LEGEND:
    case GUMBO_TAG_LI:
    case GUMBO_TAG_MAIN:
    case GUMBO_TAG_MENU:
    case GUMBO_TAG_NAV:
    case GUMBO_TAG_OL:
    case GUMBO_TAG_OPTGROUP:
    case GUMBO_TAG_OPTION:
    case GUMBO_TAG_P:
    case GUMBO_TAG_PRE:
    case GUMBO_TAG_SECTION:
    case GUMBO_TAG_SELECT:
    case GUMBO_TAG_SUMMARY:
    case GUMBO_TAG_TABLE:
    case GUMBO_TAG_TBODY:
    case GUMBO_TAG_TD:
    case GUMBO_TAG_TEXTAREA:
    case GUMBO_TAG_TFOOT:
    case GUMBO_TAG_TH:
    case GUMBO_TAG_THEAD:
    case GUMBO_TAG_TR:
    case GUMBO_TAG_UL: return true;
    default: return false;
    }
}

static bool is_text(const GumboNode *node)
{
    return node->type == GUMBO_NODE_TEXT || node->type == GUMBO_NODE_WHITESPACE || node->type == GUMBO_NODE_CDATA;
}

static void read_title(dp_html *h, const GumboNode *title)
{
    dp_squeeze s = {.out = &h->title};
    for (unsigned i = 0; i < title->v.element.children.length; i++) {
        const GumboNode *child = title->v.element.children.data[i];
        if (is_text(child))
            dp_squeeze_add(&s, dp_str_c(child->v.text.text));
    }
}

static void read_canonical(dp_html *h, dp_str href)
{
    dp_buf     found = {0};
    dp_squeeze s = {.out = &found};
    dp_squeeze_add(&s, href);
    if (!h->canonical.n)
        dp_buf_str(&h->canonical, dp_buf_view(&found));
    else if (!dp_str_eq(dp_buf_view(&h->canonical), dp_buf_view(&found)))
        h->disputed = true;
    h->canonical.failed |= found.failed;
    dp_buf_done(&found);
}

/* What an element of <head> says. */
static void read_head(dp_html *h, const GumboNode *node)
{
    GumboTag tag = node->v.element.tag;
    if (tag == GUMBO_TAG_TITLE && !h->title.n) {
        read_title(h, node);
    } else if (tag == GUMBO_TAG_LINK && has_word(attribute(node, "rel"), "canonical")) {
        if (attribute(node, "href").n)
            read_canonical(h, attribute(node, "href"));
    } else if (tag == GUMBO_TAG_BASE && !h->base.n) {
        dp_squeeze s = {.out = &h->base};
        dp_squeeze_add(&s, attribute(node, "href"));
    }
}

typedef struct step {
    const GumboNode *node;
    unsigned         next;     /* child to look at */
    unsigned         elements; /* children that were elements */
    uint64_t         name;     /* of the nearest element that is a place */
    dp_place         place;
} step;

/* Mix a text without its digits into a hash: comment-17 and comment-18 are one place. */
static uint64_t fold_text(uint64_t h, dp_str text)
{
    for (size_t i = 0; i < text.n; i++) {
        if (!dp_is(text.p[i], DP_CH_DIGIT))
            h = (h ^ (unsigned char)text.p[i]) * 0x100000001B3u;
    }
    return dp_hash_mix(h);
}

static bool has_digit(dp_str text)
{
    for (size_t i = 0; i < text.n; i++) {
        if (dp_is(text.p[i], DP_CH_DIGIT))
            return true;
    }
    return false;
}

/* Whether the element only says how words look, whatever its class is: a word that a search has found is part of the
 * text around it, and changes with it. */
static bool is_emphasis(GumboTag tag)
{
    switch (tag) {
    case GUMBO_TAG_B:
    case GUMBO_TAG_BIG:
    case GUMBO_TAG_EM:
    case GUMBO_TAG_FONT:
    case GUMBO_TAG_I:
    case GUMBO_TAG_MARK:
    case GUMBO_TAG_STRONG:
    case GUMBO_TAG_U:
        return true;
    default:
        return false;
    }
}

/* What an element is called in a path: its tag, class and id; the number of a cell in its row. Rows change their
 * classes (odd, even); an id with digits is that of one page or row. 0: it is no place. */
static uint64_t name_of(const GumboNode *node, unsigned ordinal)
{
    GumboTag tag = node->v.element.tag;
    dp_str   class = attribute(node, "class"), id = attribute(node, "id");
    if (tag == GUMBO_TAG_TR)
        class = id = (dp_str){0};
    if (has_digit(id))
        id = (dp_str){0};
    if (is_emphasis(tag) || (!class.n && !id.n && !is_block(tag)))
        return 0;
    uint64_t h = fold_text(dp_hash_mix((uint64_t)tag + 1), class);
    h = fold_text(h + 1, id);
    return tag == GUMBO_TAG_TD || tag == GUMBO_TAG_TH ? dp_hash_mix(h + ordinal) : h;
}

/* Paths begin below <body>, whose classes are those of the page. */
static step step_to(const step *parent, const GumboNode *node)
{
    step     s = {.node = node};
    GumboTag tag = node->v.element.tag;
    uint64_t name = tag == GUMBO_TAG_HTML || tag == GUMBO_TAG_BODY ? 0 : name_of(node, parent ? parent->elements : 0);
    if (parent && !name) {
        s.name = parent->name;
        s.place = parent->place;
    } else if (parent) {
        s.name = name;
        s.place = (dp_place){dp_hash_fold(parent->place.path, name), dp_hash_fold(parent->name, name)};
    }
    return s;
}

static void push(dp_html *h, const step *parent, const GumboNode *node)
{
    const step s = step_to(parent, node);
    dp_buf_add(&h->path, (const char *)&s, sizeof s);
}

/* Append text, and say where it stands unless that is where the text before it stands. */
static void add_text(dp_html *h, dp_squeeze *text, const step *at, const char *more)
{
    size_t before = text->out->n;
    bool   is_new = h->breaks || memcmp(&h->last, &at->place, sizeof h->last) != 0;
    dp_squeeze_add(text, dp_str_c(more));
    if (text->out->n == before || !is_new)
        return;
    const dp_mark mark = {before, at->place};
    dp_buf_add(&h->marks, (const char *)&mark, sizeof mark);
    h->last = at->place;
    h->breaks = false;
}

/* What comes next is a word and a node of its own. */
static void part(dp_html *h, dp_squeeze *text)
{
    dp_squeeze_gap(text);
    h->breaks = true;
}

/* Look at one child of an element; an element that is seen is pushed. */
static void look_at(dp_html *h, dp_squeeze *text, step *parent, const GumboNode *node)
{
    bool in_head = parent->node->v.element.tag == GUMBO_TAG_HEAD;
    if (is_text(node)) {
        if (!in_head)
            add_text(h, text, parent, node->v.text.text);
        return;
    }
    if (node->type != GUMBO_NODE_ELEMENT)
        return;
    parent->elements++;
    if (in_head)
        read_head(h, node);
    if (is_block(node->v.element.tag))
        part(h, text);
    if (!is_hidden(node)) {
        const step from = *parent; /* pushing moves it */
        push(h, &from, node);
    }
}

/* Depth first, without recursion: pages may be deep. */
static void collect(dp_html *h, const GumboNode *root)
{
    dp_squeeze text = {.out = &h->text};
    h->path.n = 0;
    h->breaks = true;
    push(h, NULL, root);
    while (h->path.n && !h->path.failed) {
        step               *s = (step *)(void *)(h->path.p + h->path.n) - 1;
        const GumboElement *e = &s->node->v.element;
        if (s->next < e->children.length) {
            look_at(h, &text, s, e->children.data[s->next++]);
        } else {
            if (is_block(e->tag))
                part(h, &text);
            h->path.n -= sizeof *s;
        }
    }
}

/* gumbo makes no character of some numeric references: &#x209f2c41d07;. Says whether the text was changed. */
static bool make_valid(dp_buf *b)
{
    dp_buf clean = {0};
    if (b->failed || dp_utf8_is_valid(dp_buf_view(b)))
        return false;
    dp_utf8_clean(&clean, dp_buf_view(b));
    dp_buf_done(b);
    *b = clean;
    return true;
}

static void forget(dp_html *h)
{
    dp_buf_reset(&h->text);
    dp_buf_reset(&h->title);
    dp_buf_reset(&h->canonical);
    dp_buf_reset(&h->base);
    dp_buf_reset(&h->path);
    dp_buf_reset(&h->marks);
    dp_arena_reset(&h->tree);
    h->disputed = false;
}

static const GumboNode *parse(budget *b, dp_str page)
{
    GumboOptions o = kGumboDefaultOptions;
    o.allocator = allocate;
    o.deallocator = release;
    o.userdata = b;
    o.max_errors = 0;
    if (setjmp(b->stop))
        return NULL;
    return gumbo_parse_with_options(&o, page.p, page.n)->root;
}

dp_err dp_html_read(dp_html *h, dp_str page)
{
    forget(h);
    if (!is_tame(page))
        return DP_ELIMIT;
    size_t           most = TREE_FIXED + TREE_TIMES * page.n, left = most < TREE_MAX ? most : TREE_MAX;
    budget           b = {.tree = &h->tree, .left = left, .began = dp_clock_thread_seconds()};
    const GumboNode *root = parse(&b, page.n ? page : DP_STR(" "));
    if (root) {
        collect(h, root);
        if (make_valid(&h->text))
            h->marks.n = 0; /* they point into what was there before */
        make_valid(&h->title);
        make_valid(&h->canonical);
        make_valid(&h->base);
    }
    bool failed = h->text.failed || h->title.failed || h->canonical.failed || h->base.failed || h->path.failed ||
                  h->marks.failed;
    if (!root || failed)
        forget(h);
    if (h->disputed)
        dp_buf_reset(&h->canonical);
    dp_arena_reset(&h->tree);
    return failed || b.no_memory ? DP_ENOMEM : root ? DP_OK : DP_ELIMIT;
}

void dp_html_done(dp_html *h)
{
    dp_buf_done(&h->text);
    dp_buf_done(&h->title);
    dp_buf_done(&h->canonical);
    dp_buf_done(&h->base);
    dp_buf_done(&h->path);
    dp_buf_done(&h->marks);
    dp_arena_done(&h->tree);
}

const char *dp_gumbo_version(void)
{
    return "";
}
