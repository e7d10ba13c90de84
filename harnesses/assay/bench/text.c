/* SPDX-License-Identifier: MIT
 *
 * Texts, sizes, and the workloads made from them.
 */
#include "../../core/dice.h"
#include "bench.h"

#include <ctype.h>
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* ---- texts --------------------------------------------------------------------------------------- */

const char bench_text_help[] =
    "texts: ascii, the files of corpus/text by name (ru-cyrillic, or ru), @FILE, random:SEED (one to four scripts and their words, drawn "
    "at random, so that no codec was tuned for it); with ~N, N % of its bytes are damaged, each replaced by another: ru~10. Operations that stop at an error are not measured on ill-formed text.\n"
    "usual: ascii, all of corpus/text, and en-latin and ru with 1, 10 and 50 % of the bytes damaged\n";

enum { ASCII_COUNT = 32768, LINE = 72, TEXTS_MAX = 128 };

/* Random printable characters in lines. */
static struct cli_input make_ascii(void)
{
    struct cli_input ascii = {cli_alloc(ASCII_COUNT, 1), ASCII_COUNT};
    struct dice dice = {0};
    for (size_t i = 0; i < ASCII_COUNT; i++)
        ascii.bytes[i] = i % LINE == LINE - 1 ? '\n' : (uint8_t)(' ' + dice_roll(&dice, 95));
    return ascii;
}

static int is_text(const struct dirent *entry)
{
    const char *dot = strrchr(entry->d_name, '.');
    return dot != NULL && strcmp(dot, ".txt") == 0;
}

/* Reads the file of corpus/text with this name, or the only one whose name begins with it and a hyphen. Sets `name` to
 * the file's name. */
static struct cli_input read_corpus(char *name, size_t room)
{
    const char *folder = cli_data("corpus/text");
    struct dirent **entries;
    char path[4096] = "", found[256] = "";
    size_t length = strlen(name);
    int count = folder != NULL ? scandir(folder, &entries, is_text, alphasort) : -1;
    for (int i = 0; i < count; i++) {
        const char *file = entries[i]->d_name;
        int stem = (int)(strlen(file) - strlen(".txt"));
        if (strncmp(file, name, length) == 0 && ((size_t)stem == length || file[length] == '-')) {
            if (found[0] != '\0')
                cli_fail("--text: '%s' is %s and %.*s; say more of it", name, found, stem, file);
            snprintf(found, sizeof found, "%.*s", stem, file);
        }
        free(entries[i]);
    }
    if (count >= 0)
        free(entries);
    if (found[0] == '\0')
        cli_fail("there is no text '%s'%s; see assay bench --help", name,
                 folder == NULL ? ", and no folder corpus/text beside this program" : "");
    snprintf(path, sizeof path, "@%s/%s.txt", folder, found);
    snprintf(name, room, "%s", found);
    return cli_input(path);
}

/* True for "random:7", the text that seed 7 gives. */
static bool is_random(const char *name)
{
    return strncmp(name, "random:", strlen("random:")) == 0;
}

/* False for UTF-8 with a control character: U+0000 to U+001F, U+007F to U+009F. */
static bool is_printable(const char *word)
{
    for (const uint8_t *at = (const uint8_t *)word; *at != '\0'; at++)
        if (*at < 0x20 || *at == 0x7F || (*at == 0xC2 && at[1] < 0xA0))
            return false;
    return true;
}

