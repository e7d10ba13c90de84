/* SPDX-License-Identifier: MIT */
#include "../../../codecs/schemes/scheme.h"
#include "../../core/report.h"
#include "../cli.h"
#include "../vectors/golden.h"
#include "build.h"
#include "layout.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static const char *encoding = "utf-8", *walker, *from_text;
static bool as_json, all_bytes, in_steps;
static const struct cli_option options[] = {
    {"encoding", 'e', "ENCODING", "the encoding of the input (default utf-8); `all`: each of the family, side by side",
     &encoding, NULL},
    {"walk", 'w', "CODEC", "the table-driven codec whose walk is shown, or `none` (default hoehrmann2010, or dfa)",
     &walker, NULL},
    {"from", 'f', "OFFSET",
     "begin with the character there (default: the beginning; of a long input, a little before the first error). As "
     "JSON, everything but byte_count is of the bytes from there on",
     &from_text, NULL},
    {"all", 'a', NULL,
     "every byte and code point from there on, however many (else 64; as JSON 64 KiB, and then up to 1 MiB)", NULL,
     &all_bytes},
    {"build", 'b', NULL, "one character in each step from LEB128 to UTF-8: tag, counter and payload of its bytes", NULL,
     &in_steps},
    {"json", 0, NULL, "the same as JSON", NULL, &as_json},
    {0},
};

/* FEW: bytes that text output shows without --all. JSON_MAX, JSON_ALL_MAX: bytes that JSON shows, without and with
 * --all; each takes about two kilobytes of memory. */
enum { FEW = 64, JSON_MAX = 1 << 16, JSON_ALL_MAX = 1 << 20 };

/* At least this many bytes are shown before the first error, or all of them if there are fewer. */
enum { CONTEXT = 16 };

/* The most bytes of a character in any encoding: those of the longest scheme. */
enum { LONGEST = SCHEME_LONGEST };

/* The character or error that a byte belongs to. */
struct role {
    size_t begin, length; /* the character or the error */
    uint32_t code_point;  /* of a character */
    const struct assay_span *error;
};

struct explanation {
    const struct assay_codec *reference;
    const uint8_t *bytes;
    size_t byte_count;
    size_t offset;            /* of these bytes in the input: 0, but as JSON with --from */
    struct assay_span *spans; /* at least up to the last that is shown */
    size_t span_count;
    size_t begin, end;  /* of the bytes that are shown */
    struct role *roles; /* one for each of them */
};

/* Returns how many of `count` bytes, errors or code points are shown. */
static size_t shown_of(size_t count)
{
    return all_bytes || count < FEW ? count : FEW;
}

/* If a character or an error contains the first byte to be shown, it is shown whole. Roles come in order, so only the
 * first one can move `begin`. */
static void put_role(struct explanation *explanation, struct role role)
{
    size_t end = role.begin + role.length;
    if (role.begin < explanation->begin && explanation->begin < end)
        explanation->begin = role.begin;
    for (size_t at = role.begin; at < end && at < explanation->end; at++)
        if (at >= explanation->begin)
            explanation->roles[at - explanation->begin] = role;
}

/* Returns the start of a character at or before the first byte to be shown. Advances by AT_ONCE code points at a
 * time. */
static size_t skip_characters(const struct explanation *explanation, size_t begin, size_t end)
{
    enum { AT_ONCE = 4096 };
    uint32_t code_points[AT_ONCE];
    size_t read = 0;
    do {
        begin += read;
        read = explanation->reference
                   ->decode_utf32(ASSAY_POLICY_STRICT, explanation->bytes + begin, end - begin, code_points, AT_ONCE)
                   .read;
    } while (read > 0 && begin + read <= explanation->begin);
    return begin;
}

/* Finds the characters between two errors: with room for one code point, the reference reads one character. */
static void find_characters(struct explanation *explanation, size_t begin, size_t end)
{
    begin = skip_characters(explanation, begin, end);
    while (begin < end && begin < explanation->end) {
        size_t ahead = end - begin < 2 * LONGEST ? end - begin : 2 * LONGEST;
        uint32_t code_point = 0;
        size_t length =
            explanation->reference->decode_utf32(ASSAY_POLICY_STRICT, explanation->bytes + begin, ahead, &code_point, 1)
                .read;
        if (length == 0)
            cli_fail("the reference reads nothing at %zu, where it found no error", begin);
        put_role(explanation, (struct role){begin, length, code_point, NULL});
        begin += length;
    }
}

