# shellcheck shell=bash
# What the entry points share, for them to source: finding a JDK, building what is not built, and
# how Java is to be started. Before, they set root, the folder of the sources, and name, of which
# messages are.
: "${root:?}" "${name:?}"

# A program in one file, run before anything is compiled.
tornado_arguments=tornado-kernels/tornadovm/src/main/java/dev/gyre/kernels/tornadovm/TornadoArguments.java

fail() {
  echo "$name: $*" >&2
  exit 1
}

# What was asked for cannot be done: bad usage.
refuse() {
  echo "$name: $*" >&2
  exit 2
}

# jdk_version FOLDER: the version of Java of a JDK, 0 where there is none; by its release file, which is
# quicker than to ask its java.
jdk_version() {
  local version=$'\nJAVA_VERSION="([0-9]+)' release=
  if [[ -x $1/bin/java && -r $1/release ]]; then
    release=$(<"$1/release")
  fi
  if [[ $'\n'$release =~ $version ]]; then
    echo "${BASH_REMATCH[1]}"
  else
    echo 0
  fi
}

# find_jdk [USER]: the folder of a JDK 25 or newer to run commands of the JVM, 25 first; with a user, such
# as "the build", of a JDK 25, which this one needs.
find_jdk() {
  local candidate version newer='' on_path needs="a JDK 25 or newer is required"
  [[ -z ${1:-} ]] || needs="$1 needs a JDK 25"
  if [[ -n ${JAVA25_HOME:-} ]]; then
    version=$(jdk_version "$JAVA25_HOME")
    ((version == 25)) || { [[ -z ${1:-} ]] && ((version > 25)); } ||
      fail "$needs, and JAVA25_HOME is not the folder of one: $JAVA25_HOME; set it to one, or unset it"
    echo "$JAVA25_HOME"
    return
  fi
  on_path=$(command -v java || true)
  [[ -z $on_path ]] || on_path=$(readlink -f "$on_path")
  on_path=${on_path%/*/*}
  for candidate in "${JAVA_HOME:-}" "$on_path" /usr/lib/jvm/* ~/.sdkman/candidates/java/* ~/.jdks/* \
    /Library/Java/JavaVirtualMachines/*/Contents/Home; do
    [[ -n $candidate ]] || continue
    version=$(jdk_version "$candidate")
    if ((version == 25)); then
      echo "$candidate"
      return
    fi
    ((version < 25)) || newer=${newer:-$candidate}
  done
  [[ -n $newer && -z ${1:-} ]] ||
    fail "$needs, and none was found; install one, or set JAVA25_HOME to its folder"
  echo "$newer"
}

# Java takes the names of files by the locale. Where that is not of UTF-8, or not installed, it gets
# one that is; what can be shown on the terminal stays what the user's locale says.
use_utf8() {
  local umlaut=$'\xc3\xbc' before=${LC_ALL-} candidate
  [[ ${#umlaut} != 1 ]] || return 0
  options+=(-Dstdout.encoding=US-ASCII)
  for candidate in C.UTF-8 C.utf8 en_US.UTF-8; do
    { LC_ALL=$candidate; } 2>/dev/null
    if [[ ${#umlaut} == 1 ]]; then
      export LC_ALL
      return
    fi
  done
  { LC_ALL=$before; } 2>/dev/null
}

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

# sdk_has BACKEND: whether the SDK has the driver of a backend.
sdk_has() {
  compgen -G "$TORNADOVM_HOME/share/java/tornado/tornado-drivers-$1-[0-9]*.jar" >/dev/null
}

# build STAMP OPTION...: packages with these options of Maven, and says how far it is.
build() {
  local of25
  of25=$(find_jdk "the build")
  command -v mvn >/dev/null || fail "Maven 3.8 or newer is required to build; put mvn on the PATH"
  # An SDK that Gyre is not built for is named here, not after minutes of compiling.
  [[ -z ${TORNADOVM_HOME:-} ]] ||
    "$of25/bin/java" "$root/$tornado_arguments" check "$TORNADOVM_HOME" || exit 2
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

# tornado_arguments BACKEND FILE: writes the arguments that put TornadoVM into a Java, where those
# that are there are not of this SDK and JDK as they are.
tornado_arguments() {
  local backend=$1 file=$2 source=$root/$tornado_arguments
  local of present=
  of="# of ${jdk:?} and $(cd "$TORNADOVM_HOME" 2>/dev/null && pwd -P)"
  [[ ! -f $file ]] || read -r present <"$file"
  # By the time of the change: that of the contents may be as old as the archive they came from.
  if [[ $present == "$of" && -z $(find "$source" "$jdk/release" "$TORNADOVM_HOME"/share/java \
    "$TORNADOVM_HOME"/etc/exportLists -cnewer "$file" -print -quit 2>&1) ]]; then
    return
  fi
  "$jdk/bin/java" "$source" "$backend" "$TORNADOVM_HOME" "$file.$$" || return
  { echo "$of" && cat "$file.$$"; } >"$file.$$.part"
  rm "$file.$$"
  mv "$file.$$.part" "$file"
}
