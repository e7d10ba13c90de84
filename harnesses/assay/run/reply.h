/* SPDX-License-Identifier: MIT
 *
 * reply.h - reads the answers of a subject strictly, because nothing that it prints is trusted, and compares them with
 * the expected ones.
 */
#ifndef ASSAY_RUN_REPLY_H
#define ASSAY_RUN_REPLY_H

#include "request.h"

/* Reads the reply to a request, without its ID, and sets outcome, difference, fits and reply. */
void reply_judge(struct request *request, const char *reply, size_t length, const struct offer *offer);

/* Records the outcome of a request without a complete reply. `text`: the part of the reply that arrived, or NULL. */
void reply_note(struct request *request, enum outcome_of_request outcome, const char *text, size_t length);

/* The policy under which a reply is expected: `policy`; where the vectors do not have it, the one that the request
 * names, or whatwg for the subject's own practice. */
enum assay_policy reply_expected_policy(const struct request *request, enum assay_policy policy);

/* Writes the expected reply under that policy, in the form of the protocol. */
void reply_write_expected(FILE *out, const struct request *request, enum assay_policy policy);

#endif
