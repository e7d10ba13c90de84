# SPDX-License-Identifier: MIT
#
# Perl's other decoders as subjects, one named on the command line: utf8::decode, Encode's lax `utf8`, the layer :encoding, and modules. In
# pieces, Encode is called with STOP_AT_PARTIAL, the layer gets a piece whenever its buffer is empty, and parsers of JSON have incr_parse.

use strict;
use warnings;
no warnings;
use Encode ();

# A layer that gives the next piece each time; an empty string would be the end.
package Pieces {
    our @left;
    sub PUSHED { return bless {}, shift }
    sub FILL { return shift @left }
}

$| = 1;
my %decoders = (
    'utf8-decode'   => [strict => sub { my $text = shift; utf8::decode($text) ? $text : undef }],
    'encode-lax'    => [own => sub { Encode::decode('utf8', shift, Encode::FB_DEFAULT) }, \&encode_in_pieces],
    'perlio'        => [own => sub { open my $in, '<:encoding(UTF-8)', \shift or die; all_of($in) }, \&perlio_in_pieces],
    'unicode-utf8'  => [own => sub { require Unicode::UTF8; Unicode::UTF8::decode_utf8(shift) }],
    'json-xs'       => [strict => sub { json('JSON::XS', @_) }, sub { json('JSON::XS', @_) }],
    'cpanel-json-xs' => [strict => sub { json('Cpanel::JSON::XS', @_) }, sub { json('Cpanel::JSON::XS', @_) }],
    'json-pp'       => [strict => sub { json('JSON::PP', @_) }, sub { json('JSON::PP', @_) }],
);
my ($promise, $decode, $decode_pieces) = @{$decoders{$ARGV[0] // ''} // die "which decoder? " . join(' ', sort keys %decoders) . "\n"};

sub all_of { my $in = shift; local $/; my $text = <$in>; return $text // '' }

sub encode_in_pieces {
    my ($rest, $text) = ('', '');
    while (@_) {
        $rest .= shift;
        $text .= Encode::decode('utf8', $rest, @_ ? Encode::STOP_AT_PARTIAL : Encode::FB_DEFAULT);
    }
    return $text;
}

sub perlio_in_pieces {
    @Pieces::left = grep { length } @_;
    open my $in, '<:via(Pieces):encoding(UTF-8)', \'' or die;
    return all_of($in);
}

# The input as a string of JSON.
sub json {
    my ($class, @pieces) = @_;
    eval "require $class" or die;
    my $parser = $class->new->utf8;
    s/([\x00-\x1F"\\])/sprintf '\\u%04X', ord $1/ge for @pieces;
    return eval { $parser->decode("[\"$pieces[0]\"]")->[0] } if @pieces == 1;
    return eval { $parser->incr_parse($_) for '["', @pieces; $parser->incr_parse('"]')->[0] };
}

# Encoders take a text.
my %encoders = (
    'utf8-decode'   => sub { my $text = shift; utf8::encode($text); $text },
    'encode-lax'    => sub { Encode::encode('utf8', shift, Encode::FB_CROAK) },
    'perlio'        => sub { open my $out, '>:encoding(UTF-8)', \my $bytes or die; print $out shift; close $out; $bytes // '' },
    'unicode-utf8'  => sub { require Unicode::UTF8; Unicode::UTF8::encode_utf8(shift) },
);
# Verdicts of those that replace in what they give.
my %validators = (
    'encode-lax'    => sub { defined eval { Encode::decode('utf8', shift, Encode::FB_CROAK) } },
    'unicode-utf8'  => sub { require Unicode::UTF8; Unicode::UTF8::valid_utf8(shift) },
);
my $validate = $validators{$ARGV[0]};
my $encode = $encoders{$ARGV[0]};

sub encoded {
    my @points = map { hex } split /,/, shift =~ s/-//r;
    my $bytes = eval { $encode->(join '', map { chr } @points) } // return 'error';
    return 'ok ' . (length $bytes ? uc unpack 'H*', $bytes : '-');
}

sub answer {
    my ($operation, $encoding, @fields) = @_;
    my $policy = $operation eq 'decode' ? $fields[0] : 'strict';
    return encoded($fields[1]) if $encode && $operation eq 'encode' && $encoding eq 'utf-8' && $fields[0] eq 'strict';
    return $validate->(pack 'H*', $fields[0] =~ s/-//r) ? 'ok' : 'error' if $validate && $operation eq 'validate' && $encoding eq 'utf-8';
    my @pieces = map { pack 'H*', s/-//r } split /,/, $fields[-1];
    return 'skip not offered' if $encoding ne 'utf-8' || $operation !~ /^(validate|decode)$/ || $policy ne $promise || (@pieces > 1 && !$decode_pieces);
    my $text = @pieces > 1 ? $decode_pieces->(@pieces) : $decode->(@pieces);
    return 'error' if !defined $text;
    return 'ok' . ($operation eq 'validate' ? '' : length $text ? ' ' . join(',', map { sprintf '%X', ord } split //, $text) : ' -');
}

my ($policies, $operations) = $promise eq 'strict' ? ('strict', 'validate,decode') : ($encode ? 'own,strict' : 'own', 'decode');
$operations = "validate,$operations" if $validate;
$operations .= ',encode' if $encode;
my $chunks = $decode_pieces ? 'late' : 'no';
while (my $line = <STDIN>) {
    my ($id, @request) = split ' ', $line;
    print $id eq 'hello' ? "hello assay/1 perl-$ARGV[0] encodings=utf-8 policies=$policies ops=$operations chunks=$chunks" : "$id " . answer(@request), "\n";
}
