/* SPDX-License-Identifier: MIT
 *
 * A library that is not a codec: without the symbol, or, with -DABI=N, of another ABI.
 */
#ifdef ABI
extern const unsigned assay_codec[64];
const unsigned assay_codec[64] = {ABI, 7};
#else
extern int nothing;
int nothing;
#endif
