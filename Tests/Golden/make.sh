#!/usr/bin/env bash
# Makes the golden data directories beside this script, once for each version of a format: data as fcd left it when it was
# killed, a backup of it, and the talk that tells its content. Later versions must start on them and answer the same.
#   Tests/Golden/make.sh .build/release/fcd
# Refuses to touch what is there: golden data is never made again. What is said below is of the newest version; the talks
# of the older ones stand beside their data.
set -euo pipefail
fcd=$(realpath "$1")
cd "$(dirname "$0")"
version=3
[ ! -e journal-$version ] && [ ! -e snapshot-$version ] || { echo 'the golden data is there already' >&2; exit 1; }
work=$(mktemp -d)
trap 'kill -9 "${pid:-}" 2>/dev/null || true; rm -rf "$work"' EXIT

start() { # DATA
    data=$1
    rm -f "$work/ready"
    "$fcd" --data "$1" --chat 127.0.0.1:0 --plain 127.0.0.1:0 --blobs 127.0.0.1:0 --set limits.rate=off \
        --set auth.scrypt-n=1024 --set auth.scrypt-p=1 --set snapshot.interval=86400 >"$work/ready" 2>"$work/log" &
    pid=$!
    until grep -qs "^READY" "$work/ready"; do kill -0 $pid; sleep 0.05; done
    port=$(sed 's/.* plain=127.0.0.1:\([0-9]*\) .*/\1/' "$work/ready")
}

stop() { kill -9 $pid; wait $pid 2>/dev/null || true; }

# Says what comes on standard input and BYE; what is answered goes to standard output.
converse() {
    exec 3<>"/dev/tcp/127.0.0.1/$port"
    { cat; printf 'BYE\n'; } >&3
    cat <&3 | tee "$work/said"
    exec 3<&-
}

# The same; no ERR may be in it.
say() {
    converse
    if grep '^ERR' "$work/said" >&2; then exit 1; fi
}

# The talk of a user as the tests repeat it: requests, and answers without what differs from start to start.
tell() { # REQUESTS
    local request
    printf '%s\n' "$1" | sed 's/^/> /'
    printf '%s\n' "$1" | converse | sed -E '1d; s/(url|token)=[^ ]+/\1=*/g; /^BYE/d; s/^/< /' | sed '$d'
}

content() {
    tell "AUTH ada Secret123
WHOAMI
PROFILE
PROFILE bob
USERS
TOKENS
BLOCKS
CONVS
MEMBERS #room
SEARCH #room hear
HISTORY limit=200 #room
HISTORY limit=200 #lobby
HISTORY limit=200 @bob
LIST
ITEMS items/tea
ITEMS where=\"price>2\" items/tea
ITEM #room/todo 1
PUT-ITEM items/shop {\"price\":\"cheap\"}"
    tell "AUTH bob another-Secret
CONVS
SEND #quiet may not write
JOIN #shut
HISTORY limit=200 #gina
MEMBERS #quiet
HISTORY limit=200 #den
HISTORY limit=200 @ada"
}

first() {
    say <<'END'
SIGNUP name=ada display="Ada L." ada@example.test Secret123
CREATE title="Plants and such" #room
SEND nonce=n1 #room مرحبا 你好 👋
SEND geo=48.2,16.37 #room here
SEND kind=x-poll #lobby good "morning"\\
SEND #room one more
END
    say <<'END'
SIGNUP name=bob bob@example.test another-Secret
JOIN #room
SEND reply=3 #room an answer
CREATE private=yes #den
SEND #den nobody hears this
INVITE #den ada
SEND @ada between the two of us
END
    third
    items
}

# What came with version 3.
items() {
    printf 'ADMIN SCHEMA items/shop {"price":"double!","name":"string"}\n' | nc -N -U "$data/control.sock" >&2
    say <<'END'
AUTH ada Secret123
PUT-ITEM id=green items/tea {"name":"Green tea","price":2.50,"hot":true}
PUT-ITEM id=mate items/tea {"name":"متة","price":4}
PUT-ITEM id=gone items/tea {"name":"nobody should read this"}
DEL-ITEM items/tea gone
PUT-ITEM id=green items/tea {"name":"Green tea","price":3}
PUT-ITEM id=1 #room/todo {"what":"water the \u200e plants","at":"2026-01-31T12:00:00Z"}
END
}

# What came with version 2.
third() {
    say <<'END'
AUTH ada Secret123
PROFILE display="Ada Lovelace" phone="+44 20" bio="numbers\\nand more"
TOKEN scope=read,send bot
TOPIC #room Plants, stones and such
EDIT #room 2 مرحبا 你好 👋 edited
EDIT #room 2 مرحبا 你好 👋 edited twice
SEND #room nobody should read this
DELETE #room 10
EMOTE #room 2 👍
EMOTE #room 4 ❤️
EMOTE off=yes #room 4 ❤️
GRANT role=op #room bob
CREATE #quiet
CREATE #shut
CREATE #gone
DROP #gone
END
    say <<'END'
AUTH bob another-Secret
JOIN #quiet
JOIN #shut
EMOTE #room 2 👍
SEEN #lobby 2
END
    say <<'END'
AUTH ada Secret123
MUTE #quiet bob
BAN #shut bob no plants
END
    say <<'END'
AUTH anonymous=yes
SEND #lobby from a guest
LINK name=gina gina@example.test Secret123
CREATE #gina
SEND #gina all by myself
BLOCK bob
END
    say <<'END'
SIGNUP name=dora dora@example.test Secret123
JOIN #room
SEND #room gone with her
EMOTE #room 2 👍
UNREGISTER Secret123
END
}

second() {
    { printf 'AUTH ada Secret123\nPUT-BLOB size=5000 type=application/octet-stream name=pattern.bin\n'
        head -c 5000 < <(yes 'a pattern of many lines'); } | say >"$work/put"
    local blob
    blob=$(sed -n 's/^OK blob=\(b_[^ ]*\) .*/\1/p' "$work/put")
    say <<END
AUTH ada Secret123
SEND blob=$blob #room a pattern
JOIN #den
END
    say <<'END'
AUTH bob another-Secret
LEAVE #room
END
}

keep() { # NAME
    mkdir -p "$1"
    # No key of anybody's is to be in the repository; a start makes another certificate.
    rm -f "$work/$1/tls/"*
    "$fcd" backup --data "$work/$1" "$1/backup" >&2
    mkdir "$1/data"
    for part in journal snapshot blobs; do
        [ -z "$(ls "$work/$1/$part")" ] || cp -r "$work/$1/$part" "$1/data/$part"
    done
    rm -f "$1/data/journal/spare"
    cp -r "$work/$1" "$work/copy"
    start "$work/copy"
    content >"$1/talk"
    stop
    rm -rf "$work/copy"
}

start "$work/journal-$version"
first >&2
stop
keep journal-$version

start "$work/snapshot-$version"
first >&2
"$fcd" snapshot --data "$work/snapshot-$version" >&2
second >&2
"$fcd" snapshot --data "$work/snapshot-$version" >&2
printf 'AUTH ada Secret123\nSEND #room after the snapshot\n' | say >&2
stop
keep snapshot-$version
