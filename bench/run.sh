#!/bin/bash
# Loads the release build of fcd with fcbench in its four modes and prints one table. Everything is on 127.0.0.1 and in
# a temporary directory; the daemon is stopped by its process id. Exit status 1 when a mode lost, doubled or disordered
# anything.
#
# SECS       seconds of sending in each mode (3)
# FCD, FCBENCH  the programs (.build/release/...), FLAGS more options for the daemon
# MODES      which modes to run (fan many rate acked)
set -u
cd "$(dirname "$0")/.." || exit 1
FCD=$(realpath -m "${FCD:-.build/release/fcd}")
FCBENCH=$(realpath -m "${FCBENCH:-.build/release/fcbench}")
SECS=${SECS:-3}
MODES=${MODES:-fan many rate acked}
for program in "$FCD" "$FCBENCH"; do
    [ -x "$program" ] || { echo "bench: $program is missing; run 'make build' first" >&2; exit 1; }
done
ulimit -n "$(ulimit -Hn)" 2>/dev/null

# The generator has the last CPU to itself, so that neither side takes time from the other.
server='' generator=''
cpus=$(nproc)
if [ "$cpus" -gt 1 ] && command -v taskset >/dev/null; then
    server="taskset -c 0-$((cpus - 2))" generator="taskset -c $((cpus - 1))"
fi

data=$(mktemp -d "${TMPDIR:-/tmp}/fcbench-XXXXXX") || exit 1
pid=
finish() {
    if [ -n "$pid" ] && kill "$pid" 2>/dev/null; then
        for _ in $(seq 100); do kill -0 "$pid" 2>/dev/null || break; sleep 0.1; done
        kill -9 "$pid" 2>/dev/null
        wait "$pid" 2>/dev/null
    fi
    rm -rf "$data"
}
trap finish EXIT
trap 'exit 130' INT TERM

# shellcheck disable=SC2086
$server "$FCD" --data "$data/data" --chat 127.0.0.1:0 --plain none --blobs 127.0.0.1:0 \
    --set limits.rate=off --set auth.anonymous-create=on ${FLAGS:-} >"$data/out" 2>"$data/err" &
pid=$!
port=
for _ in $(seq 200); do
    port=$(sed -n 's/^READY .*chat=[^ ,]*:\([0-9]*\).*/\1/p' "$data/out")
    [ -n "$port" ] && break
    kill -0 "$pid" 2>/dev/null || break
    sleep 0.05
done
if [ -z "$port" ]; then
    echo "bench: the daemon did not get ready:" >&2
    tail -5 "$data/err" >&2
    exit 1
fi

status=0 header=
for mode in $MODES; do
    case $mode in
    fan) options='--subs 100 --window 256' ;;
    many) options='--rooms 50 --members 20 --window 2' ;;
    rate) options='--rate 1000 --subs 100' ;;
    acked) options='--senders 64 --inflight 1' ;;
    *) echo "bench: unknown mode $mode" >&2; exit 2 ;;
    esac
    # shellcheck disable=SC2086
    timeout $((${SECS%.*} + 120)) $generator "$FCBENCH" --port "$port" --server-pid "$pid" --secs "$SECS" \
        $header "$mode" $options || status=1
    header=--no-header
done
exit $status
