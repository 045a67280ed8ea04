#!/usr/bin/env bash
#
# Copyright 2026 Gradstream authors.
# SPDX-License-Identifier: Apache-2.0
#
# Lets three hosts, each with a server and a coordinator, and one with workers lose each other; prints one JSON line for
# each scenario. The hosts are network namespaces: it needs root, ip and iptables, and says SKIPPED where it has not.
# Usage: system-tests/namespaces.sh [all | SCENARIO...]
#   isolate deaf mute workers-only workers-and-leader coordinator-only leader-alone link-down loss delay rolling-restart
# Ends with 0 if all that ran are ok.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

prefix=${GRADSTREAM_NAMESPACES:-gradstream}-$$
scenarios=$(IFS=,; echo "${*:-all}")
log=$(mktemp)

# What a killed test left: its processes end with it, the namespaces do not.
cleanup()
{
    ip netns list 2>/dev/null | sed "s/ .*//" | grep "^$prefix-" | while read -r name; do
        ip netns delete "$name"
    done
    rm -f "$log"
}
trap cleanup EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

echo "building, then about 40 s for each scenario ..." >&2
mkdir -p target
./mvnw -q -B -ntp ${MAVEN_OPTIONS:-} -pl system-tests -am verify -Pfaults -Dtest.groups=namespaces -Dtest.excludedGroups=none -Dit.test=NamespacesIT -Dtest=None \
    -Dsurefire.failIfNoSpecifiedTests=false -Dfailsafe.failIfNoSpecifiedTests=false -Dgradstream.scenarios="$scenarios" -Dgradstream.namespaces="$prefix" \
    >"$log" 2>&1
rc=$?
grep -o '{"scenario".*}' "$log" | sed 's/^{"scenario":"\([a-z-]*\)","skipped":/SKIPPED &/'
[[ $rc -eq 0 ]] || { grep -E '^\[ERROR\]' "$log" | head -20; cp "$log" target/namespaces.log && echo "see target/namespaces.log"; } >&2
exit $rc
