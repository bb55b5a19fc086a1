package dev.gyre.kernels.tornadovm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.gyre.atomics.DeviceInts;
import dev.gyre.atomics.Memory;
import dev.gyre.atomics.SettingException;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.KernelTree;
import dev.gyre.kernels.KernelTree.Branch;
import dev.gyre.kernels.LaunchShape;
import dev.gyre.kernels.Target;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.instruction.ConstantInstruction;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Texts of kernels that are kept for the next process; each launcher passes for one. */
@ExtendWith(DeviceUnderTest.class)
class KernelCacheTest {

  private static final LaunchShape ONE = LaunchShape.ofThreads(1);

  private static final ByteBuffer NO_IMAGE = ByteBuffer.allocate(0);

  /** What {@link Answers} is edited to say. */
  private static final int EDITED = 4243;

  /** Writes what another class says. */
  record Answers(DeviceInts out) implements Kernel {
    @Override
    public void run(int thread, LaunchShape shape) {
      if (thread == 0) {
        out.set(0, Answer.now());
      }
    }
  }

  /** Not in the tree of {@link Answers}. */
  static final class Answer {
    private Answer() {}

    static int now() {
      return 4142;
    }
  }

  /** Writes what may be another number in another process. */
  record ReadsStatic(DeviceInts out) implements Kernel {
    static final int NUMBER = Integer.getInteger("gyre.test.number", 7);

    @Override
    public void run(int thread, LaunchShape shape) {
      if (thread == 0) {
        out.set(0, NUMBER);
      }
    }
  }

  /** Has {@link Answers} again, and {@link Answer} edited. */
  private static final class Editor extends ClassLoader {
    private static final Set<String> OWN = Set.of(Answers.class.getName(), Answer.class.getName());

    Editor() {
      super(KernelCacheTest.class.getClassLoader());
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      if (!OWN.contains(name)) {
        return super.loadClass(name, resolve);
      }
      Class<?> loaded = findLoadedClass(name);
      byte[] bytes = bytes(name);
      return loaded == null ? defineClass(name, bytes, 0, bytes.length) : loaded;
    }

    @Override
    public @Nullable InputStream getResourceAsStream(String file) {
      String name = file.replace(".class", "").replace('/', '.');
      return OWN.contains(name)
          ? new ByteArrayInputStream(bytes(name))
          : super.getResourceAsStream(file);
    }

