/* SPDX-License-Identifier: MIT
 *
 * provenance.h - which program, command and commit made a report, and when. Pages show it.
 */
#ifndef ASSAY_PROVENANCE_H
#define ASSAY_PROVENANCE_H

#include "cli.h"

/* Returns {"version", "commit", "date", "command"}. The commit of the sources is that of `git describe`, and is missing
 * if they are not in a repository of their own; the date is that of the call, in UTC (ISO 8601); the command is an
 * array of words. The caller releases it. */
json_t *provenance_as_json(void);

#endif
