/* SPDX-License-Identifier: MIT
 *
 * Asks two subjects the same questions about one input, through the protocol: the verdict, the text under each policy
 * that both offer, and, where both take pieces, the text of each pair of pieces. If the two have different default
 * policies, the texts under these are compared too, because the aim is to find inputs that two programs read
 * differently.
 */
#include "two_subjects.h"

#include "../../core/convert.h"
#include "../../core/report.h"
#include "process.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum {
    INPUT_BYTES_MAX = 1 << 20,
    CUT_BYTES_MAX = 64,    /* of an input that is also fed in pieces */
    START_SECONDS = 20,    /* as in assay run */
    ADAPTER_SECONDS = 300, /* the same for an adapter, which may have to be compiled first */
    REPLY_SECONDS = 20,    /* the same for other replies */
    SHOWN_IN_TABLE = 34,
    SHOWN_IN_LETTER = 160,
    LABEL = 13,
};

struct side {
    struct process process;
    char name[160];
    char *reply;
    bool has_replied;
};

struct comparison {
    const struct two_subjects *settings;
    struct side sides[2];
    const uint8_t *bytes; /* the input */
    size_t byte_count;
    struct byte_string hex; /* the same */
    size_t compared, skipped;
    json_t *answers; /* in order */
    json_t *by_key;  /* letters */
};

/* One question. The two policies differ if each subject is asked for its own practice; POLICY_NONE stands for a
 * verdict. */
struct asked {
    unsigned policies[2];
    size_t cut; /* bytes of the first piece; 0: one piece */
};

/* ---- starting ------------------------------------------------------------------------------------------- */

/* Returns the path of the table of rows; NULL if this program has none. */
static const char *find_table(void)
{
    static char path[PATH_MAX];
    const char *table = cli_data("subjects.def");
    return table != NULL && realpath(table, path) != NULL ? path : NULL;
}

/* True if the table has the wanted row; else `nearest` has the one with the nearest name. */
static bool find_row(const char *table, struct cli_nearest *nearest)
{
    enum { NAME_MAX_BYTES = 95 };
    static char names[2][NAME_MAX_BYTES + 1]; /* the nearest one, and the one that is considered */
    char line[1024], *name = names[0];
    bool is_there = false;
    FILE *file = table != NULL ? fopen(table, "r") : NULL;
    if (file == NULL)
        return false;
    while (!is_there && fgets(line, sizeof line, file) != NULL) {
        if (sscanf(line, "SUBJECT(%95[^,]", name) != 1)
            continue;
        is_there = strcmp(name, nearest->wanted) == 0;
        cli_consider(nearest, name);
        if (nearest->found == name)
            name = name == names[0] ? names[1] : names[0];
    }
    fclose(file);
    return is_there;
}

/* Returns the words of `subjects.py --speak`, which becomes an adapter, or of a shell. They are kept until the end,
 * because the subject may be started again. */
static char **command_of(const char *named, const char *table, bool is_spoken_for)
{
    static char script[PATH_MAX + 16], python[] = "python3", option[] = "--speak", end[] = "--", shell[] = "sh",
                                       command_option[] = "-c";
    char *spoken[] = {python, script, option, end, (char *)named, NULL},
         *command[] = {shell, command_option, (char *)named, NULL};
    char **words = cli_alloc(sizeof spoken / sizeof spoken[0], sizeof *words);
    if (is_spoken_for) {
        snprintf(script, sizeof script, "%.*s/subjects.py", (int)(strrchr(table, '/') - table), table);
        memcpy(words, spoken, sizeof spoken);
    } else {
        memcpy(words, command, sizeof command);
    }
    return words;
}

/* True if a subject is a plain program: it begins with --plain and other options of `assay run --plain`, in any order.
 * Ends the program if it begins with other options, which a shell would take for its own. */
static bool is_plain_program(const char *named)
{
    enum { PLAIN, NO_VERDICT, NO_OUTPUT, END, OPTION_COUNT };
    static const char *const options[OPTION_COUNT] = {"--plain", "--no-verdict", "--no-output", "--"};
    static const char space[] = " \t\n";
    bool has[OPTION_COUNT] = {false};
    size_t length;
    for (const char *word = named; word[0] == '-' && !has[END]; word += length + strspn(word + length, space)) {
        length = strcspn(word, space);
        size_t option = 0;
        while (option < OPTION_COUNT &&
               (strlen(options[option]) != length || memcmp(word, options[option], length) != 0))
            option++;
        if (option == OPTION_COUNT)
            cli_fail("--subject: '%s': there is no option %.*s; a plain program is named as '--plain [--no-verdict] "
                     "[--no-output] [--] PROGRAM...'",
                     named, (int)length, word);
        has[option] = true;
    }
    if (named[0] == '-' && !has[PLAIN])
        cli_fail("--subject: '%s': its options are of a plain program, and --plain must be among them", named);
    return has[PLAIN];
}

