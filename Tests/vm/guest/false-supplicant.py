"""A program in the place of wpa_supplicant. usage: false-supplicant.py SOCKET BEHAVIOUR STATUS-LINE..."""
import os
import socket
import sys
import time

path, behaviour, *lines = sys.argv[1:]
status = "".join(line + "\n" for line in lines).encode()
server = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
server.bind(path)
questions = 0
while True:
    _, asker = server.recvfrom(4096)
    questions += 1
    try:
        if behaviour == "hang":
            time.sleep(600)
        elif behaviour == "die-first" or (behaviour == "die-later" and questions > 1):
            os.kill(os.getpid(), 9)
        elif behaviour == "nonsense":
            server.sendto(os.urandom(4000), asker)
        elif behaviour == "flood":
            while True:
                server.sendto(b"<3>CTRL-EVENT-SCAN-STARTED \n" * 100, asker)
        elif behaviour == "empty":
            server.sendto(b"", asker)
        elif behaviour == "huge":
            server.sendto(status + b"x" * 60000, asker)
        elif behaviour == "change" and questions % 2 == 0:
            server.sendto(status.replace(b"id=0", b"id=1"), asker)
        else:
            server.sendto(status, asker)
    except OSError:
        # The asker has gone.
        pass
