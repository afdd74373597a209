/* SPDX-License-Identifier: Apache-2.0 */
#include "input/how.h"

#include <stdlib.h>

dp_err dp_how_set(char *how[DP_HOWS], dp_input_option option, const char *text)
{
    if ((size_t)option >= DP_HOWS)
        return DP_EINVALID;
    char *copy = text ? strdup(text) : NULL;
    if (text && !copy)
        return DP_ENOMEM;
    free(how[option]);
    how[option] = copy;
    return DP_OK;
}

dp_reader_options dp_how_options(char *const how[DP_HOWS])
{
    return (dp_reader_options){.format = how[DP_INPUT_FORMAT],
                               .columns = how[DP_INPUT_COLUMNS],
                               .log_format = how[DP_INPUT_LOG_FORMAT],
                               .base_url = how[DP_INPUT_BASE_URL],
                               .identity = how[DP_INPUT_IDENTITY]};
}

void dp_how_done(char *how[DP_HOWS])
{
    for (size_t i = 0; i < DP_HOWS; i++) {
        free(how[i]);
        how[i] = NULL;
    }
}
