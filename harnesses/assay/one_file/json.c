/* SPDX-License-Identifier: MIT
 *
 * JSON values. The allocator that json_set_alloc_funcs() sets must not return when memory runs out.
 */
#include "jansson.h"

#include "../../../codecs/registry.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct member {
    char *key;
    json_t *value;
};

struct json_t {
    json_type type;
    size_t references;
    union {
        json_int_t integer;
        double real;
        struct {
            char *bytes;
            size_t count;
        } text;
        struct {
            json_t **items;
            size_t count, capacity;
        } array;
        struct {
            struct member *members;
            size_t count, capacity;
            uint32_t *slots;
            size_t slot_count;
        } object; /* a slot holds an index + 1 */
    };
};

static json_malloc_t allocate = malloc;
static json_free_t release = free;

void json_set_alloc_funcs(json_malloc_t allocate_, json_free_t release_)
{
    allocate = allocate_;
    release = release_;
}

static void *grown(void *memory, size_t count, size_t capacity, size_t size)
{
    void *more = allocate(capacity * size);
    if (count > 0)
        memcpy(more, memory, count * size);
    release(memory);
    return more;
}

static json_t *value_of(json_type type)
{
    json_t *value = allocate(sizeof *value);
    memset(value, 0, sizeof *value);
    value->type = type;
    value->references = 1;
    return value;
}

int json_typeof(const json_t *value)
{
    return value == NULL ? -1 : (int)value->type;
}

json_t *json_incref(json_t *value)
{
    if (value != NULL)
        value->references++;
    return value;
}

void json_decref(json_t *value)
{
    if (value == NULL || --value->references > 0)
        return;
    if (value->type == JSON_STRING)
        release(value->text.bytes);
    if (value->type == JSON_ARRAY) {
        for (size_t i = 0; i < value->array.count; i++)
            json_decref(value->array.items[i]);
        release(value->array.items);
    }
    if (value->type == JSON_OBJECT) {
        for (size_t i = 0; i < value->object.count; i++) {
            release(value->object.members[i].key);
            json_decref(value->object.members[i].value);
        }
        release(value->object.members);
        release(value->object.slots);
    }
    release(value);
}

json_t *json_object(void)
{
    return value_of(JSON_OBJECT);
}
json_t *json_array(void)
{
    return value_of(JSON_ARRAY);
}
json_t *json_true(void)
{
    return value_of(JSON_TRUE);
}
json_t *json_null(void)
{
    return value_of(JSON_NULL);
}
json_t *json_boolean(bool value)
{
    return value_of(value ? JSON_TRUE : JSON_FALSE);
}

json_t *json_integer(json_int_t value)
{
    json_t *made = value_of(JSON_INTEGER);
    made->integer = value;
    return made;
}

json_t *json_real(double value)
{
    json_t *made = value_of(JSON_REAL);
    made->real = value;
    return made;
}

json_t *json_stringn(const char *text, size_t count)
{
    if (text == NULL || !registry_reference("utf-8")->validate((const uint8_t *)text, count, NULL))
        return NULL;
    json_t *made = value_of(JSON_STRING);
    made->text.bytes = allocate(count + 1);
    made->text.count = count;
    memcpy(made->text.bytes, text, count);
    made->text.bytes[count] = '\0';
    return made;
}

json_t *json_string(const char *text)
{
    return text != NULL ? json_stringn(text, strlen(text)) : NULL;
}

json_t *json_sprintf(const char *format, ...)
{
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, arguments);
    char *text = allocate((size_t)length + 1);
    vsnprintf(text, (size_t)length + 1, format, again);
    va_end(arguments);
    va_end(again);
    json_t *made = json_stringn(text, (size_t)length);
    release(text);
    return made;
}

const char *json_string_value(const json_t *string)
{
    return json_is_string(string) ? string->text.bytes : NULL;
}
size_t json_string_length(const json_t *string)
{
    return json_is_string(string) ? string->text.count : 0;
}
json_int_t json_integer_value(const json_t *integer)
{
    return json_is_integer(integer) ? integer->integer : 0;
}

