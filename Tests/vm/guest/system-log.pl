# Collects what programs send to /dev/log, one line a message with its priority: "<84>sudo: …".
use strict;
use warnings;
use Socket;
use IO::Handle;

open my $log, '>>', $ARGV[0] or die "$ARGV[0]: $!";
$log->autoflush(1);
unlink '/dev/log';
socket my $socket, PF_UNIX, SOCK_DGRAM, 0 or die "socket: $!";
bind $socket, sockaddr_un('/dev/log') or die "/dev/log: $!";
chmod 0666, '/dev/log';
while (defined recv $socket, my $message, 65536, 0) {
    $message =~ s/[\0\n]+\z//;
    # Programs must not send control characters; a case can see here that they did.
    $message =~ s/([\0-\x1f\x7f])/sprintf '<control %02x>', ord $1/ge;
    print $log "$message\n";
}
