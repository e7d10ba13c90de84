/* SPDX-License-Identifier: MIT
 *
 * utf8_assay.h - the interface for applications: validate, convert, count and stream text in UTF-8 and related
 * encodings, and make it well-formed.
 *
 * The same interface is in the library libutf8-assay and in the pair of files that scripts/amalgamate writes. This
 * header is C99 and C++11. Examples: API.md.
 *
 * Units. A count, a capacity and an offset are in code units of the buffer they belong to: bytes; 16-bit units for
 * UTF8_ASSAY_UTF_16; 32-bit units for UTF8_ASSAY_UTF_32. Buffers of 16-bit and 32-bit units are in the byte order of
 * the processor and must be aligned for uint16_t and uint32_t.
 *
 * Bounds. No function reads or writes outside the buffers it is given, and none needs padding. A pointer may be NULL
 * where its count or capacity is 0. Input and output must not overlap. Output units from `written` up to the capacity
 * are unspecified: a function may write there, so a capacity must not be greater than the buffer.
 *
 * Ownership. The caller owns all buffers. Nothing is allocated, and no pointer is kept after return. A stream needs no
 * release. Names are static strings.
 *
 * Threads. Every function may be called from any number of threads at once. Two calls must not use one stream at the
 * same time.
 *
 * Instruction sets. The first call for an encoding chooses the fastest implementation that this processor runs. The
 * environment variable ASSAY_WITHOUT (for example "avx512,avx2"), read at that call, takes instruction sets away.
 * ASSAY_VENDOR, "intel" or "amd", says for whose processors codecs of x86 are tuned; any other value has no effect.
 *
 * Versions. UTF8_ASSAY_API_VERSION is increased when a program that was compiled before may no longer work. Functions,
 * encodings, policies and macros may be added without that; numbers of enumerators, sizes and layouts of structures do
 * not change.
 */
#ifndef UTF8_ASSAY_H
#define UTF8_ASSAY_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define UTF8_ASSAY_API_VERSION 1

/* Returns UTF8_ASSAY_API_VERSION of the library that is linked. */
unsigned utf8_assay_api_version(void);

enum utf8_assay_encoding {
    UTF8_ASSAY_NO_ENCODING = 0,

    /* Encodings of bytes. */
    UTF8_ASSAY_UTF_8 = 1,             /* Unicode 17.0, Table 3-7 */
    UTF8_ASSAY_GENERALIZED_UTF_8 = 2, /* every code point, surrogates included (WTF-8, section 5) */
    UTF8_ASSAY_WTF_8 = 3,             /* potentially ill-formed UTF-16 as bytes (WTF-8, section 6) */
    UTF8_ASSAY_CESU_8 = 4,            /* UTR 26 */
    UTF8_ASSAY_CESU_8_JDK = 5,        /* as the JDK decodes it: with unpaired surrogates */
    UTF8_ASSAY_MUTF_8 = 6,            /* Java's Modified UTF-8 */
    UTF8_ASSAY_MUTF_8_READUTF = 7,    /* everything that DataInput.readUTF accepts */
    UTF8_ASSAY_UTF_16LE = 8,          /* well-formed UTF-16 as bytes, without a byte order mark */
    UTF8_ASSAY_UTF_16BE = 9,
    UTF8_ASSAY_WTF_16LE = 10, /* potentially ill-formed UTF-16 as bytes (WTF-8, section 4): any even number of bytes */
    UTF8_ASSAY_WTF_16BE = 11,

    /* Buffers of units. */
    UTF8_ASSAY_UTF_16 = 32, /* uint16_t */
    UTF8_ASSAY_UTF_32 = 33  /* uint32_t: one unit a scalar value */
};

/* The output for an error. An error is ill-formed input, or a code point that the output encoding does not have; for
 * such a code point, JDK, PER_BYTE and PER_SEQUENCE write one U+FFFD. As input, UTF-8 has all policies; its relatives
 * all but JDK, PER_SEQUENCE and SURROGATEESCAPE; UTF-16 and WTF-16 as bytes only STRICT, WHATWG, PER_RUN and SKIP. As
 * output, UTF-8 has all policies, the other encodings of bytes all but SURROGATEESCAPE. UTF_16 and UTF_32 have those of
 * the other encoding. */
