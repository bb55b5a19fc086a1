package dev.gyre.datasets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class FileNamesTest {

  /** A command line as Linux shows it: words that end with a zero. */
  private static byte[] line(byte[]... words) {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    for (byte[] word : words) {
      line.writeBytes(word);
      line.write(0);
    }
    return line.toByteArray();
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @Test
  void whatTheLocaleLostIsTakenFromTheCommandLine() {
    byte[] odd = {'x', (byte) 0xff, (byte) 0xc3, '.', (byte) 0xe2, (byte) 0x82};
    byte[] line = line(utf8("java"), utf8("Main"), utf8("süß ü.txt"), utf8(""), odd, utf8("𐐨"));
    String[] lossy = {"s?? ?.txt", "", "x\ufffd\ufffd.\ufffd", "\ufffd"};
    assertThat(FileNames.arguments(lossy, line))
        .containsExactly("süß ü.txt", "", "x\udcff\udcc3.\udce2\udc82", "𐐨");
  }

  @Test
  void withoutACommandLineArgumentsStayAsTheyAre() {
    String[] lossy = {"a", "\ufffd"};
    assertThat(FileNames.arguments(lossy, new byte[0])).isEqualTo(lossy);
    assertThat(FileNames.arguments("a", "ü")).containsExactly("a", "ü");
  }

  @Test
  void pathsHaveTheBytesOfTheirNames() {
    assertThat(FileNames.path("/süß ü%.txt").toUri().getRawPath())
        .isEqualTo("/s%C3%BC%C3%9F%20%C3%BC%25.txt");
    assertThat(FileNames.path("/a/x\udcff\udcc3").toUri().getRawPath()).isEqualTo("/a/x%FF%C3");
    Path relative = FileNames.path("a/\udcff");
    assertThat(relative.isAbsolute()).isFalse();
    assertThat(relative.getNameCount()).isEqualTo(2);
    assertThat(relative.toUri().getRawPath()).endsWith("/a/%FF");
    assertThat(FileNames.path("plain/name")).isEqualTo(Path.of("plain/name"));
  }

  @Test
  void namesThatThereCannotBe() {
    assertThatThrownBy(() -> FileNames.path("a\0b")).isInstanceOf(InvalidPathException.class);
    assertThatThrownBy(() -> FileNames.path("ü\0b")).isInstanceOf(InvalidPathException.class);
    assertThatThrownBy(() -> FileNames.path("a\ud800")).isInstanceOf(InvalidPathException.class);
  }
}
