/* SPDX-License-Identifier: MIT
 *
 * The expected answer to a request, in the form of the protocol.
 */
#include "reply.h"

#include "../cli.h"

#include <stdlib.h>

static void print_error(FILE *out, const struct assay_span *error, char separator)
{
    fprintf(out, "error%c%zu%c%zu%c%s", separator, error->offset, separator, error->length, separator,
            assay_fault_name(error->fault));
}

static void add_scalars(struct byte_string *text, const uint32_t *scalars, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (i > 0)
            byte_string_add_char(text, ',');
        byte_string_add_scalar(text, scalars[i]);
    }
    if (count == 0)
        byte_string_add_char(text, '-');
}

static void print_groups(FILE *out, const struct request *request, const struct probe *probe, size_t groups)
{
    struct byte_string text = {0};
    size_t count, dropped, begin = 0;
    const uint32_t *scalars = expected_scalars(request, probe, &count, &dropped);
    for (size_t i = 0; i < groups; i++) {
        size_t written = i + 1 < groups ? probe->expected.written_after[i] : count + dropped;
        size_t end = written - (written > 0 ? dropped : 0);
        if (i > 0)
            byte_string_add_char(&text, '|');
        add_scalars(&text, end > begin ? scalars + begin : NULL, end - begin);
        begin = end;
    }
    fputs(byte_string_end(&text), out);
    byte_string_free(&text);
}

static void print_text(FILE *out, const struct request *request, const struct probe *probe)
{
    const struct assay_result *result = &probe->expected.result;
    bool is_one_group = request->ask == ASK_DECODE || probe->expected.written_after == NULL;
    size_t groups = is_one_group ? 1 : probe->question.cut_count + 1;
    bool stops = result->status == ASSAY_ILL_FORMED;
    if (request->ask == ASK_STOP && stops) {
        fprintf(out, "error %zu ", probe->stop_piece);
        print_groups(out, request, probe, probe->stop_piece + 1);
        fprintf(out, " %zu %zu %s", result->error.offset, result->error.length, assay_fault_name(result->error.fault));
    } else if (stops) {
        print_error(out, &result->error, request->ask == ASK_REUSE ? ':' : ' ');
    } else {
        fputs(request->ask == ASK_REUSE ? "" : "ok ", out);
        print_groups(out, request, probe, groups);
    }
}

/* Prints units of 1, 2 or 4 bytes. */
static void print_units(FILE *out, const struct probe *probe)
{
    struct byte_string text = {0};
    const uint16_t *narrow = probe->expected.output;
    size_t count = probe->expected.result.written;
    uint32_t *wide = cli_alloc(count, sizeof *wide);
    for (size_t i = 0; i < count; i++)
        wide[i] =
            probe->question.operation == OP_DECODE_UTF16 ? narrow[i] : ((const uint32_t *)probe->expected.output)[i];
    add_scalars(&text, wide, count);
    fputs(byte_string_end(&text), out);
    byte_string_free(&text);
    free(wide);
}

static void print_limited(FILE *out, const struct probe *probe)
{
    static const char *const words[] = {[ASSAY_OK] = "ok", [ASSAY_ILL_FORMED] = "error", [ASSAY_OUTPUT_FULL] = "full"};
    const struct assay_result *result = &probe->expected.result;
    fprintf(out, "%s %zu ", words[result->status], result->read);
    print_units(out, probe);
    if (result->status == ASSAY_ILL_FORMED)
        fprintf(out, " %zu %zu %s", result->error.offset, result->error.length, assay_fault_name(result->error.fault));
}

static void print_bytes(FILE *out, const struct request *request, const struct expectation *expectation)
{
    const struct probe *probe = expectation->probe;
    bool stops = probe != NULL ? probe->expected.result.status == ASSAY_ILL_FORMED : expectation->conversion->stops;
    if (stops && (request->ask == ASK_ENCODE || request->ask == ASK_ENCODE_UTF16)) {
        fprintf(out, "error %zu", probe->expected.result.error.offset);
    } else if (stops) {
        print_error(out, probe != NULL ? &probe->expected.result.error : &expectation->conversion->error, ' ');
    } else {
        struct byte_string text = {0};
        if (probe != NULL)
            byte_string_add_hex(&text, probe->expected.output, probe->expected.result.written);
        else
            byte_string_add_hex(&text, expectation->conversion->output, expectation->conversion->output_count);
        fprintf(out, "ok %s", byte_string_end(&text));
        byte_string_free(&text);
    }
}

static void print_boundaries(FILE *out, const struct probe *probe)
{
    const size_t *offsets = probe->expected.output;
    for (size_t i = 0; i < probe->expected.result.written; i++)
        fprintf(out, "%s%zu", i > 0 ? "," : "ok ", offsets[i]);
}

enum assay_policy reply_expected_policy(const struct request *request, enum assay_policy policy)
{
    struct expectation expectation;
    if (request_expects(request, policy, &expectation))
        return policy;
    return request->policy < ASSAY_POLICY_COUNT ? (enum assay_policy)request->policy : ASSAY_POLICY_WHATWG;
}

void reply_write_expected(FILE *out, const struct request *request, enum assay_policy policy)
{
    struct expectation expectation;
    if (!request_expects(request, reply_expected_policy(request, policy), &expectation))
        return;
    const struct probe *probe = expectation.probe;
    switch (request->ask) {
    case ASK_VALIDATE:
        if (probe->expected.result.status == ASSAY_ILL_FORMED)
            print_error(out, &probe->expected.result.error, ' ');
        else
            fputs("ok", out);
        break;
    case ASK_DECODE:
    case ASK_STREAM:
    case ASK_STOP: print_text(out, request, probe); break;
    case ASK_REUSE:
        for (size_t i = 0; i < request_stream_count(request); i++) {
            fputs(i > 0 ? ";" : "ok ", out);
            print_text(out, request, probe + i);
        }
        break;
    case ASK_INTO: print_limited(out, probe); break;
    case ASK_BOUNDARIES: print_boundaries(out, probe); break;
    default: print_bytes(out, request, &expectation);
    }
}
