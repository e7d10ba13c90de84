/* SPDX-License-Identifier: MIT
 *
 * The codecs as a WebAssembly module: what it exports, for assay.mjs beside this file, which is the only caller.
 *
 * A row is an index into the registry. Addresses and sizes are 32-bit numbers; an enumeration has the numbers of
 * codec.h and operations.def, and the names of them are exported, too. The caller's buffers come from take(); release()
 * frees all of them. The module imports nothing.
 */
#include "../../codecs/registry.h"
#include "../../codecs/schemes/scheme.h"
#include "../core/convert.h"
#include "../core/operation.h"
#include "../core/survivors.h"

#define EXPORT(name) __attribute__((export_name(#name), visibility("default"))) name

/* assay.mjs reads these members at these offsets. */
_Static_assert(sizeof(struct assay_span) == 16, "offset, length, fault, incomplete: four bytes each");
_Static_assert(sizeof(struct assay_step) == 28 && offsetof(struct assay_step, byte_class) == 8 &&
                   offsetof(struct assay_step, accepts) == 24,
               "the layout that assay.mjs reads");

/* ---- memory --------------------------------------------------------------------------------------------- */

extern uint8_t __heap_base; /* defined by the linker: the end of data and stack */
static size_t taken;        /* allocated bytes after that */

enum { PAGE_BYTES = 1 << 16, ALIGNMENT = 16 };

