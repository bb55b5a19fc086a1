package dev.gyre.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The command of an archive, unpacked, with a Java that only notes down how it is called. */
@Timeout(300)
class DistributionTest {

  private static final String PLACE = "a place für 词/gyre 1";

  /** Notes its arguments in the file java.log, and makes the files that it is told to make. */
  private static final String JAVA =
      """
      #!/bin/bash
      echo "$*" >>"${0%/*/bin/java}/java.log"
      for a; do case $a in -XX:AOTCacheOutput=*) sleep 0.2 && echo cache >"${a#*=}" ;; esac; done
      if [[ $1 == -jar ]]; then echo "-Dof=$4" >"$5"; fi
      exit "${JAVA_CODE:-0}"
      """;

  @TempDir private Path root;

  @BeforeEach
  void unpack() throws IOException {
    unpack(PLACE);
    program("jdk/bin/java", JAVA);
    make("jdk/release", "JAVA_VERSION=\"25.0.1\"\n");
  }

  private void unpack(String place) throws IOException {
    Path sources = Shell.root();
    program(place + "/bin/gyre", Files.readString(sources.resolve("bench/dist/src/gyre")));
    make(place + "/lib/launch.sh", Files.readString(sources.resolve("scripts/launch.sh")));
    make(place + "/lib/gyre-bench-1.jar", "bench");
    make(place + "/lib/picocli-1.jar", "picocli");
    make(place + "/LICENSE", "words");
  }

  private void make(String name, String text) throws IOException {
    Path file = root.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }

