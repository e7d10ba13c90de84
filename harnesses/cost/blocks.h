/* SPDX-License-Identifier: MIT
 *
 * blocks.h - how many basic blocks the counted code has run: code that is compiled with -fsanitize-coverage=trace-pc,
 * which calls __sanitizer_cov_trace_pc in each.
 *
 * A block has a bounded number of instructions, so a loop runs quadratically many instructions exactly if it runs
 * quadratically many blocks. The C library's functions on memory are not compiled with the option; blocks.c counts
 * their bytes. The count does not depend on the load of the machine, and needs no hardware counter, which virtual
 * machines of CI do not have.
 */
#ifndef ASSAY_BLOCKS_H
#define ASSAY_BLOCKS_H

#include <stdint.h>

/* Blocks since the program began. A call of memcpy and similar functions counts as one block, and one more for each 16
 * bytes. */
extern uint64_t blocks_of_code, blocks_of_copies;

static inline uint64_t blocks_run(void)
{
    return blocks_of_code + blocks_of_copies;
}

#endif