/* Returns the offset that --from names in an input of `count` bytes; 0 without it. */
static size_t from_of(size_t count)
{
    return from_text != NULL ? (size_t)cli_number("from", from_text, 0, count > 0 ? count - 1 : 0) : 0;
}

/* Returns the offset at which the table begins: 0, or, if the input is longer than the table, a little before the first
 * error. */
static size_t choose_begin(const struct explanation *explanation)
{
    size_t count = explanation->byte_count;
    if (from_text != NULL && !as_json)
        return from_of(count);
    if (shown_of(count) == count || explanation->span_count == 0 || explanation->spans[0].offset < FEW - CONTEXT)
        return 0;
    size_t begin = explanation->spans[0].offset - CONTEXT;
    return begin < count - FEW ? begin : count - FEW;
}

static void find_roles(struct explanation *explanation)
{
    const struct assay_codec *reference = explanation->reference;
    size_t count = explanation->byte_count, begin = 0;
    explanation->span_count = reference->spans(explanation->bytes, count, NULL, 0);
    size_t capacity = as_json || from_text != NULL ? explanation->span_count : shown_of(explanation->span_count);
    explanation->spans = cli_alloc(capacity, sizeof *explanation->spans);
    reference->spans(explanation->bytes, count, explanation->spans, capacity);
    explanation->begin = choose_begin(explanation);
    explanation->end = explanation->begin + shown_of(count - explanation->begin);
    explanation->roles = cli_alloc(explanation->end - explanation->begin + LONGEST, sizeof *explanation->roles);

    /* The last character that is shown may end after the last byte that is shown. */
    size_t end = count - explanation->end > LONGEST ? explanation->end + LONGEST : count;
    for (size_t i = 0; i < capacity && explanation->spans[i].offset < end; i++) {
        const struct assay_span *span = &explanation->spans[i];
        find_characters(explanation, begin, span->offset);
        begin = span->offset + span->length;
        put_role(explanation, (struct role){span->offset, span->length, 0, span});
    }
    if (begin < explanation->end)
        find_characters(explanation, begin, end);
}

/* ---- as text ------------------------------------------------------------------------------------ */

static void print_bits(uint8_t byte)
{
    for (int bit = 7; bit >= 0; bit--)
        putchar(byte >> bit & 1 ? '1' : '0');
}

static void print_roles(const struct explanation *explanation)
{
    for (size_t at = explanation->begin; at < explanation->end; at++) {
        const struct role *role = &explanation->roles[at - explanation->begin];
        printf("%s  %6zu  %02X    ", role->error != NULL ? cli_style(CLI_BAD) : "", at, explanation->bytes[at]);
        print_bits(explanation->bytes[at]);
        if (role->error == NULL)
            printf("  U+%04X", role->code_point);
        else
            printf("  error: %s", assay_fault_name(role->error->fault));
        if (role->length > 1)
            printf(", byte %zu of %zu", at - role->begin + 1, role->length);
        if (role->error == NULL && role->length == 1 && role->code_point < 0x7F && isgraph((int)role->code_point))
            printf(" '%c'", (char)role->code_point);
        puts(role->error != NULL ? cli_style(CLI_PLAIN) : "");
    }
}

/* Prints how many bytes, errors or code points are left out on one side. */
static void print_left_out(size_t count, const char *what, const char *side)
{
    if (count > 0)
        printf("  ... %zu %s%s %s\n", count, what, count == 1 ? "" : "s", side);
}

static void print_bytes(const struct explanation *explanation)
{
    const struct scheme *scheme = registry_scheme(encoding);
    if (scheme != NULL)
        layout_print_head(scheme);
    else
        cli_print_heading("  offset  byte  bits      what it is");
    print_left_out(explanation->begin, "byte", "before");
    if (scheme != NULL)
        layout_print(scheme, explanation->bytes, explanation->byte_count, explanation->begin, explanation->end);
    else
        print_roles(explanation);
    print_left_out(explanation->byte_count - explanation->end, "byte", "after");
}

/* Prints the errors from the first shown byte on. */
static void print_errors(const struct explanation *explanation)
{
    size_t first = 0;
    while (first < explanation->span_count && explanation->spans[first].offset < explanation->begin)
        first++;
    size_t shown = shown_of(explanation->span_count - first);
    if (explanation->span_count == 0)
        return;
    cli_print_heading("  errors");
    print_left_out(first, "error", "before");
    for (size_t i = first; i < first + shown; i++) {
        char *line;
        size_t size;
        FILE *out = cli_open_text(&line, &size);
        fputs("    ", out);
        report_span(out, &explanation->spans[i], explanation->bytes, explanation->byte_count);
        fprintf(out, " (%s)", assay_fault_name(explanation->spans[i].fault));
        fclose(out);
        cli_print_line(line);
    }
    print_left_out(explanation->span_count - first - shown, "error", "after");
}

