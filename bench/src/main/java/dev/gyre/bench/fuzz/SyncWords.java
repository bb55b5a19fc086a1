package dev.gyre.bench.fuzz;

import dev.gyre.atomics.BlockInts;
import dev.gyre.atomics.DeviceInts;
import dev.gyre.atomics.Memory;
import dev.gyre.atomics.SystemInts;
import dev.gyre.kernels.sync.BlockBarrier;
import dev.gyre.kernels.sync.BlockLatch;
import dev.gyre.kernels.sync.BlockSemaphore;
import dev.gyre.kernels.sync.DeviceBarrier;
import dev.gyre.kernels.sync.DeviceLatch;
import dev.gyre.kernels.sync.DeviceSemaphore;
import dev.gyre.kernels.sync.SyncLayout;
import dev.gyre.kernels.sync.SystemBarrier;
import dev.gyre.kernels.sync.SystemLatch;
import dev.gyre.kernels.sync.SystemSemaphore;
import java.util.function.Function;
import java.util.function.IntBinaryOperator;
import java.util.function.IntConsumer;
import java.util.function.IntSupplier;
import java.util.function.IntUnaryOperator;

/** The device functions of a scope, called by threads of the JVM. */
final class SyncWords implements SyncDoor<Integer> {

  /** Words of the barrier, and of the semaphore; the latch is in front. */
  private static final int BARRIER = SyncLayout.WORDS;

  private static final int SEMAPHORE = 2 * SyncLayout.WORDS;

  private static final int FEW_POLLS = 3;
  private static final int ALL_POLLS = Integer.MAX_VALUE;

  /**
   * Of a scope; waits are given their polls last.
   *
   * @param acquire returns whether it is done
   */
  private record Functions(
      IntConsumer newLatch,
      IntConsumer countDown,
      IntSupplier isOpen,
      IntUnaryOperator awaitOpen,
      IntBinaryOperator countDownAndWait,
      IntConsumer newBarrier,
      IntUnaryOperator arrive,
      IntSupplier drop,
      IntUnaryOperator isLast,
      Runnable complete,
      IntUnaryOperator hasEnded,
      IntBinaryOperator awaitEnd,
      IntUnaryOperator arriveAndWait,
      IntConsumer newSemaphore,
      IntSupplier tryAcquire,
      IntUnaryOperator acquire,
      IntConsumer release) {}

  private final Memory memory = Memory.ofInts(3L * SyncLayout.WORDS);
  private final Functions of;

  private SyncWords(Function<Memory, Functions> of) {
    this.of = of.apply(memory);
  }

  static SyncWords ofBlock() {
    return new SyncWords(memory -> block(BlockInts.of(memory)));
  }

  private static Functions block(BlockInts words) {
    return new Functions(
        count -> BlockLatch.init(words, 0, count),
        n -> BlockLatch.countDown(words, 0, n),
        () -> BlockLatch.tryWait(words, 0),
        polls -> BlockLatch.await(words, 0, polls),
        (n, polls) -> BlockLatch.arriveAndWait(words, 0, n, polls),
        expected -> BlockBarrier.init(words, BARRIER, expected),
        n -> BlockBarrier.arrive(words, BARRIER, n),
        () -> BlockBarrier.arriveAndDrop(words, BARRIER),
        BlockBarrier::isLast,
        () -> BlockBarrier.complete(words, BARRIER),
        token -> BlockBarrier.tryWait(words, BARRIER, token),
        (token, polls) -> BlockBarrier.await(words, BARRIER, token, polls),
        polls -> BlockBarrier.arriveAndWait(words, BARRIER, polls),
        permits -> BlockSemaphore.init(words, SEMAPHORE, permits),
        () -> BlockSemaphore.tryAcquire(words, SEMAPHORE),
        polls -> BlockSemaphore.acquire(words, SEMAPHORE, polls),
        n -> BlockSemaphore.release(words, SEMAPHORE, n));
  }

  static SyncWords ofDevice() {
    return new SyncWords(memory -> device(DeviceInts.of(memory)));
  }

  private static Functions device(DeviceInts words) {
    return new Functions(
        count -> DeviceLatch.init(words, 0, count),
        n -> DeviceLatch.countDown(words, 0, n),
        () -> DeviceLatch.tryWait(words, 0),
        polls -> DeviceLatch.await(words, 0, polls),
        (n, polls) -> DeviceLatch.arriveAndWait(words, 0, n, polls),
        expected -> DeviceBarrier.init(words, BARRIER, expected),
        n -> DeviceBarrier.arrive(words, BARRIER, n),
        () -> DeviceBarrier.arriveAndDrop(words, BARRIER),
        DeviceBarrier::isLast,
        () -> DeviceBarrier.complete(words, BARRIER),
        token -> DeviceBarrier.tryWait(words, BARRIER, token),
        (token, polls) -> DeviceBarrier.await(words, BARRIER, token, polls),
        polls -> DeviceBarrier.arriveAndWait(words, BARRIER, polls),
        permits -> DeviceSemaphore.init(words, SEMAPHORE, permits),
        () -> DeviceSemaphore.tryAcquire(words, SEMAPHORE),
        polls -> DeviceSemaphore.acquire(words, SEMAPHORE, polls),
        n -> DeviceSemaphore.release(words, SEMAPHORE, n));
  }

