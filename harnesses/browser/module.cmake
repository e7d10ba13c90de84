# SPDX-License-Identifier: MIT
#
# assay.wasm: the codecs as a WebAssembly module, without a system and without imports (preset wasm); assay-test.wasm: the same,
# and what enumerates.

function(add_module name)
  add_executable(${name} browser/module.c browser/host.c core/convert.c core/operation.c ${ARGN})
  target_link_libraries(${name} PRIVATE codecs)
  target_compile_options(${name} PRIVATE -Wno-unused-parameter)
  target_compile_definitions(${name} PRIVATE _WASI_EMULATED_SIGNAL) # core/question.h names sig_atomic_t
  target_link_options(${name} PRIVATE -nostartfiles LINKER:--no-entry,--strip-all,--gc-sections,--stack-first,-z,stack-size=1048576)
  set_target_properties(${name} PROPERTIES SUFFIX .wasm)
endfunction()
add_module(assay)
add_module(assay-test browser/digest.c)
