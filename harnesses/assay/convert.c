/* SPDX-License-Identifier: MIT */
#include "../core/convert.h"
#include "../core/report.h"
#include "cli.h"

#include <stdlib.h>
#include <string.h>

static const char *policy_name = "strict", *codec_name = "reference";
static bool as_hex, as_json;
static const struct cli_option options[] = {
    {"policy", 'p', "POLICY",
     "the output for errors, and for characters that TO cannot hold (default strict: exit 1 at the first)",
     &policy_name, NULL},
    {"codec-name", 'c', "CODEC", "use this codec for each of the two encodings that has it (default reference)",
     &codec_name, NULL},
    {"hex", 0, NULL, "the output as hex, not as it is", NULL, &as_hex},
    {"json", 0, NULL, "the same as JSON: the output in hex, or the error", NULL, &as_json},
    {0},
};

/* One conversion: its options, input and result. */
struct job {
    struct form from, to;
    const char *from_name, *to_name;
    enum assay_policy policy;
    struct cli_input input;
    struct converter converter;
    enum outcome outcome;
};

static struct form find_form(const char *name)
{
    struct form form;
    if (!form_find(name, codec_name, &form))
        cli_encoding(name); /* fails, and lists the encodings */
    return form;
}

/* Appends a space and the name of a policy. */
static void add_policy(char *list, size_t capacity, enum assay_policy policy)
{
    snprintf(list + strlen(list), capacity - strlen(list), " %s", assay_policy_name(policy));
}

static enum assay_policy find_policy(void)
{
    enum assay_policy policy = assay_policy_parse(policy_name);
    char known[256] = "";
    for (enum assay_policy each = 0; each < ASSAY_POLICY_COUNT; each++)
        add_policy(known, sizeof known, each);
    if (policy == ASSAY_POLICY_COUNT)
        cli_fail("there is no policy '%s'%s; there are:%s", policy_name, cli_did_you_mean_policy(policy_name), known);
    return policy;
}

static void check_codec(const struct job *job)
{
    if (strcmp(job->from.codec->name, codec_name) != 0 && strcmp(job->to.codec->name, codec_name) != 0)
        cli_fail("--codec-name: neither %s nor %s has a codec '%s' that runs here; see assay list", job->from_name,
                 job->to_name, codec_name);
}

static void print_json(const struct job *job)
{
    json_t *object = json_pack("{s:s, s:s, s:s, s:b}", "from", job->from_name, "to", job->to_name, "policy",
                               policy_name, "converted", job->outcome == CONVERTED);
    if (job->outcome == CONVERTED) {
        char *hex = cli_hex(job->converter.bytes, job->converter.byte_count);
        json_object_set_new(object, "hex", json_string(hex));
        free(hex);
    } else {
        const struct assay_span *error = &job->converter.error;
        json_t *reported = json_pack("{s:s, s:s}", "kind", job->outcome == NOT_HELD ? "not-held" : "ill-formed",
                                     "fault", assay_fault_name(error->fault));
        if (error->offset != ASSAY_UNKNOWN)
            json_object_set_new(reported, "offset", json_integer((json_int_t)error->offset));
        if (error->length != ASSAY_UNKNOWN)
            json_object_set_new(reported, "length", json_integer((json_int_t)error->length));
        json_object_set_new(object, "error", reported);
    }
    cli_print_json(object);
}

static void print_output(const struct job *job)
{
    if (!as_hex) {
        fwrite(job->converter.bytes, 1, job->converter.byte_count, stdout);
        return;
    }
    char *hex = cli_hex(job->converter.bytes, job->converter.byte_count);
    puts(hex);
    free(hex);
}

static void print_error(const struct job *job)
{
    const struct assay_span *error = &job->converter.error;
    fputs("assay convert: ", stderr);
    if (job->outcome == NOT_HELD && error->offset == ASSAY_UNKNOWN) {
        fprintf(stderr, "%s cannot hold all of the input, and its codec does not say what", job->to_name);
    } else if (job->outcome == NOT_HELD) {
        fprintf(stderr, "%s cannot hold what is at %zu of the input: ", job->to_name, error->offset);
        report_hex(stderr, job->input.bytes + error->offset, 1, error->length);
        fprintf(stderr, ", %s", assay_fault_sentence(error->fault));
    } else {
        fprintf(stderr, "as %s, the input is ", job->from_name);
        report_span(stderr, error, job->input.bytes, job->input.byte_count);
    }
    fputs(job->policy == ASSAY_POLICY_STRICT ? "; --policy whatwg replaces such\n" : "\n", stderr);
}

static void print_more(FILE *out)
{
    cli_print_policies(out);
    fputs(
        "\nOutput is bytes, all or none. FROM may also be utf-8-sig, utf-16le-sig or utf-16be-sig: without the U+FEFF that the text may begin with. "
        "A lone surrogate passes between encodings that hold it, and to and from UTF-16, which is then potentially "
        "ill-formed; for all others it is an error, to which the policy applies. FROM is never guessed.\n",
        out);
}

static bool is_of_job(const void *context, const struct registry_row *row)
{
    const struct job *job = context;
    return row->codec == job->from.codec || row->codec == job->to.codec;
}

static enum outcome convert_under(struct job *job, enum assay_policy policy)
{
    return convert(&job->converter, &job->from, &job->to, policy, job->input.bytes, job->input.byte_count);
}

/* Names the policies that both codecs offer for this conversion. */
static void fail_not_offered(struct job *job)
{
    char offered[256] = "";
    for (enum assay_policy policy = 0; policy < ASSAY_POLICY_COUNT; policy++)
        if (convert_under(job, policy) != NOT_OFFERED)
            add_policy(offered, sizeof offered, policy);
    cli_fail("%s/%s to %s/%s is not offered under the policy %s; %s%s", job->from.codec->encoding,
             job->from.codec->name, job->to.codec->encoding, job->to.codec->name, policy_name,
             offered[0] != '\0' ? "it is under:" : "nor under any other", offered);
}

static int run(int argc, char **argv)
{
    int count, at = cli_parse(&command_convert, argc, argv, &count);
    struct job job = {.from_name = cli_encoding_name(argv[at]), .to_name = cli_encoding_name(argv[at + 1])};
    job.from = find_form(job.from_name);
    job.to = find_form(job.to_name);
    job.policy = find_policy();
    check_codec(&job);
    cli_require_loaded_chosen(is_of_job, &job);
    if (job.to.signature != NULL)
        cli_fail("%s says how a text is read; to write one, convert to %s and put U+FEFF before it", job.to_name,
                 job.to.signature->encoding);
    job.input = cli_input(argv[at + 2]);
    job.outcome = convert_under(&job, job.policy);
    if (job.outcome == NOT_OFFERED)
        fail_not_offered(&job);
    if (job.outcome == CONTRACT_BROKEN)
        cli_fail("%s/%s or %s/%s does not do what codec.h says; see assay diff", job.from.codec->encoding,
                 job.from.codec->name, job.to.codec->encoding, job.to.codec->name);
    if (as_json)
        print_json(&job);
    else if (job.outcome == CONVERTED)
        print_output(&job);
    if (job.outcome != CONVERTED)
        print_error(&job);
    converter_end(&job.converter);
    free(job.input.bytes);
    return job.outcome == CONVERTED ? EXIT_CLEAN : EXIT_DIVERGENCE;
}

const struct command command_convert = {
    .name = "convert",
    .sentence = "from one encoding of the family to another",
    OPERANDS("FROM TO INPUT", 3, 3),
    .print_more = print_more,
    .options = options,
    .run = run,
};
