#!/usr/bin/env python3
"""How the cost of a message grows: CPU of fcd against the subscribers of a conversation, the conversations there are, and the
messages that are stored; a table, and the same as a plot in bench/work/growth.svg. fcbench makes the load, this script fills
the daemon. Standard library only; everything is on 127.0.0.1 and in a temporary directory, the daemon on the first CPU, the
generator on the last; the daemon is stopped by its process id.

SMALL=1      a short look: few steps, one run of half a second each
LINES        which of subscribers, conversations, messages, commas between (all)
TOP          the largest step that is taken (5000000)
RUNS         runs of each point, of which the median counts (3); SECS seconds of each (2)
FCD, FCBENCH the programs (.build/release/...)
"""
import os, re, selectors, shutil, signal, socket, statistics, subprocess, sys, tempfile

import daemon
from daemon import FCD, ROOT

FCBENCH = os.environ.get("FCBENCH", os.path.join(ROOT, ".build/release/fcbench"))
SMALL = os.environ.get("SMALL", "") not in ("", "0")
RUNS, SECS = int(os.environ.get("RUNS", "1" if SMALL else "3")), os.environ.get("SECS", "0.5" if SMALL else "2")
LINES = os.environ.get("LINES", "subscribers,conversations,messages").split(",")
STEPS = {
    "subscribers": [1, 10, 100] if SMALL else [1, 10, 100, 1000, 5000],
    "conversations": [10, 100, 1000] if SMALL else [10, 100, 1000, 10_000, 100_000],
    "messages": [0, 20_000, 50_000] if SMALL else [0, 100_000, 500_000, 1_000_000, 2_000_000, 5_000_000],
}
TOP = int(os.environ.get("TOP", "5000000"))
STEPS = {name: [step for step in steps if step <= TOP] for name, steps in STEPS.items()}
PER_GUEST = 40  # conversations a guest makes: fewer than limits.conversations-owned
TEXT = b"x" * 100
data = tempfile.mkdtemp(prefix="fcgrowth")
process, ports, fault = None, {}, False
last = (os.cpu_count() or 1) - 1
at_server, at_client = (["taskset", "-c", "0"], ["taskset", "-c", str(last)]) if last and shutil.which("taskset") else ([], [])


def start():
    """A daemon on new data; snapshots are not made, so that none falls into a measurement."""
    global process, ports
    shutil.rmtree(data + "/data", ignore_errors=True)
    settings = ["limits.rate=off", "auth.anonymous-create=on", "snapshot.interval=86400", "snapshot.journal-bytes=1099511627776"]
    process, ports = daemon.start(data, settings, at_server)


def stop():
    global process
    if process is None:
        return
    process.send_signal(signal.SIGTERM)
    try:
        process.wait(60)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    process = None


def load(*words):
    """Microseconds of the daemon's CPU for a delivery (of acked: a send), and for a message sent; medians."""
    global fault
    results = []
    for _ in range(RUNS):
        done = subprocess.run(
            at_client + [FCBENCH, "--port", str(ports["chat"]), "--server-pid", str(process.pid), "--secs", SECS, "--raw", *words],
            stdout=subprocess.PIPE, text=True, timeout=600)
        if done.returncode != 0:
            fault = True
        if done.stdout:
            results.append(dict(word.split("=", 1) for word in done.stdout.split()))
    if not results:
        sys.exit("fcbench " + " ".join(words) + " reported nothing")
    delivery = statistics.median(float(r["serverCPUPerMillion"]) for r in results)
    message = statistics.median(float(r["serverCPUPerMillion"]) * int(r["deliveries"]) / max(1, int(r["sent"])) for r in results)
    return delivery, message


