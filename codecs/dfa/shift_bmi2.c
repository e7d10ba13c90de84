/* SPDX-License-Identifier: MIT
 *
 * `shift` for UTF-8 on processors with BMI2: SHRX takes its count from any register and does not write the flags. On
 * Intel's processors a step then takes one cycle; without BMI2 it takes two or more.
 */
#include "shift.h"
#include "utf8_tables.h"

AUTOMATON_OF(utf8, shift_bmi2);
#define ENCODING utf8
#define NAME "utf-8"
#define CODEC shift_bmi2
#include "codec.inc"
