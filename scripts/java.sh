# shellcheck shell=bash
# What the entry points share, for them to source: building what is not built, and by launch.sh finding
# a JDK and how Java is to be started. Before, they set root, the folder of the sources, and name, of which
# messages are.
: "${root:?}" "${name:?}"

# A program in one file, run before anything is compiled.
tornado_program=$root/tornado-kernels/tornadovm/src/main/java/dev/gyre/kernels/tornadovm/TornadoArguments.java

# shellcheck source=scripts/launch.sh
source "$root/scripts/launch.sh"

# is_built STAMP MODULE...: built, by whichever command or by Maven itself, and nothing that goes into the
# modules is newer. A module counts as of when its jar came to where the command takes it from; a change
# that leaves no other jar, as one of a pom.xml, as of the stamp.
is_built() {
  local stamp=$1 module jar of modules=("${@:2}")
  modules=("${modules[@]/#/$root/}")
  [[ ! -f $stamp || -n $(find "$root/pom.xml" "${modules[@]/%//pom.xml}" "${modules[@]/%//src/main}" \
    -newer "$stamp" -print -quit) ]] || return 0
  for module in "${@:2}"; do
    of=$stamp
    for jar in "${stamp%/*}"/{,../}{,jars/}"gyre-${module##*/}"-[0-9]*.jar; do
      [[ ! -f $jar || $jar -ot $of ]] || of=$jar
    done
    [[ -f $of ]] || return
    [[ -z $(find "$root/pom.xml" "$root/$module/pom.xml" "$root/$module/src/main" -newer "$of" \
      -print -quit) ]] || return
  done
}

# Sets of25 to a JDK 25; fails if there is none, or no Maven.
require_build() {
  of25=$(find_jdk "the build")
  command -v mvn >/dev/null || fail "Maven 3.8 or newer is required to build; put mvn on the PATH"
}

# build STAMP OPTION...: packages with these options of Maven, and says how far it is.
build() {
  local of25
  require_build
  # An SDK that Gyre is not built for is named here, not after minutes of compiling.
  [[ -z ${TORNADOVM_HOME:-} ]] ||
    "$of25/bin/java" "$tornado_program" check "$TORNADOVM_HOME" || exit 2
  echo "$name: building (first use, or the sources have changed) ..." >&2
  local log
  log=$(mktemp)
  keep_status unchecked-status maven-status
  if ! (cd "$root" && mvn -B -Punchecked "${@:2}" package 2>&1) | tee "$log" | tell_modules; then
    grep -Ev '^(\[INFO\]|Download|Progress)' "$log" >&2 || true
    rm -f "$log"
    forget_unchecked
    fail "the build failed; its output is above"
  fi
  rm -f "$log"
  forget_unchecked
  touch "$1"
}

# After a build with the profile unchecked: the next one with checks compiles everything again, the next
# one without what has changed.
forget_unchecked() {
  keep_status maven-status unchecked-status
}

# keep_status FROM TO: renames the folders in which Maven keeps what it has compiled.
keep_status() {
  local folder
  find "$root" -type d -path "*/target/$1" -prune | while IFS= read -r folder; do
    rm -rf "${folder%/*}/$2"
    mv "$folder" "${folder%/*}/$2"
  done
}

# Says which module Maven is at, and how much it has downloaded, for each that it prints.
tell_modules() {
  local line files=0
  local module='^\[INFO\] Building (.*) [^ ]+ +\[([0-9]+)/([0-9]+)\]$'
  while IFS= read -r line; do
    if [[ $line =~ $module ]]; then
      echo "$name: building ${BASH_REMATCH[1]} (${BASH_REMATCH[2]} of ${BASH_REMATCH[3]}) ..." >&2
    elif [[ $line == Downloaded* || $line == '[INFO] Downloaded'* ]]; then
      files=$((files + 1))
      ((files % 25)) || echo "$name: $files files downloaded ..." >&2
    fi
  done
}
