/* SPDX-License-Identifier: MIT */
#include "layout.h"

#include "../../../codecs/schemes/scheme.h"

/* One byte: the sequence or error it belongs to, and its bits as text. */
struct drawn {
    struct scheme_step step;
    size_t index; /* in the sequence or the error */
    char tag[9], counter[9], payload[9];
};

static void draw_bits(char out[9], uint8_t byte, unsigned from, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        out[i] = byte >> (7 - from - i) & 1 ? '1' : '0';
    out[count] = '\0';
}

static struct drawn draw(const struct scheme *scheme, const struct scheme_step *step, uint8_t byte, size_t index)
{
    struct drawn drawn = {.step = *step, .index = index};
    struct byte_layout layout =
        step->asked == 0 ? scheme_layout_of_stray(scheme, byte) : scheme_layout(scheme, step->asked, index);
    draw_bits(drawn.tag, byte, 0, layout.tag_bits);
    draw_bits(drawn.counter, byte, layout.tag_bits, layout.counter_bits);
    draw_bits(drawn.payload, byte, layout.tag_bits + (unsigned)layout.counter_bits, layout.payload_bits);
    return drawn;
}

static void draw_all(const struct scheme *scheme, const uint8_t *bytes, size_t byte_count, size_t begin, size_t end,
                     void (*say)(void *context, size_t offset, uint8_t byte, const struct drawn *drawn), void *context)
{
    for (size_t at = 0; at < end;) {
        struct scheme_step step = scheme_step(scheme, bytes + at, byte_count - at);
        for (size_t i = 0; i < step.length && at + i < end; i++) {
            if (at + i < begin)
                continue;
            struct drawn drawn = draw(scheme, &step, bytes[at + i], i);
            say(context, at + i, bytes[at + i], &drawn);
        }
        at += step.length;
    }
}

static void print_byte(void *context, size_t offset, uint8_t byte, const struct drawn *drawn)
{
    (void)context;
    const struct scheme_step *step = &drawn->step;
    printf("  %6zu  %02X    %-4s %-8s %-8s  ", offset, byte, drawn->tag, drawn->counter, drawn->payload);
    if (step->fault != ASSAY_FAULT_NONE)
        printf("error: %s", assay_fault_name(step->fault));
    else
        printf("U+%04X", step->code_point);
    if (step->length > 1)
        printf(", byte %zu of %zu", drawn->index + 1, step->length);
    if (step->fault == ASSAY_FAULT_NONE && drawn->index + 1 == step->length)
        printf(" = %u", step->code_point);
    putchar('\n');
}

void layout_print_head(const struct scheme *scheme)
{
    printf("\n  offset  byte  tag  counter  payload   what it is; payload has the %s bits first\n",
           scheme->low_end_first ? "lowest" : "highest");
}

void layout_print(const struct scheme *scheme, const uint8_t *bytes, size_t byte_count, size_t begin, size_t end)
{
    draw_all(scheme, bytes, byte_count, begin, end, print_byte, NULL);
}

static void print_inline(void *context, size_t offset, uint8_t byte, const struct drawn *drawn)
{
    (void)context, (void)byte;
    fputs(offset > 0 ? "  " : "", stdout);
    if (drawn->tag[0] != '\0')
        printf("[%s]", drawn->tag);
    if (drawn->counter[0] != '\0')
        printf("<%s>", drawn->counter);
    fputs(drawn->payload, stdout);
}

void layout_print_inline(const struct scheme *scheme, const uint8_t *bytes, size_t byte_count)
{
    draw_all(scheme, bytes, byte_count, 0, byte_count, print_inline, NULL);
    putchar('\n');
}

static void append_byte(void *context, size_t offset, uint8_t byte, const struct drawn *drawn)
{
    json_t *object =
        json_pack("{s:I, s:i, s:s, s:s, s:s, s:I, s:I, s:s}", "offset", (json_int_t)offset, "byte", byte, "tag",
                  drawn->tag, "counter", drawn->counter, "payload", drawn->payload, "index", (json_int_t)drawn->index,
                  "length", (json_int_t)drawn->step.length, "fault", assay_fault_name(drawn->step.fault));
    if (drawn->step.fault == ASSAY_FAULT_NONE)
        json_object_set_new(object, "code_point", json_integer(drawn->step.code_point));
    json_array_append_new(context, object);
}

json_t *layout_as_json(const struct scheme *scheme, const uint8_t *bytes, size_t byte_count, size_t begin)
{
    json_t *rows = json_array();
    draw_all(scheme, bytes, byte_count, begin, byte_count, append_byte, rows);
    return rows;
}
