/* SPDX-License-Identifier: MIT
 *
 * Theorem `loops`: the loops around the kernels, as steps of an induction. For each length, the questions that they ask
 * are answered yes and no, in all combinations. The facts about bytes that the answers state are noted, and the verdict
 * must follow from these.
 */
#include "loops.h"

#include "contexts.h"
#include "kernels.h"
#include "theorems.h"

#include "../../../codecs/simd/tables/family.h"
#include "../../../codecs/simd/tables/utf8.h"
#include "../../core/dice.h"

#include <inttypes.h>
#include <setjmp.h>
#include <string.h>

enum {
    TURNS_MAX = 4096,
    ENCODING_COUNT = 16,
    IMPLIED_MAX = 1024, /* after this many consecutive implied answers, a run is taken not to end */
    PLACES_MAX = 1 << 19,
    FEW_PLACES = 1 << 17, /* enough for inputs that are followed for each length: a larger table would be slower */
    EVERY_PATH = 2 * BLOCK_BYTES + STRIDE_BYTES,
    /* Inputs of three kinds have loops from these lengths on; the codec has them from LONG_LENGTH on. */
    SHORTEST_LONG = 4 * STRIDE_BYTES + 1, /* all paths are followed */
    FEWER_FOURS = 7 * STRIDE_BYTES,       /* leads of four are expected for two strides */
    SHORTEST_PROSE = 6 * STRIDE_BYTES,    /* English prose is followed */
    HALVES = 64,
    HALF_BYTES = STRIDE_BYTES / 2,
    BATCH_BYTES = HALVES * HALF_BYTES,
    ASKED_AGAIN = BATCH_BYTES + STRIDE_BYTES /* the loops ask again about bytes that are as far back */
};

/* The facts that the answers so far state. */
struct known {
    position right; /* no byte before this is refused */
    position boundary_first,
        boundary; /* text may end from the first to the second: at its begin, or in or after ASCII */
    /* the same, for the last such bytes before those of a kernel; only where a text of its own may begin there */
    position kept_first, kept;
    position ascii_first,
        ascii_end; /* these are ASCII; whether a sequence before them is incomplete is not known yet */
    position other_first, other_end; /* these are not all ASCII */
    /* no lead of four is in the three bytes before this place, or what follows such a lead is refused */
    position fours_end;
    position fours_asked; /* the last place where this was asked */
    uint16_t stops;       /* since then: answers that end a loop, and so decide which kernel is asked next */
    bool has_fours, ends_well, is_wrong;
};

/* The state of a run: the last question that had two answers and the one it got, the next question, and the facts. */
struct place {
    _Alignas(uint64_t) struct looked last;
    struct looked next;
    struct known known;
    bool answer;
};

/* An answer of the current run. The next run gives the same ones up to the last that has another, which it gives. */
struct turn {
    bool is_implied;    /* it follows from those before */
    bool is_second;     /* the other answer was given in an earlier run */
    size_t number;      /* of the place in `places`; PLACES_MAX if it is not there */
    struct place place; /* at this question, if it has two answers */
};

struct search {
    struct proof *proof;
    loops_run *loops;
    struct encoding encodings[ENCODING_COUNT]; /* each run is made with the next one of these */
    size_t run_count;
    size_t offset, byte_count;
    bool is_prose; /* inputs are of SHORTEST_PROSE bytes or more; if they begin with ASCII, they are checked as prose */
    bool fewer_fours;      /* inputs are of FEWER_FOURS bytes or more, and their loops as if that were long */
    bool is_shortest_long; /* inputs are of SHORTEST_LONG bytes, and that is long */
    struct turn turns[TURNS_MAX];
    bool answers[TURNS_MAX]; /* of the turns */
    size_t turn_count;       /* answers that this run has to give, or has given */
    size_t implied;          /* consecutive answers that follow from others */
    struct place place;      /* after the last of the turns; what is before was noted by an earlier run */
    struct place *places;    /* where runs were, for this length */
    size_t place_count;
    uint32_t generation; /* the number of valid entries in `seen` */
    struct {
        uint32_t generation, number;
    } * seen; /* a hash table of PLACES_MAX numbers of places */
    jmp_buf end_of_run;
};

