# SPDX-License-Identifier: MIT
#
# Ruby as a subject: String#valid_encoding?, String#scrub, and Encoding::Converter.

$stdout.sync = true
NAMES = { 'utf-8' => Encoding::UTF_8, 'utf-16le' => Encoding::UTF_16LE, 'utf-16be' => Encoding::UTF_16BE,
          'cesu-8' => (Encoding::CESU_8 if defined?(Encoding::CESU_8)) }.compact
HELLO = "hello assay/1 ruby #{RUBY_VERSION} encodings=#{NAMES.keys.join(',')} policies=strict,own ops=validate,decode,encode chunks=no"

def scalars(text)
  points = text.encode(Encoding::UTF_8).codepoints
  points.empty? ? '-' : points.map { |point| point.to_s(16).upcase }.join(',')
end

def answer(operation, encoding, *fields)
  name = NAMES[encoding]
  policy = operation == 'validate' ? 'strict' : fields[0]
  return 'skip not offered' if name.nil? || !%w[strict own].include?(policy) || fields[-1].include?(',')
  return 'skip not offered' unless %w[validate decode].include?(operation)

  text = [fields[-1].delete('-')].pack('H*').force_encoding(name)
  return "ok #{scalars(text.scrub)}" if policy == 'own' && encoding != 'cesu-8' # `scrub` puts ? there, as it is documented to
  return 'skip not offered' if policy == 'own'
  return 'error' unless text.valid_encoding?

  operation == 'validate' ? 'ok' : "ok #{scalars(text)}"
end

$stdin.each_line do |line|
  id, *request = line.split
  puts(id == 'hello' ? HELLO : "#{id} #{answer(*request)}")
end
