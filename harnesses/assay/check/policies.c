/* SPDX-License-Identifier: MIT
 *
 * assay check --policies: how many cases each codec passes under each policy. Each case counts once under a policy,
 * however many answers it asks for.
 */
#include "check.h"

#include "../../core/operation.h"

#include <stdlib.h>

void policies_begin(struct run *run)
{
    run->by_policy = cli_alloc(run->codec_count, sizeof *run->by_policy);
}

void policies_end(struct run *run)
{
    free(run->by_policy);
}

void policies_count(struct run *run, const struct assay_codec *codec, enum assay_policy policy, bool agrees)
{
    size_t i = 0;
    while (run->codecs[i]->codec != codec)
        i++;
    struct policy_tally *tally = &run->by_policy[i].of[policy];
    tally->cases += tally->last != run->now.test;
    tally->last = run->now.test;
    if (!agrees) {
        tally->failed += tally->last_failed != run->now.test;
        tally->last_failed = run->now.test;
    }
}

static void print_codec(const struct assay_codec *codec, const struct policy_tallies *tallies)
{
    printf("%s/%s: cases passed under each policy\n", codec->encoding, codec->name);
    for (size_t i = 0; i < ASSAY_POLICY_COUNT; i++) {
        const struct policy_tally *tally = &tallies->of[i];
        size_t passed = tally->cases - tally->failed;
        printf("  %-16s", assay_policy_name((enum assay_policy)i));
        if (tally->cases == 0)
            printf(" not offered, or not asked\n");
        else
            printf(" %6zu of %6zu%s\n", passed, tally->cases, passed == tally->cases ? ", all" : "");
    }
    putchar('\n');
}

json_t *policies_report(const struct run *run)
{
    json_t *list = json_array();
    for (size_t i = 0; i < run->codec_count; i++) {
        const struct assay_codec *codec = run->codecs[i]->codec;
        if (!check_settings.as_json)
            print_codec(codec, &run->by_policy[i]);
        for (size_t j = 0; j < ASSAY_POLICY_COUNT && check_settings.as_json; j++) {
            const struct policy_tally *tally = &run->by_policy[i].of[j];
            json_array_append_new(
                list, json_pack("{s:o, s:s, s:I, s:I}", "codec", json_sprintf("%s/%s", codec->encoding, codec->name),
                                "policy", assay_policy_name((enum assay_policy)j), "cases", (json_int_t)tally->cases,
                                "passed", (json_int_t)(tally->cases - tally->failed)));
        }
    }
    return list;
}
