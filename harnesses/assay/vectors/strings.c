/* SPDX-License-Identifier: MIT
 *
 * Reads cases about strings: boundaries, concatenation, and conversion to another encoding.
 */
#include "reader.h"

#include <string.h>

void read_boundaries(struct reader *reader, const struct node *test)
{
    struct node input = node_field(test, "input"), array = node_field(test, "boundaries");
    struct units bytes = reader_bytes(reader, &input);
    size_t count = node_count(&array);
    if (count != bytes.count + 1)
        node_refuse(&array, "has %zu items; there are %zu bytes and the end", count, bytes.count);
    size_t *boundaries = pool_alloc(reader->pool, count, sizeof *boundaries);
    for (size_t i = 0; i < count; i++) {
        struct node one = node_item(&array, i);
        boundaries[i] = node_size(&one, i);
    }
    struct call call = {OP_BOUNDARY, ASSAY_POLICY_STRICT, bytes, {boundaries, count}, NULL};
    reader_add_call(reader, &call)->expected.result.read = 0;
}

/* Reads a field that is null exactly if there is an error. */
static struct units bytes_or_null(struct reader *reader, const struct node *node, bool is_error)
{
    if (json_is_null(node->json) != is_error)
        node_refuse(node, "is null if and only if there is an error");
    return is_error ? (struct units){0} : reader_bytes(reader, node);
}

void read_concat(struct reader *reader, const struct node *test)
{
    struct node left_field = node_field(test, "left"), right_field = node_field(test, "right"),
                error = node_field(test, "error");
    struct node joined = node_field(test, "joined");
    struct units left = reader_bytes(reader, &left_field), right = reader_bytes(reader, &right_field);
    uint8_t *both = pool_alloc(reader->pool, left.count + right.count, 1);
    if (left.count > 0)
        memcpy(both, left.units, left.count);
    if (right.count > 0)
        memcpy(both + left.count, right.units, right.count);
    struct call call = {OP_CONCAT, ASSAY_POLICY_STRICT, {both, left.count + right.count}, {0}, NULL};
    call.output = bytes_or_null(reader, &joined, !json_is_null(error.json));
    struct probe *probe = reader_add_call(reader, &call);
    size_t *cut = pool_alloc(reader->pool, 1, sizeof *cut);
    *cut = left.count;
    probe->question.cuts = cut;
    probe->question.cut_count = 1;
    if (json_is_null(error.json))
        return;
    node_require_fields(&error, "string offset length fault incomplete", "field");
    struct node string = node_field(&error, "string");
    bool in_right = node_size(&string, 1) == 1;
    probe->expected.result.status = ASSAY_ILL_FORMED;
    probe->expected.result.read = in_right ? left.count : 0;
    probe->expected.result.error = node_span(&error, in_right ? right.count : left.count);
}

void read_convert(struct reader *reader, const struct node *test)
{
    struct node to = node_field(test, "to"), input = node_field(test, "input"), error = node_field(test, "error");
    struct node outputs = node_field(test, "outputs");
    struct units bytes = reader_bytes(reader, &input);
    if (registry_reference(node_text(&to)) == NULL)
        node_refuse(&to, "no codec is there for an encoding '%.40s'", node_text(&to));
    struct conversion common = {pool_keep(reader->pool, node_text(&to)),
                                ASSAY_POLICY_STRICT,
                                bytes.units,
                                bytes.count,
                                !json_is_null(error.json),
                                {0},
                                NULL,
                                0};
    if (common.stops) {
        node_require_fields(&error, "offset length fault incomplete", "field");
        common.error = node_span(&error, bytes.count);
    }
    node_require_fields(&outputs, reader->policies, "policy");
    struct conversion *conversions = pool_alloc(reader->pool, ASSAY_POLICY_COUNT, sizeof *conversions);
    reader->conversions = conversions;
    reader_each_policy (reader, policy) {
        struct node output = node_field(&outputs, assay_policy_name(policy));
        struct conversion *conversion = &conversions[reader->conversion_count++];
        *conversion = common;
        conversion->policy = policy;
        conversion->stops = common.stops && policy == ASSAY_POLICY_STRICT;
        struct units written = bytes_or_null(reader, &output, conversion->stops);
        conversion->output = written.units;
        conversion->output_count = written.count;
    }
}
