# SPDX-License-Identifier: MIT
#
# Decoders by others, each as a loadable codec in the folder subjects/ of the build, where its headers and library are
# found. A new one is one adapter file here and one row below. Nothing links them: a program loads what it is asked for.

add_custom_target(subjects)

# Where throughput means nothing (instrumented, emulated), there are none.
if(LIB_FUZZING_ENGINE OR ASSAY_SANITIZE OR ASSAY_COVERAGE OR CMAKE_CROSSCOMPILING)
  return()
endif()

include(CheckLanguage)
check_language(CXX)
if(CMAKE_CXX_COMPILER)
  enable_language(CXX)
  set(CMAKE_CXX_STANDARD 20)
endif()

# assay_subject(FILE HEADERS NAME... [LIBRARIES NAME...])
function(assay_subject file)
  cmake_parse_arguments(needs "" "" "HEADERS;LIBRARIES" ${ARGN})
  get_filename_component(name ${file} NAME_WE)
  set_property(GLOBAL APPEND PROPERTY assay_subjects ${name})
  set(found "")
  foreach(header IN LISTS needs_HEADERS)
    string(MAKE_C_IDENTIFIER "SUBJECT_HEADER_${header}" path)
    find_path(${path} ${header} PATHS /usr/lib/${CMAKE_LIBRARY_ARCHITECTURE} PATH_SUFFIXES glib-2.0 glib-2.0/include utf8cpp)
    mark_as_advanced(${path})
    list(APPEND found ${path})
  endforeach()
  foreach(library IN LISTS needs_LIBRARIES)
    string(MAKE_C_IDENTIFIER "SUBJECT_LIBRARY_${library}" path)
    find_library(${path} ${library})
    mark_as_advanced(${path})
    list(APPEND found ${path})
    list(APPEND libraries ${${path}})
  endforeach()
  foreach(path IN LISTS found)
    if(NOT ${path})
      return()
    endif()
    if(path MATCHES "^SUBJECT_HEADER")
      list(APPEND includes ${${path}})
    endif()
  endforeach()
  if(file MATCHES "\\.cpp$" AND NOT CMAKE_CXX_COMPILER)
    return()
  endif()
  add_library(subject_${name} MODULE subjects/${file})
  add_dependencies(subjects subject_${name})
  if(file MATCHES "\\.cpp$") # what an adapter does not name is absent
    target_compile_options(subject_${name} PRIVATE -Wno-missing-field-initializers)
  endif()
  target_include_directories(subject_${name} SYSTEM PRIVATE ${includes})
  target_link_libraries(subject_${name} PRIVATE ${libraries})
  set_target_properties(subject_${name} PROPERTIES PREFIX "" OUTPUT_NAME ${name} LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/subjects)
endfunction()

assay_subject(glib.c         HEADERS glib.h glibconfig.h LIBRARIES glib-2.0)
assay_subject(iconv.c        HEADERS iconv.h)
assay_subject(icu.c          HEADERS unicode/ustring.h LIBRARIES icuuc)
assay_subject(libunistring.c HEADERS unistr.h LIBRARIES unistring)
assay_subject(simdjson.cpp   HEADERS simdjson.h LIBRARIES simdjson)
assay_subject(utf8proc.c     HEADERS utf8proc.h LIBRARIES utf8proc)
assay_subject(utfcpp.cpp     HEADERS utf8/checked.h)

# What an adapter takes, for `assay bench`; in a folder of its own, as it is no peer.
add_library(empty_peer MODULE subjects/empty/empty_peer.c)
add_dependencies(subjects empty_peer)
set_target_properties(empty_peer PROPERTIES PREFIX "" LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/subjects/empty)

# So that `assay bench` can list the libraries that are absent.
get_property(subjects GLOBAL PROPERTY assay_subjects)
list(JOIN subjects "," subjects)
set_source_files_properties(assay/bench/bench.c PROPERTIES COMPILE_DEFINITIONS "ASSAY_SUBJECTS=\"${subjects}\"")
