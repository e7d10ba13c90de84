/* SPDX-License-Identifier: MIT */
#include "compare.h"
#include "arena.h"
#include "bytes.h"

#include "../../codecs/assume.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *field_name(enum field field)
{
    static const char *const names[] = {
#define X(id, name) name,
        FIELDS(X)
#undef X
    };
    return names[field];
}

/* A figure that a loadable codec does not know counts as equal. */
static bool differs(size_t expected, size_t actual)
{
    return actual != ASSAY_UNKNOWN && actual != expected;
}

enum field compare_spans(const struct assay_span *expected, const struct assay_span *actual)
{
    if (differs(expected->offset, actual->offset))
        return FIELD_OFFSET;
    if (differs(expected->length, actual->length))
        return FIELD_LENGTH;
    if (actual->length == ASSAY_UNKNOWN) /* then the fault is unknown, too */
        return FIELD_NONE;
    if (actual->fault != expected->fault)
        return FIELD_FAULT;
    return actual->incomplete != expected->incomplete ? FIELD_INCOMPLETE : FIELD_NONE;
}

static size_t first_difference(const uint8_t *a, const uint8_t *b, size_t unit, size_t count)
{
    size_t i = 0;
    while (i < count && memcmp(a + i * unit, b + i * unit, unit) == 0)
        i++;
    return i;
}

/* Compares output unit by unit. Spans are compared field by field, because they have padding and figures that may be
 * unknown. */
static enum field compare_output(const struct question *question, const struct answer *expected,
                                 const struct answer *actual, size_t *index)
{
    size_t shared =
        expected->result.written < actual->result.written ? expected->result.written : actual->result.written;
    if (operation_shape(question->operation) == SHAPE_SPANS) {
        if (shared > question->capacity) /* `spans` also counts those that have no room */
            shared = question->capacity;
        const struct assay_span *a = expected->output, *b = actual->output;
        for (size_t i = 0; i < shared; i++) {
            *index = i;
            enum field field = compare_spans(&a[i], &b[i]);
            if (field != FIELD_NONE)
                return field;
        }
        return FIELD_NONE;
    }
    size_t unit = operation_output_unit(question->operation);
    if (shared == 0 || bytes_equal(expected->output, actual->output, shared * unit))
        return FIELD_NONE;
    *index = first_difference(expected->output, actual->output, unit, shared);
    return FIELD_OUTPUT;
}

enum field compare_answers(const struct question *question, const struct answer *expected, const struct answer *actual,
                           size_t *index)
{
    if (actual->overran)
        return FIELD_BOUNDS;
    if (actual->stuck)
        return FIELD_PROGRESS;
    if (actual->wavers)
        return FIELD_NO_ERROR;
    if (actual->result.status != expected->result.status)
        return FIELD_VERDICT;
    enum field field = compare_spans(&expected->result.error, &actual->result.error);
    if (field == FIELD_NONE)
        field = compare_output(question, expected, actual, index);
    if (field != FIELD_NONE)
        return field;
    if (actual->written_after != NULL)
        for (*index = 0; *index < question->cut_count; ++*index)
            if (actual->written_after[*index] != expected->written_after[*index])
                return FIELD_TIMING;
    if (actual->result.written != expected->result.written)
        return FIELD_WRITTEN;
    return actual->result.read != expected->result.read ? FIELD_READ : FIELD_NONE;
}

/* At the guard pages a question is asked with exact room at the end and plenty at the begin; then, if any room will do,
 * the other way round. */
enum { ASKINGS_AT_PAGES = 2 * PLACEMENT_COUNT };

/* How often a question is asked. */
static size_t askings_of(const struct comparer *comparer)
{
    return comparer->once ? 1 : ASKINGS_AT_PAGES + comparer->shifts;
}

/* False for a guard page where the room would be the same again. */
static bool asks_in(const struct question *question, size_t number)
{
    return question->capacity == CAPACITY_ANY || number < PLACEMENT_COUNT || number >= ASKINGS_AT_PAGES;
}

/* Whether the room is exact if a question is asked once. That depends on the number of units of the answer (on the
 * parity of its one bits), so that about half of all questions have plenty of it where the input ends at a guard
 * page. */
static bool has_exact_room_once(const struct comparer *comparer, const struct answer *expected)
{
    bool is_even = __builtin_popcountll(expected->result.written) % 2 == 0;
    return (comparer->placement == AT_END) == is_even;
}

/* Sets the shift and the capacity of a question for its asking `number`: first at the guard pages, then with the
 * shifts. Returns the guard page. */
static enum placement place_question(const struct comparer *comparer, const struct answer *expected, size_t number,
                                     struct question *asked)
{
    enum placement placement = AT_BEGIN;
    bool has_exact_room;
    if (comparer->once) {
        placement = comparer->placement;
        has_exact_room = has_exact_room_once(comparer, expected);
    } else if (number < ASKINGS_AT_PAGES) {
        placement = number % 2 == 0 ? AT_END : AT_BEGIN;
        has_exact_room = (placement == AT_END) == (number < PLACEMENT_COUNT);
    } else {
        asked->shift = shift_for(asked, number - ASKINGS_AT_PAGES);
        has_exact_room = (asked->shift.input + asked->shift.output / sizeof(uint64_t)) % 2 == 0;
    }
    if (asked->capacity == CAPACITY_ANY)
        asked->capacity =
            has_exact_room ? expected->result.written : capacity_for(asked->operation, asked->input_count);
    return placement;
}

/* True if the codec does not offer the operation or the policy. A codec of this project that accepts an empty input may
 * refuse no other input; a loadable codec may. */
