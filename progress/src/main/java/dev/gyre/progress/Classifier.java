package dev.gyre.progress;

import dev.gyre.kernels.Device;
import dev.gyre.kernels.LauncherProvider;
import dev.gyre.kernels.Target;
import dev.gyre.progress.Classification.Source;
import dev.gyre.progress.probe.ProgressResult;
import dev.gyre.progress.probe.ProgressRuns;
import dev.gyre.progress.probe.ProgressTest;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Finds out what progress a device guarantees.
 *
 * <p>It takes the declaration of the device or its kind, otherwise the cache, otherwise a run of
 * the progress tests, whose result it caches.
 *
 * @since 0.1.0
 */
public final class Classifier {

  /** First compute capability of NVIDIA GPUs whose warps schedule threads independently: Volta. */
  private static final int FIRST_INDEPENDENT = 7;

  private final ClassificationCache cache;
  private final Function<DeviceDescription, List<ProgressResult>> measure;

  /** Creates a classifier with a given cache and a given way to measure. */
  public Classifier(
      ClassificationCache cache, Function<DeviceDescription, List<ProgressResult>> measure) {
    this.cache = cache;
    this.measure = measure;
  }

  /**
   * Returns a classifier with the cache of the user, which runs the progress tests in another JVM.
   */
  public static Classifier create() {
    return new Classifier(
        ClassificationCache.ofUser(),
        d -> ProgressRuns.inChildren().run(d, List.of(ProgressTest.values()), _ -> {}));
  }

  /** Returns the guarantees of a device. */
  public Classification classify(DeviceDescription device) {
    return declared(device)
        .or(() -> cache.find(device))
        .orElseGet(() -> remembered(device, measure.apply(device)));
  }

  /** Returns the guarantees of a device that are known without running tests, or empty. */
  public static Optional<Classification> known(Device device) {
    return DeviceDescription.all().stream()
        .filter(d -> d.device().equals(device))
        .findFirst()
        .flatMap(d -> declared(d).or(() -> ClassificationCache.ofUser().find(d)));
  }

  private Classification remembered(DeviceDescription device, List<ProgressResult> results) {
    Classification measured = judge(results);
    cache.remember(device, measured);
    return measured;
  }

  /**
   * Returns the classification from a run of the progress tests, and caches it unless the device
   * declares one.
   */
  public Classification learn(DeviceDescription device, List<ProgressResult> results) {
    return declared(device).orElseGet(() -> remembered(device, results));
  }

  /** Returns the guarantees that a device or its kind declares, or empty. */
  public static Optional<Classification> declared(DeviceDescription device) {
    if (device.device().target() == Target.JVM) {
      return Optional.of(
          new Classification(
              Guarantee.CONCURRENT,
              Guarantee.CONCURRENT,
              Source.DECLARED,
              "threads of the operating system; strided launches give parallel progress"));
    }
    String capability = device.facts().get(LauncherProvider.COMPUTE_CAPABILITY);
    if (capability == null) {
      return Optional.empty();
    }
    Guarantee guarantee =
        majorOf(capability) >= FIRST_INDEPENDENT ? Guarantee.PARALLEL : Guarantee.WEAKLY_PARALLEL;
    return Optional.of(
        new Classification(
            guarantee, Guarantee.PARALLEL, Source.DECLARED, "compute capability " + capability));
  }

  private static int majorOf(String capability) {
    return Integer.parseInt(capability.substring(0, capability.indexOf('.')));
  }

  /** Returns the classification that follows from results of the progress tests. */
  static Classification judge(List<ProgressResult> results) {
    return new Classification(
        judge(results, true), judge(results, false), Source.MEASURED, evidence(results));
  }

  private static Guarantee judge(List<ProgressResult> results, boolean within) {
    List<ProgressResult> these =
        results.stream().filter(r -> r.test().withinBlocks() == within).toList();
    boolean parallel =
        these.stream()
            .filter(r -> r.test().shows() == Guarantee.PARALLEL)
            .allMatch(ProgressResult::ended);
    boolean concurrent = these.stream().allMatch(ProgressResult::ended);
    if (these.isEmpty() || !parallel) {
      return Guarantee.WEAKLY_PARALLEL;
    }
    // Threads of a block begin together, so that no test within a block shows more.
    return concurrent && !within ? Guarantee.CONCURRENT : Guarantee.PARALLEL;
  }

  private static String evidence(List<ProgressResult> results) {
    List<String> stuck =
        results.stream().filter(r -> !r.ended()).map(r -> r.test().label()).toList();
    return stuck.isEmpty() ? "every wait ended" : "stuck: " + String.join(", ", stuck);
  }
}
