package dev.gyre.structures.map;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.SplittableRandom;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Heap that a bulk find of arrays takes: little beside the arrays, however many workers run. */
@Isolated("allocations of all threads are counted")
class LongLookupMemoryTest {

  private static final int KEYS = 1 << 16;
  private static final int CALLS = 10;

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void arraysAreNotCopied(int workers) {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long[] keys = new SplittableRandom(1).longs().distinct().limit(KEYS).toArray();
    long[] values = new long[KEYS];
    try (LongLongMap map = LongLongMap.builder().capacity(KEYS).workers(workers).build()) {
      map.insert(keys, values);
      long before = threads.getTotalThreadAllocatedBytes();
      for (int i = 0; i < CALLS; i++) {
        assertThat(map.find(keys, values).found()).isEqualTo(KEYS);
      }
      long bytes = threads.getTotalThreadAllocatedBytes() - before;
      assertThat(bytes / CALLS).isLessThan(KEYS * Long.BYTES);
    }
  }
}
