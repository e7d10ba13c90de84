/* SPDX-License-Identifier: MIT
 *
 * Every program that a hunt starts, as a fake: the name of the file says which one it is. An input that holds a `!`
 * diverges; the variable FAKE of the environment says how else to behave. A hunt starts twenty of them and test_hunt.py
 * a hundred hunts, so it is a program that begins at once.
 */
#define _GNU_SOURCE
#include <ftw.h>
#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { CODECS_MAX = 8, FILES_MAX = 4096, DISK_STEP = 4 << 20 };

static char self[PATH_MAX];
static char **words; /* of the command line, ended by NULL */
static const char *last_word;

/* The codecs that differ on inputs with their byte, beside the reference. */
static struct codec {
    char encoding[64], name[64];
    char mark;
    bool is_loaded;
} codecs[CODECS_MAX];
static size_t codec_count;
static bool has_odd_library;

/* What goes wrong ends the fake as it would end a program. */
static _Noreturn void fail(const char *what)
{
    perror(what);
    exit(1);
}

/* True if a word is in a list that is parted by a character. */
static bool is_listed(const char *list, const char *word, char between)
{
    size_t length = strlen(word);
    for (const char *at = list; at != NULL && (at = strstr(at, word)) != NULL; at += length)
        if ((at == list || at[-1] == between) && (at[length] == between || at[length] == '\0'))
            return true;
    return false;
}

static bool is_so(const char *how)
{
    return is_listed(getenv("FAKE"), how, ' ');
}

/* The word after a word, or NULL. */
static char **after(const char *word)
{
    for (char **at = words; *at != NULL; at++)
        if (strcmp(*at, word) == 0)
            return at + 1;
    return NULL;
}

/* The value of a word such as -name=value, or NULL. */
static const char *value_of(const char *name)
{
    size_t length = strlen(name);
    for (char **at = words; *at != NULL; at++)
        if (strncmp(*at, name, length) == 0 && (*at)[length] == '=')
            return *at + length + 1;
    return NULL;
}

static char *text(const char *format, const char *a, const char *b)
{
    char *made;
    if (asprintf(&made, format, a, b) < 0)
        fail("asprintf");
    return made;
}

static void write_file(const char *path, const char *mode, const char *bytes, size_t count)
{
    FILE *file = fopen(path, mode);
    if (file == NULL || fwrite(bytes, 1, count, file) != count || fclose(file) != 0)
        fail(path);
}

/* The bytes of a file, and a zero after them. */
static char *content(const char *path, size_t *count)
{
    FILE *file = fopen(path, "rb");
    struct stat status;
    if (file == NULL || fstat(fileno(file), &status) != 0)
        fail(path);
    char *bytes = calloc((size_t)status.st_size + 1, 1);
    *count = bytes == NULL ? 0 : fread(bytes, 1, (size_t)status.st_size, file);
    fclose(file);
    return bytes;
}

static bool holds(const char *path, char mark)
{
    size_t count;
    char *bytes = content(path, &count);
    bool found = memchr(bytes, mark, count) != NULL;
    free(bytes);
    return found;
}

static void add_codec(const char *encoding, const char *name, char mark, bool is_loaded)
{
    struct codec *codec = codecs;
    while (codec < codecs + codec_count && strcmp(codec->name, name) != 0)
        codec++;
    codec_count += codec == codecs + codec_count;
    snprintf(codec->name, sizeof codec->name, "%s", name);
    codec->mark = mark;
    if (is_loaded) {
        snprintf(codec->encoding, sizeof codec->encoding, "%s", encoding);
        codec->is_loaded = true;
    }
}

/* A library is a file that says ENCODING/NAME. */
static void load(const char *path)
{
    size_t count;
    if (strlen(path) >= 6 && strcmp(path + strlen(path) - 6, "odd.so") == 0) {
        has_odd_library = true;
        return;
    }
    char *encoding = content(path, &count), *name = strchr(encoding, '/');
    if (name == NULL)
        fail(path);
    *name = '\0';
    add_codec(encoding, name + 1, '?', true);
}

static void find_codecs(void)
{
    char *paths = getenv("ASSAY_CODECS"), *rest = NULL;
    bool are_named = false;
    for (char **at = words; *at != NULL; at++)
        if (strncmp(*at, "--codec=", 8) == 0) {
            load(*at + 8);
            are_named = true;
        }
    if (!are_named && paths != NULL)
        for (char *path = strtok_r(strdup(paths), ":", &rest); path != NULL; path = strtok_r(NULL, ":", &rest))
            load(path);
    add_codec("utf-8", "fake", '!', false);
    if (is_so("twins"))
        add_codec("utf-8", "twin", '!', false);
}

