"""The daemon of a benchmark: started on a directory, found ready, looked at. Shared by the scripts beside it."""
import os, re, subprocess, sys, threading

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
