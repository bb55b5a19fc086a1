package dev.gyre.structures;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import org.junit.jupiter.api.Test;

class PassedFramesTest {

  /** The stack of an insert begins with the method that is called. */
  @Test
  void printsFramesAndFilesOfACall() throws Exception {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    PrintStream before = System.out;
    System.setOut(new PrintStream(out, true, UTF_8));
    try {
      PassedFrames.main(new String[] {"op=insert", "n=4096", "workers=1", "seconds=1"});
    } finally {
      System.setOut(before);
    }
    assertThat(out.toString(UTF_8))
        .startsWith("LongLongMap.java LongLongMap.insert")
        .containsPattern("caller: frames=[1-9]\\d* files=[1-9]\\d*\\R");
  }
}
