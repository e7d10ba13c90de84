/* SPDX-License-Identifier: MIT
 *
 * Texts for which no codec was tuned: scripts, their shares, words and separators are drawn at random.
 */
#include "../../core/dice.h"
#include "bench.h"

#include <stdlib.h>
#include <string.h>

enum { WORDS = 256, LETTERS_MAX = 24, SCRIPTS_MAX = 4, VALUES = 1 << 20 };

/* The letters of a script, and some that only a share of the words has. Each code point of a range is used, assigned or
 * not. */
static const struct letters {
    uint32_t first, last, rare_first, rare_last;
    bool has_spaces;
} all_letters[] = {
    {'a', 'z', 'A', 'Z', true},
    {'a', 'z', 0xDF, 0x17E, true},
    {'a', 'z', 0x1EA0, 0x1EF9, true},
    {0x3B1, 0x3C9, 0x386, 0x3CE, true},
    {0x430, 0x44F, 0x410, 0x45F, true},
    {0x561, 0x586, 0x531, 0x556, true},
    {0x5D0, 0x5EA, 0x5B0, 0x5BD, true},
    {0x627, 0x64A, 0x64B, 0x652, true},
    {0x710, 0x72F, 0x730, 0x74A, true},
    {0x905, 0x939, 0x93E, 0x94D, true},
    {0x985, 0x9B9, 0x9BE, 0x9CD, true},
    {0xB85, 0xBB9, 0xBBE, 0xBCD, true},
    {0xC05, 0xC39, 0xC3E, 0xC4D, true},
    {0xE01, 0xE2E, 0xE30, 0xE4E, false},
    {0x10D0, 0x10F0, 0x1C90, 0x1CB0, true},
    {0x1200, 0x135A, 0x1360, 0x1368, true},
    {0x1780, 0x17A2, 0x17B6, 0x17D3, false},
    {0x3041, 0x3096, 0x30A1, 0x30FA, false},
    {0x4E00, 0x9FA5, 0x3400, 0x4DB5, false},
    {0xAC00, 0xD7A3, 0x1100, 0x1112, true},
    {0x10330, 0x10349, 0x10330, 0x10349, true},
    {0x1E922, 0x1E943, 0x1E900, 0x1E921, true},
    {0x1D400, 0x1D433, '0', '9', true},
    {0x1F300, 0x1F5FF, 0x2600, 0x26FF, false},
    {0x20000, 0x2A6DF, 0x4E00, 0x9FA5, false},
};

/* The words of one script in one text, and how words are separated. */
struct script {
    uint32_t words[WORDS][LETTERS_MAX];
    size_t lengths[WORDS], weight;
    bool has_spaces;
};

static void make_script(struct script *script, struct dice *dice)
{
    const struct letters *letters = &all_letters[dice_roll(dice, sizeof all_letters / sizeof all_letters[0])];
    size_t mean = 2 + dice_roll(dice, 8), rare_percent = dice_roll(dice, 30);
    script->weight = (size_t)1 << dice_roll(dice, 7);
    script->has_spaces = letters->has_spaces;
    for (size_t i = 0; i < WORDS; i++) {
        size_t length = 1;
        while (length < LETTERS_MAX && dice_roll(dice, mean) != 0)
            length++;
        script->lengths[i] = length;
        for (size_t j = 0; j < length; j++) {
            bool is_rare = dice_roll(dice, 100) < rare_percent;
            uint32_t first = is_rare ? letters->rare_first : letters->first,
                     last = is_rare ? letters->rare_last : letters->last;
            script->words[i][j] = first + (uint32_t)dice_roll(dice, last - first + 1);
        }
    }
}

static size_t draw_script(const struct script *scripts, size_t count, struct dice *dice)
{
    size_t sum = 0, at = 0;
    for (size_t i = 0; i < count; i++)
        sum += scripts[i].weight;
    for (size_t left = dice_roll(dice, sum); left >= scripts[at].weight; at++)
        left -= scripts[at].weight;
    return at;
}

/* Writes what follows a word: nearly always a space; in scripts without spaces, nothing. */
static size_t put_separator(uint32_t *values, bool has_spaces, struct dice *dice)
{
    static const uint32_t marks[] = {'.', ',', ':', ')', '"', '\n', 0x2019, 0x2014};
    size_t count = 0;
    if (dice_roll(dice, 10) == 0)
        values[count++] =
            has_spaces ? marks[dice_roll(dice, sizeof marks / sizeof marks[0])] : 0x3001 + (uint32_t)dice_roll(dice, 2);
    if (has_spaces)
        values[count++] = ' ';
    return count;
}

/* Writes a word. Frequent words repeat, as in text: the index of a word is the lesser of two random numbers. */
static size_t put_word(uint32_t *values, const struct script *script, struct dice *dice)
{
    size_t one = dice_roll(dice, WORDS), other = dice_roll(dice, WORDS), number = one < other ? one : other;
    memcpy(values, script->words[number], script->lengths[number] * sizeof *values);
    return script->lengths[number];
}

struct cli_input bench_random_text(uint64_t seed)
{
    struct dice dice = {seed};
    size_t script_count = 1 + dice_roll(&dice, SCRIPTS_MAX), stays_percent = 30 + dice_roll(&dice, 70), now = 0,
           count = 0;
    struct script *scripts = cli_alloc(script_count, sizeof *scripts);
    uint32_t *values = cli_alloc(VALUES, sizeof *values);
    for (size_t i = 0; i < script_count; i++)
        make_script(&scripts[i], &dice);
    while (count + LETTERS_MAX + 2 < VALUES) {
        if (dice_roll(&dice, 100) >= stays_percent)
            now = draw_script(scripts, script_count, &dice);
        count += put_word(values + count, &scripts[now], &dice);
        count += put_separator(values + count, scripts[now].has_spaces, &dice);
    }
    struct cli_input text = {cli_alloc(ASSAY_ENCODED_MAX(count), 1), 0};
    text.byte_count = registry_reference("utf-8")
                          ->encode_utf32(ASSAY_POLICY_STRICT, values, count, text.bytes, ASSAY_ENCODED_MAX(count))
                          .written;
    free(values);
    free(scripts);
    return text;
}
