# SPDX-License-Identifier: MIT
#
# Perl as a subject: Encode with `UTF-8`, which is the strict one, and UTF-16.

use strict;
use warnings;
no warnings 'utf8';
use Encode ();

$| = 1;
my %codecs = ('utf-8' => 'UTF-8', 'utf-16le' => 'UTF-16LE', 'utf-16be' => 'UTF-16BE');
my $hello = sprintf 'hello assay/1 perl-encode %s/%s encodings=utf-8,utf-16le,utf-16be policies=strict,own ops=validate,decode chunks=no',
    $^V =~ s/^v//r, $Encode::VERSION;

sub scalars { my $text = shift; return length $text ? join(',', map { sprintf '%X', ord } split //, $text) : '-' }

# Under FB_QUIET what cannot be decoded is left in the source: so the error is where that begins.
sub answer {
    my ($operation, $encoding, @fields) = @_;
    my $codec = $codecs{$encoding} // return 'skip not offered';
    my $policy = $operation eq 'decode' ? $fields[0] : 'strict';
    return 'skip not offered' if $operation !~ /^(validate|decode)$/ || $policy !~ /^(strict|own)$/ || $fields[-1] =~ /,/;
    my $bytes = pack 'H*', $fields[-1] =~ s/-//r;
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
