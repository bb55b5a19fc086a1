package dev.gyre.kernels.map;

/**
 * What a user does with each entry, by many threads at once: a record, which is the body of a
 * kernel on every target. What comes of it goes to memory of which the record has handles.
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
 */
public interface EntryVisitor {
  void visit(long key, long value);
}
