# SPDX-License-Identifier: CC0-1.0
# Holds Ruby's own decoder against the golden vectors: ruby vectors/examples/check.rb vectors
# To test another, put it into `valid` and `replaced`.
require "json"

def valid(text) = text.valid_encoding?
def replaced(text) = text.scrub("\uFFFD")
def scalars(text) = text.empty? ? "-" : text.codepoints.map { |point| format("%X", point) }.join(",")

abort("usage: check.rb FOLDER-OF-VECTORS") || exit(2) if ARGV.length != 1
passed = Hash.new(0)
total = Hash.new(0)
Dir[File.join(ARGV[0], "utf-8", "*.json")].sort.each do |path|
  file = JSON.parse(File.read(path))
  next if file["kind"] != "decode"
  file["tests"].each do |test|
    text = [test["bytes"].delete("-")].pack("H*").force_encoding("UTF-8")
    {"verdict" => [valid(text), test["well_formed"]], "whatwg" => [scalars(replaced(text)), test["outputs"]["whatwg"]]}.each do |what, (given, wanted)|
      total[what] += 1
      passed[what] += 1 if given == wanted
      warn "#{test["id"]}: #{what} of #{test["bytes"]}: given #{given}, wanted #{wanted}" if given != wanted
    end
  end
end
total.each { |what, count| puts "#{what}: #{passed[what]} of #{count} passed" }
warn "no vectors in #{ARGV[0]}" if total.empty?
exit(total.empty? ? 2 : passed == total ? 0 : 1)
