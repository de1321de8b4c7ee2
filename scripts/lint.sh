#!/usr/bin/env bash
# The rules of CONTRIBUTING.md that a machine can check.
set -euo pipefail
cd "$(dirname "$0")/.."
status=0

complain() {
    printf '%s\n' "$2" | sed "s|^|lint: $1: |" >&2
    status=1
}

"${SWIFT:-swift}" format lint --strict --recursive Package.swift Sources Tests || status=1

long=$(find Sources Tests -name '*.swift' -exec wc -l {} + | awk '$2 != "total" && $1 > 400 { print $2 " has " $1 " lines" }')
[ -z "$long" ] || complain 'over 400 lines' "$long"

# All of Foundation costs the daemon 50 MB of binary, its essentials 1.5 MB of memory: only the programs beside it, and tests,
# may have them.
foundation=$(grep -rnE '^ *(@[a-z]+ )?import Foundation *$' Sources --include='*.swift' | grep -vE '^Sources/(fcc|fcbench|ChatTesting)/' || true)
[ -z "$foundation" ] || complain 'Foundation is not for this target' "$foundation"
essentials=$(grep -rnE '^ *import FoundationEssentials' Sources --include='*.swift' | grep -vE '^Sources/(fcc|fcbench|ChatTesting)/' || true)
[ -z "$essentials" ] || complain 'FoundationEssentials is not for this target' "$essentials"

forced=$(grep -rnE '\b(try|as)!' Sources --include='*.swift' | grep -vE '^[^:]*:[0-9]+: *//' || true)
[ -z "$forced" ] || complain 'forced' "$forced"

for script in scripts/*.sh bench/*.sh etc/bots/*.sh .ci/run; do
    bash -n "$script" || status=1
done
exit $status
