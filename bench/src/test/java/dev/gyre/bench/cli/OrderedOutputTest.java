package dev.gyre.bench.cli;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gyre.datasets.CsvFormat;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OrderedOutputTest {

  @TempDir private Path folder;

  @Test
  void anInterruptDropsNoRecordsSilently() throws IOException {
    try (FileChannel file =
        FileChannel.open(
            folder.resolve("out"), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      OrderedOutput output = new OrderedOutput(file);
      CsvBytes record = new CsvBytes(CsvFormat.RFC4180);
      record.add("a");
      record.endRecord();
      Thread.currentThread().interrupt();
      assertThatThrownBy(() -> output.write(1, record)).isInstanceOf(CancellationException.class);
    } finally {
      boolean _ = Thread.interrupted();
    }
  }
}
