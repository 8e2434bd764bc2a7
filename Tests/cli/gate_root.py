"""Another root for the gate to work on, and what is sent to it and comes back. Imported by gate.py and resident.py.

The gate always works on the real root, so it is run in another one, which holds nothing but the gate, the C library, a
few accounts and a policy. There is no Wi-Fi in there that it could see; with the policy whole, the answer is the reason
why.
"""

import os
import re
import resource
import shutil
import socket
import struct
import subprocess
import sys
import time

ONSITE, GATE, WORK = sys.argv[1:4]
ROOT = os.path.join(WORK, "gate-root")
NOT_REQUIRED, REQUIRED, UNDECIDED = 0x6D3AC5925B8E19F4, 0x92C53A6DA471E60B, 0x6235CA9D548116FB
CDB = ROOT + "/var/lib/onsite/policy.cdb"


def result(name, problem=None):
    print(f"not ok - {name}: {problem}" if problem else f"ok - {name}", flush=True)


def expect(name, condition, problem="no"):
    result(name, None if condition else problem)


def request(user=b"alice", service=b"sudo", rhost=b"", tty=b"tty1", magic=b"onsiteQ2", length=None, lengths=None,
            process=0):
    strings = [user, service, rhost, tty]
    lengths = lengths or [len(s) for s in strings]
    body = b"".join(strings)
    return magic + struct.pack("=II4H", 24 + len(body) if length is None else length, process, *lengths) + body


def start(environment=None, root=ROOT, program="/onsite-gate", limit=None, user=0):
    ours, theirs = socket.socketpair()
    ours.settimeout(10)
    process = subprocess.Popen(
        ["chroot", f"--userspec={user}:{user}", root, program] if root else [program], stdin=theirs, stdout=theirs, stderr=subprocess.PIPE,
        env=environment or {}, preexec_fn=(lambda: resource.setrlimit(limit[0], (limit[1],) * 2)) if limit else None,
        executable=shutil.which("chroot") if root else program)
    theirs.close()
    return process, ours


def show_asker(real=0, effective=0, terminal=0x401, name="sudo", process=None, started=500):
    """Writes what the kernel says of the process that asks, which is this one unless told otherwise."""
    folder = f"{ROOT}/proc/{process or os.getpid()}"
    os.makedirs(folder, exist_ok=True)
    with open(folder + "/status", "w") as file:
        file.write(f"Name:\t{name}\nUid:\t{real}\t{effective}\t{effective}\t{effective}\n")
    with open(folder + "/stat", "w") as file:
        file.write(f"{os.getpid()} ({name}) S 1 1 1 {terminal} 1 4194304 {'0 ' * 12}{started} 0\n")


def ask(data, environment=None, pieces=1, end=True, limit=None, user=0):
    """Sends a request, in pieces, and returns the answer, the status and what came on standard error."""
    process, ours = start(environment, limit=limit, user=user)
    try:
        step = max(1, -(-len(data) // pieces))
        for at in range(0, len(data), step):
            ours.sendall(data[at:at + step])
            if pieces > 1:
                time.sleep(0.002)
        if end:
            ours.shutdown(socket.SHUT_WR)
    except BrokenPipeError:
        pass
    answer = b""
    try:
        while piece := ours.recv(4096):
            answer += piece
    except ConnectionResetError:
        pass
    except socket.timeout:
        process.kill()
    ours.close()
    return answer, process.wait(), process.stderr.read()


def verdict(answer):
    """The answer and the reason of a whole verdict (pam/onsite_client.h), or None."""
    if len(answer) != 512 or answer[:8] != b"onsiteV1":
        return None
    word = struct.unpack("=Q", answer[8:16])[0]
    return word, answer[16:48].rstrip(b"\0").decode()


def apply(remote_sessions="allow"):
    with open(ROOT + "/etc/onsite/policy.toml", "w") as file:
        file.write(f'[decision]\nremote-sessions = "{remote_sessions}"\n[always-require]\nusers = ["eve"]\n')
    subprocess.run([ONSITE, "apply", "--root", ROOT], check=True, stdout=subprocess.DEVNULL)


def make_root():
    for path in ["/etc/onsite/networks.d", "/dev", "/lib64"]:
        os.makedirs(ROOT + path)
    shutil.copy(GATE, ROOT + "/onsite-gate")
    libraries = subprocess.run(["ldd", GATE], capture_output=True, text=True, check=True).stdout
    for path in re.findall(r"(/\S+)", libraries):
        os.makedirs(ROOT + os.path.dirname(path), exist_ok=True)
        shutil.copy(path, ROOT + path)
    # Accounts, without which nobody can say who is always asked.
    for name, line in [("passwd", "root:x:0:0:root:/:/sh\nanna:x:1000:1000:Anna:/:/sh"), ("group", "root:x:0:"), ("nsswitch.conf", "passwd: files")]:
        with open(f"{ROOT}/etc/{name}", "w") as file:
            file.write(line + "\n")
    for number in range(4):
        with open(f"{ROOT}/etc/onsite/networks.d/n{number}.toml", "w") as file:
            file.write(f'ssid = "N{number}"\naction = "{"require" if number % 2 else "skip"}"\n')
