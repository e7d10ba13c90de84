/* SPDX-License-Identifier: MIT
 *
 * node.h - a value of a file of vectors, and where it stands. Whatever is asked of it that it is not ends the program
 * with exit code 2 and a message that names file, case and field.
 */
#ifndef ASSAY_VECTORS_NODE_H
#define ASSAY_VECTORS_NODE_H

#include "../../../codecs/codec.h"
#include "../cli.h"

struct node {
    const json_t *json;
    const struct node *parent; /* NULL: the file */
    const char *key;           /* in the object `parent`; the file's path; NULL for an item of an array */
    size_t index;              /* in the array `parent` */
    const char *id;            /* of a case, as soon as it is known */
};

_Noreturn void node_refuse(const struct node *node, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* A field's `json` is NULL if it is not there. */
struct node node_field(const struct node *object, const char *key);
struct node node_item(const struct node *array, size_t index);
size_t node_count(const struct node *array);

/* An object with exactly these fields, in words, which are what `sort` says. */
void node_demand_fields(const struct node *object, const char *names, const char *sort);

/* Text of printable ASCII, as the format has it; it belongs to the JSON. */
const char *node_text(const struct node *node);
bool node_truth(const struct node *node);

/* A size, offset or index that is at most `largest`. */
size_t node_size(const struct node *node, size_t largest);

/* An error within an input of `limit` units; `incomplete` may be missing. */
struct assay_span node_span(const struct node *error, size_t limit);

/* A field that repeats what the list of errors says. */
void node_demand_verdict(const struct node *test, const char *key, size_t error_count);

#endif
