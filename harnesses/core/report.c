/* SPDX-License-Identifier: MIT */
#include "report.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Writes "utf16le-validate-avx2-offset": the encoding without hyphens, the operation, the codec, and what differs or
 * happened. */
static void write_key(const struct assay_codec *codec, const char *asked, const char *end, char *key, size_t key_size)
{
    char encoding[32];
    size_t length = 0;
    for (const char *from = codec->encoding; *from != '\0' && length + 1 < sizeof encoding; from++)
        if (*from != '-')
            encoding[length++] = *from;
    encoding[length] = '\0';
    snprintf(key, key_size, "%s-%s-%s-%s", encoding, asked, codec->name, end);
}

void report_key(const struct divergence *divergence, char *key, size_t key_size)
{
    write_key(divergence->codec, operation_name(divergence->question->operation), field_name(divergence->field), key,
              key_size);
}

void report_silence_key(const struct asking *silent, const char *end, char *key, size_t key_size)
{
    write_key(silent->codec, operation_name(silent->question->operation), end, key, key_size);
}

bool report_silence_key_is_known(const struct assay_codec *codec, enum operation operation, const char *end,
                                 bool (*is_known)(const char *key))
{
    char key[KEY_SIZE];
    write_key(codec, operation_name(operation), end, key, sizeof key);
    return is_known(key);
}

