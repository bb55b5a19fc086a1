package dev.gyre.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The command as a process: its streams, and names of files as a shell gives them. */
@Timeout(300)
class ProcessTest {

  @TempDir private Path folder;
  private Shell shell;

  @BeforeEach
  void makeShell() {
    // A class path is too long to read in messages.
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    shell =
        new Shell(
            folder,
            Map.of(
                "gyre",
                java + " -XX:TieredStopAtLevel=1 -XX:+UseSerialGC dev.gyre.bench.cli.Gyre",
                "CLASSPATH",
                absolute(System.getProperty("java.class.path")),
                "LC_ALL",
                "C"));
  }

  private static String absolute(String classPath) {
    StringBuilder absolute = new StringBuilder();
    for (String entry : classPath.split(java.io.File.pathSeparator, -1)) {
      absolute.append(Path.of(entry).toAbsolutePath()).append(java.io.File.pathSeparator);
    }
    return absolute.toString();
  }

  @Test
  void aSettingThatIsNotUnderstoodIsBadUsage() throws Exception {
    Shell.Outcome outcome =
        shell.run("JDK_JAVA_OPTIONS=-Dgyre.memory.limit=much $gyre wordcount 2>&1 >out");
    assertThat(outcome.code()).isEqualTo(2);
    assertThat(outcome.out())
        .filteredOn(line -> !line.startsWith("NOTE: "))
        .singleElement()
        .asString()
        .startsWith("gyre wordcount: ")
        .contains("gyre.memory.limit", "much");
  }

  @Test
  void aFullHeapIsSaidInOneLine() throws Exception {
    Shell.Outcome outcome =
        shell.run(
            """
            (echo k; yes a | head -c 60000000 | tr -d '\\n'; echo) >long
            JDK_JAVA_OPTIONS=-Xmx24m $gyre group long --by k --agg count --out counted
            """);
    assertThat(outcome.code()).isEqualTo(1);
    assertThat(outcome.err())
        .filteredOn(line -> !line.startsWith("NOTE: "))
        .singleElement()
        .asString()
        .startsWith("gyre group: not enough memory: Java heap space; GYRE_JAVA_OPTIONS=");
    assertThat(folder.resolve("counted")).doesNotExist();
  }

  @Test
  void aReaderThatHasEnoughEndsItQuietly() throws Exception {
    Shell.Outcome outcome =
        shell.run("$gyre wordcount --top 9000 | head -1 >head; echo ${PIPESTATUS[0]}");
    assertThat(outcome.err()).isEmpty();
    assertThat(outcome.out()).containsExactly("141");
    assertThat(Files.readString(folder.resolve("head"))).startsWith("rank");
  }

  @Test
  void theCommandsThatQuickStartsAreMadeOfRun() throws Exception {
    Shell.Outcome outcome = shell.run("${gyre%.Gyre}.QuickStart " + Shell.root() + "/README.md");
    assertThat(outcome.err()).isEmpty();
    assertThat(outcome.code()).isZero();
  }

  @Test
  void helpThatNobodyReadsEndsQuietly() throws Exception {
    // The reader is gone before anything is written.
    Shell.Outcome outcome =
        shell.run(
            """
            mkfifo pipe
            (exec >pipe; until [[ -e gone ]]; do :; done; $gyre --help; echo $? >code) &
            : <pipe
            touch gone
            wait
            """);
    assertThat(outcome.err()).isEmpty();
    assertThat(Files.readString(folder.resolve("code"))).isEqualToIgnoringNewLines("141");
  }

  @Test
  void aFullDeviceIsSaid() throws Exception {
    assumeTrue(Files.exists(Path.of("/dev/full")), "no /dev/full");
    for (String what : List.of("wordcount", "--help", "map --help")) {
      Shell.Outcome outcome = shell.run("$gyre " + what + " >/dev/full");
      assertThat(outcome.code()).isEqualTo(1);
      assertThat(outcome.err()).hasSize(1);
      assertThat(outcome.err().getFirst())
          .contains("standard output cannot be written", "No space");
    }
  }

  @Test
  void standardStreamsAreFiles() throws Exception {
    Files.writeString(folder.resolve("keys"), "key\n2\n3\n");
    Shell.Outcome outcome =
        shell.run("printf 'key,value\\n2,20\\n' | $gyre map - --lookup keys --out -");
    assertThat(outcome.code()).isZero();
    assertThat(outcome.out()).containsExactly("key,value", "2,20", "3,");
    assertThat(outcome.err()).hasSize(1);
    assertThat(outcome.err().getFirst()).startsWith("rows=1 distinct=1 asked=2 found=1 ");
  }

