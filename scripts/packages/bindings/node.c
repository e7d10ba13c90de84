/* SPDX-License-Identifier: MIT
 *
 * An addon for Node, linked to libutf8-assay: an example of a binding, and a test of the library.
 *
 *   validate(buffer)                       null, or "OFFSET LENGTH FAULT" of the first error
 *   decode(buffer)                         the text, with one U+FFFD for each maximal subpart of an error
 *   start(), feed(stream, buffer, isLast)  the same of text in pieces; `stream` is what start() returned
 *
 *   cc -shared -fPIC -I/usr/include/node node.c -o utf8_binding.node $(pkg-config --cflags --libs utf8-assay)
 */
#include <node_api.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <utf8-assay/utf8_assay.h>

static napi_value failed(napi_env env, const char *why)
{
    napi_throw_error(env, NULL, why);
    return NULL;
}

/* The bytes of argument `at`, which is a Buffer; false, with an exception thrown, if it is not. */
static bool buffer_of(napi_env env, napi_value argument, void **bytes, size_t *byte_count)
{
    bool is_buffer = false;
    if (napi_is_buffer(env, argument, &is_buffer) == napi_ok && is_buffer &&
        napi_get_buffer_info(env, argument, bytes, byte_count) == napi_ok)
        return true;
    failed(env, "a Buffer is expected");
    return false;
}

static napi_value validate(napi_env env, napi_callback_info info)
{
    size_t count = 1, byte_count;
    napi_value argument, answer;
    void *bytes;
    struct utf8_assay_error error;
    char text[128];
    if (napi_get_cb_info(env, info, &count, &argument, NULL, NULL) != napi_ok ||
        !buffer_of(env, argument, &bytes, &byte_count))
        return NULL;
    if (utf8_assay_validate(UTF8_ASSAY_UTF_8, bytes, byte_count, &error) == UTF8_ASSAY_OK)
        return napi_get_null(env, &answer) == napi_ok ? answer : NULL;
    snprintf(text, sizeof text, "%zu %zu %s", error.offset, error.length, utf8_assay_fault_name(error.fault));
    return napi_create_string_latin1(env, text, NAPI_AUTO_LENGTH, &answer) == napi_ok ? answer : NULL;
}

static napi_value text_of(napi_env env, const uint16_t *units, size_t count)
{
    napi_value text;
    return napi_create_string_utf16(env, (const char16_t *)units, count, &text) == napi_ok ? text : NULL;
}

static napi_value decode(napi_env env, napi_callback_info info)
{
    size_t count = 1, byte_count;
    napi_value argument;
    void *bytes;
    if (napi_get_cb_info(env, info, &count, &argument, NULL, NULL) != napi_ok ||
        !buffer_of(env, argument, &bytes, &byte_count))
        return NULL;
    size_t capacity =
        utf8_assay_count(UTF8_ASSAY_UTF_8, UTF8_ASSAY_UTF_16, UTF8_ASSAY_WHATWG, bytes, byte_count).written;
    uint16_t *units = malloc(capacity * sizeof *units + 1);
    if (units == NULL)
        return failed(env, "no memory");
    struct utf8_assay_result result =
        utf8_assay_convert(UTF8_ASSAY_UTF_8, UTF8_ASSAY_UTF_16, UTF8_ASSAY_WHATWG, bytes, byte_count, units, capacity);
    napi_value text = text_of(env, units, result.written);
    free(units);
    return text;
}

/* A stream is a Buffer that holds the structure, whose size is part of the ABI. */
static napi_value start(napi_env env, napi_callback_info info)
{
    struct utf8_assay_stream stream;
    napi_value buffer;
    (void)info;
    utf8_assay_stream_start(&stream, UTF8_ASSAY_UTF_8, UTF8_ASSAY_UTF_16, UTF8_ASSAY_WHATWG);
    return napi_create_buffer_copy(env, sizeof stream, &stream, NULL, &buffer) == napi_ok ? buffer : NULL;
}

static napi_value feed(napi_env env, napi_callback_info info)
{
    size_t count = 3, stream_size, byte_count;
    napi_value arguments[3];
    void *place, *bytes;
    bool is_last;
    struct utf8_assay_stream stream;
    if (napi_get_cb_info(env, info, &count, arguments, NULL, NULL) != napi_ok ||
        !buffer_of(env, arguments[0], &place, &stream_size) || !buffer_of(env, arguments[1], &bytes, &byte_count))
        return NULL;
    if (stream_size != sizeof stream || napi_get_value_bool(env, arguments[2], &is_last) != napi_ok)
        return failed(env, "feed(stream, buffer, isLast)");
    size_t capacity = UTF8_ASSAY_MAX_FROM_BYTES(byte_count);
    uint16_t *units = malloc(capacity * sizeof *units);
    if (units == NULL)
        return failed(env, "no memory");
    memcpy(&stream, place, sizeof stream); /* a Buffer may be anywhere; the structure must be aligned */
    struct utf8_assay_result result = utf8_assay_stream_feed(&stream, bytes, byte_count, is_last, units, capacity);
    memcpy(place, &stream, sizeof stream);
    napi_value text = text_of(env, units, result.written);
    free(units);
    return text;
}

NAPI_MODULE_INIT()
{
    static const struct {
        const char *name;
        napi_callback function;
    } functions[] = {{"validate", validate}, {"decode", decode}, {"start", start}, {"feed", feed}};
    for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++) {
        napi_value function;
        if (napi_create_function(env, functions[i].name, NAPI_AUTO_LENGTH, functions[i].function, NULL, &function) !=
                napi_ok ||
            napi_set_named_property(env, exports, functions[i].name, function) != napi_ok)
            return NULL;
    }
    return exports;
}
