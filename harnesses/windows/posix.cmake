# SPDX-License-Identifier: MIT
#
# What lets the harnesses be built by mingw-w64, on Windows or, with preset windows, on Linux: posix.c has what its C library lacks of
# POSIX, silence.c takes the place of signals, and commands.c that of the commands of `not_on_windows`.

foreach(header IN ITEMS fnmatch.h sys/ioctl.h sys/mman.h) # posix.h declares what they would
  if(NOT EXISTS ${CMAKE_CURRENT_BINARY_DIR}/posix/${header})
    file(WRITE ${CMAKE_CURRENT_BINARY_DIR}/posix/${header} "")
  endif()
endforeach()
include_directories(SYSTEM ${CMAKE_CURRENT_BINARY_DIR}/posix)
# -Wno-format: the compiler checks formats of Microsoft's printf, which is not the one that is called.
add_compile_options(-include ${CMAKE_CURRENT_LIST_DIR}/posix.h -Wno-format)
add_compile_definitions(__USE_MINGW_ANSI_STDIO=1)
add_link_options(-static) # a program needs no DLL of the compiler's
link_libraries(winpthread) # clock_gettime()
list(TRANSFORM core REPLACE "^core/silence\\.c$" "windows/silence.c")
list(APPEND core windows/posix.c)
set(not_on_windows "minimise|run|sweep|prove|museum|bench|damage")
