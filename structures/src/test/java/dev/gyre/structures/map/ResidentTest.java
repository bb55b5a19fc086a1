package dev.gyre.structures.map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gyre.atomics.Bytes;
import dev.gyre.atomics.DeviceInts;
import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.Memory;
import dev.gyre.atomics.MemoryRange;
import dev.gyre.kernels.JvmLauncher;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.Launch;
import dev.gyre.kernels.LaunchCancelledException;
import dev.gyre.kernels.LaunchMode;
import dev.gyre.kernels.LaunchShape;
import dev.gyre.kernels.Launcher;
import dev.gyre.kernels.map.EntryPredicate;
import dev.gyre.structures.ConformanceSuite;
import dev.gyre.structures.ForwardingLauncher;
import dev.gyre.structures.TargetUnderTest;
import dev.gyre.structures.Waiting;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Keys, values and outcomes that are on the device, and stay there. */
@ConformanceSuite
class ResidentTest {

  private static final int KEYS = 10_000;

  private final JvmLauncher jvm = JvmLauncher.ofWorkers(2);
  private final List<Memory> memories = new ArrayList<>();

  @AfterEach
  void free() {
    memories.forEach(Memory::close);
    jvm.close();
  }

  private Launcher launcher() {
    Launcher device = TargetUnderTest.device();
    return device == null ? jvm : device;
  }

  private MapBuilder<IntIntMap> maps() {
    return IntIntMap.builder().launcher(launcher());
  }

  private DeviceInts ints(int length) {
    Memory memory = Memory.ofInts(length);
    memories.add(memory);
    return DeviceInts.of(memory);
  }

  private Memory bytes() {
    Memory memory = Memory.ofBytes(KEYS);
    memories.add(memory);
    return memory;
  }

  private static Ints all(DeviceInts ints) {
    return Ints.onDevice(ints.memory(), KEYS);
  }

  /** Element i is {@code i * factor + more}. */
  record Line(DeviceInts out, int factor, int more) implements Kernel {
    @Override
    public void run(int thread, LaunchShape shape) {
      for (int i = thread; i < KEYS; i += shape.threads()) {
        out.set(i, i * factor + more);
      }
    }
  }

  private DeviceInts line(int factor, int more) {
    DeviceInts out = ints(KEYS);
    launcher().run(new Line(out, factor, more), launcher().shapeForEach(KEYS));
    return out;
  }

  /** The elements, and with outcomes those of one only. */
  record Sum(DeviceInts of, Bytes codes, int code, DeviceLongs sum) implements Kernel {
    @Override
    public void run(int thread, LaunchShape shape) {
      long mine = 0;
      for (int i = thread; i < KEYS; i += shape.threads()) {
        if (code < 0 || codes.get(i) == code) {
          mine += of.get(i);
        }
      }
      // relaxed: a sum, which orders nothing
      long _ = sum.fetchAddRelaxed(0, mine);
    }
  }

  private long sum(DeviceInts of) {
    try (Memory one = Memory.ofLongs(1);
        Memory none = Memory.ofBytes(1)) {
      launcher()
          .run(new Sum(of, Bytes.of(none), -1, DeviceLongs.of(one)), launcher().shapeForEach(KEYS));
      launcher().readBack(one);
      return DeviceLongs.of(one).get(0);
    }
  }

  private static long sumOfLine(long count, long factor, long more) {
    return factor * count * (count - 1) / 2 + more * count;
  }

  private int[] onHost(DeviceInts ints) {
    launcher().readBack(ints.memory());
    int[] all = new int[KEYS];
    Arrays.setAll(all, ints::get);
    return all;
  }

  @Test
  void whatOneKernelMakesTheMapTakesAndTheNextKernelReads() {
    try (IntIntMap map = maps().capacity(10).build()) {
      DeviceInts keys = line(3, 0);
      DeviceInts found = ints(KEYS);
      assertThat(map.insert(all(keys), all(line(1, 5)), BulkOptions.NONE))
          .isEqualTo(new InsertCounts(KEYS, 0, 0));
      assertThat(map.find(all(keys), all(found), BulkOptions.NONE))
          .isEqualTo(new FindCounts(KEYS, 0));
      assertThat(sum(found)).isEqualTo(sumOfLine(KEYS, 1, 5));
      // Half of these are there: every second multiple of 3 up to where keys end.
      DeviceInts wider = line(6, 0);
      assertThat(map.contains(all(wider), BulkOptions.NONE).found()).isEqualTo(KEYS / 2);
      // What was found is what is looked for next: i + 5, of which a third is there.
      assertThat(map.find(all(found), all(wider), BulkOptions.NONE).found()).isEqualTo(3_333);
    }
  }

