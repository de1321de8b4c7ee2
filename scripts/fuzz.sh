#!/usr/bin/env bash
# Fuzzes what reads requests on the blob port. TIME=60 seconds, finds and new inputs in .build/fuzz; ARGS='…' for libFuzzer.
set -euo pipefail
cd "$(dirname "$0")/.."
out=.build/fuzz
mkdir -p "$out/http" "$out/finds"
# The reader imports nothing, so it is compiled without the package.
"${SWIFTC:-swiftc}" -O -swift-version 6 -parse-as-library -package-name FriendlyChat -module-name HTTPFuzzer \
    -sanitize=fuzzer,address Sources/BlobFrontEnd/HTTP/*.swift Tests/Fuzz/HTTPFuzzer.swift -o "$out/http-fuzzer"
# Without leak detection, which cannot look into a process that is traced; nothing here allocates by hand.
ASAN_OPTIONS=detect_leaks=0 "$out/http-fuzzer" -max_total_time="${TIME:-60}" -max_len=20000 -timeout=5 -print_final_stats=1 \
    -artifact_prefix="$out/finds/" ${ARGS:-} "$out/http" Tests/Fuzz/http