static _Thread_local struct search *search;
_Thread_local struct loops_again loops_again;

/* The number of answers that this run has given. */
static size_t answers_given(void)
{
    return (size_t)(loops_again.next - search->answers);
}

static _Noreturn void fail(const char *what, const struct looked *looked)
{
    refute(search->proof, "of %zu bytes at offset %zu of a cache line, after %zu answers, at byte %zu: %s",
           search->byte_count, search->offset, answers_given(), (size_t)looked->first, what);
    longjmp(search->end_of_run, 1);
}

_Noreturn void loops_load_outside(long first, size_t count)
{
    refute(search->proof, "of %zu bytes, %zu are loaded from %ld on", search->byte_count, count, first);
    longjmp(search->end_of_run, 1);
}

_Noreturn void loops_join_apart(long end, long first)
{
    refute(search->proof, "of %zu bytes, those from %ld to %ld are left out of a verdict", search->byte_count, end,
           first);
    longjmp(search->end_of_run, 1);
}

size_t loops_long(void)
{
    return search->is_prose           ? SHORTEST_PROSE
           : search->fewer_fours      ? FEWER_FOURS
           : search->is_shortest_long ? SHORTEST_LONG
                                      : LONG_LENGTH;
}

size_t loops_very_long(void)
{
    return search->is_prose ? LOOP_BYTES_MAX + 1 : 0;
}

size_t loops_fours_at_least(void)
{
    return search->fewer_fours ? 2 * STRIDE_BYTES : FOURS_LENGTH;
}

static void grow(position *bound, position to)
{
    *bound = to > *bound ? to : *bound;
}

/* ASCII after text that ends at a character boundary is right up to its end (steps_hold()). */
static void note_ascii(struct known *known)
{
    grow(&known->right, known->ascii_end);
    grow(&known->fours_end, known->ascii_end);
    if (known->ascii_first < known->boundary_first || known->ascii_first > known->boundary)
        known->boundary_first = known->ascii_first;
    known->boundary = known->ascii_end;
    if (known->boundary > ASKED_AGAIN) /* what was before would only make places differ */
        grow(&known->boundary_first, (position)(known->boundary - ASKED_AGAIN));
    known->ends_well |= known->ascii_end == search->byte_count;
}

static void note_kernel(struct known *known, const struct looked *looked, bool answer)
{
    bool refuses_fours = looked->question == LOOP_KERNEL_WITHOUT_FOURS;
    if (looked->first > known->right)
        fail("the kernel is asked where what is before may be wrong", looked);
    if (refuses_fours && looked->first != known->fours_end)
        fail("the kernel that refuses leads of four is asked where one may be before", looked);
    known->other_first = known->other_end = 0;
    if (!answer) {
        known->is_wrong |= !refuses_fours;
        known->stops++;
        return;
    }
    grow(&known->right, looked->end);
    if (search->loops == loops_before_rest && known->boundary > 0) {
        known->kept_first = known->boundary_first;
        known->kept = known->boundary;
    }
    known->boundary_first = known->boundary = 0;
    known->ends_well |= looked->before_zeros;
    known->fours_end = refuses_fours ? looked->end : 0; /* otherwise there may be some */
}

static void note_cut(struct known *known, const struct looked *looked, bool answer)
{
    bool is_end = looked->first == search->byte_count,
         is_ascii = looked->first == known->ascii_first && known->ascii_end > 0;
    if (looked->first < LOOK_BACK || looked->first > search->byte_count || looked->first > known->right)
        fail("whether a sequence is cut is asked where what is before may be wrong", looked);
    known->is_wrong |= answer && (is_end || is_ascii);
    if (answer && is_ascii)
        known->stops++;
    known->ends_well |= !answer && is_end;
    if (!answer && is_ascii)
        note_ascii(known);
    known->ascii_first = known->ascii_end = 0;
}

/* The bytes from a place to the end, as a text of their own. Text that may end there is well-formed exactly if both
 * parts are. */
static void note_text(struct known *known, const struct looked *looked, bool answer)
{
    bool may_begin = (looked->first >= known->boundary_first && looked->first <= known->boundary) ||
                     (looked->first >= known->kept_first && looked->first <= known->kept);
    if (looked->first > known->right || !may_begin)
        fail("a text of its own begins where a sequence before it may be incomplete", looked);
    known->is_wrong |= !answer;
    if (answer)
        grow(&known->right, looked->end);
    known->ends_well |= answer;
}

