# Sourced by run.sh: the servers that are compared, how each is started, found ready and stopped. One runs at a time, on
# the first CPU, with new data in a directory of its own below $data; `pid` is its process and `port` its port with TLS.
# All have the same certificate (ECDSA P-256) and nothing that holds back a client: no rates, no penalties, long queues.

# What a server is called as a package and as a program, what it speaks, and how many connections may be under way at its
# door: ngircd lets few wait, inspircd lets people in once a second.
about() {
    case $1 in
    fcd) program=$FCD package=fcd protocol=fc crowd=32 ;;
    redis) program=redis-server package=redis-server protocol=redis crowd=32 ;;
    nats) program=nats-server package=nats-server protocol=nats crowd=32 ;;
    ngircd) program=ngircd package=ngircd protocol=irc crowd=8 ;;
    inspircd) program=inspircd package=inspircd protocol=irc crowd=256 ;;
    *) echo "bench: unknown server $1: one of redis nats ngircd inspircd" >&2; exit 2 ;;
    esac
}

# Whether a server is there; says what to install when it is not.
installed() {
    about "$1"
    local path
    path=$(PATH=$PATH:/usr/sbin:/usr/local/sbin command -v "$program") && { program=$path; return 0; }
    echo "bench: $1 is left out: there is no $program (apt-get install $package)" >&2
    return 1
}

make_certificate() {
    openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 3650 -subj /CN=localhost \
        -addext subjectAltName=DNS:localhost,IP:127.0.0.1 -keyout "$data/key.pem" -out "$data/cert.pem" 2>/dev/null &&
        chmod 600 "$data/key.pem"
}

is_up() { (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null; }

# A port nobody listens on, below those that the kernel gives to clients.
free_port() {
    local try
    for _ in $(seq 100); do
        try=$((20000 + RANDOM % 10000))
        is_up "$try" || { echo "$try"; return; }
    done
}

# start SERVER [stored]: with `stored`, what is sent is on disk before it is answered. False when it does not get ready.
start() {
    installed "$1" || return 1
    home=$data/$1.$RANDOM$RANDOM port=$(free_port) pid=
    mkdir -p "$home" || return 1
    "configure_$1" "${2:-}"
    # shellcheck disable=SC2086
    (cd "$home" && exec $server "${command[@]}") >"$home/out" 2>"$home/err" &
    pid=$!
    for _ in $(seq 400); do
        kill -0 "$pid" 2>/dev/null || break
        # fcd says when it is ready, and at which port.
        if [ "$1" = fcd ]; then port=$(sed -n 's/^READY .*chat=[^ ,]*:\([0-9]*\).*/\1/p' "$home/out"); fi
        [ -n "$port" ] && is_up "$port" && return 0
        sleep 0.05
    done
    echo "bench: $1 did not get ready:" >&2
    tail -n 5 "$home/out" "$home/err" >&2
    stop
    return 1
}

# Ends the server by its process id, in five seconds at the latest, and removes its data. How it ends is its own affair:
# the shell need not report it.
stop() {
    [ -n "$pid" ] || return 0
    {
        kill "$pid"
        for _ in $(seq 50); do kill -0 "$pid" || break; sleep 0.1; done
        kill -9 "$pid"
        wait "$pid"
    } 2>/dev/null
    pid=
    rm -rf "$home"
}

configure_fcd() {
    # shellcheck disable=SC2206
    command=("$program" --data "$home/data" --chat 127.0.0.1:0 --plain none --blobs 127.0.0.1:0
        --set limits.rate=off --set auth.anonymous-create=on
        --set "tls.certificate=$data/cert.pem" --set "tls.key=$data/key.pem" ${FLAGS:-})
}

configure_redis() {
    cat >"$home/redis.conf" <<END
bind 127.0.0.1
port 0
tls-port $port
tls-cert-file $data/cert.pem
tls-key-file $data/key.pem
tls-auth-clients no
protected-mode no
maxclients 50000
timeout 0
client-output-buffer-limit pubsub 0 0 0
loglevel warning
save ""
dir $home
END
    if [ -n "$1" ]; then
        printf 'appendonly yes\nappendfsync always\nauto-aof-rewrite-percentage 0\n' >>"$home/redis.conf"
    fi
    command=("$program" redis.conf)
}

configure_nats() {
    cat >"$home/nats.conf" <<END
host: "127.0.0.1"
port: $port
max_connections: 100000
max_pending: 512MB
write_deadline: "60s"
ping_interval: "10m"
tls { cert_file: "$data/cert.pem", key_file: "$data/key.pem", timeout: 60 }
END
    command=("$program" -c nats.conf)
}

configure_ngircd() {
    cat >"$home/ngircd.conf" <<END
[Global]
    Name = irc.local
    Info = bench
    AdminInfo1 = bench
    Listen = 127.0.0.1
    Ports = $(free_port)
    ServerUID = $(id -u)
    ServerGID = $(id -g)
[Limits]
    MaxConnections = 0
    MaxConnectionsIP = 0
    MaxJoins = 0
    MaxPenaltyTime = 0
    PingTimeout = 3600
    PongTimeout = 3600
[Options]
    DNS = no
    Ident = no
    PAM = no
[SSL]
    CertFile = $data/cert.pem
    KeyFile = $data/key.pem
    Ports = $port
END
    command=("$program" -n -f "$home/ngircd.conf")
}

configure_inspircd() {
    local modules
    modules=$(dirname "$(find /usr/lib /usr/local/lib -name m_ssl_gnutls.so -path '*inspircd*' 2>/dev/null | head -n 1)")
    mkdir "$home/data" "$home/logs" "$home/run"
    cat >"$home/inspircd.conf" <<END
<server name="irc.local" description="bench" network="bench" id="001">
<admin name="bench" nick="bench" email="bench@localhost">
<module name="ssl_gnutls">
<sslprofile name="bench" provider="gnutls" certfile="$data/cert.pem" keyfile="$data/key.pem" requestclientcert="no">
<bind address="127.0.0.1" port="$port" type="clients" sslprofile="bench">
<connect name="main" allow="*" timeout="120" pingfreq="3600" recvq="4194304" softsendq="268435456" hardsendq="268435456"
    commandrate="1000000000" threshold="1000000" fakelag="no" useident="no" resolvehostnames="no" maxconnwarn="no"
    limit="100000" localmax="100000" globalmax="100000" maxchans="100">
<performance softlimit="100000" somaxconn="4096" netbuffersize="65534" quietbursts="yes">
<dns server="127.0.0.1" timeout="1">
<path configdir="$home" datadir="$home/data" logdir="$home/logs" runtimedir="$home/run" moduledir="$modules">
<pid file="$home/run/pid">
<log method="file" level="sparse" type="*" target="$home/logs/log">
END
    command=("$program" --nofork --config="$home/inspircd.conf")
    if [ "$(id -u)" = 0 ]; then command+=(--runasroot); fi
}
