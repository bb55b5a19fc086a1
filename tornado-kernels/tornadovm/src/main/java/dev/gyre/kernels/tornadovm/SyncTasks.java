package dev.gyre.kernels.tornadovm;

import dev.gyre.atomics.tornadovm.Handles;
import dev.gyre.kernels.sync.stress.BlockBarrierStress;
import dev.gyre.kernels.sync.stress.BlockLatchStress;
import dev.gyre.kernels.sync.stress.BlockSemaphoreStress;
import dev.gyre.kernels.sync.stress.BlockStarvation;
import dev.gyre.kernels.sync.stress.DeviceBarrierStress;
import dev.gyre.kernels.sync.stress.DeviceLatchStress;
import dev.gyre.kernels.sync.stress.DeviceSemaphoreStress;
import dev.gyre.kernels.sync.stress.DeviceStarvation;
import java.util.List;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;

/** The task methods of the stress programs of latch, barrier and semaphore. */
public final class SyncTasks implements KernelBindings {

  @Override
  public List<KernelBinding> bindings() {
    return List.of(
        KernelBinding.of(BlockBarrierStress.class, SyncTasks.class, "blockBarrier"),
        KernelBinding.of(BlockLatchStress.class, SyncTasks.class, "blockLatch"),
        KernelBinding.of(BlockSemaphoreStress.class, SyncTasks.class, "blockSemaphore"),
        KernelBinding.of(BlockStarvation.class, SyncTasks.class, "blockStarvation"),
        KernelBinding.of(DeviceBarrierStress.class, SyncTasks.class, "deviceBarrier"),
        KernelBinding.of(DeviceLatchStress.class, SyncTasks.class, "deviceLatch"),
        KernelBinding.of(DeviceSemaphoreStress.class, SyncTasks.class, "deviceSemaphore"),
        KernelBinding.of(DeviceStarvation.class, SyncTasks.class, "deviceStarvation"));
  }

  static void blockBarrier(
      KernelContext context,
      LongArray parameters,
      LongArray words,
      LongArray payload,
      LongArray orders,
      LongArray report) {
    BlockBarrierStress.meet(
        context.globalIdx,
        Handles.blockInts(words),
        Handles.threadInts(payload),
        Handles.threadInts(orders),
        Handles.deviceLongs(report),
        (int) Parameters.scalar(parameters, 0),
        (int) Parameters.scalar(parameters, 1),
        (int) Parameters.scalar(parameters, 2),
        (int) Parameters.scalar(parameters, 3),
        Parameters.scalar(parameters, 4));
    Parameters.end(context, parameters);
  }

  static void blockLatch(
      KernelContext context,
      LongArray parameters,
      LongArray words,
      LongArray payload,
      LongArray orders,
      LongArray report) {
    BlockLatchStress.meet(
        context.globalIdx,
        Handles.blockInts(words),
        Handles.threadInts(payload),
        Handles.threadInts(orders),
        Handles.deviceLongs(report),
        (int) Parameters.scalar(parameters, 0),
        (int) Parameters.scalar(parameters, 1),
        (int) Parameters.scalar(parameters, 2),
        Parameters.scalar(parameters, 3));
    Parameters.end(context, parameters);
  }

  static void blockSemaphore(
      KernelContext context,
      LongArray parameters,
      LongArray words,
      LongArray payload,
      LongArray report) {
    BlockSemaphoreStress.enter(
        context.globalIdx,
        Handles.blockInts(words),
        Handles.threadInts(payload),
        Handles.deviceLongs(report),
        (int) Parameters.scalar(parameters, 0),
        (int) Parameters.scalar(parameters, 1),
        (int) Parameters.scalar(parameters, 2),
        Parameters.scalar(parameters, 3));
    Parameters.end(context, parameters);
  }

  static void blockStarvation(
      KernelContext context, LongArray parameters, LongArray words, LongArray report) {
    BlockStarvation.share(
        context.globalIdx,
        Handles.blockInts(words),
        Handles.deviceLongs(report),
        (int) Parameters.scalar(parameters, 0),
        (int) Parameters.scalar(parameters, 1),
        (int) Parameters.scalar(parameters, 2),
        Parameters.scalar(parameters, 3));
    Parameters.end(context, parameters);
  }

  static void deviceBarrier(
      KernelContext context,
      LongArray parameters,
      LongArray words,
      LongArray payload,
      LongArray orders,
      LongArray report) {
    DeviceBarrierStress.meet(
        context.globalIdx,
        Handles.deviceInts(words),
        Handles.threadInts(payload),
        Handles.threadInts(orders),
        Handles.deviceLongs(report),
        (int) Parameters.scalar(parameters, 0),
        (int) Parameters.scalar(parameters, 1),
        (int) Parameters.scalar(parameters, 2),
        (int) Parameters.scalar(parameters, 3),
        Parameters.scalar(parameters, 4));
    Parameters.end(context, parameters);
  }

  static void deviceLatch(
      KernelContext context,
      LongArray parameters,
      LongArray words,
      LongArray payload,
      LongArray orders,
      LongArray report) {
    DeviceLatchStress.meet(
        context.globalIdx,
        Handles.deviceInts(words),
        Handles.threadInts(payload),
        Handles.threadInts(orders),
        Handles.deviceLongs(report),
        (int) Parameters.scalar(parameters, 0),
        (int) Parameters.scalar(parameters, 1),
        (int) Parameters.scalar(parameters, 2),
        Parameters.scalar(parameters, 3));
    Parameters.end(context, parameters);
  }

  static void deviceSemaphore(
      KernelContext context,
      LongArray parameters,
      LongArray words,
      LongArray payload,
      LongArray report) {
    DeviceSemaphoreStress.enter(
        context.globalIdx,
        Handles.deviceInts(words),
        Handles.threadInts(payload),
        Handles.deviceLongs(report),
        (int) Parameters.scalar(parameters, 0),
        (int) Parameters.scalar(parameters, 1),
        (int) Parameters.scalar(parameters, 2),
        Parameters.scalar(parameters, 3));
    Parameters.end(context, parameters);
  }

  static void deviceStarvation(
      KernelContext context, LongArray parameters, LongArray words, LongArray report) {
    DeviceStarvation.share(
        context.globalIdx,
        Handles.deviceInts(words),
        Handles.deviceLongs(report),
        (int) Parameters.scalar(parameters, 0),
        (int) Parameters.scalar(parameters, 1),
        (int) Parameters.scalar(parameters, 2),
        Parameters.scalar(parameters, 3));
    Parameters.end(context, parameters);
  }
}
