/** The structures that users hold: word trie and maps. */
module dev.gyre.structures {
  requires static transitive org.jspecify;
  requires transitive dev.gyre.datasets;
  requires transitive dev.gyre.progress;

  exports dev.gyre.structures;
  exports dev.gyre.structures.arrow;
  exports dev.gyre.structures.group;
  exports dev.gyre.structures.launch;
  exports dev.gyre.structures.map;
  exports dev.gyre.structures.map.sharded;
  exports dev.gyre.structures.sync;
  exports dev.gyre.structures.trie;

  // Launchers read and copy kernels and refs of these packages.
  opens dev.gyre.structures.launch to
      dev.gyre.kernels;
  opens dev.gyre.structures.map to
      dev.gyre.kernels;
}
