package dev.gyre.structures.spark;

import dev.gyre.kernels.Launcher;
import dev.gyre.structures.map.LongLongMap;
import java.io.Serial;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;

/** Keys that are longs: in runs, eight bytes in numeric order. */
final class LongKeys extends KeyType<Long, LongLongMap> {
  @Serial private static final long serialVersionUID = 1L;

  private static final int BATCH = 1 << 14;

  @Override
  DataType dataType() {
    return DataTypes.LongType;
  }

  static void toBytes(long key, byte[] bytes) {
    var _ = ByteBuffer.wrap(bytes).putLong(key ^ Long.MIN_VALUE);
  }

  private static long number(byte[] bytes) {
    return ByteBuffer.wrap(bytes).getLong() ^ Long.MIN_VALUE;
  }

  @Override
  Long key(byte[] bytes, int length) {
    return number(bytes);
  }

  @Override
  long number(Long key) {
    return key;
  }

  @Override
  Filler filler(Fold fold, Launcher launcher, long memory, Runnable full) {
    return new LongFiller(fold, launcher, memory, full);
  }

  @Override
  LongLongMap gather(RunReader run) {
    LongLongMap map = LongLongMap.create();
    try {
      long[] keys = new long[BATCH];
      long[] values = new long[BATCH];
      int count = 0;
      while (run.next()) {
        keys[count] = number(run.key());
        values[count] = run.value();
        count++;
        if (count == BATCH) {
          var _ = map.insert(keys, values);
          count = 0;
        }
      }
      var _ = map.insert(Arrays.copyOf(keys, count), Arrays.copyOf(values, count));
      return map;
    } catch (RuntimeException | Error e) {
      map.close();
      throw e;
    }
  }
}
