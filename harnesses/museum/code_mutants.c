/* SPDX-License-Identifier: MIT
 *
 * Mutants of the code of a codec, each in a process of its own: of its machine code as linked into this program, or
 * shared libraries that were compiled from changed sources. A line of standard input names one: a patch (an address as
 * in this program's file, the bytes there, and those to put in their place, in hex), or the path of a library.
 */
#define _GNU_SOURCE /* dl_iterate_phdr */
#include "kill.h"
#include "../assay/cli.h"

#include <limits.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { INSTRUCTION_MAX = 15, REPLY_MAX = 512 };

struct patch {
    uintptr_t address;
    uint8_t before[INSTRUCTION_MAX], after[INSTRUCTION_MAX];
    size_t length;
};

static int note_first(struct dl_phdr_info *info, size_t size, void *base)
{
    (void)size;
    *(uintptr_t *)base = info->dlpi_addr;
    return 1; /* the program itself is the first object; the others are not needed */
}

static size_t parse_bytes(const char *hex, uint8_t bytes[INSTRUCTION_MAX])
{
    size_t count = 0;
    for (unsigned byte; count < INSTRUCTION_MAX && sscanf(hex + 2 * count, "%2x", &byte) == 1; count++)
        bytes[count] = (uint8_t)byte;
    return hex[2 * count] == '\0' ? count : 0;
}

static struct patch parse_patch(const char *line, uintptr_t base)
{
    struct patch patch = {0};
    unsigned long address;
    char before[2 * INSTRUCTION_MAX + 1], after[2 * INSTRUCTION_MAX + 1];
    if (sscanf(line, "%lx %30s %30s", &address, before, after) != 3)
        cli_fail("a patch is ADDRESS BYTES BYTES, not '%s'", line);
    patch.address = base + address;
    patch.length = parse_bytes(before, patch.before);
    if (patch.length == 0 || parse_bytes(after, patch.after) != patch.length)
        cli_fail("a patch puts as many bytes in place of some, not '%s'", line);
    if (memcmp((const void *)patch.address, patch.before, patch.length) != 0)
        cli_fail("at %lX there are other bytes than %s", address, before);
    return patch;
}

static void apply(const struct patch *patch)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    uintptr_t begin = patch->address / page * page;
    if (mprotect((void *)begin, 2 * page, PROT_READ | PROT_WRITE | PROT_EXEC) != 0)
        cli_fail("the machine code cannot be changed");
    memcpy((void *)patch->address, patch->after, patch->length);
    __builtin___clear_cache((char *)patch->address, (char *)patch->address + patch->length);
}

/* True if a comma-separated list contains the name. */
static bool is_listed(const char *list, const char *name)
{
    size_t length = strlen(name);
    for (const char *at = list; at != NULL; at = strchr(at, ','), at += at != NULL)
        if (strncmp(at, name, length) == 0 && (at[length] == ',' || at[length] == '\0'))
            return true;
    return false;
}

