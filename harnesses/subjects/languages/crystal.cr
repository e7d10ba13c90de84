# SPDX-License-Identifier: MIT
#
# Crystal as a subject: String#valid_encoding?, and each_char, which gives U+FFFD for what is ill-formed; in pieces each_char of an IO, which
# raises. String#scrub. Int32#chr raises, too; String.from_utf16 puts U+FFFD, as its document says.

# Reads one piece at a time.
class Pieces < IO
  include IO::Buffered

  def initialize(@left : Array(Bytes))
  end

  def unbuffered_read(slice : Bytes)
    while (piece = @left.shift?) && piece.empty?
    end
    return 0 if piece.nil?
    count = Math.min(piece.size, slice.size)
    piece[0, count].copy_to(slice)
    @left.unshift(piece + count) if count < piece.size
    count
  end

  def unbuffered_write(slice : Bytes) : Nil
  end

  def unbuffered_flush
  end

  def unbuffered_close
  end

  def unbuffered_rewind
  end
end

def streamed(pieces : Array(Bytes)) : Array(Char)?
  chars = [] of Char
  Pieces.new(pieces).each_char { |char| chars << char }
  chars
rescue InvalidByteSequenceError
  nil
end

def hexed(text : String) : String
  text.empty? ? "ok -" : "ok #{text.to_slice.hexstring}"
end

# Of code points; some have no Char.
def encoded(units : Array(UInt32)) : String
  hexed(String.build { |text| units.each { |unit| text << unit.to_i32.chr } })
rescue ArgumentError | OverflowError
  "error"
end

def answer(request : Array(String)) : String
  if request[1] == "utf-8" && {"encode strict", "encode-utf16 whatwg"}.includes?("#{request[0]} #{request[2]}")
    units = request.last.split(',').reject("-").map(&.to_u32(16))
    return request[0] == "encode" ? encoded(units) : hexed(String.from_utf16(Slice.new(units.size) { |at| units[at].to_u16 }))
  end
  return hexed(String.new((request[3] == "-" ? "" : request[3]).hexbytes).scrub) if request[0..2] == {"to-well-formed", "utf-8", "own"}.to_a
  return "skip not offered" unless {"validate", "decode"}.includes?(request[0])
  pieces = request.last.split(',').map { |hex| (hex == "-" ? "" : hex).hexbytes }
  policy = request[0] == "decode" ? request[2] : "strict"
  return "skip not offered" unless request[1] == "utf-8" && {"strict", "own"}.includes?(policy)
  return "skip not offered" if pieces.size > 1 && policy == "own"
  text = String.new(pieces[0])
  chars = pieces.size > 1 ? streamed(pieces) : policy == "own" || text.valid_encoding? ? text.chars : nil
  return "error" if chars.nil?
  return "ok" if request[0] == "validate"
  points = chars.map(&.ord.to_s(16, upcase: true))
  "ok #{points.empty? ? "-" : points.join(',')}"
end

STDOUT.sync = true
while line = gets
  words = line.split(' ')
  puts words[0] == "hello" ? "hello assay/1 crystal #{Crystal::VERSION} encodings=utf-8 policies=strict,own,whatwg ops=validate,decode,encode,encode-utf16,to-well-formed chunks=late" : "#{words[0]} #{answer(words[1..])}"
end
