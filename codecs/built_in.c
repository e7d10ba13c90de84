/* SPDX-License-Identifier: MIT
 *
 * The rows of codecs.def as a table. The build defines ASSAY_HAS_<isa> as 1 for each instruction set whose
 * objects it compiles. ASSAY_MORE_CODECS names a further file of CODEC rows, such as the canary's.
 */
#include "built_in.h"

#include "assume.h"

#include <string.h>

/* IF_BUILT(needs, yes, no) is `yes` if ASSAY_HAS_<needs> is defined as 1, else `no`. */
#define ASSAY_HAS_ANY 1
#define BUILT_MARK_1 ~,
#define SECOND(a, b, ...) b
#define PICK(...) SECOND(__VA_ARGS__)
#define PASTE(a, b) a##b
#define MARK(value) PASTE(BUILT_MARK_, value)
#define IF_BUILT(needs, yes, no) PICK(MARK(ASSAY_HAS_##needs) yes, no, ~)

#define ENCODING(id, name) static const char encoding_##id[] = name;
#define SCHEME ENCODING
#define CODEC(encoding, name, file, needs) extern const struct assay_codec codec_##encoding##_##name;
#include "codecs.def"

#ifdef ASSAY_MORE_CODECS
#define CODEC(encoding, name, file, needs) extern const struct assay_codec codec_##encoding##_##name;
#include ASSAY_MORE_CODECS
#undef CODEC
#endif

#define ROW(encoding, name, file, needs) \
    {IF_BUILT(needs, &codec_##encoding##_##name, NULL), encoding_##encoding, #name, CPU_##needs},
static const struct registry_row built_in[] = {
#define CODEC ROW
#include "codecs.def"
#ifdef ASSAY_MORE_CODECS
#define CODEC ROW
#include ASSAY_MORE_CODECS
#undef CODEC
#endif
};

enum { BUILT_IN_COUNT = sizeof built_in / sizeof built_in[0] };

size_t built_in_count(void)
{
    return BUILT_IN_COUNT;
}

const struct registry_row *built_in_at(size_t index)
{
    ASSUME(index < BUILT_IN_COUNT);
    return &built_in[index];
}

bool registry_runs(const struct registry_row *row)
{
    return row->codec != NULL && cpu_has(row->needs);
}

const struct assay_codec *built_in_fastest(const char *encoding)
{
    const struct assay_codec *fastest = NULL;
    for (size_t i = 0; i < BUILT_IN_COUNT; i++)
        if (strcmp(built_in[i].encoding, encoding) == 0 && registry_runs(&built_in[i]))
            fastest = built_in[i].codec;
    return fastest;
}
