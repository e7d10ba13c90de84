/* SPDX-License-Identifier: MIT
 *
 * The part `far`: long texts and streams. far.def lists its questions.
 */
#include "far.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

size_t far_put_stray(const struct sweep *sweep, uint8_t stray[2])
{
    size_t unit = put_error(sweep, stray);
    if (unit == 1)
        stray[0] = 0x80;
    return unit;
}

enum { BEGIN_BYTES = 4 };

/* If the text is shorter than PROSE_END and its first block is ASCII, writes other characters over its first bytes,
 * keeps these, and returns true. */
static bool begin_otherwise(const struct sweep *sweep, uint8_t *text, size_t count, uint8_t kept[BEGIN_BYTES])
{
    if (count < BLOCK || count >= PROSE_END)
        return false;
    for (size_t i = 0; i < BLOCK; i++)
        if (text[i] >= 0x80)
            return false;
    memcpy(kept, text, BEGIN_BYTES);
    fill(sweep, text, BEGIN_BYTES, TWO_BYTES);
    return true;
}

void far_ask_verdict(struct sweep *sweep, uint8_t *input, size_t count)
{
    uint8_t kept[BEGIN_BYTES];
    ask_all(sweep, OP_VALIDATE, ASSAY_POLICY_STRICT, input, count);
    if (begin_otherwise(sweep, input, count, kept)) {
        ask_all(sweep, OP_VALIDATE, ASSAY_POLICY_STRICT, input, count);
        memcpy(input, kept, BEGIN_BYTES);
    }
}

void far_ask_about_errors(struct sweep *sweep, uint8_t *input, size_t count)
{
    far_ask_verdict(sweep, input, count);
    ask_all(sweep, OP_SPANS, ASSAY_POLICY_STRICT, input, count);
    ask_all(sweep, OP_COUNT, ASSAY_POLICY_WHATWG, input, count);
    ask_all(sweep, OP_DECODE_UTF16, ASSAY_POLICY_WHATWG, input, count);
    ask_all(sweep, OP_DECODE_UTF32, ASSAY_POLICY_WHATWG, input, count);
    ask_all(sweep, OP_TO_WELL_FORMED, ASSAY_POLICY_WHATWG, input, count);
}

bool far_ask(struct sweep *sweep, const struct assay_codec *codec, const struct far_text *text)
{
    const struct question question = {.operation = OP_VALIDATE,
                                      .input = text->bytes,
                                      .input_count = text->count,
                                      .shift = {(uintptr_t)text->bytes % SHIFT_MAX, 0}};
    asking_directly(codec, question);
    bool is_wrong = has_wrong_verdict(codec, text->bytes, text->count, text->is_well_formed, &text->error) ||
                    codec->validate(text->bytes, text->count, NULL) != text->is_well_formed;
    asking_ends();
    sweep->comparer.asked++;
    cli_note_answered(codec);
    if (is_wrong)
        ask_again(sweep, codec, question);
    return !is_wrong;
}

void far_begin_step(struct sweep *sweep, uint8_t *text, size_t filler)
{
    enum { CHARACTERS = 12 };
    fill(sweep, text + BLOCK, CHARACTERS, filler);
    fill(sweep, text + FIRST_STEP, CHARACTERS, filler);
    fill(sweep, text + FIRST_STEP + FOUR_STRIDES, CHARACTERS, filler);
}

static void ask_step(struct sweep *sweep, const struct assay_codec *codec, const void *text)
{
    far_ask(sweep, codec, text);
}

static void ask_codecs(struct sweep *sweep, sweep_step *step, const struct far_text *text)
{
    for (size_t i = 1; i < sweep->comparer.panel_size; i++)
        if (comparer_asks(&sweep->comparer, sweep->comparer.panel[i], OP_VALIDATE) &&
            (text->left_out == NULL || !text->left_out[i]))
            sweep_survive_codec(sweep, sweep->comparer.panel[i], step, text);
        else
            sweep->comparer.skipped++;
}

void far_ask_each(struct sweep *sweep, sweep_step *step, const struct far_text *text)
{
    uint8_t kept[BEGIN_BYTES];
    ask_codecs(sweep, step, text);
    if (begin_otherwise(sweep, text->bytes, text->count, kept)) {
        ask_codecs(sweep, step, text);
        memcpy(text->bytes, kept, BEGIN_BYTES);
    }
}

void far_ask_all(struct sweep *sweep, const struct far_text *text)
{
    far_ask_each(sweep, ask_step, text);
}

/* Sets **context: whether the codec reads all of a long text that begins with an error, before any loop. Its last page
 * is not in memory before it is read. */
static void ask_whether_reads_on(struct sweep *sweep, const struct assay_codec *codec, const void *context)
{
    bool *const *reads_on = context;
    if (!comparer_asks(&sweep->comparer, codec, OP_VALIDATE))
        return;
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    uint8_t *text = mmap(NULL, FAR_LENGTH, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (text == MAP_FAILED)
        cli_fail("no memory");
    put_error(sweep, text);
    ask_well_formed(codec, text, FAR_LENGTH, NULL);
    unsigned char is_in_memory = 0;
    **reads_on = mincore(text + FAR_LENGTH - page, page, (void *)&is_in_memory) != 0 || (is_in_memory & 1) != 0;
    munmap(text, FAR_LENGTH);
}

bool *far_who_reads_on(struct sweep *sweep)
{
    comparer_begin(&sweep->comparer);
    bool *reads_on = cli_alloc(sweep->comparer.panel_size, sizeof *reads_on);
    for (size_t i = 1; i < sweep->comparer.panel_size; i++)
        sweep_survive_codec(sweep, sweep->comparer.panel[i], ask_whether_reads_on, &(bool *){&reads_on[i]});
    return reads_on;
}

void sweep_far(struct sweep *sweep)
{
#define QUESTION(id) far_##id(sweep);
#include "far.def"
}
