package dev.gyre.kernels.map;

import static dev.gyre.kernels.map.MapCodes.EMPTY;

import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.IntSpecialized;

/** {@link WordSlots} whose words are numbers of one type. */
@IntSpecialized
interface LongWords extends WordSlots {

  /** Returns the words. */
  /* DeviceInts */ DeviceLongs words();

  @Override
  default long plain(long slot) {
    return words().get(slot);
  }

  @Override
  default long load(long slot) {
    // relaxed: the word contains everything
    return words().loadRelaxed(slot);
  }

  @Override
  default long claim(long slot, long claimWord) {
    // relaxed: claims and publishes at once
    return words().compareAndExchangeRelaxed(slot, EMPTY, /* (int) */ claimWord);
  }

  @Override
  default long replace(long slot, long expected, long word) {
    // relaxed: as the claim
    return words().compareAndExchangeRelaxed(slot, /* (int) */ expected, /* (int) */ word);
  }

  @Override
  default long loadSeqCst(long slot) {
    return words().loadSeqCst(slot);
  }

  @Override
  default long claimSeqCst(long slot, long claimWord) {
    // seq_cst: claims and publishes, before all later reads of this thread
    return words().compareAndExchangeSeqCst(slot, EMPTY, /* (int) */ claimWord);
  }
}
