/* SPDX-License-Identifier: MIT */
#include "registry.h"

#include "assume.h"

#include <string.h>

#define SCHEME(id, name) extern const struct scheme scheme_##id;
#include "codecs.def"

enum { LOADED_MAX = 64 };
static struct registry_row loaded[LOADED_MAX];
/* copied to full size: members that are newer than the library are NULL */
static struct assay_codec loaded_codecs[LOADED_MAX];
static size_t loaded_count;

size_t registry_count(void)
{
    return built_in_count() + loaded_count;
}

const struct registry_row *registry_at(size_t index)
{
    ASSUME(index < registry_count());
    return index < built_in_count() ? built_in_at(index) : &loaded[index - built_in_count()];
}

const struct registry_row *registry_find(const char *encoding, const char *name)
{
    for (size_t i = 0; i < registry_count(); i++) {
        const struct registry_row *row = registry_at(i);
        if (strcmp(row->encoding, encoding) == 0 && strcmp(row->name, name) == 0)
            return row;
    }
    return NULL;
}

const struct assay_codec *registry_reference(const char *encoding)
{
    for (size_t i = 0; i < registry_count(); i++)
        if (strcmp(registry_at(i)->encoding, encoding) == 0)
            return registry_at(i)->codec;
    return NULL;
}

bool registry_is_reference(const struct registry_row *row)
{
    return row->codec != NULL && row->codec == registry_reference(row->encoding);
}

const struct scheme *registry_scheme(const char *encoding)
{
    static const struct {
        const char *encoding;
        const struct scheme *scheme;
    } schemes[] = {
#define SCHEME(id, name) {name, &scheme_##id},
#include "codecs.def"
    };
    for (size_t i = 0; i < sizeof schemes / sizeof schemes[0]; i++)
        if (strcmp(schemes[i].encoding, encoding) == 0)
            return schemes[i].scheme;
    return NULL;
}

bool registry_add(const struct assay_codec *codec)
{
    if (loaded_count == LOADED_MAX)
        return false;
    memcpy(&loaded_codecs[loaded_count], codec, codec->struct_size);
    loaded[loaded_count] = (struct registry_row){&loaded_codecs[loaded_count], codec->encoding, codec->name, CPU_ANY};
    loaded_count++;
    return true;
}

bool registry_is_loaded(const struct assay_codec *codec)
{
    for (size_t i = 0; i < loaded_count; i++)
        if (codec == &loaded_codecs[i])
            return true;
    return false;
}

/* clang-format off */
static const struct words {
    const char *name, *sentence;
} faults[] = {
#define X(id, name, sentence) {name, sentence},
    ASSAY_FAULTS(X)
#undef X
}, policies[] = {
#define X(id, name, sentence) {name, sentence},
    ASSAY_POLICIES(X)
#undef X
};
/* clang-format on */

const char *assay_fault_name(enum assay_fault fault)
{
    return (unsigned)fault < ASSAY_FAULT_COUNT ? faults[fault].name : "no-such-fault";
}

const char *assay_fault_sentence(enum assay_fault fault)
{
    return (unsigned)fault < ASSAY_FAULT_COUNT ? faults[fault].sentence : "a fault that codec.h does not have";
}

const char *assay_policy_name(enum assay_policy policy)
{
    ASSUME((unsigned)policy < ASSAY_POLICY_COUNT);
    return policies[policy].name;
}

const char *assay_policy_sentence(enum assay_policy policy)
{
    ASSUME((unsigned)policy < ASSAY_POLICY_COUNT);
    return policies[policy].sentence;
}

enum assay_policy assay_policy_parse(const char *name)
{
    size_t policy = 0;
    while (policy < ASSAY_POLICY_COUNT && strcmp(policies[policy].name, name) != 0)
        policy++;
    return (enum assay_policy)policy;
}
