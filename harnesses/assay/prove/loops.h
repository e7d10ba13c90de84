/* SPDX-License-Identifier: MIT
 *
 * loops.h - the loops of validation, run over positions of an input without bytes: whatever they ask of a vector, or of the three
 * bytes before a place, is answered by loops_ask(). Compiled for all instruction sets but AVX-512, and for that one.
 */
#ifndef ASSAY_PROVE_LOOPS_H
#define ASSAY_PROVE_LOOPS_H

#include <stdbool.h>
#include <stddef.h>

/* What is asked: whether all bytes are ASCII; whether a kernel finds nothing wrong, one that takes leads of four or one that
 * refuses them; whether a sequence is cut before a place; whether a lead of four is one of the three bytes before it. */
enum loop_question { LOOP_ASCII, LOOP_KERNEL, LOOP_KERNEL_WITHOUT_FOURS, LOOP_CUT, LOOP_FOURS };

/* About the bytes from `first` to before `end`; LOOP_CUT and LOOP_FOURS are about the place `first`. `before_zeros`: zeros that
 * stand for what is after the input are looked at, too. */
struct looked {
    enum loop_question question;
    size_t first, end;
    bool before_zeros;
};

enum { LOOP_BYTES_MAX = 20480, LOOP_LINE = 64 };

bool loops_ask(const struct looked *looked);

/* Something was loaded that is not in the input, or a part of a block that does not end with it. Does not return. */
_Noreturn void loops_load_outside(long first, size_t count);

/* The verdict on `byte_count` bytes that begin `offset` bytes after a cache line does. */
bool loops_of_each(bool of_utf8, size_t offset, size_t byte_count);
bool loops_of_avx512(bool of_utf8, size_t offset, size_t byte_count);

#endif
