# What the entry points share, for them to source: finding a JDK 25, building what is not built, and
# how Java is to be started. Before, they set root, the folder of the sources, and name, of which
# messages are.

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

# A folder is a JDK 25 if its release file says so: that is quicker than to ask its java.
is_jdk25() {
  [[ -x $1/bin/java && -r $1/release && $'\n'$(<"$1/release") == *$'\nJAVA_VERSION="25'* ]]
}

find_jdk() {
  local candidate on_path
  if [[ -n ${JAVA25_HOME:-} ]]; then
    is_jdk25 "$JAVA25_HOME" ||
      fail "JAVA25_HOME is not the folder of a JDK 25: $JAVA25_HOME; set it to one, or unset it"
    echo "$JAVA25_HOME"
    return
  fi
  on_path=$(command -v java || true)
  [[ -z $on_path ]] || on_path=$(readlink -f "$on_path")
  on_path=${on_path%/*/*}
  for candidate in "${JAVA_HOME:-}" "$on_path" \
    /usr/lib/jvm/*25* "$HOME"/.sdkman/candidates/java/25* "$HOME"/.jdks/*25* \
    /Library/Java/JavaVirtualMachines/*25*/Contents/Home; do
    if [[ -n $candidate ]] && is_jdk25 "$candidate"; then
      echo "$candidate"
      return
    fi
  done
  fail "a JDK 25 is required and none was found; install one, or set JAVA25_HOME to its folder"
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

# is_built STAMP MODULE...: built, and nothing that goes into the modules is newer.
is_built() {
  local stamp=$1
  local modules=("${@:2}")
  modules=("${modules[@]/#/$root/}")
  [[ -f $stamp ]] &&
    [[ -z $(find "$root/pom.xml" "${modules[@]/%//pom.xml}" "${modules[@]/%//src/main}" \
      -newer "$stamp" -print -quit) ]]
}

# sdk_has BACKEND: whether the SDK has the driver of a backend.
sdk_has() {
  compgen -G "$TORNADOVM_HOME/share/java/tornado/tornado-drivers-$1-[0-9]*.jar" >/dev/null
}

# build STAMP OPTION...: packages with these options of Maven, and says how far it is.
build() {
  command -v mvn >/dev/null || fail "Maven 3.8 or newer is required to build; put mvn on the PATH"
  # An SDK that Gyre is not built for is named here, not after minutes of compiling.
  [[ -z ${TORNADOVM_HOME:-} ]] ||
    "$jdk/bin/java" "$root/$tornado_arguments" check "$TORNADOVM_HOME" || exit 2
  echo "$name: building (first use, or the sources have changed) ..." >&2
  local log
  log=$(mktemp)
  if ! (cd "$root" && mvn -B -Punchecked "${@:2}" package 2>&1) | tee "$log" | tell_modules; then
    grep -Ev '^(\[INFO\]|Download|Progress)' "$log" >&2 || true
    rm -f "$log"
    fail "the build failed; its output is above"
  fi
  rm -f "$log"
  forget_unchecked
  touch "$1"
}

# After a build with the profile unchecked: the next one with checks compiles everything again.
forget_unchecked() {
  find "$root" -type d -path '*/target/maven-status' -prune -exec rm -r {} +
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
  local of="# of $jdk and $(cd "$TORNADOVM_HOME" 2>/dev/null && pwd -P)" present=
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
