#!/bin/sh
# start.sh <store folder> <command>: runs the command, and ends it when it must be restarted.
set -eu
folder=$1
shift

# After a failed write, for instance on a full disk, a single server accepts no more messages for that stream until it
# is restarted, and its health check still succeeds. So this script ends it once there is space, and the supervisor
# restarts it.
restart_when_there_is_room() {
  until head -c 16777216 /dev/zero >"$folder/room" 2>/dev/null; do sleep 1; done
  rm -f "$folder/room"
  kill -TERM "$1"
}

# Passes on the server's output until it ends; signals go to the server.
watch() {
  rm -f "$output"
  trap '' TERM INT HUP
  waiting=
  while IFS= read -r line; do
    printf '%s\n' "$line"
    case $line in
      *'critical write error'*)
        if [ -z "$waiting" ]; then
          restart_when_there_is_room "$1" &
          waiting=$!
        fi
        ;;
    esac
  done
  if [ -n "$waiting" ]; then kill -KILL "$waiting" 2>/dev/null || true; fi
}

mkdir -p "$folder"
output=$folder/output
rm -f "$output" "$folder/room"
mkfifo "$output"
watch $$ <"$output" &
exec "$@" >"$output" 2>&1
