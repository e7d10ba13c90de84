/* SPDX-License-Identifier: MIT
 *
 * posix.h - the functions of POSIX that the harnesses use and mingw-w64's C library lacks, over those of Windows: the
 * compiler includes it first in each file. posix.cmake makes the headers of POSIX that are missing, empty.
 */
#ifndef ASSAY_WINDOWS_POSIX_H
#define ASSAY_WINDOWS_POSIX_H

#include <dirent.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/types.h>

/* Memory: whole pages, private, anonymous. munmap() frees what one mmap() returned. */
enum { PROT_NONE = 0, PROT_READ = 1, PROT_WRITE = 2, MAP_PRIVATE = 1, MAP_ANONYMOUS = 2, _SC_PAGESIZE = 1 };
#define MAP_FAILED ((void *)-1)
void *mmap(void *address, size_t length, int protection, int flags, int file, long long offset);
int mprotect(void *address, size_t length, int protection);
int munmap(void *address, size_t length);
long sysconf(int name);

/* Files. readlink() knows one link, /proc/self/exe: the path of this program, with slashes. */
ssize_t readlink(const char *path, char *target, size_t capacity);
int scandir(const char *path, struct dirent ***entries, int (*chosen)(const struct dirent *),
            int (*compare)(const struct dirent **, const struct dirent **));
int alphasort(const struct dirent **left, const struct dirent **right);

int lstat(const char *path, struct stat *status);
int fchmod(int file, mode_t mode);
char *realpath(const char *path, char *resolved); /* `resolved` must be NULL */

/* rename() replaces a file that exists. */
#define rename posix_rename
int posix_rename(const char *from, const char *to);

/* A stream into memory is a temporary file, which fclose() reads and removes. */
FILE *open_memstream(char **text, size_t *size);
#define fclose posix_fclose
int posix_fclose(FILE *file);

/* Supports `*` and `?`. Every other character matches itself, `[` too. */
enum { FNM_NOMATCH = 1 };
int fnmatch(const char *pattern, const char *name, int flags);

/* The width of a terminal is unknown. */
struct winsize {
    unsigned short ws_col;
};
enum { TIOCGWINSZ = 1 };
int ioctl(int file, int request, struct winsize *size);

/* Signal masks are not saved, because there are none. */
#define sigjmp_buf jmp_buf
#define sigsetjmp(environment, saves_mask) setjmp(environment)

#endif
