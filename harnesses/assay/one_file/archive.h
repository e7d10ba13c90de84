/* SPDX-License-Identifier: MIT
 *
 * archive.h - the files that a program carries (preset `static`): the vectors. Their names begin with that of the
 * folder.
 */
#ifndef ASSAY_ARCHIVE_H
#define ASSAY_ARCHIVE_H

#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>

#define ARCHIVE_PREFIX "(built in)/"

/* True for a path that begins with ARCHIVE_PREFIX. */
bool archive_has(const char *path);

/* Returns the path of a file or folder of the archive; NULL if there is none of that name. Valid until the next
 * call. */
const char *archive_path(const char *name);

/* As fopen for reading; NULL and errno. The path begins with ARCHIVE_PREFIX. */
FILE *archive_open(const char *path);

/* As scandir with alphasort: the files and folders directly in this folder; -1 and errno if there is none. The path
 * begins with ARCHIVE_PREFIX. */
int archive_list(const char *folder, struct dirent ***entries, int (*filter)(const struct dirent *entry));

#endif
