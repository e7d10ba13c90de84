/* SPDX-License-Identifier: MIT
 *
 * An addon for Node: toUtf16(buffer) is the text of the bytes, U+FFFD for errors. */
#include "utf8_assay.h"

#include <node_api.h>
#include <stdlib.h>

static napi_value to_utf16(napi_env env, napi_callback_info info)
{
    size_t argument_count = 1, byte_count = 0;
    napi_value argument, text = NULL;
    void *bytes = NULL;
    if (napi_get_cb_info(env, info, &argument_count, &argument, NULL, NULL) != napi_ok || argument_count != 1 ||
        napi_get_buffer_info(env, argument, &bytes, &byte_count) != napi_ok)
        return NULL;
    size_t capacity = UTF8_ASSAY_MAX_FROM_BYTES(byte_count);
    uint16_t *units = malloc(capacity * sizeof *units);
    if (units == NULL)
        return NULL;
    struct utf8_assay_result result =
        utf8_assay_convert(UTF8_ASSAY_UTF_8, UTF8_ASSAY_UTF_16, UTF8_ASSAY_WHATWG, bytes, byte_count, units, capacity);
    napi_create_string_utf16(env, (const char16_t *)units, result.written, &text);
    free(units);
    return text;
}

NAPI_MODULE_INIT()
{
    napi_value function;
    if (napi_create_function(env, "toUtf16", NAPI_AUTO_LENGTH, to_utf16, NULL, &function) != napi_ok ||
        napi_set_named_property(env, exports, "toUtf16", function) != napi_ok)
        return NULL;
    return exports;
}