void report_breach_key(const struct breach *breach, char *key, size_t key_size)
{
    write_key(breach->codec, "law", law_name(breach->law), key, key_size);
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

/* Prints "1 byte", "2 bytes". */
static void print_number(FILE *out, size_t number, const char *word)
{
    fprintf(out, "%zu %s%s", number, word, number == 1 ? "" : "s");
}

/* Marks a number that no correct answer can have. */
static void print_if_out_of_range(FILE *out, size_t number, size_t most)
{
    if (number > most)
        fprintf(out, " (out of range: at most %zu)", most);
}

void report_span(FILE *out, const struct assay_span *span, const uint8_t *bytes, size_t byte_count)
{
    if (span->offset == ASSAY_UNKNOWN) {
        fputs("ill-formed, offset not reported", out);
        return;
    }
    if (span->length == 0) {
        fputs("ill-formed, but its error has length 0: was it left unset?", out);
        return;
    }
    fprintf(out, "ill-formed at %zu", span->offset);
    if (span->length == ASSAY_UNKNOWN || span->offset > byte_count || span->length > byte_count - span->offset) {
        if (span->length != ASSAY_UNKNOWN) {
            fputs(", ", out);
            print_number(out, span->length, "byte");
            fprintf(out, " (outside the input of %zu bytes)", byte_count);
        } else {
            print_if_out_of_range(out, span->offset, byte_count);
        }
        return;
    }
    fputs(", maximal subpart of ", out);
    print_number(out, span->length, "byte");
    fputs(": ", out);
    report_hex(out, bytes + span->offset, 1, span->length);
    if (!span->incomplete && span->offset + span->length < byte_count) {
        fputs(" then ", out);
        report_hex(out, bytes + span->offset + span->length, 1, 1);
    }
    fprintf(out, ", %s", span->fault != ASSAY_FAULT_NONE ? assay_fault_sentence(span->fault) : "no fault reported");
}

static void print_error(FILE *out, const struct question *question, const struct assay_result *result)
{
    const struct assay_span *span = &result->error;
    const uint8_t *bytes = question->input;
    size_t begin =
        operation_shape(question->operation) == SHAPE_CONCAT ? result->read : 0; /* of the string that is ill-formed */
    if (operation_shape(question->operation) == SHAPE_CONCAT)
        fprintf(out, "%s string: ", begin == 0 ? "left" : "right");
    if (operation_input_unit(question->operation) == 1 && begin <= question->input_count) {
        report_span(out, span, bytes + begin, question->input_count - begin);
        return;
    }
    fprintf(out, "stops at unit %zu", begin + span->offset);
    print_if_out_of_range(out, begin + span->offset, question->input_count);
    fprintf(out, ": %s", assay_fault_sentence(span->fault));
}

/* Prints counts. Under `strict` they end at the first error, and the error has no offset. */
static void print_counts(FILE *out, const struct question *question, const struct answer *answer)
{
    const size_t *counts = answer->output, most = ASSAY_DECODED_MAX(question->input_count);
    fputs("counts ", out);
    print_number(out, counts[0], "code point");
    print_if_out_of_range(out, counts[0], most);
    fputs(", ", out);
    print_number(out, counts[1], "UTF-16 unit");
    print_if_out_of_range(out, counts[1], most);
    if (answer->result.status != ASSAY_OK)
        fputs(answer->result.status == ASSAY_ILL_FORMED ? " before an error" : " (and reports that its output is full)",
              out);
}

static void print_progress(FILE *out, const struct question *question, const struct assay_result *result)
{
    fprintf(out, "%s%zu", result->status == ASSAY_OUTPUT_FULL ? "output full: " : "", result->read);
    print_if_out_of_range(out, result->read, question->input_count);
    fputs(" read, ", out);
    print_number(out, result->written, operation_unit_word(question->operation));
    fputs(" written", out);
}

/* Prints the error of an answer that must not have one. */
static void print_unexpected_error(FILE *out, const struct assay_span *error)
{
    if (error->offset == 0 && error->length == 0 && error->fault == ASSAY_FAULT_NONE && !error->incomplete)
        return;
    fputs(", but sets an error", out);
    if (error->offset != ASSAY_UNKNOWN)
        fprintf(out, ", offset %zu", error->offset);
    if (error->length != ASSAY_UNKNOWN)
        fprintf(out, ", length %zu", error->length);
    fprintf(out, ", fault %s", assay_fault_name(error->fault));
}

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Returns the index of the first unit of output that differs, or that one of the two lacks. */
static size_t first_unit(const struct divergence *divergence)
{
    return divergence->field == FIELD_WRITTEN
               ? smaller(divergence->expected->result.written, divergence->actual->result.written)
               : divergence->index;
}

/* Prints how an answer violates codec.h. Returns false, with nothing printed, if it does not. */
static bool print_breach_of_contract(FILE *out, const struct question *question, const struct answer *answer)
{
    const struct assay_result *result = &answer->result;
    const char *word = operation_unit_word(question->operation);
    size_t status = (size_t)result->status;
    if (answer->changed_input) {
        fputs("writes to its input", out);
    } else if (answer->overran && result->written > question->capacity &&
               operation_shape(question->operation) != SHAPE_SPANS) {
        fputs("reports that it wrote ", out);
        print_number(out, result->written, word);
        print_if_out_of_range(out, result->written, question->capacity);
    } else if (answer->overran) {
        fputs("wrote outside its output of ", out);
        print_number(out, question->capacity, word);
    } else if (answer->stuck) {
        fputs("makes no progress: a call with room read and wrote nothing, or read more than its input; ", out);
        print_progress(out, question, result);
    } else if (answer->wavers) {
        static const char *const verdicts[] = {"ill-formed", "well-formed"};
        fprintf(out, "%s, but %s if error is NULL", verdicts[status == ASSAY_OK], verdicts[status != ASSAY_OK]);
    } else if (status > ASSAY_UNSUPPORTED) {
        fprintf(out, "returns status %zu", status);
        print_if_out_of_range(out, status, ASSAY_UNSUPPORTED);
    }
    return answer->overran || answer->stuck || answer->wavers || status > ASSAY_UNSUPPORTED;
}

static const char not_written[] = "not written: still the fill pattern";

static void print_span_of(FILE *out, const struct question *question, const struct answer *answer, size_t index)
{
    const struct assay_span *spans = answer->output; /* NULL if there is no room for any */
    size_t count = answer->result.written;
    print_number(out, count, "span");
    print_if_out_of_range(out, count, question->input_count);
    fprintf(out, "; span %zu: ", index);
    if (index >= count)
        fputs("missing", out);
    else if (index >= question->capacity)
        fputs("no room for it", out);
    else if (is_filling(&spans[index], sizeof spans[index]))
        fputs(not_written, out);
    else
        report_span(out, &spans[index], question->input, question->input_count);
}

static void print_unit_of(FILE *out, const struct question *question, const struct answer *answer, size_t index)
{
    size_t unit = operation_output_unit(question->operation);
    if (operation_shape(question->operation) == SHAPE_BOUNDARY) {
        size_t offset = ((const size_t *)answer->output)[index];
        fprintf(out, "returns %zu", offset);
        print_if_out_of_range(out, offset, question->input_count);
    } else {
        fprintf(out, "writes %0*" PRIX32, unit == 1 ? 2 : 4, unit_at(answer->output, unit, index));
    }
    fprintf(out, " at %zu of ", index);
    print_number(out, answer->result.written, operation_unit_word(question->operation));
    if (is_filling((const uint8_t *)answer->output + index * unit, unit))
        fprintf(out, ", %s", not_written);
}

static void print_answer(FILE *out, const struct divergence *divergence, const struct answer *answer)
{
    const struct question *question = divergence->question;
    const struct assay_result *result = &answer->result;
    size_t index = first_unit(divergence);
    if (print_breach_of_contract(out, question, answer)) {
        ; /* the rest of the answer has no meaning */
    } else if (divergence->field == FIELD_TIMING) {
        print_number(out, answer->written_after[index], operation_unit_word(question->operation));
        fprintf(out, " written after piece %zu", index + 1);
    } else if (operation_shape(question->operation) == SHAPE_COUNT) {
        print_counts(out, question, answer);
    } else if (operation_shape(question->operation) == SHAPE_SPANS) {
        print_span_of(out, question, answer, index);
    } else if (divergence->field == FIELD_OUTPUT) {
        print_unit_of(out, question, answer, index);
    } else if (divergence->field == FIELD_READ || divergence->field == FIELD_WRITTEN) {
        print_progress(out, question, result);
    } else if (result->status == ASSAY_ILL_FORMED) {
        print_error(out, question, result);
    } else {
        if (result->status == ASSAY_OK && operation_shape(question->operation) == SHAPE_VERDICT)
            fputs("well-formed", out);
        else
            print_progress(out, question, result);
        print_unexpected_error(out, &result->error);
    }
    fputc('\n', out);
}

/* The number of units of an input that a letter shows. */
static size_t shown_units(size_t unit)
{
    return unit == 1 ? 32 : 16;
}

/* Prints the units from `begin` to `end` of an input of `count` units. */
static void print_units(FILE *out, const void *input, size_t unit, size_t count, size_t begin, size_t end)
{
    const char *word = unit == 1 ? "byte" : "unit";
    fprintf(out, "  %-13s ", unit == 1 ? "bytes" : "units");
    if (count > 0) /* an empty input may be NULL, and C defines no NULL + 0 */
        report_hex(out, (const uint8_t *)input + begin * unit, unit, end - begin);
    fputs(count > 0 ? "   (" : "(", out);
    print_number(out, end - begin, word);
    if (end - begin < count)
        fprintf(out, ", at offset %zu of %zu", begin, count);
    fputs(")\n", out);
}

/* Returns the offset in the input from which the reference writes output unit `count`: where it stops with room for
 * `count` units. */
static size_t offset_of_output(const struct divergence *divergence, size_t count)
{
    const struct question *question = divergence->question;
    const struct assay_codec *reference = registry_reference(divergence->codec->encoding);
    enum operation whole = operation_whole(question->operation);
    void *room = malloc(count * operation_output_unit(whole) + 1);
    /* operations without a capacity write one unit of output for each of input */
    struct assay_result result = {.read = count};
    if (room == NULL)
        return 0;
    if (operation_shape(whole) == SHAPE_CONVERT)
        result = codec_call(reference, whole,
                            &(struct arguments){.policy = question->policy,
                                                .input = question->input,
                                                .input_count = question->input_count,
                                                .output = room,
                                                .capacity = count});
    free(room);
    return result.read;
}

/* Returns the offset of the first error; SIZE_MAX if there is none. */
static size_t offset_of_error(const char *encoding, const uint8_t *bytes, size_t byte_count)
{
    struct assay_span error;
    return registry_reference(encoding)->validate(bytes, byte_count, &error) ? SIZE_MAX : error.offset;
}

static bool counts_agree(const struct divergence *divergence, size_t byte_count)
{
    struct question question = *divergence->question;
    question.input_count = byte_count;
    struct assay_count expected =
        registry_reference(divergence->codec->encoding)->count(question.policy, question.input, byte_count);
    asking_directly(divergence->codec, question);
    struct assay_count actual = divergence->codec->count(question.policy, question.input, byte_count);
    asking_ends();
    return actual.utf32_units == expected.utf32_units && actual.utf16_units == expected.utf16_units;
}

/* Finds by bisection the offset of a byte with which the counts differ and without which they agree. */
static size_t offset_of_count(const struct divergence *divergence)
{
    size_t agreeing = 0, differing = divergence->question->input_count;
    while (differing - agreeing > 1) {
        size_t middle = agreeing + (differing - agreeing) / 2;
        if (counts_agree(divergence, middle))
            agreeing = middle;
        else
            differing = middle;
    }
    return agreeing;
}

/* Returns the offset, in the whole input, of the error that an answer reports; SIZE_MAX if it reports none. */
static size_t offset_reported(const struct question *question, const struct answer *answer)
{
    const struct assay_result *result = &answer->result;
    size_t begin = operation_shape(question->operation) == SHAPE_CONCAT ? result->read : 0;
    return result->error.length > 0 && result->error.offset != ASSAY_UNKNOWN ? begin + result->error.offset : SIZE_MAX;
}

static size_t offset_of_span(const struct question *question, const struct answer *answer, size_t index)
{
    bool is_there = index < answer->result.written && index < question->capacity;
    return is_there ? ((const struct assay_span *)answer->output)[index].offset : SIZE_MAX;
}

/* Returns the offset in the input from which on the two answers differ. */
static size_t offset_of_difference(const struct divergence *divergence)
{
    const struct question *question = divergence->question;
    const struct answer *expected = divergence->expected, *actual = divergence->actual;
    size_t index = first_unit(divergence);
    if (operation_shape(question->operation) == SHAPE_SPANS) {
        size_t offset = smaller(offset_of_span(question, expected, index), offset_of_span(question, actual, index));
        return offset != SIZE_MAX || index == 0 ? offset : offset_of_span(question, expected, index - 1);
    }
    if (divergence->field == FIELD_TIMING)
        return question->cuts[index];
    if (divergence->field == FIELD_READ)
        return smaller(expected->result.read, actual->result.read);
    if (divergence->field == FIELD_OUTPUT && operation_shape(question->operation) == SHAPE_COUNT)
        return offset_of_count(divergence);
    if (divergence->field == FIELD_OUTPUT || divergence->field == FIELD_WRITTEN)
        return offset_of_output(divergence, index);
    size_t reported = smaller(offset_reported(question, expected), offset_reported(question, actual));
    if (reported == SIZE_MAX && operation_input_unit(question->operation) == 1)
        reported = offset_of_error(divergence->codec->encoding, question->input, question->input_count);
    return reported;
}

/* Prints the units around an offset of an input of `count` units; the first ones if there is no such offset. */
static void print_around(FILE *out, const void *input, size_t unit, size_t count, size_t offset)
{
    enum { BEFORE = 8 };
    size_t begin = count > shown_units(unit) && offset > BEFORE && offset <= count ? offset - BEFORE : 0;
    print_units(out, input, unit, count, begin, smaller(count, begin + shown_units(unit)));
}

/* Prints everything in a question that the answer depends on. */
static void print_question(FILE *out, const struct question *question)
{
    fprintf(out, "  %-13s %s", "asked", operation_name(question->operation));
    if (operation_has_policy(question->operation))
        fprintf(out, ", policy %s", assay_policy_name(question->policy));
    if (operation_shape(question->operation) != SHAPE_VERDICT && operation_shape(question->operation) != SHAPE_COUNT &&
        question->capacity != CAPACITY_ANY) {
        fputs(", room for ", out);
        print_number(out, question->capacity, operation_unit_word(question->operation));
    }
    if (question->room > 0)
        fprintf(out, ", %zu per call (none in the first of a piece, 1 in the second)", question->room);
    if (question->without_error)
        fputs(", error is NULL", out);
    if (is_shifted(question))
        fprintf(out, ", addresses modulo %d: input %zu, output %zu", SHIFT_MAX, question->shift.input,
                question->shift.output);
    for (size_t i = 0; i < question->cut_count && i < 8; i++)
        fprintf(out, "%s%zu", i == 0 ? ", cut at " : " ", question->cuts[i]);
    fputs(question->cut_count > 8 ? " ..." : "", out);
}

void report_silence_letter(FILE *out, const struct asking *silent, const char *sentence)
{
    const struct question *question = silent->question;
    size_t unit = operation_input_unit(question->operation), count = question->input_count;
    fprintf(out, "%s/%s gives no answer\n", silent->codec->encoding, silent->codec->name);
    print_question(out, question);
    fprintf(out, "; %s\n", sentence);
    print_units(out, question->input, unit, count, count - smaller(count, shown_units(unit)), count);
}

void report_letter(FILE *out, const struct divergence *divergence, const char *again)
{
    const struct question *question = divergence->question;
    const struct assay_codec *reference = divergence->reference, *codec = divergence->codec;
    fprintf(out, "%s/%s differs from %s/%s\n", codec->encoding, codec->name, reference->encoding, reference->name);
    print_question(out, question);
    fprintf(out, "; %s differs\n", field_name(divergence->field));
    print_around(out, question->input, operation_input_unit(question->operation), question->input_count,
                 offset_of_difference(divergence));
    fprintf(out, "  %-13s ", reference->name);
    print_answer(out, divergence, divergence->expected);
    fprintf(out, "  %-13s ", codec->name);
    print_answer(out, divergence, divergence->actual);
    if (again != NULL)
        fprintf(out, "  %-13s %s\n", "again", again);
}

void report_breach(FILE *out, const struct breach *breach, const char *again)
{
    size_t count = breach->byte_count;
    fprintf(out, "%s/%s breaks the law %s\n", breach->codec->encoding, breach->codec->name, law_name(breach->law));
    fprintf(out, "  %-13s %s\n", "law", law_sentence(breach->law));
    if (breach->question != NULL) {
        print_question(out, breach->question);
        fputc('\n', out);
    }
    if (breach->how != NULL)
        fprintf(out, "  %-13s %s\n", "how", breach->how);
    print_around(out, breach->bytes, 1, count, offset_of_error(breach->codec->encoding, breach->bytes, count));
    if (again != NULL)
        fprintf(out, "  %-13s %s\n", "again", again);
}
