#!/usr/bin/env python3
"""What many people at once, somebody who erases everything, and one who searches cost those who only chat: SEND to OK of one
client in a process of its own, quiet and during each storm; and whether a failed sign-in tells by its time why it failed.
Standard library only; everything is on 127.0.0.1 and in a temporary directory; the daemon is stopped by its process id.

STORMS      which of seen, reconnect, rooms, erase, signin, search, commas between (all)
MEMBERS     members of one conversation who all mark as read at once (1000)
CLIENTS     connections that sign in at once by token (10000)
MESSAGES    messages of the account that is erased, and in the conversation that is searched (1000000)
SIGNINS     timed sign-ins of each kind (200)
FCD         the program (.build/release/fcd)
"""
import json, multiprocessing, os, resource, selectors, shutil, signal, socket, statistics, subprocess, tempfile, time

import daemon
from daemon import FCD, cpu, number

MEMBERS, CLIENTS = number("MEMBERS", 1000), number("CLIENTS", 10000)
MESSAGES, SIGNINS = number("MESSAGES", 1000000), number("SIGNINS", 200)
STORMS = os.environ.get("STORMS", "seen,reconnect,rooms,erase,signin,search").split(",")
data = tempfile.mkdtemp(prefix="fcpeople")
process = None


def start(*settings):
    """Starts a daemon on new data; its plain port."""
    global process
    shutil.rmtree(data + "/data", ignore_errors=True)
    words = ["limits.rate=off", "auth.scrypt-n=1024", "auth.scrypt-p=1", "snapshot.interval=86400", *settings]
    process, ports = daemon.start(data, words)
    return ports["plain"]


def stop(sockets=()):
    for one in sockets:
        one.close()
    process.send_signal(signal.SIGTERM)
    process.wait(60)


class Client:
    def __init__(self, port):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=600)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.file = self.socket.makefile("rb")
        self.file.readline()

    def send(self, text):
        self.socket.sendall(text.encode() + b"\n")

    def answer(self):
        """The next line that is an answer."""
        while True:
            line = self.file.readline().decode()
            if not line:
                raise EOFError
            if line.startswith(("OK", "ERR", "ASK")):
                return line.strip()

    def ask(self, text):
        self.send(text)
        line = self.answer()
        if not line.startswith("OK"):
            raise RuntimeError(f"{text[:60]} -> {line}")
        return dict(part.split("=", 1) for part in line.split() if "=" in part)


def talk(port, token, pipe):
    """Sends a message each 10 ms and says what it took, until it is told to stop."""
    client = Client(port)
    client.ask("AUTH token=" + token)
    times, told = [], None
    while True:
        if pipe.poll():
            told = pipe.recv()
            pipe.send(times)
            times = []
            if told == "stop":
                return
        began = time.perf_counter()
        client.ask("SEND #talk hello")
        times.append((time.perf_counter() - began) * 1000)
        time.sleep(0.01)


class Talker:
    def __init__(self, port):
        maker = Client(port)
        token = maker.ask("SIGNUP name=talker talker@example.test Secret123")["token"]
        maker.ask("CREATE #talk")
        self.pipe, other = multiprocessing.Pipe()
        self.process = multiprocessing.Process(target=talk, args=(port, token, other))
        self.process.start()
        time.sleep(3)
        self.quiet = self.cut()

    def cut(self, word="cut"):
        self.pipe.send(word)
        return self.pipe.recv()

    def report(self, label, **more):
        during = self.cut("stop")
        self.process.join()
        shown = lambda times: {
            "n": len(times), "p50": round(statistics.median(times), 2),
            "p99": round(sorted(times)[int(len(times) * 0.99)], 2), "max": round(max(times), 2)}
        print(label, json.dumps({"quiet_ms": shown(self.quiet), "during_ms": shown(during), **more}), flush=True)


def sign_up(port, count, stem, then=lambda client, index: None):
    """Makes accounts on one connection; their tokens."""
    client, tokens = Client(port), []
    for index in range(count):
        tokens.append(client.ask(f"SIGNUP name={stem}{index} {stem}{index}@example.test Secret123")["token"])
        then(client, index)
        client.ask("PING x")
        # A connection ends its session with LOGOUT, so each gets one of its own.
        client.socket.close()
        client = Client(port)
    return tokens


