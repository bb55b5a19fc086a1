package dev.gyre.structures.launch;

import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.LaunchShape;
import java.util.List;
import java.util.Objects;
import java.util.function.BiFunction;

/**
 * Launches of kernels that work on two or three structures at once.
 *
 * <pre>{@code
 * Launches.with(regions, sums)
 *     .launchUntilDone((r, s) -> new SumByRegion(r, s, open, orders, items), shape);
 * }</pre>
 *
 * <p>Each structure follows the rules of {@link Launchable}. All must belong to one launcher;
 * otherwise a launch throws {@link dev.gyre.structures.StructureException}. {@code copyTo} makes a
 * copy on another launcher. Launches with the same structures wait for each other without deadlock,
 * in any order.
 *
 * @since 0.1.0
 */
public final class Launches {

  private Launches() {}

  /** Launches with two structures. */
  public static <A, B> Two<A, B> with(Launchable<A> first, Launchable<B> second) {
    return new Two<>(
        Objects.requireNonNull(first, "first"), Objects.requireNonNull(second, "second"));
  }

  /** Launches with three structures. */
  public static <A, B, C> Three<A, B, C> with(
      Launchable<A> first, Launchable<B> second, Launchable<C> third) {
    return new Three<>(
        Objects.requireNonNull(first, "first"),
        Objects.requireNonNull(second, "second"),
        Objects.requireNonNull(third, "third"));
  }

  /** Launches with two structures. */
  public static final class Two<A, B> {
    private final Launchable<A> first;
    private final Launchable<B> second;

    private Two(Launchable<A> first, Launchable<B> second) {
      this.first = first;
      this.second = second;
    }

    /** Launches as {@link Launchable#launch} does, with a ref to each structure. */
    public void launch(
        BiFunction<? super A, ? super B, ? extends Kernel> kernel, LaunchShape shape) {
      prepare(kernel, shape).once();
    }

    /** Launches as {@link Launchable#launchUntilDone} does, with a ref to each structure. */
    public void launchUntilDone(
        BiFunction<? super A, ? super B, ? extends Kernel> kernel, LaunchShape shape) {
      prepare(kernel, shape).untilDone();
    }

    private PinnedLaunch prepare(
        BiFunction<? super A, ? super B, ? extends Kernel> kernel, LaunchShape shape) {
      Objects.requireNonNull(kernel, "kernel");
      StructurePin<A> a = first.pin();
      StructurePin<B> b = second.pin();
      return new PinnedLaunch(List.of(a, b), () -> kernel.apply(a.ref(), b.ref()), shape);
    }
  }

  /** Launches with three structures. */
  public static final class Three<A, B, C> {
    private final Launchable<A> first;
    private final Launchable<B> second;
    private final Launchable<C> third;

    /** Makes a kernel from three refs. */
    @FunctionalInterface
    public interface Maker<A, B, C> {
      Kernel make(A first, B second, C third);
    }

    private Three(Launchable<A> first, Launchable<B> second, Launchable<C> third) {
      this.first = first;
      this.second = second;
      this.third = third;
    }

    /** Launches as {@link Launchable#launch} does, with a ref to each structure. */
    public void launch(Maker<? super A, ? super B, ? super C> kernel, LaunchShape shape) {
      prepare(kernel, shape).once();
    }

    /** Launches as {@link Launchable#launchUntilDone} does, with a ref to each structure. */
    public void launchUntilDone(Maker<? super A, ? super B, ? super C> kernel, LaunchShape shape) {
      prepare(kernel, shape).untilDone();
    }

    private PinnedLaunch prepare(Maker<? super A, ? super B, ? super C> kernel, LaunchShape shape) {
      Objects.requireNonNull(kernel, "kernel");
      StructurePin<A> a = first.pin();
      StructurePin<B> b = second.pin();
      StructurePin<C> c = third.pin();
      return new PinnedLaunch(
          List.of(a, b, c), () -> kernel.make(a.ref(), b.ref(), c.ref()), shape);
    }
  }
}
