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
import dev.gyre.kernels.map.Text;
import dev.gyre.kernels.map.TextHash;
import dev.gyre.structures.map.Apply;
import dev.gyre.structures.map.BulkOptions;
import dev.gyre.structures.map.Changes;
import dev.gyre.structures.map.Columns;
import dev.gyre.structures.map.IntIntMap;
import dev.gyre.structures.map.Ints;
import dev.gyre.structures.map.LongLongMap;
import dev.gyre.structures.map.RecordMap;
import dev.gyre.structures.map.TextLongMap;
import dev.gyre.structures.trie.WordTrie;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
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
      trie.add(book); // built on the GPU, where its nodes stay
      trie.top(10).forEach(System.out::println); // selected there: no more comes home than is read
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
      gpu.runAndReadBack(new Sum(DeviceInts.of(found), count, DeviceLongs.of(sum)), shape, sum);
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
      trie.add(book); // every core works on it
      trie.add("and a few words more");
      trie.top(3).forEach(w -> System.out.println(w.word() + " " + w.count() + " times"));
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
      try (WordTrie loaded = WordTrie.load(file)) { // read, and checked
        loaded.addAll(trie).retain(2); // words found twice at least
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
    try (IntIntMap map = IntIntMap.create()) { // grows by itself; every int is legal
      System.out.println(map.insert(keys, values).inserted() + " new keys");
      int[] found = new int[3];
      map.find(new int[] {7, 8, -3}, found); // 0 where a key is absent
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
    try (TextLongMap map = TextLongMap.create()) { // keys of any length, values long
      map.insertOrApply(List.of("whale", "sea", "whale"), new long[] {1, 1, 1}, Apply.ADD);
      long seas = map.merge("sea", 2, Apply.ADD); // one key, from any thread, while the map grows
      System.out.println(map.getOrDefault("whale", 0) + " whales, " + seas + " seas");
      map.save(saved);
    }
    try (TextLongMap map = TextLongMap.load(saved)) { // read, and checked
      map.asMap().putIfAbsent("ship", 1L); // for code that wants a ConcurrentMap
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
      map.insertOrApply(keys, values, new Saturating(255)); // or Apply.ADD, MIN, MAX, AND, OR, XOR
      map.merge(8, 4, new Saturating(5)); // one key, from any thread
      long[] found = new long[3];
      System.out.println(map.findIf(keys, found, new LargerThan(100)).found() + " are larger");
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
      // One comparison: neither difference is less than 0.
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
      map.put(new Road(2, 3), new Traffic(1, 10)); // as a whole: nobody reads half of it
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
      DeviceInts ints = DeviceInts.of(memory); // device scope, as cuda::atomic<int, ...device>
      launcher.run((thread, shape) -> ints.fetchAddRelaxed(0, 1), LaunchShape.ofThreads(1000));
      System.out.println(ints.loadAcquire(0) + " increments");
    }
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
    assertThat(there).containsExactlyInAnyOrderElementsOf(here);
  }

  @Test
  void linksLeadSomewhere() throws IOException {
    List<String> broken = new ArrayList<>();
    for (Path folder : List.of(ROOT, ROOT.resolve("docs"), ROOT.resolve("docs/results"))) {
      try (DirectoryStream<Path> pages = Files.newDirectoryStream(folder, "*.md")) {
        for (Path page : pages) {
          LINK.matcher(Files.readString(page))
              .results()
              .map(link -> link.group(1))
              .filter(to -> !to.contains(":") && !Files.exists(folder.resolve(to)))
              .forEach(to -> broken.add(ROOT.relativize(page) + " -> " + to));
        }
      }
    }
    assertThat(broken).isEmpty();
  }

  private static String printedBy(Runnable code) {
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
