/* SPDX-License-Identifier: MIT
 *
 * Reads values of vector files. A value that violates the format ends the program with a message that names file, case
 * and field.
 */
#include "node.h"

#include <stdarg.h>
#include <string.h>

/* Prints the path of a node. Returns false if it has none. */
static bool print_path(FILE *out, const struct node *node)
{
    if (node->parent == NULL || node->id != NULL)
        return false;
    bool inside = print_path(out, node->parent);
    if (node->key == NULL)
        fprintf(out, "[%zu]", node->index);
    else
        fprintf(out, "%s%s", inside ? "." : ", field ", node->key);
    return true;
}

void node_refuse(const struct node *node, const char *format, ...)
{
    char *text;
    size_t size;
    FILE *out = cli_open_text(&text, &size);
    const struct node *file = node, *test = NULL;
    for (; file->parent != NULL; file = file->parent)
        test = file->id != NULL ? file : test;
    fputs(file->key, out);
    if (test != NULL)
        fprintf(out, ", case %s", test->id);
    print_path(out, node);
    fputs(": ", out);
    va_list arguments;
    va_start(arguments, format);
    vfprintf(out, format, arguments);
    va_end(arguments);
    fclose(out);
    cli_fail("%s", text);
}

struct node node_field(const struct node *object, const char *key)
{
    return (struct node){.json = json_object_get(object->json, key), .parent = object, .key = key};
}

struct node node_item(const struct node *array, size_t index)
{
    return (struct node){.json = json_array_get(array->json, index), .parent = array, .index = index};
}

/* True if `name` is one of the words of `names`. */
static bool is_among(const char *names, const char *name, size_t length)
{
    for (const char *at = names; *at != '\0';) {
        at += strspn(at, " ");
        size_t word = strcspn(at, " ");
        if (word == length && memcmp(at, name, length) == 0)
            return true;
        at += word;
    }
    return false;
}

void node_require_fields(const struct node *object, const char *names, const char *key_word)
{
    const char *key;
    json_t *value;
    if (!json_is_object(object->json))
        node_refuse(object, "is not an object");
    json_object_foreach ((json_t *)object->json, key, value)
        if (!is_among(names, key, strlen(key)))
            node_refuse(&(struct node){.parent = object, .key = key}, "there is no %s of this name here", key_word);
    for (const char *at = names + strspn(names, " "); *at != '\0'; at += strspn(at, " ")) {
        char name[32];
        size_t length = strcspn(at, " ");
        snprintf(name, sizeof name, "%.*s", (int)length, at);
        if (json_object_get(object->json, name) == NULL)
            node_refuse(&(struct node){.parent = object, .key = name}, "this %s is missing", key_word);
        at += length;
    }
}

size_t node_count(const struct node *array)
{
    if (!json_is_array(array->json))
        node_refuse(array, "is not an array");
    return json_array_size(array->json);
}

const char *node_text(const struct node *node)
{
    const char *text = json_string_value(node->json);
    if (text == NULL)
        node_refuse(node, "is not a string");
    if (strlen(text) != json_string_length(node->json) || text[0] == '\0')
        node_refuse(node, "is empty, or holds U+0000");
    for (const char *at = text; *at != '\0'; at++)
        if (*at < ' ' || *at > '~')
            node_refuse(node, "holds what is not printable ASCII");
    return text;
}

bool node_truth(const struct node *node)
{
    if (!json_is_boolean(node->json))
        node_refuse(node, "is neither true nor false");
    return json_is_true(node->json);
}

size_t node_size(const struct node *node, size_t largest)
{
    if (!json_is_integer(node->json) || json_integer_value(node->json) < 0)
        node_refuse(node, "is no number from 0 on");
    unsigned long long value = (unsigned long long)json_integer_value(node->json);
    if (value > largest)
        node_refuse(node, "%llu is more than the %zu that there can be", value, largest);
    return (size_t)value;
}

static enum assay_fault fault_of(const struct node *node)
{
    const char *name = node_text(node);
    for (enum assay_fault fault = ASSAY_FAULT_NONE + 1; fault < ASSAY_FAULT_COUNT; fault++)
        if (strcmp(assay_fault_name(fault), name) == 0)
            return fault;
    node_refuse(node, "there is no fault '%.40s'", name);
}

struct assay_span node_span(const struct node *error, size_t limit)
{
    struct node offset = node_field(error, "offset"), length = node_field(error, "length"),
                fault = node_field(error, "fault");
    struct node incomplete = node_field(error, "incomplete");
    struct assay_span span = {.offset = node_size(&offset, limit)};
    span.length = node_size(&length, limit - span.offset);
    span.fault = fault_of(&fault);
    span.incomplete = incomplete.json != NULL && node_truth(&incomplete);
    return span;
}

void node_require_verdict(const struct node *test, const char *key, size_t error_count)
{
    struct node verdict = node_field(test, key);
    if (node_truth(&verdict) != (error_count == 0))
        node_refuse(&verdict, "says otherwise than the list of errors, which has %zu", error_count);
}
