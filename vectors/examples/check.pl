# SPDX-License-Identifier: CC0-1.0
# Holds Perl's Encode, with the strict "UTF-8", against the golden vectors: perl vectors/examples/check.pl vectors
# To test another, put it into `decoded`. Encode refuses noncharacters, and its document says so: they are not asked.
use strict;
use warnings;
no warnings 'utf8';
use Encode ();
use JSON::PP ();

# The characters, or nothing if the bytes are ill-formed.
sub decoded { my $bytes = shift; return eval { Encode::decode('UTF-8', $bytes, Encode::FB_CROAK) } }

sub scalars {
    my $text = shift;
    return 'ill-formed' if !defined $text;
    return length $text ? join(',', map { sprintf '%X', ord } split //, $text) : '-';
}

die "usage: check.pl FOLDER-OF-VECTORS\n" if @ARGV != 1;
my ($passed, $total) = (0, 0);
for my $path (sort glob "$ARGV[0]/utf-8/*.json") {
    open my $in, '<:raw', $path or die "$path: $!\n";
    my $file = JSON::PP::decode_json(do { local $/; <$in> });
    next if $file->{kind} ne 'decode';
    for my $test (@{$file->{tests}}) {
        next if $test->{outputs}{whatwg} =~ /\b(FD[DE][0-9A-F]|[0-9A-F]{0,2}FFF[EF])\b/;
        my $given = scalars(decoded(pack 'H*', $test->{bytes} =~ s/-//r));
        my $wanted = $test->{well_formed} ? $test->{outputs}{strict} : 'ill-formed';
        $total++;
        $passed += $given eq $wanted;
        print STDERR "$test->{id}: strict of $test->{bytes}: given $given, wanted $wanted\n" if $given ne $wanted;
    }
}
if ($total == 0) { print STDERR "no vectors in $ARGV[0]\n"; exit 2 }
print "strict: $passed of $total passed\n";
exit($passed < $total ? 1 : 0);
