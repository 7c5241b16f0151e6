# Finds Emscripten's own toolchain file, wherever this machine has Emscripten:
# the SDK in $EMSDK, else the `em++` on the PATH (Debian's package, or an activated SDK).

# CMake reads a toolchain file again for every compiler check; the environment carries the answer there.
if(NOT DEFINED ENV{TESSERA_EMSCRIPTEN_ROOT})
  if(DEFINED ENV{EMSDK} AND EXISTS "$ENV{EMSDK}/upstream/emscripten/em++")
    set(ENV{TESSERA_EMSCRIPTEN_ROOT} "$ENV{EMSDK}/upstream/emscripten")
  else()
    execute_process(COMMAND em-config EMSCRIPTEN_ROOT
      OUTPUT_VARIABLE tessera_emscripten_root OUTPUT_STRIP_TRAILING_WHITESPACE
      RESULT_VARIABLE tessera_status ERROR_QUIET)
    if(NOT tessera_status EQUAL 0)
      message(FATAL_ERROR "Emscripten is needed: scripts/setup wasm installs it, or set EMSDK")
    endif()
    set(ENV{TESSERA_EMSCRIPTEN_ROOT} "${tessera_emscripten_root}")
  endif()
endif()
include("$ENV{TESSERA_EMSCRIPTEN_ROOT}/cmake/Modules/Platform/Emscripten.cmake")
