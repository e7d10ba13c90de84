/* SPDX-License-Identifier: MIT
 *
 * posix.c - the functions that posix.h declares, by those of Windows.
 */
#include "posix.h"

#include <errno.h>
#include <fcntl.h>
#include <io.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <windows.h>

/* Files, standard input and standard output are binary: no line end is converted. Runs before main(). */
static __attribute__((constructor)) void take_bytes_as_they_are(void)
{
    _fmode = _O_BINARY;
    for (int file = 0; file <= 2; file++)
        _setmode(file, _O_BINARY);
}

/* ---- memory ------------------------------------------------------------------------------------ */

static DWORD protection_of(int protection)
{
    return (protection & PROT_WRITE) != 0  ? PAGE_READWRITE
           : (protection & PROT_READ) != 0 ? PAGE_READONLY
                                           : PAGE_NOACCESS;
}

void *mmap(void *address, size_t length, int protection, int flags, int file, long long offset)
{
    (void)flags, (void)file, (void)offset;
    void *memory = VirtualAlloc(address, length, MEM_RESERVE | MEM_COMMIT, protection_of(protection));
    return memory != NULL ? memory : MAP_FAILED;
}

int mprotect(void *address, size_t length, int protection)
{
    DWORD before;
    return VirtualProtect(address, length, protection_of(protection), &before) ? 0 : -1;
}

int munmap(void *address, size_t length)
{
    (void)length;
    return VirtualFree(address, 0, MEM_RELEASE) ? 0 : -1;
}

long sysconf(int name)
{
    SYSTEM_INFO system;
    GetSystemInfo(&system);
    return name == _SC_PAGESIZE ? (long)system.dwPageSize : -1;
}

/* ---- files --------------------------------------------------------------------------------------- */

ssize_t readlink(const char *path, char *target, size_t capacity)
{
    (void)path;
    DWORD length = GetModuleFileNameA(NULL, target, (DWORD)capacity);
    if (length == 0 || length == capacity)
        return -1;
    for (DWORD i = 0; i < length; i++)
        if (target[i] == '\\')
            target[i] = '/';
    return (ssize_t)length;
}

int alphasort(const struct dirent **left, const struct dirent **right)
{
    return strcmp((*left)->d_name, (*right)->d_name);
}

/* Appends a copy of an entry to the list; false if there is no memory. */
static bool append(struct dirent ***entries, int count, const struct dirent *entry)
{
    struct dirent **longer = realloc(*entries, ((size_t)count + 1) * sizeof *longer);
    if (longer == NULL)
        return false;
    *entries = longer;
    longer[count] = malloc(sizeof *entry);
    if (longer[count] == NULL)
        return false;
    *longer[count] = *entry;
    return true;
}

int scandir(const char *path, struct dirent ***entries, int (*chosen)(const struct dirent *),
            int (*compare)(const struct dirent **, const struct dirent **))
{
    int count = 0;
    bool fits = true;
    DIR *folder = opendir(path);
    if (folder == NULL)
        return -1;
    *entries = NULL;
    for (struct dirent *entry = readdir(folder); entry != NULL && fits; entry = readdir(folder))
        if (chosen == NULL || chosen(entry) != 0) {
            fits = append(entries, count, entry);
            count += fits;
        }
    closedir(folder);
    if (!fits) {
        errno = ENOMEM;
        return -1;
    }
    if (count > 0)
        qsort(*entries, (size_t)count, sizeof **entries, (int (*)(const void *, const void *))(void (*)(void))compare);
    return count;
}

int lstat(const char *path, struct stat *status)
{
    return stat(path, status);
}

int fchmod(int file, mode_t mode)
{
    (void)file, (void)mode;
    return 0;
}

char *realpath(const char *path, char *resolved)
{
    return access(path, F_OK) == 0 ? _fullpath(resolved, path, 0) : NULL;
}

int posix_rename(const char *from, const char *to)
{
    if (MoveFileExA(from, to, MOVEFILE_REPLACE_EXISTING))
        return 0;
    errno = EACCES;
    return -1;
}

/* ---- streams into memory ------------------------------------------------------------------------- */

/* The open streams. A report of failed cases keeps some open for each codec. */
enum { STREAMS_MAX = 512 };
static struct stream {
    FILE *file; /* NULL: this one is free */
    char **text;
    size_t *size;
} streams[STREAMS_MAX];

static struct stream *find_stream(const FILE *file)
{
    struct stream *stream = streams;
    while (stream < streams + STREAMS_MAX && stream->file != file)
        stream++;
    return stream < streams + STREAMS_MAX ? stream : NULL;
}

/* Opens a new file in the system's temporary folder, which is removed when it is closed. Its name contains the process
 * number: _tempnam() sometimes gives two processes the same name, and one of them cannot open it. */
static FILE *open_temporary(void)
{
    enum { ATTEMPTS = 1000 }; /* a file may remain of a killed process that had the same number */
    static unsigned next;
    char folder[MAX_PATH + 1], path[MAX_PATH + 40];
    DWORD length = GetTempPathA(sizeof folder, folder);
    if (length == 0 || length > MAX_PATH)
        return NULL;
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
        snprintf(path, sizeof path, "%sassay-%lu-%u", folder, GetCurrentProcessId(), next++);
        int file =
            _open(path, _O_RDWR | _O_CREAT | _O_EXCL | _O_BINARY | _O_SHORT_LIVED | _O_TEMPORARY, _S_IREAD | _S_IWRITE);
        if (file >= 0)
            return _fdopen(file, "w+b");
    }
    return NULL;
}

FILE *open_memstream(char **text, size_t *size)
{
    struct stream *stream = find_stream(NULL);
    if (stream == NULL)
        return NULL;
    stream->file = open_temporary();
    stream->text = text;
    stream->size = size;
    return stream->file;
}

/* Reads the whole text, and ends it with a zero. */
static bool read_back(const struct stream *stream)
{
    long size = ftell(stream->file);
    char *text = size >= 0 ? malloc((size_t)size + 1) : NULL;
    if (text == NULL)
        return false;
    rewind(stream->file);
    *stream->size = fread(text, 1, (size_t)size, stream->file);
    text[*stream->size] = '\0';
    *stream->text = text;
    return *stream->size == (size_t)size;
}

int posix_fclose(FILE *file)
{
    struct stream *stream = file != NULL ? find_stream(file) : NULL;
    bool is_read = stream == NULL || read_back(stream);
    if (stream != NULL)
        stream->file = NULL;
#undef fclose
    return fclose(file) == 0 && is_read ? 0 : EOF;
}

/* ---- names, terminals ---------------------------------------------------------------------------- */

int fnmatch(const char *pattern, const char *name, int flags)
{
    for (; *pattern != '\0'; pattern++, name++) {
        if (*pattern == '*') {
            while (fnmatch(pattern + 1, name, flags) != 0)
                if (*name++ == '\0')
                    return FNM_NOMATCH;
            return 0;
        }
        if (*name == '\0' || (*pattern != '?' && *pattern != *name))
            return FNM_NOMATCH;
    }
    return *name == '\0' ? 0 : FNM_NOMATCH;
}

int ioctl(int file, int request, struct winsize *size)
{
    (void)file, (void)request, (void)size;
    return -1;
}
