package dev.gyre.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gyre.atomics.GyreException;
import dev.gyre.datasets.ByteProgress;
import dev.gyre.datasets.CsvColumn;
import dev.gyre.datasets.CsvFormat;
import dev.gyre.datasets.CsvScanner;
import dev.gyre.datasets.TextSource;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CsvBytesTest {

  private static final List<String> CHARACTERS = List.of("a", "\"", "\r", "\u00e4", " ");

  @TempDir private Path folder;

  /** Returns the fields of the first column of a file. */
  private static List<String> read(Path file, CsvFormat format) {
    List<String> fields = new ArrayList<>();
    long _ =
        CsvScanner.of(TextSource.ofFiles(List.of(file)), format)
            .threads(1)
            .progress(ByteProgress.NONE)
            .scan(
                _ -> List.of(CsvColumn.text("k")),
                () ->
                    rows -> {
                      for (int row = 0; row < rows.count(); row++) {
                        byte[] field = new byte[rows.lengths(0)[row]];
                        rows.bytes()
                            .asSlice(rows.offsets(0)[row], field.length)
                            .asByteBuffer()
                            .get(field);
                        fields.add(new String(field, StandardCharsets.UTF_8));
                      }
                    });
    return fields;
  }

  @Test
  void fieldsAreReadBackAsTheSame() throws IOException {
    Random random = new Random(1);
    List<String> fields =
        random
            .ints(1_000, 1, 5)
            .mapToObj(
                length ->
                    random
                        .ints(length, 0, CHARACTERS.size())
                        .mapToObj(CHARACTERS::get)
                        .collect(Collectors.joining()))
            .toList();
    for (char quote : new char[] {'"', 'a', CsvFormat.NO_QUOTE}) {
      for (List<String> names : List.of(List.of("k"), List.of("j", "k"), List.of("k", "l"))) {
        CsvFormat format = new CsvFormat(';', quote, names);
        Path file = folder.resolve("out.csv");
        try (FileChannel out =
            FileChannel.open(
                file,
                StandardOpenOption.CREATE,
                StandardOpenOption.TRUNCATE_EXISTING,
                StandardOpenOption.WRITE)) {
          CsvBytes records = new CsvBytes(format);
          for (String field : fields) {
            names.forEach(_ -> records.add(field));
            records.endRecord(out);
          }
          records.writeTo(out);
        }
        assertThat(read(file, format)).as("%s of %s", quote, names).isEqualTo(fields);
      }
    }
  }

  @Test
  void arraysGrowUntilTheLargestOne() {
    long half = 1L << 30;
    int largest = Integer.MAX_VALUE - 8;
    assertThat(CsvBytes.capacity(half, 100)).isEqualTo(1 << 30);
    assertThat(CsvBytes.capacity(2 * half, half + 1)).isEqualTo(largest);
    assertThat(CsvBytes.capacity(2L * largest, largest)).isEqualTo(largest);
    assertThatThrownBy(() -> CsvBytes.capacity(2L * largest, largest + 1L))
        .isInstanceOf(GyreException.class)
        .hasMessageContaining(largest + 1L + " bytes of text");
  }
}
