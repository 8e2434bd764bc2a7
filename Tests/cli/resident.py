"""Drives the gate that stays and answers on a socket: callers of every kind, and none of them in the way of another.

usage: resident.py ONSITE ONSITE_GATE DIRECTORY
"""

import os
import random
import resource
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time

from gate_root import ONSITE, ROOT, UNDECIDED, WORK, apply, ask, expect, make_root, request, show_asker, verdict

CHROOT = shutil.which("chroot", path="/usr/sbin:/sbin:/usr/bin:/bin")
PATH = WORK + "/gate.sock"


class Service:
    """The gate as systemd starts it: with the listening socket as its standard input."""

    def __init__(self, path=PATH, within=()):
        self.path = path
        self.within = list(within)
        self.listener = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self.listener.bind(path)
        os.chmod(path, 0o666)
        self.listener.listen(512)
        self.start()

    def start(self):
        self.process = subprocess.Popen(
            self.within + [CHROOT, ROOT, "/onsite-gate"], stdin=self.listener, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env={})

    def call(self):
        caller = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        caller.settimeout(5)
        caller.connect(self.path)
        return caller

    def ask(self, data):
        """The reason that is answered, or None for a caller who gets no verdict."""
        with self.call() as caller:
            try:
                caller.send(data)
                found = verdict(caller.recv(4096))
            except (ConnectionError, BrokenPipeError):
                return None
        return found and found[1]

    def status(self, key):
        with open(f"/proc/{self.process.pid}/status") as file:
            return int(next(line for line in file if line.startswith(key + ":")).split()[1])

    def descriptors(self):
        return len(os.listdir(f"/proc/{self.process.pid}/fd"))

    def is_there(self):
        return self.process.poll() is None


def as_user(user, body):
    """Runs body(process) as another user, and returns what it returns. The parent shows what the kernel says of it."""
    read, write = os.pipe()
    go_read, go_write = os.pipe()
    child = os.fork()
    if child == 0:
        os.read(go_read, 1)
        os.setgroups([])
        os.setresgid(user, user, user)
        os.setresuid(user, user, user)
        os.write(write, repr(body()).encode())
        os._exit(0)
    show_asker(user, user, process=child)
    os.write(go_write, b"x")
    os.close(write)
    with os.fdopen(read) as pipe:
        text = pipe.read()
    os.waitpid(child, 0)
    os.close(go_read)
    os.close(go_write)
    return eval(text, {})


def test_answers(service):
    for name, data in [
        ("a login at the console", request()), ("a remote host", request(rhost=b"192.0.2.1")),
        ("a user who is always asked", request(user=b"eve")), ("a request with nothing in it", request(b"", b"", b"", b"")),
        ("the longest strings", request(*[b"x" * 1024] * 4)), ("strings that are not UTF-8", request(b"\xff", b"\xff")),
    ]:
        alone = verdict(ask(data)[0])
        expect(f"{name}: as a gate of its own", alone and service.ask(data) == alone[1], (alone, service.ask(data)))
    show_asker(process=4711, started=500)
    show_asker(process=4712, started=501)
    for process, reason in [(4711, "wifi-unavailable"), (4712, "session-unknown"), (4713, "session-unknown")]:
        found = service.ask(request(process=process))
        expect(f"root asks in the place of process {process}: {reason}", found == reason, found)
    expect("the service has nobody's rights", service.status("Uid") == 65534 and service.status("Gid") == 65534)


def test_others(service):
    for user, name, expected in [(1000, b"anna", "wifi-unavailable"), (1000, b"root", None), (1000, b"nobody-here", None),
                                 (1000, b"", None), (1001, b"anna", None)]:
        found = as_user(user, lambda: service.ask(request(user=name)))
        expect(f"user {user} asks about {name.decode() or 'nobody'}: {expected or 'no verdict'}", found == expected, found)
    found = as_user(1000, lambda: service.ask(request(user=b"anna", process=4711)))
    expect("a user asks in the place of another process: no verdict", found is None, found)


