# SPDX-License-Identifier: MIT
#
# Writes HEADER with the lines of STYLE and SCRIPT, which all pages share, as strings for C: `page_style` and `page_script`, up to NULL.

set(text "/* Made by harnesses/assay/run/page.cmake from scripts/pages. */\n")
foreach(name IN ITEMS style script)
  string(TOUPPER ${name} path)
  file(READ ${${path}} lines)
  foreach(special IN ITEMS "\\" "\"")
    string(REPLACE "${special}" "\\${special}" lines "${lines}")
  endforeach()
  string(REGEX REPLACE "([^\n]*)\n" "    \"\\1\\\\n\",\n" lines "${lines}")
  string(APPEND text "static const char *const page_${name}[] = {\n${lines}    NULL};\n")
endforeach()
file(WRITE ${HEADER} "${text}")
