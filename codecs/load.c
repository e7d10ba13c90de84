/* SPDX-License-Identifier: MIT
 *
 * Loadable codecs: shared libraries, opened and examined. A file of its own, because some systems, such as WebAssembly,
 * have no shared libraries.
 */
#include "registry.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#ifdef _WIN32
#include <windows.h>

/* The functions of POSIX, over those of Windows. */
enum { RTLD_NOW, RTLD_LOCAL };

static void *dlopen(const char *path, int flags)
{
    (void)flags;
    return (void *)LoadLibraryA(path);
}

static const void *dlsym(void *library, const char *name)
{
    return (const void *)(size_t)GetProcAddress((HMODULE)library, name);
}

static void dlclose(void *library)
{
    FreeLibrary((HMODULE)library);
}

static const char *dlerror(void)
{
    static char complaint[64];
    snprintf(complaint, sizeof complaint, "Windows cannot load it, or it exports no `assay_codec` (error %lu)",
             GetLastError());
    return complaint;
}
#elif defined(ASSAY_ONE_FILE)
enum { RTLD_NOW, RTLD_LOCAL };

/* A static program cannot load libraries. */
static void *dlopen(const char *path, int flags)
{
    (void)path;
    (void)flags;
    return NULL;
}

static const void *dlsym(void *library, const char *name)
{
    (void)library;
    (void)name;
    return NULL;
}

static void dlclose(void *library)
{
    (void)library;
}

static const char *dlerror(void)
{
    return "this assay is one static file, which cannot load a shared library; one that is built with `cmake --preset dev` can";
}
#else
#include <dlfcn.h>
#endif

/* Returns why the path cannot be that of a library, NULL if it may be. Only regular files are opened: opening a pipe
 * would wait for ever. */
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

/* True if two names have the same letters and digits, in either case: "utf8" and "UTF-8". */
static bool is_alike(const char *one, const char *other)
{
    do {
        while (*one != '\0' && !isalnum((unsigned char)*one))
            one++;
        while (*other != '\0' && !isalnum((unsigned char)*other))
            other++;
        if (tolower((unsigned char)*one) != tolower((unsigned char)*other))
            return false;
    } while (*one++ != '\0' && *other++ != '\0');
    return true;
}

/* Writes a sentence about a codec whose encoding is not known here. */
static void refuse_encoding(char *complaint, size_t room, const char *path, const char *encoding)
{
    if (!is_name(encoding)) {
        snprintf(complaint, room, "%s is for an encoding that nothing here can be compared with, and that has no name",
                 path);
        return;
    }
    const char *meant = NULL;
    for (size_t i = 0; i < registry_count() && meant == NULL; i++)
        if (is_alike(encoding, registry_at(i)->encoding))
            meant = registry_at(i)->encoding;
    snprintf(complaint, room, "%s is for the encoding '%s', and nothing here can be compared with it%s%s%s", path,
             encoding, meant != NULL ? "; did it mean '" : "", meant != NULL ? meant : "", meant != NULL ? "'?" : "");
}

const char *registry_load(const char *path)
{
    enum { PATH_ROOM = 4096 };
    static char complaint[PATH_ROOM + 256]; /* the path, a colon, and a sentence */
    char named
        /* the path, with ./ before it if it has no slash: dlopen() looks for a name without a slash in the library
         * path */
        [PATH_ROOM];
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
    } else if (codec->encoding == NULL || codec->name == NULL) {
        snprintf(complaint, sizeof complaint, "%s: its codec has no %s (NULL)", path,
                 codec->encoding == NULL ? "encoding" : "name");
    } else if (registry_reference(codec->encoding) == NULL) {
        refuse_encoding(complaint, sizeof complaint, path, codec->encoding);
    } else if (!is_name(codec->name)) {
        snprintf(complaint, sizeof complaint,
                 "%s: the name of a codec is 1 to 64 of A-Z a-z 0-9 . _ + -, and its is not", path);
    } else if (registry_find(codec->encoding, codec->name) != NULL) {
        snprintf(complaint, sizeof complaint, "there is already a codec %s/%s", codec->encoding, codec->name);
    } else if (!registry_add(codec)) {
        snprintf(complaint, sizeof complaint, "no room for one more loaded codec");
    } else {
        return NULL;
    }
    if (library != NULL)
        dlclose(library);
    return complaint;
}
