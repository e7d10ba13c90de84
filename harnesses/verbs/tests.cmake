# SPDX-License-Identifier: MIT
#
# The verbs of each instruction set beside a scalar model. The canary is wrong about one pair of bytes in one of the 64 lanes.

if(LIB_FUZZING_ENGINE)
  return()
endif()

set(lanes 64)
if(slow OR CMAKE_CROSSCOMPILING_EMULATOR)
  set(lanes 4)
endif()
foreach(isa IN LISTS built)
  set(verbs ${PROJECT_SOURCE_DIR}/codecs/simd/isa/vec_${isa}.h)
  if(NOT EXISTS ${verbs}) # of instruction sets that no vectors come with, and of ANY
    continue()
  endif()
  foreach(program verbs_${isa} verbs_${isa}_canary)
    add_library(${program}_asked OBJECT verbs/ask.c)
    target_compile_options(${program}_asked PRIVATE ${flags_${isa}})
    target_compile_definitions(${program}_asked PRIVATE VEC_HEADER="${verbs}")
    add_executable(${program} verbs/verbs_test.c verbs/model.c $<TARGET_OBJECTS:${program}_asked> core/arena.c core/dice.c)
    target_compile_definitions(${program} PRIVATE VERBS_ISA=${isa})
    target_link_libraries(${program} PRIVATE codecs)
  endforeach()
  target_compile_definitions(verbs_${isa}_canary_asked PRIVATE CANARY)
  add_test(NAME verbs_of_${isa}_do_what_the_model_does COMMAND verbs_${isa} ${lanes})
  add_test(NAME canary_is_caught_by_the_model_of_verbs_of_${isa} COMMAND verbs_${isa}_canary)
  set_tests_properties(verbs_of_${isa}_do_what_the_model_does canary_is_caught_by_the_model_of_verbs_of_${isa}
                       PROPERTIES SKIP_RETURN_CODE 77)
  set_tests_properties(canary_is_caught_by_the_model_of_verbs_of_${isa}
                       PROPERTIES PASS_REGULAR_EXPRESSION "vec_subtract[^\n]* differs")
endforeach()
