package dev.gyre.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The entry points, with a Java and a Maven that only note down how they are called. */
@Timeout(300)
class ScriptsTest {

  private static final List<String> MODULES =
      List.of(
          "atomics-shim",
          "datasets/generators",
          "datasets",
          "datasets/gutenberg",
          "tornado-kernels",
          "progress",
          "progress/litmus",
          "structures",
          "bench");

  /** Notes its arguments in the file java.log, and makes the files that it is told to make. */
  private static final String JAVA =
      """
      #!/bin/bash
      echo "LC_ALL=${LC_ALL-} $*" >>"${0%/*/bin/java}/java.log"
      for a; do case $a in -XX:AOTCacheOutput=*) echo cache >"${a#*=}" ;; esac; done
      if [[ $1 == *TornadoArguments.java ]]; then echo "-Dof=$3" >"$4"; fi
      """;

  private static final String ARGUMENTS =
      "tornado-kernels/tornadovm/src/main/java/dev/gyre/kernels/tornadovm/TornadoArguments.java";

  @TempDir private Path root;

  @BeforeEach
  void makeTree() throws IOException {
    Files.createDirectories(root.resolve("scripts"));
    try (Stream<Path> scripts = Files.list(Shell.root().resolve("scripts"))) {
      for (Path script : scripts.toList()) {
        Files.copy(script, root.resolve("scripts").resolve(script.getFileName().toString()));
      }
    }
    make(ARGUMENTS, "");
    make("pom.xml", "");
    for (String module : MODULES) {
      make(module + "/pom.xml", "");
      make(module + "/src/main/java/A.java", "");
    }
    jdk("jdk", 25);
    make("atomics-shim/tornadovm/target/gyre-atomics-tornadovm.jar", "");
    make("bench/target/gyre-bench-1.jar", "");
    make("bench/target/lib/built", "");
  }

  private Path make(String name, String text) throws IOException {
    Path file = root.resolve(name);
    Files.createDirectories(file.getParent());
    return Files.writeString(file, text);
  }