/* Returns how long a subject may take to greet. */
static double start_seconds(const struct two_subjects *settings, bool has_adapter)
{
    if (settings->start_limit != NULL)
        return cli_seconds("start-limit", settings->start_limit, 0.01);
    return has_adapter ? ADAPTER_SECONDS : START_SECONDS;
}

static double reply_seconds(const struct two_subjects *settings)
{
    return settings->time_limit != NULL ? cli_seconds("time-limit", settings->time_limit, 0.01) : REPLY_SECONDS;
}

static void start(struct side *side, const char *named, const struct two_subjects *settings)
{
    const char *table = find_table();
    struct cli_nearest nearest = {.wanted = named};
    bool is_row = find_row(table, &nearest), is_plain = is_plain_program(named);
    bool may_be_row = strspn(named, "abcdefghijklmnopqrstuvwxyz0123456789_") == strlen(named);
    char name[1024];
    if (is_plain && table == NULL)
        cli_fail("--subject: for '%s' this program needs harnesses/subjects of a checkout", named);
    snprintf(name, sizeof name, "%s", named);
    if (!is_row && may_be_row && table != NULL)
        snprintf(name, sizeof name, "%.500s, which is no row of subjects.def%s,", named,
                 cli_did_you_mean(&nearest, ""));
    char **words = command_of(named, table, is_row || is_plain);
    process_start(&side->process, name, words,
                  &(struct limits){.start_seconds = start_seconds(settings, is_row || is_plain),
                                   .seconds = reply_seconds(settings),
                                   .restarts = 10,
                                   .fruitless = 2,
                                   .reply_bytes = (size_t)16 << 20});
    const struct offer *offer = &side->process.offer;
    if (is_row)
        snprintf(side->name, sizeof side->name, "%s", named);
    else
        snprintf(side->name, sizeof side->name, "%.100s%s%.40s", offer->name, offer->version[0] != '\0' ? " " : "",
                 offer->version);
}

static void start_both(struct comparison *all)
{
    for (int i = 0; i < 2; i++)
        start(&all->sides[i], all->settings->named[i], all->settings);
    if (strcmp(all->sides[0].name, all->sides[1].name) == 0) {
        strcat(all->sides[0].name, ", first");
        strcat(all->sides[1].name, ", second");
    }
}

/* ---- what is asked ---------------------------------------------------------------------------------------- */

/* True if a subject answers a request under a policy, in an encoding. The list of its encodings begins and ends with a
 * comma. */
static bool offers(const struct side *side, enum ask ask, unsigned policy, const char *encoding)
{
    const struct offer *offer = &side->process.offer;
    char word[80];
    snprintf(word, sizeof word, ",%s,", encoding);
    return offer->ops[ask] && (policy == POLICY_NONE || offer->policies[policy]) &&
           (offer->encodings == NULL || strstr(offer->encodings, word) != NULL);
}

/* The policy by which a subject treats errors if nothing else is asked: its own practice, or the first policy of
 * replacement that it names; POLICY_NONE: it has none. */
static unsigned practice_of(const struct side *side, const char *encoding)
{
    if (offers(side, ASK_DECODE, POLICY_OWN, encoding))
        return POLICY_OWN;
    for (unsigned policy = ASSAY_POLICY_STRICT + 1; policy < ASSAY_POLICY_COUNT; policy++)
        if (offers(side, ASK_DECODE, policy, encoding))
            return policy;
    return POLICY_NONE;
}

/* Returns "decode utf-8 whatwg E2,82AC". */
static char *request_of(const struct comparison *all, const struct asked *asked, int side)
{
    struct byte_string request = {0};
    unsigned policy = asked->policies[side];
    byte_string_add(&request, policy == POLICY_NONE ? "validate " : "decode ");
    byte_string_add(&request, all->settings->encoding);
    byte_string_add_char(&request, ' ');
    if (policy != POLICY_NONE) {
        byte_string_add(&request, policy_word(policy));
        byte_string_add_char(&request, ' ');
    }
    byte_string_add_bytes(&request, all->hex.bytes, asked->cut > 0 ? 2 * asked->cut : all->hex.length);
    if (asked->cut > 0) {
        byte_string_add_char(&request, ',');
        byte_string_add_bytes(&request, all->hex.bytes + 2 * asked->cut, all->hex.length - 2 * asked->cut);
    }
    byte_string_end(&request);
    return request.bytes;
}

