# SPDX-License-Identifier: MIT
#
# Reads codecs.def, for the folders that build codecs and for those that test them. Defines
#
#   encodings, encoding_ids    names and ids of the encodings, in the registry's order
#   encoding_ID                the name of one
#   built                      the instruction sets that this processor may have, or those of them that ASSAY_ISAS names, and ANY
#   flags_ISA                  the compiler flags for one
#   flags_emulated             the compiler flags for AVX-512 without the instructions

set(registry ${CMAKE_CURRENT_LIST_DIR}/codecs.def)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${registry})

set(encodings "")
set(encoding_ids "")
file(STRINGS ${registry} rows REGEX "^ENCODING\\(")
foreach(row IN LISTS rows)
  string(REGEX MATCH "^ENCODING\\(([a-z0-9_]+), *\"([^\"]+)\"\\)" matched "${row}")
  if(NOT matched)
    message(FATAL_ERROR "codecs.def: this row is not read: ${row}")
  endif()
  set(encoding_${CMAKE_MATCH_1} ${CMAKE_MATCH_2})
  list(APPEND encoding_ids ${CMAKE_MATCH_1})
  list(APPEND encodings ${CMAKE_MATCH_2})
endforeach()

set(built "")
string(REPLACE "," ";" wanted_isas "${ASSAY_ISAS}")
set(flags_ANY "")
set(flags_emulated -Wno-psabi) # how wide vectors are passed depends on flags, but no object passes any to another
file(STRINGS ${registry} rows REGEX "^ISA\\(")
foreach(row IN LISTS rows)
  string(REGEX MATCH "^ISA\\(([a-z0-9_]+), *\"([^\"]*)\", *\"([^\"]*)\"\\)" matched "${row}")
  if(NOT matched)
    message(FATAL_ERROR "codecs.def: this row is not read: ${row}")
  endif()
  set(isa ${CMAKE_MATCH_1})
  separate_arguments(flags_${isa} UNIX_COMMAND "${CMAKE_MATCH_3}")
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(${CMAKE_MATCH_2})$" AND (NOT wanted_isas OR isa IN_LIST wanted_isas))
    list(APPEND built ${isa})
  endif()
endforeach()
foreach(isa IN LISTS wanted_isas)
  if(NOT isa IN_LIST built)
    message(FATAL_ERROR "ASSAY_ISAS: '${isa}' is no instruction set of this processor; codecs/codecs.def lists them")
  endif()
endforeach()
if(ASSAY_EMULATE_AVX512)
  add_compile_definitions(ASSAY_EMULATES_AVX512)
  set(flags_avx512 ${flags_emulated})
  list(APPEND built avx512)
  list(REMOVE_DUPLICATES built)
endif()
list(APPEND built ANY)

# The files, from codecs/, of the CODEC rows of `file` that need `isa`.
function(read_codecs file isa result)
  file(STRINGS ${file} rows REGEX "^CODEC\\([^,]+,[^,]+,[^,]+, *${isa}\\)")
  list(TRANSFORM rows REPLACE "^CODEC\\([^,]+,[^,]+, *([^, ]+),.*" "\\1")
  list(REMOVE_DUPLICATES rows)
  set(${result} ${rows} PARENT_SCOPE)
endfunction()
