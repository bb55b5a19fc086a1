package dev.gyre.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gyre.atomics.DeviceInts;
import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.Memory;
import dev.gyre.kernels.JvmLauncher;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.LaunchShape;
import dev.gyre.kernels.Launcher;
import dev.gyre.kernels.Launchers;
import dev.gyre.kernels.Target;
import dev.gyre.kernels.TargetUnavailableException;
import dev.gyre.kernels.map.EntryPredicate;
import dev.gyre.kernels.map.Fold;
import dev.gyre.kernels.map.Hashing;
import dev.gyre.kernels.map.MapCodes;
import dev.gyre.kernels.map.Text;
import dev.gyre.kernels.map.TextHash;
import dev.gyre.structures.StructureStats;
import dev.gyre.structures.launch.LongMapRef;
import dev.gyre.structures.map.Apply;
import dev.gyre.structures.map.BulkOptions;
import dev.gyre.structures.map.Changes;
import dev.gyre.structures.map.Columns;
import dev.gyre.structures.map.FindCounts;
import dev.gyre.structures.map.IntIntMap;
import dev.gyre.structures.map.IntLongMap;
import dev.gyre.structures.map.Ints;
import dev.gyre.structures.map.LongIntMap;
import dev.gyre.structures.map.LongLongMap;
import dev.gyre.structures.map.LongSet;
import dev.gyre.structures.map.Longs;
import dev.gyre.structures.map.Outcome;
import dev.gyre.structures.map.RecordMap;
import dev.gyre.structures.map.TextLongMap;
import dev.gyre.structures.trie.WordTrie;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The Java of README and guide compiles, does what it says, and stands there as it stands here. */
class ReadmeTest {

  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final Pattern JAVA_BLOCK = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);

  private static final Pattern LINK = Pattern.compile("\\]\\(([^)#\\s]+)");

  @TempDir private Path folder;

  @Test
  void gpus() throws IOException {
    Path book = Files.writeString(folder.resolve("book.txt"), "Call me Ishmael.");
    // This Java is without TornadoVM.
    assertThatThrownBy(() -> countOnGpu(book))
        .isInstanceOf(TargetUnavailableException.class)
        .hasMessageStartingWith("target ptx cannot be used");
  }

  private static void countOnGpu(Path book) {
    // begin
    try (Launcher gpu = Launchers.open(Target.PTX);
        WordTrie trie = WordTrie.builder().launcher(gpu).build()) {
      trie.add(book); // counted on the GPU, where the nodes stay
      trie.top(10).forEach(System.out::println); // selected on the GPU: only ten words are copied
    }
    // end
  }

  @Test
  void onTheDevice() {
    try (JvmLauncher launcher = JvmLauncher.create()) {
      assertThat(printedBy(() -> usePipeline(launcher, 1_000)))
          .isEqualTo("1000 squares\ntheir sum is 332833500\n");
    }
  }

  // begin
  record Squares(DeviceInts out, int count) implements Kernel {
    @Override
    public void run(int thread, LaunchShape shape) {
      for (int i = thread; i < count; i += shape.threads()) {
        out.set(i, i * i);
      }
    }
  }

  record Sum(DeviceInts of, int count, DeviceLongs sum) implements Kernel {
    @Override
    public void run(int thread, LaunchShape shape) {
      long mine = 0;
      for (int i = thread; i < count; i += shape.threads()) {
        mine += of.get(i);
      }
      long _ = sum.fetchAddRelaxed(0, mine);
    }
  }

  // end

  private static void usePipeline(Launcher gpu, int count) {
    // begin
    try (IntIntMap map = IntIntMap.builder().launcher(gpu).build();
        Memory keys = Memory.ofInts(count);
        Memory found = Memory.ofInts(count);
        Memory sum = Memory.ofLongs(1)) {
      LaunchShape shape = gpu.shapeForEach(count);
      gpu.run(new Squares(DeviceInts.of(keys), count), shape);
      Ints all = Ints.onDevice(keys, count);
      System.out.println(map.insert(all, all, BulkOptions.NONE).inserted() + " squares");
      map.find(all, Ints.onDevice(found, count), BulkOptions.NONE);
      gpu.run(new Sum(DeviceInts.of(found), count, DeviceLongs.of(sum)), shape);
      gpu.readBack(sum);
      System.out.println("their sum is " + DeviceLongs.of(sum).get(0));
    }
    // end
  }

  @Test
  void words() throws IOException {
    Path book = Files.writeString(folder.resolve("book.txt"), "Call me Ishmael. Call me!");
    String printed = printedBy(() -> countWords(book));
    assertThat(printed).startsWith("call 2 times");
  }

  private static void countWords(Path book) {
    // begin
    try (WordTrie trie = WordTrie.create()) {
      trie.add(book); // a file, counted by all cores
      trie.add("and a few words more");
      trie.addWord("whale", 2); // one word, from any thread
      trie.top(3).forEach(w -> System.out.println(w.word() + " " + w.count() + " times"));
      trie.top("wh", 1).forEach(w -> System.out.println(w.word() + " begins with wh"));
      System.out.println(trie.count("whale") + " of " + trie.total() + " words are whales");
    }
    // end
  }

  @Test
  void beginnings() {
    Path file = folder.resolve("words.trie");
    assertThat(printedBy(() -> useSavedTrie(file))).isEqualTo("whale 4\nwhales 2\nwhale\n");
  }

  private static void useSavedTrie(Path file) {
    // begin
    try (WordTrie trie = WordTrie.create()) {
      trie.add("whale whales whale sea").save(file); // as a whole or not at all
      try (WordTrie loaded = WordTrie.load(file)) {
        loaded.addAll(trie).retain(2); // keeps the words found at least twice
        loaded.forEach("wh", w -> System.out.println(w.word() + " " + w.count()));
        System.out.println(loaded.longestPrefix("whalebone").orElseThrow().word());
      }
    }
    // end
  }

  @Test
  void maps() {
    assertThat(printedBy(ReadmeTest::useMap)).isEqualTo("3 new keys\n[20, 0, 41]\n");
  }

  private static void useMap() {
    // begin
    int[] keys = {7, -3, 7, Integer.MIN_VALUE};
    int[] values = {20, 41, 20, 5};
    try (IntIntMap map = IntIntMap.create()) { // grows when needed
      System.out.println(map.insert(keys, values).inserted() + " new keys");
      int[] found = new int[3];
      map.find(new int[] {7, 8, -3}, found); // writes 0 if a key is absent
      System.out.println(Arrays.toString(found));
    }
    // end
  }

  @Test
  void texts() {
    assertThat(printedBy(() -> useTexts(folder)).lines())
        .startsWith("2 whales, 3 seas")
        .containsExactlyInAnyOrder("2 whales, 3 seas", "whale 2", "sea 3", "ship 1");
  }

  private static void useTexts(Path folder) {
    // begin
    Path saved = folder.resolve("words.map");
    try (TextLongMap map = TextLongMap.create()) {
      map.insertOrApply(List.of("whale", "sea", "whale"), new long[] {1, 1, 1}, Apply.ADD);
      long seas = map.merge("sea", 2, Apply.ADD); // one key, from any thread, while the map grows
      System.out.println(map.getOrDefault("whale", 0) + " whales, " + seas + " seas");
      map.save(saved);
    }
    try (TextLongMap map = TextLongMap.load(saved)) {
      map.asMap().putIfAbsent("ship", 1L);
      map.forEach((word, count) -> System.out.println(word + " " + count));
    }
    // end
  }

  @Test
  void strategies() {
    assertThat(printedBy(ReadmeTest::useStrategies)).isEqualTo("2 are larger\n[255, 0, 255]\n");
    assertThat(printedBy(ReadmeTest::useTextHash)).isEqualTo("2 whales\n");
  }

  // begin
  record Saturating(long most) implements Fold {
    @Override
    public long apply(long present, long given) {
      return Math.min(most, present + given);
    }
  }

  record LargerThan(long least) implements EntryPredicate {
    @Override
    public boolean test(long key, long value) {
      return value > least;
    }
  }

  // end

  private static void useStrategies() {
    // begin
    long[] keys = {7, 8, 7};
    long[] values = {200, 3, 100};
    try (LongLongMap map = LongLongMap.create()) {
      map.insertOrApply(keys, values, new Saturating(255));
      map.merge(8, 4, new Saturating(5)); // one key, from any thread
      long[] found = new long[3];
      BulkOptions large = BulkOptions.NONE.where(new LargerThan(100));
      System.out.println(map.find(Longs.of(keys), Longs.of(found), large).found() + " are larger");
      System.out.println(Arrays.toString(found));
    }
    // end
  }

  // begin
  record AnyCase() implements TextHash {
    @Override
    public long hash(Text key, long seed) {
      long hash = seed;
      for (int i = 0; i < key.length(); i++) {
        hash = Hashing.hash(hash ^ lower(key.byteAt(i)), seed);
      }
      return hash;
    }

    @Override
    public boolean same(Text one, Text other) {
      int differing = one.length() ^ other.length();
      int length = Math.min(one.length(), other.length());
      for (int i = 0; i < length; i++) {
        differing |= lower(one.byteAt(i)) ^ lower(other.byteAt(i));
      }
      return differing == 0;
    }

    private static int lower(int letter) {
      // One comparison: both differences are at least 0 only for upper-case letters.
      return ((letter - 'A') | ('Z' - letter)) >= 0 ? letter + 32 : letter;
    }
  }

  // end

  private static void useTextHash() {
    // begin
    try (TextLongMap map = TextLongMap.builder().textHash(new AnyCase()).build()) {
      map.insertOrApply(List.of("Whale", "WHALE", "sea"), new long[] {1, 1, 1}, Apply.ADD);
      System.out.println(map.getOrDefault("whale", 0) + " whales");
    }
    // end
  }

  // begin
  record Road(int from, int to) {}

  record Traffic(double tons, long latest) {}

  // end

  @Test
  void records() {
    assertThat(printedBy(ReadmeTest::useRecords))
        .isEqualTo("Traffic[tons=4.5, latest=9]\nTraffic[tons=2.0, latest=10]\n");
  }

  private static void useRecords() {
    // begin
    Columns roads = Columns.ints(new int[] {1, 2, 1}, new int[] {2, 3, 2});
    double[] tons = {0.5, 2, 4};
    Columns loads = Columns.doubles(tons).and(Columns.longs(new long[] {9, 8, 7}));
    Changes sums = Changes.of("tons", Apply.ADD).and("latest", Apply.MAX);
    try (var map = RecordMap.create(Road.class, Traffic.class)) {
      map.insertOrApply(roads, loads, sums);
      System.out.println(map.get(new Road(1, 2)).orElseThrow());
      map.put(new Road(2, 3), new Traffic(1, 10)); // atomic: a reader sees all of it or nothing
      System.out.println(map.merge(new Road(2, 3), new Traffic(1, 5), sums));
    }
    // end
  }

  @Test
  void atomics() {
    assertThat(printedBy(ReadmeTest::useAtomics)).isEqualTo("1000 increments\n");
  }

  private static void useAtomics() {
    // begin
    try (Memory memory = Memory.ofInts(2);
        JvmLauncher launcher = JvmLauncher.create()) {
      DeviceInts ints = DeviceInts.of(memory); // device scope
      launcher.run((thread, shape) -> ints.fetchAddRelaxed(0, 1), LaunchShape.ofThreads(1000));
      System.out.println(ints.loadAcquire(0) + " increments");
    }
    // end
  }

  @Test
  void singleKeys() {
    assertThat(printedBy(ReadmeTest::useSingleKeys).lines())
        .startsWith("6 visits, 0")
        .containsExactlyInAnyOrder("6 visits, 0", "26 in all", "42 -> 12", "7 -> 14");
  }

  private static void useSingleKeys() {
    // begin
    try (LongLongMap visits = LongLongMap.create()) {
      visits.put(42, 1);
      visits.merge(42, 5, Apply.ADD); // atomic, from any thread
      System.out.println(visits.get(42).orElseThrow() + " visits, " + visits.getOrDefault(7, 0));
      visits.computeIfAbsent(7, k -> k * 2);
      visits.compute(42, v -> OptionalLong.of(v.orElse(0) * 2)); // no lock, perhaps more than once
      System.out.println(visits.values().sum() + " in all");
      visits.forEach((key, value) -> System.out.println(key + " -> " + value));
    }
    // end
  }

  @Test
  void mixedNumbers() {
    assertThat(printedBy(ReadmeTest::countByNumber)).isEqualTo("4 words, the first 2 times\n");
  }

  private static void countByNumber() {
    // begin
    try (LongIntMap numbers = LongIntMap.create();
        IntLongMap counts = IntLongMap.create()) {
      for (String word : List.of("to", "be", "or", "not", "to", "be")) {
        long hash = word.hashCode() * 31L + word.length();
        int number = numbers.computeIfAbsent(hash, _ -> (int) numbers.size());
        counts.increment(number);
      }
      System.out.println(
          numbers.size() + " words, the first " + counts.get(0).orElse(0) + " times");
    }
    // end
  }

  @Test
  void options() {
    assertThat(printedBy(ReadmeTest::useOptions))
        .isEqualTo("INSERTED PRESENT SKIPPED INSERTED \n3 found, the last with 40\n");
  }

  private static void useOptions() {
    // begin
    long[] keys = {1, 2, 3, 4};
    long[] values = {10, 20, 30, 40};
    byte[] outcomes = new byte[4];
    BulkOptions options = BulkOptions.NONE.where(new boolean[] {true, true, false, true});
    try (LongLongMap map = LongLongMap.builder().fixedCapacity(100).build();
        Memory column = Memory.ofLongs(4)) {
      map.put(2, 0);
      map.insert(Longs.of(keys), Longs.of(values), options.outcomes(outcomes));
      for (byte outcome : outcomes) {
        System.out.print(Outcome.of(outcome) + " ");
      }
      System.out.println();
      FindCounts counts = map.find(Longs.of(keys), Longs.of(column, 4), BulkOptions.NONE);
      System.out.println(counts.found() + " found, the last with " + DeviceLongs.of(column).get(3));
    }
    // end
  }

  @Test
  void sets() {
    assertThat(printedBy(ReadmeTest::useSets))
        .isEqualTo("2 distinct\nfalse true\n1 of 2 present\n");
  }

  private static void useSets() {
    // begin
    try (LongSet seen = LongSet.create()) {
      System.out.println(seen.addAll(new long[] {3, 5, 3}).inserted() + " distinct");
      System.out.println(seen.add(5) + " " + seen.contains(3)); // one key, from any thread
      System.out.println(seen.containsAll(new long[] {3, 4}).found() + " of 2 present");
    }
    // end
  }

  @Test
  void threads() throws InterruptedException {
    assertThat(printed(ReadmeTest::useThreads)).isEqualTo("10 keys, each 100 times\n");
  }

  private static void useThreads() throws InterruptedException {
    // begin
    try (LongLongMap map = LongLongMap.create();
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < 1000; i++) {
        long key = i % 10;
        threads.execute(() -> map.merge(key, 1, Apply.ADD));
      }
      threads.shutdown();
      if (threads.awaitTermination(1, TimeUnit.MINUTES)) {
        System.out.println(map.size() + " keys, each " + map.getOrDefault(3, 0) + " times");
      }
    }
    // end
  }

  @Test
  void targets() {
    assertThat(printedBy(ReadmeTest::chooseTarget)).startsWith("JVM: ");
  }

  private static void chooseTarget() {
    // begin
    Launchers.Choice choice = Launchers.auto();
    System.out.println(choice.target() + ": " + choice.why());
    // end
  }

  // begin
  record CountDigits(LongMapRef counts, int numbers) implements Kernel {
    @Override
    public void run(int thread, LaunchShape shape) {
      for (int i = thread; i < numbers; i += shape.threads()) {
        int _ = counts.merge(i % 10, 1, MapCodes.ADD);
      }
    }
  }

  // end

  @Test
  void refs() {
    assertThat(printedBy(ReadmeTest::useRefs)).isEqualTo("10 digits, each 100 times\n");
  }

  private static void useRefs() {
    // begin
    try (LongLongMap counts = LongLongMap.create()) {
      counts.launch(ref -> new CountDigits(ref, 1000), LaunchShape.ofThreads(64));
      System.out.println(counts.size() + " digits, each " + counts.getOrDefault(7, 0) + " times");
    }
    // end
  }

  @Test
  void removal() {
    assertThat(printedBy(ReadmeTest::removeSome)).isEqualTo("100 false\n1 removed, 2 absent\n");
  }

  private static void removeSome() {
    // begin
    try (LongLongMap sessions = LongLongMap.builder().removable().build()) {
      sessions.put(1, 100);
      sessions.put(2, 200);
      System.out.println(sessions.remove(1).orElse(0) + " " + sessions.remove(2, 7));
      FindCounts counts = sessions.removeAll(new long[] {2, 2, 3});
      System.out.println(counts.found() + " removed, " + counts.absent() + " absent");
      sessions.asMap().keySet().removeIf(key -> key > 100);
    }
    // end
  }

  @Test
  void stats() {
    try (LongLongMap map = LongLongMap.builder().capacity(64).build()) {
      map.put(1, 1);
      assertThat(printedBy(() -> printStats(map))).matches("load 0\\.0\\d, mean probe 1\\.0\\n");
    }
  }

  private static void printStats(LongLongMap map) {
    // begin
    StructureStats stats = map.stats();
    System.out.printf("load %.2f, mean probe %.1f%n", stats.load(), stats.meanProbe());
    // end
  }

  @Test
  void readmeAndGuideHaveThisCode() throws IOException {
    String source = Files.readString(Path.of("src/test/java/dev/gyre/bench/ReadmeTest.java"));
    List<String> here = new ArrayList<>();
    Matcher marks = Pattern.compile("// begin\n(.*?) *// end", Pattern.DOTALL).matcher(source);
    while (marks.find()) {
      here.add(marks.group(1).stripTrailing().stripIndent() + "\n");
    }
    List<String> there = new ArrayList<>();
    for (String page : List.of("README.md", "docs/guide.md")) {
      Matcher blocks = JAVA_BLOCK.matcher(Files.readString(ROOT.resolve(page)));
      while (blocks.find()) {
        there.add(blocks.group(1));
      }
    }
    assertThat(Set.copyOf(there)).containsExactlyInAnyOrderElementsOf(here);
  }

  @Test
  void linksLeadSomewhere() throws IOException {
    List<String> broken = new ArrayList<>();
    for (Path page : pages()) {
      Path folder = Objects.requireNonNull(page.getParent());
      LINK.matcher(Files.readString(page))
          .results()
          .map(link -> link.group(1))
          .filter(to -> !to.contains(":") && !Files.exists(folder.resolve(to)))
          .forEach(to -> broken.add(ROOT.relativize(page) + " -> " + to));
    }
    assertThat(broken).isEmpty();
  }

  /** All Markdown of the root folder and of docs. */
  private static List<Path> pages() throws IOException {
    try (Stream<Path> root = Files.list(ROOT);
        Stream<Path> docs = Files.walk(ROOT.resolve("docs"))) {
      return Stream.concat(root, docs).filter(page -> page.toString().endsWith(".md")).toList();
    }
  }

  private interface Code {
    void run() throws InterruptedException;
  }

  private static String printedBy(Runnable code) {
    try {
      return printed(code::run);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static String printed(Code code) throws InterruptedException {
    PrintStream before = System.out;
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
    try {
      code.run();
    } finally {
      System.setOut(before);
    }
    return printed.toString(StandardCharsets.UTF_8);
  }
}