/* ---- comparing ----------------------------------------------------------------------------------------------- */

static bool begins(const char *reply, const char *word)
{
    size_t length = strlen(word);
    return strncmp(reply, word, length) == 0 && (reply[length] == '\0' || reply[length] == ' ');
}

/* Adds the scalars of all groups, one after the other: "41", ",20AC". */
static void add_groups(struct byte_string *out, const char *groups)
{
    for (const char *at = groups; *at != '\0';) {
        size_t length = strcspn(at, ",|");
        if (length > 0 && !(length == 1 && at[0] == '-')) {
            byte_string_add_bytes(out, at, length);
            byte_string_add_char(out, ',');
        }
        at += length + (at[length] != '\0');
    }
}

static bool have_same_text(const char *one, const char *other)
{
    struct byte_string texts[2] = {{0}, {0}};
    add_groups(&texts[0], one + strlen("ok"));
    add_groups(&texts[1], other + strlen("ok"));
    bool is_same = strcmp(byte_string_end(&texts[0]), byte_string_end(&texts[1])) == 0;
    byte_string_free(&texts[0]);
    byte_string_free(&texts[1]);
    return is_same;
}

/* Returns the first figure that two errors both state and that differs; NULL: none. */
static const char *compare_figures(const char *one, const char *other)
{
    static const char *const figures[] = {"offset", "length", "fault"};
    const char *at[] = {one + strlen("error"), other + strlen("error")};
    for (size_t i = 0; i < sizeof figures / sizeof figures[0] && *at[0] == ' ' && *at[1] == ' '; i++) {
        size_t lengths[] = {strcspn(++at[0], " "), strcspn(++at[1], " ")};
        bool is_stated = at[0][0] != '?' && at[1][0] != '?';
        if (is_stated && (lengths[0] != lengths[1] || memcmp(at[0], at[1], lengths[0]) != 0))
            return figures[i];
        at[0] += lengths[0];
        at[1] += lengths[1];
    }
    return NULL;
}

/* How subjects.py begins a skip of a plain program whose output is no text, before the bytes in hex. The protocol has
 * no reply for that, but two programs whose bytes differ do differ. */
static const char no_text[] = "its output is not UTF-8: ";

static bool is_no_text(const char *reply)
{
    return strncmp(reply, no_text, strlen(no_text)) == 0;
}

/* Asks one subject. Of bytes that are no text, the reply does not say "skip". */
static void ask_side(struct side *side, const char *request)
{
    static const char skip[] = "skip ";
    side->has_replied = process_ask_one(&side->process, request, &side->reply);
    if (side->has_replied && begins(side->reply, "skip") && is_no_text(side->reply + strlen(skip)))
        memmove(side->reply, side->reply + strlen(skip), strlen(side->reply + strlen(skip)) + 1);
}

/* Returns what differs between two replies; NULL: nothing; "": one of them cannot be compared. */
static const char *difference_of(const struct side *sides)
{
    const char *one = sides[0].reply, *other = sides[1].reply;
    for (int i = 0; i < 2; i++)
        if (!sides[i].has_replied)
            return "no reply";
    if (begins(one, "skip") || begins(other, "skip"))
        return "";
    for (int i = 0; i < 2; i++)
        if (!begins(sides[i].reply, "ok") && !begins(sides[i].reply, "error") && !is_no_text(sides[i].reply))
            return "malformed reply";
    if (begins(one, "error") != begins(other, "error"))
        return "verdict";
    if (begins(one, "error"))
        return compare_figures(one, other);
    if (is_no_text(one) || is_no_text(other))
        return strcmp(one, other) == 0 ? NULL : "output";
    return have_same_text(one, other) ? NULL : "output";
}

/* ---- reporting ------------------------------------------------------------------------------------------------ */

/* Prints what is wrong with the input; nothing for an encoding that has no reference here. */
static void print_standard(FILE *out, const struct comparison *all)
{
    const struct signature *signature = signature_find(all->settings->encoding);
    const struct assay_codec *reference =
        registry_reference(signature != NULL ? signature->encoding : all->settings->encoding);
    struct assay_span error;
    if (reference == NULL)
        return;
    fputs("  standard      ", out);
    if (reference->validate(all->bytes, all->byte_count, &error))
        fputs("the input is well-formed", out);
    else
        report_span(out, &error, all->bytes, all->byte_count);
    fputc('\n', out);
}

