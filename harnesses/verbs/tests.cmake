# SPDX-License-Identifier: MIT
#
# The verbs of each instruction set beside a scalar model. The canary is wrong about one pair of bytes in one of the 64 lanes.
#
# Under AddressSanitizer for what they read and write; MemorySanitizer sees no more of them here than in the codecs. That the
# model catches the canary is the same in all builds, and shown in the ordinary one.

if(LIB_FUZZING_ENGINE OR ASSAY_SANITIZE MATCHES "memory")
  return()
endif()

set(lanes 64)
if(slow OR CMAKE_CROSSCOMPILING_EMULATOR)
  set(lanes 4)
endif()
add_library(verbs_model OBJECT verbs/model.c)

# The verbs of an instruction set, and a program that asks them.
function(add_verbs program isa)
  add_library(${program}_asked OBJECT verbs/ask.c)
  target_compile_options(${program}_asked PRIVATE ${flags_${isa}})
  target_compile_definitions(${program}_asked PRIVATE VEC_HEADER="${verbs}" ${ARGN})
  add_executable(${program} verbs/verbs_test.c $<TARGET_OBJECTS:verbs_model> $<TARGET_OBJECTS:${program}_asked> $<TARGET_OBJECTS:core>)
  target_compile_definitions(${program} PRIVATE VERBS_ISA=${isa})
  target_link_libraries(${program} PRIVATE codecs)
endfunction()

foreach(isa IN LISTS built)
  set(verbs ${PROJECT_SOURCE_DIR}/codecs/simd/isa/vec_${isa}.h)
  if(NOT EXISTS ${verbs}) # of instruction sets that no vectors come with, and of ANY
    continue()
  endif()
  add_verbs(verbs_${isa} ${isa})
  add_test(NAME verbs_of_${isa}_do_what_the_model_does COMMAND verbs_${isa} ${lanes})
  set_tests_properties(verbs_of_${isa}_do_what_the_model_does PROPERTIES SKIP_RETURN_CODE 77)
  if(ASSAY_SANITIZE)
    continue()
  endif()
  add_verbs(verbs_${isa}_canary ${isa} CANARY)
  add_test(NAME canary_is_caught_by_the_model_of_verbs_of_${isa} COMMAND verbs_${isa}_canary)
  set_tests_properties(canary_is_caught_by_the_model_of_verbs_of_${isa} PROPERTIES SKIP_RETURN_CODE 77
                       PASS_REGULAR_EXPRESSION "vec_subtract[^\n]* differs")
endforeach()
