"""Reads one JSON document, stricter than most: one line of UTF-8, no key twice, no NaN. Then judges it."""

import json
import sys


def pairs(items):
    keys = [key for key, _ in items]
    if len(set(keys)) != len(keys):
        raise ValueError("a key stands twice")
    return dict(items)


def no_constant(text):
    raise ValueError(text + " is no JSON")


def no_control(text):
    if any(ord(c) < 32 or 127 <= ord(c) < 160 for c in text):
        raise ValueError("a control character")


CHECK = {
    "format", "second_factor", "reason", "message", "hint", "network", "site", "evidence", "interface", "ssid",
    "ssid_hex", "bssids",
}
LISTING = {
    "name", "path", "action", "ssids", "bssids", "bssid_file", "bssid_count", "security", "minimum_evidence", "site",
    "users", "groups", "services", "expires", "hides",
}

raw = sys.stdin.buffer.read()
text = raw.decode("utf-8", "strict")
if text.count("\n") != 1 or not text.endswith("\n"):
    raise ValueError("not one line")
no_control(text[:-1])
d = json.loads(text, object_pairs_hook=pairs, parse_constant=no_constant)
result = eval(sys.argv[1])
if result is not True:
    print(sys.argv[1], "is", result, "in", ascii(text)[:500])
    sys.exit(1)
