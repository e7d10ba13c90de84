/* SPDX-License-Identifier: MIT
 *
 * Mutants of the machine code of a codec as it is linked into this program. A patch is a line of standard input: the
 * address of an instruction as in this program's file, its bytes, and the bytes to put in their place, in hex. Each
 * mutant runs in a process of its own.
 */
#define _GNU_SOURCE /* dl_iterate_phdr */
#include "kill.h"
#include "../assay/cli.h"

#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { INSTRUCTION_MAX = 15, REPLY_MAX = 128, PAGE = 4096 };

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
    uintptr_t begin = patch->address / PAGE * PAGE;
    if (mprotect((void *)begin, 2 * PAGE, PROT_READ | PROT_WRITE | PROT_EXEC) != 0)
        cli_fail("the machine code cannot be changed");
    memcpy((void *)patch->address, patch->after, patch->length);
    __builtin___clear_cache((char *)patch->address, (char *)patch->address + patch->length);
}

/* Writes what kills the mutant, or nothing, and ends the process. A signal that ends it also counts as a kill. */
static _Noreturn void run_mutant(struct trials *trials, const struct assay_codec *codec, const struct patch *patch,
                                 unsigned seconds, int reply)
{
    char text[REPLY_MAX];
    setrlimit(RLIMIT_CPU, &(struct rlimit){seconds, seconds});
    setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
    apply(patch);
    struct kill kill = trials_run(trials, codec);
    int count = kill.file == NULL ? 0 : snprintf(text, sizeof text, "%s\t%s", kill.file, kill.field);
    _exit(count > 0 && write(reply, text, (size_t)count) != count);
}

/* Prints `killed`, file and field; or `survived`. */
static void try_patch(struct trials *trials, const struct assay_codec *codec, const struct patch *patch,
                      unsigned seconds)
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
        run_mutant(trials, codec, patch, seconds, ends[1]);
    close(ends[1]);
    ssize_t count = read(ends[0], reply, sizeof reply - 1);
    close(ends[0]);
    waitpid(child, &status, 0);
    if (count > 0)
        printf("killed\t%.*s\n", (int)count, reply);
    else if (WIFSIGNALED(status))
        printf("killed\t\t%s\n", WTERMSIG(status) == SIGXCPU || WTERMSIG(status) == SIGKILL ? "time" : "crash");
    else
        puts(WEXITSTATUS(status) == 0 ? "survived" : "killed\t\texit");
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

void run_code(struct trials *trials, const struct assay_codec *whole, const char *members, unsigned seconds)
{
    const struct assay_codec of_members = limited(whole, members), *codec = &of_members;
    uintptr_t base = 0;
    char line[256];
    dl_iterate_phdr(note_first, &base);
    struct kill kill = trials_run(trials, codec);
    if (kill.file != NULL)
        cli_fail("%s/%s: %s fails as it is shipped", codec->encoding, codec->name, kill.file);
    while (fgets(line, sizeof line, stdin) != NULL) {
        struct patch patch = parse_patch(line, base);
        try_patch(trials, codec, &patch, seconds);
    }
}
