/* SPDX-License-Identifier: MIT
 *
 * provenance.h - which program, command and commit made a report, and when. Pages show it.
 */
#ifndef ASSAY_PROVENANCE_H
#define ASSAY_PROVENANCE_H

#include "cli.h"

/* Keeps the words of the command line, which must stay valid. */
void keep_command_line(char **words);

/* {"version", "commit", "date", "command"}: the commit of the sources, as `git describe` says it, is left out if they are in no
 * repository of their own; the date is that of the call, in UTC (ISO 8601); the command is an array of words. For the caller to
 * release. */
json_t *made(void);

#endif
