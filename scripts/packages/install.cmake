# SPDX-License-Identifier: MIT
#
# The files of `cmake --install` and of CPack's packages. Tested by scripts/packages/test_packages.py.

if(NOT ordinary_build)
  install(CODE "message(FATAL_ERROR \"Only an ordinary build can be installed: no sanitizer, coverage or fuzzing engine\")")
  return()
endif()

include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
find_package(Python3 COMPONENTS Interpreter REQUIRED)

set(data_dir ${CMAKE_INSTALL_DATADIR}/utf8-assay)
set(vectors_dir ${data_dir}/vectors)
set(include_dir ${CMAKE_INSTALL_INCLUDEDIR}/utf8-assay)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/utf8-assay)

# A component each, so that `cmake --install build --component runtime` installs what programs need to run:
#
#   runtime      assay, its manual page and completion, the shared library
#   development  headers, the static library, files for CMake and pkg-config
#   vectors      the vectors, their other forms and their documents
set(components runtime development vectors)

# ---- first of all: is everything built? A half-finished installation is of no use. ----------------------------

# Each target, and the file that is there when it is built.
set(needed "codecs [[$<TARGET_FILE:codecs>]] shared [[$<TARGET_FILE:shared>]] texts [[${CMAKE_CURRENT_BINARY_DIR}/texts.stamp]] \
forms [[${forms}.stamp]]")
if(TARGET assay)
  string(APPEND needed " assay [[$<TARGET_FILE:assay>]]")
