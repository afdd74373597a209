/* SPDX-License-Identifier: Apache-2.0 */
#include "base/err.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static void put_message(dp_error *err, dp_err code, const char *format, va_list args)
{
    err->code = code;
    vsnprintf(err->message, sizeof err->message, format, args);
}

dp_err dp_fail(dp_error *err, dp_err code, const char *format, ...)
{
    if (err) {
        va_list args;
        va_start(args, format);
        put_message(err, code, format, args);
        va_end(args);
    }
    return code;
}

dp_err dp_fail_at(dp_error *err, dp_err code, const char *file, size_t line, size_t column, const char *format, ...)
{
    if (err) {
        va_list args;
        va_start(args, format);
        put_message(err, code, format, args);
        va_end(args);
        snprintf(err->file, sizeof err->file, "%s", file ? file : "");
        err->line = line;
        err->column = column;
    }
    return code;
}

dp_err dp_fail_as(dp_error *err, dp_err code)
{
    return code == DP_OK ? code : dp_fail(err, code, "%s", dp_err_name(code));
}

const char *dp_path_name(const char *path)
{
    return strcmp(path, "-") == 0 ? "standard input" : path;
}

dp_err dp_no_memory(dp_error *err)
{
    return dp_fail_at(err, DP_ENOMEM, NULL, 0, 0, "%s", dp_err_name(DP_ENOMEM));
}

const char *dp_err_name(dp_err code)
{
    switch (code) {
    case DP_OK: return "ok";
    case DP_ENOMEM: return "out of memory";
    case DP_EIO: return "input or output failed";
    case DP_ESYNTAX: return "syntax error";
    case DP_ELIMIT: return "limit exceeded";
    case DP_EINVALID: return "invalid argument";
    case DP_EABSENT: return "this needs a library that is absent; 'dustpan --version -v' lists them";
    default: return "unknown error";
    }
}
