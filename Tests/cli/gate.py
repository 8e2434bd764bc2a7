"""Drives the built gate: requests, privilege, and a damaged policy in the place of the real one.

usage: gate.py ONSITE ONSITE_GATE DIRECTORY
"""

import os
import random
import re
import resource
import shutil
import signal
import struct
import subprocess
import time

from gate_root import (ask, apply, expect, make_root, request, result, show_asker, start, verdict,
                       CDB, GATE, NOT_REQUIRED, ONSITE, REQUIRED, ROOT, UNDECIDED, WORK)


def test_binary():
    sections = subprocess.run(["readelf", "-dW", GATE], capture_output=True, text=True, check=True).stdout
    needed = set(re.findall(r"\(NEEDED\).*\[(.*)\]", sections))
    expect("the gate needs the C library alone", needed <= {"libc.so.6", "libm.so.6", "ld-linux-x86-64.so.2",
           "ld-linux-aarch64.so.1"}, needed)
    expect("it has no path to look for libraries", "RPATH" not in sections and "RUNPATH" not in sections)
    expect("its tables cannot be written", "BIND_NOW" in sections or "NOW" in sections)
    headers = subprocess.run(["readelf", "-lW", GATE], capture_output=True, text=True, check=True).stdout
    expect("its stack is not executable", re.search(r"GNU_STACK.*\bRW\b ", headers))
    mode = os.stat(GATE).st_mode
    expect("it is not set-user-ID", not mode & 0o6000)


def test_answers():
    rows = [
        ("a request", request(), UNDECIDED, "wifi-unavailable"),
        ("a request with nothing in it", request(b"", b"", b"", b""), REQUIRED, "user-excluded"),
        ("a user who is always asked", request(user=b"eve"), REQUIRED, "user-excluded"),
        ("the longest strings", request(b"u" * 1024, b"s" * 1024, b"r" * 1024, b"t" * 1024), UNDECIDED, "wifi-unavailable"),
        ("strings that are not UTF-8", request(b"\xff\xfe", b"\xff", b"\xc3", b"\xff"), REQUIRED, "user-excluded"),
        ("strings that steer a terminal", request(b"\x1b[2J\n", b"\x1b", b"\n", b"\r"), UNDECIDED, "wifi-unavailable"),
    ]
    for name, data, word, reason in rows:
        answer, status, errors = ask(data)
        found = verdict(answer)
        expect(f"{name} gets its verdict", found and found == (word, reason) and status == 0 and not errors,
               (found, status, errors))
    for pieces in (2, 7, 1000):
        answer, status, _ = ask(request(), pieces=pieces)
        expect(f"in up to {pieces} pieces", verdict(answer) and status == 0, status)
    answer, _, _ = ask(request(), end=False)
    expect("an asker who keeps the socket open is answered", verdict(answer))
    apply("require")
    shutil.rmtree(ROOT + "/proc", ignore_errors=True)
    expect("an asker of whom nothing is known is not local", verdict(ask(request())[0])[1] == "session-unknown")
    os.rename(ROOT + "/etc/passwd", ROOT + "/etc/passwd.away")
    expect("accounts that are away exclude everybody", verdict(ask(request())[0])[1] == "user-excluded")
    os.rename(ROOT + "/etc/passwd.away", ROOT + "/etc/passwd")
    for real, effective, terminal, name, reason in [
        (1000, 0, 0x401, "su", "wifi-unavailable"),
        (1000, 0, 0x8801, "su", "session-unknown"),
        (1000, 0, 0, "su", "session-unknown"),
        (1000, 0, 0x8801, "a) S 1 1 1 1025 1 (b", "session-unknown"),
        (1000, 0, 0x401, "a) b\n(", "wifi-unavailable"),
        (1000, 1000, 0x8801, "locker", "wifi-unavailable"),
        (0, 0, 0, "login", "wifi-unavailable"),
    ]:
        show_asker(real, effective, terminal, name)
        found = verdict(ask(request())[0])[1]
        expect(f"{name!r} of {real} as {effective} with terminal {terminal:#x} that names tty1: {reason}", found == reason, found)
    show_asker()
    show_asker(process=4711, started=500)
    show_asker(process=4712, started=501)
    show_asker(real=1000, effective=0, terminal=0x8801, process=4713, started=400)
    for process, user, reason in [
        (4711, 0, "wifi-unavailable"),
        (4712, 0, "session-unknown"),
        (4713, 0, "session-unknown"),
        (4714, 0, "session-unknown"),
        (0, 1000, "wifi-unavailable"),
        (4711, 1000, None),
    ]:
        found = verdict(ask(request(process=process), user=user)[0])
        expect(f"{user} asks in the place of process {process}: {reason or 'no verdict'}", (found and found[1]) == reason, found)
    for name, data, reason in [
        ("a remote host", request(rhost=b"192.0.2.1"), "remote-session"),
        ("a host that is not UTF-8", request(rhost=b"\xff"), "remote-session"),
        ("a service for remote users", request(service=b"sshd"), "remote-session"),
        ("no session and no terminal", request(tty=b""), "session-unknown"),
        ("the console", request(), "wifi-unavailable"),
    ]:
        found = verdict(ask(data)[0])
        expect(f"{name}: {reason}", found and found[1] == reason, found)
    apply()


