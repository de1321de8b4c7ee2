#!/usr/bin/env bash
# Answers "!echo TEXT" in #lobby with TEXT. Usage: FC_TOKEN=… echo.sh HOST PORT CERTIFICATE (guest without a token)
# Needs bash and openssl; s_client is a coprocess that turns lines into TLS. Texts with escapes (\" \\ \u…) are sent back
# as they came: text= takes the same JSON string.
set -u
trap '' PIPE
host=$1 port=$2 certificate=$3
token=${FC_TOKEN:-} log='' cursor='' wait=1

# The value of key $2 in the line $1; of text=, which is last, the JSON string with its quotes.
value() {
    if [[ $2 == text ]]; then
        [[ $1 =~ \ text=(\".*\")$ ]] && printf '%s' "${BASH_REMATCH[1]}"
    else
        [[ ${1%% text=\"*} =~ \ $2=([^\ ]*) ]] && printf '%s' "${BASH_REMATCH[1]}"
    fi
}

say() { printf '%s\n' "$1" >&"$out"; }
talk() {
    local line me='' text
    while IFS= read -r line <&"$in"; do
        case $line in
            'HI '*)
                if [[ $(value "$line" log) != "$log" ]]; then log=$(value "$line" log) cursor=''; fi
                if [[ -n $token ]]; then say "@in AUTH token=$token"; else say "@in AUTH anonymous=yes"; fi
                ;;
            'OK @in '*)
                me=$(value "$line" user) token=$(value "$line" token)
                say "@sub SUB ${cursor:+since=$cursor }#lobby"
                ;;
            'OK @sub '*) [[ -n $cursor ]] || cursor=$(($(value "$line" next) - 1)) ;;
            'ERR @sub '*) # what followed the cursor is no longer kept: from now on, then
                cursor=''
                say '@sub SUB #lobby'
                ;;
            'ERR @in '* | 'BYE BAD-AUTH'*) exit 1 ;;
            'EV '*' seq='*)
                text=$(value "$line" text)
                if [[ $line == 'EV msg '* && $(value "$line" by) != "$me" && $text == '"!echo '*[!\ ]*'"' ]]; then
                    say "SEND nonce=echo-$(value "$line" seq) reply=$(value "$line" seq) text=\"${text#\"!echo } #lobby"
                fi
                cursor=$(value "$line" seq)
                ;;
        esac
    done
}

while true; do
    began=$SECONDS
    coproc WIRE { exec openssl s_client -quiet -verify_quiet -verify_return_error -CAfile "$certificate" -connect "$host:$port" 2>/dev/null; }
    pid=$WIRE_PID
    exec {in}<&"${WIRE[0]}" {out}>&"${WIRE[1]}" # bash forgets its own when openssl ends, whatever is still to be read
    talk
    kill "$pid" 2>/dev/null
    exec {in}<&- {out}>&- && wait "$pid" 2>/dev/null
    if ((SECONDS - began > 10)); then wait=1; else wait=$((wait < 30 ? wait * 2 : 60)); fi
    sleep "$((wait / 2))"
done
