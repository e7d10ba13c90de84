#!/bin/bash -eu
# SPDX-License-Identifier: MIT
#
# Builds all fuzz targets for OSS-Fuzz and ClusterFuzzLite. Reads $SRC/utf8-assay, writes only into $WORK and $OUT. They set CC,
# CXX, CFLAGS, CXXFLAGS, SANITIZER and LIB_FUZZING_ENGINE (a flag or a library).
#
# Writes to $OUT for each target T, and again for T_long: T, T_seed_corpus.zip, T.dict, T.options.
source=$SRC/utf8-assay
build=$WORK/utf8-assay

# A harness without a sanitizer is faster; the tests run it with each. But MemorySanitizer must see every write.
case $SANITIZER in
  address | undefined) codecs_only=ON ;;
  *) codecs_only=OFF ;;
esac

# No build type, so that their compiler flags apply to everything; harnesses/instrument.cmake adds flags by object. They require linking with the
# C++ compiler.
cmake -G Ninja -S "$source" -B "$build" -DCMAKE_BUILD_TYPE=None -DLIB_FUZZING_ENGINE="$LIB_FUZZING_ENGINE" \
  -DASSAY_SANITIZE_CODECS_ONLY=$codecs_only \
  -DASSAY_LINK_WITH_CXX=ON -DCMAKE_C_COMPILER="$CC" -DCMAKE_CXX_COMPILER="$CXX" -DCMAKE_C_FLAGS="$CFLAGS" \
  -DCMAKE_CXX_FLAGS="$CXXFLAGS"
cmake --build "$build"

python3 -B "$source/.clusterfuzzlite/copy_targets.py" "$build" "$OUT"