def test_malformed():
    good = request()
    rows = [(f"the first {n} bytes", good[:n]) for n in range(len(good))]
    rows += [
        ("a byte too many", good + b"x"),
        ("two requests", good + good),
        ("another magic", request(magic=b"onsiteQ1")),
        ("a length too small", request(length=24)),
        ("a length too great", request(length=50)),
        ("a process that there cannot be", request(process=1 << 31)),
        ("a length beyond all", request(length=0xFFFFFFFF)),
        ("a length of nothing", request(length=0)),
        ("lengths that do not add up", request(lengths=[6, 4, 0, 4])),
        ("lengths that wrap around", request(lengths=[0xFFFF, 0xFFFF, 0xFFFF, 0xFFFF])),
        ("a string too long", request(user=b"u" * 1025)),
        ("a NUL in a string", request(user=b"al\0ce")),
        ("another byte order", b"onsiteQ2" + struct.pack(">II4H", len(good), 0, 5, 4, 0, 4) + good[24:]),
        ("megabytes", b"onsiteQ2" + b"\xff" * (1 << 20)),
        ("text", b"GET / HTTP/1.0\r\n\r\n"),
    ]
    generator = random.Random(1)
    rows += [(f"noise {n}", generator.randbytes(generator.randrange(1, 200))) for n in range(20)]
    # The process may be any.
    for bit in [bit for bit in range(24 * 8) if bit // 8 not in range(12, 16)]:
        data = bytearray(good)
        data[bit // 8] ^= 1 << bit % 8
        rows.append((f"bit {bit} of the header", bytes(data)))
    wrong = []
    for name, data in rows:
        answer, status, errors = ask(data)
        # A header with a longer length waits for more; the end of the stream then ends it, also without a verdict.
        if answer or status != 1 or errors:
            wrong.append((name, len(answer), status, errors))
    expect(f"none of {len(rows)} malformed requests gets a verdict", not wrong, wrong[:5])


def test_privilege():
    process, ours = start()
    time.sleep(0.3)
    with open(f"/proc/{process.pid}/status") as file:
        status = dict(line.rstrip("\n").split(":\t", 1) for line in file)
    expect("it waits for the request as nobody", status["Uid"].split() == ["65534"] * 4, status["Uid"])
    expect("and as nogroup", status["Gid"].split() == ["65534"] * 4, status["Gid"])
    expect("in no other group", status["Groups"].split() in ([], ["65534"]), status["Groups"])
    for kind in ("CapInh", "CapPrm", "CapEff", "CapAmb"):
        expect(f"without a privilege in {kind}", int(status[kind], 16) == 0, status[kind])
    # Who cannot be dumped has files in /proc that are root's.
    owner = os.stat(f"/proc/{process.pid}/environ").st_uid
    expect("nobody can trace it", owner == 0, owner)
    tracing = subprocess.run(["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "cat",
                              f"/proc/{process.pid}/maps"], capture_output=True)
    expect("nobody can look into it", tracing.returncode != 0, tracing.stdout[:50])
    expect("it has a single thread", status["Threads"] == "1", status["Threads"])
    ours.sendall(request())
    expect("then it answers", verdict(ours.recv(4096)))
    expect("and ends by itself", process.wait(10) == 0)
    ours.close()

    process, ours = start()
    ours.close()
    expect("without an asker it ends at once", process.wait(10) == 1)

    process, ours = start()
    process.send_signal(signal.SIGTERM)
    expect("it can be ended", process.wait(10) != 0)
    ours.close()


def test_environment():
    plain = ask(request())[0]
    odd = {
        "LANG": "tr_TR.UTF-8", "LC_ALL": "de_DE.ISO-8859-1", "LANGUAGE": "ar", "HOME": "/nowhere", "PATH": "",
        "TMPDIR": "/nowhere", "TZ": ":/etc/shadow", "NO_COLOR": "1", "TERM": "xterm", "MALLOC_CHECK_": "3",
        "MALLOC_PERTURB_": "170", "GCONV_PATH": "/tmp", "LOCPATH": "/tmp", "NLSPATH": "/tmp/%N", "RES_OPTIONS": "x",
        "ONSITE_POLICY": "/tmp/x", "ONSITE_ROOT": "/tmp", "SWIFT_BACKTRACE": "enable=yes", "DBUS_SYSTEM_BUS_ADDRESS": "x",
        "NL_DEBUG": "9", "NLCB": "debug", "NLDBG": "9", "SWIFT_DEBUG_HELP": "1", "XDG_SESSION_ID": "1", "PAM_RHOST": "x",
    }
    for key, value in odd.items():
        answer, status, errors = ask(request(), {key: value})
        # What the Swift runtime and libnl print for their own developers goes to standard error, never into a verdict.
        if key in ("SWIFT_DEBUG_HELP", "SWIFT_BACKTRACE", "NLCB", "NLDBG"):
            errors = b""
        expect(f"{key} in the environment changes nothing", (answer, status, errors) == (plain, 0, b""),
               (verdict(answer), status, errors[:200]))


def test_limits():
    """Whoever starts a set-uid program chooses its limits. They must not choose where its user is."""
    plain = ask(request())[0]
    wrong = []
    for kind, values in {resource.RLIMIT_AS: [12, 14, 16, 20, 40], resource.RLIMIT_DATA: [0, 1], resource.RLIMIT_STACK: [0, 1],
                         resource.RLIMIT_NOFILE: [3, 5, 8], resource.RLIMIT_FSIZE: [0], resource.RLIMIT_CPU: [1]}.items():
        for value in values:
            limit = value if kind in (resource.RLIMIT_NOFILE, resource.RLIMIT_CPU) else value << 20
            answer = ask(request(), limit=(kind, limit))[0]
            if answer not in (plain, b""):
                wrong.append((kind, value, verdict(answer)))
    expect("a resource limit changes no verdict", not wrong, wrong)

    apply("require")
    expect("without systemd a local terminal is local", verdict(ask(request())[0])[1] == "wifi-unavailable")
    os.makedirs(ROOT + "/run/systemd/system")
    found = verdict(ask(request())[0])
    expect("with systemd, and without its library, nobody is known to be local", found and found[1] == "session-unknown", found)
    shutil.rmtree(ROOT + "/run")
    apply()


def test_policies():
    def run(name, reason, change):
        apply()
        change()
        found = verdict(ask(request())[0])
        expect(f"{name}: {reason}", found and found == (UNDECIDED, reason), found)

    def write(path, data):
        with open(path, "wb") as file:
            file.write(data)

    network = ROOT + "/etc/onsite/networks.d/n0.toml"
    run("no policy", "policy-missing", lambda: os.remove(CDB))
    run("a source that changed", "policy-stale", lambda: write(network, b'ssid = "Changed"'))
    run("a policy that others may write", "policy-insecure", lambda: os.chmod(CDB, 0o666))
    run("a policy of nobody", "policy-insecure", lambda: os.chown(CDB, 65534, 65534))
    run("an empty policy", "policy-invalid", lambda: write(CDB, b""))
    run("a policy of noise", "policy-invalid", lambda: write(CDB, random.Random(2).randbytes(5000)))
    apply()
    os.chmod(ROOT + "/etc/onsite", 0o700)
    found = verdict(ask(request())[0])
    os.chmod(ROOT + "/etc/onsite", 0o755)
    expect("sources that nobody can look at leave it undecided", found and found[0] == UNDECIDED, found)


def test_damage():
    """Samples: the unit tests have every bit. Here a signal would show, and a verdict that is none."""
    apply()
    with open(CDB, "rb") as file:
        whole = file.read()
    generator = random.Random(3)
    damaged = []
    for offset in generator.sample(range(len(whole)), 150):
        data = bytearray(whole)
        data[offset] ^= generator.choice([1, 2, 4, 8, 16, 32, 64, 128, 255])
        damaged.append((f"byte {offset}", bytes(data)))
    damaged += [(f"cut at {n}", whole[:n]) for n in [0, 1, 2047, 2048, *generator.sample(range(len(whole)), 30)]]
    damaged += [(f"zeros from {n}", whole[:n] + bytes(len(whole) - n)) for n in generator.sample(range(len(whole)), 10)]
    wrong = []
    for name, data in damaged:
        with open(CDB, "r+b") as file:
            file.truncate(0)
            file.write(data)
        answer, status, errors = ask(request())
        found = verdict(answer)
        if not found or found[0] == NOT_REQUIRED or status != 0 or errors:
            wrong.append((name, found, status, errors))
    expect(f"none of {len(damaged)} damaged policies is a crash or a way to skip", not wrong, wrong[:5])
    apply()


make_root()
apply()
test_binary()
test_answers()
test_malformed()
test_privilege()
test_environment()
test_limits()
test_policies()
test_damage()
