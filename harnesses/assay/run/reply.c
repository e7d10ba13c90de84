/* SPDX-License-Identifier: MIT
 *
 * The replies of the protocol: their grammar, and how they are compared. A figure that a subject does not state is not
 * compared.
 */
#include "reply.h"

#include "../../core/compare.h"
#include "../cli.h"

#include <stdlib.h>
#include <string.h>

enum { REPLY_KEPT = 4096 };

/* The unread rest of a reply. */
struct cursor {
    const char *at, *end;
};

enum status { STATUS_OK, STATUS_ERROR, STATUS_FULL, STATUS_SKIP };

/* One answer, or the answer for one stream of several. Units are scalars, 16-bit units, bytes or offsets, depending on
 * the request. */
struct answered {
    enum status status;
    struct assay_span error; /* ASSAY_UNKNOWN if it is not stated */
    bool has_fault;
    size_t piece, read;         /* for `stop` and for `into` */
    size_t first, count;        /* its units */
    size_t first_group, groups; /* the ends of groups: one for each chunk, or one in all */
};

/* Memory for the current reply. */
static uint32_t *units;
static size_t unit_count, unit_capacity;
static size_t *ends;
static size_t end_count, end_capacity;

static void add_unit(uint32_t unit)
{
    if (unit_count == unit_capacity) {
        unit_capacity = 2 * unit_capacity + 256;
        units = realloc(units, unit_capacity * sizeof *units);
        if (units == NULL)
            cli_fail("out of memory");
    }
    units[unit_count++] = unit;
}

static void add_end(void)
{
    if (end_count == end_capacity) {
        end_capacity = 2 * end_capacity + 64;
        ends = realloc(ends, end_capacity * sizeof *ends);
        if (ends == NULL)
            cli_fail("out of memory");
    }
    ends[end_count++] = unit_count;
}

/* ---- words ------------------------------------------------------------------------------------------ */

static bool take_char(struct cursor *cursor, char one)
{
    if (cursor->at == cursor->end || *cursor->at != one)
        return false;
    cursor->at++;
    return true;
}

static bool take_word(struct cursor *cursor, const char *word)
{
    size_t length = strlen(word);
    if ((size_t)(cursor->end - cursor->at) < length || memcmp(cursor->at, word, length) != 0)
        return false;
    cursor->at += length;
    return true;
}

static bool take_number(struct cursor *cursor, size_t *number)
{
    const char *begin = cursor->at;
    for (*number = 0; cursor->at < cursor->end && *cursor->at >= '0' && *cursor->at <= '9'; cursor->at++) {
        if (cursor->at - begin == 18)
            return false;
        *number = 10 * *number + (size_t)(*cursor->at - '0');
    }
    return cursor->at > begin;
}

/* Reads a number, or ?. */
static bool take_figure(struct cursor *cursor, size_t *figure)
{
    *figure = ASSAY_UNKNOWN;
    return take_char(cursor, '?') || take_number(cursor, figure);
}

static int digit_value(char digit, bool lower_too)
{
    if (digit >= '0' && digit <= '9')
        return digit - '0';
    if (digit >= 'A' && digit <= 'F')
        return digit - 'A' + 10;
    return lower_too && digit >= 'a' && digit <= 'f' ? digit - 'a' + 10 : -1;
}

static bool take_scalar(struct cursor *cursor)
{
    const char *begin = cursor->at;
    uint32_t value = 0;
    int digit;
    while (cursor->at < cursor->end && (digit = digit_value(*cursor->at, false)) >= 0) {
        if (cursor->at - begin == 8)
            return false;
        value = value << 4 | (uint32_t)digit;
        cursor->at++;
    }
    if (cursor->at == begin || (begin[0] == '0' && cursor->at - begin > 1))
        return false;
    add_unit(value);
    return true;
}

/* SCALARS */
static bool take_scalars(struct cursor *cursor)
{
    if (take_char(cursor, '-'))
        return true;
    do {
        if (!take_scalar(cursor))
            return false;
    } while (take_char(cursor, ','));
    return true;
}

