# SPDX-License-Identifier: MIT
#
# The claims on the corpus, the fuzzing itself, and what the targets are made of.

# A target that compares no answers is a fault in it, or wants a row EXCEPT in claims.def.
set(compared_nothing "\\(0 answers compared")

# UTF-8 is fuzzed longest: its decoders are the most.
function(assay_holds claim encoding)
  name_target(${claim} ${encoding} program)
  find_corpus(${encoding} folders)
  if(slow AND NOT claim STREQUAL "decode") # texts once will do
    list(REMOVE_ITEM folders ${corpus}/text)
  endif()
  string(REPLACE "fuzz_" "" name ${program})
  if(NOT LIB_FUZZING_ENGINE)
    if(ASSAY_SANITIZE MATCHES "address|memory" AND NOT encoding STREQUAL "utf-8")
      return() # the fuzzers with AddressSanitizer read it first; with MemorySanitizer, the hunt does every night
    endif()
    add_test(NAME ${name}_holds_on_corpus COMMAND ${program} ${folders})
    set_tests_properties(${name}_holds_on_corpus PROPERTIES FAIL_REGULAR_EXPRESSION "${compared_nothing}")
    return()
  endif()
  set(runs 10000)
  if(encoding STREQUAL "utf-8")
    set(runs 60000)
    list(REMOVE_ITEM folders ${corpus}/text)
  endif()
  file(MAKE_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/corpus_${name})
  add_test(NAME fuzzing_${name}_finds_nothing
           COMMAND ${program} -runs=${runs} -seed=1 -max_len=300 -verbosity=0 corpus_${name} ${folders})
  set_tests_properties(fuzzing_${name}_finds_nothing PROPERTIES FAIL_REGULAR_EXPRESSION "${compared_nothing}")
endfunction()

foreach(claim IN LISTS claims)
  foreach(encoding IN LISTS encodings_of_${claim})
    assay_holds(${claim} ${encoding})
  endforeach()
endforeach()

if(asan_replacements AND NOT ASSAY_LINK_WITH_CXX)
  add_executable(asan_replacements_test fuzz/asan_replacements_test.c ${asan_replacements})
  target_compile_options(asan_replacements_test PRIVATE ${sanitize} -O0)
  target_link_options(asan_replacements_test PRIVATE ${wrapped})
  add_test(NAME copies_between_sound_addresses_are_right COMMAND asan_replacements_test sound)
  add_executable(plain_address_test fuzz/asan_replacements_test.c ${asan_replacements})
  target_compile_options(plain_address_test PRIVATE -fno-builtin -O0)
  target_link_options(plain_address_test PRIVATE ${wrapped})
  add_test(NAME copies_by_code_without_a_sanitizer_are_right COMMAND plain_address_test sound)
  function(assay_names_fault fault said)
    add_test(NAME address_sanitizer_names_${fault} COMMAND asan_replacements_test ${fault})
    set_tests_properties(address_sanitizer_names_${fault} PROPERTIES PASS_REGULAR_EXPRESSION "AddressSanitizer: ${said}")
  endfunction()
  assay_names_fault(read-stack stack-buffer-overflow)
  assay_names_fault(write-stack stack-buffer-overflow)
  assay_names_fault(write-heap heap-buffer-overflow)
  assay_names_fault(before-heap heap-buffer-overflow)
  assay_names_fault(copy-global global-buffer-overflow)
  assay_names_fault(overlap memcpy-param-overlap)
endif()

