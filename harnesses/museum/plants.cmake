# SPDX-License-Identifier: MIT
#
# Reads plants.def: `plants` has their names, plant_NAME_encoding the encoding of each, and plant_NAME_row its row of the registry.

set(plants_def ${CMAKE_CURRENT_LIST_DIR}/plants.def)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${plants_def})

set(plants "")
file(STRINGS ${plants_def} rows REGEX "^ *PLANT *\\(")
foreach(row IN LISTS rows)
  if(NOT row MATCHES "^PLANT\\(([a-z0-9]+), *([a-z0-9]+), *([A-Za-z0-9]+), *[a-z]+, *\"[0-9A-F* ]+\"\\)$")
    message(FATAL_ERROR "${plants_def}: no plant: ${row}")
  endif()
  list(APPEND plants ${CMAKE_MATCH_2})
  set(plant_${CMAKE_MATCH_2}_encoding ${encoding_${CMAKE_MATCH_1}})
  set(plant_${CMAKE_MATCH_2}_row "CODEC(${CMAKE_MATCH_1}, ${CMAKE_MATCH_2}, ../harnesses/museum/plants/${CMAKE_MATCH_2}.c, ${CMAKE_MATCH_3})")
endforeach()