/* Reads groups of SCALARS, one for each chunk. */
static bool take_groups(struct cursor *cursor)
{
    do {
        if (!take_scalars(cursor))
            return false;
        add_end();
    } while (take_char(cursor, '|'));
    return true;
}

static bool take_hex(struct cursor *cursor)
{
    const char *begin = cursor->at;
    if (take_char(cursor, '-'))
        return true;
    for (; cursor->end - cursor->at >= 2; cursor->at += 2) {
        int high = digit_value(cursor->at[0], true), low = digit_value(cursor->at[1], true);
        if (high < 0 || low < 0)
            break;
        add_unit((uint32_t)(high << 4 | low));
    }
    return cursor->at > begin;
}

/* Reads numbers joined by commas. */
static bool take_offsets(struct cursor *cursor)
{
    size_t offset;
    do {
        if (!take_number(cursor, &offset) || offset > UINT32_MAX)
            return false;
        add_unit((uint32_t)offset);
    } while (take_char(cursor, ','));
    return true;
}

/* ---- answers ---------------------------------------------------------------------------------------- */

static bool take_fault(struct cursor *cursor, struct answered *answered)
{
    for (enum assay_fault fault = ASSAY_FAULT_NONE + 1; fault < ASSAY_FAULT_COUNT; fault++) {
        size_t length = strlen(assay_fault_name(fault));
        struct cursor after = *cursor;
        if (!take_word(&after, assay_fault_name(fault)) ||
            (after.at < after.end && *after.at != ' ' && *after.at != ';'))
            continue;
        cursor->at += length;
        answered->error.fault = fault;
        answered->has_fault = true;
        return true;
    }
    return take_char(cursor, '?');
}

/* Reads [OFFSET [LENGTH [FAULT]]], each after the separator. */
static bool take_error(struct cursor *cursor, char separator, struct answered *answered)
{
    answered->error = (struct assay_span){.offset = ASSAY_UNKNOWN, .length = ASSAY_UNKNOWN};
    if (!take_char(cursor, separator))
        return true;
    if (!take_figure(cursor, &answered->error.offset))
        return false;
    if (!take_char(cursor, separator))
        return true;
    if (!take_figure(cursor, &answered->error.length))
        return false;
    return !take_char(cursor, separator) || take_fault(cursor, answered);
}

/* Reads the answer for a stream of `reuse`: error[:OFFSET[:LENGTH[:FAULT]]], or groups. */
static bool take_stream(struct cursor *cursor, struct answered *answered)
{
    answered->first = unit_count;
    answered->first_group = end_count;
    if (take_word(cursor, "error")) {
        answered->status = STATUS_ERROR;
        return take_error(cursor, ':', answered);
    }
    bool is_form = take_groups(cursor);
    answered->count = unit_count - answered->first;
    answered->groups = end_count - answered->first_group;
    return is_form;
}

/* Reads READ OUTPUT, or PIECE GROUPS: the output of a call that did not read everything. */
static bool take_progress(struct cursor *cursor, enum ask ask, struct answered *answered)
{
    size_t *figure = ask == ASK_INTO ? &answered->read : &answered->piece;
    if (!take_char(cursor, ' ') || !take_number(cursor, figure) || !take_char(cursor, ' '))
        return false;
    if (!(ask == ASK_INTO ? take_scalars(cursor) : take_groups(cursor)))
        return false;
    answered->count = unit_count;
    answered->groups = end_count;
    return true;
}

static bool take_output(struct cursor *cursor, enum ask ask, struct answered *answered)
{
    bool is_form = true;
    if (ask == ASK_VALIDATE)
        return true;
    if (ask == ASK_INTO)
        return take_progress(cursor, ask, answered);
    if (!take_char(cursor, ' '))
        return false;
    if (ask == ASK_DECODE || ask == ASK_STREAM || ask == ASK_STOP)
        is_form = take_groups(cursor);
    else
        is_form = ask == ASK_BOUNDARIES ? take_offsets(cursor) : take_hex(cursor);
    answered->count = unit_count;
    answered->groups = end_count;
    return is_form;
}