/* Notes the facts that an answer states. */
static void note_answer(struct known *known, const struct looked *looked, bool answer)
{
    switch (looked->question) {
    case LOOP_ASCII:
        if (!answer) {
            known->other_first = looked->first;
            known->other_end = looked->end;
            if (looked->first < known->ascii_end) /* this contradicts an earlier answer, and replaces it */
                known->ascii_first = known->ascii_end = 0;
            return;
        }
        if (looked->first != known->ascii_end)
            known->ascii_first = looked->first;
        known->ascii_end = looked->end;
        if (known->ascii_first >= known->boundary_first && known->ascii_first <= known->boundary) {
            note_ascii(known);
            known->ascii_end = 0;
        }
        return;
    case LOOP_TEXT: note_text(known, looked, answer); return;
    case LOOP_CUT: note_cut(known, looked, answer); return;
    case LOOP_FOURS_AMONG: known->has_fours |= answer; return;
    case LOOP_FOURS_BEFORE:
        if (looked->first < LOOK_BACK || looked->first > search->byte_count)
            fail("bytes before a place are read that are not in the input", looked);
        known->fours_asked = looked->first;
        known->stops = 0;
        known->has_fours = answer;
        if (!answer)
            known->fours_end = looked->first;
        return;
    default: note_kernel(known, looked, answer); return;
    }
}

_Static_assert(sizeof(struct place) % sizeof(uint64_t) == 0, "the hash includes all of a place");

static uint64_t hash_of(const struct place *place)
{
    uint64_t hash = UINT64_C(0xCBF29CE484222325), word;
    for (size_t i = 0; i < sizeof *place; i += sizeof word) {
        memcpy(&word, (const uint8_t *)place + i, sizeof word);
        hash = (hash ^ word) * UINT64_C(0x9E3779B97F4A7C15);
        hash ^= hash >> 32;
    }
    return hash;
}

/* True if all paths are followed, also those that reach the same place: in short texts, and in the shortest for which
 * there are loops over strides. */
static bool follows_every_path(void)
{
    return search->byte_count <= EVERY_PATH || search->is_shortest_long;
}

/* A run that reaches a place twice would reach it for ever. */
static void check_progress(const struct looked *looked, size_t number)
{
    for (size_t i = 0; i < search->turn_count; i++)
        if (search->turns[i].number == number)
            fail("the loops do not end", looked);
}

/* True if a run was at this place before; else adds it, and sets *number to its number. */
static bool add_place(const struct place *place, size_t *number)
{
    size_t slot_count = search->byte_count < LONG_LENGTH + STRIDE_BYTES ? FEW_PLACES : PLACES_MAX;
    size_t slot = hash_of(place) % slot_count;
    for (; search->seen[slot].generation == search->generation; slot = (slot + 1) % slot_count)
        if (memcmp(&search->places[search->seen[slot].number], place, sizeof *place) == 0) {
            check_progress(&place->next, search->seen[slot].number);
            return true;
        }
    *number = search->place_count++;
    if (search->place_count == slot_count) /* a slot must stay free, where a search ends */
        cli_fail("the loops of validation come to %zu places, for %zu bytes", slot_count, search->byte_count);
    search->seen[slot].generation = search->generation;
    search->seen[slot].number = (uint32_t)*number;
    search->places[*number] = *place;
    return false;
}

/* Copies each member: the bytes between members stay zero, so that places can be compared as bytes. */
static void copy_looked(struct looked *to, const struct looked *from)
{
    to->question = from->question;
    to->first = from->first;
    to->end = from->end;
    to->before_zeros = from->before_zeros;
}

/* True if this search does not let these bytes be ASCII: each run of ASCII multiplies the places. In texts of more than
 * 8 KiB, a run of ASCII begins in the first 320 or the last 512 bytes, or where ASCII ends, or where the text is known
 * to end with a character. In the longest texts, ASCII is in the first or the last kilobyte. */
