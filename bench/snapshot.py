#!/usr/bin/env python3
"""What snapshots cost those who chat meanwhile, and whether one that is killed loses anything: SEND to OK and the gap
between two OKs, quiet and while a snapshot is written, memory, subscribers that miss nothing, and how long a start takes.
Standard library only; everything is on 127.0.0.1 and in a temporary directory; the daemon is stopped by its process id.

MESSAGES     messages in the snapshot (200000)
ACCOUNTS     guests in it (0), ITEMS items (0)
CLIENTS      clients that send a message each 50 ms (20)
SUBSCRIBERS  clients that hear all of these (100)
SNAPSHOTS    snapshots that are forced while they talk, each asked for twice at once (5)
KILLS        snapshots in the middle of which the daemon is killed (5)
FCD          the program (.build/release/fcd)

Exit status 1 when the 99.9th percentile during the snapshots is more than 50 ms above the quiet one, memory grows by more
than a quarter, a subscriber is cut off or misses an event, or an acknowledged message is gone.
"""
import os, re, selectors, shutil, signal, socket, sys, tempfile, threading, time

import daemon
from daemon import Client, many, number

MESSAGES, CLIENTS, SUBSCRIBERS = number("MESSAGES", 200000), number("CLIENTS", 20), number("SUBSCRIBERS", 100)
ACCOUNTS, ITEMS = number("ACCOUNTS", 0), number("ITEMS", 0)
SNAPSHOTS, KILLS = number("SNAPSHOTS", 5), number("KILLS", 5)
QUIET = 8.0  # seconds of measuring before the first snapshot
PAUSE = 2.0  # and between two
BYTES = 190  # of a message in a snapshot, about
SETTINGS = [
    "limits.rate=off", "limits.items=1000000", "auth.scrypt-n=1024", "auth.scrypt-p=1", "snapshot.interval=86400",
    "snapshot.journal-bytes=1099511627776",
]
data = tempfile.mkdtemp(prefix="fcsnapshot")
process = None
token = []  # of the one who fills: each AUTH by password would be a session of its own, and the oldest of 100 is ended


def start():
    """Starts the daemon; (port, seconds until READY). Snapshots are made when we ask for them only."""
    global process
    began = time.time()
    process, ports = daemon.start(data, SETTINGS)
    return ports["plain"], time.time() - began


def end(number):
    process.send_signal(number)
    process.wait(60)


def snapshot_files():
    return [os.path.join(r, f) for r, _, fs in os.walk(data + "/data/snapshot") for f in fs]


def snapshot_bytes():
    total = 0
    for path in snapshot_files():
        try:
            total += os.path.getsize(path)
        except FileNotFoundError:
            pass
    return total


def signed_in(port):
    client = Client(port)
    client.ask(b"AUTH token=" + token[0])
    return client


def seq(line):
    return int(re.search(rb" seq=(\d+)", line).group(1))


def fill(port):
    client = Client(port)
    line, _ = client.ask(b"SIGNUP name=filler filler@example.test Secret123")
    token.append(re.search(rb" token=(\S+)", line).group(1))
    client.ask(b"CREATE #full")
    many(client, MESSAGES, lambda n: b"SEND nonce=n%d #full %s %d\n" % (n, b"y" * 100, n))
    many(client, ITEMS, lambda n: b'PUT-ITEM id=i%d items/shop {"name":"thing %d","price":%d,"on":true}\n' % (n, n, n % 1000))
    for _ in range(ACCOUNTS):
        guest = Client(port)
        guest.ask(b"AUTH anonymous=yes")
        guest.vanish()


def killed():
    """Kills the daemon in the middle of the first snapshot, each time a bit later."""
    expected = MESSAGES + 1
    for turn in range(KILLS):
        port, seconds = start()
        if turn == 0:
            print(f"start from {MESSAGES} messages of journal: {seconds:.2f} s")
        client = signed_in(port)
        line, _ = client.ask(b"SEND #full before kill %d" % turn)
        if seq(line) != expected + 1:
            sys.exit(f"before kill {turn} the last message was {seq(line) - 1}, not {expected}: something is gone")
        expected += 1
        admin = Client(data + "/data/control.sock")
        admin.socket.sendall(b"ADMIN SNAPSHOT\n")
        want, give_up = MESSAGES * BYTES * (turn + 0.5) / KILLS, time.time() + 60
        while snapshot_bytes() < want and not os.path.exists(data + "/data/snapshot/manifest.json") and time.time() < give_up:
            time.sleep(0.001)
        end(signal.SIGKILL)
        if os.path.exists(data + "/data/snapshot/manifest.json"):
            sys.exit("the snapshot was whole before the kill")
    print(f"{KILLS} kills in the middle of a snapshot: nothing lost")
    return expected