static bool take_answer(struct cursor *cursor, enum ask ask, struct answered *answered)
{
    *answered = (struct answered){0};
    if (take_word(cursor, "ok"))
        return take_output(cursor, ask, answered);
    if (ask == ASK_INTO && take_word(cursor, "full")) {
        answered->status = STATUS_FULL;
        return take_progress(cursor, ask, answered);
    }
    if (!take_word(cursor, "error"))
        return false;
    answered->status = STATUS_ERROR;
    if ((ask == ASK_INTO || ask == ASK_STOP) && !take_progress(cursor, ask, answered))
        return false;
    return take_error(cursor, ' ', answered);
}

/* ---- comparing -------------------------------------------------------------------------------------- */

static enum difference compare_errors(const struct answered *answered, const struct assay_span *expected,
                                      bool whole_span)
{
    const struct assay_span *error = &answered->error;
    if (error->offset != ASSAY_UNKNOWN && error->offset != expected->offset)
        return DIFFERS_OFFSET;
    if (!whole_span)
        return DIFFERS_NONE;
    if (error->length != ASSAY_UNKNOWN && error->length != expected->length)
        return DIFFERS_LENGTH;
    return answered->has_fault && error->fault != expected->fault ? DIFFERS_FAULT : DIFFERS_NONE;
}

static enum difference compare_verdicts(const struct answered *answered, bool stops)
{
    if (stops && answered->status != STATUS_ERROR)
        return DIFFERS_ACCEPTED;
    return !stops && answered->status == STATUS_ERROR ? DIFFERS_REFUSED : DIFFERS_NONE;
}

static bool has_scalars(const struct answered *answered, const uint32_t *expected, size_t count)
{
    return answered->count == count &&
           (count == 0 || memcmp(&units[answered->first], expected, count * sizeof *expected) == 0);
}

static bool has_bytes(const struct answered *answered, const uint8_t *expected, size_t count)
{
    for (size_t i = 0; i < count && i < answered->count; i++)
        if (units[answered->first + i] != expected[i])
            return false;
    return answered->count == count;
}

static bool has_units(const struct answered *answered, const uint16_t *expected, size_t count)
{
    for (size_t i = 0; i < count && i < answered->count; i++)
        if (units[answered->first + i] != expected[i])
            return false;
    return answered->count == count;
}

/* Compares the output after each chunk, if the subject reports it. */
static enum difference compare_groups(const struct answered *answered, const struct probe *probe, size_t dropped,
                                      bool is_late)
{
    if (is_late || answered->groups <= 1 || probe->expected.written_after == NULL)
        return DIFFERS_NONE;
    for (size_t i = 0; i < answered->groups; i++) {
        bool is_last = i + 1 == answered->groups; /* which also ends the input */
        size_t written = is_last ? probe->expected.result.written : probe->expected.written_after[i];
        if (ends[answered->first_group + i] - answered->first != written - (written > 0 ? dropped : 0))
            return DIFFERS_TIMING;
    }
    return DIFFERS_NONE;
}

static enum difference compare_text(const struct request *request, const struct answered *answered,
                                    const struct probe *probe, bool is_late)
{
    const struct assay_result *result = &probe->expected.result;
    size_t count, dropped;
    const uint32_t *expected = expected_scalars(request, probe, &count, &dropped);
    enum difference difference = compare_verdicts(answered, result->status == ASSAY_ILL_FORMED);
    if (difference != DIFFERS_NONE)
        return difference;
    if (answered->status == STATUS_ERROR && request->ask != ASK_STOP)
        return compare_errors(answered, &result->error, true);
    if (!has_scalars(answered, expected, count))
        return DIFFERS_OUTPUT;
    if (answered->status == STATUS_ERROR && answered->piece != probe->stop_piece)
        return DIFFERS_PIECE;
    difference = compare_groups(answered, probe, dropped, is_late);
    return difference != DIFFERS_NONE || answered->status != STATUS_ERROR
               ? difference
               : compare_errors(answered, &result->error, true);
}

