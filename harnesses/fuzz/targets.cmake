# SPDX-License-Identifier: MIT
#
# The fuzz targets, or, without an engine, replayers of files.

# The mutator, in every target that an engine drives, and as the library that AFL++ loads.
add_library(mutator OBJECT fuzz/mutator.c)
add_library(afl-mutator MODULE EXCLUDE_FROM_ALL $<TARGET_OBJECTS:mutator> core/dice.c)
set_target_properties(mutator PROPERTIES POSITION_INDEPENDENT_CODE ON)
set_target_properties(afl-mutator PROPERTIES PREFIX "")
if(ASSAY_SANITIZE_CODECS_ONLY) # see core/bytes.h
  target_compile_options(core PRIVATE -fno-builtin ${unsanitized})
  target_compile_options(mutator PRIVATE -fno-builtin ${unsanitized})
endif()

# AddressSanitizer at less cost. The engine's heap and clock only where we know its C++ library.
set(asan_replacements "")
if(cheaper AND LIB_FUZZING_ENGINE STREQUAL "-fsanitize=fuzzer")
  add_library(asan_replacements OBJECT fuzz/asan_replacements.c)
  # No unrolling or vectorising, because copies are short. -g0, so that reports of the sanitizer name the caller.
  target_compile_options(asan_replacements PRIVATE ${unsanitized} -fno-builtin -fno-vectorize -fno-unroll-loops -g0)
  set(asan_replacements $<TARGET_OBJECTS:asan_replacements>)
  set(wrapped LINKER:--wrap=__asan_memcpy,--wrap=__asan_memmove,--wrap=__asan_memset,--wrap=memset,--wrap=memcpy)
  if(NOT ASSAY_LINK_WITH_CXX)
    list(APPEND wrapped LINKER:--wrap=_Znam,--wrap=_ZdaPv,--wrap=_ZNSt6chrono3_V212system_clock3nowEv)
  endif()
endif()

# A claim is a part of `assay diff`, and for each encoding that it is about a program: fuzz_CLAIM for UTF-8, fuzz_CLAIM-ENCODING
# for the others; a fuzz target, or, without an engine, a replayer of files. A program whose name ends in the name of a plant has
# it in its registry, and is built only if it is named.
set(claims_def ${CMAKE_CURRENT_LIST_DIR}/../core/claims.def)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${claims_def})
file(STRINGS ${claims_def} claims REGEX "^CLAIM\\(")
list(TRANSFORM claims REPLACE "^CLAIM\\(([a-z]+)\\)$" "\\1")
list(TRANSFORM claims REPLACE "(.+)" "fuzz/\\1.c" OUTPUT_VARIABLE claim_sources)
add_library(claims OBJECT ${claim_sources})
target_compile_options(claims PRIVATE ${unsanitized})
foreach(claim IN LISTS claims)
  set(encodings_of_${claim} ${encodings})
endforeach()
file(STRINGS ${claims_def} rows REGEX "^EXCEPT\\(")
foreach(row IN LISTS rows)
  if(NOT row MATCHES "^EXCEPT\\(([a-z]+), \"([^\"]+)\"\\)$")
    message(FATAL_ERROR "claims.def: not understood: ${row}")
  endif()
  list(REMOVE_ITEM encodings_of_${CMAKE_MATCH_1} ${CMAKE_MATCH_2})
endforeach()

# The program of a claim and an encoding.
function(name_target claim encoding result)
  if(encoding STREQUAL "utf-8")
    set(${result} fuzz_${claim} PARENT_SCOPE)
  else()
    set(${result} fuzz_${claim}-${encoding} PARENT_SCOPE)
  endif()
endfunction()

# What all targets share is compiled once.
if(LIB_FUZZING_ENGINE)
  # Guided, too: every input reaches something, and an engine that sees nothing gives up.
  add_library(target OBJECT fuzz/target.c fuzz/deviations.c)
  target_compile_options(target PRIVATE ${unsanitized} ${guided})
else()
  add_library(target OBJECT fuzz/target.c fuzz/deviations.c fuzz/replay.c)
endif()

# So are a claim and an encoding, which together make a target.
foreach(claim IN LISTS claims)
  add_library(target_claim_${claim} OBJECT fuzz/target_claim.c)
  target_compile_definitions(target_claim_${claim} PRIVATE TARGET_CLAIM=claim_${claim})
endforeach()
foreach(encoding IN LISTS encodings)
  add_library(target_encoding_${encoding} OBJECT fuzz/target_encoding.c)
  target_compile_definitions(target_encoding_${encoding} PRIVATE TARGET_ENCODING="${encoding}")
endforeach()

function(add_target program claim encoding codecs)
  add_executable(${program} $<TARGET_OBJECTS:target_claim_${claim}> $<TARGET_OBJECTS:target_encoding_${encoding}>
                 $<TARGET_OBJECTS:target> $<TARGET_OBJECTS:claims> $<TARGET_OBJECTS:core>)
  set_target_properties(${program} PROPERTIES LINKER_LANGUAGE C)
  if(LIB_FUZZING_ENGINE)
    target_sources(${program} PRIVATE $<TARGET_OBJECTS:mutator> ${asan_replacements})
    if(guided)
      target_link_libraries(${program} PRIVATE silent_for_${encoding})
    endif()
    target_link_options(${program} PRIVATE ${wrapped})
    target_link_libraries(${program} PRIVATE ${LIB_FUZZING_ENGINE})
    if(ASSAY_LINK_WITH_CXX)
      set_target_properties(${program} PROPERTIES LINKER_LANGUAGE CXX)
    endif()
  endif()
  target_link_libraries(${program} PRIVATE ${codecs})
endfunction()

add_custom_target(plants)
foreach(claim IN LISTS claims)
  foreach(encoding IN LISTS encodings_of_${claim})
    name_target(${claim} ${encoding} program)
    add_target(${program} ${claim} ${encoding} codecs)
    foreach(plant IN LISTS plants)
      if(encoding STREQUAL plant_${plant}_encoding)
        add_target(${program}-${plant} ${claim} ${encoding} codecs_${plant})
        set_target_properties(${program}-${plant} PROPERTIES EXCLUDE_FROM_ALL ON)
        add_dependencies(plants ${program}-${plant})
      endif()
    endforeach()
  endforeach()
endforeach()
set_target_properties(fuzz_decode-canary PROPERTIES EXCLUDE_FROM_ALL OFF)
