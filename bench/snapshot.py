#!/usr/bin/env python3
"""What a snapshot costs those who chat meanwhile: SEND to OK before and while a snapshot of many messages is written,
memory, and how long a start from it takes. Standard library only; everything is on 127.0.0.1 and in a temporary
directory; the daemon is stopped by its process id.

MESSAGES  messages in the snapshot (200000)
CLIENTS   clients that send a message each 50 ms (20)
FCD       the program (.build/release/fcd)

Exit status 1 when the 99.9th percentile during the snapshot is more than 50 ms above the quiet one, or memory grows by
more than half.
"""
import os, shutil, signal, socket, subprocess, sys, tempfile, threading, time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
FCD = os.environ.get("FCD", os.path.join(ROOT, ".build/release/fcd"))
MESSAGES = int(os.environ.get("MESSAGES", "200000"))
CLIENTS = int(os.environ.get("CLIENTS", "20"))
QUIET = 8.0  # seconds of measuring before the snapshot
data = tempfile.mkdtemp(prefix="fcsnapshot")
process = None


def start(interval):
    """Starts the daemon; (port, seconds until READY)."""
    global process
    began = time.time()
    process = subprocess.Popen(
        [FCD, "--data", data + "/data", "--chat", "127.0.0.1:0", "--plain", "127.0.0.1:0", "--blobs", "127.0.0.1:0"]
        + ["--set", "limits.rate=off", "--set", "auth.scrypt-n=1024", "--set", "auth.scrypt-p=1"]
        + ["--set", f"snapshot.interval={interval}", "--set", "snapshot.journal-bytes=1099511627776"],
        stdout=subprocess.PIPE, stderr=open(data + "/log", "ab"))
    guard = threading.Timer(60, process.kill)
    guard.start()
    line = process.stdout.readline().decode()
    guard.cancel()
    if not line.startswith("READY"):
        sys.exit("the daemon did not get ready: " + open(data + "/log").read()[-1000:])
    plain = [word for word in line.split() if word.startswith("plain=")][0]
    return int(plain.rsplit(":", 1)[1]), time.time() - began


def end(number):
    process.send_signal(number)
    process.wait(20)


def resident():
    return int(open(f"/proc/{process.pid}/statm").read().split()[1]) * os.sysconf("SC_PAGESIZE") / 1e6


class Client:
    def __init__(self, port):
        self.socket = socket.create_connection(("127.0.0.1", port), 30)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.buffer = b""
        self.line()

    def line(self):
        while b"\n" not in self.buffer:
            got = self.socket.recv(65536)
            if not got:
                raise EOFError("the server has gone")
            self.buffer += got
        line, self.buffer = self.buffer.split(b"\n", 1)
        return line

    def ask(self, request):
        self.socket.sendall(request + b"\n")
        line = self.line()
        while line.startswith(b"EV"):
            line = self.line()
        if not line.startswith(b"OK"):
            raise ValueError(f"{request!r} -> {line!r}")


def fill(port):
    client = Client(port)
    client.ask(b"SIGNUP name=filler filler@example.test Secret123")
    client.ask(b"CREATE #full")
    sent = done = 0
    while done < MESSAGES:
        count = min(500 - (sent - done), MESSAGES - sent)
        client.socket.sendall(b"".join(b"SEND nonce=n%d #full %s %d\n" % (sent + i, b"y" * 100, sent + i) for i in range(count)))
        sent += count
        done += client.socket.recv(1 << 20).count(b"\n")


def percentile(values, share):
    values = sorted(values)
    return values[min(len(values) - 1, int(len(values) * share))]


def main():
    port, _ = start(86400)
    fill(port)
    end(signal.SIGKILL)  # no snapshot yet
    port, seconds = start(int(QUIET) + 4)
    print(f"start from {MESSAGES} messages of journal: {seconds:.2f} s")
    began, times, stop = time.time(), [], threading.Event()

    def good(number):
        client = Client(port)
        client.ask(b"SIGNUP name=good%d good%d@example.test Secret123" % (number, number))
        client.ask(b"JOIN #full")
        while not stop.is_set():
            at = time.time()
            client.ask(b"SEND #full hello")
            times.append((at - began, (time.time() - at) * 1000))
            time.sleep(max(0, 0.05 - (time.time() - at)))

    threads = [threading.Thread(target=good, args=(n,)) for n in range(CLIENTS)]
    for thread in threads:
        thread.start()
    base, peak, first, last = None, 0, None, None
    while time.time() - began < QUIET + 10 and (last is None or time.time() - began < last + 1):
        time.sleep(0.01)
        at = time.time() - began
        if first is None and at > 3:
            base = resident()
        peak = max(peak, resident())
        if first is None and os.listdir(data + "/data/snapshot"):
            first = at
        if last is None and os.path.exists(data + "/data/snapshot/manifest.json"):
            last = at
    stop.set()
    for thread in threads:
        thread.join()
    if last is None:
        sys.exit("no snapshot was written")
    quiet = [ms for at, ms in times if 3 < at < first - 0.2]
    during = [ms for at, ms in times if at > first - 0.1 and at < last + 0.1]
    for name, values in (("quiet", quiet), ("during the snapshot", during)):
        marks = ", ".join(f"p{100 * p:g} {percentile(values, p):.2f}" for p in (0.5, 0.99, 0.999))
        print(f"SEND to OK, ms, {name}: {marks}, longest {max(values):.2f} ({len(values)} messages)")
    size = sum(os.path.getsize(os.path.join(r, f)) for r, _, fs in os.walk(data + "/data/snapshot") for f in fs)
    print(f"snapshot: {last - first:.2f} s, {size / 1e6:.1f} MB; memory {base:.1f} MB before, {peak:.1f} MB at most")
    end(signal.SIGTERM)
    _, seconds = start(86400)
    print(f"start from the snapshot: {seconds:.2f} s, memory {resident():.1f} MB")
    end(signal.SIGTERM)
    if percentile(during, 0.999) > percentile(quiet, 0.999) + 50 or peak > base * 1.5:
        sys.exit("a snapshot costs more than it may")


try:
    main()
finally:
    if process and process.poll() is None:
        process.kill()
        process.wait()
    shutil.rmtree(data, ignore_errors=True)
