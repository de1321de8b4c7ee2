"""The daemon of a benchmark: started on a directory, found ready, looked at. Shared by the scripts beside it."""
import os, re, socket, struct, subprocess, sys, threading

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
FCD = os.environ.get("FCD", os.path.join(ROOT, ".build/release/fcd"))


def number(name, default):
    """A whole number from the environment."""
    return int(os.environ.get(name, str(default)))


def start(work, settings, before=()):
    """Starts fcd with its data in `work`/data; the process, and its ports by name. Ends this program when it does not get ready
    in two minutes. `before`: words in front of the command."""
    process = subprocess.Popen(
        [*before, FCD, "--data", work + "/data", "--chat", "127.0.0.1:0", "--plain", "127.0.0.1:0", "--blobs", "127.0.0.1:0"]
        + [word for setting in settings for word in ("--set", setting)],
        stdout=subprocess.PIPE, stderr=open(work + "/log", "ab"))
    guard = threading.Timer(120, process.kill)
    guard.start()
    line = process.stdout.readline().decode()
    guard.cancel()
    if not line.startswith("READY"):
        process.kill()
        sys.exit("the daemon did not get ready: " + open(work + "/log").read()[-1000:])
    ports = {name: int(port) for name, port in re.findall(r" (chat|plain|blobs)=127\.0\.0\.1:(\d+)", line)}
    return process, ports


def resident(process):
    """Megabytes of a process in memory."""
    return int(open(f"/proc/{process.pid}/statm").read().split()[1]) * os.sysconf("SC_PAGESIZE") / 1e6


def cpu(pid):
    """CPU seconds of a process and its children, to the nanosecond (sched-stats)."""
    total = 0
    for task in os.listdir(f"/proc/{pid}/task"):
        total += int(open(f"/proc/{pid}/task/{task}/schedstat").read().split()[0]) / 1e9
        total += sum(cpu(int(child)) for child in open(f"/proc/{pid}/task/{task}/children").read().split())
    return total


class Client:
    """A connection that asks and waits, to the plain port or, given a path, to the control socket."""

    def __init__(self, port):
        if isinstance(port, str):
            self.socket = socket.socket(socket.AF_UNIX)
            self.socket.settimeout(120)
            self.socket.connect(port)
        else:
            self.socket = socket.create_connection(("127.0.0.1", port), 30)
            self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.buffer = self.last = b""
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
        """The last line of the answer, and what came with it."""
        self.socket.sendall(request + b"\n")
        rows, line = [], self.line()
        while line.startswith((b"EV", b"ROW")):
            rows.append(line)
            line = self.line()
        if not line.startswith(b"OK"):
            raise ValueError(f"{request!r} -> {line!r}")
        return line, rows

    def vanish(self):
        """Closes without waiting for the other side's end, else the system would run out of ports."""
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.socket.close()


def many(client, number, request):
    """Makes so many requests, up to 500 at a time. A refusal ends this program."""
    sent = done = 0
    while done < number:
        count = min(500 - (sent - done), number - sent)
        client.socket.sendall(b"".join(request(sent + i) for i in range(count)))
        sent += count
        lines = (client.buffer + client.socket.recv(1 << 20)).split(b"\n")
        client.buffer = lines.pop()
        for line in lines:
            if line.startswith((b"ERR", b"BYE")):
                sys.exit(line.decode())
            done += line.startswith(b"OK")
