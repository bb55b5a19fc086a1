package dev.gyre.structures.map.table;

import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.Memory;
import dev.gyre.kernels.map.MapCodes;
import dev.gyre.structures.map.BulkOptions;
import dev.gyre.structures.map.Longs;
import dev.gyre.structures.map.work.Scratch;
import dev.gyre.structures.map.work.Step;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Scratch memory for values and outcomes of a bulk operation on text keys. */
public final class TextScratch extends Scratch {

  final DeviceLongs values;

  public TextScratch(int length, int workers) {
    super(length, workers, List.of(() -> Memory.ofLongs(length)));
    this.values = DeviceLongs.of(more(0));
  }

  /** Brings values and mask of a batch. */
  public void enter(int keys, @Nullable Longs from, BulkOptions options) {
    if (from != null) {
      from.read(0, values.memory().segment(), 0, keys);
    }
    boolean[] mask = options.mask();
    outcomeMemory.segment().asSlice(0, keys).fill(MapCodes.PENDING);
    for (int i = 0; mask != null && i < keys; i++) {
      if (!mask[i]) {
        outcomes.set(i, MapCodes.SKIPPED);
      }
    }
  }

  /** Keys of a step for which there was no room are FULL; returns how many. */
  public long giveUp(Step step) {
    long full = 0;
    for (long i = step.from(); i < step.to(); i++) {
      if (outcomes.get(i) == MapCodes.PENDING) {
        outcomes.set(i, MapCodes.FULL);
        full++;
      }
    }
    return full;
  }

  /** Takes what an operation wrote to the caller. */
  public void leave(int keys, @Nullable Longs found, BulkOptions options) {
    byte[] codes = options.outcomes();
    for (int i = 0; codes != null && i < keys; i++) {
      byte code = outcomes.get(i);
      codes[i] = code == MapCodes.PENDING ? MapCodes.SKIPPED : code;
    }
    if (found != null && options.mask() == null) {
      found.write(0, values.memory().segment(), 0, keys);
    } else if (found != null) {
      for (int i = 0; i < keys; i++) {
        if (outcomes.get(i) != MapCodes.SKIPPED) {
          found.set(i, values.get(i));
        }
      }
    }
  }

  /** What kernels read and write. */
  public Memory[] memories() {
    return new Memory[] {values.memory(), outcomeMemory};
  }
}
