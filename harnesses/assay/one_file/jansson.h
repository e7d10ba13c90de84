/* SPDX-License-Identifier: MIT
 *
 * jansson.h - JSON for a program that is built without the library jansson (preset `static`): the functions of
 * jansson's interface that the command line calls, with the same meaning (jansson.readthedocs.io). Defined in
 * json.c.
 */
#ifndef ASSAY_JANSSON_H
#define ASSAY_JANSSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

typedef enum {
    JSON_OBJECT,
    JSON_ARRAY,
    JSON_STRING,
    JSON_INTEGER,
    JSON_REAL,
    JSON_TRUE,
    JSON_FALSE,
    JSON_NULL
} json_type;
typedef struct json_t json_t;
typedef long long json_int_t;

typedef struct {
    int line, column;
    char text[160];
} json_error_t;

#define JSON_REJECT_DUPLICATES 1 /* always done, whatever the flags */
#define JSON_INDENT(count) (count)

/* Returns -1 for NULL, which has no type. */
int json_typeof(const json_t *value);
#define json_is_object(value) (json_typeof(value) == JSON_OBJECT)
#define json_is_array(value) (json_typeof(value) == JSON_ARRAY)
#define json_is_string(value) (json_typeof(value) == JSON_STRING)
#define json_is_integer(value) (json_typeof(value) == JSON_INTEGER)
#define json_is_true(value) (json_typeof(value) == JSON_TRUE)
#define json_is_boolean(value) (json_is_true(value) || json_typeof(value) == JSON_FALSE)
#define json_is_null(value) (json_typeof(value) == JSON_NULL)

json_t *json_incref(json_t *value);
void json_decref(json_t *value);

json_t *json_object(void);
json_t *json_array(void);
json_t *json_string(const char *text); /* NULL if it is not UTF-8 */
json_t *json_stringn(const char *text, size_t count);
json_t *json_sprintf(const char *format, ...) __attribute__((format(printf, 1, 2)));
json_t *json_integer(json_int_t value);
json_t *json_real(double value);
json_t *json_boolean(bool value);
json_t *json_true(void);
json_t *json_null(void);

/* Formats: { } [ ] s s# s? s* i I b f n o o? o* O; colons, commas and spaces separate. */
json_t *json_pack(const char *format, ...);

size_t json_object_size(const json_t *object);
json_t *json_object_get(const json_t *object, const char *key);
/* takes over the caller's reference to the value */
int json_object_set_new(json_t *object, const char *key, json_t *value);
int json_object_del(json_t *object, const char *key);
int json_object_update(json_t *object, json_t *other);

/* Members in the order in which they were set; NULL and false at the end. */
bool json_object_member(const json_t *object, size_t index, const char **key, json_t **value);
#define json_object_foreach(object, key, value) \
    for (size_t index_##key = 0; json_object_member(object, index_##key, &(key), &(value)); index_##key++)

size_t json_array_size(const json_t *array);
json_t *json_array_get(const json_t *array, size_t index);
int json_array_append_new(json_t *array, json_t *value);
#define json_array_foreach(array, index, value) \
    for ((index) = 0; (index) < json_array_size(array) && ((value) = json_array_get(array, index)) != NULL; (index)++)

const char *json_string_value(const json_t *string);
size_t json_string_length(const json_t *string);
json_int_t json_integer_value(const json_t *integer);
double json_number_value(const json_t *number);
bool json_equal(const json_t *one, const json_t *other);

json_t *json_loadf(FILE *file, size_t flags, json_error_t *error);
int json_dumpf(const json_t *value, FILE *file, size_t indent);

typedef void *(*json_malloc_t)(size_t size);
typedef void (*json_free_t)(void *memory);
void json_set_alloc_funcs(json_malloc_t allocate, json_free_t release);

#endif
