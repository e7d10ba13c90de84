/* SPDX-License-Identifier: MIT */
#include "registry.h"

#include "assume.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#define SCHEME(id, name) extern const struct scheme scheme_##id;
#include "codecs.def"

enum { LOADED_MAX = 64 };
static struct registry_row loaded[LOADED_MAX];
static struct assay_codec loaded_codecs[LOADED_MAX]; /* copies of full size: members newer than the library are NULL */
static size_t loaded_count;

size_t registry_count(void)
{
    return built_in_count() + loaded_count;
}

const struct registry_row *registry_at(size_t index)
{
    ASSUME(index < registry_count());
    return index < built_in_count() ? built_in_at(index) : &loaded[index - built_in_count()];
}

const struct registry_row *registry_find(const char *encoding, const char *name)
{
    for (size_t i = 0; i < registry_count(); i++) {
        const struct registry_row *row = registry_at(i);
        if (strcmp(row->encoding, encoding) == 0 && strcmp(row->name, name) == 0)
            return row;
    }
    return NULL;
}

const struct assay_codec *registry_reference(const char *encoding)
{
    for (size_t i = 0; i < registry_count(); i++)
        if (strcmp(registry_at(i)->encoding, encoding) == 0)
            return registry_at(i)->codec;
    return NULL;
}

bool registry_is_reference(const struct registry_row *row)
{
    return row->codec != NULL && row->codec == registry_reference(row->encoding);
}

const struct scheme *registry_scheme(const char *encoding)
{
    static const struct {
        const char *encoding;
        const struct scheme *scheme;
    } schemes[] = {
#define SCHEME(id, name) {name, &scheme_##id},
#include "codecs.def"
    };
    for (size_t i = 0; i < sizeof schemes / sizeof schemes[0]; i++)
        if (strcmp(schemes[i].encoding, encoding) == 0)
            return schemes[i].scheme;
    return NULL;
}

/* Returns why a path cannot be a library, NULL if it may be one. To open a pipe would wait for ever, so only regular files
 * are opened. */
static const char *refuse_file(const char *path)
{
    struct stat status;
    if (strcmp(path, "./") == 0)
        return "it names no library";
    if (stat(path, &status) != 0)
        return NULL; /* dlopen reports the reason */
    return S_ISREG(status.st_mode) ? NULL : S_ISDIR(status.st_mode) ? "it is a directory" : "it is no file";
}

/* True if the name is an identifier: it is used in lists, globs, keys, file names and reports. */
static bool is_name(const char *name)
{
    enum { LONGEST_NAME = 64 };
    size_t length = strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._+-");
    return length > 0 && length <= LONGEST_NAME && name[length] == '\0';
}

const char *registry_load(const char *path)
{
    enum { PATH_ROOM = 4096 };
    static char complaint[PATH_ROOM + 256]; /* a path and a sentence */
    char named[PATH_ROOM]; /* the path, after ./ if it has no slash: dlopen searches the library path for a name without one */
    if ((size_t)snprintf(named, sizeof named, "%s%s", strchr(path, '/') == NULL ? "./" : "", path) >= sizeof named)
        return "the path of the library is too long: 4,095 bytes at most";
    const char *refusal = refuse_file(named);
    if (refusal != NULL) {
        snprintf(complaint, sizeof complaint, "%s: %s", path, refusal);
        return complaint;
    }
    void *library = dlopen(named, RTLD_NOW | RTLD_LOCAL);
    const struct assay_codec *codec = library != NULL ? dlsym(library, "assay_codec") : NULL;
    if (codec == NULL) {
        const char *why = dlerror();
        snprintf(complaint, sizeof complaint, "%s", why != NULL ? why : "it exports no `assay_codec`");
    } else if (codec->abi_version != ASSAY_ABI_VERSION || codec->struct_size < ASSAY_CODEC_LEAST_SIZE ||
               codec->struct_size > sizeof *codec) {
        snprintf(complaint, sizeof complaint, "%s speaks ABI %u with %u bytes; this program speaks %u with %zu", path,
                 (unsigned)codec->abi_version, (unsigned)codec->struct_size, ASSAY_ABI_VERSION, sizeof *codec);
    } else if (codec->encoding == NULL || codec->name == NULL || registry_reference(codec->encoding) == NULL) {
        snprintf(complaint, sizeof complaint, "%s is for an encoding that nothing here can be compared with", path);
    } else if (!is_name(codec->name)) {
        snprintf(complaint, sizeof complaint, "%s: the name of a codec is 1 to 64 of A-Z a-z 0-9 . _ + -, and its is not", path);
    } else if (registry_find(codec->encoding, codec->name) != NULL) {
        snprintf(complaint, sizeof complaint, "there is already a codec %s/%s", codec->encoding, codec->name);
    } else if (loaded_count == LOADED_MAX) {
        snprintf(complaint, sizeof complaint, "more than %d loaded codecs", LOADED_MAX);
    } else {
        memcpy(&loaded_codecs[loaded_count], codec, codec->struct_size);
        loaded[loaded_count] = (struct registry_row){&loaded_codecs[loaded_count], codec->encoding, codec->name, CPU_ANY};
        loaded_count++;
        return NULL;
    }
    if (library != NULL)
        dlclose(library);
    return complaint;
}

static const struct words {
    const char *name, *sentence;
} faults[] = {
#define X(id, name, sentence) {name, sentence},
    ASSAY_FAULTS(X)
#undef X
}, policies[] = {
#define X(id, name, sentence) {name, sentence},
    ASSAY_POLICIES(X)
#undef X
};

const char *assay_fault_name(enum assay_fault fault)
{
    return (unsigned)fault < ASSAY_FAULT_COUNT ? faults[fault].name : "no-such-fault";
}

const char *assay_fault_sentence(enum assay_fault fault)
{
    return (unsigned)fault < ASSAY_FAULT_COUNT ? faults[fault].sentence : "a fault that codec.h does not have";
}

const char *assay_policy_name(enum assay_policy policy)
{
    ASSUME((unsigned)policy < ASSAY_POLICY_COUNT);
    return policies[policy].name;
}

const char *assay_policy_sentence(enum assay_policy policy)
{
    ASSUME((unsigned)policy < ASSAY_POLICY_COUNT);
    return policies[policy].sentence;
}

enum assay_policy assay_policy_parse(const char *name)
{
    size_t policy = 0;
    while (policy < ASSAY_POLICY_COUNT && strcmp(policies[policy].name, name) != 0)
        policy++;
    return (enum assay_policy)policy;
}