static void print_reply(FILE *out, const struct side *side, size_t most)
{
    size_t length = strlen(side->reply);
    print_escaped(out, side->reply, length, most);
    if (length > most)
        fputs("...", out);
    fputc('\n', out);
}

static char *letter_of(const struct comparison *all, char *requests[2], const char *difference)
{
    enum { BYTES_SHOWN = 48 };
    char *letter;
    size_t size;
    FILE *out = cli_open_text(&letter, &size);
    fprintf(out, "%s differs from %s\n  asked         %.160s; %s%s\n", all->sides[0].name, all->sides[1].name,
            requests[0], difference, strstr(difference, "reply") != NULL ? "" : " differs");
    if (strcmp(requests[0], requests[1]) != 0)
        fprintf(out, "  and           %.160s\n", requests[1]);
    fputs("  bytes         ", out);
    report_hex(out, all->bytes, 1, all->byte_count < BYTES_SHOWN ? all->byte_count : BYTES_SHOWN);
    fprintf(out, "%s   (%zu byte%s)\n", all->byte_count > BYTES_SHOWN ? " ..." : "", all->byte_count,
            all->byte_count == 1 ? "" : "s");
    print_standard(out, all);
    for (int i = 0; i < 2; i++) {
        size_t length = strlen(all->sides[1 - i].name);
        fprintf(out, "  %-*s ", length > LABEL ? (int)length : LABEL, all->sides[i].name);
        print_reply(out, &all->sides[i], SHOWN_IN_LETTER);
    }
    if (all->settings->again != NULL)
        fprintf(out, "  again         %s\n", all->settings->again);
    fclose(out);
    return letter;
}

static const char *policy_name(unsigned policy)
{
    return policy == POLICY_NONE ? "" : policy_word(policy);
}

/* Writes "decode whatwg" or "decode own of one and whatwg of the other", and "in pieces" if it is. */
static void describe(char *words, size_t room, const struct asked *asked)
{
    const unsigned *policies = asked->policies;
    if (policies[0] == POLICY_NONE)
        snprintf(words, room, "validate");
    else if (policies[0] == policies[1])
        snprintf(words, room, "decode %s%s", policy_name(policies[0]), asked->cut > 0 ? ", in pieces" : "");
    else
        snprintf(words, room, "decode %s, %s%s", policy_name(policies[0]), policy_name(policies[1]),
                 asked->cut > 0 ? ", in pieces" : "");
}

static void keep_answer(struct comparison *all, const char *words, const struct asked *asked)
{
    json_t *replies = json_array();
    for (int i = 0; i < 2; i++) {
        char *reply = escaped(all->sides[i].reply, strlen(all->sides[i].reply), (size_t)1 << 24);
        json_array_append_new(replies, json_string(reply));
        free(reply);
    }
    json_array_append_new(all->answers, json_pack("{s:s, s:I, s:o}", "asked", words, "first_piece_bytes",
                                                  (json_int_t)asked->cut, "replies", replies));
}

/* ---- asking ---------------------------------------------------------------------------------------------------- */

/* Asks both, and keeps a letter for the first difference of each kind. A question in pieces is kept only if the answers
 * differ. */
static void ask_both(struct comparison *all, const struct asked *asked)
{
    char words[96], key[160], *requests[2];
    describe(words, sizeof words, asked);
    for (int i = 0; i < 2; i++) {
        requests[i] = request_of(all, asked, i);
        ask_side(&all->sides[i], requests[i]);
    }
    const char *difference = difference_of(all->sides);
    bool is_compared = difference == NULL || difference[0] != '\0';
    all->compared += is_compared;
    all->skipped += !is_compared;
    if (asked->cut == 0 || (is_compared && difference != NULL))
        keep_answer(all, words, asked);
    snprintf(key, sizeof key, "%s: %s", words, difference != NULL ? difference : "");
    if (is_compared && difference != NULL && json_object_get(all->by_key, key) == NULL) {
        char *letter = letter_of(all, requests, difference);
        json_object_set_new(all->by_key, key, json_string(letter));
        free(letter);
    }
    for (int i = 0; i < 2; i++) {
        free(requests[i]);
        free(all->sides[i].reply);
    }
}