  private void program(String name, String text) throws IOException {
    make(name, text);
    Files.setPosixFilePermissions(root.resolve(name), PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  private Shell.Outcome run(String line, String... environment) throws Exception {
    Map<String, String> more = new HashMap<>();
    more.put("JAVA25_HOME", root.resolve("jdk").toString());
    more.put("XDG_CACHE_HOME", root.resolve("caches").toString());
    for (int i = 0; i < environment.length; i += 2) {
      more.put(environment[i], environment[i + 1]);
    }
    return new Shell(root, more).run(line);
  }

  private void assertRuns(String line, String... environment) throws Exception {
    Shell.Outcome outcome = run(line, environment);
    assertThat(outcome.err()).isSubsetOf("gyre: preparing a quick start ...");
    assertThat(outcome.code()).isZero();
  }

  /** How Java was called since the last time. */
  private List<String> calls() throws IOException {
    Path log = root.resolve("java.log");
    List<String> calls = Files.exists(log) ? Files.readAllLines(log) : List.of();
    Files.deleteIfExists(log);
    return calls;
  }

  private List<Path> caches() throws IOException {
    try (Stream<Path> files = Files.list(root.resolve("caches/gyre"))) {
      return files.toList();
    }
  }

  private static String gyre(String place) {
    return "'" + place + "/bin/gyre' ";
  }

  @Tag("slow")
  @Test
  void runsByEachShellFromAnyPathAndThroughLinks() throws Exception {
    String line =
        "mkdir -p bin && ln -s '../" + PLACE + "/bin/gyre' bin/link && ln -s link bin/second";
    assertThat(run(line).code()).isZero();
    String lib = root.resolve(PLACE).resolve("lib").toRealPath().toString();
    for (String shell : List.of("", "sh ", "bash --posix ", "$(command -v dash) ")) {
      for (String command :
          List.of(gyre(PLACE), "bin/second ", "$PWD/bin/link ", "\"$(cd bin && pwd -P)/link\" ")) {
        assertRuns(shell + command + "wordcount 'b c' d");
        assertThat(calls().getLast())
            .contains(" -cp " + lib + "/gyre-bench-1.jar:" + lib + "/picocli-1.jar ")
            .endsWith(" dev.gyre.bench.cli.Gyre wordcount b c d");
      }
    }
    assertRuns("PATH=$PWD/bin:$PATH && second map x");
    assertThat(calls().getLast()).endsWith(" dev.gyre.bench.cli.Gyre map x");
  }

  private Map<String, String> installed() throws IOException {
    Map<String, String> files = new TreeMap<>();
    try (Stream<Path> walk = Files.walk(root.resolve(PLACE))) {
      for (Path file : walk.toList()) {
        files.put(
            file.toString(),
            Files.getLastModifiedTime(file)
                + (Files.isRegularFile(file) ? Files.readString(file) : ""));
      }
    }
    return files;
  }

  /** Permissions alone would show nothing to a test that is run by root. */
  @Test
  void nothingIsWrittenIntoItsFolder() throws Exception {
    assertThat(run("chmod -R a-w '" + PLACE + "'").code()).isZero();
    Map<String, String> before = installed();
    try {
      assertRuns(gyre(PLACE) + "wordcount x");
      assertRuns("cd '" + PLACE + "' && bin/gyre --help");
      assertRuns("env -u HOME -u XDG_CACHE_HOME " + gyre(PLACE) + "wordcount x");
      assertThat(installed()).isEqualTo(before);
    } finally {
      assertThat(run("chmod -R u+w '" + PLACE + "'").code()).isZero();
    }
  }

  @Test
  void withoutAFolderForCachesThereIsNoCacheAndNoError() throws Exception {
    for (String environment :
        List.of(
            "-u HOME -u XDG_CACHE_HOME",
            "HOME= XDG_CACHE_HOME=",
            "-u HOME XDG_CACHE_HOME=relative",
            "HOME=/dev/null XDG_CACHE_HOME=/dev/null/none")) {
      Shell.Outcome outcome = run("env " + environment + " " + gyre(PLACE) + "wordcount x");
      assertThat(outcome.err()).as(environment).isEmpty();
      assertThat(outcome.code()).as(environment).isZero();
      assertThat(calls()).as(environment).singleElement().asString().doesNotContain("AOTCache");
    }
    assertThat(root.resolve("relative")).doesNotExist();
    assertThat(root.resolve("caches")).doesNotExist();
    assertRuns("env -u XDG_CACHE_HOME HOME=$PWD/home " + gyre(PLACE) + "wordcount x");
    assertThat(calls().getLast()).contains("-XX:AOTCache=" + root + "/home/.cache/gyre/start-");
  }

  /** Prepares and then uses a cache of its own. */
  private void assertPrepares(String place) throws Exception {
    int before = Files.exists(root.resolve("caches")) ? caches().size() : 0;
    assertThat(run(gyre(place) + "wordcount x").err())
        .containsExactly("gyre: preparing a quick start ...");
    assertThat(calls())
        .hasSize(2)
        .first()
        .asString()
        .contains("-XX:AOTCacheOutput=" + root + "/caches/gyre/start-")
        .contains(" " + QuickStart.class.getName() + " ");
    assertThat(caches()).hasSize(before + 1);
    assertThat(run(gyre(place) + "wordcount x").err()).isEmpty();
    assertThat(calls()).singleElement().asString().contains("-XX:AOTCache=" + root);
  }

  @Test
  void aCacheIsOfAJdkBuildAPathAndTheJars() throws Exception {
    assertPrepares(PLACE);
    unpack("other");
    assertPrepares("other");
    make("jdk/release", "JAVA_VERSION=\"25.0.2\"\n");
    assertPrepares(PLACE);
    make(PLACE + "/lib/picocli-1.jar", "PICOCLI");
    assertPrepares(PLACE);
  }

  @Test
  void unusedCachesAreDeletedWhenAnotherIsMade() throws Exception {
    make("caches/gyre/start-1.aot", "");
    make("caches/gyre/start-2.aot.77", "");
    make("caches/gyre/other", "");
    assertThat(run("touch -t 202501010000 caches/gyre/*").code()).isZero();
    make("caches/gyre/start-3.aot", "");
    assertRuns(gyre(PLACE) + "wordcount x");
    assertThat(root.resolve("caches/gyre/start-1.aot")).doesNotExist();
    assertThat(root.resolve("caches/gyre/start-2.aot.77")).doesNotExist();
    assertThat(root.resolve("caches/gyre/start-3.aot")).exists();
    assertThat(root.resolve("caches/gyre/other")).exists();
  }

  @Test
  void severalMayStartAtOnce() throws Exception {
    String gyre = gyre(PLACE) + "wordcount x & ";
    assertRuns(gyre + gyre + gyre + "wait");
    assertThat(calls()).hasSizeBetween(4, 6);
    assertThat(caches()).singleElement().asString().endsWith(".aot");
    assertThat(caches().getFirst()).hasContent("cache");
  }

  /** It is not asked again and again. */
  @Test
  void aJvmThatWritesNoCacheIsAskedOnce() throws Exception {
    program("jdk/bin/java", "#!/bin/bash\necho \"$*\" >>\"${0%/*/bin/java}/java.log\"\n");
    assertThat(run(gyre(PLACE) + "wordcount x").err()).hasSize(2);
    assertThat(calls()).hasSize(2);
    assertThat(run(gyre(PLACE) + "wordcount x").err()).isEmpty();
    assertThat(calls()).singleElement().asString().doesNotContain("AOTCache");
  }

  @Test
  void wordsOnSparkNeedACheckout() throws Exception {
    Shell.Outcome outcome = run(gyre(PLACE) + "spark-wordcount book.txt");
    assertThat(outcome.code()).isEqualTo(2);
    assertThat(outcome.err())
        .singleElement()
        .asString()
        .contains("call scripts/gyre of a checkout (docs/spark.md)");
  }

  @Test
  void aTargetOnAGpuNeedsWhatWasBuiltForIt() throws Exception {
    make("sdk/share/java/tornado/tornado-drivers-opencl-5.2.0.jar", "");
    make("sdk/etc/exportLists/common-exports", "");
    String[] sdk = {"TORNADOVM_HOME", root.resolve("sdk").toString()};
    String line = gyre(PLACE) + "wordcount --target opencl x";
    Shell.Outcome without = run(line, sdk);
    assertThat(without.code()).isEqualTo(2);
    assertThat(without.err()).singleElement().asString().contains("without targets on GPUs");
    make(PLACE + "/lib/tornadovm/gyre-tornado-kernels-tornadovm-1.jar", "");
    assertThat(run(line).code()).isEqualTo(2);
    assertThat(calls()).isEmpty();
    assertRuns(line, sdk);
    assertThat(calls())
        .hasSize(2)
        .last()
        .asString()
        .startsWith("@" + root + "/caches/gyre/opencl.arguments ")
        .contains("/lib/tornadovm/gyre-tornado-kernels-tornadovm-1.jar:" + root);
    assertRuns("env -u HOME -u XDG_CACHE_HOME " + line, sdk);
    assertThat(calls()).hasSize(2);
    assertThat(run("JAVA_CODE=141 " + line, sdk).code()).isEqualTo(141);
  }

  @Test
  void theRuntimeAndTheSdkOfAnArchiveAreUsedWhereTheUserNamesNone() throws Exception {
    program(PLACE + "/runtime/bin/java", JAVA);
    make(PLACE + "/runtime/release", "JAVA_VERSION=\"25.0.1\"\n");
    make(PLACE + "/share/tornadovm/share/java/tornado/tornado-drivers-ptx-5.2.0.jar", "");
    make(PLACE + "/share/tornadovm/etc/exportLists/common-exports", "");
    make(PLACE + "/lib/tornadovm/gyre-tornado-kernels-tornadovm-1.jar", "");
    String none = "env -u JAVA25_HOME -u TORNADOVM_HOME ";
    assertRuns(none + gyre(PLACE) + "wordcount --target ptx x");
    assertThat(calls()).isEmpty();
    Path log = root.resolve(PLACE).resolve("java.log");
    assertThat(Files.readAllLines(log)).anyMatch(call -> call.contains("/share/tornadovm "));
    assertRuns(gyre(PLACE) + "map x");
    assertThat(calls()).isNotEmpty();
    assertThat(run(none + gyre(PLACE) + "doctor").out())
        .anyMatch(line -> line.matches("ok +Java +version 25, in .*/gyre 1/runtime"))
        .anyMatch(line -> line.matches("ok +TornadoVM +in .*/share/tornadovm, for: ptx"));
  }
}
