/* SPDX-License-Identifier: MIT */
#include "operation.h"

#include "../../codecs/assume.h"

static const struct {
    const char *name;
    enum operation_shape shape;
    size_t input_unit, output_unit;
    const char *word;
    enum operation whole;
} operations[] = {
#define OPERATION(id, member, name, shape, input, output, word, room, whole) \
    {name, SHAPE_##shape, sizeof(input), sizeof(output), word, OP_##whole},
#include "../../codecs/operations.def"
};

static const bool shape_has_policy[] = {
#define X(id, has_policy) has_policy,
    OPERATION_SHAPES(X)
#undef X
};

const char *operation_name(enum operation operation)
{
    return operations[operation].name;
}

enum operation_shape operation_shape(enum operation operation)
{
    ASSUME(operation < OPERATION_COUNT);
    return operations[operation].shape;
}

size_t operation_input_unit(enum operation operation)
{
    return operations[operation].input_unit;
}

size_t operation_output_unit(enum operation operation)
{
    return operations[operation].output_unit;
}

const char *operation_unit_word(enum operation operation)
{
    return operations[operation].word;
}

enum operation operation_whole(enum operation operation)
{
    return operations[operation].whole;
}

bool operation_has_policy(enum operation operation)
{
    return shape_has_policy[operation_shape(operation)];
}

size_t capacity_for(enum operation operation, size_t n)
{
    /* clang-format off */
    switch (operation) {
#define OPERATION(id, member, name, shape, input, output, word, room, whole) \
    case OP_##id: return room;
#include "../../codecs/operations.def"
    default: return 0;
    }
    /* clang-format on */
}

bool codec_has(const struct assay_codec *codec, enum operation operation)
{
    /* clang-format off */
    switch (operation) {
#define OPERATION(id, member, ...) \
    case OP_##id: return codec->member != NULL;
#include "../../codecs/operations.def"
    default: return false;
    }
    /* clang-format on */
}

/* There is room for one error; the second one shows whether more was written. So does a bool that is neither 0 nor 1,
 * which callers may take for both. */
static struct assay_result result_of_verdict(bool well_formed, const struct assay_span errors[2])
{
    unsigned char byte = *(const volatile unsigned char *)&well_formed;
    return (struct assay_result){.status = byte != 0 ? ASSAY_OK : ASSAY_ILL_FORMED,
                                 .written = byte > 1 ? byte : errors[1].length,
                                 .error = errors[0]};
}

static struct assay_result result_of_count(struct assay_count count, size_t output[2])
{
    output[0] = count.utf32_units;
    output[1] = count.utf16_units;
    return (struct assay_result){.status = count.status, .written = 2};
}

static struct assay_result result_of_boundary(size_t offset, size_t output[1])
{
    output[0] = offset;
    return (struct assay_result){.written = 1};
}

#define CALL_VERDICT(member) result_of_verdict(codec->member(with->input, with->input_count, errors), errors)
#define CALL_SPANS(member) \
    (struct assay_result) \
    { \
        .written = codec->member(with->input, with->input_count, with->output, with->capacity) \
    }
#define CALL_COUNT(member) result_of_count(codec->member(with->policy, with->input, with->input_count), with->output)
#define CALL_CONVERT(member) codec->member(with->policy, with->input, with->input_count, with->output, with->capacity)
#define CALL_FEED(member) \
    codec->member(with->stream, with->input, with->input_count, with->last, with->output, with->capacity)
#define CALL_BOUNDARY(member) result_of_boundary(codec->member(with->input, with->input_count, with->at), with->output)
#define CALL_CONCAT(member) \
    codec->member(with->input, with->input_count, with->right, with->right_count, with->output, with->capacity)

struct assay_result codec_call(const struct assay_codec *codec, enum operation operation, const struct arguments *with)
{
    struct assay_span errors[2] = {{0}};
    ASSUME(codec_has(codec, operation));
    /* clang-format off */
    switch (operation) {
#define OPERATION(id, member, name, shape, ...) \
    case OP_##id: return CALL_##shape(member);
#include "../../codecs/operations.def"
    default: return (struct assay_result){.status = ASSAY_UNSUPPORTED};
    }
    /* clang-format on */
}
