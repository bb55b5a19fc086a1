package dev.gyre.progress.litmus;

import dev.gyre.atomics.DeviceInts;
import dev.gyre.atomics.Fences;

/** Words of device scope. */
public record DeviceWords(DeviceInts words) implements Words {

  @Override
  public int get(long at) {
    return words.get(at);
  }

  @Override
  public void set(long at, int value) {
    words.set(at, value);
  }

  @Override
  public int loadRelaxed(long at) {
    return words.loadRelaxed(at);
  }

  @Override
  public int loadAcquire(long at) {
    return words.loadAcquire(at);
  }

  @Override
  public int loadSeqCst(long at) {
    return words.loadSeqCst(at);
  }

  @Override
  public void storeRelaxed(long at, int value) {
    words.storeRelaxed(at, value);
  }

  @Override
  public void storeRelease(long at, int value) {
    words.storeRelease(at, value);
  }

  @Override
  public void storeSeqCst(long at, int value) {
    words.storeSeqCst(at, value);
  }

  @Override
  public int fetchAddRelaxed(long at, int value) {
    return words.fetchAddRelaxed(at, value);
  }

  @Override
  public int compareAndExchangeRelaxed(long at, int expected, int value) {
    return words.compareAndExchangeRelaxed(at, expected, value);
  }

  @Override
  public int compareAndExchangeAcqRel(long at, int expected, int value) {
    return words.compareAndExchangeAcqRel(at, expected, value);
  }

  @Override
  public boolean testAndSetRelaxed(long at) {
    return words.testAndSetRelaxed(at);
  }

  @Override
  public boolean testAndSetAcqRel(long at) {
    return words.testAndSetAcqRel(at);
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
