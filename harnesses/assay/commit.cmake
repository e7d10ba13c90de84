# SPDX-License-Identifier: MIT
#
# Writes HEADER with ASSAY_COMMIT, what `git describe` says of the checkout SOURCE; empty if SOURCE is no checkout.
# Run by each build; the header keeps its time if nothing changed.

set(commit "")
if(EXISTS ${SOURCE}/.git)
  execute_process(COMMAND git -C ${SOURCE} describe --always --dirty --match "v[0-9]*" OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
endif()
set(text "/* Made by harnesses/assay/commit.cmake. */\n#define ASSAY_COMMIT \"${commit}\"\n")
set(before "")
if(EXISTS ${HEADER})
  file(READ ${HEADER} before)
endif()
if(NOT text STREQUAL before)
  file(WRITE ${HEADER} "${text}")
endif()