/* Reads or makes the text of this name. */
static struct text read_text(const char *word)
{
    struct text text = {0};
    const char *tilde = strchr(word, '~');
    size_t length = strlen(word), stem = tilde != NULL ? (size_t)(tilde - word) : length;
    char percent[8] = "0", name[sizeof text.name - 8], *end;
    if (stem >= sizeof name || length - stem >= sizeof percent)
        cli_fail("--text: '%s' is no text; see assay bench --help", word);
    if (!cli_is_text(word))
        cli_fail("--text: a name has bytes that are not UTF-8, which no report can hold; give the file another");
    if (!is_printable(word))
        cli_fail("--text: a name has control characters, which a terminal would obey; give the file another");
    memcpy(name, word, stem);
    name[stem] = '\0';
    if (tilde != NULL)
        snprintf(percent, sizeof percent, "%.*s", (int)(length - stem - 1), tilde + 1);
    text.dirty_percent = (unsigned)strtoul(percent, &end, 10);
    if (!isdigit((unsigned char)percent[0]) || *end != '\0' || text.dirty_percent > 100)
        cli_fail("--text: '%s': after ~ comes a whole number up to 100", word);
    text.content = strcmp(name, "ascii") == 0 ? make_ascii()
                   : is_random(name)
                       ? bench_random_text(cli_number("text random", name + strlen("random:"), 0, UINT32_MAX))
                   : name[0] == '@' ? cli_input(name)
                                    : read_corpus(name, sizeof name);
    if (text.content.byte_count == 0)
        cli_fail("--text: %s is empty", name);
    text.is_well_formed = registry_reference("utf-8")->validate(text.content.bytes, text.content.byte_count, NULL);
    snprintf(text.name, sizeof text.name, tilde != NULL ? "%s~%u" : "%s", name, text.dirty_percent);
    return text;
}

/* Writes the list of the usual texts: ascii and the whole corpus; where there is no corpus, ascii alone. */
static void list_usual(char *list, size_t room)
{
    const char *folder = cli_data("corpus/text");
    struct dirent **entries;
    int count = folder != NULL ? scandir(folder, &entries, is_text, alphasort) : -1;
    size_t length = (size_t)snprintf(list, room, "ascii");
    if (count <= 0)
        fputs(
            "assay bench: no folder corpus/text beside this program, so ASCII is the only text; --text @FILE measures another\n",
            stderr);
    for (int i = 0; i < count; i++) {
        if (length < room)
            length += (size_t)snprintf(list + length, room - length, ",%.*s",
                                       (int)(strlen(entries[i]->d_name) - strlen(".txt")), entries[i]->d_name);
        free(entries[i]);
    }
    if (count >= 0)
        free(entries);
    if (length < room)
        snprintf(list + length, room - length, "%s",
                 count > 0 ? ",en-latin~1,en-latin~10,en-latin~50,ru~1,ru~10,ru~50" : ",ascii~1,ascii~10,ascii~50");
}

struct text *bench_texts(const char *list, size_t *count)
{
    char usual[4096];
    if (list == NULL)
        list_usual(usual, sizeof usual);
    struct text *texts = cli_alloc(TEXTS_MAX, sizeof *texts);
    *count = 0;
    char word[256];
    for (const char *left = list != NULL ? list : usual; cli_next_word("text", &left, word, sizeof word);) {
        if (*count == TEXTS_MAX)
            cli_fail("--text: no more than %d texts at once", TEXTS_MAX);
        texts[(*count)++] = read_text(word);
    }
    return texts;
}

void bench_texts_free(struct text *texts, size_t count)
{
    for (size_t i = 0; i < count; i++)
        free(texts[i].content.bytes);
    free(texts);
}

/* ---- sizes --------------------------------------------------------------------------------------- */

const char bench_size_help[] =
    "sizes: bytes, with K or M for 1024 and 1048576; A..B for short strings of all those lengths; `mixed` for strings "
    "of 1 byte to 64K, as many of each doubling; `memory` for twice the largest cache; `ladder` for 1 byte to `memory` in steps of 4. usual: 1..64,128K\n\n"
    "2M of each text are measured, 32M of strings of 64K or more, with random pieces of it if it is shorter, so that branch predictors cannot memorise it. A "
    "pass takes the next 64K of strings, or one longer string, and reads them into the cache before it is timed. Strings of less than 4 bytes count as "
    "4: there are 524288 of them.\n";