class Filler:
    """Guests on the plain port who send as fast as their requests are taken."""

    def __init__(self, count):
        self.sockets = []
        for _ in range(count):
            one = socket.create_connection(("127.0.0.1", ports["plain"]), 30)
            one.settimeout(60)
            self.sockets.append(one)
            self.ask(one, b"AUTH anonymous=yes\n")

    def close(self):
        for one in self.sockets:
            one.close()

    def ask(self, one, request):
        """The answer; events beside it are passed over."""
        one.sendall(request)
        got = b""
        while True:
            for line in got.split(b"\n")[:-1]:
                if line.startswith(b"OK"):
                    return line
                if line.startswith((b"ERR", b"BYE")):
                    sys.exit(f"{request[:40]!r} -> {line!r}")
            more = one.recv(65536)
            if not more:
                sys.exit("the daemon has closed a connection of those who fill it")
            got += more

    def all(self, requests):
        """Sends each connection's requests, one text of whole lines, and waits for all replies."""
        selector = selectors.DefaultSelector()
        state = {}
        for one, text in zip(self.sockets, requests):
            one.setblocking(False)
            state[one] = [memoryview(text), text.count(b"\n"), b"\n"]
            selector.register(one, selectors.EVENT_READ | selectors.EVENT_WRITE)
        open_ones = len(state)
        while open_ones:
            ready = selector.select(60)
            if not ready:
                sys.exit("the daemon takes nothing any more")
            for key, events in ready:
                one, mine = key.fileobj, state[key.fileobj]
                if events & selectors.EVENT_WRITE:
                    mine[0] = mine[0][one.send(mine[0]):]
                    if not mine[0]:
                        selector.modify(one, selectors.EVENT_READ)
                if events & selectors.EVENT_READ:
                    got = one.recv(1 << 20)
                    new = mine[2] + got
                    if not got or b"\nERR" in new:
                        sys.exit(f"filling failed: {got[:200]!r}")
                    mine[1] -= new.count(b"\nOK")
                    mine[2] = new[-2:]
                    if mine[1] == 0:
                        selector.unregister(one)
                        one.settimeout(60)
                        open_ones -= 1
        selector.close()


def conversations(made, wanted):
    """Makes conversations until there are so many beside the lobby."""
    while made < wanted:
        count = min(PER_GUEST, wanted - made)
        filler = Filler(1)
        filler.all([b"".join(b"CREATE #g%d\n" % (made + n) for n in range(count))])
        filler.close()
        made += count
    return made


def messages(filler, wanted):
    """Fills the lobby until so many messages are stored there."""
    block = (b"SEND #lobby " + TEXT + b"\n") * 5000
    line = b"SEND #lobby " + TEXT + b"\n"
    stored = int(re.search(rb" seq=(\d+)", filler.ask(filler.sockets[0], line))[1])
    while wanted - stored >= len(filler.sockets) * 5000:
        filler.all([block] * len(filler.sockets))
        stored += len(filler.sockets) * 5000
    if wanted > stored:
        filler.all([line * (wanted - stored)])


def measure(name):
    """The points of a line: step, both figures, memory."""
    points = []
    if name == "subscribers":
        for step in STEPS[name]:
            start()
            figures = load("fan", "--subs", str(step), "--window", "256")
            points.append((step, *figures, daemon.resident(process)))
            stop()
        return points
    start()
    filler, made = Filler(4), 0
    for step in STEPS[name]:
        if name == "conversations":
            # The ten that are used are made by the first run.
            made = conversations(made, step - 10)
            delivery = load("many", "--rooms", "10", "--members", "10", "--window", "8")[0]
        else:
            if step > 0:
                messages(filler, step)
            delivery = load("fan", "--subs", "100", "--window", "256", "--msgs", "8000")[0]
        send = load("acked", "--senders", "64", "--msgs", "200")[1]
        points.append((step, delivery, send, daemon.resident(process)))
        print(f"# {name} {step}", file=sys.stderr, flush=True)
    filler.close()
    stop()
    return points


TITLES = {
    "subscribers": ("subscribers of the conversation", "a delivery", "a message sent",
                    "A message sent costs its deliveries and what it takes to read, store and answer it; with one subscriber a "
                    "delivery bears all of that."),
    "conversations": ("conversations there are", "a delivery, 10 rooms of 10", "a send of one of 64 on disk", ""),
    "messages": ("messages stored", "a delivery to 100", "a send of one of 64 on disk", ""),
}


