package dev.gyre.kernels.tornadovm;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class NativeLibraryTest {

  @Test
  void whatIsMissingIsNamedWithWhereItComesFrom() {
    assertThat(
            NativeLibrary.problem(
                "libtornado-cuda.so",
                "/sdk/lib/libtornado-cuda.so: libnvrtc.so.13: cannot open shared object file: No"
                    + " such file or directory"))
        .isEqualTo(
            "libtornado-cuda.so needs libnvrtc.so.13, which is not found; install the CUDA toolkit,"
                + " or add its folder to LD_LIBRARY_PATH");
  }

  @Test
  void whatElseIsWrongIsPassedOn() {
    assertThat(NativeLibrary.problem("libtornado-ptx.so", "wrong ELF class"))
        .isEqualTo("libtornado-ptx.so cannot be loaded: wrong ELF class");
  }

  @Test
  void aTargetWithoutALibraryHasNoProblemWithIt() {
    assertThat(NativeLibrary.problem("nothing")).isEmpty();
  }
}