static void print_code_points(FILE *out, const uint32_t *code_points, size_t first, size_t count)
{
    size_t shown = shown_of(count - first);
    if (first > 0)
        fprintf(out, " (%zu before)", first);
    for (size_t i = first; i < first + shown; i++)
        fprintf(out, " %04X", code_points[i]);
    if (first + shown < count)
        fprintf(out, " (%zu after)", count - first - shown);
}

static struct assay_result decode(const struct explanation *explanation, enum assay_policy policy,
                                  uint32_t **code_points)
{
    size_t capacity = ASSAY_DECODED_MAX(explanation->byte_count);
    *code_points = cli_alloc(capacity, sizeof **code_points);
    return explanation->reference->decode_utf32(policy, explanation->bytes, explanation->byte_count, *code_points,
                                                capacity);
}

/* Returns how many of the code points come from bytes before those shown: the output of these bytes alone. A run or
 * sequence that continues after `begin` counts as before it. */
static size_t count_before(const struct explanation *explanation, enum assay_policy policy, size_t written)
{
    uint32_t *code_points;
    struct explanation before = {
        .reference = explanation->reference, .bytes = explanation->bytes, .byte_count = explanation->begin};
    size_t count = decode(&before, policy, &code_points).written;
    free(code_points);
    return count < written ? count : written;
}

static void print_policies(const struct explanation *explanation)
{
    cli_print_heading("  policy            code points");
    for (enum assay_policy policy = 0; policy < ASSAY_POLICY_COUNT; policy++) {
        uint32_t *code_points;
        struct assay_result decoded = decode(explanation, policy, &code_points);
        if (decoded.status == ASSAY_UNSUPPORTED) {
            free(code_points);
            continue;
        }
        char *line;
        size_t size;
        FILE *out = cli_open_text(&line, &size);
        fprintf(out, "  %-16s ", assay_policy_name(policy));
        print_code_points(out, code_points, count_before(explanation, policy, decoded.written), decoded.written);
        if (decoded.written == 0 && decoded.status == ASSAY_OK)
            fputs(" (nothing)", out);
        if (decoded.status == ASSAY_ILL_FORMED)
            fprintf(out, "%s at %zu", decoded.written > 0 ? ", then stops" : " stops", decoded.error.offset);
        fclose(out);
        cli_print_line(line);
        free(code_points);
    }
}

static void print_step(void *context, const struct assay_step *step)
{
    const struct explanation *explanation = context;
    if (step->offset < explanation->begin || step->offset >= explanation->end)
        return;
    printf("  %6zu  %02X    ", step->offset, step->byte);
    if (step->byte_class != ASSAY_NO_CLASS)
        printf("%5u", step->byte_class);
    else
        printf("%5s", "-");
    printf("  %6u  %5u", step->before, step->after);
    if (step->rejects)
        printf("  %sreject%s%s\n", cli_style(CLI_BAD), cli_style(CLI_PLAIN),
               step->before != 0 ? "; it comes again" : "");
    else
        printf(step->accepts ? "  %06X accept U+%04X\n" : "  %06X\n", step->code_point, step->code_point);
}

enum { STEPS_PER_BYTE_MAX = 8 }; /* a byte that ends a sequence comes again */

/* The automata whose steps are shown by default. */
static const char *const walkers[] = {"hoehrmann2010", "dfa"};

/* Returns the codec whose walk is requested; NULL if --walk is `none`. */
static const struct registry_row *find_walker(void)
{
    if (walker != NULL && strcmp(walker, "none") != 0) {
        const struct registry_row *row = registry_find(encoding, walker);
        if (row == NULL || row->codec == NULL || row->codec->walk == NULL)
            cli_fail("%s/%s is no table-driven codec whose walk could be shown", encoding, walker);
        return row;
    }
    for (size_t i = 0; walker == NULL && i < sizeof walkers / sizeof walkers[0]; i++) {
        const struct registry_row *row = registry_find(encoding, walkers[i]);
        if (row != NULL && row->codec != NULL && row->codec->walk != NULL)
            return row;
    }
    return NULL;
}

static bool is_walked(const void *walked, const struct registry_row *row)
{
    return row == walked;
}

