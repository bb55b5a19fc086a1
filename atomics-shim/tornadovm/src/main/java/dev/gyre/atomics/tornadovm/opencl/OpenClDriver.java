package dev.gyre.atomics.tornadovm.opencl;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.gyre.atomics.GyreException;
import dev.gyre.atomics.MemoryExhaustedException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.util.HashSet;
import java.util.Set;

/**
 * Calls the OpenCL driver for what TornadoVM does not offer: features of a device, and memory of
 * host and device.
 */
final class OpenClDriver {

  // Names and numbers of the OpenCL 3.0 API.
  private static final int CL_DEVICE_NAME = 0x102B;
  private static final int CL_DEVICE_VENDOR = 0x102C;
  private static final int CL_DRIVER_VERSION = 0x102D;
  private static final int CL_DEVICE_OPENCL_C_FEATURES = 0x106F;
  private static final int CL_DEVICE_SINGLE_FP_CONFIG = 0x101B;
  private static final int CL_DEVICE_DOUBLE_FP_CONFIG = 0x1032;
  private static final int CL_DEVICE_LOCAL_MEM_SIZE = 0x1023;
  private static final long CL_FP_DENORM = 1;
  private static final long CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT = 1 << 7;
  private static final int CL_KERNEL_WORK_GROUP_SIZE = 0x11B0;

  private static final int CL_DEVICE_SVM_CAPABILITIES = 0x1053;
  private static final long CL_MEM_READ_WRITE = 1;
  private static final long CL_MEM_USE_HOST_PTR = 1 << 3;
  private static final long CL_MEM_SVM_FINE_GRAIN_BUFFER = 1 << 10;
  private static final long CL_MEM_SVM_ATOMICS = 1 << 11;

  /** Alignment of the widest type of OpenCL C. */
  private static final int SVM_ALIGNMENT = 128;

  // Extension cl_nv_device_attribute_query of NVIDIA.
  private static final int CL_DEVICE_COMPUTE_CAPABILITY_MAJOR_NV = 0x4000;
  private static final int CL_DEVICE_COMPUTE_CAPABILITY_MINOR_NV = 0x4001;

  /** First compute capability with redux.sync. */
  private static final int REDUX_MAJOR = 8;

  private static final int VERSION_BYTES = 4;
  private static final int NAME_BYTES = 64;

  private OpenClDriver() {}

  /**
   * Returns the features of a device.
   *
   * @param device the driver's {@code cl_device_id}
   */
  static OpenClFeatures featuresOf(long device) {
    try (Arena arena = Arena.ofConfined()) {
      MethodHandle query = query(arena);
      MemorySegment features = info(query, device, CL_DEVICE_OPENCL_C_FEATURES, arena);
      Set<String> declared = new HashSet<>();
      int record = VERSION_BYTES + NAME_BYTES;
      for (long at = 0; at + record <= features.byteSize(); at += record) {
        declared.add(features.asSlice(at + VERSION_BYTES, NAME_BYTES).getString(0));
      }
      long floats = bits(info(query, device, CL_DEVICE_SINGLE_FP_CONFIG, arena));
      if ((floats & CL_FP_DENORM) != 0) {
        declared.add(OpenClFeatures.SUBNORMAL_FLOATS);
      }
      if ((floats & CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT) != 0) {
        declared.add(OpenClFeatures.ROUNDED_DIVISION);
      }
      if (bits(info(query, device, CL_DEVICE_DOUBLE_FP_CONFIG, arena)) != 0) {
        declared.add(OpenClFeatures.DOUBLES);
      }
      MemorySegment major = info(query, device, CL_DEVICE_COMPUTE_CAPABILITY_MAJOR_NV, arena);
      if (major.byteSize() >= JAVA_INT.byteSize() && major.get(JAVA_INT, 0) >= REDUX_MAJOR) {
        declared.add(OpenClFeatures.REDUX);
      }
      return new OpenClFeatures(
          text(info(query, device, CL_DEVICE_NAME, arena)),
          text(info(query, device, CL_DEVICE_VENDOR, arena)),
          declared);
    }
  }

  /** Returns the shared memory of a work-group, in bytes. */
  static long sharedBytesOf(long device) {
    try (Arena arena = Arena.ofConfined()) {
      return bits(info(query(arena), device, CL_DEVICE_LOCAL_MEM_SIZE, arena));
    }
  }

  /** Returns the version of the driver, in its own words. */
  static String versionOf(long device) {
    try (Arena arena = Arena.ofConfined()) {
      return text(info(query(arena), device, CL_DRIVER_VERSION, arena));
    }
  }

  /**
   * Returns the compute capability of an NVIDIA GPU, such as {@code 9.0}; empty for other devices.
   */
  static String computeCapabilityOf(long device) {
    try (Arena arena = Arena.ofConfined()) {
      MethodHandle query = query(arena);
      MemorySegment major = info(query, device, CL_DEVICE_COMPUTE_CAPABILITY_MAJOR_NV, arena);
      MemorySegment minor = info(query, device, CL_DEVICE_COMPUTE_CAPABILITY_MINOR_NV, arena);
      boolean known =
          major.byteSize() >= JAVA_INT.byteSize() && major.byteSize() == minor.byteSize();
      return known ? major.get(JAVA_INT, 0) + "." + minor.get(JAVA_INT, 0) : "";
    }
  }

