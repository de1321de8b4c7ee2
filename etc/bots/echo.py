#!/usr/bin/env python3
"""Answers "!echo TEXT" in #lobby with TEXT. Usage: FC_TOKEN=… echo.py HOST PORT CERTIFICATE (guest without a token)"""
import json, os, re, socket, ssl, sys, time

host, port, certificate = sys.argv[1], int(sys.argv[2]), sys.argv[3]
context = ssl.create_default_context(cafile=certificate)
context.check_hostname = False  # the certificate itself is pinned: it is the only one trusted
token, log, cursor = os.environ.get("FC_TOKEN"), None, None


def keys(line):
    pairs = re.findall(r' ([a-z0-9-]+)=("(?:[^"\\]|\\.)*"|[^ ]*)', line)
    return {key: json.loads(value) if value.startswith('"') else value for key, value in pairs}


def talk():
    global token, log, cursor
    with context.wrap_socket(socket.create_connection((host, port), 10), server_hostname=host) as wire:
        wire.settimeout(None)
        lines = wire.makefile("r", encoding="utf-8", newline="\n")

        def say(line):
            wire.sendall((line + "\n").encode())

        hello = keys(next(lines).rstrip("\n"))
        if hello.get("log") != log:
            log, cursor = hello.get("log"), None
        say(f"@in AUTH token={token}" if token else "@in AUTH anonymous=yes")
        say("@sub SUB #lobby" if cursor is None else f"@sub SUB since={cursor} #lobby")
        me = None
        for line in lines:
            line = line.rstrip("\n")
            event = keys(line)
            if line.startswith("OK @in"):
                me, token = event["user"], event["token"]
            elif line.startswith("OK @sub") and cursor is None:
                cursor = int(event["next"]) - 1
            elif line.startswith("ERR @sub"):  # what followed the cursor is no longer kept: from now on, then
                cursor = None
                say("@sub SUB #lobby")
            elif line.startswith("ERR @in") or line.startswith("BYE BAD-AUTH"):
                sys.exit(line)
            elif line.startswith("EV ") and "seq" in event:
                text = event.get("text", "")
                if line.startswith("EV msg") and event["by"] != me and text.startswith("!echo ") and text[6:].strip():
                    # The nonce makes a repeated answer harmless, should the connection be lost before the cursor moves.
                    say(f'SEND nonce=echo-{event["seq"]} reply={event["seq"]} text={json.dumps(text[6:])} #lobby')
                cursor = int(event["seq"])


wait = 1
while True:
    began = time.monotonic()
    try:
        talk()
    except (OSError, StopIteration) as fault:
        print("lost:", fault, file=sys.stderr)
    wait = 1 if time.monotonic() - began > 10 else min(wait * 2, 60)
    time.sleep(wait / 2)
