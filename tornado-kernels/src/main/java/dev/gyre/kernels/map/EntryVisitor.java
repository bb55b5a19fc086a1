package dev.gyre.kernels.map;

/**
 * Action for each entry of a map, called by many threads at once: a user's record, which runs as a
 * kernel on every target. It writes its results to memory through its handles.
 *
 * <pre>{@code
 * record Histogram(DeviceLongs counts) implements EntryVisitor {
 *   public void visit(long key, long value) {
 *     counts.fetchAddRelaxed(value & 63, 1);
 *   }
 * }
 * }</pre>
 *
 * <p>In maps of ints, key and value are ints.
 *
 * @since 0.1.0
 */
public interface EntryVisitor {
  void visit(long key, long value);
}
