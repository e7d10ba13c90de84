/* SPDX-License-Identifier: MIT
 *
 * Duktape as a subject: TextDecoder (WHATWG Encoding), in pieces, and TextEncoder.
 */
#include "protocol.h"

#include <duktape.h>

static duk_context *context;
static bool is_strict;

static void reset(void)
{
}

static bool begin(const char *operation, const char *encoding, const char *policy)
{
    if (is_word(operation, "encode-utf16"))
        return is_word(encoding, "utf-8") && is_word(policy, "whatwg");
    is_strict = is_word(policy, "strict");
    duk_set_top(context, 0);
    duk_push_sprintf(context, "new TextDecoder('utf-8', {fatal: %s, ignoreBOM: %s})", is_strict ? "true" : "false",
                     is_word(encoding, "utf-8") ? "true" : "false");
    return duk_peval(context) == 0 && (is_word(encoding, "utf-8") || is_word(encoding, "utf-8-sig")) &&
           (is_strict || is_word(policy, "whatwg"));
}

/* Text of ECMAScript has UTF-16 units, which Duktape keeps as CESU-8. */
static void emit_text(size_t length)
{
    uint16_t *units = checked(malloc((length + 1) * sizeof *units));
    for (size_t i = 0; i < length; i++)
        units[i] = (uint16_t)duk_char_code_at(context, -1, i);
    emit_utf16(units, length);
    free(units);
}

static enum verdict feed(const unsigned char *bytes, size_t count, bool is_last)
{
    duk_push_string(context, "decode");
    void *buffer = duk_push_fixed_buffer(context, count);
    if (count > 0)
        memcpy(buffer, bytes, count);
    duk_push_object(context);
    duk_push_boolean(context, !is_last);
    duk_put_prop_string(context, -2, "stream");
    bool is_thrown = duk_pcall_prop(context, 0, 2) != 0;
    if (!is_thrown)
        emit_text(duk_get_length(context, -1));
    duk_pop(context);
    return is_thrown ? ILL_FORMED : WELL_FORMED;
}

/* Text of ECMAScript is of UTF-16 units. */
static enum verdict encode_utf16(const uint16_t *units, size_t count)
{
    duk_size_t size;
    duk_set_top(context, 0);
    duk_eval_string(context,
                    "(function () { return new TextEncoder().encode(String.fromCharCode.apply(null, arguments)); })");
    for (size_t i = 0; i < count; i++) {
        duk_check_stack(context, 1);
        duk_push_uint(context, units[i]);
    }
    if (duk_pcall(context, (duk_idx_t)count) != 0)
        return ILL_FORMED;
    const void *bytes = duk_get_buffer_data(context, -1, &size);
    emit_bytes(bytes, size);
    return WELL_FORMED;
}

int main(void)
{
    context = duk_create_heap_default();
    return speak("duktape",
                 "encodings=utf-8,utf-8-sig policies=strict,whatwg ops=validate,decode,reuse,encode-utf16 chunks=yes",
                 &(struct adapter){begin, feed, reset, .encode_utf16 = encode_utf16});
}
