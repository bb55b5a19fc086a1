/** Texts from files, in chunks. */
module dev.gyre.datasets {
  requires static transitive org.jspecify;
  requires transitive dev.gyre.atomics;

  exports dev.gyre.datasets;
}
