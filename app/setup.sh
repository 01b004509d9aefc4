# shellcheck shell=bash
# What app/run and tests/run share: installing packages and building a preset. To be sourced.
# All it says goes to stderr, so that stdout belongs to the program alone.

repository=$(cd -P "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

say() { echo "attnscope: $*" >&2; }

# read_packages LIST...: the package names in the lists, without comments.
read_packages() { sed 's/#.*//' "$@"; }

# missing_packages NAME...: those of them that dpkg does not know as installed.
missing_packages() {
  local installed name
  installed=$(dpkg-query -W -f '${db:Status-Status} ${Package}\n' "$@" 2>/dev/null || true)
  for name; do
    grep -qxF "installed $name" <<<"$installed" || echo "$name"
  done
}

# install_packages LIST...: installs what is missing of the lists, and is silent when nothing is.
install_packages() {
  local wanted missing as_root=()
  # Names hold no spaces: splitting into words is what turns lines into arguments.
  # shellcheck disable=SC2046
  set -- $(read_packages "$@")
  wanted=$*

  if ! command -v apt-get >/dev/null; then
    # Another system: it may have all of this under other names, so only its first build is told.
    [[ -d $repository/build ]] ||
      say "no apt-get here; if the build fails, install what Debian calls: $wanted"
    return 0
  fi

  # shellcheck disable=SC2046
  set -- $(missing_packages "$@")
  (($#)) || return 0
  missing=$*
  if ((EUID != 0)); then
    if ! command -v sudo >/dev/null; then
      say "packages are missing and there is neither root nor sudo; have installed: $missing"
      return 1
    fi
    as_root=(sudo)
  fi

  say "installing $missing"
  as_root+=(env DEBIAN_FRONTEND=noninteractive)
  # stdin may be data meant for the program. A machine that has just started may be updating itself: wait for its lock.
  if ! "${as_root[@]}" apt-get -q update </dev/null >&2 ||
    ! "${as_root[@]}" apt-get -q -o DPkg::Lock::Timeout=300 install -y --no-install-recommends "$@" </dev/null >&2; then
    say "apt-get could not install: $missing"
    return 1
  fi
}

# A compiler gets room for 1.5 GB, as templates may need: more jobs than fit would be slower or killed.
parallel_jobs() {
  local processors fitting
  processors=$(getconf _NPROCESSORS_ONLN)
  fitting=$(awk '/^MemAvailable:/ {print int($2 / 1500000)}' /proc/meminfo 2>/dev/null)
  [[ $fitting ]] || fitting=$processors
  ((fitting >= 1)) || fitting=1
  echo $((fitting < processors ? fitting : processors))
}

# A build is configured when CMake finished, for this very place, after the presets last changed.
is_configured() {
  local directory=$repository/build/$1
  [[ -f $directory/build.ninja && ! CMakePresets.json -nt $directory/build.ninja ]] &&
    grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$repository" "$directory/CMakeCache.txt"
}

is_built() { is_configured "$1" && [[ $(cmake --build --preset "$1" -- -n 2>&1) == *"no work to do"* ]]; }

# build PRESET: configures and compiles what has changed, and is silent when nothing has.
build() (
  preset=$1
  cd "$repository" || exit # presets are found from here; the caller's directory stays as it was
  if is_built "$preset"; then exit 0; fi

  directory=$repository/build/$preset
  if ! mkdir -p "$directory" 2>/dev/null || [[ ! -w $directory ]]; then
    say "cannot write to $directory: make it writable or copy the checkout to where you may write"
    exit 1
  fi

  exec </dev/null >&2 9>"$directory/.lock"
  if command -v flock >/dev/null; then flock 9; fi # two starts at once would build over each other
  say "building $preset"
  if { is_configured "$preset" || cmake --fresh --preset "$preset"; } &&
    cmake --build --preset "$preset" --parallel "$(parallel_jobs)"; then
    exit 0
  fi
  say "building $preset failed; the reason is above"
  exit 1
)
