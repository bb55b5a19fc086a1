package dev.gyre.structures.spark;

import dev.gyre.kernels.Launcher;
import dev.gyre.structures.TextBytes;
import dev.gyre.structures.map.BulkOptions;
import dev.gyre.structures.map.Longs;
import dev.gyre.structures.map.TextKeys;
import dev.gyre.structures.map.TextLongMap;
import java.io.Serial;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;

/** Keys that are texts: in runs, their UTF-8 bytes. */
final class TextKeyType extends KeyType<String, TextLongMap> {
  @Serial private static final long serialVersionUID = 1L;

  private static final int BATCH = 1 << 12;

  @Override
  DataType dataType() {
    return DataTypes.StringType;
  }

  @Override
  String key(byte[] bytes, int length) {
    return new String(bytes, 0, length, StandardCharsets.UTF_8);
  }

  @Override
  byte[] utf8(String key) {
    return TextBytes.of(key);
  }

  @Override
  Filler filler(Fold fold, Launcher launcher, long memory, Runnable full) {
    return new TextFiller(fold, launcher, memory, full);
  }

  @Override
  TextLongMap gather(RunReader run) {
    TextLongMap map = TextLongMap.create();
    try (TextKeys keys = new TextKeys()) {
      long[] values = new long[BATCH];
      while (run.next()) {
        values[keys.count()] = run.value();
        keys.add(run.key(), 0, run.length());
        if (keys.count() == BATCH) {
          insert(map, keys, values);
        }
      }
      insert(map, keys, values);
      return map;
    } catch (RuntimeException | Error e) {
      map.close();
      throw e;
    }
  }

  private static void insert(TextLongMap map, TextKeys keys, long[] values) {
    var _ = map.insert(keys, Longs.of(Arrays.copyOf(values, keys.count())), BulkOptions.NONE);
    keys.clear();
  }
}