static bool is_kept_from_ascii(const struct known *known, const struct looked *looked)
{
    bool is_longest = search->byte_count > FOURS_LENGTH;
    size_t outer = is_longest ? 4 * STRIDE_BYTES : STRIDE_BYTES + BLOCK_BYTES,
           last = is_longest ? outer : 2 * STRIDE_BYTES;
    return search->byte_count > BATCH_BYTES && looked->first >= outer && looked->first + last <= search->byte_count &&
           (is_longest || (looked->first != known->ascii_end && looked->first != known->boundary));
}

/* True if some of these bytes are known not to be ASCII. */
static bool has_others(const struct known *known, const struct looked *looked)
{
    return known->other_end > 0 && looked->first <= known->other_first && looked->end >= known->other_end;
}

/* True if no sequence can be cut there, because text may end there. */
static bool ends_there(const struct known *known, const struct looked *looked)
{
    return looked->first >= LOOK_BACK && looked->first >= known->boundary_first && looked->first <= known->boundary;
}

/* True if earlier answers say that these bytes are ASCII. */
static bool has_ascii(const struct known *known, const struct looked *looked)
{
    return (looked->first >= known->boundary_first && looked->end <= known->boundary) ||
           (looked->first >= known->ascii_first && looked->end <= known->ascii_end);
}

/* Returns true if earlier answers imply this one, or this search gives no other, and sets *answer. Notes that the text
 * ends with a character if that is implied. */
static bool infer_answer(struct known *known, const struct looked *looked, bool *answer)
{
    /* that more leads of four are near makes no difference */
    *answer = (looked->question == LOOP_ASCII && has_ascii(known, looked)) ||
              (looked->question == LOOP_FOURS_AMONG && known->has_fours);
    if (*answer)
        return true;
    if (looked->question == LOOP_ASCII)
        return has_others(known, looked) || is_kept_from_ascii(known, looked);
    bool is_implied = looked->question == LOOP_CUT && ends_there(known, looked);
    known->ends_well |= is_implied && looked->first == search->byte_count;
    return is_implied;
}

/* The usual answer, which is given first. */
static bool usual_answer(const struct looked *looked)
{
    return looked->question < LOOP_CUT;
}

/* Adds a turn for a new question. Ends the run at a place where one was before. */
static void add_turn(const struct looked *looked)
{
    struct place *place = &search->place;
    struct turn *turn = &search->turns[search->turn_count];
    if (search->turn_count == TURNS_MAX)
        fail("the loops ask too much", looked);
    turn->is_second = false;
    turn->number = PLACES_MAX;
    turn->is_implied = infer_answer(&place->known, looked, &search->answers[search->turn_count]);
    search->implied = turn->is_implied ? search->implied + 1 : 0;
    if (search->implied > IMPLIED_MAX)
        fail("the loops do not end", looked);
    if (!turn->is_implied) {
        copy_looked(&place->next, looked);
        if (!follows_every_path() && add_place(place, &turn->number))
            longjmp(search->end_of_run, 1);
        search->answers[search->turn_count] = usual_answer(looked);
        memcpy(&turn->place, place, sizeof *place);
    }
    search->turn_count++;
}

/* Goes back to the place of a question, which is now answered in the other way. */
static void return_to(const struct turn *turn, const struct looked *looked)
{
    const struct looked *before = &turn->place.next;
    if (before->question != looked->question || before->first != looked->first || before->end != looked->end)
        cli_fail("the loops of validation ask another question after the same answers");
    memcpy(&search->place, &turn->place, sizeof search->place);
    search->implied = 0;
}

bool loops_answer(const struct looked *looked)
{
    size_t at = answers_given();
    if (at < search->turn_count)
        return_to(&search->turns[at], looked);
    else
        add_turn(looked);
    bool answer = search->answers[at];
    if (!search->turns[at].is_implied) {
        note_answer(&search->place.known, looked, answer);
        copy_looked(&search->place.last, looked);
        search->place.answer = answer;
    }
    loops_again.end = ++loops_again.next;
    return answer;
}

static void check_verdict(bool verdict)
{
    const struct known *known = &search->place.known;
    if (verdict && (known->right < search->byte_count || !known->ends_well))
        refute(
            search->proof,
            "%zu bytes at offset %zu of a cache line are accepted; bytes from %zu on may be refused, or cut at the end",
            search->byte_count, search->offset, (size_t)known->right);
    if (!verdict && !known->is_wrong)
        refute(search->proof, "%zu bytes at offset %zu of a cache line are refused, and nothing was found wrong",
               search->byte_count, search->offset);
}

