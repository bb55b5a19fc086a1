package dev.gyre.kernels.tornadovm;

import dev.gyre.atomics.Memory;
import dev.gyre.atomics.tornadovm.Handles;
import dev.gyre.kernels.KernelTree;
import dev.gyre.kernels.LaunchShape;
import java.lang.foreign.ValueLayout;
import java.util.List;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;

/**
 * Block of longs for every {@link Task}: values that change from launch to launch, which as
 * arguments would become constants of the kernel, and the proof that all blocks ran.
 *
 * <p>Tasks call the device functions of this class.
 */
public final class Parameters {

  private static final int BLOCKS = 0;
  private static final int BLOCK_SIZE = 1;

  /** Number of stripes that count finished blocks, to reduce contention of short blocks. */
  private static final int BLOCKS_ENDED = 4;

  private static final int STRIPES = 32;
  private static final int STRIPE_LONGS = 4;
  private static final int FIRST = BLOCKS_ENDED + STRIPES * STRIPE_LONGS;

  private Parameters() {}

  /** Returns the number of blocks of the launch. A device function. */
  public static int blocks(LongArray parameters) {
    return (int) Handles.threadLongs(parameters).get(BLOCKS);
  }

  /** Returns the number of device threads of a block. A device function. */
  public static int blockSize(LongArray parameters) {
    return (int) Handles.threadLongs(parameters).get(BLOCK_SIZE);
  }

  /** Returns a number of the kernel, counted from 0 among its numbers. A device function. */
  public static long number(LongArray parameters, int index) {
    return Handles.threadLongs(parameters).get(FIRST + index);
  }

  /** Ends a task: the first thread of each block counts it. A device function. */
  public static void end(KernelContext context, LongArray parameters) {
    if (context.localIdx == 0) {
      int stripe = context.groupIdx & (STRIPES - 1);
      Handles.deviceLongs(parameters).fetchAddRelaxed(BLOCKS_ENDED + stripe * STRIPE_LONGS, 1);
    }
  }

  /** Returns a block for any kernel. */
  static Memory allocate() {
    return Memory.ofLongs(FIRST + KernelTree.MOST_LEAVES);
  }

  static void fill(Memory parameters, LaunchShape shape, List<Long> numbers) {
    parameters.segment().setAtIndex(ValueLayout.JAVA_LONG, BLOCKS, shape.blocks());
    parameters.segment().setAtIndex(ValueLayout.JAVA_LONG, BLOCK_SIZE, shape.blockSize());
    for (int stripe = 0; stripe < STRIPES; stripe++) {
      parameters
          .segment()
          .setAtIndex(ValueLayout.JAVA_LONG, BLOCKS_ENDED + stripe * STRIPE_LONGS, 0);
    }
    for (int i = 0; i < numbers.size(); i++) {
      parameters.segment().setAtIndex(ValueLayout.JAVA_LONG, FIRST + i, numbers.get(i));
    }
  }

  static long blocksEnded(Memory parameters) {
    long ended = 0;
    for (int stripe = 0; stripe < STRIPES; stripe++) {
      ended +=
          parameters
              .segment()
              .getAtIndex(ValueLayout.JAVA_LONG, BLOCKS_ENDED + stripe * STRIPE_LONGS);
    }
    return ended;
  }
}
