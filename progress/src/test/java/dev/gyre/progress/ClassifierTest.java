package dev.gyre.progress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gyre.kernels.Device;
import dev.gyre.kernels.LauncherProvider;
import dev.gyre.kernels.Target;
import dev.gyre.progress.Classification.Source;
import dev.gyre.progress.probe.ProgressResult;
import dev.gyre.progress.probe.ProgressResult.Outcome;
import dev.gyre.progress.probe.ProgressTest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClassifierTest {

  @TempDir private Path folder;

  private final AtomicInteger runs = new AtomicInteger();

  private Classifier classifier(ProgressTest... stuck) {
    return new Classifier(
        new ClassificationCache(folder.resolve("deep").resolve("progress.properties")),
        d -> {
          runs.incrementAndGet();
          return results(stuck);
        });
  }

  private static List<ProgressResult> results(ProgressTest... stuck) {
    return Arrays.stream(ProgressTest.values())
        .map(
            t ->
                new ProgressResult(
                    t, List.of(stuck).contains(t) ? Outcome.HUNG : Outcome.ENDED, 32, 0, 0.1, ""))
        .toList();
  }

  private static DeviceDescription device(Target target, Map<String, String> facts) {
    return new DeviceDescription(new Device(target, "some = device", 4), 0, facts);
  }

  @Test
  void computeCapabilityDeclares() {
    Classifier classifier = classifier();
    assertThat(
            List.of("6.1", "7.0", "9.0", "10.0").stream()
                .map(c -> Map.of(LauncherProvider.COMPUTE_CAPABILITY, c))
                .map(f -> classifier.classify(device(Target.PTX, f)).withinBlocks()))
        .containsExactly(
            Guarantee.WEAKLY_PARALLEL, Guarantee.PARALLEL, Guarantee.PARALLEL, Guarantee.PARALLEL);
    assertThat(runs).hasValue(0);
  }

  @Test
  void theJvmIsConcurrent() {
    assertThat(classifier().classify(DeviceDescription.of(Target.JVM)).acrossBlocks())
        .isEqualTo(Guarantee.CONCURRENT);
  }

  @Test
  void whatIsMeasuredIsRememberedPerDriver() {
    DeviceDescription one = device(Target.OPENCL, Map.of(LauncherProvider.DRIVER, "1 # a"));
    DeviceDescription two = device(Target.OPENCL, Map.of(LauncherProvider.DRIVER, "2"));
    ProgressTest stuck = ProgressTest.WAIT_FOR_LAST_OF_WARP;
    Classification first = classifier(stuck).classify(one);
    Classification again = classifier().classify(one);
    Classification other = classifier().classify(two);
    assertThat(runs).hasValue(2);
    assertThat(first.source()).isEqualTo(Source.MEASURED);
    assertThat(again.source()).isEqualTo(Source.REMEMBERED);
    assertThat(again.withinBlocks()).isEqualTo(Guarantee.WEAKLY_PARALLEL);
    assertThat(again.acrossBlocks()).isEqualTo(Guarantee.CONCURRENT);
    assertThat(again.because()).isEqualTo(first.because()).contains("wait for last of warp");
    assertThat(other.withinBlocks()).isEqualTo(Guarantee.PARALLEL);
  }

  @Test
  void aDamagedCacheCostsAMeasurement() throws IOException {
    DeviceDescription device = device(Target.OPENCL, Map.of());
    Path file = Files.createDirectories(folder.resolve("deep")).resolve("progress.properties");
    Files.writeString(file, "\\u00zz broken");
    assertThat(classifier().classify(device).source()).isEqualTo(Source.MEASURED);
    assertThat(classifier().classify(device).source()).isEqualTo(Source.REMEMBERED);
  }

  @Test
  void onlyConcurrentProgressMeetsMoreBlocksThanFit() {
    Classification found = Classifier.judge(results(ProgressTest.MEET_MORE_BLOCKS_THAN_FIT));
    assertThat(found.acrossBlocks()).isEqualTo(Guarantee.PARALLEL);
    assertThat(Classifier.judge(results()).acrossBlocks()).isEqualTo(Guarantee.CONCURRENT);
    assertThat(Classifier.judge(results(ProgressTest.LOCK_ACROSS_BLOCKS)).acrossBlocks())
        .isEqualTo(Guarantee.WEAKLY_PARALLEL);
  }

  @Test
  void blockingOperationsAreRefusedWhereTheyMayHang() {
    Classification found = Classifier.judge(results(ProgressTest.WAIT_FOR_LAST_OF_WARP));
    found.require("a map's insert", ProgressClass.DEADLOCK_FREE, 1);
    found.require("a map's insert", ProgressClass.LOCK_FREE, 256);
    assertThatThrownBy(() -> found.require("a map's insert", ProgressClass.DEADLOCK_FREE, 256))
        .isInstanceOf(ProgressUnavailableException.class)
        .hasMessageContaining("a map's insert is deadlock-free and needs parallel")
        .hasMessageContaining("weakly parallel")
        .hasMessageContaining("wait for last of warp");
  }

  @Test
  void whatCannotBeRememberedLeavesNothingBehind() throws IOException {
    Path taken = Files.createDirectories(folder.resolve("progress.properties"));
    Path inside = Files.createFile(taken.resolve("file"));
    DeviceDescription device = device(Target.OPENCL, Map.of());
    ClassificationCache cache = new ClassificationCache(taken);
    cache.remember(
        device,
        new Classification(Guarantee.PARALLEL, Guarantee.PARALLEL, Source.MEASURED, "tests"));
    assertThat(cache.find(device)).isEmpty();
    try (var left = Files.walk(folder)) {
      assertThat(left).containsExactlyInAnyOrder(folder, taken, inside);
    }
  }
}
