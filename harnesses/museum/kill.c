/* SPDX-License-Identifier: MIT
 *
 * The program that scripts/kill-rate runs: `museum decoders VECTORS ENCODING [GLOB...]` asks the decoders whose names
 * match, `museum lanes VECTORS ENCODING [STRIDE]` every STRIDEth lane mutant, the questions of the golden vectors, as
 * `assay check` does, until an answer is wrong, which kills the mutant. It prints a line for each mutant, separated by
 * tabs: its name; `killed`, `survived`, `equivalent` or `absent`; the file that kills it, or the reason; the field that
 * differs; its sentence. With `made` for VECTORS, the questions are inputs on which every lane mutant is wrong
 * (lane_inputs.c). The plain decoder is also asked each question that kills, and must answer it correctly.
 *
 * `museum code VECTORS ENCODING CODEC MEMBER,... SECONDS` is for scripts/code-mutants, `museum loaded VECTORS ENCODING
 * MEMBER,... SECONDS` for scripts/source-mutants: code_mutants.c says what they read.
 *
 * Exit codes: 0 = ran, 2 = could not run, or the plain decoder fails.
 */
#include "kill.h"
#include "../assay/cli.h"

#include <fnmatch.h>
#include <string.h>

static void run_decoder(struct trials *trials, const struct mistake *mistake)
{
    const char *encoding = trials->base->encoding, *reason = museum_why_same(mistake, encoding);
    if (mistake->only != NULL && !museum_has_word(mistake->only, encoding)) {
        printf("%s\tabsent\t\t\t%s\n", mistake->name, mistake->sentence);
        return;
    }
    struct kill kill = trials_run(trials, museum_codec(trials->base, mistake));
    if (kill.file != NULL && reason != NULL)
        cli_fail("%s: the decoder '%s' is said to be equivalent, and %s kills it", encoding, mistake->name, kill.file);
    const char *state = kill.file != NULL ? "killed" : reason != NULL ? "equivalent" : "survived";
    printf("%s\t%s\t%s\t%s\t%s\n", mistake->name, state,
           kill.file != NULL ? kill.file
           : reason != NULL  ? reason
                             : "",
           kill.file != NULL ? kill.field : "", mistake->sentence);
}

static bool any_matches(char **globs, const char *name)
{
    bool matches = *globs == NULL;
    for (; *globs != NULL; globs++)
        matches |= fnmatch(*globs, name, 0) == 0;
    return matches;
}

static void require_match(char *glob)
{
    const struct mistake *mistake;
    for (size_t i = 0; (mistake = museum_mistake(i)) != NULL; i++)
        if (any_matches((char *[]){glob, NULL}, mistake->name))
            return;
    cli_fail("no decoder is called '%s'", glob);
}

/* Tests the decoders whose names match a glob; all if there is none. */
static void run_decoders(struct trials *trials, char **globs)
{
    const struct mistake *mistake;
    for (char **glob = globs; *glob != NULL; glob++)
        require_match(*glob);
    for (size_t i = 0; (mistake = museum_mistake(i)) != NULL; i++)
        if (any_matches(globs, mistake->name))
            run_decoder(trials, mistake);
}

/* Of a codec, or, if it is NULL, of libraries. */
static int run_mutants_of_code(const char *folder, const char *encoding, const char *codec, char **members_and_seconds)
{
    static struct trials trials;
    const struct registry_row *row = codec == NULL ? NULL : registry_find(encoding, codec);
    if (codec != NULL && (row == NULL || row->codec == NULL))
        cli_fail("this machine runs no codec %s/%s", encoding, codec);
    trials = trials_load(folder, encoding);
    trials_survive_crashes();
    setvbuf(stdout, NULL, _IOLBF, BUFSIZ);
    run_code(&trials, row == NULL ? NULL : row->codec, members_and_seconds[0],
             (unsigned)cli_number("SECONDS", members_and_seconds[1], 1, 3600));
    return cli_finish(EXIT_CLEAN);
}

int main(int argc, char **argv)
{
    cli_start(argv[0]);
    if (argc == 7 && strcmp(argv[1], "code") == 0)
        return run_mutants_of_code(argv[2], argv[3], argv[4], argv + 5);
    if (argc == 6 && strcmp(argv[1], "loaded") == 0)
        return run_mutants_of_code(argv[2], argv[3], NULL, argv + 4);
    bool is_lanes = argc > 1 && strcmp(argv[1], "lanes") == 0;
    if (argc < 4 || (is_lanes ? argc > 5 : strcmp(argv[1], "decoders") != 0)) {
        fputs("usage: museum decoders VECTORS ENCODING [GLOB...]\n"
              "       museum lanes VECTORS ENCODING [STRIDE]\n"
              "       museum code VECTORS ENCODING CODEC MEMBER,... SECONDS\n"
              "       museum loaded VECTORS ENCODING MEMBER,... SECONDS\n",
              stderr);
        return EXIT_CANNOT_RUN;
    }
    static struct trials trials; /* static, so that leak checkers find its seat, which is never freed */
    trials = strcmp(argv[2], "made") == 0 ? trials_make(argv[3]) : trials_load(argv[2], argv[3]);
    trials_survive_crashes();
    setvbuf(stdout, NULL, _IOLBF, BUFSIZ);
    if (is_lanes)
        run_lanes(&trials, argc > 4 ? (size_t)cli_number("STRIDE", argv[4], 1, 1u << 20) : 1);
    else
        run_decoders(&trials, argv + 4);
    return cli_finish(EXIT_CLEAN);
}
