# terminal.pl [--end REGEX] PROMPT=ANSWER... -- COMMAND...    runs COMMAND on a new pseudo-terminal
# terminal.pl --vt N --end REGEX PROMPT=ANSWER... -- [LINE]   types LINE at the virtual terminal N, whoever reads there
#
# Types ANSWER when the screen ends in PROMPT, each once. Prints what was on the screen. Ends with COMMAND, or as soon as
# the screen holds REGEX; then the terminal hangs up, and the status is the number that the first parenthesis took.
# Input of a virtual terminal is what its keyboard would give, and its screen is read where the kernel keeps it.
use strict;
use warnings;

my $patience = 15; # seconds
my ($vt, $end, @dialogue, @command);
while (@ARGV) {
    my $word = shift;
    if ($word eq '--vt') { $vt = shift }
    elsif ($word eq '--end') { $end = shift }
    elsif ($word eq '--') { @command = splice @ARGV }
    else { push @dialogue, [split /=/, $word, 2] }
}
my $deadline = time + $patience;
binmode STDOUT;

# The answer to what the screen ends in, if it is a prompt that has not been answered.
sub answer {
    my ($screen) = @_;
    $screen =~ s/\s+\z//;
    for my $number (0 .. $#dialogue) {
        my ($prompt, $text) = @{ $dialogue[$number] };
        $prompt =~ s/\s+\z//;
        next unless length $screen >= length $prompt and substr($screen, -length $prompt) eq $prompt;
        splice @dialogue, $number, 1;
        return $text;
    }
    return undef;
}

sub give_up {
    print "$_[0]\n<nothing more within $patience s>\n";
    exit 124;
}

if (defined $vt) {
    my $TIOCSTI = 0x5412;
    my $press = sub {
        # Opened each time: a login hangs the terminal up.
        open my $keyboard, '+<', "/dev/tty$vt" or die "/dev/tty$vt: $!";
        for my $key (split //, "$_[0]\n") { ioctl $keyboard, $TIOCSTI, $key or die "TIOCSTI: $!" }
    };
    $press->(@command) if @command;
    my $screen = '';
    my $seen = '';
    my $lines = sub { join "\n", map { s/\s+\z//r } unpack '(A80)*', $screen };
    while (1) {
        open my $memory, '<', "/dev/vcs$vt" or die "/dev/vcs$vt: $!";
        sysread $memory, $screen, 65536;
        close $memory;
        if ($screen =~ /$end/) { print $lines->(); exit($1 || 0) }
        if (time > $deadline) { $press->("\cC"); give_up($lines->()) }
        my $text = $screen eq $seen ? undef : answer($screen);
        $press->($text) if defined $text;
        $seen = $screen if defined $text;
        select undef, undef, undef, 0.05;
    }
}

my ($TIOCSPTLCK, $TIOCGPTN, $TIOCSWINSZ) = (0x40045431, 0x80045430, 0x5414);
open my $master, '+<', '/dev/ptmx' or die "/dev/ptmx: $!";
my $number = pack 'i', 0;
ioctl $master, $TIOCSPTLCK, $number or die "TIOCSPTLCK: $!";
ioctl $master, $TIOCGPTN, $number or die "TIOCGPTN: $!";
my $size = pack 'S4', 25, 80, 0, 0;
ioctl $master, $TIOCSWINSZ, $size or die "TIOCSWINSZ: $!";
my $name = '/dev/pts/' . unpack 'i', $number;
my $child = fork // die "fork: $!";
if (!$child) {
    open STDIN, '+<', $name or die "$name: $!";
    open STDOUT, '>&', \*STDIN or die "dup: $!";
    open STDERR, '>&', \*STDIN or die "dup: $!";
    close $master;
    # Makes the terminal the controlling one of a session of its own.
    exec 'setsid', '--ctty', @command or die "setsid: $!";
}
$SIG{ALRM} = sub { };
my $screen = '';
while (1) {
    alarm $patience;
    my $got = sysread $master, my $piece, 4096;
    last unless $got; # an error is the end too: nobody has the terminal open any more
    # Colours, cursor movement and titles are not part of what a person reads.
    $screen .= $piece;
    $screen =~ s/\e(?:\[[0-9;?>]*[A-Za-z]|[()][A-Z0-9]|\][^\a\e]*(?:\a|\e\\)|[=>78])|[\r\cO]//g;
    if (defined $end and $screen =~ /$end/) {
        print $screen;
        close $master;
        exit($1 || 0);
    }
    my $text = answer($screen);
    next unless defined $text;
    select undef, undef, undef, 0.02; # some programs drop what was typed before they turned the echo off
    syswrite $master, "$text\n";
}
give_up($screen) if $!{EINTR};
print $screen;
waitpid $child, 0;
exit($? & 127 ? 128 + ($? & 127) : $? >> 8);
