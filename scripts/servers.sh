#!/usr/bin/env bash
# Real servers for the tests: Redis that syncs every write, and one that speaks MongoDB's protocol, on free ports and in a
# temporary folder.
#
#   eval "$(scripts/servers.sh start)"   starts both and sets REDIS_URL, MONGODB_URL, …
#   scripts/servers.sh stop              stops what that started and removes the folder
#
# WITH_S3=1 adds versitygw, a server of S3, whose first build takes minutes more; sets S3_URL and the credentials.
#
# Needs redis-server and Go 1.24 or newer. The first build of the second server takes a few minutes.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

stop() {
  local folder=${TEST_SERVERS:?is not set: nothing was started from here} pid
  for pid in $(cat "$folder"/*.pid 2>/dev/null); do
    kill "$pid" 2>/dev/null || true
    for _ in {1..50}; do
      kill -0 "$pid" 2>/dev/null || break
      sleep 0.1
    done
    kill -9 "$pid" 2>/dev/null || true
  done
  rm -rf "$folder"
}

fail() {
  echo "$1" >&2
  [[ $# -gt 1 ]] && tail -n 20 "$2" >&2
  [[ -n ${TEST_SERVERS:-} ]] && stop
  exit 1
}

free_port() {
  node -e 'const s = net.createServer().listen(0, "127.0.0.1", () => s.close(console.log(s.address().port)))'
}

# awaited <what> <log file> <command…>: until the command succeeds, 20 s at most.
awaited() {
  local what=$1 log=$2
  shift 2
  for _ in {1..200}; do
    "$@" >/dev/null 2>&1 && return
    sleep 0.1
  done
  fail "$what did not start" "$log"
}

# In memory where there is plenty: what tests do to servers is to end their processes, not to cut the machine's power.
fast_folder() {
  local free_kib
  free_kib=$(df --output=avail /dev/shm 2>/dev/null | tail -n 1)
  if [[ -w /dev/shm && ${free_kib:-0} -gt $((4 * 1024 * 1024)) ]]; then echo /dev/shm; else echo "${TMPDIR:-/tmp}"; fi
}

start() {
  command -v redis-server >/dev/null || fail 'redis-server is not installed'
  command -v go >/dev/null || fail 'Go is not installed'
  local binary=.build/servers/mongo-test-server redis_port mongo_url
  test/servers/mongo/build "$binary" >&2 || fail 'the MongoDB-protocol server could not be built'

  export TEST_SERVERS
  TEST_SERVERS=$(mktemp -d -p "$(fast_folder)")
  mkdir "$TEST_SERVERS/redis" "$TEST_SERVERS/mongo"

  redis_port=$(free_port)
  redis-server --bind 127.0.0.1 --port "$redis_port" --dir "$TEST_SERVERS/redis" --save '' \
    --appendonly yes --appendfsync always --maxmemory-policy noeviction \
    >"$TEST_SERVERS/redis.log" 2>&1 </dev/null &
  echo $! >"$TEST_SERVERS/redis.pid"
  "$binary" --dir "$TEST_SERVERS/mongo" >"$TEST_SERVERS/mongo.url" 2>"$TEST_SERVERS/mongo.log" </dev/null &
  echo $! >"$TEST_SERVERS/mongo.pid"

  [[ ${WITH_S3:-} != 1 ]] || start_s3

  awaited 'Redis' "$TEST_SERVERS/redis.log" redis-cli -p "$redis_port" ping
  awaited 'the MongoDB-protocol server' "$TEST_SERVERS/mongo.log" grep -q . "$TEST_SERVERS/mongo.url"
  mongo_url=$(<"$TEST_SERVERS/mongo.url")

  # A server of this kind has 100 connections of its own, and a write command may need one for each of its statements:
  # maxPoolSize × MONGODB_WRITE_BATCH stays below 80.
  echo "export TEST_SERVERS=$TEST_SERVERS"
  echo "export REDIS_URL=redis://127.0.0.1:$redis_port"
  echo "export MONGODB_URL='$mongo_url?maxPoolSize=4'"
  echo 'export MONGODB_WRITE_BATCH=16'
  echo 'export REQUIRE_REAL_SERVERS=1'
}

# The pinned server on a folder of its own, with credentials that only it knows. Prints nothing but its settings.
start_s3() {
  local gateway=$PWD/.build/servers/versitygw port key=test-key secret
  secret=$(node -p 'crypto.randomBytes(16).toString("hex")')
  GOBIN=$(dirname "$gateway") go install github.com/versity/versitygw/cmd/versitygw@v1.8.0 >&2 ||
    fail 'the server of S3 could not be built'
  mkdir "$TEST_SERVERS/s3"
  port=$(free_port)
  ROOT_ACCESS_KEY=$key ROOT_SECRET_KEY=$secret "$gateway" --port "127.0.0.1:$port" posix "$TEST_SERVERS/s3" \
    >"$TEST_SERVERS/s3.log" 2>&1 </dev/null &
  echo $! >"$TEST_SERVERS/s3.pid"
  awaited 'the server of S3' "$TEST_SERVERS/s3.log" bash -c "</dev/tcp/127.0.0.1/$port"
  echo "export S3_URL=http://127.0.0.1:$port AWS_ACCESS_KEY_ID=$key AWS_SECRET_ACCESS_KEY=$secret"
}

case ${1:-} in
  start) start ;;
  stop) stop ;;
  *) fail 'Usage: scripts/servers.sh start | stop' ;;
esac
