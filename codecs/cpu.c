/* SPDX-License-Identifier: MIT */
#include "cpu.h"
#include "cpu_vendor.h"

#include "assume.h"

#include <stdlib.h>
#include <string.h>

#if defined(__x86_64__) || defined(__i386__)
static bool detect_sse41(void)
{
    return __builtin_cpu_supports("sse4.1");
}

static bool detect_bmi2(void)
{
    return __builtin_cpu_supports("bmi2");
}

/* Every CPU with AVX2 and BMI2 has LZCNT and POPCNT too; clang 14 cannot ask for LZCNT by name. */
static bool detect_avx2(void)
{
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") && detect_bmi2() &&
           __builtin_cpu_supports("popcnt");
}

static bool detect_intel(void)
{
    return __builtin_cpu_is("intel");
}

static bool detect_avx512(void)
{
    return detect_avx2() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512vbmi") &&
           __builtin_cpu_supports("avx512vbmi2") && __builtin_cpu_supports("gfni");
}
#else
static bool detect_intel(void)
{
    return false;
}
static bool detect_sse41(void)
{
    return false;
}
static bool detect_bmi2(void)
{
    return false;
}
static bool detect_avx2(void)
{
    return false;
}
static bool detect_avx512(void)
{
    return false;
}
#endif

/* NEON is part of AArch64, so every CPU that runs such a binary has it. */
static bool detect_neon(void)
{
#ifdef __aarch64__
    return true;
#else
    return false;
#endif
}

/* A module with vectors is refused as a whole by an engine that has none. */
static bool detect_wasm(void)
{
#ifdef __wasm__
    return true;
#else
    return false;
#endif
}

static bool detect_any(void)
{
    return true;
}

static const struct {
    const char *name;
    bool (*detect)(void);
} isas[] = {
    {"any", detect_any},
#define ISA(name, processor, flags) {#name, detect_##name},
#include "codecs.def"
};

/* Returns the next word of a list separated by commas or spaces; NULL at the end. */
static const char *next_word(const char **list, size_t *length)
{
    *list += strspn(*list, ", ");
    const char *word = *list;
    *length = strcspn(word, ", ");
    *list += *length;
    return *length > 0 ? word : NULL;
}

/* The value of an environment variable; "" without one. */
static const char *setting(const char *name)
{
#ifdef __wasm__ /* a module has no environment */
    (void)name;
    return "";
#else
    const char *value = getenv(name);
    return value != NULL ? value : "";
#endif
}

static const char *overrides(void)
{
    return setting("ASSAY_WITHOUT");
}

static bool is_named(enum cpu_isa isa, const char *word, size_t length)
{
    return strlen(isas[isa].name) == length && memcmp(isas[isa].name, word, length) == 0;
}

const char *cpu_isa_name(enum cpu_isa isa)
{
    ASSUME(isa < CPU_ISA_COUNT);
    return isas[isa].name;
}

bool cpu_emulates(enum cpu_isa isa)
{
#ifdef ASSAY_EMULATES_AVX512
    return isa == CPU_avx512;
#else
    (void)isa;
    return false;
#endif
}

bool cpu_is_without(enum cpu_isa isa)
{
    const char *list = overrides(), *word;
    size_t length;
    while ((word = next_word(&list, &length)) != NULL)
        if (is_named(isa, word, length))
            return true;
    return false;
}

bool cpu_has(enum cpu_isa isa)
{
    return !cpu_is_without(isa) && (cpu_emulates(isa) || isas[isa].detect());
}

bool cpu_is_intel(void)
{
    enum { UNKNOWN, INTEL, OTHER };
    static _Atomic unsigned char vendor; /* two threads may both set it, to the same */
    if (vendor == UNKNOWN) {
        const char *value = setting("ASSAY_VENDOR");
        vendor = strcmp(value, "intel") == 0 || (strcmp(value, "amd") != 0 && detect_intel()) ? INTEL : OTHER;
    }
    return vendor == INTEL;
}

const char *cpu_unknown_vendor(void)
{
    const char *value = setting("ASSAY_VENDOR");
    return *value == '\0' || strcmp(value, "intel") == 0 || strcmp(value, "amd") == 0 ? NULL : value;
}

const char *cpu_unknown_override(void)
{
    const char *list = overrides(), *word;
    size_t length;
    while ((word = next_word(&list, &length)) != NULL) {
        enum cpu_isa isa = CPU_ANY + 1;
        while (isa < CPU_ISA_COUNT && !is_named(isa, word, length))
            isa++;
        if (isa == CPU_ISA_COUNT)
            return word;
    }
    return NULL;
}
