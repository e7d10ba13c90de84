# SPDX-License-Identifier: MIT
#
# The shared library `shared`, libutf8-assay.so: the interface for applications (utf8_assay.h) and nothing else. Its soname and the
# version of its symbols have the number UTF8_ASSAY_API_VERSION, so programs run with every later release that keeps that number.

file(STRINGS utf8_assay.h api_version REGEX "^#define UTF8_ASSAY_API_VERSION [0-9]+$")
string(REGEX REPLACE ".* " "" api_version "${api_version}")

add_library(exported_api OBJECT api.c)
set_target_properties(exported_api PROPERTIES C_VISIBILITY_PRESET default)
target_compile_definitions(exported_api PRIVATE ${checks})

add_library(shared SHARED ${all_objects} $<TARGET_OBJECTS:exported_api> built_in.c)
target_compile_definitions(shared PRIVATE ${isa_definitions} ${checks})
set_target_properties(shared PROPERTIES OUTPUT_NAME utf8-assay SOVERSION ${api_version} VERSION ${api_version}.${PROJECT_VERSION})
if(WIN32) # a module definition
  file(STRINGS utf8_assay.h declarations REGEX "^[a-z].* [*]?utf8_assay_[a-z0-9_]+\\(")
  list(TRANSFORM declarations REPLACE "^.*[ *](utf8_assay_[a-z0-9_]+)\\(.*$" "\\1")
  list(JOIN declarations "\n" declarations)
  file(WRITE ${PROJECT_BINARY_DIR}/utf8-assay.def "EXPORTS\n${declarations}\n")
  target_sources(shared PRIVATE ${PROJECT_BINARY_DIR}/utf8-assay.def)
elseif(NOT APPLE) # a version script: for GNU ld, gold and lld
  set(version_script ${PROJECT_BINARY_DIR}/utf8-assay.map)
  file(WRITE ${version_script} "UTF8_ASSAY_${api_version} { global: utf8_assay_*; local: *; };\n")
  target_link_options(shared PRIVATE -Wl,--version-script=${version_script} -Wl,--no-undefined)
  set_target_properties(shared PROPERTIES LINK_DEPENDS ${version_script})
endif()
