/* SPDX-License-Identifier: MIT */
#include "kernels.h"

#include <dlfcn.h>
#include <string.h>

/* The build defines PROVER_KERNELS as KERNELS(isa) for each of its instruction sets with vectors. */
#define KERNELS(isa) extern const struct kernels kernels_utf8_##isa, kernels_generalized_##isa;
PROVER_KERNELS
#undef KERNELS

static const struct kernels *const all_kernels[] = {
#define KERNELS(isa) &kernels_utf8_##isa, &kernels_generalized_##isa,
    PROVER_KERNELS
#undef KERNELS
        NULL};

static const struct kernels *loaded;

static bool are_for(const struct kernels *kernels, const char *encoding, const char *isa)
{
    return kernels != NULL && strcmp(kernels->encoding, encoding) == 0 && strcmp(kernels->isa, isa) == 0;
}

const char *kernels_load(const char *library)
{
    void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
    loaded = handle != NULL ? dlsym(handle, "kernels") : NULL;
    return loaded != NULL ? NULL : dlerror();
}

const struct kernels *kernels_of(const char *encoding, const char *isa)
{
    const struct kernels *const *kernels = all_kernels;
    while (*kernels != NULL && !are_for(*kernels, encoding, isa))
        kernels++;
    return *kernels != NULL && are_for(loaded, encoding, isa) ? loaded : *kernels;
}