/* Asks about the whole input, and, if nothing differs, about each pair of pieces. */
static void ask_text(struct comparison *all, unsigned one, unsigned other)
{
    struct asked asked = {.policies = {one, other}};
    size_t count = all->byte_count, before = json_object_size(all->by_key);
    ask_both(all, &asked);
    bool in_pieces =
        all->sides[0].process.offer.in_pieces && all->sides[1].process.offer.in_pieces && count <= CUT_BYTES_MAX;
    for (asked.cut = 1; in_pieces && asked.cut < count && json_object_size(all->by_key) == before; asked.cut++)
        ask_both(all, &asked);
}

static void ask_all(struct comparison *all)
{
    const char *encoding = all->settings->encoding;
    const struct side *sides = all->sides;
    if (offers(&sides[0], ASK_VALIDATE, POLICY_NONE, encoding) &&
        offers(&sides[1], ASK_VALIDATE, POLICY_NONE, encoding))
        ask_both(all, &(struct asked){.policies = {POLICY_NONE, POLICY_NONE}});
    for (unsigned policy = 0; policy < POLICY_NONE; policy++) {
        if (!offers(&sides[0], ASK_DECODE, policy, encoding) || !offers(&sides[1], ASK_DECODE, policy, encoding))
            continue;
        ask_text(all, policy, policy);
    }
    unsigned one = practice_of(&sides[0], encoding), other = practice_of(&sides[1], encoding);
    if (one != other && one != POLICY_NONE && other != POLICY_NONE)
        ask_text(all, one, other);
}

/* ---- the options ------------------------------------------------------------------------------------------------- */

void two_subjects_require_no_limits(const struct two_subjects *settings)
{
    if (settings->start_limit != NULL || settings->time_limit != NULL)
        cli_fail("--%s is about a --subject, not about our codecs",
                 settings->start_limit != NULL ? "start-limit" : "time-limit");
}

void two_subjects_write(FILE *out, const struct two_subjects *settings)
{
    for (size_t i = 0; i < CLI_SUBJECTS && settings->named[i] != NULL; i++) {
        fputs(" --subject ", out);
        cli_quote(out, settings->named[i]);
    }
    if (settings->start_limit != NULL)
        fprintf(out, " --start-limit %s", settings->start_limit);
    if (settings->time_limit != NULL)
        fprintf(out, " --time-limit %s", settings->time_limit);
}

/* ---- all of it ------------------------------------------------------------------------------------------------- */

/* Where the cells of a row begin: if the replies differ only after what a cell has room for, at a number shortly before
 * that. */
static size_t begin_of_cells(const char *const replies[2])
{
    size_t alike = 0;
    while (replies[0][alike] != '\0' && replies[0][alike] == replies[1][alike])
        alike++;
    bool are_equal = replies[0][alike] == replies[1][alike];
    if (are_equal || alike < SHOWN_IN_TABLE)
        return 0;
    size_t begin = alike - SHOWN_IN_TABLE / 2;
    while (begin < alike && replies[0][begin - 1] != ',')
        begin++;
    return begin;
}

/* Returns what a cell shows of a reply; valid until the next call. */
static const char *cell(const char *reply, size_t begin)
{
    static char shown[SHOWN_IN_TABLE + 4];
    const char *before = begin > 0 ? "..." : "";
    int room = SHOWN_IN_TABLE - (int)strlen(before);
    bool is_cut = strlen(reply + begin) > (size_t)room;
    snprintf(shown, sizeof shown, "%s%.*s%s", before, room, reply + begin, is_cut ? "..." : "");
    return shown;
}

static void print_text(const struct comparison *all)
{
    size_t index, byte_count = all->byte_count;
    json_t *answer, *letter;
    const char *key;
    printf("%s, %zu byte%s\n\n", all->settings->encoding, byte_count, byte_count == 1 ? "" : "s");
    printf("  %-28s %-*.*s %.*s\n", "", SHOWN_IN_TABLE + 3, SHOWN_IN_TABLE, all->sides[0].name, SHOWN_IN_TABLE,
           all->sides[1].name);
    json_array_foreach (all->answers, index, answer) {
        const char *replies[2];
        for (size_t i = 0; i < 2; i++)
            replies[i] = json_string_value(json_array_get(json_object_get(answer, "replies"), i));
        printf("  %-28s ", json_string_value(json_object_get(answer, "asked")));
        size_t begin = begin_of_cells(replies);
        printf("%-*s ", SHOWN_IN_TABLE + 3, cell(replies[0], begin));
        puts(cell(replies[1], begin));
    }
    putchar('\n');
    json_object_foreach (all->by_key, key, letter) {
        cli_print_letter(json_string_value(letter));
        printf("  %-*s %s\n\n", LABEL, "key", key);
    }
    size_t count = json_object_size(all->by_key);
    if (count > 0)
        printf("%s%zu divergence%s%s: ", cli_style(CLI_BAD), count, count == 1 ? "" : "s", cli_style(CLI_PLAIN));
    else
        printf("%sno divergence%s: ", cli_style(CLI_GOOD), cli_style(CLI_PLAIN));
    printf("%zu answer%s compared, %zu skipped\n", all->compared, all->compared == 1 ? "" : "s", all->skipped);
}