  /**
   * Returns the largest block size of a kernel with its registers; 0 if unknown.
   *
   * @param kernel the driver's {@code cl_kernel}
   */
  static long largestBlock(long kernel, long device) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment threads = arena.allocate(JAVA_LONG);
      int error =
          (int)
              function(
                      arena,
                      "clGetKernelWorkGroupInfo",
                      FunctionDescriptor.of(
                          JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_LONG, ADDRESS, ADDRESS))
                  .invokeExact(
                      kernel,
                      device,
                      CL_KERNEL_WORK_GROUP_SIZE,
                      threads.byteSize(),
                      threads,
                      MemorySegment.NULL);
      return error == 0 ? threads.get(JAVA_LONG, 0) : 0;
    } catch (Throwable e) {
      throw new GyreException("the OpenCL driver could not be asked about a kernel", e);
    }
  }

  /** Returns the capabilities for shared virtual memory; 0 for none. */
  static long sharedCapabilitiesOf(long device) {
    try (Arena arena = Arena.ofConfined()) {
      return bits(info(query(arena), device, CL_DEVICE_SVM_CAPABILITIES, arena));
    }
  }

  /** Allocates fine-grained shared virtual memory with atomics. */
  @SuppressWarnings("restricted") // Memory of the driver.
  static MemorySegment sharedMemory(long context, long bytes) {
    long flags = CL_MEM_READ_WRITE | CL_MEM_SVM_FINE_GRAIN_BUFFER | CL_MEM_SVM_ATOMICS;
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment made =
          (MemorySegment)
              function(
                      arena,
                      "clSVMAlloc",
                      FunctionDescriptor.of(ADDRESS, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT))
                  .invokeExact(context, flags, bytes, SVM_ALIGNMENT);
      if (made.address() == 0) {
        throw new MemoryExhaustedException(
            "the OpenCL driver has no %d bytes of shared virtual memory".formatted(bytes),
            bytes,
            null);
      }
      return made.reinterpret(bytes);
    } catch (MemoryExhaustedException e) {
      throw e;
    } catch (Throwable e) {
      throw new GyreException("the OpenCL driver could not be asked for memory", e);
    }
  }

  /** Returns a buffer for kernels over shared virtual memory. */
  static long bufferOf(long context, MemorySegment shared) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment error = arena.allocate(JAVA_INT);
      long buffer =
          (long)
              function(
                      arena,
                      "clCreateBuffer",
                      FunctionDescriptor.of(
                          JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, ADDRESS, ADDRESS))
                  .invokeExact(
                      context,
                      CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR,
                      shared.byteSize(),
                      shared,
                      error);
      if (error.get(JAVA_INT, 0) != 0) {
        throw new GyreException(
            "the OpenCL driver says error %d to a buffer of shared virtual memory"
                .formatted(error.get(JAVA_INT, 0)));
      }
      return buffer;
    } catch (GyreException e) {
      throw e;
    } catch (Throwable e) {
      throw new GyreException("the OpenCL driver could not be asked for a buffer", e);
    }
  }

  /** Frees a buffer; its memory stays. */
  static void releaseBuffer(long buffer) {
    try (Arena arena = Arena.ofConfined()) {
      int _ =
          (int)
              function(arena, "clReleaseMemObject", FunctionDescriptor.of(JAVA_INT, JAVA_LONG))
                  .invokeExact(buffer);
    } catch (Throwable e) {
      throw new GyreException("the OpenCL driver could not be given a buffer back", e);
    }
  }

  /** Frees shared virtual memory. */
  static void freeShared(long context, MemorySegment shared) {
    try (Arena arena = Arena.ofConfined()) {
      function(arena, "clSVMFree", FunctionDescriptor.ofVoid(JAVA_LONG, ADDRESS))
          .invokeExact(context, shared);
    } catch (Throwable e) {
      throw new GyreException("the OpenCL driver could not be given memory back", e);
    }
  }

  private static MethodHandle query(Arena arena) {
    return function(
        arena,
        "clGetDeviceInfo",
        FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_LONG, ADDRESS, ADDRESS));
  }

  @SuppressWarnings("restricted") // The purpose of this class is native calls.
  private static MethodHandle function(Arena arena, String name, FunctionDescriptor types) {
    return Linker.nativeLinker()
        .downcallHandle(
            SymbolLookup.libraryLookup("libOpenCL.so.1", arena).findOrThrow(name), types);
  }

  private static long bits(MemorySegment segment) {
    return segment.byteSize() < JAVA_LONG.byteSize() ? 0 : segment.get(JAVA_LONG, 0);
  }

  private static String text(MemorySegment segment) {
    return segment.byteSize() == 0 ? "" : segment.getString(0).strip();
  }

  /**
   * Returns a property of a device; empty if the driver does not know it, because it is older than
   * OpenCL 3.
   */
  private static MemorySegment info(MethodHandle query, long device, int property, Arena arena) {
    MemorySegment size = arena.allocate(JAVA_LONG);
    try {
      int known = (int) query.invokeExact(device, property, 0L, MemorySegment.NULL, size);
      MemorySegment value = arena.allocate(known == 0 ? size.get(JAVA_LONG, 0) : 0);
      if (value.byteSize() > 0) {
        int _ =
            (int) query.invokeExact(device, property, value.byteSize(), value, MemorySegment.NULL);
      }
      return value;
    } catch (Throwable e) {
      throw new GyreException("the OpenCL driver could not be asked about a device", e);
    }
  }
}