  @Test
  void aFullMapDoesNotGrowForKeysThatAreThere() {
    DeviceInts keys = line(3, 0);
    try (IntIntMap map = maps().capacity(KEYS).build()) {
      for (int times = 0; times < 3; times++) {
        assertThat(map.insertOrApply(all(keys), all(line(0, 1)), Apply.ADD, BulkOptions.NONE))
            .isEqualTo(times == 0 ? new InsertCounts(KEYS, 0, 0) : new InsertCounts(0, KEYS, 0));
        assertThat(map.capacity()).isEqualTo(KEYS);
      }
      assertThat(map.insert(all(line(3, 1)), all(keys), BulkOptions.NONE).inserted())
          .isEqualTo(KEYS);
      assertThat(map.capacity()).isGreaterThan(KEYS);
    }
  }

  @Test
  void whatTheHostWroteIsSeenAsByAKernel() {
    DeviceInts keys = ints(KEYS);
    for (int i = 0; i < KEYS; i++) {
      keys.set(i, i);
    }
    try (IntIntMap map = maps().build()) {
      assertThat(map.insert(all(keys), all(keys), BulkOptions.NONE).inserted()).isEqualTo(KEYS);
      keys.set(0, -1);
      launcher().hostWrote(keys.memory());
      assertThat(map.insert(all(keys), all(keys), BulkOptions.NONE))
          .isEqualTo(new InsertCounts(1, KEYS - 1, 0));
    }
  }

  @Test
  void outcomesOfOneOperationChooseTheKeysOfTheNext() {
    DeviceInts keys = line(1, 0);
    DeviceInts mod = ints(KEYS);
    for (int i = 0; i < KEYS; i++) {
      mod.set(i, i % 1_000);
    }
    try (IntIntMap map = maps().build();
        IntIntMap other = maps().build()) {
      Memory outcomes = bytes();
      InsertCounts counts = map.insert(all(mod), all(keys), BulkOptions.NONE.outcomes(outcomes));
      assertThat(counts).isEqualTo(new InsertCounts(1_000, KEYS - 1_000, 0));
      Memory again = bytes();
      InsertCounts taken =
          other.insert(
              all(keys),
              all(mod),
              BulkOptions.NONE.where(outcomes, Outcome.INSERTED).outcomes(again));
      assertThat(taken).isEqualTo(new InsertCounts(1_000, 0, 0));
      launcher().readBack(outcomes, again);
      int skipped = 0;
      for (int i = 0; i < KEYS; i++) {
        Outcome first = Outcome.of(Bytes.of(outcomes).get(i));
        Outcome second = Outcome.of(Bytes.of(again).get(i));
        assertThat(second).isEqualTo(first == Outcome.INSERTED ? first : Outcome.SKIPPED);
        skipped += second == Outcome.SKIPPED ? 1 : 0;
      }
      assertThat(skipped).isEqualTo(KEYS - 1_000);
      DeviceInts found = line(0, -7);
      FindCounts hits =
          map.find(all(mod), all(found), BulkOptions.NONE.where(outcomes, Outcome.PRESENT));
      assertThat(hits).isEqualTo(new FindCounts(KEYS - 1_000, 0));
      int[] values = onHost(found);
      for (int i = 0; i < KEYS; i++) {
        boolean left = Bytes.of(outcomes).get(i) == Outcome.INSERTED.code();
        assertThat(values[i] == -7).isEqualTo(left);
        assertThat(left || values[i] % 1_000 == i % 1_000).isTrue();
      }
    }
  }

  /** Even values. */
  record Even() implements EntryPredicate {
    @Override
    public boolean test(long key, long value) {
      return (value & 1) == 0;
    }
  }

