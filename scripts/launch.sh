# shellcheck shell=sh
# How the gyre command finds and starts Java: for the gyre of an archive (bench/dist) and that of a
# checkout (scripts/gyre) to source. Before, they set name, which begins each message. To launch, they
# also set class_path, and for targets on GPUs:
#   gpu_class_path     what TornadoVM needs of Gyre; empty if this installation lacks it
#   tornado_program    TornadoArguments: a source file, or a jar of which it is the main class
#   arguments_folder   for the arguments with which Java starts TornadoVM
: "${name:?}"

# One small heap: the structures are outside it.
java_options='-XX:+UseSerialGC --enable-native-access=ALL-UNNAMED'
short_bytes=67108864
encoding=

fail() {
  printf '%s\n' "$name: $*" >&2
  exit 1
}

# What the user asked for cannot be done: bad usage.
refuse() {
  printf '%s\n' "$name: $*" >&2
  exit 2
}

# jdk_version FOLDER: the version of Java of a JDK, 0 where there is none; by its release file, which is
# quicker than to ask its java.
jdk_version() (
  if [ -x "$1/bin/java" ] && [ -r "$1/release" ]; then
    while IFS= read -r line || [ -n "$line" ]; do
      case $line in
        'JAVA_VERSION="'[0-9]*)
          line=${line#*\"}
          echo "${line%%[!0-9]*}"
          exit
          ;;
      esac
    done <"$1/release"
  fi
  echo 0
)

