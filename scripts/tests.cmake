# SPDX-License-Identifier: MIT
#
# The tests in Python, a test a file.

# The folders of Python tests; unittest finds the files. What runs none of our code is the same under a sanitizer, and
# tested once; on another processor, emulated, or without the command line, none of it is.
if(LIB_FUZZING_ENGINE OR CMAKE_CROSSCOMPILING OR ASSAY_EMULATE_AVX512 OR NOT TARGET assay)
  return()
endif()
set(python_tests "")
if(NOT ASSAY_SANITIZE MATCHES "memory") # what they add to the other tests is the command line's own handling of input
  list(APPEND python_tests harnesses/assay/tests)
endif()
if(NOT ASSAY_SANITIZE)
  list(APPEND python_tests scripts/amalgamation harnesses/museum harnesses/subjects scripts/witness scripts/hunting/tests scripts/packages scripts/pages scripts/field scripts/upkeep)
endif()
# The modules that many tests import are compiled once, into the build folder: Python takes 0.4 s to compile those of a hunt, and 0.1 s to load them.
set(compiled_once "PYTHONPYCACHEPREFIX=${PROJECT_BINARY_DIR}/python/compiled;PYTHONDONTWRITEBYTECODE=")
# A test for each file: some run at a time, and one for each folder would be last and alone. More words choose among its tests.
function(assay_python_test prefix folder file)
  string(REGEX REPLACE "/.*" "" top ${folder})
  string(REGEX REPLACE "/(tests/)?(test_)?|\\.py$" "_" name ${folder}/${file})
  string(REGEX REPLACE "_$" "" name ${prefix}python_tests_of_${name})
  set(command ${Python3_EXECUTABLE} -m unittest discover -v -s ${folder} -t ${top} -p ${file} ${ARGN})
  if(prefix)
    assay_long_test(${name} ${command})
  else()
    add_test(NAME ${name} COMMAND ${command})
  endif()
  file(SIZE ${PROJECT_SOURCE_DIR}/${folder}/${file} size)
  set_tests_properties(${name} PROPERTIES WORKING_DIRECTORY ${PROJECT_SOURCE_DIR} COST ${size} # the longest begin first, by and large
                       ENVIRONMENT "ASSAY=$<TARGET_FILE:assay>;ASSAY_CANARY=$<TARGET_FILE:assay-canary>;ASSAY_MUSEUM=$<TARGET_FILE:museum>;ASSAY_SANITIZED=${ASSAY_SANITIZE};${compiled_once}")
endfunction()
# With AddressSanitizer, which doubles the time, every day the commands that read what others wrote; every night the rest, too.
set(sanitized_every_day check run subject)
set(sanitized_classes_of_cli -k ConvertTest -k DiffTest -k ExplainTest -k InputTest -k OutputTest)
foreach(folder IN LISTS python_tests)
  file(GLOB files CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR}/${folder} ${PROJECT_SOURCE_DIR}/${folder}/test_*.py)
  if(ASSAY_SANITIZE) # proofs are enumerations, which take as long as all the rest there
    list(FILTER files EXCLUDE REGEX "^test_prove\\.py$")
  endif()
  foreach(file IN LISTS files)
    string(REGEX REPLACE "^test_|\\.py$" "" subject ${file})
    if(NOT ASSAY_SANITIZE MATCHES "address" OR subject IN_LIST sanitized_every_day)
      assay_python_test("" ${folder} ${file})
    else()
      assay_python_test(all_ ${folder} ${file})
      if(subject STREQUAL "cli")
        assay_python_test("" ${folder} ${file} ${sanitized_classes_of_cli})
      endif()
    endif()
  endforeach()
endforeach()
if(ASSAY_SANITIZE MATCHES "address")
  assay_long_test(all_vectors_are_run_with_a_codec_of_ours ${Python3_EXECUTABLE} -B -m unittest discover -v -s harnesses/assay/tests -t harnesses -p test_run.py -k all_vectors_hold)
  set_tests_properties(all_vectors_are_run_with_a_codec_of_ours PROPERTIES WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}
                       ENVIRONMENT "ASSAY=$<TARGET_FILE:assay>;ASSAY_SANITIZED=${ASSAY_SANITIZE};ASSAY_RUN=all")
