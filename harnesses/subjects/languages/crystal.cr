# SPDX-License-Identifier: MIT
#
# Crystal as a subject: String#valid_encoding?, and each_char, which gives U+FFFD for what is ill-formed.

def answer(request : Array(String)) : String
  hex = request.last
  policy = request[0] == "decode" ? request[2] : "strict"
  return "skip not offered" unless request[1] == "utf-8" && {"validate", "decode"}.includes?(request[0]) && {"strict", "own"}.includes?(policy) && !hex.includes?(',')
  text = String.new((hex == "-" ? "" : hex).hexbytes)
  return "error" if policy == "strict" && !text.valid_encoding?
  return "ok" if request[0] == "validate"
  points = text.chars.map(&.ord.to_s(16, upcase: true))
  "ok #{points.empty? ? "-" : points.join(',')}"
end

STDOUT.sync = true
while line = gets
  words = line.split(' ')
  puts words[0] == "hello" ? "hello assay/1 crystal #{Crystal::VERSION} encodings=utf-8 policies=strict,own ops=validate,decode chunks=no" : "#{words[0]} #{answer(words[1..])}"
end
