# SPDX-License-Identifier: MIT
#
# R as a subject: validUTF8, utf8ToInt and intToUtf8. A NUL ends a string of R.

input <- file("stdin", "r")
hexed <- function(text) paste("ok", if (nchar(text, "bytes") == 0) "-" else paste(charToRaw(text), collapse = ""))
# Zeros are left out of the text, as the document says, so that they are not asked.
encoded <- function(operation, units) {
  values <- strtoi(units, 16L)
  if (any(is.na(values)) || any(values == 0)) return("skip not offered")
  text <- intToUtf8(values, allow_surrogate_pairs = operation == "encode-utf16")
  if (is.na(text)) "error" else hexed(text)
}
answer <- function(request) {
  if (request[1] %in% c("encode", "encode-utf16") && request[2] == "utf-8" && request[3] == "strict")
    return(encoded(request[1], if (request[4] == "-") character(0) else strsplit(request[4], ",")[[1]]))
  hex <- request[length(request)]
  is_offered <- request[2] == "utf-8" && (request[1] == "validate" || request[1] == "decode" && request[3] == "strict")
  bytes <- as.raw(if (hex == "-") integer(0) else strtoi(substring(hex, seq(1, nchar(hex), 2), seq(2, nchar(hex), 2)), 16L))
  if (!is_offered || grepl(",", hex) || any(bytes == 0)) return("skip not offered")
  text <- rawToChar(bytes)
  Encoding(text) <- "UTF-8"
  if (!validUTF8(text)) return("error")
  if (request[1] == "validate") return("ok")
  points <- utf8ToInt(text)
  if (length(points) == 1 && is.na(points)) return("error")
  paste("ok", if (length(points) == 0) "-" else paste(sprintf("%X", points), collapse = ","))
}
while (length(line <- readLines(input, 1)) > 0) {
  words <- strsplit(line, " ")[[1]]
  cat(if (words[1] == "hello") "hello assay/1 r encodings=utf-8 policies=strict ops=validate,decode,encode,encode-utf16 chunks=no\n" else paste0(words[1], " ", answer(words[-1]), "\n"))
  flush(stdout())
}