static enum difference compare_limited(const struct answered *answered, const struct probe *probe)
{
    static const enum status statuses[] = {
        [ASSAY_OK] = STATUS_OK, [ASSAY_ILL_FORMED] = STATUS_ERROR, [ASSAY_OUTPUT_FULL] = STATUS_FULL};
    const struct assay_result *result = &probe->expected.result;
    const void *output = probe->expected.output;
    if (answered->status != statuses[result->status])
        return DIFFERS_STATUS;
    if (!(probe->question.operation == OP_DECODE_UTF16 ? has_units(answered, output, result->written)
                                                       : has_scalars(answered, output, result->written)))
        return DIFFERS_OUTPUT;
    if (answered->read != result->read)
        return DIFFERS_READ;
    return answered->status == STATUS_ERROR ? compare_errors(answered, &result->error, true) : DIFFERS_NONE;
}

/* For `concat`, compares only whether there is an error: it may be in either string. For `encode`, compares its
 * index. */
static enum difference compare_bytes(const struct request *request, const struct answered *answered,
                                     const struct expectation *expectation)
{
    const struct probe *probe = expectation->probe;
    const struct conversion *conversion = expectation->conversion;
    bool stops = probe != NULL ? probe->expected.result.status == ASSAY_ILL_FORMED : conversion->stops;
    enum difference difference = compare_verdicts(answered, stops);
    if (difference != DIFFERS_NONE || (stops && request->ask == ASK_CONCAT))
        return difference;
    if (stops)
        return compare_errors(answered, probe != NULL ? &probe->expected.result.error : &conversion->error,
                              request->ask == ASK_TRANSCODE || request->ask == ASK_WELL_FORMED);
    bool is_same = probe != NULL ? has_bytes(answered, probe->expected.output, probe->expected.result.written)
                                 : has_bytes(answered, conversion->output, conversion->output_count);
    return is_same ? DIFFERS_NONE : DIFFERS_OUTPUT;
}

static enum difference compare_boundaries(const struct answered *answered, const struct probe *probe)
{
    const size_t *expected = probe->expected.output;
    for (size_t i = 0; i < probe->expected.result.written && i < answered->count; i++)
        if (units[i] != expected[i])
            return DIFFERS_OUTPUT;
    return answered->count == probe->expected.result.written ? DIFFERS_NONE : DIFFERS_OUTPUT;
}

static enum difference compare_one(const struct request *request, const struct answered *answered,
                                   const struct expectation *expectation, bool is_late)
{
    const struct probe *probe = expectation->probe;
    switch (request->ask) {
    case ASK_VALIDATE: {
        bool stops = probe->expected.result.status == ASSAY_ILL_FORMED;
        enum difference difference = compare_verdicts(answered, stops);
        return difference != DIFFERS_NONE || !stops ? difference
                                                    : compare_errors(answered, &probe->expected.result.error, true);
    }
    case ASK_DECODE:
    case ASK_STREAM:
    case ASK_STOP:
    case ASK_REUSE: return compare_text(request, answered, probe, is_late);
    case ASK_INTO: return compare_limited(answered, probe);
    case ASK_BOUNDARIES: return compare_boundaries(answered, probe);
    default: return compare_bytes(request, answered, expectation);
    }
}

/* ---- judging ---------------------------------------------------------------------------------------- */

static void keep_reply(struct request *request, const char *text, size_t length)
{
    free(request->reply);
    request->reply_length = length;
    size_t kept = length < REPLY_KEPT ? length : REPLY_KEPT;
    request->reply = cli_alloc(kept + 1, 1);
    memcpy(request->reply, text, kept);
}

void reply_note(struct request *request, enum outcome_of_request outcome, const char *text, size_t length)
{
    request->outcome = (uint8_t)outcome;
    if (text != NULL)
        keep_reply(request, text, length);
}

