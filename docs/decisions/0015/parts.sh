#!/bin/sh
# parts.sh JAVA_HOME CLASS_PATH SOURCES BOOKS FORKS
# Takes out one part at a time and measures S: prints variant, cores, row and value.
# CLASS_PATH: classes and libraries of a build; SOURCES: its checkout; BOOKS: a folder of texts.
set -eu
J=$1/bin; CP=$2; SRC=$3; BOOKS=$4; FORKS=$5; D=$(mktemp -d)
HERE=$(cd "$(dirname "$0")" && pwd)
K=$SRC/tornado-kernels/src/main/java/dev/gyre/kernels
part() { # name file before after
  mkdir -p "$D/src/$1" "$D/$1"; f=$D/src/$1/$(basename "$2")
  python3 -c 'import sys; s=open(sys.argv[1]).read(); assert s.count(sys.argv[3])==1; open(sys.argv[2],"w").write(s.replace(sys.argv[3],sys.argv[4]))' "$2" "$f" "$3" "$4"
  "$J/javac" -nowarn -cp "$CP" -d "$D/$1" "$f"
}
part noshared "$K/trie/TextWorker.java" 'boolean asks = hope >= 0;' 'boolean asks = false;'
part noabsent "$SRC/structures/src/main/java/dev/gyre/structures/map/table/AbsentStrings.java" 'return keys <= MOST_KEYS;' 'return false;'
part nohuge "$SRC/atomics-shim/src/main/java/dev/gyre/atomics/HugePages.java" 'int _ = calls.advise(address(), bytes, MADV_HUGEPAGE);' ''
part nospec "$K/SpecializedCode.java" 'private static <T> T of(Class<T> type, T record, KernelTree tree, String name) {' 'private static <T> T of(Class<T> type, T record, KernelTree tree, String name) { if (true) return record;'
mkdir "$D/base"; "$J/javac" -cp "$CP" -d "$D/base" "$HERE/S.java" "$HERE/XorHash.java"
one() { # variant cores rows; noaddr: without native access
  f=--enable-native-access=ALL-UNNAMED; [ "$1" != noaddr ] || f=-Dwithout=access
  taskset -c "$2" "$J/java" -Xmx6g "$f" -cp "$D/$1:$D/base:$CP" S "$3" "$BOOKS" 2>/dev/null | sed "s/^/$1 $2 /"
}
for _ in $(seq "$FORKS"); do
  one base 0-3 two & one nospec 4-7 two & one noabsent 8-11 text & one base 12-15 text & wait
  one nospec 0-3 two & one base 4-7 two & one base 8-11 text & one noabsent 12-15 text & wait
  for v in base nohuge noaddr; do one $v 0-7 big; done
  for v in base noshared noshared base; do one $v 0-15 words; done
done