def test_malformed(service):
    # The callers before have to be gone.
    time.sleep(0.3)
    before = service.descriptors()
    whole = request()
    generator = random.Random(5)
    wrong = []
    for data in [b"x", whole[:-1], whole + b"x", whole[:24], b"onsiteQ2", bytes(len(whole)), os.urandom(4096), os.urandom(60000),
                 *[bytes(b ^ (1 << generator.randrange(8)) if i == at else b for i, b in enumerate(whole))
                   for at in [*range(12), *range(16, 24)]]]:
        if service.ask(data) not in (None,):
            wrong.append(data[:24])
    expect("what is no request gets no verdict", not wrong, wrong[:3])
    with service.call() as caller:
        socket.send_fds(caller, [whole], [0, 1, 2])
        expect("descriptors that are sent along are not taken", verdict(caller.recv(4096)) is not None)
    for _ in range(200):
        service.call().close()
    with service.call() as caller:
        caller.send(whole)
    with service.call() as caller:
        caller.send(whole)
        caller.shutdown(socket.SHUT_RD)
    expect("callers who leave early are no trouble", service.ask(whole) == "wifi-unavailable")
    time.sleep(0.3)
    expect("no descriptor is left behind", service.descriptors() <= before, (before, service.descriptors()))


def test_crowd(service):
    """Ten thousand idle connections of one user: nobody else waits, and the user is turned away, not the service."""
    def crowd():
        resource.setrlimit(resource.RLIMIT_NOFILE, (4096, 4096))
        kept = []
        for number in range(10000):
            caller = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
            caller.setblocking(False)
            try:
                caller.connect(PATH)
                kept.append(caller)
            except BlockingIOError:
                caller.close()
            if len(kept) > 3000:
                kept.pop(0).close()
        time.sleep(1)
        return len(kept)

    slowest = []

    def others():
        for _ in range(20):
            start = time.monotonic()
            try:
                reason = service.ask(request())
            except (BlockingIOError, socket.timeout):
                reason = None
            slowest.append((time.monotonic() - start, reason))
            time.sleep(0.05)

    thread = threading.Thread(target=others)
    thread.start()
    as_user(1000, crowd)
    thread.join()
    answered = [took for took, reason in slowest if reason == "wifi-unavailable"]
    expect("a crowd of one user does not keep others from their answer",
           len(answered) >= 18 and max(took for took, _ in slowest) < 1, slowest)
    expect("the service is still there", service.is_there() and service.ask(request()) == "wifi-unavailable")


def test_many_users(service):
    """Somebody who may act as many users, as in a namespace of their own, does not take the places of root's callers."""
    children = []
    for user in range(3000, 3040):
        child = os.fork()
        if child == 0:
            os.setresuid(user, user, user)
            kept = [socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) for _ in range(16)]
            for caller in kept:
                caller.setblocking(False)
                try:
                    caller.connect(PATH)
                except OSError:
                    pass
            time.sleep(1.5)
            os._exit(0)
        children.append(child)
    time.sleep(0.7)
    found = [service.ask(request()) for _ in range(10)]
    expect("a crowd of many users does not keep root from its answer", found == ["wifi-unavailable"] * 10, found)
    for child in children:
        os.waitpid(child, 0)


def test_flood():
    """A user who asks and leaves as fast as can be, while the directory is slow: others have their answer at once, there are
    no more processes than the user has places, and what the network tells meanwhile is not lost."""
    service = Service(WORK + "/flood.sock", within=["unshare", "--net"])
    with open(ROOT + "/etc/onsite/policy.toml", "w") as file:
        file.write("version = 1\n")
    subprocess.run([ONSITE, "apply", "--root", ROOT], check=True, stdout=subprocess.DEVNULL)
    os.rename(ROOT + "/etc/passwd", ROOT + "/etc/passwd.away")
    # Whoever opens it waits for a writer.
    os.mkfifo(ROOT + "/etc/passwd")
    service.ask(request())
    is_over = threading.Event()
    most, lost, answers = 0, 0, []

    def flood():
        end = time.monotonic() + 3
        while time.monotonic() < end:
            with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as caller:
                caller.setblocking(False)
                try:
                    caller.connect(service.path)
                    caller.send(request(user=b"anna"))
                except OSError:
                    pass

    def stir():
        while not is_over.is_set():
            subprocess.run(["nsenter", "--net", f"--target={service.process.pid}", "sh", "-c",
                            "for i in 1 2 3 4 5 6 7 8 9; do ip link set lo up; ip link set lo down; done"])

    def look():
        nonlocal most, lost
        while not is_over.is_set():
            with open(f"/proc/{service.process.pid}/task/{service.process.pid}/children") as file:
                most = max(most, len(file.read().split()))
            with open(f"/proc/{service.process.pid}/net/netlink") as file:
                lost = max(lost, *(int(line.split()[8]) for line in list(file)[1:]))
            start = time.monotonic()
            try:
                answers.append((service.ask(request()), time.monotonic() - start < 0.5))
            except BlockingIOError:
                answers.append((None, True))
            time.sleep(0.02)

    threads = [threading.Thread(target=body) for body in (stir, look)]
    for thread in threads:
        thread.start()
    as_user(1000, flood)
    is_over.set()
    for thread in threads:
        thread.join()
    answered = sum(answer == ("wifi-unavailable", True) for answer in answers)
    # Now and then the queue of the socket is full. The module then starts a gate.
    expect("a flood of one user does not keep others from their answer", answered > 20 and answered > 0.8 * len(answers),
           (answered, len(answers), set(answers)))
    expect("who asks and leaves keeps the place until nobody works on the answer", 0 < most <= 8, most)
    expect("what the network tells during a flood is not lost", lost == 0, lost)
    service.process.kill()
    os.remove(ROOT + "/etc/passwd")
    os.rename(ROOT + "/etc/passwd.away", ROOT + "/etc/passwd")
    apply("require")


