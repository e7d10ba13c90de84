# SPDX-License-Identifier: MIT
#
# The mutants that the vectors must kill, for scripts/kill-rate.

# Each file of decoders/ defines `mistakes_FILE`.
file(GLOB mistake_sources CONFIGURE_DEPENDS museum/decoders/*.c)
list(TRANSFORM mistake_sources REPLACE ".*/([a-z0-9_]+)\\.c$" "mistakes_\\1" OUTPUT_VARIABLE mistake_lists)
list(TRANSFORM mistake_lists APPEND "[]" OUTPUT_VARIABLE mistake_lists_declared)
list(JOIN mistake_lists "," mistake_lists)
list(JOIN mistake_lists_declared "," mistake_lists_declared)
set_source_files_properties(museum/mistakes.c PROPERTIES COMPILE_DEFINITIONS
                            "MISTAKE_LISTS=${mistake_lists};MISTAKE_LISTS_DECLARED=${mistake_lists_declared}")
if(NOT TARGET assay)
  return()
endif()
add_library(exhibits OBJECT museum/mistakes.c museum/correct_decoder.c museum/trials.c ${mistake_sources})
add_executable(museum museum/kill.c museum/code_mutants.c museum/lane_mutants.c museum/lane_inputs.c $<TARGET_OBJECTS:exhibits> ${cli_sources} ${vector_sources} $<TARGET_OBJECTS:core>)
target_link_libraries(museum PRIVATE codecs ${JANSSON_LIBRARY})
if(CMAKE_SYSTEM_PROCESSOR STREQUAL "aarch64") # scripts/code-mutants asks which instructions have a part of an address
  target_link_options(museum PRIVATE LINKER:--emit-relocs)
endif()
if(ASSAY_SANITIZE) # its tests are those of an ordinary build
  set_target_properties(museum PROPERTIES EXCLUDE_FROM_ALL ON)
endif()
