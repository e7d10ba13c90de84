/* SPDX-License-Identifier: MIT
 *
 * Reads cases whose input is code points or UTF-16 units.
 */
#include "reader.h"

static void read_encode_with(struct reader *reader, const struct node *test, enum operation operation)
{
    struct node units = node_field(test, "units"), errors = node_field(test, "errors"),
                outputs = node_field(test, "outputs");
    struct node limits = node_field(test, "limits");
    struct units input = reader_scalars(reader, &units, operation == OP_ENCODE_UTF16 ? 0xFFFF : UINT32_MAX);
    if (operation == OP_ENCODE_UTF16)
        input = reader_utf16(reader, input);
    size_t error_count;
    const struct assay_span *spans = reader_spans(reader, &errors, "offset length fault", input.count, &error_count);
    node_require_verdict(test, "encodable", error_count);
    node_require_fields(&outputs, reader->policies, "policy");
    node_require_fields(&limits, reader->policies, "policy");
    reader_each_policy (reader, policy) {
        struct node output = node_field(&outputs, assay_policy_name(policy)),
                    limit = node_field(&limits, assay_policy_name(policy));
        node_require_fields(&output, "bytes stopped_at", "field");
        struct node bytes = node_field(&output, "bytes"), stopped_at = node_field(&output, "stopped_at");
        struct call call = {operation, policy, input, reader_bytes(reader, &bytes), NULL};
        if (!json_is_null(stopped_at.json)) {
            size_t offset = node_size(&stopped_at, input.count), i = 0;
            while (i < error_count && spans[i].offset != offset)
                i++;
            if (i == error_count)
                node_refuse(&stopped_at, "there is no error at unit %zu", offset);
            call.stop = &spans[i];
        }
        reader_add_call(reader, &call);
        reader_add_limits(reader, &limit, &call);
    }
}

void read_encode(struct reader *reader, const struct node *test)
{
    read_encode_with(reader, test, OP_ENCODE_UTF32);
}

void read_encode_utf16(struct reader *reader, const struct node *test)
{
    read_encode_with(reader, test, OP_ENCODE_UTF16);
}
