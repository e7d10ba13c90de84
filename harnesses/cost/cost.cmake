# SPDX-License-Identifier: MIT
#
# No codec is quadratic. `cost` counts the blocks of two codecs, which compile in seconds, and of those that it loads; `cost-of-all`
# those of all, for `scripts/test --long`.

if(NOT TARGET assay OR NOT counted)
  return()
endif()

set(wrapped "")
foreach(name memcpy memmove memset memcmp)
  list(APPEND wrapped -Wl,--wrap=${name})
endforeach()

function(add_cost program codecs)
  add_executable(${program} cost/cost.c cost/blocks.c cost/patterns.c cost/report.c ${cli_sources} $<TARGET_OBJECTS:core> ${ARGN})
  set_target_properties(${program} PROPERTIES ENABLE_EXPORTS ON) # the counter, for codecs that are loaded
  target_link_libraries(${program} PRIVATE ${codecs} ${JANSSON_LIBRARY})
  target_link_options(${program} PRIVATE ${wrapped})
endfunction()
add_cost(cost codecs_counted)
add_cost(cost-of-all codecs_all_counted)
set_target_properties(cost-of-all PROPERTIES EXCLUDE_FROM_ALL ON)

# Bsymbolic: its own reference, which is counted, and not the program's.
add_library(quadratic MODULE museum/quadratic.c ${PROJECT_SOURCE_DIR}/codecs/reference/utf8.c)
target_compile_options(quadratic PRIVATE ${counted})
target_link_options(quadratic PRIVATE -Wl,-Bsymbolic)

# Compiling all of them takes two minutes of a core, which only the long tests spend.
add_test(NAME no_codec_of_a_sample_is_quadratic COMMAND cost -e utf-8 --units 256)
assay_long_test(codecs_that_count_are_built ${CMAKE_COMMAND} --build ${PROJECT_BINARY_DIR} --target cost-of-all)
set_tests_properties(codecs_that_count_are_built PROPERTIES FIXTURES_SETUP counted)
foreach(encoding IN LISTS encodings)
  assay_long_test(no_codec_of_${encoding}_is_quadratic cost-of-all -e ${encoding} ${seeds})
  set_tests_properties(no_codec_of_${encoding}_is_quadratic PROPERTIES FIXTURES_REQUIRED counted)
endforeach()