  private void program(String name, String text) throws IOException {
    Files.setPosixFilePermissions(make(name, text), PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  private String jdk(String name, int version) throws IOException {
    program(name + "/bin/java", JAVA);
    make(name + "/release", "JAVA_VERSION=\"" + version + "\"\n");
    return root.resolve(name).toString();
  }

  private Shell.Outcome run(String line, String... environment) throws Exception {
    Map<String, String> more = new java.util.HashMap<>();
    more.put("JAVA25_HOME", root.resolve("jdk").toString());
    more.put("LC_ALL", "C");
    for (int i = 0; i < environment.length; i += 2) {
      more.put(environment[i], environment[i + 1]);
    }
    return new Shell(root, more).run(line);
  }

  /** How Java was called since this was asked last. */
  private List<String> calls() throws IOException {
    Path log = root.resolve("java.log");
    List<String> calls = Files.exists(log) ? Files.readAllLines(log) : List.of();
    Files.deleteIfExists(log);
    return calls;
  }

  private static void assertRefused(Shell.Outcome outcome, int code, String... parts) {
    assertThat(outcome.err()).hasSize(1);
    assertThat(outcome.err().getFirst()).contains(parts);
    assertThat(outcome.code()).isEqualTo(code);
  }

  @Test
  void aWrongJava25HomeIsAnError() throws Exception {
    for (String wrong : List.of("/nonexistent", jdk("old", 21))) {
      assertRefused(run("scripts/gyre --help", "JAVA25_HOME", wrong), 1, "JAVA25_HOME", wrong);
    }
    assertThat(calls()).isEmpty();
  }

  @Test
  void neitherHomeNorJava25HomeIsNeeded() throws Exception {
    String line = "env -u HOME -u JAVA25_HOME JAVA_HOME=$PWD/jdk ";
    Shell.Outcome outcome = run(line + "scripts/gyre --help");
    assertThat(outcome.err()).containsExactly("gyre: preparing a quick start ...");
    assertThat(outcome.code()).isZero();
    assertThat(run(line + "XDG_CACHE_HOME= scripts/wordcount x").code()).isZero();
    assertThat(calls()).hasSize(3);
    gpu();
    String sdk = root.resolve("sdk").toString();
    assertThat(run(line + "PATH=$PWD/tools:$PATH scripts/wordcount", "TORNADOVM_HOME", sdk).err())
        .isEmpty();
  }

  @Test
  void aNewerJdkRunsWhatIsBuiltForTheJvm() throws Exception {
    String newer = jdk("newer", 26);
    assertThat(run("scripts/gyre map --help", "JAVA25_HOME", newer).code()).isZero();
    assertThat(calls()).isNotEmpty();
    gpu();
    String sdk = root.resolve("sdk").toString();
    for (String target : List.of("ptx", "cuda", "opencl")) {
      Shell.Outcome outcome =
          run("scripts/wordcount --target " + target, "JAVA25_HOME", newer, "TORNADOVM_HOME", sdk);
      assertRefused(outcome, 1, "target " + target + " needs a JDK 25", newer);
    }
    assertRefused(
        run("scripts/gyre spark-wordcount x", "JAVA25_HOME", newer),
        1,
        "spark-wordcount needs a JDK 25");
    Files.delete(root.resolve("bench/target/lib/built"));
    assertRefused(
        run("scripts/gyre --help", "JAVA25_HOME", newer), 1, "the build needs a JDK 25", newer);
    assertThat(calls()).isEmpty();
  }

  private List<String> devices(String options) throws Exception {
    String sdk = root.resolve("sdk").toString();
    assertThat(run("scripts/gyre devices " + options, "TORNADOVM_HOME", sdk).code()).isZero();
    return calls().stream()
        .filter(call -> call.contains(" devices "))
        .map(
            call ->
                (call.contains("/ptx.arguments ") ? "ptx:" : "jvm:")
                    + call.replaceFirst(".* devices ", " "))
        .toList();
  }

  @Test
  void devicesAreThoseOfTheSdkWithOptionsToo() throws Exception {
    gpu();
    assertThat(devices(""))
        .containsExactly("jvm: --target jvm --quiet", "ptx: --target ptx --no-header");
    assertThat(devices("--quiet"))
        .containsExactly("jvm: --target jvm --quiet", "ptx: --target ptx --no-header --quiet");
    assertThat(devices("--target ptx")).containsExactly("ptx: --target ptx");
    assertThat(devices("--target=ptx --quiet --target jvm"))
        .containsExactly("ptx: --target ptx --quiet", "jvm: --target jvm --no-header --quiet");
    assertThat(devices("--help")).containsExactly("jvm: --help");
    assertThat(devices("--target fpga")).containsExactly("jvm: --target fpga");
    String sdk = root.resolve("sdk").toString();
    Shell.Outcome all = run("scripts/gyre devices --quiet", "TORNADOVM_HOME", sdk);
    assertThat(all.out())
        .containsExactly(
            "opencl     cannot be used:",
            "           the SDK has no such backend",
            "cuda       cannot be used:",
            "           the SDK has no such backend");
    calls();
    assertThat(devices("--json --target jvm --target ptx"))
        .containsExactly("jvm: --target jvm --json", "ptx: --target ptx --no-header --json");
    assertThat(run("scripts/gyre devices --json", "TORNADOVM_HOME", sdk).out())
        .containsExactly(
            "{\"target\": \"opencl\", \"problem\": \"the SDK has no such backend\"}",
            "{\"target\": \"cuda\", \"problem\": \"the SDK has no such backend\"}");
    Shell.Outcome older =
        run(
            "scripts/gyre devices --target ptx",
            "TORNADOVM_HOME",
            sdk,
            "JAVA25_HOME",
            jdk("newer", 26));
    assertThat(older.out())
        .containsExactly(
            "ptx        cannot be used:",
            "           TornadoVM needs a JDK 25, and none was found");
  }

  @Test
  void doctorSaysTheNextStepForWhatIsNotThere() throws Exception {
    Shell.Outcome outcome = run("scripts/gyre doctor", "TORNADOVM_HOME", "");
    assertThat(outcome.out())
        .anyMatch(line -> line.startsWith("ok       Java           version 25, in " + root))
        .anyMatch(line -> line.startsWith("none     TornadoVM"))
        .contains("gyre runs on the JVM; for GPUs, do what the arrows say");
    assertThat(outcome.code()).isZero();
    gpu();
    String sdk = root.resolve("sdk").toString();
    Shell.Outcome withGpu = run("PATH=$PWD/tools:$PATH scripts/gyre doctor", "TORNADOVM_HOME", sdk);
    assertThat(withGpu.out())
        .contains("ok       TornadoVM      in " + sdk + ", for: ptx")
        .anyMatch(line -> line.startsWith("ok       NVIDIA GPU     GPU 0"))
        .last()
        .asString()
        .contains("has what it needs for GPUs");
    Shell.Outcome wrong = run("scripts/gyre doctor", "JAVA25_HOME", "/nonexistent");
    assertThat(wrong.out())
        .anyMatch(line -> line.startsWith("missing  Java           a JDK 25 or newer is required"))
        .last()
        .isEqualTo("gyre cannot run: see Java above");
    assertThat(wrong.code()).isEqualTo(1);
    assertThat(calls()).isEmpty();
  }

  @Test
  void doctorHasHelpAndTakesNoOtherArgument() throws Exception {
    Shell.Outcome help = run("scripts/gyre doctor --help", "TORNADOVM_HOME", "");
    assertThat(help.out()).startsWith("Usage: gyre doctor");
    assertThat(help.code()).isZero();
    Shell.Outcome wrong = run("scripts/gyre doctor --json", "TORNADOVM_HOME", "");
    assertThat(wrong.err()).containsExactly("gyre: doctor takes no arguments: --json");
    assertThat(wrong.code()).isEqualTo(2);
  }

  @Test
  void doctorSaysWhatIsPrintedInALocaleWithoutUtf8() throws Exception {
    assertThat(run("scripts/gyre doctor", "LC_ALL", "C").out())
        .contains(
            "limited  locale         not UTF-8: texts are printed in UTF-8 nevertheless, and may be"
                + " shown wrongly");
  }

  @Test
  void javaGetsALocaleOfUtf8() throws Exception {
    assumeTrue(run("locale -a").out().contains("C.utf8"), "no locale C.UTF-8");
    assertThat(run("scripts/gyre --help").code()).isZero();
    assertThat(calls().getLast())
        .startsWith("LC_ALL=C.UTF-8 ")
        .contains(" -Dstdout.encoding=US-ASCII ");
    for (String name : List.of("no_SUCH.UTF-8", "C")) {
      Shell.Outcome outcome = run("scripts/gyre --help", "LC_ALL", "", "LANG", name);
      assertThat(outcome.err().stream().filter(line -> !line.startsWith("bash: warning")))
          .isEmpty();
      assertThat(calls().getLast()).startsWith("LC_ALL=C.UTF-8 ");
    }
    assertThat(run("scripts/gyre --help", "LC_ALL", "", "LANG", "C.UTF-8").code()).isZero();
    assertThat(calls().getLast()).startsWith("LC_ALL= ").doesNotContain("stdout.encoding");
  }

  /** Where it is closed, Java would read the first file that it opens itself. */
  @Test
  void javaNeverStartsWithoutStandardInput() throws Exception {
    String tells =
        "#!/bin/bash\n{ : 9<&0; } 2>/dev/null || echo closed >>\"${0%/*/bin/java}/java.log\"\n";
    program("jdk/bin/java", tells);
    assertThat(run("$PWD/jdk/bin/java <&-").code()).isZero();
    assertThat(calls()).containsExactly("closed");
    assertThat(run("scripts/gyre wordcount - <&-").code()).isZero();
    assertThat(calls()).isEmpty();
  }

  @Test
  void theQuickStartIsMadeOnceForEachJdkAndAgainForNewJars() throws Exception {
    assertThat(run("scripts/wordcount x").err())
        .containsExactly("gyre: preparing a quick start ...");
    assertThat(calls())
        .hasSize(2)
        .first()
        .asString()
        .contains("-XX:AOTCacheOutput=", " " + QuickStart.class.getName() + " ");
    assertThat(run("scripts/wordcount x").err()).isEmpty();
    assertThat(calls()).singleElement().asString().contains("-XX:AOTCache=").endsWith(" x");
    make("jdk/release", "JAVA_VERSION=\"25.0.9\"\n");
    assertThat(run("scripts/wordcount x").err()).hasSize(1);
    assertThat(calls()).hasSize(2);
    String other = jdk("other", 25);
    assertThat(run("scripts/wordcount x", "JAVA25_HOME", other).err()).hasSize(1);
    assertThat(root.resolve("bench/target/gyre.aot")).exists();
    Path jar = make("bench/target/lib/gyre-structures-1.jar", "");
    Files.setLastModifiedTime(jar, FileTime.fromMillis(System.currentTimeMillis() + 1));
    assertThat(run("scripts/wordcount x", "JAVA25_HOME", other).err()).hasSize(1);
    Files.setLastModifiedTime(jar, FileTime.fromMillis(0));
    assertThat(run("scripts/wordcount x", "JAVA25_HOME", other).err()).isEmpty();
  }

  @Test
  void oneCompilerDoesForWhatIsOverSoon() throws Exception {
    make("small", "a");
    make("small.gz", "a");
    make("folder/small", "a");
    assertThat(run("truncate -s 40M half").code()).isZero();
    for (String line : List.of("gyre map --help", "wordcount", "wordcount --top 3 small half")) {
      assertThat(run("scripts/" + line).code()).as(line).isZero();
      assertThat(calls().getLast()).as(line).contains(" -XX:TieredStopAtLevel=1 ");
    }
    for (String line :
        List.of(
            "wordcount small.gz",
            "gyre map small",
            "wordcount half ./half",
            "wordcount small folder",
            "wordcount -")) {
      assertThat(run("scripts/" + line).code()).as(line).isZero();
      assertThat(calls().getLast()).as(line).doesNotContain("TieredStopAtLevel");
    }
  }

  @Test
  void argumentsForTornadoVmAreMadeOnceForEachSdk() throws Exception {
    make("sdk/share/java/tornado/a.jar", "");
    make("sdk/share/java/graalJars/b.jar", "");
    make("sdk/etc/exportLists/common-exports", "");
    String sdk = root.resolve("sdk").toString();
    String command = "scripts/wordcount --target opencl x";
    assertThat(run(command, "TORNADOVM_HOME", sdk).code()).isZero();
    assertThat(calls()).filteredOn(c -> c.contains("TornadoArguments.java")).hasSize(1);
    assertThat(Files.readAllLines(root.resolve("bench/target/opencl.arguments")))
        .hasSize(2)
        .contains("-Dof=" + sdk);
    assertThat(run(command, "TORNADOVM_HOME", sdk).code()).isZero();
    assertThat(calls()).singleElement().asString().contains("@", "opencl.arguments");
    for (String changed : List.of("sdk/share/java/tornado/a.jar", ARGUMENTS)) {
      make(changed, "other");
      assertThat(run(command, "TORNADOVM_HOME", sdk).code()).isZero();
      assertThat(calls()).as(changed).hasSize(2);
    }
    Files.move(root.resolve("sdk"), root.resolve("sdk2"));
    assertThat(run(command, "TORNADOVM_HOME", sdk + "2").code()).isZero();
    assertThat(calls()).hasSize(2);
  }

  /** Several processes of a bundle may start at once, with one folder of what is unpacked. */
  @Test
  void argumentsOfABundleArePutInPlaceAsAWhole() throws Exception {
    make("run.sh", Files.readString(root.resolve("scripts/device-check-run")));
    for (String part : List.of("base", "classes")) {
      make(part + ".tar.xz", "");
      assertThat(run("mkdir -p home && cksum <" + part + ".tar.xz >home/" + part + ".unpacked"))
          .returns(0, Shell.Outcome::code);
    }
    make("home/sdk/a.jar", "");
    program(
        "home/jdk/bin/java",
        """
        #!/bin/bash
        if [[ $* == *.TornadoArguments* ]]; then echo -Dof=ptx >"${@: -1}"; fi
        """);
    for (String backend : List.of("jvm", "ptx")) {
      Path arguments = make("home/" + backend + ".arguments", "old");
      Path reader = Files.createLink(root.resolve(backend), arguments);
      Shell.Outcome outcome =
          run("sh run.sh java " + backend + " Main", "GYRE_HOME", root.resolve("home").toString());
      assertThat(outcome.err()).isEmpty();
      assertThat(outcome.code()).isZero();
      assertThat(reader).hasContent("old");
      assertThat(Files.readString(arguments)).startsWith("-");
    }
    try (Stream<Path> files = Files.list(root.resolve("home"))) {
      assertThat(files.map(file -> file.getFileName().toString()))
          .containsExactlyInAnyOrder(
              "base.unpacked", "classes.unpacked", "jdk", "jvm.arguments", "ptx.arguments", "sdk");
    }
  }

  /** The target that a command was started for, where an NVIDIA GPU and its SDK are there. */
  private String chosen(String command) throws Exception {
    Shell.Outcome outcome =
        run(
            "PATH=$PWD/tools:$PATH " + command,
            "TORNADOVM_HOME",
            root.resolve("sdk").toString(),
            "XDG_CACHE_HOME",
            root.resolve("caches").toString());
    assertThat(outcome.err()).isSubsetOf("gyre: preparing a quick start ...");
    assertThat(outcome.code()).isZero();
    return calls().getLast().contains("/ptx.arguments ") ? "ptx" : "jvm";
  }

  private void gpu() throws IOException {
    program("tools/nvidia-smi", "#!/bin/bash\necho 'GPU 0: one'\n");
    make("sdk/share/java/tornado/tornado-drivers-ptx-5.2.0.jar", "");
    make("sdk/share/java/graalJars/b.jar", "");
    make("sdk/etc/exportLists/common-exports", "");
  }

  /** A file that begins with the first 64 KiB of such lines, and takes no room behind them. */
  private void sparse(String name, String line, long bytes) throws IOException {
    make(name, line.repeat((1 << 16) / line.length()));
    try (RandomAccessFile file = new RandomAccessFile(root.resolve(name).toFile(), "rw")) {
      file.setLength(bytes);
    }
  }

  @Test
  void aGpuIsTakenIfThereAreEnoughBytesOrKeys() throws Exception {
    gpu();
    sparse("text", "abc\n", 1 << 26);
    assertThat(chosen("scripts/wordcount text")).isEqualTo("ptx");
    sparse("text", "abc\n", (1 << 26) - 1);
    assertThat(chosen("scripts/wordcount text")).isEqualTo("jvm");
    String map = "scripts/gyre map rows.csv --lookup ask.csv --out rows.csv";
    make("ask.csv", "1,2\n".repeat(2));
    sparse("rows.csv", "1,2\n", (1 << 28) - 8);
    assertThat(chosen(map)).isEqualTo("ptx");
    assertThat(chosen(map.replace("--lookup ask.csv", "--lookup=ask.csv"))).isEqualTo("ptx");
    sparse("rows.csv", "1,2\n", (1 << 28) - 12);
    assertThat(chosen(map)).isEqualTo("jvm");
    assertThat(chosen(map.replace("ask.csv", "-"))).isEqualTo("ptx");
  }

  @Test
  void aFileNameIsNotRun() throws Exception {
    gpu();
    // Not every wc quotes a name of several lines.
    make("a\na[$(touch pwned)]", "words\n");
    var _ = chosen("scripts/wordcount $'a\\na[\\x24(touch pwned)]'");
    assertThat(root.resolve("pwned")).doesNotExist();
  }

  @Test
  void aTargetWithoutAnSdkIsBadUsage() throws Exception {
    assertRefused(run("scripts/wordcount --target ptx"), 2, "ptx", "TORNADOVM_HOME");
    assertThat(calls()).isEmpty();
  }

  @Test
  void sparkIsOnTheClassPathOfItsCommandOnly() throws Exception {
    make("bench/spark/target/gyre-bench-spark-1.jar", "");
    make("bench/spark/target/spark/jars/spark-core.jar", "");
    for (String module : List.of("structures/spark", "bench/spark")) {
      make(module + "/pom.xml", "");
      make(module + "/src/main/java/A.java", "");
    }
    make("bench/spark/target/spark/built", "");
    Shell.Outcome outcome = run("scripts/gyre spark-wordcount --master 'local[2]' x");
    assertThat(outcome.err()).isEmpty();
    assertThat(calls())
        .singleElement()
        .asString()
        .contains("/.config/spark.arguments ", "/gyre-bench-spark-1.jar:", "/jars/spark-core.jar")
        .endsWith(" dev.gyre.bench.spark.SparkGyre spark-wordcount --master local[2] x");
    assertThat(run("scripts/gyre wordcount x").code()).isZero();
    assertThat(calls()).hasSize(2).allSatisfy(call -> assertThat(call).doesNotContain("spark"));
  }

  @Test
  void helpOnSparkBuildsAndDownloadsNothing() throws Exception {
    make("bench/spark/usage.txt", "Usage: gyre spark-wordcount\n");
    program("tools/mvn", "#!/bin/bash\ntouch built-by-maven\n");
    for (String help : List.of("-h", "--help")) {
      Shell.Outcome outcome =
          run("PATH=$PWD/tools:$PATH scripts/gyre spark-wordcount --master local " + help);
      assertThat(outcome.out()).containsExactly("Usage: gyre spark-wordcount");
      assertThat(outcome.code()).isZero();
    }
    assertThat(root.resolve("built-by-maven")).doesNotExist();
    assertThat(calls()).isEmpty();
  }

  /** After {@code mvn verify}, or another command's build, only what has changed since is built. */
  @Test
  void whatMavenHasBuiltIsNotBuiltAgain() throws Exception {
    program("tools/mvn", "#!/bin/bash\ntouch built-by-maven\n");
    Files.delete(root.resolve("bench/target/lib/built"));
    Path built = root.resolve("built-by-maven");
    FileTime later = FileTime.fromMillis(System.currentTimeMillis() + 2_000);
    for (String module : MODULES) {
      String jar = "gyre-" + module.replaceAll(".*/", "") + "-1.jar";
      Path file = root.resolve("bench/target").resolve(module.equals("bench") ? jar : "lib/" + jar);
      make(root.relativize(file).toString(), "");
      Files.setLastModifiedTime(file, later);
    }
    String line = "PATH=$PWD/tools:$PATH scripts/gyre wordcount x";
    assertThat(run(line).code()).isZero();
    assertThat(built).doesNotExist();
    Files.setLastModifiedTime(
        root.resolve("progress/src/main/java/A.java"),
        FileTime.fromMillis(later.toMillis() + 2_000));
    assertThat(run(line).code()).isZero();
    assertThat(built).exists();
  }

  @Test
  void whatBuildsSaysInOneLineThatThereIsNoMavenOrNoJdk() throws Exception {
    Files.delete(root.resolve("bench/target/lib/built"));
    String wrapped =
        """
        mkdir tools
        for p in bash cat dirname find grep mkdir readlink sed; do
          printf '#!%s\\nexec %s "$@"\\n' "$(command -v bash)" "$(command -v $p)" >tools/$p
        done
        chmod +x tools/*
        """;
    assertThat(run(wrapped).code()).isZero();
    for (String command :
        List.of(
            "gyre --help",
            "compare --help",
            "check-user-project",
            "check-release",
            "mutants",
            "public-api",
            "site")) {
      String line = "PATH=$PWD/tools scripts/" + command;
      assertRefused(run(line), 1, "Maven 3.8 or newer is required");
      assertRefused(run(line, "JAVA25_HOME", "/nonexistent"), 1, "JDK 25");
    }
    assertThat(calls()).isEmpty();
  }

  @Test
  void aBuildSaysHowFarItIs() throws Exception {
    program(
        "tools/mvn",
        """
        #!/bin/bash
        echo '[INFO] Scanning for projects...'
        echo '[INFO] Building Gyre datasets 0.1.0-SNAPSHOT                             [3/7]'
        for i in {1..50}; do echo "[INFO] Downloaded from central: $i"; done
        echo '[ERROR] /a/B.java:[3,4] wrong'
        [[ ! -e broken ]]
        """);
    Files.delete(root.resolve("bench/target/lib/built"));
    String line = "PATH=$PWD/tools:$PATH scripts/gyre --help";
    assertThat(run(line).err())
        .containsExactly(
            "gyre: building (first use, or the sources have changed) ...",
            "gyre: building Gyre datasets (3 of 7) ...",
            "gyre: 25 files downloaded ...",
            "gyre: 50 files downloaded ...",
            "gyre: preparing a quick start ...");
    make("broken", "");
    Files.delete(root.resolve("bench/target/lib/built"));
    Shell.Outcome outcome = run(line);
    assertThat(outcome.code()).isEqualTo(1);
    assertThat(outcome.err())
        .endsWith("[ERROR] /a/B.java:[3,4] wrong", "gyre: the build failed; its output is above");
  }
}
