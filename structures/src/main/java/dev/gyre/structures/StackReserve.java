package dev.gyre.structures;

import dev.gyre.atomics.Internal;

/**
 * Checks that a thread has enough stack before it claims something that it must publish or release.
 *
 * <p><b>Purpose.</b> A {@link StackOverflowError} may end any method: between the claim of a slot
 * and its publication, or in a finally block that leaves a lock. A thread that has checked for more
 * stack than an operation needs does not overflow within it. The exception is a function of the
 * caller, which runs while no slot is claimed.
 *
 * <p><b>Method.</b> The check must need the same stack whether it is compiled or not, because a
 * compiled check may precede an interpreted claim: HotSpot deoptimises, and compiles methods one by
 * one. Frames of a plain recursion shrink to a few bytes when they are compiled. Therefore the
 * check calls a method with a large frame of many local variables.
 *
 * <p>The interpreter allocates the whole frame. The compilers allocate a small one, and let each
 * method touch as much stack as its interpreted frames would need, so that it can be deoptimised.
 * The method calls itself, because a method without calls is not checked.
 */
@Internal
public final class StackReserve {

  /**
   * Number of recursive calls: two frames take 16 KiB, and the test of this class measures that the
   * operations need less. Single keys need up to 5 KiB, growth 8 KiB, and a few keys on the
   * caller's thread up to 11.5 KiB.
   *
   * <p>Compiled, both frames are inlined into the caller, which touches 12 to 16 KiB at its start,
   * by the page, and calls nothing. It would touch nothing if HotSpot knew that a further call is
   * never made, as it does with a constant.
   */
  @SuppressWarnings("FieldMayBeFinal") // See above.
  private static int nested = 1;

  private StackReserve() {}

  /**
   * Returns if the calling thread has enough stack for an operation.
   *
   * @throws StackOverflowError if it has not; the caller has claimed nothing yet
   */
  public static void require() {
    descend(nested);
  }

  /** Recursive method whose local variables take 8 KiB. */
  @SuppressWarnings({"unused", "MultiVariableDeclaration"})
  private static void descend(int calls) {
    long a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, aa, ab, ac, ad, ae, af, a10, a11, a12, a13, a14;
    long a15, a16, a17, a18, a19, a1a, a1b, a1c, a1d, a1e, a1f, a20, a21, a22, a23, a24, a25, a26;
    long a27, a28, a29, a2a, a2b, a2c, a2d, a2e, a2f, a30, a31, a32, a33, a34, a35, a36, a37, a38;
    long a39, a3a, a3b, a3c, a3d, a3e, a3f, a40, a41, a42, a43, a44, a45, a46, a47, a48, a49, a4a;
    long a4b, a4c, a4d, a4e, a4f, a50, a51, a52, a53, a54, a55, a56, a57, a58, a59, a5a, a5b, a5c;
    long a5d, a5e, a5f, a60, a61, a62, a63, a64, a65, a66, a67, a68, a69, a6a, a6b, a6c, a6d, a6e;
    long a6f, a70, a71, a72, a73, a74, a75, a76, a77, a78, a79, a7a, a7b, a7c, a7d, a7e, a7f, a80;
    long a81, a82, a83, a84, a85, a86, a87, a88, a89, a8a, a8b, a8c, a8d, a8e, a8f, a90, a91, a92;
    long a93, a94, a95, a96, a97, a98, a99, a9a, a9b, a9c, a9d, a9e, a9f, aa0, aa1, aa2, aa3, aa4;
    long aa5, aa6, aa7, aa8, aa9, aaa, aab, aac, aad, aae, aaf, ab0, ab1, ab2, ab3, ab4, ab5, ab6;
    long ab7, ab8, ab9, aba, abb, abc, abd, abe, abf, ac0, ac1, ac2, ac3, ac4, ac5, ac6, ac7, ac8;
    long ac9, aca, acb, acc, acd, ace, acf, ad0, ad1, ad2, ad3, ad4, ad5, ad6, ad7, ad8, ad9, ada;
    long adb, adc, add, ade, adf, ae0, ae1, ae2, ae3, ae4, ae5, ae6, ae7, ae8, ae9, aea, aeb, aec;
    long aed, aee, aef, af0, af1, af2, af3, af4, af5, af6, af7, af8, af9, afa, afb, afc, afd, afe;
    long aff, a100, a101, a102, a103, a104, a105, a106, a107, a108, a109, a10a, a10b, a10c, a10d;
    long a10e, a10f, a110, a111, a112, a113, a114, a115, a116, a117, a118, a119, a11a, a11b, a11c;
    long a11d, a11e, a11f, a120, a121, a122, a123, a124, a125, a126, a127, a128, a129, a12a, a12b;
    long a12c, a12d, a12e, a12f, a130, a131, a132, a133, a134, a135, a136, a137, a138, a139, a13a;
    long a13b, a13c, a13d, a13e, a13f, a140, a141, a142, a143, a144, a145, a146, a147, a148, a149;
    long a14a, a14b, a14c, a14d, a14e, a14f, a150, a151, a152, a153, a154, a155, a156, a157, a158;
    long a159, a15a, a15b, a15c, a15d, a15e, a15f, a160, a161, a162, a163, a164, a165, a166, a167;
    long a168, a169, a16a, a16b, a16c, a16d, a16e, a16f, a170, a171, a172, a173, a174, a175, a176;
    long a177, a178, a179, a17a, a17b, a17c, a17d, a17e, a17f, a180, a181, a182, a183, a184, a185;
    long a186, a187, a188, a189, a18a, a18b, a18c, a18d, a18e, a18f, a190, a191, a192, a193, a194;
    long a195, a196, a197, a198, a199, a19a, a19b, a19c, a19d, a19e, a19f, a1a0, a1a1, a1a2, a1a3;
    long a1a4, a1a5, a1a6, a1a7, a1a8, a1a9, a1aa, a1ab, a1ac, a1ad, a1ae, a1af, a1b0, a1b1, a1b2;
    long a1b3, a1b4, a1b5, a1b6, a1b7, a1b8, a1b9, a1ba, a1bb, a1bc, a1bd, a1be, a1bf, a1c0, a1c1;
    long a1c2, a1c3, a1c4, a1c5, a1c6, a1c7, a1c8, a1c9, a1ca, a1cb, a1cc, a1cd, a1ce, a1cf, a1d0;
    long a1d1, a1d2, a1d3, a1d4, a1d5, a1d6, a1d7, a1d8, a1d9, a1da, a1db, a1dc, a1dd, a1de, a1df;
    long a1e0, a1e1, a1e2, a1e3, a1e4, a1e5, a1e6, a1e7, a1e8, a1e9, a1ea, a1eb, a1ec, a1ed, a1ee;
    long a1ef, a1f0, a1f1, a1f2, a1f3, a1f4, a1f5, a1f6, a1f7, a1f8, a1f9, a1fa, a1fb, a1fc, a1fd;
    long a1fe, a1ff;
    if (calls > 0) {
      descend(calls - 1);
    }
  }
}
