#!/bin/sh
# Builds, installs and enables activityd as a service of systemd, and its tool activityctl. Safe to
# run again: it updates what is there, and keeps configuration and state.
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
programs="activityd activityctl"
units=$(find systemd -maxdepth 1 -name '*.service' -o -maxdepth 1 -name '*.socket' \
  -o -maxdepth 1 -name '*.timer' | sed 's,.*/,,')
manuals="activityctl.1 activityd.8 activityd.conf.5 activityd-protocol.7"
case $prefix in
/usr) zsh=$prefix/share/zsh/vendor-completions ;;
*) zsh=$prefix/share/zsh/site-functions ;;
esac
bash_completion=$prefix/share/bash-completion/completions/activityctl
zsh_completion=$zsh/_activityctl
fish_completion=$prefix/share/fish/vendor_completions.d/activityctl.fish
made=
trap 'rm -f "$made"' EXIT

build() {
  for program in $programs; do
    swift build -c release --product "$program" --static-swift-stdlib
  done
}

# Puts a file where it belongs. Paths in it are those of a package; they become this prefix's.
place() {
  install -d "$root$(dirname "$2")"
  sed "s,/usr/bin/activity,$prefix/bin/activity,g" "$1" |
    install -m 0644 /dev/stdin "$root$2"
}

# place_made FILE COMMAND…: puts what a command writes where it belongs.
place_made() {
  destination=$1
  shift
  "$@" >"$made"
  place "$made" "$destination"
}

# The page of the configuration has its keys from the sample.
configuration_manual() {
  awk -f systemd/man/keys.awk systemd/activityd.conf |
    sed -e '/^@KEYS@/{r /dev/stdin' -e 'd' -e '}' systemd/man/activityd.conf.5.in
}

install_files() {
  made=$(mktemp)
  for program in $programs; do
    install -D -m 0755 ".build/release/$program" "$root$prefix/bin/$program"
  done
  for unit in $units; do place "systemd/$unit" "$prefix/lib/systemd/system/$unit"; done
  place systemd/man/activityd.8 "$prefix/share/man/man8/activityd.8"
  place systemd/man/activityd-protocol.7 "$prefix/share/man/man7/activityd-protocol.7"
  place_made "$prefix/share/man/man5/activityd.conf.5" configuration_manual
  place_made "$prefix/share/man/man1/activityctl.1" .build/release/activityctl man
  place_made "$bash_completion" .build/release/activityctl completion bash
  place_made "$zsh_completion" .build/release/activityctl completion zsh
  place_made "$fish_completion" .build/release/activityctl completion fish
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
  for unit in $(systemctl list-units --all --plain --no-legend 'activityd@*' 'activityd-*' |
    cut -d ' ' -f 1); do
    systemctl disable --quiet --now "$unit" 2>/dev/null || true
  done
}

remove_files() {
  for program in $programs; do rm -f "$root$prefix/bin/$program"; done
  rm -f "$root$prefix/lib/sysusers.d/activityd.conf" "$root$bash_completion" \
    "$root$zsh_completion" "$root$fish_completion"
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