endif()
if(NOT ASSAY_SANITIZE)
  assay_long_test(all_subjects_that_are_installed_speak_the_protocol ${Python3_EXECUTABLE} -B -m unittest discover -v -s harnesses/subjects -t harnesses)
  set_tests_properties(all_subjects_that_are_installed_speak_the_protocol PROPERTIES WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}
                       ENVIRONMENT "ASSAY=$<TARGET_FILE:assay>;ASSAY_SUBJECTS=all")
  assay_long_test(vectors_kill_every_decoder_and_lane_mutant ${Python3_EXECUTABLE} -B scripts/kill-rate --decoders --lanes --program $<TARGET_FILE:museum>)
  set_tests_properties(vectors_kill_every_decoder_and_lane_mutant PROPERTIES WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
  assay_long_test(mutants_of_code_are_asked_everything ${Python3_EXECUTABLE} -B -m unittest discover -v -s harnesses/museum -t harnesses -p test_code_mutants.py)
  set_tests_properties(mutants_of_code_are_asked_everything PROPERTIES WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}
                       ENVIRONMENT "ASSAY_MUSEUM=$<TARGET_FILE:museum>;ASSAY_MUTANTS=all")
  assay_long_test(one_file_does_the_same ${Python3_EXECUTABLE} -B -m unittest discover -v -s harnesses/assay/tests -t harnesses -p test_one_file.py)
  set_tests_properties(one_file_does_the_same PROPERTIES WORKING_DIRECTORY ${PROJECT_SOURCE_DIR} ENVIRONMENT "ASSAY=$<TARGET_FILE:assay>;ASSAY_STATIC=build")
  assay_long_test(page_in_browsers ${Python3_EXECUTABLE} -B -m unittest discover -v -s scripts/pages -t scripts -p test_playground.py)
  set_tests_properties(page_in_browsers PROPERTIES WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}
                       ENVIRONMENT "ASSAY=$<TARGET_FILE:assay>;ASSAY_PLAYGROUND=all")
  assay_long_test(module_in_node_and_browsers ${Python3_EXECUTABLE} -B -m unittest discover -v -s scripts/pages -t scripts -p test_module.py)
  set_tests_properties(module_in_node_and_browsers PROPERTIES WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}
                       ENVIRONMENT "ASSAY=$<TARGET_FILE:assay>;ASSAY_PLAYGROUND=all")
  assay_long_test(npm_package_of_the_module ${Python3_EXECUTABLE} -B -m unittest discover -v -s scripts/packages -t scripts -p test_wasm_package.py)
  set_tests_properties(npm_package_of_the_module PROPERTIES WORKING_DIRECTORY ${PROJECT_SOURCE_DIR} ENVIRONMENT "ASSAY_PLAYGROUND=all")
  set_tests_properties(page_in_browsers module_in_node_and_browsers npm_package_of_the_module PROPERTIES RESOURCE_LOCK wasm) # each builds the module
  assay_long_test(all_encodings_in_one_file_by_gcc_and_clang ${Python3_EXECUTABLE} -B -m unittest discover -v -s scripts/amalgamation -t scripts)
  set_tests_properties(all_encodings_in_one_file_by_gcc_and_clang PROPERTIES WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}
                       ENVIRONMENT "ASSAY=$<TARGET_FILE:assay>;ASSAY_AMALGAMATION=all")
  assay_long_test(all_vectors_in_every_form_that_is_exported ${Python3_EXECUTABLE} -B -m unittest discover -v -s scripts/witness -t scripts -p test_exports.py)
  set_tests_properties(all_vectors_in_every_form_that_is_exported PROPERTIES WORKING_DIRECTORY ${PROJECT_SOURCE_DIR} ENVIRONMENT "ASSAY_EXPORTS=all")
  assay_long_test(headers_in_every_standard_and_the_next_minor_version ${Python3_EXECUTABLE} -B -m unittest discover -v -s scripts/packages -t scripts -p test_library.py)
  set_tests_properties(headers_in_every_standard_and_the_next_minor_version PROPERTIES WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}
                       ENVIRONMENT "ASSAY=$<TARGET_FILE:assay>;ASSAY_LIBRARY=all")
  assay_long_test(pages_wide_and_narrow_light_and_dark ${Python3_EXECUTABLE} -B -m unittest discover -v -s scripts/pages -t scripts -p test_screenshots.py)
  set_tests_properties(pages_wide_and_narrow_light_and_dark PROPERTIES WORKING_DIRECTORY ${PROJECT_SOURCE_DIR} ENVIRONMENT "ASSAY=$<TARGET_FILE:assay>;ASSAY_PAGES=all")
  assay_long_test(figures_of_damage_of_all_schemes ${Python3_EXECUTABLE} -B -m unittest discover -v -s harnesses/assay/tests -t harnesses -p test_damage.py -k figures_of_the_page)
  set_tests_properties(figures_of_damage_of_all_schemes PROPERTIES WORKING_DIRECTORY ${PROJECT_SOURCE_DIR} ENVIRONMENT "ASSAY=$<TARGET_FILE:assay>;ASSAY_DAMAGE=all")
  assay_long_test(debian_package_by_lintian ${Python3_EXECUTABLE} -B -m unittest discover -v -s scripts/packages -t scripts -p test_packages.py -k debian)
  set_tests_properties(debian_package_by_lintian PROPERTIES WORKING_DIRECTORY ${PROJECT_SOURCE_DIR} ENVIRONMENT "ASSAY=$<TARGET_FILE:assay>;ASSAY_PACKAGES=all")
  add_test(NAME plants_are_built COMMAND ${CMAKE_COMMAND} --build ${PROJECT_BINARY_DIR} --target plants)
  set_tests_properties(plants_are_built PROPERTIES FIXTURES_SETUP plants)
  set_property(TEST python_tests_of_scripts_hunting_plants PROPERTY FIXTURES_REQUIRED plants)
  foreach(name IN ITEMS ci_reports plants silence)
    set_property(TEST python_tests_of_scripts_hunting_${name} APPEND PROPERTY ENVIRONMENT "ASSAY_BUILD=${PROJECT_BINARY_DIR}")
  endforeach()
endif()
