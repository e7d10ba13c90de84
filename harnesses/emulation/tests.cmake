# SPDX-License-Identifier: MIT
#
# The emulation of AVX-512, compared with the instructions.

if(LIB_FUZZING_ENGINE OR NOT avx512 IN_LIST built OR ASSAY_EMULATE_AVX512)
  return()
endif()

read_codecs(${registry} avx512 sources_avx512)
list(TRANSFORM sources_avx512 PREPEND ${PROJECT_SOURCE_DIR}/codecs/)
add_executable(emulation_test emulation/emulation_test.c core/dice.c)
target_link_libraries(emulation_test PRIVATE codecs)
function(add_asked asked flags)
  add_library(ask_${asked} OBJECT emulation/ask.c)
  target_compile_definitions(ask_${asked} PRIVATE ASK=ask_${asked} ${ARGN})
  target_compile_options(ask_${asked} PRIVATE ${flags})
  target_sources(emulation_test PRIVATE $<TARGET_OBJECTS:ask_${asked}>)
endfunction()
add_asked(instructions "${flags_avx512}")
add_asked(emulation "${flags_emulated};-Werror=unused-function" ASSAY_EMULATES_AVX512)
add_asked(canary "${flags_avx512}" CANARY)
add_test(NAME emulated_instructions_do_what_the_instructions_do COMMAND emulation_test)
set_tests_properties(emulated_instructions_do_what_the_instructions_do PROPERTIES SKIP_RETURN_CODE 77)
add_test(NAME whatever_avx512_uses_is_emulated
         COMMAND ${CMAKE_C_COMPILER} -std=c11 -fsyntax-only -Werror -DASSAY_EMULATES_AVX512 -DISA=avx512 ${flags_emulated} ${sources_avx512})
add_test(NAME canary_is_caught_by_the_instructions COMMAND emulation_test canary)
set_tests_properties(canary_is_caught_by_the_instructions PROPERTIES SKIP_RETURN_CODE 77
                     PASS_REGULAR_EXPRESSION "_mm512_subs_epu8[^\n]* differs")
