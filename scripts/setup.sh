#!/usr/bin/env bash
# Installs what building and testing needs and is not there yet. Says nothing when nothing is missing.
# With --test also what the tests run, with --ci also what the automatic checks do.
set -euo pipefail
swift=${SWIFT:-swift}

fail() {
    printf 'setup: %s\n' "$1" >&2
    exit 1
}

check_swift() {
    command -v "$swift" >/dev/null || fail 'swift is not in PATH (or name it: make SWIFT=/path/to/swift). Swift 6.3 or newer is needed: https://www.swift.org/install/linux/'
    local version
    version=$("$swift" --version 2>/dev/null | sed -n 's/.*Swift version \([0-9]*\.[0-9]*\).*/\1/p' | head -n 1)
    [ -n "$version" ] || fail 'swift does not tell its version; is the toolchain whole?'
    [ "$(printf '6.3\n%s\n' "$version" | sort -V | head -n 1)" = 6.3 ] || fail "Swift 6.3 or newer is needed, this is $version"
}

missing_packages() {
    command -v pkg-config >/dev/null || echo pkg-config
    [ -e /usr/include/openssl/ssl.h ] || echo libssl-dev
    [ -e /usr/include/utf8proc.h ] || echo libutf8proc-dev
    [ -e /usr/include/unicode/uspoof.h ] || echo libicu-dev
    [ -e /usr/include/histedit.h ] || echo libedit-dev
    # The line to try is for openssl's client.
    command -v openssl >/dev/null || echo openssl
    case "${1:-}" in --test | --ci) ;; *) return 0 ;; esac
    # The tests of durability watch and disturb the system calls of fcd.
    command -v strace >/dev/null || echo strace
    # Those of its cost count calls in a copy without debug information.
    command -v valgrind >/dev/null || echo valgrind
    command -v strip >/dev/null || echo binutils
    [ "$1" = --ci ] || return 0
    command -v make >/dev/null || echo make
}

install_packages() {
    local as=()
    if [ "$(id -u)" -ne 0 ]; then
        command -v sudo >/dev/null || fail "please install as root: apt-get install $*"
        as=(sudo)
    fi
    command -v apt-get >/dev/null || fail "please install the equivalents of these Debian packages: $*"
    echo "setup: installing $*" >&2
    export DEBIAN_FRONTEND=noninteractive
    local install=("${as[@]}" apt-get install -y -qq --no-install-recommends "$@")
    # The package lists of a new machine may be empty or old: fetch them only when the first try fails.
    "${install[@]}" >/dev/null 2>&1 || { "${as[@]}" apt-get update -qq && "${install[@]}" >/dev/null; }
}

check_swift
mapfile -t missing < <(missing_packages "${1:-}")
[ ${#missing[@]} -eq 0 ] || install_packages "${missing[@]}"
