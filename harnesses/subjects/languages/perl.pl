# SPDX-License-Identifier: MIT
#
# Perl as a subject: Encode with `UTF-8`, which is the strict one, and UTF-16, both ways; in pieces with STOP_AT_PARTIAL, which leaves what is incomplete in
# the source, but for UTF-16 that is strict: under FB_CROAK Encode::Unicode dies of an incomplete character all the same.

use strict;
use warnings;
no warnings 'utf8';
use Encode ();

$| = 1;
my %codecs = ('utf-8' => 'UTF-8', 'utf-16le' => 'UTF-16LE', 'utf-16be' => 'UTF-16BE');
my $hello = sprintf 'hello assay/1 perl-encode %s/%s encodings=utf-8,utf-16le,utf-16be policies=strict,own ops=validate,decode,encode chunks=late',
    $^V =~ s/^v//r, $Encode::VERSION;

sub scalars { my $text = shift; return length $text ? join(',', map { sprintf '%X', ord } split //, $text) : '-' }

sub streamed {
    my ($codec, $check, @pieces) = @_;
    my ($rest, @groups) = ('');
    while (@pieces) {
        $rest .= shift @pieces;
        my $text = eval { Encode::decode($codec, $rest, @pieces ? $check | Encode::STOP_AT_PARTIAL : $check) };
        return 'error' if !defined $text;
        push @groups, scalars($text);
    }
    return 'ok ' . join '|', @groups;
}

sub encoded {
    my ($codec, $points) = @_;
    my $text = join '', map { chr hex } split /,/, $points =~ s/-//r;
    my $bytes = eval { Encode::encode($codec, $text, Encode::FB_CROAK) } // return 'error';
    return 'ok ' . (length $bytes ? uc unpack 'H*', $bytes : '-');
}

# Under FB_QUIET what cannot be decoded is left in the source: so the error is where that begins.
sub answer {
    my ($operation, $encoding, @fields) = @_;
    my $codec = $codecs{$encoding} // return 'skip not offered';
    my $policy = $operation eq 'decode' ? $fields[0] : 'strict';
    return encoded($codec, $fields[1]) if $operation eq 'encode' && $fields[0] eq 'strict';
    return 'skip not offered' if $operation !~ /^(validate|decode)$/ || $policy !~ /^(strict|own)$/;
    my ($bytes, @others) = map { pack 'H*', s/-//r } split /,/, $fields[-1];
    return 'skip UTF-16 in pieces has no strict decoder' if @others && $policy eq 'strict' && $encoding ne 'utf-8';
    return streamed($codec, $policy eq 'own' ? Encode::FB_DEFAULT : Encode::FB_CROAK, $bytes, @others) if @others;
    return 'ok ' . scalars(Encode::decode($codec, $bytes, Encode::FB_DEFAULT)) if $policy eq 'own';
    my ($count, $rest) = (length $bytes, $bytes);
    my $text = eval { Encode::decode($codec, $bytes, Encode::FB_CROAK | Encode::LEAVE_SRC) };
    return $operation eq 'validate' ? 'ok' : 'ok ' . scalars($text) if defined $text;
    return 'error' if $encoding ne 'utf-8';
    Encode::decode($codec, $rest, Encode::FB_QUIET);
    return 'error ' . ($count - length $rest);
}

while (my $line = <STDIN>) {
    my ($id, @request) = split ' ', $line;
    print $id eq 'hello' ? $hello : "$id " . answer(@request), "\n";
}
