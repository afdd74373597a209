/* plant_main.c - plant: make sites with hidden rules, and say which of them a rule file found.
 * SPDX-License-Identifier: Apache-2.0
 */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "plant_score.h"
#include "plant_write.h"

static const struct {
    const char *name, *ending, *help;
} outputs[PLANT_OUTPUTS] = {
    [PLANT_CLUSTERS] = {"clusters", ".clusters.tsv", "cluster and URL, with wrong labels if --noise"},
    [PLANT_CLEAN] = {"clean", ".clean.tsv", "cluster and URL, all right"},
    [PLANT_PAGES] = {"pages", ".pages.tsv", "page and URL: what the planted rules merge"},
    [PLANT_LIST] = {"list", ".list.tsv", "URL, status, size, sketch"},
    [PLANT_LINES] = {"lines", ".urls", "URLs alone"},
    [PLANT_LOG] = {"log", ".log", "combined log, with virtual hosts when there are several"},
    [PLANT_TRUTH] = {"truth", ".rules", "the planted rules"},
    [PLANT_DECOYS] = {"decoys", ".decoys.tsv", "what must not be merged, with examples"},
};

typedef struct arguments {
    plant_options o;
    plant_score   score;
    const char   *path[PLANT_OUTPUTS];
    char         *made[PLANT_OUTPUTS]; /* paths made of --all PREFIX */
    bool          vhost;
} arguments;

static void print_help(void)
{
    dp_buf b = {0};
    dp_buf_c(&b, "usage: plant [OPTION...]          write a planted set: sites with hidden rules\n"
                 "       plant score --truth FILE --rules FILE [OPTION...]\n"
                 "                                  say which planted rules a rule file reproduces\n\n"
                 "What is generated (defaults in brackets):\n");
    plant_options_help(&b);
    dp_buf_c(&b, "\nFiles, any of them in one pass (- is standard output):\n");
    for (unsigned i = 0; i < PLANT_OUTPUTS; i++)
        dp_buf_printf(&b, "  --%s FILE%*s%s\n", outputs[i].name, 13 - (int)strlen(outputs[i].name), "",
                      outputs[i].help);
    dp_buf_c(&b, "  --all PREFIX        all of them: PREFIX.clusters.tsv and so on\n"
                 "  --vhost             a virtual-host column in the log of a single host, too\n\nScoring:\n");
    plant_score_help(&b);
    fwrite(b.p, 1, b.n, stdout);
    dp_buf_done(&b);
}

static dp_err set_all(arguments *a, const char *prefix, dp_error *err)
{
    for (unsigned i = 0; i < PLANT_OUTPUTS; i++) {
        size_t n = strlen(prefix) + strlen(outputs[i].ending) + 1;
        free(a->made[i]);
        a->made[i] = malloc(n);
        if (!a->made[i])
            return dp_fail(err, DP_ENOMEM, "out of memory");
        snprintf(a->made[i], n, "%s%s", prefix, outputs[i].ending);
        a->path[i] = a->made[i];
    }
    return DP_OK;
}

/* An option of generation with its value. */
static dp_err set_option(arguments *a, dp_str name, const char *value, dp_error *err)
{
    for (unsigned i = 0; i < PLANT_OUTPUTS; i++) {
        if (dp_str_eq(name, dp_str_c(outputs[i].name))) {
            a->path[i] = value;
            return DP_OK;
        }
    }
    if (dp_str_eq(name, DP_STR("all")))
        return set_all(a, value, err);
    return plant_option_set(&a->o, name, dp_str_c(value), err);
}

/* Whether the word after --hard is its value. */
static bool is_switch(const char *value)
{
    return value && (value[0] == '0' || value[0] == '1') && !value[1];
}

/* DP_OK and `*stop` when everything has been said. */
static dp_err parse(arguments *a, int argc, char **argv, bool scoring, bool *stop, dp_error *err)
{
    for (int i = 1 + scoring; i < argc; i++) {
        dp_str word = dp_str_c(argv[i]);
        if (dp_str_eq(word, DP_STR("--help")) || dp_str_eq(word, DP_STR("--version"))) {
            *stop = true;
            if (word.p[2] == 'h')
                print_help();
            else
                printf("plant %d\n", PLANT_VERSION);
            return DP_OK;
        }
        if (!dp_str_starts(word, DP_STR("--")))
            return dp_fail(err, DP_EINVALID, "'%s' is no option (see plant --help)", argv[i]);
        const char *equals = memchr(word.p, '=', word.n), *value = equals ? equals + 1 : argv[i + 1];
        dp_str      name = dp_str_cut(word, 2, equals ? (size_t)(equals - word.p) : word.n);
        bool       *flag = scoring ? plant_score_flag(&a->score, name) : NULL;
        if (!scoring && dp_str_eq(name, DP_STR("vhost")))
            flag = &a->vhost;
        if (flag && !equals) {
            *flag = true;
            continue;
        }
        if (!scoring && !equals && dp_str_eq(name, DP_STR("hard")) && !is_switch(value)) {
            a->o.hard = 1;
            continue;
        }
        if (!value)
            return dp_fail(err, DP_EINVALID, "--%.*s needs a value", DP_FMT(name));
        i += !equals;
        DP_TRY(scoring ? plant_score_set(&a->score, name, value, err) : set_option(a, name, value, err));
    }
    return DP_OK;
}

int main(int argc, char **argv)
{
    arguments a = {.o = PLANT_OPTIONS_INIT, .score = PLANT_SCORE_INIT};
    dp_error  err = {0};
    bool      stop = false, scoring = argc > 1 && strcmp(argv[1], "score") == 0, no = false;
    dp_err    code = parse(&a, argc, argv, scoring, &stop, &err);
    if (code == DP_OK && !stop)
        code = scoring ? plant_score_run(&a.score, &no, &err) : plant_write(&a.o, a.path, a.vhost, &err);
    for (unsigned i = 0; i < PLANT_OUTPUTS; i++)
        free(a.made[i]);
    if (code == DP_OK)
        return no;
    fprintf(stderr, "plant: %s%s", err.file, *err.file ? ":" : "");
    if (err.line)
        fprintf(stderr, "%zu:%zu:", err.line, err.column);
    fprintf(stderr, "%s%s\n", *err.file ? " " : "", *err.message ? err.message : dp_err_name(code));
    return 2;
}
