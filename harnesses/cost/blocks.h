/* SPDX-License-Identifier: MIT
 *
 * blocks.h - how many basic blocks the counted code has run: code that is compiled with -fsanitize-coverage=trace-pc, which calls
 * __sanitizer_cov_trace_pc in each.
 *
 * A block has a bounded number of instructions, so a loop runs quadratically many instructions exactly if it runs quadratically
 * many blocks. The C library's functions on memory are not compiled with the option; blocks.c counts their bytes. The
 * count is the same in each run, whatever the load, and needs no hardware counter, which virtual machines of CI do not have.
 */
#ifndef ASSAY_BLOCKS_H
#define ASSAY_BLOCKS_H

#include <stdint.h>

/* Since the program began. A call of memcpy and the like counts as a block for each 16 bytes, and one more. */
extern uint64_t blocks_of_code, blocks_of_copies;

static inline uint64_t blocks_run(void)
{
    return blocks_of_code + blocks_of_copies;
}

#endif
