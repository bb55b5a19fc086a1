/**
 * The lines that ran, for Coverage. The loader of the JDK has it, so that there is one, also for
 * the copies of classes in which kernels have code of their own.
 */
public final class Lines {

  public static final byte[] RAN = new byte[1 << 20];

  private Lines() {}

  /** Notes a line; classes that were marked call it. */
  public static void ran(int line) {
    RAN[line] = 1;
  }
}
