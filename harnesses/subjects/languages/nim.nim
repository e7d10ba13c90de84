# SPDX-License-Identifier: MIT
#
# Nim as a subject: validateUtf8, runes, toUTF8 and lastRune of std/unicode.

import std/[strutils, unicode, sequtils]

proc encoded(points: string): string =
  var bytes = ""
  for point in points.split(','):
    if point == "-": continue
    let value = parseHexInt(point)
    if value > int32.high: return "skip not offered" # a Rune is an int32
    bytes.add(Rune(value.int32).toUTF8)
  "ok " & (if bytes == "": "-" else: bytes.toHex)

# lastRune of the text up to each byte: where that character begins.
proc boundaries(text: string): string =
  try:
    let begins = toSeq(0 .. text.high).mapIt(it + 1 - text.lastRune(it)[1])
    "ok " & (begins & text.len).join(",")
  except IndexDefect:
    "skip it reads outside the string"

proc answer(request: seq[string]): string =
  let hex = request[^1]
  if request[0] == "boundaries" and request[1] == "utf-8": return boundaries(parseHexStr(hex.replace("-", "")))
  if request[0] == "encode" and request[1] == "utf-8" and request[2] == "strict": return encoded(hex)
  let policy = if request[0] == "decode": request[2] else: "strict"
  if request[1] != "utf-8" or request[0] notin ["validate", "decode"] or policy notin ["strict", "own"] or ',' in hex:
    return "skip not offered"
  let text = parseHexStr(hex.replace("-", ""))
  if policy == "strict":
    let bad = validateUtf8(text)
    if bad >= 0: return "error " & $bad
  if request[0] == "validate": return "ok"
  let points = text.toRunes.mapIt(strip(toHex(it.int32), trailing = false, chars = {'0'}))
  "ok " & (if points.len == 0: "-" else: points.mapIt(if it == "": "0" else: it).join(","))

for line in stdin.lines:
  let words = line.split(' ')
  if words[0] == "hello":
    echo "hello assay/1 nim ", NimVersion, " encodings=utf-8 policies=strict,own ops=validate,decode,encode,boundaries chunks=no"
  else:
    echo words[0], " ", answer(words[1 .. ^1])
  flushFile(stdout)
