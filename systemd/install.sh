#!/bin/sh
# Builds, installs and enables activityd as a service of systemd. Safe to run again: it updates what
# is there, and keeps configuration and state.
#
#   systemd/install.sh               build, install, enable and start (or restart)
#   systemd/install.sh --no-build    install what was built before
#   systemd/install.sh --uninstall   stop and remove; configuration and state stay
#
# PREFIX is where it goes, /usr/local by default. With DESTDIR everything is put below that folder,
# as packagers do, and the running system isn't touched.
set -eu
cd "$(dirname "$0")/.."

prefix=${PREFIX:-/usr/local}
root=${DESTDIR:-}
binary=.build/release/activityd
units="activityd.service activityd.socket activityd@.service activityd@.socket"
manuals="activityd.8 activityd.conf.5 activityd-protocol.7"
keys=
trap 'rm -f "$keys"' EXIT

build() {
  swift build -c release --product activityd --static-swift-stdlib
}

# Puts a file where it belongs. Paths in it are those of a package; they become this prefix's.
place() {
  install -d "$root$(dirname "$2")"
  sed "s,/usr/bin/activityd,$prefix/bin/activityd,g" "$1" |
    install -m 0644 /dev/stdin "$root$2"
}

install_files() {
  install -D -m 0755 "$binary" "$root$prefix/bin/activityd"
  for unit in $units; do place "systemd/$unit" "$prefix/lib/systemd/system/$unit"; done
  place systemd/man/activityd.8 "$prefix/share/man/man8/activityd.8"
  place systemd/man/activityd-protocol.7 "$prefix/share/man/man7/activityd-protocol.7"
  # The page of the configuration has its keys from the sample.
  keys=$(mktemp)
  awk -f systemd/man/keys.awk systemd/activityd.conf |
    sed -e '/^@KEYS@/{r /dev/stdin' -e 'd' -e '}' systemd/man/activityd.conf.5.in >"$keys"
  place "$keys" "$prefix/share/man/man5/activityd.conf.5"
  place systemd/activityd.sysusers "$prefix/lib/sysusers.d/activityd.conf"
  # What somebody has changed is theirs.
  [ -e "$root/etc/activityd/activityd.conf" ] ||
    place systemd/activityd.conf /etc/activityd/activityd.conf
}

start() {
  systemd-sysusers "$prefix/lib/sysusers.d/activityd.conf"
  systemctl daemon-reload
  systemctl enable --quiet activityd.service activityd.socket
  # With the socket first, the daemon gets its sockets from there; who connects meanwhile waits.
  if ! systemctl --quiet is-active activityd.socket; then
    systemctl stop activityd.service
    systemctl start activityd.socket
  fi
  systemctl restart activityd.service
  # Instances that run, and no others.
  systemctl try-restart 'activityd@*.service'
}

stop() {
  systemctl disable --quiet --now activityd.service activityd.socket 2>/dev/null || true
  for unit in $(systemctl list-units --all --plain --no-legend 'activityd@*' | cut -d ' ' -f 1); do
    systemctl disable --quiet --now "$unit" 2>/dev/null || true
  done
}

remove_files() {
  rm -f "$root$prefix/bin/activityd" "$root$prefix/lib/sysusers.d/activityd.conf"
  for unit in $units; do rm -f "$root$prefix/lib/systemd/system/$unit"; done
  for manual in $manuals; do
    rm -f "$root$prefix/share/man/man${manual##*.}/$manual"
  done
}

require_root() {
  [ -n "$root" ] || [ "$(id -u)" = 0 ] || {
    echo "install.sh: only root can do this; or set DESTDIR" >&2
    exit 77
  }
}

case ${1:-} in
'' | --no-build)
  require_root
  [ -n "${1:-}" ] || build
  install_files
  [ -n "$root" ] || start
  ;;
--uninstall)
  require_root
  [ -n "$root" ] || stop
  remove_files
  [ -n "$root" ] || systemctl daemon-reload
  echo "Configuration and state are kept: /etc/activityd, /var/lib/activityd."
  ;;
*)
  sed -n '2,/^set/{/^set/d;s/^# \{0,1\}//;p}' "$0"
  exit 64
  ;;
esac