/* Returns the codec with only these operations, so that no other question is asked. */
static struct assay_codec limited(const struct assay_codec *codec, const char *members)
{
    struct assay_codec limited = *codec;
#define OPERATION(id, member, ...) \
    if (!is_listed(members, #member)) \
        limited.member = NULL;
#include "../../codecs/operations.def"
    return limited;
}

/* What is asked of each mutant: `codec` is the one to patch, or NULL if each is a library. */
struct asked {
    struct trials *trials;
    const struct assay_codec *codec;
    const char *members;
    unsigned seconds;
    uintptr_t base;   /* where this program is */
    uint64_t answers; /* that the codec gives as it is shipped */
};

/* The mutant that a line names, in this process from here on. */
static const struct assay_codec *become(const struct asked *asked, const char *line)
{
    if (asked->codec != NULL) {
        struct patch patch = parse_patch(line, asked->base);
        apply(&patch);
        return asked->codec;
    }
    const char *complaint = registry_load(line);
    if (complaint != NULL)
        cli_fail("%s", complaint);
    return registry_at(registry_count() - 1)->codec;
}

/* Writes what kills the mutant, or nothing. The process ends; a signal that ends it is the answer, too. */
static _Noreturn void run_mutant(const struct asked *asked, const char *line, int reply)
{
    char text[REPLY_MAX];
    const struct assay_codec codec = limited(become(asked, line), asked->members);
    setrlimit(RLIMIT_CPU, &(struct rlimit){asked->seconds, asked->seconds});
    setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
    uint64_t before = asked->trials->asked;
    struct kill kill = trials_run(asked->trials, &codec);
    /* questions about what a codec does not offer are skipped */
    if (kill.file == NULL && asked->codec != NULL && asked->trials->asked - before != asked->answers)
        kill = (struct kill){"policies", "status"};
    int count = kill.file == NULL ? 0 : snprintf(text, sizeof text, "%s\t%s", kill.file, kill.field);
    if (count >= REPLY_MAX) /* the mutant may have damaged what names the file */
        count = REPLY_MAX - 1;
    _exit(count > 0 && write(reply, text, (size_t)count) != count);
}

/* Prints `killed`, file and field; or `survived`. A mutant that cannot be made ends this program, too. */
static void try_mutant(const struct asked *asked, const char *line)
{
    int ends[2], status;
    char reply[REPLY_MAX];
    fflush(NULL);
    if (pipe(ends) != 0)
        cli_fail("no pipe can be made");
    pid_t child = fork();
    if (child < 0)
        cli_fail("no process can be started");
    if (child == 0)
        run_mutant(asked, line, ends[1]);
    close(ends[1]);
    ssize_t count = read(ends[0], reply, sizeof reply - 1);
    close(ends[0]);
    waitpid(child, &status, 0);
    for (ssize_t i = 0; i < count; i++)
        if (reply[i] != '\t' && (reply[i] < ' ' || reply[i] > '~'))
            reply[i] = '?'; /* a mutant may have damaged what names the file */
    if (count > 0)
        printf("killed\t%.*s\n", (int)count, reply);
    else if (WIFSIGNALED(status))
        printf("killed\t\t%s\n", WTERMSIG(status) == SIGXCPU || WTERMSIG(status) == SIGKILL ? "time" : "crash");
    else if (WEXITSTATUS(status) == EXIT_CANNOT_RUN)
        exit(EXIT_CANNOT_RUN);
    else
        puts(WEXITSTATUS(status) == 0 ? "survived" : "killed\t\texit");
}

/* Asks the codec as it is shipped: it must give no wrong answer, and take at most half of the time that mutants have,
 * so that one that is killed by time takes twice as long. Notes how many answers it gives. */
static void require_right_and_fast(struct asked *asked)
{
    const struct assay_codec as_shipped = limited(asked->codec, asked->members);
    clock_t begin = clock();
    uint64_t before = asked->trials->asked;
    struct kill kill = trials_run(asked->trials, &as_shipped);
    double took = (double)(clock() - begin) / CLOCKS_PER_SEC;
    if (kill.file != NULL)
        cli_fail("%s/%s: %s fails as it is shipped", as_shipped.encoding, as_shipped.name, kill.file);
    if (2 * took > asked->seconds)
        cli_fail("%s/%s takes %.2f s as it is shipped: mutants need at least twice as much, not %u s",
                 as_shipped.encoding, as_shipped.name, took, asked->seconds);
    asked->answers = asked->trials->asked - before;
}

void run_code(struct trials *trials, const struct assay_codec *codec, const char *members, unsigned seconds)
{
    struct asked asked = {.trials = trials, .codec = codec, .members = members, .seconds = seconds};
    char line[PATH_MAX];
    dl_iterate_phdr(note_first, &asked.base);
    if (codec != NULL)
        require_right_and_fast(&asked);
    while (fgets(line, sizeof line, stdin) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        try_mutant(&asked, line);
    }
}