def connect(port, tokens, line="AUTH token={}", wait=True):
    """So many connections at once, each of which says its line; seconds until the last was answered."""
    selector, left, bad = selectors.DefaultSelector(), len(tokens), 0
    sockets, began = [], time.perf_counter()
    for token in tokens:
        one = socket.create_connection(("127.0.0.1", port), timeout=60)
        one.setblocking(True)
        one.sendall((line.format(token) + "\n").encode())
        one.setblocking(False)
        selector.register(one, selectors.EVENT_READ, bytearray())
        sockets.append(one)
    while left and wait:
        for key, _ in selector.select(timeout=120):
            chunk = key.fileobj.recv(65536)
            before = key.data.count(b"\nOK") + key.data.count(b"\nERR")
            key.data.extend(chunk)
            bad += key.data.count(b"\nERR") > 0
            if before == 0 and (b"\nOK" in key.data or b"\nERR" in key.data):
                left -= 1
            if not chunk:
                selector.unregister(key.fileobj)
    return sockets, time.perf_counter() - began, bad


def drain(sockets, seconds):
    """Reads what comes for a while; bytes, and how many lines begin with each word."""
    selector, total, end = selectors.DefaultSelector(), 0, time.perf_counter() + seconds
    counts = {}
    for one in sockets:
        selector.register(one, selectors.EVENT_READ)
    while time.perf_counter() < end:
        for key, _ in selector.select(timeout=0.1):
            chunk = key.fileobj.recv(1 << 20)
            total += len(chunk)
            for kind in (b"EV presence", b"EV seen"):
                counts[kind.decode()] = counts.get(kind.decode(), 0) + chunk.count(kind)
    return total, counts


def seen():
    port = start()
    tokens = sign_up(port, MEMBERS, "member", lambda client, index: client.ask("CREATE #hall" if index == 0 else "JOIN #hall"))
    writer = Client(port)
    writer.ask("AUTH token=" + tokens[0])
    last = [writer.ask("SEND #hall hello")["seq"] for _ in range(100)][-1]
    sockets, _, bad = connect(port, tokens)
    drain(sockets, 2)
    talker = Talker(port)
    began, used = time.perf_counter(), cpu(process.pid)
    for one in sockets:
        one.setblocking(True)
        one.sendall(f"SEEN #hall {last}\n".encode())
        one.setblocking(False)
    _, counts = drain(sockets, 3)
    talker.report("seen", members=MEMBERS, refused=bad, cpu_s=round(cpu(process.pid) - used, 3), told=counts)
    stop(sockets)


def reconnect():
    port = start()
    tokens = sign_up(port, CLIENTS, "one")
    talker = Talker(port)
    used = cpu(process.pid)
    sockets, seconds, bad = connect(port, tokens)
    talker.report(
        "reconnect", clients=CLIENTS, refused=bad, all_signed_in_s=round(seconds, 2), cpu_s=round(cpu(process.pid) - used, 2),
        resident_mb=round(daemon.resident(process), 1))
    stop(sockets)


def rooms():
    """As above, in conversations of 100, so that each hears of all the others."""
    port, size = start(), 100
    count = CLIENTS // size * size

    def enter(client, index):
        client.ask(f"{'CREATE' if index % size == 0 else 'JOIN'} #room{index // size}")

    tokens = sign_up(port, count, "one", enter)
    talker = Talker(port)
    used = cpu(process.pid)
    sockets, seconds, bad = connect(port, tokens)
    _, counts = drain(sockets, 10)
    talker.report(
        "rooms", clients=count, in_each=size, refused=bad, all_signed_in_s=round(seconds, 2), told=counts,
        cpu_s=round(cpu(process.pid) - used, 2), resident_mb=round(daemon.resident(process), 1))
    stop(sockets)