/* Returns the address of byte_count bytes; 0 if there is no memory for them. */
uint32_t EXPORT(take)(uint32_t byte_count)
{
    size_t begin = ((size_t)&__heap_base + taken + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    size_t pages = __builtin_wasm_memory_size(0), end;
    if (__builtin_add_overflow(begin, (size_t)byte_count, &end) || end > SIZE_MAX - PAGE_BYTES)
        return 0;
    size_t needed = (end + PAGE_BYTES - 1) / PAGE_BYTES;
    if (needed > pages && __builtin_wasm_memory_grow(0, needed - pages) == SIZE_MAX)
        return 0;
    taken = end - (size_t)&__heap_base;
    return (uint32_t)begin;
}

void EXPORT(release)(void)
{
    taken = 0;
}

/* ---- codecs and names ----------------------------------------------------------------------------------- */

uint32_t EXPORT(row_count)(void)
{
    return (uint32_t)registry_count();
}

const char *EXPORT(row_encoding)(uint32_t row)
{
    return registry_at(row)->encoding;
}

const char *EXPORT(row_name)(uint32_t row)
{
    return registry_at(row)->name;
}

/* Returns 0 if the codec is not in this build, 2 if it is the reference of its encoding, else 1. */
uint32_t EXPORT(row_kind)(uint32_t row)
{
    const struct registry_row *found = registry_at(row);
    return !registry_runs(found) ? 0 : registry_is_reference(found) ? 2 : 1;
}

bool EXPORT(row_is_scheme)(uint32_t row)
{
    return registry_scheme(registry_at(row)->encoding) != NULL;
}

/* The signature that some readers of the encoding remove: the encoding's name with `-sig`, and its bytes; NULL and 0 if
 * there is none. */
const char *EXPORT(signature_name)(uint32_t row)
{
    const struct signature *signature = signature_of(registry_at(row)->encoding);
    return signature != NULL ? signature->name : NULL;
}

const uint8_t *EXPORT(signature_at)(uint32_t row)
{
    const struct signature *signature = signature_of(registry_at(row)->encoding);
    return signature != NULL ? signature->bytes : NULL;
}

uint32_t EXPORT(signature_bytes)(uint32_t row)
{
    const struct signature *signature = signature_of(registry_at(row)->encoding);
    return signature != NULL ? (uint32_t)signature->byte_count : 0;
}

bool EXPORT(row_walks)(uint32_t row)
{
    return registry_at(row)->codec->walk != NULL;
}

/* The name of an operation, fault or policy; NULL after the last one. */
const char *EXPORT(operation_word)(uint32_t operation)
{
    return operation < OPERATION_COUNT ? operation_name((enum operation)operation) : NULL;
}

const char *EXPORT(fault_word)(uint32_t fault, bool sentence)
{
    if (fault >= ASSAY_FAULT_COUNT)
        return NULL;
    return sentence ? assay_fault_sentence((enum assay_fault)fault) : assay_fault_name((enum assay_fault)fault);
}

const char *EXPORT(policy_word)(uint32_t policy, bool sentence)
{
    if (policy >= ASSAY_POLICY_COUNT)
        return NULL;
    return sentence ? assay_policy_sentence((enum assay_policy)policy) : assay_policy_name((enum assay_policy)policy);
}

/* ---- questions ------------------------------------------------------------------------------------------ */

/* Units of output that suffice for the whole answer. */
uint32_t EXPORT(capacity)(uint32_t operation, uint32_t unit_count)
{
    return (uint32_t)capacity_for((enum operation)operation, unit_count);
}

uint32_t EXPORT(unit_bytes)(uint32_t operation, bool of_output)
{
    return (uint32_t)(of_output ? operation_output_unit((enum operation)operation)
                                : operation_input_unit((enum operation)operation));
}

uint32_t EXPORT(stream_bytes)(void)
{
    return sizeof(struct assay_stream);
}

void EXPORT(stream_start)(struct assay_stream *stream, uint32_t policy)
{
    assay_stream_start(stream, (enum assay_policy)policy);
}

/* The answer to the last question. */
static struct assay_result answer;

const struct assay_result *EXPORT(answer_at)(void)
{
    return &answer;
}

static const struct assay_codec *codec_at(uint32_t row, enum operation operation)
{
    const struct assay_codec *codec = registry_at(row)->codec;
    return codec != NULL && codec_has(codec, operation) ? codec : NULL;
}

/* Asks any operation that neither feeds nor has a second input. `at` is for boundaries. Returns the status. */
uint32_t EXPORT(ask)(uint32_t row, uint32_t operation, uint32_t policy, const void *input, uint32_t unit_count,
                     void *output, uint32_t room, uint32_t at)
{
    const struct assay_codec *codec = codec_at(row, (enum operation)operation);
    answer = (struct assay_result){.status = ASSAY_UNSUPPORTED};
    if (codec != NULL)
        answer = codec_call(codec, (enum operation)operation,
                            &(struct arguments){.policy = (enum assay_policy)policy,
                                                .input = input,
                                                .input_count = unit_count,
                                                .output = output,
                                                .capacity = room,
                                                .at = at});
    return answer.status;
}

uint32_t EXPORT(feed)(uint32_t row, uint32_t operation, struct assay_stream *stream, const void *input,
                      uint32_t byte_count, bool last, void *output, uint32_t room)
{
    const struct assay_codec *codec = codec_at(row, (enum operation)operation);
    answer = (struct assay_result){.status = ASSAY_UNSUPPORTED};
    if (codec != NULL)
        answer = codec_call(codec, (enum operation)operation,
                            &(struct arguments){.stream = stream,
                                                .input = input,
                                                .input_count = byte_count,
                                                .last = last,
                                                .output = output,
                                                .capacity = room});
    return answer.status;
}

uint32_t EXPORT(concat)(uint32_t row, const void *left, uint32_t left_count, const void *right, uint32_t right_count,
                        void *output, uint32_t room)
{
    const struct assay_codec *codec = codec_at(row, OP_CONCAT);
    answer = (struct assay_result){.status = ASSAY_UNSUPPORTED};
    if (codec != NULL)
        answer = codec_call(codec, OP_CONCAT,
                            &(struct arguments){.input = left,
                                                .input_count = left_count,
                                                .right = right,
                                                .right_count = right_count,
                                                .output = output,
                                                .capacity = room});
    return answer.status;
}

static struct converter converter;

/* Converts with the codecs of two rows; removes a signature if requested. */
uint32_t EXPORT(transcode)(uint32_t from, bool removes_signature, uint32_t to, uint32_t policy, const uint8_t *bytes,
                           uint32_t byte_count)
{
    static const enum assay_status statuses[] = {[CONVERTED] = ASSAY_OK,
                                                 [INPUT_ILL_FORMED] = ASSAY_ILL_FORMED,
                                                 [NOT_HELD] = ASSAY_ILL_FORMED,
                                                 [NOT_OFFERED] = ASSAY_UNSUPPORTED};
    const struct registry_row *source = registry_at(from), *target = registry_at(to);
    struct form input = {source->codec, removes_signature ? signature_of(source->encoding) : NULL},
                output = {target->codec, NULL};
    converter = (struct converter){0}; /* release() freed the memory it had */
    enum outcome outcome = convert(&converter, &input, &output, (enum assay_policy)policy, bytes, byte_count);
    if (outcome == CONTRACT_BROKEN)
        __builtin_trap();
    bool is_done = outcome == CONVERTED;
    answer = (struct assay_result){.status = statuses[outcome],
                                   .read = is_done ? byte_count : 0,
                                   .written = is_done ? converter.byte_count : 0,
                                   .error = converter.error};
    return answer.status;
}

const uint8_t *EXPORT(transcoded_at)(void)
{
    return converter.bytes;
}

/* ---- steps and layouts ---------------------------------------------------------------------------------- */

struct steps {
    struct assay_step *out;
    size_t count, capacity;
};

static void keep_step(void *context, const struct assay_step *step)
{
    struct steps *steps = context;
    if (steps->count < steps->capacity)
        steps->out[steps->count++] = *step;
}

/* Writes the first steps of an automaton, at most `room`; returns their number. */
uint32_t EXPORT(walk)(uint32_t row, const uint8_t *bytes, uint32_t byte_count, struct assay_step *out, uint32_t room)
{
    struct steps steps = {out, 0, room};
    registry_at(row)->codec->walk(bytes, byte_count, keep_step, &steps);
    return (uint32_t)steps.count;
}

/* A byte in a scheme: its sequence or error, and its bits, highest first. */
struct laid_out {
    uint32_t begin, length, code_point, fault, tag_bits, counter_bits, payload_bits;
};

/* Writes one struct laid_out for each byte. */
void EXPORT(layout)(uint32_t row, const uint8_t *bytes, uint32_t byte_count, struct laid_out *out)
{
    const struct scheme *scheme = registry_scheme(registry_at(row)->encoding);
    for (size_t at = 0; at < byte_count;) {
        struct scheme_step step = scheme_step(scheme, bytes + at, byte_count - at);
        for (size_t i = 0; i < step.length; i++) {
            struct byte_layout layout =
                step.asked == 0 ? scheme_layout_of_stray(scheme, bytes[at + i]) : scheme_layout(scheme, step.asked, i);
            out[at + i] = (struct laid_out){(uint32_t)at,    (uint32_t)step.length, step.code_point,    step.fault,
                                            layout.tag_bits, layout.counter_bits,   layout.payload_bits};
        }
        at += step.length;
    }
}

/* How many characters of a text survive damage: those before it. survivors_after(): those after it. */
uint32_t EXPORT(survivors_before)(const uint32_t *in, uint32_t in_count, const uint32_t *out, uint32_t out_count)
{
    return (uint32_t)survivors(in, in_count, out, out_count).head;
}

uint32_t EXPORT(survivors_after)(const uint32_t *in, uint32_t in_count, const uint32_t *out, uint32_t out_count)
{
    return (uint32_t)survivors(in, in_count, out, out_count).tail;
}