/* Sizes in bytes. LONGEST: the longest character; shorter strings count as this. SHEET: the strings of one pass.
 * SPREAD: strings of at least this length are moved apart. POOL: the strings of all passes; LONG_POOL: the same if each
 * string is as long as a sheet or longer. Smaller pools would be memorised by branch predictors: a Zen 3 validates
 * French (simdutf's kernel, a branch for 64 bytes) at 18.9 GB/s if 512K of it are repeated, at 18.2 with 1M, 13.0 with
 * 2M, 11.9 with 4M, 11.6 with 8M; an Ice Lake validates English (AVX-512, a branch for 128 bytes) at 104 with 2M, 84
 * with 4M, 74 with 8M; a Zen 5 at 140 with 8M, 93 with 32M, 91 with 96M. */
enum { LONGEST = 4, SHEET = 65536, POOL = 2 << 20, LONG_POOL = 32 << 20, SPREAD = 1024 };

enum { MIXED_DOUBLINGS = 16 }; /* from 1 byte to a sheet */

enum { SIZES_MAX = 64, DISTRIBUTION_MAX = 4096 };
#define SIZE_LIMIT ((size_t)1 << 30)

/* Twice the third-level cache as Linux gives it, in KiB; 64 MiB if it gives none, or 512 MiB or more. sysconf() says
 * 384 MiB of a virtual machine's Zen 5, of which 32 are one processor's. */
static size_t beyond_caches(void)
{
    unsigned long kibibytes = 0;
    FILE *file = fopen("/sys/devices/system/cpu/cpu0/cache/index3/size", "r");
    if (file != NULL) {
        if (fscanf(file, "%lu", &kibibytes) != 1)
            kibibytes = 0;
        fclose(file);
    }
    size_t twice = (size_t)kibibytes << 11;
    return twice > 0 && twice < SIZE_LIMIT ? twice : (size_t)64 << 20;
}

/* Reads a number with or without K or M, and sets *word to its end. Returns 0 if there is none. */
static size_t read_bytes(const char **word)
{
    char *end;
    if (!isdigit((unsigned char)**word))
        return 0;
    unsigned long long number = strtoull(*word, &end, 10);
    unsigned shift = *end == 'K' ? 10 : *end == 'M' ? 20 : 0;
    *word = end + (shift > 0);
    return number <= SIZE_LIMIT >> shift ? (size_t)number << shift : 0;
}

static void add_size(struct size *sizes, size_t *count, struct size size)
{
    if (*count == SIZES_MAX)
        cli_fail("--size: no more than %d sizes at once", SIZES_MAX);
    sizes[(*count)++] = size;
}

static void add_ladder(struct size *sizes, size_t *count)
{
    for (size_t bytes = 1; bytes <= beyond_caches(); bytes *= 4) {
        struct size size = {.low = bytes, .high = bytes};
        unsigned shift = bytes >= 1 << 20 ? 20 : bytes >= 1 << 10 ? 10 : 0;
        snprintf(size.name, sizeof size.name, "%zu%s", bytes >> shift, shift == 20 ? "M" : shift == 10 ? "K" : "");
        add_size(sizes, count, size);
    }
}

static struct size read_size(const char *word)
{
    struct size size = {0};
    const char *at = word;
    snprintf(size.name, sizeof size.name, "%s", word);
    if (strcmp(size.name, "memory") == 0) {
        size.low = size.high = beyond_caches();
        return size;
    }
    if (strcmp(size.name, "mixed") == 0) {
        size = (struct size){"mixed", 1, SHEET, true};
        return size;
    }
    size.low = size.high = read_bytes(&at);
    if (strncmp(at, "..", 2) == 0) {
        at += 2;
        size.high = read_bytes(&at);
    }
    if (*at != '\0' || size.low == 0 || size.high < size.low || (size.low < size.high && size.high > DISTRIBUTION_MAX))
        cli_fail(
            "--size: '%s' is no size (a distribution goes up to %d bytes, a string to %zu); see assay bench --help",
            word, DISTRIBUTION_MAX, SIZE_LIMIT);
    return size;
}

