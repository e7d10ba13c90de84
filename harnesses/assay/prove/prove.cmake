# SPDX-License-Identifier: MIT
#
# What `assay prove` compiles of the codecs a second time: `prover_objects`, of the references the rules, of the SIMD codecs the kernels.

set(THREADS_PREFER_PTHREAD_FLAG ON)
find_package(Threads REQUIRED)

file(STRINGS ${registry} references REGEX "^CODEC\\([^,]+, *reference, *reference/")
list(TRANSFORM references REPLACE "^CODEC\\([^,]+,[^,]+, *([^, ]+),.*" "${PROJECT_SOURCE_DIR}/codecs/\\1")
list(REMOVE_DUPLICATES references)
add_library(prover_rules OBJECT ${references})
target_compile_definitions(prover_rules PRIVATE ASSAY_RULES="${CMAKE_CURRENT_SOURCE_DIR}/assay/prove/rules.inc" ${checks})
target_compile_options(prover_rules PRIVATE -Wno-unused-function) # of the reference's loop, which is left out
set(prover_objects $<TARGET_OBJECTS:prover_rules>)

set(prover_kernels "")
foreach(isa IN LISTS built)
  if(EXISTS ${PROJECT_SOURCE_DIR}/codecs/simd/isa/vec_${isa}.h)
    add_library(prover_kernel_${isa} OBJECT assay/prove/kernel.c)
    target_compile_options(prover_kernel_${isa} PRIVATE ${flags_${isa}})
    target_compile_definitions(prover_kernel_${isa} PRIVATE ISA=${isa})
    list(APPEND prover_objects $<TARGET_OBJECTS:prover_kernel_${isa}>)
    string(APPEND prover_kernels "KERNELS(${isa}) ")
  endif()
endforeach()
set_property(SOURCE assay/prove/kernels.c PROPERTY COMPILE_DEFINITIONS "PROVER_KERNELS=${prover_kernels}")

# A prover that is wrong about one lane of the kernels that are written once for all instruction sets, and about both of their loops: it must
# refute `lanes` and `loops`.
set(prover_lanes_sources assay/prove/lanes_of_each.c assay/prove/loops_of_each.c assay/prove/loops_before_rest.c)
add_library(prover_lanes OBJECT ${prover_lanes_sources})
add_library(prover_lanes_canary OBJECT ${prover_lanes_sources})
target_compile_definitions(prover_lanes_canary PRIVATE CANARY)