  @Test
  void predicatesChooseAndValuesThatAreThereComeToOtherMemory() {
    DeviceInts keys = line(1, 0);
    DeviceInts values = line(3, 0);
    try (IntIntMap map = maps().build()) {
      BulkOptions even = BulkOptions.NONE.where(new Even());
      assertThat(map.insert(all(keys), all(values), even).inserted()).isEqualTo(KEYS / 2);
      DeviceInts other = line(5, 0);
      DeviceInts found = ints(KEYS);
      InsertCounts counts = map.insertAndFind(all(keys), all(other), all(found), BulkOptions.NONE);
      assertThat(counts).isEqualTo(new InsertCounts(KEYS / 2, KEYS / 2, 0));
      int[] all = onHost(found);
      int[] given = onHost(other);
      for (int i = 0; i < KEYS; i++) {
        assertThat(all[i]).isEqualTo(i % 2 == 0 ? 3 * i : 5 * i);
        assertThat(given[i]).isEqualTo(5 * i);
      }
      assertThat(map.find(all(keys), all(found), BulkOptions.NONE.where(new Even())).found())
          .isEqualTo(KEYS / 2);
      assertThat(map.contains(all(keys), even)).isEqualTo(new FindCounts(KEYS / 2, KEYS / 2));
      assertThat(map.insertOrApply(all(keys), all(keys), Apply.ADD, BulkOptions.NONE).present())
          .isEqualTo(KEYS);
      assertThat(map.find(all(keys), all(found), BulkOptions.NONE).found()).isEqualTo(KEYS);
      assertThat(onHost(found)[7]).isEqualTo(6 * 7);
    }
  }

  /** Keys from some one on. */
  record From(int least) implements EntryPredicate {
    @Override
    public boolean test(long key, long value) {
      return key >= least;
    }
  }

  @Test
  void whatIsFoundMayTakeThePlaceOfTheKeys() {
    DeviceInts values = line(-3, 5);
    for (Waiting waiting : List.of(Waiting.AUTO, Waiting.DEFERRED)) {
      try (IntIntMap map = maps().waiting(waiting).layout(Layout.REFERENCE).build()) {
        DeviceInts keys = line(1, 0);
        assertThat(map.insertAndFind(all(keys), all(values), all(keys), BulkOptions.NONE))
            .isEqualTo(new InsertCounts(KEYS, 0, 0));
        assertThat(onHost(keys)).isEqualTo(onHost(values));
        keys = line(1, 0);
        assertThat(map.find(all(keys), all(keys), BulkOptions.NONE))
            .isEqualTo(new FindCounts(KEYS, 0));
        assertThat(onHost(keys)).isEqualTo(onHost(values));
        keys = line(1, 0);
        assertThat(map.find(all(keys), all(keys), BulkOptions.NONE.where(new From(KEYS - 10))))
            .isEqualTo(new FindCounts(10, KEYS - 10));
        assertThat(onHost(keys)[KEYS - 1]).isEqualTo(-3 * (KEYS - 1) + 5);
        assertThat(onHost(keys)[0]).isZero();
      }
    }
  }

  @Test
  void outcomesMayTakeThePlaceOfTheCodesThatChoose() {
    DeviceInts keys = line(1, 0);
    Memory codes = bytes();
    try (IntIntMap map = maps().build();
        IntIntMap other = maps().build()) {
      BulkOptions inserted = BulkOptions.NONE.where(codes, Outcome.INSERTED).outcomes(codes);
      BulkOptions from = BulkOptions.NONE.where(new From(KEYS - 10)).outcomes(codes);
      assertThat(map.insert(all(keys), all(keys), from).inserted()).isEqualTo(10);
      assertThat(other.insert(all(keys), all(keys), inserted))
          .isEqualTo(new InsertCounts(10, 0, 0));
      assertThat(map.contains(all(keys), inserted)).isEqualTo(new FindCounts(10, 0));
      launcher().readBack(codes);
      assertThat(Bytes.of(codes).get(KEYS - 1)).isEqualTo(Outcome.FOUND.code());
      assertThat(Bytes.of(codes).get(0)).isEqualTo(Outcome.SKIPPED.code());
    }
  }

  @Test
  void outcomesEndWithTheKeysAndWhatFollowsStays() {
    DeviceInts keys = line(1, 0);
    Memory codes = bytes();
    MemorySegment _ = codes.segment().fill((byte) 99);
    Ints few = Ints.onDevice(keys.memory(), 10);
    try (IntIntMap map = maps().build()) {
      assertThat(map.insert(few, few, BulkOptions.NONE.outcomes(codes)).inserted()).isEqualTo(10);
      assertThat(map.contains(few, BulkOptions.NONE.outcomes(codes)).found()).isEqualTo(10);
      launcher().readBack(codes);
      assertThat(Bytes.of(codes).get(9)).isEqualTo(Outcome.FOUND.code());
      assertThat(Bytes.of(codes).get(10)).isEqualTo((byte) 99);
      assertThat(Bytes.of(codes).get(KEYS - 1)).isEqualTo((byte) 99);
    }
  }

