/* SPDX-License-Identifier: MIT
 *
 * A short input that still shows a divergence (a local minimum, see shorten.h): with the same key, that is the same
 * codec, operation and first field that differs; or, of two subjects, the same question and what differs.
 */
#include "../../core/convert.h"
#include "../cli.h"
#include "../run/two_subjects.h"
#include "../vectors/golden.h"
#include "shorten.h"
#include "trial.h"

#include <stdlib.h>
#include <string.h>

static const char *encoding = "utf-8", *wanted_key, *out_path;
static bool as_json, thorough;
static struct two_subjects two;
static const struct cli_option options[] = {
    {"encoding", 'e', "ENCODING", "the encoding of the input (default utf-8)", &encoding, NULL},
    {"key", 'k', "KEY", "the divergence to keep, if there are several (default: a crash, else the first)", &wanted_key,
     NULL},
    {"thorough", 0, NULL, "ask every question about inputs over 64 KiB, too", NULL, &thorough},
    {"subject", 0, "SUBJECT", "given twice: where these two differ, as in assay diff, and not our codecs", two.named,
     NULL},
    TWO_SUBJECTS_LIMITS(two),
    {"out", 'o', "FILE", "write the shortest input to FILE, too", &out_path, NULL},
    {"json", 0, NULL, "the same as JSON", NULL, &as_json},
    {0},
};

/* The findings are of our codecs, unless there is a comparison of two subjects. */
struct run {
    struct finding *findings;
    struct finding wanted;
    struct comparison *comparison;
    const char *key; /* of what is wanted */
    size_t finding_count, tried;
    double begun, shown_at; /* ns */
};

static void free_findings(struct finding *findings, size_t count)
{
    for (size_t i = 0; i < count; i++)
        free(findings[i].letter);
    free(findings);
}

static struct trial trial_of(const uint8_t *bytes, size_t byte_count)
{
    return (struct trial){.encoding = encoding, .bytes = bytes, .byte_count = byte_count, .is_thorough = thorough};
}

/* Shows progress, without an estimate: how many inputs are left to try is unknown. */
static void show_progress(struct run *run, size_t byte_count)
{
    if (cli_progress_is_due(&run->shown_at))
        cli_print_progress(0, 1, run->begun, "%zu byte%s left, %zu inputs tried", byte_count,
                           byte_count == 1 ? "" : "s", run->tried);
}

static bool shows_key(void *context, const uint8_t *bytes, size_t byte_count)
{
    struct run *run = context;
    struct trial trial = trial_of(bytes, byte_count);
    struct finding *findings;
    trial.wanted = &run->wanted;
    size_t count = trial_run(&trial, &findings);
    if (count > 0)
        run->wanted.claim = findings[0].claim;
    free_findings(findings, count);
    run->tried++;
    show_progress(run, byte_count);
    return count > 0;
}

/* The same for two subjects. */
static bool subjects_show_key(void *context, const uint8_t *bytes, size_t byte_count)
{
    struct run *run = context;
    bool shows = json_object_get(two_subjects_ask(run->comparison, bytes, byte_count), run->key) != NULL;
    run->tried++;
    show_progress(run, byte_count);
    return shows;
}

/* Prefers a crash: it hides what would be asked later, and `diff` shows nothing else. */
static const struct finding *choose_finding(const struct run *run)
{
    const struct finding *last = &run->findings[run->finding_count - 1];
    if (wanted_key == NULL)
        return last->is_silence ? last : run->findings;
    for (const struct finding *one = run->findings; one <= last; one++)
        if (strcmp(one->key, wanted_key) == 0)
            return one;
    char *keys;
    size_t size;
    FILE *out = cli_open_text(&keys, &size);
    for (const struct finding *one = run->findings; one <= last; one++)
        fprintf(out, " %s", one->key);
    fclose(out);
    cli_fail("the input does not show '%s', but:%s", wanted_key, keys);
}

/* Returns a copy of the wanted key, which the caller frees. Prefers a question without an answer, as choose_finding()
 * does. */
static char *choose_key(json_t *letters)
{
    char *keys, *copy;
    size_t size;
    const char *first = NULL, *key, *chosen = wanted_key;
    json_t *letter;
    FILE *out = cli_open_text(&keys, &size);
    json_object_foreach (letters, key, letter) {
        fprintf(out, " '%s'", key);
        first = first != NULL ? first : key;
        if (chosen == NULL && strstr(key, ": no reply") != NULL)
            chosen = key;
    }
    fclose(out);
    chosen = chosen != NULL ? chosen : first;
    if (json_object_get(letters, chosen) == NULL)
        cli_fail("the input does not show '%s', but:%s", chosen, keys);
    free(keys);
    copy = cli_alloc(strlen(chosen) + 1, 1);
    return strcpy(copy, chosen);
}

