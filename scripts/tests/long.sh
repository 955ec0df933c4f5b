#!/usr/bin/env bash
# What takes too long for every change: every page of the dashboard, simulations under many seeds, two minutes of
# fuzzing for each reader of what others write, servers with replicas that fail over, faults again and again; tests on
# other dates, where `faketime` is installed; the adapter for Prebid Server, where its module is to be had or
# PREBID_SERVER_SOURCES names its sources; and a quarter of an hour of soak, in which nothing may grow. Starts the real
# servers where none are named. About two hours and a half on two cores; .github/workflows/weekly.yml runs it each week.
#
#   npm run check:long         RUNS=<clusters in virtual time=400> ROUNDS=<of faults=3> SECONDS_EACH=<reader=120>
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
export REQUIRE_REAL_SERVERS=1
runs=${RUNS:-400} rounds=${ROUNDS:-3} each=${SECONDS_EACH:-120}
seed=$((RANDOM * 100))

failed=()
step() {
  echo "── $1"
  shift
  "$@" || failed+=("$*")
}

if [[ -z ${REDIS_URL:-} || -z ${MONGODB_URL:-} ]]; then
  settings=$(scripts/servers.sh start) || exit 1
  eval "$settings"
  trap 'scripts/servers.sh stop' EXIT
  trap 'exit 130' INT TERM
fi

# Tests pass on each date: Node is told another one, without real servers, which may not start below libfaketime.
dated=management,scheduler,money,specification-a-d,specification-e-z,edge,rules
on() {
  step "tests on $1" env -u REDIS_URL -u MONGODB_URL -u REQUIRE_REAL_SERVERS PATH="$without_servers:$PATH" \
    faketime -m --exclude-monotonic -f "+$(($(date -ud "$1" +%s) - $(date +%s)))s" node scripts/tests/run.mjs --group "$dated"
}
if command -v faketime >/dev/null; then
  without_servers=$(mktemp -d)
  ln -s "$(command -v false)" "$without_servers/redis-server"
  month=$(date -ud "$(date -u +%Y-%m-01) + 1 month" +%F)
  on "$month 00:02"
  on "$(date -ud "$month + 1 month - 1 day" +%F) 12:00"
  on '2028-02-29 12:00'
  rm -r "$without_servers"
else
  echo 'Left out: tests on other dates (faketime is not installed).'
fi

step 'every page of the dashboard' env WHOLE=1 node scripts/tests/run.mjs --group browser,pages --lanes 2
step 'the log on replicas' node scripts/tests/run.mjs --group failovers
step 'clusters in virtual time' node --enable-source-maps dist/runtime/simulator/simulate.js --seed "$seed" --runs "$runs"
step 'months of money' node --enable-source-maps dist/test/simulation/money/simulate.js --seed "$seed" --runs $((runs / 10 + 1))
step 'parsers' node scripts/fuzz-parsers.mjs --seconds "$each"
step 'faults on real servers' node --enable-source-maps dist/test/faults/suite/run.js
step 'the adapter for Prebid Server' node scripts/prebid-server.mjs
step 'soak' node --enable-source-maps dist/bench/run.js --only soak --minutes 15 --strict
for round in $(seq "$rounds"); do
  step "faults, round $round of $rounds" node scripts/tests/run.mjs --group faults,more-faults,programs --lanes 1
done

[[ ${#failed[@]} -eq 0 ]] && echo 'All held.' && exit
printf 'failed: %s\n' "${failed[@]}"
exit 1
