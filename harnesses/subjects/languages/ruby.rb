# SPDX-License-Identifier: MIT
#
# Ruby as a subject: String#valid_encoding?, String#scrub, String#encode, and, in pieces, Encoding::Converter.

$stdout.sync = true
NAMES = { 'utf-8' => Encoding::UTF_8, 'utf-16le' => Encoding::UTF_16LE, 'utf-16be' => Encoding::UTF_16BE,
          'cesu-8' => (Encoding::CESU_8 if defined?(Encoding::CESU_8)) }.compact
HELLO = "hello assay/1 ruby #{RUBY_VERSION} encodings=#{NAMES.keys.join(',')} policies=strict,own ops=validate,decode,stop,encode,encode-utf16,to-well-formed,transcode chunks=late"

def scalars(text)
  points = text.encode(Encoding::UTF_8).codepoints
  points.empty? ? '-' : points.map { |point| point.to_s(16).upcase }.join(',')
end

# Adds a group for each chunk, by a converter that keeps what is incomplete; nil at an error.
def streamed(name, chunks, groups = [])
  converter = Encoding::Converter.new(name, Encoding::UTF_32BE)
  chunks.each_with_index do |chunk, index|
    text = String.new
    result = converter.primitive_convert(chunk, text, nil, nil, partial_input: index + 1 < chunks.size)
    groups << scalars(text)
    return nil unless %i[source_buffer_empty finished].include?(result)
  end
  groups.join('|')
end

def spelled(text)
  text.empty? ? 'ok -' : "ok #{text.unpack1('H*').upcase}"
end

# String#encode of units in the encoding that `form` packs.
def encoded(name, units, form, source)
  spelled(units.delete('-').split(',').map(&:hex).pack(form).force_encoding(source).encode(name))
rescue Encoding::InvalidByteSequenceError
  'error'
end

# The source is not the target: then `encode` would do nothing.
def encoded_utf16(name, units)
  name == Encoding::UTF_16BE ? encoded(name, units, 'v*', Encoding::UTF_16LE) : encoded(name, units, 'n*', Encoding::UTF_16BE)
end

# String#encode from one encoding to another, which raises.
def transcoded(from, to, hex)
  return 'skip not offered' if from.nil? || to.nil? || from == to # then it does nothing

  spelled([hex.delete('-')].pack('H*').encode(to, from))
rescue Encoding::InvalidByteSequenceError, Encoding::UndefinedConversionError
  'error'
end

def answer(operation, encoding, *fields)
  return fields[1] == 'strict' ? transcoded(NAMES[encoding], NAMES[fields[0]], fields[2]) : 'skip not offered' if operation == 'transcode'

  name = NAMES[encoding]
  policy = %w[validate stop].include?(operation) ? 'strict' : fields[0]
  return 'skip not offered' if name.nil? || !%w[strict own].include?(policy)
  return encoded(name, fields[1], 'N*', Encoding::UTF_32BE) if operation == 'encode' && policy == 'strict'
  return encoded_utf16(name, fields[1]) if operation == 'encode-utf16' && policy == 'strict'
  # `scrub` puts ? in CESU-8, as it is documented to
  return spelled([fields[1].delete('-')].pack('H*').force_encoding(name).scrub) if operation == 'to-well-formed' && policy == 'own' && encoding != 'cesu-8'
  return 'skip not offered' unless %w[validate decode stop].include?(operation)

  if operation == 'stop'
    groups = []
    reply = streamed(name, fields[-1].split(',').map { |hex| [hex.delete('-')].pack('H*') }, groups)
    return reply.nil? ? "error #{groups.size - 1} #{groups.join('|')}" : "ok #{reply}"
  end

  chunks = fields[-1].split(',').map { |hex| [hex.delete('-')].pack('H*') }
  if chunks.size > 1
    return 'skip not offered' unless policy == 'strict'

    groups = streamed(name, chunks)
    return groups.nil? ? 'error' : "ok #{groups}"
  end

  text = chunks[0].force_encoding(name)
  return "ok #{scalars(text.scrub)}" if policy == 'own' && encoding != 'cesu-8' # `scrub` puts ? there, as it is documented to
  return 'skip not offered' if policy == 'own'
  return 'error' unless text.valid_encoding?

  operation == 'validate' ? 'ok' : "ok #{scalars(text)}"
end

$stdin.each_line do |line|
  id, *request = line.split
  puts(id == 'hello' ? HELLO : "#{id} #{answer(*request)}")
end