enum utf8_assay_policy {
    UTF8_ASSAY_STRICT = 0,   /* stop at the first error */
    UTF8_ASSAY_WHATWG = 1,   /* one U+FFFD for each maximal subpart (Unicode 3.9, WHATWG): the usual choice */
    UTF8_ASSAY_JDK = 2,      /* as WHATWG, but one U+FFFD for a surrogate in three bytes */
    UTF8_ASSAY_PER_BYTE = 3, /* one U+FFFD for each ill-formed byte */
    UTF8_ASSAY_PER_SEQUENCE =
        4,                  /* one U+FFFD for a lead and the continuation bytes that the old 6-byte scheme gives it */
    UTF8_ASSAY_PER_RUN = 5, /* one U+FFFD for each run of errors */
    UTF8_ASSAY_SKIP = 6,    /* nothing */
    UTF8_ASSAY_SURROGATEESCAPE = 7 /* U+DC00 + byte for each ill-formed byte, and back (PEP 383); stop at all else */
};

/* Why input is ill-formed. utf8_assay_fault_sentence() describes each. */
enum utf8_assay_fault {
    UTF8_ASSAY_FAULT_NONE = 0,
    UTF8_ASSAY_FAULT_OVERLONG = 1,
    UTF8_ASSAY_FAULT_SURROGATE = 2,
    UTF8_ASSAY_FAULT_OUT_OF_RANGE = 3,
    UTF8_ASSAY_FAULT_INVALID_LEAD = 4,
    UTF8_ASSAY_FAULT_STRAY_CONTINUATION = 5,
    UTF8_ASSAY_FAULT_MISSING_CONTINUATION = 6,
    UTF8_ASSAY_FAULT_TRUNCATED = 7,
    UTF8_ASSAY_FAULT_UNPAIRED_SURROGATE = 8,
    UTF8_ASSAY_FAULT_SURROGATE_PAIR = 9
};

enum utf8_assay_status {
    UTF8_ASSAY_OK = 0,          /* the whole input was read */
    UTF8_ASSAY_ILL_FORMED = 1,  /* the policy stopped at `error` */
    UTF8_ASSAY_OUTPUT_FULL = 2, /* the output of the next character or error has no room */
    UTF8_ASSAY_UNSUPPORTED =
        3 /* no such encoding in this build, no such policy for it, or no such pair; nothing was done */
};

/* The place of an error, in units of the input. */
struct utf8_assay_error {
    size_t offset; /* of its first unit; in a stream from the stream's start, modulo SIZE_MAX + 1 */
    size_t
        /* of the maximal subpart (Unicode 17.0, D93b), or of the character that the output encoding does not have */
        length;
    int fault;      /* enum utf8_assay_fault */
    int incomplete; /* 1 if only the end of input makes it ill-formed: more units could have completed it; else 0 */
};

struct utf8_assay_result {
    int status;                    /* enum utf8_assay_status */
    size_t read;                   /* input units that were read; under ILL_FORMED those before the error */
    size_t written;                /* output units; for a count, those that would be */
    struct utf8_assay_error error; /* under ILL_FORMED, else all zero */
};

/* ---- encodings, implementations, faults --------------------------------------------------------------- */

/* Returns the encoding of this name ("utf-8", "wtf-8", ..., "utf-16", "utf-32"), which is not NULL; NO_ENCODING if there
 * is none or this build lacks it. */
enum utf8_assay_encoding utf8_assay_encoding_by_name(const char *name);

/* Returns the name of an encoding; NULL if there is none with this number. */
const char *utf8_assay_encoding_name(enum utf8_assay_encoding encoding);

/* Returns the name of the implementation that is used for an encoding of bytes on this processor ("avx2"); NULL if this
 * build lacks the encoding. */
const char *utf8_assay_implementation(enum utf8_assay_encoding encoding);

/* Returns the name ("overlong") and the sentence that describes a fault; NULL if there is none with this number. */
const char *utf8_assay_fault_name(int fault);
const char *utf8_assay_fault_sentence(int fault);

/* ---- validate ----------------------------------------------------------------------------------------- */

/* Returns UTF8_ASSAY_OK if the bytes are well-formed in the encoding, which must be one of bytes. Under ILL_FORMED,
 * *error (unless it is NULL) is the first error. Else it is all zero. */
enum utf8_assay_status utf8_assay_validate(enum utf8_assay_encoding encoding, const void *bytes, size_t byte_count,
                                           struct utf8_assay_error *error);

/* ---- convert ------------------------------------------------------------------------------------------ */

