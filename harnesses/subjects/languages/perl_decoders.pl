# SPDX-License-Identifier: MIT
#
# Perl's other decoders as subjects, one named on the command line: utf8::decode, Encode's lax `utf8`, the layer :encoding, and modules.

use strict;
use warnings;
no warnings;
use Encode ();

$| = 1;
my %decoders = (
    'utf8-decode'   => [strict => sub { my $text = shift; utf8::decode($text) ? $text : undef }],
    'encode-lax'    => [own => sub { Encode::decode('utf8', shift, Encode::FB_DEFAULT) }],
    'perlio'        => [own => sub { open my $in, '<:encoding(UTF-8)', \shift or die; local $/; my $text = <$in>; $text // '' }],
    'unicode-utf8'  => [own => sub { require Unicode::UTF8; Unicode::UTF8::decode_utf8(shift) }],
    'json-xs'       => [strict => sub { require JSON::XS; json(JSON::XS->new->utf8, shift) }],
    'cpanel-json-xs' => [strict => sub { require Cpanel::JSON::XS; json(Cpanel::JSON::XS->new->utf8, shift) }],
    'json-pp'       => [strict => sub { require JSON::PP; json(JSON::PP->new->utf8, shift) }],
);
my ($promise, $decode) = @{$decoders{$ARGV[0] // ''} // die "which decoder? " . join(' ', sort keys %decoders) . "\n"};

# The input as a string of JSON.
sub json {
    my ($parser, $text) = @_;
    $text =~ s/([\x00-\x1F"\\])/sprintf '\\u%04X', ord $1/ge;
    return eval { $parser->decode("[\"$text\"]")->[0] };
}

sub answer {
    my ($operation, $encoding, @fields) = @_;
    my $policy = $operation eq 'decode' ? $fields[0] : 'strict';
    return 'skip not offered' if $encoding ne 'utf-8' || $operation !~ /^(validate|decode)$/ || $policy ne $promise || $fields[-1] =~ /,/;
    my $text = $decode->(pack 'H*', $fields[-1] =~ s/-//r);
    return 'error' if !defined $text;
    return 'ok' . ($operation eq 'validate' ? '' : length $text ? ' ' . join(',', map { sprintf '%X', ord } split //, $text) : ' -');
}

while (my $line = <STDIN>) {
    my ($id, @request) = split ' ', $line;
    print $id eq 'hello' ? "hello assay/1 perl-$ARGV[0] encodings=utf-8 policies=$promise ops=validate,decode chunks=no" : "$id " . answer(@request), "\n";
}