/* Makes one run, with the answers of the turns, and the usual ones to further questions. */
static void run_once(void)
{
    loops_again.next = search->answers;
    loops_again.end = search->answers + (search->turn_count > 0 ? search->turn_count - 1 : 0);
    if (setjmp(search->end_of_run) == 0)
        check_verdict(search->loops(&search->encodings[search->run_count++ % ENCODING_COUNT], search->offset,
                                    search->byte_count));
    search->proof->cases += answers_given();
}

/* Takes back the answers at the end that have no other, and changes the one before. Returns false if all runs were
 * made. */
static bool next_run(void)
{
    struct turn *turn = &search->turns[search->turn_count];
    do {
        if (turn == search->turns)
            return false;
        turn--;
    } while (turn->is_implied || turn->is_second);
    search->turn_count = (size_t)(turn - search->turns) + 1;
    search->answers[search->turn_count - 1] ^= true;
    turn->is_second = true;
    return true;
}

/* Makes all runs for one length. */
static void follow_all(size_t offset, size_t byte_count)
{
    search->offset = offset;
    search->byte_count = byte_count;
    search->turn_count = search->implied = 0;
    search->generation++;
    search->place_count = 0;
    memset(&search->place, 0, sizeof search->place);
    search->place.known.ends_well = byte_count == 0;
    do
        run_once();
    while (next_run() && search->proof->outcome == PROVEN);
}

static void follow_lengths(size_t first, size_t end, size_t offset)
{
    for (size_t count = first; count < end && search->proof->outcome == PROVEN; count++)
        if (count % search->proof->stride == search->proof->offset)
            follow_all(offset, count);
}

/* The step for a block of ASCII, and for the zeros after the input: after text that ends at a boundary it is right, and
 * the text ends at a boundary again; after an incomplete sequence it is refused. Checked for all contexts of kinds. */
static bool steps_hold(struct proof *proof, const struct contexts *contexts)
{
    const struct kinds *kinds = &contexts->kinds;
    for (size_t i = 0; i < kinds->count * kinds->count * kinds->count; i++) {
        uint8_t bytes[] = {kinds->first[i / kinds->count / kinds->count], kinds->first[i / kinds->count % kinds->count],
                           kinds->first[i % kinds->count]};
        size_t context = context_of(contexts, bytes);
        for (uint8_t ascii = 0; ascii < 0x80 && contexts->can_be[context]; ascii++) {
            bool is_right = contexts->verdicts[context][kinds->of[ascii]] == RIGHT;
            proof->cases++;
            if (is_right != contexts->ends_well[context])
                return refute_on(proof, bytes, LOOK_BACK, "that ASCII may follow exactly where text may end, and that");
            if (is_right && !contexts->ends_well[context_of(contexts, (uint8_t[]){bytes[1], bytes[2], ascii})])
                return refute_on(proof, bytes, LOOK_BACK, "that text may end after ASCII, and that");
        }
    }
    return true;
}

/* Of a batch of ASCII with one other byte in each half stride that has a bit of `others`, next_other() finds these,
 * from each number. After fewer half strides than a batch may have, the text ends. */
static bool finds_others(struct proof *proof, const struct kernels *kernels, const uint8_t *text, size_t halves,
                         uint64_t others)
{
    for (size_t from = 0; from < halves; from++) {
        size_t wanted = others >> from != 0 ? from + (size_t)__builtin_ctzll(others >> from) : halves;
        proof->cases++;
        if (kernels->next_other(text, text + halves * HALF_BYTES + (halves < HALVES ? 0 : HALF_BYTES), from) != wanted)
            return refute(proof,
                          "of %zu half strides of a batch, those that are not ASCII are the bits of %016" PRIX64
                          ", and from %zu on the next one is not %zu",
                          halves, others, from, wanted);
    }
    return true;
}

/* Random half strides of a batch, the same number of times each number of them. A batch may lose one if there is a
 * certain number, or if others are at certain distances. */