/* Shows the steps of a walk, which may be a loaded codec's and endless. */
struct walk {
    const struct registry_row *row;
    void (*visit)(void *, const struct assay_step *);
    void *context;
    size_t left;
};

static void count_step(void *context, const struct assay_step *step)
{
    struct walk *walk = context;
    if (walk->left-- == 0)
        cli_fail("the walk of %s/%s has more than %d steps for each byte", walk->row->encoding, walk->row->name,
                 STEPS_PER_BYTE_MAX);
    walk->visit(walk->context, step);
}

static void show_walk(struct walk walk, const struct explanation *explanation)
{
    walk.left = STEPS_PER_BYTE_MAX * (explanation->byte_count + 1);
    cli_call_begins("the walk of %s/%s", walk.row->encoding, walk.row->name);
    walk.row->codec->walk(explanation->bytes, explanation->byte_count, count_step, &walk);
    cli_call_ends();
}

static void print_walk(struct explanation *explanation)
{
    const struct registry_row *row = find_walker();
    if (row == NULL)
        return;
    printf("\n  walk of %s", row->name);
    cli_print_heading("  offset  byte  class  before  after  code point");
    print_left_out(explanation->begin, "byte", "before");
    show_walk((struct walk){row, print_step, explanation, 0}, explanation);
    print_left_out(explanation->byte_count - explanation->end, "byte", "after");
}

static void print_size(const struct explanation *explanation)
{
    printf("%zu byte%s", explanation->byte_count, explanation->byte_count == 1 ? "" : "s");
}

/* Prints which part of a long input is shown, and the options that show other parts. */
static void print_range(const struct explanation *explanation)
{
    bool at_first = from_text == NULL && explanation->begin > 0;
    if (explanation->end - explanation->begin == explanation->byte_count)
        return;
    printf("shown: bytes %zu to %zu%s%s\n", explanation->begin, explanation->end - 1,
           at_first                  ? ", around the first error"
           : explanation->begin == 0 ? ", the beginning"
                                     : "",
           all_bytes ? "" : "; --from OFFSET shows others, --all every one");
}

static void print_text(struct explanation *explanation)
{
    printf("%s, ", encoding);
    print_size(explanation);
    fputs(": ", stdout);
    if (explanation->span_count == 0)
        printf("%swell-formed%s\n", cli_style(CLI_GOOD), cli_style(CLI_PLAIN));
    else
        printf("%sill-formed%s, %zu error%s\n", cli_style(CLI_BAD), cli_style(CLI_PLAIN), explanation->span_count,
               explanation->span_count == 1 ? "" : "s");
    print_range(explanation);
    print_bytes(explanation);
    print_errors(explanation);
    print_policies(explanation);
    print_walk(explanation);
}

/* ---- in all encodings ----------------------------------------------------------------------------- */

/* Calls a function for the reference of each encoding of the family, without the schemes, after setting `encoding` to
 * its name. */
static void for_each_encoding(struct explanation *explanation, void (*visit)(const struct explanation *, void *),
                              void *context)
{
    for (size_t i = 0; i < registry_count(); i++) {
        const struct registry_row *row = registry_at(i);
        if (!registry_is_reference(row) || registry_scheme(row->encoding) != NULL)
            continue;
        encoding = row->encoding;
        explanation->reference = row->codec;
        visit(explanation, context);
    }
}

/* Prints one line: the verdict, the first error, and the output under `whatwg`. */
static void print_row(const struct explanation *explanation, void *context)
{
    struct assay_span first;
    size_t errors = explanation->reference->spans(explanation->bytes, explanation->byte_count, &first, 1);
    char verdict[128] = "well-formed";
    uint32_t *code_points;
    (void)context;
    if (errors > 0)
        snprintf(verdict, sizeof verdict, "%zu error%s, at %zu: %s", errors, errors == 1 ? "" : "s", first.offset,
                 assay_fault_name(first.fault));
    printf("  %-19s %-42s", encoding, verdict);
    size_t written = decode(explanation, ASSAY_POLICY_WHATWG, &code_points).written;
    print_code_points(stdout, code_points, 0, written);
    putchar('\n');
    free(code_points);
}

static void print_all_encodings(struct explanation *explanation)
{
    print_size(explanation);
    printf("\n\n  %-19s %-42s %s\n", "encoding", "verdict", "code points (whatwg)");
    for_each_encoding(explanation, print_row, NULL);
}

/* ---- as JSON ------------------------------------------------------------------------------------ */

