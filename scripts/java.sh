# What the entry points share, for them to source: finding a JDK 25, and building what is not built.
# Before, they set root, the folder of the sources, and name, of which messages are.

fail() {
  echo "$name: $*" >&2
  exit 1
}

# A folder is a JDK 25 if its release file says so: that is quicker than to ask its java.
is_jdk25() {
  [[ -x $1/bin/java && -r $1/release ]] && grep -q '^JAVA_VERSION="25' "$1/release"
}

find_jdk() {
  local candidate on_path
  on_path=$(command -v java || true)
  [[ -z $on_path ]] || on_path=$(dirname "$(dirname "$(readlink -f "$on_path")")")
  for candidate in "${JAVA25_HOME:-}" "${JAVA_HOME:-}" "$on_path" \
    /usr/lib/jvm/*25* "$HOME"/.sdkman/candidates/java/25* "$HOME"/.jdks/*25* \
    /Library/Java/JavaVirtualMachines/*25*/Contents/Home; do
    if [[ -n $candidate ]] && is_jdk25 "$candidate"; then
      echo "$candidate"
      return
    fi
  done
  fail "a JDK 25 is required and none was found; install one, or set JAVA25_HOME to its folder"
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

# build STAMP OPTION...: packages with these options of Maven.
build() {
  command -v mvn >/dev/null || fail "Maven 3.8 or newer is required to build; put mvn on the PATH"
  echo "$name: building (first use, or the sources have changed) ..." >&2
  local output
  output=$(cd "$root" && mvn -B -q -DskipTests -Dformat.phase=none "${@:2}" package 2>&1) || {
    echo "$output" >&2
    fail "the build failed; its output is above"
  }
  touch "$1"
}
