/* SPDX-License-Identifier: MIT
 *
 * chosen.h - the verbs of vec.h for the instruction set that the build names, such as -DISA=avx2.
 */
#ifndef ASSAY_SIMD_ISA_CHOSEN_H
#define ASSAY_SIMD_ISA_CHOSEN_H

#define TEXT_OF(name) #name
#define VERBS_OF(isa) TEXT_OF(vec_##isa.h)
#define VERBS_OF_EXPANDED(isa) VERBS_OF(isa)
#include VERBS_OF_EXPANDED(ISA)
#undef VERBS_OF_EXPANDED
#undef VERBS_OF
#undef TEXT_OF

#endif
