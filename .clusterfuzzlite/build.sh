#!/bin/bash -eu
# SPDX-License-Identifier: MIT
#
# Builds all fuzz targets as OSS-Fuzz and ClusterFuzzLite want them, one build for both: reads $SRC/utf8-assay, writes
# only into $WORK and $OUT. From them come CC, CXX, CFLAGS, CXXFLAGS, SANITIZER and LIB_FUZZING_ENGINE, a flag or a library.
#
# In $OUT, for each target T: T, T_seed_corpus.zip, T.dict, T.options.
source=$SRC/utf8-assay
build=$WORK/utf8-assay

# Whatever their compiler flags are stays as it is: no build type of ours. Link as they say, with the C++ compiler.
cmake -G Ninja -S "$source" -B "$build" -DCMAKE_BUILD_TYPE=None -DLIB_FUZZING_ENGINE="$LIB_FUZZING_ENGINE" \
  -DASSAY_LINK_WITH_CXX=ON -DCMAKE_C_COMPILER="$CC" -DCMAKE_CXX_COMPILER="$CXX" -DCMAKE_C_FLAGS="$CFLAGS" \
  -DCMAKE_CXX_FLAGS="$CXXFLAGS"
cmake --build "$build"

python3 -B "$source/.clusterfuzzlite/outfit.py" "$build" "$OUT"
