package dev.gyre.atomics.tornadovm.cuda;

import dev.gyre.atomics.GyreException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodHandles.Lookup;
import java.lang.invoke.MethodType;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.charset.Charset;
import org.jspecify.annotations.Nullable;
import uk.ac.manchester.tornado.drivers.cuda.CUDADeviceContext;
import uk.ac.manchester.tornado.drivers.cuda.CUDAProgram;
import uk.ac.manchester.tornado.drivers.cuda.enums.CUDABuildStatus;
import uk.ac.manchester.tornado.drivers.cuda.graal.CUDAInstalledCode;

/**
 * Images that NVRTC compiled from kernel texts: code for the present device, or PTX if NVRTC does
 * not know the device.
 *
 * <p>TornadoVM loads an image in place of a text. It returns its image only by a package-private
 * method, because the public one needs devices that no program has. So that package must be open to
 * this class. Otherwise there are no images, and NVRTC compiles in each process.
 */
final class CudaImages {

  /** Access to TornadoVM's programs; null if its package is not open. */
  private record Access(VarHandle pointer, MethodHandle binaries) {
    static @Nullable Access open() {
      try {
        Lookup inside = MethodHandles.privateLookupIn(CUDAProgram.class, MethodHandles.lookup());
        return new Access(
            inside.findVarHandle(CUDAProgram.class, "programPointer", long.class),
            inside.findStatic(
                CUDAProgram.class,
                "getBinaries",
                MethodType.methodType(void.class, long.class, long.class, ByteBuffer.class)));
      } catch (ReflectiveOperationException e) {
        return null;
      }
    }
  }

  private static final @Nullable Access ACCESS = Access.open();

  private CudaImages() {}

  /** Returns the image of a compiled program; empty if it is inaccessible. */
  static ByteBuffer of(CUDAProgram program) {
    Access access = ACCESS;
    if (access == null) {
      return ByteBuffer.allocate(0);
    }
    ByteBuffer image = ByteBuffer.allocateDirect(Math.toIntExact(program.getBinarySizes()[0]));
    try {
      access.binaries().invokeExact((long) access.pointer().get(program), 1L, image);
    } catch (Throwable e) {
      throw new GyreException("TornadoVM does not give what NVRTC made of a kernel", e);
    }
    return image;
  }

  /**
   * Lets the driver load an image.
   *
   * @throws GyreException if the driver refuses it
   */
  static CUDAInstalledCode load(
      CUDADeviceContext context, String entry, String source, ByteBuffer image) {
    byte[] bytes = new byte[image.remaining()];
    image.duplicate().get(bytes);
    CUDAProgram program = context.createProgramWithBinary(bytes, new long[] {bytes.length});
    program.build("");
    if (program.getStatus(context.getDeviceId()) != CUDABuildStatus.CL_BUILD_SUCCESS) {
      program.cleanup();
      throw new GyreException("CUDA's driver does not load what NVRTC made of " + entry);
    }
    return new CUDAInstalledCode(
        entry,
        source.getBytes(Charset.defaultCharset()),
        context,
        program,
        program.clCreateKernel(entry),
        false);
  }
}
