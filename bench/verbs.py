#!/usr/bin/env python3
"""How the cost of each verb grows with what the server holds: CPU of fcd for a request, with N accounts, all of them members of
one conversation, N conversations, N messages and N items of one account; then with sixteen times as many.
The exponent is 1 where a cost grows like N, a little above for N log N, 2 where it grows with the square. Standard library
only; everything is on 127.0.0.1 and in a temporary directory; the daemon is stopped by its process id.

SIZES        the two N, a comma between (1000,16000)
FCD          the program (.build/release/fcd)

Exit status 1 when a verb grows faster than N log N: an exponent above 1.3 and more than a millisecond.
"""
import math, os, re, shutil, signal, sys, tempfile

import daemon
from daemon import Client, cpu, many

SIZES = [int(size) for size in os.environ.get("SIZES", "1000,16000").split(",")]
SETTINGS = [
    "limits.rate=off", "durability=interval", "auth.scrypt-n=1024", "auth.scrypt-p=1", "snapshot.interval=86400",
    "snapshot.journal-bytes=1099511627776", "limits.conversations-owned=100000", "limits.conversations-joined=100000",
    "limits.items=1000000", "limits.subscriptions=100000", "limits.replies=16777216",
]
REPEATS = 20
work = tempfile.mkdtemp(prefix="fcverbs")


def fill(port, size):
    """ada and what she has; the handles of the guests."""
    ada = Client(port)
    ada.ask(b"SIGNUP name=ada ada@example.test Secret123")
    ada.ask(b"CREATE #big")
    ada.ask(b"CREATE #full")
    many(ada, size, lambda n: b"CREATE #c%d\n" % n)
    many(ada, size, lambda n: b"SEND #full message number %d of many that say something\n" % n)
    many(ada, size, lambda n: b'PUT-ITEM id=i%d items/shop {"name":"thing %d","price":%d,"on":true}\n' % (n, n, n % 1000))
    first = int(re.search(rb" seq=(\d+)", ada.ask(b"SEND #big first")[0])[1])
    guests = []
    for _ in range(size):
        guest = Client(port)
        guests.append(re.search(rb" user=(\S+)", guest.ask(b"AUTH anonymous=yes")[0])[1])
        many(guest, 3, lambda n: (b"JOIN #big\n", b"SEND #big hello\n", b"EMOTE #big %d \xe2\x9d\xa4\n" % first)[n])
        guest.vanish()
    # No more can be blocked.
    many(ada, min(size, 1000), lambda n: b"BLOCK %s\n" % guests[n])
    return ada, guests, first


