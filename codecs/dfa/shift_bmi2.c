/* SPDX-License-Identifier: MIT
 *
 * `shift` for UTF-8, for processors with BMI2: its SHRX takes the count from any register and leaves the flags alone, so
 * that a step takes one cycle on Intel's processors, and two or more without it.
 */
#include "shift.h"
#include "utf8_tables.h"

AUTOMATON_OF(utf8, shift_bmi2);
#define ENCODING utf8
#define NAME "utf-8"
#define CODEC shift_bmi2
#include "codec.inc"
