/* SPDX-License-Identifier: MIT
 *
 * loops.h - the loops of validation, run over positions of an input without bytes: loops_ask() answers every question
 * about a vector, or about the three bytes before a place. Compiled for all instruction sets but AVX-512, and for that
 * one.
 */
#ifndef ASSAY_PROVE_LOOPS_H
#define ASSAY_PROVE_LOOPS_H

#include "../../../codecs/simd/encoding.h"

/* The questions: are all bytes ASCII; does a kernel that allows leads of four find nothing wrong; does one that refuses
 * them; are bytes well-formed as a text of their own; is a sequence incomplete before a place; is one of the three
 * bytes before it a lead of four; is a lead of four among bytes. */
enum loop_question {
    LOOP_ASCII,
    LOOP_KERNEL,
    LOOP_KERNEL_WITHOUT_FOURS,
    LOOP_TEXT,
    LOOP_CUT,
    LOOP_FOURS_BEFORE,
    LOOP_FOURS_AMONG
};

enum { LOOP_BYTES_MAX = 20480, LOOP_LINE = 64 };

/* A number of bytes, up to LOOP_BYTES_MAX. Small, since millions of these are kept and compared. */
typedef uint16_t position;

/* The question is about the bytes from `first` up to `end`; LOOP_CUT and LOOP_FOURS_BEFORE are about the place `first`.
 * `before_zeros`: zeros that stand for bytes after the input belong to it, too. */
struct looked {
    position first, end;
    uint8_t question; /* enum loop_question */
    bool before_zeros;
};

/* From how many bytes on there are loops over strides: 1,025 in one search of inputs of 1,025 bytes, which follows all
 * paths; 1,792 in those that loops_fours_at_least() is about; 1,536 in those that loops_very_long() lets be prose; in
 * others as by the codec. */
size_t loops_long(void);

/* From how many bytes on inputs that have loops over strides, and begin with ASCII, are not checked as English prose:
 * in one search of inputs of 1,536 to 1,791 bytes, more than any has; in others 0. */
size_t loops_very_long(void);

/* For at least how many bytes leads of four are expected after one: 512 in inputs of 1,792 to 2,047 bytes with
 * loops, so that there they are expected for longer, too; in others as many as by the codec. */
size_t loops_fours_at_least(void);

/* From how many bytes on loops_before_rest() takes an input to come from memory: 3,072. */
enum { SHORTEST_FAR = 3072 };

/* The answers that this run repeats from the run before. Most answers are such, so loops_ask() gives them without a
 * call. */
struct loops_again {
    const bool *next, *end;
};
extern _Thread_local struct loops_again loops_again;

/* Returns the answer to a question that this run has not given again. */
bool loops_answer(const struct looked *looked);

static inline bool loops_ask(const struct looked *looked)
{
    return loops_again.next < loops_again.end ? *loops_again.next++ : loops_answer(looked);
}

/* Reports a load outside the input, or of a part of a block that does not end with the input. Does not return. */
_Noreturn void loops_load_outside(long first, size_t count);

/* Reports a verdict that is made of bytes up to `end` and from `first` on, not of those between. Does not return. */
_Noreturn void loops_join_apart(long end, long first);

/* Returns the verdict on `byte_count` bytes that begin `offset` bytes after the start of a cache line. */
typedef bool loops_run(const struct encoding *encoding, size_t offset, size_t byte_count);
loops_run loops_of_each, loops_of_avx512, loops_of_avx512_shifted, loops_of_avx512_far, loops_before_rest;

#endif