if(LIB_FUZZING_ENGINE)
  file(MAKE_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/corpus_canary)
  assay_catches_canary(fuzzing fuzz_decode-canary -runs=2000000 -seed=1 -max_len=64 -verbosity=0 -dict=${seeds}/utf-8.dict
                       corpus_canary)
  # Checks the number of coverage counters. Too few: only the target is instrumented, and nothing guides it. Too many: so are the
  # codecs of other encodings.
  if(guided)
    foreach(encoding IN LISTS encodings)
      name_target(decode ${encoding} program)
      add_test(NAME ${program}_is_guided_by_its_own_encoding COMMAND ${program} -runs=0)
      set_tests_properties(${program}_is_guided_by_its_own_encoding PROPERTIES
                           PASS_REGULAR_EXPRESSION "\\([2-9][0-9][0-9] inline 8-bit counters\\)")
    endforeach()
  endif()
  # What libFuzzer does beside fuzzing: minimise, cleanse, merge, fork.
  if(guided)
    add_test(NAME libfuzzer_minimises_cleanses_merges_and_forks COMMAND ${Python3_EXECUTABLE} -B -m unittest -v hunting.tests.modes
             WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}/scripts)
    set_tests_properties(libfuzzer_minimises_cleanses_merges_and_forks PROPERTIES COST 1 # takes longest, so it begins first
                         ENVIRONMENT "ASSAY_FUZZ_TARGET=$<TARGET_FILE:fuzz_decode>;CC=${CMAKE_C_COMPILER}")
  endif()
  # A stream's question is asked of the codecs at even or at odd places of the panel: without shift_bmi2 the plant is at the other kind.
  set_target_properties(fuzz_stream-early PROPERTIES EXCLUDE_FROM_ALL OFF)
  foreach(name IN ITEMS early early_one_place_before)
    add_test(NAME fuzzing_finds_the_plant_${name} COMMAND fuzz_stream-early -runs=100000 -seed=1 -max_len=64 -verbosity=0)
    set_tests_properties(fuzzing_finds_the_plant_${name} PROPERTIES PASS_REGULAR_EXPRESSION "finding utf8-feed-utf[0-9]+-early")
  endforeach()
  set_tests_properties(fuzzing_finds_the_plant_early_one_place_before PROPERTIES ENVIRONMENT "ASSAY_WITHOUT=bmi2")
  # What the engine alone does not find in ten times as many runs, from nothing and without a dictionary.
  foreach(plant edge large)
    set_target_properties(fuzz_decode-${plant} PROPERTIES EXCLUDE_FROM_ALL OFF)
    add_test(NAME mutator_finds_the_plant_${plant}
             COMMAND fuzz_decode-${plant} -runs=40000 -seed=1 -max_len=8192 -len_control=0 -verbosity=0)
    set_tests_properties(mutator_finds_the_plant_${plant} PROPERTIES PASS_REGULAR_EXPRESSION "finding utf8-validate-${plant}")
  endforeach()
else()
  assay_catches_canary(replay fuzz_decode-canary ${seeds}/utf-8)
  add_executable(mutator_test fuzz/mutator_test.c $<TARGET_OBJECTS:mutator> $<TARGET_OBJECTS:core>)
  target_link_libraries(mutator_test PRIVATE codecs)
  if(NOT CMAKE_CROSSCOMPILING_EMULATOR)
    add_test(NAME mutator_reaches_edges_and_stays_in_bounds COMMAND mutator_test)
  endif()
  # The same a million times, with AddressSanitizer beside the guard pages: the long tests are of the ordinary build, which has none.
  if(ordinary_build AND NOT CMAKE_CROSSCOMPILING)
    include(CheckCCompilerFlag)
    set(CMAKE_REQUIRED_LINK_OPTIONS -fsanitize=address)
    check_c_compiler_flag(-fsanitize=address has_address_sanitizer)
    unset(CMAKE_REQUIRED_LINK_OPTIONS)
    if(has_address_sanitizer)
      add_executable(mutator_address_test fuzz/mutator_test.c fuzz/mutator.c $<TARGET_OBJECTS:core>)
      target_compile_options(mutator_address_test PRIVATE -fsanitize=address)
      target_link_options(mutator_address_test PRIVATE -fsanitize=address)
      target_link_libraries(mutator_address_test PRIVATE codecs)
      assay_long_test(mutator_stays_in_bounds_a_million_times mutator_address_test 1000000)
    endif()
  endif()
endif()