/* The walk as JSON, of an input that begins at `offset`. */
struct walk_as_json {
    json_t *steps;
    size_t offset;
};

static void append_step(void *context, const struct assay_step *step)
{
    const struct walk_as_json *walk = context;
    json_t *object =
        json_pack("{s:I, s:i, s:I, s:I, s:I, s:b, s:b}", "offset", (json_int_t)(walk->offset + step->offset), "byte",
                  step->byte, "before", (json_int_t)step->before, "after", (json_int_t)step->after, "code_point",
                  (json_int_t)step->code_point, "accepts", step->accepts, "rejects", step->rejects);
    if (step->byte_class != ASSAY_NO_CLASS)
        json_object_set_new(object, "class", json_integer(step->byte_class));
    json_array_append_new(walk->steps, object);
}

static json_t *policies_as_json(const struct explanation *explanation)
{
    json_t *policies = json_object();
    for (enum assay_policy policy = 0; policy < ASSAY_POLICY_COUNT; policy++) {
        uint32_t *code_points;
        struct assay_result decoded = decode(explanation, policy, &code_points);
        json_t *list = json_array();
        for (size_t i = 0; i < decoded.written; i++)
            json_array_append_new(list, json_integer(code_points[i]));
        if (decoded.status == ASSAY_UNSUPPORTED)
            json_decref(list);
        else
            json_object_set_new(
                policies, assay_policy_name(policy),
                json_pack("{s:b, s:o}", "stopped", decoded.status == ASSAY_ILL_FORMED, "code_points", list));
        free(code_points);
    }
    return policies;
}

static json_t *as_object(const struct explanation *explanation)
{
    json_t *spans = json_array();
    struct walk_as_json walk = {json_array(), explanation->offset};
    for (size_t i = 0; i < explanation->span_count; i++) {
        const struct assay_span *span = &explanation->spans[i];
        json_array_append_new(spans, json_pack("{s:I, s:I, s:s, s:b}", "offset",
                                               (json_int_t)(explanation->offset + span->offset), "length",
                                               (json_int_t)span->length, "fault", assay_fault_name(span->fault),
                                               "incomplete", span->incomplete));
    }
    const struct registry_row *row = find_walker();
    if (row != NULL)
        show_walk((struct walk){row, append_step, &walk, 0}, explanation);
    char *hex = cli_hex(explanation->bytes, explanation->byte_count);
    json_t *object = json_pack("{s:s, s:I, s:s, s:b, s:o, s:o, s:o}", "encoding", encoding, "byte_count",
                               (json_int_t)(explanation->offset + explanation->byte_count), "bytes", hex, "well_formed",
                               explanation->span_count == 0, "spans", spans, "policies", policies_as_json(explanation),
                               "walk", walk.steps);
    free(hex);
    const struct scheme *scheme = registry_scheme(encoding);
    if (scheme != NULL)
        json_object_set_new(object, "layout",
                            layout_as_json(scheme, explanation->bytes - explanation->offset,
                                           explanation->offset + explanation->byte_count, explanation->offset));
    if (from_text != NULL)
        json_object_set_new(object, "from", json_integer((json_int_t)explanation->offset));
    return object;
}

static void append_object(const struct explanation *explanation, void *list)
{
    struct explanation each = *explanation;
    find_roles(&each);
    json_array_append_new(list, as_object(&each));
    free(each.spans);
    free(each.roles);
}

/* Leaves out the bytes before --from, up to the begin of a character or error: where the reference stops if its output
 * is full. */
static void leave_out_before(struct explanation *explanation, size_t from)
{
    enum { AT_ONCE = 4096 };
    uint32_t code_points[AT_ONCE];
    size_t begin = 0, room = AT_ONCE;
    while (begin < from && room > 0) {
        size_t read = explanation->reference
                          ->decode_utf32(ASSAY_POLICY_WHATWG, explanation->bytes + begin,
                                         explanation->byte_count - begin, code_points, room)
                          .read;
        if (read > 0 && begin + read <= from)
            begin += read;
        else
            room /= 2;
    }
    explanation->bytes += begin;
    explanation->byte_count -= begin;
    explanation->offset = begin;
}

/* Returns the command that explains a part of a file, from an offset on. Static storage. */
static const char *command_for_part(const char *option, size_t from, size_t byte_count)
{
    static char command[256];
    bool is_usual = strcmp(encoding, "utf-8") == 0;
    snprintf(command, sizeof command, "tail -c +%zu FILE | head -c %zu | assay explain%s%s%s -", from + 1, byte_count,
             option, is_usual ? "" : " -e ", is_usual ? "" : encoding);
    return command;
}

