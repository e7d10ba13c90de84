/* SPDX-License-Identifier: MIT
 *
 * node.h - a value of a vector file, and its place. If it does not have the form that a function reads, the program
 * ends with exit code 2 and a message that names file, case and field.
 */
#ifndef ASSAY_VECTORS_NODE_H
#define ASSAY_VECTORS_NODE_H

#include "../../../codecs/codec.h"
#include "../cli.h"

struct node {
    const json_t *json;
    const struct node *parent; /* NULL: this is the file */
    const char *key;           /* in the object `parent`; the file's path; NULL for an item of an array */
    size_t index;              /* in the array `parent` */
    const char *id;            /* of a case, once it is known */
};

_Noreturn void node_refuse(const struct node *node, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Returns a field of an object. Its `json` is NULL if the field is missing. */
struct node node_field(const struct node *object, const char *key);
struct node node_item(const struct node *array, size_t index);
size_t node_count(const struct node *array);

/* Ends the program unless the object has exactly the fields in `names`, separated by spaces. `key_word` is what
 * the message calls a field: "field" or "policy". A name has at most 31 bytes. */
void node_require_fields(const struct node *object, const char *names, const char *key_word);

/* Reads a string, which must be printable ASCII. The JSON value owns it. */
const char *node_text(const struct node *node);
bool node_truth(const struct node *node);

/* Reads a size, offset or index, which must be at most `largest`. */
size_t node_size(const struct node *node, size_t largest);

/* Reads an error within an input of `limit` units; `incomplete` may be absent. */
struct assay_span node_span(const struct node *error, size_t limit);

/* Ends the program unless the verdict in the field `key` agrees with whether there are errors. */
void node_require_verdict(const struct node *test, const char *key, size_t error_count);

#endif