    private byte[] bytes(String name) {
      String file = name.replace('.', '/') + ".class";
      try (InputStream in = Objects.requireNonNull(super.getResourceAsStream(file))) {
        ClassFile classes = ClassFile.of();
        return classes.transformClass(
            classes.parse(in.readAllBytes()),
            ClassTransform.transformingMethodBodies(
                (code, element) -> {
                  if (element instanceof ConstantInstruction c
                      && c.constantValue().equals(Answer.now())) {
                    code.loadConstant(EDITED);
                  } else {
                    code.with(element);
                  }
                }));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  @TempDir Path folder;

  @BeforeEach
  void keepHere() {
    System.setProperty(KernelCache.PROPERTY, folder.toString());
  }

  @AfterEach
  void keepNoMore() {
    System.setProperty(KernelCache.PROPERTY, KernelCache.OFF);
    System.clearProperty(KernelCache.LIMIT_PROPERTY);
  }

  private static Kernel edited(DeviceInts out) throws ReflectiveOperationException {
    Class<?> type = new Editor().loadClass(Answers.class.getName());
    var maker = type.getDeclaredConstructor(DeviceInts.class);
    maker.setAccessible(true);
    return (Kernel) maker.newInstance(out);
  }

  private static int answer(boolean edited) {
    try (TornadoLauncher launcher = DeviceUnderTest.open();
        Memory memory = Memory.ofInts(1)) {
      DeviceInts out = DeviceInts.of(memory);
      launcher.run(edited ? edited(out) : new Answers(out), ONE);
      launcher.readBack(memory);
      return out.get(0);
    } catch (ReflectiveOperationException e) {
      throw new LinkageError("the kernel cannot be made", e);
    }
  }

  private static Branch tree() {
    try (Memory memory = Memory.ofInts(1)) {
      return KernelTree.of(new Answers(DeviceInts.of(memory))).root();
    }
  }

  private static Branch treeOfOther() {
    try (Memory memory = Memory.ofInts(1)) {
      return KernelTree.of(new ReadsStatic(DeviceInts.of(memory))).root();
    }
  }

  private KernelCache kept(String origin) {
    return KernelCache.ofUser(() -> origin);
  }

  private List<Path> files() throws IOException {
    try (Stream<Path> all = Files.list(folder)) {
      return all.filter(f -> f.toString().endsWith(".kernel")).sorted().toList();
    }
  }

  @Test
  void theNextProcessRunsTheTextThatWasKept() throws IOException {
    assertThat(answer(false)).isEqualTo(4142);
    List<Path> files = files();
    assertThat(files).hasSize(1);
    // As if it had been compiled to something else.
    try (TornadoLauncher launcher = DeviceUnderTest.open()) {
      KernelCache all = kept(launcher.origin());
      KernelCache.Text text = all.find(tree()).orElseThrow();
      assertThat(text.source()).contains("4142");
      assertThat(text.image().hasRemaining()).isEqualTo(DeviceUnderTest.target() == Target.CUDA);
      String other = text.source().replace("4142", "1234");
      all.keep(tree(), new KernelCache.Text(text.entry(), other, NO_IMAGE));
    }
    assertThat(answer(false)).isEqualTo(1234);
    assertThat(files()).isEqualTo(files);
  }

  @Test
  void whatNvrtcMadeIsLoadedAndNotMadeAgain() {
    assumeTrue(DeviceUnderTest.target() == Target.CUDA, "the driver keeps what it makes of texts");
    assertThat(answer(false)).isEqualTo(4142);
    try (TornadoLauncher launcher = DeviceUnderTest.open()) {
      KernelCache all = kept(launcher.origin());
      KernelCache.Text text = all.find(tree()).orElseThrow();
      // NVRTC would refuse the text, were it asked.
      all.keep(tree(), new KernelCache.Text(text.entry(), "no text", text.image()));
      assertThat(answer(false)).isEqualTo(4142);
      assertThat(all.find(tree()).orElseThrow().source()).isEqualTo("no text");
      // What the driver refuses is made anew.
      ByteBuffer bad = ByteBuffer.wrap("no image".getBytes(StandardCharsets.UTF_8));
      all.keep(tree(), new KernelCache.Text(text.entry(), text.source(), bad));
      assertThat(answer(false)).isEqualTo(4142);
      assertThat(all.find(tree())).contains(text);
    }
  }

  @Test
  void anEditedKernelIsCompiledAnew() throws IOException {
    assertThat(answer(false)).isEqualTo(4142);
    assertThat(answer(true)).isEqualTo(EDITED);
    assertThat(answer(true)).isEqualTo(EDITED);
    assertThat(answer(false)).isEqualTo(4142);
    // Each took the other's place.
    assertThat(files()).hasSize(1);
  }

  @Test
  void whatIsDamagedIsCompiledAnew() throws IOException {
    assertThat(answer(false)).isEqualTo(4142);
    Path file = files().getFirst();
    byte[] good = Files.readAllBytes(file);
    try (TornadoLauncher launcher = DeviceUnderTest.open()) {
      KernelCache all = kept(launcher.origin());
      for (int at = 0; at < good.length; at += 7) {
        byte[] bad = good.clone();
        bad[at] ^= 1;
        var _ = Files.write(file, bad);
        assertThat(all.find(tree())).isEmpty();
      }
      for (int length : new int[] {0, 1, 8, 20, good.length / 2, good.length - 1}) {
        var _ = Files.write(file, Arrays.copyOf(good, length));
        assertThat(all.find(tree())).isEmpty();
      }
    }
    assertThat(answer(false)).isEqualTo(4142);
    try (TornadoLauncher launcher = DeviceUnderTest.open()) {
      assertThat(kept(launcher.origin()).find(tree())).isPresent();
    }
  }

  @Test
  void whatIsOfAnotherDeviceOrKernelIsNotTaken() throws IOException {
    KernelCache one = kept("one device");
    ByteBuffer image = ByteBuffer.wrap(new byte[] {0, -1, 1});
    KernelCache.Text text = new KernelCache.Text("kernel", "text", image);
    one.keep(tree(), text);
    assertThat(kept("one device").find(tree())).contains(text);
    assertThat(kept("another").find(tree())).isEmpty();
    // Even where it has the other's name.
    Branch other = treeOfOther();
    var _ = Files.move(files().getFirst(), folder.resolve(one.nameOf(other) + ".kernel"));
    assertThat(one.find(other)).isEmpty();
  }

  @Test
  void whatReadsAStaticFieldIsNotKept() throws IOException {
    KernelCache all = kept("a device");
    all.keep(treeOfOther(), new KernelCache.Text("kernel", "text", NO_IMAGE));
    assertThat(files()).isEmpty();
  }

  @Test
  void whatWasNotUsedForLongestGivesRoom() throws IOException {
    KernelCache.Text text = new KernelCache.Text("kernel", "x".repeat(1_000), NO_IMAGE);
    for (String device : List.of("a", "b", "c")) {
      kept(device).keep(tree(), text);
    }
    for (Path file : files()) {
      var _ = Files.setLastModifiedTime(file, FileTime.fromMillis(1_000_000));
    }
    assertThat(kept("a").find(tree())).isPresent();
    System.setProperty(KernelCache.LIMIT_PROPERTY, "4k");
    kept("d").keep(tree(), text);
    assertThat(kept("a").find(tree())).isPresent();
    assertThat(kept("d").find(tree())).isPresent();
    assertThat(files()).hasSizeLessThan(4);
  }

  @Test
  void aLimitThatIsNoSizeIsRefusedByItsNameBeforeAnyKernel() {
    System.setProperty(KernelCache.LIMIT_PROPERTY, "plenty");
    assertThatThrownBy(() -> answer(false))
        .isInstanceOf(SettingException.class)
        .hasMessageContaining(KernelCache.LIMIT_PROPERTY)
        .hasMessageContaining("plenty");
  }

  @Test
  void whereNothingCanBeKeptKernelsRun() throws IOException {
    System.setProperty(KernelCache.PROPERTY, KernelCache.OFF);
    assertThat(answer(false)).isEqualTo(4142);
    assertThat(files()).isEmpty();
    Path file = Files.createFile(folder.resolve("no folder"));
    System.setProperty(KernelCache.PROPERTY, file.toString());
    assertThat(answer(false)).isEqualTo(4142);
  }
}
