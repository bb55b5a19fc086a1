package dev.gyre.kernels.tornadovm;

import dev.gyre.atomics.tornadovm.Handles;
import dev.gyre.kernels.litmus.BlockLitmus;
import dev.gyre.kernels.litmus.DeviceLitmus;
import dev.gyre.kernels.litmus.HandOver;
import dev.gyre.kernels.litmus.LitmusFunctions;
import dev.gyre.kernels.litmus.MeetAll;
import dev.gyre.kernels.litmus.ProgressFunctions;
import dev.gyre.kernels.litmus.RunBlockLitmus;
import dev.gyre.kernels.litmus.RunDeviceLitmus;
import dev.gyre.kernels.litmus.RunMismatch;
import dev.gyre.kernels.litmus.RunSystemLitmus;
import dev.gyre.kernels.litmus.SpinLock;
import dev.gyre.kernels.litmus.SystemLitmus;
import dev.gyre.kernels.litmus.TallyLitmus;
import java.util.List;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;

/** The task methods of the litmus tests. */
public final class LitmusTasks implements KernelBindings {

  @Override
  public List<KernelBinding> bindings() {
    return List.of(
        KernelBinding.of(RunBlockLitmus.class, LitmusTasks.class, "runBlock"),
        KernelBinding.of(RunDeviceLitmus.class, LitmusTasks.class, "runDevice"),
        KernelBinding.of(RunSystemLitmus.class, LitmusTasks.class, "runSystem"),
        KernelBinding.of(RunMismatch.class, LitmusTasks.class, "mismatch"),
        KernelBinding.of(TallyLitmus.class, LitmusTasks.class, "tally"),
        KernelBinding.of(HandOver.class, LitmusTasks.class, "handOver"),
        KernelBinding.of(SpinLock.class, LitmusTasks.class, "spinLock"),
        KernelBinding.of(MeetAll.class, LitmusTasks.class, "meetAll"));
  }

  static void runBlock(
      KernelContext context,
      LongArray parameters,
      LongArray words,
      LongArray results,
      LongArray meeting) {
    BlockLitmus.run(
        context.globalIdx,
        Handles.blockInts(words),
        Handles.threadInts(results),
        Handles.deviceLongs(meeting),
        (int) Parameters.scalar(parameters, 0),
        (int) Parameters.scalar(parameters, 1),
        (int) Parameters.scalar(parameters, 2),
        (int) Parameters.scalar(parameters, 3),
        Parameters.scalar(parameters, 4),
        Parameters.scalar(parameters, 5),
        (int) Parameters.scalar(parameters, 6),
        Parameters.scalar(parameters, 7),
        Parameters.scalar(parameters, 8),
        Parameters.scalar(parameters, 9));
    Parameters.end(context, parameters);
  }

  static void runDevice(
      KernelContext context,
      LongArray parameters,
      LongArray words,
      LongArray results,
      LongArray meeting) {
    DeviceLitmus.run(
        context.globalIdx,
        Handles.deviceInts(words),
        Handles.threadInts(results),
        Handles.deviceLongs(meeting),
        (int) Parameters.scalar(parameters, 0),
        (int) Parameters.scalar(parameters, 1),
        (int) Parameters.scalar(parameters, 2),
        (int) Parameters.scalar(parameters, 3),
        Parameters.scalar(parameters, 4),
        Parameters.scalar(parameters, 5),
        (int) Parameters.scalar(parameters, 6),
        Parameters.scalar(parameters, 7),
        Parameters.scalar(parameters, 8),
        Parameters.scalar(parameters, 9));
    Parameters.end(context, parameters);
  }

  static void runSystem(
      KernelContext context,
      LongArray parameters,
      LongArray words,
      LongArray results,
      LongArray meeting) {
    SystemLitmus.run(
        context.globalIdx,
        Handles.systemInts(words),
        Handles.threadInts(results),
        Handles.deviceLongs(meeting),
        (int) Parameters.scalar(parameters, 0),
        (int) Parameters.scalar(parameters, 1),
        (int) Parameters.scalar(parameters, 2),
        (int) Parameters.scalar(parameters, 3),
        Parameters.scalar(parameters, 4),
        Parameters.scalar(parameters, 5),
        (int) Parameters.scalar(parameters, 6),
        Parameters.scalar(parameters, 7),
        Parameters.scalar(parameters, 8),
        Parameters.scalar(parameters, 9));
    Parameters.end(context, parameters);
  }

  static void mismatch(
      KernelContext context,
      LongArray parameters,
      LongArray near,
      LongArray far,
      LongArray results) {
    LitmusFunctions.mismatch(
        context.globalIdx,
        Handles.blockInts(near),
        Handles.deviceInts(far),
        Handles.threadInts(results),
        (int) Parameters.scalar(parameters, 0),
        (int) Parameters.scalar(parameters, 1),
        Parameters.scalar(parameters, 2),
        (int) Parameters.scalar(parameters, 3));
    Parameters.end(context, parameters);
  }

  static void tally(
      KernelContext context,
      LongArray parameters,
      LongArray cells,
      LongArray results,
      LongArray bins) {
    LitmusFunctions.tally(
        context.globalIdx,
        Parameters.threads(parameters),
        Handles.threadInts(cells),
        Handles.threadInts(results),
        Handles.deviceLongs(bins),
        Parameters.scalar(parameters, 0),
        (int) Parameters.scalar(parameters, 1));
    Parameters.end(context, parameters);
  }

  static void handOver(KernelContext context, LongArray parameters, LongArray words) {
    ProgressFunctions.handOver(
        context.globalIdx,
        Parameters.threads(parameters),
        Handles.deviceInts(words),
        (int) Parameters.scalar(parameters, 0),
        (int) Parameters.scalar(parameters, 1),
        Parameters.scalar(parameters, 2));
    Parameters.end(context, parameters);
  }

  static void spinLock(KernelContext context, LongArray parameters, LongArray words) {
    ProgressFunctions.spinLock(
        context.globalIdx,
        Handles.deviceInts(words),
        (int) Parameters.scalar(parameters, 0),
        (int) Parameters.scalar(parameters, 1),
        Parameters.scalar(parameters, 2));
    Parameters.end(context, parameters);
  }

  static void meetAll(KernelContext context, LongArray parameters, LongArray words) {
    ProgressFunctions.meetAll(
        context.globalIdx,
        Handles.deviceInts(words),
        (int) Parameters.scalar(parameters, 0),
        (int) Parameters.scalar(parameters, 1),
        Parameters.scalar(parameters, 2));
    Parameters.end(context, parameters);
  }
}
