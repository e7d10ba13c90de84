/* SPDX-License-Identifier: MIT
 *
 * Reads the notations of the format (HEX, SCALARS, spans, limits), and makes questions from them.
 */
#include "reader.h"

#include "../../core/compare.h"
#include "../../core/hex.h"
#include "../../core/utf16.h"

#include <stdlib.h>
#include <string.h>

/* ---- the notations ----------------------------------------------------------------------------- */

enum assay_policy reader_policy(const struct reader *reader, enum assay_policy policy)
{
    while (policy < ASSAY_POLICY_COUNT && !reader->has_policy[policy])
        policy++;
    return policy;
}

struct units reader_bytes(struct reader *reader, const struct node *node)
{
    const char *hex = node_text(node);
    size_t length = strlen(hex), byte_count = 0;
    if (strcmp(hex, "-") == 0)
        return (struct units){0};
    uint8_t *bytes = pool_alloc(reader->pool, length / 2 + 1, 1);
    if (hex[strspn(hex, HEX_DIGITS)] != '\0' || !cli_parse_hex(hex, length, bytes, &byte_count))
        node_refuse(node, "'%.40s' is neither upper-case hex, two digits a byte, nor -", hex);
    return (struct units){bytes, byte_count};
}

struct units reader_scalars(struct reader *reader, const struct node *node, uint32_t largest)
{
    const char *at = node_text(node);
    size_t count = 0;
    if (strcmp(at, "-") == 0)
        return (struct units){0};
    uint32_t *units = pool_alloc(reader->pool, strlen(at) / 2 + 1, sizeof *units);
    for (;;) {
        size_t digits = strspn(at, HEX_DIGITS);
        if (digits == 0 || digits > 8 || (digits > 1 && at[0] == '0') || (at[digits] != ',' && at[digits] != '\0'))
            node_refuse(node, "'%.40s' is neither upper-case hex without leading zeros, joined by commas, nor -", at);
        unsigned long value = strtoul(at, NULL, 16);
        if (value > largest)
            node_refuse(node, "%lX is beyond %lX", value, (unsigned long)largest);
        units[count++] = (uint32_t)value;
        at += digits;
        if (*at++ == '\0')
            return (struct units){units, count};
    }
}

struct units reader_utf16(struct reader *reader, struct units scalars)
{
    const uint32_t *from = scalars.units;
    uint16_t *units = pool_alloc(reader->pool, 2 * scalars.count, sizeof *units);
    size_t count = 0;
    for (size_t i = 0; i < scalars.count; i++)
        count += utf16_write(from[i], units + count);
    return (struct units){units, count};
}

const struct assay_span *reader_spans(struct reader *reader, const struct node *array, const char *fields, size_t limit,
                                      size_t *count)
{
    size_t after = 0;
    *count = node_count(array);
    struct assay_span *spans = pool_alloc(reader->pool, *count, sizeof *spans);
    for (size_t i = 0; i < *count; i++) {
        struct node one = node_item(array, i);
        node_require_fields(&one, fields, "field");
        spans[i] = node_span(&one, limit);
        if (spans[i].offset < after || spans[i].length == 0)
            node_refuse(&one, "is empty, or begins before the end of the one before it");
        after = spans[i].offset + spans[i].length;
    }
    return spans;
}

/* ---- questions --------------------------------------------------------------------------------- */

static struct probe *add_probe(struct reader *reader)
{
    if (reader->probe_count == reader->probe_capacity) {
        reader->probe_capacity = 2 * reader->probe_capacity + 64;
        reader->probes = realloc(reader->probes, reader->probe_capacity * sizeof *reader->probes);
        if (reader->probes == NULL)
            cli_fail("out of memory");
    }
    struct probe *probe = &reader->probes[reader->probe_count++];
    *probe = (struct probe){.question.capacity = CAPACITY_ANY};
    return probe;
}

struct probe *reader_add_call(struct reader *reader, const struct call *call)
{
    struct probe *probe = add_probe(reader);
    probe->question.operation = call->operation;
    probe->question.policy = call->policy;
    probe->question.input = call->input.units;
    probe->question.input_count = call->input.count;
    probe->expected.output = call->output.units;
    probe->expected.result =
        (struct assay_result){.status = ASSAY_OK, .read = call->input.count, .written = call->output.count};
    if (call->stop != NULL) {
        probe->expected.result.status = ASSAY_ILL_FORMED;
        probe->expected.result.read = call->stop->offset;
        probe->expected.result.error = *call->stop;
    }
    return probe;
}

static enum assay_status status_of(const struct node *node, const struct call *call)
{
    const char *name = node_text(node);
    if (strcmp(name, "error") == 0 && call->stop == NULL)
        node_refuse(node, "says error, and there is none at which the policy stops");
    if (strcmp(name, "error") == 0)
        return ASSAY_ILL_FORMED;
    if (strcmp(name, "ok") != 0 && strcmp(name, "full") != 0)
        node_refuse(node, "there is no status '%.40s'", name);
    return name[0] == 'o' ? ASSAY_OK : ASSAY_OUTPUT_FULL;
}

void reader_add_limits(struct reader *reader, const struct node *limits, const struct call *call)
{
    size_t count = node_count(limits);
    if (count == 0)
        node_refuse(limits, "is empty");
    for (size_t i = 0; i < count; i++) {
        struct node one = node_item(limits, i);
        node_require_fields(&one, "capacity read written status", "field");
        struct node capacity = node_field(&one, "capacity"), read = node_field(&one, "read"),
                    written = node_field(&one, "written");
        struct node status = node_field(&one, "status");
        struct probe *probe = reader_add_call(reader, call);
        struct assay_result *result = &probe->expected.result;
        probe->question.capacity = node_size(&capacity, call->output.count);
        result->status = status_of(&status, call);
        result->read = node_size(&read, call->input.count);
        result->written = node_size(&written, probe->question.capacity);
        if (result->status != ASSAY_ILL_FORMED)
            result->error = (struct assay_span){0};
    }
}