/* Converts text. One of `from` and `to` or both are encodings of bytes; between UTF-16 and UTF-32, convert through one
 * of these.
 *
 * If the other encoding has surrogate code points (WTF-8, WTF-16, generalized UTF-8, CESU-8-JDK, Modified UTF-8),
 * UTF8_ASSAY_UTF_16 may hold unpaired surrogates; they are no error. Of two adjacent surrogate code points, a lead and
 * a trail, UTF-16 and WTF-16 would make one character: from generalized UTF-8 and from UTF8_ASSAY_UTF_32 (only to
 * WTF-16) the trail is an error (WTF-8, section 4.1).
 *
 * The output of a character or of an error is written whole or not at all. After OUTPUT_FULL, converting the unread
 * rest continues as if there had been no stop, except that WTF-8 does not refuse a trail surrogate after a lead
 * surrogate where the stop is between them; a stream does. With a capacity of UTF8_ASSAY_PROGRESS_MIN or more, every
 * call reads something. */
struct utf8_assay_result utf8_assay_convert(enum utf8_assay_encoding from, enum utf8_assay_encoding to,
                                            enum utf8_assay_policy policy, const void *input, size_t unit_count,
                                            void *output, size_t capacity);

/* Returns what utf8_assay_convert() with a sufficient capacity returns, and writes nothing: `written` is the capacity
 * that suffices, exactly. With `to` = UTF8_ASSAY_UTF_32 and STRICT, it is the number of scalar values of well-formed
 * text. */
struct utf8_assay_result utf8_assay_count(enum utf8_assay_encoding from, enum utf8_assay_encoding to,
                                          enum utf8_assay_policy policy, const void *input, size_t unit_count);

/* Output units that suffice for n bytes, for n UTF-16 units and for n UTF-32 units, in every form and under every
 * policy. */
#define UTF8_ASSAY_MAX_FROM_BYTES(n) (3 * ((n) + 5))
#define UTF8_ASSAY_MAX_FROM_UTF_16(n) (3 * (n))
#define UTF8_ASSAY_MAX_FROM_UTF_32(n) (6 * (n))

#define UTF8_ASSAY_PROGRESS_MIN 16

/* ---- make text well-formed ---------------------------------------------------------------------------- */

/* Writes well-formed text in the same encoding, which must be one of bytes: characters keep their bytes, and an error
 * becomes the output of the policy (SURROGATEESCAPE: UNSUPPORTED). For UTF-16 and WHATWG this is ECMA-262's
 * toWellFormed(). UTF8_ASSAY_MAX_FROM_BYTES(byte_count) bytes suffice. */
struct utf8_assay_result utf8_assay_to_well_formed(enum utf8_assay_encoding encoding, enum utf8_assay_policy policy,
                                                   const void *bytes, size_t byte_count, void *output, size_t capacity);

/* Returns what utf8_assay_to_well_formed() with a sufficient capacity returns, and writes nothing. */
struct utf8_assay_result utf8_assay_count_well_formed(enum utf8_assay_encoding encoding, enum utf8_assay_policy policy,
                                                      const void *bytes, size_t byte_count);

/* ---- stream ------------------------------------------------------------------------------------------- */

/* Text that arrives in pieces. May be copied, which gives a second stream at the same place. */
struct utf8_assay_stream {
    uint64_t state[12]; /* private */
};

/* Starts a stream. `from` is an encoding of bytes, `to` is any. (UTF-16 and UTF-32 need no stream: cut them anywhere
 * but after a lead surrogate, and convert the pieces.) Returns UTF8_ASSAY_OK or UTF8_ASSAY_UNSUPPORTED; then every feed
 * returns that. */
enum utf8_assay_status utf8_assay_stream_start(struct utf8_assay_stream *stream, enum utf8_assay_encoding from,
                                               enum utf8_assay_encoding to, enum utf8_assay_policy policy);

/* Converts the next piece. What cannot be decided before the next bytes is held in the stream, so all output that is
 * certain is written at once. `is_last` (1 or 0) says that the text ends with this piece: a sequence that is not
 * complete is then an error. After OUTPUT_FULL, feed the unread rest of the piece, with the same `is_last`. After
 * ILL_FORMED, and after OK for the last piece, the stream must be started again. An error may begin before this piece;
 * `read` is then 0. UTF8_ASSAY_MAX_FROM_BYTES(byte_count) output units suffice. */
struct utf8_assay_result utf8_assay_stream_feed(struct utf8_assay_stream *stream, const void *bytes, size_t byte_count,
                                                int is_last, void *output, size_t capacity);

/* The same for a last piece of no bytes. UTF8_ASSAY_PROGRESS_MIN output units suffice. */
struct utf8_assay_result utf8_assay_stream_finish(struct utf8_assay_stream *stream, void *output, size_t capacity);

#ifdef __cplusplus
}
#endif

#endif
