# The helper of polkit 127 and later: a service of the system for each authentication agent that connects to its socket.
# Sourced by resident.sh. The units are those of polkit, with pamtester in the place of its program.

prepare_polkit_helper() {
    cat >/etc/systemd/system/polkit-agent-helper.socket <<'UNIT'
[Socket]
Accept=yes
RemoveOnStop=yes
ListenStream=/run/polkit/agent-helper.socket
UNIT
    cat >/etc/systemd/system/polkit-agent-helper@.service <<UNIT
[Service]
Type=oneshot
DeviceAllow=/dev/null rw
DevicePolicy=strict
ExecStart=/usr/bin/pamtester polkit-1 $user authenticate
SuccessExitStatus=1
StandardInput=socket
StandardOutput=socket
LimitMEMLOCK=0
LockPersonality=yes
MemoryDenyWriteExecute=yes
NoNewPrivileges=yes
PrivateDevices=yes
PrivateNetwork=yes
PrivateTmp=yes
ProtectControlGroups=yes
ProtectHome=yes
ProtectKernelModules=yes
ProtectKernelLogs=yes
ProtectKernelTunables=yes
ProtectSystem=strict
ProtectClock=yes
ProtectHostname=yes
RemoveIPC=yes
RestrictAddressFamilies=AF_UNIX
RestrictNamespaces=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
SystemCallArchitectures=native
SystemCallFilter=@system-service
UMask=0077
UNIT
    cat >/usr/local/bin/polkit_agent <<'SCRIPT'
#!/usr/bin/perl
# polkit_agent [left]   connects to the helper, and waits until it hangs up. With `left`, another process does the waiting.
use strict;
use warnings;
use IO::Socket::UNIX;
my $helper = IO::Socket::UNIX->new('/run/polkit/agent-helper.socket') or die "agent-helper.socket: $!";
exit if @ARGV and fork;
1 while <$helper>;
SCRIPT
    chmod 755 /usr/local/bin/polkit_agent
    pam_service polkit-1 'auth required pam_onsite.so debug'
    systemctl daemon-reload
    systemctl start polkit-agent-helper.socket
}

cp /etc/pam.d/polkit-1 /run/polkit-1
prepare_polkit_helper
examine "polkit's helper asks for an agent at the console" asks trusted-network at_tty 1 polkit_agent
examine 'for an agent that the service manager of the user started' asks trusted-network \
    at_tty 1 'systemd-run --user -q --wait polkit_agent'
examine 'for an agent that has left' asks session-unknown at_tty 1 'polkit_agent left'
examine 'for an agent in no session' asks session-unknown polkit_agent
prepare_sshd
connect $user
examine 'for an agent within ssh' asks remote-session ssh "$user@127.0.0.1" polkit_agent
examine 'for an agent at the console, while the same user is logged in over ssh' asks session-unknown \
    at_tty 1 polkit_agent
disconnect $user
# A gate of its own believes it as well, and sees as little of the network as the helper.
systemctl stop onsite-gate.socket onsite-gate.service
examine 'without the gate that stays, it sees no Wi-Fi' asks wifi-access-denied at_tty 1 polkit_agent
systemctl start onsite-gate.socket
systemctl stop polkit-agent-helper.socket
mv /run/polkit-1 /etc/pam.d/polkit-1
