/* SPDX-License-Identifier: MIT
 *
 * The archive, as bytes: CARRIED is its path.
 */
    .section .rodata
    .global archive_begin
archive_begin:
    .incbin CARRIED
    .section .note.GNU-stack, "", %progbits
