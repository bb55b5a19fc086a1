package dev.gyre.structures.fuzz;

import dev.gyre.kernels.Launcher;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Where programs run.
 *
 * @param threads workers of a structure on the JVM, and threads that call it at once
 * @param launcher of a device; null where a structure makes its own, of the JVM
 * @param folder for files
 */
public record FuzzSetting(int threads, @Nullable Launcher launcher, Path folder) {}
