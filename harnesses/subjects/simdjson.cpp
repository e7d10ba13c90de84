/* SPDX-License-Identifier: MIT
 *
 * simdjson: simdjson::validate_utf8, with the best implementation for this CPU. It does not say where an error is.
 */
#include "subject.h"

#include <simdjson.h>

static bool validate(const uint8_t *bytes, size_t byte_count, struct assay_span *error)
{
    bool is_well_formed = simdjson::validate_utf8(reinterpret_cast<const char *>(bytes), byte_count);
    return subject_verdict(is_well_formed ? byte_count : ASSAY_UNKNOWN, byte_count, error);
}

SUBJECT("simdjson"), .validate = validate
}
;