def requests(size, guests, first):
    """What ada, the operator and a new guest ask for, in order: each measurement's name, and its request number n."""
    middle = size // 2
    of = lambda text: lambda n: text.replace(b"{n}", b"%d" % n).replace(b"{g}", guests[n])
    ada = [
        ("PING", of(b"PING")), ("WHOAMI", of(b"WHOAMI")), ("LIMITS", of(b"LIMITS")), ("SESSIONS", of(b"SESSIONS")),
        ("TOKEN", of(b"TOKEN t{n}")), ("TOKENS", of(b"TOKENS")), ("PROFILE", of(b"PROFILE")),
        ("PROFILE of another", of(b"PROFILE {g}")), ("PROFILE display=", of(b'PROFILE display="Ada {n}"')),
        ("USERS", of(b"USERS limit=200")), ("BLOCKS", of(b"BLOCKS")), ("UNBLOCK", of(b"UNBLOCK {g}")),
        ("BLOCK", of(b"BLOCK {g}")), ("EXPORT", of(b"EXPORT limit=50")),
        ("CREATE", of(b"CREATE #new{n}")), ("TOPIC", of(b"TOPIC #new{n} what it is about")), ("DROP, empty", of(b"DROP #new{n}")),
        ("CONVS", of(b"CONVS limit=200")), ("CONVS after=", of(b"CONVS limit=50 after=#c%d" % middle)),
        ("LIST", of(b"LIST limit=200")), ("LIST after=", of(b"LIST limit=50 after=#c%d" % middle)),
        ("MEMBERS", of(b"MEMBERS limit=200 #big")), ("MEMBERS after=", of(b"MEMBERS limit=50 after=%s #big" % guests[middle])),
        ("WHO", of(b"WHO limit=200 #big")), ("TYPING", of(b"TYPING #big")), ("AWAY", of(b"AWAY lunch")),
        ("AWAY off=", of(b"AWAY off=yes")),
        ("MUTE", of(b"MUTE #big {g}")), ("UNMUTE", of(b"UNMUTE #big {g}")), ("GRANT", of(b"GRANT role=reader #big {g}")),
        ("EJECT", of(b"EJECT #big {g}")), ("BAN", of(b"BAN #big {g}")), ("UNBAN", of(b"UNBAN #big {g}")),
        ("INVITE", of(b"INVITE #big {g}")),
        ("SEND, many members", of(b"SEND #big hello")), ("SEND, many messages", of(b"SEND #full hello")),
        ("SEND nonce=", of(b"SEND nonce=n{n} #full hello")), ("REPLY", of(b"REPLY #full 5 yes")),
        ("EDIT", of(b"EDIT #full %d other words" % middle)), ("DELETE", lambda n: b"DELETE #full %d" % (middle + 1 + n)),
        ("EMOTE", of(b"EMOTE #big %d \xf0\x9f\x91\x8d" % first)), ("EMOTE off=", of(b"EMOTE off=yes #big %d \xf0\x9f\x91\x8d" % first)),
        ("HISTORY, many reactions", of(b"HISTORY around=%d limit=1 #big" % first)),
        ("HISTORY", of(b"HISTORY limit=200 #full")), ("HISTORY before=", of(b"HISTORY before=%d limit=200 #full" % middle)),
        ("HISTORY before= a time", of(b"HISTORY before=2030-01-01T00:00:00Z limit=50 #full")),
        ("SEARCH, found", of(b"SEARCH limit=50 #full number")), ("SEARCH, nowhere", of(b"SEARCH #full nowhere")),
        ("SEARCH by=", of(b"SEARCH by=%s #big nowhere" % guests[3])),
        ("SEEN", of(b"SEEN #full %d" % middle)), ("SUB", of(b"SUB #full")), ("SUBS", of(b"SUBS")), ("UNSUB", of(b"UNSUB #full")),
        ("SUB all=", of(b"SUB all=yes")), ("SUBS, all", of(b"SUBS")), ("UNSUB all=", of(b"UNSUB all=yes")),
        ("PUT-ITEM, new", of(b'PUT-ITEM id=new{n} items/shop {"price":5}')),
        ("PUT-ITEM, there", of(b'PUT-ITEM id=i%d items/shop {"price":6}' % middle)),
        ("ITEM", of(b"ITEM items/shop i%d" % middle)), ("ITEMS", of(b"ITEMS limit=200 items/shop")),
        ("ITEMS after=", of(b"ITEMS after=i%d limit=50 items/shop" % (middle + 9))),
        ("ITEMS where=, found", of(b'ITEMS where="price >= 0" limit=50 items/shop')),
        ("ITEMS where=, nothing", of(b'ITEMS where="price > 5000 and on = true" items/shop')),
        ("DEL-ITEM", of(b"DEL-ITEM items/shop new{n}")), ("BLOBS", of(b"BLOBS")),
    ]
    operator = [
        ("ADMIN STATUS", of(b"ADMIN STATUS")), ("ADMIN GET", of(b"ADMIN GET")), ("ADMIN USERS", of(b"ADMIN USERS limit=200")),
        ("ADMIN CONVS", of(b"ADMIN CONVS limit=200")), ("ADMIN CLIENTS", of(b"ADMIN CLIENTS limit=200")),
        ("ADMIN RETAIN", of(b"ADMIN RETAIN max=1000000 #full")), ("ADMIN USER disable", of(b"ADMIN USER disable {g}")),
        ("ADMIN USER enable", of(b"ADMIN USER enable {g}")), ("ADMIN TOKEN", of(b"ADMIN TOKEN metrics")),
    ]
    guest = [
        ("AUTH anonymous=", of(b"AUTH anonymous=yes")), ("JOIN", of(b"JOIN #big")), ("JOIN again", of(b"JOIN #big")), ("LEAVE", of(b"LEAVE #big")),
    ]
    return ada, operator, guest


def measured(process, client, request, repeats):
    """CPU microseconds of a request, the mean of `repeats`."""
    before = cpu(process.pid)
    many(client, repeats, lambda n: request(n) + b"\n")
    return (cpu(process.pid) - before) * 1e6 / repeats


def run(size):
    """Microseconds for each measurement, in order."""
    shutil.rmtree(work + "/data", ignore_errors=True)
    process, ports = daemon.start(work, SETTINGS)
    try:
        ada, guests, first = fill(ports["plain"], size)
        operator = Client(work + "/data/control.sock")
        others = [Client(ports["plain"]) for _ in range(REPEATS)]
        found = {}
        for_ada, for_operator, for_guest = requests(size, guests, first)
        for client, named in ((ada, for_ada), (operator, for_operator)):
            for name, request in named:
                found[name] = measured(process, client, request, REPEATS)
        for name, request in for_guest:
            found[name] = sum(measured(process, other, request, 1) for other in others) / REPEATS
        for name, request in (("DROP, full", b"DROP #full"), ("UNREGISTER", b"UNREGISTER Secret123")):
            found[name] = measured(process, ada, lambda n: request, 1)
        return found
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(60)


try:
    small, large = (run(size) for size in SIZES)
    print(f"CPU of fcd for a request, microseconds\n\n{'':>26} {SIZES[0]:>12,} {SIZES[1]:>12,} {'exponent':>9}")
    fault = False
    for name in small:
        exponent = math.log(max(1, large[name]) / max(1, small[name])) / math.log(SIZES[1] / SIZES[0])
        bad = exponent > 1.3 and large[name] > 1000
        fault |= bad
        print(f"{name:>26} {small[name]:>12.1f} {large[name]:>12.1f} {exponent:>9.2f}{'  !' if bad else ''}")
    sys.exit(1 if fault else 0)
finally:
    shutil.rmtree(work, ignore_errors=True)
