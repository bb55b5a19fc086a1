package dev.gyre.kernels.map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.gyre.atomics.AddressPin;
import dev.gyre.atomics.DeviceInts;
import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.Memory;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.LaunchShape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Single records by address do the same as through handles. */
class RecordEntriesTest {

  private static final int SLOTS = 256;
  private static final int STEPS = 4_000;
  private static final int MOST = 4;
  private static final LaunchShape ALONE = LaunchShape.ofThreads(1);

  private final List<Memory> memories = new ArrayList<>();

  @AfterEach
  void close() {
    memories.forEach(Memory::close);
  }

  private record Table(
      RecordEntries.OfTable of, RecordEntries entries, long address, @Nullable AddressPin pin) {

    int state(long slot) {
      return of.states().get(stateAt(slot));
    }

    void setState(long slot, int state) {
      of.states().set(stateAt(slot), state);
    }

    private long stateAt(long slot) {
      return 2 * slot * RecordSlots.stride(of.keyWords(), of.valueWords());
    }

    long[] words() {
      long[] words = new long[(int) of.table().length()];
      Arrays.setAll(words, of.table()::get);
      return words;
    }
  }

  private Table table(int slots, int keyWords, int valueWords, boolean byAddress) {
    Memory memory =
        Memory.addressable(slots * RecordSlots.stride(keyWords, valueWords), Long.BYTES);
    memories.add(memory);
    RecordEntries.OfTable of =
        new RecordEntries.OfTable(
            DeviceInts.of(memory),
            DeviceLongs.of(memory),
            slots,
            7,
            keyWords,
            valueWords,
            new RecordHash.Ours(keyWords),
            new RecordEquality.OfParts(),
            Removal.of(true));
    AddressPin pin = byAddress ? memory.addressPin() : null;
    assumeThat(byAddress).as("memory can be pinned").isEqualTo(pin != null);
    long address = pin == null ? 0 : pin.payload();
    return new Table(of, of.own(address), address, pin);
  }

  private static long find(Table table, long[] key) {
    return table.entries.find(key[0], key[1], key[2], key[3]);
  }

  @ParameterizedTest
  @CsvSource({"1, 1", "1, 2", "2, 1", "2, 4", "3, 3", "4, 1", "4, 4"})
  void doTheSameByAddress(int keyWords, int valueWords) {
    Table one = table(SLOTS, keyWords, valueWords, true);
    Table other = table(SLOTS, keyWords, valueWords, false);
    SplittableRandom random = new SplittableRandom(10L * keyWords + valueWords);
    Map<List<Long>, List<Long>> model = new HashMap<>();
    int used = 0;
    for (int step = 0; step < STEPS; step++) {
      long[] key = random(random, keyWords, 3 + random.nextInt(5));
      long slot = find(one, key);
      assertThat(find(other, key)).isEqualTo(slot);
      assertThat(slot >= 0).isEqualTo(model.containsKey(list(key)));
      if (slot >= 0 && random.nextInt(2) == 0) {
        // HELD for a while, and found nevertheless.
        one.setState(slot, MapCodes.HELD);
        other.setState(slot, MapCodes.HELD);
        assertThat(find(one, key)).isEqualTo(find(other, key)).isEqualTo(slot);
        // Not from a full table, so that there are keys to move.
        boolean removes = used < SLOTS && random.nextInt(2) == 0;
        one.setState(slot, removes ? MapCodes.REMOVED : MapCodes.FILLED);
        other.setState(slot, removes ? MapCodes.REMOVED : MapCodes.FILLED);
        if (removes) {
          model.remove(list(key));
        }
      } else if (slot < 0 && used < SLOTS) {
        long[] row = random(random, valueWords, 1_000);
        // From a slot that another thread may have taken after the search.
        long before = (~slot + SLOTS - 1) % SLOTS;
        long start = one.state(before) == MapCodes.EMPTY ? ~slot : before;
        long done = one.entries.insert(start, key, row, 1);
        assertThat(other.entries.insert(start, key, row, 1)).isEqualTo(done);
        if (done == SingleKeys.NONE) {
          model.put(list(key), list(row));
          used++;
        }
      }
      assertThat(one.words()).isEqualTo(other.words());
    }
    assertThat(used).isGreaterThan(SLOTS / 4);
    holdOne(one, other);
    assertSameMove(one, other, model);
  }

  /** Holds a slot, as a launch that failed leaves it. */
  private static void holdOne(Table one, Table other) {
    long slot = 0;
    while (one.state(slot) != MapCodes.FILLED) {
      slot++;
    }
    one.setState(slot, MapCodes.HELD);
    other.setState(slot, MapCodes.HELD);
  }

  /** Moves all entries to larger tables, and to tables that are too small. */
  private void assertSameMove(Table one, Table other, Map<List<Long>, List<Long>> model) {
    for (int slots : new int[] {2 * SLOTS, Math.max(1, model.size() - 3)}) {
      Table[] moved = new Table[2];
      for (boolean byAddress : new boolean[] {true, false}) {
        Table from = byAddress ? one : other;
        Table to = table(slots, one.of.keyWords(), one.of.valueWords(), byAddress);
        Memory counts = Memory.ofLongs(MapCodes.STRIPED_COUNTERS);
        memories.add(counts);
        DeviceLongs counters = DeviceLongs.of(counts);
        for (int first = 0; first < SLOTS; first += SLOTS / 4) {
          move(from, to, counters, first, first + SLOTS / 4).run(0, ALONE);
        }
        assertThat(counters.get(MapCodes.STUCK)).isEqualTo(Math.max(0, model.size() - slots));
        moved[byAddress ? 0 : 1] = to;
      }
      assertThat(moved[0].words()).isEqualTo(moved[1].words());
      int found = 0;
      for (var entry : model.entrySet()) {
        long[] key = entry.getKey().stream().mapToLong(Long::longValue).toArray();
        long slot = find(moved[0], key);
        if (slot >= 0) {
          assertThat(moved[0].state(slot)).isEqualTo(MapCodes.FILLED);
          long at = moved[0].of.valueAt(slot);
          for (int i = 0; i < moved[0].of.valueWords(); i++) {
            assertThat(moved[0].of.table().get(at + i)).isEqualTo(entry.getValue().get(i));
          }
          found++;
        }
      }
      assertThat(found).isEqualTo(Math.min(slots, model.size()));
    }
  }

  private static Kernel move(Table from, Table to, DeviceLongs counters, long first, long end) {
    if (to.pin != null) {
      return from.entries.move(to.address, to.of.slots(), counters, first, end);
    }
    long stride = RecordSlots.stride(to.of.keyWords(), to.of.valueWords());
    Rows none = new Rows.One(0, 0, 0, 0);
    // A key, and a value, are represented by their slot plus 1.
    Rows keys = new Rows.InMemory(from.of.table(), 1 - stride, stride);
    Rows values = new Rows.InMemory(from.of.table(), 1 + to.of.keyWords() - stride, stride);
    return new Move(from.of.slots(none, none), to.of.slots(keys, values), counters, first, end);
  }

  private static long[] random(SplittableRandom random, int words, int bound) {
    long[] row = new long[MOST];
    for (int i = 0; i < words; i++) {
      row[i] = random.nextLong(bound) - 1;
    }
    return row;
  }

  private static List<Long> list(long[] words) {
    return Arrays.stream(words).boxed().toList();
  }
}
