/** A user's program: Gyre needs access to the records that are kernels. */
module org.example {
  requires dev.gyre.structures;

  opens org.example to
      dev.gyre.kernels;
}