static struct shortening shortening_of(struct run *run, const struct cli_input *input)
{
    const struct signature *signature = signature_find(encoding); /* our codecs have no encodings with a signature */
    const struct assay_codec *reference = registry_reference(signature != NULL ? signature->encoding : encoding);
    struct shortening shortening = {.bytes = input->bytes,
                                    .byte_count = input->byte_count,
                                    .unit = 1,
                                    .plain = {'a'},
                                    .shows = run->comparison != NULL ? subjects_show_key : shows_key,
                                    .context = run};
    if (reference != NULL && encoding_is_utf16(reference)) {
        shortening.unit = 2;
        reference->encode_utf32(ASSAY_POLICY_STRICT, &(uint32_t){'a'}, 1, shortening.plain, sizeof shortening.plain);
    }
    return shortening;
}

/* ---- what is printed ------------------------------------------------------------------------------ */

/* Returns the command that shows the finding again; the caller frees it. */
static char *diff_command(const struct run *run, const char *hex)
{
    char *command;
    size_t size;
    FILE *out = cli_open_text(&command, &size);
    cli_print_program(out);
    fputs(" diff", out);
    two_subjects_write(out, &two);
    if (run->comparison == NULL)
        cli_print_loaded(out, run->wanted.codec);
    if (strcmp(encoding, "utf-8") != 0)
        fprintf(out, " -e %s", encoding);
    if (thorough)
        fputs(" --thorough", out);
    fputc(' ', out);
    bool is_kept = out_path != NULL && strcmp(out_path, "-") != 0;
    if (is_kept)
        fputc('@', out);
    cli_quote(out, is_kept ? out_path : hex);
    fclose(out);
    return command;
}

static void write_input(const struct shortening *input)
{
    if (out_path == NULL)
        return;
    struct cli_output output = cli_output_open("out", out_path);
    fwrite(input->bytes, 1, input->byte_count, output.file);
    cli_output_close(&output);
}

/* The shortest input in hex, and the command that shows the finding again. */
struct shown {
    char *hex, *again;
};

static struct shown shown_of(const struct run *run, const struct shortening *shortest)
{
    char *hex = cli_hex(shortest->bytes, shortest->byte_count);
    return (struct shown){hex, diff_command(run, hex)};
}

/* Prints the letter of the shortest input. After an interruption there is no letter (NULL), as nothing more is
 * asked. */
static void report(const struct run *run, const struct shortening *shortest, size_t byte_count,
                   const struct shown *shown, const char *letter)
{
    if (as_json) {
        cli_print_json(json_pack("{s:s, s:I, s:s, s:s, s:I, s:I, s:b, s:s?, s:s}", "encoding", encoding, "byte_count",
                                 (json_int_t)byte_count, "key", run->key, "minimised", shown->hex,
                                 "minimised_byte_count", (json_int_t)shortest->byte_count, "tried",
                                 (json_int_t)run->tried, "interrupted", cli_interruption != 0, "letter", letter,
                                 "again", shown->again));
        return;
    }
    if (letter != NULL)
        cli_print_letter(letter);
    else
        printf("interrupted: a shorter input may show it, too\n  %-13s %s\n", "again", shown->again);
    printf("  %-13s %s\n\n", "key", run->key);
    if (run->finding_count > 1)
        printf("the input shows %zu more; --key chooses one, assay diff lists them\n", run->finding_count - 1);
    printf("%zu of %zu byte%s, after %zu input%s: %s\n", shortest->byte_count, byte_count, byte_count == 1 ? "" : "s",
           run->tried, run->tried == 1 ? "" : "s", shortest->byte_count > 0 ? shown->hex : "(no byte)");
}

static int code_of_divergence(void)
{
    return cli_interruption != 0 ? cli_code_of_interruption() : EXIT_DIVERGENCE;
}

static void free_shown(struct shown *shown)
{
    free(shown->hex);
    free(shown->again);
}

static void report_none(size_t byte_count)
{
    if (as_json)
        cli_print_json(json_pack("{s:s, s:I, s:n}", "encoding", encoding, "byte_count", (json_int_t)byte_count, "key"));
    else
        printf("no divergence: nothing to minimise in %zu byte%s\n", byte_count, byte_count == 1 ? "" : "s");
}

/* ---- of our codecs, of two subjects ---------------------------------------------------------------- */

