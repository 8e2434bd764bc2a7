# dialogue.pl USER PROMPT=ANSWER... -- COMMAND...
#
# Runs COMMAND as USER, whose terminal is tty1, and types ANSWER when what is on the screen ends in a line that holds
# PROMPT. Prints the screen, with each answer in braces after its prompt. An empty answer and a prompt for the second
# time end the input, as if the user went away. Without any PROMPT the input is the terminal. Exits as COMMAND does.
use strict;
use warnings;
use POSIX ();

my ($user, %answer) = shift;
while (@ARGV and (my $word = shift) ne '--') {
    my ($prompt, $text) = split /=/, $word, 2;
    $answer{$prompt} = $text;
}
my ($uid, $gid) = (getpwnam $user)[2, 3];
pipe my $read_answers, my $answers or die "pipe: $!";
pipe my $screen, my $write_screen or die "pipe: $!";
# Held open to the end: a terminal that nobody has open leaves its session.
open my $terminal, '+<', '/dev/tty1' or die "/dev/tty1: $!";

my $child = fork // die "fork: $!";
if (!$child) {
    # A session of its own, and tty1 is its terminal: what a login at the console has.
    my $TIOCSCTTY = 0x540e;
    POSIX::setsid();
    ioctl $terminal, $TIOCSCTTY, 0 or die "/dev/tty1 belongs to another session: $!";
    close $answers;
    close $screen;
    POSIX::dup2(fileno(%answer ? $read_answers : $terminal), 0);
    POSIX::dup2(fileno $write_screen, $_) for 1, 2;
    %ENV = (PATH => '/usr/sbin:/usr/bin:/sbin:/bin', HOME => "/home/$user", TERM => 'linux', LANG => 'C.UTF-8');
    chdir "/home/$user";
    exec 'setpriv', '--reuid', $uid, '--regid', $gid, '--init-groups', '--', @ARGV or die "setpriv: $!";
}
close $read_answers;
close $write_screen;
$SIG{PIPE} = 'IGNORE';
$| = 1;

my $line = '';
while (sysread $screen, my $byte, 1) {
    print $byte;
    $line = $byte eq "\n" ? '' : $line . $byte;
    next unless $line =~ /: \z/;
    my ($prompt) = grep { index($line, $_) >= 0 } keys %answer;
    next unless defined $prompt;
    my $text = $answer{$prompt};
    $answer{$prompt} = '';
    print "{$text}\n";
    if (length $text) {
        syswrite $answers, "$text\n";
    } else {
        close $answers;
    }
    $line = '';
}
waitpid $child, 0;
exit($? & 127 ? 128 + ($? & 127) : $? >> 8);
