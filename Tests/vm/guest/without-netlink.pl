# without-netlink.pl ERRNO COMMAND...   runs COMMAND, for which socket(AF_NETLINK, …) fails with ERRNO. On x86-64.
use strict;
use warnings;

my $errno = shift;
my ($SYS_socket, $SYS_prctl, $AF_NETLINK) = (41, 157, 16);
my ($PR_SET_SECCOMP, $SECCOMP_MODE_FILTER) = (22, 2);
my ($LOAD, $JUMP_IF_EQUAL, $RETURN) = (0x20, 0x15, 0x06);
my $filter = pack '(S C C L)*',
    $LOAD,          0, 0, 0,                     # number of the call
    $JUMP_IF_EQUAL, 0, 3, $SYS_socket,
    $LOAD,          0, 0, 16,                    # its first argument, the low half
    $JUMP_IF_EQUAL, 0, 1, $AF_NETLINK,
    $RETURN,        0, 0, 0x00050000 | $errno,
    $RETURN,        0, 0, 0x7fff0000;            # allow
my $program = pack 'S x6 P', length($filter) / 8, $filter;
syscall($SYS_prctl, $PR_SET_SECCOMP, $SECCOMP_MODE_FILTER, $program) == 0 or die "seccomp: $!";
exec @ARGV or die "$ARGV[0]: $!";
