/* SPDX-License-Identifier: MIT */
#include "../core/claim.h"
#include "../core/report.h"
#include "cli.h"

#include <stdlib.h>
#include <string.h>

static const char *encoding = "utf-8";
static bool as_json;
static const struct cli_option options[] = {
    {"encoding", 'e', "ENCODING", "what the bytes are meant to be (default utf-8)", &encoding, NULL},
    {"json", 0, NULL, "the same as JSON", NULL, &as_json},
    {0},
};

#define CLAIM(name) extern const struct claim claim_##name;
CLAIMS
#undef CLAIM

static const struct claim *const claims[] = {
#define CLAIM(name) &claim_##name,
    CLAIMS
#undef CLAIM
};

/* What was found: one letter for each key, for the first time that it comes up. */
struct findings {
    const char *path;
    json_t *by_key;
};

static char *letter_of(const struct divergence *divergence, const char *path)
{
    char *letter = NULL;
    size_t size;
    FILE *out = open_memstream(&letter, &size);
    if (out == NULL)
        cli_fail("out of memory");
    report_letter(out, divergence, path);
    fclose(out);
    return letter;
}

static void on_divergence(void *context, const struct divergence *divergence)
{
    struct findings *findings = context;
    char key[256];
    report_key(divergence, key, sizeof key);
    if (json_object_get(findings->by_key, key) != NULL)
        return;
    char *letter = letter_of(divergence, findings->path);
    json_object_set_new(findings->by_key, key, json_string(letter));
    free(letter);
}

static void on_broken_law(void *context, const char *law, const uint8_t *bytes, size_t byte_count)
{
    struct findings *findings = context;
    char key[256], letter[512];
    (void)bytes;
    snprintf(key, sizeof key, "law-%s", law);
    snprintf(letter, sizeof letter, "%s/reference breaks the law %s on these %zu bytes\n", encoding, law, byte_count);
    json_object_set_new(findings->by_key, key, json_string(letter));
}

/* One line a codec: what it says when it is simply asked. */
static json_t *ask_codec(const struct assay_codec *codec, const struct cli_input *input)
{
    json_t *row = json_pack("{s:s}", "codec", codec->name);
    if (codec->validate != NULL) {
        struct assay_span error;
        bool well_formed = codec->validate(input->bytes, input->byte_count, &error);
        json_object_set_new(row, "well_formed", json_boolean(well_formed));
        if (!well_formed)
            json_object_set_new(row, "error", json_pack("{s:I, s:I, s:s}", "offset", (json_int_t)error.offset, "length",
                                                        (json_int_t)error.length, "fault", assay_fault_name(error.fault)));
    }
    if (codec->count != NULL) {
        struct assay_count count = codec->count(ASSAY_POLICY_WHATWG, input->bytes, input->byte_count);
        json_object_set_new(row, "code_points", json_integer((json_int_t)count.utf32_units));
        json_object_set_new(row, "utf16_units", json_integer((json_int_t)count.utf16_units));
    }
    return row;
}

static void print_row(const json_t *row)
{
    json_int_t offset = 0, length = 0, code_points = 0, utf16_units = 0;
    const char *codec = "", *fault = "";
    int well_formed = -1;
    json_unpack((json_t *)row, "{s:s, s?b, s?{s:I, s:I, s:s}, s?I, s?I}", "codec", &codec, "well_formed", &well_formed,
                "error", "offset", &offset, "length", &length, "fault", &fault, "code_points", &code_points, "utf16_units",
                &utf16_units);
    char verdict[128];
    if (well_formed == 0)
        snprintf(verdict, sizeof verdict, "ill-formed at %lld, %lld byte%s, %s", (long long)offset, (long long)length,
                 length == 1 ? "" : "s", fault);
    else
        snprintf(verdict, sizeof verdict, "%s", well_formed < 0 ? "(does not validate)" : "well-formed");
    printf("  %-16s %-52s", codec, verdict);
    if (json_object_get(row, "code_points") != NULL)
        printf(" %11lld %12lld\n", (long long)code_points, (long long)utf16_units);
    else
        printf(" %11s %12s\n", "-", "-");
}

static void print_text(const struct examiner *examiner, const struct cli_input *input, const json_t *rows,
                       json_t *by_key)
{
    size_t index;
    json_t *row, *letter;
    const char *key;
    printf("%s, %zu byte%s\n\n  %-16s %-52s %11s %12s\n", encoding, input->byte_count, input->byte_count == 1 ? "" : "s",
           "codec", "validate", "code points", "UTF-16 units");
    json_array_foreach(rows, index, row) print_row(row);
    putchar('\n');
    json_object_foreach(by_key, key, letter) printf("%s  %-13s %s\n\n", json_string_value(letter), "key", key);
    if (json_object_size(by_key) == 0)
        printf("no divergence: %llu answers compared, %llu skipped\n", (unsigned long long)examiner->comparer.asked,
               (unsigned long long)examiner->comparer.skipped);
    else
        printf("%zu divergence%s\n", json_object_size(by_key), json_object_size(by_key) == 1 ? "" : "s");
}

static int run(int argc, char **argv);
const struct verb verb_diff = {"diff", "every codec on this input, side by side; also replays a finding", run};

static int run(int argc, char **argv)
{
    int operands, at = cli_parse(&(struct cli){&verb_diff, "INPUT", 1, 1, NULL, options}, argc, argv, &operands);
    cli_encoding(encoding);
    struct cli_input input = cli_input(argv[at]);
    struct findings findings = {argv[at][0] == '@' ? argv[at] + 1 : NULL, json_object()};
    struct examiner examiner = {
        .comparer = {.encoding = encoding, .on_divergence = on_divergence, .context = &findings, .keep_going = true},
        .effort = THOROUGH,
        .on_broken_law = on_broken_law,
    };
    for (size_t i = 0; i < sizeof claims / sizeof claims[0]; i++)
        claims[i]->check(&examiner, input.bytes, input.byte_count);

    json_t *rows = json_array();
    for (size_t i = 0; i < registry_count(); i++)
        if (strcmp(registry_at(i)->encoding, encoding) == 0 && registry_runs(registry_at(i)))
            json_array_append_new(rows, ask_codec(registry_at(i)->codec, &input));
    int code = json_object_size(findings.by_key) > 0 ? EXIT_DIVERGENCE : EXIT_AS_IT_SHOULD_BE;
    if (as_json) {
        cli_print_json(json_pack("{s:s, s:I, s:O, s:O}", "encoding", encoding, "byte_count", (json_int_t)input.byte_count,
                                 "codecs", rows, "divergences", findings.by_key));
    } else {
        print_text(&examiner, &input, rows, findings.by_key);
    }
    json_decref(rows);
    json_decref(findings.by_key);
    free(input.bytes);
    return code;
}
