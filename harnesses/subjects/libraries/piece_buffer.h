// SPDX-License-Identifier: MIT
//
// piece_buffer.h - a document in pieces as the buffer of a std::istream, which fills with bytes of one piece at a time.
#ifndef ASSAY_PIECE_BUFFER_H
#define ASSAY_PIECE_BUFFER_H

#include "pieces.h"

#include <streambuf>

struct piece_buffer : std::streambuf {
    enum { BEFORE = 16, ROOM = 4096 }; // bytes that can be put back, and those that are new
    char bytes[BEFORE + ROOM];

    int_type underflow() override
    {
        size_t before = size_t(gptr() - eback()) < BEFORE ? size_t(gptr() - eback()) : size_t(BEFORE);
        if (before > 0)
            memmove(bytes + BEFORE - before, gptr() - before, before);
        size_t count = read_piece(bytes + BEFORE, ROOM);
        setg(bytes + BEFORE - before, bytes + BEFORE, bytes + BEFORE + count);
        return count > 0 ? traits_type::to_int_type(bytes[BEFORE]) : traits_type::eof();
    }
};

#endif
