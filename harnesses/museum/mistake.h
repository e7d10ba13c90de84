/* SPDX-License-Identifier: MIT
 *
 * mistake.h - the interface between correct_decoder.c, a correct decoder and encoder, and the mistakes of decoders/.
 *
 * correct_decoder.c works for every encoding of the registry. It asks the encoding's reference for the next character
 * or error only, and does the rest itself: streams, policies, room, offsets, UTF-16. A mistake is a row of functions
 * that correct_decoder.c calls at the places listed below, and that change what it does next; or it replaces whole
 * operations (`wraps`). README.md says how to add one.
 */
#ifndef ASSAY_MISTAKE_H
#define ASSAY_MISTAKE_H

#include "../core/question.h"

enum { AHEAD_MAX = 8 /* bytes; a sequence has at most 6 */ };

/* The next character or error: the reference's answer, which a mistake may change. */
struct step {
    size_t length;
    uint32_t code_point; /* if `fault` is NONE */
    enum assay_fault fault;
    bool open;   /* later bytes may change it: its bytes are held until the next piece */
    bool silent; /* a character without output; set only by mistakes */
};

/* The state of a stream between two calls. All zero at the start. */
struct memory {
    uint64_t position; /* stream offset of the first held byte, or of the next byte if none is held */
    uint8_t held[AHEAD_MAX];
    uint32_t held_count;
    uint16_t absorb; /* how many more continuation bytes belong to the last U+FFFD */
    bool in_run;     /* the last step was an error */
    bool after_lead; /* the last step was a lead surrogate */
    uint64_t own;    /* for mistakes only */
    uint64_t calls;  /* number of earlier calls */
};

/* The state of a decoding call. */
struct state {
    enum operation operation;
    enum assay_policy policy;
    const uint8_t *bytes; /* the input of this call: in a stream, this piece */
    size_t byte_count;
    bool last;
    const uint8_t *here; /* the bytes of this step and after it, held bytes first */
    size_t ahead;        /* the number of bytes at `here`, at most AHEAD_MAX */
    ptrdiff_t at;        /* offset of this step in `bytes`; negative if it begins with held bytes */
    struct memory *memory;
    size_t written, capacity;
};

/* The state of an encoding call; the next unit is utf32[at] or utf16[at]. */
struct encode_state {
    enum operation operation;
    enum assay_policy policy;
    const uint32_t *utf32; /* NULL if the units are UTF-16 */
    const uint16_t *utf16;
    size_t unit_count, at;
    size_t written, capacity;
};

struct encode_step {
    uint32_t code_point;
    size_t taken; /* number of units read */
    enum assay_fault fault;
    uint8_t bytes[AHEAD_MAX]; /* if `fault` is NONE */
    size_t length;
};

/* Encodings, separated by spaces, in which no input shows the mistake, and why. */
struct same {
    const char *encodings, *reason;
};

/* For `.same`: no text of WTF-16 has an error before its last byte, a second error, or an error of more than one
 * byte. */
#define AT_THE_END \
    { \
        { \
            "wtf-16le wtf-16be", "the only error is half a unit at the end of the input" \
        } \
    }

/* Bits of operations. */
#define OFFERS(id) OPERATION_BIT(id)
#define OFFERS_WHOLE (OFFERS(VALIDATE) | OFFERS(SPANS) | OFFERS(COUNT) | OFFERS(DECODE_UTF32) | OFFERS(DECODE_UTF16))
#define OFFERS_FEED (OFFERS(FEED_UTF32) | OFFERS(FEED_UTF16))
#define OFFERS_ENCODE (OFFERS(ENCODE_UTF32) | OFFERS(ENCODE_UTF16))

struct mistake {
    const char *name;     /* "offset-in-8-bits": unique */
    const char *sentence; /* what the mistake does */
    const char *origin;   /* a real decoder with this mistake, or NULL */
    const char *only;     /* encodings in which it is possible, separated by spaces; NULL: all */
    struct same same[2];
    unsigned offers;   /* operations, one bit each; 0: all that the functions below affect */
    unsigned policies; /* one bit for each; 0: all of the encoding */

    /* Decoding, in the order of the calls. Each may be NULL. */
    void (*begin)(struct state *state); /* begin of a call; `here`, `ahead` and `at` are not set yet */
    void (*step)(struct state *state, struct step *step);       /* after the right step is found */
    void (*span)(struct state *state, struct assay_span *span); /* before an error is reported */
    void (*replace)(struct state *state, const struct step *step,
                    size_t *units);                         /* the number of U+FFFD or escaped bytes */
    void (*room)(struct state *state, size_t *room);        /* number of free units, before a step's output */
    void (*put)(struct state *state, uint32_t *code_point); /* before a code point is written or counted */
    void (*pair)(struct state *state, uint32_t code_point, uint16_t units[2]); /* a supplementary character in UTF-16 */
    void (*after)(struct state *state, const struct step *step);               /* after the whole step */
    void (*end)(struct state *state); /* end of a call, after held bytes are stored in memory */
    void (*result)(struct state *state, struct assay_result *result);

    /* Encoding. */
    void (*encode)(const struct encode_state *state, struct encode_step *step); /* after the right step was found */
    void (*encode_room)(const struct encode_state *state, size_t *room);
    void (*encode_result)(const struct encode_state *state, struct assay_result *result);

    /* Whole operations that replace those of correct_decoder.c. They may call `museum_base`. */
    struct assay_codec wraps;
};

/* Each file of decoders/ defines one list: `const struct mistake mistakes_FILE[] = {{...}, {...}, END_OF_MISTAKES};` */
#define END_OF_MISTAKES \
    { \
        .name = NULL \
    }

/* The codec without a mistake, of the current encoding. */
extern const struct assay_codec *museum_base;

/* State that a mistake keeps from stream to stream or from call to call. All zero before its first call. */
extern struct memory museum_left;

/* Returns the codec with this mistake. It and museum_base are valid until the next call. */
const struct assay_codec *museum_codec(const struct assay_codec *base, const struct mistake *mistake);

/* The rows of all files of decoders/; NULL after the last. */
const struct mistake *museum_mistake(size_t index);

/* Returns the reason why no input shows the mistake in an encoding; NULL if some input does. */
const char *museum_why_same(const struct mistake *mistake, const char *encoding);

/* True if a list of words, separated by spaces, contains the word. */
bool museum_has_word(const char *words, const char *word);

static inline bool museum_is_continuation(uint8_t byte)
{
    return byte >= 0x80 && byte <= 0xBF;
}

#endif