double json_number_value(const json_t *number)
{
    return json_is_integer(number) ? (double)number->integer : json_typeof(number) == JSON_REAL ? number->real : 0;
}

/* ---- arrays and objects ---------------------------------------------------------------------------------------- */

size_t json_array_size(const json_t *array)
{
    return json_is_array(array) ? array->array.count : 0;
}

json_t *json_array_get(const json_t *array, size_t index)
{
    return index < json_array_size(array) ? array->array.items[index] : NULL;
}

int json_array_append_new(json_t *array, json_t *value)
{
    if (!json_is_array(array) || value == NULL) {
        json_decref(value);
        return -1;
    }
    if (array->array.count == array->array.capacity) {
        array->array.capacity = 2 * array->array.capacity + 4;
        array->array.items = grown(array->array.items, array->array.count, array->array.capacity, sizeof(json_t *));
    }
    array->array.items[array->array.count++] = value;
    return 0;
}

size_t json_object_size(const json_t *object)
{
    return json_is_object(object) ? object->object.count : 0;
}

bool json_object_member(const json_t *object, size_t index, const char **key, json_t **value)
{
    bool is_there = index < json_object_size(object);
    *key = is_there ? object->object.members[index].key : NULL;
    *value = is_there ? object->object.members[index].value : NULL;
    return is_there;
}

/* Returns the slot of a key, or the free one where it belongs (FNV-1a, linear probing). */
static size_t slot_of(const json_t *object, const char *key)
{
    uint32_t hash = 2166136261U;
    for (const char *at = key; *at != '\0'; at++)
        hash = (hash ^ (uint8_t)*at) * 16777619U;
    size_t slot = hash & (object->object.slot_count - 1);
    while (object->object.slots[slot] != 0 &&
           strcmp(object->object.members[object->object.slots[slot] - 1].key, key) != 0)
        slot = (slot + 1) & (object->object.slot_count - 1);
    return slot;
}

static void fill_slots(json_t *object, size_t slot_count)
{
    release(object->object.slots);
    object->object.slot_count = slot_count;
    object->object.slots = allocate(slot_count * sizeof *object->object.slots);
    memset(object->object.slots, 0, slot_count * sizeof *object->object.slots);
    for (size_t i = 0; i < object->object.count; i++)
        object->object.slots[slot_of(object, object->object.members[i].key)] = (uint32_t)(i + 1);
}

json_t *json_object_get(const json_t *object, const char *key)
{
    if (json_object_size(object) == 0)
        return NULL;
    uint32_t number = object->object.slots[slot_of(object, key)];
    return number > 0 ? object->object.members[number - 1].value : NULL;
}

static char *copy_of(const char *text)
{
    size_t size = strlen(text) + 1;
    return memcpy(allocate(size), text, size);
}

int json_object_set_new(json_t *object, const char *key, json_t *value)
{
    if (!json_is_object(object) || key == NULL || value == NULL) {
        json_decref(value);
        return -1;
    }
    if (2 * (object->object.count + 1) > object->object.slot_count)
        fill_slots(object, object->object.slot_count == 0 ? 8 : 2 * object->object.slot_count);
    size_t slot = slot_of(object, key);
    if (object->object.slots[slot] != 0) {
        struct member *member = &object->object.members[object->object.slots[slot] - 1];
        json_decref(member->value);
        member->value = value;
        return 0;
    }
    if (object->object.count == object->object.capacity) {
        object->object.capacity = 2 * object->object.capacity + 4;
        object->object.members =
            grown(object->object.members, object->object.count, object->object.capacity, sizeof(struct member));
    }
    object->object.members[object->object.count++] = (struct member){copy_of(key), value};
    object->object.slots[slot] = (uint32_t)object->object.count;
    return 0;
}

int json_object_del(json_t *object, const char *key)
{
    if (json_object_get(object, key) == NULL)
        return -1;
    size_t index = object->object.slots[slot_of(object, key)] - 1;
    struct member *members = object->object.members;
    release(members[index].key);
    json_decref(members[index].value);
    memmove(&members[index], &members[index + 1], (--object->object.count - index) * sizeof *members);
    fill_slots(object, object->object.slot_count);
    return 0;
}

