# SPDX-License-Identifier: MIT
#
# R as a subject: validUTF8 and utf8ToInt. A NUL ends a string of R.

input <- file("stdin", "r")
answer <- function(request) {
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
  cat(if (words[1] == "hello") "hello assay/1 r encodings=utf-8 policies=strict ops=validate,decode chunks=no\n" else paste0(words[1], " ", answer(words[-1]), "\n"))
  flush(stdout())
}
