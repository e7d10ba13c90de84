/* SPDX-License-Identifier: MIT
 *
 * Which program, command and commit made a report, and when.
 */
#include "provenance.h"

#include "commit.h"

#include <time.h>

json_t *provenance_as_json(void)
{
    json_t *command = json_array();
    for (char **word = cli_words; word != NULL && *word != NULL; word++) {
        json_t *text = (json_string)(*word); /* the check of cli_json() would end the program */
        json_array_append_new(command, text != NULL ? text : json_string("(not UTF-8)"));
    }
    char date[sizeof "2026-01-01T00:00:00Z"];
    time_t now = time(NULL);
    strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", gmtime(&now));
    return json_pack("{s:s, s:s*, s:s, s:o}", "version", ASSAY_VERSION, "commit",
                     ASSAY_COMMIT[0] != '\0' ? ASSAY_COMMIT : NULL, "date", date, "command", command);
}
