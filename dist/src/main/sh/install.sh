#!/bin/sh
# Installs Coppice from its archive for one user, and takes it out again. POSIX sh; run it as often as you like.
# It needs tar, gzip, sha256sum or shasum, and the usual commands of files.
#
#   sh install.sh [ARCHIVE]      install; ARCHIVE is a file, else the one beside this script, else that at COPPICE_FROM
#   sh install.sh --uninstall    take out every byte of the program; asks before it deletes data
#
# COPPICE_PREFIX  where programs of a user live, with bin and share below it (default ~/.local)
# COPPICE_FROM    the address of a directory with the archive and SHA256SUMS, such as https://HOST/coppice
# COPPICE_DATA    the data directory (default ~/.coppice); only --uninstall looks at it
set -eu

say() { echo "$*"; }
fail() { echo "install.sh: $*" >&2; exit 1; }

prefix=${COPPICE_PREFIX:-$HOME/.local}
mkdir -p "$prefix"
prefix=$(CDPATH= cd -P -- "$prefix" && pwd -P)
home=$prefix/share/coppice
bin=$prefix/bin
share=$prefix/share
here=$(CDPATH= cd -- "$(dirname -- "$0")" && pwd -P)

# What is linked from an archive, below the prefix.
links() { # runs "$1 FROM TO" for each link of the version in directory $2
  for each in "$2"/bin/*; do [ ! -e "$each" ] || "$1" "$each" "$bin/${each##*/}"; done
  for each in "$2"/share/man/man1/*; do [ ! -e "$each" ] || "$1" "$each" "$share/man/man1/${each##*/}"; done
  for each in bash-completion/completions/coppice zsh/site-functions/_coppice fish/vendor_completions.d/coppice.fish; do
    [ ! -e "$2/share/$each" ] || "$1" "$2/share/$each" "$share/$each"
  done
}

