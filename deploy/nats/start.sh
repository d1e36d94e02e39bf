#!/bin/sh
# start.sh <store folder> <command>: runs the command once the streams are where nats.conf looks for them. Before they
# had an account of their own, they stood in the one that every user shared.
set -eu
store=$1/jetstream
shift
if [ -d "$store/\$G" ] && [ ! -e "$store/STREAMS" ]; then mv "$store/\$G" "$store/STREAMS"; fi
exec "$@"
