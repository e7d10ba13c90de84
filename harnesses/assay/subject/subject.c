/* SPDX-License-Identifier: MIT
 *
 * `assay subject` - one of our codecs as a subject: the line protocol `assay/1` (vectors/PROTOCOL.md) on standard input
 * and output. The codec answers; these files parse requests and write replies.
 */
#include "subject.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool subject_names_faults, subject_is_alone;
static const struct cli_option options[] = {
    {"alone", 0, NULL,
     "offer the codec's own encoding only (else the others, too, by codecs of its name or by their references)", NULL,
     &subject_is_alone},
    {"faults", 0, NULL, "name the fault after offset and length of an error", NULL, &subject_names_faults},
    {0},
};

enum { FIELDS_MAX = 8 }; /* one more than any request has, so that too many are noticed */

const struct registry_row *subject_row;

/* The kinds of requests. */
static const struct kind {
    const char *word, *fields, *reply;
    /* its fields are those after the word; it writes one line */
    void (*answer)(const char *id, char **fields);
} kinds[] = {
#define REQUEST(id, name, word, fields, reply, asks, asks_limited) {word, fields, reply, subject_##name},
#define VARIANT(id, word, name, asks)
#include "../requests.def"
};

/* The number of fields after the word. */
static size_t field_count(const struct kind *kind)
{
    size_t count = 1;
    for (const char *at = kind->fields; *at != '\0'; at++)
        count += *at == ' ';
    return count;
}

static void say_hello(void)
{
    printf("hello assay/1 %s/%s " ASSAY_VERSION " encodings=", subject_row->encoding, subject_row->name);
    const char *separator = "";
    for (size_t i = 0; i < registry_count(); i++) {
        struct form encoding;
        const char *name = registry_at(i)->encoding;
        if (!registry_is_reference(registry_at(i)) || !subject_form(name, &encoding))
            continue;
        const struct signature *signature = signature_of(name);
        printf("%s%s%s%s", separator, name, signature != NULL ? "," : "", signature != NULL ? signature->name : "");
        separator = ",";
    }
    fputs(" policies=", stdout);
    for (enum assay_policy policy = 0; policy < ASSAY_POLICY_COUNT; policy++)
        printf("%s%s", policy > 0 ? "," : "", assay_policy_name(policy));
    fputs(" ops=", stdout);
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        printf("%s%s", i > 0 ? "," : "", kinds[i].word);
    puts(" chunks=yes");
}

/* A request is printable ASCII, so that no character of it can be taken for a line end or change the ID. */
static bool is_printable(const char *line, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (line[i] < 0x20 || line[i] > 0x7E)
            return false;
    return true;
}

/* Keeps the first bytes of the request. If the codec gives no answer, they follow the letter on standard error. */
static void keep_at_hand(const char *line, size_t length)
{
    enum { SHOWN = 120 };
    static char request[SHOWN + sizeof "..."];
    snprintf(request, sizeof request, "%.*s%s", SHOWN, line, length > SHOWN ? "..." : "");
    cli_at_hand = request;
}

static void answer(char *line, size_t length)
{
    char *fields[FIELDS_MAX];
    size_t count = 0;
    if (!is_printable(line, length))
        return reply_skip("-", "a request that is not printable ASCII");
    keep_at_hand(line, length);
    for (char *field = strtok(line, " "); field != NULL && count < FIELDS_MAX; field = strtok(NULL, " "))
        fields[count++] = field;
    if (count == 0)
        return reply_skip("-", "an empty request");
    if (strcmp(fields[0], "hello") == 0 && count == 2)
        return strcmp(fields[1], "assay/1") == 0 ? say_hello() : reply_skip("hello", "this subject speaks assay/1");
    if (count == 1)
        return reply_skip(fields[0], "a request is ID OPERATION FIELD...");
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        if (strcmp(fields[1], kinds[i].word) != 0)
            continue;
        if (count == field_count(&kinds[i]) + 2)
            return kinds[i].answer(fields[0], fields + 2);
        printf("%s skip the wrong number of fields: %s %s\n", fields[0], kinds[i].word, kinds[i].fields);
        return;
    }
    reply_skip(fields[0], "this operation is not offered");
}