/* ---- the programs ------------------------------------------------------------------------------------ */

static void wake(int number)
{
    (void)number;
}

static void be_stubborn(void)
{
    signal(SIGINT, SIG_IGN);
    pid_t child = fork();
    if (child == 0) {
        setsid();
        execlp("sleep", "sleep", "1000", (char *)NULL);
        _exit(127);
    }
    char pids[64];
    int count = snprintf(pids, sizeof pids, "%d\n%d\n", (int)getpid(), (int)child);
    write_file(getenv("PIDS"), "ab", pids, (size_t)count);
}

/* What an engine does with its time. As engines do, it ends well when it is interrupted. */
static void stay(const char *seconds)
{
    if (is_so("fills-the-disk"))
        write_file(text("%s/%s", getenv("FULL"), "filling"), "ab", calloc(DISK_STEP, 1), DISK_STEP);
    if (is_so("stubborn")) {
        be_stubborn();
        seconds = "1000";
    }
    if (is_so("hasty") || (is_so("hasty-once") && access(getenv("PIDS"), F_OK) != 0)) {
        write_file(getenv("PIDS"), "wb", "", 0); /* as an engine that gives up before its time */
        return;
    }
    if (!is_so("stubborn"))
        sigaction(SIGINT, &(struct sigaction){.sa_handler = wake}, NULL);
    sleep((unsigned)atoi(seconds));
}

/* Configures, or builds: each target is a copy of this program. */
static int cmake(void)
{
    size_t count;
    char **folder = after("--build"), *program;
    if (folder == NULL) {
        static const char cache[] = "CMAKE_C_COMPILER:STRING=gcc\n";
        folder = after("-B");
        for (char *at = *folder; (at = strchr(at + 1, '/')) != NULL; *at = '/') {
            *at = '\0';
            mkdir(*folder, 0755);
        }
        mkdir(*folder, 0755);
        write_file(text("%s/%s", *folder, "CMakeCache.txt"), "wb", cache, sizeof cache - 1);
        return 0;
    }
    if (is_so("no-build")) {
        puts("engine.c:1: error: it does not compile");
        return 1;
    }
    program = content(self, &count);
    for (char **target = after("--target"); *target != NULL; target++) {
        char *path = text("%s/%s", *folder, *target);
        struct stat status;
        if (stat(path, &status) == 0 && S_ISDIR(status.st_mode))
            continue;
        unlink(path);
        write_file(path, "wb", program, count);
        chmod(path, 0755);
    }
    return 0;
}

static void print_row(const char *encoding, const char *name, const char *needs)
{
    static const char *between = "[";
    printf("%s{\"encoding\": \"%s\", \"codec\": \"%s\", \"needs\": \"%s\", \"runs\": %s, \"emulated\": false}", between,
           encoding, name, needs, strcmp(needs, "any") == 0 ? "true" : "false");
    between = ", ";
}

static int list(void)
{
    print_row("utf-8", "reference", "any");
    print_row("utf-8", "fake", "any");
    print_row("utf-8", "wide", "avx9");
    print_row("utf-8", "broad", "avx512");
    if (is_so("twins"))
        print_row("utf-8", "twin", "any");
    for (size_t i = 0; i < codec_count; i++)
        if (codecs[i].is_loaded)
            print_row(codecs[i].encoding, codecs[i].name, "any");
    puts("]");
    return 0;
}

/* `assay list`, and `assay diff`; other commands say the same as `diff`. */
static int assay(void)
{
    if (strcmp(words[0], "list") == 0)
        return list();
    if (has_odd_library)
        return 2; /* as if it could not be loaded */
    bool is_json = after("--json") != NULL, is_wrong = false;
    if (is_json)
        printf("{\"codecs\": [{\"codec\": \"reference\", \"well_formed\": true}");
    for (size_t i = 0; i < codec_count; i++) {
        bool differs = holds(last_word + 1, codecs[i].mark);
        is_wrong |= differs;
        if (is_json)
            printf(", {\"codec\": \"%s\", \"well_formed\": %s}", codecs[i].name, differs ? "false" : "true");
        else if (differs)
            printf("key utf8-validate-%s-verdict\n", codecs[i].name);
    }
    if (is_json)
        puts("]}");
    else if (!is_wrong)
        puts("no divergence");
    if (!is_json && strcmp(words[0], "diff") == 0)
        printf("again build/assay diff %s\n", last_word);
    return is_wrong;
}

