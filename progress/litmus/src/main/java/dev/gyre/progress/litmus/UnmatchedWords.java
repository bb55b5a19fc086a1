package dev.gyre.progress.litmus;

import dev.gyre.atomics.BlockInts;
import dev.gyre.atomics.DeviceInts;
import dev.gyre.atomics.Fences;

/**
 * Words with stores of block scope and loads of device scope: a data race between threads of
 * different blocks, as in the example of the CUDA C++ memory model.
 *
 * @param near the words
 * @param far the same words
 */
public record UnmatchedWords(BlockInts near, DeviceInts far) implements Words {

  @Override
  public int get(long at) {
    return far.get(at);
  }

  @Override
  public void set(long at, int value) {
    near.set(at, value);
  }

  @Override
  public int loadRelaxed(long at) {
    return far.loadRelaxed(at);
  }

  @Override
  public int loadAcquire(long at) {
    return far.loadAcquire(at);
  }

  @Override
  public int loadSeqCst(long at) {
    return far.loadSeqCst(at);
  }

  @Override
  public void storeRelaxed(long at, int value) {
    near.storeRelaxed(at, value);
  }

  @Override
  public void storeRelease(long at, int value) {
    near.storeRelease(at, value);
  }

  @Override
  public void storeSeqCst(long at, int value) {
    near.storeSeqCst(at, value);
  }

  @Override
  public int fetchAddRelaxed(long at, int value) {
    return near.fetchAddRelaxed(at, value);
  }

  @Override
  public int compareAndExchangeRelaxed(long at, int expected, int value) {
    return near.compareAndExchangeRelaxed(at, expected, value);
  }

  @Override
  public int compareAndExchangeAcqRel(long at, int expected, int value) {
    return near.compareAndExchangeAcqRel(at, expected, value);
  }

  @Override
  public boolean testAndSetRelaxed(long at) {
    return near.testAndSetRelaxed(at);
  }

  @Override
  public boolean testAndSetAcqRel(long at) {
    return near.testAndSetAcqRel(at);
  }

  @Override
  public void acquireFence() {
    Fences.deviceAcquire();
  }

  @Override
  public void releaseFence() {
    Fences.deviceRelease();
  }

  @Override
  public void seqCstFence() {
    Fences.deviceSeqCst();
  }
}
