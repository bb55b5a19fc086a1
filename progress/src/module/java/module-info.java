/** Forward-progress guarantees of operations and devices. */
module dev.gyre.progress {
  requires static transitive org.jspecify;
  requires transitive dev.gyre.kernels;
  requires java.management;

  exports dev.gyre.progress;
  exports dev.gyre.progress.probe;
}
