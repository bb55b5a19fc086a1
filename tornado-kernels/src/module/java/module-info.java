/** Device functions, targets and launchers. */
@SuppressWarnings("module") // Qualified exports name modules that are compiled later.
module dev.gyre.kernels {
  requires static transitive org.jspecify;
  requires transitive dev.gyre.atomics;
  requires jdk.jfr;

  exports dev.gyre.kernels;
  exports dev.gyre.kernels.map;
  exports dev.gyre.kernels.sync;
  exports dev.gyre.kernels.trie;
  exports dev.gyre.kernels.events to
      dev.gyre.structures;
  exports dev.gyre.kernels.group to
      dev.gyre.structures;
  exports dev.gyre.kernels.map.aggregate to
      dev.gyre.structures;
  exports dev.gyre.kernels.map.exclusive to
      dev.gyre.structures;
  exports dev.gyre.kernels.map.partition to
      dev.gyre.structures;
  exports dev.gyre.kernels.probe to
      dev.gyre.progress;
  exports dev.gyre.kernels.trie.select to
      dev.gyre.structures;

  uses dev.gyre.kernels.LauncherProvider;
}