def fill(port, text):
    """Somebody who has sent MESSAGES messages to a conversation of their own."""
    client = Client(port)
    client.ask("SIGNUP name=loud loud@example.test Secret123")
    client.ask("CREATE #loud")
    sent = answered = 0
    client.socket.setblocking(True)
    while answered < MESSAGES:
        while sent < MESSAGES and sent - answered < 4000:
            client.socket.sendall(b"".join(b"SEND #loud " + text(n) + b"\n" for n in range(sent, sent + 200)))
            sent += 200
        answered += client.answer().startswith("OK")
    return client


def search():
    """Messages of 100 bytes in three scripts; words that none, few and many of them have."""
    port = start("durability=interval", "limits.memory=100")
    stems = [part.encode() for part in (
        "the quick brown fox jumps over the lazy dog and Café Ångström waits for nobody at all today ",
        "الثعلب البني السريع يقفز فوق الكلب الكسول اليوم ", "敏捷的棕色狐狸跳过了懒狗今天天气很好我们去 ")]
    stems = [stem[:90].decode(errors="ignore").encode() for stem in stems]
    client = fill(port, lambda n: (stems[n % 3] + b" n%d" % n).ljust(100, b"x"))
    talker = Talker(port)
    used = cpu(process.pid)
    found = {}
    for words in ("zebra", "n7777", "cafe angstrom", "CAFÉ dog", "الكلب", "懒狗", "الكلب zebra"):
        times = []
        for _ in range(7):
            began = time.perf_counter()
            rows = client.ask(f"SEARCH limit=50 #loud {words}")["n"]
            times.append((time.perf_counter() - began) * 1000)
        found[words] = {"rows": int(rows), "median_ms": round(statistics.median(times), 1), "max_ms": round(max(times), 1)}
    talker.report("search", messages=MESSAGES, words=found, cpu_s=round(cpu(process.pid) - used, 2), resident_mb=round(daemon.resident(process), 1))
    stop()


def erase():
    port = start("durability=interval", "limits.memory=100")
    client = fill(port, lambda n: b"unforgettable " * 7)
    talker = Talker(port)
    began, used = time.perf_counter(), cpu(process.pid)
    client.ask("UNREGISTER Secret123")
    seconds = time.perf_counter() - began
    talker.report("erase", messages=MESSAGES, seconds=round(seconds, 2), cpu_s=round(cpu(process.pid) - used, 2))
    subprocess.run([FCD, "snapshot", "--data", data + "/data"], check=True, stdout=subprocess.DEVNULL)
    found = subprocess.run(["grep", "-rlaF", "-D", "skip", "unforgettable", data + "/data"], capture_output=True).stdout
    print("erase files_with_the_words", found.decode().split(), flush=True)
    stop()


def signin():
    port = start("auth.scrypt-n=32768", "auth.scrypt-p=3")
    maker = Client(port)
    for name in ("known", "locked", "erased"):
        maker.ask(f"SIGNUP name={name} {name}@example.test Secret123")
        maker.ask("UNREGISTER Secret123" if name == "erased" else "LOGOUT")
    subprocess.run([FCD, "user", "disable", "locked", "--data", data + "/data"], check=True, stdout=subprocess.DEVNULL)
    who = ["known", "known@example.test", "nobody", "nobody@example.test", "erased", "locked", "a@b@c"]
    times = {name: [] for name in who}
    for _ in range(SIGNINS):
        # Whoever does not sign in for long is sent away.
        client = Client(port)
        for name in who:
            began = time.perf_counter()
            client.send(f"AUTH {name} Wrong1234")
            client.answer()
            times[name].append((time.perf_counter() - began) * 1000)
    medians = {name: round(statistics.median(found), 3) for name, found in times.items()}
    base = medians["known"]
    print("signin", json.dumps({"n": SIGNINS, "median_ms": medians, "ratio": {
        name: round(value / base, 4) for name, value in medians.items()}}), flush=True)
    stop()


resource.setrlimit(resource.RLIMIT_NOFILE, (resource.getrlimit(resource.RLIMIT_NOFILE)[1],) * 2)
try:
    for storm in STORMS:
        globals()[storm]()
finally:
    if process and process.poll() is None:
        process.kill()
    shutil.rmtree(data, ignore_errors=True)
