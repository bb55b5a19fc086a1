package dev.gyre.atomics.tornadovm;

import dev.gyre.atomics.GyreException;
import java.io.Serial;

/** Thrown if TornadoVM mistranslated a kernel, whose code must not run. */
public final class MiscompiledKernelException extends GyreException {
  @Serial private static final long serialVersionUID = 1L;

  public MiscompiledKernelException(String flaw) {
    super(
        "TornadoVM compiles it wrong (%s); docs/tornadovm.md says which loops and branches are safe"
            .formatted(flaw));
  }
}