static bool is_not_offered(const struct assay_codec *codec, const struct question *question,
                           const struct answer *actual)
{
    return actual->absent && (registry_is_loaded(codec) || !codec_offers(codec, question->operation, question->policy));
}

static bool compare_codec(struct comparer *comparer, const struct assay_codec *codec, const struct question *question,
                          const struct answer *expected)
{
    if (comparer->should_skip != NULL && comparer->should_skip(comparer->context, codec, question->operation)) {
        comparer->skipped++;
        return true;
    }
    for (size_t number = 0; number < askings_of(comparer); number++) {
        if (!asks_in(question, number))
            continue;
        struct question asked = *question;
        enum placement placement = place_question(comparer, expected, number, &asked);
        struct answer actual = ask(comparer->other_seat, codec, &asked, placement);
        bool is_absent = is_not_offered(codec, &asked, &actual);
        /* a codec may refuse if the room is less than the capacity that always suffices */
        if (is_absent && question->capacity == CAPACITY_ANY && !comparer->once &&
            asked.capacity < capacity_for(question->operation, question->input_count) &&
            codec_has(codec, question->operation))
            continue;
        if (is_absent) {
            comparer->skipped++;
            return true;
        }
        comparer->asked++;
        if (comparer->on_answer != NULL)
            comparer->on_answer(codec);
        size_t index = 0;
        enum field field = compare_answers(&asked, expected, &actual, &index);
        if (field != FIELD_NONE) {
            comparer->diverged++;
            comparer->on_divergence(comparer->context, &(struct divergence){comparer->panel[0], codec, &asked, expected,
                                                                            &actual, field, index});
            return false;
        }
    }
    return true;
}

void comparer_begin(struct comparer *comparer)
{
    if (comparer->panel != NULL)
        return;
    comparer->reference_seat = seat_new();
    comparer->other_seat = seat_new();
    comparer->panel = malloc(registry_count() * sizeof *comparer->panel);
    if (comparer->panel == NULL)
        arena_fail(registry_count() * sizeof *comparer->panel);
    for (size_t i = 0; i < registry_count(); i++) {
        const struct registry_row *row = registry_at(i);
        if (registry_runs(row) && strcmp(row->encoding, comparer->encoding) == 0)
            comparer->panel[comparer->panel_size++] = row->codec;
    }
    ASSUME(comparer->panel_size > 0 && comparer->panel[0] == registry_reference(comparer->encoding));
}

bool comparer_asks(const struct comparer *comparer, const struct assay_codec *codec, enum operation operation)
{
    return (comparer->left_out >> operation & 1) == 0 && codec_has(codec, operation);
}

/* True if a codec beside the reference is to answer: else the reference need not be asked. */
static bool is_for_any(const struct comparer *comparer, enum operation operation)
{
    for (size_t i = 1; i < comparer->panel_size; i++)
        if (comparer_asks(comparer, comparer->panel[i], operation))
            return true;
    return false;
}

/* A loaded codec is what a hunt is about: it is always asked. */
static bool is_asked(const struct comparer *comparer, size_t place)
{
    return comparer->half == 0 || place % 2 + 1 == comparer->half || registry_is_loaded(comparer->panel[place]);
}

bool compare(struct comparer *comparer, const struct question *question)
{
    comparer_begin(comparer);
    if (comparer->left_out >> question->operation & 1 ||
        (comparer->once && comparer->panel_size > 1 && !is_for_any(comparer, question->operation))) {
        comparer->skipped += comparer->panel_size - 1;
        return true;
    }
    struct question asked = *question;
    if (asked.capacity == CAPACITY_ANY)
        asked.capacity = capacity_for(question->operation, question->input_count);
    struct question shared = *question;
    if (comparer->once) /* the input is copied once for all codecs */
        shared.placed = asked.placed = seat_input(comparer->reference_seat, question, comparer->placement);
    struct answer expected = ask(comparer->reference_seat, comparer->panel[0], &asked, AT_BEGIN);
    if (expected.absent)
        return true;
    if (expected.overran || expected.stuck) {
        comparer->diverged++;
        comparer->on_divergence(comparer->context,
                                &(struct divergence){comparer->panel[0], comparer->panel[0], &asked, &expected,
                                                     &expected, expected.overran ? FIELD_BOUNDS : FIELD_PROGRESS, 0});
        return false;
    }

    /* With all questions, the reference is compared with itself, too: a buffer that is filled differently must not
     * change its answer. */
    bool all_agree = true;
    for (size_t i = comparer->once && comparer->panel_size > 1 ? 1 : 0;
         i < comparer->panel_size && (all_agree || comparer->keep_going); i++)
        if (is_asked(comparer, i))
            all_agree &= compare_codec(comparer, comparer->panel[i], &shared, &expected);
    return all_agree;
}

bool comparer_leave_out(struct comparer *comparer, const struct assay_codec *codec)
{
    size_t i = 1;
    while (i < comparer->panel_size && comparer->panel[i] != codec)
        i++;
    if (i >= comparer->panel_size)
        return false;
    comparer->panel_size--;
    memmove(comparer->panel + i, comparer->panel + i + 1, (comparer->panel_size - i) * sizeof *comparer->panel);
    return true;
}

void comparer_end(struct comparer *comparer)
{
    seat_free(comparer->reference_seat);
    seat_free(comparer->other_seat);
    free((void *)comparer->panel);
    comparer->reference_seat = comparer->other_seat = NULL;
    comparer->panel = NULL;
    comparer->panel_size = 0;
}
