/* SPDX-License-Identifier: MIT */
#include "report.h"

#include <inttypes.h>
#include <string.h>

void report_key(const struct divergence *divergence, char *key, size_t key_size)
{
    char encoding[32];
    size_t length = 0;
    for (const char *from = divergence->codec->encoding; *from != '\0' && length + 1 < sizeof encoding; from++)
        if (*from != '-')
            encoding[length++] = *from;
    encoding[length] = '\0';
    snprintf(key, key_size, "%s-%s-%s-%s", encoding, operation_name(divergence->question->operation),
             divergence->codec->name, field_name(divergence->field));
}

static uint32_t unit_at(const void *units, size_t unit_size, size_t index)
{
    switch (unit_size) {
    case 1: return ((const uint8_t *)units)[index];
    case 2: return ((const uint16_t *)units)[index];
    default: return ((const uint32_t *)units)[index];
    }
}

void report_hex(FILE *out, const void *units, size_t unit_size, size_t count)
{
    for (size_t i = 0; i < count; i++)
        fprintf(out, "%s%0*" PRIX32, i > 0 ? " " : "", unit_size == 1 ? 2 : 4, unit_at(units, unit_size, i));
}

void report_span(FILE *out, const struct assay_span *span, const uint8_t *bytes, size_t byte_count)
{
    fprintf(out, "ill-formed at %zu", span->offset);
    if (span->length == ASSAY_UNKNOWN || span->offset > byte_count || span->length > byte_count - span->offset) {
        if (span->length != ASSAY_UNKNOWN)
            fprintf(out, ", %zu bytes (outside the input of %zu)", span->length, byte_count);
        return;
    }
    fprintf(out, ", maximal subpart of %zu byte%s: ", span->length, span->length == 1 ? "" : "s");
    report_hex(out, bytes + span->offset, 1, span->length);
    if (!span->incomplete && span->offset + span->length < byte_count) {
        fputs(" then ", out);
        report_hex(out, bytes + span->offset + span->length, 1, 1);
    }
    fprintf(out, ", %s", assay_fault_sentence(span->fault));
}

static const char *unit_word(enum operation operation)
{
    switch (operation) {
    case OP_ENCODE_UTF32:
    case OP_ENCODE_UTF16: return "bytes";
    case OP_SPANS: return "spans";
    case OP_DECODE_UTF16:
    case OP_FEED_UTF16: return "UTF-16 units";
    default: return "code points";
    }
}

static void say_error(FILE *out, const struct question *question, const struct assay_span *span)
{
    if (operation_input_unit(question->operation) == 1)
        report_span(out, span, question->input, question->input_count);
    else
        fprintf(out, "stops at unit %zu: %s", span->offset, assay_fault_sentence(span->fault));
}

static void say_answer(FILE *out, const struct divergence *divergence, const struct answer *answer)
{
    const struct question *question = divergence->question;
    const struct assay_result *result = &answer->result;
    size_t index = divergence->index, unit = operation_output_unit(question->operation);
    if (answer->overran) {
        fprintf(out, "wrote outside its output of %zu units", question->capacity);
    } else if (answer->stuck) {
        fputs("makes no progress: a call with room neither read nor wrote", out);
    } else if (divergence->field == FIELD_TIMING) {
        fprintf(out, "%zu %s written after piece %zu", answer->marks[index], unit_word(question->operation), index + 1);
    } else if (question->operation == OP_COUNT && result->status == ASSAY_OK) {
        const size_t *counts = answer->output;
        fprintf(out, "counts %zu code points, %zu UTF-16 units", counts[0], counts[1]);
    } else if (question->operation == OP_SPANS) {
        const struct assay_span *spans = answer->output;
        fprintf(out, "%zu spans; span %zu: ", result->written, index);
        if (index < result->written && index < question->capacity)
            report_span(out, &spans[index], question->input, question->input_count);
        else
            fputs("there is none", out);
    } else if (divergence->field == FIELD_OUTPUT) {
        fprintf(out, "writes %0*" PRIX32 " at %zu of %zu %s", unit == 1 ? 2 : 4, unit_at(answer->output, unit, index), index,
                result->written, unit_word(question->operation));
    } else if (result->status == ASSAY_ILL_FORMED) {
        say_error(out, question, &result->error);
    } else if (result->status == ASSAY_OUTPUT_FULL) {
        fprintf(out, "output full: %zu read, %zu %s written", result->read, result->written, unit_word(question->operation));
    } else if (question->operation == OP_VALIDATE) {
        fputs("well-formed", out);
    } else {
        fprintf(out, "%zu read, %zu %s written", result->read, result->written, unit_word(question->operation));
    }
    fputc('\n', out);
}

/* The part of the input that matters: around the error that either of the two names. */
static void say_input(FILE *out, const struct divergence *divergence)
{
    enum { AROUND = 8, AT_ONCE = 32 };
    const struct question *question = divergence->question;
    size_t unit = operation_input_unit(question->operation), count = question->input_count;
    const char *word = unit == 1 ? "bytes" : "units";
    fprintf(out, "  %-13s ", word);
    size_t begin = 0, end = count;
    if (count > AT_ONCE) {
        const struct assay_span *expected = &divergence->expected->result.error, *actual = &divergence->actual->result.error;
        size_t offset = expected->length > 0 ? expected->offset : actual->offset;
        if (question->operation == OP_SPANS && divergence->index < divergence->expected->result.written)
            offset = ((const struct assay_span *)divergence->expected->output)[divergence->index].offset;
        begin = offset > count ? 0 : offset > AROUND ? offset - AROUND : 0;
        end = count - begin > AT_ONCE ? begin + AT_ONCE : count;
    }
    report_hex(out, (const uint8_t *)question->input + begin * unit, unit, end - begin);
    fprintf(out, "%s(%zu %s", count > 0 ? "   " : "", end - begin, word);
    if (end - begin < count)
        fprintf(out, ", at offset %zu of %zu", begin, count);
    fputs(")\n", out);
}

void report_letter(FILE *out, const struct divergence *divergence, const char *path)
{
    const struct question *question = divergence->question;
    const struct assay_codec *reference = divergence->reference, *codec = divergence->codec;
    fprintf(out, "%s/%s differs from %s/%s\n", codec->encoding, codec->name, reference->encoding, reference->name);
    fprintf(out, "  %-13s %s", "asked", operation_name(question->operation));
    if (operation_has_policy(question->operation))
        fprintf(out, ", policy %s", assay_policy_name(question->policy));
    if (question->operation != OP_VALIDATE && question->operation != OP_COUNT)
        fprintf(out, ", room for %zu %s", question->capacity, unit_word(question->operation));
    for (size_t i = 0; i < question->cut_count && i < 8; i++)
        fprintf(out, "%s%zu", i == 0 ? ", cut at " : " ", question->cuts[i]);
    fprintf(out, "%s; %s differs\n", question->cut_count > 8 ? " ..." : "", field_name(divergence->field));
    say_input(out, divergence);
    fprintf(out, "  %-13s ", reference->name);
    say_answer(out, divergence, divergence->expected);
    fprintf(out, "  %-13s ", codec->name);
    say_answer(out, divergence, divergence->actual);
    if (path != NULL)
        fprintf(out, "  %-13s build/assay diff @%s\n", "again", path);
}
