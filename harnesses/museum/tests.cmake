# SPDX-License-Identifier: MIT
#
# Codecs that break a law are caught, and codecs that leave things out are not accused. A fuzzer finds an exhibit.

set(laws_def ${CMAKE_CURRENT_SOURCE_DIR}/core/laws.def)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${laws_def})

# The references for shared libraries that change something about one, compiled once.
file(GLOB reference_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/codecs/reference/*.c)
add_library(references STATIC EXCLUDE_FROM_ALL ${reference_sources})
set_target_properties(references PROPERTIES POSITION_INDEPENDENT_CODE ON)

# Each law catches a codec that breaks it: the reference, but for one operation.
function(assay_catches_lawbreaker claim id law encoding_id operation fault)
  set(encoding ${encoding_${encoding_id}})
  add_library(lawbreaker_${id} MODULE museum/lawbreakers.c)
  target_link_libraries(lawbreaker_${id} PRIVATE references)
  target_compile_definitions(lawbreaker_${id} PRIVATE BASE=codec_${encoding_id}_reference CODEC_NAME="lawbreaker"
                             MEMBER=${operation} FAULT=${fault})
  name_target(${claim} ${encoding} program)
  find_corpus(${encoding} folders)
  list(REMOVE_ITEM folders ${corpus}/text)
  set(name law_${law}_of_${claim}_catches_its_breaker)
  add_test(NAME ${name} COMMAND ${program} ${folders})
  # Without the codecs whose answers are not looked at.
  set_tests_properties(${name} PROPERTIES ENVIRONMENT "ASSAY_CODECS=$<TARGET_FILE:lawbreaker_${id}>;ASSAY_WITHOUT=sse41,avx2,avx512,neon"
                       PASS_REGULAR_EXPRESSION "${encoding}/lawbreaker breaks the law ${law}\n  law           [^\n]+\n")
endfunction()

file(STRINGS ${laws_def} rows REGEX "^ *LAW *\\(")
foreach(row IN LISTS rows)
  if(NOT row MATCHES "^LAW\\(([a-z]+), *([A-Z0-9_]+), *\"([a-z0-9-]+)\", *([a-z0-9]+), *([a-z0-9_]+), *([a-z0-9_]+),$")
    message(FATAL_ERROR "${laws_def}: no law, or none with a codec that breaks it: ${row}")
  endif()
  # Where it is slow a law sees the same; but those of one claim are everywhere: a breach is reported without a fault, too.
  if(LIB_FUZZING_ENGINE OR CMAKE_CROSSCOMPILING_EMULATOR OR (slow AND NOT CMAKE_MATCH_1 STREQUAL "decode"))
    continue()
  endif()
  assay_catches_lawbreaker(${CMAKE_MATCH_1} ${CMAKE_MATCH_2} ${CMAKE_MATCH_3} ${CMAKE_MATCH_4} ${CMAKE_MATCH_5} ${CMAKE_MATCH_6})
endforeach()

# Mutants of NEON's machine code, which the emulator runs.
if(CMAKE_CROSSCOMPILING_EMULATOR AND CMAKE_SYSTEM_PROCESSOR STREQUAL "aarch64")
  add_test(NAME code_mutants_of_neon COMMAND ${Python3_EXECUTABLE} -B -m unittest discover -v -s harnesses/museum -t harnesses -p test_code_mutants.py -k EmulatedTest)
  set_tests_properties(code_mutants_of_neon PROPERTIES WORKING_DIRECTORY ${PROJECT_SOURCE_DIR} ENVIRONMENT "ASSAY_MUSEUM=$<TARGET_FILE:museum>"
                       FAIL_REGULAR_EXPRESSION "skipped=")
endif()

# A correct codec that does not offer everything is accused of nothing: of one encoding of each form. The codecs here are
# references: MemorySanitizer, which takes longest, looks at the others, and AddressSanitizer at one, where pairs that are left out wait
# for the night.
if(NOT LIB_FUZZING_ENGINE AND NOT CMAKE_CROSSCOMPILING_EMULATOR AND NOT ASSAY_SANITIZE MATCHES "memory")
  add_executable(partial_test museum/partial_test.c $<TARGET_OBJECTS:claims> $<TARGET_OBJECTS:core>)
  target_link_libraries(partial_test PRIVATE codecs)
  set(partial_ids utf8 wtf8 cesu8 mutf8 utf16be)
  set(alone "")
  if(ASSAY_SANITIZE MATCHES "address")
    set(partial_ids utf8)
    set(alone alone)
    assay_long_test(codec_that_leaves_out_pairs_is_not_accused_in_utf-8 partial_test utf-8 $<TARGET_FILE:partial_utf8>)
    set_tests_properties(codec_that_leaves_out_pairs_is_not_accused_in_utf-8 PROPERTIES ENVIRONMENT "ASSAY_WITHOUT=sse41,avx2,avx512,neon")
  endif()
  foreach(id IN LISTS partial_ids)
    add_library(partial_${id} MODULE museum/partial.c)
    target_link_libraries(partial_${id} PRIVATE references)
    target_compile_definitions(partial_${id} PRIVATE BASE=codec_${id}_reference)
    add_test(NAME codec_that_leaves_things_out_is_not_accused_in_${encoding_${id}}
             COMMAND partial_test ${encoding_${id}} $<TARGET_FILE:partial_${id}> ${alone})
    set_tests_properties(codec_that_leaves_things_out_is_not_accused_in_${encoding_${id}} PROPERTIES
                         ENVIRONMENT "ASSAY_WITHOUT=sse41,avx2,avx512,neon") # whose answers are not looked at
  endforeach()
endif()

# An exhibit as a loadable codec, chosen when it is loaded. scripts/hunting/studies/exhibits.py gives each to each engine; here one, with one seed.
add_library(exhibit MODULE EXCLUDE_FROM_ALL museum/exhibit.c museum/mistakes.c museum/correct_decoder.c ${mistake_sources})
target_link_libraries(exhibit PRIVATE references)
if(LIB_FUZZING_ENGINE)
  set_target_properties(exhibit PROPERTIES EXCLUDE_FROM_ALL OFF)
  function(assay_fuzzes_exhibit name exhibit said)
    add_test(NAME ${name} COMMAND fuzz_decode -runs=20000 -seed=1 -max_len=64 -verbosity=0 -dict=${seeds}/utf-8.dict)
    set_tests_properties(${name} PROPERTIES ENVIRONMENT "ASSAY_CODECS=$<TARGET_FILE:exhibit>;ASSAY_EXHIBIT=${exhibit}"
                         PASS_REGULAR_EXPRESSION "${said}")
  endfunction()
  assay_fuzzes_exhibit(fuzzing_finds_an_exhibit utf-8/surrogates "finding utf8-[a-z0-9-]*-surrogates")
  assay_fuzzes_exhibit(fuzzing_finds_no_mistake_in_the_control utf-8/control "ran decode [^\n]* control \\([1-9]")
  set_tests_properties(fuzzing_finds_no_mistake_in_the_control PROPERTIES FAIL_REGULAR_EXPRESSION "finding ")
  assay_fuzzes_exhibit(fuzzing_refuses_an_unknown_exhibit utf-8/surrogate "^exhibit: ASSAY_EXHIBIT is ENCODING/NAME")
endif()
