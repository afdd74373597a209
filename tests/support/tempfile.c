/* SPDX-License-Identifier: Apache-2.0 */
#include "support/tempfile.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { PATHS = 16 };

static char   folder[32];
static char   path[PATHS][96];
static size_t npath;

static void must(bool ok, const char *what)
{
    if (!ok) {
        perror(what);
        abort();
    }
}

static void make_folder(void)
{
    if (folder[0])
        return;
    snprintf(folder, sizeof folder, "/tmp/dustpan-test-XXXXXX");
    must(mkdtemp(folder) != NULL, "mkdtemp");
}

const char *dp_temp_path(const char *name)
{
    make_folder();
    must(npath < PATHS, "too many files in one test");
    snprintf(path[npath], sizeof path[npath], "%s/%s", folder, name);
    return path[npath++];
}

const char *dp_temp_write(const char *name, dp_str bytes)
{
    const char *to = dp_temp_path(name);
    FILE       *f = fopen(to, "wb");
    must(f && (!bytes.n || fwrite(bytes.p, 1, bytes.n, f) == bytes.n) && fclose(f) == 0, to);
    return to;
}

bool dp_temp_read(dp_buf *out, const char *from)
{
    char   bytes[4096];
    size_t n;
    FILE  *f = fopen(from, "rb");
    if (!f)
        return false;
    while ((n = fread(bytes, 1, sizeof bytes, f)) > 0)
        dp_buf_add(out, bytes, n);
    fclose(f);
    return true;
}

/* Call `each` (may be NULL) with the path of every file; returns their number. */
static size_t each_file(int (*each)(const char *))
{
    size_t         n = 0;
    struct dirent *entry;
    DIR           *d = opendir(folder);
    must(d != NULL, folder);
    while ((entry = readdir(d))) {
        char full[512];
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        snprintf(full, sizeof full, "%s/%s", folder, entry->d_name);
        n++;
        if (each)
            must(each(full) == 0, full);
    }
    closedir(d);
    return n;
}

size_t dp_temp_count(void)
{
    make_folder();
    return each_file(NULL);
}

int dp_temp_remove(void **state)
{
    (void)state;
    if (folder[0]) {
        each_file(remove);
        rmdir(folder);
    }
    folder[0] = 0;
    npath = 0;
    return 0;
}
