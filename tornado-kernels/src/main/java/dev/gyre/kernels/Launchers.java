package dev.gyre.kernels;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;

/** Finds launchers: that of the JVM, and those of devices whose providers are on the class path. */
public final class Launchers {

  /** Where the list of providers itself cannot be read, it may be met again and again. */
  private static final int MOST_BROKEN = 16;

  /**
   * What there is of a target.
   *
   * @param target how kernels are compiled
   * @param devices the devices that can be used, the fastest first; their positions are the numbers
   *     that {@link #open(Target, int)} takes
   * @param problem why there are none, in a sentence; empty where there are
   */
  public record Found(Target target, List<Device> devices, String problem) {}

  /**
   * A target that was chosen for the caller.
   *
   * @param target the target; its fastest device can be opened
   * @param why which device that is, or why it is none but the JVM
   */
  public record Choice(Target target, String why) {}

  /** Kinds of work, each with the unit in which it is measured. */
  public enum Work {
    /** Text whose words are counted. */
    TEXT("bytes"),

    /** Keys that are inserted into a map or looked up. */
    KEYS("keys");

    /**
     * The amount from which a device pays, 64 MiB of text or 2^26 keys: a device takes about a
     * second longer to begin, in which the JVM counts and inserts about as much.
     */
    public static final long PAYS_FROM = 1L << 26;

    private final String unit;

    Work(String unit) {
      this.unit = unit;
    }

    /** The unit, in the plural. */
    public String unit() {
      return unit;
    }
  }

  /** A provider, or why there is none. */
  private record Provided(@Nullable LauncherProvider provider, String problem) {}

  private Launchers() {}

  /**
   * What there is, target by target; never throws. What is wrong with a provider, or with the way
   * it is declared, is the problem of its target.
   */
  public static List<Found> all() {
    return Arrays.stream(Target.values()).map(Launchers::find).toList();
  }

  /** What there is of one target; never throws, as {@link #all}. */
  public static Found find(Target target) {
    if (Objects.requireNonNull(target, "target") == Target.JVM) {
      try (JvmLauncher jvm = JvmLauncher.create()) {
        return new Found(target, List.of(jvm.device()), "");
      }
    }
    Provided provided = provided(target);
    LauncherProvider provider = provided.provider();
    if (provider == null) {
      return new Found(target, List.of(), provided.problem());
    }
    try {
      return new Found(target, provider.devices(), provider.problem());
    } catch (RuntimeException | LinkageError e) {
      return new Found(target, List.of(), "its launcher fails: " + e);
    }
  }

  /**
   * A target for an amount of work: {@link #auto()} if it is as much as {@link Work#PAYS_FROM},
   * else the JVM.
   *
   * @param amount in the unit of that work; all that the launcher is opened for
   * @throws IllegalArgumentException if it is negative
   */
  public static Choice autoFor(Work work, long amount) {
    String unit = Objects.requireNonNull(work, "work").unit();
    if (amount < 0) {
      throw new IllegalArgumentException("work is 0 %s or more, not %d".formatted(unit, amount));
    }
    return amount >= Work.PAYS_FROM
        ? auto()
        : new Choice(
            Target.JVM,
            String.format(
                Locale.ROOT,
                "%,d %s are less than the %,d from which a device pays",
                amount,
                unit,
                Work.PAYS_FROM));
  }

  /**
   * A target with a GPU that can be used, CUDA before PTX, since its kernels are as fast or faster,
   * and PTX before OpenCL; the JVM if there is none. A GPU is chosen for however little work: if
   * the amount of work is known, see {@link #autoFor}.
   */
  public static Choice auto() {
    List<String> problems = new ArrayList<>();
    for (Target target : List.of(Target.CUDA, Target.PTX, Target.OPENCL)) {
      Found found = find(target);
      if (found.devices().isEmpty()) {
        problems.add(target.label() + ": " + found.problem());
      } else {
        String name = found.devices().getFirst().name();
        if (LauncherProvider.GPU.equals(facts(target, 0).get(LauncherProvider.KIND))) {
          return new Choice(target, name);
        }
        problems.add(target.label() + ": " + name + " is no GPU");
      }
    }
    return new Choice(Target.JVM, "no GPU can be used; " + String.join("; ", problems));
  }

  /**
   * What a device declares of itself, by the keys of {@link LauncherProvider#facts}; empty where
   * nothing is known, or its launcher fails to tell.
   *
   * @param index among the devices of its target
   */
  public static Map<String, String> facts(Target target, int index) {
    if (Objects.requireNonNull(target, "target") == Target.JVM) {
      return Map.of(
          LauncherProvider.DRIVER, System.getProperty("java.vm.name") + " " + Runtime.version());
    }
    LauncherProvider provider = provided(target).provider();
    try {
      return provider == null ? Map.of() : provider.facts(index);
    } catch (RuntimeException | LinkageError e) {
      return Map.of();
    }
  }

  private static Provided provided(Target target) {
    Iterator<LauncherProvider> all = ServiceLoader.load(LauncherProvider.class).iterator();
    List<String> broken = new ArrayList<>();
    LauncherProvider found = null;
    boolean more = true;
    while (more && broken.size() < MOST_BROKEN) {
      try {
        more = all.hasNext();
        if (more) {
          LauncherProvider next = all.next();
          found = next.target() == target ? next : null;
          more = found == null;
        }
      } catch (ServiceConfigurationError | RuntimeException | LinkageError e) {
        broken.add(String.valueOf(e.getMessage()));
      }
    }
    return new Provided(
        found,
        broken.isEmpty()
            ? "no launcher for it is on the class path; build with TORNADOVM_HOME set"
                + " (docs/tornadovm.md)"
            : "a launcher on the class path cannot be loaded: " + broken.getFirst());
  }

  /**
   * A launcher for the fastest device of a target; the caller closes it.
   *
   * @throws TargetUnavailableException if there is no device, saying why
   */
  public static Launcher open(Target target) {
    return open(target, 0);
  }

  /**
   * A launcher for one of the devices of a target; the caller closes it.
   *
   * @param index position in {@link Found#devices}, which {@code gyre devices} prints, too
   * @throws TargetUnavailableException if there is no such device, saying which there are, or why
   *     there is none
   */
  public static Launcher open(Target target, int index) {
    Found found = find(target);
    int count = found.devices().size();
    if (count == 0) {
      throw new TargetUnavailableException(
          "target " + target.label() + " cannot be used: " + found.problem());
    }
    if (index < 0 || index >= count) {
      throw new TargetUnavailableException(
          "target %s has no device %d; it has those from 0 to %d"
              .formatted(target.label(), index, count - 1));
    }
    LauncherProvider provider = target == Target.JVM ? null : provided(target).provider();
    return provider == null ? JvmLauncher.create() : provider.open(index);
  }

  /**
   * A launcher of all devices of a target, a {@link LauncherGroup} if there are several; the caller
   * closes it. On the JVM there is one device.
   *
   * @throws TargetUnavailableException if there is no device, saying why
   */
  public static Launcher openAll(Target target) {
    int count = Math.max(1, find(target).devices().size());
    List<Launcher> opened = new ArrayList<>();
    try {
      for (int index = 0; index < count; index++) {
        opened.add(open(target, index));
      }
      return LauncherGroup.of(opened);
    } catch (RuntimeException | Error e) {
      LauncherGroup.close(opened);
      throw e;
    }
  }
}