  static SyncWords ofSystem() {
    return new SyncWords(memory -> system(SystemInts.of(memory)));
  }

  private static Functions system(SystemInts words) {
    return new Functions(
        count -> SystemLatch.init(words, 0, count),
        n -> SystemLatch.countDown(words, 0, n),
        () -> SystemLatch.tryWait(words, 0),
        polls -> SystemLatch.await(words, 0, polls),
        (n, polls) -> SystemLatch.arriveAndWait(words, 0, n, polls),
        expected -> SystemBarrier.init(words, BARRIER, expected),
        n -> SystemBarrier.arrive(words, BARRIER, n),
        () -> SystemBarrier.arriveAndDrop(words, BARRIER),
        SystemBarrier::isLast,
        () -> SystemBarrier.complete(words, BARRIER),
        token -> SystemBarrier.tryWait(words, BARRIER, token),
        (token, polls) -> SystemBarrier.await(words, BARRIER, token, polls),
        polls -> SystemBarrier.arriveAndWait(words, BARRIER, polls),
        permits -> SystemSemaphore.init(words, SEMAPHORE, permits),
        () -> SystemSemaphore.tryAcquire(words, SEMAPHORE),
        polls -> SystemSemaphore.acquire(words, SEMAPHORE, polls),
        n -> SystemSemaphore.release(words, SEMAPHORE, n));
  }

  private static int polls(boolean shortly) {
    return shortly ? FEW_POLLS : ALL_POLLS;
  }

  private static void done(int result) {
    FuzzSubject.same("a wait that has no end", SyncLayout.DONE, result);
  }

  @Override
  public void newLatch(int count) {
    of.newLatch.accept(count);
  }

  @Override
  public void countDown(int n) {
    of.countDown.accept(n);
  }

  @Override
  public boolean isOpen() {
    return of.isOpen.getAsInt() == 1;
  }

  @Override
  public boolean awaitOpen(boolean shortly) {
    return of.awaitOpen.applyAsInt(polls(shortly)) == SyncLayout.DONE;
  }

  @Override
  public void countDownAndWait(int n) {
    done(of.countDownAndWait.applyAsInt(n, ALL_POLLS));
  }

  @Override
  public void newBarrier(int expected) {
    of.newBarrier.accept(expected);
  }

  @Override
  public Integer arrive(int arrivals) {
    return of.arrive.applyAsInt(arrivals);
  }

  @Override
  public Integer arriveAndDrop() {
    return of.drop.getAsInt();
  }

  @Override
  public boolean isLast(Integer arrival) {
    return of.isLast.applyAsInt(arrival) == 1;
  }

  @Override
  public void complete(Integer last) {
    of.complete.run();
  }

  @Override
  public boolean hasEnded(Integer arrival) {
    return of.hasEnded.applyAsInt(arrival) == 1;
  }

  @Override
  public boolean awaitEnd(Integer arrival, boolean shortly) {
    return of.awaitEnd.applyAsInt(arrival, polls(shortly)) == SyncLayout.DONE;
  }

  @Override
  public void arriveAndWait() {
    done(of.arriveAndWait.applyAsInt(ALL_POLLS));
  }

  @Override
  public void newSemaphore(int permits) {
    of.newSemaphore.accept(permits);
  }

  @Override
  public boolean tryAcquire() {
    return of.tryAcquire.getAsInt() == SyncLayout.DONE;
  }

  @Override
  public void acquire(long way) {
    done(of.acquire.applyAsInt(ALL_POLLS));
  }

  @Override
  public void release(int n) {
    of.release.accept(n);
  }

  /** Device functions refuse nothing. */
  @Override
  public void refused(int left, int permits) {
    FuzzSubject.same("open", left == 0, isOpen());
  }

  /** A wait in vain says that it is stuck; the ticket of the semaphore is lost. */
  @Override
  public void interrupted() {
    newSemaphore(0);
    FuzzSubject.same("stuck", SyncLayout.STUCK, of.acquire.applyAsInt(FEW_POLLS));
    release(1);
    FuzzSubject.same("the permit that was lost", false, tryAcquire());
  }

  @Override
  public void close() {
    memory.close();
  }
}
