package dev.gyre.kernels.tornadovm;

/**
 * Times of a launch, in nanoseconds.
 *
 * @param kernel time on the device, as the device measures it
 * @param transfer time of transfers to the device
 * @param compile time of compilation
 */
record LaunchTimes(long kernel, long transfer, long compile) {}