  @Test
  void anErrorEndsTheReadOfAPipeThatStaysOpen() throws Exception {
    Shell.Outcome outcome =
        shell.run(
            """
            mkfifo pipe
            exec 3<>pipe
            (echo x; yes 1 | head -c 2000000; echo bad; yes 1 | head -c 400000) >&3 &
            timeout 60 $gyre group - --by x --agg 'sum(x)' --threads 2 <pipe
            """);
    assertThat(outcome.code()).isEqualTo(2);
    assertThat(outcome.err())
        .containsExactly(
            "gyre group: standard input: line 1000002, column 1: not a number: \"bad\"");
  }

  @Test
  void aTerminatedCommandLeavesNoUnfinishedFile() throws Exception {
    Shell.Outcome outcome =
        shell.run(
            """
            mkdir out && echo before >out/rows
            $gyre measurements --rows 1000000000 --out out/rows & running=$!
            until [ -n "$(find out -name '.gyre-*' -size +0)" ]; do kill -0 $running || exit 9; done
            kill $running
            wait $running
            echo $?
            ls -A out
            cat out/rows
            """);
    assertThat(outcome.out()).containsExactly("143", "rows", "before");
    assertThat(outcome.err()).isEmpty();
  }

  @Test
  void aDashIsStandardOutputAndAllElseIsOnStandardError() throws Exception {
    Files.writeString(folder.resolve("text"), "b a");
    Shell.Outcome outcome = shell.run("$gyre wordcount --csv - text");
    assertThat(outcome.code()).isZero();
    assertThat(outcome.out()).containsExactly("word,count", "a,1", "b,1");
    assertThat(outcome.err().getFirst()).startsWith("rank");
    assertThat(outcome.err().getLast()).startsWith("words=2 distinct=2 ");
    outcome = shell.run("$gyre litmus --only store --seconds 0.1 --no-progress --json -");
    assertThat(String.join("", outcome.out())).startsWith("{").endsWith("}");
    assertThat(outcome.err().getLast()).startsWith("tests=");
    assertThat(folder.resolve("-")).doesNotExist();
  }

  @Test
  void theDescriptorOfStandardOutputIsWrittenIntoLikeIt() throws Exception {
    Files.writeString(folder.resolve("text"), "b a");
    // Not /dev/stdout: what is tested must not be able to replace that.
    Files.createSymbolicLink(folder.resolve("out"), Path.of("/proc/self/fd/1"));
    Shell.Outcome outcome = shell.run("$gyre wordcount --quiet --csv out text >printed");
    assertThat(outcome.err()).isEmpty();
    assertThat(Files.readString(folder.resolve("printed")))
        .startsWith("word,count\na,1\nb,1\nwords=2 ");
    assertThat(folder.resolve("out")).isSymbolicLink();
  }

  /** In a locale of ASCII: names in UTF-8, and one that is no text at all, in a folder of such. */
  @Test
  void anyNameIsTaken() throws Exception {
    assumeTrue(Files.exists(Path.of("/proc/self/cmdline")), "no bytes of arguments here");
    Shell.Outcome outcome =
        shell.run(
            """
            u=$'s\\xc3\\xbc\\xc3\\x9f \\xc3\\xbc.txt' x=$'x\\xff.txt' d=$'d\\xfe'
            mkdir "$d" && echo one >"$u" && echo two >"$d/$x" || exit 9
            $gyre wordcount --quiet "$u" "$d/$x" --csv $'\\xc3\\xb6ut.csv' || exit
            cat $'\\xc3\\xb6ut.csv'
            cd "$d" && echo three >plain && $gyre wordcount --quiet "$x" plain --csv "$x.csv" || exit
            cat "$x.csv"; ls ..
            """);
    assumeTrue(outcome.code() != 9, "the file system takes no such names");
    assertThat(outcome.err()).isEmpty();
    assertThat(outcome.out())
        .filteredOn(line -> !line.startsWith("words="))
        .containsExactly(
            "word,count",
            "one,1",
            "two,1",
            "word,count",
            "three,1",
            "two,1",
            "d\u00fe",
            "s\u00c3\u00bc\u00c3\u009f \u00c3\u00bc.txt",
            "\u00c3\u00b6ut.csv");
  }
}