static void find_subject(char *name)
{
    char *slash = strchr(name, '/');
    if (slash == NULL)
        cli_fail("'%s' is no ENCODING/CODEC; assay list names them", name);
    *slash = '\0';
    const char *encoding = cli_encoding_name(name);
    subject_row = registry_find(encoding, slash + 1);
    if (subject_row == NULL) {
        cli_encoding(encoding); /* fails if it is the encoding that is unknown */
        cli_fail("there is no codec '%s/%s'%s; assay list names them", encoding, slash + 1,
                 cli_did_you_mean_codec(slash + 1, encoding));
    }
    if (!registry_runs(subject_row))
        cli_fail("%s/%s needs %s, which does not run here", encoding, slash + 1, cpu_isa_name(subject_row->needs));
}

/* Other encodings are answered by the codecs of the same name. */
static bool is_subject(const void *none, const struct registry_row *row)
{
    (void)none;
    return strcmp(row->name, subject_row->name) == 0;
}

/* Returns the next byte of standard input, or EOF. Writes all replies before it waits, so that a client that waits for
 * each reply gets it, and one that sends ahead gets many at once. */
static int next_byte(void)
{
    static char input[1 << 16];
    static ssize_t at, count;
    if (at == count) {
        if (fflush(stdout) != 0)
            cli_fail_to_write("standard output", errno);
        at = 0;
        do
            count = read(STDIN_FILENO, input, sizeof input);
        while (count < 0 && errno == EINTR);
        if (count < 0)
            cli_fail("standard input: %s", strerror(errno));
    }
    return count == 0 ? EOF : (unsigned char)input[at++];
}

/* Reads a request, without its end of line. Returns false at the end of input. */
static bool read_line(char **line, size_t *capacity, size_t *length)
{
    enum { LINE_MAX_BYTES = 1 << 26 }; /* a line without end must not fill the memory */
    int byte;
    for (*length = 0; (byte = next_byte()) != EOF && byte != '\n'; (*line)[(*length)++] = (char)byte) {
        if (*length == LINE_MAX_BYTES)
            cli_fail("a request is longer than %d bytes; cut it into smaller ones", LINE_MAX_BYTES);
        if (*length + 1 < *capacity)
            continue;
        *capacity = 2 * *capacity + 4096; /* and room for the final NUL */
        *line = realloc(*line, *capacity);
        if (*line == NULL)
            cli_fail("a request is too long for the memory there is (beyond %zu bytes)", *length);
    }
    return byte == '\n' || *length > 0;
}

static void print_more(FILE *out)
{
    fputs(
        "Speaks the line protocol assay/1: one request per line, one reply per line; fields are separated by one space.\n\n",
        out);
    fprintf(out, "  %-50s %s\n", "request", "reply");
    fprintf(out, "  %-50s %s\n", "hello assay/1",
            "hello assay/1 NAME VERSION encodings=... policies=... ops=... chunks=yes");
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        fprintf(out, "  ID %-14s %-32s %s\n", kinds[i].word, kinds[i].fields, kinds[i].reply);
    fputs(
        "\n"
        "For ill-formed input, validate, decode and transcode reply `ID error OFFSET LENGTH`: the offset of the first ill-formed subsequence "
        "and the length of its maximal subpart, in bytes of the input; ? if one is not known, nothing if neither is. INDEX is the index of "
        "the first scalar that encode refuses, from 0. The reply to any request may be `ID skip REASON`: it is not offered, or "
        "malformed. If the codec crashes or hangs, there is no reply: standard error contains the question, and the exit code is 1.\n"
        "\n"
        "HEX is pairs of digits, - for none. CHUNKS are the pieces of the input, each HEX, separated by commas; the last one is followed by "
        "the end of input. SCALARS are code points in hex, separated by commas, - for none; those of a chunk are the output after it "
        "was read: to `1 decode utf-8 whatwg E2,82AC41` the reply is `1 ok -|20AC,41`.\n"
        "\n",
        out);
    cli_print_policies(out);
}

static int run(int argc, char **argv)
{
    int count, at = cli_parse(&command_subject, argc, argv, &count);
    find_subject(argv[at]);
    cli_require_loaded_chosen(is_subject, NULL);
    size_t capacity = 4096, length;
    static char *line; /* static, so that leak checkers find it if a request ends the program */
    line = cli_alloc(capacity, 1);
    while (read_line(&line, &capacity, &length)) {
        if (length > 0 && line[length - 1] == '\r')
            length--;
        line[length] = '\0';
        answer(line, length);
        cli_at_hand = NULL;
    }
    free(line);
    return EXIT_CLEAN;
}

const struct command command_subject = {
    .name = "subject",
    .sentence = "one of our codecs as a subject on standard input and output",
    OPERANDS("ENCODING/CODEC", 1, 1),
    .print_more = print_more,
    .options = options,
    .run = run,
};
