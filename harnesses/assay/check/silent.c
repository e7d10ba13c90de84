/* SPDX-License-Identifier: MIT
 *
 * Counts codecs that give no answer. After a few times they are not asked again.
 */
#include "check.h"

#include "../../core/silence.h"

static struct silent_codec *find_silent(struct run *run, const struct assay_codec *codec)
{
    for (size_t i = 0; i < run->silent_count; i++)
        if (run->silent[i].codec == codec)
            return &run->silent[i];
    return NULL;
}

void silent_count(struct run *run, const struct assay_codec *codec)
{
    struct silent_codec *silent = find_silent(run, codec);
    if (silent == NULL) {
        silent = &run->silent[run->silent_count++];
        silent->codec = codec;
    }
    silent->silences++;
}

bool silent_is_left_out(struct run *run, const struct assay_codec *codec)
{
    const struct silent_codec *silent = find_silent(run, codec);
    return silent != NULL && silent->silences >= SILENCES_MAX;
}

bool silent_skip_case(struct run *run, const struct assay_codec *codec)
{
    if (!silent_is_left_out(run, codec))
        return false;
    find_silent(run, codec)->left_out++;
    run->now.tally.skipped++;
    return true;
}

json_t *silent_report(const struct run *run)
{
    json_t *list = json_array();
    for (const struct silent_codec *silent = run->silent; silent < run->silent + run->silent_count; silent++) {
        if (silent->left_out == 0)
            continue;
        if (check_settings.as_json)
            json_array_append_new(list, json_pack("{s:o, s:I, s:I}", "codec",
                                                  json_sprintf("%s/%s", silent->codec->encoding, silent->codec->name),
                                                  "silences", (json_int_t)silent->silences, "skipped",
                                                  (json_int_t)silent->left_out));
        else
            printf("%s/%s gave no answer %zu times; then it was left alone, and %zu case%s skipped\n",
                   silent->codec->encoding, silent->codec->name, silent->silences, silent->left_out,
                   silent->left_out == 1 ? " was" : "s were");
    }
    return list;
}
