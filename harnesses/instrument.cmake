# SPDX-License-Identifier: MIT
#
# Flags for sanitizers, coverage and fuzzing engines. Those for every object are set here; defines for others
#
#   sanitize          for what a sanitizer watches
#   sanitize_codecs   the same for the codecs: faster code
#   unsanitized       for what none watches, where the engine's flags ask for one
#   cheaper           whether AddressSanitizer is to cost less (fuzz/targets.cmake)
#   guided            for what guides libFuzzer; empty where something else guides, or nothing
#   guiding_launcher  the compiler launcher of what guides AFL++
#   counted           for what counts its blocks (harnesses/cost); empty where nothing can

# Definitions for targets that contain ASSUME().
set(checks "")
if(ASSAY_CHECK_ASSUMPTIONS OR ASSAY_SANITIZE OR CMAKE_C_FLAGS MATCHES "-fsanitize=(address|memory|undefined)")
  set(checks ASSAY_CHECKS_ASSUMPTIONS)
endif()
if(ASSAY_SANITIZE)
  set(sanitize -fsanitize=${ASSAY_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${ASSAY_SANITIZE})
  # Some 60 programs, each with the sanitizer's libraries: LLVM's linker takes a third of the time of binutils'.
  include(CheckCSourceCompiles)
  set(CMAKE_REQUIRED_LINK_OPTIONS -fuse-ld=lld)
  check_c_source_compiles("int main(void) { return 0; }" HAS_LLD)
  unset(CMAKE_REQUIRED_LINK_OPTIONS)
  if(HAS_LLD)
    add_link_options(-fuse-ld=lld)
  endif()
endif()
set(sanitize_codecs ${sanitize})
set(cheaper OFF)
if("${ASSAY_SANITIZE} ${CMAKE_C_FLAGS}" MATCHES "address" AND CMAKE_C_COMPILER_ID MATCHES Clang)
  # No codec returns a pointer to its stack, and the check for that costs 5 % of the rate. Checks of provably safe accesses to the
  # stack, which later versions of clang leave out by themselves, cost 5 %, too, and so does -O2 instead of -O3. The presets asan and fuzz have the same flags
  # for codecs, in the same order: ccache then compiles these once for both.
  set(cheaper ${ASSAY_SANITIZE_CODECS_ONLY})
  include(CheckCCompilerFlag)
  list(APPEND sanitize_codecs -O3)
  foreach(flag "-fsanitize-address-use-after-return=never" "SHELL:-mllvm -asan-use-stack-safety=1")
    string(REPLACE "SHELL:" "" words ${flag})
    string(MAKE_C_IDENTIFIER "HAS${words}" has_flag)
    check_c_compiler_flag(${words} ${has_flag})
    if(${has_flag})
      list(APPEND sanitize_codecs ${flag})
    endif()
  endforeach()
endif()
# OSS-Fuzz and ClusterFuzzLite give flags for all objects: -O1, a sanitizer, and coverage of everything. These come after theirs:
# optimise, and count only the objects that are named below to guide an engine; the others cost most of its time.
set(unsanitized "")
if(LIB_FUZZING_ENGINE AND CMAKE_BUILD_TYPE STREQUAL "None")
  add_compile_options(-O2)
  if(CMAKE_C_FLAGS MATCHES "-fsanitize=fuzzer-no-link")
    add_compile_options(-fno-sanitize=fuzzer-no-link)
  endif()
  if(ASSAY_SANITIZE_CODECS_ONLY)
    set(unsanitized -fno-sanitize=all)
  endif()
endif()
if(ASSAY_COVERAGE AND CMAKE_C_COMPILER_ID MATCHES Clang)
  add_compile_options(-fprofile-instr-generate -fcoverage-mapping)
  add_link_options(-fprofile-instr-generate)
elseif(ASSAY_COVERAGE)
  add_compile_options(--coverage)
  add_link_options(--coverage)
endif()

# What guides a fuzzer counts blocks, not edges, and its loops are not unrolled, because copies of one loop body would have counters
# that say the same. No tracing of comparisons either: at a byte a time it costs more than it finds.
set(guided "")
set(guiding_launcher ${CMAKE_C_COMPILER_LAUNCHER})
if(CMAKE_C_COMPILER MATCHES "afl-") # which instruments everything that is not excluded
  set(CMAKE_C_COMPILER_LAUNCHER env AFL_NOOPT=1)
elseif(LIB_FUZZING_ENGINE STREQUAL "-fsanitize=fuzzer" AND CMAKE_C_COMPILER_ID MATCHES Clang)
  set(guided -fsanitize-coverage=bb,inline-8bit-counters,pc-table -fno-unroll-loops)
endif()

# On Linux the linkers have --wrap, with which cost.cmake counts what memory functions do.
set(counted "")
if(NOT LIB_FUZZING_ENGINE AND NOT ASSAY_SANITIZE AND NOT ASSAY_COVERAGE AND NOT CMAKE_CROSSCOMPILING AND CMAKE_SYSTEM_NAME STREQUAL "Linux")
  set(counted -fsanitize-coverage=trace-pc)
  if(CMAKE_C_COMPILER_ID STREQUAL "GNU") # the calls hide from it which variables are set
    list(APPEND counted -Wno-maybe-uninitialized)
  endif()
endif()
