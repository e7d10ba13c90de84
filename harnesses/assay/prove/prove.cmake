# SPDX-License-Identifier: MIT
#
# What `assay prove` compiles of the codecs a second time: `prover_objects`, of the references the rules.

set(THREADS_PREFER_PTHREAD_FLAG ON)
find_package(Threads REQUIRED)

file(STRINGS ${registry} references REGEX "^CODEC\\([^,]+, *reference, *reference/")
list(TRANSFORM references REPLACE "^CODEC\\([^,]+,[^,]+, *([^, ]+),.*" "${PROJECT_SOURCE_DIR}/codecs/\\1")
list(REMOVE_DUPLICATES references)
add_library(prover_rules OBJECT ${references})
target_compile_definitions(prover_rules PRIVATE ASSAY_RULES="${CMAKE_CURRENT_SOURCE_DIR}/assay/prove/rules.inc" ${checks})
target_compile_options(prover_rules PRIVATE -Wno-unused-function) # of the reference's loop, which is left out
set(prover_objects $<TARGET_OBJECTS:prover_rules>)
