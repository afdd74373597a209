/* cli/records.c - SPDX-License-Identifier: Apache-2.0 */
#include "cli/records.h"

#include "base/plural.h"
#include "cli/say.h"

bool dp_records_clash(const dp_record_files *r, dp_list others)
{
    return dp_list_has_stdin(others) && (!r->files.n || dp_list_has_stdin(r->files));
}

void dp_records_say_more(uint64_t shown, uint64_t all)
{
    if (shown < all)
        dp_say("... and %" PRIu64 " more line%s that cannot be read", all - shown, dp_s(all - shown));
}
