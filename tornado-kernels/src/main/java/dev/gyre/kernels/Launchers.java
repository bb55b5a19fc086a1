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

/**
 * Finds devices and opens launchers: the JVM, and the devices of providers on the class path.
 *
 * <pre>{@code
 * Launchers.Choice choice = Launchers.autoFor(Launchers.Work.KEYS, keys.length);
 * try (Launcher launcher = Launchers.open(choice.target());
 *     var map = LongLongMap.builder().launcher(launcher).build()) {
 *   map.insert(keys, values);
 * }
 * }</pre>
 *
 * @since 0.1.0
 */
public final class Launchers {

  /** Limit of unreadable entries: the list of providers may fail again and again. */
  private static final int MOST_BROKEN = 16;

  /**
   * Devices of a target.
   *
   * @param target the target
   * @param devices the usable devices, the fastest first; {@link #open(Target, int)} takes their
   *     indexes
   * @param problem why there are none, in a sentence; empty if there are devices
   */
  public record Found(Target target, List<Device> devices, String problem) {}

  /**
   * Target that was chosen for the caller.
   *
   * @param target the target; {@link #open(Target)} opens its fastest device
   * @param why the reason for the choice
   */
  public record Choice(Target target, String why) {}

  /** Kind of work, with its unit. */
  public enum Work {
    /** Words of texts to count. */
    TEXT("bytes"),

    /** Keys to insert into a map or to look up. */
    KEYS("keys");

    /**
     * Offload threshold: the amount of work from which a device is used, 64 MiB of text or 2^26
     * keys. A device needs about a second more to start, in which the JVM processes about as much.
     */
    public static final long PAYS_FROM = 1L << 26;

    private final String unit;

    Work(String unit) {
      this.unit = unit;
    }

    /** Returns the unit, in the plural. */
    public String unit() {
      return unit;
    }
  }

  /** Provider, or the problem that hides it. */
  private record Provided(@Nullable LauncherProvider provider, String problem) {}

  private Launchers() {}

  /**
   * Returns the devices of all targets; never throws. A faulty provider or provider file is the
   * problem of its target.
   */
  public static List<Found> all() {
    return Arrays.stream(Target.values()).map(Launchers::find).toList();
  }

  /** Returns the devices of one target; never throws, as {@link #all}. */
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
   * Returns {@link #auto()} if the amount of work is at least {@link Work#PAYS_FROM}, otherwise the
   * JVM.
   *
   * @param amount all work that the launcher is opened for, in the unit of the work
   * @throws IllegalArgumentException if {@code amount} is negative
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
   * Returns a target with a usable GPU: CUDA, otherwise PTX, otherwise OpenCL; the JVM if no GPU is
   * usable. A GPU is chosen even for little work: if the amount is known, use {@link #autoFor}.
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
   * Returns what a device declares, by the keys of {@link LauncherProvider#facts}; empty if nothing
   * is known.
   *
   * @param index index among the devices of its target
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
   * Opens a launcher for the fastest device of a target. The caller closes it.
   *
   * @throws TargetUnavailableException if there is no device; the message says why
   */
  public static Launcher open(Target target) {
    return open(target, 0);
  }

  /**
   * Opens a launcher for a device of a target. The caller closes it.
   *
   * @param index index in {@link Found#devices}, which {@code gyre devices} prints
   * @throws TargetUnavailableException if there is no such device; the message names the existing
   *     ones, or says why there are none
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
   * Opens a launcher for all devices of a target, a {@link LauncherGroup} if there are several. The
   * caller closes it. The JVM has one device.
   *
   * @throws TargetUnavailableException if there is no device; the message says why
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