struct size *bench_sizes(const char *list, size_t *count)
{
    char word[sizeof((struct size *)NULL)->name];
    struct size *sizes = cli_alloc(SIZES_MAX, sizeof *sizes);
    *count = 0;
    while (cli_next_word("size", &list, word, sizeof word)) {
        if (strcmp(word, "ladder") == 0)
            add_ladder(sizes, count);
        else
            add_size(sizes, count, read_size(word));
    }
    return sizes;
}

/* ---- workloads ------------------------------------------------------------------------------------ */

/* The UTF-8 of a workload and the places of its strings, before it is converted or damaged. */
struct pieces {
    uint8_t *bytes;
    struct slice *slices;
    size_t slice_count;
};

static bool is_inside(const uint8_t *bytes, size_t at, size_t limit)
{
    return at < limit && (bytes[at] & 0xC0) == 0x80;
}

/* The last boundary at or before `at`, at most LONGEST - 1 bytes back. A longer sequence is no character, and is cut
 * anywhere. */
static size_t cut_at(const uint8_t *bytes, size_t at, size_t limit)
{
    size_t cut = at;
    while (cut > 0 && at - cut < LONGEST - 1 && is_inside(bytes, cut, limit))
        cut--;
    return cut;
}

/* Returns the beginning of the text; if the text is too short, pieces of it from random places, one after the other. */
static uint8_t *extend_text(const struct cli_input *text, size_t byte_count, struct dice *dice)
{
    enum { SHORTEST_PIECE = 256, PIECE_LENGTHS = 768 };
    uint8_t *bytes = cli_alloc(byte_count, 1);
    size_t limit = text->byte_count, begin = 0, end = limit;
    for (size_t at = 0; at < byte_count; at += end - begin) {
        if (limit < byte_count) {
            begin = cut_at(text->bytes, dice_roll(dice, limit), limit);
            end = begin + SHORTEST_PIECE + dice_roll(dice, PIECE_LENGTHS);
            end = end < limit ? cut_at(text->bytes, end, limit) : limit;
        }
        size_t left = byte_count - at;
        memcpy(bytes + at, text->bytes + begin, end - begin < left ? end - begin : left);
    }
    return bytes;
}

/* Returns the number of sheets; sets *strings to the number of strings in each. */
static size_t sheets_of(const struct size *size, size_t *string_count)
{
    size_t mean = size->by_doublings ? size->high / MIXED_DOUBLINGS : (size->low + size->high) / 2,
           typical = mean < LONGEST ? LONGEST : mean;
    *string_count = typical < SHEET ? SHEET / typical : 1;
    size_t taken = *string_count * typical, pool = typical < SHEET ? POOL : LONG_POOL;
    return (pool + taken - 1) / taken;
}

/* Draws a power of two first, then a length up to its double, so that short strings are as frequent as in use. */
static size_t draw_length(const struct size *size, struct dice *dice)
{
    if (!size->by_doublings)
        return size->low + dice_roll(dice, size->high - size->low + 1);
    size_t low = size->low;
    for (size_t doubling = dice_roll(dice, MIXED_DOUBLINGS); doubling > 0; doubling--)
        low *= 2;
    return low + dice_roll(dice, low);
}

static struct pieces cut_text(const struct cli_input *text, const struct size *size, size_t string_count,
                              struct dice *dice)
{
    size_t longest = size->high < LONGEST ? LONGEST : size->high, room = string_count * longest + 1;
    struct pieces pieces = {extend_text(text, room, dice), cli_alloc(string_count, sizeof(struct slice)), string_count};
    for (size_t i = 0, at = 0, end; i < string_count; i++, at = end) {
        size_t length = draw_length(size, dice);
        end = cut_at(pieces.bytes, at + length, room);
        if (end <= at) /* one character, even if it is longer than the string should be */
            for (end = at + length; end - at < LONGEST && is_inside(pieces.bytes, end, room); end++) {}
        pieces.slices[i] = (struct slice){at, end - at, 0};
    }
    return pieces;
}

