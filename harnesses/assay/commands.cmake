# SPDX-License-Identifier: MIT
#
# The command line, build/assay, and assay-PLANT for each plant. Needs jansson.

find_path(JANSSON_INCLUDE_DIR jansson.h)
find_library(JANSSON_LIBRARY jansson)

if(LIB_FUZZING_ENGINE)
  message(STATUS "Fuzz targets only: the command line is not built with a fuzzing engine")
elseif(NOT JANSSON_INCLUDE_DIR OR NOT JANSSON_LIBRARY)
  set(no_assay "No command line, and no test of it: assay needs jansson, the JSON library (Debian: libjansson-dev). Install it, then configure again")
  message(WARNING "${no_assay}")
  if(CMAKE_VERSION VERSION_GREATER_EQUAL 3.19) # at the end again, where it is read
    cmake_language(EVAL CODE "cmake_language(DEFER DIRECTORY \"${PROJECT_SOURCE_DIR}\" CALL message WARNING \"${no_assay}\")")
  endif()
else()
  # Where an installed program finds its data; one in a build folder finds links.
  include(GNUInstallDirs)
  file(RELATIVE_PATH data_from_program ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_DATADIR}/utf8-assay)
  set_property(SOURCE assay/cli/data.c assay/vectors/vectors.c PROPERTY COMPILE_DEFINITIONS ASSAY_DATA_FROM_PROGRAM="${data_from_program}"
               ASSAY_DATA_DIR="${CMAKE_INSTALL_FULL_DATADIR}/utf8-assay")
  file(STRINGS ${PROJECT_SOURCE_DIR}/vectors/package.json vectors_version REGEX "^  \"version\": ")
  string(REGEX REPLACE "^.*: \"|\",$" "" vectors_version "${vectors_version}")
  set_property(SOURCE assay/vectors/vectors.c APPEND PROPERTY COMPILE_DEFINITIONS ASSAY_VECTORS_VERSION="${vectors_version}")
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/vectors/package.json)
  foreach(data vectors corpus)
    file(CREATE_LINK ${PROJECT_SOURCE_DIR}/${data} ${PROJECT_BINARY_DIR}/${data} SYMBOLIC)
  endforeach()
  file(CREATE_LINK ${CMAKE_CURRENT_SOURCE_DIR}/subjects/subjects.def ${PROJECT_BINARY_DIR}/subjects.def SYMBOLIC)
  file(GLOB cli_sources CONFIGURE_DEPENDS RELATIVE ${CMAKE_CURRENT_SOURCE_DIR} assay/cli/*.c)
  file(GLOB vector_sources CONFIGURE_DEPENDS RELATIVE ${CMAKE_CURRENT_SOURCE_DIR} assay/vectors/*.c)
  file(GLOB command_sources CONFIGURE_DEPENDS RELATIVE ${CMAKE_CURRENT_SOURCE_DIR} assay/*.c assay/*/*.c)
  list(FILTER command_sources EXCLUDE REGEX "^assay/tests/")
  list(FILTER command_sources EXCLUDE REGEX "^assay/prove/(kernel|lanes_of_each)\\.c$") # prove.cmake has them
  add_library(command_line OBJECT ${command_sources})
  include(assay/prove/prove.cmake)
  add_executable(assay $<TARGET_OBJECTS:command_line> ${prover_objects} $<TARGET_OBJECTS:prover_lanes> $<TARGET_OBJECTS:exhibits> $<TARGET_OBJECTS:claims> $<TARGET_OBJECTS:core>)
  target_link_libraries(assay PRIVATE codecs ${JANSSON_LIBRARY} Threads::Threads m)
  foreach(plant IN LISTS plants)
    add_executable(assay-${plant} EXCLUDE_FROM_ALL $<TARGET_OBJECTS:command_line> ${prover_objects} $<TARGET_OBJECTS:prover_lanes_canary> $<TARGET_OBJECTS:exhibits> $<TARGET_OBJECTS:claims> $<TARGET_OBJECTS:core>)
    target_link_libraries(assay-${plant} PRIVATE codecs_${plant} ${JANSSON_LIBRARY} Threads::Threads m)
    add_dependencies(plants assay-${plant})
  endforeach()
  set_target_properties(assay-canary PROPERTIES EXCLUDE_FROM_ALL OFF)
endif()