def test_policy_changes(service):
    seen = set()
    stop = threading.Event()

    def change():
        while not stop.is_set():
            apply("require")
            apply("allow")

    thread = threading.Thread(target=change)
    thread.start()
    end = time.monotonic() + 20
    for count in range(100000):
        seen.add(service.ask(request(tty=b"")))
        if time.monotonic() > end or (count > 400 and {"wifi-unavailable", "session-unknown"} <= seen):
            break
    stop.set()
    thread.join()
    # A change is not applied at once: in between the policy is stale.
    expect("a policy that changes all the time is the old one, the new one or stale",
           {"wifi-unavailable", "session-unknown"} <= seen <= {"wifi-unavailable", "session-unknown", "policy-stale"}, seen)
    apply("require")
    expect("the next question after a change is answered by it", service.ask(request(tty=b"")) == "session-unknown")
    apply("allow")
    expect("and after the next", service.ask(request(tty=b"")) == "wifi-unavailable")


def test_long_run(service):
    for _ in range(500):
        service.ask(request())
    before = service.status("VmRSS")
    for _ in range(5000):
        service.ask(request())
    after = service.status("VmRSS")
    expect("five thousand answers later it is no larger", after - before < 256, (before, after))
    expect("it is small", after < 12 * 1024, after)


def test_killed(service):
    """Whenever it dies, a caller has the right answer or none."""
    wrong, answered = [], 0
    stop = threading.Event()

    def kill():
        generator = random.Random(3)
        while not stop.is_set():
            time.sleep(generator.random() * 0.02)
            service.process.kill()
            service.process.wait()
            service.start()

    thread = threading.Thread(target=kill)
    thread.start()
    for _ in range(1000):
        found = service.ask(request())
        answered += found is not None
        if found not in ("wifi-unavailable", None):
            wrong.append(found)
    stop.set()
    thread.join()
    expect("killed in a loop, it gives a thousand callers the right answer or none", not wrong and answered > 100,
           (wrong[:3], answered))


make_root()
apply("require")
show_asker()
# In a network of its own, in which something happens all the time.
idle = Service(WORK + "/idle.sock", within=["unshare", "--net"])
started = time.monotonic()


def stir():
    while idle.is_there():
        for state in "up", "down":
            subprocess.run(["nsenter", "--net", f"--target={idle.process.pid}", "ip", "link", "set", "lo", state],
                           stderr=subprocess.DEVNULL)
        time.sleep(2)


threading.Thread(target=stir, daemon=True).start()
service = Service()
test_answers(service)
test_others(service)
test_malformed(service)
test_crowd(service)
test_many_users(service)
test_flood()
test_policy_changes(service)
test_long_run(service)
test_killed(service)
expect("it says nothing on standard error", service.is_there())
service.process.send_signal(signal.SIGTERM)
service.process.wait()
errors = service.process.stderr.read()
expect("it ends when told to", not errors, errors)
idle.process.wait(timeout=90)
took = time.monotonic() - started
expect("when nobody calls for a minute, it ends, whatever the network does", idle.process.returncode == 0 and 59 < took < 75, (idle.process.returncode, took))