endif()
foreach(component IN LISTS components)
  install(CODE "
    set(needed ${needed})
    set(absent)
    set(targets)
    while(needed)
      list(POP_FRONT needed target file)
      if(NOT EXISTS \"\${file}\")
        string(APPEND absent \"\\n  \${target}: \${file}\")
        string(APPEND targets \" \${target}\")
      endif()
    endwhile()
    if(absent)
      message(FATAL_ERROR \"Nothing is installed, because these targets are not built:\${absent}\\nFirst:\\n  cmake --build '${CMAKE_CURRENT_BINARY_DIR}' --target\${targets}\")
    endif()" COMPONENT ${component})
endforeach()

# ---- the program, and the library with its interface ------------------------------------------------

# Applications include utf8_assay.h and link either library. Programs that ask codecs include registry.h, which includes built_in.h,
# cpu.h and codecs.def, and link the static library: the shared one exports utf8_assay.h only.
set(public_headers codecs/utf8_assay.h codecs/codec.h codecs/registry.h codecs/built_in.h codecs/cpu.h codecs/codecs.def)

set_target_properties(codecs PROPERTIES OUTPUT_NAME utf8-assay EXPORT_NAME static)
foreach(library IN ITEMS codecs shared)
  target_include_directories(${library} INTERFACE $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
endforeach()
if(TARGET assay)
  install(TARGETS assay RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT runtime)
endif()
install(TARGETS codecs EXPORT static ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development)
install(TARGETS shared EXPORT shared LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT runtime NAMELINK_COMPONENT development)
# What strips programs and shared libraries leaves archives as they are.
install(CODE "
  if(CMAKE_INSTALL_DO_STRIP)
    execute_process(COMMAND \"${CMAKE_STRIP}\" --strip-debug \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_LIBDIR}/libutf8-assay.a\")
  endif()" COMPONENT development)
install(FILES ${public_headers} DESTINATION ${include_dir} COMPONENT development)
install(FILES ${CMAKE_CURRENT_LIST_DIR}/README.md ${CMAKE_CURRENT_LIST_DIR}/COMPATIBILITY.md DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT runtime)
file(READ LICENSE expat)
string(REGEX REPLACE "^.*utf8-assay authors\n\n|\n\nThe folder vectors/.*$" "" expat "${expat}")
string(REGEX REPLACE "\n\n" "\n.\n" expat "${expat}")
string(REGEX REPLACE "\n" "\n " expat " ${expat}")
configure_file(${CMAKE_CURRENT_LIST_DIR}/debian/copyright.in debian/copyright @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/debian/copyright DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT runtime)

# `result`: the path of FILE, compressed into the build folder by gzip, as Debian wants texts; where there is no gzip, FILE itself.
find_program(GZIP gzip)
mark_as_advanced(GZIP)
function(compress file name result)
  if(NOT GZIP)
    set(${result} ${file} PARENT_SCOPE)
    return()
  endif()
  add_custom_command(OUTPUT ${name}.gz COMMAND ${GZIP} -9n < ${file} > ${name}.gz DEPENDS ${file} VERBATIM)
  set(${result} ${CMAKE_CURRENT_BINARY_DIR}/${name}.gz PARENT_SCOPE)
endfunction()
compress(${CMAKE_CURRENT_SOURCE_DIR}/CHANGELOG.md changelog changes)
install(FILES ${changes} DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT runtime)
set(texts ${changes})

# ---- the manual page and completion, which the program prints; it must run here --------------------------------

if(TARGET assay AND NOT CMAKE_CROSSCOMPILING)
  set(shell_files assay.1 completion/assay completion/_assay completion/assay.fish)
  file(MAKE_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/completion)
  add_custom_command(
    OUTPUT ${shell_files}
    COMMAND assay --manual > assay.1
    COMMAND assay --completion bash > completion/assay
    COMMAND assay --completion zsh > completion/_assay
    COMMAND assay --completion fish > completion/assay.fish
    DEPENDS assay
    VERBATIM)
  list(TRANSFORM shell_files PREPEND ${CMAKE_CURRENT_BINARY_DIR}/)
  list(POP_FRONT shell_files manual bash zsh fish)
  compress(${manual} assay.1 manual)
  list(APPEND texts ${manual} ${bash} ${zsh} ${fish})
  install(FILES ${manual} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT runtime)
  install(FILES ${bash} DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions COMPONENT runtime)
  install(FILES ${zsh} DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions COMPONENT runtime)
  install(FILES ${fish} DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d COMPONENT runtime)
endif()

add_custom_command(OUTPUT texts.stamp COMMAND ${CMAKE_COMMAND} -E touch texts.stamp DEPENDS ${texts} VERBATIM)
add_custom_target(texts ALL DEPENDS texts.stamp)

# ---- for CMake and pkg-config; both use paths relative to their own place ------------------------------

foreach(component IN ITEMS shared static)
  install(EXPORT ${component} NAMESPACE utf8-assay:: FILE utf8-assay-${component}.cmake DESTINATION ${package_dir} COMPONENT development)
endforeach()
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/utf8-assay-config.cmake.in utf8-assay-config.cmake
                              INSTALL_DESTINATION ${package_dir} PATH_VARS vectors_dir)
write_basic_package_version_file(utf8-assay-config-version.cmake COMPATIBILITY SameMajorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/utf8-assay-config.cmake ${CMAKE_CURRENT_BINARY_DIR}/utf8-assay-config-version.cmake
        DESTINATION ${package_dir} COMPONENT development)

file(RELATIVE_PATH prefix_from_pc /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
string(REGEX REPLACE "/$" "" prefix_from_pc ${prefix_from_pc})
set(system_libraries ${CMAKE_DL_LIBS})
list(TRANSFORM system_libraries PREPEND -l)
list(JOIN system_libraries " " system_libraries)
configure_file(${CMAKE_CURRENT_LIST_DIR}/utf8-assay.pc.in utf8-assay.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/utf8-assay.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT development)

# ---- the vectors, and their other forms ----------------------------------------------------------------

install(DIRECTORY vectors/ DESTINATION ${vectors_dir} COMPONENT vectors PATTERN ".*" EXCLUDE PATTERN "*.tgz" EXCLUDE PATTERN "__pycache__" EXCLUDE PATTERN "CMakeLists.txt" EXCLUDE)
install(FILES ${forms}/assay_vectors.h DESTINATION ${include_dir} COMPONENT vectors)
install(DIRECTORY ${forms}/tsv DESTINATION ${data_dir} COMPONENT vectors)
install(FILES ${forms}/raw.tar.gz ${forms}/index.html DESTINATION ${data_dir} COMPONENT vectors)

# ---- packages: cpack -G "DEB;TGZ" ------------------------------------------------------------------------

set(CPACK_GENERATOR "DEB;TGZ")
set(CPACK_PACKAGE_VENDOR "the utf8-assay authors")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "conformance vectors for UTF-8 decoders, and what tests decoders with them")
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION "A program that explains every byte of a broken string, compares
decoders, and tests any decoder with thousands of golden cases: for UTF-8,
WTF-8, generalized UTF-8, CESU-8, Modified UTF-8 and UTF-16. With it come the
cases, and a C library that validates, converts, counts and streams text in
these encodings, and makes it well-formed.")
set(CPACK_PACKAGE_FILE_NAME utf8-assay-${PROJECT_VERSION}-${CMAKE_SYSTEM_NAME}-${CMAKE_SYSTEM_PROCESSOR})
set(CPACK_RESOURCE_FILE_LICENSE ${CMAKE_CURRENT_SOURCE_DIR}/LICENSE)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_MAINTAINER "the utf8-assay authors <utf8-assay@localhost>")
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC) # SOURCE_DATE_EPOCH, if it is set
configure_file(${CMAKE_CURRENT_LIST_DIR}/debian/changelog.in debian/changelog @ONLY)
configure_file(${CMAKE_CURRENT_LIST_DIR}/debian/overrides debian/lintian/utf8-assay COPYONLY)
file(MAKE_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/debian/doc)
configure_file(${CMAKE_CURRENT_LIST_DIR}/debian/settings.cmake.in debian/settings.cmake @ONLY)
set(CPACK_PROJECT_CONFIG_FILE ${CMAKE_CURRENT_BINARY_DIR}/debian/settings.cmake)
find_program(DPKG_SHLIBDEPS dpkg-shlibdeps)
mark_as_advanced(DPKG_SHLIBDEPS)
if(DPKG_SHLIBDEPS)
  set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
else()
  set(CPACK_DEBIAN_PACKAGE_DEPENDS "libc6, libjansson4")
endif()
include(CPack)
