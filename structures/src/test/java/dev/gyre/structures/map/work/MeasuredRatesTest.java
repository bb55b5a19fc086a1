package dev.gyre.structures.map.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.within;

import dev.gyre.kernels.JvmLauncher;
import dev.gyre.kernels.KeptProperties;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.Launch;
import dev.gyre.kernels.LaunchCancelledException;
import dev.gyre.kernels.LaunchException;
import dev.gyre.kernels.LaunchMode;
import dev.gyre.kernels.LaunchShape;
import dev.gyre.kernels.Launcher;
import dev.gyre.structures.ConformanceSuite;
import dev.gyre.structures.ForwardingLauncher;
import dev.gyre.structures.Others;
import dev.gyre.structures.TargetUnderTest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Rates are measured once on a device, the one under test or the JVM, kept, and read again. */
@ConformanceSuite
class MeasuredRatesTest {

  private static final long LARGEST = 1L << 24;

  private final JvmLauncher jvm = JvmLauncher.ofWorkers(2);
  private final List<String> kernels = new ArrayList<>();

  @TempDir Path folder;

  @AfterEach
  void close() {
    jvm.close();
  }

  private Launcher underTest() {
    Launcher device = TargetUnderTest.device();
    return device == null ? jvm : device.parts().getFirst();
  }

  /** The device; notes kernels, the launches of some of which fail. */
  private final class Noting extends ForwardingLauncher {
    private final Function<String, Optional<LaunchException>> failure;

    Noting(Function<String, Optional<LaunchException>> failure) {
      super(underTest());
      this.failure = failure;
    }

    @Override
    public Launch start(Kernel kernel, LaunchShape shape, LaunchMode mode) {
      kernels.add(kernel.name());
      failure
          .apply(kernel.name())
          .ifPresent(
              e -> {
                throw e;
              });
      return launcher.start(kernel, shape, mode);
    }

    @Override
    public void close() {}
  }

  private Noting noting() {
    return new Noting(_ -> Optional.empty());
  }

  private KeptProperties file() {
    return new KeptProperties(folder.resolve("a folder").resolve("rates"), "rates");
  }

  private MeasuredRates rates() {
    return new MeasuredRates(file(), LARGEST);
  }

  @Test
  void ratesAreMeasuredOnceAndReadByTheNextProcess() {
    MeasuredRates first = rates();
    DeviceRates measured = first.find(noting()).orElseThrow();
    assertThat(kernels).contains("SwapAtRandom", "CopyHalf");
    // 4, 8 and 16 MiB.
    assertThat(measured.swapNanos()).hasSize(3).allMatch(n -> n > 0);
    assertThat(measured.byteNanos()).isPositive();
    assertThat(measured.linkNanos()).isPositive();
    kernels.clear();
    assertThat(first.find(noting())).contains(measured);
    assertThat(rates().find(noting())).map(DeviceRates::format).contains(measured.format());
    assertThat(kernels).isEmpty();
  }

  @Test
  void whatIsDamagedIsMeasuredAnew() throws IOException {
    assertThat(rates().find(noting())).isPresent();
    String kept = Files.readString(file().file());
    for (String bad : List.of("much 1 1 1", "0 1 1 1", "NaN 1 1 1", "1 1")) {
      Files.writeString(file().file(), kept.replaceAll("(?m)^([^#=]*)=.*$", "$1=" + bad));
      kernels.clear();
      assertThat(rates().find(noting())).as(bad).isPresent();
      assertThat(kernels).as(bad).contains("SwapAtRandom");
    }
  }

  @Test
  void whereNothingCanBeKeptItIsMeasuredAllTheSame() {
    KeptProperties nowhere = new KeptProperties(KeptProperties.path("a\0b"), "rates");
    assertThat(new MeasuredRates(nowhere, LARGEST).find(noting())).isPresent();
    KeptProperties root = new KeptProperties(folder.getRoot(), "rates");
    assertThat(new MeasuredRates(root, LARGEST).find(noting())).isPresent();
  }

  @Test
  void aDeviceThatCannotBeMeasuredIsNotAskedAgain() {
    MeasuredRates rates = rates();
    Noting failing =
        new Noting(
            name -> Optional.of(new LaunchException(name, underTest().device(), "a test", null)));
    assertThat(rates.find(failing)).isEmpty();
    assertThat(kernels).hasSize(1);
    assertThat(rates.find(failing)).isEmpty();
    assertThat(kernels).hasSize(1);
    assertThat(file().file()).doesNotExist();
  }

  @Test
  void anInterruptEndsIt() {
    MeasuredRates rates = rates();
    Noting interrupted =
        new Noting(
            name -> Optional.of(new LaunchCancelledException(name, underTest().device(), null)));
    assertThatThrownBy(() -> rates.find(interrupted)).isInstanceOf(LaunchCancelledException.class);
    assertThat(rates.find(noting())).isPresent();
  }

  /** Else what it launches runs beside what is measured, and slow rates are kept. */
  @Test
  void whoAsksWhileItIsMeasuredWaits() throws Exception {
    MeasuredRates rates = rates();
    CompletableFuture<Optional<DeviceRates>> other = new CompletableFuture<>();
    CompletableFuture<Throwable> interrupted = new CompletableFuture<>();
    AtomicBoolean begun = new AtomicBoolean();
    Noting asked =
        new Noting(
            _ -> {
              if (begun.compareAndSet(false, true)) {
                Thread asking =
                    Thread.ofPlatform()
                        .daemon()
                        .start(
                            () -> interrupted.complete(catchThrowable(() -> rates.find(noting()))));
                CompletableFuture<Void> _ =
                    Others.start(() -> other.complete(rates.find(noting())));
                asking.interrupt();
                Others.await(interrupted::isDone);
              }
              return Optional.empty();
            });
    Optional<DeviceRates> measured = rates.find(asked);
    assertThat(measured).isPresent();
    assertThat(other.get(30, TimeUnit.SECONDS)).isEqualTo(measured);
    assertThat(interrupted.get()).isInstanceOf(LaunchCancelledException.class);
  }

  @Test
  void betweenSizesItIsALineAndBehindThemAsAtTheLast() {
    DeviceRates rates = new DeviceRates(1, 1, List.of(1.0, 2.0, 4.0));
    assertThat(rates.swapNanos(1)).isEqualTo(1);
    assertThat(rates.swapNanos(1 << 22)).isEqualTo(1);
    assertThat(rates.swapNanos(1 << 23)).isEqualTo(2);
    assertThat(rates.swapNanos((long) (Math.sqrt(2) * (1 << 23)))).isCloseTo(3, within(1e-6));
    assertThat(rates.swapNanos(1L << 40)).isEqualTo(4);
  }
}
