package dev.gyre.kernels.tornadovm;

import dev.gyre.atomics.SettingException;
import dev.gyre.atomics.Settings;
import dev.gyre.kernels.KernelClasses;
import dev.gyre.kernels.KernelTree.Branch;
import dev.gyre.kernels.PropertiesFile;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Texts of compiled kernels in files, for later processes. The driver compiles a text to code,
 * without TornadoVM's sketcher and compiler. NVRTC, which has no cache of its own, is used for some
 * texts; their compiled image is stored with the text.
 *
 * <p><b>Validity.</b> The name of a file is a fingerprint of what its text comes from: {@linkplain
 * Origin the device and our compiler}, and the kernel's tree. The file repeats all of that, with
 * fingerprints of the classes that the kernel reaches, and is used only if everything is unchanged.
 * A damaged or other file is compiled again and overwritten.
 *
 * <p><b>Size.</b> If all files together exceed {@value #LIMIT_PROPERTY}, the least recently used
 * files are deleted. If the folder cannot be read or written, the only cost is compilation.
 */
final class KernelCache {

  /**
   * Setting: folder of the texts, or {@value #OFF}; also the environment variable {@value
   * #VARIABLE}.
   */
  static final String PROPERTY = "gyre.kernel.cache";

  static final String VARIABLE = "GYRE_KERNEL_CACHE";

  static final String OFF = "off";

  /** Setting: largest size of all texts. */
  static final String LIMIT_PROPERTY = "gyre.kernel.cache.limit";

  private static final long USUAL_LIMIT = 64L << 20;
  private static final String SUFFIX = ".kernel";
  private static final long MAGIC = 0x47797265_4b65726eL;

  /**
   * Text of a kernel.
   *
   * @param entry name of the kernel in it
   * @param source text in the device's language
   * @param image compiled image for the driver; empty if the driver has a cache
   */
  record Text(String entry, String source, ByteBuffer image) {}

  private final @Nullable Path folder;
  private final String origin;
  private final long limit;

  private KernelCache(@Nullable Path folder, String origin, long limit) {
    this.folder = folder;
    this.origin = origin;
    this.limit = limit;
  }

  /**
   * Returns the cache of the current user.
   *
   * @param origin returns what texts come from besides their kernels; empty if unknown
   * @throws SettingException if {@value #LIMIT_PROPERTY} is not a size
   */
  static KernelCache ofUser(Supplier<String> origin) {
    long limit = Settings.bytes(LIMIT_PROPERTY).orElse(USUAL_LIMIT);
    Path folder = folderOfUser();
    String known = folder == null ? "" : origin.get();
    return new KernelCache(known.isEmpty() ? null : folder, known, limit);
  }

  /** Returns the folder of the user, or null. */
  static @Nullable Path folderOfUser() {
    String set = System.getProperty(PROPERTY, System.getenv(VARIABLE));
    if (set != null && !set.isBlank()) {
      return set.equals(OFF) ? null : PropertiesFile.path(set);
    }
    Path ofUser = PropertiesFile.folderOfUser();
    return ofUser == null ? null : ofUser.resolve("kernels");
  }

  /** Returns whether and where kernels are cached, in words. */
  static String describe() {
    Path folder = folderOfUser();
    return folder == null
        ? "not cached: %s or %s is %s, or is no name of a folder".formatted(VARIABLE, PROPERTY, OFF)
        : "cached in %s; set %s or %s to another folder, or to %s"
            .formatted(folder, VARIABLE, PROPERTY, OFF);
  }

  /** Returns the name of a kernel's file; empty if it is not cached. */
  String nameOf(Branch tree) {
    if (folder == null) {
      return "";
    }
    byte[] key = keyOf(tree).getBytes(StandardCharsets.UTF_8);
    return "%016x".formatted(KernelClasses.fingerprint(key));
  }

  private String keyOf(Branch tree) {
    return origin + '\n' + KernelClasses.describe(tree);
  }

  /** Returns the cached text of a kernel, if nothing that it comes from has changed. */
  Optional<Text> find(Branch tree) {
    if (folder == null) {
      return Optional.empty();
    }
    Path file = fileOf(folder, tree);
    try {
      Optional<Text> text = read(Files.readAllBytes(file), tree);
      if (text.isPresent()) {
        var _ = Files.setLastModifiedTime(file, FileTime.from(Instant.now()));
      }
      return text;
    } catch (NoSuchFileException e) {
      return Optional.empty();
    } catch (IOException e) {
      log("cannot read " + file, e);
      return Optional.empty();
    }
  }

  private Path fileOf(Path in, Branch tree) {
    return in.resolve(nameOf(tree) + SUFFIX);
  }

  private Optional<Text> read(byte[] bytes, Branch tree) throws IOException {
    int length = bytes.length - Long.BYTES;
    if (length < 0) {
      return Optional.empty();
    }
    ByteBuffer all = ByteBuffer.wrap(bytes);
    byte[] content = new byte[length];
    all.get(content);
    if (KernelClasses.fingerprint(content) != all.getLong()) {
      return Optional.empty();
    }
    DataInputStream in = new DataInputStream(new ByteArrayInputStream(content));
    if (in.readLong() != MAGIC || !text(in).equals(keyOf(tree))) {
      return Optional.empty();
    }
    Map<String, Long> classes = new TreeMap<>();
    for (int left = in.readInt(); left > 0; left--) {
      String name = text(in);
      classes.put(name, in.readLong());
    }
    Text text = new Text(text(in), text(in), ByteBuffer.wrap(bytes(in)));
    return KernelClasses.haveNow(tree, classes) ? Optional.of(text) : Optional.empty();
  }

  private static String text(DataInputStream in) throws IOException {
    return new String(bytes(in), StandardCharsets.UTF_8);
  }

  private static byte[] bytes(DataInputStream in) throws IOException {
    return in.readNBytes(in.readInt());
  }

  private static void write(DataOutputStream out, String text) throws IOException {
    write(out, text.getBytes(StandardCharsets.UTF_8));
  }

  private static void write(DataOutputStream out, byte[] bytes) throws IOException {
    out.writeInt(bytes.length);
    out.write(bytes);
  }

  /** Stores the text of a kernel, if another process can tell that it is valid. */
  void keep(Branch tree, Text text) {
    Map<String, Long> classes = folder == null ? Map.of() : KernelClasses.fingerprints(tree);
    if (folder == null || classes.isEmpty()) {
      return;
    }
    try {
      var _ = Files.createDirectories(folder);
      Path part = Files.createTempFile(folder, nameOf(tree), ".part");
      try {
        var _ = Files.write(part, content(tree, classes, text));
        var _ = Files.move(part, fileOf(folder, tree), StandardCopyOption.REPLACE_EXISTING);
      } finally {
        boolean _ = Files.deleteIfExists(part);
      }
      evict(folder);
    } catch (IOException e) {
      log("cannot cache a kernel in " + folder, e);
    }
  }

  private byte[] content(Branch tree, Map<String, Long> classes, Text text) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    out.writeLong(MAGIC);
    write(out, keyOf(tree));
    out.writeInt(classes.size());
    for (Map.Entry<String, Long> each : classes.entrySet()) {
      write(out, each.getKey());
      out.writeLong(each.getValue());
    }
    write(out, text.entry());
    write(out, text.source());
    byte[] image = new byte[text.image().remaining()];
    text.image().duplicate().get(image);
    write(out, image);
    out.writeLong(KernelClasses.fingerprint(bytes.toByteArray()));
    return bytes.toByteArray();
  }

  /** File as it was found. */
  private record Found(Path file, long bytes, FileTime used) {}

  private void evict(Path folder) throws IOException {
    List<Found> all = new ArrayList<>();
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.filter(f -> f.toString().endsWith(SUFFIX)).toList()) {
        if (Files.exists(file)) {
          all.add(new Found(file, Files.size(file), Files.getLastModifiedTime(file)));
        }
      }
    }
    long over = all.stream().mapToLong(Found::bytes).sum() - limit;
    all.sort(Comparator.comparing(Found::used));
    for (int i = 0; i < all.size() && over > 0; i++) {
      boolean _ = Files.deleteIfExists(all.get(i).file());
      over -= all.get(i).bytes();
    }
  }

  private static void log(String what, IOException e) {
    System.getLogger(KernelCache.class.getName()).log(System.Logger.Level.DEBUG, what, e);
  }
}