/* Changes each byte to another one with a probability of `percent` / 100. */
static void damage_bytes(uint8_t *bytes, size_t byte_count, unsigned percent, struct dice *dice)
{
    for (size_t i = 0; i < byte_count && percent > 0; i++)
        if (dice_roll(dice, 100) < percent)
            bytes[i] = (uint8_t)(bytes[i] + 1 + dice_roll(dice, 255));
}

/* Decodes every string to UTF-32, one after the other. */
static uint32_t *decode_strings(struct pieces *pieces, size_t *value_count)
{
    const struct assay_codec *reference = registry_reference("utf-8");
    size_t bytes = 0;
    for (size_t i = 0; i < pieces->slice_count; i++)
        bytes += pieces->slices[i].count;
    uint32_t *values = cli_alloc(ASSAY_DECODED_MAX(bytes), sizeof *values);
    *value_count = 0;
    for (size_t i = 0; i < pieces->slice_count; i++) {
        struct slice *slice = &pieces->slices[i];
        *slice = (struct slice){*value_count,
                                reference
                                    ->decode_utf32(ASSAY_POLICY_WHATWG, pieces->bytes + slice->begin, slice->count,
                                                   values + *value_count, ASSAY_DECODED_MAX(slice->count))
                                    .written,
                                0};
        *value_count += slice->count;
    }
    return values;
}

/* Encodes every string in another encoding; for UTF-16, as units. Values that the encoding cannot hold are left out. */
static uint8_t *encode_strings(struct pieces *pieces, const uint32_t *values, size_t value_count, const char *encoding,
                               size_t unit_size)
{
    const struct assay_codec *reference = registry_reference(encoding);
    uint8_t *bytes = cli_alloc(ASSAY_ENCODED_MAX(value_count), 1);
    size_t at = 0;
    for (size_t i = 0; i < pieces->slice_count; i++) {
        struct slice *slice = &pieces->slices[i];
        size_t written = reference
                             ->encode_utf32(ASSAY_POLICY_SKIP, values + slice->begin, slice->count, bytes + at,
                                            ASSAY_ENCODED_MAX(slice->count))
                             .written;
        *slice = (struct slice){at / unit_size, written / unit_size, 0};
        at += written;
    }
    return bytes;
}

static const char *native_utf16(void)
{
    return *(const uint8_t *)&(uint16_t){1} == 1 ? "utf-16le" : "utf-16be";
}

/* The most output units for one input unit. Every string may get ASSAY_HELD_MAX more. */
static size_t out_room(const struct bench_operation *operation, const struct slice *slices, size_t slice_count)
{
    size_t units = 0;
    for (size_t i = 0; i < slice_count; i++)
        units += capacity_for(operation->operation, slices[i].count);
    return units * operation_output_unit(operation->operation) + OUT_SLACK;
}

void *bench_alloc_lines(size_t byte_count)
{
    void *memory = aligned_alloc(CACHE_LINE, (byte_count / CACHE_LINE + 1) * CACHE_LINE);
    if (memory == NULL)
        cli_fail("out of memory (%zu bytes)", byte_count);
    return memory;
}

/* Moves strings apart, so that they begin at any address, as strings in use do: gaps of 0, 1, 2, ... units lead to all
 * places in a cache line. If all strings began at one alignment, the figures would depend on the allocator: on an Ice
 * Lake, 512-bit loads read 144 GB/s at line boundaries and 70 elsewhere. */