/* Says why an answer about a long input takes long. What is shown of it counts all errors and code points before and
 * after. */
static void note_long(const struct explanation *explanation)
{
    if (explanation->byte_count > CLI_LONG_BYTES)
        cli_print_progress(0, 1, 0, "all %zu bytes are read under each policy; of a part: %s", explanation->byte_count,
                           command_for_part("", from_of(explanation->byte_count), JSON_MAX));
}

static void explain_in_one(struct explanation *explanation)
{
    if (!as_json)
        note_long(explanation);
    if (as_json && from_text != NULL)
        leave_out_before(explanation, from_of(explanation->byte_count));
    find_roles(explanation);
    if (!as_json && explanation->byte_count > CLI_LONG_BYTES)
        cli_clear_progress();
    if (as_json)
        cli_print_json(as_object(explanation));
    else
        print_text(explanation);
    free(explanation->spans);
    free(explanation->roles);
}

static void explain_in_all(struct explanation *explanation)
{
    if (walker != NULL)
        cli_fail("--walk needs one encoding, not all");
    if (from_text != NULL)
        cli_fail("--from needs one encoding, not all");
    if (!as_json) {
        print_all_encodings(explanation);
        return;
    }
    json_t *list = json_array();
    for_each_encoding(explanation, append_object, list);
    cli_print_json(list);
}

/* Returns the scalar value of an input that is one character, for --build. */
static uint32_t one_character(const struct cli_input *input)
{
    if (strcmp(encoding, "all") == 0)
        cli_fail("--build needs one encoding, not all");
    uint32_t scalars[ASSAY_DECODED_MAX(LONGEST)];
    struct assay_result decoded = {.status = ASSAY_ILL_FORMED};
    if (input->byte_count <= LONGEST)
        decoded = cli_encoding(encoding)->decode_utf32(ASSAY_POLICY_STRICT, input->bytes, input->byte_count, scalars,
                                                       ASSAY_DECODED_MAX(LONGEST));
    bool is_surrogate =
        decoded.status == ASSAY_OK && decoded.written == 1 && scalars[0] >= 0xD800 && scalars[0] <= 0xDFFF;
    if (decoded.status != ASSAY_OK || decoded.written != 1 || is_surrogate)
        cli_fail("--build needs one well-formed character, a scalar value, such as E88CA9");
    return scalars[0];
}

/* Ends the program if JSON would be too large. */
static void require_few(const struct cli_input *input)
{
    size_t from = from_of(input->byte_count), count = input->byte_count - from,
           most = all_bytes ? JSON_ALL_MAX : JSON_MAX;
    if (count > most)
        cli_fail("%zu bytes%s are more than the %zu that --json explains%s; of a part: %s", count,
                 from_text != NULL ? " from there on" : "", most,
                 all_bytes ? " at most, since it takes two kilobytes of memory a byte" : " without --all",
                 command_for_part(all_bytes ? " --json --all" : " --json", from, most));
}

static int run(int argc, char **argv)
{
    int count, at = cli_parse(&command_explain, argc, argv, &count);
    struct golden golden = golden_find(argv[at], false, &encoding);
    bool in_all = strcmp(encoding, "all") == 0;
    struct explanation explanation = {.reference = in_all ? NULL : cli_encoding(encoding)};
    cli_require_loaded_chosen(is_walked, in_all ? NULL : find_walker());
    struct cli_input input = golden_input(&golden, argv[at]);
    explanation.bytes = input.bytes;
    explanation.byte_count = input.byte_count;
    if (as_json)
        require_few(&input);
    uint32_t scalar = in_steps ? one_character(&input) : 0;
    if (golden.id != NULL && !as_json)
        printf("%s: %s\n", golden.id, golden.comment);
    if (in_steps)
        build_print(scalar, as_json);
    else if (in_all)
        explain_in_all(&explanation);
    else
        explain_in_one(&explanation);
    free(input.bytes);
    golden_free(&golden);
    return EXIT_CLEAN;
}

static void print_more(FILE *out)
{
    fputs("INPUT may also be the id of a golden case, utf-8/overlong/c080: its bytes in its encoding.\n\n", out);
    cli_print_policies(out);
}

const struct command command_explain = {
    .name = "explain",
    .sentence = "what each byte is, the errors, every policy's output, the automaton's walk state by state",
    OPERANDS("INPUT", 1, 1),
    .print_more = print_more,
    .options = options,
    .run = run,
};
