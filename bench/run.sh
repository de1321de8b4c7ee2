#!/bin/bash
# What fcd costs beside other servers: fcbench loads each of them in turn in the same scenarios, over TLS with the same
# suite, and one table tells medians and ratios. fcd always takes part, the others where they are installed. Everything is
# on 127.0.0.1 and in a temporary directory, the server on the first CPU, the generator on the last; servers are stopped by
# their process ids. About 14 minutes with all of them. Exit status 1 when fcd lost, doubled or disordered anything.
#
# SCENARIOS  which of these, in this order (all)
#              fan100 fan1000        one publisher, 100 or 1,000 readers, as fast as they take it
#              many                  50 rooms of 20 who all talk and all read
#              rate                  1,000 messages a second to 100: how late they come
#              readers stalled       100 messages a second to 900, and the same with 100 more who never read
#              acked1 acked64 acked1x64  messages on disk before they are answered: 1 sender, 64, 1 with 64 under way
#              idle                  memory and CPU of CONNS connections that say nothing
#              handshake resumed signin  CONNS connections that come and go: the handshake, with a ticket, with sign-in
# PEERS      which of these beside fcd (redis nats ngircd inspircd)
# RUNS       how often each (3); SECS seconds of sending (3); CONNS (2000)
# FCD, FCBENCH  the programs (.build/release/...), FLAGS more options for fcd
#
# The words of every run are kept in bench/work/results.txt; `fcbench table --from FILE` makes the table of any such lines.
set -u
cd "$(dirname "$0")/.." || exit 1
FCD=$(realpath -m "${FCD:-.build/release/fcd}")
FCBENCH=$(realpath -m "${FCBENCH:-.build/release/fcbench}")
RUNS=${RUNS:-3} SECS=${SECS:-3} CONNS=${CONNS:-2000} PEERS=${PEERS-redis nats ngircd inspircd}
SCENARIOS=${SCENARIOS:-fan100 fan1000 many rate readers stalled acked1 acked64 acked1x64 idle handshake resumed signin}
for program in "$FCD" "$FCBENCH"; do
    [ -x "$program" ] || { echo "bench: $program is missing; run 'make build' first" >&2; exit 1; }
done
ulimit -n "$(ulimit -Hn)" 2>/dev/null
ulimit -c 0
# shellcheck source=bench/peers.sh
. bench/peers.sh

server='' generator=''
cpus=$(nproc)
if [ "$cpus" -gt 1 ] && command -v taskset >/dev/null; then
    server="taskset -c 0" generator="taskset -c $((cpus - 1))"
fi

data=$(mktemp -d "${TMPDIR:-/tmp}/fcbench-XXXXXX") || exit 1
pid='' home=''
trap 'stop; rm -rf "$data"' EXIT
trap 'exit 130' INT TERM
make_certificate || { echo "bench: openssl could not make a certificate" >&2; exit 1; }

# fcbench's mode and options for a scenario, and whether messages are to be stored.
plan() {
    stored=
    case $1 in
    fan100) options='fan --subs 100 --window 256' ;;
    fan1000) options='fan --subs 1000 --window 256' ;;
    many) options='many --rooms 50 --members 20 --window 2' ;;
    rate) options='rate --rate 1000 --subs 100' ;;
    readers) options='rate --rate 100 --subs 900 --bytes 300' ;;
    stalled) options='rate --rate 100 --subs 1000 --stalled 100 --bytes 300' ;;
    acked1) options='acked --senders 1 --inflight 1' stored=yes ;;
    acked64) options='acked --senders 64 --inflight 1' stored=yes ;;
    acked1x64) options='acked --senders 1 --inflight 64' stored=yes ;;
    idle) options="idle --conns $CONNS" ;;
    handshake) options="storm --conns $CONNS --no-sign-in" ;;
    resumed) options="storm --conns $CONNS --no-sign-in --resume" ;;
    signin) options="storm --conns $CONNS" ;;
    *) echo "bench: unknown scenario $1" >&2; exit 2 ;;
    esac
    case $1 in handshake | resumed | signin) ;; *) options="$options --secs $SECS" ;; esac
}

# One run of a scenario against a fresh server; its words go to the results.
run() {
    local words
    start "$2" $stored || return 1
    # shellcheck disable=SC2086
    words=$(timeout $((${SECS%.*} + 200)) $generator "$FCBENCH" --proto "$protocol" --port "$port" --server-pid "$pid" \
        --conc "$crowd" --raw $options)
    local result=$?
    [ -n "$words" ] && echo "scenario=$1 server=$2 run=$3 $words" >>"$results"
    stop
    return $result
}

status=0 results=$data/results
peers=fcd
for scenario in $SCENARIOS; do plan "$scenario"; done
for peer in $PEERS; do if installed "$peer"; then peers="$peers $peer"; fi; done
for scenario in $SCENARIOS; do
    plan "$scenario"
    for run in $(seq "$RUNS"); do
        for peer in $peers; do
            # What is not kept at all cannot be compared with what is.
            case $stored$peer in yesnats | yesngircd | yesinspircd) continue ;; esac
            echo "bench: $scenario, run $run of $RUNS: $peer" >&2
            run "$scenario" "$peer" "$run" || { [ "$peer" = fcd ] && status=1; }
        done
    done
done

mkdir -p bench/work && {
    echo "# $(date -u +%FT%TZ) $(uname -r) $(sed -n 's/^model name.*: //p' /proc/cpuinfo | head -n 1), $cpus CPUs"
    cat "$results"
} >>bench/work/results.txt
"$FCBENCH" table --from "$results"
exit $status
