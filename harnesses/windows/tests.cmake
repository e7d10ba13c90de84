# SPDX-License-Identifier: MIT
#
# What holds on Windows: the vectors for every codec, the library's interface, the claims on the corpus; and each of these can fail.

add_executable(api_test core/api_test.c $<TARGET_OBJECTS:core>)
target_link_libraries(api_test PRIVATE codecs)
add_test(NAME applications_get_what_references_give COMMAND api_test)

add_executable(streams_test windows/streams_test.c windows/posix.c)
add_test(NAME streams_of_several_processes COMMAND streams_test)

add_test(NAME vectors_hold_for_every_codec COMMAND assay check --quiet)
add_test(NAME expected_instruction_sets_run COMMAND assay list --expect "${ASSAY_EXPECT}")
foreach(claim IN LISTS claims)
  foreach(encoding IN ITEMS utf-8 utf-16le)
    name_target(${claim} ${encoding} program)
    add_test(NAME ${program}_holds_on_corpus COMMAND ${program} ${PROJECT_SOURCE_DIR}/corpus/found ${seeds}/${encoding})
  endforeach()
endforeach()

# A canary, a codec that is loaded from a DLL, one that crashes, and a command that Windows does not have.
function(assay_says name pattern)
  add_test(NAME ${name} COMMAND ${ARGN})
  set_tests_properties(${name} PROPERTIES PASS_REGULAR_EXPRESSION "${pattern}")
endfunction()
assay_says(canary_is_caught_by_vectors "utf-8/canary" assay-canary check --quiet utf-8/overlong)
assay_says(canary_is_caught_by_diff "utf-8/canary" assay-canary diff C080)
assay_says(canary_is_caught_by_replay "utf-8/canary" fuzz_decode-canary ${seeds}/utf-8)
foreach(codec IN ITEMS example dying)
  add_library(${codec} MODULE assay/tests/codecs/${codec}.c)
  set_target_properties(${codec} PROPERTIES PREFIX "")
  target_include_directories(${codec} PRIVATE ${PROJECT_SOURCE_DIR}/codecs)
  target_compile_definitions(${codec} PRIVATE NAME="${codec}" "END=*(volatile char *)0 = 1")
endforeach()
assay_says(codec_in_a_dll_is_asked " 0 cases failed" assay check --codec $<TARGET_FILE:example> -c example utf-8/overlong)
assay_says(codec_that_crashes_has_its_letter "finding utf8-[a-z0-9-]+-dying-segv" assay diff --codec $<TARGET_FILE:dying> 41)
assay_says(command_that_is_not_offered_says_so "assay sweep: not offered on Windows" assay sweep)

# Wine keeps its files in the build folder.
get_property(tests DIRECTORY PROPERTY TESTS)
set_property(TEST ${tests} APPEND PROPERTY ENVIRONMENT WINEPREFIX=${PROJECT_BINARY_DIR}/wine WINEDEBUG=-all)