static struct shortening shorten_and_write(struct run *run, const struct cli_input *input)
{
    struct shortening shortening = shortening_of(run, input);
    cli_catch_interruptions();
    shorten(&shortening);
    cli_clear_progress();
    write_input(&shortening);
    return shortening;
}

/* For our codecs. Returns the exit code, as the next function does. */
static int minimise_of_codecs(struct run *run, const struct cli_input *input)
{
    struct trial trial = trial_of(input->bytes, input->byte_count);
    run->finding_count = trial_run(&trial, &run->findings);
    if (run->finding_count == 0) {
        report_none(input->byte_count);
        return EXIT_CLEAN;
    }
    run->wanted = *choose_finding(run);
    run->key = run->wanted.key;
    struct shortening shortening = shorten_and_write(run, input);
    struct shown shown = shown_of(run, &shortening);
    trial = trial_of(shortening.bytes, shortening.byte_count);
    trial.wanted = &run->wanted;
    trial.again = shown.again;
    struct finding *findings = NULL;
    size_t count = cli_interruption == 0 ? trial_run(&trial, &findings) : 0;
    const char *letter = count > 0 ? findings[0].letter : "the codec does not answer the same each time\n";
    report(run, &shortening, input->byte_count, &shown, cli_interruption == 0 ? letter : NULL);
    free_findings(findings, count);
    free_findings(run->findings, run->finding_count);
    free_shown(&shown);
    return code_of_divergence();
}

static int minimise_of_subjects(struct run *run, const struct cli_input *input)
{
    two.encoding = encoding;
    run->comparison = two_subjects_start(&two, input->byte_count);
    json_t *letters = two_subjects_ask(run->comparison, input->bytes, input->byte_count);
    if (letters == NULL)
        two_subjects_fail(run->comparison);
    run->finding_count = json_object_size(letters);
    if (run->finding_count == 0) {
        report_none(input->byte_count);
        two_subjects_end(run->comparison);
        return EXIT_CLEAN;
    }
    char *key = choose_key(letters);
    run->key = key;
    struct shortening shortening = shorten_and_write(run, input);
    struct shown shown = shown_of(run, &shortening);
    two.again = shown.again;
    const char *letter = NULL;
    if (cli_interruption == 0) {
        letters = two_subjects_ask(run->comparison, shortening.bytes, shortening.byte_count);
        letter = json_string_value(json_object_get(letters, key));
        letter = letter != NULL ? letter : "the subjects do not answer the same each time\n";
    }
    report(run, &shortening, input->byte_count, &shown, letter);
    two_subjects_end(run->comparison);
    free_shown(&shown);
    free(key);
    return code_of_divergence();
}

/* ---- the command ---------------------------------------------------------------------------------- */

static void print_more(FILE *out)
{
    fputs(
        "INPUT may also be the id of a golden case, utf-8/overlong/c080: its bytes in its encoding.\n"
        "\n"
        "The shortest input shows the same key: the same codec, operation, and first field that differs. Of our codecs, "
        "each input has a process of its own, which a codec may crash or end. Of two subjects, which assay diff --help "
        "describes, the key is the question and what differs. SIGINT or SIGTERM (Ctrl-C, timeout) ends it with the "
        "shortest input so far, and exit code 128 and the number of the signal.\n"
        "\n"
        "    assay minimise @crash\n"
        "    assay minimise --subject '--plain old/mine' --subject '--plain new/mine' @crash\n",
        out);
}

static int run(int argc, char **argv)
{
    int operands, at = cli_parse(&command_minimise, argc, argv, &operands);
    struct golden golden = golden_find(argv[at], two.named[0] != NULL, &encoding);
    if (two.named[0] != NULL) {
        if (thorough)
            cli_fail("--thorough is about our codecs, not about a --subject");
    } else {
        two_subjects_require_no_limits(&two);
        cli_encoding(encoding);
        cli_require_loaded_encoding(encoding);
    }
    struct cli_input input = golden_whole_input(&golden, argv[at]);
    if (out_path != NULL)
        cli_output_try("out", out_path);
    struct run run = {.begun = cli_now_ns(), .shown_at = cli_now_ns()};
    int code = two.named[0] != NULL ? minimise_of_subjects(&run, &input) : minimise_of_codecs(&run, &input);
    free(input.bytes);
    golden_free(&golden);
    return code;
}

const struct command command_minimise = {
    .name = "minimise",
    .sentence = "the shortest input that still shows a divergence or a crash",
    OPERANDS("INPUT", 1, 1),
    .print_more = print_more,
    .options = options,
    .run = run,
};
