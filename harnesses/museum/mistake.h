/* SPDX-License-Identifier: MIT
 *
 * mistake.h - a decoder with one mistake: a row, and a small function for each place in which the mistake shows.
 *
 * plain.c is a plain, correct decoder and encoder of every encoding of the registry. It asks the encoding's reference one
 * thing, what the next character or error is, and does the rest itself: streams, policies, room, offsets, UTF-16. A mistake
 * is a function that plain.c calls in one of these places and that changes what it would do next; or it replaces an
 * operation as a whole (`wraps`). README.md says how to add one.
 */
#ifndef ASSAY_MISTAKE_H
#define ASSAY_MISTAKE_H

#include "../core/question.h"

enum { AHEAD_MAX = 8 /* bytes: a sequence has six at most */ };

/* What is next in the input. The reference's answer, which a mistake may change. */
struct step {
    size_t length;
    uint32_t code_point;    /* if `fault` is NONE */
    enum assay_fault fault;
    bool open;   /* more bytes could change it: the bytes are held, and the step is taken with the next piece */
    bool silent; /* a character without output; only mistakes make one */
};

/* What a stream remembers between two calls. All zero at the start. */
struct memory {
    uint64_t position; /* in the stream, of the first byte that is held or comes next */
    uint8_t held[AHEAD_MAX];
    uint32_t held_count;
    uint16_t absorb; /* continuation bytes that still belong to the last U+FFFD */
    bool in_run;     /* the last step was an error */
    bool after_lead; /* the last step was a lead surrogate */
    uint64_t own;    /* for mistakes; nothing else reads or writes it */
    uint64_t calls;  /* before this one */
};

/* Where the decoder is. */
struct moment {
    enum operation operation;
    enum assay_policy policy;
    const uint8_t *bytes; /* the input of this call, from the start of a stream's piece */
    size_t byte_count;
    bool last;
    const uint8_t *here; /* the bytes from this step on, held ones first */
    size_t ahead;        /* how many are there, AHEAD_MAX at most */
    ptrdiff_t at;        /* in `bytes`, of this step; negative if it begins with bytes that were held */
    struct memory *memory;
    size_t written, capacity;
};

/* Where the encoder is: before units[at] of the one form or the other. */
struct encode_moment {
    enum operation operation;
    enum assay_policy policy;
    const uint32_t *utf32; /* NULL if the units are UTF-16 */
    const uint16_t *utf16;
    size_t unit_count, at;
    size_t written, capacity;
};

struct encode_step {
    uint32_t code_point;
    size_t taken; /* units */
    enum assay_fault fault;
    uint8_t bytes[AHEAD_MAX]; /* if `fault` is NONE */
    size_t length;
};

/* An encoding, or a few with a space between them, in which no input tells the mistake from the right decoder, and why. */
struct same {
    const char *encodings, *reason;
};

/* Bits of operations. */
#define OFFERS(id) (1u << OP_##id)
#define OFFERS_WHOLE (OFFERS(VALIDATE) | OFFERS(SPANS) | OFFERS(COUNT) | OFFERS(DECODE_UTF32) | OFFERS(DECODE_UTF16))
#define OFFERS_FEED (OFFERS(FEED_UTF32) | OFFERS(FEED_UTF16))
#define OFFERS_ENCODE (OFFERS(ENCODE_UTF32) | OFFERS(ENCODE_UTF16))

struct mistake {
    const char *name;     /* "offset-in-8-bits": unique */
    const char *sentence; /* what it does */
    const char *origin;   /* a real decoder that did, or NULL */
    const char *only;     /* the encodings it can be made in, with a space between them; NULL: all */
    struct same same[2];
    unsigned offers;      /* operations; 0: all that the functions below have a part in */
    unsigned policies;    /* a bit for each; 0: all that the encoding has */

    /* Decoding, in the order in which they are called. Each may be NULL. */
    void (*begin)(struct moment *moment);                    /* of a call; `here`, `ahead` and `at` mean nothing yet */
    void (*step)(struct moment *moment, struct step *step);  /* after the right step was found */
    void (*span)(struct moment *moment, struct assay_span *span);     /* an error that is reported */
    void (*replace)(struct moment *moment, const struct step *step, size_t *units); /* how many U+FFFD, or escaped bytes */
    void (*room)(struct moment *moment, size_t *room);       /* units that are free, before a step's output */
    void (*put)(struct moment *moment, uint32_t *code_point); /* before it is written or counted */
    void (*pair)(struct moment *moment, uint32_t code_point, uint16_t units[2]); /* a supplementary character in UTF-16 */
    void (*after)(struct moment *moment, const struct step *step);    /* the step, when all of it is done */
    void (*end)(struct moment *moment);                      /* of a call, when what is held was put into memory */
    void (*result)(struct moment *moment, struct assay_result *result);

    /* Encoding. */
    void (*encode)(const struct encode_moment *moment, struct encode_step *step); /* after the right step was found */
    void (*encode_room)(const struct encode_moment *moment, size_t *room);
    void (*encode_result)(const struct encode_moment *moment, struct assay_result *result);

    /* Operations that are replaced as a whole; they have `museum_base`. */
    struct assay_codec wraps;
};

/* Each file of decoders/ defines the mistakes that it is named for, and ends the list with END_OF_MISTAKES:
 * `const struct mistake mistakes_FILE[] = {{...}, {...}, END_OF_MISTAKES};` */
#define END_OF_MISTAKES {.name = NULL}

/* The codec without a mistake, of the encoding that is asked at this moment. */
extern const struct assay_codec *museum_base;

/* What a mistake leaves from one stream to the next, or from one call to another. All zero before its first. */
extern struct memory museum_left;

/* The codec that makes this mistake; valid until the next call, as is museum_base. */
const struct assay_codec *museum_codec(const struct assay_codec *base, const struct mistake *mistake);

/* Whether a word is in a list of words with a space between them. */
bool museum_has_word(const char *words, const char *word);

static inline bool museum_is_continuation(uint8_t byte)
{
    return byte >= 0x80 && byte <= 0xBF;
}

#endif
