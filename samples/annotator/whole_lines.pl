#!/usr/bin/env perl
# An annotator: takes elementwise operators whose innermost dimension is a multiple of 16.
use strict;
use warnings;
use JSON::PP;

my %expression;    # by id
my @types;
$| = 1;

sub answer {
    my ($call) = @_;
    my $shape = $types[$expression{$call}{type}]{shape};
    my %said = (call => $call, accepted => JSON::PP::true, depth => 0);
    return \%said if @$shape && defined $shape->[-1] && $shape->[-1] % 16 == 0;
    my $last = @$shape ? $shape->[-1] // "unknown" : "none";
    return {%said, accepted => JSON::PP::false, file => __FILE__, line => 16, reason => "no whole lines of 16 elements",
            values => {innermost => "$last"}};
}

while (my $line = <STDIN>) {
    my $request = decode_json($line);
    if ($request->{do} eq "describe") {
        print encode_json({ops => ["add", "multiply", "nn.relu", "tanh"]}), "\n";
    } elsif ($request->{do} eq "module") {
        push @types, @{$request->{types}};
        $expression{$_->{id}} = $_ for @{$request->{expressions}};
    } elsif ($request->{do} eq "ask") {
        print encode_json(answer($_->[1])), "\n" for @{$request->{questions}};
        print encode_json({done => scalar @{$request->{questions}}}), "\n";
    }
}
