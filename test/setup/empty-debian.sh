# shellcheck shell=bash
# Sourced by the scripts that install Bellhop in an empty Debian, also in one of another architecture. They set:
#   here, arch   the architecture of this machine, and the one to test
#   place        a folder of this run
# and pass what follows --inside on to `inside`.

SUITE=bookworm

give_up() {
  echo "$1" >&2
  exit 1
}

# make_debian ROOT ARCHITECTURE [an option of debootstrap…]
make_debian() {
  local root=$1 mirror
  local options=(--variant=minbase "${@:3}")
  # shellcheck disable=SC2016
  mirror=$(apt-get indextargets --format '$(REPO_URI)' "Codename: $SUITE" | head -n 1)
  if [ "$2" = "$here" ]; then
    debootstrap "${options[@]}" "$SUITE" "$root" ${mirror:+"$mirror"} >"$place/debootstrap.log"
  else
    debootstrap "${options[@]}" --arch="$2" --foreign "$SUITE" "$root" ${mirror:+"$mirror"} >"$place/debootstrap.log"
    emulating configure_debian "$root"
  fi || { tail "$place/debootstrap.log" >&2 && exit 1; }
  # A container gets its devices from whoever starts it.
  rm -rf "${root:?}"/dev/* "$root"/var/cache/apt/archives/*.deb "$root"/var/lib/apt/lists/*
}

configure_debian() {
  mount --rbind /dev "$1/dev"
  mount --rbind /proc "$1/proc"
  # In such a container no devices can be made, and it uses ours.
  chroot "$1" env container=lxc PATH=/usr/sbin:/usr/bin:/sbin:/bin /debootstrap/debootstrap --second-stage >/dev/null
}

is_emulated() { [ "$arch" != "$here" ]; }

# emulating FUNCTION…: where programs of the other architecture run, if it is another one. The kernel registers an
# emulator for a user namespace, so that nothing of this machine changes; its accounts are those of the machine.
emulating() {
  if ! is_emulated; then
    "$@"
    return
  fi
  # `exec` makes the process, whose account has no name yet, root of the namespace.
  # shellcheck disable=SC2016
  unshare --user --mount bash -c 'until [ "$(id -u)" = 0 ]; do sleep 0.1; done; exec "$@"' bash \
    "$0" --inside "$place" "$arch" register_emulator "$@" &
  until echo "0 0 65536" >"/proc/$!/uid_map"; do sleep 0.1; done 2>/dev/null
  echo "0 0 65536" >"/proc/$!/gid_map"
  wait "$!"
}

register_emulator() {
  mkdir -p "$place/emulators"
  mount -t binfmt_misc binfmt_misc "$place/emulators"
  cat "/usr/lib/binfmt.d/qemu-${arch/arm64/aarch64}.conf" >"$place/emulators/register"
  "$@"
}

# inside PLACE ARCHITECTURE FUNCTION…: goes on in another namespace.
inside() {
  place=$1 arch=$2
  here=$(dpkg --print-architecture)
  shift 2
  "$@"
}
