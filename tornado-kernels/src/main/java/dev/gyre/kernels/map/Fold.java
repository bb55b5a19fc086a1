package dev.gyre.kernels.map;

/**
 * What a user makes of the value that a key has and of one that comes: a record, which is compiled
 * into the kernels, on every target.
 *
 * <pre>{@code
 * record Saturating(long most) implements Fold {
 *   public long apply(long present, long given) {
 *     long sum = present + given;
 *     return sum > most ? most : sum;
 *   }
 * }
 * }</pre>
 *
 * <p>It is a device function: it depends on its arguments and on the record's components alone, and
 * changes nothing. It may be asked several times for one value, since the result is written by a
 * compare-and-exchange, which is tried again where another thread was faster. Values of equal keys
 * come in any order, so that the result is the same in every run where {@code apply} takes them in
 * any order: {@code f(f(v, a), b) == f(f(v, b), a)}.
 *
 * <p>Where many threads fold into one key, all but one try again each time, which on a device with
 * hundreds of thousands of threads takes very long: have what belongs to one key combined before,
 * or take an operation that the hardware has, such as ADD.
 *
 * <p>In maps of ints, both values are ints, and of the result the lower 32 bits are kept.
 */
public interface Fold {
  long apply(long present, long given);
}
