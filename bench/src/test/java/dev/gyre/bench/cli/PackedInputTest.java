package dev.gyre.bench.cli;

import static java.nio.charset.StandardCharsets.UTF_16;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.zip.GZIPOutputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What the commands do with inputs that are packed, of other encodings, or no text, and tell of it.
 */
class PackedInputTest {

  @TempDir Path folder;

  private record Outcome(int code, String out, String err) {

    List<String> errLines() {
      return err.lines().toList();
    }
  }

  private static Outcome run(String... args) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int code = Gyre.run(new PrintWriter(out, true), new PrintWriter(err, true), args);
    return new Outcome(code, out.toString(), err.toString());
  }

  private static Outcome count(Object... args) {
    String[] words = new String[args.length + 1];
    words[0] = "wordcount";
    for (int i = 0; i < args.length; i++) {
      words[i + 1] = args[i].toString();
    }
    return run(words);
  }

  private static void assertBadInput(Outcome outcome, Object... parts) {
    assertThat(outcome.code()).isEqualTo(Gyre.BAD_USAGE);
    assertThat(outcome.out()).isEmpty();
    assertThat(outcome.errLines()).hasSize(1);
    for (Object part : parts) {
      assertThat(outcome.err()).contains(part.toString());
    }
  }

  private Path file(String name, byte[] bytes) throws IOException {
    Path file = folder.resolve(name);
    Files.createDirectories(file.getParent());
    return Files.write(file, bytes);
  }

  private Path file(String name, String text) throws IOException {
    return file(name, text.getBytes(UTF_8));
  }

  private static byte[] gzip(String text) throws IOException {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(packed)) {
      out.write(text.getBytes(UTF_8));
    }
    return packed.toByteArray();
  }

  @Test
  void gzipIsCountedAsItsTextInFilesFoldersAndStandardInput() throws IOException {
    file("books/a.txt.gz", gzip("the sea the whale"));
    file("books/b", gzip("the ship\n"));
    file("books/c.txt", "the end");
    assertThat(count("--quiet", folder.resolve("books")).out())
        .startsWith("words=8 distinct=5 ")
        .contains(" bytes=33 ");
    InputStream before = System.in;
    try {
      System.setIn(new ByteArrayInputStream(gzip("one two two")));
      Outcome outcome = count("-");
      assertThat(outcome.out()).contains("words=3 distinct=2 ").contains(" bytes=11 ");
      assertThat(outcome.err()).isEmpty();
    } finally {
      System.setIn(before);
    }
  }

  @Test
  void gzipThatIsTruncatedOrCorruptedIsBadInput() throws IOException {
    byte[] packed = gzip("the sea and the whale");
    Path cut = file("cut.gz", Arrays.copyOf(packed, packed.length - 9));
    assertBadInput(count(cut), cut, "truncated gzip");
    packed[packed.length - 6] ^= 1;
    Path changed = file("changed.gz", packed);
    assertBadInput(count(changed), changed, "corrupted gzip");
  }

  @Test
  void tablesOfTheMapMayBeGzip() throws IOException {
    Path load = file("load.csv.gz", gzip("key,value\n1,10\n2,20\n"));
    Path lookup = file("ask.csv.gz", gzip("key\n2\n3\n"));
    Path out = folder.resolve("found.csv");
    Outcome outcome =
        run("map", load.toString(), "--lookup", lookup.toString(), "--out", out.toString());
    assertThat(outcome.code()).as(outcome.err()).isZero();
    assertThat(out).hasContent("key,value\n2,20\n3,\n");
    Path cut = file("cut.csv.gz", Arrays.copyOf(gzip("key,value\n1,10\n"), 20));
    assertBadInput(
        run("map", cut.toString(), "--lookup", lookup.toString(), "--out", out.toString()),
        cut,
        "truncated gzip");
  }

  @Test
  void anEmptyTableIsCalledEmpty() throws IOException {
    Path keys = file("ask.csv", "key\n1\n");
    Path out = folder.resolve("found.csv");
    for (String text : List.of("", "\n\n")) {
      Path empty = file("empty.csv", text);
      assertBadInput(
          run("map", empty.toString(), "--lookup", keys.toString(), "--out", out.toString()),
          empty + ": empty");
    }
  }

  @Test
  void archivesAndOtherUnicodeAreBadInput() throws IOException {
    ByteArrayOutputStream archive = new ByteArrayOutputStream();
    try (ZipOutputStream zip = new ZipOutputStream(archive)) {
      zip.putNextEntry(new ZipEntry("a.txt"));
      zip.write(65);
    }
    Path zip = file("books/all.zip", archive.toByteArray());
    assertBadInput(count(zip), zip, "zip archive");
    assertBadInput(count(folder.resolve("books")), zip, "zip archive");
    Path wide = file("wide.txt", "café".getBytes(UTF_16));
    assertBadInput(count(wide), wide, "UTF-16");
    assertBadInput(count("--stopwords", wide, file("text", "a")), wide, "UTF-16");
  }

  @Test
  void aFileThatIsMostlyNotTextIsToldOnce() throws IOException {
    byte[] noise = new byte[100_000];
    new Random(3).nextBytes(noise);
    noise[0] = 'x';
    Path image = file("both/image", noise);
    file("both/text", "words of a text, coloured: \u001b[1m\tcafé\r\n“quoted”");
    file("both/empty", "");
    Outcome outcome = count("--alphabet", "unicode", folder.resolve("both"));
    assertThat(outcome.code()).isZero();
    assertThat(outcome.errLines()).hasSize(1);
    assertThat(outcome.err()).contains(image + ": mostly not text");
    assertThat(count("--quiet", image).err()).isEmpty();
    byte[] wide = "UTF-16 without a mark".getBytes(java.nio.charset.StandardCharsets.UTF_16LE);
    assertThat(count(file("wide", wide)).err()).contains("mostly not text");
    Path packed = file("packed.gz", gzip("\0\1\2\3".repeat(99)));
    assertThat(count(packed).err()).contains(packed + ": mostly not text");
  }

  @Test
  void ofManyFilesThatAreNotTextSomeAreNamed() throws IOException {
    for (int i = 0; i < 13; i++) {
      file("noise/" + i, new byte[100]);
    }
    List<String> lines = count(folder.resolve("noise")).errLines();
    assertThat(lines).hasSize(11);
    assertThat(lines.getLast()).contains(" 3 more files ");
  }

  @Test
  void wordsThatTheAsciiAlphabetCutsAreToldOnce() throws IOException {
    Path one = file("one", "a café by the sea");
    assertThat(count(one).errLines())
        .singleElement()
        .asString()
        .contains("1 word has letters outside of a to z", "--alphabet unicode");
    Path more = file("more", "voilà\n" + "x".repeat(9000) + "é\n\u00e9t\u00e9 ’quoted’");
    Outcome outcome = count(one, more);
    assertThat(outcome.errLines()).hasSize(1);
    assertThat(outcome.err()).contains("4 words have");
    assertThat(outcome.out().lines().toList().getLast()).startsWith("words=");
    assertThat(count("--alphabet", "unicode", one, more).err()).isEmpty();
    assertThat(count("--quiet", one).err()).isEmpty();
    assertThat(count(file("plain", "it’s plain")).err()).isEmpty();
  }

  /** What the help says of letters that join no words, and of the last sigma. */
  @Test
  void apostrophesHyphensAndTheLastSigma() throws IOException {
    Path text = file("text", "don't well-known σίσυφος ΣΊΣΥΦΟΣ");
    Path csv = folder.resolve("words.csv");
    assertThat(count("--alphabet", "unicode", "--csv", csv, text).code()).isZero();
    assertThat(csv).hasContent("word,count\ndon,1\nknown,1\nt,1\nwell,1\nσίσυφοσ,2\n");
    assertThat(run("wordcount", "--help").out()).contains("don't", "well-known", "σίσυφοσ");
  }
}