static bool finds_many_others(struct proof *proof, const struct kernels *kernels, uint8_t *text)
{
    enum { TIMES = 32 };
    struct dice dice = {0};
    for (size_t number = 0; number < (HALVES + 1) * TIMES; number++) {
        uint64_t others = 0;
        memset(text, 'a', BATCH_BYTES);
        for (size_t left = number / TIMES; left > 0;) {
            size_t half = dice_roll(&dice, HALVES);
            if (others >> half & 1)
                continue;
            text[half * HALF_BYTES + dice_roll(&dice, HALF_BYTES)] = 0x80;
            others |= (uint64_t)1 << half;
            left--;
        }
        if (!finds_others(proof, kernels, text, HALVES, others))
            return false;
    }
    memset(text, 'a', BATCH_BYTES);
    return true;
}

/* The batch of the codec finds what that of the loops below does: of one other byte at each place of a batch of 61 to
 * 64 half strides, since compilers unroll the loop by four; of two such half strides; of random ones; and of an input
 * that ends in or after each half stride, before such a byte or ASCII. */
static bool batches_hold(struct proof *proof, const struct kernels *kernels)
{
    uint8_t text[BATCH_BYTES + HALF_BYTES];
    memset(text, 'a', sizeof text);
    for (size_t halves = HALVES - 3; halves <= HALVES; halves++)
        for (size_t at = 0; at < halves * HALF_BYTES; at++) {
            size_t first = at / HALF_BYTES, end = at % HALF_BYTES == 0 ? halves : first + 1;
            for (size_t second = first; second < end; second++) {
                text[at] = text[second > first ? second * HALF_BYTES : at] = 0x80;
                if (!finds_others(proof, kernels, text, halves, (uint64_t)1 << first | (uint64_t)1 << second))
                    return false;
                text[at] = text[second * HALF_BYTES] = 'a';
            }
        }
    if (!finds_many_others(proof, kernels, text))
        return false;
    for (size_t end = 0; end < sizeof text; end++) {
        size_t halves = end / HALF_BYTES;
        for (int is_before_ascii = 0; is_before_ascii <= 1; is_before_ascii++) {
            text[halves * HALF_BYTES] = is_before_ascii ? 'a' : 0x80;
            proof->cases++;
            if (kernels->next_other(text, text + end, 0) != halves)
                return refute(proof, "of %zu bytes, a batch has not %zu half strides", end, halves);
        }
    }
    return true;
}

/* The encodings that have these loops, and such with random tables; the other members are those of generalized UTF-8.
 * The bytes for ASCII and for leads of four differ, as in all encodings (tables_without_fours()). */
static void make_encodings(struct encoding encodings[ENCODING_COUNT])
{
    struct dice dice = {0};
    encodings[0] = utf8;
    encodings[1] = generalized;
    for (size_t i = 2; i < ENCODING_COUNT; i++) {
        struct encoding *encoding = &encodings[i];
        *encoding = generalized;
        for (size_t j = 0; j < sizeof encoding->first_high; j++) {
            encoding->first_high[j] = (uint8_t)dice_roll(&dice, 256);
            encoding->first_low[j] = (uint8_t)dice_roll(&dice, 256);
            encoding->second_high[j] = (uint8_t)dice_roll(&dice, 256);
        }
        encoding->first_high[0x0] |= 1;
        encoding->first_high[0xF] &= 0xFE;
    }
}