def table(lines):
    for name, points in lines:
        title, first, second, note = TITLES[name]
        print(f"\n{title:>34} {'µs: ' + first:>30} {'µs: ' + second:>32} {'RSS MB':>8}")
        for step, one, two, memory in points:
            print(f"{step:>34,} {one:>30.3f} {two:>32.3f} {memory:>8.1f}")
        if len(points) < 2:
            continue
        growth = [points[-1][figure] / points[0][figure] if points[0][figure] else 0 for figure in (1, 2)]
        print(f"{'last by first':>34} {growth[0]:>30.2f} {growth[1]:>32.2f}")
        if note:
            print(note)


COLOURS = ("#1f6fb2", "#c2571a")


def plot(lines):
    """One panel for each line, as SVG: the steps in powers of ten to the right, microseconds in powers of ten upwards."""
    import math
    width, height, left, top = 430, 300, 60, 50
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width * len(lines)}" height="{height + 60}" '
           'font-family="sans-serif" font-size="12">', '<rect width="100%" height="100%" fill="white"/>']
    for number, (name, points) in enumerate(lines):
        title, first, second, _ = TITLES[name]
        x0, y0, x1, y1 = number * width + left, top, (number + 1) * width - 20, height
        steps = [math.log10(max(1, point[0])) for point in points]
        values = [value for point in points for value in point[1:3] if value > 0]
        low, high = math.floor(math.log10(min(values))), math.ceil(math.log10(max(values)))
        high = max(high, low + 1)
        # Nothing at all stands left of the rest.
        if points[0][0] == 0 and len(points) > 1:
            steps[0] = steps[1] - 1
        start_step, span = steps[0], max(1e-9, steps[-1] - steps[0])
        across = lambda step: x0 + (step - start_step) / span * (x1 - x0)
        up = lambda value: y1 - (math.log10(value) - low) / (high - low) * (y1 - y0)
        out.append(f'<text x="{(x0 + x1) / 2}" y="20" text-anchor="middle" font-weight="bold">CPU by {title}</text>')
        for power in range(low, high + 1):
            y = up(10.0 ** power)
            out.append(f'<line x1="{x0}" y1="{y:.1f}" x2="{x1}" y2="{y:.1f}" stroke="#ddd"/>'
                       f'<text x="{x0 - 6}" y="{y + 4:.1f}" text-anchor="end">{10.0 ** power:g} µs</text>')
        for step, point in zip(steps, points):
            label = f"{point[0] // 1_000_000}M" if point[0] >= 1_000_000 else f"{point[0] // 1000}k" if point[0] >= 1000 else str(point[0])
            out.append(f'<text x="{across(step):.1f}" y="{y1 + 18}" text-anchor="middle">{label}</text>')
        for figure, (label, colour) in enumerate(zip((first, second), COLOURS), 1):
            dots = [(across(step), up(point[figure])) for step, point in zip(steps, points) if point[figure] > 0]
            path = " ".join(f"{x:.1f},{y:.1f}" for x, y in dots)
            out.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
            out += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"/>' for x, y in dots]
            out.append(f'<text x="{x0}" y="{y1 + 20 + 17 * figure}" fill="{colour}">{label}</text>')
    out.append("</svg>")
    os.makedirs(os.path.join(ROOT, "bench/work"), exist_ok=True)
    path = os.path.join(ROOT, "bench/work/growth.svg")
    with open(path, "w") as file:
        file.write("\n".join(out) + "\n")
    print(f"\n{os.path.relpath(path)}")


def main():
    for program in (FCD, FCBENCH):
        if not os.access(program, os.X_OK):
            sys.exit(f"{program} is missing; run 'make build' first")
    for name in LINES:
        if name not in STEPS:
            sys.exit(f"unknown line {name}: one of {', '.join(STEPS)}")
    # A signal ends the script in the ordinary way, so that the daemon is stopped.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    try:
        lines = [(name, measure(name)) for name in LINES]
    finally:
        stop()
        shutil.rmtree(data, ignore_errors=True)
    print("CPU of fcd in microseconds, medians; its memory holds what the runs themselves have sent, too.")
    table(lines)
    plot(lines)
    sys.exit(1 if fault else 0)


main()
