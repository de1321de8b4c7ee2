#!/usr/bin/env python3
"""What the blob port costs against nginx, the same files over the same TLS: the server's CPU for a large GET, a large PUT and
many small GETs on connections that stay. Both in turn, medians, ratios. Needs curl and h2load (nghttp2-client), and nginx with
its WebDAV module for the comparison. Everything is on 127.0.0.1 and in a temporary directory; servers are stopped by their
process ids.

SIZE        bytes of the large file (104857600)
GETS        small GETs in a run (20000), on CONNECTIONS (16)
RUNS        runs of each (5)
FCD         the program (.build/release/fcd)
"""
import json, os, re, shutil, signal, statistics, subprocess, sys, tempfile, time

import daemon
from daemon import cpu, number

SIZE, GETS, CONNECTIONS, RUNS = number("SIZE", 104857600), number("GETS", 20000), number("CONNECTIONS", 16), number("RUNS", 5)
work = tempfile.mkdtemp(prefix="fcblobs")
processes = []
# One CPU for the server, one for the client, where there are two.
server, client = (["taskset", "-c", "0"], ["taskset", "-c", "1"]) if (os.cpu_count() or 1) > 1 else ([], [])


def run(words, **more):
    return subprocess.run(words, check=True, capture_output=True, text=True, **more).stdout


def start_fcd():
    """The daemon, with the files put there by an account of its own."""
    settings = [f"limits.blob={SIZE}", "limits.quota=100000000000", "limits.rate=off", "snapshot.interval=86400"]
    process, ports = daemon.start(work, settings, server)
    processes.append(process)
    plain, blobs = ports["plain"], ports["blobs"]
    made = run(["bash", "-c", f"exec 3<>/dev/tcp/127.0.0.1/{plain}; echo 'SIGNUP name=ada ada@example.test Secret123' >&3; "
                              "while read -r line <&3; do case $line in OK*|ERR*) echo \"$line\"; break;; esac; done"])
    token, base = re.search(r"token=(\S+)", made)[1], f"https://127.0.0.1:{blobs}"
    header = ["-H", "Authorization: Bearer " + token]
    paths = {}
    for name in ("large", "small"):
        answer = json.loads(run(["curl", "-sk", "-T", f"{work}/files/{name}", *header, f"{base}/blobs/{name}"]))
        paths[name] = f"{base}/blobs/{answer['blob']}"
    return {"pid": process.pid, "header": header, "put": lambda index: f"{base}/blobs/up{index}", **paths}


def start_nginx():
    data = work + "/data/tls/"
    os.makedirs(work + "/up")
    os.makedirs(work + "/tmp")
    port = 17790
    temporary = "".join(f"{kind}_temp_path {work}/tmp; " for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
    with open(work + "/nginx.conf", "w") as conf:
        conf.write(f"""daemon off; user root; worker_processes 1; pid {work}/pid; error_log {work}/nginx.log;
events {{ worker_connections 1024; }}
http {{
  access_log off; sendfile on; tcp_nodelay on; keepalive_requests 1000000; client_max_body_size 0; {temporary}
  server {{
    listen 127.0.0.1:{port} ssl; ssl_certificate {data}certificate.pem; ssl_certificate_key {data}key.pem;
    ssl_protocols TLSv1.3; root {work}/files;
    location /up/ {{ root {work}; dav_methods PUT; create_full_put_path on; }}
  }}
}}
""")
    process = subprocess.Popen(server + ["nginx", "-c", work + "/nginx.conf", "-p", work], stderr=subprocess.DEVNULL)
    processes.append(process)
    base = f"https://127.0.0.1:{port}"
    for _ in range(100):
        if subprocess.run(["curl", "-sk", "-o", os.devnull, f"{base}/small"]).returncode == 0:
            break
        time.sleep(0.05)
    return {"pid": process.pid, "header": [], "large": f"{base}/large", "small": f"{base}/small",
            "put": lambda index: f"{base}/up/{index}"}


def measure(peer, index):
    """CPU milliseconds of a large GET and PUT, and microseconds of a small GET."""
    curl = client + ["curl", "-sk", "--http1.1", "--tls13-ciphers", "TLS_AES_128_GCM_SHA256", "-o", os.devnull,
                     "-w", "%{http_code} %{size_download}", *peer["header"]]
    found = {}
    for name, words in (
            ("get_ms", curl + [peer["large"]]),
            ("put_ms", curl + ["-T", work + "/files/large", peer["put"](index)]),
            ("small_us", client + ["h2load", "--h1", "-n", str(GETS), "-c", str(CONNECTIONS), *peer["header"], peer["small"]])):
        before = cpu(peer["pid"])
        answer = run(words)
        spent = cpu(peer["pid"]) - before
        if name == "small_us":
            if f"{GETS} succeeded" not in answer:
                sys.exit(answer)
            found[name] = spent * 1e6 / GETS
        else:
            if not answer.startswith("20") or name == "get_ms" and not answer.endswith(str(SIZE)):
                sys.exit(f"{name}: {answer}")
            found[name] = spent * 1000
    return found


try:
    os.makedirs(work + "/files")
    for name, size in (("large", SIZE), ("small", 10240)):
        with open(f"{work}/files/{name}", "wb") as file:
            for at in range(0, size, 1 << 20):
                file.write(os.urandom(min(1 << 20, size - at)))
    peers = {"fcd": start_fcd()}
    if shutil.which("nginx"):
        peers["nginx"] = start_nginx()
    results = {name: [] for name in peers}
    for index in range(RUNS + 1):
        for name, peer in peers.items():
            found = measure(peer, index)
            # The first run warms up.
            if index > 0:
                results[name].append(found)
                print(name, json.dumps({key: round(value, 1) for key, value in found.items()}), flush=True)
    medians = {name: {key: statistics.median(one[key] for one in all) for key in all[0]} for name, all in results.items()}
    for name, found in medians.items():
        print("median", name, json.dumps({key: round(value, 1) for key, value in found.items()}))
    if "nginx" in medians:
        print("ratio", json.dumps({key: round(value / medians["nginx"][key], 2) for key, value in medians["fcd"].items()}))
finally:
    for process in processes:
        if process.poll() is None:
            process.send_signal(signal.SIGTERM)
            process.wait(20)
    shutil.rmtree(work, ignore_errors=True)