  @Test
  void outcomesInTheMemoryOfKeysOrValuesAreRefused() {
    DeviceInts keys = line(1, 0);
    DeviceInts values = line(2, 0);
    try (IntIntMap map = maps().build()) {
      for (Memory memory : List.of(keys.memory(), values.memory())) {
        for (BulkOptions options :
            List.of(
                BulkOptions.NONE.outcomes(memory), BulkOptions.NONE.where(memory, Outcome.FOUND))) {
          assertThatThrownBy(() -> map.insert(all(keys), all(values), options))
              .isInstanceOf(IllegalArgumentException.class)
              .hasMessageContaining("a separate Memory");
          assertThatThrownBy(() -> map.find(all(keys), all(values), options))
              .isInstanceOf(IllegalArgumentException.class);
        }
      }
      assertThat(onHost(keys)[1]).isEqualTo(1);
      assertThat(map.size()).isZero();
    }
  }

  @Test
  void whatAPredicateChoosesNeedsRoomForNoMore() {
    DeviceInts keys = line(1, 0);
    DeviceInts out = line(0, -7);
    Ints few = Ints.onDevice(out.memory(), 10);
    Ints fewer = Ints.onDevice(out.memory(), 9);
    try (IntIntMap map = maps().build()) {
      assertThat(map.insert(all(keys), all(keys), BulkOptions.NONE).inserted()).isEqualTo(KEYS);
      assertThatThrownBy(() -> map.retrieveIf(few, fewer, new From(KEYS - 10)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("10 entries");
      assertThat(onHost(out)[9]).isEqualTo(-7);
      assertThat(map.retrieveIf(few, few, new From(KEYS - 10))).isEqualTo(10);
      assertThat(onHost(out)[9]).isGreaterThanOrEqualTo(KEYS - 10);
      assertThat(onHost(out)[10]).isEqualTo(-7);
    }
  }

  @Test
  void keysForWhichThereIsNoRoomAtOnceAreDoneInSteps() {
    int many = 1 << 22;
    try (Memory keys = Memory.ofLongs(many);
        LongLongMap map =
            LongLongMap.builder().capacity(many / 2 + 10).launcher(launcher()).build()) {
      Longs all = Longs.onDevice(keys, many);
      assertThat(map.insert(all, all, BulkOptions.NONE))
          .isEqualTo(new InsertCounts(1, many - 1, 0));
      assertThat(map.capacity()).isEqualTo(many / 2 + 10);
    }
  }

  @Test
  void whatIsTooMuchForATableOfFixedCapacityIsFull() {
    DeviceInts keys = line(1, 0);
    Memory outcomes = bytes();
    try (IntIntMap map = maps().fixedCapacity(KEYS - 1).build()) {
      assertThat(map.insert(all(keys), all(keys), BulkOptions.NONE.outcomes(outcomes)))
          .isEqualTo(new InsertCounts(KEYS - 1, 0, 1));
      launcher().readBack(outcomes);
      int full = 0;
      for (int i = 0; i < KEYS; i++) {
        full += Bytes.of(outcomes).get(i) == Outcome.FULL.code() ? 1 : 0;
      }
      assertThat(full).isEqualTo(1);
    }
  }

  @Test
  void entriesAreRetrievedToTheDevice() {
    DeviceInts keys = line(1, 0);
    DeviceInts outKeys = ints(KEYS);
    DeviceInts outValues = ints(KEYS);
    try (IntIntMap map = maps().build();
        IntSet set = IntSet.builder().launcher(launcher()).build()) {
      assertThat(map.insert(all(keys), all(line(2, 0)), BulkOptions.NONE).inserted())
          .isEqualTo(KEYS);
      assertThat(map.retrieveAll(all(outKeys), all(outValues))).isEqualTo(KEYS);
      assertThat(sum(outKeys)).isEqualTo(sumOfLine(KEYS, 1, 0));
      assertThat(sum(outValues)).isEqualTo(sumOfLine(KEYS, 2, 0));
      assertThatThrownBy(() -> map.retrieveAll(Ints.onDevice(outKeys.memory(), 1), all(outValues)))
          .isInstanceOf(IllegalArgumentException.class);
      assertThat(set.addAll(all(keys), BulkOptions.NONE).inserted()).isEqualTo(KEYS);
      assertThat(set.retrieveAll(all(outKeys))).isEqualTo(KEYS);
      assertThat(sum(outKeys)).isEqualTo(sumOfLine(KEYS, 1, 0));
    }
  }

  @Test
  void allOfAnOperationIsOnTheDeviceOrNothing() {
    DeviceInts keys = line(1, 0);
    Ints host = Ints.of(new int[KEYS]);
    try (IntIntMap map = maps().build();
        Memory few = Memory.ofBytes(KEYS - 1)) {
      assertThatThrownBy(() -> map.insert(all(keys), host, BulkOptions.NONE))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("onDevice");
      assertThatThrownBy(() -> map.find(host, all(keys), BulkOptions.NONE))
          .isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> map.retrieveAll(all(keys), host))
          .isInstanceOf(IllegalArgumentException.class);
      byte[] outcomes = new byte[KEYS];
      assertThatThrownBy(
              () -> map.insert(all(keys), all(keys), BulkOptions.NONE.outcomes(outcomes)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("Memory");
      assertThatThrownBy(() -> map.contains(host, BulkOptions.NONE.outcomes(bytes())))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("array");
      assertThatThrownBy(
              () ->
                  map.contains(
                      Ints.onDevice(keys.memory(), KEYS),
                      BulkOptions.NONE.where(few, Outcome.FOUND)))
          .isInstanceOf(IllegalArgumentException.class);
      assertThat(map.size()).isZero();
    }
  }

  /** A device whose memory is the host's, which notes what it is asked for. */
  private static final class Noting extends ForwardingLauncher {

    private final List<String> notes;
    private final String fails;

    /** Is interrupted in the first launch of the kernel that fails. */
    Noting(JvmLauncher launcher, List<String> notes, String fails) {
      super(launcher, deviceOnJvm(1));
      this.notes = notes;
      this.fails = fails;
    }

    @Override
    public LaunchShape shapeFor(long items) {
      return LaunchShape.ofThreads(1);
    }

    @Override
    public Launch start(Kernel kernel, LaunchShape shape, LaunchMode mode) {
      boolean first = !notes.contains(kernel.name());
      notes.add(kernel.name());
      if (first && kernel.name().equals(fails)) {
        Thread.currentThread().interrupt();
        throw new LaunchCancelledException(fails, device(), null);
      }
      if (Thread.currentThread().isInterrupted()) {
        throw new LaunchCancelledException(kernel.name(), device(), null);
      }
      return launcher.start(kernel, shape, mode);
    }

    @Override
    public void readBack(MemoryRange... ranges) {
      // Counters come back as a whole, with each chain.
      if (!(ranges[0] instanceof Memory)) {
        notes.add("back " + ranges[0].byteSize());
      }
    }

    @Override
    public void prefetch(MemoryRange... ranges) {
      notes.add("sent " + ranges[0].byteSize());
    }

    @Override
    public void close() {}
  }

  @Test
  void nothingIsSentOrBroughtBackAndAllIsOneLaunch() {
    List<String> notes = new ArrayList<>();
    int many = 3 << 20;
    try (LongLongMap map =
            LongLongMap.builder().capacity(many).launcher(new Noting(jvm, notes, "")).build();
        Memory keys = Memory.ofLongs(many);
        Memory found = Memory.ofLongs(many)) {
      for (int i = 0; i < many; i++) {
        DeviceLongs.of(keys).set(i, i);
      }
      Longs all = Longs.onDevice(keys, many);
      assertThat(map.insert(all, all, BulkOptions.NONE).inserted()).isEqualTo(many);
      assertThat(notes).containsExactly("Insert");
      assertThat(map.find(all, Longs.onDevice(found, many), BulkOptions.NONE).found())
          .isEqualTo(many);
      assertThat(notes).containsExactly("Insert", "Find");
      assertThat(DeviceLongs.of(found).get(many - 1)).isEqualTo(many - 1);
      assertThat(map.retrieveAll(all, Longs.onDevice(found, many))).isEqualTo(many);
      assertThat(notes).containsExactly("Insert", "Find", "Retrieve");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"StartOutcomes", "FilterInserts", "CopyIncluded", "Insert"})
  void keysThatAnInterruptedInsertDidNotTryAreSkipped(String interrupted) {
    DeviceInts keys = ints(KEYS);
    DeviceInts found = ints(KEYS);
    Memory outcomes = bytes();
    MemorySegment _ = outcomes.segment().fill(Outcome.PRESENT.code());
    List<String> notes = new ArrayList<>();
    BulkOptions options = BulkOptions.NONE.where(new Even()).outcomes(outcomes);
    try (IntIntMap map =
        IntIntMap.builder().launcher(new Noting(jvm, notes, interrupted)).build()) {
      assertThatThrownBy(() -> map.insertAndFind(all(keys), all(keys), all(found), options))
          .isInstanceOf(LaunchCancelledException.class);
      assertThat(Thread.interrupted()).isTrue();
      for (int i = 0; i < KEYS; i++) {
        assertThat(Outcome.of(Bytes.of(outcomes).get(i))).isEqualTo(Outcome.SKIPPED);
      }
    }
  }
}