# find_jdk [USER]: the folder of a JDK 25 or newer to run commands of the JVM, 25 first; with a user, such
# as "the build", of a JDK 25, which this user needs.
find_jdk() (
  needs="a JDK 25 or newer is required"
  [ -z "${1:-}" ] || needs="$1 needs a JDK 25"
  if [ -n "${JAVA25_HOME:-}" ]; then
    version=$(jdk_version "$JAVA25_HOME")
    [ "$version" -eq 25 ] || { [ -z "${1:-}" ] && [ "$version" -gt 25 ]; } ||
      fail "$needs, and JAVA25_HOME is not the folder of one: $JAVA25_HOME; set it to one, or unset it"
    printf '%s\n' "$JAVA25_HOME"
    exit
  fi
  newer=
  on_path=$(command -v java || true)
  [ -z "$on_path" ] || on_path=$(readlink -f "$on_path")
  on_path=${on_path%/*/*}
  for candidate in "${JAVA_HOME:-}" "$on_path" /usr/lib/jvm/* ~/.sdkman/candidates/java/* ~/.jdks/* \
    /Library/Java/JavaVirtualMachines/*/Contents/Home; do
    [ -n "$candidate" ] || continue
    version=$(jdk_version "$candidate")
    if [ "$version" -eq 25 ]; then
      printf '%s\n' "$candidate"
      exit
    fi
    [ "$version" -lt 25 ] || newer=${newer:-$candidate}
  done
  if [ -z "$newer" ] || [ -n "${1:-}" ]; then
    fail "$needs, and none was found; install one, or set JAVA25_HOME to its folder"
  fi
  printf '%s\n' "$newer"
)

# jdk25 USER: a JDK 25, as TornadoVM needs it; nothing if there is none.
jdk25() {
  find_jdk "$1" 2>/dev/null || true
}

# Prints the folder for caches; nothing if the environment names none.
cache_folder() {
  case ${XDG_CACHE_HOME:-}:${HOME:-} in
    /*) printf '%s\n' "$XDG_CACHE_HOME/gyre" ;;
    *:/*) printf '%s\n' "$HOME/.cache/gyre" ;;
  esac
}

# is_utf8 [LOCALE]: whether this locale, or that of the user, is installed and of UTF-8. Not every shell
# knows characters of several bytes.
is_utf8() (
  [ -z "${1:-}" ] || export "LC_ALL=$1"
  case $(printf '\303\274' | wc -m) in
    *2) exit 1 ;;
  esac
) 2>/dev/null

# Java takes the names of files by the locale. If that is not of UTF-8, or not installed, Java gets
# a locale that is; what can be shown on the terminal stays what the user's locale says: encoding is the
# option for that.
use_utf8() {
  ! is_utf8 || return 0
  encoding=-Dstdout.encoding=US-ASCII
  for candidate in C.UTF-8 C.utf8 en_US.UTF-8; do
    if is_utf8 "$candidate"; then
      export "LC_ALL=$candidate"
      return
    fi
  done
}

# Tells Java how wide lines may be that are printed for a reader.
use_columns() {
  [ ! -t 1 ] || java_options="$java_options -Dgyre.columns=$(tput cols 2>/dev/null || echo 80)"
}

# Without standard input, Java takes the first file that it opens for it, its own code, and crashes
# when that is read and closed. Java can report an input that cannot be read.
open_input() {
  (: 9<&0) 2>/dev/null || exec 0>/dev/null
}

# Whether a text is a number to calculate with: a file, or the name of one, may say anything.
is_number() {
  case $1 in '' | *[!0-9]*) return 1 ;; esac
  [ ${#1} -le 18 ]
}

# How many bytes the files have that are to be counted; nothing if that is not known.
text_bytes() (
  bytes=0
  for argument in "$@"; do
    shift
    case $argument in
      # Of any length, which gzip does not tell.
      - | --books | --books=* | *.gz) exit ;;
    esac
    if [ -f "$argument" ]; then
      set -- "$@" "$argument"
    elif [ -e "$argument" ]; then
      exit
    fi
  done
  if [ $# != 0 ]; then
    # The last line is of all.
    read -r bytes _ <<END || true
$(wc -c -- "$@" 2>/dev/null | tail -n 1)
END
  fi
  echo "${bytes:-0}"
)

# About how many keys the files have that a map is made of and asked for, by their sizes and their first
# rows; nothing if that is not known.
map_keys() (
  shift
  before='' keys=0
  for argument in "$@"; do
    file=$argument
    case $before$argument in
      --out*) file= ;;
      - | --lookup=- | *.gz) exit ;;
      --lookup=*) file=${argument#--lookup=} ;;
    esac
    before=
    [ "$argument" != --out ] || before=--out
    if [ -f "$file" ]; then
      read -r lines sampled bytes <<END || true
$({ head -c 65536 -- "$file" | wc -lc && wc -c <"$file"; } 2>/dev/null | tr '\n' ' ')
END
      is_number "$bytes" || exit
      [ "$sampled" -eq 0 ] || keys=$((keys + bytes * lines / sampled))
    elif [ -e "$file" ]; then
      exit
    fi
  done
  echo "$keys"
)

# Whether a command ends before the work of the second compiler pays: help, and counts of small files.
is_short() (
  for argument in "$@"; do
    case $argument in -h | --help | -V | --version) exit 0 ;; esac
  done
  [ "${1:-}" = wordcount ] || exit 1
  bytes=$(text_bytes "$@")
  is_number "$bytes" && [ "$bytes" -lt "$short_bytes" ]
)

# Whether there is too little to do for a GPU to pay, as Launchers.Work says: fewer than 64 MiB of text, or
# 2^26 keys.
is_for_jvm() (
  case $1 in
    wordcount) amount=$(text_bytes "$@") ;;
    map) amount=$(map_keys "$@") ;;
    *) exit 1 ;;
  esac
  is_number "$amount" && [ "$amount" -lt 67108864 ]
)

# sdk_has BACKEND: whether the SDK has the driver of a backend.
sdk_has() (
  set -- "$TORNADOVM_HOME/share/java/tornado/tornado-drivers-$1"-[0-9]*.jar
  [ -e "$1" ]
)

# Whether devices are to be listed, by a Java for each backend of the SDK, since a Java has one; of which
# targets, and with which options. What else is asked for, or wrong, is for one Java to say.
lists_devices() {
  devices_targets='' devices_options='' before=''
  [ "${1:-}" = devices ] && [ -n "${TORNADOVM_HOME:-}" ] && [ -n "$gpu_class_path" ] || return
  shift
  for argument in "$@"; do
    case $before$argument in
      --target) before=--target= && continue ;;
      --quiet | --operations | --json) devices_options="$devices_options $argument" ;;
      --target=jvm | --target=opencl | --target=ptx | --target=cuda)
        devices_targets="$devices_targets ${argument#--target=}"
        ;;
      *) return 1 ;;
    esac
    before=
  done
  [ -z "$before" ]
}

# choose_java ARGUMENT...: sets jdk, all_devices if devices are to be listed, and gpu to the target on a
# GPU that is asked for, if any: only then Java is started with TornadoVM.
choose_java() {
  gpu='' all_devices='' before='' asked=auto
  ! lists_devices "$@" || all_devices=yes
  for argument in "$@"; do
    case $before$argument in
      --target=* | --target?*) asked=${argument#--target=} ;;
    esac
    before=
    [ "$argument" != --target ] || before=--target
  done
  case ${1:-}:$asked in
    devices:*) ;;
    *:opencl | *:ptx | *:cuda)
      gpu=$asked
      [ -n "$gpu_class_path" ] ||
        refuse "this gyre was built without targets on GPUs; build it with TORNADOVM_HOME set (docs/tornadovm.md)"
      [ -n "${TORNADOVM_HOME:-}" ] ||
        refuse "target $gpu needs a TornadoVM SDK; set TORNADOVM_HOME to its folder (docs/tornadovm.md)"
      ;;
    # auto: an NVIDIA GPU, where there are an SDK, its JDK and a driver; by PTX, whose kernels compile
    # sooner, or else CUDA; other GPUs must be asked for with --target opencl. The program says what it
    # chose.
    wordcount:auto | map:auto)
      if [ -n "${TORNADOVM_HOME:-}" ] && [ -n "$gpu_class_path" ] && [ -n "$(jdk25 TornadoVM)" ] &&
        ! is_for_jvm "$@" && nvidia-smi -L 2>/dev/null | grep -q '^GPU'; then
        if sdk_has ptx; then gpu=ptx; elif sdk_has cuda; then gpu=cuda; fi
      fi
      ;;
  esac
  if [ -n "$gpu" ]; then jdk=$(find_jdk "target $gpu"); else jdk=$(find_jdk); fi
}

# prepare_quick_start CACHE TEXT...: a run of the most common commands, which leaves what Java has loaded
# and profiled for the next runs to start with. If Java writes no cache, an empty file says so.
prepare_quick_start() {
  cache=$1
  shift
  use_utf8
  echo "gyre: preparing a quick start ..." >&2
  # shellcheck disable=SC2086  # Several options are in the variable.
  if "$jdk/bin/java" $java_options "-XX:AOTCacheOutput=$cache.$$" -cp "${class_path:?}" \
    dev.gyre.bench.cli.QuickStart "$@" >/dev/null 2>&1 && [ -f "$cache.$$" ]; then
    mv -f "$cache.$$" "$cache"
  else
    echo "gyre: no quick start, this JVM writes no cache" >&2
    rm -f "$cache.$$" "$cache.$$.config" "$cache"
    touch "$cache" || true
  fi
}

# tornado_arguments BACKEND FILE: writes the arguments that put TornadoVM into a Java, where those
# that are there are not of this SDK and JDK as they are.
tornado_arguments() (
  file=$2 present='' jar=''
  case ${tornado_program:?} in *.jar) jar=-jar ;; esac
  of="# of ${jdk:?} and $(cd "$TORNADOVM_HOME" 2>/dev/null && pwd -P)"
  [ ! -f "$file" ] || read -r present <"$file" || true
  # By the time of the change: that of the contents may be as old as the archive they came from.
  if [ "$present" = "$of" ] && [ -z "$(find "$tornado_program" "$jdk/release" \
    "$TORNADOVM_HOME/share/java" "$TORNADOVM_HOME/etc/exportLists" -cnewer "$file" -print 2>&1)" ]; then
    exit
  fi
  "$jdk/bin/java" ${jar:+"$jar"} "$tornado_program" "$1" "$TORNADOVM_HOME" "$file.$$" || exit
  { printf '%s\n' "$of" && cat "$file.$$"; } >"$file.$$.part"
  rm "$file.$$"
  mv "$file.$$.part" "$file"
)

# on_gpu TARGET ARGUMENT...: runs the command in a Java with TornadoVM and the backend of a target.
on_gpu() (
  arguments=${arguments_folder:?}/$1.arguments
  tornado_arguments "$1" "$arguments" || exit
  shift
  exec 4>&1
  # Java's exit code comes by 3, its output by 4; its messages are filtered.
  code=$({
    {
      code=0
      # shellcheck disable=SC2086  # Several options may be in the variables.
      "$jdk/bin/java" "@$arguments" ${GYRE_JAVA_OPTIONS:-} $terminal -cp "$gpu_class_path:$class_path" \
        dev.gyre.bench.cli.Gyre "$@" 2>&1 >&4 3>&- 4>&- || code=$?
      echo "$code" >&3
    } | grep --line-buffered -v -e '^WARNING: Using incubator modules' -e '^SLF4J' >&2 3>&- 4>&- || true
  } 3>&1)
  exit "$code"
)

# cannot_be_used TARGET WHY: as DevicesCommand prints it.
cannot_be_used() {
  case $devices_options in
    *--json*) printf '{"target": "%s", "problem": "%s"}' "$1" "$2" ;;
    *) printf '%-7s    cannot be used:\n           %s' "$1" "$2" ;;
  esac
}

# The table of devices, by one Java after the other; the first prints the header, the last what the
# structures need.
list_devices() {
  jdk_of_jvm=$jdk jdk_of_gpus=$(jdk25 TornadoVM)
  header='' unusable=''
  [ -n "$devices_targets" ] || devices_targets='jvm opencl ptx cuda'
  set --
  for target in $devices_targets; do
    why=
    if [ "$target" != jvm ]; then
      if ! sdk_has "$target"; then
        why='the SDK has no such backend'
      elif [ -z "$jdk_of_gpus" ]; then
        why='TornadoVM needs a JDK 25, and none was found'
      fi
    fi
    if [ -z "$why" ]; then
      set -- "$@" "$target"
    else
      unusable=$unusable$(cannot_be_used "$target" "$why")'
'
    fi
  done
  while [ $# != 0 ]; do
    target=$1
    shift
    more=--quiet
    case $devices_options in *--json*) more=--json ;; esac
    [ $# != 0 ] || more=$devices_options
    # shellcheck disable=SC2086  # Several options, or none, are in the variables.
    if [ "$target" = jvm ]; then
      "$jdk_of_jvm/bin/java" $java_options $encoding -cp "$class_path" dev.gyre.bench.cli.Gyre devices \
        --target jvm $header $more
    else
      jdk=$jdk_of_gpus
      on_gpu "$target" devices --target "$target" $header $more
    fi
    printf %s "$unusable"
    unusable='' header=--no-header
  done
  printf %s "$unusable"
  sdk_has opencl || sdk_has ptx || sdk_has cuda || fail "the SDK in $TORNADOVM_HOME has no backend"
}

# finding STATE SUBJECT TEXT [NEXT]: a line of what doctor found, and one of what to do about it.
finding() {
  printf '%-8s %-14s %s\n' "$1" "$2" "$3"
  [ -z "${4:-}" ] || printf '%-23s -> %s\n' '' "$4"
}

# doctor ARGUMENT...: what is there to run on, and the next step for what is not. Needs no Java, since
# that may be missing. Fails if gyre cannot run at all. The arguments are those of gyre.
doctor() {
  case ${2:-} in
    '') ;;
    -h|--help)
      printf '%s\n' 'Usage: gyre doctor' 'Checks the machine, and says how to get what is missing. Exits with 1 if gyre cannot run.'
      return ;;
    *) refuse "doctor takes no arguments: $2" ;;
  esac
  code=0
  if jdk=$(find_jdk 2>&1); then
    finding ok Java "version $(jdk_version "$jdk"), in $jdk"
  else
    code=1
    finding missing Java "${jdk#"$name: "}" "a JDK 25 from adoptium.net, for example, has all that Gyre needs"
  fi
  caches=$(cache_folder)
  if [ -n "$caches" ] && mkdir -p "$caches" 2>/dev/null && [ -w "$caches" ]; then
    finding ok caches "$caches"
  else
    finding none caches 'no folder that can be written; each start takes longer' \
      'set XDG_CACHE_HOME or HOME to a folder that can be written'
  fi
  if is_utf8; then
    finding ok locale 'UTF-8'
  else
    finding limited locale 'not UTF-8: texts are printed in UTF-8 nevertheless, and may be shown wrongly' \
      'set LC_ALL to a locale of UTF-8, such as C.UTF-8'
  fi

  gpu=yes
  if [ -n "$gpu_class_path" ]; then
    finding ok 'GPU targets' 'this gyre has them'
  else
    gpu=
    finding none 'GPU targets' 'this gyre was built without them' 'build it with TORNADOVM_HOME set (docs/tornadovm.md)'
  fi
  backends=
  if [ -z "${TORNADOVM_HOME:-}" ]; then
    finding none TornadoVM 'TORNADOVM_HOME is not set' 'install a TornadoVM SDK (docs/tornadovm.md) and set TORNADOVM_HOME to its folder'
  else
    for backend in ptx cuda opencl; do
      ! sdk_has "$backend" || backends="$backends $backend"
    done
    if [ -n "$backends" ]; then
      finding ok TornadoVM "in $TORNADOVM_HOME, for:$backends"
    else
      finding wrong TornadoVM "no backend in $TORNADOVM_HOME" 'set TORNADOVM_HOME to the folder of an SDK that has bin and share/java/tornado'
    fi
  fi
  [ -n "$backends" ] || gpu=
  jdk_of_gpus=$(jdk25 TornadoVM)
  if [ -n "$jdk_of_gpus" ]; then
    finding ok 'Java for GPUs' "version 25, in $jdk_of_gpus"
  else
    gpu=
    finding missing 'Java for GPUs' 'TornadoVM needs a JDK 25, neither older nor newer' 'install a JDK 25 and set JAVA25_HOME to its folder'
  fi
  if gpus=$(nvidia-smi -L 2>/dev/null) && [ -n "$gpus" ]; then
    while IFS= read -r line; do
      finding ok 'NVIDIA GPU' "${line%% (UUID*}"
    done <<END
$gpus
END
  else
    finding none 'NVIDIA GPU' 'nvidia-smi finds none; ptx and cuda need one' "install NVIDIA's driver if the machine has a GPU"
  fi
  found=
  for vendor in "${OCL_ICD_VENDORS:-/etc/OpenCL/vendors}"/*.icd; do
    [ ! -e "$vendor" ] || found="$found $(basename "$vendor" .icd)"
  done
  if [ -n "$found" ]; then
    finding ok OpenCL "drivers:$found"
  else
    finding none OpenCL 'no driver in /etc/OpenCL/vendors' 'install one, such as pocl-opencl-icd, to use --target opencl'
  fi

  [ -n "$gpus$found" ] || gpu=
  echo
  if [ $code != 0 ]; then
    echo 'gyre cannot run: see Java above'
  elif [ -n "$gpu" ]; then
    echo "gyre runs on the JVM, and has what it needs for GPUs; 'gyre devices' lists those that it can use"
  else
    echo 'gyre runs on the JVM; for GPUs, do what the arrows say'
  fi
  return $code
}

# launch CACHE ARGUMENT...: runs the command in the Java that was chosen, with a quick start if there is a
# cache.
launch() {
  cache=$1 terminal=
  shift
  [ -s "$cache" ] || cache=
  use_utf8
  [ ! -t 2 ] || terminal=-Dgyre.terminal=true
  if [ -n "$gpu" ]; then
    on_gpu "$gpu" "$@"
    exit
  elif [ -n "$all_devices" ]; then
    list_devices
    exit
  fi
  ! is_short "$@" || java_options="$java_options -XX:TieredStopAtLevel=1"
  use_columns
  # shellcheck disable=SC2086  # Several options may be in the variables.
  exec "$jdk/bin/java" $java_options $encoding $terminal ${cache:+"-XX:AOTCache=$cache"} -Xlog:aot=off -Xlog:cds=off \
    ${GYRE_JAVA_OPTIONS:-} -cp "$class_path" dev.gyre.bench.cli.Gyre "$@"
}