is_ours() { # tells whether $1 is a link into the directory of our versions
  [ -L "$1" ] || return 1
  case $(readlink "$1") in "$home"/*) return 0 ;; *) return 1 ;; esac
}

look() {
  [ ! -e "$2" ] && [ ! -L "$2" ] || is_ours "$2" || fail "$2 exists and is not ours; move it away first"
}

put() {
  mkdir -p "${2%/*}"
  ln -sfn "$1" "$2"
}

take_links() { # takes all links of ours, also those of a version that is gone
  for each in "$bin"/* "$share"/man/man1/coppice* "$share"/bash-completion/completions/coppice \
    "$share"/zsh/site-functions/_coppice "$share"/fish/vendor_completions.d/coppice.fish; do
    if is_ours "$each"; then rm -f "$each"; fi
  done
}

is_version() { [ -f "$1/bin/coppice" ] && [ -f "$1/lib/start.sh" ]; }

uninstall() {
  took=
  take_links
  for version in "$home"/* "$home"/.unpacking.*; do
    if is_version "$version" || [ "${version#"$home"/.unpacking.}" != "$version" ]; then
      [ ! -d "$version" ] || { rm -rf "$version"; took=1; }
    fi
  done
  # Whatever else is there is not ours.
  rmdir "$home" 2>/dev/null || :
  if [ -n "$took" ]; then say "Took Coppice out of $prefix."; else say "Coppice is not installed in $prefix."; fi
  data=${COPPICE_DATA:-$HOME/.coppice}
  [ -d "$data" ] || exit 0
  answer=no
  if [ -n "$took" ] && [ -t 0 ]; then
    printf 'Delete its data in %s as well: sessions, backups, preserved work? [y/N] ' "$data"
    read -r answer || answer=no
  fi
  case $answer in
    y | Y | yes)
      [ ! -e "$data/url" ] || fail "a coordinator uses $data; stop it first"
      rm -rf "$data"
      say "Deleted $data."
      ;;
    *) say "Kept the data in $data." ;;
  esac
  exit 0
}

archive=
case ${1:-} in
  --uninstall) uninstall ;;
  --help | -h) sed -n '2,11s/^# \{0,1\}//p' "$0"; exit 0 ;;
  -*) fail "unknown option '$1'; see --help" ;;
  ?*) archive=$1 ;;
esac

system=$(uname -s | tr '[:upper:]' '[:lower:]')
case $system in darwin) system=macos ;; esac
case $(uname -m) in
  x86_64 | amd64) machine=x64 ;;
  aarch64 | arm64) machine=arm64 ;;
  *) machine=$(uname -m) ;;
esac

scratch=
unpacking=
clean() { # puts back a version that was moved aside and not replaced
  [ -z "$unpacking" ] || [ ! -e "$unpacking/old" ] || [ -e "$home/$version" ] || mv "$unpacking/old" "$home/$version"
  rm -rf ${scratch:+"$scratch"} ${unpacking:+"$unpacking"}
}
trap clean EXIT
trap 'exit 130' HUP INT TERM
if [ -z "$archive" ]; then
  for each in "$here"/coppice-*-"$system-$machine".tar.gz; do
    [ -f "$each" ] || continue
    [ -z "$archive" ] || fail "there are several archives beside this script; name one"
    archive=$each
  done
fi
if [ -z "$archive" ]; then
  [ -n "${COPPICE_FROM:-}" ] ||
    fail "there is no archive for $system-$machine beside this script; name one, or set COPPICE_FROM"
  scratch=$(mktemp -d)
  get() { if command -v curl >/dev/null 2>&1; then curl -fsSL -o "$2" "$1"; else wget -q -O "$2" "$1"; fi; }
  get "$COPPICE_FROM/SHA256SUMS" "$scratch/SHA256SUMS" || fail "cannot read $COPPICE_FROM/SHA256SUMS"
  name=$(sed -n "s/^[0-9a-f]*  \(coppice-.*-$system-$machine\.tar\.gz\)$/\1/p" "$scratch/SHA256SUMS")
  [ -n "$name" ] || fail "$COPPICE_FROM has no archive for $system-$machine"
  case $name in *"
"*) fail "$COPPICE_FROM has several archives for $system-$machine; fetch one, and name it" ;; esac
  archive=$scratch/$name
  get "$COPPICE_FROM/$name" "$archive" || fail "cannot read $COPPICE_FROM/$name"
fi
[ -f "$archive" ] || fail "there is no file $archive"

sums=$(dirname -- "$archive")/SHA256SUMS
[ -f "$sums" ] || fail "there is no file SHA256SUMS beside $archive; without it the archive cannot be checked"
wanted=$(sed -n "s/^\([0-9a-f]\{64\}\)  $(basename -- "$archive")$/\1/p" "$sums")
[ -n "$wanted" ] || fail "$sums does not name $(basename -- "$archive")"
if command -v sha256sum >/dev/null 2>&1; then found=$(sha256sum <"$archive"); else found=$(shasum -a 256 <"$archive"); fi
found=${found%% *}
[ "$wanted" = "$found" ] || fail "$archive is damaged: its SHA-256 is $found, and $sums says $wanted"

name=$(basename -- "$archive" .tar.gz)
version=${name#coppice-}
version=${version%"-$system-$machine"}
case $name in
  coppice-[0-9]*-"$system-$machine") ;;
  *) fail "$archive is not named coppice-VERSION-$system-$machine.tar.gz" ;;
esac
mkdir -p "$home"
unpacking=$(mktemp -d "$home/.unpacking.XXXXXX")
tar -xzf "$archive" -C "$unpacking"
is_version "$unpacking/$name" || fail "$archive does not hold $name/bin/coppice"
links look "$unpacking/$name"
# A version that is replaced is away for a moment, in which its coordinator may fail to start a program.
if [ -e "$home/$version" ]; then mv "$home/$version" "$unpacking/old"; fi
mv "$unpacking/$name" "$home/$version"
take_links
links put "$home/$version"
say "Installed Coppice $version in $home/$version,"
say "with links in $bin and $share."
case :$PATH: in *:"$bin":*) say "Start it: coppice up" ;; *) say "$bin is not on your PATH. Start it: $bin/coppice up" ;; esac
