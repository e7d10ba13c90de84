/* SPDX-License-Identifier: MIT
 *
 * A decoder of decoders/ as a loadable codec, so that fuzzers can be given one. The environment variable ASSAY_EXHIBIT
 * names its encoding and its mistake: utf-8/bom-twice. The name `control` stands for no mistake.
 */
#include "mistake.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ENCODING(id, name) extern const struct assay_codec codec_##id##_reference;
#include "../../codecs/codecs.def"

struct assay_codec assay_codec;

static const struct assay_codec *find_reference(const char *encoding, size_t length)
{
    static const struct assay_codec *const references[] = {
#define ENCODING(id, name) &codec_##id##_reference,
#include "../../codecs/codecs.def"
    };
    for (size_t i = 0; i < sizeof references / sizeof references[0]; i++)
        if (strlen(references[i]->encoding) == length && memcmp(references[i]->encoding, encoding, length) == 0)
            return references[i];
    return NULL;
}

static const struct mistake *find_mistake(const char *name)
{
    static const struct mistake control = {"control", "makes no mistake",
                                           .offers = OFFERS_WHOLE | OFFERS_FEED | OFFERS_ENCODE};
    for (size_t i = 0; museum_mistake(i) != NULL; i++)
        if (strcmp(museum_mistake(i)->name, name) == 0)
            return museum_mistake(i);
    return strcmp(name, control.name) == 0 ? &control : NULL;
}

__attribute__((constructor)) static void choose(void)
{
    const char *words = getenv("ASSAY_EXHIBIT") != NULL ? getenv("ASSAY_EXHIBIT") : "";
    size_t length = strcspn(words, "/");
    const struct assay_codec *reference = find_reference(words, length);
    const struct mistake *mistake = words[length] == '/' ? find_mistake(words + length + 1) : NULL;
    if (reference == NULL || mistake == NULL) {
        fprintf(stderr, "exhibit: ASSAY_EXHIBIT is ENCODING/NAME, as `assay museum` lists them, not '%s'\n", words);
        exit(2);
    }
    assay_codec = *museum_codec(reference, mistake);
}