static uint8_t *move_apart(uint8_t *input, struct slice *slices, size_t slice_count, size_t unit_size)
{
    const struct slice *last = slices + slice_count - 1;
    uint8_t *moved = bench_alloc_lines((last->begin + last->count) * unit_size + slice_count * CACHE_LINE);
    for (size_t i = 0, at = 0; i < slice_count; i++) {
        at += i % (CACHE_LINE / unit_size);
        memcpy(moved + at * unit_size, input + slices[i].begin * unit_size, slices[i].count * unit_size);
        slices[i].begin = at;
        at += slices[i].count;
    }
    free(input);
    return moved;
}

/* Moves the input to memory that cannot be written to. */
static void seal_input(struct workload *workload, uint8_t *input)
{
    const struct slice *last = workload->slices + workload->slice_count - 1;
    size_t size = (last->begin + last->count) * workload->unit_size;
    uint8_t *sealed = arena_at_begin(&workload->memory, size);
    memcpy(sealed, input, size);
    free(input);
    if (mprotect(sealed, (size_t)(workload->memory.end - sealed), PROT_READ) != 0)
        cli_fail("the input cannot be protected from being written to");
    workload->input = sealed;
}

struct workload workload_make(const char *encoding, const struct bench_operation *operation, const struct text *text,
                              const struct size *size, uint64_t seed)
{
    struct dice dice = {seed};
    size_t sheet_strings, sheet_count = sheets_of(size, &sheet_strings);
    struct pieces pieces = cut_text(&text->content, size, sheet_count * sheet_strings, &dice);
    size_t unit_size = operation_input_unit(operation->operation), value_count;
    if (unit_size > 1 || strcmp(encoding, "utf-8") != 0) {
        uint32_t *values = decode_strings(&pieces, &value_count);
        free(pieces.bytes);
        pieces.bytes = (uint8_t *)values;
        if (unit_size < 4) {
            pieces.bytes =
                encode_strings(&pieces, values, value_count, unit_size == 2 ? native_utf16() : encoding, unit_size);
            free(values);
        }
    }
    struct workload workload = {.operation = operation,
                                .encoding = encoding,
                                .unit_size = unit_size,
                                .slices = pieces.slices,
                                .slice_count = pieces.slice_count,
                                .sheet_count = sheet_count};
    for (size_t i = 0; i < sheet_count; i++) {
        struct workload sheet = workload_sheet(&workload, i);
        size_t room = out_room(operation, sheet.slices, sheet.slice_count);
        workload.byte_count += sheet.byte_count;
        workload.out_bytes = room > workload.out_bytes ? room : workload.out_bytes;
    }
    damage_bytes(pieces.bytes, workload.byte_count, text->dirty_percent, &dice);
    if (size->low >= SPREAD) /* shorter strings are adjacent, and so begin at all addresses */
        pieces.bytes = move_apart(pieces.bytes, pieces.slices, pieces.slice_count, unit_size);
    seal_input(&workload, pieces.bytes);
    return workload;
}

struct workload workload_sheet(const struct workload *workload, size_t number)
{
    struct workload sheet = *workload;
    sheet.sheet_count = 1;
    sheet.slice_count /= workload->sheet_count;
    sheet.slices += number % workload->sheet_count * sheet.slice_count;
    sheet.byte_count = 0;
    for (size_t i = 0; i < sheet.slice_count; i++)
        sheet.byte_count += sheet.slices[i].count * sheet.unit_size;
    return sheet;
}

struct workload workload_string(const struct workload *sheet, size_t number)
{
    struct workload strings = *sheet;
    strings.sheet_count = sheet->slice_count;
    return workload_sheet(&strings, number);
}

const uint8_t *workload_input(const struct workload *workload)
{
    return (const uint8_t *)workload->input + workload->slices->begin * workload->unit_size;
}

void workload_free(struct workload *workload)
{
    struct arena memory = workload->memory;
    arena_release(&memory);
    free(workload->slices);
}
