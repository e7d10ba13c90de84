#!/bin/bash -eu
# SPDX-License-Identifier: MIT
#
# Builds all fuzz targets as OSS-Fuzz and ClusterFuzzLite want them, one build for both: reads $SRC/utf8-assay, writes
# only into $WORK and $OUT. From them come CC, CXX, CFLAGS, CXXFLAGS, SANITIZER and LIB_FUZZING_ENGINE, a flag or a library.
#
# In $OUT, for each target T and again for T_long: T, T_seed_corpus.zip, T.dict, T.options.
source=$SRC/utf8-assay
build=$WORK/utf8-assay

# A harness without a sanitizer is faster, and is tested with each elsewhere; but MemorySanitizer must see every write.
case $SANITIZER in
  address | undefined) codecs_only=ON ;;
  *) codecs_only=OFF ;;
esac

# Their compiler flags for everything, without a build type of ours; CMakeLists.txt adds to them by object. Link as they say, with
# the C++ compiler.
cmake -G Ninja -S "$source" -B "$build" -DCMAKE_BUILD_TYPE=None -DLIB_FUZZING_ENGINE="$LIB_FUZZING_ENGINE" \
  -DASSAY_SANITIZE_CODECS_ONLY=$codecs_only \
  -DASSAY_LINK_WITH_CXX=ON -DCMAKE_C_COMPILER="$CC" -DCMAKE_CXX_COMPILER="$CXX" -DCMAKE_C_FLAGS="$CFLAGS" \
  -DCMAKE_CXX_FLAGS="$CXXFLAGS"
cmake --build "$build"

python3 -B "$source/.clusterfuzzlite/outfit.py" "$build" "$OUT"