static int afl(void)
{
    if (is_so("afl-refuses")) {
        puts("\n[-] PROGRAM ABORT : Pipe at the beginning of 'core_pattern'\n         Location : main(), x.c:1");
        return 1;
    }
    char *folder = text("%s/%s", *after("-o"), "default"), *crashes = text("%s/%s", folder, "crashes");
    mkdir(*after("-o"), 0755);
    if (mkdir(folder, 0755) != 0 || mkdir(crashes, 0755) != 0)
        fail(folder);
    if (is_so("afl-finds"))
        write_file(text("%s/%s", crashes, "id:000000,sig:06"), "wb", "noise ! noise", 13);
    if (is_so("afl-crashes-once"))
        write_file(text("%s/%s", crashes, "id:000001,sig:06"), "wb", "noise", 5);
    stay(*after("-V"));
    const char *stats = text("execs_done : %s\nedges_found : 7\n%s", is_so("afl-idle") ? "0" : "1000", "");
    write_file(text("%s/%s", folder, "fuzzer_stats"), "wb", stats, strlen(stats));
    return 0;
}

static void print_letter(const char *name)
{
    printf("utf-8/%s differs from utf-8/reference\n  asked         validate; verdict differs\n"
           "finding utf8-validate-%s-verdict\n",
           name, name);
}

static int fuzz(void)
{
    puts("#9 DONE cov: 5 ft: 6 corp: 7/8b exec/s: 9\nstat::number_of_executed_units: 500");
    fflush(stdout);
    for (size_t i = 0; i < codec_count; i++) {
        const char *key = text("utf8-validate-%s-verdict%s", codecs[i].name, "");
        if (!is_so("libfuzzer-finds") || is_listed(getenv("ASSAY_KNOWN"), key, ':'))
            continue;
        char input[] = "xxxxxxxx?yyyyyyyy";
        input[8] = codecs[i].mark;
        write_file(text("%s%s", value_of("-artifact_prefix"), "crash-1"), "wb", input, sizeof input - 1);
        print_letter(codecs[i].name);
        return 77;
    }
    stay(value_of("-max_total_time"));
    return 0;
}

static char *found[FILES_MAX];
static size_t found_count;

static int add_file(const char *path, const struct stat *status, int kind)
{
    (void)status;
    if (kind == FTW_F && found_count < FILES_MAX)
        found[found_count++] = strdup(path);
    return 0;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static int replay(void)
{
    bool is_wrong = false;
    for (char **at = words; *at != NULL; at++)
        if (**at != '-') {
            size_t first = found_count;
            ftw(*at, add_file, 16);
            qsort(found + first, found_count - first, sizeof *found, by_name);
        }
    for (size_t file = 0; file < found_count; file++)
        for (size_t i = 0; i < codec_count; i++)
            if (holds(found[file], codecs[i].mark)) {
                is_wrong = true;
                print_letter(codecs[i].name);
                printf("in %s\n", found[file]);
            }
    printf("ran decode reference");
    for (size_t i = 0; i < codec_count; i++)
        printf(" %s", codecs[i].name);
    printf("%s (10 answers compared, 0 skipped)\n", strstr(self, "emulated") != NULL ? " broad" : "");
    return is_wrong;
}

/* A target: with libFuzzer's option it fuzzes, else it replays. */
static int target(void)
{
    const char *profile = getenv("LLVM_PROFILE_FILE");
    if (value_of("-max_total_time") != NULL)
        return fuzz();
    if (profile != NULL && is_so("no-replay"))
        return 3;
    if (profile != NULL && !is_so("no-profile"))
        write_file(profile, "ab", "", 0);
    return replay();
}

static int profdata(void)
{
    write_file(*after("-o"), "ab", "", 0);
    return 0;
}

/* The last word is a program in a folder of the folder build. */
static int cov(void)
{
    char *root = strdup(last_word);
    for (int i = 0; i < 3; i++)
        *strrchr(root, '/') = '\0';
    printf("{\"data\": [{\"files\": [{\"filename\": \"%s/codecs/reference/utf8.c\", \"segments\": [[1, 1, 5, true], "
           "[4, 1, 0, true], [4, 9, 0, false]], \"branches\": []}]}]}\n",
           root);
    return 0;
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        int (*run)(void);
    } programs[] = {
        {"cmake", cmake}, {"assay", assay}, {"afl-fuzz", afl}, {"llvm-profdata", profdata}, {"llvm-cov", cov}};
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    if (length < 0)
        fail("/proc/self/exe");
    words = argv + 1;
    last_word = argv[argc - 1];
    find_codecs();
    char *name = strdup(strrchr(self, '/') + 1);
    for (const char *const *plant = (const char *const[]){"-broad", "-fake", NULL}; *plant != NULL; plant++) {
        char *at = strstr(name, *plant);
        if (at != NULL)
            *at = '\0';
    }
    for (size_t i = 0; i < sizeof programs / sizeof programs[0]; i++)
        if (strcmp(name, programs[i].name) == 0)
            return programs[i].run();
    return target();
}
