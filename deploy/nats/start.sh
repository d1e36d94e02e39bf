#!/bin/sh
# start.sh <store folder> <command>: runs the command once the streams are where nats.conf looks for them. Before they
# had an account of their own, they stood in the one that every user shared.
set -eu
folder=$1
store=$folder/jetstream
shift
if [ -d "$store/\$G" ] && [ ! -e "$store/STREAMS" ]; then mv "$store/\$G" "$store/STREAMS"; fi

# A server that stands alone takes nothing more into a stream to which it could not write once, as on a full disk, until
# it is started anew; its health check says nothing of it. So it is ended once there is room, for whoever restarts it.
restart_when_there_is_room() {
  until head -c 16777216 /dev/zero >"$folder/room" 2>/dev/null; do sleep 1; done
  rm -f "$folder/room"
  kill -TERM "$1"
}

# Hands on what the server says until that ends; signals are meant for the server.
watch() {
  rm -f "$said"
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
said=$folder/said
rm -f "$said" "$folder/room"
mkfifo "$said"
watch $$ <"$said" &
exec "$@" >"$said" 2>&1
