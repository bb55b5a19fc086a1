package dev.gyre.kernels.tornadovm;

/**
 * What a launch spent its time on, in nanoseconds.
 *
 * @param kernel on the device, as the device says
 * @param transfer to send memories to the device
 * @param compile to compile the kernel
 */
record LaunchTimes(long kernel, long transfer, long compile) {}