/* Makes all runs of the loops, for all lengths from `least` on. */
static void follow_loops(loops_run *loops, size_t least)
{
    static const size_t offsets[] = {
        0, 61}; /* the next cache line is 64 bytes away; or three, the fewest that can be looked back at */
    search->loops = loops;
    follow_lengths(least, LONG_LENGTH, 0);
    if (least < LONG_LENGTH) {
        follow_lengths(SHORTEST_LONG, SHORTEST_LONG + 1 + STRIDE_BYTES, offsets[1]);
        search->is_shortest_long = true;
        follow_lengths(SHORTEST_LONG, SHORTEST_LONG + 1, 0);
        search->is_shortest_long = false;
    }
    for (size_t i = 0; i < sizeof offsets / sizeof offsets[0]; i++)
        follow_lengths(LONG_LENGTH, LONG_LENGTH + STRIDE_BYTES, offsets[i]);
    search->fewer_fours = true;
    follow_lengths(FEWER_FOURS, FEWER_FOURS + STRIDE_BYTES, 0);
    search->fewer_fours = false;
    follow_lengths(BLOCK_BYTES + BATCH_BYTES + 2 * STRIDE_BYTES - 1, BLOCK_BYTES + BATCH_BYTES + 2 * STRIDE_BYTES + 2,
                   0);
    follow_lengths(BLOCK_BYTES + FOURS_LENGTH - 1, BLOCK_BYTES + FOURS_LENGTH + 2, 0);
    follow_lengths(FOURS_LENGTH + 2 * STRIDE_BYTES, FOURS_LENGTH + 2 * STRIDE_BYTES + 2, 0);
    for (size_t offset = 0; offset < LOOP_LINE; offset++)
        follow_lengths(LONG_LENGTH + BLOCK_BYTES - 1, LONG_LENGTH + BLOCK_BYTES + 2, offset);
}

/* The same for inputs that have loops over strides, and that are checked as English prose if they begin with ASCII. */
static void follow_prose(loops_run *loops)
{
    search->loops = loops;
    search->is_prose = true;
    follow_lengths(SHORTEST_PROSE, SHORTEST_PROSE + STRIDE_BYTES, 0);
    for (size_t offset = 0; offset < LOOP_LINE; offset++)
        follow_lengths(SHORTEST_PROSE + offset, SHORTEST_PROSE + offset + 1, offset);
    search->is_prose = false;
}

/* The loops before the rest of a long text: in the shortest text they skip no stride, in those of less than
 * SHORTEST_FAR bytes up to five. Longer ones may be prose, and the longest have more half strides in a row that are not
 * ASCII than prose may have. */
static void follow_before_rest(void)
{
    enum { MANY_OTHERS = LONG_LENGTH + 10 * STRIDE_BYTES };
    search->loops = loops_before_rest;
    follow_lengths(SHORTEST_FAR, SHORTEST_FAR + STRIDE_BYTES, 0);
    for (size_t offset = 0; offset < LOOP_LINE; offset++) {
        follow_lengths(LONG_LENGTH, SHORTEST_FAR, offset);
        follow_lengths(SHORTEST_FAR + offset, SHORTEST_FAR + offset + 1, offset);
        follow_lengths(MANY_OTHERS + offset, MANY_OTHERS + offset + 1, offset);
    }
}

static bool is_of_avx512(const struct assay_codec *codec)
{
    return strcmp(codec->name, "avx512") == 0;
}

bool shares_loops(const struct assay_codec *codec, const struct assay_codec *other)
{
    return is_of_avx512(codec) == is_of_avx512(other);
}

bool applies_loops(const struct assay_codec *codec)
{
    return kernels_of(codec->encoding, codec->name) != NULL;
}

void prove_loops(struct proof *proof)
{
    struct contexts *contexts = contexts_of(proof);
    if (contexts == NULL || !steps_hold(proof, contexts) ||
        !batches_hold(proof, kernels_of(proof->codec->encoding, proof->codec->name))) {
        free(contexts);
        return;
    }
    free(contexts);
    if (proof->shared != NULL) {
        snprintf(proof->found, sizeof proof->found, "the loops of %s/%s", proof->shared->row->encoding,
                 proof->shared->row->name);
        return;
    }
    search = cli_alloc(1, sizeof *search);
    search->places = cli_alloc(PLACES_MAX, sizeof *search->places);
    search->seen = cli_alloc(PLACES_MAX, sizeof *search->seen);
    search->proof = proof;
    make_encodings(search->encodings);
    follow_before_rest();
    if (is_of_avx512(proof->codec)) {
        follow_loops(loops_of_avx512, 0);
        follow_prose(loops_of_avx512);
        follow_loops(loops_of_avx512_shifted, LONG_LENGTH); /* shorter ones are not shifted */
        follow_prose(loops_of_avx512_shifted);
        follow_loops(loops_of_avx512_far, 0);
    } else {
        follow_loops(loops_of_each, 0);
        follow_prose(loops_of_each);
    }
    free(search->places);
    free(search->seen);
    free(search);
}