int json_object_update(json_t *object, json_t *other)
{
    const char *key;
    json_t *value;
    json_object_foreach (other, key, value)
        if (json_object_set_new(object, key, json_incref(value)) != 0)
            return -1;
    return 0;
}

bool json_equal(const json_t *one, const json_t *other)
{
    if (one == NULL || other == NULL || one->type != other->type)
        return false;
    bool is_equal = json_array_size(one) == json_array_size(other) && json_object_size(one) == json_object_size(other);
    for (size_t i = 0; is_equal && i < json_array_size(one); i++)
        is_equal = json_equal(json_array_get(one, i), json_array_get(other, i));
    const char *key;
    json_t *value;
    json_object_foreach (one, key, value)
        is_equal = is_equal && json_equal(value, json_object_get(other, key));
    if (one->type == JSON_STRING)
        is_equal =
            one->text.count == other->text.count && memcmp(one->text.bytes, other->text.bytes, one->text.count) == 0;
    return is_equal && json_number_value(one) == json_number_value(other) &&
           json_integer_value(one) == json_integer_value(other);
}

/* ---- packing --------------------------------------------------------------------------------------------------- */

struct pack {
    const char *at;
    va_list arguments;
    bool has_failed;
};

static char next_of(struct pack *pack)
{
    while (*pack->at == ' ' || *pack->at == ',' || *pack->at == ':')
        pack->at++;
    return *pack->at != '\0' ? *pack->at++ : '\0';
}

static bool takes(struct pack *pack, char sign)
{
    bool is_there = *pack->at == sign;
    pack->at += is_there;
    return is_there;
}

static json_t *pack_value(struct pack *pack);

/* With ?, NULL becomes null; with *, NULL is left out; else NULL is a failure. */
static json_t *or_absent(struct pack *pack, json_t *value, bool is_given)
{
    if (takes(pack, '?'))
        return is_given ? value : json_null();
    bool may_be_left_out = takes(pack, '*');
    pack->has_failed |= value == NULL && (is_given || !may_be_left_out);
    return value;
}

static json_t *pack_string(struct pack *pack)
{
    const char *text = va_arg(pack->arguments, const char *);
    json_t *value = takes(pack, '#') ? json_stringn(text, (size_t)va_arg(pack->arguments, int)) : json_string(text);
    return or_absent(pack, value, text != NULL);
}

static json_t *pack_members(struct pack *pack)
{
    json_t *object = json_object();
    while (next_of(pack) == 's' && !pack->has_failed) {
        const char *key = va_arg(pack->arguments, const char *);
        json_t *value = pack_value(pack);
        if (value != NULL)
            json_object_set_new(object, key, value);
    }
    return object;
}

static json_t *pack_items(struct pack *pack)
{
    json_t *array = json_array();
    for (; *pack->at != ']' && *pack->at != '\0' && !pack->has_failed; pack->at += strspn(pack->at, " ,")) {
        json_t *value = pack_value(pack);
        if (value != NULL)
            json_array_append_new(array, value);
    }
    takes(pack, ']');
    return array;
}

static json_t *pack_value(struct pack *pack)
{
    json_t *value;
    switch (next_of(pack)) {
    case '{': return pack_members(pack);
    case '[': return pack_items(pack);
    case 's': return pack_string(pack);
    case 'i': return json_integer(va_arg(pack->arguments, int));
    case 'I': return json_integer(va_arg(pack->arguments, json_int_t));
    case 'b': return json_boolean(va_arg(pack->arguments, int) != 0);
    case 'f': return json_real(va_arg(pack->arguments, double));
    case 'n': return json_null();
    case 'o': value = va_arg(pack->arguments, json_t *); return or_absent(pack, value, value != NULL);
    case 'O': value = json_incref(va_arg(pack->arguments, json_t *)); return or_absent(pack, value, value != NULL);
    default: pack->has_failed = true; return NULL;
    }
}

json_t *json_pack(const char *format, ...)
{
    struct pack pack = {.at = format};
    va_start(pack.arguments, format);
    json_t *value = pack_value(&pack);
    va_end(pack.arguments);
    if (!pack.has_failed)
        return value;
    json_decref(value);
    return NULL;
}