def listen(port, channel):
    """Subscribes, reports the seqs of all events in `channel` when told to end; a process of its own."""
    chooser, states = selectors.DefaultSelector(), {}
    for _ in range(SUBSCRIBERS):
        client = signed_in(port)
        line, rows = client.ask(b"SUB #full")
        client.socket.setblocking(False)
        chooser.register(client.socket, selectors.EVENT_READ, client)
        states[client] = []
    chooser.register(channel, selectors.EVENT_READ, None)
    channel.sendall(b"ready\n")
    fault, until = b"", None
    while until is None or min(s[-1] if s else 0 for s in states.values()) < until:
        for key, _ in chooser.select():
            client = key.data
            if client is None:
                until = int(channel.recv(100))
                chooser.unregister(channel)
                continue
            got = client.socket.recv(1 << 18)
            if not got:
                fault = fault or b"a subscriber was cut off: " + client.last
                until = 0
                break
            whole = client.buffer + got
            cut = whole.rfind(b"\n") + 1
            client.buffer, client.last = whole[cut:], whole[:cut].rsplit(b"\n", 2)[-2] if cut else client.last
            states[client] += map(int, re.findall(rb"EV \w+ conv=#full seq=(\d+)", whole[:cut]))
    for seqs in states.values():
        if seqs != list(range(seqs[0], seqs[0] + len(seqs))):
            fault = fault or b"a subscriber missed an event or heard it out of place"
    channel.sendall((fault or b"all heard") + b"\n")
    os._exit(0)


def percentile(values, share):
    values = sorted(values)
    return values[min(len(values) - 1, int(len(values) * share))]


def report(name, values, gaps):
    marks = ", ".join(f"p{100 * p:g} {percentile(values, p):.2f}" for p in (0.5, 0.99, 0.999))
    print(f"SEND to OK, ms, {name}: {marks}, longest {max(values):.2f} ({len(values)} messages);"
          f" longest gap between two OKs {max(gaps):.1f}")


def main():
    port, _ = start()
    fill(port)
    end(signal.SIGKILL)  # no snapshot yet
    last = killed()
    port, _ = start()
    ours, theirs = socket.socketpair()
    child = os.fork()
    if child == 0:
        ours.close()
        try:
            listen(port, theirs)
        finally:
            os._exit(1)
    theirs.close()
    ours.settimeout(120)
    ours.recv(100)
    began, times, stop = time.time(), [], threading.Event()

    def good(number):
        client = Client(port)
        client.ask(b"SIGNUP name=good%d good%d@example.test Secret123" % (number, number))
        client.ask(b"JOIN #full")
        before = None
        while not stop.is_set():
            at = time.time()
            client.ask(b"SEND #full hello")
            done = time.time()
            times.append((at - began, done - began, (done - at) * 1000, (done - (before or at)) * 1000))
            before = done
            time.sleep(max(0, 0.05 - (time.time() - at)))

    peak = [0]

    def watch():
        while not stop.is_set():
            peak[0] = max(peak[0], daemon.resident(process))
            time.sleep(0.01)

    threads = [threading.Thread(target=good, args=(n,)) for n in range(CLIENTS)]
    for thread in threads:
        thread.start()
    time.sleep(QUIET)
    base = daemon.resident(process)
    threads.append(threading.Thread(target=watch))
    threads[-1].start()
    spans = []
    for _ in range(SNAPSHOTS):
        admins = [Client(data + "/data/control.sock") for _ in range(2)]
        from_ = time.time() - began
        for admin in admins:  # the second while the first is under way
            admin.socket.sendall(b"ADMIN SNAPSHOT\n")
        for admin in admins:
            if not admin.line().startswith(b"OK"):
                sys.exit("a snapshot was not written")
        spans.append((from_, time.time() - began))
        time.sleep(PAUSE)
    stop.set()
    for thread in threads:
        thread.join()
    checker = signed_in(port)
    total = last + CLIENTS + len(times)
    _, rows = checker.ask(b"HISTORY limit=1 #full")
    found = seq(rows[-1])
    ours.sendall(b"%d" % found)
    heard = ours.recv(200).decode().strip()
    os.waitpid(child, 0)
    print(f"{SUBSCRIBERS} subscribers: {heard}")
    inside = lambda t: any(t[1] > a and t[0] < b for a, b in spans)
    quiet = [t for t in times if t[0] > 3 and not inside(t)]
    during = [t for t in times if inside(t)]
    first = [t for t in times if t[1] > spans[0][0] and t[0] < spans[0][1]]
    for name, found_times in (("quiet", quiet), ("during the snapshots", during), ("during the first, of everything", first)):
        report(name, [t[2] for t in found_times], [t[3] for t in found_times])
    print(f"{SNAPSHOTS} times two snapshots: " + ", ".join(f"{b - a:.2f}" for a, b in spans) + " s;"
          f" {snapshot_bytes() / 1e6:.1f} MB; memory {base:.1f} MB before, {peak[0]:.1f} MB at most")
    end(signal.SIGTERM)
    port, seconds = start()
    print(f"start from the snapshot: {seconds:.2f} s, memory {daemon.resident(process):.1f} MB")
    checker = signed_in(port)
    _, rows = checker.ask(b"HISTORY limit=1 #full")
    end(signal.SIGTERM)
    if found != total or seq(rows[-1]) != total:
        sys.exit(f"{total} events were acknowledged, {found} were there, {seq(rows[-1])} after the next start")
    if heard != "all heard":
        sys.exit(heard)
    over = percentile([t[2] for t in during], 0.999) - percentile([t[2] for t in quiet], 0.999)
    if over > 50 or peak[0] > base * 1.25:
        sys.exit("a snapshot costs more than it may")


try:
    main()
finally:
    if process and process.poll() is None:
        process.kill()
        process.wait()
    shutil.rmtree(data, ignore_errors=True)
