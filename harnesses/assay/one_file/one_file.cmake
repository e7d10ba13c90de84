# SPDX-License-Identifier: MIT
#
# What makes `assay` one file (preset `static`): the vectors, packed, as bytes of the program; JSON of our own; and no shared library.

enable_language(ASM)
add_executable(pack assay/one_file/pack.c)
list(REMOVE_ITEM command_sources assay/one_file/pack.c)
file(GLOB carried CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/vectors/*/*.json ${PROJECT_SOURCE_DIR}/vectors/complete/*)
list(FILTER carried EXCLUDE REGEX "^vectors/examples/")
list(TRANSFORM carried PREPEND ${PROJECT_SOURCE_DIR}/ OUTPUT_VARIABLE carried_paths)
set(archive ${PROJECT_BINARY_DIR}/made/vectors.pack)
add_custom_command(OUTPUT ${archive} COMMAND ${CMAKE_COMMAND} -E make_directory ${PROJECT_BINARY_DIR}/made
                   COMMAND pack ${archive} ${PROJECT_SOURCE_DIR} ${carried} DEPENDS pack ${carried_paths} COMMENT "The vectors, packed" VERBATIM)
set_property(SOURCE assay/one_file/carried.S PROPERTY COMPILE_OPTIONS "-DCARRIED=\"${archive}\"")
set_property(SOURCE assay/one_file/carried.S PROPERTY OBJECT_DEPENDS ${archive})
list(APPEND command_sources assay/one_file/carried.S)
