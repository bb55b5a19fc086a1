/** Off-heap memory, handles and scoped atomics. */
module dev.gyre.atomics {
  requires static transitive org.jspecify;
  requires java.management;
  requires jdk.management;

  exports dev.gyre.atomics;
}