static void print_json(const struct comparison *all)
{
    json_t *subjects = json_array();
    for (int i = 0; i < 2; i++)
        json_array_append_new(subjects, json_pack("{s:s, s:s, s:s}", "subject", all->sides[i].name, "name",
                                                  all->sides[i].process.offer.name, "version",
                                                  all->sides[i].process.offer.version));
    cli_print_json(json_pack("{s:s, s:I, s:o, s:I, s:I, s:O, s:O}", "encoding", all->settings->encoding, "byte_count",
                             (json_int_t)all->byte_count, "subjects", subjects, "asked", (json_int_t)all->compared,
                             "skipped", (json_int_t)all->skipped, "answers", all->answers, "divergences", all->by_key));
}

void two_subjects_fail(const struct comparison *all)
{
    const char *replies[2], *one = all->sides[0].name, *other = all->sides[1].name;
    const json_t *answer = json_array_get(all->answers, 0);
    if (answer == NULL)
        cli_fail("nothing was compared: %s and %s offer nothing for %s that both answer", one, other,
                 all->settings->encoding);
    for (size_t i = 0; i < 2; i++)
        replies[i] = json_string_value(json_array_get(json_object_get(answer, "replies"), i));
    cli_fail("nothing was compared: to '%s', %s replies '%.200s', and %s '%.200s'",
             json_string_value(json_object_get(answer, "asked")), one, replies[0], other, replies[1]);
}

static bool is_nothing(const void *none, const struct registry_row *row)
{
    (void)none, (void)row;
    return false;
}

struct comparison *two_subjects_start(const struct two_subjects *settings, size_t byte_count)
{
    struct comparison *all = cli_alloc(1, sizeof *all);
    all->settings = settings;
    if (settings->named[1] == NULL)
        cli_fail("--subject: two are compared; name the second, too");
    if (byte_count > INPUT_BYTES_MAX)
        cli_fail(
            "--subject: the input has %zu bytes; subjects are asked about up to %d, so cut it into pieces (split -b 1M)",
            byte_count, INPUT_BYTES_MAX);
    cli_require_loaded_asked(is_nothing, NULL,
                             "two of --subject are compared with each other alone; assay subject --codec LIBRARY "
                             "ENCODING/NAME is a subject, too");
    if (signature_find(settings->encoding) == NULL)
        cli_encoding(settings->encoding);
    start_both(all);
    return all;
}

static void forget_answers(struct comparison *all)
{
    byte_string_free(&all->hex);
    json_decref(all->answers);
    json_decref(all->by_key);
}

json_t *two_subjects_ask(struct comparison *all, const uint8_t *bytes, size_t byte_count)
{
    for (int i = 0; i < 2; i++)
        process_renew(&all->sides[i].process);
    forget_answers(all);
    all->bytes = bytes;
    all->byte_count = byte_count;
    all->hex = (struct byte_string){0};
    byte_string_add_hex(&all->hex, bytes, byte_count);
    all->answers = json_array();
    all->by_key = json_object();
    all->compared = all->skipped = 0;
    ask_all(all);
    return all->compared > 0 ? all->by_key : NULL;
}

void two_subjects_end(struct comparison *all)
{
    for (int i = 0; i < 2; i++) {
        free((void *)all->sides[i].process.command);
        process_end(&all->sides[i].process);
    }
    forget_answers(all);
    free(all);
}

int two_subjects_differ(const struct two_subjects *settings, const uint8_t *bytes, size_t byte_count, bool as_json)
{
    struct comparison *all = two_subjects_start(settings, byte_count);
    if (two_subjects_ask(all, bytes, byte_count) == NULL)
        two_subjects_fail(all);
    if (as_json)
        print_json(all);
    else
        print_text(all);
    int code = json_object_size(all->by_key) > 0 ? EXIT_DIVERGENCE : EXIT_CLEAN;
    two_subjects_end(all);
    return code;
}