/* Reads the answers for all streams; false if they do not have that form. One group may stand for all chunks. */
static bool take_streams(struct cursor *cursor, struct answered *answers, size_t count)
{
    if (!take_word(cursor, "ok "))
        return false;
    for (size_t i = 0; i < count; i++) {
        answers[i] = (struct answered){0};
        if ((i > 0 && !take_char(cursor, ';')) || !take_stream(cursor, &answers[i]))
            return false;
    }
    return true;
}

static bool has_right_groups(const struct request *request, const struct answered *answers, size_t count)
{
    const struct question *question = request->probe != NULL ? &request->probe->question : NULL;
    if (request->ask == ASK_STOP && answers[0].status == STATUS_ERROR)
        return answers[0].piece <= question->cut_count &&
               (answers[0].groups == 1 || answers[0].groups == answers[0].piece + 1);
    if (request->ask != ASK_DECODE && request->ask != ASK_STREAM && request->ask != ASK_STOP &&
        request->ask != ASK_REUSE)
        return true;
    for (size_t i = 0; i < count; i++)
        if (answers[i].status == STATUS_OK && answers[i].groups != 1 &&
            answers[i].groups != request->probe[i].question.cut_count + 1)
            return false;
    return true;
}

/* Compares the answers for all streams with those of a policy, and keeps the first difference. */
static void compare_all(struct request *request, const struct answered *answers, size_t count, enum assay_policy policy,
                        const struct expectation *expectation, bool is_late)
{
    request->differences[policy] = DIFFERS_NONE;
    for (size_t i = 0; i < count && request->differences[policy] == DIFFERS_NONE; i++) {
        struct expectation one = {expectation->probe != NULL ? expectation->probe + i : NULL, expectation->conversion};
        request->differences[policy] = (uint8_t)compare_one(request, &answers[i], &one, is_late);
        request->streams[policy] = (uint8_t)i;
    }
}

void reply_judge(struct request *request, const char *reply, size_t length, const struct offer *offer)
{
    struct cursor cursor = {reply, reply + length};
    size_t count = request_stream_count(request);
    static struct answered answers[64];
    unit_count = end_count = 0;
    if (take_word(&cursor, "skip") && (cursor.at == cursor.end || *cursor.at == ' ')) {
        request->outcome = OUTCOME_SKIPPED;
        return;
    }
    cursor.at = reply;
    if (count > sizeof answers / sizeof answers[0])
        cli_fail("%s has %zu streams; there is room for %zu", request->test->id, count,
                 sizeof answers / sizeof answers[0]);
    bool is_form = request->ask == ASK_REUSE ? take_streams(&cursor, answers, count)
                                             : take_answer(&cursor, request->ask, &answers[0]);
    if (!is_form || cursor.at != cursor.end || !has_right_groups(request, answers, count)) {
        reply_note(request, OUTCOME_MALFORMED, reply, length);
        return;
    }
    request->outcome = OUTCOME_ANSWERED;
    unsigned own = request->policy < ASSAY_POLICY_COUNT ? request->policy : ASSAY_POLICY_WHATWG;
    bool fits_all = true;
    for (enum assay_policy policy = 0; policy < ASSAY_POLICY_COUNT; policy++) {
        struct expectation expectation;
        request->differences[policy] = DIFFERENCE_COUNT; /* the encoding does not have all policies */
        if (request_expects(request, policy, &expectation))
            compare_all(request, answers, count, policy, &expectation, offer->is_late);
        fits_all &= request->differences[policy] == DIFFERS_NONE;
    }
    for (enum assay_policy policy = 0; policy < ASSAY_POLICY_COUNT; policy++)
        if (request->differences[policy] == DIFFERENCE_COUNT) {
            request->differences[policy] = request->differences[own];
            request->streams[policy] = request->streams[own];
        }
    if (!fits_all)
        keep_reply(request, reply, length);
}
